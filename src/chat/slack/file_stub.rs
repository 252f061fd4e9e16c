//! A file as Slack describes it: in a message, in a forwarded one, and in the response of `files.info`.

use serde::Deserialize;

use crate::assistants::model::{FileAvailability, FileStub};
use crate::chat::slack::wire::{Count, Flag, Word};

/// Longest id, in bytes, and longest file name.
const ID: usize = 255;
const FILE_NAME: usize = 255;
/// Longest URL of a file, in bytes.
const FILE_ADDRESS: usize = 3_000;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct File<'a> {
    #[serde(borrow, default)]
    id: Word<'a>,
    #[serde(borrow, default)]
    name: Word<'a>,
    #[serde(borrow, default)]
    title: Word<'a>,
    #[serde(borrow, default)]
    mimetype: Word<'a>,
    #[serde(borrow, default)]
    mode: Word<'a>,
    #[serde(default)]
    is_external: Flag,
    #[serde(borrow, default)]
    file_access: Word<'a>,
    #[serde(borrow, default)]
    url_private: Word<'a>,
    #[serde(borrow, default)]
    url_private_download: Word<'a>,
    #[serde(default)]
    size: Count,
}

/// What cannot be read, under the name by which people know it.
pub(super) fn unreadable(name: &str) -> FileStub {
    FileStub {
        name: name.chars().take(FILE_NAME).collect(),
        availability: FileAvailability::Unreadable,
        ..FileStub::default()
    }
}

impl File<'_> {
    /// A file shared from another workspace has no name, size or URL here.
    pub(super) fn stub(&self) -> FileStub {
        let text = |word: &Word<'_>, most: usize| -> Option<String> {
            word.get().map(|text| text.chars().take(most).collect())
        };
        let name = text(&self.name, FILE_NAME).or_else(|| text(&self.title, FILE_NAME));
        // A truncated URL would not work.
        let address = self.url_private_download.get().or(self.url_private.get());
        let address = address.filter(|address| address.len() <= FILE_ADDRESS);
        FileStub {
            id: text(&self.id, ID).unwrap_or_default(),
            name: name.unwrap_or_else(|| "file".to_owned()),
            bytes: self.size.0,
            declared_type: text(&self.mimetype, ID),
            url: address.map(str::to_owned),
            availability: self.availability(address.is_some()),
        }
    }

    fn availability(&self, has_address: bool) -> FileAvailability {
        match self.mode.get() {
            Some("external") => FileAvailability::External,
            Some("tombstone" | "hidden_by_limit") => FileAvailability::Gone,
            _ if self.is_external.is_set() => FileAvailability::External,
            Some("file_access") => FileAvailability::NeedsLookup,
            _ if self.file_access.is("check_file_info") || !has_address => FileAvailability::NeedsLookup,
            _ => FileAvailability::Available,
        }
    }
}
