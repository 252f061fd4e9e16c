//! Lists of amounts with a name or a year each: the uses of a budget, the rent that ends by year, the first years of a row.

use crate::analysis::engines::offline::retold::finding::{
    close, first, has, mark, money, number, places, shaped, value, word,
};
use crate::analysis::engines::offline::retold::pattern::{Edit, Pattern, lump};
use crate::analysis::engines::offline::say::format;
use crate::analysis::engines::offline::words::scan::{Number, Shape, Token};

pub(super) fn edits(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = total_cost(tokens).into_iter().collect();
    edits.extend(expiries(text, tokens));
    edits.extend(first_years(tokens));
    edits
}

#[rustfmt::skip]
const USES: &[&str] = &[
    "purchase", "acquisition", "price", "site", "land", "construction", "build", "hard", "soft", "contingency", "reserve", "closing",
    "renovation", "renovations", "rehab", "refurb", "refurbishment", "works", "capex", "fees", "legal", "stamp", "duty", "professional",
    "professionals", "design", "finance", "financing", "interest", "carry", "tenant", "improvements", "conversion", "demolition", "infrastructure",
    "sitework", "buying", "shell", "remodel", "legals", "softs", "hards", "permits", "dirt",
];
#[rustfmt::skip]
const AROUND: &[&str] = &["costs", "cost", "of", "for", "at", "the", "a", "an", "is", "and", "plus", "budget", "in", "another", "buy", "development", "on", "spending", "spend", "we", "re", "our", "lender", "bank", "loan", "amounts", "to", "are", "capitalized"];

fn stops(token: &Token) -> bool {
    ['.', '?', '!', ';', ':'].iter().any(|mark| token.is_mark(*mark))
}

/// "Purchase 6.1m, closing costs 140k, renovation 960k": what a loan to cost counts.
fn total_cost(tokens: &[Token]) -> Option<Edit> {
    let asked = has(tokens, &["ltc"]) || first(tokens, &[Pattern::read("loan|debt to cost|costs")]).is_some();
    #[rustfmt::skip]
    let changed = has(tokens, &[
        "total", "excluding", "except", "without", "if", "not", "less", "ltv", "yield", "noi", "already", "owned", "refund", "grant",
    ]);
    let shares = places(tokens, |number| {
        !matches!(number.shape, Shape::Money | Shape::Plain)
    });
    if !asked || changed || !shares.is_empty() {
        return None;
    }
    let mut best: Vec<(usize, usize, usize)> = Vec::new();
    let mut run: Vec<(usize, usize, usize)> = Vec::new();
    let mut from = 0;
    for at in 0..=tokens.len() {
        let token = tokens.get(at);
        let sentence = token.is_none_or(stops);
        let joins =
            token.is_some_and(|token| token.is_mark('+') || matches!(token.word(), "and" | "plus" | "with"));
        let parted = sentence || joins || token.is_some_and(|token| token.is_mark(',')) || opens(tokens, at);
        if !parted {
            continue;
        }
        // "Interest reserve and fees 850k": one amount for both.
        if joins && from < at && (from..at).all(|at| of_uses(tokens, at)) {
            continue;
        }
        match use_of_funds(tokens, from, at) {
            Some(own) => run.push((from, at, own)),
            None if from < at => run.clear(),
            None => {}
        }
        if run.len() > best.len() {
            best = run.clone();
        }
        if sentence {
            run.clear();
        }
        from = at + 1;
    }
    let (start, _, _) = *best.first()?;
    let (_, end, _) = *best.last()?;
    let amounts = places(tokens, lump);
    if best.len() < 2 || amounts.len() != best.len() + 1 {
        return None;
    }
    let sum: f64 = best.iter().map(|(_, _, at)| value(tokens, *at)).sum();
    Some(Edit {
        from: start,
        to: end,
        told: format!("total cost {}", money(sum)),
    })
}

/// The one amount of a part that names what it pays for, and nothing else.
fn use_of_funds(tokens: &[Token], from: usize, to: usize) -> Option<usize> {
    let own: Vec<usize> = (from..to).filter(|at| number(tokens, *at).is_some()).collect();
    let [amount] = own.as_slice() else { return None };
    let plain = number(tokens, *amount).is_some_and(|number| lump(number) && number.per.is_none());
    let named = (from..to).any(|at| USES.contains(&word(tokens, at)));
    let known = (from..to).filter(|at| at != amount).all(|at| of_uses(tokens, at));
    (plain && named && known).then_some(*amount)
}

