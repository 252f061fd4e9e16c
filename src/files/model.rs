//! Types of files: their owner, detected kind and verdict. Does not depend on where files come from or how they are
//! parsed.

use serde::{Deserialize, Serialize};

use crate::base::ids::{FileId, UserId};
use crate::blobs::store::BlobKey;

/// The kind of a file, detected from its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Pdf,
    Excel,
    Word,
    PowerPoint,
    Csv,
    Tsv,
    Text,
    Markdown,
    Json,
    Image,
}

crate::text_enum!(Kind {
    Pdf => "pdf", Excel => "excel", Word => "word", PowerPoint => "powerpoint", Csv => "csv", Tsv => "tsv",
    Text => "text", Markdown => "markdown", Json => "json", Image => "image",
});

impl Kind {
    /// The name shown to people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Excel => "Excel workbook",
            Self::Word => "Word document",
            Self::PowerPoint => "PowerPoint presentation",
            Self::Csv => "CSV table",
            Self::Tsv => "TSV table",
            Self::Text => "text",
            Self::Markdown => "Markdown",
            Self::Json => "JSON",
            Self::Image => "image",
        }
    }

    /// True for text formats, which are distinguished by name and not by content.
    pub const fn is_text(self) -> bool {
        matches!(
            self,
            Self::Csv | Self::Tsv | Self::Text | Self::Markdown | Self::Json
        )
    }
}

/// Who may see the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Only its owner, in one-to-one conversations.
    Private,
    /// Everyone in the conversation where it was posted.
    Shared,
}

crate::text_enum!(Audience { Private => "private", Shared => "shared" });

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Read,
    PartlyRead,
    /// Stored, but this version cannot read files of its kind.
    NotYetReadable,
    /// Stored, but nothing in it can be read. `refusal` has the reason.
    Unreadable,
    /// Not stored.
    Refused,
}

crate::text_enum!(Verdict {
    Read => "read", PartlyRead => "partly_read", NotYetReadable => "not_yet_readable", Unreadable => "unreadable",
    Refused => "refused",
});

/// The part of a turn that a file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It was sent with the question.
    Question,
    /// It was created by the answer.
    Answer,
}

crate::text_enum!(Part { Question => "question", Answer => "answer" });

/// Which files are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// Supported kinds only; others are refused.
    Readable,
    /// All files; unsupported ones are stored with the verdict `Unreadable`.
    All,
}

/// Why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    /// The request has too many files.
    TooMany {
        most: usize,
    },
    /// The file is too large.
    TooLarge {
        most: u64,
    },
    /// The files of the request exceed the total size limit.
    NoRoom {
        most: u64,
    },
    Empty,
    /// The kind of the content is not supported.
    Kind,
    /// The content is of another kind than the name or declared type claims.
    Mismatch {
        claimed: Kind,
        found: Kind,
    },
    /// It cannot be opened without a password.
    Encrypted,
    /// It is stored outside the chat platform.
    External,
    /// It was deleted or hidden on the platform.
    Gone,
    /// The platform denied access to it.
    NoAccess,
    /// A policy of the platform's administrators denies access to it.
    Barred,
    /// Its URL points to a host outside the platform.
    ForeignHost,
    /// It could not be downloaded, even after a retry.
    Unreachable,
    /// It is a part of a message that is neither text nor table nor file.
    NotText,
}

impl Refusal {
    /// What happened and what the person can do, starting with a lower-case letter.
    pub fn sentence(&self) -> String {
        match self {
            Self::TooMany { most } => format!("more than {most} files came at once; please send it on its own"),
            Self::TooLarge { most } => format!("it is larger than {}", mebibytes(*most)),
            Self::NoRoom { most } => format!(
                "the files together are larger than {}; please send it on its own",
                mebibytes(*most)
            ),
            Self::Empty => "it is empty".to_owned(),
            Self::Kind => "I take PDF, Excel, Word, PowerPoint, CSV, TSV, text, Markdown, JSON and images, and \
                           by its content it is none of these"
                .to_owned(),
            Self::Mismatch { claimed, found } => format!(
                "its name says {}, but its content is {}; please save it again under the right type",
                claimed.label(),
                found.label()
            ),
            Self::Encrypted => "it is protected with a password; please send it without one".to_owned(),
            Self::External => {
                "it lies outside this workspace and I cannot fetch it; please upload the file itself".to_owned()
            }
            Self::Gone => "it was deleted or is hidden".to_owned(),
            Self::NoAccess => {
                "I was not given access to it; an administrator can reinstall me with the right to read files"
                    .to_owned()
            }
            Self::Barred => {
                "a rule of your organization keeps it from me; an administrator can see which one it is".to_owned()
            }
            Self::ForeignHost => {
                "its address leads outside the platform, so I did not follow it; please upload the file itself"
                    .to_owned()
            }
            Self::Unreachable => "it did not arrive; please send it again".to_owned(),
            Self::NotText => {
                "I cannot read this kind of content; please send it as text, as a table or as a file".to_owned()
            }
        }
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes / (1 << 20))
}

/// A file. Its bytes are in the blob storage.
#[derive(Clone, Debug)]
pub struct File {
    pub id: FileId,
    pub origin: String,
    pub position: i64,
    pub owner: UserId,
    pub audience: Audience,
    pub name: String,
    pub declared_type: Option<String>,
    pub kind: Option<Kind>,
    /// True if it contains macros, which are never run.
    pub macros: bool,
    pub bytes: Option<i64>,
    pub sha256: Option<Vec<u8>>,
    pub blob: Option<BlobKey>,
    pub verdict: Verdict,
    pub refusal: Option<Refusal>,
}

/// The prefix of the origins of files that were sent with notes.
pub const OF_NOTES: &str = "note/";

impl File {
    /// True if the file was sent with a note. Access to it then depends on the note.
    pub fn is_of_note(&self) -> bool {
        self.origin.starts_with(OF_NOTES)
    }
}
