//! The amounts of a question about cash flows: each with its sign, its cue and the list it stands in.
//!
//! When an amount falls is read elsewhere, and so are the words for money out and money in.

use crate::flows::counted::beside;
use crate::flows::cues::{Cue, cue_in, direction, weak, word};
use crate::plan::frame::Series;
use crate::words::asides::{DATE, counts_only};
use crate::words::scan::{Kind, Number, Per, Shape, Sign, Token};

/// The flows, what was assumed, and what stands in the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    pub(crate) series: Series,
    pub(crate) amounts: usize,
    pub(crate) doubts: Vec<String>,
    pub(crate) remarks: Vec<String>,
    /// The flows are the two sums, and their years are not known.
    pub(crate) sums: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Amount {
    pub(crate) token: usize,
    pub(crate) value: f64,
    pub(crate) sign: Sign,
    pub(crate) cue: Cue,
    pub(crate) group: usize,
    /// The year it is labelled with.
    pub(crate) year: Option<usize>,
    /// How many years it recurs.
    pub(crate) repeats: Option<usize>,
    pub(crate) each: bool,
    pub(crate) sale: bool,
    /// What is said right behind it, as far as it is a small word at the end of the clause.
    pub(crate) behind: Cue,
    /// "50k plus 1.05m": falls in the same year as the amount before.
    pub(crate) adds: bool,
}

