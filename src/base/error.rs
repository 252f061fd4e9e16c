//! The one error type that services return. It does not depend on a transport: each face maps it in one
//! exhaustive match and logs the details there, once.

use std::error::Error as StdError;
use std::time::Duration;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The ways a call can fail. The messages are safe to show to the caller.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller is not signed in, or the credential is not valid.
    #[error("not signed in")]
    Unauthenticated,
    /// The caller may see the object but not do this to it. Carries the stable code and the message.
    #[error("{why}")]
    Forbidden { code: &'static str, why: &'static str },
    /// The object does not exist or belongs to someone else. Callers cannot distinguish the two.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The input is not valid: which field, why, and what would be accepted.
    #[error("{field}: {why}")]
    Invalid { field: &'static str, why: String },
    #[error("larger than {limit} bytes")]
    TooLarge { limit: u64 },
    /// The object already exists, or its state has changed in the meantime.
    #[error("{0}")]
    Conflict(&'static str),
    /// Neither included usage nor funded credit is left.
    #[error("no included usage and no funded credit is left")]
    Exhausted,
    #[error("too many requests; try again in {} seconds", .retry_after.as_secs().max(1))]
    Limited { retry_after: Duration },
    /// The trial runs of a sandbox key are used up for this month.
    #[error("this month's trial runs of the sandbox key are used up")]
    QuotaExhausted { retry_after: Duration },
    /// A newer attempt owns the work. Everything this attempt wrote is discarded.
    #[error("a newer attempt owns this work")]
    Stale,
    /// The database or a queue is unavailable or full; the same call may succeed later.
    #[error("temporarily unavailable")]
    Busy {
        retry_after: Duration,
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// An outside service failed.
    #[error("an outside service failed")]
    Upstream(#[source] Box<dyn StdError + Send + Sync>),
    /// A bug or an unexpected failure in this service.
    #[error("internal error")]
    Internal(#[source] Box<dyn StdError + Send + Sync>),
}

impl Error {
    /// The stable code that clients branch on.
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

    /// Temporarily unavailable; asks the caller to retry after one second.
    pub fn busy(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Busy {
            retry_after: Duration::from_secs(1),
            source: Some(source.into()),
        }
    }

    /// The error and all its causes on one line, for the log and the command line.
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