/// A word of what something is paid for, or around it.
fn of_uses(tokens: &[Token], at: usize) -> bool {
    let word = word(tokens, at);
    USES.contains(&word)
        || AROUND.contains(&word)
        || tokens
            .get(at)
            .is_some_and(|token| ['-', '\'', '='].iter().any(|mark| token.is_mark(*mark)))
}

/// "The budget is site 6.2M, …": where the list of uses begins.
fn opens(tokens: &[Token], at: usize) -> bool {
    let named = |ahead: usize| USES.contains(&word(tokens, at + ahead));
    match word(tokens, at) {
        "budget" | "costs" | "uses" => matches!(word(tokens, at + 1), "is" | "are") && named(2),
        "of" => {
            at > 0
                && matches!(word(tokens, at - 1), "consists" | "up" | "consisting")
                && (named(1) || named(2))
        }
        _ => false,
    }
}

fn calendar(number: &Number) -> bool {
    matches!(number.shape, Shape::Plain | Shape::Calendar | Shape::YearLabel)
        && !number.scaled
        && !number.dollars
        && !number.foreign
        && number.value.fract() == 0.0
        && (1990.0..2100.0).contains(&number.value)
}

/// "2026 is 140k, 2027 is 385k, 2028 and after 260k": the rent that ends in each year.
fn expiries(text: &str, tokens: &[Token]) -> Option<Edit> {
    #[rustfmt::skip]
    let rolls = has(tokens, &["rolls", "roll", "rolling", "expires", "expire", "expiring", "expiry", "expiries", "rollover"]);
    if !rolls || !has(tokens, &["rent", "rents"]) || has(tokens, &["sf", "sqm", "area", "if", "renews"]) {
        return None;
    }
    let year = |at: usize| number(tokens, at).filter(|number| calendar(number));
    let years = places(tokens, calendar);
    let mut items: Vec<(usize, usize, bool)> = Vec::new();
    for at in &years {
        let mut next = at + 1;
        let later = |at: usize| {
            matches!(
                word(tokens, at),
                "after" | "later" | "beyond" | "thereafter" | "onwards" | "onward"
            )
        };
        let joined = usize::from(matches!(word(tokens, next), "and" | "or"));
        let plus = tokens.get(next).is_some_and(|token| token.is_mark('+'));
        let open = plus || later(next + joined);
        if open {
            next += joined + 1;
        }
        let said = matches!(word(tokens, next), "is" | "has" | "at" | "of" | "sees" | "was")
            || tokens
                .get(next)
                .is_some_and(|token| [':', '=', '-'].iter().any(|mark| token.is_mark(*mark)));
        next += usize::from(said);
        let amount = number(tokens, next).is_some_and(|number| lump(number) && !calendar(number));
        if amount {
            items.push((*at, next, open));
        }
    }
    let listed = |at: usize| items.iter().any(|(year, amount, _)| *year == at || *amount == at);
    let others: Vec<usize> = places(tokens, |_| true)
        .into_iter()
        .filter(|at| !listed(*at))
        .collect();
    // The year asked about is one of the years told, and none of "and after".
    let [at_asked] = others.as_slice() else {
        return None;
    };
    let at_asked = *at_asked;
    let asked = year(at_asked)?.value;
    let of = |at: usize| value(tokens, at);
    let told = items
        .iter()
        .filter(|(at, _, open)| !open && of(*at) == asked)
        .count();
    let within = items
        .iter()
        .filter(|(_, _, open)| *open)
        .all(|(at, _, _)| asked < of(*at));
    let (start, _, _) = *items.first()?;
    let (_, end, _) = *items.last()?;
    if (start..end).contains(&at_asked) {
        return None;
    }
    // Nothing else is told between them.
    let apart = (start..end).any(|at| {
        tokens
            .get(at)
            .is_some_and(|token| ['.', '?'].iter().any(|mark| token.is_mark(*mark)))
    });
    if items.len() < 2 || told != 1 || !within || apart {
        return None;
    }
    let from = (0..start)
        .rev()
        .take_while(|at| {
            !tokens
                .get(*at)
                .is_some_and(|token| ['.', '?', '!', ';'].iter().any(|mark| token.is_mark(*mark)))
        })
        .last()
        .filter(|from| !(*from..start).contains(&at_asked))
        .unwrap_or(start);
    let said: Option<Vec<String>> = items
        .iter()
        .map(|(year, amount, _)| {
            let token = tokens.get(*amount)?;
            Some(format!(
                "{} expiring {}",
                text.get(token.start..token.end)?
                    .trim_start_matches(['-', '–', ' '])
                    .trim(),
                of(*year)
            ))
        })
        .collect();
    Some(Edit {
        from,
        to: end + 1,
        told: format!("Rent rolls: {}", said?.join(", ")),
    })
}

