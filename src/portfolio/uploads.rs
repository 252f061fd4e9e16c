//! Uploaded files that wait for an administrator to confirm their import. An upload can be previewed any
//! number of times, is imported once, and is removed after a day.
//!
//! Independent of the pages. Everyone who may import for the organization may open its uploads.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::types::Json;

use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{OrgId, UploadId, UserId};
use crate::blobs::store::{BlobKey, Blobs};
use crate::db::pool::Db;
use crate::portfolio::import::current_state::OWN_FILES;
use crate::portfolio::import::kinds::Kind;
use crate::portfolio::import::listing::Mapping;
use crate::portfolio::import::run::{ImportOptions, Imports, Outcome};
use crate::portfolio::import::sheet::{InputFile, MAX_FILE_BYTES};

/// Hours after which an upload is removed.
const HOURS: i64 = 24;
/// How often a running import renews its heartbeat, and how long a heartbeat may be missing before the import
/// counts as dead.
const HEARTBEAT: Duration = Duration::from_secs(5);
const HEARTBEAT_TIMEOUT: TimeDelta = TimeDelta::seconds(30);
const INTERRUPTED: &str = "the import was interrupted and nothing was changed; import it again";

#[derive(Clone)]
pub struct Uploads {
    db: Db,
    blobs: Blobs,
    imports: Imports,
}

/// How to read the files of an upload.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reading {
    pub source: String,
    #[serde(default)]
    pub day_first: Option<bool>,
    #[serde(default)]
    pub building: Option<String>,
    /// Maps a kind of file to normalized headers, and those to fields.
    #[serde(default)]
    pub columns: BTreeMap<String, BTreeMap<String, String>>,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            source: OWN_FILES.to_owned(),
            day_first: None,
            building: None,
            columns: BTreeMap::new(),
        }
    }
}

