//! Request bodies for the parser, as JSON or as a form, in chunks of any size.

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::IntoResponse as _;
use corbel::api::body::typed;
use corbel::api::failure::Failure;
use corbel::api::upload::reader;
use corbel::files::spool::{Spool, Upload};
use futures_util::stream;
use serde::Deserialize;
use serde_json::Value;

/// The fields that a route may expect: one of every kind.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Fields {
    pub question: Option<String>,
    pub note_context: Option<String>,
    pub fast_mode: Option<bool>,
    pub count: Option<i64>,
    pub user: Option<User>,
    pub tagged: Option<Vec<String>>,
    pub custom_analyst: Option<Analyst>,
    pub organisation_memory: Option<Memory>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct User {
    pub model_type: Option<String>,
    pub building_ids: Option<Vec<String>>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct Analyst {
    pub id: String,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    pub note_title: Option<String>,
}

struct Dir(std::path::PathBuf);

impl Dir {
    fn new() -> Self {
        let name = format!(
            "corbel-test-spool-{}",
            corbel::base::ids::JobId::new().uuid().simple()
        );
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub type Read = Result<(Fields, Vec<Upload>), (u16, String, String)>;

/// Reads a body that arrives in chunks of this size.
pub async fn read(kind: &str, body: &[u8], chunk: usize) -> Read {
    let dir = Dir::new();
    let spool = Spool::open(&dir.0, 128 << 20).expect("a spool");
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_str(kind).expect("a header"));
    let pieces: Vec<_> = body
        .chunks(chunk)
        .map(|chunk| Ok::<_, std::io::Error>(Bytes::copy_from_slice(chunk)))
        .collect();
    let body = Body::from_stream(stream::iter(pieces));
    let read = match reader::read(&headers, body, &spool).await {
        Ok((fields, files)) => typed(fields).map(|fields| (fields, files)),
        Err(failure) => Err(failure),
    };
    match read {
        Ok(read) => Ok(read),
        Err(failure) => Err(client_error(failure).await),
    }
}

/// A refusal as the client sees it: status, code, field.
pub async fn client_error(failure: Failure) -> (u16, String, String) {
    let response = failure.into_response();
    let status = response.status().as_u16();
    let body = axum::body::to_bytes(response.into_body(), 1 << 20)
        .await
        .expect("a body");
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (status, text(&body["code"]), text(&body["errors"][0]["field"]))
}

pub async fn json_body(body: &Value) -> Read {
    read("application/json", body.to_string().as_bytes(), 1 << 20).await
}

pub fn refused(read: &Read) -> (u16, &str, &str) {
    let (status, code, field) = read.as_ref().expect_err("a refusal");
    (*status, code, field)
}

pub fn bytes(upload: &Upload) -> Vec<u8> {
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut upload.content.reader(), &mut bytes).expect("bytes");
    assert_eq!(upload.bytes, bytes.len() as u64);
    use sha2::Digest as _;
    let digest: [u8; 32] = sha2::Sha256::digest(&bytes).into();
    assert_eq!(upload.sha256, digest);
    bytes
}

pub fn names(files: &[Upload]) -> Vec<&str> {
    files.iter().map(|file| file.name.as_str()).collect()
}

pub const BOUNDARY: &str = "X-corbel-test-boundary";

/// Appends one part of a form: its header parameters, content type and bytes.
pub fn part(form: &mut Vec<u8>, name: &str, file_name: Option<&str>, kind: Option<&str>, content: &[u8]) {
    form.extend(format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"").as_bytes());
    if let Some(file_name) = file_name {
        form.extend(format!("; filename=\"{file_name}\"").as_bytes());
    }
    form.extend(b"\r\n");
    if let Some(kind) = kind {
        form.extend(format!("Content-Type: {kind}\r\n").as_bytes());
    }
    form.extend(b"\r\n");
    form.extend(content);
    form.extend(b"\r\n");
}

pub async fn form_body(mut form: Vec<u8>, chunk: usize) -> Read {
    form.extend(format!("--{BOUNDARY}--\r\n").as_bytes());
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    read(&kind, &form, chunk).await
}
