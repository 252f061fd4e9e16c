//! What stands in a question about a lease, in order: rents, percentages, years from one to another, area, term, free
//! months.
//!
//! Knows no calculation. A number that is none of these leaves the question unread.

use crate::forms::words::Words;
use crate::read::terms;
use crate::words::scan::{Base, Per, Shape};

/// How a rent is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rate {
    AreaYear,
    AreaMonth,
    Year,
    Month,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Item {
    Rent(f64, Rate),
    /// A fraction, with the token it stands at.
    Share(f64, usize),
    /// Lease years, both included.
    Span(usize, usize),
    /// The year in which increases begin.
    Start(usize),
    /// The year that is asked about.
    Asked(usize),
    Area(f64),
    /// Years.
    Term(f64),
    /// Months.
    Free(f64),
}

/// The end of a span that runs to the end of the lease.
pub(crate) const OPEN: usize = 1000;
const YEARS: &[&str] = &["year", "years", "yr", "yrs"];

/// Everything in order; none where a number has no such meaning.
pub(crate) fn items(words: &Words) -> Option<Vec<Item>> {
    let mut items: Vec<Item> = Vec::new();
    let mut calendar: Option<f64> = None;
    let mut at = 0;
    while at < words.tokens.len() {
        if let Some((item, to)) = span(words, at, &items) {
            items.push(item);
            at = to;
            continue;
        }
        let Some(number) = words.number(at) else {
            if rest(words, at) && !ends(&items) {
                let from = last(&items) + 1;
                // "3% bumps thereafter" begins then; "3% thereafter" is of the years that are left.
                items.push(Item::Span(from, OPEN));
            }
            at += 1;
            continue;
        };
        if number.doubtful || number.foreign {
            return None;
        }
        let before = at.checked_sub(1).map_or("", |at| words.word(at));
        let item = match number.shape {
            Shape::Percent => Item::Share(number.value / 100.0, at),
            // "2026 410,000; 2027 422,300": years by their names.
            Shape::Calendar | Shape::Plain if number.short && (1990.0..2100.0).contains(&number.value) => {
                let year = whole(number.value - *calendar.get_or_insert(number.value) + 1.0)?;
                Item::Span(year, year)
            }
            Shape::Area => Item::Area(number.value),
            Shape::Months if words.word(at + 1) == "free" || words.word(at + 2) == "free" => {
                Item::Free(number.value)
            }
            Shape::Months => Item::Term(number.value / 12.0),
            Shape::Years => match before {
                "first" | "initial" => Item::Span(1, whole(number.value)?),
                "next" | "following" | "subsequent" | "remaining" | "last" | "final" | "another" => {
                    let from = last(&items) + 1;
                    Item::Span(from, last(&items) + whole(number.value)?)
                }
                _ => Item::Term(number.value),
            },
            _ if number.shape == Shape::Money || number.base == Some(Base::Area) => {
                let rate = match (number.base, number.every, number.per) {
                    (Some(Base::Area), Some(Per::Month), _) => Rate::AreaMonth,
                    (Some(Base::Area), None | Some(Per::Year), _) => Rate::AreaYear,
                    (None, _, Some(Per::Month)) => Rate::Month,
                    (None, _, Some(Per::Year)) => Rate::Year,
                    (None, _, None) if number.value < 300.0 => Rate::AreaYear,
                    (None, _, None) if number.value >= 30_000.0 => Rate::Year,
                    _ => return None,
                };
                Item::Rent(number.value, rate)
            }
            Shape::Plain if matches!(before, "first") && !number.scaled && words.word(at + 1) == "lease" => {
                Item::Span(1, whole(number.value)?)
            }
            Shape::Plain
                if matches!(before, "remaining" | "last" | "final" | "next")
                    && !number.scaled
                    && number.value < 50.0 =>
            {
                Item::Span(last(&items) + 1, last(&items) + whole(number.value)?)
            }
            Shape::Plain if number.scaled || number.value >= 30_000.0 => Item::Rent(number.value, Rate::Year),
            _ => return None,
        };
        items.push(item);
        at += 1;
    }
    Some(ordered(items))
}

fn whole(value: f64) -> Option<usize> {
    (value.fract() == 0.0 && (1.0..100.0).contains(&value)).then_some(value as usize)
}

/// The last year told so far.
fn last(items: &[Item]) -> usize {
    items
        .iter()
        .filter_map(|item| match item {
            Item::Span(_, to) => Some(*to),
            _ => None,
        })
        .max()
        .unwrap_or(0)
        .min(OPEN)
}