/// All amounts with their group and cue.
pub(crate) fn amounts(tokens: &[Token], rates: &[usize], schedule: &mut Schedule) -> Vec<Amount> {
    let mut found: Vec<Amount> = Vec::new();
    if tokens.iter().any(|token| {
        matches!(
            token.word(),
            "monthly" | "quarterly" | "weekly" | "month" | "quarter"
        )
    }) {
        schedule
            .doubts
            .push("I handle annual flows only so far; please give them per year.".to_owned());
    }
    if tokens.iter().any(|token| {
        matches!(
            token.word(),
            "midyear" | "mid" | "continuously" | "continuous" | "compounded" | "compounding" | "advance"
        )
    }) {
        schedule
            .doubts
            .push("I take flows at year ends and annual compounding only so far.".to_owned());
    }
    if tokens
        .iter()
        .any(|token| matches!(token.word(), "profit" | "profits" | "gain" | "gains"))
    {
        schedule
            .doubts
            .push("Please give the total that comes back, not the profit on it.".to_owned());
    }
    if tokens.iter().any(|token| token.word() == DATE) {
        schedule
            .doubts
            .push("I cannot work with calendar dates yet; please give one flow per year.".to_owned());
    }
    if tokens.iter().any(|token| {
        matches!(
            token.word(),
            "forever"
                | "perpetuity"
                | "perpetual"
                | "perpetually"
                | "indefinitely"
                | "onwards"
                | "onward"
                | "until"
        )
    }) {
        schedule
            .doubts
            .push("I need an end: for how many years do the flows go on?".to_owned());
    }
    let mut last_number: Option<usize> = None;
    // Up to here the words belong to the amount before them ("4m invested and …").
    let mut spent = 0;
    let mut group = 0;
    let mut times: Option<usize> = None;
    for (at, token) in tokens.iter().enumerate() {
        let Some(number) = token.number() else { continue };
        let start = last_number.map_or(0, |last| last + 1);
        if is_time(number) && !rates.contains(&at) && number.shape != Shape::Percent {
            // "pay in year 1 50k": the words before the label still speak of the amount after it.
            let comma = (start..at)
                .rev()
                .find(|before| {
                    tokens
                        .get(*before)
                        .is_some_and(|piece| matches!(piece.kind, Kind::Mark(',' | ';' | '.' | '|' | '?')))
                })
                .map_or(start, |comma| comma + 1);
            spent = spent.max(comma);
            group += 1;
            continue;
        }
        last_number = Some(at);
        if rates.contains(&at) || is_time(number) {
            group += 1;
            continue;
        }
        // "two answers" counts something else; "five receipts of 1,000" says how often the next amount comes.
        let counted = number.value < 100.0 && number.per.is_none() && !number.dollars && !number.scaled;
        match word(tokens, at + 1) {
            noun if counted && (FLOWS.contains(&noun) || number.shape == Shape::Payments) => {
                times = Some(number.value as usize);
                group += 1;
                continue;
            }
            "" => {}
            noun if counted && number.spelled && number.shape == Shape::Plain => {
                if !SAID_ASIDE.contains(&noun) && !counts_only(tokens, at) {
                    schedule.doubts.push(format!(
                        "I could not tell what the {} “{noun}” are.",
                        number.value
                    ));
                }
                group += 1;
                continue;
            }
            _ => {}
        }
        if number.doubtful || !matches!(number.shape, Shape::Money | Shape::Plain) {
            schedule
                .doubts
                .push("There is a number among the flows that I cannot place.".to_owned());
            continue;
        }
        if number.thirds && !number.scaled {
            schedule.doubts.push(
                "Does the point before three digits group thousands? Please write the amounts without it."
                    .to_owned(),
            );
        }
        if number.foreign {
            schedule
                .doubts
                .push("I compute in US dollars only so far.".to_owned());
        }
        if matches!(number.per, Some(Per::Month | Per::Quarter | Per::Other)) {
            schedule
                .doubts
                .push("I handle annual flows only so far; please give them per year.".to_owned());
        }
        let between = tokens.get(start..at).unwrap_or_default();
        // "10m, 600k a year": what recurs is no part of the list of a single payment.
        let recurs = number.per == Some(Per::Year)
            && found
                .last()
                .is_some_and(|last| last.cue == Cue::Out && !last.each);
        let joined = !found.is_empty() && !recurs && between.iter().all(separates);
        let between = tokens.get(start.max(spent)..at).unwrap_or_default();
        if !joined {
            group += 1;
        }
        if between.iter().any(|piece| piece.is_mark('\u{2014}')) && number.sign == Sign::None {
            schedule
                .doubts
                .push("Is the dash before an amount a minus sign?".to_owned());
        }
        let mut cue = if joined {
            found.last().map_or(Cue::None, |last| last.cue)
        } else {
            cue_in(between)
        };
        let next = (at + 1..tokens.len())
            .find(|n| tokens.get(*n).is_some_and(|t| t.number().is_some()))
            .unwrap_or(tokens.len());
        let after: Vec<Token> = tokens
            .get(at + 1..next)
            .unwrap_or_default()
            .iter()
            .take(5)
            .take_while(|piece| {
                !matches!(piece.kind, Kind::Mark(',' | ';' | '.' | '?' | '/' | '—'))
                    && !matches!(piece.word(), "then" | "and" | "plus")
                    && !piece.is_mark('+')
            })
            .cloned()
            .collect();
        if !joined && (cue == Cue::None || weak(between)) {
            let behind = (0..after.len())
                .map(|place| {
                    let piece = after.get(place..=place).unwrap_or_default();
                    match direction(&after, place, true) {
                        Cue::None => cue_in(piece),
                        said => said,
                    }
                })
                .enumerate()
                .find(|(_, cue)| *cue != Cue::None);
            if let Some((ahead, behind)) = behind {
                cue = behind;
                spent = at + ahead + 2;
            }
        }
        // "and another 500k": as the one before.
        if cue == Cue::None
            && between
                .iter()
                .any(|piece| matches!(piece.word(), "another" | "additional" | "further"))
        {
            cue = found.last().map_or(Cue::None, |last| last.cue);
        }
        let sale = between.iter().chain(after.iter()).any(|piece| {
            matches!(
                piece.word(),
                "sell" | "sold" | "sale" | "exit" | "reversion" | "selling" | "resale" | "disposition"
            )
        });
        let each = number.per == Some(Per::Year)
            || after
                .iter()
                .any(|piece| matches!(piece.word(), "each" | "annually" | "yearly"));
        found.push(Amount {
            token: at,
            value: number.value,
            sign: number.sign,
            cue,
            group,
            year: None,
            repeats: times.take(),
            each,
            sale,
            behind: direction(&after, 0, true),
            adds: !found.is_empty()
                && (between
                    .iter()
                    .any(|piece| piece.is_mark('+') || piece.word() == "plus")
                    || (between.is_empty() && number.sign == Sign::Plus)),
        });
    }
    listed(&mut found);
    if found.len() > 2 && found.iter().skip(1).all(|amount| amount.adds) {
        schedule
            .doubts
            .push("Do the amounts fall in one year, or one a year?".to_owned());
    }
    scales(tokens, &found, schedule);
    losses(tokens, schedule);
    calendar_years(tokens, &found, schedule);
    found
}

