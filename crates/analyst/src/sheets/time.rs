//! Which time a question about a table means: a year, a quarter, a month, before or after a date, as of a date.
//!
//! Knows no table; what it takes from the words counts as understood.

use chrono::{Datelike, Months, NaiveDate};

use crate::sheets::words::{Kind as WordKind, Words, year};
use tables::dates::{Dated, Precision, month_named};

/// From one day to another, both included; open where none is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: Option<NaiveDate>,
    pub(crate) to: Option<NaiveDate>,
    /// In words, for the answer.
    pub(crate) label: String,
}

impl Span {
    pub(crate) fn holds(&self, date: NaiveDate) -> bool {
        self.from.is_none_or(|from| date >= from) && self.to.is_none_or(|to| date <= to)
    }
}

/// The date after "as of", or one that stands alone with "on", taken from the words.
pub(crate) fn as_of(words: &mut Words, today: NaiveDate) -> Option<NaiveDate> {
    if words.take(&["as of today", "as of now", "from today", "as at today"]) {
        return Some(today);
    }
    let dates = words.dates();
    for (at, dated) in dates {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| words.stem_at(at));
        let said = matches!(
            (before(2), before(1)),
            ("a", "of" | "at" | "on") | ("as", "of" | "at" | "on")
        ) || matches!(before(1), "asof" | "at" | "on" | "from")
            || (before(1) == "of" && before(2) == "end");
        if said {
            words.mark(at.saturating_sub(2), 3);
            return Some(dated.last_day());
        }
    }
    None
}

/// The time that rows are chosen by, taken from the words. `from` is the day that "the next 12 months" begin after.
pub(crate) fn span(words: &mut Words, from: Option<NaiveDate>) -> Option<Span> {
    if let Some(span) = coming(words, from) {
        return Some(span);
    }
    if let Some(span) = parts_of_year(words) {
        return Some(span);
    }
    let mut points: Vec<(usize, NaiveDate, NaiveDate, String)> = words
        .dates()
        .into_iter()
        .map(|(at, dated)| {
            let label = match dated.precision {
                Precision::Day => dated.date.to_string(),
                Precision::Month => dated.date.format("%B %Y").to_string(),
            };
            (at, dated.date, dated.last_day(), label)
        })
        .collect();
    points.extend(words.numbers().into_iter().filter_map(|(at, number)| {
        year(&number).map(|(first, last)| (at, first, last, number.digits.to_string()))
    }));
    points.sort_by_key(|(at, ..)| *at);
    let first = points.first()?.clone();
    if let [(at, start, _, one), (other, _, end, two)] = points.as_slice()
        && (words.says(&["between"])
            || ["to", "through", "and", "until", "or"].contains(&words.stem_at(at + 1)) && other - at == 2
            || other - at == 1)
    {
        words.mark(*at, other - at + 1);
        words.take(&["between", "from"]);
        return Some(Span {
            from: Some(*start),
            to: Some(*end),
            label: format!("{one} to {two}"),
        });
    }
    if points.len() > 1 {
        return None;
    }
    let (at, start, end, label) = first;
    words.mark(at, 1);
    // "the end of 2027", "year-end 2027" stand for the last day.
    let closing = words.take(&[
        "by the end of",
        "by end of",
        "by year end",
        "the end of",
        "end of",
        "year end",
    ]);
    // What stands farther off is of something else: "going by the expiries".
    let near = |words: &mut Words, phrases: &[&str]| near(words, at, phrases);
    let day_before = start.pred_opt();
    let day_after = end.succ_opt();
    Some(if near(words, &["before", "prior to", "earlier than"]) {
        Span {
            from: None,
            to: if closing { Some(end) } else { day_before },
            label: format!("before {label}"),
        }
    } else if near(words, &["after", "later than", "beyond", "past"]) {
        Span {
            from: day_after,
            to: None,
            label: format!("after {label}"),
        }
    } else if near(
        words,
        &["through", "until", "up to", "on or before", "no later than"],
    ) || closing
    {
        Span {
            from: None,
            to: Some(end),
            label: format!("through the end of {label}"),
        }
    } else if words.take(&["from", "since", "starting", "on or after"])
        && words.says(&["onward", "onwards", "on", "since", "later"])
    {
        words.take(&["onward", "onwards"]);
        Span {
            from: Some(start),
            to: None,
            label: format!("from {label} on"),
        }
    } else if near(words, &["by"]) {
        Span {
            from: None,
            to: Some(end),
            label: format!("by the end of {label}"),
        }
    } else {
        words.take(&["during", "in the year", "calendar year", "calendar"]);
        Span {
            from: Some(start),
            to: Some(end),
            label: format!("in {label}"),
        }
    })
}

