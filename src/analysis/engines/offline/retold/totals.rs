//! Amounts that a question leaves to be put together: a rate of an index and a spread, a price by the foot, reserves by
//! the unit, rents side by side.
//!
//! Takes what has one sum; what is told twice, or not at all, is left alone.

use crate::analysis::engines::offline::retold::finding::{
    close, has, mark, money, near, number, percent, places, shaped, value, word,
};
use crate::analysis::engines::offline::retold::incomes;
use crate::analysis::engines::offline::retold::pattern::{Edit, lump};
use crate::analysis::engines::offline::say::format;
use crate::analysis::engines::offline::words::scan::{Base, Number, Per, Shape, Sign, Token};

pub(super) fn edits(tokens: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    edits.extend(floating(tokens).into_iter().flatten());
    edits.extend(in_millions(tokens).into_iter().flatten());
    edits.extend(by_the_foot(tokens).into_iter().flatten());
    edits.extend(reserves(tokens).into_iter().flatten());
    edits.extend(rents(tokens));
    edits.extend(band(tokens).into_iter().flatten());
    edits.extend(incomes::net_income(tokens));
    edits.extend(incomes::service(tokens));
    edits
}

/// "The index is 4.1% and the spread 250 bps", of days that are counted: the rate is the sum.
fn floating(tokens: &[Token]) -> Option<Vec<Edit>> {
    const INDEX: &[&str] = &["sofr", "index", "libor", "euribor", "sonia", "prime"];
    const OVER: &[&str] = &["spread", "margin", "plus", "over"];
    const OTHER: &[&str] = &[
        "floor", "cap", "capped", "strike", "swap", "hedge", "if", "was", "average", "unless", "step",
        "default",
    ];
    let counted = has(tokens, &["actual/360", "actual/365", "30/360"]);
    if !counted
        || !has(tokens, &["interest"])
        || has(tokens, OTHER)
        || places(tokens, shaped(Shape::Days)).is_empty()
    {
        return None;
    }
    let rates = places(tokens, shaped(Shape::Percent));
    let points = places(tokens, shaped(Shape::BasisPoints));
    let (index, over) = match (rates.as_slice(), points.as_slice()) {
        ([index], [over]) => (*index, value(tokens, *over) / 100.0),
        ([index, over], []) => (*index, value(tokens, *over)),
        _ => return None,
    };
    let last = *points.last().or(rates.last())?;
    let named = (index.saturating_sub(5)..index).find(|at| INDEX.contains(&word(tokens, *at)))?;
    let own = (index..last + 3).any(|at| OVER.contains(&word(tokens, at)) || mark(tokens, at, &['+']))
        || number(tokens, last).is_some_and(|number| number.sign == Sign::Plus);
    // Within one sentence, and with nothing else between them.
    let stops = (index..last).any(|at| mark(tokens, at, &['.', '?', ';']));
    let between = (index + 1..last).any(|at| number(tokens, at).is_some());
    if !own || stops || between || last <= index || last > index + 12 {
        return None;
    }
    let from = named - usize::from(named > 0 && matches!(word(tokens, named - 1), "the" | "term" | "an"));
    let behind = word(tokens, last + 1);
    let mut edits = vec![Edit {
        from,
        to: last + 1 + usize::from(matches!(behind, "spread" | "margin" | "over")),
        told: format!("rate {}", percent(value(tokens, index) + over)),
    }];
    for (at, token) in tokens.iter().enumerate() {
        if matches!(token.word(), "floating" | "floater" | "variable") {
            let told = if token.word() == "floater" { "loan" } else { "" };
            let rate = usize::from(word(tokens, at + 1) == "rate");
            edits.push(Edit {
                from: at,
                to: at + 1 + rate,
                told: told.to_owned(),
            });
        }
    }
    Some(edits)
}

/// "In $mm: land 9.2, …": the amounts that follow are millions.
fn in_millions(tokens: &[Token]) -> Option<Vec<Edit>> {
    const MILLIONS: &[&str] = &["mm", "millions", "million", "mil", "m", "mn"];
    let at = (1..tokens.len()).find(|at| {
        let said = MILLIONS.contains(&word(tokens, *at));
        let before = |back: usize| at.checked_sub(back).map_or("", |at| word(tokens, at));
        let dollar = mark(tokens, at - 1, &['$']) || before(1) == "usd";
        let lead = matches!(before(1), "in" | "all")
            || (dollar
                && (matches!(before(2), "in" | "all" | "figures")
                    || mark(tokens, at.saturating_sub(2), &['('])));
        said && lead && (mark(tokens, at + 1, &[':', ')', ',', '.', ';']))
    })?;
    let from = (0..at)
        .rev()
        .take_while(|at| {
            mark(tokens, *at, &['$', '('])
                || matches!(word(tokens, *at), "in" | "all" | "figures" | "usd" | "amounts")
        })
        .last()?;
    let mut edits = vec![Edit {
        from,
        to: at + 1 + usize::from(mark(tokens, at + 1, &[')'])),
        told: String::new(),
    }];
    for place in at + 1..tokens.len() {
        let Some(number) = number(tokens, place) else {
            continue;
        };
        let money = matches!(number.shape, Shape::Plain | Shape::Money);
        if money
            && (number.scaled
                || number.doubtful
                || number.per.is_some()
                || number.base.is_some()
                || number.value >= 10_000.0)
        {
            return None;
        }
        if money {
            edits.push(Edit {
                from: place,
                to: place + 1,
                told: format!("{}m", format::plain(number.value, 6).replace(',', "")),
            });
        }
    }
    (edits.len() > 2).then_some(edits)
}

