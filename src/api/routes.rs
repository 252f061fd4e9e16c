//! The list of all API routes. Each is bound to its description, so an undescribed route cannot be served.

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::{from_fn, map_response};
use axum::response::Response;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    analysts, files, me, memories, messages, note_files, notes, openapi, rate, responses, runs, sessions,
};
use crate::services::Services;

/// The routes, and the OpenAPI document for them as served at `public_url`.
pub fn router(public_url: &str) -> (Router<Services>, Value) {
    let (router, document) = OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(me::read))
        .routes(routes!(runs::start))
        .routes(routes!(messages::list))
        .routes(routes!(messages::read))
        .routes(routes!(files::resolve))
        .routes(routes!(memories::list))
        .routes(routes!(memories::search))
        .routes(routes!(memories::folders))
        .routes(routes!(note_files::list))
        .routes(routes!(notes::add))
        .routes(routes!(notes::update))
        .routes(routes!(analysts::create, analysts::list))
        .routes(routes!(analysts::update, analysts::delete))
        .routes(routes!(sessions::read))
        .routes(routes!(sessions::messages))
        .routes(routes!(responses::read))
        .split_for_parts();
    let document = openapi::complete(&document, public_url);
    let router = router
        .layer(from_fn(rate::add_headers))
        .layer(map_response(forbid_caching));
    (router, document)
}

/// Responses are for the bearer of one key, and intermediate caches do not vary on `X-Api-Key`.
async fn forbid_caching(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
