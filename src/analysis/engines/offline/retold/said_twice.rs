//! What a question says twice, or by its place: counts of payments that its years hold already, a move and its two ends,
//! the ends of a list, the payment after which a balance is asked.
//!
//! Takes out or tells again only what agrees with the rest; where it does not, the question stays as it is.

use crate::analysis::engines::offline::read::terms::rank;
use crate::analysis::engines::offline::retold::finding::{
    close, has, mark, number, percent, places, shaped, value, word,
};
use crate::analysis::engines::offline::retold::listed;
use crate::analysis::engines::offline::retold::pattern::Edit;
use crate::analysis::engines::offline::say::format;
use crate::analysis::engines::offline::words::scan::{Number, Shape, Token};

pub(super) fn edits(tokens: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    edits.extend(repeated_count(tokens));
    edits.extend(repeated_move(tokens));
    edits.extend(repeated_year(tokens));
    edits.extend(twelfth(tokens));
    edits.extend(clause_counts(tokens));
    edits.extend(same_moment(tokens).into_iter().flatten());
    edits.extend(listed::month_before(tokens));
    edits.extend(listed::count_of_parts(tokens));
    edits.extend(ends_of_range(tokens));
    edits.extend(whole_years(tokens));
    edits.extend(owed_after(tokens).into_iter().flatten());
    edits
}

/// "(all 60 payments combined)", "i.e. after the 84 amortizing payments": what the years say already.
fn repeated_count(tokens: &[Token]) -> Option<Edit> {
    let at = places(tokens, |number| {
        matches!(number.shape, Shape::Payments | Shape::Plain | Shape::PaymentLabel)
            && (12.0..=480.0).contains(&number.value)
    })
    .into_iter()
    .find(|at| {
        (1..=3).any(|ahead| {
            matches!(
                word(tokens, at + ahead),
                "payments" | "payment" | "instalments" | "pmts"
            )
        }) || number(tokens, *at).is_some_and(|number| number.shape != Shape::Plain)
    })?;
    let years: Vec<f64> = tokens
        .iter()
        .filter_map(Token::number)
        .filter(|number| matches!(number.shape, Shape::Years | Shape::YearLabel))
        .map(|number| number.value)
        .collect();
    let count = value(tokens, at) / 12.0;
    let whole = years.iter().any(|years| close(*years, count));
    let rest = years
        .iter()
        .any(|all| years.iter().any(|part| close(all - part, count)));
    let glue = |at: usize| {
        matches!(
            word(tokens, at),
            "all"
                | "i"
                | "e"
                | "ie"
                | "that"
                | "is"
                | "so"
                | "after"
                | "the"
                | "first"
                | "full"
                | "meaning"
                | "over"
                | "in"
                | "through"
                | "namely"
        ) || mark(tokens, at, &['.', '-'])
    };
    let mut from = at;
    while from > 0 && glue(from - 1) {
        from -= 1;
    }
    let opens = from.checked_sub(1).filter(|at| mark(tokens, *at, &['(', ',']))?;
    let bracket = mark(tokens, opens, &['(']);
    let mut to = at + 1;
    while matches!(
        word(tokens, to),
        "amortizing"
            | "amortising"
            | "monthly"
            | "level"
            | "payments"
            | "payment"
            | "pmts"
            | "combined"
            | "together"
            | "total"
            | "in"
            | "all"
            | "instalments"
    ) {
        to += 1;
    }
    let closes = if bracket {
        mark(tokens, to, &[')'])
    } else {
        to == tokens.len() || mark(tokens, to, &['.', ',', '?', ';'])
    };
    ((whole || rest) && closes).then(|| Edit {
        from: opens,
        to: to + usize::from(bracket),
        told: String::new(),
    })
}

