//! The question as a deal: goals, values by variable, and every number that found no place.
//!
//! Reads one question alone; what earlier turns or notes add is decided elsewhere.

use crate::read::fitting;
use crate::read::given::{Given, QUESTION, Reading, convert, insert, said};
use crate::read::goals;
use crate::read::layout;
use crate::read::roles::{self, Assigned, Pairing};
use crate::read::shares;
use crate::read::terms::{self, Duration, Role};
use crate::read::vocabulary::{self, Mention};
use crate::read::wanted::wanted;
use crate::words::scan::{Shape, Token};
use finance::days::DayCount;
use finance::variable::{Unit, Variable};

/// Reads the tokens of `text`.
pub(crate) fn read(text: &str, tokens: &[Token]) -> Reading {
    let mentions = vocabulary::mentions(tokens);
    let mut reading = Reading {
        durations: terms::durations(tokens),
        ..Reading::default()
    };
    reading.interest_only = terms::interest_only(tokens);
    reading.day_count = tokens.iter().find_map(|token| match token.word() {
        "actual/360" => Some(DayCount::Actual360),
        "actual/365" => Some(DayCount::Actual365),
        "30/360" => Some(DayCount::Thirty360),
        _ => None,
    });
    // "counts the actual days but divides the year by 360".
    let divided = (1..tokens.len()).find_map(|at| {
        let days = tokens.get(at).and_then(Token::number).map(|number| number.value);
        let by = tokens.get(at - 1).is_some_and(|token| token.word() == "by");
        let actual = tokens.iter().any(|token| token.word() == "actual");
        match days.filter(|_| by && actual) {
            Some(360.0) => Some((at, DayCount::Actual360)),
            Some(365.0) => Some((at, DayCount::Actual365)),
            _ => None,
        }
    });
    reading.day_count = reading.day_count.or(divided.map(|(_, count)| count));
    let weights: Vec<u8> = mentions
        .iter()
        .map(|mention| goals::weight(tokens, &mentions, mention))
        .collect();
    let mut weights = together(tokens, &mentions, weights);
    let layout = layout::read(text, tokens, &mentions);
    for (slot, weight) in weights.iter_mut().enumerate() {
        if layout.taken(slot) {
            *weight = 0;
        } else if layout.open.contains(&slot) && mentions.get(slot).is_some_and(|m| m.variable.is_some()) {
            *weight = 3;
        }
    }
    given_too(tokens, &mentions, &mut weights);
    let asked: Vec<usize> = weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| **weight >= 2)
        .map(|(at, _)| at)
        .collect();
    let free: Vec<usize> = (0..tokens.len())
        .filter(|at| tokens.get(*at).is_some_and(is_free))
        .filter(|at| !reading.durations.iter().any(|item| item.token == *at))
        .filter(|at| divided.is_none_or(|(place, _)| place != *at))
        .collect();
    let loan_context = loan_context(tokens, &mentions, &reading.durations);
    let assigned = match roles::pair(tokens, &mentions, &asked, &free, loan_context, &layout) {
        Pairing::Found { assigned, left } => {
            reading.left = left;
            assigned
        }
        Pairing::Ambiguous(which) => {
            let said: Vec<&str> = which.iter().map(|at| said(text, tokens, *at)).collect();
            reading
                .doubts
                .push(format!("I can read {} in more than one way.", said.join(" and ")));
            Vec::new()
        }
        Pairing::TooMany => {
            reading
                .doubts
                .push("There are more numbers here than I can place with certainty.".to_owned());
            Vec::new()
        }
    };
    for token in tokens
        .iter()
        .filter(|token| token.number().is_some_and(|number| number.doubtful))
    {
        reading.doubts.push(format!(
            "I am not sure how to read “{}”.",
            text.get(token.start..token.end).unwrap_or("")
        ));
    }
    let negative = tokens.windows(2).any(|pair| {
        matches!(pair, [a, b] if a.word() == "negative" && !matches!(b.word(), "leverage" | "amortization" | ""))
    });
    if negative {
        reading.doubts.push(
            "Which amount is negative? Please write it with a minus sign, for instance -50k.".to_owned(),
        );
    }
    for item in &assigned {
        place(text, tokens, &mentions, item, &mut reading);
    }
    if interest_free(tokens) && !reading.values.contains_key(&Variable::Rate) {
        let zero = Given {
            value: 0.0,
            origin: QUESTION.to_owned(),
            conversion: None,
            period: None,
        };
        reading.values.insert(Variable::Rate, zero);
        // "Zero-interest": the nought is the rate, not a number of its own.
        reading.left.retain(|at| {
            tokens
                .get(*at)
                .and_then(Token::number)
                .is_none_or(|number| number.value != 0.0)
        });
    }
    counts(tokens, &mut reading);
    if reading.interest_only && reading.mentions.is_empty() {
        reading.mentions.clone_from(&mentions);
    }
    let taken: Vec<usize> = assigned.iter().map(|item| item.token).collect();
    let borrowed = as_loan(tokens, &mentions, &mut reading);
    reading.goals = wanted(tokens, &mentions, &weights, &reading, &taken);
    of_a_year(&mut reading);
    if let Some(goal) = borrowed.filter(|_| reading.goals.is_empty()) {
        reading.goals = vec![goal];
    }
    shares::plain_loan(tokens, &mentions, &mut reading);
    shares::of_value(tokens, &mentions, &mut reading);
    shares::down_payment(tokens, &mut reading);
    reading.mentions = mentions;
    reading
}

