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
    /// The statement took longer than its bound and was ended.
    #[error("a statement took longer than its bound")]
    Overtime,
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
        // PostgreSQL's codes have five signs, SQLite's fewer: a number whose low byte is the kind.
        if code.len() == 5 {
            return match code.as_ref() {
                // Serialization failure, deadlock.
                "40001" | "40P01" => Self::Serialization,
                "57014" => Self::Overtime,
                // Connection, resources, operator intervention, time-outs, read-only, ended while idle in a transaction,
                // a database that takes no connections.
                "25006" | "25P03" | "55000" | "55P03" => Self::Away(error),
                code if ["08", "53", "57"].iter().any(|class| code.starts_with(class)) => Self::Away(error),
                _ => Self::Sqlx(error),
            };
        }
        match code.parse::<u16>().map(|code| (code, code & 0xFF)) {
            // INTERRUPT: a handler ended it.
            Ok((_, 9)) => Self::Overtime,
            // BUSY_SNAPSHOT; LOCKED of every kind.
            Ok((517, _) | (_, 6)) => Self::Serialization,
            // Of every kind: BUSY beyond the time-out (also while another process recovers the log),
            // read-only, I/O error, disk full, cannot open, locking protocol.
            Ok((_, 5 | 8 | 10 | 13 | 14 | 15)) => Self::Away(error),
            _ => Self::Sqlx(error),
        }
    }
}

impl From<Error> for BaseError {
    fn from(error: Error) -> Self {
        match error {
            Error::Unique => Self::Conflict("it exists already"),
            Error::Serialization | Error::Overtime | Error::Away(_) | Error::Closed => Self::busy(error),
            Error::ForeignKey | Error::Sqlx(_) | Error::Migrate(_) => Self::internal(error),
        }
    }
}

/// True when the whole transaction may be run again at once.
pub(super) fn may_rerun(error: &BaseError) -> bool {
    matches!(cause(error), Some(Error::Serialization))
}

/// True when a statement was ended because it took longer than its bound.
pub fn is_overtime(error: &BaseError) -> bool {
    matches!(cause(error), Some(Error::Overtime))
}

fn cause(error: &BaseError) -> Option<&Error> {
    match error {
        BaseError::Busy {
            source: Some(source), ..
        } => source.downcast_ref::<Error>(),
        _ => None,
    }
}
