//! Calendar periods by name: quarters, halves, years, and ranges between two of them. The other part of [`times`](super::times).

use crate::portfolio::times::{Named, Reader, When, named};
use finance::portfolio::calendar::{Month, Span};
use tables::dates::month_named;

impl Reader<'_> {
    /// "Q3 2026", "third quarter", "3Q26": with its length; without a year the latest that is closed.
    pub(super) fn quarter(&self, at: usize) -> Option<(Span, usize)> {
        let word = self.word(at);
        let ordinal = |word: &str| match word {
            "first" => Some(1),
            "second" => Some(2),
            "third" => Some(3),
            "fourth" => Some(4),
            _ => None,
        };
        let spelled = ordinal(word)
            .or_else(|| self.count(at).and_then(|count| u32::try_from(count).ok()))
            .filter(|quarter| *quarter <= 4 && self.word(at + 1) == "quarter");
        let (quarter, used) = match (word.as_bytes(), spelled) {
            (_, Some(quarter)) => (quarter, 2),
            ([b'q', digit @ b'1'..=b'4'] | [digit @ b'1'..=b'4', b'q'], _) => (u32::from(digit - b'0'), 1),
            _ => return None,
        };
        let of = usize::from(matches!(self.word(at + used), "of" | "in"));
        let comma = usize::from(self.mark(at + used, ','));
        let (year, length) = self.any_year(at + used + of + comma)?;
        Some((Span::quarter(year, quarter)?, used + of + comma + length))
    }

    /// "2026", "'26", "FY26", and "26" or "-26" close to what stands before it: with its length.
    pub(super) fn any_year(&self, at: usize) -> Option<(i32, usize)> {
        if let Some(year) = self.year(at) {
            return Some((year, 1));
        }
        if let Some(year) = self.fiscal(at) {
            return Some((year, 1));
        }
        let mark = self.pieces.get(at)?;
        let signed = mark.is_mark('\'') || mark.is_mark('-');
        let number = self.pieces.get(at + usize::from(signed))?;
        let before = self.pieces.get(at.checked_sub(1)?)?;
        let tight = match (signed, mark.is_mark('-')) {
            (true, true) => before.end == mark.start && mark.end == number.start,
            (true, false) => mark.end == number.start,
            _ => before.end == number.start,
        };
        let used = 1 + usize::from(signed);
        // "Oct-31, 2026" is a day.
        let comma = usize::from(self.mark(at + used, ','));
        let is_day = self.year(at + used + comma).is_some();
        let value = number.number().and_then(|_| number.count())?;
        (tight && !is_day && number.end - number.start == 2 && value <= 60).then_some((2000 + value, used))
    }

    /// "FY25", "CY2025".
    fn fiscal(&self, at: usize) -> Option<i32> {
        let word = self.word(at);
        let digits = word.strip_prefix("fy").or_else(|| word.strip_prefix("cy"))?;
        let year = digits.parse::<i32>().ok()?;
        let year = if year < 100 { 2000 + year } else { year };
        (1990..=2100).contains(&year).then_some(year)
    }

    fn bare_quarter(&self, at: usize) -> Option<(Span, usize)> {
        let (quarter, used) = match (self.word(at).as_bytes(), self.word(at), self.word(at + 1)) {
            ([b'q', digit @ b'1'..=b'4'] | [digit @ b'1'..=b'4', b'q'], ..) => (u32::from(digit - b'0'), 1),
            (_, "first", "quarter") => (1, 2),
            (_, "second", "quarter") => (2, 2),
            (_, "third", "quarter") => (3, 2),
            (_, "fourth", "quarter") => (4, 2),
            _ => return None,
        };
        Some((self.latest(|year| Span::quarter(year, quarter))?, used))
    }

    fn half(&self, at: usize) -> Option<(Span, usize)> {
        let (half, used) = match (self.word(at), self.word(at + 1)) {
            ("first", "half") => (1, 2),
            ("second", "half") => (2, 2),
            ("h1" | "1h", _) => (1, 1),
            ("h2" | "2h", _) => (2, 1),
            _ => return None,
        };
        let of = usize::from(matches!(self.word(at + used), "of" | "in"));
        let (year, length) = self.any_year(at + used + of)?;
        Some((Span::half(year, half)?, used + of + length))
    }

    /// "H1": the latest that is closed.
    fn bare_half(&self, at: usize) -> Option<(Span, usize)> {
        let half = match self.word(at) {
            "h1" | "1h" => 1,
            "h2" | "2h" => 2,
            _ => return None,
        };
        Some((self.latest(|year| Span::half(year, half))?, 1))
    }

    /// The part of a year in the last one where it is closed.
    fn latest(&self, part: impl Fn(i32) -> Option<Span>) -> Option<Span> {
        let this = part(self.last.year())?;
        if this.to <= self.last {
            Some(this)
        } else {
            part(self.last.year() - 1)
        }
    }

    /// A day, a month, a quarter, a half or a year.
    pub(super) fn period(&self, at: usize) -> Option<Named> {
        if let Some((day, used)) = self.day(at) {
            return Some(named(When::Day(day), used));
        }
        if let Some((span, used)) = self.quarter(at).or_else(|| self.half(at)) {
            return Some(named(When::Span(span), used));
        }
        if let Some((month, used)) = self.month(at) {
            return Some(named(When::Span(Span::new(month, month)), used));
        }
        let lead = self
            .phrase(
                at,
                &["calendar", "calendar year", "year", "full year", "cy", "the year"],
            )
            .unwrap_or(0);
        if let Some(year) = self.year(at + lead) {
            if let Some(used) = self.phrase(at + lead + 1, &["ytd", "year to date", "so far", "to date"]) {
                return Some(named(self.same_months(year)?, lead + 1 + used));
            }
            return Some(named(When::Span(Span::year(year)?), lead + 1));
        }
        // "FY25", "CY2025", "FY 25".
        let apart = matches!(self.word(at), "fy" | "cy" | "fiscal");
        let more = self.phrase(at, &["fiscal year"]).unwrap_or(1);
        let written = |at: usize| self.pieces.get(at).map_or(0, |piece| piece.end - piece.start);
        let two = |at: usize| {
            let signed = usize::from(self.mark(at, '\''));
            let value = self.count(at + signed).filter(|_| written(at + signed) == 2)?;
            Some((2000 + value, 1 + signed))
        };
        let fiscal = if apart {
            let four = self.year(at + more).map(|year| (year, 1));
            four.or_else(|| two(at + more))
                .map(|(year, used)| (year, more + used))
        } else {
            self.fiscal(at).map(|year| (year, 1))
        };
        if let Some((year, used)) = fiscal {
            let mut found = named(When::Span(Span::year(year)?), used);
            found.remark = Some(format!("I took the year as calendar {year}."));
            return Some(found);
        }
        if let Some((span, used)) = self.bare_quarter(at) {
            return Some(Self::with_remark(named(When::Span(span), used), &span.words()));
        }
        if let Some((span, used)) = self.bare_half(at) {
            return Some(Self::with_remark(named(When::Span(span), used), &span.words()));
        }
        let (month, used) = self.bare_month(at)?;
        Some(Self::with_remark(
            named(When::Span(Span::new(month, month)), used),
            &month.words(),
        ))
    }

    /// "from January to June 2026", "11/2025 - 10/2026", "Q1 to Q3 2026", "between … and …".
    pub(super) fn range(&self, at: usize) -> Option<Named> {
        let lead = self.phrase(at, &["from", "between"]).unwrap_or(0);
        if let Some(days) = self.days(at + lead) {
            return match days {
                Days::Ahead { count, used } => Some(named(When::NextDays(count), lead + used)),
                // Two days that are read each by itself: which is asked.
                Days::Apart => None,
                Days::Months => self.months(at, lead),
            };
        }
        self.months(at, lead)
    }

    /// From one day to another, the year with the first one or not.
    fn days(&self, at: usize) -> Option<Days> {
        let bare = || {
            let number = month_named(self.word(at))?;
            let day = u32::try_from(self.count(at + 1)?).ok()?;
            (day <= 31).then_some((number, day, 2))
        };
        let (first, one) = match self.day(at) {
            Some((day, used)) => (Ok(day), used),
            None => bare().map(|(number, day, used)| (Err((number, day)), used))?,
        };
        let join = at + one;
        if !self.mark(join, '-') && !matches!(self.word(join), "to" | "through" | "thru" | "until" | "and") {
            return None;
        }
        let (last, two) = self.day(join + 1)?;
        let first = match first {
            Ok(day) => day,
            Err((number, day)) => chrono::NaiveDate::from_ymd_opt(Month::of(last).year(), number, day)?,
        };
        if first > last {
            return None;
        }
        let end = self.last.last_day();
        let whole = |day: chrono::NaiveDate| day == Month::of(day).last_day();
        let months = (whole(first) || first == Month::of(first).first_day()) && whole(last);
        // Without its year the first day is none for the reader of months.
        if months && one != 2 {
            return Some(Days::Months);
        }
        let next = end.succ_opt()? == first;
        let count = i32::try_from((last - end).num_days()).ok()?;
        Some(if next {
            Days::Ahead {
                count,
                used: one + 1 + two,
            }
        } else {
            Days::Apart
        })
    }

    /// A range of months, by their names or by days that begin and end them.
    fn months(&self, at: usize, lead: usize) -> Option<Named> {
        let (first, one) = self.edge(at + lead)?;
        let join = at + lead + one;
        let joined = if self.mark(join, '-') {
            1
        } else {
            let between = lead > 0 && self.word(at) == "between";
            match self.word(join) {
                "to" | "through" | "thru" | "until" => 1,
                "and" if between => 1,
                _ => return None,
            }
        };
        let (last, two) = self.edge(join + joined)?;
        let (_, to) = last.months?;
        let from = match first.months {
            Some((from, _)) => from,
            // "January to June 2026": the year stands once.
            None => Month::new(to.year() - i32::from(first.number? > to.number()), first.number?)?,
        };
        let edges = first
            .months
            .zip(last.months)
            .map(|((a, b), (c, d))| (When::Span(Span::new(a, b)), When::Span(Span::new(c, d))));
        (from <= to).then(|| Named {
            edges,
            ..named(When::Span(Span::new(from, to)), lead + one + joined + two)
        })
    }

    /// "since January 2025": from its first month on; "after 2020": what comes later; "before 2020".
    pub(super) fn since(&self, at: usize) -> Option<Named> {
        let lead = match self.word(at) {
            "since" | "after" => 1,
            "before" => 1,
            "from" if self.starts_now(at) => 1,
            _ => return None,
        };
        let end = self
            .phrase(at + lead, &["the end of", "end of", "year end"])
            .unwrap_or(0);
        let from = at + lead + end;
        let (months, used) = match self.edge(from) {
            Some((edge, used)) => (
                edge.months.or_else(|| {
                    let (month, _) = self.bare_month(from)?;
                    Some((month, month))
                })?,
                used,
            ),
            None if self.phrase(from, &["last year"]).is_some() => {
                let year = Span::year(self.last.year() - 1)?;
                ((year.from, year.to), 2)
            }
            None => return None,
        };
        let used = lead + end + used;
        let (mut first, mut last) = months;
        // Of a day only the ends of its month can be told: "on or before June 30", "before July 1", "after June 30".
        if let Some((day, _)) = self.day(from).filter(|_| self.month(from).is_none()) {
            let or_on = at >= 2 && self.word(at - 1) == "or" && self.word(at - 2) == "on";
            let begins = day == first.first_day();
            let ends = day == last.last_day();
            match (self.word(at), or_on) {
                ("before", true) if ends => first = first.plus(1),
                ("before", false) if begins => {}
                ("after", true) if begins => last = last.plus(-1),
                ("after", false) if ends => {}
                ("before" | "after", _) => return None,
                _ => {}
            }
        }
        // Ends that nobody means: as far as anything goes.
        let (least, most) = (Month::new(1900, 1)?, Month::new(2199, 12)?);
        Some(match (self.word(at), end > 0) {
            // "Before the end of 2028": that year is in it.
            ("before", true) => named(When::Span(Span::new(least, last)), used),
            ("before", false) => named(When::Span(Span::new(least, first.plus(-1))), used),
            ("after", _) => named(When::Span(Span::new(last.plus(1), most)), used),
            (_, true) => Named {
                edges: Some((When::End(last), When::Now)),
                ..named(When::Span(Span::new(last.plus(1), self.last)), used)
            },
            _ if first > self.last => return None,
            _ => Named {
                edges: Some((When::Span(Span::new(first, last)), When::Now)),
                ..named(When::Span(Span::new(first, self.last)), used)
            },
        })
    }

    /// "from January 2026 on".
    fn starts_now(&self, at: usize) -> bool {
        self.edge(at + 1)
            .is_some_and(|(_, used)| matches!(self.word(at + 1 + used), "on" | "onward" | "onwards"))
    }

    /// "a year ago", "six months ago", "this time last year".
    pub(super) fn ago(&self, at: usize) -> Option<Named> {
        if let Some(used) = self.phrase(
            at,
            &[
                "this time last year",
                "same time last year",
                "at this time last year",
                "the same time last year",
            ],
        ) {
            return Some(named(When::End(self.last.plus(-12)), used));
        }
        let count = match self.word(at) {
            "a" | "an" => 1,
            _ => self.count(at)?,
        };
        let months = match self.word(at + 1) {
            "month" => count,
            "quarter" => count * 3,
            "year" => count * 12,
            _ => return None,
        };
        let told = matches!(self.word(at + 2), "ago" | "earlier" | "before");
        // "A year earlier" counts from what was spoken of, "a year ago" from now.
        let when = if self.word(at + 2) == "ago" {
            When::End(self.last.plus(-months))
        } else {
            When::Ago(months)
        };
        (told && months <= 120).then(|| named(when, 3))
    }

    /// "the first nine months of 2026", "last two quarters of 2025".
    pub(super) fn some_of(&self, at: usize) -> Option<Named> {
        let the = usize::from(self.word(at) == "the");
        let first = match self.word(at + the) {
            "first" => true,
            "last" | "final" => false,
            _ => return None,
        };
        let count = self.count(at + the + 1)?;
        let months = match self.word(at + the + 2) {
            "month" => count,
            "quarter" => count * 3,
            _ => return None,
        };
        let of = usize::from(matches!(self.word(at + the + 3), "of" | "in"));
        let year = Span::year(self.year(at + the + 3 + of)?)?;
        let span = if first {
            Span::new(year.from, year.from.plus(months - 1))
        } else {
            Span::ending(year.to, months)
        };
        (1..=12)
            .contains(&months)
            .then(|| named(When::Span(span), the + 4 + of))
    }

    fn edge(&self, at: usize) -> Option<(Edge, usize)> {
        if let Some((month, used)) = self.month(at) {
            return Some((
                Edge {
                    months: Some((month, month)),
                    number: None,
                },
                used,
            ));
        }
        if let Some((day, used)) = self.day(at) {
            let month = Month::of(day);
            return Some((
                Edge {
                    months: Some((month, month)),
                    number: None,
                },
                used,
            ));
        }
        if let Some((span, used)) = self.quarter(at) {
            return Some((
                Edge {
                    months: Some((span.from, span.to)),
                    number: None,
                },
                used,
            ));
        }
        if let Some(number) = month_named(self.word(at)) {
            return Some((
                Edge {
                    months: None,
                    number: Some(number),
                },
                1,
            ));
        }
        let span = Span::year(self.year(at)?)?;
        Some((
            Edge {
                months: Some((span.from, span.to)),
                number: None,
            },
            1,
        ))
    }
}

/// From one day to another.
enum Days {
    /// They begin with the first day that is ahead.
    Ahead { count: i32, used: usize },
    /// They are whole months.
    Months,
    /// They begin or end within a month.
    Apart,
}

/// An end of a range: whole months, or a month whose year stands at the other end.
struct Edge {
    months: Option<(Month, Month)>,
    number: Option<u32>,
}
