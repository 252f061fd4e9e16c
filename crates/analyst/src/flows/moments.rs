//! When money moves, as people say it: "in years 1 to 5", "for nine years", "with the last one", "a year later".
//!
//! Knows words of time and their numbers; which amount they belong to is read elsewhere.

use crate::flows::cues::{back, mark, number, unit, word};
use crate::flows::labels::labels;
use crate::flows::when::{Found, Moment};
use crate::read::terms::rank;
use crate::words::scan::{Kind, Per, Shape, Token};

/// The phrase of time that begins at `at`.
pub(crate) fn moment(tokens: &[Token], at: usize) -> Option<Found> {
    nothing(tokens, at)
        .or_else(|| beginning(tokens, at))
        .or_else(|| ending(tokens, at))
        .or_else(|| labels(tokens, at))
        .or_else(|| spans(tokens, at))
        .or_else(|| each(tokens, at))
}

/// "nothing for two years", "no cash in year 1".
fn nothing(tokens: &[Token], at: usize) -> Option<Found> {
    if !matches!(word(tokens, at), "nothing" | "none" | "nil" | "no") {
        return None;
    }
    let mut next = at + 1;
    while matches!(
        word(tokens, next),
        "cash"
            | "flow"
            | "flows"
            | "income"
            | "comes"
            | "at"
            | "all"
            | "the"
            | "first"
            | "for"
            | "in"
            | "during"
            | "over"
            | "is"
            | "received"
            | "distributions"
            | "back"
            | "coming"
            | "out"
            | "goes"
            | "paid"
            | "to"
            | "us"
            | "returned"
            | "happens"
    ) {
        next += 1;
    }
    if matches!(
        word(tokens, next),
        "between" | "cost" | "initial" | "outlay" | "upfront" | "today" | "now" | "capex"
    ) {
        return Some((Moment::Plain, Per::Year, next + 1));
    }
    // "take nothing in year 1": the year of no amount.
    if number(tokens, next).is_some_and(|n| n.shape == Shape::YearLabel) {
        return Some((Moment::Plain, Per::Year, next + 1));
    }
    if matches!(word(tokens, next), "year" | "years" | "yr")
        && number(tokens, next + 1).is_some_and(|n| n.shape == Shape::YearLabel)
    {
        return Some((Moment::Plain, Per::Year, next + 2));
    }
    let (found, per) = count(tokens, next)?;
    if word(tokens, at) == "no" && next == at + 1 {
        return None;
    }
    Some((Moment::Nothing(found), per, next + 1))
}

/// A number of periods in one token.
fn count(tokens: &[Token], at: usize) -> Option<(usize, Per)> {
    let found = number(tokens, at)?;
    let per = match found.shape {
        Shape::Years => Per::Year,
        // "twelve months from now": a year, beside flows that come by the year.
        Shape::Months
            if found.value > 0.0
                && found.value % 12.0 == 0.0
                && matches!(word(tokens, at + 1), "from" | "later" | "hence" | "after" | "out") =>
        {
            return Some(((found.value / 12.0) as usize, Per::Year));
        }
        Shape::Months => Per::Month,
        Shape::Plain if matches!(word(tokens, at + 1), "quarters") => Per::Quarter,
        _ => return None,
    };
    let whole = found.value.fract() == 0.0 && (0.0..=600.0).contains(&found.value);
    Some((if whole { found.value as usize } else { usize::MAX }, per))
}

