//! The service for files. The bytes are stored first, then the rows in the caller's transaction. Repeating this after
//! a crash adds no second row. Keys are never reused; bytes without a row are removed by a later sweep.

use chrono::{DateTime, Utc};

use crate::base::error::{Error, Result};
use crate::base::ids::{FileId, MessageId, NoteId, OrgId, SessionId, UserId};
use crate::base::principal::Principal;
use crate::base::text::shortened;
use crate::blobs::store::{BlobKey, Blobs};
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::files::content_type::{self, Found};
use crate::files::links::Links;
use crate::files::model::{Accepted, Audience, File, Part, Refusal, Verdict};
use crate::files::spool::{Content, UPLOAD_MAX_FILES, Upload};
use crate::files::store;

/// Longest name that is stored, in characters.
const MAX_NAME: usize = 255;

/// A file that has arrived and is to be stored.
#[derive(Debug)]
pub struct Arrival {
    /// What it came with; `position` is its position there.
    pub origin: String,
    pub position: usize,
    pub owner: UserId,
    pub audience: Audience,
    pub name: String,
    pub declared_type: Option<String>,
    /// Its bytes, or why they could not be obtained.
    pub content: Result<Content, Refusal>,
    pub taken: Accepted,
}

impl Arrival {
    /// The same file without its bytes, if these cannot be stored.
    #[must_use]
    pub fn refused(&self, refusal: Refusal) -> Self {
        Self {
            origin: self.origin.clone(),
            position: self.position,
            owner: self.owner,
            audience: self.audience,
            name: self.name.clone(),
            declared_type: self.declared_type.clone(),
            content: Err(refusal),
            taken: self.taken,
        }
    }
}

/// The service for files. Cheap to clone.
#[derive(Clone)]
pub struct Files {
    pub(super) db: Db,
    blobs: Blobs,
    /// Creates short-lived download URLs.
    pub links: Links,
}

impl Files {
    pub fn new(db: Db, blobs: Blobs, links: Links) -> Self {
        Self { db, blobs, links }
    }

    /// Detects the kind of a file and stores its bytes if it is accepted. The caller then adds the row with
    /// [`add`](Self::add) in its own transaction.
    pub async fn receive(&self, org: OrgId, arrival: Arrival) -> Result<File> {
        let Arrival {
            origin,
            position,
            owner,
            audience,
            name,
            declared_type,
            content,
            taken,
        } = arrival;
        let mut file = File {
            id: FileId::new(),
            position: i64::try_from(position).unwrap_or(i64::MAX),
            owner,
            audience,
            name: shortened_name(&one_line(&name)),
            declared_type: declared_type.map(|kind| shortened(&one_line(&kind), MAX_NAME)),
            kind: None,
            macros: false,
            bytes: None,
            sha256: None,
            blob: None,
            verdict: Verdict::Refused,
            refusal: None,
            origin,
        };
        let content = match content {
            Ok(content) => content,
            Err(refusal) => {
                file.refusal = Some(refusal);
                return Ok(file);
            }
        };
        match detect(&file, &content).await? {
            Ok(found) => {
                file.kind = Some(found.kind);
                file.macros = found.macros;
                file.verdict = if found.kind.is_text() {
                    Verdict::Read
                } else {
                    Verdict::NotYetReadable
                };
            }
            Err(refusal) if taken == Accepted::All => {
                file.verdict = Verdict::Unreadable;
                file.refusal = Some(refusal);
            }
            Err(refusal) => {
                file.refusal = Some(refusal);
                return Ok(file);
            }
        }
        let key = BlobKey::random()?;
        file.bytes = i64::try_from(content.bytes()).ok();
        file.sha256 = Some(content.sha256().to_vec());
        self.blobs.put_from(org, &key, content.reader()).await?;
        file.blob = Some(key);
        Ok(file)
    }

    /// Stores the bytes of a request's uploads of any type, each with its verdict. `origin` identifies the request;
    /// uploads stored again under the same origin are the same files.
    pub async fn keep(
        &self,
        principal: &Principal,
        origin: &str,
        audience: Audience,
        uploads: &[Upload],
    ) -> Result<Vec<File>> {
        let mut files = Vec::with_capacity(uploads.len());
        for (position, upload) in uploads.iter().enumerate() {
            let arrival = Arrival {
                origin: origin.to_owned(),
                position,
                owner: principal.user,
                audience,
                name: upload.name.clone(),
                declared_type: upload.declared_type.clone(),
                content: Ok(upload.content.clone()),
                taken: Accepted::All,
            };
            files.push(self.receive(principal.org, arrival).await?);
        }
        Ok(files)
    }