fn is_free(token: &Token) -> bool {
    token.number().is_some_and(|number| {
        !matches!(
            number.shape,
            Shape::Years
                | Shape::Months
                | Shape::Days
                | Shape::Payments
                | Shape::YearLabel
                | Shape::MonthLabel
                | Shape::PaymentLabel
                | Shape::Calendar
        )
    })
}

/// "NOI 398,000, mortgage payments 287,500": twelve times as much would be a multiple of the income, so what is paid is
/// that of the year, as the income is.
fn of_a_year(reading: &mut Reading) {
    let income = reading.values.get(&Variable::Noi).map(|given| given.value);
    let paid = reading
        .values
        .get(&Variable::Payment)
        .filter(|given| given.period.is_none() && given.conversion.is_none())
        .map(|given| given.value);
    if let (Some(income), Some(paid)) = (income, paid)
        && paid * 12.0 > income * 2.0
        && (0.25..1.5).contains(&(paid / income))
        && !reading.values.contains_key(&Variable::DebtService)
        && let Some(given) = reading.values.remove(&Variable::Payment)
    {
        reading.values.insert(Variable::DebtService, given);
    }
}

/// "monthly debt service 3.6m @ 7%, 30 years": with a rate right behind it and a term, the amount is what is
/// borrowed, and the payment is what is asked.
fn as_loan(tokens: &[Token], mentions: &[Mention], reading: &mut Reading) -> Option<Variable> {
    let term = reading.durations.iter().any(|item| {
        matches!(item.role, Role::Amortization | Role::Term | Role::Unclear) && item.months >= 60.0
    });
    let loan = reading.values.contains_key(&Variable::Loan) || reading.values.contains_key(&Variable::Noi);
    if !term || loan {
        return None;
    }
    let given = [Variable::DebtService, Variable::Payment]
        .into_iter()
        .find(|variable| reading.values.contains_key(variable))?;
    let named: Vec<&Mention> = mentions
        .iter()
        .filter(|mention| mention.variable.is_some() && !mention.verb)
        .collect();
    let only = named.iter().all(|mention| {
        matches!(
            mention.variable,
            Some(Variable::DebtService | Variable::Payment | Variable::Rate | Variable::AmortizationYears)
        )
    });
    let rated = tokens.iter().enumerate().any(|(at, token)| {
        token
            .number()
            .is_some_and(|number| number.per.is_none() && matches!(number.shape, Shape::Money | Shape::Plain))
            && tokens
                .get(at + 1)
                .is_some_and(|next| next.is_mark('@') || next.word() == "at")
            && tokens
                .get(at + 2)
                .and_then(Token::number)
                .is_some_and(|rate| rate.shape == Shape::Percent)
    });
    if !only || !rated {
        return None;
    }
    let period = named
        .iter()
        .find(|mention| matches!(mention.variable, Some(Variable::DebtService | Variable::Payment)))?
        .period;
    let mut amount = reading.values.remove(&given)?;
    let factor = if given == Variable::DebtService && amount.conversion.is_some() {
        12.0
    } else {
        1.0
    };
    amount.value /= factor;
    amount.conversion = None;
    amount.period = None;
    reading.values.insert(Variable::Loan, amount);
    let yearly = given == Variable::DebtService && period != Some(crate::words::scan::Per::Month);
    Some(if yearly {
        Variable::DebtService
    } else {
        Variable::Payment
    })
}

