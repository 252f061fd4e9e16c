//! Times as people name them: "T-12 through October 2026", "Q3", "end of June 2024", "as of 10/31/2026".
//!
//! What is relative is counted from the last closed month of the data, never from today. Knows no metric.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use tables::dates::month_named;

use crate::portfolio::pieces::{Kind, Piece};
use finance::portfolio::calendar::{Month, Span};

/// A time that was named, resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum When {
    /// Whole months.
    Span(Span),
    /// The month by whose end something stands: "as of October 2026", "through September".
    End(Month),
    Day(NaiveDate),
    /// The last closed month.
    Now,
    /// So many months before the last closed one, whatever is measured.
    Ago(i32),
    /// The months that end with the last closed one, or with another.
    Trailing {
        months: i32,
        to: Month,
    },
    /// After the last closed month: "the next 90 days".
    NextDays(i32),
    NextMonths(i32),
}

impl When {
    /// The same time, so many months before.
    pub(super) fn earlier_by(self, months: i32) -> Option<Self> {
        Some(match self {
            Self::Span(span) => Self::Span(Span::new(span.from.plus(-months), span.to.plus(-months))),
            Self::End(month) => Self::End(month.plus(-months)),
            Self::Day(day) => Self::End(Month::of(day).plus(-months)),
            Self::Trailing { months: of, to } => Self::Trailing {
                months: of,
                to: to.plus(-months),
            },
            Self::Now | Self::Ago(_) | Self::NextDays(_) | Self::NextMonths(_) => return None,
        })
    }
}

/// A time and how it was meant where the words left that open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) when: When,
    pub(crate) remark: Option<String>,
    pub(crate) used: usize,
    /// The two ends of a range: where a change is asked for, the one against the other.
    pub(crate) edges: Option<(When, When)>,
    /// "last year": beside another period the same months a year before it.
    pub(crate) prior: bool,
    /// "the same period 2025": the year; the months are those of the period it stands beside.
    pub(crate) same: Option<i32>,
}

/// Reads a time that begins at `at`. `last` is the last closed month.
pub(crate) fn read(pieces: &[Piece], at: usize, last: Month) -> Option<Named> {
    let reader = Reader { pieces, last };
    let ends = reader.ends(at);
    let found = [
        reader.trailing(at),
        reader.since(at),
        reader.ago(at),
        reader.some_of(at),
        reader.range(at),
        reader.next(at),
        reader.relative(at),
        ends,
        reader.period(at),
    ];
    found.into_iter().flatten().max_by_key(|named| named.used)
}

pub(super) struct Reader<'a> {
    pub(super) pieces: &'a [Piece],
    /// The last closed month.
    pub(super) last: Month,
}

pub(super) fn named(when: When, used: usize) -> Named {
    Named {
        when,
        remark: None,
        used,
        edges: None,
        prior: false,
        same: None,
    }
}