fn ends(items: &[Item]) -> bool {
    last(items) >= OPEN
}

/// "thereafter", "the rest", "after that".
fn rest(words: &Words, at: usize) -> bool {
    let share = (1..=4).filter_map(|back| at.checked_sub(back)).any(|at| {
        words
            .number(at)
            .is_some_and(|number| number.shape == Shape::Percent)
    });
    share
        && (matches!(
            words.word(at),
            "thereafter" | "afterwards" | "remainder" | "rest" | "balance"
        ) || (words.word(at) == "after" && matches!(words.word(at + 1), "that" | "this")))
}

/// "years 1-3", "year one", "yr1", "years four and five", "through year 2", "the 5th year", "first year".
fn span(words: &Words, at: usize, items: &[Item]) -> Option<(Item, usize)> {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| words.word(at));
    let word = words.word(at);
    if let Some(rank) = terms::rank(word)
        && YEARS.contains(&words.word(at + 1))
    {
        return Some((placed(words, at, rank as usize, rank as usize, items), at + 2));
    }
    if let Some(digits) = ["year", "yr", "y"]
        .iter()
        .find_map(|head| word.strip_prefix(head))
        && let Ok(year) = digits.parse::<usize>()
    {
        return Some((Item::Span(year, year), at + 1));
    }
    let labelled = words
        .number(at)
        .filter(|number| number.shape == Shape::YearLabel && !YEARS.contains(&before(1)));
    let first = if labelled.is_some() {
        at
    } else if YEARS.contains(&word) {
        at + 1
    } else {
        return None;
    };
    let year = |at: usize| -> Option<usize> {
        let spelled = [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        ];
        if let Some(place) = spelled.iter().position(|word| *word == words.word(at)) {
            return Some(place + 1);
        }
        let number = words.number(at)?;
        let plain = matches!(
            number.shape,
            Shape::Plain | Shape::YearLabel | Shape::Years | Shape::Multiple
        );
        (plain && !number.dollars && !number.scaled)
            .then(|| whole(number.value))
            .flatten()
    };
    let from = year(first)?;
    let joins = |at: usize| {
        words.mark(at, '-')
            || words.mark(at, '\u{2014}')
            || matches!(words.word(at), "to" | "through" | "thru" | "and" | "until")
    };
    if joins(first + 1) {
        let next = if YEARS.contains(&words.word(first + 2)) {
            first + 3
        } else {
            first + 2
        };
        if let Some(to) = year(next).filter(|to| *to > from) {
            return Some((Item::Span(from, to), next + 1));
        }
    }
    if matches!(before(1), "until" | "till" | "before") {
        return Some((Item::Start(from), first + 1));
    }
    if matches!(before(1), "through" | "thru") || (before(1) == "of" && before(2) == "end") {
        return Some((Item::Span(1, from), first + 1));
    }
    Some((placed(words, at, from, from, items), first + 1))
}

/// One year: asked about, the one that increases begin in, or one of the list.
fn placed(words: &Words, at: usize, from: usize, to: usize, items: &[Item]) -> Item {
    let near = |back: usize| at.checked_sub(back).map_or("", |at| words.word(at));
    let begins = (1..=3).any(|back| matches!(near(back), "starting" | "beginning" | "commencing" | "start"));
    if begins
        && matches!(
            items.last(),
            Some(Item::Share(..) | Item::Span(..) | Item::Rent(..))
        )
    {
        return Item::Start(from);
    }
    let asks = (1..=7)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| words.number(*at).is_none() && !words.mark(*at, '.') && !words.mark(*at, ','))
        .any(|at| matches!(words.word(at), "what" | "rate" | "what's" | "whats" | "rent"));
    let last = words.numbers().last().is_some_and(|number| number <= at + 1);
    if last && asks && matches!(near(1), "in" | "of" | "for" | "the" | "during" | "lease") {
        return Item::Asked(from);
    }
    Item::Span(from, to)
}

/// "6% in year 1 and 3% thereafter": what is left begins where the last span ended.
fn ordered(items: Vec<Item>) -> Vec<Item> {
    let mut end = 0;
    items
        .into_iter()
        .map(|item| match item {
            Item::Span(from, to) => {
                let from = if to == OPEN { end + 1 } else { from };
                end = to.min(OPEN);
                Item::Span(from, to)
            }
            other => other,
        })
        .collect()
}
