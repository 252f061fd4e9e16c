//! Lists in pages: how many items, and where the next page begins. Knows no list.
//!
//! A cursor is opaque. It is bound to its list and what was asked of it, and bears a checksum: one that was
//! altered or belongs elsewhere is refused. It grants nothing: every page is read under the caller's rights.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::api::failure::Failure;
use crate::api::integer::Integer;
use crate::base::secret::{digest_of, same};

/// Items of a page: 25 unless asked otherwise. What is below 1 counts as 1, what is above 100 as 100, as for
/// `pageSize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(usize);

const USUAL: usize = 25;
const MOST: usize = 100;
/// Bytes of the checksum at the front of a cursor.
const CHECKSUM: usize = 8;

impl Default for Limit {
    fn default() -> Self {
        Self(USUAL)
    }
}

impl Limit {
    /// Items of a page, where there is one alone.
    pub fn items(self) -> usize {
        self.0
    }

    /// Rows to ask for: one more than a page holds shows whether there is another.
    pub fn asked(self) -> i64 {
        i64::try_from(self.0).unwrap_or(i64::MAX).saturating_add(1)
    }
}

/// What a list answers: the items of this page, and the cursor of the next one unless this is the last.
///
/// `rows` are up to [`Limit::asked`]; `place` names a row's place in the list's order. `list` names the list
/// and everything asked of it that decides which rows it has, as for [`after`].
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
        .map(|last| written(list, &place(last)));
    (rows, next)
}

/// The place that a cursor names; nothing on the first page, whose cursor may be empty.
pub fn after<P: DeserializeOwned>(list: &str, cursor: Option<&str>) -> Result<Option<P>, Failure> {
    let wrong = || {
        let why = "is not one that this list gave for this request; begin again without it";
        Failure::field("cursor", "invalid_cursor", why)
    };
    cursor
        .filter(|cursor| !cursor.is_empty())
        .map(|cursor| read(list, cursor).ok_or_else(wrong))
        .transpose()
}

fn written<P: Serialize>(list: &str, place: &P) -> String {
    let place = serde_json::to_string(place).unwrap_or_default();
    let mut bytes = checksum(list, &place);
    bytes.extend_from_slice(place.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

fn read<P: DeserializeOwned>(list: &str, cursor: &str) -> Option<P> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (sum, place) = bytes.split_at_checked(CHECKSUM)?;
    let place = std::str::from_utf8(place).ok()?;
    let known = same(sum, &checksum(list, place));
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
        Ok(Self(usize::try_from(number).unwrap_or(1).clamp(1, MOST)))
    }
}

impl PartialSchema for Limit {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .default(Some(USUAL.into()))
            .description(Some(
                "Items of a page. What is below 1 counts as 1, what is above 100 as 100.",
            ))
            .into()
    }
}

impl ToSchema for Limit {}