    /// Adds the rows in the caller's transaction, and attaches them to a turn, if one is given.
    pub async fn add(
        &self,
        tx: &mut Tx,
        org: OrgId,
        files: &[File],
        turn: Option<(MessageId, Part)>,
    ) -> Result<()> {
        for file in files {
            let added = store::add(tx, org, file).await?;
            if let Some((message, part)) = turn.filter(|_| added) {
                store::attach(tx, org, message, part, file.position, file.id).await?;
            }
        }
        Ok(())
    }

    /// Attaches files that are already stored to a question, after the `after` files that were sent with it.
    pub async fn attach(
        &self,
        tx: &mut Tx,
        org: OrgId,
        message: MessageId,
        after: usize,
        files: &[File],
    ) -> Result<()> {
        for (n, file) in files.iter().enumerate() {
            let position = i64::try_from(after + n).unwrap_or(i64::MAX);
            store::attach(tx, org, message, Part::Question, position, file.id).await?;
        }
        Ok(())
    }

    /// Adds the rows of new files and appends them to a note.
    pub async fn add_to_note(&self, tx: &mut Tx, org: OrgId, note: NoteId, files: &[File]) -> Result<()> {
        for file in files {
            if store::add(tx, org, file).await? {
                store::attach_to_note(tx, org, note, file.id).await?;
            }
        }
        Ok(())
    }

    /// Detaches a file from a note. Returns false if the note does not have it.
    pub async fn remove_from_note(
        &self,
        tx: &mut Tx,
        org: OrgId,
        note: NoteId,
        file: FileId,
    ) -> Result<bool> {
        if !store::detach_from_note(tx, org, note, file).await? {
            return Ok(false);
        }
        let now = tx.now().await?;
        store::loosen(tx, org, file, now).await?;
        Ok(true)
    }

    /// Marks the files of a note as loose. Call this before deleting the note.
    pub async fn leave_note(&self, tx: &mut Tx, org: OrgId, note: NoteId) -> Result<()> {
        let now = tx.now().await?;
        store::loosen_all(tx, org, note, now).await
    }

    /// The files among `ids` that the person sent with an earlier question, without duplicates. Files of notes are not
    /// included; they are accessed through their note.
    pub async fn choose(&self, principal: &Principal, ids: &[FileId]) -> Result<Vec<File>> {
        if ids.len() > UPLOAD_MAX_FILES {
            let why = format!("name at most {UPLOAD_MAX_FILES} files");
            return Err(Error::invalid("uploadedAttachments", why));
        }
        let mut chosen: Vec<File> = Vec::with_capacity(ids.len());
        for id in ids {
            if chosen.iter().any(|file| file.id == *id) {
                continue;
            }
            let found = store::find(self.db.read(), principal.org, *id).await?;
            let own = |file: &File| file.owner == principal.user && file.blob.is_some() && !file.is_of_note();
            chosen.extend(found.filter(own));
        }
        Ok(chosen)
    }

    /// The files of one origin, in order.
    pub async fn of_origin(&self, org: OrgId, origin: &str) -> Result<Vec<File>> {
        store::of_origin(self.db.read(), org, origin).await
    }

    /// The files sent with a question, in order.
    pub async fn of_message(&self, org: OrgId, message: MessageId) -> Result<Vec<File>> {
        self.of_part(org, message, Part::Question).await
    }

    /// Files sent with earlier questions of a session, newest first, each with the time of its question. With `shared`,
    /// only files that everyone in the conversation may see.
    pub async fn of_earlier_turns(
        &self,
        org: OrgId,
        session: SessionId,
        before: MessageId,
        shared: bool,
        limit: i64,
    ) -> Result<Vec<(File, DateTime<Utc>)>> {
        let found = store::of_earlier_turns(self.db.read(), org, session, before, shared, limit).await?;
        let mut files = Vec::with_capacity(found.len());
        for (id, at) in found {
            if let Some(file) = store::find(self.db.read(), org, id).await? {
                files.push((file, at));
            }
        }
        Ok(files)
    }