/// "50 bps from 6.0% to 6.5%": the move is told twice.
fn repeated_move(tokens: &[Token]) -> Option<Edit> {
    let points = places(tokens, shaped(Shape::BasisPoints));
    let rates = places(tokens, shaped(Shape::Percent));
    let ([points], [one, two]) = (points.as_slice(), rates.as_slice()) else {
        return None;
    };
    let moved = (value(tokens, *one) - value(tokens, *two)).abs() * 100.0;
    let linked = one.abs_diff(*two) <= 3 && points.abs_diff(*one).min(points.abs_diff(*two)) <= 4;
    if !linked || (moved - value(tokens, *points)).abs() > 1e-6 {
        return None;
    }
    let from = points.saturating_sub(usize::from(*points > 0 && word(tokens, points - 1) == "by"));
    Some(Edit {
        from: if mark(tokens, from.saturating_sub(1), &[',']) {
            from - 1
        } else {
            from
        },
        to: points + 1 + usize::from(mark(tokens, points + 1, &[',', ')'])),
        told: String::new(),
    })
}

/// "The third year (payments 25 through 36)": the payments of that year.
fn repeated_year(tokens: &[Token]) -> Option<Edit> {
    let label = tokens
        .iter()
        .filter_map(Token::number)
        .find(|number| number.shape == Shape::YearLabel)
        .map(|number| number.value);
    let ranked = (0..tokens.len()).find_map(|at| {
        let year = word(tokens, at + 1) == "year"
            || (word(tokens, at + 1) == "loan" && word(tokens, at + 2) == "year");
        rank(word(tokens, at)).filter(|_| year)
    });
    let year = label.or(ranked)?;
    let at = (1..tokens.len()).find(|at| {
        matches!(
            word(tokens, *at),
            "payments" | "pmts" | "months" | "payment" | "instalments"
        ) && mark(tokens, at - 1, &['(', ','])
    })?;
    let numbers: Vec<usize> = (at..tokens.len().min(at + 6))
        .filter(|at| number(tokens, *at).is_some())
        .collect();
    let [from, to] = numbers.as_slice() else {
        return None;
    };
    let same =
        close(value(tokens, *from), (year - 1.0) * 12.0 + 1.0) && close(value(tokens, *to), year * 12.0);
    let closed = usize::from(mark(tokens, to + 1, &[')']));
    same.then(|| Edit {
        from: at - 1,
        to: to + 1 + closed,
        told: String::new(),
    })
}

/// "Monthly at 3.90%/12": the rate of a year, by the month.
fn twelfth(tokens: &[Token]) -> Option<Edit> {
    let twelve = |at: usize| {
        number(tokens, at).is_some_and(|number| close(number.value, 12.0) && number.shape == Shape::Plain)
    };
    let (from, to) = places(tokens, shaped(Shape::Percent))
        .into_iter()
        .find_map(|at| {
            // "3.9% Treasury (divide by 12, monthly)": the name of the rate stands between.
            let named = (at + 1..at + 4)
                .find(|at| word(tokens, *at).is_empty())
                .unwrap_or(at + 1);
            let opens = usize::from(mark(tokens, named, &['(', ',']));
            let mut by = named + opens;
            if mark(tokens, at + 1, &['/']) && twelve(at + 2) {
                return Some((at + 1, at + 3));
            }
            if !matches!(word(tokens, by), "divide" | "divided" | "div") && !mark(tokens, by, &['/']) {
                return None;
            }
            by += 1 + usize::from(word(tokens, by + 1) == "by");
            if opens == 0 || !twelve(by) {
                return None;
            }
            let mut to = by + 1;
            while matches!(
                word(tokens, to),
                "monthly" | "for" | "a" | "per" | "each" | "month" | "the" | "rate"
            ) || (mark(tokens, to, &[',']) && word(tokens, to + 1) == "monthly")
            {
                to += 1;
            }
            if mark(tokens, named, &['(']) {
                mark(tokens, to, &[')']).then_some((named, to + 1))
            } else {
                Some((named, to))
            }
        })?;
    has(tokens, &["monthly", "month", "payment", "payments"]).then(|| Edit {
        from,
        to,
        told: String::new(),
    })
}

