//! The one error that services return. It knows no transport: every face maps it in one
//! exhaustive match, and details are logged once, there.

use std::error::Error as StdError;
use std::time::Duration;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong for a caller, with what a caller may be told.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nobody is signed in, or the credential is not valid.
    #[error("not signed in")]
    Unauthenticated,
    /// The caller may know that it exists, but not do this. Holds the stable code and the sentence.
    #[error("{why}")]
    Forbidden { code: &'static str, why: &'static str },
    /// Absent, or not the caller's: the two are never told apart.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The input is wrong: which field, why, and what would be right.
    #[error("{field}: {why}")]
    Invalid { field: &'static str, why: String },
    #[error("larger than {limit} bytes")]
    TooLarge { limit: u64 },
    /// It exists already, or has moved on meanwhile.
    #[error("{0}")]
    Conflict(&'static str),
    /// No included usage and no funded credit left.
    #[error("no included usage and no funded credit is left")]
    Exhausted,
    #[error("too many requests; try again in {} seconds", .retry_after.as_secs().max(1))]
    Limited { retry_after: Duration },
    /// The month's trial runs of a sandbox key are used up; the next month brings new ones.
    #[error("this month's trial runs of the sandbox key are used up")]
    QuotaExhausted { retry_after: Duration },
    /// The attempt was overtaken: a newer attempt owns the work. Everything of this one is dropped.
    #[error("a newer attempt owns this work")]
    Stale,
    /// The database or a queue is away or full; the same call may succeed later.
    #[error("temporarily unavailable")]
    Busy {
        retry_after: Duration,
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// An outside service failed.
    #[error("an outside service failed")]
    Upstream(#[source] Box<dyn StdError + Send + Sync>),
    /// A fault of ours.
    #[error("internal error")]
    Internal(#[source] Box<dyn StdError + Send + Sync>),
}

impl Error {
    /// The stable word that clients branch on.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden { code, .. } => code,
            Self::NotFound(_) => "not_found",
            Self::Invalid { .. } => "invalid_request",
            Self::TooLarge { .. } => "body_too_large",
            Self::Conflict(_) => "conflict",
            Self::Exhausted => "usage_exhausted",
            Self::Limited { .. } => "rate_limited",
            Self::QuotaExhausted { .. } => "quota_exhausted",
            Self::Stale => "stale_attempt",
            Self::Busy { .. } => "unavailable",
            Self::Upstream(_) => "upstream_failed",
            Self::Internal(_) => "internal",
        }
    }

    pub fn invalid(field: &'static str, why: impl Into<String>) -> Self {
        Self::Invalid {
            field,
            why: why.into(),
        }
    }

    pub const fn forbidden(code: &'static str, why: &'static str) -> Self {
        Self::Forbidden { code, why }
    }

    pub fn internal(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Internal(source.into())
    }

    pub fn upstream(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Upstream(source.into())
    }

    /// Away at the moment: one second is the usual wait.
    pub fn busy(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Busy {
            retry_after: Duration::from_secs(1),
            source: Some(source.into()),
        }
    }

    /// The whole chain of causes in one line, for the log and the command line.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut next = self.source();
        while let Some(cause) = next {
            text.push_str(": ");
            text.push_str(&cause.to_string());
            next = cause.source();
        }
        text
    }
}
