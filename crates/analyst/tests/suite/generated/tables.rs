//! A generated table with its true values, and what may be changed about it.

use chrono::NaiveDate;

use super::building::Money;
use super::random::Random;
use super::style::Style;
use super::{arrears, budget, mix, roll, statement};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    RentRoll,
    Statement,
    Delinquency,
    Budget,
    UnitMix,
}

pub const KINDS: [Kind; 5] = [
    Kind::RentRoll,
    Kind::Statement,
    Kind::Delinquency,
    Kind::Budget,
    Kind::UnitMix,
];

/// What makes a table unlike what its maker usually prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mutation {
    None,
    /// Units with a state that is rarely seen.
    StatusAdded,
    /// Another word for one of the usual states.
    StatusRenamed,
    MonthDropped,
    MonthRepeated,
    MonthTranslated,
    /// A sign or word is added to the heading of a month.
    MonthMarked,
    TotalsTwice,
    Footer,
    /// Of a group, only its total is printed.
    GroupCollapsed,
    /// A further column of prices that nobody pays.
    PriceList,
    DecimalMark,
}

impl Mutation {
    /// A style as this changes it.
    pub fn styled(self, style: Style, random: &mut Random) -> Style {
        if self == Self::DecimalMark {
            style.with_decimal_comma(random)
        } else {
            style
        }
    }
}

/// The columns of a maker, for changes.
pub fn headed<C: Copy>(columns: &[(C, &str)]) -> Vec<(C, String)> {
    let columns = columns.iter();
    columns
        .map(|(column, header)| (*column, (*header).to_owned()))
        .collect()
}

impl Kind {
    fn mutations(self) -> &'static [Mutation] {
        match self {
            Self::RentRoll => &[
                Mutation::StatusAdded,
                Mutation::StatusRenamed,
                Mutation::TotalsTwice,
                Mutation::Footer,
                Mutation::PriceList,
                Mutation::DecimalMark,
            ],
            Self::Statement => &[
                Mutation::MonthDropped,
                Mutation::MonthRepeated,
                Mutation::MonthTranslated,
                Mutation::MonthMarked,
                Mutation::TotalsTwice,
                Mutation::Footer,
                Mutation::GroupCollapsed,
                Mutation::DecimalMark,
            ],
            Self::Delinquency => &[
                Mutation::StatusAdded,
                Mutation::StatusRenamed,
                Mutation::TotalsTwice,
                Mutation::Footer,
                Mutation::DecimalMark,
            ],
            Self::Budget => &[
                Mutation::TotalsTwice,
                Mutation::Footer,
                Mutation::GroupCollapsed,
                Mutation::DecimalMark,
            ],
            Self::UnitMix => &[
                Mutation::TotalsTwice,
                Mutation::Footer,
                Mutation::PriceList,
                Mutation::DecimalMark,
            ],
        }
    }
}

/// What a true value is compared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Amount,
    Count,
    /// A fraction of one.
    Share,
}

pub struct Question {
    pub text: String,
    pub value: f64,
    pub scale: Scale,
    /// The same figure in another measure that an answer names: a year's rent, a share of the area, a growth rate.
    pub instead: Option<(f64, Scale)>,
    /// The table leaves something open, so that asking back is right.
    pub open: bool,
    /// The answer must say that a month is missing, in one of these words.
    pub says: Vec<String>,
}

impl Question {
    pub fn money(text: impl Into<String>, value: Money) -> Self {
        Self::new(text, value as f64 / 100.0, Scale::Amount)
    }

    pub fn count(text: impl Into<String>, value: usize) -> Self {
        Self::new(text, value as f64, Scale::Count)
    }

    pub fn share(text: impl Into<String>, part: usize, whole: usize) -> Self {
        Self::new(text, part as f64 / whole as f64, Scale::Share)
    }

    pub fn new(text: impl Into<String>, value: f64, scale: Scale) -> Self {
        Self {
            text: text.into(),
            value,
            scale,
            instead: None,
            open: false,
            says: Vec::new(),
        }
    }
}

/// The months that a statement covers, each by its first day.
#[derive(Clone, Debug)]
pub struct Period {
    pub months: Vec<NaiveDate>,
}

/// What a writer of one kind returns.
pub struct Page {
    pub maker: &'static str,
    pub rows: Vec<Vec<String>>,
    pub style: Style,
    pub questions: Vec<Question>,
    pub period: Option<Period>,
}

pub struct Table {
    pub seed: u64,
    pub kind: Kind,
    pub mutation: Mutation,
    pub maker: &'static str,
    pub name: String,
    pub text: String,
    pub questions: Vec<Question>,
    pub period: Option<Period>,
}

/// Questions of each table.
pub const QUESTIONS: usize = 2;

/// The table of a seed. Kinds take turns.
pub fn table(seed: u64) -> Table {
    let mut random = Random::new(seed);
    let kind = KINDS[usize::try_from(seed).unwrap() % KINDS.len()];
    let all = kind.mutations();
    // Every fourth table is as its maker prints it.
    let mutation = if random.chance(25) {
        Mutation::None
    } else {
        random.one(all)
    };
    let page = match kind {
        Kind::RentRoll => roll::page(&mut random, mutation),
        Kind::Statement => statement::page(&mut random, mutation),
        Kind::Delinquency => arrears::page(&mut random, mutation),
        Kind::Budget => budget::page(&mut random, mutation),
        Kind::UnitMix => mix::page(&mut random, mutation),
    };
    let mut questions = page.questions;
    random.shuffle(&mut questions);
    questions.truncate(QUESTIONS);
    Table {
        seed,
        kind,
        mutation,
        maker: page.maker,
        name: format!(
            "{}.{}",
            random.pick(&["report", "export", "download"]),
            page.style.ending()
        ),
        text: page.style.file(&page.rows),
        questions,
        period: page.period,
    }
}

/// Lines below a table, as wide as it.
pub fn footer(random: &mut Random, building: &str, width: usize) -> Vec<Vec<String>> {
    let at = |place: usize, text: &str| {
        let mut row = vec![String::new(); place + 1];
        row[place] = text.to_owned();
        row
    };
    match random.below(6) {
        0 => vec![at(width + 1, building), at(width + 1, "11/12/2026 11:16:56 PM")],
        1 => vec![at(0, "Page 1 of 1")],
        2 => vec![at(
            0,
            &format!("Printed 11/12/2026 08:15 AM by office, {building}"),
        )],
        3 => {
            let mut row = at(0, building);
            row.resize(width, String::new());
            row[width - 1] = "Page 1".to_owned();
            vec![Vec::new(), row]
        }
        4 => vec![
            at(0, "* Amounts are as of the date of the report."),
            at(0, "** Subject to change."),
        ],
        _ => vec![at(1, "Created on"), at(1, "11/12/2026"), at(width - 1, "v7.2")],
    }
}