/// "The remaining 48 payments and the month-120 balloon" of a clause: what the term and the payments made say already.
fn clause_counts(tokens: &[Token]) -> Vec<Edit> {
    if !has(tokens, &["ym", "maintenance"]) {
        return Vec::new();
    }
    let months = |number: &Number| match number.shape {
        Shape::Years => number.value * 12.0,
        _ => number.value,
    };
    let all: Vec<f64> = tokens.iter().filter_map(Token::number).map(months).collect();
    let mut edits = Vec::new();
    for at in places(tokens, |number| {
        matches!(number.shape, Shape::Payments | Shape::Plain | Shape::MonthLabel)
    }) {
        let count = value(tokens, at);
        let before = |back: usize| at.checked_sub(back).map_or("", |at| word(tokens, at));
        let rest = all
            .iter()
            .any(|term| all.iter().any(|paid| close(term - paid, count)));
        // How long the loan runs, told elsewhere too.
        let term = all.iter().filter(|other| close(**other, count)).count() > 1;
        if rest && matches!(before(1), "remaining" | "last" | "final") && count >= 6.0 {
            let after = usize::from(matches!(word(tokens, at + 1), "payments" | "pmts"));
            edits.push(Edit {
                from: at,
                to: at + 1 + after,
                told: "payments".to_owned(),
            });
        }
        if term && word(tokens, at + 1) == "balloon" {
            let month = if before(1) == "month" {
                1
            } else if before(2) == "month" && before(1).is_empty() {
                2
            } else {
                0
            };
            edits.push(Edit {
                from: at - month,
                to: at + 1,
                told: "maturity".to_owned(),
            });
        }
    }
    edits
}

/// "At 5.75, 6.25 and 6.75 caps … from the lowest cap to the highest": the ends of what is listed.
fn ends_of_range(tokens: &[Token]) -> Option<Edit> {
    if !has(tokens, &["noi"]) || !has(tokens, &["cap", "caps"]) {
        return None;
    }
    let rate = |number: &Number| {
        (number.shape == Shape::Percent
            || (number.shape == Shape::Plain && !number.scaled && !number.dollars))
            && (2.0..20.0).contains(&number.value)
            && number.per.is_none()
    };
    let rates = places(tokens, rate);
    let (first, last) = (*rates.first()?, *rates.last()?);
    let listed = rates.len() >= 3
        && (first..last).all(|at| {
            number(tokens, at).is_some_and(rate)
                || mark(tokens, at, &[',', '/', '%'])
                || word(tokens, at) == "and"
        })
        && matches!(word(tokens, last + 1), "cap" | "caps");
    let lowest = tokens
        .iter()
        .position(|token| matches!(token.word(), "lowest" | "tightest"))?;
    let highest = tokens
        .iter()
        .position(|token| matches!(token.word(), "highest" | "widest"))?;
    let values: Vec<f64> = rates.iter().map(|at| value(tokens, *at)).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    let span = lowest.abs_diff(highest) <= 5;
    let value_asked = has(tokens, &["value", "worth"]);
    let from = (0..first)
        .rev()
        .find(|at| mark(tokens, *at, &['.', ';']))
        .map_or(0, |at| at + 1);
    let (one, two) = if lowest < highest {
        (least, most)
    } else {
        (most, least)
    };
    (listed && span && value_asked && lowest.min(highest) > last).then(|| Edit {
        from,
        to: tokens.len(),
        told: format!(
            "How much does the value change going from a {} cap to {}?",
            percent(one),
            percent(two)
        ),
    })
}

/// "Principal paid over the first 60 payments": whole years of payments.
fn whole_years(tokens: &[Token]) -> Option<Edit> {
    if !has(tokens, &["principal", "interest"])
        || !has(tokens, &["paid", "repaid", "knocked", "retired"])
        || has(tokens, &["io", "only", "extra"])
    {
        return None;
    }
    let at = places(tokens, |number| {
        matches!(number.shape, Shape::Payments | Shape::Years)
    })
    .into_iter()
    .find(|at| {
        let years = whole(tokens, *at);
        let led = *at > 0 && matches!(word(tokens, at - 1), "after" | "once" | "first");
        let counts = number(tokens, *at).is_some_and(|number| number.shape == Shape::Payments);
        years >= 1.0 && close(years.fract(), 0.0) && (counts || led)
    })?;
    let before = |back: usize| at.checked_sub(back).map_or("", |at| word(tokens, at));
    let lead = match (before(3), before(2), before(1)) {
        ("over" | "in" | "during" | "across" | "through", "the", "first") => 3,
        (_, "the", "first") => 2,
        (_, "after" | "by" | "through" | "over" | "in", "the" | "first") => 2,
        (_, _, "after" | "through" | "once") => 1,
        _ => return None,
    };
    // "Once five years of payments are behind us".
    let mut to = at + 1;
    if word(tokens, to) == "of" && matches!(word(tokens, to + 1), "payments" | "paying") {
        to += 2;
    }
    while matches!(
        word(tokens, to),
        "are" | "is" | "have" | "been" | "behind" | "us" | "made" | "done" | "go" | "by"
    ) {
        to += 1;
    }
    Some(Edit {
        from: at - lead,
        to,
        told: format!("by the end of year {}", whole(tokens, at)),
    })
}

