//! Loans and annuities that are asked about otherwise than their figure is worked out: paid in another rhythm, over
//! another time, the payment of a sum that was taken for the payment itself.
//!
//! Looks at the words of the question and at the figures with their inputs, whoever worked them out.

use crate::contract::draft::Figure;
use crate::plan::phrases::{near, says, value, word};
use crate::words::among::among;
use crate::words::scan::{Number, Per, Shape, Token};

/// The question that such words lead to.
pub(crate) fn missed(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    rhythm(tokens, first)
        .or_else(|| of_year(tokens, figures))
        .or_else(|| of_month(tokens, first))
        .or_else(|| constant_payment(tokens, first))
        .or_else(|| sum_as_payment(tokens, first))
        .or_else(|| denied(tokens, first))
        .or_else(|| whole_term(tokens, first))
        .or_else(|| other_goal(tokens, first))
        .or_else(|| other_bounds(tokens, first))
        .or_else(|| nominal_given(tokens, first))
        .or_else(|| huge_payment(figures))
}

const REPAID: &str = "payment interest_paid principal_paid balloon";
const PAYMENTS: &str = "payment|payments|pmt|pmts|installment|installments|instalment|instalments|repayments";

/// "Annual payments, interest in year 4", and the payments are taken monthly.
fn rhythm(tokens: &[Token], first: &Figure) -> Option<String> {
    if !among(REPAID, &first.name) {
        return None;
    }
    let yearly = says(tokens, &["annual|yearly|annually", PAYMENTS])
        || says(tokens, &["paid", "annually|yearly"])
        || says(tokens, &["year", "end", PAYMENTS])
        || says(tokens, &[PAYMENTS, "a|per|each", "year"])
        || says(tokens, &["once", "a|per", "year"])
        || says(tokens, &["every", "december|january|year"]);
    let quarterly = says(tokens, &["quarterly", PAYMENTS])
        || says(tokens, &[PAYMENTS, "a|per|each|every", "quarter"])
        || tokens.iter().any(|token| token.word() == "quarters");
    let halves = says(tokens, &["semiannual|semiannually|biannual", PAYMENTS])
        || says(tokens, &["semi", "annual|annually", PAYMENTS])
        || says(tokens, &["twice", "a|per", "year"]);
    if !(yearly || quarterly || halves) || says(tokens, &["monthly", PAYMENTS]) {
        return None;
    }
    // Payments of another rhythm are worked out for a sum over periods, and are the one figure that is.
    let of_periods = value(first, "number_of_periods");
    let asked_beside = tokens
        .iter()
        .any(|token| among("interest principal balance", token.word()))
        && first.name == "payment"
        && !says(tokens, &["principal", "and|&", "interest"])
        && !says(tokens, &["at", "interest"]);
    // "Over 20 quarters" is no term of 20 years.
    let quarters = tokens.iter().enumerate().find_map(|(at, token)| {
        let count = token.number()?.value;
        (word(tokens, at + 1) == "quarters").then_some(count)
    });
    let misread = quarters.is_some_and(|count| of_periods.is_some_and(|own| !near(own, count)));
    (of_periods.is_none() || asked_beside || misread).then(|| {
        "The payments are not monthly there. I can give the payment of such a loan; its interest, principal and balance I work out for monthly payments."
            .to_owned()
    })
}

/// "Annual debt service?", and the figure is the payment of a month.
fn of_year(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    let asked = says(tokens, &["annual|yearly", "debt"])
        || says(tokens, &["cost", "per|a", "year"])
        || says(tokens, &["annual|yearly", "cost|service|total"]);
    let yearly = figures
        .iter()
        .any(|figure| among("debt_service annual_payment", &figure.name));
    let monthly = first.name == "payment" && value(first, "number_of_payments").is_some();
    (asked && monthly && !yearly).then(|| {
        "You speak of a year, and I would give the payment of a month. Should I give the annual debt service?".to_owned()
    })
}

/// "… allows on annual NOI of 2.75m, per month?", and the figure is that of a year.
fn of_month(tokens: &[Token], first: &Figure) -> Option<String> {
    let told = tokens.iter().filter_map(Token::number).any(|number| {
        matches!(number.per, Some(Per::Month | Per::Quarter)) || number.every == Some(Per::Month)
    });
    let asked = says(tokens, &["per|a|each", "month"])
        || says(tokens, &["monthly", "debt|cost|interest|payment|carry|carrying"]);
    let yearly = first.name == "debt_service"
        || (first.name == "interest" && value(first, "days").is_none() && first.period.is_none());
    let amortizes = first.input("payment").is_some();
    (asked && yearly && !told && !amortizes).then(|| {
        "You speak of a month, and I would give the amount of a year. Should I give that of the year?"
            .to_owned()
    })
}

/// "The constant monthly payment": no loan constant.
fn constant_payment(tokens: &[Token], first: &Figure) -> Option<String> {
    let asked = says(tokens, &["constant|level|equal", PAYMENTS])
        || says(tokens, &["constant", "monthly|annual", PAYMENTS]);
    (first.name == "mortgage_constant" && asked).then(|| {
        "You ask for the payment, and I would give the loan constant. Please ask for the monthly payment."
            .to_owned()
    })
}

