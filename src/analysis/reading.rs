//! Reads the files of a run for its engine: those of the question, of the notes that the request names, and of earlier
//! turns of the session. An organisation-safe run reads no personal file.
//!
//! Decodes bytes to text and does not interpret tables. A file that cannot be read is listed with the reason.

use chrono::{DateTime, Utc};

use crate::analysis::answer::SourceKind;
use crate::analysis::engine::{FileContent, FileExcerpt, FileFrom};
use crate::base::error::{Error, Result};
use crate::base::fair_permits::{FairPermits, Permit};
use crate::base::ids::{OrgId, UserId};
use crate::context::model::{Note, NoteKind, Scope};
use crate::context::service::Context;
use crate::files::model::{Audience, File, Kind, Refusal, Verdict};
use crate::files::service::Files;
use crate::sessions::model::Message;
use tables::decode::decode;

/// Most bytes of one file, and of all files of one run.
const ONE: u64 = 4 << 20;
const ALL: u64 = 16 << 20;
/// Bytes of files that a run reads without a permit.
const SMALL: u64 = 256 << 10;
/// Most files of one note, and of earlier turns.
const OF_NOTE: i64 = 10;
const EARLIER: i64 = 10;

/// Only one run of this process reads large files at a time: an engine needs many times the memory of a file for its
/// table. People wait in turn, first those of one organization for each other.
pub(super) type LargeFiles = FairPermits<(OrgId, Option<UserId>)>;

/// What a run may still read, and the permit that it has for large files.
struct Budget {
    left: u64,
    permit: Option<Permit>,
}

/// Reads the files of one run.
pub(super) struct Reading<'a> {
    context: &'a Context,
    files: &'a Files,
    large_files: &'a LargeFiles,
    /// The notes that the run may see. A file of a note is readable only while one of these has it.
    scope: Scope,
    org: OrgId,
    message: &'a Message,
}

impl<'a> Reading<'a> {
    pub(super) fn new(
        context: &'a Context,
        (files, large_files): (&'a Files, &'a LargeFiles),
        scope: Scope,
        message: &'a Message,
    ) -> Self {
        Self {
            context,
            files,
            large_files,
            org: scope.org,
            scope,
            message,
        }
    }

    /// The files, and what was not taken with the question. `notes`: those that the request names and the run's policy
    /// allows. The permit must be kept as long as the files; there is none if they are small.
    pub(super) async fn all(
        &self,
        notes: &[Note],
    ) -> Result<(Vec<FileExcerpt>, Option<String>, Option<Permit>)> {
        let mut read: Vec<FileExcerpt> = Vec::new();
        let mut refused = Vec::new();
        let mut budget = Budget {
            left: ALL,
            permit: None,
        };
        for file in self.files.of_message(self.org, self.message.id).await? {
            if self.is_out(&file) {
                continue;
            }
            if file.verdict == Verdict::Refused {
                let why = file.refusal.as_ref().map(Refusal::sentence).unwrap_or_default();
                refused.push(format!("{}: {why}.", file.name));
                continue;
            }
            let kind = kind_of(file.audience);
            if !self.context.grants(self.scope, &file).await? {
                read.push(no_longer_granted(
                    file,
                    kind,
                    FileFrom::Question,
                    self.message.created_at,
                ));
                continue;
            }
            let excerpt = self
                .excerpt(
                    file,
                    kind,
                    FileFrom::Question,
                    self.message.created_at,
                    &mut budget,
                )
                .await?;
            read.push(excerpt);
        }
        for note in notes {
            let kind = match note.kind {
                NoteKind::Personal => SourceKind::PersonalFile,
                NoteKind::Organization => SourceKind::OrganizationFile,
            };
            let (files, _) = self.files.of_note(self.org, note.id, 0, OF_NOTE).await?;
            for file in files {
                if read.iter().all(|known| known.id != file.id) {
                    let from = FileFrom::Note(note.id);
                    read.push(
                        self.excerpt(file, kind, from, note.updated_at, &mut budget)
                            .await?,
                    );
                }
            }
        }
        for (file, at) in self
            .files
            .of_earlier_turns(
                self.org,
                self.message.session_id,
                self.message.id,
                self.message.organisation_safe,
                EARLIER,
            )
            .await?
        {
            let is_new = read.iter().all(|known| known.id != file.id);
            if is_new && self.context.grants(self.scope, &file).await? {
                let kind = kind_of(file.audience);
                read.push(
                    self.excerpt(file, kind, FileFrom::Earlier, at, &mut budget)
                        .await?,
                );
            }
        }
        let refused =
            (!refused.is_empty()).then(|| format!("I could not read what you sent. {}", refused.join(" ")));
        Ok((read, refused, budget.permit))
    }

    fn is_out(&self, file: &File) -> bool {
        self.message.organisation_safe && file.audience == Audience::Private
    }

    async fn excerpt(
        &self,
        file: File,
        kind: SourceKind,
        from: FileFrom,
        as_of: DateTime<Utc>,
        budget: &mut Budget,
    ) -> Result<FileExcerpt> {
        let content = self.content(&file, budget).await?;
        Ok(FileExcerpt {
            id: file.id,
            name: file.name,
            kind,
            from,
            as_of,
            content,
        })
    }

    async fn content(&self, file: &File, budget: &mut Budget) -> Result<FileContent> {
        let unreadable = |why: String| Ok(FileContent::Unreadable(why));
        if let Some(refusal) = &file.refusal {
            return unreadable(refusal.sentence());
        }
        let media = match file.kind {
            Some(Kind::Csv) => "text/csv",
            Some(Kind::Tsv) => "text/tab-separated-values",
            Some(Kind::Text) => "text/plain",
            Some(Kind::Markdown) => "text/markdown",
            Some(Kind::Json) => "application/json",
            Some(other) => {
                return unreadable(format!(
                    "it is of the type {}, which I cannot read yet; please send the table as CSV",
                    other.label()
                ));
            }
            None => return unreadable("its type is none that I read".to_owned()),
        };
        let bytes = u64::try_from(file.bytes.unwrap_or(0)).unwrap_or(u64::MAX);
        if bytes > ONE || bytes > budget.left {
            return unreadable(
                "it is larger than I read at once, and I do not work with a part of a table".to_owned(),
            );
        }
        if budget.permit.is_none() && ALL - budget.left + bytes > SMALL {
            let keys = [(self.org, Some(self.message.user_id)), (self.org, None)];
            budget.permit = Some(self.large_files.take(keys).await?);
        }
        match self.files.bytes_of(self.org, file, ONE).await {
            Ok(bytes) => {
                let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                budget.left = budget.left.saturating_sub(read);
                Ok(FileContent::Text {
                    media: media.to_owned(),
                    text: decode(bytes).text.into(),
                })
            }
            Err(Error::NotFound(_)) => unreadable("its content is not here any more".to_owned()),
            Err(Error::TooLarge { .. }) => unreadable("it is larger than I read at once".to_owned()),
            Err(error) => Err(error),
        }
    }
}

/// A file that the run might read when it was admitted, but not any more.
fn no_longer_granted(file: File, kind: SourceKind, from: FileFrom, as_of: DateTime<Utc>) -> FileExcerpt {
    let why = "it was taken off its note since, or the note away from you";
    FileExcerpt {
        id: file.id,
        name: file.name,
        kind,
        from,
        as_of,
        content: FileContent::Unreadable(why.to_owned()),
    }
}

fn kind_of(audience: Audience) -> SourceKind {
    match audience {
        Audience::Private => SourceKind::PersonalFile,
        Audience::Shared => SourceKind::OrganizationFile,
    }
}
