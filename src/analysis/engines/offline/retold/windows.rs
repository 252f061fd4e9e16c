//! The stretch of a loan's life that a question is about, told as the readers know it: "by year 5" is "in the first 5
//! years", "halfway through year 4" is "after 42 months", "March through May" is a number of days.
//!
//! Knows loans only. What has two readings stays as it is.

use crate::analysis::engines::offline::read::terms::{interest_only, month, rank};
use crate::analysis::engines::offline::retold::finding::{has, number, word};
use crate::analysis::engines::offline::retold::pattern::Edit;
use crate::analysis::engines::offline::words::scan::{Shape, Token};

#[rustfmt::skip]
const OTHERS: &[&str] = &["irr", "npv", "noi", "dscr", "rent", "rents", "then", "thereafter", "resets", "yield", "pref"];

pub(super) fn edits(tokens: &[Token]) -> Vec<Edit> {
    let paid = (0..tokens.len()).any(|at| {
        word(tokens, at) == "principal"
            || (word(tokens, at) == "interest" && !matches!(word(tokens, at + 1), "rate" | "rates"))
    });
    let owed = has(tokens, &["balance", "owe", "owed", "outstanding", "balloon"]);
    let mut edits = Vec::new();
    if paid && !has(tokens, &["balance", "owe", "owed"]) && !has(tokens, OTHERS) && !interest_only(tokens) {
        edits.extend((0..tokens.len()).filter_map(|at| ranks(tokens, at).or_else(|| until(tokens, at))));
    }
    if owed && !has(tokens, OTHERS) {
        edits.extend((0..tokens.len()).filter_map(|at| middle(tokens, at)));
    }
    if paid {
        edits.extend(months(tokens));
        edits.extend((0..tokens.len()).filter_map(|at| again(tokens, at)));
    }
    edits
}

/// "In year 3, i.e. payments 25 to 36", "the first 5 years (60 payments)": the same stretch told a second time.
fn again(tokens: &[Token], at: usize) -> Option<Edit> {
    let mark = |at: usize, mark: char| tokens.get(at).is_some_and(|token| token.is_mark(mark));
    if !mark(at, ',') && !mark(at, '(') {
        return None;
    }
    let before = number(tokens, at.checked_sub(1)?)?;
    // "i.e.", "that is".
    let from = (at + 1..at + 6).find(|at| {
        number(tokens, *at).is_some() || matches!(word(tokens, *at), "payments" | "pmts" | "months")
    })?;
    let said = (at + 1..from).all(|at| {
        matches!(
            word(tokens, at),
            "" | "i" | "e" | "ie" | "that" | "is" | "or" | "meaning" | "so" | "the"
        ) && !mark(at, '?')
    });
    let (end, same) = match (before.shape, number(tokens, from)) {
        (Shape::Years, Some(count)) => (
            from + 1,
            count.shape == Shape::Payments && count.value == before.value * 12.0,
        ),
        (Shape::YearLabel, Some(first)) => {
            // "payments 25 to 36" may be labels of their own.
            let last = number(tokens, from + 2)?;
            let span = (first.value, last.value) == (before.value * 12.0 - 11.0, before.value * 12.0);
            (from + 3, span && first.shape == Shape::PaymentLabel)
        }
        (Shape::YearLabel, None) => {
            let (first, last) = (number(tokens, from + 1)?, number(tokens, from + 3)?);
            let span = (first.value, last.value) == (before.value * 12.0 - 11.0, before.value * 12.0);
            (from + 4, span)
        }
        _ => return None,
    };
    let to = end + usize::from(mark(at, '(') && mark(end, ')'));
    (said && same && mark(at, '(') == (to > end)).then(|| Edit {
        from: at,
        to,
        told: String::new(),
    })
}

