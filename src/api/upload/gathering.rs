//! What a body brings, gathered from whichever form it has: fields, files in base64, files as parts. Decides
//! which lists of files count. Knows no format.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use serde_json::Value;

use crate::api::failure::Failure;
use crate::api::upload::form::Field;
use crate::base::error::Error;
use crate::edge::problem::FieldError;
use crate::files::spool::{Incoming, MOST_BYTES, MOST_FILES, Purpose, Span, Spooling, Upload, clean_name};

/// Most that all fields together may take in memory; files are not counted.
const FIELDS: usize = 2 << 20;
/// The same, as an error says it.
const STEP: u64 = super::source::STEP;
/// What a value takes beside its text.
const VALUE: usize = 64;
/// Fields that may be given member by member: `user.modelType`.
const PARENTS: [&str; 3] = ["user", "customAnalyst", "organisationMemory"];

/// A list of files, by where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum List {
    Files,
    FilesBase64,
    MemoryFiles,
    MemoryFilesBase64,
}

impl List {
    /// As the body names it.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::FilesBase64 => "filesBase64",
            Self::MemoryFiles => "organisationMemory.files",
            Self::MemoryFilesBase64 => "organisationMemory.filesBase64",
        }
    }
}

/// A file of a list, and what is wrong with it: that counts only if the list does.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) name: Option<String>,
    pub(super) declared_type: Option<String>,
    pub(super) span: Option<Span>,
    pub(super) fault: Option<Failure>,
}

impl Entry {
    /// The first fault is told.
    pub(super) fn fail(&mut self, fault: Failure) {
        self.fault.get_or_insert(fault);
    }
}

/// A body as far as it was read.
pub(super) struct Gathering {
    fields: BTreeMap<String, Field>,
    lists: BTreeMap<List, Vec<Entry>>,
    parts: Vec<(Purpose, Entry)>,
    spooling: Spooling,
    /// What fields may still take.
    left: usize,
    /// For bytes on their way to the spool; made when a file comes.
    buffer: Vec<u8>,
}

impl Gathering {
    pub(super) fn new(spooling: Spooling) -> Self {
        Self {
            fields: BTreeMap::new(),
            lists: BTreeMap::new(),
            parts: Vec::new(),
            spooling,
            left: FIELDS,
            buffer: Vec::new(),
        }
    }

    /// A value with so much text is about to be kept.
    pub(super) fn take(&mut self, text: usize) -> Result<(), Failure> {
        let left = self.left.checked_sub(text.saturating_add(VALUE));
        self.left = left.ok_or(Failure::Of(Error::TooLarge { limit: STEP }))?;
        Ok(())
    }

    /// How much text a value may still have.
    pub(super) fn room(&self) -> usize {
        self.left.saturating_sub(VALUE)
    }

    /// The next file's place, and a buffer to fill it through.
    pub(super) fn file(&mut self) -> (Incoming<'_>, &mut [u8]) {
        if self.buffer.is_empty() {
            self.buffer = vec![0; 32 << 10];
        }
        (self.spooling.file(), &mut self.buffer)
    }

    /// A list that is there, if only to be empty.
    pub(super) fn open(&mut self, list: List) -> Result<(), Failure> {
        match self.lists.entry(list) {
            Slot::Occupied(_) => Err(twice(list.path())),
            Slot::Vacant(slot) => {
                slot.insert(Vec::new());
                Ok(())
            }
        }
    }

    /// The path of the next entry of a list, if one more may come.
    pub(super) fn next(&self, list: List) -> Result<String, Failure> {
        let count = self.lists.get(&list).map_or(0, Vec::len);
        room(count, list.path())?;
        Ok(format!("{}[{count}]", list.path()))
    }

    pub(super) fn add(&mut self, list: List, entry: Entry) {
        self.lists.entry(list).or_default().push(entry);
    }

    pub(super) fn next_part(&self, name: &str) -> Result<(), Failure> {
        room(self.parts.len(), name)
    }

    pub(super) fn add_part(&mut self, purpose: Purpose, entry: Entry) {
        self.parts.push((purpose, entry));
    }

    /// A text of a form. Given again, it is a list.
    pub(super) fn text(&mut self, name: &str, text: String) -> Result<(), Failure> {
        let name = name.strip_suffix("[]").unwrap_or(name);
        self.field(name, Field::Texts(vec![text]))
    }

    /// A field, whole or a member of one.
    pub(super) fn field(&mut self, name: &str, field: Field) -> Result<(), Failure> {
        // Null is absent, but for the one field that says so itself.
        if name != "contextPolicy" && matches!(field, Field::Json(Value::Null)) {
            return Ok(());
        }
        let (parent, member) = match name.split_once('.') {
            Some((parent, member)) if PARENTS.contains(&parent) => (parent, Some(member)),
            _ => (name, None),
        };
        let slot = self.fields.entry(parent.to_owned());
        match member {
            Some(member) => {
                let of_parent = slot.or_insert_with(|| Field::Members(BTreeMap::new()));
                of_parent.put(member, field).map_err(|()| twice(name))
            }
            None => match slot {
                Slot::Vacant(slot) => {
                    slot.insert(field);
                    Ok(())
                }
                Slot::Occupied(mut slot) => slot.get_mut().join(field).map_err(|()| twice(name)),
            },
        }
    }

    /// The fields, and the files that count.
    pub(super) fn end(mut self) -> Result<(BTreeMap<String, Field>, Vec<Upload>), Failure> {
        let mut used = Vec::new();
        for (purpose, wins, otherwise) in [
            (Purpose::Request, List::FilesBase64, List::Files),
            (
                Purpose::OrganisationMemory,
                List::MemoryFilesBase64,
                List::MemoryFiles,
            ),
        ] {
            let list = if self.lists.contains_key(&wins) {
                wins
            } else {
                otherwise
            };
            let entries = self.lists.remove(&list).unwrap_or_default();
            used.extend(entries.into_iter().map(|entry| (purpose, entry)));
        }
        used.append(&mut self.parts);
        room(used.len().saturating_sub(1), "files")?;
        let spooled = self.spooling.close().map_err(unkept)?;
        let mut files = Vec::with_capacity(used.len());
        for (part, entry) in used {
            if let Some(fault) = entry.fault {
                return Err(fault);
            }
            let (Some(name), Some(span)) = (entry.name, entry.span) else {
                return Err(Error::internal("a file without a name or bytes passed the parser").into());
            };
            files.push(Upload {
                name: clean_name(&name),
                declared_type: entry.declared_type.filter(|kind| !kind.trim().is_empty()),
                bytes: span.bytes,
                sha256: span.sha256,
                part,
                content: spooled.content(span),
            });
        }
        Ok((self.fields, files))
    }
}

fn room(count: usize, path: &str) -> Result<(), Failure> {
    if count < MOST_FILES {
        return Ok(());
    }
    Err(Failure::field(
        path,
        "too_many",
        format!("a request takes at most {MOST_FILES} files"),
    ))
}

pub(super) fn twice(name: &str) -> Failure {
    Failure::field(name, "duplicate", "is given more than once")
}

pub(super) fn too_large(path: &str) -> Failure {
    Failure::FileTooLarge(FieldError {
        field: path.to_owned(),
        code: "file_too_large",
        detail: format!("is larger than {MOST_BYTES} bytes"),
    })
}

/// The spool took nothing more: the disk is full or away.
pub(super) fn unkept(error: std::io::Error) -> Failure {
    Failure::Of(Error::busy(error))
}
