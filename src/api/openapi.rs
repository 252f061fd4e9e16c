//! The OpenAPI document: what the handlers' types do not say themselves.

use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder, SecurityRequirement};

/// The document before the routes.
pub fn opening() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Corbel HTTP API")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Real-estate and finance analyses, Context and custom analysts, authenticated with a project key. \
             Clients branch on the HTTP status and on `code`, and tolerate fields they do not know.",
        ))
        .build();
    let schemes = ComponentsBuilder::new()
        .security_scheme(
            "apiKey",
            SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new("X-Api-Key"))),
        )
        .security_scheme(
            "bearer",
            SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build()),
        )
        .build();
    OpenApiBuilder::new()
        .info(info)
        .components(Some(schemes))
        .security(Some([
            SecurityRequirement::new("apiKey", Vec::<String>::new()),
            SecurityRequirement::new("bearer", Vec::<String>::new()),
        ]))
        .build()
}

/// The document with what all routes have in common.
pub fn finished(document: OpenApi) -> OpenApi {
    document
}
