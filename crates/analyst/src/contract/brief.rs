//! What the analyst is given: the question and the material that the asker may use for it. The caller applies its
//! policy before; all text but the question is data, never instruction.

use std::borrow::Cow;
use std::sync::Arc;
use std::{iter, mem};

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use tables::letters;
use uuid::Uuid;

/// A note, as its owner knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NoteId(pub Uuid);

/// A file, as its owner knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileId(pub Uuid);

/// The question and everything the asker may use for it.
#[derive(Clone, Debug, Default)]
pub struct Brief {
    pub question: String,
    pub tone: Tone,
    /// Today in UTC, for questions that speak of "this year".
    pub today: NaiveDate,
    /// The frame of the last completed turn.
    pub earlier: Option<serde_json::Value>,
    /// Best match first.
    pub notes: Vec<NoteExcerpt>,
    /// The question's, then those of its notes, then those of earlier turns, the newest first.
    pub files: Vec<FileExcerpt>,
    /// What came with the question and was not taken, with the reasons, as an answer where there is no other. The asker
    /// sees the reasons next to any answer.
    pub refused: Option<String>,
    /// What was said before in the conversation, oldest first.
    pub thread: Vec<Remark>,
}

impl Brief {
    /// The same with composed letters, so that the words of the question match those of all else. A copy is only made
    /// if there are others.
    pub(crate) fn composed(&self) -> Cow<'_, Self> {
        let mut texts = iter::once(&*self.question)
            .chain(self.notes.iter().flat_map(|note| [&*note.title, &*note.body]))
            .chain(self.files.iter().flat_map(FileExcerpt::texts))
            .chain(self.thread.iter().map(|remark| &*remark.text));
        if texts.all(letters::is_composed) {
            return Cow::Borrowed(self);
        }
        let mut own = self.clone();
        let compose = |text: &mut String| *text = letters::into_composed(mem::take(text));
        compose(&mut own.question);
        for note in &mut own.notes {
            compose(&mut note.title);
            compose(&mut note.body);
        }
        for file in &mut own.files {
            compose(&mut file.name);
            if let FileContent::Text { text, .. } = &mut file.content {
                *text = letters::composed(text).into();
            }
        }
        own.thread.iter_mut().for_each(|remark| compose(&mut remark.text));
        Cow::Owned(own)
    }
}

/// How an answer is phrased.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Professional,
    Friendly,
    Authoritative,
    Consultative,
    Funny,
}

/// Something said earlier by others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    pub by: Speaker,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    Person,
    Assistant,
}

#[derive(Clone, Debug)]
pub struct NoteExcerpt {
    pub id: NoteId,
    pub title: String,
    pub body: String,
    pub updated_at: DateTime<Utc>,
}

#[derive(Clone, Debug)]
pub struct FileExcerpt {
    pub id: FileId,
    pub name: String,
    pub from: FileFrom,
    pub content: FileContent,
}

impl FileExcerpt {
    /// Its name and its text.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let text = match &self.content {
            FileContent::Text { text, .. } => Some(&**text),
            FileContent::Unreadable(_) => None,
        };
        iter::once(self.name.as_str()).chain(text)
    }
}

/// Where a file comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFrom {
    /// It came with the question.
    Question,
    /// A note has it.
    Note(NoteId),
    /// An earlier turn brought it.
    Earlier,
}

#[derive(Clone)]
pub enum FileContent {
    /// The whole text; a file is never cut.
    Text {
        /// By its content, for instance `text/csv`.
        media: String,
        text: Arc<str>,
    },
    /// Why there is none, in words that follow the file's name.
    Unreadable(String),
}

// A file's text reaches no log.
impl std::fmt::Debug for FileContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text { media, text } => write!(f, "Text({media}, {} bytes)", text.len()),
            Self::Unreadable(why) => write!(f, "Unreadable({why})"),
        }
    }
}
