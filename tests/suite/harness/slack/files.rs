//! Files of the fake workspace: particulars, bytes behind the token, redirects, and the three steps of an
//! upload. Knows no fault of a method; those happen around it.

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
use super::methods::{Outcome, Refused, required, scope, spoken_in, thread};
use super::world::{BOT, Message, TOKEN, World};
use super::{Fault, Logged};

/// Behind what the bytes of a file are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Door {
    /// Given to whoever bears the token.
    #[default]
    Open,
    /// A page to sign in, with status 200, whoever asks.
    Page,
    /// The same behind a redirect.
    SignIn,
    /// So many redirects within Slack, each of which wants the token.
    Hops(usize),
    /// A redirect to another address.
    Elsewhere(String),
    /// A redirect to nowhere.
    Nowhere,
    /// This status.
    Status(u16),
    /// The next so many requests fail with 500.
    Broken(usize),
    /// The next so many are asked to wait a second.
    Limited(usize),
    Slow(Duration),
    /// The connection ends in the middle.
    Cut,
}

/// A file as the workspace keeps it.
#[derive(Clone, Debug)]
pub struct Kept {
    pub name: String,
    pub mimetype: String,
    pub bytes: Vec<u8>,
    /// What Slack says of its size.
    pub declared: u64,
    pub mode: &'static str,
    pub external: bool,
    /// The event bears only the id; `files.info` says more.
    pub stub: bool,
    pub deleted: bool,
    pub door: Door,
}

impl Kept {
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
            door: Door::Open,
        }
    }

    pub fn behind(mut self, door: Door) -> Self {
        self.door = door;
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

/// An upload that was completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uploaded {
    pub id: String,
    pub name: String,
    pub bytes: Vec<u8>,
    pub channel: String,
    pub thread: Option<String>,
}

/// An upload under way.
#[derive(Clone, Debug)]
struct Upload {
    name: String,
    length: usize,
    bytes: Option<Vec<u8>>,
    completed: bool,
}

#[derive(Default)]
pub struct Cabinet {
    pub base: String,
    /// Where uploads are sent, if not here.
    pub uploads_at: Option<String>,
    kept: HashMap<String, Kept>,
    uploads: HashMap<String, Upload>,
    next: usize,
    /// Which addresses were asked for, and whether with the token.
    pub asked: Vec<(String, bool)>,
    pub shared: Vec<Uploaded>,
    /// So many looks do not show yet where a file was shared.
    pub hidden: usize,
}

impl Cabinet {
    fn next_id(&mut self) -> String {
        self.next += 1;
        format!("F0{:04}", self.next)
    }