/// The start of all, or of each period.
fn beginning(tokens: &[Token], at: usize) -> Option<Found> {
    let here = word(tokens, at);
    let now = |to| Some((Moment::Now, Per::Year, to));
    let advance = |to| Some((Moment::Advance, Per::Year, to));
    match here {
        // "an upfront payment of 520k" is a noun's, and said of the amount behind it.
        "upfront"
            if matches!(
                word(tokens, at + 1),
                "payment" | "price" | "cost" | "investment" | "outlay" | "fee" | "equity" | "capital"
            ) =>
        {
            return None;
        }
        // "not now but in a year", "rather than today", "in today's money".
        "not" | "than" if matches!(word(tokens, at + 1), "now" | "today") => {
            return Some((Moment::Plain, Per::Year, at + 2));
        }
        "rather" if word(tokens, at + 1) == "than" && matches!(word(tokens, at + 2), "now" | "today") => {
            return Some((Moment::Plain, Per::Year, at + 3));
        }
        "today's" => return Some((Moment::Plain, Per::Year, at + 1)),
        "today" if word(tokens, at + 1) == "s" => return Some((Moment::Plain, Per::Year, at + 2)),
        "today" | "now" | "upfront" | "immediately" | "initially" | "outset" => return now(at + 1),
        "day" if number(tokens, at + 1).is_some_and(|n| n.value == 1.0) => return now(at + 2),
        "up" if word(tokens, at + 1) == "front" => return now(at + 2),
        "annuity" if word(tokens, at + 1) == "due" => return advance(at + 2),
        "in" if word(tokens, at + 1) == "advance" => return advance(at + 2),
        "t" | "time" => {
            let to = at + 1 + usize::from(mark(tokens, at + 1, '='));
            if number(tokens, to).is_some_and(|n| n.value == 0.0) {
                return now(to + 1);
            }
            // "130k at t=3".
            if to > at + 1
                && let Some(n) = number(tokens, to)
                && n.short
                && n.value.fract() == 0.0
                && n.value <= 100.0
            {
                return Some((Moment::At(vec![n.value as usize]), Per::Year, to + 1));
            }
        }
        _ => {}
    }
    // "if the purchase is 1.5m" names no time.
    if !matches!(here, "at" | "on" | "in" | "from") {
        return None;
    }
    let mut next = at + 1;
    while matches!(word(tokens, next), "the" | "very") {
        next += 1;
    }
    match word(tokens, next) {
        "day" if number(tokens, next + 1).is_some_and(|n| n.value == 1.0) => now(next + 2),
        "closing" | "close" | "completion" | "signing" | "acquisition" | "purchase" | "inception" => {
            now(next + 1)
        }
        "start" | "beginning" | "outset" => {
            if word(tokens, next + 1) != "of" {
                return now(next + 1);
            }
            let each = next + 2;
            match (word(tokens, each), word(tokens, each + 1)) {
                ("each" | "every", noun) if unit(noun).is_some() => advance(each + 2),
                ("the", noun) if unit(noun).is_some() => advance(each + 2),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What a last flow is called after "the last".
fn flow_noun(word: &str) -> bool {
    matches!(
        word,
        "one"
            | "receipt"
            | "payment"
            | "flow"
            | "rent"
            | "instalment"
            | "installment"
            | "coupon"
            | "distribution"
            | "dividend"
            | "cheque"
            | "check"
            | "amount"
            | "of"
            | "them"
            | "these"
            | "those"
            | "cash"
            | "year"
            | "period"
            | "month"
            | "quarter"
            | "years"
    )
}

/// "with the last", "at maturity", "at the end", "alongside the seventh".
fn ending(tokens: &[Token], at: usize) -> Option<Found> {
    let mut next = at;
    while matches!(
        word(tokens, next),
        "with" | "along" | "alongside" | "together" | "at" | "in" | "on" | "by" | "during" | "and"
    ) && next < at + 4
    {
        if word(tokens, next) == "and" && next == at {
            return None;
        }
        next += 1;
    }
    if next == at {
        return None;
    }
    if matches!(word(tokens, next), "maturity" | "expiry" | "expiration") {
        return Some((Moment::Last, Per::Year, next + 1));
    }
    while matches!(word(tokens, next), "the" | "very" | "their" | "its") {
        next += 1;
    }
    match word(tokens, next) {
        "same" | "that" if unit(word(tokens, next + 1)).is_some() => {
            Some((Moment::Same, Per::Year, next + 2))
        }
        "last" | "final" => {
            // "the last two years" are several.
            if number(tokens, next + 1).is_some() {
                return Some((Moment::Unclear, Per::Year, next + 2));
            }
            let mut to = next + 1;
            while flow_noun(word(tokens, to)) {
                to += 1;
            }
            Some((Moment::Last, Per::Year, to))
        }
        "end" | "close" if word(tokens, next + 1) == "of" => {
            let mut to = next + 2;
            while matches!(word(tokens, to), "the" | "its" | "our" | "that") {
                to += 1;
            }
            match word(tokens, to) {
                "each" | "every" => Some((Moment::Plain, Per::Year, to + 2)),
                "same" => Some((Moment::Same, Per::Year, to + 2)),
                "last" | "final" => Some((Moment::Last, Per::Year, to + 2)),
                "term" | "hold" | "holding" | "period" | "lease" | "investment" | "project" | "stream"
                | "deal" | "it" | "them" => {
                    let period = usize::from(word(tokens, to + 1) == "period");
                    Some((Moment::Last, Per::Year, to + 1 + period))
                }
                // "3.1m at the end of 7 years": once, with the last of them.
                _ if count(tokens, to).is_some() => {
                    count(tokens, to).map(|(years, per)| (Moment::At(vec![years]), per, to + 1))
                }
                _ => ranks(tokens, to).map(|(years, to)| {
                    let per = unit(word(tokens, to));
                    (
                        Moment::At(years),
                        per.unwrap_or(Per::Year),
                        to + usize::from(per.is_some()),
                    )
                }),
            }
        }
        // "at end yr 1".
        "end"
            if unit(word(tokens, next + 1)) == Some(Per::Year)
                && number(tokens, next + 2)
                    .is_some_and(|n| n.short && n.value.fract() == 0.0 && !n.dollars) =>
        {
            number(tokens, next + 2).map(|n| (Moment::At(vec![n.value as usize]), Per::Year, next + 3))
        }
        "end" => Some((Moment::Last, Per::Year, next + 1)),
        _ => {
            let (years, to) = ranks(tokens, next)?;
            let per = unit(word(tokens, to));
            let with = matches!(word(tokens, at), "with" | "along" | "alongside" | "together");
            // "31,000 at the end of the first year, 36,000 in the third": the noun was said before.
            let said = (0..at).any(|at| {
                let several = number(tokens, at + 1).is_some_and(|n| n.shape == Shape::Years);
                rank(word(tokens, at)).is_some() && (several || unit(word(tokens, at + 1)) == Some(Per::Year))
            });
            if per.is_none() && !with && !said {
                return None;
            }
            let noun = flow_noun(word(tokens, to));
            Some((
                Moment::At(years),
                per.unwrap_or(Per::Year),
                to + usize::from(noun),
            ))
        }
    }
}

/// "second", "second, third and fourth": the places and the token after them.
fn ranks(tokens: &[Token], at: usize) -> Option<(Vec<usize>, usize)> {
    let mut places = vec![rank(word(tokens, at))? as usize];
    let mut to = at + 1;
    loop {
        let mut next = to;
        while mark(tokens, next, ',') || word(tokens, next) == "and" {
            next += 1;
        }
        match rank(word(tokens, next)).filter(|_| next > to) {
            Some(place) => {
                places.push(place as usize);
                to = next + 1;
            }
            None => return Some((places, to)),
        }
    }
}

/// "for nine years", "in 4 years", "six years later", "a year after the last rent".
fn spans(tokens: &[Token], at: usize) -> Option<Found> {
    // "… and owe 136,500 the year after".
    let after = matches!(word(tokens, at + 3), "" | "and" | "that") || tokens.get(at + 3).is_none();
    if word(tokens, at) == "the"
        && word(tokens, at + 2) == "after"
        && after
        && number(tokens, at + 3).is_none()
        && let Some(per) = unit(word(tokens, at + 1))
    {
        let that = usize::from(word(tokens, at + 3) == "that");
        return Some((Moment::Later(1), per, at + 3 + that));
    }
    let (found, per, next) = if matches!(word(tokens, at), "a" | "one" | "another")
        && let Some(per) = unit(word(tokens, at + 1))
    {
        (1, per, at + 2)
    } else if let Some((found, per)) = count(tokens, at) {
        let quarters = usize::from(per == Per::Quarter);
        (found, per, at + 1 + quarters)
    } else if back(tokens, at, 1).any(|word| matches!(word, "next" | "following"))
        && number(tokens, at)
            .is_some_and(|n| n.shape == Shape::Plain && n.short && n.value <= 60.0 && !n.dollars)
        && (tokens
            .get(at + 1)
            .is_none_or(|next| matches!(next.kind, Kind::Mark(_)))
            || word(tokens, at + 1) == "and")
    {
        let years = number(tokens, at).map_or(0, |n| n.value as usize);
        (years, Per::Year, at + 1)
    } else if word(tokens, at) == "next" && unit(word(tokens, at + 1)).is_some() {
        return Some((Moment::At(vec![1]), unit(word(tokens, at + 1))?, at + 2));
    } else {
        return None;
    };
    if found == usize::MAX {
        return Some((Moment::Unclear, per, next));
    }
    let lead = back(tokens, at, 1).next().unwrap_or("");
    let behind = word(tokens, next);
    let held = |word: &str| matches!(word, "hold" | "holding" | "held" | "horizon");
    if held(behind) || (mark(tokens, next, '-') && held(word(tokens, next + 1))) {
        let to = next + 1 + usize::from(mark(tokens, next, '-'));
        let period = usize::from(word(tokens, to) == "period");
        return Some((Moment::Term(found), per, to + period));
    }
    if back(tokens, at, 3).any(held) {
        return Some((Moment::Term(found), per, next));
    }
    let moment = match (behind, word(tokens, next + 1)) {
        ("from", "now" | "today" | "closing") => return Some((Moment::At(vec![found]), per, next + 2)),
        ("later" | "hence", _) => return Some((Moment::Later(found), per, next + 1)),
        ("out", _) => return Some((Moment::At(vec![found]), per, next + 1)),
        ("after", "the") if matches!(word(tokens, next + 2), "last" | "final") => {
            let mut to = next + 3;
            while flow_noun(word(tokens, to)) {
                to += 1;
            }
            return Some((Moment::AfterLast(found), per, to));
        }
        ("after", "that" | "this") => return Some((Moment::Later(found), per, next + 2)),
        ("after", "closing" | "purchase" | "acquisition" | "today") => {
            return Some((Moment::At(vec![found]), per, next + 2));
        }
        ("after", _) if lead == "for" => Moment::Span {
            count: found,
            over: false,
        },
        // "back in the three years after", "over the next four years that followed".
        ("after" | "afterwards" | "thereafter" | "following", "" | "and" | "with" | "plus")
            if lead == "the"
                && found > 1
                && back(tokens, at, 2).any(|word| matches!(word, "in" | "over" | "during" | "across")) =>
        {
            Moment::Span {
                count: found,
                over: true,
            }
        }
        // "over four years before we walked away".
        (
            "before",
            "we" | "i" | "they" | "it" | "he" | "she" | "the" | "selling" | "exiting" | "closing" | "folding"
            | "failing",
        ) if matches!(lead, "over" | "for" | "across" | "next" | "following" | "first") => Moment::Span {
            count: found,
            over: lead != "for",
        },
        ("after" | "before" | "ago" | "earlier", _) => Moment::Unclear,
        _ => match lead {
            "in" | "after" => Moment::At(vec![found]),
            "within" | "last" | "remaining" | "every" | "until" | "till" | "than" | "previous" => {
                Moment::Unclear
            }
            // "a year" alone is how often, and read with its amount.
            _ if number(tokens, at).is_none() => Moment::Each,
            "over" | "across" => Moment::Span {
                count: found,
                over: true,
            },
            _ => Moment::Span {
                count: found,
                over: back(tokens, at, 3).any(|word| matches!(word, "over" | "across" | "within"))
                    || ends(tokens, at),
            },
        },
    };
    Some((moment, per, next))
}

/// "at the end of the next five years": a list is spread over them.
fn ends(tokens: &[Token], at: usize) -> bool {
    let words: Vec<&str> = back(tokens, at, 5).collect();
    matches!(
        words.as_slice(),
        ["next" | "following", "the", "of", "end" | "ends", ..]
            | ["the", "of", "end" | "ends", ..]
            | ["next" | "following", "of", "end" | "ends", ..]
    )
}

/// "each year", "annually", "in arrears", "quarterly cash flows".
fn each(tokens: &[Token], at: usize) -> Option<Found> {
    let here = word(tokens, at);
    if matches!(here, "each" | "every") {
        if let Some(per) = unit(word(tokens, at + 1)) {
            return Some((Moment::Each, per, at + 2));
        }
        // "in each of years 1-4", "120k each"; "every flow" says nothing of how often.
        let of = word(tokens, at + 1) == "of";
        let behind = at
            .checked_sub(1)
            .is_some_and(|before| number(tokens, before).is_some());
        let moment = if of || behind { Moment::Each } else { Moment::Plain };
        return Some((moment, Per::Year, at + 1 + usize::from(of)));
    }
    if here == "per" && matches!(word(tokens, at + 1), "annum" | "year") {
        return Some((Moment::Each, Per::Year, at + 2));
    }
    if (here == "in" && word(tokens, at + 1) == "arrears") || here == "arrears" {
        return Some((Moment::Plain, Per::Year, at + 1 + usize::from(here == "in")));
    }
    let per = match here {
        "annual" | "annually" | "yearly" => Per::Year,
        "monthly" => Per::Month,
        "quarterly" => Per::Quarter,
        _ => return None,
    };
    let mut next = at + 1;
    while matches!(
        word(tokens, next),
        "cash" | "net" | "flow" | "cashflow" | "equity" | "operating"
    ) {
        next += 1;
    }
    while word(tokens, next).ends_with('s') && next < at + 4 {
        next += 1;
    }
    // "annual distributions of 210k, 260k, …" are a list, each of a year.
    // What the flows are called says their side as well.
    if matches!(
        word(tokens, next - 1),
        "distributions" | "receipts" | "dividends" | "rents" | "inflows"
    ) && next > at + 1
    {
        return Some((Moment::Frequency, per, next - 1));
    }
    // "Flows are quarterly: …".
    let headed = mark(tokens, at + 1, ':')
        && back(tokens, at, 1).any(|word| matches!(word, "are" | "is" | "come" | "were"))
        && back(tokens, at, 3)
            .any(|word| matches!(word, "flows" | "cashflows" | "figures" | "amounts" | "periods"));
    if headed {
        return Some((Moment::Frequency, per, at + 1));
    }
    let flows = next > at + 1 && (word(tokens, next - 1).ends_with('s') || mark(tokens, next, ':'));
    if flows {
        return Some((Moment::Frequency, per, next));
    }
    Some((Moment::Each, per, at + 1))
}
