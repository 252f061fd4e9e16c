//! Pagination of lists with cursors.
//!
//! A cursor is opaque to callers. A malformed one is refused, and a forged one grants nothing: every page is read
//! within the caller's organization.

use crate::base::error::{Error, Result};

/// The number of rows on a page.
pub const PAGE: usize = 25;

/// One page of a list.
#[derive(Clone, Debug)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// The cursor of the next page. None on the last page.
    pub next: Option<String>,
}

/// The number of rows to fetch: one more than a page, to find out whether there is another page.
pub(super) const FETCH_LIMIT: i64 = PAGE as i64 + 1;

impl<T> Page<T> {
    /// A page from up to [`FETCH_LIMIT`] rows. `cursor` makes the cursor from the last row of the page.
    pub(super) fn from_rows(mut rows: Vec<T>, cursor: impl FnOnce(&T) -> String) -> Self {
        let more = rows.len() > PAGE;
        rows.truncate(PAGE);
        let next = rows.last().filter(|_| more).map(cursor);
        Self { items: rows, next }
    }
}

/// Reads a cursor that is an identifier.
pub(super) fn id_cursor<T: std::str::FromStr>(cursor: Option<&str>) -> Result<Option<T>> {
    cursor
        .map(|text| text.parse().map_err(|_| invalid_cursor()))
        .transpose()
}

pub(super) fn invalid_cursor() -> Error {
    Error::invalid("cursor", "is not valid; start again from the first page")
}
