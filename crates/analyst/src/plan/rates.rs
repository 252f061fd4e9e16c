//! Conversions between rates: nominal with compounding to effective, a monthly or quarterly rate to a
//! yearly one.
//!
//! Reads only questions with exactly one percentage; anything else is asked back.

use crate::plan::deal::{CONVENTION, Deal};
use crate::read::given::{QUESTION, Reading};
use crate::words::scan::{Per, Shape, Sign, Token};
use finance::variable::Variable;

/// The deal of a rate conversion and the metric's word, or `None` if the question is another.
pub(crate) fn read(tokens: &[Token], reading: &Reading) -> Option<(Deal, &'static str)> {
    // "effective, not nominal" asks for the one and names the other.
    let has = |words: &[&str]| {
        tokens
            .iter()
            .enumerate()
            .any(|(at, token)| words.contains(&token.word()) && !denied(tokens, at))
    };
    let annualise = tokens.iter().any(|token| {
        let word = token.word();
        (word.starts_with("annuali") && !word.ends_with("ed")) || word == "annualised" || word == "annualized"
    }) || yearly(tokens);
    let simple = has(&["nominal"]) && !has(&["effective"]) && annualise;
    // "8.4% compounded monthly, effective?"
    let plain = reading.goals.is_empty()
        && has(&["effective"])
        && has(&["compounded", "compounding"])
        && tokens.len() <= 12;
    let effective = (reading.goals.contains(&Variable::EffectiveRate) || plain) && !simple;
    let nominal = has(&["nominal"]) && !effective && !(annualise && has(&["effective"]));
    if !effective && !annualise && !nominal {
        return None;
    }
    // "(365)", "on 365 days": the days of a year say how often, and are no rate.
    let numbers: Vec<(usize, &crate::words::scan::Number)> = tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| token.number().map(|number| (at, number)))
        .filter(|(_, number)| {
            !(matches!(number.shape, Shape::Plain | Shape::Days) && matches!(number.value, 365.0 | 360.0))
        })
        .collect();
    if nominal && !annualise && numbers.len() != 1 {
        return None;
    }
    if let Some(found) = renamed(tokens, &numbers).filter(|_| nominal) {
        return Some((found, NOMINAL));
    }
    // "500,000 today, 4,000 a month …: the effective annual IRR?": flows, and no rate to convert.
    if has(&["irr"]) && numbers.iter().all(|(_, number)| number.shape != Shape::Percent) && numbers.len() > 1
    {
        return None;
    }
    let [(at, number)] = numbers.as_slice() else {
        return effective.then(|| (lacking(&numbers), Variable::EffectiveRate.word()));
    };
    if number.shape != Shape::Percent || number.doubtful || number.sign == Sign::Minus {
        return effective.then(|| (lacking(&numbers), Variable::EffectiveRate.word()));
    }
    let value = number.value / 100.0;
    let mut deal = Deal::default();
    // "Monthly IRR is 0.83%" or "0.83% a month".
    let named = named_period(tokens, *at);
    let noun = named.or_else(|| {
        (1..=5)
            .filter_map(|back| at.checked_sub(back).and_then(|at| tokens.get(at)))
            .find_map(|token| period_of(token.word()))
    });
    // "A monthly IRR of 1.12%: what is that per year, compounded?" compounds by the period that is named.
    let compounds = (has(&["compounded", "compounds"]) && !(named.is_some() && yearly(tokens)))
        || has(&["apr"])
        || (has(&["compounding"]) && !annualise)
        || (has(&["nominal"]) && !nominal);
    let period = match number.per {
        Some(Per::Year) => None,
        other => other,
    };
    let per_period = period
        .or(noun)
        .filter(|_| !compounds || number.per.is_some() && number.per != Some(Per::Year) && !number.loose_per);
    if let Some(per) = per_period {
        let count = match per {
            Per::Month => 12.0,
            Per::Quarter => 4.0,
            _ => {
                deal.doubts
                    .push("I convert monthly and quarterly rates only.".to_owned());
                1.0
            }
        };
        // "nominal 6% quarterly, as a nominal rate compounded monthly": by way of the effective rate.
        let monthly = has(&["monthly"]);
        let other = match per {
            Per::Quarter if monthly => Some(12.0),
            Per::Month if has(&["quarterly"]) => Some(4.0),
            _ => None,
        };
        if let (true, Some(to)) = (nominal, other) {
            deal.set(
                Variable::EffectiveRate,
                (1.0 + value / count).powf(count) - 1.0,
                QUESTION,
            );
            deal.set(Variable::Compounding, to, QUESTION);
            deal.remarks
                .push("By way of the effective annual rate, which is the same for both.".to_owned());
            return Some((deal, NOMINAL));
        }
        // "Monthly rate for an 8% nominal annual": the rate given is that of the year.
        if nominal && number.per != Some(per) && named_after(tokens, *at) {
            deal.doubts.push(format!(
                "Is the rate given that of the year, and should I give the {} rate? Divide it by {count} then.",
                if count > 4.0 { "monthly" } else { "quarterly" }
            ));
        }
        if nominal || uncompounded(tokens) {
            deal.set(Variable::PeriodicRate, value, QUESTION);
            deal.set(Variable::Compounding, count, QUESTION);
            deal.remarks
                .push("Nominal annual rate: multiplied, without compounding.".to_owned());
            return Some((deal, NOMINAL));
        }
        if has(&["nominal", "simple"]) {
            deal.doubts
                .push("Do you want the effective (compounded) or the nominal annual rate?".to_owned());
        }
        deal.set(Variable::PeriodicRate, value, QUESTION);
        deal.set(Variable::Compounding, count, QUESTION);
        deal.remarks
            .push("Effective annual rate: compounded, not simply multiplied.".to_owned());
        return Some((
            deal,
            if effective && !annualise && !has(&["irr"]) && has(&["effective", "effectively", "ear", "apy"]) {
                "effective_rate"
            } else {
                "annual_rate"
            },
        ));
    }
    if !effective {
        return None;
    }
    deal.set(Variable::NominalRate, value, QUESTION);
    let frequencies: Vec<f64> = tokens
        .iter()
        .filter_map(|token| match token.word() {
            "daily" => Some(365.0),
            "monthly" => Some(12.0),
            "quarterly" => Some(4.0),
            "semiannually" | "semiannual" | "biannually" => Some(2.0),
            "continuously" | "weekly" | "biweekly" => Some(0.0),
            _ => None,
        })
        .collect();
    let half = tokens
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.word() == "semi" && b.word().starts_with("annual")))
        || tokens
            .windows(3)
            .any(|three| matches!(three, [a, _, b] if a.word() == "semi" && b.word().starts_with("annual")));
    match frequencies.as_slice() {
        [] if half => deal.set(Variable::Compounding, 2.0, QUESTION),
        [count] if *count > 0.0 && !half => {
            deal.set(Variable::Compounding, *count, QUESTION);
            if *count > 12.0 {
                deal.values
                    .entry(Variable::Compounding)
                    .and_modify(|given| given.origin = CONVENTION.to_owned());
            }
        }
        [] => deal.missing.push(Variable::Compounding),
        _ => deal.doubts.push("How often is the rate compounded?".to_owned()),
    }
    Some((deal, "effective_rate"))
}

