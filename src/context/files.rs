//! Files of notes: stored with their note, listed in pages, downloaded through links. The bytes are stored before the
//! rows. A file that cannot be stored gives a warning, and the note is written without it.

use crate::base::error::{Error, Result};
use crate::base::ids::{FileId, MessageId, NoteId, OrgId, SessionId};
use crate::base::model::Model;
use crate::base::principal::Principal;
use crate::context::model::{NewNote, Note, NoteChange, NoteKind, Scope, Warning};
use crate::context::service::{Context, add_in, change_in, changeable_in};
use crate::db::tx::Tx;
use crate::files::links::{LIFETIME_S, Through};
use crate::files::model::{Audience, File, OF_NOTES, Part};
use crate::files::spool::Upload;

/// Largest number of files on a page.
pub const PAGE: i64 = 25;

/// Files of a request whose bytes are stored, and warnings about the others.
#[derive(Clone, Debug, Default)]
pub struct StoredFiles {
    pub files: Vec<File>,
    pub warnings: Vec<Warning>,
}

/// A change of the files of a note.
#[derive(Clone, Debug, Default)]
pub struct FileChange {
    pub added: Vec<Upload>,
    pub removed: Vec<FileId>,
}

/// A page of a note's files.
#[derive(Clone, Debug)]
pub struct Page {
    pub files: Vec<Linked>,
    pub total: i64,
    pub page: i64,
    pub size: i64,
    /// True if files of this page were left out because their bytes are not stored.
    pub partial: bool,
}

/// A file with a download link.
#[derive(Clone, Debug)]
pub struct Linked {
    pub file: File,
    pub url: String,
    /// How long the link is valid.
    pub seconds: i64,
}

impl FileChange {
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }
}

impl Context {
    /// Creates a note of the caller with files.
    pub async fn write_with(
        &self,
        principal: &Principal,
        new: NewNote,
        uploads: &[Upload],
    ) -> Result<(Note, Vec<Warning>)> {
        let new = new.checked()?;
        let StoredFiles { files, warnings } = self.store_files(principal, new.kind, uploads).await?;
        let (context, principal) = (self.clone(), *principal);
        let written = self.db.write(move |tx| {
            let (context, new, files) = (context.clone(), new.clone(), files.clone());
            Box::pin(async move {
                let note = add_in(tx, (&principal).into(), principal.org, principal.user, new).await?;
                context.attach_in(tx, principal.org, note.id, &files).await?;
                Ok(note)
            })
        });
        Ok((written.await?, warnings))
    }

    /// Changes a note and its files, all or nothing, except for files that cannot be stored.
    pub async fn change_with(
        &self,
        principal: &Principal,
        id: NoteId,
        kind: Option<NoteKind>,
        model: Option<Model>,
        change: NoteChange,
        files: FileChange,
    ) -> Result<(Note, Vec<Warning>)> {
        let change = change.checked()?;
        // Checked before storing any bytes; the transaction checks again.
        let scope = Scope::person(principal.org, principal.user)
            .only(kind)
            .of_model(model);
        let note = self.get(scope, id).await?;
        let stored = self.store_files(principal, note.kind, &files.added).await?;
        let (context, principal, added) = (self.clone(), *principal, stored.files);
        let mut removed = files.removed;
        removed.sort_unstable();
        removed.dedup();
        let changed = self.db.write(move |tx| {
            let (context, change) = (context.clone(), change.clone());
            let (added, removed) = (added.clone(), removed.clone());
            Box::pin(async move {
                let note = changeable_in(tx, &principal, id, kind, model).await?;
                for file in removed {
                    if !context
                        .files
                        .remove_from_note(tx, principal.org, id, file)
                        .await?
                    {
                        return Err(Error::NotFound("attachment"));
                    }
                }
                context.attach_in(tx, principal.org, id, &added).await?;
                change_in(tx, &principal, note, change).await
            })
        });
        Ok((changed.await?, stored.warnings))
    }

