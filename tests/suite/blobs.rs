//! File contents in a folder and in S3-compatible storage: the same guarantees for both.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use corbel::app::config::Config;
use corbel::base::error::Error;
use corbel::base::ids::OrgId;
use corbel::blobs::store::{BlobKey, Blobs};

use crate::harness::app::{http, on_each};

/// A bucket on loopback with path-style URLs that accepts only signed requests.
#[derive(Clone, Default)]
pub struct Bucket {
    objects: Arc<Mutex<BTreeMap<String, Bytes>>>,
    uploads: Arc<Mutex<Uploads>>,
    refusing: Arc<Mutex<bool>>,
}

/// Multipart uploads by id, with the outcome of those that ended.
#[derive(Default)]
struct Uploads {
    begun: usize,
    open: BTreeMap<String, BTreeMap<u32, Bytes>>,
    completed: Vec<Vec<usize>>,
    aborted: usize,
    /// The part number to refuse, if any.
    refused: Option<u32>,
}

/// The minimum size that S3 accepts for a part other than the last.
const LEAST: usize = 5 << 20;

const ACCESS_KEY: &str = "AKIDEXAMPLE";

impl Bucket {
    pub async fn start(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(answer).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }

    fn keys(&self) -> Vec<String> {
        self.objects.lock().expect("objects").keys().cloned().collect()
    }
}

async fn answer(State(bucket): State<Bucket>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, 64 << 20).await.expect("a body");
    let text = |name: &str| {
        parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned()
    };
    let scope = format!("AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/");
    let authorization = text("authorization");
    let signed = authorization.starts_with(&scope)
        && authorization.contains("/eu-test-1/s3/aws4_request")
        && authorization.contains("Signature=")
        && !text("x-amz-date").is_empty()
        && (parts.method != Method::PUT || text("x-amz-content-sha256") == sha256(&bytes));
    if !signed || *bucket.refusing.lock().expect("refusing") {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Some(key) = parts.uri.path().strip_prefix("/filing/") else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let query: BTreeMap<String, String> = parts
        .uri
        .query()
        .map(|query| {
            url::form_urlencoded::parse(query.as_bytes())
                .into_owned()
                .collect()
        })
        .unwrap_or_default();
    if query.contains_key("uploads") || query.contains_key("uploadId") {
        return bucket.in_parts(&parts.method, key, &query, bytes);
    }
    let mut objects = bucket.objects.lock().expect("objects");
    match parts.method {
        Method::PUT => {
            objects.insert(key.to_owned(), bytes);
            ([(header::ETAG, "\"e\"")], "").into_response()
        }
        Method::DELETE => {
            objects.remove(key);
            StatusCode::NO_CONTENT.into_response()
        }
        Method::GET | Method::HEAD => match objects.get(key) {
            Some(bytes) => (
                [
                    (header::ETAG, "\"e\""),
                    (header::LAST_MODIFIED, "Sun, 22 Nov 2026 00:00:00 GMT"),
                ],
                bytes.clone(),
            )
                .into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        },
        _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
    }
}

impl Bucket {
    /// As in S3: create the upload, put numbered parts, then complete it with their list, or abort it.
    fn in_parts(
        &self,
        method: &Method,
        key: &str,
        query: &BTreeMap<String, String>,
        bytes: Bytes,
    ) -> Response {
        let mut uploads = self.uploads.lock().expect("uploads");
        let Some(id) = query.get("uploadId") else {
            uploads.begun += 1;
            let id = format!("upload-{}", uploads.begun);
            uploads.open.insert(id.clone(), BTreeMap::new());
            return format!(
                "<InitiateMultipartUploadResult><Bucket>filing</Bucket><Key>{key}</Key><UploadId>{id}</UploadId>\
                 </InitiateMultipartUploadResult>"
            )
            .into_response();
        };
        if !uploads.open.contains_key(id) {
            return StatusCode::NOT_FOUND.into_response();
        }
        match *method {
            Method::PUT => {
                let number: u32 = query["partNumber"].parse().expect("a number");
                if uploads.refused == Some(number) {
                    return StatusCode::FORBIDDEN.into_response();
                }
                uploads.open.get_mut(id).expect("open").insert(number, bytes);
                ([(header::ETAG, format!("\"part-{number}\""))], "").into_response()
            }
            Method::POST => {
                let parts = uploads.open.remove(id).expect("open");
                let said = String::from_utf8_lossy(&bytes).into_owned();
                let all_named = parts.keys().all(|number| {
                    said.contains(&format!("<PartNumber>{number}</PartNumber>"))
                        && said.contains(&format!("part-{number}"))
                });
                let last = parts.len();
                let large_enough = parts
                    .values()
                    .take(last.saturating_sub(1))
                    .all(|part| part.len() >= LEAST);
                if !all_named
                    || !large_enough
                    || !parts.keys().copied().eq(1..=u32::try_from(last).expect("few"))
                {
                    return (StatusCode::BAD_REQUEST, "<Error><Code>InvalidPart</Code></Error>")
                        .into_response();
                }
                uploads.completed.push(parts.values().map(Bytes::len).collect());
                let whole: Vec<u8> = parts.values().flat_map(|part| part.to_vec()).collect();
                self.objects
                    .lock()
                    .expect("objects")
                    .insert(key.to_owned(), whole.into());
                "<CompleteMultipartUploadResult><ETag>\"whole\"</ETag></CompleteMultipartUploadResult>"
                    .into_response()
            }
            Method::DELETE => {
                uploads.open.remove(id);
                uploads.aborted += 1;
                StatusCode::NO_CONTENT.into_response()
            }
            _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        }
    }
}

