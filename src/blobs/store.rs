//! Bytes of files under opaque keys: in a folder, or in S3-compatible storage. What `put` has answered
//! is on disk. Knows no file's name, type or owner beyond the organization.

use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_core::stream::BoxStream;
use futures_util::StreamExt as _;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{
    ClientOptions, MultipartUpload as _, ObjectMeta, ObjectStore, ObjectStoreExt as _, RetryConfig,
};

use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::base::secret::{Secret, random_token, same};

/// Longest that one call may take, with its repetitions.
const PATIENCE: Duration = Duration::from_secs(30);
/// What is put at once of something large, in a bucket: the least that S3 takes as a part.
const PART: usize = 5 << 20;
/// The same in a folder, where any size does.
const PIECE: usize = 512 << 10;
/// Longest wait for a check: whoever asks wants to know now.
const CHECK: Duration = Duration::from_secs(5);
/// How long a check that passed is believed.
const BELIEVED: Duration = Duration::from_secs(10);

/// Where the bytes lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A bucket, with whatever its SDKs name as settings (`AWS_REGION`, `AWS_ENDPOINT_URL`, …).
    Bucket {
        bucket: String,
        prefix: String,
        settings: Vec<(String, Secret)>,
    },
}

/// The name of some bytes. Never leaves the service.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlobKey(String);

impl BlobKey {
    /// A key that nobody can guess.
    pub fn random() -> Result<Self> {
        Ok(Self(random_token()?.expose().to_owned()))
    }

    /// As it was kept in a table.
    pub fn stored(text: &str) -> Result<Self> {
        let fine = !text.is_empty()
            && text.len() <= 128
            && text
                .bytes()
                .all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, b'-' | b'_'));
        if fine {
            Ok(Self(text.to_owned()))
        } else {
            Err(Error::internal("a stored key is none of ours"))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    /// What of something large is in memory at a time.
    piece: usize,
    /// Where it is one.
    folder: Option<Arc<std::path::Path>>,
    passed: Arc<Mutex<Option<Instant>>>,
}

impl Blobs {
    /// Makes the folder; a bucket has to be there and is not called yet.
    pub fn open(place: &Place) -> Result<Self> {
        let store: Arc<dyn ObjectStore> = match place {
            Place::Folder(folder) => {
                make(folder)?;
                let local = LocalFileSystem::new_with_prefix(folder).map_err(unusable)?;
                Arc::new(local.with_fsync(true))
            }
            Place::Bucket {
                bucket,
                prefix,
                settings,
            } => {
                let store = s3(bucket, settings).map_err(unusable)?;
                Arc::new(PrefixStore::new(store, Path::from(prefix.as_str())))
            }
        };
        Ok(Self {
            store,
            piece: match place {
                Place::Folder(_) => PIECE,
                Place::Bucket { .. } => PART,
            },
            folder: match place {
                Place::Folder(folder) => Some(Arc::from(folder.as_path())),
                Place::Bucket { .. } => None,
            },
            passed: Arc::default(),
        })
    }

    /// Keeps the bytes; an earlier content of the key is replaced as a whole. When this answers, they
    /// survive a power cut.
    pub async fn put(&self, org: OrgId, key: &BlobKey, bytes: Vec<u8>) -> Result<()> {
        let (path, payload) = (path(org, key), bytes.into());
        let putting = self.store.put(&path, payload);
        in_time(PATIENCE, putting).await.map(|_| ())
    }

