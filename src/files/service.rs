//! Files taken in: bytes to the storage first, then the rows in the caller's transaction. What is done
//! again after a crash adds no second row; bytes that came to no row are swept up later, so no key is used twice.

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
use crate::files::model::{Audience, File, Part, Refusal, Taken, Verdict};
use crate::files::spool::{Content, MOST_FILES, Upload};
use crate::files::store;

/// Longest name that is kept, in characters.
const NAME: usize = 255;

/// A file on its way in.
#[derive(Debug)]
pub struct Arrival {
    /// What it came with, and its place there.
    pub origin: String,
    pub position: usize,
    pub owner: UserId,
    pub audience: Audience,
    pub name: String,
    pub declared_type: Option<String>,
    /// Its bytes, or why there are none.
    pub content: Result<Content, Refusal>,
    pub taken: Taken,
}

impl Arrival {
    /// The same file without its bytes, for when these cannot be kept.
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

/// Cheap to clone.
#[derive(Clone)]
pub struct Files {
    pub(super) db: Db,
    blobs: Blobs,
    /// Addresses at which files are had.
    pub links: Links,
}

impl Files {
    pub fn new(db: Db, blobs: Blobs, links: Links) -> Self {
        Self { db, blobs, links }
    }

    /// Looks at the content and keeps the bytes of what is taken. The row is the caller's to
    /// [`add`](Self::add), in the transaction in which it matters.
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
            name: named(&plain(&name)),
            declared_type: declared_type.map(|kind| shortened(&plain(&kind), NAME)),
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
        match looked_at(&file, &content).await? {
            Ok(found) => {
                file.kind = Some(found.kind);
                file.macros = found.macros;
                file.verdict = if found.kind.is_text() {
                    Verdict::Read
                } else {
                    Verdict::NotYetReadable
                };
            }
            Err(refusal) if taken == Taken::All => {
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

    /// Keeps the bytes of a request's uploads, each with its verdict, whatever its type. `origin` names the
    /// request: what is kept again under it is the same files.
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
                taken: Taken::All,
            };
            files.push(self.receive(principal.org, arrival).await?);
        }
        Ok(files)
    }

    /// Adds the rows in the caller's transaction, and names the turn they belong to, if there is one.
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

    /// Names files that are here already as brought by a question, after those that came with it.
    pub async fn attach(
        &self,
        tx: &mut Tx,
        org: OrgId,
        message: MessageId,
        after: usize,
        files: &[File],
    ) -> Result<()> {
        for (place, file) in files.iter().enumerate() {
            let position = i64::try_from(after + place).unwrap_or(i64::MAX);
            store::attach(tx, org, message, Part::Question, position, file.id).await?;
        }
        Ok(())
    }

    /// Adds the rows of a note's new files, after those it has.
    pub async fn add_to_note(&self, tx: &mut Tx, org: OrgId, note: NoteId, files: &[File]) -> Result<()> {
        for file in files {
            if store::add(tx, org, file).await? {
                store::attach_to_note(tx, org, note, file.id).await?;
            }
        }
        Ok(())
    }

    /// Takes a file off a note. False if it is none of the note's.
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

    /// Before a note goes: its files belong to nothing any more, unless a turn has them.
    pub async fn leave_note(&self, tx: &mut Tx, org: OrgId, note: NoteId) -> Result<()> {
        let now = tx.now().await?;
        store::loosen_all(tx, org, note, now).await
    }