/// Takes the phrase that leads to the date at a place, with nothing but its own words between them.
fn near(words: &mut Words, at: usize, phrases: &[&str]) -> bool {
    for phrase in phrases {
        let length = phrase.split(' ').count();
        let found = (0..at).rev().take(6).find(|start| {
            start + length <= at
                && phrase.split(' ').enumerate().all(|(n, part)| {
                    words
                        .all
                        .get(start + n)
                        .is_some_and(|word| !word.used && word.stem == part)
                })
                && (start + length..at).all(|between| {
                    words.all.get(between).is_some_and(|word| {
                        word.used
                            || matches!(
                                word.stem.as_str(),
                                "the"
                                    | "end"
                                    | "of"
                                    | "year"
                                    | "calendar"
                                    | "close"
                                    | "fiscal"
                                    | "in"
                                    | "month"
                                    | "start"
                                    | "beginning"
                                    | "on"
                                    | "and"
                                    | "including"
                            )
                    })
                })
        });
        if let Some(start) = found {
            words.mark(start, length);
            return true;
        }
    }
    false
}

/// "in the next 24 months", "within two years".
fn coming(words: &mut Words, from: Option<NaiveDate>) -> Option<Span> {
    let at = words.position(&["next", "within", "coming", "following"])?;
    let written = |at: usize| -> Option<u32> {
        match words.stem_at(at) {
            "two" => Some(2),
            "three" => Some(3),
            "six" => Some(6),
            "twelve" => Some(12),
            "five" => Some(5),
            _ => words
                .numbers()
                .into_iter()
                .find(|(place, _)| *place == at)
                .and_then(|(_, number)| u32::try_from(number.scaled(0)?).ok()),
        }
    };
    let (count, unit) = [1, 2, 3]
        .into_iter()
        .find_map(|ahead| written(at + ahead).map(|count| (count, at + ahead)))?;
    let months = match words.stem_at(unit + 1) {
        "month" => count,
        "year" => count.checked_mul(12)?,
        _ => return None,
    };
    let start = from?;
    words.mark(at, unit + 2 - at);
    Some(Span {
        from: Some(start),
        to: start.checked_add_months(Months::new(months)),
        label: format!("within {months} months of {start}"),
    })
}

/// "Q2 2026", "first half of 2026", "second quarter 2026".
fn parts_of_year(words: &mut Words) -> Option<Span> {
    let (at, first, _) = words
        .numbers()
        .into_iter()
        .find_map(|(at, number)| year(&number).map(|(first, last)| (at, first, last)))?;
    let before = |back: usize| at.checked_sub(back).map_or("", |at| words.stem_at(at));
    let skip = usize::from(before(1) == "of");
    let (near, far) = (before(1 + skip), before(2 + skip));
    let place = |word: &str| match word {
        "first" | "1st" => Some(0),
        "second" | "2nd" => Some(1),
        "third" | "3rd" => Some(2),
        "fourth" | "4th" | "last" => Some(3),
        _ => None,
    };
    let (start, length, used) = match near {
        "q1" => (0, 3, 1),
        "q2" => (3, 3, 1),
        "q3" => (6, 3, 1),
        "q4" => (9, 3, 1),
        "h1" => (0, 6, 1),
        "h2" => (6, 6, 1),
        "quarter" => (place(far)? * 3, 3, 2),
        "half" => (place(far).filter(|place| *place < 2)? * 6, 6, 2),
        _ => return None,
    };
    words.mark(at - used - skip, used + skip + 1);
    let from = first.checked_add_months(Months::new(start))?;
    let to = from.checked_add_months(Months::new(length))?.pred_opt()?;
    let what = if length == 3 {
        format!("Q{} {}", start / 3 + 1, first.year())
    } else {
        format!("H{} {}", start / 6 + 1, first.year())
    };
    Some(Span {
        from: Some(from),
        to: Some(to),
        label: format!("in {what}"),
    })
}

/// Months without a year are those of the statement, if it has them once.
pub(crate) fn dated(words: &mut Words, months: &[NaiveDate]) {
    for at in 0..words.all.len() {
        let Some(word) = words
            .all
            .get(at)
            .filter(|word| !word.used && word.kind == WordKind::Plain)
        else {
            continue;
        };
        let number = month_named(&word.text);
        let led = at.checked_sub(1).is_some_and(|before| {
            matches!(
                words.stem_at(before),
                "in" | "for"
                    | "during"
                    | "of"
                    | "from"
                    | "to"
                    | "between"
                    | "and"
                    | "through"
                    | "since"
                    | "last"
            )
        });
        let fitting: Vec<&NaiveDate> = months
            .iter()
            .filter(|month| Some(month.month()) == number)
            .collect();
        if let ([only], true) = (fitting.as_slice(), led)
            && let Some(word) = words.all.get_mut(at)
        {
            word.kind = WordKind::Date(Dated {
                date: **only,
                precision: Precision::Month,
                ambiguous: false,
            });
        }
    }
}