fn sha256(bytes: &[u8]) -> String {
    use aws_lc_rs::digest::{SHA256, digest};
    hex::encode(digest(&SHA256, bytes))
}

fn settings(pairs: &[(&str, &str)]) -> Result<Config, Error> {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Config::from_values(pairs.iter().map(pair).collect(), Vec::new())
}

pub fn in_bucket(endpoint: &str) -> Vec<(&'static str, String)> {
    vec![
        ("CORBEL_STORAGE_URL", "s3://filing/corbel/live".to_owned()),
        ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "storage-secret-canary".to_owned()),
        ("AWS_REGION", "eu-test-1".to_owned()),
        ("AWS_ENDPOINT_URL", endpoint.to_owned()),
    ]
}

/// The guarantees of both kinds of storage.
async fn check_guarantees(blobs: &Blobs) {
    let (org, other) = (OrgId::new(), OrgId::new());
    let key = BlobKey::random().expect("a key");
    assert!(matches!(blobs.get(org, &key, 10).await, Err(Error::NotFound(_))));
    blobs.put(org, &key, b"first".to_vec()).await.expect("kept");
    blobs.put(org, &key, b"second".to_vec()).await.expect("replaced");
    assert_eq!(blobs.get(org, &key, 6).await.expect("there"), b"second");
    assert!(matches!(
        blobs.get(org, &key, 5).await,
        Err(Error::TooLarge { limit: 5 })
    ));
    assert!(
        matches!(blobs.get(other, &key, 10).await, Err(Error::NotFound(_))),
        "another organization cannot read the key"
    );
    let empty = BlobKey::random().expect("a key");
    blobs.put(org, &empty, Vec::new()).await.expect("kept");
    assert_eq!(blobs.get(org, &empty, 0).await.expect("there"), b"");
    for _ in 0..2 {
        blobs.delete(org, &key).await.expect("removed");
    }
    assert!(matches!(blobs.get(org, &key, 10).await, Err(Error::NotFound(_))));
    blobs.check().await.expect("fine");
}

/// A reader that fails after this many bytes.
struct Breaks(usize);

impl std::io::Read for Breaks {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.0);
        self.0 -= most;
        match most {
            0 => Err(std::io::Error::other("the disk is away")),
            most => Ok(most),
        }
    }
}

#[tokio::test]
async fn a_large_blob_is_streamed_and_stored_completely_or_not_at_all() {
    use futures_util::StreamExt as _;
    on_each("blobs piece by piece", |place| async move {
        let blobs = Blobs::open(&place.config(&[]).storage()).expect("a storage");
        let (org, key) = (OrgId::new(), BlobKey::random().expect("a key"));
        for size in [0_usize, 1, 512 << 10, (512 << 10) + 1, (3 << 20) + 7] {
            let bytes: Vec<u8> = (0..size)
                .map(|at| u8::try_from(at % 251).expect("a byte"))
                .collect();
            let from = std::io::Cursor::new(bytes.clone());
            blobs.put_from(org, &key, from).await.expect("kept");
            let (length, mut pieces) = blobs.stream(org, &key).await.expect("there");
            let mut back = Vec::new();
            while let Some(piece) = pieces.next().await {
                back.extend_from_slice(&piece.expect("a piece"));
            }
            assert_eq!((length, back.len()), (size as u64, size));
            assert_eq!(back, bytes);
        }
        for size in [100, 2 << 20] {
            let broken = blobs.put_from(org, &key, Breaks(size)).await;
            assert!(matches!(broken, Err(Error::Busy { .. })), "{broken:?}");
            let kept = blobs.get(org, &key, 4 << 20).await.expect("what was there");
            assert_eq!(kept.len(), (3 << 20) + 7, "after {size} bytes");
        }
    })
    .await;
}

#[tokio::test]
async fn a_folder_stores_replaces_and_deletes() {
    on_each("blobs in a folder", |place| async move {
        let running = place.start(&[]).await;
        check_guarantees(&running.services().blobs).await;
    })
    .await;
}

