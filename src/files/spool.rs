//! Files of one request on their way in: hashed while they arrive and written one behind another into one
//! nameless file, so that a request holds one descriptor and little memory whatever it brings along. What has
//! no name needs no cleaning up: it is gone with whoever held it, also after a crash. Knows no transport.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::base::error::{Error, Result};
use crate::base::text::shortened;

/// Largest file of an upload: 50 MB as the contract counts them.
pub const MOST_BYTES: u64 = 52_428_800;
/// Most files of one request.
pub const MOST_FILES: usize = 100;
/// Longest name, in characters.
const NAME: usize = 255;
/// What a request keeps in memory before it is given a file.
const IN_MEMORY: usize = 256 << 10;

/// Uploads that arrive at once; each has a thread and perhaps a file.
const AT_ONCE: usize = 128;
/// Longest that an upload waits until it may arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where uploads wait until they are kept. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Spool {
    dir: Arc<Path>,
    most_body: u64,
    turns: Arc<Semaphore>,
}

impl Spool {
    /// Makes the folder, readable by its owner alone.
    pub fn open(dir: &Path, most_body: u64) -> Result<Self> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
        made.map_err(|error| {
            Error::invalid("data-dir", format!("{} cannot be made: {error}", dir.display()))
        })?;
        Ok(Self {
            dir: Arc::from(dir),
            most_body,
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        })
    }

    /// Largest body of a request, files and all.
    pub fn most_body(&self) -> u64 {
        self.most_body
    }

    /// Held while a large body arrives: they are bounded in number.
    pub async fn turn(&self) -> Result<OwnedSemaphorePermit> {
        match timeout(PATIENCE, Arc::clone(&self.turns).acquire_owned()).await {
            Ok(turn) => turn.map_err(Error::internal),
            Err(_) => Err(Error::busy("as many uploads arrive as may at once")),
        }
    }

    /// For the files of one request.
    pub fn begin(&self) -> Spooling {
        Spooling {
            dir: Arc::clone(&self.dir),
            memory: Vec::new(),
            spilled: None,
            length: 0,
        }
    }
}

/// The files of one request, while they arrive.
#[derive(Debug)]
pub struct Spooling {
    dir: Arc<Path>,
    memory: Vec<u8>,
    spilled: Option<File>,
    length: u64,
}

impl Spooling {
    /// The next file: what is written from here to its [`end`](Incoming::end).
    pub fn file(&mut self) -> Incoming<'_> {
        let start = self.length;
        Incoming {
            spooling: self,
            start,
            hash: Sha256::new(),
        }
    }

    /// All that was written, to be read as often as one likes.
    pub fn close(self) -> io::Result<Spooled> {
        let store = match self.spilled {
            Some(mut file) => {
                file.write_all(&self.memory)?;
                Store::File(file)
            }
            None => Store::Memory(self.memory),
        };
        Ok(Spooled(Arc::new(store)))
    }

    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.memory.len() + bytes.len() > IN_MEMORY {
            let file = match &mut self.spilled {
                Some(file) => file,
                None => self.spilled.insert(tempfile::tempfile_in(&self.dir)?),
            };
            file.write_all(&self.memory)?;
            self.memory.clear();
            if bytes.len() > IN_MEMORY {
                file.write_all(bytes)?;
            } else {
                self.memory.extend_from_slice(bytes);
            }
        } else {
            self.memory.extend_from_slice(bytes);
        }
        self.length += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(())
    }
}

/// A file that arrives. Dropped before its end, its bytes lie there and belong to nothing.
#[derive(Debug)]
pub struct Incoming<'a> {
    spooling: &'a mut Spooling,
    start: u64,
    hash: Sha256,
}

impl Incoming<'_> {
    /// How much has arrived.
    pub fn bytes(&self) -> u64 {
        self.spooling.length - self.start
    }

    pub fn end(self) -> Span {
        Span {
            start: self.start,
            bytes: self.bytes(),
            sha256: self.hash.finalize().into(),
        }
    }
}

impl Write for Incoming<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hash.update(bytes);
        self.spooling.add(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where a file lies among those of its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: u64,
    pub bytes: u64,
    pub sha256: [u8; 32],
}

/// Everything that one request brought.
#[derive(Clone, Debug)]
pub struct Spooled(Arc<Store>);

impl Spooled {
    pub fn content(&self, span: Span) -> Content {
        Content {
            store: Arc::clone(&self.0),
            span,
        }
    }
}

#[derive(Debug)]
enum Store {
    Memory(Vec<u8>),
    File(File),
}

/// Bytes that can be read from any place, by several at once. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Content {
    store: Arc<Store>,
    span: Span,
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Self {
            span: Span {
                start: 0,
                bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
                sha256: Sha256::digest(&bytes).into(),
            },
            store: Arc::new(Store::Memory(bytes)),
        }
    }
}

impl Content {
    pub fn bytes(&self) -> u64 {
        self.span.bytes
    }

    pub fn sha256(&self) -> [u8; 32] {
        self.span.sha256
    }

    /// Whether reading it may wait for a disk.
    pub fn on_disk(&self) -> bool {
        matches!(*self.store, Store::File(_))
    }

    /// Fills as much of `buffer` as there is from `at` on.
    pub fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.span.bytes.saturating_sub(at)).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        let Some(buffer) = buffer.get_mut(..most) else {
            return Ok(0);
        };
        let from = self.span.start.saturating_add(at);
        match &*self.store {
            Store::File(file) => file.read_exact_at(buffer, from)?,
            Store::Memory(bytes) => {
                let from = usize::try_from(from).unwrap_or(usize::MAX);
                let part = from
                    .checked_add(most)
                    .and_then(|end| bytes.get(from..end))
                    .ok_or(io::ErrorKind::UnexpectedEof)?;
                buffer.copy_from_slice(part);
            }
        }
        Ok(most)
    }

    /// From the start to the end.
    pub fn reader(&self) -> Reader {
        Reader {
            content: self.clone(),
            at: 0,
        }
    }
}

/// Reads a content from its start.
#[derive(Debug)]
pub struct Reader {
    content: Content,
    at: u64,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read_at(self.at, buffer)?;
        self.at += u64::try_from(read).unwrap_or(u64::MAX);
        Ok(read)
    }
}

/// What a file was sent for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// For the question or the note of the request: `files`, `filesBase64`.
    Request,
    /// For the organization memory of an analyst: `organisationMemoryFiles`, or the files in
    /// `organisationMemory`.
    OrganisationMemory,
}

/// A file of a request, spooled. Its bytes are gone when the last clone of its content is.
#[derive(Clone, Debug)]
pub struct Upload {
    /// Without folders and control signs, never empty.
    pub name: String,
    pub declared_type: Option<String>,
    pub bytes: u64,
    pub sha256: [u8; 32],
    pub part: Purpose,
    pub content: Content,
}

/// A name as it may be kept and shown: its last part, in one line, without signs that turn or hide text.
pub fn clean_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown = |sign: &char| {
        !sign.is_control()
            && !matches!(*sign, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let name: String = last.chars().filter(shown).collect();
    let name = name.trim();
    if name.is_empty() || name.chars().all(|sign| sign == '.') {
        return "file".to_owned();
    }
    shortened(name, NAME)
}
