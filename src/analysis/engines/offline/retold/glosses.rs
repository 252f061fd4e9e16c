//! What only says again, beside a figure, what it is or when it falls: brackets, what a promote leaves, the payment that is
//! the last one, the step that comes first.
//!
//! Takes out or tells again only what agrees with the rest; where it does not, the question stays as it is.

use crate::analysis::engines::offline::read::terms::rank;
use crate::analysis::engines::offline::retold::finding::{close, has, mark, number, places, value, word};
use crate::analysis::engines::offline::retold::pattern::Edit;
use crate::analysis::engines::offline::retold::timing::FLOWS;
use crate::analysis::engines::offline::words::scan::{Per, Shape, Sign, Token};

pub(super) fn edits(tokens: &[Token]) -> Vec<Edit> {
    let mut edits = glosses(tokens);
    edits.extend(rest_of_promote(tokens));
    edits.extend(with_a_payment(tokens));
    edits.extend(first_step(tokens));
    edits
}

/// "-40k (roof year)", "10% compounding quarterly (2.5% a quarter)": brackets that say again what an amount or a rate is.
fn glosses(tokens: &[Token]) -> Vec<Edit> {
    let flows = has(tokens, FLOWS);
    (1..tokens.len())
        .filter(|at| mark(tokens, *at, &['(']))
        .filter_map(|at| {
            let end = (at + 1..at + 7).find(|to| mark(tokens, *to, &[')']))?;
            let numbers: Vec<usize> = (at + 1..end).filter(|to| number(tokens, *to).is_some()).collect();
            let gone = match numbers.as_slice() {
                [] => flows && written_sign(tokens, at - 1) && (at + 1..end).all(|to| !times(tokens, to)),
                [only] => share_of_year(tokens, *only, at..end),
                _ => false,
            };
            gone.then(|| Edit {
                from: at,
                to: end + 1,
                told: String::new(),
            })
        })
        .collect()
}

/// An amount with its sign: no name behind it turns that.
fn written_sign(tokens: &[Token], at: usize) -> bool {
    number(tokens, at).is_some_and(|number| {
        matches!(number.sign, Sign::Minus | Sign::Plus) && matches!(number.shape, Shape::Money | Shape::Plain)
    })
}

/// Words that set when or how often an amount is paid, or how much of it counts.
fn times(tokens: &[Token], at: usize) -> bool {
    matches!(
        word(tokens, at),
        "each"
            | "every"
            | "per"
            | "a"
            | "annually"
            | "annual"
            | "yearly"
            | "monthly"
            | "month"
            | "quarterly"
            | "quarter"
            | "today"
            | "now"
            | "start"
            | "beginning"
            | "mid"
            | "midyear"
            | "twice"
            | "total"
            | "excluding"
            | "before"
            | "plus"
            | "less"
            | "not"
            | "thousands"
            | "millions"
            | "thousand"
            | "million"
            | "last"
            | "same"
            | "years"
            | "or"
            | "if"
            | "maybe"
            | "half"
            | "advance"
            | "after"
            | "includes"
            | "including"
    )
}

/// The part of a year's rate that falls on the period named with it.
fn share_of_year(tokens: &[Token], at: usize, within: std::ops::Range<usize>) -> bool {
    let Some(part) = number(tokens, at).filter(|number| number.shape == Shape::Percent) else {
        return false;
    };
    let said = |words: &[&str]| within.clone().any(|at| words.contains(&word(tokens, at)));
    let periods = match part.per {
        Some(Per::Quarter) => 4.0,
        Some(Per::Month) => 12.0,
        _ if said(&["quarter", "quarterly"]) => 4.0,
        _ if said(&["month", "monthly"]) => 12.0,
        _ => return false,
    };
    let named = if periods > 4.0 { "monthly" } else { "quarterly" };
    has(tokens, &[named])
        && (0..within.start)
            .filter_map(|at| number(tokens, at))
            .any(|year| year.shape == Shape::Percent && close(year.value / periods, part.value))
}

/// "30% promote …, the remaining 70% by ownership": what the promote leaves.
fn rest_of_promote(tokens: &[Token]) -> Option<Edit> {
    let rates = places(tokens, |number| number.shape == Shape::Percent);
    let promote = *rates.iter().find(|at| {
        (1..=3).any(|ahead| matches!(word(tokens, **at + ahead), "promote" | "carry" | "carried"))
    })?;
    let rest = *rates.iter().find(|at| {
        **at > promote
            && at
                .checked_sub(1)
                .is_some_and(|at| matches!(word(tokens, at), "remaining" | "other"))
            && close(value(tokens, **at) + value(tokens, promote), 100.0)
    })?;
    let by = matches!(word(tokens, rest + 1), "by" | "per" | "with" | "on")
        || (word(tokens, rest + 1) == "pro" && word(tokens, rest + 2) == "rata")
        || (word(tokens, rest + 1) == "according" && word(tokens, rest + 2) == "to")
        || (word(tokens, rest + 1) == "in" && word(tokens, rest + 2) == "proportion");
    let end = (rest + 2..rest + 8).find(|at| {
        matches!(
            word(tokens, *at),
            "ownership"
                | "capital"
                | "equity"
                | "stakes"
                | "stake"
                | "interests"
                | "shares"
                | "contributions"
                | "holdings"
        )
    });
    let end = end.or_else(|| (word(tokens, rest + 2) == "rata").then_some(rest + 2))?;
    let from = if rest >= 2 && word(tokens, rest - 2) == "the" {
        rest - 2
    } else {
        rest - 1
    };
    by.then(|| Edit {
        from,
        to: end + 1,
        told: "the rest pro rata".to_owned(),
    })
}

