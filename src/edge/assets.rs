//! Serves the style sheet, scripts and icon of the pages from the binary. Their URLs contain a hash of the content, so
//! browsers may cache them forever.
//!
//! Does not depend on any page.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::base::secret::digest_of;
use crate::edge::accent;
use crate::services::Services;

const STYLE: &str = include_str!("../../templates/static/corbel.css");
const SCRIPT: &str = include_str!("../../templates/static/preview.js");
const DOCS: &str = include_str!("../../templates/static/docs.js");
const ICON: &str = include_str!("../../templates/static/icon.svg");

static HREFS: LazyLock<Hrefs> = LazyLock::new(|| Hrefs {
    style: href("corbel.css", STYLE),
    script: href("preview.js", SCRIPT),
    docs: href("docs.js", DOCS),
    icon: href("icon.svg", ICON),
});

/// URLs for pages to link to.
pub struct Hrefs {
    pub style: String,
    pub script: String,
    /// Starts the viewer of the OpenAPI document.
    pub docs: String,
    pub icon: String,
}

pub fn hrefs() -> &'static Hrefs {
    &HREFS
}

/// The URL of the style sheet for an assistant's colour. None if the text is not a colour.
pub fn accent_href(colour: &str) -> Option<String> {
    let colour = accent::Colour::parse(colour)?;
    Some(href(
        &format!("accent/{}", colour.hex()),
        &accent::style_sheet(colour),
    ))
}

pub fn router() -> Router<Services> {
    Router::new()
        .route("/static/{name}", get(file))
        .route("/static/accent/{colour}", get(accent_sheet))
}

async fn file(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "corbel.css" => cached("text/css; charset=utf-8", STYLE),
        "preview.js" => cached("text/javascript; charset=utf-8", SCRIPT),
        "docs.js" => cached("text/javascript; charset=utf-8", DOCS),
        "icon.svg" => cached("image/svg+xml", ICON),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn accent_sheet(Path(colour): Path<String>) -> Response {
    match accent::Colour::parse(&colour) {
        Some(colour) => cached("text/css; charset=utf-8", accent::style_sheet(colour)),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn cached(kind: &'static str, content: impl IntoResponse) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=31536000, immutable"),
    );
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response
}

fn href(name: &str, content: &str) -> String {
    let hash = hex::encode(digest_of(content));
    format!("/static/{name}?{}", hash.get(..12).unwrap_or_default())
}
