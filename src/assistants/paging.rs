//! Lists in pages: so many rows, and where the next page begins.
//!
//! A cursor is opaque to whoever carries it. One that was tampered with is refused, and grants
//! nothing: every page is read under the caller's organization.

use crate::base::error::{Error, Result};

/// Rows of one page.
pub const PAGE: usize = 25;

#[derive(Clone, Debug)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Where the next page begins; nothing on the last.
    pub next: Option<String>,
}

/// How many rows to ask for: one more than a page shows whether there is another.
pub(super) const ASKED: i64 = PAGE as i64 + 1;

impl<T> Page<T> {
    /// From up to [`ASKED`] rows; `cursor` names the last shown.
    pub(super) fn of(mut rows: Vec<T>, cursor: impl FnOnce(&T) -> String) -> Self {
        let more = rows.len() > PAGE;
        rows.truncate(PAGE);
        let next = rows.last().filter(|_| more).map(cursor);
        Self { items: rows, next }
    }
}

/// A cursor that is an identifier.
pub(super) fn id_cursor<T: std::str::FromStr>(cursor: Option<&str>) -> Result<Option<T>> {
    cursor
        .map(|text| text.parse().map_err(|_| wrong_cursor()))
        .transpose()
}

pub(super) fn wrong_cursor() -> Error {
    Error::invalid(
        "cursor",
        "is not one that a list gave; begin again on the first page",
    )
}
