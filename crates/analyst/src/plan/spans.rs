//! When something happens, where the figure was worked out for another time: half a year, several years or months,
//! a payment today, an amount that comes on top of another.
//!
//! Looks at the words of the question and at the inputs of the first figure. What the readers do take in shows there.

use crate::contract::draft::Figure;
use crate::read::terms::{month, rank};
use crate::read::vocabulary::matches;
use crate::words::scan::{Number, Per, Shape, Token};

pub(super) const RETURNS: &[&str] = &["irr", "npv", "mirr", "equity_multiple", "irr_roots"];

/// The question that a time which was not taken in leads to.
pub(super) fn missed(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    let input = |name: &str| first.input(name).and_then(serde_json::Value::as_f64);
    match first.name.as_str() {
        "interest_paid" | "principal_paid" => {
            let span = input("first_payment").zip(input("last_payment"))?;
            window(tokens, span)
        }
        "balloon" => {
            let made = input("payments_made")?;
            (half(tokens) && made % 12.0 == 0.0)
                .then(|| {
                    "You speak of the middle of a year. After how many payments is the balance wanted?"
                        .to_owned()
                })
                .or_else(|| due_at(tokens, made))
        }
        "ltv" | "debt_yield" => later(tokens, figures),
        "interest" | "per_diem" => (bare_months(tokens) > 1
            && input("days").is_some_and(|days| days <= 31.0))
        .then(|| {
            "Several months are named. From which day to which day should the interest be counted?".to_owned()
        }),
        "present_value" if input("level_amount").is_some() => at_once(tokens, first),
        name if RETURNS.contains(&name) => flows(tokens, first),
        _ => None,
    }
}

/// A balloon after one payment, of a loan that falls due after another.
fn due_at(tokens: &[Token], made: f64) -> Option<String> {
    let labelled = tokens
        .iter()
        .filter_map(Token::number)
        .any(|number| number.shape == Shape::PaymentLabel);
    let due = (0..tokens.len()).find_map(|at| {
        let years = number(tokens, at).filter(|number| number.shape == Shape::Years)?;
        let before = word(tokens, at.checked_sub(1)?);
        let led = matches!(before, "in" | "after") && word(tokens, at.checked_sub(2)?) == "due";
        (led || word(tokens, at + 1) == "term").then_some(years.value * 12.0)
    })?;
    (labelled && stands(tokens, "balloon") && (due - made).abs() > 0.5).then(|| {
        format!(
            "The loan falls due after {due:.0} payments, and you name payment {made:.0}. At which of them is the \
             balance wanted?"
        )
    })
}

/// Interest or principal of one year, where the question names more than that.
fn window(tokens: &[Token], (from, to): (f64, f64)) -> Option<String> {
    let ranks = tokens.iter().enumerate().filter(|(at, token)| {
        let ends = at.checked_sub(2).is_some_and(|to| word(tokens, to) == "to");
        rank(token.word()).is_some()
            && (ends || (1..=4).any(|ahead| matches!(word(tokens, at + ahead), "year" | "years" | "yr")))
    });
    let several = ranks.count() > 1;
    let year = (to - from - 11.0).abs() < 1e-9;
    let upto = [
        "until", "till", "through", "thru", "up to", "up until", "balloon", "maturity",
    ]
    .iter()
    .any(|says| stands(tokens, says));
    let by = (0..tokens.len()).any(|at| {
        matches!(word(tokens, at), "by" | "before")
            && (at + 1..at + 6)
                .take_while(|at| matches!(word(tokens, *at), "the" | "end" | "of" | "year"))
                .any(|at| word(tokens, at) == "year")
            && (word(tokens, at + 1) != "year" || labelled(tokens, at + 2))
    });
    // "In year 2 and year 5": not all the years between.
    let labels: Vec<(usize, f64)> = tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| Some((at, token.number()?)))
        .filter(|(_, number)| number.shape == Shape::YearLabel)
        .map(|(at, number)| (at, number.value))
        .collect();
    let apart = labels.windows(2).any(|pair| match pair {
        [(a, first), (b, second)] => {
            (second - first).abs() > 1.0
                && (*a..*b).any(|at| matches!(word(tokens, at), "and" | "or" | "versus" | "vs"))
                && !(0..*a).any(|at| word(tokens, at) == "between")
        }
        _ => false,
    });
    // "Payments 13 through 24" names both ends.
    let ends = tokens.iter().filter_map(Token::number).filter(|number| {
        matches!(
            number.shape,
            Shape::YearLabel | Shape::MonthLabel | Shape::PaymentLabel
        )
    });
    let upto = upto && ends.count() < 2;
    (half(tokens) || apart || (year && (several || ((upto || by) && from > 1.0)))).then(|| {
        "Which payments do you mean, from the first to the last? Please say it as “in year 5”, “in years 2 through \
         5” or “in the first 5 years”."
            .to_owned()
    })
}