/// "Bought at $310 psf, 42,000 sf": a price by the foot, in a question for the yield on it.
fn by_the_foot(tokens: &[Token]) -> Option<Vec<Edit>> {
    const OTHER: &[&str] = &[
        "rent",
        "rents",
        "lease",
        "leases",
        "nnn",
        "ti",
        "tis",
        "exit",
        "irr",
        "loan",
        "cost",
        "costs",
        "per-foot",
        "replacement",
        "value",
        "land",
        "build",
        "comps",
    ];
    if !has(tokens, &["cap"]) || !has(tokens, &["noi"]) || has(tokens, OTHER) {
        return None;
    }
    let feet = places(tokens, |number| {
        number.base == Some(Base::Area)
            && number.every.is_none()
            && matches!(number.shape, Shape::Money | Shape::Plain)
    });
    let areas = places(tokens, shaped(Shape::Area));
    let ([foot], [area]) = (feet.as_slice(), areas.as_slice()) else {
        return None;
    };
    // An NOI by the foot is no price.
    let income = (1..=3).any(|step| {
        foot.checked_sub(step).is_some_and(|at| word(tokens, at) == "noi")
            || (step < 3 && word(tokens, foot + step) == "noi")
    });
    let each = value(tokens, *foot);
    if income || each < 20.0 {
        return None;
    }
    let filler = |at: usize| {
        matches!(
            word(tokens, at),
            "it" | "its"
                | "is"
                | "s"
                | "the"
                | "on"
                | "for"
                | "with"
                | "building"
                | "at"
                | "a"
                | "totals"
                | "and"
        ) || mark(tokens, at, &['\'', ',', '('])
    };
    let from = (0..*area)
        .rev()
        .take_while(|at| filler(*at) && *at > *foot)
        .last()
        .unwrap_or(*area);
    let to = area + 1 + usize::from(word(tokens, area + 1) == "and" || mark(tokens, area + 1, &[',', ')']));
    let led = foot
        .checked_sub(1)
        .is_some_and(|at| matches!(word(tokens, at), "at" | "for"));
    Some(vec![
        Edit {
            from: *foot - usize::from(led),
            to: foot + 1,
            told: format!("the price is {}", money(each * value(tokens, *area))),
        },
        Edit {
            from,
            to,
            told: if mark(tokens, to, &['.', '?']) || from == 0 || mark(tokens, from - 1, &['.']) {
                String::new()
            } else {
                ",".to_owned()
            },
        },
    ])
}

/// "96 units … reserves of $300 a unit": the reserves of the property.
fn reserves(tokens: &[Token]) -> Option<Vec<Edit>> {
    if !has(tokens, &["reserve", "reserves"])
        || !has(tokens, &["dscr", "dcr", "ncf", "coverage", "cover", "yield"])
    {
        return None;
    }
    let each = places(tokens, |number| {
        number.base == Some(Base::Unit)
            && matches!(number.shape, Shape::Money | Shape::Plain)
            && !matches!(number.per, Some(Per::Month | Per::Quarter))
            && !matches!(number.every, Some(Per::Month | Per::Quarter))
    });
    let units = places(tokens, shaped(Shape::Units));
    let ([each], [units]) = (each.as_slice(), units.as_slice()) else {
        return None;
    };
    if !near(tokens, *each, &["reserve", "reserves"], 5) {
        return None;
    }
    let monthly = (each + 1..each + 4).any(|at| matches!(word(tokens, at), "month" | "monthly" | "mo"));
    if monthly {
        return None;
    }
    // "… a unit per year": the period goes with it.
    let year = [["per", "year"], ["a", "year"], ["per", "annum"], ["each", "year"]]
        .iter()
        .any(|pair| {
            pair.iter()
                .enumerate()
                .all(|(step, said)| word(tokens, each + 1 + step) == *said)
        });
    let before = |back: usize| units.checked_sub(back).map_or("", |at| word(tokens, at));
    let lead = match (before(2), before(1)) {
        ("property" | "building" | "it" | "asset" | "deal", "has" | "is") => 1,
        (_, "on" | "across" | "for" | "times") => 1,
        _ => 0,
    };
    let to = units + 1 + usize::from(mark(tokens, units + 1, &[',']) || word(tokens, units + 1) == "and");
    Some(vec![
        Edit {
            from: *each,
            to: each + 1 + if year { 2 } else { 0 },
            told: format!("{} per year", money(value(tokens, *each) * value(tokens, *units))),
        },
        Edit {
            from: units - lead,
            to,
            told: if lead == 1 && before(1) == "has" {
                "has".to_owned()
            } else {
                String::new()
            },
        },
    ])
}

