//! Files of the fake workspace: metadata, downloads that need the token, redirects, and the three steps of an upload.
//! Faults are handled by the caller.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::arguments;
use super::methods::{Outcome, Refused, required, scope, thread, writable};
use super::workspace::{BOT, Message, TOKEN, Workspace};
use super::{Fault, Logged};

/// How a file's download responds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Download {
    /// Sends the bytes to callers with the token.
    #[default]
    Open,
    /// A sign-in page with status 200 for every caller.
    Page,
    /// The same page after a redirect.
    SignIn,
    /// This many redirects within Slack, each of which requires the token.
    Hops(usize),
    /// A redirect to another URL.
    Elsewhere(String),
    /// A redirect without a target.
    Nowhere,
    /// This status.
    Status(u16),
    /// The next requests fail with 500, this many times.
    Broken(usize),
    /// The next requests are rate limited for a second, this many times.
    Limited(usize),
    Slow(Duration),
    /// The connection is closed in the middle.
    Cut,
}

/// A file stored in the workspace.
#[derive(Clone, Debug)]
pub struct StoredFile {
    pub name: String,
    pub mimetype: String,
    pub bytes: Vec<u8>,
    /// The size that Slack declares.
    pub declared: u64,
    pub mode: &'static str,
    pub external: bool,
    /// The event has only the id; `files.info` has the rest.
    pub stub: bool,
    pub deleted: bool,
    pub download: Download,
}

impl StoredFile {
    pub fn new(name: &str, mimetype: &str, bytes: &[u8]) -> Self {
        Self {
            name: name.to_owned(),
            mimetype: mimetype.to_owned(),
            bytes: bytes.to_vec(),
            declared: bytes.len() as u64,
            mode: "hosted",
            external: false,
            stub: false,
            deleted: false,
            download: Download::Open,
        }
    }

    pub fn served_as(mut self, download: Download) -> Self {
        self.download = download;
        self
    }

    fn shown(&self, id: &str, base: &str) -> Value {
        json!({
            "id": id, "name": self.name, "title": self.name, "mimetype": self.mimetype, "size": self.declared,
            "mode": self.mode, "is_external": self.external, "url_private": format!("{base}/files/{id}"),
            "url_private_download": format!("{base}/files/{id}"),
        })
    }
}

/// A completed upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uploaded {
    pub id: String,
    pub name: String,
    pub bytes: Vec<u8>,
    pub channel: String,
    pub thread: Option<String>,
}

/// An upload in progress.
#[derive(Clone, Debug)]
struct Upload {
    name: String,
    length: usize,
    bytes: Option<Vec<u8>>,
    completed: bool,
}

#[derive(Default)]
pub struct FileStore {
    pub base: String,
    /// Where uploads are sent, if not to this fake.
    pub uploads_at: Option<String>,
    kept: HashMap<String, StoredFile>,
    uploads: HashMap<String, Upload>,
    next: usize,
    /// The requested URLs, each with whether the token was sent.
    pub asked: Vec<(String, bool)>,
    pub shared: Vec<Uploaded>,
    /// The number of `files.info` calls that do not report yet where a file was shared.
    pub hidden: usize,
}

impl FileStore {
    fn next_id(&mut self) -> String {
        self.next += 1;
        format!("F0{:04}", self.next)
    }

    /// The file as an event describes it.
    pub fn store(&mut self, base: &str, kept: StoredFile) -> Value {
        let id = self.next_id();
        let announced = if kept.stub {
            json!({ "id": id, "file_access": "check_file_info", "mode": "file_access" })
        } else {
            kept.shown(&id, base)
        };
        self.kept.insert(id, kept);
        announced
    }
}

pub fn info(workspace: &mut Workspace, call: &Logged) -> Outcome {
    scope(workspace, "files:read")?;
    let id = required(call, "file")?;
    if let Some(upload) = workspace.files.uploads.get(id) {
        let hidden = workspace.files.hidden > 0;
        workspace.files.hidden = workspace.files.hidden.saturating_sub(1);
        let shared = workspace
            .files
            .shared
            .iter()
            .filter(|one| one.id == id && !hidden);
        let channels: Vec<&str> = shared.map(|one| one.channel.as_str()).collect();
        return Ok(json!({ "file": { "id": id, "name": upload.name, "channels": channels } }));
    }
    let kept = workspace.files.kept.get(id).ok_or("file_not_found")?;
    if kept.deleted {
        return Err("file_deleted".into());
    }
    Ok(json!({ "file": kept.shown(id, &workspace.files.base) }))
}

pub fn upload_url(workspace: &mut Workspace, call: &Logged) -> Outcome {
    scope(workspace, "files:write")?;
    let name = required(call, "filename")?.to_owned();
    let length: usize = required(call, "length")?
        .parse()
        .map_err(|_| "invalid_arguments")?;
    if length == 0 {
        return Err("missing_argument".into());
    }
    let id = workspace.files.next_id();
    let upload = Upload {
        name,
        length,
        bytes: None,
        completed: false,
    };
    workspace.files.uploads.insert(id.clone(), upload);
    let base = workspace
        .files
        .uploads_at
        .as_ref()
        .unwrap_or(&workspace.files.base);
    Ok(json!({ "upload_url": format!("{base}/upload/{id}"), "file_id": id }))
}