    /// The bytes of a file, at most `limit`.
    pub async fn bytes_of(&self, org: OrgId, file: &File, limit: u64) -> Result<Vec<u8>> {
        let key = file.blob.as_ref().ok_or(Error::NotFound("file"))?;
        self.blobs.get(org, key, limit).await
    }

    /// The files created by the answer to a question, in order.
    pub async fn of_answer(&self, org: OrgId, message: MessageId) -> Result<Vec<File>> {
        self.of_part(org, message, Part::Answer).await
    }

    async fn of_part(&self, org: OrgId, message: MessageId, wanted: Part) -> Result<Vec<File>> {
        let found = store::of_turns(self.db.read(), org, &[message]).await?;
        let of_part = |(_, part, file)| (part == wanted).then_some(file);
        Ok(found.into_iter().filter_map(of_part).collect())
    }

    /// The files of some turns that the person may see, grouped by turn: those sent with the question, then those
    /// created by the answer. Private files are visible to their owner only, also in shared sessions.
    pub async fn of_turns(
        &self,
        principal: &Principal,
        turns: &[MessageId],
    ) -> Result<Vec<(MessageId, Part, File)>> {
        let mut found = store::of_turns(self.db.read(), principal.org, turns).await?;
        found.retain(|(_, _, file)| file.audience == Audience::Shared || file.owner == principal.user);
        Ok(found)
    }

    /// The files of a note, skipping the first `from`, and their total number.
    pub async fn of_note(&self, org: OrgId, note: NoteId, from: i64, limit: i64) -> Result<(Vec<File>, i64)> {
        let files = store::of_note(self.db.read(), org, note, from, limit).await?;
        Ok((files, store::count_of_note(self.db.read(), org, note).await?))
    }

    /// A file with stored bytes, if it belongs to this session.
    pub async fn in_session(&self, org: OrgId, session: SessionId, id: FileId) -> Result<File> {
        let belongs = store::is_of_session(self.db.read(), org, session, id).await?;
        self.stored(org, id, belongs).await
    }

    /// The notes that a file is attached to. Does not check who may see them.
    pub async fn notes_with(&self, org: OrgId, id: FileId) -> Result<Vec<NoteId>> {
        let found = store::notes_with(self.db.read(), org, id).await?;
        Ok(found.into_iter().map(|(note,)| note).collect())
    }

    /// A file with stored bytes, if it belongs to this note.
    pub async fn in_note(&self, org: OrgId, note: NoteId, id: FileId) -> Result<File> {
        let belongs = store::is_of_note(self.db.read(), org, note, id).await?;
        self.stored(org, id, belongs).await
    }

    async fn stored(&self, org: OrgId, id: FileId, belongs: bool) -> Result<File> {
        let found = match belongs {
            true => store::find(self.db.read(), org, id).await?,
            false => None,
        };
        let found = found.filter(|file| file.blob.is_some());
        found.ok_or(Error::NotFound("file"))
    }
}

/// Detects the kind of a file. Content on disk is read on a blocking thread.
async fn detect(file: &File, content: &Content) -> Result<Result<Found, Refusal>> {
    if !content.on_disk() {
        return content_type::detect(&file.name, file.declared_type.as_deref(), content).map_err(Error::busy);
    }
    let (name, declared, content) = (file.name.clone(), file.declared_type.clone(), content.clone());
    let detecting =
        tokio::task::spawn_blocking(move || content_type::detect(&name, declared.as_deref(), &content));
    detecting.await.map_err(Error::internal)?.map_err(Error::busy)
}

/// Shortens a name to the maximum length but keeps its extension, which says what the file claims to be.
fn shortened_name(name: &str) -> String {
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension)
        .filter(|extension| extension.chars().count() <= 8);
    match extension {
        Some(extension) if name.chars().count() > MAX_NAME => {
            let room = MAX_NAME - extension.chars().count() - 1;
            format!("{}.{extension}", shortened(name, room))
        }
        _ => shortened(name, MAX_NAME),
    }
}

/// Replaces control characters by spaces. PostgreSQL does not accept NUL, and names must be one line.
fn one_line(text: &str) -> String {
    let replaced = |ch: char| if ch.is_control() { ' ' } else { ch };
    text.chars().map(replaced).collect::<String>().trim().to_owned()
}
