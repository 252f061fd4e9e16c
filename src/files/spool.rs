//! Spools the files of one request while they arrive. They are hashed and appended to a single unnamed temporary file,
//! so that a request needs one file descriptor and little memory. The system removes the temporary file when it is
//! closed, also after a crash. Does not depend on a transport.

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

/// Largest file of an upload: the 50 MB of the API specification.
pub const UPLOAD_MAX_FILE_BYTES: u64 = 52_428_800;
/// Largest number of files in one request.
pub const UPLOAD_MAX_FILES: usize = 100;
/// Longest file name, in characters.
const MAX_NAME: usize = 255;
/// Bytes that a request buffers in memory before it gets a temporary file.
const BUFFER: usize = 256 << 10;

/// Concurrent uploads; each needs a thread and perhaps a temporary file.
const CONCURRENT_UPLOADS: usize = 128;
/// Longest wait of an upload for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);

/// The folder for temporary files of uploads. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Spool {
    dir: Arc<Path>,
    most_body: u64,
    turns: Arc<Semaphore>,
}

impl Spool {
    /// Creates the folder, accessible only to its owner.
    pub fn open(dir: &Path, most_body: u64) -> Result<Self> {
        let created = DirBuilder::new().recursive(true).mode(0o700).create(dir);
        created.map_err(|error| {
            Error::invalid(
                "data-dir",
                format!("{} cannot be created: {error}", dir.display()),
            )
        })?;
        Ok(Self {
            dir: Arc::from(dir),
            most_body,
            turns: Arc::new(Semaphore::new(CONCURRENT_UPLOADS)),
        })
    }

    /// Largest request body, including files.
    pub fn most_body(&self) -> u64 {
        self.most_body
    }

    /// Waits for a permit to receive a large body; limits concurrent uploads.
    pub async fn turn(&self) -> Result<OwnedSemaphorePermit> {
        match timeout(TURN_TIMEOUT, Arc::clone(&self.turns).acquire_owned()).await {
            Ok(turn) => turn.map_err(Error::internal),
            Err(_) => Err(Error::busy("too many concurrent uploads")),
        }
    }

    /// Starts spooling the files of one request.
    pub fn begin(&self) -> Spooling {
        Spooling {
            dir: Arc::clone(&self.dir),
            memory: Vec::new(),
            spilled: None,
            length: 0,
        }
    }
}

/// The files of one request while they arrive.
#[derive(Debug)]
pub struct Spooling {
    dir: Arc<Path>,
    memory: Vec<u8>,
    spilled: Option<File>,
    length: u64,
}

impl Spooling {
    /// Starts the next file. It ends with [`Incoming::end`].
    pub fn file(&mut self) -> Incoming<'_> {
        let start = self.length;
        Incoming {
            spooling: self,
            start,
            hash: Sha256::new(),
        }
    }

    /// Ends spooling. The result can be read any number of times.
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
        if self.memory.len() + bytes.len() > BUFFER {
            let file = match &mut self.spilled {
                Some(file) => file,
                None => self.spilled.insert(tempfile::tempfile_in(&self.dir)?),
            };
            file.write_all(&self.memory)?;
            self.memory.clear();
            if bytes.len() > BUFFER {
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

/// A file while it arrives. If dropped before `end`, its bytes stay in the spool but belong to no file.
#[derive(Debug)]
pub struct Incoming<'a> {
    spooling: &'a mut Spooling,
    start: u64,
    hash: Sha256,
}

impl Incoming<'_> {
    /// The number of bytes received so far.
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

/// The position of a file in the spool of its request, and its digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: u64,
    pub bytes: u64,
    pub sha256: [u8; 32],
}

/// All spooled files of one request.
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

/// The bytes of a file, readable at any offset and by several readers at once. Cheap to clone.
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

    /// True if reading may block on the disk.
    pub fn on_disk(&self) -> bool {
        matches!(*self.store, Store::File(_))
    }

    /// Reads bytes starting at `at` into `buffer` and returns how many were read.
    pub fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.span.bytes.saturating_sub(at)).unwrap_or(usize::MAX);
        let length = buffer.len().min(left);
        let Some(buffer) = buffer.get_mut(..length) else {
            return Ok(0);
        };
        let from = self.span.start.saturating_add(at);
        match &*self.store {
            Store::File(file) => file.read_exact_at(buffer, from)?,
            Store::Memory(bytes) => {
                let from = usize::try_from(from).unwrap_or(usize::MAX);
                let part = from
                    .checked_add(length)
                    .and_then(|end| bytes.get(from..end))
                    .ok_or(io::ErrorKind::UnexpectedEof)?;
                buffer.copy_from_slice(part);
            }
        }
        Ok(length)
    }

    /// A reader from start to end.
    pub fn reader(&self) -> Reader {
        Reader {
            content: self.clone(),
            at: 0,
        }
    }
}

/// Reads a [`Content`] sequentially.
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

/// The purpose a file was sent for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The question or note of the request: `files`, `filesBase64`.
    Request,
    /// The organization memory of an analyst: `organisationMemoryFiles`, or the files in `organisationMemory`.
    OrganisationMemory,
}

/// A spooled file of a request. Its bytes are removed when the last clone of its content is dropped.
#[derive(Clone, Debug)]
pub struct Upload {
    /// Without folders and control characters, never empty.
    pub name: String,
    pub declared_type: Option<String>,
    pub bytes: u64,
    pub sha256: [u8; 32],
    pub part: Purpose,
    pub content: Content,
}

/// Makes a file name safe to store and display: removes folders, control characters and invisible characters that
/// hide or reorder text, and limits the length.
pub fn clean_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let invisible = |ch: char| {
        matches!(
            ch,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        )
    };
    let visible = |ch: &char| !ch.is_control() && !invisible(*ch);
    let name: String = last.chars().filter(visible).collect();
    let name = name.trim();
    if name.is_empty() || name.chars().all(|ch| ch == '.') {
        return "file".to_owned();
    }
    shortened(name, MAX_NAME)
}
