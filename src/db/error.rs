//! Errors of the database, and their mapping to the errors of services.

use crate::base::error::Error as BaseError;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a statement or transaction failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A unique constraint was violated. The caller has to know which one: SQLite reports columns,
    /// PostgreSQL the name of the constraint.
    #[error("the row already exists")]
    Unique,
    #[error("a referenced row does not exist")]
    ForeignKey,
    /// Two transactions conflicted; the whole transaction may be retried.
    #[error("two transactions conflicted")]
    Serialization,
    /// The statement exceeded its time limit and was cancelled.
    #[error("a statement exceeded its time limit")]
    TimedOut,
    /// The database does not respond, is locked, or its disk is full.
    #[error("the database is unavailable: {0}")]
    Unavailable(#[source] sqlx::Error),
    #[error("database: {0}")]
    Sqlx(#[source] sqlx::Error),
    #[error("migration: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// The writer has stopped because the process is shutting down.
    #[error("the database is closed")]
    Closed,
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if matches!(
            error,
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_)
        ) {
            return Self::Unavailable(error);
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
        // PostgreSQL codes have five characters. SQLite codes are shorter: a number whose low byte is the kind.
        if code.len() == 5 {
            return match code.as_ref() {
                // Serialization failure, deadlock.
                "40001" | "40P01" => Self::Serialization,
                "57014" => Self::TimedOut,
                // Connection errors, resources, operator intervention, timeouts (also while idle in a transaction),
                // read-only, a database that accepts no connections.
                "25006" | "25P03" | "55000" | "55P03" => Self::Unavailable(error),
                code if ["08", "53", "57"].iter().any(|class| code.starts_with(class)) => {
                    Self::Unavailable(error)
                }
                _ => Self::Sqlx(error),
            };
        }
        match code.parse::<u16>().map(|code| (code, code & 0xFF)) {
            // INTERRUPT: the progress handler cancelled the statement.
            Ok((_, 9)) => Self::TimedOut,
            // BUSY_SNAPSHOT, and LOCKED of every kind.
            Ok((517, _) | (_, 6)) => Self::Serialization,
            // Of every kind: BUSY after the timeout (also while another process recovers the log), read-only,
            // I/O error, disk full, cannot open, locking protocol.
            Ok((_, 5 | 8 | 10 | 13 | 14 | 15)) => Self::Unavailable(error),
            _ => Self::Sqlx(error),
        }
    }
}

impl From<Error> for BaseError {
    fn from(error: Error) -> Self {
        match error {
            Error::Unique => Self::Conflict("it exists already"),
            Error::Serialization | Error::TimedOut | Error::Unavailable(_) | Error::Closed => {
                Self::busy(error)
            }
            Error::ForeignKey | Error::Sqlx(_) | Error::Migrate(_) => Self::internal(error),
        }
    }
}

/// True if the whole transaction may be retried at once.
pub(super) fn may_retry(error: &BaseError) -> bool {
    matches!(cause(error), Some(Error::Serialization))
}

/// True if a statement was cancelled because it exceeded its time limit.
pub fn is_timeout(error: &BaseError) -> bool {
    matches!(cause(error), Some(Error::TimedOut))
}

fn cause(error: &BaseError) -> Option<&Error> {
    match error {
        BaseError::Busy {
            source: Some(source), ..
        } => source.downcast_ref::<Error>(),
        _ => None,
    }
}