/// "14k, 15k and 17k for the first three years": one for each of them.
fn first_years(tokens: &[Token]) -> Option<Edit> {
    if !has(tokens, &["irr", "npv", "mirr", "moic", "multiple"]) {
        return None;
    }
    let (at, found) = first(
        tokens,
        &[Pattern::read("for|in|over|during|across the? first #y")],
    )?;
    let count = found.numbers.first().map(|at| value(tokens, *at))?;
    let amounts = (0..at)
        .rev()
        .take_while(|at| {
            tokens.get(*at).is_some_and(|token| {
                token.number().is_some_and(lump) || token.is_mark(',') || token.word() == "and"
            })
        })
        .filter(|at| number(tokens, *at).is_some())
        .count();
    (amounts > 1 && (count - amounts as f64).abs() < 1e-9).then(|| Edit {
        from: at,
        to: found.to,
        told: format!("in years 1-{amounts}"),
    })
}

/// "Feb 2027 interest (28 days)": the days of a month that is told with its year.
pub(super) fn month_before(tokens: &[Token]) -> Option<Edit> {
    const MONTHS: &[(&str, &str, f64)] = &[
        ("jan", "january", 31.0),
        ("feb", "february", 28.0),
        ("mar", "march", 31.0),
        ("apr", "april", 30.0),
        ("may", "may", 31.0),
        ("jun", "june", 30.0),
        ("jul", "july", 31.0),
        ("aug", "august", 31.0),
        ("sep", "september", 30.0),
        ("oct", "october", 31.0),
        ("nov", "november", 30.0),
        ("dec", "december", 31.0),
    ];
    let (at, year) = (0..tokens.len()).find_map(|at| {
        let year = value(tokens, at + 1);
        ((1990.0..2100.0).contains(&year) && word(tokens, at + 2) == "interest").then_some((at, year))
    })?;
    let (_, _, days) = MONTHS.iter().find(|(short, full, _)| {
        let said = word(tokens, at);
        said == *short || said == *full || (said == "sept" && *short == "sep")
    })?;
    let leap = year % 4.0 == 0.0 && close(*days, 28.0);
    let days = days + f64::from(u8::from(leap));
    let told = places(tokens, shaped(Shape::Days));
    let to = match told.as_slice() {
        [] => at + 3,
        [only] if close(value(tokens, *only), days) && mark(tokens, at + 3, &['(']) && *only == at + 4 => {
            only + 1 + usize::from(mark(tokens, only + 1, &[')']))
        }
        _ => return None,
    };
    has(tokens, &["actual/365", "actual/360", "act/365", "act/360"]).then(|| Edit {
        from: at,
        to,
        told: format!("interest for {} days", format::plain(days, 0)),
    })
}

/// "10-unit: six rent at …, four at …": how many there are together, said before the parts.
pub(super) fn count_of_parts(tokens: &[Token]) -> Option<Edit> {
    if !has(tokens, &["grm", "multiplier"]) {
        return None;
    }
    let counts = places(tokens, |number| {
        number.shape == Shape::Units
            || (number.spelled && number.shape == Shape::Plain && number.value.fract() == 0.0)
    });
    let (all, parts) = counts.split_first()?;
    let sum: f64 = parts.iter().map(|at| value(tokens, *at)).sum();
    let begins = *all <= 2 && number(tokens, *all).is_some_and(|number| number.shape == Shape::Units);
    (begins && parts.len() >= 2 && close(value(tokens, *all), sum)).then(|| Edit {
        from: 0,
        to: all + 1,
        told: "property".to_owned(),
    })
}