/// "year 5", "the end of year 5", "the fifth year": the year and the token after it.
fn year(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    let mut at = at;
    if word(tokens, at) == "the" {
        at += 1;
    }
    if matches!(word(tokens, at), "end" | "close") && word(tokens, at + 1) == "of" {
        at += 2;
    }
    if word(tokens, at) == "the" {
        at += 1;
    }
    if matches!(word(tokens, at), "year" | "yr") {
        let dash = usize::from(tokens.get(at + 1).is_some_and(|token| token.is_mark('-')));
        let value = number(tokens, at + 1 + dash)
            .filter(|number| number.shape == Shape::YearLabel)?
            .value;
        return Some((value, at + 2 + dash));
    }
    let rank = rank(word(tokens, at))?;
    matches!(word(tokens, at + 1), "year" | "yr").then_some((rank, at + 2))
}

/// Whether a stretch of years begins before this place: "from year 2 until year 5".
fn begun(tokens: &[Token], at: usize) -> bool {
    (1..=5).map_while(|back| at.checked_sub(back)).any(|at| {
        matches!(
            word(tokens, at),
            "from" | "between" | "years" | "after" | "since" | "starting" | "beginning"
        ) || rank(word(tokens, at)).is_some()
            || number(tokens, at).is_some_and(|number| number.shape == Shape::YearLabel)
    })
}

/// "Interest until year 7", "principal repaid by year 5", "until the balloon in year 10": from the first payment on.
fn until(tokens: &[Token], at: usize) -> Option<Edit> {
    const LEADS: &[&str] = &["until", "till", "til", "by", "through", "thru"];
    const ENDS: &[&str] = &[
        "balloon",
        "ballooning",
        "maturity",
        "maturing",
        "matures",
        "payoff",
        "sale",
        "refinancing",
        "refinance",
        "exit",
        "due",
        "called",
    ];
    const BALLOON: &[&str] = &["balloon", "ballooning", "maturity", "maturing", "matures"];
    let mut next = at;
    let led = LEADS.contains(&word(tokens, at));
    let upto =
        word(tokens, at) == "up" && matches!(word(tokens, at + 1), "to" | "until" | "till" | "through");
    if led {
        next += 1;
    } else if upto {
        next += 2;
    } else {
        // All interest of a loan that falls due early is paid until then.
        let all = has(tokens, &["total", "all"]) && !has(tokens, &["principal"]);
        next += usize::from(word(tokens, next) == "but");
        next += usize::from(word(tokens, next) == "with");
        if !all || !BALLOON.contains(&word(tokens, next + usize::from(word(tokens, next) == "a"))) {
            return None;
        }
    }
    let article = next + usize::from(matches!(word(tokens, next), "the" | "a" | "its"));
    if ENDS.contains(&word(tokens, article)) {
        next = article + 1;
        next += usize::from(matches!(
            word(tokens, next),
            "in" | "at" | "after" | "by" | "due" | "is"
        ));
    }
    let (value, to) = year(tokens, next)?;
    let goes_on =
        matches!(word(tokens, to), "to" | "through" | "thru" | "until") || number(tokens, to).is_some();
    (!begun(tokens, at) && !goes_on && value >= 1.0).then(|| Edit {
        from: at,
        to,
        told: match value {
            1.0 => "in year 1".to_owned(),
            _ => format!("in the first {value} years"),
        },
    })
}

/// "In the second and third year together", "from the second year to the fifth".
fn ranks(tokens: &[Token], at: usize) -> Option<Edit> {
    let mut next = at;
    if !matches!(
        word(tokens, next),
        "in" | "for" | "during" | "over" | "from" | "of"
    ) {
        return None;
    }
    next += 1;
    let skip = |at: usize, words: &[&str]| at + usize::from(words.contains(&word(tokens, at)));
    next = skip(next, &["the"]);
    let first = rank(word(tokens, next))?;
    next = skip(next + 1, &["year", "yr", "years"]);
    let joined = word(tokens, next);
    if !matches!(joined, "and" | "to" | "through" | "thru" | "until" | "till") {
        return None;
    }
    next = skip(next + 1, &["the"]);
    next = skip(next, &["end"]);
    next = skip(next, &["of"]);
    next = skip(next, &["the"]);
    let last = rank(word(tokens, next))?;
    next = skip(next + 1, &["year", "yr", "years"]);
    next = skip(next, &["together", "combined"]);
    let years = (at..next).any(|at| matches!(word(tokens, at), "year" | "yr" | "years"));
    let whole = if joined == "and" {
        last == first + 1.0
    } else {
        last > first
    };
    (years && whole).then(|| Edit {
        from: at,
        to: next,
        told: format!("in years {first} through {last}"),
    })
}

