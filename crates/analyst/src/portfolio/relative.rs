//! Times that are counted from the last closed month: "right now", "year to date", "last quarter". Another part of
//! [`times`](super::times).

use crate::portfolio::times::{Named, Reader, When, named};
use finance::portfolio::calendar::{Month, Span};

impl Reader<'_> {
    /// "right now", "year to date", "last month", "this quarter", "last year".
    pub(super) fn relative(&self, at: usize) -> Option<Named> {
        if let Some(used) = self.phrase(
            at,
            &[
                "right now",
                "now",
                "today",
                "currently",
                "current",
                "at the moment",
                "at present",
                "presently",
                "as of today",
                "as of now",
                "these day",
                "latest",
            ],
        ) {
            return Some(named(When::Now, used));
        }
        // "the same period 2025", "the same months of 2024".
        if let Some(lead) = self.phrase(
            at,
            &[
                "same period",
                "same month",
                "same quarter",
                "same time",
                "the same period",
                "the same month",
                "the same quarter",
                "the same time",
            ],
        ) {
            let joined = usize::from(matches!(self.word(at + lead), "of" | "in" | "for"));
            if let Some((year, length)) = self.any_year(at + lead + joined) {
                return Some(Named {
                    prior: true,
                    same: Some(year),
                    ..named(When::Span(Span::year(year)?), lead + joined + length)
                });
            }
        }
        if let Some(lead) = self.phrase(at, &["so far in", "to date in", "so far for", "so far this"])
            && let Some((year, length)) = self.any_year(at + lead)
        {
            return Some(named(self.same_months(year)?, lead + length));
        }
        let last = self.last;
        let january = Month::new(last.year(), 1)?;
        if let Some(used) = self.phrase(
            at,
            &[
                "year to date",
                "ytd",
                "so far this year",
                "this year so far",
                "this year to date",
                "since the start of the year",
                "since january 1",
                "since the beginning of the year",
                "so far",
            ],
        ) {
            return Some(self.to_date(at, used, january));
        }
        if let Some(used) = self.phrase(
            at,
            &["last month", "latest month", "most recent month", "past month"],
        ) {
            return Some(named(When::Span(Span::new(last, last)), used));
        }
        if let Some(used) = self.phrase(
            at,
            &[
                "last year",
                "prior year",
                "previous year",
                "the previous year",
                "the prior year",
                "same month last year",
                "same period last year",
                "same quarter last year",
                "same month a year ago",
                "same period a year ago",
                "same quarter a year ago",
                "same month of last year",
                "same period of last year",
                "same month of the prior year",
                "same period of the prior year",
                "same month in the prior year",
                "the same month last year",
                "the same period last year",
                "the same quarter last year",
                "the same period a year ago",
                "the same period a year earlier",
            ],
        ) {
            return Some(Named {
                when: When::Span(Span::year(last.year() - 1)?),
                remark: Some(format!("“Last year” is calendar {} here.", last.year() - 1)),
                used,
                edges: None,
                prior: true,
                same: None,
            });
        }
        if let Some(used) = self.phrase(at, &["this month"]) {
            return Some(named(When::Span(Span::new(last, last)), used));
        }
        if let Some(used) = self.phrase(at, &["this quarter", "quarter to date", "qtd"]) {
            let first = last.plus(-i32::try_from((last.number() - 1) % 3).unwrap_or(0));
            return Some(Named {
                when: When::Span(Span::new(first, last)),
                remark: Some(format!(
                    "This quarter so far: the data ends with {}.",
                    last.words()
                )),
                used,
                edges: None,
                prior: false,
                same: None,
            });
        }
        if let Some(used) = self.phrase(at, &["this year"]) {
            return Some(Named {
                when: When::Span(Span::new(january, last)),
                remark: Some(format!("This year so far: the data ends with {}.", last.words())),
                used,
                edges: None,
                prior: false,
                same: None,
            });
        }
        if let Some(used) = self.phrase(at, &["last quarter", "most recent quarter", "latest quarter"]) {
            // The last one that is whole.
            let end = last.plus(-(i32::try_from(last.number() % 3).unwrap_or(0)));
            let span = Span::ending(end, 3);
            return Some(Named {
                when: When::Span(span),
                remark: Some(format!("The last whole quarter in the data is {}.", span.words())),
                used,
                edges: None,
                prior: false,
                same: None,
            });
        }
        None
    }

    /// "year to date through August 2026", "YTD 2025": the same months of that year.
    fn to_date(&self, at: usize, used: usize, january: Month) -> Named {
        let joined = self
            .phrase(
                at + used,
                &[
                    "through",
                    "thru",
                    "as of",
                    "to",
                    "ending",
                    "ended",
                    "up to",
                    "through the end of",
                    "as of the end of",
                    "for",
                    "in",
                ],
            )
            .unwrap_or(0);
        let from = at + used + joined;
        let begun = |to: Month| Month::new(to.year(), 1).map(|first| When::Span(Span::new(first, to)));
        let month = self
            .month(from)
            .or_else(|| self.bare_month(from).filter(|_| joined > 0))
            .or_else(|| {
                let (day, length) = self.day(from)?;
                (day == Month::of(day).last_day()).then(|| (Month::of(day), length))
            });
        if let Some((when, length)) = month.and_then(|(to, length)| Some((begun(to)?, length))) {
            return named(when, used + joined + length);
        }
        if let Some((year, length)) = self.any_year(from)
            && let Some(when) = self.same_months(year)
        {
            return named(when, used + joined + length);
        }
        named(When::Span(Span::new(january, self.last)), used)
    }

    /// The months of a year up to the one in which the data ends.
    pub(super) fn same_months(&self, year: i32) -> Option<When> {
        let (from, to) = (Month::new(year, 1)?, Month::new(year, self.last.number())?);
        Some(When::Span(Span::new(from, to)))
    }
}
