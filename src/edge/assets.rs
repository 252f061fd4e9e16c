//! Style sheet, script and icon of the pages, inside the binary. Their addresses carry a hash of
//! the content, so browsers may keep them for good.
//!
//! Knows no page.

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

/// Addresses for pages to link to.
pub struct Hrefs {
    pub style: String,
    pub script: String,
    /// Starts the viewer of the API's document.
    pub docs: String,
    pub icon: String,
}

pub fn hrefs() -> &'static Hrefs {
    &HREFS
}

/// Where the style sheet of an assistant's colour is; nothing for what is no colour.
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
        "corbel.css" => kept("text/css; charset=utf-8", STYLE),
        "preview.js" => kept("text/javascript; charset=utf-8", SCRIPT),
        "docs.js" => kept("text/javascript; charset=utf-8", DOCS),
        "icon.svg" => kept("image/svg+xml", ICON),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn accent_sheet(Path(colour): Path<String>) -> Response {
    match accent::Colour::parse(&colour) {
        Some(colour) => kept("text/css; charset=utf-8", accent::style_sheet(colour)),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn kept(kind: &'static str, content: impl IntoResponse) -> Response {
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