/// "A level payment with a present value of 500,000": the sum, and not what is paid each time.
fn sum_as_payment(tokens: &[Token], first: &Figure) -> Option<String> {
    let level = value(first, "level_amount")?;
    let named = (0..tokens.len()).any(|at| {
        let number = |at: usize| tokens.get(at).and_then(Token::number);
        let ahead = (at + 1..at + 4)
            .take_while(|next| number(*next).is_some() || among("of is the a", word(tokens, *next)))
            .find_map(|next| number(next).map(|number| (next, number)));
        // "The present value of 75,000 a year" tells what is paid.
        let once = |next: usize, own: &Number| {
            own.per.is_none()
                && own.every.is_none()
                && (word(tokens, next + 1).is_empty()
                    || (word(tokens, next + 1) == "at" && number(next + 2).is_some()))
        };
        // "What rent has a present value of 200,000?"
        let has_value = at > 2 && among("has have having with", word(tokens, at - 3));
        let ahead = ahead
            .filter(|(next, own)| has_value || once(*next, own))
            .map(|(_, own)| own.value);
        let sum = word(tokens, at) == "pv"
            || (word(tokens, at) == "value" && at > 0 && word(tokens, at - 1) == "present")
            || among("lump buyout upfront", word(tokens, at));
        sum && ahead.is_some_and(|own| near(own, level))
    });
    (among("present_value", &first.name) && named).then(|| {
        "You give a present value, and I would take it for what is paid each time. Please ask for the level payment of the sum, or for the present value of the payments."
            .to_owned()
    })
}

/// "Principal in year 3? Not the interest."
fn denied(tokens: &[Token], first: &Figure) -> Option<String> {
    let asked = |name: &'static str| says(tokens, &["not", name]) || says(tokens, &["not", "the", name]);
    let other = (first.name == "interest_paid" && asked("interest"))
        || (first.name == "principal_paid" && asked("principal"));
    other.then(|| {
        "You set aside what I would give. Please ask for the interest or for the principal alone.".to_owned()
    })
}

/// "Interest over the term" of a loan that amortizes over a longer time.
fn whole_term(tokens: &[Token], first: &Figure) -> Option<String> {
    let over = says(tokens, &["over|during|through|to|until", "the", "term"])
        || says(tokens, &["over|during|through|to|until", "maturity"]);
    let last = value(first, "last_payment")?;
    let terms = tokens.iter().enumerate().filter_map(|(at, token)| {
        let number = token.number()?;
        let named = (at + 1..at + 3).any(|next| word(tokens, next) == "term");
        (number.shape == Shape::Years && named).then_some(number.value * 12.0)
    });
    let other = terms.into_iter().any(|months| !near(months, last));
    (over && other && among("interest_paid principal_paid", &first.name)).then(|| {
        "The loan amortizes over a longer time than its term. Over how many years should I add up?".to_owned()
    })
}

/// "Loan amount?" and a payment; "how many times covered?" and a payment.
fn other_goal(tokens: &[Token], first: &Figure) -> Option<String> {
    if !among("payment io_payment interest", &first.name) {
        return None;
    }
    let ends = |phrase: &[&str]| {
        let words: Vec<&str> = tokens
            .iter()
            .map(Token::word)
            .filter(|word| !word.is_empty())
            .collect();
        words.ends_with(phrase)
    };
    let loan = ends(&["loan", "amount"]) || says(tokens, &["can", "i|we", "borrow"]);
    let covered = says(tokens, &["times", "covered"]) || says(tokens, &["how", "well", "covered"]);
    (loan || covered).then(|| {
        "You ask for something else than a payment. Please name the figure with its inputs, for instance the DSCR from an NOI and a debt service."
            .to_owned()
    })
}

/// "NOI, constant 7.9%, DCR 1.25, LTV 65%: supportable value?": bounds of a loan that a plain capitalization leaves out.
fn other_bounds(tokens: &[Token], first: &Figure) -> Option<String> {
    let capitalized = first.name == "value" && value(first, "going_in_cap_rate").is_some();
    let covers = tokens.iter().enumerate().any(|(at, token)| {
        among("dscr dcr coverage", token.word())
            && (at + 1..at + 4).any(|next| tokens.get(next).is_some_and(|token| token.number().is_some()))
    });
    let one_cost = first.name == "ltc"
        && value(first, "total_cost").is_some_and(|total| {
            let amounts: Vec<f64> = tokens
                .iter()
                .filter_map(Token::number)
                .filter(|number| number.value >= 10_000.0)
                .map(|number| number.value)
                .collect();
            amounts.len() > 3 && amounts.iter().any(|own| near(*own, total))
        });
    if one_cost {
        return Some(
            "You give several costs, and I would take one of them for the total. Please name each: land, hard, soft and financing costs."
                .to_owned(),
        );
    }
    (capitalized && covers).then(|| {
        "A coverage is given as well, which a value by the cap rate leaves out. Which of them should lead to the value?"
            .to_owned()
    })
}

/// "The nominal annual rate is 6%. What is the monthly rate?"
fn nominal_given(tokens: &[Token], first: &Figure) -> Option<String> {
    let given = tokens.iter().enumerate().any(|(at, token)| {
        let percent = token
            .number()
            .is_some_and(|number| number.shape == Shape::Percent);
        percent
            && (1..=5).any(|back| {
                at.checked_sub(back)
                    .is_some_and(|at| word(tokens, at) == "nominal")
            })
    });
    let shorter = says(tokens, &["monthly|quarterly|periodic", "rate|periodic"]);
    (first.name == "nominal_rate" && given && shorter).then(|| {
        "The nominal rate is given: the rate of a period is that rate divided by the periods of a year. Should I convert it into another one?"
            .to_owned()
    })
}

/// "What part of the second year's payments is interest on $9.4 million?": the loan, taken for what is paid each month.
fn huge_payment(figures: &[Figure]) -> Option<String> {
    const MOST: f64 = 1e6;
    let first = figures.first()?;
    let told = figures
        .iter()
        .filter(|figure| figure.name == "loan_amount")
        .filter_map(|figure| value(figure, "payment"))
        .any(|payment| payment >= MOST);
    (told && among("interest_paid principal_paid balloon", &first.name)).then(|| {
        "I would take the loan for a monthly payment. Please name the loan amount as such.".to_owned()
    })
}
