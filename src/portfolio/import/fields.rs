//! A field of an imported file: its name, the values its cells may have, and alternative headers. The
//! headers of a field that also occurs in tables of questions are listed in `tables::fields`, not here.

use tables::fields::{self as shared_fields, Field as SharedField};

/// The type of a field's cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellType {
    /// An identifier or a name.
    Text,
    Date,
    /// A month, given by any of its days.
    Month,
    /// A non-negative amount.
    Amount,
    /// An amount that may be negative.
    Signed,
    /// A percentage, such as 4.15, within these bounds.
    Percent(i64, i64),
    /// A plain non-negative decimal, up to this maximum.
    Decimal(i64),
    /// Square feet, or square metres if the header says so.
    Area,
    /// A whole number within these bounds.
    Count(i64, i64),
    Bool,
    /// One of these words.
    Word(&'static [&'static str]),
    Currency,
}

#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub cell_type: CellType,
    pub required: bool,
    /// Alternative headers, normalized to lower-case letters and digits.
    aliases: &'static [&'static str],
    /// The corresponding column of tables in questions. Its headers are aliases too.
    shared_field: Option<SharedField>,
}

impl Field {
    /// All headers of the field in addition to its own name, the most likely first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let shared = self.shared_field.into_iter().flat_map(shared_fields::names);
        self.aliases.iter().copied().chain(shared)
    }

    /// Adds the headers of the corresponding column of tables in questions.
    pub(super) const fn with_shared_headers(self, shared_field: SharedField) -> Self {
        Self {
            shared_field: Some(shared_field),
            ..self
        }
    }
}

pub(super) const fn required(
    name: &'static str,
    cell_type: CellType,
    aliases: &'static [&'static str],
) -> Field {
    Field {
        name,
        cell_type,
        required: true,
        aliases,
        shared_field: None,
    }
}

pub(super) const fn optional(
    name: &'static str,
    cell_type: CellType,
    aliases: &'static [&'static str],
) -> Field {
    Field {
        name,
        cell_type,
        required: false,
        aliases,
        shared_field: None,
    }
}

pub(super) const ANY_PERCENT: CellType = CellType::Percent(-100, 1000);
pub(super) const SHARE: CellType = CellType::Percent(0, 100);
pub(super) const COUNT: CellType = CellType::Count(0, 1_000_000);
pub(super) const MONTHS: CellType = CellType::Count(0, 1_200);