    /// As [`put`](Self::put), piece by piece, so that little of it is in memory at a time.
    pub async fn put_from(&self, org: OrgId, key: &BlobKey, from: impl Read + Send + 'static) -> Result<()> {
        let path = path(org, key);
        let (mut from, mut piece) = next_piece(from, self.piece).await?;
        if piece.len() < self.piece {
            return in_time(PATIENCE, self.store.put(&path, piece.into()))
                .await
                .map(|_| ());
        }
        let mut upload = in_time(PATIENCE, self.store.put_multipart(&path)).await?;
        let mut arrived = Ok(());
        while arrived.is_ok() && !piece.is_empty() {
            arrived = in_time(PATIENCE, upload.put_part(piece.into())).await;
            piece = Vec::new();
            if arrived.is_ok() {
                match next_piece(from, self.piece).await {
                    Ok(next) => (from, piece) = next,
                    Err(error) => {
                        arrived = Err(error);
                        break;
                    }
                }
            }
        }
        if arrived.is_ok() {
            arrived = in_time(PATIENCE, upload.complete()).await.map(|_| ());
        }
        if arrived.is_err() {
            // What stays behind is nobody's; the storage's own rules clear it away.
            let _ = in_time(PATIENCE, upload.abort()).await;
        }
        arrived
    }

    /// The bytes as they come, with their number.
    pub async fn stream(
        &self,
        org: OrgId,
        key: &BlobKey,
    ) -> Result<(u64, BoxStream<'static, Result<Bytes>>)> {
        let found = in_time(PATIENCE, self.store.get(&path(org, key))).await?;
        let size = found.meta.size;
        let pieces = found.into_stream().map(|piece| piece.map_err(Error::busy));
        Ok((size, Box::pin(pieces)))
    }

    /// The bytes, or `TooLarge` before any is read where there are more than `most`.
    pub async fn get(&self, org: OrgId, key: &BlobKey, most: u64) -> Result<Vec<u8>> {
        let path = path(org, key);
        let getting = async {
            let found = self.store.get(&path).await?;
            let size = found.meta.size;
            if size > most {
                return Ok(None);
            }
            Ok(Some(found.bytes().await?))
        };
        match in_time(PATIENCE, getting).await? {
            Some(bytes) => Ok(bytes.into()),
            None => Err(Error::TooLarge { limit: most }),
        }
    }

    /// What is not there counts as removed.
    pub async fn delete(&self, org: OrgId, key: &BlobKey) -> Result<()> {
        let path = path(org, key);
        match in_time(PATIENCE, self.store.delete(&path)).await {
            Err(Error::NotFound(_)) => Ok(()),
            outcome => outcome,
        }
    }

    /// What was put before `until`, as it comes: whose, and under which key. What lies there under other names is
    /// none of ours.
    pub fn older(&self, until: DateTime<Utc>) -> BoxStream<'static, Result<(OrgId, BlobKey)>> {
        let ours = move |found: object_store::Result<ObjectMeta>| {
            let place = match found {
                Ok(meta) if meta.last_modified < until => placed(&meta.location).map(Ok),
                Ok(_) => None,
                Err(error) => Some(Err(Error::busy(error))),
            };
            std::future::ready(place)
        };
        Box::pin(self.store.list(None).filter_map(ours))
    }

    /// Removes what uploads that broke off before `until` left in a folder. In a bucket its own rules do that.
    pub async fn clear_fragments(&self, until: DateTime<Utc>) -> Result<usize> {
        let Some(folder) = self.folder.clone() else {
            return Ok(0);
        };
        let clearing = tokio::task::spawn_blocking(move || clear_fragments(&folder, until.into()));
        clearing.await.map_err(Error::internal)?.map_err(Error::busy)
    }

    /// Writes, reads and removes something small.
    pub async fn check(&self) -> Result<()> {
        let mark = random_token()?;
        let mark = mark.expose().as_bytes();
        let path = Path::from(format!("check/{}", hex::encode(mark)));
        let checking = async {
            self.store.put(&path, mark.to_vec().into()).await?;
            let back = self.store.get(&path).await?.bytes().await?;
            self.store.delete(&path).await?;
            Ok(back)
        };
        let back = in_time(CHECK, checking).await?;
        if !same(&back, mark) {
            return Err(Error::busy("the storage did not give back what was put there"));
        }
        *self.passed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        Ok(())
    }

    /// As [`check`](Self::check), but one that passed just now is believed: for those who ask often.
    pub async fn ready(&self) -> Result<()> {
        let passed = *self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        if passed.is_some_and(|at| at.elapsed() < BELIEVED) {
            return Ok(());
        }
        self.check().await
    }
}