fn labelled(tokens: &[Token], at: usize) -> bool {
    number(tokens, at).is_some_and(|number| number.shape == Shape::YearLabel)
}

/// "Halfway through", "mid-year".
fn half(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        let near = (at + 1..at + 6).any(|at| word(tokens, at).starts_with("year"));
        match word(tokens, at) {
            "mid" | "midyear" | "midway" | "halfway" => true,
            "middle" | "half" => near,
            _ => false,
        }
    })
}

/// "LTV at maturity" of a loan that is repaid along the way.
fn later(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let repaid = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "am" | "amort" | "amortizing" | "amortising" | "amortized"
        ) || token.word().starts_with("amortiz")
            || token.word().starts_with("amortis")
    });
    let says = [
        "at maturity",
        "at balloon",
        "at the balloon",
        "at exit",
        "at payoff",
        "at refinancing",
        "at refinance",
        "at loan maturity",
        "at the end",
        "at term end",
        "maturity ltv",
        "balloon ltv",
        "exit ltv",
        "ltv on exit",
        "when it matures",
        "when the loan matures",
        "at the maturity",
    ];
    let balance = figures
        .first()?
        .inputs
        .iter()
        .any(|input| matches!(input.name.as_str(), "balloon" | "loan_balance"));
    (repaid && !balance && says.iter().any(|says| stands(tokens, says))).then(|| {
        "You ask for a ratio at a later time, and the balance is lower then. Please ask for the balance at that time \
         first, and then for the ratio with it."
            .to_owned()
    })
}

/// Names of months that are no part of a date.
fn bare_months(tokens: &[Token]) -> usize {
    let dated = |at: usize| {
        number(tokens, at).is_some_and(|number| (1.0..=31.0).contains(&number.value))
            || rank(word(tokens, at)).is_some()
    };
    let mut found: Vec<usize> = (0..tokens.len())
        .filter(|at| !dated(at + 1) && !at.checked_sub(1).is_some_and(dated))
        .filter(|at| {
            // "May" and "march" are words of their own.
            let led = at.checked_sub(1).is_none_or(|before| {
                matches!(
                    word(tokens, before),
                    "for"
                        | "in"
                        | "and"
                        | "to"
                        | "through"
                        | "thru"
                        | "until"
                        | "till"
                        | "of"
                        | "from"
                        | "between"
                        | "during"
                ) || tokens
                    .get(before)
                    .is_some_and(|token| token.is_mark(',') || token.is_mark('-'))
            });
            led || !matches!(word(tokens, *at), "may" | "march" | "mar")
        })
        .filter_map(|at| month(word(tokens, at)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.len()
}

/// A first payment today, which the value of payments at the end of each period leaves out.
fn at_once(tokens: &[Token], figure: &Figure) -> Option<String> {
    let due = figure.definition.contains("start of each period");
    (today(tokens) && !due).then(|| {
        "The first payment seems to fall today. Should I take the payments at the start of each period, or at its \
         end?"
            .to_owned()
    })
}

/// "Starting today", "the first payment now", "a perpetuity due".
fn today(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        let first = matches!(
            word(tokens, at),
            "starting" | "beginning" | "commencing" | "starts" | "begins" | "first"
        );
        let now = (at + 1..at + 6)
            .take_while(|at| !word(tokens, *at).is_empty())
            .any(|at| {
                matches!(word(tokens, at), "today" | "now" | "immediately")
                    && !matches!(word(tokens, at.saturating_sub(1)), "from" | "after")
            });
        let named = matches!(word(tokens, at), "perpetuity" | "annuity") && word(tokens, at + 1) == "due";
        (first && now) || named
    })
}

