//! The columns of amounts of a statement by what they are of, and which of them a question means.

use chrono::{Datelike, NaiveDate};

use crate::sheets::query::vocabulary;
use crate::sheets::slots::{Reach, Slot, Version, calendar, month, quarter, slot, version};
use crate::sheets::words::{Kind as WordKind, Words};
use tables::columns::numeric_columns;
use tables::table::Table;

/// The last three months, four times which are a year.
pub(crate) const LAST_THREE: &[&str] = &[
    "t3",
    "trailing three month",
    "trailing 3 month",
    "trailing three",
    "last three month",
    "last 3 month",
];

/// The columns of amounts, each with what it is of.
pub(crate) struct View {
    pub(crate) columns: Vec<(usize, Slot)>,
}

/// What a question says about columns; of each, in the order of its words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    pub(crate) years: Vec<i32>,
    pub(crate) reaches: Vec<Reach>,
    pub(crate) versions: Vec<Version>,
}

/// The columns of a statement, if it has several that say what they are of.
pub(crate) fn view(table: &Table) -> Option<View> {
    let dated = table.months();
    let columns: Vec<(usize, Slot)> = if dated.len() >= 2 {
        let year = dated.first()?.1.year();
        // Months of one year have quarters and halves.
        if dated.len() > 12 || dated.iter().any(|(_, month)| month.year() != year) {
            return None;
        }
        let of = |month: &NaiveDate| Slot {
            reach: Some(Reach::Of(month.month())),
            ..Slot::default()
        };
        dated.iter().map(|(at, month)| (*at, of(month))).collect()
    } else {
        numeric_columns(table)
            .into_iter()
            .filter_map(|at| Some((at, slot(table.header(at))?)))
            .collect()
    };
    let twice = columns
        .iter()
        .any(|(at, slot)| columns.iter().any(|(other, own)| other != at && own == slot));
    (columns.len() >= 2 && !twice).then_some(View { columns })
}

impl View {
    fn has(&self, of: impl Fn(&Slot) -> bool) -> bool {
        self.columns.iter().any(|(_, slot)| of(slot))
    }

    /// What the question says of these columns, its words taken.
    pub(crate) fn said(&self, words: &mut Words) -> Said {
        let mut said = Said::default();
        let months = self.months();
        let quarters = months || self.has(|slot| matches!(slot.reach, Some(Reach::Quarter(_))));
        let numbered = self.has(|slot| slot.year.is_some_and(|year| year < 100));
        let years = self.has(|slot| slot.year.is_some());
        let versions = self.has(|slot| slot.version.is_some());
        let mut at = 0;
        while let Some(word) = words.all.get(at) {
            let (one, next) = (word.text.clone(), words.stem_at(at + 1).to_owned());
            // "The four quarters" are all of them, "two quarters" no second one.
            let several = words
                .all
                .get(at + 1)
                .is_some_and(|next| matches!(next.text.as_str(), "quarters" | "qtrs"))
                && matches!(one.as_str(), "one" | "two" | "three" | "four");
            let rank = vocabulary::ordinal(&one)
                .filter(|_| !several)
                .and_then(|rank| rank.parse::<u32>().ok());
            let mut length = 0;
            if quarters && let Some((number, year)) = quarter(&one) {
                said.reaches.push(Reach::Quarter(number));
                said.years.extend(year);
                length = 1;
            } else if quarters
                && matches!(next.as_str(), "quarter" | "qtr")
                && let Some(rank) = rank
            {
                said.reaches.push(Reach::Quarter(rank));
                length = 2;
            } else if quarters
                && (one == "h1" || one == "h2" || next == "half")
                && (rank.is_some() || next != "half")
            {
                let first = one == "h1" || rank == Some(1);
                let parts = if first { [1, 2] } else { [3, 4] };
                said.reaches.extend(parts.map(Reach::Quarter));
                length = if next == "half" { 2 } else { 1 };
            } else if months && let Some(number) = self.month_at(words, at) {
                said.reaches.push(Reach::Of(number));
                length = 1;
            } else if numbered
                && matches!(one.as_str(), "year" | "yr")
                && let Ok(year) = next.parse::<i32>()
            {
                said.years.push(year);
                length = 2;
            } else if years
                && !numbered
                && let Some(year) = calendar(&one)
            {
                said.years.push(year);
                length = 1;
            } else if versions && one == "pro" && next == "forma" {
                said.versions.push(Version::ProForma);
                length = 2;
            } else if versions
                && let Some(own) = version(&one).filter(|own| self.has(|slot| slot.version == Some(*own)))
            {
                said.versions.push(own);
                length = 1;
                if own == Version::Prior && next == "year" {
                    length = 2;
                }
            } else if versions
                && self.has(|slot| slot.version == Some(Version::Prior))
                && one == "last"
                && next == "year"
            {
                said.versions.push(Version::Prior);
                length = 2;
            }
            words.mark(at, length);
            at += length.max(1);
        }
        let reaches: [(Reach, &[&str]); 3] = [
            (Reach::ToDate, &["year to date", "ytd", "so far this year"]),
            (
                Reach::Month,
                &[
                    "ptd",
                    "mtd",
                    "month to date",
                    "period to date",
                    "for the month",
                    "in the month",
                    "this month",
                    "current month",
                    "the month",
                    "current period",
                ],
            ),
            (
                Reach::Year,
                &[
                    "full year",
                    "full yr",
                    "whole yr",
                    "all four quarters",
                    "all four quarter",
                    "the four quarter",
                    "four quarter",
                    "whole year",
                    "entire year",
                    "for the year",
                    "of the year",
                    "in total for the year",
                    "annual total",
                    "t12",
                    "ttm",
                    "trailing twelve month",
                    "trailing 12 month",
                    "year total",
                ],
            ),
        ];
        for (reach, phrases) in reaches {
            let whole =
                reach == Reach::Year && (quarters || self.has(|slot| slot.reach == Some(Reach::Year)));
            // "The second half of the year" is its half.
            let part = reach == Reach::Year && !said.reaches.is_empty();
            if (whole || self.has(|slot| slot.reach == Some(reach))) && words.take(phrases) && !part {
                said.reaches.push(reach);
            }
        }
        // "For the year" beside a month and a year to date is what there is of the year.
        if self.has(|slot| slot.reach == Some(Reach::ToDate))
            && !self.has(|slot| slot.reach == Some(Reach::Year))
            && words.take(&["for the year", "this year"])
        {
            said.reaches.push(Reach::ToDate);
        }
        said.years.dedup();
        if months {
            self.spread(words, &mut said);
        }
        said.reaches.dedup();
        said.versions.dedup();
        said
    }

