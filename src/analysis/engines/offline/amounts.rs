//! The amounts of a question about cash flows: each with its sign, its cue and the list it stands in.
//!
//! Knows the words for money out and money in; when an amount falls is read elsewhere.

use crate::analysis::engines::offline::asides::DATE;
use crate::analysis::engines::offline::frame::Series;
use crate::analysis::engines::offline::scan::{Kind, Number, Per, Shape, Sign, Token};

/// The flows, what was assumed, and what stands in the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    pub(crate) series: Series,
    pub(crate) amounts: usize,
    pub(crate) doubts: Vec<String>,
    pub(crate) remarks: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cue {
    Out,
    In,
    None,
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
    /// "50k plus 1.05m": falls in the same year as the amount before.
    pub(crate) adds: bool,
}

pub(crate) fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
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
        if number.doubtful || !matches!(number.shape, Shape::Money | Shape::Plain) {
            schedule
                .doubts
                .push("There is a number among the flows that I cannot place.".to_owned());
            continue;
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
            let behind = after
                .iter()
                .map(|piece| cue_in(std::slice::from_ref(piece)))
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
            repeats: None,
            each,
            sale,
            adds: !found.is_empty()
                && (between
                    .iter()
                    .any(|piece| piece.is_mark('+') || piece.word() == "plus")
                    || (between.is_empty() && number.sign == Sign::Plus)),
        });
    }
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

/// "lose 50k in year 1": an outflow in words, which must not be taken for income.
fn losses(tokens: &[Token], schedule: &mut Schedule) {
    let lost = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "lose" | "loses" | "lost" | "losing" | "loss" | "losses" | "negative" | "shortfall" | "deficit"
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

fn cue_in(tokens: &[Token]) -> Cue {
    let mut cue = Cue::None;
    for (at, token) in tokens.iter().enumerate() {
        let to_us = (1..=2).any(|ahead| matches!(word(tokens, at + ahead), "us" | "me" | "back" | "out"));
        match token.word() {
            "invest" | "invested" | "investing" | "investment" | "put" | "pay" | "paying" | "buy"
            | "bought" | "buying" | "purchase" | "purchased" | "cost" | "costs" | "outlay" | "spend"
            | "spent" | "initial" | "initially" | "contribute" | "contributed" | "contribution"
            | "contributions" | "equity" | "deploy" | "deployed" | "outflow" | "price" | "acquisition"
            | "acquire" | "acquired" | "upfront" | "outlays" | "sink" => {
                cue = if to_us && matches!(token.word(), "pay" | "paying") {
                    Cue::In
                } else {
                    Cue::Out
                };
            }
            "paid" => cue = if to_us { Cue::In } else { Cue::Out },
            "get" | "gets" | "got" | "receive" | "received" | "receives" | "return" | "returned"
            | "returns" | "threw" | "throw" | "throws" | "distributions" | "distribution" | "distributed"
            | "cash" | "income" | "inflow" | "inflows" | "proceeds" | "sell" | "sold" | "sale"
            | "reversion" | "generates" | "generate" | "generated" | "produces" | "produced" | "then"
            | "collect" | "collected" | "earn" | "earned" | "back" | "pays" | "returning" | "receiving"
            | "yielded" | "throwing" | "flows" | "cashflows" | "followed" | "selling" => cue = Cue::In,
            _ => {}
        }
    }
    cue
}

/// "and" and "then" alone say little: what follows the amount may say more.
fn weak(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .all(|token| !matches!(cue_in(std::slice::from_ref(token)), Cue::Out))
        && tokens.iter().filter(|token| !token.word().is_empty()).count() <= 2
}
