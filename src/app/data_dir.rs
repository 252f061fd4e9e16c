//! The data directory: creates it and its master key on first use, and lets one server at a time use an embedded
//! database.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::app::config::Config;
use crate::base::error::{Error, Result};
use crate::base::secret::Secret;
use crate::crypto::seal::Sealer;

/// The lock of a running server on an embedded database.
#[derive(Debug)]
pub struct Instance {
    _lock: File,
}

/// Creates the directory, readable by its owner only.
pub fn create(dir: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    let created = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir);
    created.map_err(|error| {
        Error::invalid(
            "data-dir",
            format!("{} cannot be created: {error}", dir.display()),
        )
    })
}

/// Refuses a second server on one embedded database. PostgreSQL allows any number of servers.
pub fn lock(config: &Config) -> Result<Option<Instance>> {
    if !config.uses_sqlite() {
        return Ok(None);
    }
    let path = config.data_dir.join("corbel.lock");
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(&path);
    let file = file.map_err(|error| Error::invalid("data-dir", format!("{}: {error}", path.display())))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Instance { _lock: file })),
        Err(_) => Err(Error::Conflict(
            "another server already uses this data directory; stop it first, or choose another --data-dir",
        )),
    }
}

/// Locks the creation of the demo: commands that start at the same time wait for the first one and use its demo.
pub async fn lock_demo(dir: &Path) -> Result<File> {
    let path = dir.join("demo.lock");
    let locking = tokio::task::spawn_blocking(move || {
        let mut opening = OpenOptions::new();
        opening.create(true).truncate(false).write(true).mode(0o600);
        let file = opening.open(&path).and_then(|file| file.lock().map(|()| file));
        file.map_err(|error| Error::invalid("data-dir", format!("{}: {error}", path.display())))
    });
    locking.await.map_err(Error::internal)?
}

/// The configured master key, or the one in the data directory, which is generated on first use.
pub fn master_key(config: &Config) -> Result<Secret> {
    match &config.master_key {
        Some(key) => Ok(key.clone()),
        None => stored_key(&config.data_dir.join("master.key")),
    }
}

/// Two processes may start at once: the first one to link its file wins, and both use its key.
fn stored_key(path: &Path) -> Result<Secret> {
    let unreadable =
        |error: std::io::Error| Error::invalid("master key", format!("{}: {error}", path.display()));
    if let Ok(text) = std::fs::read_to_string(path) {
        return Ok(Secret::new(text.trim()));
    }
    let key = Sealer::new_master_key()?;
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&draft)
        .map_err(unreadable)?;
    writeln!(file, "{}", key.expose())
        .and_then(|()| file.sync_all())
        .map_err(unreadable)?;
    let linked = std::fs::hard_link(&draft, path);
    std::fs::remove_file(&draft).map_err(unreadable)?;
    // The directory entry has to survive a power cut as well: all sealed secrets depend on this key.
    let dir = path
        .parent()
        .map_or_else(|| Ok(()), |dir| File::open(dir).and_then(|dir| dir.sync_all()));
    dir.map_err(unreadable)?;
    match linked {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let text = std::fs::read_to_string(path).map_err(unreadable)?;
            Ok(Secret::new(text.trim()))
        }
        Err(error) => Err(unreadable(error)),
    }
}
