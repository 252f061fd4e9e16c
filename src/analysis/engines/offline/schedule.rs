//! Amounts of a question as cash flows by year: which go out, which come in, and when.
//!
//! Places every amount or says why it cannot; never guesses a sign or a year. Knows no rates.

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

/// Longer series are files, not questions.
const MOST_FLOWS: usize = 600;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Cue {
    Out,
    In,
    None,
}

#[derive(Clone, Debug)]
struct Amount {
    token: usize,
    value: f64,
    sign: Sign,
    cue: Cue,
    group: usize,
    /// The year it is labelled with.
    year: Option<usize>,
    /// How many years it recurs.
    repeats: Option<usize>,
    each: bool,
    sale: bool,
}

/// Reads the schedule. `rates` are tokens that are rates and not flows.
pub(crate) fn read(tokens: &[Token], rates: &[usize]) -> Schedule {
    let mut schedule = Schedule::default();
    let mut amounts = amounts(tokens, rates, &mut schedule);
    schedule.amounts = amounts.len();
    if amounts.is_empty() {
        return schedule;
    }
    let mut durations = timing(tokens, &mut amounts, &mut schedule);
    if !schedule.doubts.is_empty() {
        return schedule;
    }
    signs(tokens, &mut amounts, &mut schedule);
    place(tokens, &amounts, &mut schedule);
    let periods = schedule
        .series
        .flows
        .len()
        .saturating_sub(usize::from(!schedule.series.late));
    let size = |group: usize| amounts.iter().filter(|amount| amount.group == group).count();
    durations.retain(|years| {
        let groups = amounts.iter().any(|amount| size(amount.group) == *years);
        !groups && *years != periods
    });
    if let Some(years) = durations.first() {
        schedule.doubts.push(format!(
            "You speak of {years} years, but the flows given cover a different number."
        ));
    }
    schedule
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}

/// All amounts with their group and cue.
fn amounts(tokens: &[Token], rates: &[usize], schedule: &mut Schedule) -> Vec<Amount> {
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
    let mut last_number: Option<usize> = None;
    let mut group = 0;
    for (at, token) in tokens.iter().enumerate() {
        let Some(number) = token.number() else { continue };
        let start = last_number.map_or(0, |last| last + 1);
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
        let joined = !found.is_empty() && between.iter().all(separates);
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
                    && !matches!(piece.word(), "then" | "and")
            })
            .cloned()
            .collect();
        if !joined && (cue == Cue::None || weak(between)) {
            let behind = after
                .iter()
                .map(|piece| cue_in(std::slice::from_ref(piece)))
                .find(|cue| *cue != Cue::None)
                .unwrap_or(Cue::None);
            if behind != Cue::None {
                cue = behind;
            }
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
        });
    }
    found
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

/// Gives amounts their years. Returns the durations that still have to fit the series.
fn timing(tokens: &[Token], amounts: &mut [Amount], schedule: &mut Schedule) -> Vec<usize> {
    let mut loose: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(number) = tokens.get(at).and_then(Token::number) else {
            at += 1;
            continue;
        };
        let whole = number.value.fract() == 0.0 && (0.0..=200.0).contains(&number.value);
        let years = number.value as usize;
        match number.shape {
            Shape::Years if !whole => schedule.doubts.push("I handle whole years only.".to_owned()),
            Shape::Years if matches!(word(tokens, at + 1), "from" | "later" | "out" | "hence") => {
                match amounts.iter_mut().rfind(|amount| amount.token < at) {
                    Some(amount) => amount.year = Some(years),
                    None => schedule
                        .doubts
                        .push("I could not tell which amount comes later.".to_owned()),
                }
            }
            Shape::Years => {
                let near = |amount: &Amount| at - amount.token <= 6;
                let lead = word(tokens, at.saturating_sub(1));
                let ends = matches!(lead, "in" | "after")
                    .then(|| later(tokens, amounts, at))
                    .flatten();
                if let Some(index) = ends {
                    if let Some(amount) = amounts.get_mut(index) {
                        amount.year = Some(years);
                    }
                } else if let Some(amount) =
                    amounts
                        .iter_mut()
                        .rfind(|amount| amount.token < at)
                        .filter(|amount| {
                            (amount.each || (lead == "for" && near(amount))) && amount.repeats.is_none()
                        })
                {
                    amount.repeats = Some(years);
                } else if let Some(amount) = amounts
                    .iter_mut()
                    .find(|amount| amount.token > at && amount.each && amount.repeats.is_none())
                {
                    amount.repeats = Some(years);
                } else {
                    loose.push(years);
                }
            }
            Shape::YearLabel if whole => {
                let second = tokens
                    .get(at + 2)
                    .and_then(Token::number)
                    .filter(|next| next.shape == Shape::YearLabel);
                if let Some(end) = second {
                    range(amounts, at, years, end.value as usize, schedule);
                    at += 2;
                } else {
                    label(tokens, amounts, at, years, schedule);
                }
            }
            Shape::Months | Shape::MonthLabel | Shape::PaymentLabel => {
                schedule
                    .doubts
                    .push("I handle annual flows only so far.".to_owned());
            }
            _ => {}
        }
        at += 1;
    }
    if amounts
        .iter()
        .any(|amount| amount.each && amount.repeats.is_none() && group_size(amounts, amount.group) == 1)
    {
        schedule
            .doubts
            .push("For how many years does the annual amount recur?".to_owned());
    }
    loose
}

