//! `/docs`: a viewer for the OpenAPI document, and the page of errors. All files are in the binary.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use utoipa_swagger_ui::Config;

use crate::edge::codes::{ENTRIES, Entry, Of, RUNS};
use crate::edge::problem::ERRORS_PAGE;
use crate::edge::view::{Frame, InlineImages, page};
use crate::services::Services;

/// The routes of these pages.
pub fn router() -> Router<Services> {
    Router::new()
        .route("/docs", get(viewer))
        .route(ERRORS_PAGE, get(errors))
        .route("/docs/viewer/{name}", get(viewer_file))
}

#[derive(Template)]
#[template(path = "docs.html")]
struct Viewer {
    frame: Frame,
}

async fn viewer(State(services): State<Services>) -> Response {
    let frame = Frame::new(&services.site, "HTTP API");
    let mut response = page(StatusCode::OK, &Viewer { frame });
    // The viewer's style sheet has icons as `data:` URLs.
    response.extensions_mut().insert(InlineImages);
    response
}

/// A heading and the codes under it.
struct Group {
    heading: &'static str,
    entries: Vec<&'static Entry>,
}

#[derive(Template)]
#[template(path = "docs_errors.html")]
struct Errors {
    frame: Frame,
    groups: Vec<Group>,
    runs: &'static [(&'static str, &'static str, &'static str)],
}

async fn errors(State(services): State<Services>) -> Response {
    let (pages, api): (Vec<_>, Vec<_>) = ENTRIES.iter().partition(|entry| entry.of == Of::Pages);
    let page_of_errors = Errors {
        frame: Frame::new(&services.site, "Errors"),
        groups: vec![
            Group {
                heading: "Answers of the API",
                entries: api,
            },
            Group {
                heading: "Answers of pages",
                entries: pages,
            },
        ],
        runs: RUNS,
    };
    page(StatusCode::OK, &page_of_errors)
}

/// Script and style sheet of the viewer. They are compressed in the binary and served as they are.
async fn viewer_file(Path(name): Path<String>) -> Response {
    let is_listed = ["swagger-ui-bundle.js", "swagger-ui.css"].contains(&name.as_str());
    let file = is_listed
        .then(|| utoipa_swagger_ui::serve(&name, Arc::new(Config::default())))
        .and_then(|found| found.ok().flatten());
    let Some(file) = file else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut response = file.bytes.into_owned().into_response();
    let headers = response.headers_mut();
    if let Ok(kind) = HeaderValue::from_str(&file.content_type) {
        headers.insert(header::CONTENT_TYPE, kind);
    }
    if file.gzpipped {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=86400"),
    );
    response
}