    /// Those of `ids` that the person sent with an earlier question, each once, in no order. Files of notes are
    /// had through their note.
    pub async fn choose(&self, principal: &Principal, ids: &[FileId]) -> Result<Vec<File>> {
        if ids.len() > MOST_FILES {
            let why = format!("name at most {MOST_FILES} files");
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

    /// What came with one thing, in order.
    pub async fn of_origin(&self, org: OrgId, origin: &str) -> Result<Vec<File>> {
        store::of_origin(self.db.read(), org, origin).await
    }

    /// What came with one question, in order.
    pub async fn of_message(&self, org: OrgId, message: MessageId) -> Result<Vec<File>> {
        self.of_part(org, message, Part::Question).await
    }

    /// What earlier questions of a session brought along, the newest first, each with the time of its question.
    /// `shared`: only what everyone in the conversation saw there.
    pub async fn of_earlier_turns(
        &self,
        org: OrgId,
        session: SessionId,
        before: MessageId,
        shared: bool,
        most: i64,
    ) -> Result<Vec<(File, DateTime<Utc>)>> {
        let found = store::of_earlier_turns(self.db.read(), org, session, before, shared, most).await?;
        let mut files = Vec::with_capacity(found.len());
        for (id, at) in found {
            if let Some(file) = store::find(self.db.read(), org, id).await? {
                files.push((file, at));
            }
        }
        Ok(files)
    }

    /// The bytes of a file that are here, at most `most`.
    pub async fn bytes_of(&self, org: OrgId, file: &File, most: u64) -> Result<Vec<u8>> {
        let key = file.blob.as_ref().ok_or(Error::NotFound("file"))?;
        self.blobs.get(org, key, most).await
    }

    /// What the answer to one question made, in order.
    pub async fn of_answer(&self, org: OrgId, message: MessageId) -> Result<Vec<File>> {
        self.of_part(org, message, Part::Answer).await
    }

    async fn of_part(&self, org: OrgId, message: MessageId, wanted: Part) -> Result<Vec<File>> {
        let found = store::of_turns(self.db.read(), org, &[message]).await?;
        let of_part = |(_, part, file)| (part == wanted).then_some(file);
        Ok(found.into_iter().filter_map(of_part).collect())
    }

    /// The files of some turns that the person may see, each turn's together: what came with its question, then
    /// what its answer made. What is a person's own stays theirs, also where others take part.
    pub async fn of_turns(
        &self,
        principal: &Principal,
        turns: &[MessageId],
    ) -> Result<Vec<(MessageId, Part, File)>> {
        let mut found = store::of_turns(self.db.read(), principal.org, turns).await?;
        found.retain(|(_, _, file)| file.audience == Audience::Shared || file.owner == principal.user);
        Ok(found)
    }

    /// A note's files from one place on, and how many there are.
    pub async fn of_note(&self, org: OrgId, note: NoteId, from: i64, most: i64) -> Result<(Vec<File>, i64)> {
        let files = store::of_note(self.db.read(), org, note, from, most).await?;
        Ok((files, store::count_of_note(self.db.read(), org, note).await?))
    }

    /// A file whose bytes are here, if it belongs to this session.
    pub async fn in_session(&self, org: OrgId, session: SessionId, id: FileId) -> Result<File> {
        let belongs = store::is_of_session(self.db.read(), org, session, id).await?;
        self.had(org, id, belongs).await
    }

    /// The notes that a file is attached to, whoever may see them.
    pub async fn notes_with(&self, org: OrgId, id: FileId) -> Result<Vec<NoteId>> {
        let found = store::notes_with(self.db.read(), org, id).await?;
        Ok(found.into_iter().map(|(note,)| note).collect())
    }

    /// A file whose bytes are here, if it belongs to this note.
    pub async fn in_note(&self, org: OrgId, note: NoteId, id: FileId) -> Result<File> {
        let belongs = store::is_of_note(self.db.read(), org, note, id).await?;
        self.had(org, id, belongs).await
    }

    async fn had(&self, org: OrgId, id: FileId, belongs: bool) -> Result<File> {
        let found = match belongs {
            true => store::find(self.db.read(), org, id).await?,
            false => None,
        };
        let found = found.filter(|file| file.blob.is_some());
        found.ok_or(Error::NotFound("file"))
    }
}

/// What a file is by its content; what lies on disk is looked at beside the other work.
async fn looked_at(file: &File, content: &Content) -> Result<Result<Found, Refusal>> {
    if !content.on_disk() {
        return content_type::detect(&file.name, file.declared_type.as_deref(), content).map_err(Error::busy);
    }
    let (name, declared, content) = (file.name.clone(), file.declared_type.clone(), content.clone());
    let looking =
        tokio::task::spawn_blocking(move || content_type::detect(&name, declared.as_deref(), &content));
    looking.await.map_err(Error::internal)?.map_err(Error::busy)
}

/// A name within its length, with its ending: that says what the file claims to be.
fn named(name: &str) -> String {
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending)
        .filter(|ending| ending.chars().count() <= 8);
    match ending {
        Some(ending) if name.chars().count() > NAME => {
            let room = NAME - ending.chars().count() - 1;
            format!("{}.{ending}", shortened(name, room))
        }
        _ => shortened(name, NAME),
    }
}

/// In one line, without what PostgreSQL or a reader could stumble on.
fn plain(text: &str) -> String {
    let one_line = |sign: char| if sign.is_control() { ' ' } else { sign };
    text.chars().map(one_line).collect::<String>().trim().to_owned()
}