/// "zero-interest", "interest-free", "at no interest": a rate of nought in words.
fn interest_free(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens
        .iter()
        .filter(|token| !token.is_mark('-'))
        .map(Token::word)
        .collect();
    let zero = tokens.windows(2).any(|pair| {
        matches!(pair, [a, b] if b.word() == "interest" && a.number().is_some_and(|number| number.value == 0.0))
    }) || tokens.windows(3).any(|three| {
        matches!(three, [a, dash, b] if dash.is_mark('-') && b.word() == "interest"
            && a.number().is_some_and(|number| number.value == 0.0))
    });
    zero || words.windows(2).any(|pair| {
        matches!(
            pair,
            ["zero" | "no" | "without", "interest"] | ["interest", "free"]
        )
    }) && !words
        .windows(3)
        .any(|three| matches!(three, ["no" | "without", "interest", "only"]))
}

/// True when a bare percentage can only be a loan's rate.
fn loan_context(tokens: &[Token], mentions: &[Mention], durations: &[Duration]) -> bool {
    use Variable::{
        AmortizationYears, Balance, Constant, Interest, InterestPaid, IoPayment, Loan, MaxLoan, Payment,
        PrincipalPaid,
    };
    let named = mentions.iter().any(|mention| {
        mention.variable.is_some_and(|variable| {
            matches!(
                variable,
                Loan | Payment
                    | Balance
                    | Constant
                    | AmortizationYears
                    | InterestPaid
                    | PrincipalPaid
                    | IoPayment
                    | Interest
                    | MaxLoan
            )
        })
    });
    let capital = mentions.iter().any(|mention| {
        matches!(
            mention.variable,
            Some(Variable::DiscountRate | Variable::EffectiveRate | Variable::Npv | Variable::Irr)
        )
    });
    let amortizing = durations.iter().any(|item| item.role == Role::Amortization);
    (named || amortizing || tokens.iter().any(|token| token.word() == "interest")) && !capital
}

/// "Gross potential rent for the block was 1.32m … What is the economic occupancy?": what only begins a sentence and has
/// an amount in it is given, where something else is asked for outright.
fn given_too(tokens: &[Token], mentions: &[Mention], weights: &mut [u8]) {
    use Variable::{Collections, Egi, Equity, Gpr, GrossRent, Loan, Noi, Opex, Pgi, Price, Rate, Value};
    let ratio = |variable: Variable| {
        matches!(variable.unit(), Unit::Percent | Unit::Ratio | Unit::Multiple) && variable != Rate
    };
    let asked = mentions
        .iter()
        .zip(weights.iter())
        .any(|(mention, weight)| *weight == 3 && mention.variable.is_some_and(ratio));
    if !asked {
        return;
    }
    let told = [
        Collections,
        Egi,
        Equity,
        Gpr,
        GrossRent,
        Loan,
        Noi,
        Opex,
        Pgi,
        Price,
        Value,
    ];
    for (mention, weight) in mentions.iter().zip(weights.iter_mut()) {
        let Some(variable) = mention
            .variable
            .filter(|variable| told.contains(variable) && *weight == 2)
        else {
            continue;
        };
        let ends = |token: &Token| [',', '.', '?', ':'].iter().any(|mark| token.is_mark(*mark));
        let given = tokens
            .iter()
            .skip(mention.to)
            .take(8)
            .take_while(|token| !ends(token))
            .filter_map(Token::number)
            .any(|number| fitting::fits(variable, number));
        if given {
            *weight = 0;
        }
    }
}

/// "IRR and equity multiple?": what is listed beside something asked for is asked for too.
fn together(tokens: &[Token], mentions: &[Mention], mut weights: Vec<u8>) -> Vec<u8> {
    let mut start = 0;
    while start < mentions.len() {
        let mut end = start;
        let mut joined = false;
        while let Some([first, second]) = mentions.get(end..end + 2) {
            let between = tokens.get(first.to..second.from).unwrap_or_default();
            let lists = |token: &Token| matches!(token.word(), "and" | "the" | "its") || token.is_mark(',');
            if between.is_empty() || !between.iter().all(lists) {
                break;
            }
            joined = joined || between.iter().any(|token| token.word() == "and");
            end += 1;
        }
        let most = weights
            .get(start..=end)
            .and_then(|run| run.iter().max().copied())
            .unwrap_or(0);
        if joined && most >= 2 {
            for (mention, weight) in mentions.iter().zip(weights.iter_mut()).take(end + 1).skip(start) {
                if !mention.verb && mention.variable.is_some() {
                    *weight = most;
                }
            }
        }
        start = end + 1;
    }
    weights
}

