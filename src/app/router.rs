//! The router of the whole service: mounts all faces and adds request ids, panic handling and health checks.

use std::time::Instant;

use axum::body::Bytes;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use metrics::{counter, histogram};
use serde_json::json;
use tower_http::catch_panic::CatchPanicLayer;
use tracing::Instrument as _;
use tracing::field::Empty;

use crate::app::body_time::limit_body_time;
use crate::app::build::App;
use crate::app::connections::Limits;
use crate::app::{metrics as metrics_page, telemetry};
use crate::base::error::{Error, Result};
use crate::base::ids::JobId;
use crate::services::Services;
use crate::{api, chat, console, edge};

const REQUEST_ID: &str = "x-request-id";

/// All routes. With `metrics_apart`, another listener serves `/metrics`.
pub fn router(app: &App, metrics_apart: bool, limits: Limits) -> Router {
    let services = app.services.clone();
    let setup = chat::setup::routes::router(app.slack.clone(), app.rotation.clone(), app.chat.clone());
    // Pages get security headers, and errors are shown as pages.
    let pages = chat::web::connect::router()
        .merge(chat::web::preview::router())
        .merge(chat::web::files::router())
        .merge(setup)
        .merge(console::sign_in::router())
        .merge(console::home::router())
        .merge(api::docs::router())
        .merge(console::keys::router())
        .merge(console::language_models::router())
        .merge(console::portfolio::router())
        .merge(console::usage::router());
    let pages = edge::view::as_pages(pages, &services);
    let (api, document) = api::routes::router(&services.site.public_url);
    let document = Bytes::from(document.to_string());
    let metrics = if metrics_apart {
        Router::new()
    } else {
        metrics_page::local_router()
    };
    Router::new()
        .merge(metrics)
        .route(
            "/openapi.json",
            get(move || {
                let document = document.clone();
                async move { ([(CONTENT_TYPE, "application/json")], document) }
            }),
        )
        .route("/healthz", get(|| async { Json(json!({ "status": "up" })) }))
        .route("/readyz", get(ready))
        .merge(api)
        .merge(api::download::router())
        .merge(chat::slack::routes::router())
        .merge(pages)
        .merge(edge::assets::router())
        .fallback(|| async {
            edge::problem::problem(
                StatusCode::NOT_FOUND,
                "not_found",
                "There is nothing at this address.",
            )
        })
        .method_not_allowed_fallback(|| async {
            edge::problem::problem(
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                "This address exists, but not for this method.",
            )
        })
        .layer(CatchPanicLayer::custom(|_| {
            edge::problem::problem(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "Something went wrong on our side.",
            )
        }))
        .layer(from_fn_with_state(limits, limit_body_time))
        .layer(from_fn_with_state(services.clone(), observe))
        .with_state(services)
}

/// Ready if the database and the storage are reachable and all migrations are done.
async fn ready(State(services): State<Services>) -> Response {
    let log_failure = |what: &str, error: &Error| {
        tracing::warn!(what, error = error.chain(), "not ready");
    };
    let pending: Result<i64> = services.db.pending_migrations().await;
    let stored = services.blobs.ready().await;
    let storage = match &stored {
        Ok(()) => "up",
        Err(error) => {
            log_failure("storage", error);
            "away"
        }
    };
    match pending {
        Ok(pending) => {
            let is_ready = pending == 0 && stored.is_ok();
            let (status, word) = if is_ready {
                (StatusCode::OK, "ready")
            } else {
                (StatusCode::SERVICE_UNAVAILABLE, "not_ready")
            };
            let body =
                json!({ "status": word, "database": "up", "storage": storage, "pendingMigrations": pending });
            (status, Json(body)).into_response()
        }
        Err(error) => {
            log_failure("database", &error);
            let body = Json(json!({ "status": "not_ready", "database": "away", "storage": storage }));
            (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "1")], body).into_response()
        }
    }
}

/// Adds a request id to every response and log line, and measures the request. Logs the route's pattern, never the URL,
/// which may contain a token.
async fn observe(State(services): State<Services>, mut request: Request, next: Next) -> Response {
    let id = JobId::new().to_string();
    let id_header = HeaderValue::from_str(&id).ok();
    if let Some(id) = id_header.clone() {
        request.headers_mut().insert(REQUEST_ID, id);
    }
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("-", MatchedPath::as_str);
    let route = route.to_owned();
    let method = method_label(request.method());
    // At error level, so that the span with the id exists at every log level.
    let span = tracing::error_span!("request", request_id = id, method, route, status = Empty);
    telemetry::continue_trace(&span, request.headers());
    let began = Instant::now();
    let response = async {
        let response = next.run(request).await;
        let status = response.status();
        // The caller gets the request id with an error, so the log has to have it as well.
        match edge::problem::code(&response) {
            Some(code) => tracing::info!(status = status.as_u16(), code, "refused"),
            None => tracing::debug!(status = status.as_u16(), "answered"),
        }
        response
    }
    .instrument(span.clone())
    .await;
    let status = response.status();
    span.record("status", status.as_u16());
    let labels = [
        ("method", method.to_owned()),
        ("route", route.clone()),
        ("status", status.as_u16().to_string()),
    ];
    histogram!("corbel_http_request_duration_seconds", &labels).record(began.elapsed());
    if status == StatusCode::TOO_MANY_REQUESTS {
        let code = edge::problem::code(&response)
            .unwrap_or("rate_limited")
            .to_owned();
        counter!("corbel_limits_refused_total", "route" => route, "code" => code).increment(1);
    }
    let mut response = edge::problem::with_request(as_problem(response), &id, &services.site.public_url);
    if let Some(id) = id_header {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// The label of a method. Clients can invent methods, and each new label would take memory forever.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Turns an error response of the framework itself, for instance for a URL that is not UTF-8, into a problem with a
/// code.
fn as_problem(response: Response) -> Response {
    let status = response.status();
    let kind = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or_default();
    if !(status.is_client_error() || status.is_server_error())
        || kind.contains("json")
        || kind.contains("html")
    {
        return response;
    }
    let (code, detail) = match status {
        StatusCode::NOT_FOUND => ("not_found", "There is nothing at this address."),
        StatusCode::METHOD_NOT_ALLOWED => (
            "method_not_allowed",
            "This address exists, but not for this method.",
        ),
        StatusCode::PAYLOAD_TOO_LARGE => ("body_too_large", "The request is larger than allowed."),
        StatusCode::REQUEST_TIMEOUT => ("request_timeout", "The request took too long to arrive."),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => (
            "unsupported_media_type",
            "This form of content is not understood here.",
        ),
        status if status.is_client_error() => ("invalid_request", "The request could not be understood."),
        _ => ("internal", "Something went wrong on our side."),
    };
    let mut problem = edge::problem::problem(status, code, detail);
    for (name, value) in response.headers() {
        if name != CONTENT_TYPE && name != CONTENT_LENGTH {
            problem.headers_mut().append(name, value.clone());
        }
    }
    problem
}