/// Flows that stand at another time than they are told.
fn flows(tokens: &[Token], figure: &Figure) -> Option<String> {
    let row: Vec<f64> = figure
        .input("cash_flows")?
        .as_array()?
        .iter()
        .filter_map(serde_json::Value::as_f64)
        .collect();
    // "1.5mm at the end of year 5 on top" has its year and is added to what falls there.
    let placed = (2..tokens.len()).any(|at| {
        word(tokens, at - 1) == "on"
            && word(tokens, at) == "top"
            && word(tokens, at + 1) != "of"
            && tokens
                .get(at - 2)
                .and_then(Token::number)
                .is_some_and(|number| number.shape == Shape::YearLabel)
    });
    if ["on top of", "in addition to the", "on top"]
        .iter()
        .any(|says| stands(tokens, says))
        && !placed
    {
        return Some(
            "One amount comes on top of another. Please give the whole amount of that year.".to_owned(),
        );
    }
    let first = (0..tokens.len()).find(|at| word(tokens, *at) == "first");
    let ahead = [
        "a year from",
        "year from now",
        "year from today",
        "year out",
        "year hence",
        "end of the first year",
        "end of year one",
    ];
    let undiscounted = figure.name == "npv" && figure.definition.contains("t = 0");
    if undiscounted
        && let Some(at) = first
        && matches!(
            word(tokens, at + 1),
            "amount" | "flow" | "payment" | "cash" | "one" | "outlay" | "cashflow"
        )
        && ahead.iter().any(|says| stands(tokens, says))
        && row.first().is_some_and(|value| *value != 0.0)
    {
        return Some(
            "Does the first amount fall today or a year from now? Please give each amount with its year."
                .to_owned(),
        );
    }
    if figure.name == "npv" && !undiscounted && today(tokens) {
        return Some(
            "The first amount seems to fall today. Please give each amount with its year, today's as year 0."
                .to_owned(),
        );
    }
    if repeated(tokens, &row) {
        return Some(
            "An amount is named for several years: does it come in each of them, or once? Please give each amount \
             with its years."
                .to_owned(),
        );
    }
    if both_ways(tokens, &row) {
        return Some(
            "Is the second amount paid or received in each of these years? Please say of each amount whether it goes \
             out or comes in."
                .to_owned(),
        );
    }
    if behind(tokens, &row) {
        return Some(
            "I am not sure which amount belongs to which year. Please give each amount with its year."
                .to_owned(),
        );
    }
    None
}

/// "100k for four years", taken once.
fn repeated(tokens: &[Token], row: &[f64]) -> bool {
    let inner = row.get(1..row.len().saturating_sub(1)).unwrap_or_default();
    inner.contains(&0.0)
        && (0..tokens.len()).any(|at| {
            let Some(amount) = number(tokens, at).filter(|number| number.per.is_none()) else {
                return false;
            };
            let years = number(tokens, at + 2).filter(|number| number.shape == Shape::Years);
            let once = row
                .iter()
                .filter(|value| (**value - amount.value).abs() < 1e-6)
                .count()
                == 1;
            matches!(word(tokens, at + 1), "for" | "over")
                && years.is_some_and(|years| years.value > 1.0)
                && once
                && amount.value > 0.0
        })
}

/// "We invest 300k at close and 20k every year": a second amount without a word of its own, read as received.
fn both_ways(tokens: &[Token], row: &[f64]) -> bool {
    const PAID: &[&str] = &[
        "invest",
        "invests",
        "invested",
        "investing",
        "pay",
        "pays",
        "paying",
        "paid",
        "spend",
        "spent",
        "contribute",
        "contributed",
        "put",
        "outlay",
    ];
    const WHEN: &[&str] = &[
        "at",
        "on",
        "the",
        "closing",
        "close",
        "now",
        "today",
        "upfront",
        "initially",
        "start",
        "outset",
        "up",
        "front",
    ];
    row.first().is_some_and(|value| *value < 0.0)
        && (0..tokens.len()).any(|at| {
            if !PAID.contains(&word(tokens, at)) {
                return false;
            }
            let paid = at + 1 + usize::from(matches!(word(tokens, at + 1), "in" | "out"));
            if number(tokens, paid).is_none() {
                return false;
            }
            let mut next = paid + 1;
            while WHEN.contains(&word(tokens, next)) {
                next += 1;
            }
            let joined = next > paid + 1 && word(tokens, next) == "and";
            let yearly = number(tokens, next + 1).is_some_and(|second| second.per == Some(Per::Year));
            let received = number(tokens, next + 1)
                .is_some_and(|second| row.iter().any(|value| (value - second.value).abs() < 1e-6));
            joined && yearly && received
        })
}

/// "90k a year for 8 years and 500k at the end of year 8": the years of a row do not begin after the one that is named.
fn behind(tokens: &[Token], row: &[f64]) -> bool {
    let of = |shape: Shape| -> Vec<f64> {
        tokens
            .iter()
            .filter_map(Token::number)
            .filter(|number| number.shape == shape)
            .map(|number| number.value)
            .collect()
    };
    let later = [
        "starting",
        "beginning",
        "from",
        "then",
        "after",
        "thereafter",
        "following",
    ];
    let (spans, labels) = (of(Shape::Years), of(Shape::YearLabel));
    match (spans.as_slice(), labels.as_slice()) {
        ([span], [label]) => {
            label <= span
                && row.len() as f64 > span + 1.0
                && !tokens.iter().any(|token| later.contains(&token.word()))
        }
        _ => false,
    }
}

pub(super) fn stands(tokens: &[Token], phrase: &str) -> bool {
    let parts: Vec<&str> = phrase.split(' ').collect();
    (0..tokens.len()).any(|at| matches(tokens, at, &parts).is_some())
}

fn number(tokens: &[Token], at: usize) -> Option<&Number> {
    tokens.get(at).and_then(Token::number)
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}