/// Reads the next piece, full but for the last.
async fn next_piece<R: Read + Send + 'static>(mut from: R, most: usize) -> Result<(R, Vec<u8>)> {
    let reading = tokio::task::spawn_blocking(move || {
        let mut piece = Vec::with_capacity(most);
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        from.by_ref().take(most).read_to_end(&mut piece)?;
        Ok::<_, std::io::Error>((from, piece))
    });
    reading.await.map_err(Error::internal)?.map_err(Error::busy)
}

/// Files of organizations that no upload is writing any more: pieces bear a `#`, which no key has.
fn clear_fragments(folder: &std::path::Path, until: SystemTime) -> std::io::Result<usize> {
    let mut cleared = 0;
    for org in std::fs::read_dir(folder)? {
        let org = org?;
        if !org.file_type()?.is_dir() {
            continue;
        }
        for piece in std::fs::read_dir(org.path())? {
            let piece = piece?;
            let is_piece = piece.file_name().to_string_lossy().contains('#');
            // Whoever wrote it may take it away meanwhile.
            let at = piece.metadata().and_then(|meta| meta.modified()).ok();
            if is_piece && at.is_some_and(|at| at < until) && std::fs::remove_file(piece.path()).is_ok() {
                cleared += 1;
            }
        }
    }
    Ok(cleared)
}

/// The organization and key of a place.
fn placed(path: &Path) -> Option<(OrgId, BlobKey)> {
    let mut parts = path.parts();
    let (org, key) = (parts.next()?, parts.next()?);
    let is_all = parts.next().is_none();
    let org = org.as_ref().parse().ok()?;
    BlobKey::stored(key.as_ref())
        .ok()
        .filter(|_| is_all)
        .map(|key| (org, key))
}

fn path(org: OrgId, key: &BlobKey) -> Path {
    Path::from(format!("{org}/{}", key.0))
}

/// Readable by its owner alone.
fn make(folder: &std::path::Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    let made = std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder);
    made.map_err(|error| {
        Error::invalid(
            "CORBEL_STORAGE_URL",
            format!("{} cannot be made: {error}", folder.display()),
        )
    })
}

/// The operator names this address, and it may well be on the inside; so the guard of outbound calls
/// does not apply, and plain http does where the address says so.
fn s3(bucket: &str, settings: &[(String, Secret)]) -> object_store::Result<object_store::aws::AmazonS3> {
    let mut builder = AmazonS3Builder::new()
        .with_client_options(
            ClientOptions::new()
                .with_connect_timeout(Duration::from_secs(5))
                .with_timeout(PATIENCE),
        )
        .with_retry(RetryConfig {
            max_retries: 4,
            retry_timeout: PATIENCE / 2,
            ..RetryConfig::default()
        });
    for (name, value) in settings {
        if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            if matches!(key, AmazonS3ConfigKey::Endpoint | AmazonS3ConfigKey::S3Endpoint) {
                builder = builder.with_allow_http(value.expose().starts_with("http://"));
            }
            builder = builder.with_config(key, value.expose());
        }
    }
    // One by one: not every compatible storage knows deletion in bulk.
    builder
        .with_disable_bulk_delete(true)
        .with_bucket_name(bucket)
        .build()
}

fn unusable(error: object_store::Error) -> Error {
    Error::invalid("CORBEL_STORAGE_URL", error.to_string())
}

async fn in_time<T>(most: Duration, call: impl Future<Output = object_store::Result<T>>) -> Result<T> {
    match tokio::time::timeout(most, call).await {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(object_store::Error::NotFound { .. })) => Err(Error::NotFound("file")),
        Ok(Err(error)) => Err(Error::busy(error)),
        Err(_) => Err(Error::busy("the storage did not answer in time")),
    }
}