/// The years of a count of payments, or as they are told.
fn whole(tokens: &[Token], at: usize) -> f64 {
    number(tokens, at).map_or(0.0, |number| match number.shape {
        Shape::Payments => number.value / 12.0,
        _ => number.value,
    })
}

/// "What will I still owe right after the 60th payment", with the balloon due then: the balance after so many payments.
fn owed_after(tokens: &[Token]) -> Option<Vec<Edit>> {
    let at = (1..tokens.len()).find(|at| {
        rank(word(tokens, *at)).is_some_and(|rank| rank >= 2.0)
            && matches!(
                word(tokens, at + 1),
                "payment" | "instalment" | "installment" | "pmt"
            )
    })?;
    let after =
        (at.saturating_sub(3)..at).any(|at| matches!(word(tokens, at), "after" | "following" | "once"));
    let from = (0..at)
        .rev()
        .take_while(|at| !mark(tokens, *at, &['.', '?', ',', ';', ':']) && number(tokens, *at).is_none())
        .last()?;
    let asks = matches!(word(tokens, from), "what" | "how" | "whats");
    let owed = (from..at).any(|at| {
        matches!(
            word(tokens, at),
            "owe" | "owed" | "outstanding" | "left" | "remains" | "balance"
        )
    });
    if !after || !asks || !owed || has(tokens, &["extra", "io", "refinance", "refi"]) {
        return None;
    }
    let count = rank(word(tokens, at))?;
    let mut edits = vec![Edit {
        from,
        to: at + 2,
        told: format!("What is the balance after {} payments", format::plain(count, 0)),
    }];
    let balloon = places(tokens, shaped(Shape::Years)).into_iter().find(|at| {
        close(value(tokens, *at) * 12.0, count)
            && matches!(word(tokens, at + 1), "balloon" | "term" | "maturity")
    });
    if let Some(balloon) = balloon.filter(|at| *at > 0 && mark(tokens, at - 1, &[','])) {
        edits.push(Edit {
            from: balloon - 1,
            to: balloon + 2,
            told: String::new(),
        });
    }
    Some(edits)
}

/// "We sell after 84 payments. … payoff at that point?": the moment is told before.
fn same_moment(tokens: &[Token]) -> Option<Vec<Edit>> {
    if !has(tokens, &["payoff", "balance", "owe", "owed", "outstanding"])
        || has(tokens, &["noi", "cap", "price", "maintenance", "ym"])
    {
        return None;
    }
    let at = places(tokens, shaped(Shape::Payments)).into_iter().find(|at| {
        *at > 0 && matches!(word(tokens, at - 1), "after" | "at") && mark(tokens, at + 1, &['.', ';', ':'])
    })?;
    // The sentence has no other figure.
    let alone = (0..at).all(|at| number(tokens, at).is_none() && !mark(tokens, at, &['.', '?']));
    let that = (at..tokens.len()).find(|at| {
        word(tokens, *at) == "at"
            && matches!(word(tokens, at + 1), "that" | "this")
            && matches!(
                word(tokens, at + 2),
                "point" | "time" | "date" | "moment" | "stage"
            )
    })?;
    let mut edits = vec![
        Edit {
            from: 0,
            to: at + 2,
            told: String::new(),
        },
        Edit {
            from: that,
            to: that + 3,
            told: format!("after {} payments", format::plain(value(tokens, at), 0)),
        },
    ];
    // A dash before what is asked.
    let dash = (at..that).find(|at| mark(tokens, *at, &['-']) && mark(tokens, at + 1, &['-']));
    edits.extend(dash.map(|from| Edit {
        from,
        to: from + 2,
        told: ".".to_owned(),
    }));
    alone.then_some(edits)
}
