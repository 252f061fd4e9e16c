//! All routes under one roof: faces mounted, request ids, panics, health.

use axum::body::Bytes;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;
use tower_http::catch_panic::CatchPanicLayer;
use tracing::Instrument as _;

use crate::base::error::{Error, Result};
use crate::base::ids::JobId;
use crate::chat::core::chat::Chat;
use crate::chat::slack::access::SlackAccess;
use crate::chat::slack::rotation::Rotation;
use crate::services::Services;
use crate::{api, chat, console, edge};

const REQUEST_ID: &str = "x-request-id";

pub fn router(services: Services, slack: SlackAccess, rotation: Rotation, chat: Chat) -> Router {
    // Pages get security headers, and their faults as pages.
    let pages = chat::web::connect::router()
        .merge(chat::web::preview::router())
        .merge(chat::setup::routes::router(slack, rotation, chat))
        .merge(console::sign_in::router())
        .merge(console::home::router());
    let pages = edge::view::dressed(pages, &services);
    let (api, document) = api::routes::router(&services.site.public_url);
    let document = Bytes::from(document.to_string());
    Router::new()
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
        .layer(from_fn_with_state(services.clone(), observe))
        .with_state(services)
}

/// Database and storage reachable, and migrations done.
async fn ready(State(services): State<Services>) -> Response {
    let away = |what: &str, error: &Error| {
        tracing::warn!(what, error = error.chain(), "not ready");
    };
    let pending: Result<i64> = services.db.pending_migrations().await;
    let stored = services.blobs.ready().await;
    let storage = match &stored {
        Ok(()) => "up",
        Err(error) => {
            away("storage", error);
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
            away("database", &error);
            let body = Json(json!({ "status": "not_ready", "database": "away", "storage": storage }));
            (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "1")], body).into_response()
        }
    }
}

/// A request id on every answer and log line. The route's pattern is logged, never the address
/// itself: addresses bear tokens.
async fn observe(State(services): State<Services>, mut request: Request, next: Next) -> Response {
    let id = JobId::new().to_string();
    let id_header = HeaderValue::from_str(&id).ok();
    if let Some(id) = id_header.clone() {
        request.headers_mut().insert(REQUEST_ID, id);
    }
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("-", MatchedPath::as_str);
    let span = tracing::info_span!("request", request_id = id, method = %request.method(), route);
    let response = async {
        let response = next.run(request).await;
        tracing::debug!(status = response.status().as_u16(), "answered");
        response
    }
    .instrument(span)
    .await;
    let mut response = edge::problem::signed(spoken(response), &id, &services.site.public_url);
    if let Some(id) = id_header {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// Refusals of the framework itself (an address that is no UTF-8, a field given twice) as problems with a
/// code, like ours.
fn spoken(response: Response) -> Response {
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
    let mut tidy = edge::problem::problem(status, code, detail);
    for (name, value) in response.headers() {
        if name != CONTENT_TYPE && name != CONTENT_LENGTH {
            tidy.headers_mut().append(name, value.clone());
        }
    }
    tidy
}