/// "Nominal 6% quarterly: what is that compounded monthly?": from one compounding to another.
fn renamed(tokens: &[Token], numbers: &[(usize, &crate::words::scan::Number)]) -> Option<Deal> {
    let [(at, number)] = numbers else { return None };
    let labelled = (1..=3).any(|back| {
        at.checked_sub(back)
            .is_some_and(|at| tokens.get(at).is_some_and(|token| token.word() == "nominal"))
    });
    if !labelled || number.shape != Shape::Percent {
        return None;
    }
    let often = |token: &Token| match token.word() {
        "annually" | "yearly" => Some(1.0),
        "semiannually" | "semiannual" => Some(2.0),
        "quarterly" => Some(4.0),
        "monthly" => Some(12.0),
        "daily" => Some(365.0),
        _ => None,
    };
    let found: Vec<f64> = tokens.iter().filter_map(often).collect();
    let mut deal = Deal::default();
    match found.as_slice() {
        [given, wanted] if given != wanted => {
            let effective = (1.0 + number.value / 100.0 / given).powf(*given) - 1.0;
            deal.set(Variable::EffectiveRate, effective, QUESTION);
            deal.set(Variable::Compounding, *wanted, QUESTION);
            deal.remarks.push(format!(
                "The rate given, compounded {given} times a year, is turned into an effective rate first."
            ));
        }
        _ => deal
            .doubts
            .push("How often is the rate given compounded, and how often the one you want?".to_owned()),
    }
    Some(deal)
}