/// "get 1.5m back in 5 years": the single amount right before, if it comes in.
fn later(tokens: &[Token], amounts: &[Amount], at: usize) -> Option<usize> {
    let index = amounts.iter().rposition(|amount| amount.token < at)?;
    let amount = amounts.get(index)?;
    let between = tokens.get(amount.token + 1..at)?;
    let close = between
        .iter()
        .all(|piece| matches!(piece.word(), "in" | "after" | "back" | "out" | "again"));
    (close && !amount.each && amount.year.is_none() && group_size(amounts, amount.group) == 1)
        .then_some(index)
}

fn group_size(amounts: &[Amount], group: usize) -> usize {
    amounts.iter().filter(|amount| amount.group == group).count()
}

/// "in years 1 to 5" for the list beside it, or one amount in each of them.
fn range(amounts: &mut [Amount], at: usize, from: usize, to: usize, schedule: &mut Schedule) {
    let count = (to + 1).saturating_sub(from);
    let before = amounts
        .iter()
        .rfind(|amount| amount.token < at)
        .map(|amount| amount.group);
    let after = amounts
        .iter()
        .find(|amount| amount.token > at)
        .map(|amount| amount.group);
    for group in [before, after].into_iter().flatten() {
        let size = group_size(amounts, group);
        if size == count && count > 0 {
            for (n, amount) in amounts
                .iter_mut()
                .filter(|amount| amount.group == group)
                .enumerate()
            {
                amount.year = Some(from + n);
            }
            return;
        }
        if size == 1
            && let Some(amount) = amounts
                .iter_mut()
                .find(|amount| amount.group == group && amount.each)
        {
            amount.year = Some(from);
            amount.repeats = Some(count);
            return;
        }
    }
    schedule
        .doubts
        .push("The number of amounts does not fit the years named.".to_owned());
}

/// "year 2: 15k" or "15k in year 2".
fn label(tokens: &[Token], amounts: &mut [Amount], at: usize, year: usize, schedule: &mut Schedule) {
    let joins = |piece: &Token, ahead: bool| {
        matches!(
            piece.word(),
            "year" | "of" | "the" | "end" | "at" | "in" | "for" | "on" | "yr" | "during" | "to" | "by"
        ) || piece.is_mark('(')
            || (ahead
                && (piece.is_mark(':')
                    || piece.is_mark('=')
                    || piece.is_mark(')')
                    || matches!(piece.word(), "is" | "we" | "get" | "a" | "sale" | "it")))
    };
    let next = amounts.iter().position(|amount| {
        amount.token > at
            && tokens
                .get(at + 1..amount.token)
                .unwrap_or_default()
                .iter()
                .all(|piece| joins(piece, true))
    });
    let previous = amounts.iter().rposition(|amount| {
        amount.token < at
            && tokens
                .get(amount.token + 1..at)
                .unwrap_or_default()
                .iter()
                .all(|piece| joins(piece, false))
    });
    let chosen = match (previous, next) {
        (Some(previous), Some(next)) => {
            // Labels that precede their amounts have taken the earlier amount already.
            let free = amounts.get(previous).is_some_and(|amount| amount.year.is_none());
            Some(if free { previous } else { next })
        }
        (one, other) => one.or(other),
    };
    match chosen.and_then(|index| amounts.get_mut(index)) {
        Some(amount) if amount.year.is_none() => amount.year = Some(year),
        _ => schedule
            .doubts
            .push(format!("I could not tell which amount belongs to year {year}.")),
    }
}

