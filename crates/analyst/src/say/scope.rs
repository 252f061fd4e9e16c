//! What the analyst says when it does not compute: greetings, questions outside its field, families it
//! does not know yet.
//!
//! Fixed texts without any number.

use crate::words::scan::Token;

pub(crate) const OUTSIDE: &str = "That is outside what I do: I answer real-estate finance questions such as cap rates, \
     values, loan payments, coverage, NPV and IRR.";
pub(crate) const BEYOND_NOTES: &str =
    "Beyond the notes I answer real-estate finance questions; all else is outside what I do.";
/// Where what came along did not enter.
pub(crate) const OF_FILE: &str = "I could not tell which amounts of the file should enter here. Please name the figure and the \
                                  amounts of the file that it needs.";

pub(crate) const WHAT_TO_COMPUTE: &str = "Which figure would you like? Name it with its inputs, for instance the cap rate from a price and the NOI.";
pub(crate) const TOO_LONG: &str =
    "That is more text than I can read with certainty. Please ask for one figure and give its inputs.";
pub(crate) const NEW_VALUE: &str =
    "I do not work out changes or comparisons within a question yet. Please give the new value itself.";
pub(crate) const WHICH_VALUE: &str =
    "Which of the values should I replace? Name it, for instance “NOI 350k”, and I compute it again.";
pub(crate) const WHAT_NEXT: &str = "What should I change or compute next? Give me a new value, for instance “at 6%”, or name another figure.";
const FORECAST: &str =
    "I do not forecast markets. Give me an assumption, and I compute what follows from it.";
const HELLO: &str = "Hello! I compute real-estate finance figures: cap rates and values, loan payments and balances, \
     DSCR, LTV, debt yield, NPV, IRR and more. What would you like to know?";
const EMPTY: &str =
    "Please ask a real-estate finance question, for instance the cap rate from a price and the NOI.";

/// The reply to a greeting or an empty question.
pub(crate) fn greeting(tokens: &[Token]) -> Option<&'static str> {
    let words: Vec<&str> = tokens
        .iter()
        .map(Token::word)
        .filter(|word| !word.is_empty())
        .collect();
    let numbers = tokens.iter().any(|token| token.number().is_some());
    if words.is_empty() && !numbers {
        return Some(EMPTY);
    }
    let polite = words.iter().all(|word| {
        matches!(
            *word,
            "hi" | "hello"
                | "hey"
                | "good"
                | "morning"
                | "afternoon"
                | "evening"
                | "day"
                | "there"
                | "thanks"
                | "thank"
                | "you"
                | "much"
                | "very"
                | "so"
                | "help"
                | "please"
                | "how"
                | "are"
                | "what"
                | "can"
                | "do"
                | "who"
                | "greetings"
                | "yo"
                | "howdy"
        )
    });
    (polite && !numbers && words.len() <= 8).then_some(HELLO)
}

/// The reply to a question about what a market will do.
pub(crate) fn forecast(tokens: &[Token]) -> Option<&'static str> {
    let pair = |a: &str, b: &[&str]| {
        tokens
            .windows(2)
            .any(|two| matches!(two, [x, y] if x.word() == a && b.contains(&y.word())))
    };
    let words = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "forecast" | "predict" | "prediction" | "outlook" | "headed" | "heading"
        )
    });
    // "the forecast NOI is 437,325" is an assumption with its amount.
    let amounts = tokens
        .iter()
        .filter_map(Token::number)
        .any(|number| number.value >= 1000.0 && !number.short);
    let words = words && !amounts;
    let future = pair("next", &["year", "quarter", "month", "week"])
        || pair("going", &["to"])
        || pair("by", &["year"]);
    let will = tokens
        .iter()
        .any(|token| matches!(token.word(), "will" | "gonna"));
    let numbers = tokens.iter().any(|token| token.number().is_some());
    (words || (future && will && !numbers)).then_some(FORECAST)
}

/// Families that other wordings of a question do lead to.
const READ_ELSEWHERE: &[&str] = &[
    "distribution waterfalls and preferred returns",
    "cash flows with calendar dates",
    "weighted average lease terms",
    "1031 exchanges",
    "depreciation",
    "prepayment premiums",
    "sales comparables",
    "rent escalations",
    "sensitivity tables",
    "cash flows that grow",
    "several loans at once",
    "loss to lease",
    "net effective rents",
    "replacement cost",
];

/// An honest refusal that names the family.
pub(crate) fn not_yet(family: &str) -> String {
    if READ_ELSEWHERE.contains(&family) {
        return format!(
            "I work with {family}, but I cannot read this question with certainty. Please name the figure you want and \
             each amount that goes into it."
        );
    }
    if family == "attached files" {
        return "No file came with the message that I can read. Please attach it as CSV or Excel, or give me the figures \
                in the question."
            .to_owned();
    }
    format!(
        "I cannot answer questions about {family} yet. I can compute cap rates, values, loans, coverage, NPV and IRR from figures you give me."
    )
}

/// A question that can be read in two ways: as the readers have it, and as this one.
pub(crate) fn two_readings(other: &str) -> String {
    format!(
        "I can read that in two ways with different results, so I give neither. Do you mean: “{other}”? Otherwise please \
         name each amount and the figure you want."
    )
}
