//! Pagination: the number of items per page and the cursor of the next page. Does not depend on any list.
//!
//! A cursor is opaque. It is bound to its list and filters by a checksum; an altered cursor or one of another list is
//! refused. It grants nothing: every page is read with the caller's rights.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::api::failure::Failure;
use crate::api::integer::Integer;
use crate::base::secret::{constant_time_eq, digest_of};

/// Items per page, 25 by default. Values below 1 count as 1, above 100 as 100, like `pageSize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(usize);

const DEFAULT: usize = 25;
const MAX_PAGE_SIZE: usize = 100;
/// Bytes of the checksum at the front of a cursor.
const CHECKSUM: usize = 8;

impl Default for Limit {
    fn default() -> Self {
        Self(DEFAULT)
    }
}

impl Limit {
    /// Maximum number of items.
    pub fn items(self) -> usize {
        self.0
    }

    /// Rows to query: one more than a page has, to see whether there is another page.
    pub fn rows(self) -> i64 {
        i64::try_from(self.0).unwrap_or(i64::MAX).saturating_add(1)
    }
}

/// The items of a page, and the cursor of the next page unless this is the last.
///
/// `rows` has up to [`Limit::rows`] rows; `place` gives a row's place in the order of the list. `list` names the list
/// with all filters that decide which rows it has, as in [`after`].
pub fn page<T, P: Serialize>(
    mut rows: Vec<T>,
    limit: Limit,
    list: &str,
    place: impl FnOnce(&T) -> P,
) -> (Vec<T>, Option<String>) {
    let more = rows.len() > limit.0;
    rows.truncate(limit.0);
    let next = rows
        .last()
        .filter(|_| more)
        .map(|last| after_place(list, &place(last)));
    (rows, next)
}

/// The cursor of the page that begins after `place`.
pub fn after_place(list: &str, place: &impl Serialize) -> String {
    let place = serde_json::to_string(place).unwrap_or_default();
    let mut bytes = checksum(list, &place);
    bytes.extend_from_slice(place.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The place in a cursor. None for the first page, whose cursor is absent or empty.
pub fn after<P: DeserializeOwned>(list: &str, cursor: Option<&str>) -> Result<Option<P>, Failure> {
    let wrong = || {
        let why = "is not one that this list gave for this request; begin again without it";
        Failure::field("cursor", "invalid_cursor", why)
    };
    cursor
        .filter(|cursor| !cursor.is_empty())
        .map(|cursor| decode(list, cursor).ok_or_else(wrong))
        .transpose()
}

fn decode<P: DeserializeOwned>(list: &str, cursor: &str) -> Option<P> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (sum, place) = bytes.split_at_checked(CHECKSUM)?;
    let place = std::str::from_utf8(place).ok()?;
    let known = constant_time_eq(sum, &checksum(list, place));
    known.then(|| serde_json::from_str(place).ok()).flatten()
}

fn checksum(list: &str, place: &str) -> Vec<u8> {
    let mut sum = digest_of(&format!("{list}\n{place}"));
    sum.truncate(CHECKSUM);
    sum
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Integer(number) = Integer::deserialize(deserializer)?;
        Ok(Self(usize::try_from(number).unwrap_or(1).clamp(1, MAX_PAGE_SIZE)))
    }
}

impl PartialSchema for Limit {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .default(Some(DEFAULT.into()))
            .description(Some(
                "Items of a page. What is below 1 counts as 1, what is above 100 as 100.",
            ))
            .into()
    }
}

impl ToSchema for Limit {}
