//! Why a query is refused: a stable code, the position in the query, the problem, and a one-line hint on how
//! to fix it. Clients, often language models, use it to repair their query. Independent of the transport.

use serde::Serialize;

use crate::base::text;

/// Maximum length of query text that a refusal repeats, in characters.
const REPEATED: usize = 80;

/// The stable codes that clients branch on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    UnknownModel,
    UnknownMember,
    InvalidOperator,
    InvalidValue,
    InvalidDateRange,
    MixedFilterGroup,
    LimitExceeded,
    QueryTooComplex,
    QueryTimeout,
}

impl Code {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownModel => "unknown_model",
            Self::UnknownMember => "unknown_member",
            Self::InvalidOperator => "invalid_operator",
            Self::InvalidValue => "invalid_value",
            Self::InvalidDateRange => "invalid_date_range",
            Self::MixedFilterGroup => "mixed_filter_group",
            Self::LimitExceeded => "limit_exceeded",
            Self::QueryTooComplex => "query_too_complex",
            Self::QueryTimeout => "query_timeout",
        }
    }
}

/// A refused query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{detail}{}. {fix}", .path.as_error())]
pub struct Refusal {
    pub code: Code,
    /// The position in the query, such as `filters[0].operator`. Empty for the query as a whole.
    pub path: Path,
    pub detail: String,
    pub fix: String,
    /// The known names closest to an unknown one, at most three.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
}

impl Refusal {
    pub fn new(code: Code, path: &Path, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            code,
            path: path.clone(),
            detail: detail.into(),
            fix: fix.into(),
            suggestions: Vec::new(),
        }
    }

    pub fn value(path: &Path, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::new(Code::InvalidValue, path, detail, fix)
    }

    pub fn complex(path: &Path, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::new(Code::QueryTooComplex, path, detail, fix)
    }
}

/// A position in the query, in JavaScript notation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Path(String);

impl Path {
    pub fn root() -> Self {
        Self::default()
    }

    pub fn key(&self, name: &str) -> Self {
        let dot = if self.0.is_empty() { "" } else { "." };
        Self(format!("{}{dot}{}", self.0, shown(name)))
    }

    pub fn at(&self, place: usize) -> Self {
        Self(format!("{}[{place}]", self.0))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn as_error(&self) -> String {
        if self.0.is_empty() {
            String::new()
        } else {
            format!(" at {}", self.0)
        }
    }
}

/// Text from the query, shortened and on one line.
pub fn shown(text: &str) -> String {
    let plain: String = text
        .chars()
        .take(REPEATED + 1)
        .map(|sign| if sign.is_control() { ' ' } else { sign })
        .collect();
    text::shortened(&plain, REPEATED)
}