pub fn complete(workspace: &mut Workspace, call: &Logged) -> Outcome {
    scope(workspace, "files:write")?;
    let files: Vec<Value> =
        serde_json::from_str(required(call, "files")?).map_err(|_| "invalid_arguments")?;
    let channel = required(call, "channel_id")?.to_owned();
    writable(workspace, &channel)?;
    let thread = thread(workspace, call, &channel)?;
    let mut ids = Vec::new();
    for file in &files {
        let id = file["id"].as_str().ok_or("invalid_arguments")?;
        let upload = workspace.files.uploads.get_mut(id).ok_or("file_not_found")?;
        // Not uploaded yet, or already shared.
        let bytes = upload.bytes.clone().ok_or("file_not_found")?;
        if std::mem::replace(&mut upload.completed, true) {
            return Err("file_update_failed".into());
        }
        let shared = Uploaded {
            id: id.to_owned(),
            name: upload.name.clone(),
            bytes,
            channel: channel.clone(),
            thread: thread.clone(),
        };
        workspace.files.shared.push(shared);
        ids.push(id.to_owned());
    }
    if ids.is_empty() {
        return Err(Refused("invalid_arguments", None));
    }
    let ts = workspace.next_ts();
    workspace.messages.push(Message {
        channel,
        user: BOT.to_owned(),
        by_bot: true,
        ts,
        thread,
        text: call.arg("initial_comment").unwrap_or_default().to_owned(),
        blocks: Vec::new(),
        metadata: None,
        updates: 0,
        files: ids.clone(),
    });
    let shown =
        |id: &String| json!({ "id": id, "title": workspace.files.uploads.get(id).map(|one| &one.name) });
    Ok(json!({ "files": ids.iter().map(shown).collect::<Vec<_>>() }))
}

/// The second step of an upload: bytes of the announced length, raw or as a file in a form.
pub async fn upload(
    State(workspace): State<Arc<Mutex<Workspace>>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let fault = {
        let mut workspace = super::lock(&workspace);
        workspace.calls.push(Logged {
            method: "upload".to_owned(),
            form: Vec::new(),
        });
        workspace.next_fault("upload")
    };
    if let Some(instead) = fault.and_then(Fault::instead) {
        return instead;
    }
    if let Some(Fault::Slow(by)) = fault {
        tokio::time::sleep(by).await;
    }
    let bytes = uploaded_bytes(&headers, body).await;
    let answer = match super::lock(&workspace).files.uploads.get_mut(&id) {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(upload) if upload.length != bytes.len() => StatusCode::BAD_REQUEST.into_response(),
        Some(upload) => {
            let answer = format!("OK - {}", bytes.len());
            upload.bytes = Some(bytes);
            answer.into_response()
        }
    };
    match fault {
        Some(fault) => fault.after(answer),
        None => answer,
    }
}

/// Slack's own clients send a form instead of raw bytes.
async fn uploaded_bytes(headers: &HeaderMap, body: Bytes) -> Vec<u8> {
    let is_form = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/form-data"));
    if !is_form {
        return body.to_vec();
    }
    let form = arguments::form(headers, body).await;
    let (_, file) = form.into_iter().next().unwrap_or_default();
    STANDARD.decode(file).unwrap_or_default()
}

/// The bytes of a file, for authorized callers.
pub async fn download(
    State(workspace): State<Arc<Mutex<Workspace>>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    enter(&workspace, &id, 0, &headers).await
}

/// One hop of a redirect.
pub async fn hop(
    State(workspace): State<Arc<Mutex<Workspace>>>,
    Path((id, hop)): Path<(String, usize)>,
    headers: HeaderMap,
) -> Response {
    enter(&workspace, &id, hop, &headers).await
}

pub async fn sign_in() -> Html<&'static str> {
    sign_in_page()
}

pub(super) fn sign_in_page() -> Html<&'static str> {
    Html("<!DOCTYPE html><html><head><title>Sign in | Slack</title></head></html>")
}

async fn enter(workspace: &Mutex<Workspace>, id: &str, hop: usize, headers: &HeaderMap) -> Response {
    let redirect = |to: String| (StatusCode::FOUND, [(header::LOCATION, to)]).into_response();
    let (kept, base) = {
        let mut workspace = super::lock(workspace);
        let borne = headers
            .get(header::AUTHORIZATION)
            .is_some_and(|value| value.as_bytes() == format!("Bearer {TOKEN}").as_bytes());
        workspace.files.asked.push((format!("{id}/{hop}"), borne));
        let may = borne && !workspace.revoked && workspace.scopes.contains(&"files:read");
        let base = workspace.files.base.clone();
        let Some(kept) = workspace.files.kept.get_mut(id) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let before = kept.clone();
        if let Download::Broken(times) | Download::Limited(times) = &mut kept.download {
            *times = times.saturating_sub(1);
        }
        (may.then_some(before), base)
    };
    let Some(kept) = kept else {
        return sign_in_page().into_response();
    };
    match kept.download {
        Download::Page => return sign_in_page().into_response(),
        Download::SignIn => return redirect("/signin".to_owned()),
        Download::Hops(hops) if hop < hops => return redirect(format!("{base}/files/{id}/{}", hop + 1)),
        Download::Elsewhere(to) => return redirect(to),
        Download::Nowhere => return StatusCode::FOUND.into_response(),
        Download::Status(status) => return StatusCode::from_u16(status).expect("a status").into_response(),
        Download::Broken(1..) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Download::Limited(1..) => {
            return (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "1")]).into_response();
        }
        Download::Slow(by) => tokio::time::sleep(by).await,
        Download::Cut => {
            let half = Bytes::copy_from_slice(&kept.bytes[..kept.bytes.len() / 2]);
            let parts = [Ok(half), Err(std::io::Error::other("cut"))];
            return axum::body::Body::from_stream(futures_util::stream::iter(parts)).into_response();
        }
        _ => {}
    }
    ([(header::CONTENT_TYPE, kept.mimetype)], kept.bytes).into_response()
}