/// "With payment 18" of eighteen, "arriving together with the fifth 160k" of five: with the last one.
fn with_a_payment(tokens: &[Token]) -> Option<Edit> {
    if !has(tokens, FLOWS) {
        return None;
    }
    let spans = places(tokens, |number| {
        matches!(number.shape, Shape::Years | Shape::Months)
    });
    let [span] = spans.as_slice() else { return None };
    let count = value(tokens, *span);
    let (with, to) = (1..tokens.len()).find_map(|at| {
        if !matches!(word(tokens, at), "with" | "alongside") {
            return None;
        }
        let the = at + 1 + usize::from(word(tokens, at + 1) == "the");
        let noun = usize::from(matches!(
            word(tokens, the),
            "payment" | "instalment" | "installment" | "receipt" | "distribution"
        ));
        if let Some(label) = number(tokens, the + noun)
            && (label.shape == Shape::PaymentLabel || (noun == 1 && label.shape == Shape::Plain))
            && close(label.value, count)
        {
            return Some((at, the + noun + 1));
        }
        let nth = rank(word(tokens, the)).is_some_and(|nth| close(nth, count))
            || matches!(word(tokens, the), "last" | "final");
        let again = number(tokens, the + 1).is_some_and(|again| {
            (0..at)
                .filter_map(|at| number(tokens, at))
                .any(|one| close(one.value, again.value))
        });
        (nth && again && value(tokens, the + 1) >= 100.0).then_some((at, the + 2))
    })?;
    let mut from = with;
    while from > 0
        && matches!(
            word(tokens, from - 1),
            "arriving" | "coming" | "landing" | "paid" | "received" | "due" | "together" | "along" | "in"
        )
    {
        from -= 1;
    }
    Some(Edit {
        from,
        to,
        told: "with the last payment".to_owned(),
    })
}

/// "Up 10% every five years, the first step being at the start of year 6": where steps of that length begin anyway.
fn first_step(tokens: &[Token]) -> Option<Edit> {
    let spaced = |at: &usize| {
        at.checked_sub(1)
            .is_some_and(|before| matches!(word(tokens, before), "every" | "each"))
    };
    let every = places(tokens, |number| {
        number.value >= 2.0 && number.value.fract() == 0.0
    })
    .into_iter()
    .find(spaced)?;
    let next = value(tokens, every) + 1.0;
    let step = |at: usize| {
        matches!(
            word(tokens, at),
            "step" | "bump" | "increase" | "rise" | "escalation" | "jump" | "adjustment" | "uplift" | "raise"
        )
    };
    let first = (every + 1..tokens.len()).find(|at| word(tokens, *at) == "first" && step(at + 1))?;
    let mut from = first;
    while from > 0 && matches!(word(tokens, from - 1), "the" | "with" | "and" | "its") {
        from -= 1;
    }
    let opens = from
        .checked_sub(1)
        .filter(|at| mark(tokens, *at, &['(', ',', ';']))?;
    let mut at = first + 2;
    while matches!(
        word(tokens, at),
        "is" | "being"
            | "comes"
            | "coming"
            | "hits"
            | "hitting"
            | "takes"
            | "taking"
            | "effect"
            | "effective"
            | "lands"
            | "falls"
            | "kicks"
            | "starts"
            | "starting"
            | "begins"
            | "in"
            | "on"
            | "at"
            | "from"
            | "the"
            | "start"
            | "beginning"
            | "of"
            | "with"
            | "lease"
    ) {
        at += 1;
    }
    // "Year 6", "lease year 6", "the sixth year".
    let told = match number(tokens, at) {
        Some(number) if number.shape == Shape::YearLabel => {
            at += 1;
            number.value
        }
        Some(number) if word(tokens, at - 1) == "year" => {
            at += 1;
            number.value
        }
        _ if word(tokens, at) == "year" => {
            at += 2;
            value(tokens, at - 1)
        }
        _ => {
            let rank = rank(word(tokens, at))?;
            at += 1 + usize::from(word(tokens, at + 1) == "lease");
            (word(tokens, at) == "year").then_some(())?;
            at += 1;
            rank
        }
    };
    let bracket = mark(tokens, opens, &['(']);
    let closes = if bracket {
        mark(tokens, at, &[')'])
    } else {
        at >= tokens.len() || mark(tokens, at, &['.', ',', ';', '?', ':'])
    };
    (close(told, next) && closes).then(|| Edit {
        from: opens,
        to: at + usize::from(bracket),
        told: String::new(),
    })
}