/// Puts one assigned number into the deal, converted to the variable's unit and period.
fn place(text: &str, tokens: &[Token], mentions: &[Mention], item: &Assigned, reading: &mut Reading) {
    let Some(number) = tokens.get(item.token).and_then(Token::number) else {
        return;
    };
    let Some(variable) = item.variable else {
        reading.foreign.push(item.token);
        return;
    };
    let words = said(text, tokens, item.token);
    let mut per = number.per;
    // "60k monthly debt service": the adjective is the next noun's.
    if number.loose_per
        && mentions
            .iter()
            .any(|mention| mention.from > item.token && mention.from <= item.token + 2)
    {
        per = item.period;
    }
    if let (Some(own), Some(noun)) = (per, item.period)
        && own != noun
        && fitting::flow(variable)
    {
        reading.doubts.push(format!("Two periods are named for {words}."));
    }
    let period = per.or(item.period);
    match convert(variable, number, period, words) {
        Ok((variable, given)) => insert(reading, variable, given),
        Err(doubt) => reading.doubts.push(doubt),
    }
}

/// "190 of 200 units": which part of which whole.
fn counts(tokens: &[Token], reading: &mut Reading) {
    let occupancy = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "let" | "occupied" | "occupancy" | "leased" | "full" | "rented"
        )
    });
    if !occupancy {
        return;
    }
    let count = |at: usize| {
        tokens.get(at).and_then(Token::number).filter(|number| {
            matches!(number.shape, Shape::Units | Shape::Plain)
                && number.value.fract() == 0.0
                && !number.scaled
        })
    };
    let mut found: Vec<(Variable, usize)> = Vec::new();
    for at in 0..tokens.len() {
        // "190 occupied units out of 200", "190/200 units".
        let noun = (1..=2).take_while(|n| {
            tokens
                .get(at + n)
                .is_some_and(|token| matches!(token.word(), "occupied" | "units" | "leased" | "are"))
        });
        let next = at + 1 + noun.count();
        let of = match (
            tokens.get(next).map_or("", Token::word),
            tokens.get(next + 1).map_or("", Token::word),
        ) {
            ("of", "the" | "our") | ("out", "of") => next + 2,
            ("of", _) => next + 1,
            _ if tokens.get(next).is_some_and(|token| token.is_mark('/')) => next + 1,
            _ => continue,
        };
        if let (Some(part), Some(whole)) = (count(at), count(of))
            && part.value <= whole.value
        {
            found = vec![(Variable::OccupiedUnits, at), (Variable::TotalUnits, of)];
            break;
        }
    }
    let units: Vec<usize> = (0..tokens.len())
        .filter(|at| {
            tokens
                .get(*at)
                .and_then(Token::number)
                .is_some_and(|number| number.shape == Shape::Units)
        })
        .collect();
    // "64 flats, of which 61 are let", "144 apartments, 137 of which are let".
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    if found.is_empty()
        && let [all] = units.as_slice()
        && let Some(part) = (0..tokens.len()).find(|at| {
            let behind = word(at + 1) == "of" && matches!(word(at + 2), "which" | "them");
            let ahead = *at >= 2 && word(at - 2) == "of" && word(at - 1) == "which";
            at != all && (behind || ahead) && count(*at).is_some()
        })
        && count(part)
            .zip(count(*all))
            .is_some_and(|(part, all)| part.value <= all.value)
    {
        found = vec![(Variable::OccupiedUnits, part), (Variable::TotalUnits, *all)];
    }
    if found.is_empty()
        && let [only] = units.as_slice()
    {
        found.push((Variable::TotalUnits, *only));
    }
    for (variable, at) in found {
        let Some(number) = count(at) else { continue };
        reading.left.retain(|left| *left != at);
        reading.values.insert(
            variable,
            Given {
                value: number.value,
                origin: QUESTION.to_owned(),
                conversion: None,
                period: None,
            },
        );
    }
}