    /// Stores the bytes of files for a note. If one cannot be stored, the others are stored nevertheless.
    pub async fn store_files(
        &self,
        principal: &Principal,
        kind: NoteKind,
        uploads: &[Upload],
    ) -> Result<StoredFiles> {
        let audience = match kind {
            NoteKind::Personal => Audience::Private,
            NoteKind::Organization => Audience::Shared,
        };
        let mut stored = StoredFiles::default();
        for upload in uploads {
            let origin = format!("{OF_NOTES}{}", FileId::new());
            match self
                .files
                .keep(principal, &origin, audience, std::slice::from_ref(upload))
                .await
            {
                Ok(files) => stored.files.extend(files),
                Err(error @ (Error::Busy { .. } | Error::Upstream(_))) => {
                    tracing::warn!(cause = error.chain(), "a note's file could not be stored");
                    stored.warnings.push(Warning {
                        code: "file_not_kept",
                        detail: format!(
                            "{} could not be stored. Send it again with an update.",
                            upload.name
                        ),
                    });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(stored)
    }

    /// Attaches stored files to a note in the caller's transaction.
    pub async fn attach_in(&self, tx: &mut Tx, org: OrgId, note: NoteId, files: &[File]) -> Result<()> {
        self.files.add_to_note(tx, org, note, files).await
    }

    /// A file of a note that is visible in the scope.
    pub async fn attachment(&self, scope: Scope, id: FileId) -> Result<File> {
        for note in self.files.notes_with(scope.org, id).await? {
            match self.get(scope, note).await {
                Ok(note) => return self.files.in_note(scope.org, note.id, id).await,
                Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::NotFound("attachment"))
    }

    /// True if the file is accessible in the scope. A file that was sent with a note is accessible only while a visible
    /// note has it, even if a turn used it. Other files are always accessible here.
    pub async fn grants(&self, scope: Scope, file: &File) -> Result<bool> {
        if !file.is_of_note() {
            return Ok(true);
        }
        match self.attachment(scope, file.id).await {
            Ok(_) => Ok(true),
            Err(Error::NotFound(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The files of some turns that the person currently has access to, grouped by turn: those sent with the question,
    /// then those created by the answer.
    pub async fn files_of_turns(
        &self,
        principal: &Principal,
        turns: &[MessageId],
    ) -> Result<Vec<(MessageId, Part, File)>> {
        let scope = Scope::person(principal.org, principal.user);
        let mut granted = Vec::new();
        for (message, part, file) in self.files.of_turns(principal, turns).await? {
            if self.grants(scope, &file).await? {
                granted.push((message, part, file));
            }
        }
        Ok(granted)
    }

    /// A file of a session, if the person has access to it. The caller has checked that they take part in the session.
    pub async fn file_in_session(
        &self,
        principal: &Principal,
        session: SessionId,
        id: FileId,
    ) -> Result<File> {
        let file = self.files.in_session(principal.org, session, id).await?;
        let is_private = file.audience == Audience::Private && file.owner != principal.user;
        let scope = Scope::person(principal.org, principal.user);
        if is_private || !self.grants(scope, &file).await? {
            return Err(Error::NotFound("file"));
        }
        Ok(file)
    }

    /// A page of the files of a note that the caller may see, each with a download link. Pages are numbered from 1; a
    /// page beyond the end is empty.
    pub async fn files_of(
        &self,
        principal: &Principal,
        id: NoteId,
        model: Option<Model>,
        page: i64,
        size: i64,
    ) -> Result<Page> {
        let scope = Scope::person(principal.org, principal.user).of_model(model);
        let note = self.get(scope, id).await?;
        let (page, size) = (page.max(1), size.clamp(1, PAGE));
        let from = (page - 1).saturating_mul(size);
        let (found, total) = self.files.of_note(principal.org, note.id, from, size).await?;
        let on_page = found.len();
        let mut files = Vec::with_capacity(on_page);
        for file in found.into_iter().filter(|file| file.blob.is_some()) {
            let through = Through::Note { note: note.id, model };
            files.push(Linked {
                url: self.files.links.to(principal, file.id, through)?,
                seconds: LIFETIME_S,
                file,
            });
        }
        Ok(Page {
            partial: files.len() < on_page,
            files,
            total,
            page,
            size,
        })
    }
}