/// What a number of flows is called.
const FLOWS: &[&str] = &[
    "receipts",
    "payments",
    "flows",
    "inflows",
    "installments",
    "instalments",
    "distributions",
    "dividends",
    "coupons",
    "receipt",
    "cashflows",
];
/// What may be counted beside the flows without changing them.
const SAID_ASIDE: &[&str] = &[
    "answers",
    "solutions",
    "roots",
    "values",
    "irrs",
    "rates",
    "partners",
    "investors",
    "of",
    "results",
    "figures",
    "tenants",
    "buildings",
    "properties",
    "deals",
    "people",
    "numbers",
    "different",
    "possible",
];

/// "120k, 140k and 90k in": what is said behind the last of a list holds for all of it.
fn listed(found: &mut [Amount]) {
    let last: Vec<(usize, Cue)> = found
        .iter()
        .enumerate()
        .filter(|(at, amount)| found.get(at + 1).is_none_or(|next| next.group != amount.group))
        .map(|(_, amount)| (amount.group, amount.behind))
        .collect();
    for amount in found.iter_mut() {
        let behind = last
            .iter()
            .find(|(group, _)| *group == amount.group)
            .map_or(Cue::None, |(_, cue)| *cue);
        if amount.cue == Cue::None {
            amount.cue = behind;
        }
    }
}

/// "lose 50k in year 1": an outflow in words, which must not be taken for income.
fn losses(tokens: &[Token], schedule: &mut Schedule) {
    let lost = tokens.iter().enumerate().any(|(at, token)| {
        !beside(tokens, at)
            && matches!(
                token.word(),
                "lose"
                    | "loses"
                    | "lost"
                    | "losing"
                    | "loss"
                    | "losses"
                    | "negative"
                    | "shortfall"
                    | "deficit"
            )
    });
    if lost {
        schedule
            .doubts
            .push("Please write amounts that go out with a minus sign, for instance -50k.".to_owned());
    }
}

/// "2024 -1m, 2025 50k": the years are no amounts.
fn calendar_years(tokens: &[Token], found: &[Amount], schedule: &mut Schedule) {
    let year = |amount: &&Amount| {
        let plain = tokens
            .get(amount.token)
            .and_then(Token::number)
            .is_some_and(|number| number.short && !number.dollars && !number.scaled);
        plain && (1950.0..=2100.0).contains(&amount.value)
    };
    let years: Vec<f64> = found.iter().filter(year).map(|amount| amount.value).collect();
    let large = found.iter().any(|amount| amount.value >= 50_000.0);
    let follow = years
        .windows(2)
        .any(|pair| matches!(pair, [one, next] if (next - one - 1.0).abs() < 1e-9));
    if (large && !years.is_empty()) || follow {
        schedule
            .doubts
            .push("Please number the years from 0 instead of giving calendar years.".to_owned());
    }
}

/// "12, 15 and 26 thousand": small bare amounts beside large ones may be meant in thousands.
fn scales(tokens: &[Token], found: &[Amount], schedule: &mut Schedule) {
    let large = found.iter().any(|amount| amount.value >= 10_000.0);
    let bare = found.iter().any(|amount| {
        let number = tokens.get(amount.token).and_then(Token::number);
        number.is_some_and(|number| !number.scaled && !number.dollars)
            && amount.value > 0.0
            && amount.value < 1000.0
    });
    if large && bare {
        schedule
            .doubts
            .push("Are the small amounts in thousands, like the others?".to_owned());
    }
}

fn is_time(number: &Number) -> bool {
    matches!(
        number.shape,
        Shape::Years
            | Shape::Months
            | Shape::YearLabel
            | Shape::MonthLabel
            | Shape::PaymentLabel
            | Shape::Percent
    )
}

fn separates(token: &Token) -> bool {
    matches!(token.kind, Kind::Mark(',' | ';' | '/' | '+' | '\u{2014}')) || token.word() == "and"
}
