//! Every route of the API in one list, bound to its description: what is not described is not served.

use axum::Router;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{me, messages, openapi, runs};
use crate::services::Services;

/// The routes, and the document that describes them.
pub fn router() -> (Router<Services>, OpenApi) {
    let (router, document) = OpenApiRouter::with_openapi(openapi::opening())
        .routes(routes!(me::read))
        .routes(routes!(runs::start))
        .routes(routes!(messages::read))
        .split_for_parts();
    (router, openapi::finished(document))
}
