//! Stores the bytes of files under opaque keys, in a folder or in S3-compatible storage. They are durable once `put`
//! returns. Does not depend on names, types or owners of files, only on their organization.

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
use crate::base::secret::{Secret, constant_time_eq, random_token};

/// Timeout for one call, including retries.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Part size of large uploads to a bucket: the minimum that S3 accepts.
const BUCKET_PART: usize = 5 << 20;
/// Part size of large uploads to a folder, where any size works.
const FOLDER_PART: usize = 512 << 10;
/// Timeout for a check. Short, because readiness probes wait for it.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a passed check is valid.
const CHECK_VALID: Duration = Duration::from_secs(10);

/// Where the bytes are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A folder on this machine.
    Folder(PathBuf),
    /// A bucket, with settings named as in the AWS SDKs (`AWS_REGION`, `AWS_ENDPOINT_URL`, …).
    Bucket {
        bucket: String,
        prefix: String,
        settings: Vec<(String, Secret)>,
    },
}

/// The key of a stored object. Never leaves the service.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlobKey(String);

impl BlobKey {
    /// A new key that cannot be guessed.
    pub fn random() -> Result<Self> {
        Ok(Self(random_token()?.expose().to_owned()))
    }

    /// A key as read from a table.
    pub fn stored(text: &str) -> Result<Self> {
        let valid = !text.is_empty()
            && text.len() <= 128
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if valid {
            Ok(Self(text.to_owned()))
        } else {
            Err(Error::internal("a stored blob key is invalid"))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The storage. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    /// Part size of large uploads; one part is in memory at a time.
    part_size: usize,
    /// The folder, unless the storage is a bucket.
    folder: Option<Arc<std::path::Path>>,
    /// When a check last passed.
    passed: Arc<Mutex<Option<Instant>>>,
}

impl Blobs {
    /// Opens the storage. A folder is created if necessary; a bucket must exist and is not called yet.
    pub fn open(place: &Place) -> Result<Self> {
        let store: Arc<dyn ObjectStore> = match place {
            Place::Folder(folder) => {
                create_private(folder)?;
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
            part_size: match place {
                Place::Folder(_) => FOLDER_PART,
                Place::Bucket { .. } => BUCKET_PART,
            },
            folder: match place {
                Place::Folder(folder) => Some(Arc::from(folder.as_path())),
                Place::Bucket { .. } => None,
            },
            passed: Arc::default(),
        })
    }

    /// Stores the bytes and atomically replaces earlier content of the key. After this returns, they survive a power
    /// failure.
    pub async fn put(&self, org: OrgId, key: &BlobKey, bytes: Vec<u8>) -> Result<()> {
        let (path, payload) = (path(org, key), bytes.into());
        let putting = self.store.put(&path, payload);
        in_time(TIMEOUT, putting).await.map(|_| ())
    }

    /// Like [`put`](Self::put), but uploads in parts to limit memory use.
    pub async fn put_from(&self, org: OrgId, key: &BlobKey, from: impl Read + Send + 'static) -> Result<()> {
        let path = path(org, key);
        let (mut from, mut part) = next_part(from, self.part_size).await?;
        if part.len() < self.part_size {
            return in_time(TIMEOUT, self.store.put(&path, part.into()))
                .await
                .map(|_| ());
        }
        let mut upload = in_time(TIMEOUT, self.store.put_multipart(&path)).await?;
        let mut outcome = Ok(());
        while outcome.is_ok() && !part.is_empty() {
            outcome = in_time(TIMEOUT, upload.put_part(part.into())).await;
            part = Vec::new();
            if outcome.is_ok() {
                match next_part(from, self.part_size).await {
                    Ok(next) => (from, part) = next,
                    Err(error) => {
                        outcome = Err(error);
                        break;
                    }
                }
            }
        }
        if outcome.is_ok() {
            outcome = in_time(TIMEOUT, upload.complete()).await.map(|_| ());
        }
        if outcome.is_err() {
            // If the abort fails too, `clear_fragments` or the bucket's lifecycle rules remove the parts.
            let _ = in_time(TIMEOUT, upload.abort()).await;
        }
        outcome
    }

    /// The size of the object and a stream of its bytes.
    pub async fn stream(
        &self,
        org: OrgId,
        key: &BlobKey,
    ) -> Result<(u64, BoxStream<'static, Result<Bytes>>)> {
        let found = in_time(TIMEOUT, self.store.get(&path(org, key))).await?;
        let size = found.meta.size;
        let chunks = found.into_stream().map(|chunk| chunk.map_err(Error::busy));
        Ok((size, Box::pin(chunks)))
    }

    /// The bytes. Fails with `TooLarge`, before reading, if there are more than `max`.
    pub async fn get(&self, org: OrgId, key: &BlobKey, max: u64) -> Result<Vec<u8>> {
        let path = path(org, key);
        let getting = async {
            let found = self.store.get(&path).await?;
            let size = found.meta.size;
            if size > max {
                return Ok(None);
            }
            Ok(Some(found.bytes().await?))
        };
        match in_time(TIMEOUT, getting).await? {
            Some(bytes) => Ok(bytes.into()),
            None => Err(Error::TooLarge { limit: max }),
        }
    }

    /// Removes an object. Succeeds if it does not exist.
    pub async fn delete(&self, org: OrgId, key: &BlobKey) -> Result<()> {
        let path = path(org, key);
        match in_time(TIMEOUT, self.store.delete(&path)).await {
            Err(Error::NotFound(_)) => Ok(()),
            outcome => outcome,
        }
    }

    /// A stream of the objects stored before `until`. Ignores objects with names that this service does not create.
    pub fn older(&self, until: DateTime<Utc>) -> BoxStream<'static, Result<(OrgId, BlobKey)>> {
        let older = move |found: object_store::Result<ObjectMeta>| {
            let object = match found {
                Ok(meta) if meta.last_modified < until => parse_path(&meta.location).map(Ok),
                Ok(_) => None,
                Err(error) => Some(Err(Error::busy(error))),
            };
            std::future::ready(object)
        };
        Box::pin(self.store.list(None).filter_map(older))
    }

    /// Removes parts of uploads that were interrupted before `until`. Folders only; buckets have lifecycle rules
    /// for this.
    pub async fn clear_fragments(&self, until: DateTime<Utc>) -> Result<usize> {
        let Some(folder) = self.folder.clone() else {
            return Ok(0);
        };
        let clearing = tokio::task::spawn_blocking(move || clear_fragments(&folder, until.into()));
        clearing.await.map_err(Error::internal)?.map_err(Error::busy)
    }

    /// Checks the storage by writing, reading and removing a small object.
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
        let back = in_time(CHECK_TIMEOUT, checking).await?;
        if !constant_time_eq(&back, mark) {
            return Err(Error::busy("the storage returned other bytes than were written"));
        }
        *self.passed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        Ok(())
    }

