//! A file as the service knows it: whose it is, what it truly is, and what became of it. Knows neither
//! where it came from nor how it is read.

use serde::{Deserialize, Serialize};

use crate::base::ids::{FileId, UserId};
use crate::blobs::store::BlobKey;

/// What a file is by its content.
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
    /// As people call it.
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

    /// Kinds that are told apart by what they are called, not by their bytes.
    pub const fn is_text(self) -> bool {
        matches!(
            self,
            Self::Csv | Self::Tsv | Self::Text | Self::Markdown | Self::Json
        )
    }
}

/// Who may see what is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Runs of its owner in a one-to-one conversation.
    Private,
    /// Everyone in the conversation it was posted in saw it there.
    Shared,
}

crate::text_enum!(Audience { Private => "private", Shared => "shared" });

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Read,
    PartlyRead,
    /// Kept; reading this kind is not part of this version.
    NotYetReadable,
    /// Kept; nothing in it can be read, for the reason that stands with it.
    Unreadable,
    /// Nothing of it is kept.
    Refused,
}

crate::text_enum!(Verdict {
    Read => "read", PartlyRead => "partly_read", NotYetReadable => "not_yet_readable", Unreadable => "unreadable",
    Refused => "refused",
});

/// In which part of a turn a file stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The question brought it along.
    Question,
    /// The answer made it.
    Answer,
}

crate::text_enum!(Part { Question => "question", Answer => "answer" });

/// Which files are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Kinds that are read; others are refused.
    Readable,
    /// All; what cannot be read is kept with that verdict.
    All,
}

/// Why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    /// More files than one request may bring.
    TooMany {
        most: usize,
    },
    /// Larger than one file may be.
    TooLarge {
        most: u64,
    },
    /// The files before it have used up what all together may take.
    NoRoom {
        most: u64,
    },
    Empty,
    /// The content is of no kind that is taken.
    Kind,
    /// The content is another kind than the name says.
    Mismatch {
        claimed: Kind,
        found: Kind,
    },
    /// It cannot be opened without a password.
    Encrypted,
    /// It lies outside the platform.
    External,
    /// It was removed at the platform, or is hidden there.
    Gone,
    /// The platform did not give it to us.
    NoAccess,
    /// A rule of the platform's administrators keeps it from us.
    Barred,
    /// Its address leads outside the platform.
    ForeignHost,
    /// It did not arrive, also not when asked for again.
    Unreachable,
}

impl Refusal {
    /// What happened and what to do, beginning with a small letter.
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
        }
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes / (1 << 20))
}

/// A file, its bytes elsewhere.
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
    /// It brings macros, which nothing here ever runs.
    pub macros: bool,
    pub bytes: Option<i64>,
    pub sha256: Option<Vec<u8>>,
    pub blob: Option<BlobKey>,
    pub verdict: Verdict,
    pub refusal: Option<Refusal>,
}

/// How the origins of files of notes begin.
pub const OF_NOTES: &str = "note/";

impl File {
    /// It came with a note: whoever may have it is decided by the note.
    pub fn is_of_note(&self) -> bool {
        self.origin.starts_with(OF_NOTES)
    }
}