/// "Rents are 1,850, 1,700 and 1,625 a month": one rent of the whole.
fn rents(tokens: &[Token]) -> Option<Edit> {
    if !has(tokens, &["cap", "grm", "multiplier", "noi"])
        || has(tokens, &["average", "highest", "lowest", "each", "apiece"])
    {
        return None;
    }
    let at = (0..tokens.len()).find(|at| {
        matches!(word(tokens, *at), "rents" | "rent" | "units")
            && (1..=2).any(|ahead| number(tokens, at + ahead).is_some_and(rent))
    })?;
    let from = (at + 1..at + 3).find(|at| number(tokens, *at).is_some_and(rent))?;
    let mut sum = value(tokens, from);
    let mut count = 1;
    let mut last = from;
    let mut next = from + 1;
    loop {
        while mark(tokens, next, &[',', '/', '&', '+']) || word(tokens, next) == "and" {
            next += 1;
        }
        match number(tokens, next).filter(|_| next > last + 1) {
            Some(more) if rent(more) && number(tokens, last)?.per.is_none() => sum += more.value,
            _ => break,
        }
        count += 1;
        last = next;
        next += 1;
    }
    (count > 1 && number(tokens, last)?.per == Some(Per::Month)).then(|| Edit {
        from,
        to: last + 1,
        told: format!("{} a month", money(sum)),
    })
}

fn rent(number: &Number) -> bool {
    lump(number)
        && !number.scaled
        && number.value < 100_000.0
        && matches!(number.per, None | Some(Per::Month))
}

/// "70% debt at a 7.9% constant, 30% equity at 10.5%": shares of one whole, and the rate of each.
fn band(tokens: &[Token]) -> Option<Vec<Edit>> {
    const DEBT: &[&str] = &[
        "debt", "mortgage", "loan", "financed", "borrowed", "leverage", "lender", "ltv",
    ];
    const OWN: &[&str] = &["equity", "investor", "investors", "dividend", "cash"];
    let constant = tokens.iter().position(|token| token.word() == "constant")?;
    if has(tokens, &["irr", "term", "hold", "dscr"]) || !has(tokens, OWN) {
        return None;
    }
    let rates = places(tokens, shaped(Shape::Percent));
    // Told in those words already.
    if rates
        .first()?
        .checked_sub(1)
        .is_some_and(|at| word(tokens, at) == "ltv")
    {
        return None;
    }
    let clause = |at: usize, words: &[&str]| {
        (at.saturating_sub(2)..at + 8)
            .take_while(|next| *next <= at || number(tokens, *next).is_none())
            .any(|next| words.contains(&word(tokens, next)))
    };
    let (share, of_debt, of_equity, last) = match rates.as_slice() {
        [share, debt, rest, equity]
            if close(value(tokens, *share) + value(tokens, *rest), 100.0) && clause(*rest, OWN) =>
        {
            (*share, *debt, *equity, *equity)
        }
        [share, debt, equity] => (*share, *debt, *equity, *equity),
        _ => return None,
    };
    let (debt, equity) = (value(tokens, of_debt), value(tokens, of_equity));
    // The constant's number stands beside its name, the share is of what is borrowed.
    let own = of_debt.abs_diff(constant) <= 4
        && clause(share, DEBT)
        && (30.0..95.0).contains(&value(tokens, share));
    if !own || debt >= 30.0 || equity >= 40.0 || of_equity.abs_diff(constant) < of_debt.abs_diff(constant) {
        return None;
    }
    let noun = [
        "cash",
        "equity",
        "dividend",
        "yield",
        "return",
        "rate",
        "on",
        "their",
        "dividends",
        "returns",
    ];
    let mut to = last + 1;
    while noun.contains(&word(tokens, to)) {
        to += 1;
    }
    Some(vec![Edit {
        from: share,
        to,
        told: format!(
            "LTV {}, mortgage constant {}, equity dividend rate {}",
            percent(value(tokens, share)),
            percent(debt),
            percent(equity)
        ),
    }])
}
