//! A field of an imported file: its name, the values its cells may have, and alternative headers. Headers
//! that tables in questions share are listed only there.

use tables::fields::{self as meanings, Field as Meaning};

/// The type of a field's cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
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
    pub form: Form,
    pub required: bool,
    /// Alternative headers, normalized to lower-case letters and digits.
    aliases: &'static [&'static str],
    /// The corresponding column of tables in questions. Its headers are aliases too.
    meaning: Option<Meaning>,
}

impl Field {
    /// All headers of the field in addition to its own name, the most likely first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let shared = self.meaning.into_iter().flat_map(meanings::names);
        self.aliases.iter().copied().chain(shared)
    }

    /// Adds the headers of the corresponding column of tables in questions.
    pub(super) const fn like(self, meaning: Meaning) -> Self {
        Self {
            meaning: Some(meaning),
            ..self
        }
    }
}

pub(super) const fn must(name: &'static str, form: Form, aliases: &'static [&'static str]) -> Field {
    Field {
        name,
        form,
        required: true,
        aliases,
        meaning: None,
    }
}

pub(super) const fn may(name: &'static str, form: Form, aliases: &'static [&'static str]) -> Field {
    Field {
        name,
        form,
        required: false,
        aliases,
        meaning: None,
    }
}

pub(super) const ANY_PERCENT: Form = Form::Percent(-100, 1000);
pub(super) const SHARE: Form = Form::Percent(0, 100);
pub(super) const COUNT: Form = Form::Count(0, 1_000_000);
pub(super) const MONTHS: Form = Form::Count(0, 1_200);