/// Makes outflows negative.
fn signs(tokens: &[Token], amounts: &mut [Amount], schedule: &mut Schedule) {
    let explicit = amounts
        .iter()
        .any(|amount| matches!(amount.sign, Sign::Minus | Sign::Brackets));
    if explicit {
        for amount in amounts.iter_mut() {
            match amount.sign {
                Sign::Minus | Sign::Brackets => amount.value = -amount.value,
                Sign::None
                    if amount.cue == Cue::Out && amount.group > 1 && group_signless(amount, explicit) => {}
                _ => {}
            }
        }
        return;
    }
    let groups: Vec<usize> = amounts.iter().map(|amount| amount.group).collect();
    let mut out_seen = false;
    for (index, group) in groups.iter().enumerate() {
        let size = groups.iter().filter(|other| *other == group).count();
        let Some(amount) = amounts.get_mut(index) else {
            continue;
        };
        match amount.cue {
            Cue::Out if size > 1 => {
                schedule
                    .doubts
                    .push("Which of the amounts go out and which come in?".to_owned());
                return;
            }
            Cue::Out if out_seen && amount.year.is_none() => {
                schedule
                    .doubts
                    .push("In which year is the second outflow?".to_owned());
                return;
            }
            Cue::Out => {
                amount.value = -amount.value;
                out_seen = true;
            }
            Cue::In | Cue::None => {}
        }
    }
    let now = tokens
        .iter()
        .any(|token| matches!(token.word(), "today" | "now" | "close" | "closing"));
    if !out_seen && now && amounts.len() > 1 {
        schedule.series.unsigned = true;
    }
}

fn group_signless(amount: &Amount, explicit: bool) -> bool {
    explicit && amount.sign == Sign::None
}

/// Puts the amounts on the time line.
fn place(tokens: &[Token], amounts: &[Amount], schedule: &mut Schedule) {
    let first_out = amounts.first().is_some_and(|amount| amount.value < 0.0) || schedule.series.unsigned;
    let mut flows: Vec<f64> = Vec::new();
    // The year of the latest flow; before the first inflow of a pure income stream it is 0.
    let mut cursor: Option<usize> = if first_out {
        None
    } else {
        amounts.first().filter(|a| a.repeats.is_some()).map(|_| 0)
    };
    let mut after_stream = false;
    for amount in amounts {
        let repeats = amount.repeats.unwrap_or(1);
        let ends =
            amount.sale && after_stream && amount.year.is_none() && group_size(amounts, amount.group) == 1;
        let list_before = amounts.iter().any(|other| {
            other.token < amount.token && other.group != amount.group && group_size(amounts, other.group) > 1
        });
        if amount.sale && amount.year.is_none() && list_before && group_size(amounts, amount.group) == 1 {
            schedule
                .doubts
                .push("Does the sale fall in the year of the last flow, or a year later?".to_owned());
            return;
        }
        let year = match (amount.year, cursor) {
            (Some(year), _) => year,
            (None, Some(last)) if ends => {
                schedule.remarks.push(format!(
                    "The sale is taken at the end of year {last}, with the last annual flow."
                ));
                last
            }
            (None, Some(last)) => last + 1,
            (None, None) => 0,
        };
        if year + repeats > MOST_FLOWS {
            schedule
                .doubts
                .push("That is a longer series than I handle.".to_owned());
            return;
        }
        if flows.len() < year + repeats {
            flows.resize(year + repeats, 0.0);
        }
        for flow in flows.iter_mut().skip(year).take(repeats) {
            *flow += amount.value;
        }
        cursor = Some((year + repeats - 1).max(cursor.unwrap_or(0)));
        after_stream = amount.repeats.is_some();
    }
    let starts_later =
        amounts.iter().all(|amount| amount.year != Some(0)) && flows.first() == Some(&0.0) && flows.len() > 1;
    if starts_later {
        flows.remove(0);
        schedule.series.late = true;
    }
    let phrase = |words: &[&str]| {
        (0..tokens.len()).any(|at| {
            words
                .iter()
                .enumerate()
                .all(|(n, expected)| word(tokens, at + n) == *expected)
        })
    };
    let spreadsheet = tokens.iter().any(|token| token.word() == "excel")
        || phrase(&["npv", "function"])
        || phrase(&["end", "of", "period"]);
    let year_end = phrase(&["year", "end"]) || phrase(&["end", "of", "each", "year"]);
    let now = tokens
        .iter()
        .any(|token| matches!(token.word(), "today" | "now" | "close" | "closing" | "upfront"));
    if spreadsheet && !now {
        schedule.series.late = true;
    } else if year_end
        && !schedule.series.late
        && !now
        && amounts.first().is_some_and(|amount| amount.year.is_none())
    {
        schedule
            .doubts
            .push("Is the first flow today, or at the end of the first year?".to_owned());
    }
    schedule.series.flows = flows;
}