#[tokio::test]
async fn a_bucket_stores_replaces_and_deletes_with_signed_requests() {
    let bucket = Bucket::default();
    let url = bucket.start().await;
    let given = in_bucket(&url);
    let given: Vec<_> = given
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let config = settings(&given).expect("settings");
    assert!(
        !format!("{config:?}").contains("canary"),
        "no credential is shown"
    );
    let blobs = Blobs::open(&config.storage()).expect("a bucket");
    check_guarantees(&blobs).await;
    let keys = bucket.keys();
    assert!(
        keys.len() == 1 && keys[0].starts_with("corbel/live/"),
        "no key of the check is left under the prefix: {keys:?}"
    );
    *bucket.refusing.lock().expect("refusing") = true;
    let key = BlobKey::random().expect("a key");
    let refused = blobs.put(OrgId::new(), &key, b"x".to_vec()).await;
    assert!(matches!(refused, Err(Error::Busy { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_bucket_gets_large_blobs_in_parts_completely_or_not_at_all() {
    let bucket = Bucket::default();
    let url = bucket.start().await;
    let given = in_bucket(&url);
    let given: Vec<_> = given
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let blobs = Blobs::open(&settings(&given).expect("settings").storage()).expect("a bucket");
    let (org, key) = (OrgId::new(), BlobKey::random().expect("a key"));
    let content = |size: usize| -> Vec<u8> {
        (0..size)
            .map(|at| u8::try_from(at % 251).expect("a byte"))
            .collect()
    };
    // Less than one part is sent as a single object; larger blobs as full parts and a last one that may be smaller.
    for (size, parts) in [
        (LEAST - 1, None),
        (LEAST, Some(vec![LEAST])),
        (2 * LEAST + 7, Some(vec![LEAST, LEAST, 7])),
    ] {
        let bytes = content(size);
        blobs
            .put_from(org, &key, std::io::Cursor::new(bytes.clone()))
            .await
            .expect("kept");
        assert_eq!(
            blobs.get(org, &key, 64 << 20).await.expect("there"),
            bytes,
            "{size}"
        );
        let mut uploads = bucket.uploads.lock().expect("uploads");
        assert_eq!(uploads.completed.pop(), parts);
        assert!(uploads.open.is_empty());
    }
    // The source fails, or the storage refuses a part: the upload is aborted, and the stored blob is unchanged.
    let broken = blobs.put_from(org, &key, Breaks(LEAST + 9)).await;
    assert!(matches!(broken, Err(Error::Busy { .. })), "{broken:?}");
    bucket.uploads.lock().expect("uploads").refused = Some(2);
    let refused = blobs
        .put_from(org, &key, std::io::Cursor::new(content(2 * LEAST)))
        .await;
    assert!(matches!(refused, Err(Error::Busy { .. })), "{refused:?}");
    let seen = {
        let uploads = bucket.uploads.lock().expect("uploads");
        (uploads.aborted, uploads.open.len(), uploads.completed.len())
    };
    assert_eq!(seen, (2, 0, 0));
    assert_eq!(
        blobs.get(org, &key, 64 << 20).await.expect("there").len(),
        2 * LEAST + 7
    );
}

#[tokio::test]
async fn a_server_without_its_storage_is_not_ready() {
    on_each("storage away", |place| async move {
        let bucket = Bucket::default();
        let url = bucket.start().await;
        let given = in_bucket(&url);
        let given: Vec<_> = given
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        for refusing in [true, false] {
            *bucket.refusing.lock().expect("refusing") = refusing;
            let running = place.start(&given).await;
            let ready = http()
                .get(format!("{}/readyz", running.url))
                .send()
                .await
                .expect("an answer");
            assert_eq!(ready.status().as_u16(), if refusing { 503 } else { 200 });
            let body: serde_json::Value = ready.json().await.expect("JSON");
            assert_eq!(body["storage"], if refusing { "away" } else { "up" });
            running.stop().await;
        }
    })
    .await;
}

#[test]
fn a_storage_url_names_a_bucket_or_is_refused() {
    for wrong in ["s3://", "gs://bucket", "/tmp/files", "s3://key:secret@bucket/x"] {
        let error = settings(&[("CORBEL_STORAGE_URL", wrong)])
            .expect_err(wrong)
            .to_string();
        assert!(error.contains("CORBEL_STORAGE_URL"), "{error}");
    }
}

#[test]
fn keys_are_opaque() {
    assert_ne!(
        BlobKey::random().expect("a key"),
        BlobKey::random().expect("a key")
    );
    let key = BlobKey::random().expect("a key");
    assert_eq!(BlobKey::stored(key.as_str()).expect("ours"), key);
    for foreign in ["", "../x", "a/b", "ä"] {
        assert!(BlobKey::stored(foreign).is_err(), "{foreign}");
    }
}
