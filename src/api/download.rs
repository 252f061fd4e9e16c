//! `GET /files/{token}`: downloads a file by its download URL. The URL is the credential. What it grants is checked
//! again on every request, and every failure gets the same response.

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::api::failure::Failure;
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::base::principal::{Face, Principal};
use crate::context::model::Scope;
use crate::files::links::{Grant, PATH, Through};
use crate::files::model::File;
use crate::services::Services;

/// The characters that RFC 8187 requires to be encoded.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

pub fn router() -> Router<Services> {
    Router::new().route(&format!("{PATH}{{token}}"), get(read))
}

async fn read(State(services): State<Services>, Path(token): Path<String>) -> Response {
    match granted(&services, &token).await {
        Ok((org, file)) => match serve(&services, org, &file).await {
            Ok(response) => response,
            Err(error) => Failure::Of(error).into_response(),
        },
        Err(error) => Failure::Of(error).into_response(),
    }
}

/// The file that a token grants: the token has not expired, and its person is still an active member with access to the
/// note or session.
async fn granted(services: &Services, token: &str) -> Result<(OrgId, File)> {
    let absent = || Error::NotFound("file");
    let grant = services.files.links.open(token).ok_or_else(absent)?;
    let found = authorized(services, &grant).await;
    let file = found.map_err(|error| match error {
        Error::NotFound(_) => absent(),
        other => other,
    })?;
    Ok((grant.org, file))
}

async fn authorized(services: &Services, grant: &Grant) -> Result<File> {
    let member = services.accounts.membership(grant.org, grant.user).await?;
    if !member.active {
        return Err(Error::NotFound("member"));
    }
    match &grant.through {
        Through::Session(session) => {
            let principal = Principal {
                org: grant.org,
                user: grant.user,
                role: member.role,
                face: Face::Api,
            };
            services.sessions.joined(&principal, *session).await?;
            services
                .context
                .file_in_session(&principal, *session, grant.file)
                .await
        }
        Through::Note { note, model } => {
            let scope = Scope {
                model: *model,
                ..Scope::person(grant.org, grant.user)
            };
            services.context.get(scope, *note).await?;
            services.files.in_note(grant.org, *note, grant.file).await
        }
    }
}

/// Streams the bytes from the storage, as a download that browsers never display.
async fn serve(services: &Services, org: OrgId, file: &File) -> Result<Response> {
    let key = file.blob.as_ref().ok_or(Error::NotFound("file"))?;
    let (bytes, pieces) = services.blobs.stream(org, key).await?;
    let mut headers = HeaderMap::new();
    let mut set = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    set(CONTENT_LENGTH, &bytes.to_string());
    // Never the declared type: the uploader chose it.
    set(CONTENT_TYPE, "application/octet-stream");
    set(CONTENT_DISPOSITION, &disposition(&file.name));
    set(CACHE_CONTROL, "private, no-store");
    set(HeaderName::from_static("x-content-type-options"), "nosniff");
    set(HeaderName::from_static("referrer-policy"), "no-referrer");
    set(
        HeaderName::from_static("content-security-policy"),
        "default-src 'none'; sandbox",
    );
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// The name twice: in ASCII for old clients, and in full.
fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|sign| match sign {
            '"' | '\\' | '%' => '_',
            sign if sign.is_ascii_graphic() || sign == ' ' => sign,
            _ => '_',
        })
        .collect();
    let full = utf8_percent_encode(name, ENCODED);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{full}")
}