impl Reading {
    fn wish(&self, dry_run: bool) -> ImportOptions {
        let mut mapping = Mapping::default();
        for (kind, columns) in &self.columns {
            let Some(kind) = Kind::parse(kind) else { continue };
            for (header, field) in columns {
                mapping.fields.insert((kind, header.clone()), field.clone());
            }
        }
        ImportOptions {
            source: self.source.clone(),
            dry_run,
            partial: false,
            day_first: self.day_first,
            mapping,
            building: self.building.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Waiting,
    Running,
    Done,
    Failed,
}

#[derive(Clone, Debug)]
pub struct Upload {
    pub id: UploadId,
    pub names: Vec<String>,
    pub reading: Reading,
    pub state: State,
    /// The number of the import, once it is done.
    pub number: Option<i64>,
    /// Why the import failed, if it did.
    pub why: Option<String>,
    keys: Vec<(String, String)>,
}

type Row = (
    Json<Vec<(String, String)>>,
    Json<Reading>,
    String,
    Json<Value>,
    Option<DateTime<Utc>>,
);

impl Uploads {
    pub fn new(db: Db, blobs: Blobs, imports: Imports) -> Self {
        Self { db, blobs, imports }
    }

    /// Stores files for a preview. Removes the organization's uploads that are older than a day.
    pub async fn keep(
        &self,
        org: OrgId,
        user: UserId,
        files: Vec<InputFile>,
        reading: Reading,
    ) -> Result<UploadId> {
        if files.is_empty() {
            return Err(Error::invalid("file", "choose at least one file"));
        }
        self.prune(org).await?;
        let mut keys = Vec::new();
        for file in files {
            let key = BlobKey::random()?;
            self.blobs.put(org, &key, file.bytes).await?;
            keys.push((file.name, key.as_str().to_owned()));
        }
        let id = UploadId::new();
        self.db
            .write(move |tx| {
                let (keys, reading) = (keys.clone(), reading.clone());
                Box::pin(async move {
                    let at = tx.now().await?;
                    let kept = tx.query(
                        "INSERT INTO portfolio_uploads (org_id, id, user_id, files, wish, state, outcome, created_at)
                         VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $7)",
                    );
                    let kept = kept.bind(org).bind(id).bind(user).bind(Json(keys)).bind(Json(reading));
                    kept.bind(Json(Value::Null)).bind(at).execute().await?;
                    Ok(())
                })
            })
            .await?;
        Ok(id)
    }

    pub async fn open(&self, org: OrgId, id: UploadId) -> Result<Upload> {
        let found: Option<Row> = self
            .db
            .query("SELECT files, wish, state, outcome, alive_at FROM portfolio_uploads WHERE org_id = $1 AND id = $2")
            .bind(org)
            .bind(id)
            .optional()
            .await?;
        let (Json(keys), Json(reading), state, Json(outcome), alive) =
            found.ok_or(Error::NotFound("upload"))?;
        let now = self.db.clock().now();
        let died = state == "running" && alive.is_none_or(|alive| alive < now - HEARTBEAT_TIMEOUT);
        Ok(Upload {
            id,
            names: keys.iter().map(|(name, _)| name.clone()).collect(),
            reading,
            state: match state.as_str() {
                _ if died => State::Failed,
                "running" => State::Running,
                "done" => State::Done,
                "failed" => State::Failed,
                _ => State::Waiting,
            },
            number: outcome.get("import").and_then(Value::as_i64),
            why: match outcome.get("why").and_then(Value::as_str) {
                _ if died => Some(INTERRUPTED.to_owned()),
                why => why.map(str::to_owned),
            },
            keys,
        })
    }

    /// Changes how the files are read.
    pub async fn read_as(&self, org: OrgId, id: UploadId, reading: Reading) -> Result<()> {
        self.db
            .write(move |tx| {
                let reading = reading.clone();
                Box::pin(async move {
                    let update =
                        tx.query("UPDATE portfolio_uploads SET wish = $3 WHERE org_id = $1 AND id = $2");
                    update.bind(org).bind(id).bind(Json(reading)).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Previews the import without changing anything.
    pub async fn look(&self, actor: Actor, org: OrgId, upload: &Upload) -> Result<Outcome> {
        let files = self.files(org, upload);
        let wish = upload.reading.wish(true);
        self.imports.import_loaded(actor, org, files, wish).await
    }

    /// Imports the upload, unless an import of it is running or done.
    pub async fn confirm(&self, actor: Actor, org: OrgId, id: UploadId) -> Result<()> {
        let upload = self.open(org, id).await?;
        let Some(attempt) = self.claim(org, id).await? else {
            return Ok(());
        };
        let files = self.files(org, &upload);
        let wish = upload.reading.wish(false);
        let importing = self.imports.import_loaded(actor, org, files, wish);
        let imported = self.with_heartbeat(org, id, attempt, importing).await;
        let (state, outcome) = match &imported {
            Ok(Outcome {
                number: Some(number), ..
            }) => ("done", json!({ "import": number })),
            Ok(_) => (
                "failed",
                json!({ "why": "the files have errors; nothing was changed" }),
            ),
            Err(error) => ("failed", json!({ "why": error.to_string() })),
        };
        self.end(org, id, attempt, state, outcome).await?;
        imported.map(|_| ())
    }

    /// Claims the upload for an import. Returns `None` if it is done or another import of it is running.
    async fn claim(&self, org: OrgId, id: UploadId) -> Result<Option<i64>> {
        self.db
            .write(move |tx| {
                Box::pin(async move {
                    let now = tx.now().await?;
                    let claimed = tx.query(
                        "UPDATE portfolio_uploads SET state = 'running', outcome = $3, attempt = attempt + 1,
                            alive_at = $4
                         WHERE org_id = $1 AND id = $2 AND (state IN ('waiting', 'failed')
                            OR state = 'running' AND (alive_at IS NULL OR alive_at < $5))
                         RETURNING attempt",
                    );
                    let claimed = claimed.bind(org).bind(id).bind(Json(Value::Null));
                    let claimed: Option<(i64,)> =
                        claimed.bind(now).bind(now - HEARTBEAT_TIMEOUT).optional().await?;
                    Ok(claimed.map(|(attempt,)| attempt))
                })
            })
            .await
    }

    /// Renews the heartbeat of the attempt until `work` finishes.
    async fn with_heartbeat<T>(
        &self,
        org: OrgId,
        id: UploadId,
        attempt: i64,
        work: impl Future<Output = T>,
    ) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                ended = &mut work => return ended,
                () = tokio::time::sleep(HEARTBEAT) => {}
            }
            let beat = self.db.write(move |tx| {
                Box::pin(async move {
                    let now = tx.now().await?;
                    let beat = tx.query(
                        "UPDATE portfolio_uploads SET alive_at = $4
                         WHERE org_id = $1 AND id = $2 AND attempt = $3 AND state = 'running'",
                    );
                    beat.bind(org).bind(id).bind(attempt).bind(now).execute().await?;
                    Ok(())
                })
            });
            tokio::select! {
                ended = &mut work => return ended,
                beat = beat => if let Err(error) = beat {
                    tracing::warn!(error = error.chain(), "the heartbeat of an import could not be renewed");
                },
            }
        }
    }

    /// Stores the outcome of an attempt, unless a later attempt has started.
    async fn end(
        &self,
        org: OrgId,
        id: UploadId,
        attempt: i64,
        state: &'static str,
        outcome: Value,
    ) -> Result<()> {
        self.db
            .write(move |tx| {
                let outcome = outcome.clone();
                Box::pin(async move {
                    let ended = tx.query(
                        "UPDATE portfolio_uploads SET state = $4, outcome = $5
                         WHERE org_id = $1 AND id = $2 AND attempt = $3",
                    );
                    let ended = ended.bind(org).bind(id).bind(attempt).bind(state);
                    ended.bind(Json(outcome)).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    async fn files(&self, org: OrgId, upload: &Upload) -> Result<Vec<InputFile>> {
        let mut files = Vec::new();
        for (name, key) in &upload.keys {
            let most = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX) + 1;
            files.push(InputFile {
                name: name.clone(),
                bytes: self.blobs.get(org, &BlobKey::stored(key)?, most).await?,
            });
        }
        Ok(files)
    }

    /// Removes an upload and its stored files.
    pub async fn remove(&self, org: OrgId, id: UploadId) -> Result<()> {
        let upload = self.open(org, id).await?;
        self.db
            .write(move |tx| {
                Box::pin(async move {
                    let gone = tx.query("DELETE FROM portfolio_uploads WHERE org_id = $1 AND id = $2");
                    gone.bind(org).bind(id).execute().await?;
                    Ok(())
                })
            })
            .await?;
        for (_, key) in &upload.keys {
            // The row is gone, so files that remain in the storage are unreachable.
            if let Err(error) = self.blobs.delete(org, &BlobKey::stored(key)?).await {
                tracing::warn!(
                    error = error.chain(),
                    "the files of a removed upload could not be deleted from the storage"
                );
            }
        }
        Ok(())
    }

    async fn prune(&self, org: OrgId) -> Result<()> {
        let before = self.db.clock().now() - chrono::Duration::hours(HOURS);
        let old: Vec<(UploadId,)> = self
            .db
            .query("SELECT id FROM portfolio_uploads WHERE org_id = $1 AND created_at < $2")
            .bind(org)
            .bind(before)
            .all()
            .await?;
        for (id,) in old {
            self.remove(org, id).await?;
        }
        Ok(())
    }
}
