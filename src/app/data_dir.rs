//! The data directory: made on first use, one server at a time, and the master key that is made in it.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::app::config::Config;
use crate::base::error::{Error, Result};
use crate::base::secret::Secret;
use crate::crypto::seal::Sealer;

/// Held as long as a server runs on an embedded database.
#[derive(Debug)]
pub struct Instance {
    _lock: File,
}

/// Makes the directory, readable by its owner alone.
pub fn make(dir: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir);
    made.map_err(|error| Error::invalid("data-dir", format!("{} cannot be made: {error}", dir.display())))
}

/// Refuses a second server on one embedded database. PostgreSQL takes as many as one likes.
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
            "another server runs on this data directory already; stop it first, or choose another --data-dir",
        )),
    }
}

/// Held while the demo is made: commands that begin at once wait for the first, and find its.
pub async fn making_demo(dir: &Path) -> Result<File> {
    let path = dir.join("demo.lock");
    let locking = tokio::task::spawn_blocking(move || {
        let mut opening = OpenOptions::new();
        opening.create(true).truncate(false).write(true).mode(0o600);
        let file = opening.open(&path).and_then(|file| file.lock().map(|()| file));
        file.map_err(|error| Error::invalid("data-dir", format!("{}: {error}", path.display())))
    });
    locking.await.map_err(Error::internal)?
}

/// The configured master key, or the one in the data directory, made on first use.
pub fn master_key(config: &Config) -> Result<Secret> {
    match &config.master_key {
        Some(key) => Ok(key.clone()),
        None => stored_key(&config.data_dir.join("master.key")),
    }
}

/// Two processes may start at once: the first to link its file wins, and both read that.
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
    // The name has to survive a power cut as well: everything sealed depends on it.
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