    /// Like [`check`](Self::check), but reuses a check that passed a moment ago. For frequent probes.
    pub async fn ready(&self) -> Result<()> {
        let passed = *self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        if passed.is_some_and(|at| at.elapsed() < CHECK_VALID) {
            return Ok(());
        }
        self.check().await
    }
}

/// Reads the next part; only the last one is shorter than `size`.
async fn next_part<R: Read + Send + 'static>(mut from: R, size: usize) -> Result<(R, Vec<u8>)> {
    let reading = tokio::task::spawn_blocking(move || {
        let mut part = Vec::with_capacity(size);
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        from.by_ref().take(size).read_to_end(&mut part)?;
        Ok::<_, std::io::Error>((from, part))
    });
    reading.await.map_err(Error::internal)?.map_err(Error::busy)
}

/// Removes old partial files from the folders of all organizations. Their names contain `#`, which keys never do.
fn clear_fragments(folder: &std::path::Path, until: SystemTime) -> std::io::Result<usize> {
    let mut cleared = 0;
    for org in std::fs::read_dir(folder)? {
        let org = org?;
        if !org.file_type()?.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(org.path())? {
            let file = file?;
            let is_fragment = file.file_name().to_string_lossy().contains('#');
            // Its upload may remove it at the same time.
            let at = file.metadata().and_then(|meta| meta.modified()).ok();
            if is_fragment && at.is_some_and(|at| at < until) && std::fs::remove_file(file.path()).is_ok() {
                cleared += 1;
            }
        }
    }
    Ok(cleared)
}

/// The organization and key in a path; the inverse of [`path`].
fn parse_path(path: &Path) -> Option<(OrgId, BlobKey)> {
    let mut parts = path.parts();
    let (org, key) = (parts.next()?, parts.next()?);
    let is_complete = parts.next().is_none();
    let org = org.as_ref().parse().ok()?;
    BlobKey::stored(key.as_ref())
        .ok()
        .filter(|_| is_complete)
        .map(|key| (org, key))
}

fn path(org: OrgId, key: &BlobKey) -> Path {
    Path::from(format!("{org}/{}", key.0))
}

/// Creates a folder that only its owner can access.
fn create_private(folder: &std::path::Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    let created = std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder);
    created.map_err(|error| {
        Error::invalid(
            "CORBEL_STORAGE_URL",
            format!("{} cannot be created: {error}", folder.display()),
        )
    })
}

/// The S3 client. The operator configures the endpoint, so the address guard does not apply and plain http is
/// allowed.
fn s3(bucket: &str, settings: &[(String, Secret)]) -> object_store::Result<object_store::aws::AmazonS3> {
    let mut builder = AmazonS3Builder::new()
        .with_client_options(
            ClientOptions::new()
                .with_connect_timeout(Duration::from_secs(5))
                .with_timeout(TIMEOUT),
        )
        .with_retry(RetryConfig {
            max_retries: 4,
            retry_timeout: TIMEOUT / 2,
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
    // Not every S3-compatible storage supports bulk deletion.
    builder
        .with_disable_bulk_delete(true)
        .with_bucket_name(bucket)
        .build()
}

fn unusable(error: object_store::Error) -> Error {
    Error::invalid("CORBEL_STORAGE_URL", error.to_string())
}

async fn in_time<T>(limit: Duration, call: impl Future<Output = object_store::Result<T>>) -> Result<T> {
    match tokio::time::timeout(limit, call).await {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(object_store::Error::NotFound { .. })) => Err(Error::NotFound("file")),
        Ok(Err(error)) => Err(Error::busy(error)),
        Err(_) => Err(Error::busy("the storage did not answer in time")),
    }
}
