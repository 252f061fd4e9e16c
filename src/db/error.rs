//! What a store can answer beyond a value, and how it looks to a caller of a service.

use crate::base::error::Error as BaseError;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What a statement can answer beyond a value.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A unique constraint refused the row. Which one is for the caller to know: SQLite
    /// reports columns, PostgreSQL a constraint name.
    #[error("the row already exists")]
    Unique,
    #[error("a referenced row does not exist")]
    ForeignKey,
    /// Two writers met; the whole transaction may be run again.
    #[error("two writers met")]
    Serialization,
    /// The database does not answer, is locked, or its disk is full.
    #[error("the database is away: {0}")]
    Away(#[source] sqlx::Error),
    #[error("database: {0}")]
    Sqlx(#[source] sqlx::Error),
    #[error("migration: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// The writer has stopped: the process is ending.
    #[error("the database is closed")]
    Closed,
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if matches!(
            error,
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_)
        ) {
            return Self::Away(error);
        }
        let Some(db) = error.as_database_error() else {
            return Self::Sqlx(error);
        };
        if db.is_unique_violation() {
            return Self::Unique;
        }
        if db.is_foreign_key_violation() {
            return Self::ForeignKey;
        }
        let code = db.code().unwrap_or_default();
        match code.as_ref() {
            // PostgreSQL: serialization failure, deadlock. SQLite: BUSY_SNAPSHOT, LOCKED, LOCKED_SHAREDCACHE.
            "40001" | "40P01" | "517" | "6" | "262" => Self::Serialization,
            // SQLite: BUSY beyond the time-out, I/O error, disk full, cannot open, read-only file.
            "5" | "10" | "13" | "14" | "8" | "778" | "1032" => Self::Away(error),
            // PostgreSQL: connection, resources, operator intervention, statement time-out, read-only.
            code if ["08", "53", "57"].iter().any(|class| code.starts_with(class)) || code == "25006" => {
                Self::Away(error)
            }
            _ => Self::Sqlx(error),
        }
    }
}

impl From<Error> for BaseError {
    fn from(error: Error) -> Self {
        match error {
            Error::Unique => Self::Conflict("it exists already"),
            Error::Serialization | Error::Away(_) | Error::Closed => Self::busy(error),
            Error::ForeignKey | Error::Sqlx(_) | Error::Migrate(_) => Self::internal(error),
        }
    }
}

/// True when the whole transaction may be run again at once.
pub(super) fn may_rerun(error: &BaseError) -> bool {
    let BaseError::Busy {
        source: Some(source), ..
    } = error
    else {
        return false;
    };
    matches!(source.downcast_ref::<Error>(), Some(Error::Serialization))
}