/// "not nominal", "rather than the nominal rate": named only to be set aside.
fn denied(tokens: &[Token], at: usize) -> bool {
    let word = |back: usize| {
        at.checked_sub(back)
            .and_then(|at| tokens.get(at))
            .map_or("", Token::word)
    };
    let article = usize::from(matches!(word(1), "the" | "a" | "an"));
    match word(1 + article) {
        "not" => true,
        "than" => matches!(word(2 + article), "rather" | "other"),
        "of" => word(2 + article) == "instead",
        _ => false,
    }
}

fn period_of(word: &str) -> Option<Per> {
    match word {
        "monthly" => Some(Per::Month),
        "quarterly" => Some(Per::Quarter),
        _ => None,
    }
}

/// "The monthly internal rate of return of an investment is 1.12 percent": the period that the rate at `at` is named
/// with, wherever it stands in its clause. "A monthly rate for 8% a year" names the one and gives the other.
fn named_period(tokens: &[Token], at: usize) -> Option<Per> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let clause = |token: &Token| ['.', '?', '!', ';', ':'].iter().any(|mark| token.is_mark(*mark));
    // "0.95% as the monthly IRR".
    if matches!(word(at + 1), "as" | "is") {
        let named = at + 2 + usize::from(matches!(word(at + 2), "the" | "a" | "our" | "its"));
        if matches!(word(named + 1), "irr" | "return" | "rate" | "yield") {
            return period_of(word(named));
        }
    }
    let mut between = Vec::new();
    for back in 1..=14 {
        let from = at.checked_sub(back)?;
        if tokens.get(from).is_none_or(clause) {
            return None;
        }
        if let Some(per) = period_of(word(from)) {
            let rate = (1..=2).any(|ahead| {
                matches!(
                    word(from + ahead),
                    "irr" | "return" | "rate" | "yield" | "irrs" | "returns" | "internal"
                )
            });
            let asked = (1..=4)
                .map_while(|back| from.checked_sub(back))
                .any(|at| matches!(word(at), "what" | "which"));
            let other = between.iter().any(|word: &&str| {
                matches!(
                    *word,
                    "annual" | "yearly" | "year" | "for" | "equivalent" | "to" | "from"
                )
            });
            let own = !matches!(
                word(at + 1),
                "annual" | "yearly" | "a" | "per" | "nominal" | "effective"
            );
            return (rate && !asked && !other && own).then_some(per);
        }
        between.push(word(from));
    }
    None
}

/// "Quarterly IRR 2.6%: annual, effective?": the rate of a shorter period, and the year named as what is wanted.
fn yearly(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let shorter = tokens.iter().enumerate().any(|(at, token)| {
        token
            .number()
            .is_some_and(|number| number.shape == Shape::Percent)
            && named_period(tokens, at).is_some()
    });
    let year = (0..tokens.len()).any(|at| {
        matches!(word(at), "annual" | "annually" | "yearly")
            || matches!((word(at), word(at + 1)), ("per" | "a", "year" | "annum"))
    });
    let compounds = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "effective" | "compounded" | "compounding" | "equivalent" | "equals" | "corresponds" | "equal"
        )
    });
    shorter && year && compounds
}

/// "8% nominal".
fn named_after(tokens: &[Token], at: usize) -> bool {
    (1..=2).any(|ahead| {
        tokens
            .get(at + ahead)
            .is_some_and(|token| token.word() == "nominal")
    })
}

/// "without compounding": multiplied.
fn uncompounded(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    (0..tokens.len()).any(|at| {
        let dash = usize::from(tokens.get(at + 1).is_some_and(|token| token.is_mark('-')));
        matches!(word(at), "uncompounded" | "noncompounding")
            || matches!(word(at), "without" | "no" | "not" | "non" | "ignoring")
                && matches!(word(at + 1 + dash), "compounding" | "compounded" | "compound")
    })
}

/// The metric's word of a nominal annual rate.
pub(crate) const NOMINAL: &str = "nominal_rate";

fn lacking(numbers: &[(usize, &crate::words::scan::Number)]) -> Deal {
    let mut deal = Deal::default();
    if numbers.is_empty() {
        deal.missing = vec![Variable::NominalRate, Variable::Compounding];
    } else {
        deal.doubts
            .push("Please give one nominal annual rate and how often it is compounded.".to_owned());
    }
    deal
}