/// "Halfway through year 4", "in mid-year 4", "in the middle of the fourth year": so many months have gone by.
fn middle(tokens: &[Token], at: usize) -> Option<Edit> {
    let mut next = match (word(tokens, at), word(tokens, at + 1)) {
        ("half", "way") => at + 2,
        ("mid" | "middle" | "halfway" | "midway", _) => at + 1,
        _ => return None,
    };
    if tokens.get(next).is_some_and(|token| token.is_mark('-')) {
        next += 1;
    }
    if matches!(word(tokens, next), "of" | "through" | "into" | "in") {
        next += 1;
    }
    let (value, to) = year(tokens, next)?;
    let mut from = at;
    while from > 0 && matches!(word(tokens, from - 1), "in" | "at" | "by" | "the" | "on") {
        from -= 1;
    }
    Some(Edit {
        from,
        to,
        told: format!("after {} months", value * 12.0 - 6.0),
    })
}

/// The days of each month of a common year.
const DAYS: [f64; 12] = [
    31.0, 28.0, 31.0, 30.0, 31.0, 30.0, 31.0, 31.0, 30.0, 31.0, 30.0, 31.0,
];

/// "For January and February 2026", "March through May" at an actual day count: the days of all these months.
fn months(tokens: &[Token]) -> Option<Edit> {
    let actual = has(tokens, &["actual/360", "actual/365", "act/360", "act/365"]);
    let at = (0..tokens.len())
        .find(|at| month(word(tokens, *at)).is_some())
        .filter(|_| actual)?;
    let mut listed = vec![month(word(tokens, at))?];
    let mut next = at + 1;
    loop {
        let through = matches!(word(tokens, next), "through" | "thru");
        let mut place = next;
        while tokens.get(place).is_some_and(|token| token.is_mark(','))
            || matches!(word(tokens, place), "and" | "through" | "thru")
        {
            place += 1;
        }
        let Some(found) = month(word(tokens, place)).filter(|_| place > next) else {
            break;
        };
        let last = *listed.last()?;
        if through && found > last {
            listed.extend(last + 1..=found);
        } else if found == last + 1 {
            listed.push(found);
        } else {
            return None;
        }
        next = place + 1;
    }
    if listed.len() < 2 {
        return None;
    }
    let calendar = number(tokens, next)
        .map(|number| number.value)
        .filter(|year| year.fract() == 0.0 && (1900.0..=2100.0).contains(year));
    // A day beside a month makes it a date.
    let dated = |at: usize| number(tokens, at).is_some_and(|number| number.value <= 31.0 && number.short);
    let elsewhere = (next..tokens.len()).any(|at| month(word(tokens, at)).is_some());
    if (calendar.is_none() && dated(next)) || at.checked_sub(1).is_some_and(dated) || elsewhere {
        return None;
    }
    let leap = match calendar {
        Some(year) => chrono::NaiveDate::from_ymd_opt(year as i32, 2, 29).is_some(),
        // February has its days only in a year that is named.
        None if listed.contains(&1) => return None,
        None => false,
    };
    let days: f64 = listed.iter().filter_map(|month| DAYS.get(*month)).sum();
    let days = days + f64::from(u8::from(leap && listed.contains(&1)));
    let from = (1..=4)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| !word(tokens, *at).is_empty())
        .find(|at| matches!(word(tokens, *at), "for" | "in" | "during" | "over"))
        .unwrap_or(at);
    Some(Edit {
        from,
        to: next + usize::from(calendar.is_some()),
        told: format!("for {days} days"),
    })
}
