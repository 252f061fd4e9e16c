//! What a field of an imported file is: its name, what its cells may be, other headers it is seen under. Headers that
//! tables in questions are known by too are listed there alone.

use tables::fields::{self as meanings, Field as Meaning};

/// What a field's cells are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// An identifier or a name.
    Text,
    Date,
    /// Any day of it.
    Month,
    /// Not negative.
    Amount,
    /// Of either sign.
    Signed,
    /// Percent in the file, 4.15; between these.
    Percent(i64, i64),
    /// A plain decimal that is not negative, at most this.
    Decimal(i64),
    /// Square feet, or square metres where the header says so.
    Area,
    /// A whole number between these.
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
    /// Normalized: lower case, letters and digits.
    aliases: &'static [&'static str],
    /// What tables in questions call it: its names there are aliases too.
    meaning: Option<Meaning>,
}

impl Field {
    /// The headers it is seen under beside its own name, the likeliest first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let shared = self.meaning.into_iter().flat_map(meanings::names);
        self.aliases.iter().copied().chain(shared)
    }

    /// The same as what tables in questions call so.
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
