//! Schema migrations: the common ones and those of one database, merged into one numbered list.

use std::fs::{File, OpenOptions};
use std::path::Path;

use sqlx::migrate::Migrator;
use sqlx::{PgConnection, SqliteConnection};

use crate::db::error::{Error, Result};

static COMMON: Migrator = sqlx::migrate!("migrations/common");
static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

fn merged(specific: &Migrator) -> Migrator {
    Migrator::with_migrations(COMMON.iter().chain(specific.iter()).cloned().collect())
}

/// Locks a file next to the database while the schema is migrated, so that other processes wait. SQLite has
/// no advisory lock for this.
pub(super) async fn lock(database: &Path) -> Result<File> {
    let path = database.with_extension("migrating");
    let locking = tokio::task::spawn_blocking(move || {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?;
        file.lock()?;
        Ok::<_, std::io::Error>(file)
    });
    let locked = locking.await.map_err(|_| Error::Closed)?;
    locked.map_err(|error| Error::Unavailable(sqlx::Error::Io(error)))
}

pub(super) async fn sqlite(connection: &mut SqliteConnection) -> Result<()> {
    Ok(merged(&SQLITE).run(connection).await?)
}

/// Holds an advisory lock while it runs, so several nodes may start at once.
pub(super) async fn postgres(connection: &mut PgConnection) -> Result<()> {
    Ok(merged(&POSTGRES).run(connection).await?)
}

/// The number of migrations in this binary.
pub(super) fn count(sqlite: bool) -> i64 {
    let specific = if sqlite { &SQLITE } else { &POSTGRES };
    let count = COMMON.iter().chain(specific.iter()).count();
    i64::try_from(count).unwrap_or(i64::MAX)
}