    /// Whether the columns are months by their names.
    fn months(&self) -> bool {
        self.has(|slot| matches!(slot.reach, Some(Reach::Of(_))))
    }

    /// The month that a word names; "may" only behind a preposition.
    fn month_at(&self, words: &Words, at: usize) -> Option<u32> {
        let word = words.all.get(at).filter(|word| !word.used)?;
        let before = at.checked_sub(1).map_or("", |at| words.stem_at(at));
        match &word.kind {
            WordKind::Date(dated) if dated.precision == tables::dates::Precision::Month => {
                Some(dated.date.month())
            }
            WordKind::Plain
                if word.text != "may"
                    || matches!(before, "in" | "for" | "of" | "during" | "to" | "through" | "from") =>
            {
                month(&word.text)
            }
            _ => None,
        }
    }

    /// Quarters as their months, "from March to May" as all between, and the last three.
    fn spread(&self, words: &mut Words, said: &mut Said) {
        let ranged = words.says(&["to", "through", "thru", "until", "between"]);
        if let ([Reach::Of(from), Reach::Of(to)], true) = (said.reaches.as_slice(), ranged) {
            said.reaches = (*from..=*to).map(Reach::Of).collect();
            words.take(&["from", "to", "through", "thru", "until", "between", "and"]);
        }
        said.reaches = said
            .reaches
            .iter()
            .flat_map(|reach| match reach {
                Reach::Quarter(number) => (number * 3 - 2..=number * 3).map(Reach::Of).collect(),
                other => vec![*other],
            })
            .collect();
        if said.reaches.is_empty() && words.says(LAST_THREE) {
            let mut own: Vec<u32> = self
                .columns
                .iter()
                .filter_map(|(_, slot)| match slot.reach {
                    Some(Reach::Of(number)) => Some(number),
                    _ => None,
                })
                .collect();
            said.reaches = own
                .split_off(own.len().saturating_sub(3))
                .into_iter()
                .map(Reach::Of)
                .collect();
        }
    }

    /// The columns that fit what is said; where it says nothing, what happened comes before what was planned and a
    /// whole year before its parts.
    pub(crate) fn fitting(&self, said: &Said) -> Vec<(usize, Slot)> {
        let whole = said.reaches.contains(&Reach::Year);
        let mut fits: Vec<(usize, Slot)> = self
            .columns
            .iter()
            .copied()
            .filter(|(_, slot)| {
                let year = said.years.is_empty() || slot.year.is_none_or(|year| said.years.contains(&year));
                let reach = said.reaches.is_empty()
                    || whole
                    || slot.reach.is_some_and(|reach| said.reaches.contains(&reach));
                let version = said.versions.is_empty()
                    || said.versions.contains(&slot.version.unwrap_or(Version::Actual));
                year && reach && version
            })
            .collect();
        if !said.years.is_empty() && fits.iter().any(|(_, slot)| slot.year.is_some()) {
            fits.retain(|(_, slot)| slot.year.is_some());
        }
        let happened = |slot: &Slot| matches!(slot.version, None | Some(Version::Actual));
        if said.versions.is_empty() && fits.iter().any(|(_, slot)| happened(slot)) {
            fits.retain(|(_, slot)| happened(slot));
        }
        let year = |slot: &Slot| slot.reach == Some(Reach::Year);
        if (said.reaches.is_empty() || whole) && fits.iter().any(|(_, slot)| year(slot)) {
            fits.retain(|(_, slot)| year(slot) || slot.reach.is_none());
        }
        fits
    }
}
