//! How an error leaves over HTTP: status, `Retry-After`, and the machine-readable body of RFC 9457.
//!
//! The one exhaustive match from [`Error`] to a status; pages use the same status and their own
//! words. Knows no route and no database.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;

use crate::base::error::Error;

/// `application/problem+json` as it is written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Problem<'a> {
    r#type: &'static str,
    title: &'a str,
    status: u16,
    detail: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
    #[serde(skip_serializing_if = "<[FieldError]>::is_empty")]
    errors: &'a [FieldError],
}

/// What is wrong with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// Where it stands, for instance `files[0].contentBase64`.
    pub field: String,
    pub code: &'static str,
    pub detail: String,
}

/// An answer with a stable code and a sentence that may be shown to anyone.
pub fn problem(status: StatusCode, code: &str, detail: &str) -> Response {
    written(status, code, detail, None, &[])
}

/// A request whose fields do not fit.
pub fn fields(errors: &[FieldError]) -> Response {
    let detail = errors
        .first()
        .map_or_else(String::new, |error| format!("{}: {}", error.field, error.detail));
    written(StatusCode::BAD_REQUEST, "invalid_request", &detail, None, errors)
}

/// What a caller gets for `error`. Faults of ours are logged here, once, and not described.
pub fn of(error: &Error, request_id: Option<&str>) -> Response {
    log(error, request_id);
    let errors: Vec<FieldError> = match error {
        Error::Invalid { field, why } => vec![FieldError {
            field: (*field).to_owned(),
            code: "invalid",
            detail: why.clone(),
        }],
        _ => Vec::new(),
    };
    let mut response = written(
        status(error),
        error.code(),
        &error.to_string(),
        request_id,
        &errors,
    );
    if let Some(seconds) = retry_after(error) {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

pub fn status(error: &Error) -> StatusCode {
    match error {
        Error::Unauthenticated => StatusCode::UNAUTHORIZED,
        Error::Forbidden { .. } => StatusCode::FORBIDDEN,
        Error::NotFound(_) => StatusCode::NOT_FOUND,
        Error::Invalid { .. } => StatusCode::BAD_REQUEST,
        Error::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        Error::Conflict(_) | Error::Stale => StatusCode::CONFLICT,
        Error::Exhausted => StatusCode::PAYMENT_REQUIRED,
        Error::Limited { .. } | Error::QuotaExhausted { .. } => StatusCode::TOO_MANY_REQUESTS,
        Error::Busy { .. } => StatusCode::SERVICE_UNAVAILABLE,
        Error::Upstream(_) => StatusCode::BAD_GATEWAY,
        Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Whole seconds, at least one: a zero would invite a tight loop.
pub fn retry_after(error: &Error) -> Option<u64> {
    match error {
        Error::Limited { retry_after }
        | Error::QuotaExhausted { retry_after }
        | Error::Busy { retry_after, .. } => {
            let seconds = retry_after.as_secs() + u64::from(retry_after.subsec_nanos() > 0);
            Some(seconds.max(1))
        }
        _ => None,
    }
}

/// Logs what an operator has to see; what a caller did wrong is not an error of ours.
pub fn log(error: &Error, request_id: Option<&str>) {
    if matches!(
        error,
        Error::Internal(_) | Error::Upstream(_) | Error::Busy { .. }
    ) {
        let request_id = request_id.unwrap_or_default();
        tracing::error!(
            request_id,
            code = error.code(),
            cause = error.chain(),
            "request failed"
        );
    }
}

fn written(
    status: StatusCode,
    code: &str,
    detail: &str,
    request_id: Option<&str>,
    errors: &[FieldError],
) -> Response {
    let title = status.canonical_reason().unwrap_or("Error");
    let problem = Problem {
        r#type: "about:blank",
        title,
        status: status.as_u16(),
        detail,
        code,
        request_id,
        errors,
    };
    let body = serde_json::to_vec(&problem).unwrap_or_default();
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/problem+json"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
