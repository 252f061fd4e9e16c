//! What share of a price or value is borrowed, where no ratio is named: "60% of a 33m value", "25% down".
//!
//! Knows the reading so far, no goals of its own.

use crate::read::given::{Given, QUESTION, Reading};
use crate::read::vocabulary::Mention;
use crate::words::scan::{Shape, Token};
use finance::variable::Variable;

/// "LTV 75% on 7m", "60% of a 33m value", "75% of cost 16m": a share of what is lent against.
pub(crate) fn of_value(tokens: &[Token], mentions: &[Mention], reading: &mut Reading) {
    let lends = reading.goals.iter().any(|goal| {
        matches!(
            goal,
            Variable::MaxLoan | Variable::Loan | Variable::Payment | Variable::DebtService
        )
    });
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let named = |variable: Variable| mentions.iter().any(|mention| mention.variable == Some(variable));
    let given = |value: f64| Given {
        value,
        origin: QUESTION.to_owned(),
        conversion: None,
        period: None,
    };
    for at in 0..tokens.len() {
        let Some(share) = tokens
            .get(at)
            .and_then(Token::number)
            .filter(|number| number.shape == Shape::Percent)
        else {
            continue;
        };
        // "60% LTV on 38m".
        let at_value = at + usize::from(word(at + 1) == "ltv");
        if !lends || !matches!(word(at_value + 1), "of" | "on") || reading.values.contains_key(&Variable::Ltc)
        {
            continue;
        }
        let next = at_value + 2 + usize::from(matches!(word(at_value + 2), "a" | "an" | "the" | "our"));
        let Some(whole) = tokens.get(next).and_then(Token::number) else {
            continue;
        };
        let money = matches!(whole.shape, Shape::Money | Shape::Plain)
            && whole.value >= 10_000.0
            && whole.per.is_none()
            && !whole.doubtful;
        let noun = matches!(
            word(next + 1),
            "value"
                | "appraisal"
                | "valuation"
                | "purchase"
                | "price"
                | "property"
                | "building"
                | "appraised"
        );
        let ratio = share.value / 100.0;
        let ltv = reading.values.get(&Variable::Ltv).map(|given| given.value);
        let value = reading.values.get(&Variable::Value).map(|given| given.value);
        // "borrow 65% of 9.2m".
        let lent = (1..=2).any(|back| {
            matches!(
                at.checked_sub(back).map_or("", word),
                "borrow" | "borrowing" | "finance" | "financing" | "lend" | "lends"
            )
        });
        let free = |at: usize| reading.left.contains(&at);
        let share_fits = ltv == Some(ratio) || (ltv.is_none() && free(at));
        let loan = reading.values.get(&Variable::Loan).map(|given| given.value);
        let of_loan = lent && loan == Some(whole.value);
        let whole_fits = value == Some(whole.value) || (value.is_none() && (free(next) || of_loan));
        if money
            && share_fits
            && whole_fits
            && (noun || lent || ltv.is_some() || named(Variable::Ltv))
            && (noun || !named(Variable::Price))
        {
            if of_loan {
                reading.values.remove(&Variable::Loan);
            }
            reading.values.insert(Variable::Ltv, given(ratio));
            reading.values.insert(Variable::Value, given(whole.value));
            reading.left.retain(|left| *left != at && *left != next);
            return;
        }
    }
}

/// "25% down": the rest of the price is borrowed.
pub(crate) fn down_payment(tokens: &[Token], reading: &mut Reading) {
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", Token::word);
    let held = [Variable::Ltv, Variable::Loan, Variable::Equity]
        .iter()
        .any(|variable| reading.values.contains_key(variable));
    if held || !reading.values.contains_key(&Variable::Price) {
        return;
    }
    let place = reading.left.iter().copied().find_map(|at| {
        let share = tokens
            .get(at)?
            .number()
            .filter(|number| number.shape == Shape::Percent)?;
        let back = |steps: usize| word(at.checked_sub(steps));
        let named = word(Some(at + 1)) == "down"
            || (back(1) == "payment" && back(2) == "down")
            || (back(2) == "payment" && back(3) == "down");
        named.then_some((at, share.value / 100.0))
    });
    if let Some((at, share)) = place {
        let given = Given {
            value: 1.0 - share,
            origin: QUESTION.to_owned(),
            conversion: None,
            period: None,
        };
        reading.values.insert(Variable::Ltv, given);
        reading.left.retain(|left| *left != at);
    }
}

/// "How much per month on 350k at 6.9%, 30 years?": an amount, a rate and a time in months can only be a loan.
pub(crate) fn plain_loan(tokens: &[Token], mentions: &[Mention], reading: &mut Reading) {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let monthly = (0..tokens.len()).any(|at| {
        word(at) == "monthly" || (matches!(word(at), "per" | "a" | "each") && word(at + 1) == "month")
    });
    let own = mentions.iter().all(|mention| {
        matches!(
            mention.variable,
            Some(Variable::Loan | Variable::Rate | Variable::AmortizationYears | Variable::Payment)
        )
    });
    let other = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "rent"
                | "rents"
                | "save"
                | "saving"
                | "deposit"
                | "invest"
                | "receive"
                | "annuity"
                | "worth"
                | "lease"
                | "only"
                | "io"
        )
    });
    if !reading.goals.is_empty() || !monthly || !own || other {
        return;
    }
    let numbers: Vec<_> = tokens.iter().filter_map(Token::number).collect();
    let amounts: Vec<f64> = numbers
        .iter()
        .filter(|number| {
            matches!(number.shape, Shape::Money | Shape::Plain)
                && number.per.is_none()
                && number.value >= 10_000.0
        })
        .map(|number| number.value)
        .collect();
    let rates: Vec<f64> = numbers
        .iter()
        .filter(|number| number.shape == Shape::Percent && number.per.is_none() && number.value <= 20.0)
        .map(|number| number.value / 100.0)
        .collect();
    let years: Vec<f64> = numbers
        .iter()
        .filter(|number| number.shape == Shape::Years && number.value >= 10.0)
        .map(|number| number.value)
        .collect();
    let ([amount], [rate], [years], 3) = (
        amounts.as_slice(),
        rates.as_slice(),
        years.as_slice(),
        numbers.len(),
    ) else {
        return;
    };
    for (variable, value) in [
        (Variable::Loan, *amount),
        (Variable::Rate, *rate),
        (Variable::AmortizationYears, *years),
    ] {
        let given = Given {
            value,
            origin: QUESTION.to_owned(),
            conversion: None,
            period: None,
        };
        reading.values.insert(variable, given);
    }
    reading.values.retain(|variable, _| {
        matches!(
            variable,
            Variable::Loan | Variable::Rate | Variable::AmortizationYears
        )
    });
    reading.left.clear();
    reading.foreign.clear();
    reading.durations.clear();
    reading.goals = vec![Variable::Payment];
}
