//! Collects the contents of a body: fields, base64 files and binary parts. Decides which lists of files count. Does not
//! depend on the format of the body.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use serde_json::Value;

use crate::api::failure::Failure;
use crate::api::upload::form::Field;
use crate::base::error::Error;
use crate::edge::problem::FieldError;
use crate::files::spool::{
    Incoming, Purpose, Span, Spooling, UPLOAD_MAX_FILE_BYTES, UPLOAD_MAX_FILES, Upload, clean_name,
};

/// Most memory for all fields; files are not counted.
const FIELDS: usize = 2 << 20;
/// The same limit, as errors report it.
const STEP: u64 = super::source::STEP;
/// Memory of a value in addition to its text.
const VALUE: usize = 64;
/// Fields that may be given member by member: `user.modelType`.
const PARENTS: [&str; 3] = ["user", "customAnalyst", "organisationMemory"];

/// A list of files, by its place in the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum List {
    Files,
    FilesBase64,
    MemoryFiles,
    MemoryFilesBase64,
}

impl List {
    /// The path in the body.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::FilesBase64 => "filesBase64",
            Self::MemoryFiles => "organisationMemory.files",
            Self::MemoryFilesBase64 => "organisationMemory.filesBase64",
        }
    }
}

/// A file of a list and its first fault, which is reported only if the list counts.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) name: Option<String>,
    pub(super) declared_type: Option<String>,
    pub(super) span: Option<Span>,
    pub(super) fault: Option<Failure>,
}

impl Entry {
    /// Keeps the first fault.
    pub(super) fn fail(&mut self, fault: Failure) {
        self.fault.get_or_insert(fault);
    }
}

/// The contents of a body, as far as it was read.
pub(super) struct Gathering {
    fields: BTreeMap<String, Field>,
    lists: BTreeMap<List, Vec<Entry>>,
    parts: Vec<(Purpose, Entry)>,
    spooling: Spooling,
    /// Memory that is left for fields.
    left: usize,
    /// A copy buffer for files; allocated with the first file.
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

    /// Takes the memory of a value with this many bytes of text. Fails if there is not enough left.
    pub(super) fn take(&mut self, text: usize) -> Result<(), Failure> {
        let left = self.left.checked_sub(text.saturating_add(VALUE));
        self.left = left.ok_or(Failure::Of(Error::TooLarge { limit: STEP }))?;
        Ok(())
    }

    /// How many bytes of text the next value may have.
    pub(super) fn room(&self) -> usize {
        self.left.saturating_sub(VALUE)
    }

    /// The next file to write, and a copy buffer for it.
    pub(super) fn file(&mut self) -> (Incoming<'_>, &mut [u8]) {
        if self.buffer.is_empty() {
            self.buffer = vec![0; 32 << 10];
        }
        (self.spooling.file(), &mut self.buffer)
    }

    /// Registers a list that is present, even if it is empty.
    pub(super) fn open(&mut self, list: List) -> Result<(), Failure> {
        match self.lists.entry(list) {
            Slot::Occupied(_) => Err(twice(list.path())),
            Slot::Vacant(slot) => {
                slot.insert(Vec::new());
                Ok(())
            }
        }
    }

    /// The path of the next entry of a list. Fails if the list is full.
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

    /// Adds a text part of a form. A repeated name makes a list.
    pub(super) fn text(&mut self, name: &str, text: String) -> Result<(), Failure> {
        let name = name.strip_suffix("[]").unwrap_or(name);
        self.field(name, Field::Texts(vec![text]))
    }

    /// Adds a field or a member of one.
    pub(super) fn field(&mut self, name: &str, field: Field) -> Result<(), Failure> {
        // Null counts as absent, except for the one field that refuses it.
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

    /// The fields and the files that count.
    pub(super) fn end(mut self) -> Result<(BTreeMap<String, Field>, Vec<Upload>), Failure> {
        let mut used = Vec::new();
        for (purpose, preferred, otherwise) in [
            (Purpose::Request, List::FilesBase64, List::Files),
            (
                Purpose::OrganisationMemory,
                List::MemoryFilesBase64,
                List::MemoryFiles,
            ),
        ] {
            let list = if self.lists.contains_key(&preferred) {
                preferred
            } else {
                otherwise
            };
            let entries = self.lists.remove(&list).unwrap_or_default();
            used.extend(entries.into_iter().map(|entry| (purpose, entry)));
        }
        used.append(&mut self.parts);
        room(used.len().saturating_sub(1), "files")?;
        let spooled = self.spooling.close().map_err(spool_failed)?;
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
    if count < UPLOAD_MAX_FILES {
        return Ok(());
    }
    Err(Failure::field(
        path,
        "too_many",
        format!("a request takes at most {UPLOAD_MAX_FILES} files"),
    ))
}

pub(super) fn twice(name: &str) -> Failure {
    Failure::field(name, "duplicate", "is given more than once")
}

pub(super) fn too_large(path: &str) -> Failure {
    Failure::FileTooLarge(FieldError {
        field: path.to_owned(),
        code: "file_too_large",
        detail: format!("is larger than {UPLOAD_MAX_FILE_BYTES} bytes"),
    })
}

/// The spool could not be written: the disk is full or unavailable.
pub(super) fn spool_failed(error: std::io::Error) -> Failure {
    Failure::Of(Error::busy(error))
}