    /// As an event announces it.
    pub fn keep(&mut self, base: &str, kept: Kept) -> Value {
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

pub fn info(world: &mut World, call: &Logged) -> Outcome {
    scope(world, "files:read")?;
    let id = required(call, "file")?;
    if let Some(upload) = world.files.uploads.get(id) {
        let hidden = world.files.hidden > 0;
        world.files.hidden = world.files.hidden.saturating_sub(1);
        let shared = world.files.shared.iter().filter(|one| one.id == id && !hidden);
        let channels: Vec<&str> = shared.map(|one| one.channel.as_str()).collect();
        return Ok(json!({ "file": { "id": id, "name": upload.name, "channels": channels } }));
    }
    let kept = world.files.kept.get(id).ok_or("file_not_found")?;
    if kept.deleted {
        return Err("file_deleted".into());
    }
    Ok(json!({ "file": kept.shown(id, &world.files.base) }))
}

pub fn upload_url(world: &mut World, call: &Logged) -> Outcome {
    scope(world, "files:write")?;
    let name = required(call, "filename")?.to_owned();
    let length: usize = required(call, "length")?
        .parse()
        .map_err(|_| "invalid_arguments")?;
    if length == 0 {
        return Err("missing_argument".into());
    }
    let id = world.files.next_id();
    let upload = Upload {
        name,
        length,
        bytes: None,
        completed: false,
    };
    world.files.uploads.insert(id.clone(), upload);
    let base = world.files.uploads_at.as_ref().unwrap_or(&world.files.base);
    Ok(json!({ "upload_url": format!("{base}/upload/{id}"), "file_id": id }))
}

pub fn complete(world: &mut World, call: &Logged) -> Outcome {
    scope(world, "files:write")?;
    let files: Vec<Value> =
        serde_json::from_str(required(call, "files")?).map_err(|_| "invalid_arguments")?;
    let channel = required(call, "channel_id")?.to_owned();
    spoken_in(world, &channel)?;
    let thread = thread(world, call, &channel)?;
    let mut ids = Vec::new();
    for file in &files {
        let id = file["id"].as_str().ok_or("invalid_arguments")?;
        let upload = world.files.uploads.get_mut(id).ok_or("file_not_found")?;
        // Not uploaded yet, or shared already.
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
        world.files.shared.push(shared);
        ids.push(id.to_owned());
    }
    if ids.is_empty() {
        return Err(Refused("invalid_arguments", None));
    }
    let ts = world.next_ts();
    world.messages.push(Message {
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
    let shown = |id: &String| json!({ "id": id, "title": world.files.uploads.get(id).map(|one| &one.name) });
    Ok(json!({ "files": ids.iter().map(shown).collect::<Vec<_>>() }))
}

/// The second step of an upload: bytes of the length that was announced, raw or as a form's file.
pub async fn upload(
    State(world): State<Arc<Mutex<World>>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let fault = {
        let mut world = super::lock(&world);
        world.calls.push(Logged {
            method: "upload".to_owned(),
            form: Vec::new(),
        });
        world.next_fault("upload")
    };
    if let Some(instead) = fault.and_then(Fault::instead) {
        return instead;
    }
    if let Some(Fault::Slow(by)) = fault {
        tokio::time::sleep(by).await;
    }
    let bytes = sent(&headers, body).await;
    let answer = match super::lock(&world).files.uploads.get_mut(&id) {
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

/// Slack's own clients send a form where they have no raw bytes.
async fn sent(headers: &HeaderMap, body: Bytes) -> Vec<u8> {
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

/// The bytes of a file, for whoever may have them.
pub async fn download(
    State(world): State<Arc<Mutex<World>>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    enter(&world, &id, 0, &headers).await
}

/// A station of a redirect.
pub async fn hop(
    State(world): State<Arc<Mutex<World>>>,
    Path((id, hop)): Path<(String, usize)>,
    headers: HeaderMap,
) -> Response {
    enter(&world, &id, hop, &headers).await
}

pub async fn sign_in() -> Html<&'static str> {
    sign_in_page()
}

pub(super) fn sign_in_page() -> Html<&'static str> {
    Html("<!DOCTYPE html><html><head><title>Sign in | Slack</title></head></html>")
}

async fn enter(world: &Mutex<World>, id: &str, hop: usize, headers: &HeaderMap) -> Response {
    let redirect = |to: String| (StatusCode::FOUND, [(header::LOCATION, to)]).into_response();
    let (kept, base) = {
        let mut world = super::lock(world);
        let borne = headers
            .get(header::AUTHORIZATION)
            .is_some_and(|value| value.as_bytes() == format!("Bearer {TOKEN}").as_bytes());
        world.files.asked.push((format!("{id}/{hop}"), borne));
        let may = borne && !world.revoked && world.scopes.contains(&"files:read");
        let base = world.files.base.clone();
        let Some(kept) = world.files.kept.get_mut(id) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let before = kept.clone();
        if let Door::Broken(times) | Door::Limited(times) = &mut kept.door {
            *times = times.saturating_sub(1);
        }
        (may.then_some(before), base)
    };
    let Some(kept) = kept else {
        return sign_in_page().into_response();
    };
    match kept.door {
        Door::Page => return sign_in_page().into_response(),
        Door::SignIn => return redirect("/signin".to_owned()),
        Door::Hops(hops) if hop < hops => return redirect(format!("{base}/files/{id}/{}", hop + 1)),
        Door::Elsewhere(to) => return redirect(to),
        Door::Nowhere => return StatusCode::FOUND.into_response(),
        Door::Status(status) => return StatusCode::from_u16(status).expect("a status").into_response(),
        Door::Broken(1..) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Door::Limited(1..) => {
            return (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "1")]).into_response();
        }
        Door::Slow(by) => tokio::time::sleep(by).await,
        Door::Cut => {
            let half = Bytes::copy_from_slice(&kept.bytes[..kept.bytes.len() / 2]);
            let parts = [Ok(half), Err(std::io::Error::other("cut"))];
            return axum::body::Body::from_stream(futures_util::stream::iter(parts)).into_response();
        }
        _ => {}
    }
    ([(header::CONTENT_TYPE, kept.mimetype)], kept.bytes).into_response()
}
