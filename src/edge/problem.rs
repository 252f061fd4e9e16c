//! Turns an error into an HTTP response: status, `Retry-After`, and the machine-readable body of RFC 9457.
//!
//! Has the one exhaustive match from [`Error`] to a status; pages use the same status with their own text. Does not
//! depend on routes or the database.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::Error;

/// The page with an entry for each code.
pub const ERRORS_PAGE: &str = "/docs/errors";

/// `application/problem+json` (RFC 9457), with a stable code.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Address of the code's entry in the list of errors: cause and mend.
    #[schema(format = "uri-reference", example = "/docs/errors#not_found")]
    pub r#type: String,
    /// The status in words.
    #[schema(example = "Not Found")]
    pub title: String,
    #[schema(minimum = 400, maximum = 599, example = 404)]
    pub status: u16,
    /// What happened and what to do, for people. It may change; branch on `code`.
    #[schema(example = "message not found")]
    pub detail: String,
    /// The stable word to branch on.
    #[schema(pattern = "^[a-z][a-z0-9_]*$", example = "not_found")]
    pub code: String,
    /// Names this request in the logs of the service; also in the header `X-Request-Id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required, format = "uuid", nullable = false)]
    pub request_id: Option<String>,
    /// What does not fit, field by field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub errors: Vec<FieldError>,
}

/// What is wrong with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// Where it stands, for instance `files[0].contentBase64`.
    #[schema(example = "question")]
    pub field: String,
    #[schema(pattern = "^[a-z][a-z0-9_]*$", example = "missing")]
    pub code: &'static str,
    #[schema(example = "must not be empty")]
    pub detail: String,
}

/// A response with a stable code and a sentence that may be shown to anyone.
pub fn problem(status: StatusCode, code: &str, detail: &str) -> Response {
    response_of(status, code, detail, None, &[])
}

/// The response to a request with invalid fields.
pub fn fields(errors: &[FieldError]) -> Response {
    let detail = errors
        .first()
        .map_or_else(String::new, |error| format!("{}: {}", error.field, error.detail));
    response_of(StatusCode::BAD_REQUEST, "invalid_request", &detail, None, errors)
}

/// A response with its own code for one invalid field.
pub fn of_field(status: StatusCode, code: &str, error: FieldError) -> Response {
    let detail = format!("{}: {}", error.field, error.detail);
    response_of(status, code, &detail, None, &[error])
}

/// The response for `error`. Internal faults are logged here, once, and not described to the caller.
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
    let mut response = response_of(
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

/// In whole seconds, at least one: zero would invite a tight loop.
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

/// Logs what an operator has to see. Mistakes of the caller are not logged.
pub fn log(error: &Error, request_id: Option<&str>) {
    if matches!(
        error,
        Error::Internal(_) | Error::Upstream(_) | Error::Busy { .. }
    ) {
        // Inside a request, the span has the id already.
        tracing::error!(
            request_id,
            code = error.code(),
            cause = error.chain(),
            "request failed"
        );
    }
}

/// Adds the request id and the public URL to a problem that was created without them. Other responses are unchanged.
pub fn with_request(mut response: Response, request_id: &str, public_url: &str) -> Response {
    let Some(mut problem) = response.extensions_mut().remove::<Problem>() else {
        return response;
    };
    problem.request_id = Some(request_id.to_owned());
    problem.r#type.insert_str(0, public_url);
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, body(&problem))
}

/// The code of a response, if it is a problem.
pub fn code(response: &Response) -> Option<&str> {
    let problem = response.extensions().get::<Problem>()?;
    Some(&problem.code)
}

fn body(problem: &Problem) -> Body {
    Body::from(serde_json::to_vec(problem).unwrap_or_default())
}

fn response_of(
    status: StatusCode,
    code: &str,
    detail: &str,
    request_id: Option<&str>,
    errors: &[FieldError],
) -> Response {
    let problem = Problem {
        r#type: format!("{ERRORS_PAGE}#{code}"),
        title: status.canonical_reason().unwrap_or("Error").to_owned(),
        status: status.as_u16(),
        detail: detail.to_owned(),
        code: code.to_owned(),
        request_id: request_id.map(str::to_owned),
        errors: errors.to_vec(),
    };
    let mut response = Response::new(body(&problem));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/problem+json"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.extensions_mut().insert(problem);
    response
}