impl Reader<'_> {
    pub(super) fn word(&self, at: usize) -> &str {
        self.pieces.get(at).map_or("", Piece::word)
    }

    pub(super) fn count(&self, at: usize) -> Option<i32> {
        self.pieces.get(at)?.count()
    }

    pub(super) fn mark(&self, at: usize, mark: char) -> bool {
        self.pieces.get(at).is_some_and(|piece| piece.is_mark(mark))
    }

    /// Length of the longest of these phrases that begins at `at`.
    pub(super) fn phrase(&self, at: usize, phrases: &[&str]) -> Option<usize> {
        let fits = |phrase: &&&str| {
            phrase
                .split(' ')
                .enumerate()
                .all(|(n, word)| self.word(at + n) == word)
        };
        phrases
            .iter()
            .filter(fits)
            .map(|phrase| phrase.split(' ').count())
            .max()
    }

    pub(super) fn year(&self, at: usize) -> Option<i32> {
        let year = self.count(at)?;
        let written = self
            .pieces
            .get(at)
            .is_some_and(|piece| piece.end - piece.start == 4);
        ((1990..=2100).contains(&year) && written).then_some(year)
    }

    /// "October 2026", "10/2026", "2026-10": with its length.
    pub(super) fn month(&self, at: usize) -> Option<(Month, usize)> {
        if let Some(Piece {
            kind: Kind::Month(month),
            ..
        }) = self.pieces.get(at)
        {
            return Some((*month, 1));
        }
        let number = month_named(self.word(at))?;
        let comma = usize::from(self.mark(at + 1, ','));
        let of = usize::from(self.word(at + 1) == "of");
        let (year, used) = self.any_year(at + 1 + comma + of)?;
        Some((Month::new(year, number)?, 1 + comma + of + used))
    }

    /// "March 31, 2025", "31 March 2025", "10/31/2026".
    pub(super) fn day(&self, at: usize) -> Option<(NaiveDate, usize)> {
        if let Some(Piece {
            kind: Kind::Date(date),
            ..
        }) = self.pieces.get(at)
        {
            return Some((*date, 1));
        }
        let date = |month: u32, day: Option<i32>, year: Option<i32>| {
            NaiveDate::from_ymd_opt(year?, month, u32::try_from(day?).ok()?)
        };
        if let Some(month) = month_named(self.word(at)) {
            let comma = usize::from(self.mark(at + 2, ','));
            let found = date(month, self.count(at + 1), self.year(at + 2 + comma))?;
            return Some((found, 3 + comma));
        }
        let of = usize::from(self.word(at + 1) == "of");
        let month = month_named(self.word(at + 1 + of))?;
        let comma = usize::from(self.mark(at + 2 + of, ','));
        let found = date(month, self.count(at), self.year(at + 2 + of + comma))?;
        Some((found, 3 + of + comma))
    }

    /// "October 31", "31 Oct", "10/31": the latest such day in the data.
    fn bare_day(&self, at: usize) -> Option<(NaiveDate, usize)> {
        let written = at.checked_sub(1).is_some_and(|before| {
            matches!(self.word(before), "of" | "at" | "on" | "through" | "thru" | "by")
        });
        if written
            && self.mark(at + 1, '/')
            && !self.mark(at + 3, '/')
            && let (Some(month), Some(day)) = (self.count(at), self.count(at + 2))
        {
            let month = u32::try_from(month).ok()?;
            let year = self.last.year() - i32::from(month > self.last.number());
            let date = NaiveDate::from_ymd_opt(year, month, u32::try_from(day).ok()?)?;
            return Some((date, 3));
        }
        let (number, day) = match month_named(self.word(at)) {
            Some(number) => (number, self.count(at + 1)?),
            None => (month_named(self.word(at + 1))?, self.count(at)?),
        };
        let year = self.last.year() - i32::from(number > self.last.number());
        let date = NaiveDate::from_ymd_opt(year, number, u32::try_from(day).ok()?)?;
        Some((date, 2))
    }

    /// A month without its year is the latest that is closed.
    pub(super) fn bare_month(&self, at: usize) -> Option<(Month, usize)> {
        let number = month_named(self.word(at))?;
        // "may" and "march" are words too: only as names, or where a preposition says so.
        let before = at.checked_sub(1).map_or("", |at| self.word(at));
        let placed = matches!(
            before,
            "in" | "of" | "through" | "since" | "for" | "to" | "from" | "until"
        );
        let is_name = self.pieces.get(at).is_some_and(|piece| piece.capital);
        if !placed && !is_name {
            return None;
        }
        let year = self.last.year() - i32::from(number > self.last.number());
        Some((Month::new(year, number)?, 1))
    }

    pub(super) fn with_remark(mut named: Named, shown: &str) -> Named {
        named.remark = Some(format!(
            "No year was named: I took {shown}, the latest in the data."
        ));
        named
    }

    /// "T-12", "TTM", "last 12 months", "trailing twelve", each with "through October 2026" after it or not.
    fn trailing(&self, at: usize) -> Option<Named> {
        let short = match (self.word(at), self.count(at + 1)) {
            ("t", Some(months @ 1..=36)) => Some((months, 2)),
            ("t12" | "ttm" | "ltm" | "t12m" | "r12" | "l12m", _) => Some((12, 1)),
            ("t3" | "t3m", _) => Some((3, 1)),
            ("t6" | "t6m", _) => Some((6, 1)),
            ("t1", _) => Some((1, 1)),
            _ => None,
        };
        let trailing = short.or_else(|| self.trailing_words(at));
        let ended = trailing.is_none();
        let (months, mut used) = trailing.or_else(|| self.months_ended(at))?;
        let begun = used;
        // "T-12 months", "TTM period".
        if self.phrase(at + used, &["month", "period"]).is_some() {
            used += 1;
        }
        let mut to = self.last;
        let joined = self.phrase(
            at + used,
            &[
                "through",
                "thru",
                "ending",
                "ended",
                "to",
                "until",
                "as of",
                "through the end of",
                "ending in",
                "through end of",
                "up to",
                "as of the end of",
                "to the end of",
                "to end of",
                "until the end of",
                "ending at the end of",
                "up to the end of",
            ],
        );
        let comma = usize::from(self.mark(at + used, ','));
        let after_comma = self.phrase(
            at + used + comma,
            &["through", "thru", "ending", "ended", "as of", "to"],
        );
        // "TTM June 2026": the month may follow at once.
        for skip in [joined, after_comma.map(|length| length + comma), Some(0)]
            .into_iter()
            .flatten()
        {
            let from = at + used + skip;
            if let Some((day, length)) = self
                .day(from)
                .filter(|(day, _)| *day == Month::of(*day).last_day())
            {
                to = Month::of(day);
                used += skip + length;
                break;
            }
            let month = self
                .month(from)
                .or_else(|| self.bare_month(from).filter(|_| skip > 0))
                .or_else(|| self.quarter(from).map(|(span, length)| (span.to, length)));
            if let Some((month, length)) = month {
                to = month;
                used += skip + length;
                break;
            }
        }
        if ended && used == begun {
            return None;
        }
        // Quarters are whole ones: the last two end with the last quarter that is over.
        let quarters = (at..at + used).any(|at| self.word(at) == "quarter");
        if quarters && to == self.last {
            to = self
                .last
                .plus(-(i32::try_from(self.last.number() % 3).unwrap_or(0)));
        }
        Some(named(When::Trailing { months, to }, used))
    }

    /// "12 months ended June 2026", "the year ended December 31, 2025": what follows has to say when.
    fn months_ended(&self, at: usize) -> Option<(i32, usize)> {
        let (months, used) = match (self.word(at), self.word(at + 1)) {
            ("year", _) => (12, 1),
            ("quarter", _) => (3, 1),
            (_, "month") => (self.count(at)?, 2),
            _ => return None,
        };
        let told = matches!(self.word(at + used), "ended" | "ending")
            || (used == 2 && matches!(self.word(at + used), "through" | "to" | "until"));
        (told && (1..=36).contains(&months)).then_some((months, used))
    }

    fn trailing_words(&self, at: usize) -> Option<(i32, usize)> {
        let the = usize::from(self.word(at) == "the");
        let from = at + the;
        if !matches!(
            self.word(from),
            "last" | "past" | "trailing" | "previous" | "preceding" | "rolling" | "latest" | "recent"
        ) {
            return None;
        }
        let is_trailing = matches!(self.word(from), "trailing" | "rolling");
        if let Some(count) = self.count(from + 1) {
            let unit = self.word(from + 2);
            let months = match unit {
                "month" => count,
                "quarter" => count * 3,
                "year" => count * 12,
                "" | "noi" | "through" | "ending" | "ended" if is_trailing && matches!(count, 3 | 6 | 12) => {
                    return Some((count, the + 2));
                }
                _ if is_trailing && count == 12 => return Some((12, the + 2)),
                // "over the last twelve": months, where nothing that is counted follows.
                "" | "through" | "for" | "at" | "in" | "of" | "and" | "noi" | "opex" | "egi" | "capex"
                    if matches!(count, 3 | 6 | 12) =>
                {
                    return Some((count, the + 2));
                }
                _ => return None,
            };
            return (1..=120).contains(&months).then_some((months, the + 3));
        }
        match self.word(from + 1) {
            // "last year" is the calendar year; "the last year" the one that just went by.
            "year" if the == 1 || matches!(self.word(from), "past" | "trailing" | "rolling") => {
                Some((12, the + 2))
            }
            _ => None,
        }
    }

    /// "next 90 days", "coming year", "within six months".
    fn next(&self, at: usize) -> Option<Named> {
        let the = usize::from(self.word(at) == "the");
        let from = at + the;
        let lead = match self.word(from) {
            "next" | "coming" | "upcoming" | "following" | "within" => 1,
            _ => return None,
        };
        let lead = if self.word(from) == "within" && self.phrase(from + 1, &["the next"]).is_some() {
            3
        } else {
            lead
        };
        let (count, used) = match self.count(from + lead) {
            Some(count) => (count, lead + 1),
            None => (1, lead),
        };
        let when = match self.word(from + used) {
            "day" if used > lead => When::NextDays(count),
            "month" => When::NextMonths(count),
            "quarter" => When::NextMonths(count * 3),
            "year" => When::NextMonths(count * 12),
            _ => return None,
        };
        // "Within 90 days after October 31, 2026": the day from which such days are counted anyway.
        let mut used = the + used + 1;
        if matches!(self.word(at + used), "after" | "from" | "following")
            && let Some((day, more)) = self.day(at + used + 1)
        {
            if day != self.last.last_day() {
                return None;
            }
            used += 1 + more;
        }
        (count <= 3660).then(|| named(when, used))
    }

    /// "as of October 2026", "at the end of June 2024", "through September", "year end 2025".
    fn ends(&self, at: usize) -> Option<Named> {
        let lead = self.phrase(
            at,
            &[
                "as of",
                "as at",
                "as of the end of",
                "as of end of",
                "at the end of",
                "at end of",
                "by the end of",
                "the end of",
                "end of",
                "through",
                "thru",
                "ending",
                "ended",
                "through the end of",
                "as of month end",
                "at month end",
                "month end",
                "as of year end",
                "at year end",
                "year end",
                "by year end",
                "as of the end",
                "last day of",
                "the last day of",
                "on the last day of",
                "at the last day of",
                "as of the last day of",
                "at the close of",
                "at close of",
                "on",
            ],
        )?;
        let from = at + lead;
        if let Some((day, used)) = self.day(from) {
            return Some(named(When::Day(day), lead + used));
        }
        if let Some((day, used)) = self.bare_day(from) {
            let shown = day.format("%B %-d, %Y").to_string();
            return Some(Self::with_remark(named(When::Day(day), lead + used), &shown));
        }
        if self.word(at) == "on" {
            return None;
        }
        if let Some((month, used)) = self.month(from) {
            return Some(named(When::End(month), lead + used));
        }
        if let Some((span, used)) = self.quarter(from) {
            return Some(named(When::End(span.to), lead + used));
        }
        if let Some(year) = self.year(from) {
            return Some(named(When::End(Month::new(year, 12)?), lead + 1));
        }
        if let Some((month, used)) = self.bare_month(from) {
            // "The end of August last year".
            let of = usize::from(self.word(from + used) == "of");
            if self.phrase(from + used + of, &["last year"]).is_some() {
                let year = self.last.year() - 1;
                return Some(named(
                    When::End(Month::new(year, month.number())?),
                    lead + used + of + 2,
                ));
            }
            return Some(Self::with_remark(
                named(When::End(month), lead + used),
                &month.words(),
            ));
        }
        if self.phrase(from, &["last month"]).is_some() {
            return Some(named(When::End(self.last), lead + 2));
        }
        if self.phrase(from, &["last year"]).is_some() {
            return Some(named(When::End(Month::new(self.last.year() - 1, 12)?), lead + 2));
        }
        let year_end = self
            .pieces
            .get(at..from)
            .is_some_and(|lead| lead.iter().any(|piece| piece.word() == "year"));
        (self.word(from).is_empty() && year_end).then(|| {
            let month = Month::new(self.last.year() - 1, 12).unwrap_or(self.last);
            Self::with_remark(named(When::End(month), lead), &month.words())
        })
    }
}
