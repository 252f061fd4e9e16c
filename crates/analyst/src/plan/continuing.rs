//! Whether and how a question continues the turn before it.
//!
//! Knows words and what was held, no values.

use crate::plan::frame::Frame;
use crate::read::given::Reading;
use crate::words::scan::Token;
use finance::variable::Variable;

/// Whether the question gives or names anything that the earlier turn did not.
pub(crate) fn adds(tokens: &[Token], reading: &Reading) -> bool {
    !reading.values.is_empty()
        || !reading.left.is_empty()
        || !reading.durations.is_empty()
        || !reading.mentions.is_empty()
        || !reading.foreign.is_empty()
        || !reading.doubts.is_empty()
        || reading.interest_only
        || reading.day_count.is_some()
        || tokens.iter().any(|token| period(token.word()).is_some())
        // "after" or "during" answers which payment of an interest-only loan is meant.
        || tokens.iter().any(|token| matches!(token.word(), "after" | "during" | "while"))
}

fn period(word: &str) -> Option<bool> {
    match word {
        "annually" | "annual" | "yearly" | "year" => Some(true),
        "monthly" | "month" => Some(false),
        _ => None,
    }
}

/// What a follow-up that names another side of the same figure asks: "and annually?" after a monthly payment,
/// "and vacancy?" after an occupancy. None where it names what the goals are no other side of.
pub(crate) fn other_figure(tokens: &[Token], reading: &Reading, goals: &[Variable]) -> Option<Vec<Variable>> {
    let says = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word()));
    let yearly = tokens.iter().find_map(|token| period(token.word()));
    let empty = says(&["vacancy", "vacant", "empty", "unoccupied", "unlet"]);
    let turned: Vec<Variable> = goals
        .iter()
        .map(|goal| match (goal, yearly) {
            (Variable::Payment, Some(true)) => Variable::DebtService,
            (Variable::DebtService, Some(false)) => Variable::Payment,
            (Variable::LossToLease, Some(true)) => Variable::AnnualLossToLease,
            (Variable::AnnualLossToLease, Some(false)) => Variable::LossToLease,
            (Variable::PhysicalOccupancy, _) if empty => Variable::Vacancy,
            (other, _) => *other,
        })
        .collect();
    let numbers = tokens.iter().any(|token| token.number().is_some());
    if turned != goals {
        return (!says(&["many"])).then_some(turned);
    }
    // To answer the same again would be no answer.
    let named =
        yearly.is_some() || reading.mentions.iter().any(|mention| mention.variable.is_none()) || empty;
    (numbers || !named).then_some(turned)
}

/// Short words that speak of what was said before.
pub(crate) fn leans(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        matches!(
            token.word(),
            "why"
                | "no"
                | "wrong"
                | "yes"
                | "that"
                | "it"
                | "and"
                | "really"
                | "sure"
                | "how"
                | "again"
                | "hmm"
                | "explain"
                | "correct"
                | "right"
                | "this"
                | "so"
                | "ok"
                | "okay"
        )
    })
}

/// Whether the question leans on the turn before it.
pub(crate) fn follows(tokens: &[Token], reading: &Reading, earlier: Option<&Frame>) -> bool {
    let Some(frame) = earlier else { return false };
    let first = tokens
        .iter()
        .map(Token::word)
        .find(|word| !word.is_empty())
        .unwrap_or("");
    let opens = matches!(
        first,
        "and"
            | "then"
            | "now"
            | "also"
            | "ok"
            | "okay"
            | "but"
            | "same"
            | "so"
            | "at"
            | "with"
            | "make"
            | "use"
    );
    let pair = |a: &str, b: &str| {
        tokens
            .windows(2)
            .any(|two| matches!(two, [x, y] if x.word() == a && y.word() == b))
    };
    let asks = pair("what", "if") || pair("what", "about") || pair("how", "about");
    let points = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "that"
                | "it"
                | "same"
                | "this"
                | "instead"
                | "those"
                | "these"
                | "its"
                | "earlier"
                | "above"
                | "previous"
        )
    });
    let bare = reading.goals.is_empty();
    // A short question without any new value continues with the old ones.
    let empty = reading.values.is_empty() && reading.left.is_empty() && tokens.len() <= 12;
    // Nothing here speaks against the earlier deal: no value of it is given anew, and no new thing is named.
    let apart = reading
        .values
        .keys()
        .all(|variable| !frame.values.iter().any(|held| held.variable == *variable));
    let another = tokens.windows(2).any(|two| {
        matches!(two, [x, y] if matches!(x.word(), "a" | "an" | "another" | "new" | "different" | "second")
            && matches!(y.word(), "building" | "property" | "loan" | "deal" | "asset" | "investment" | "mortgage" | "note" | "new" | "different"))
    });
    let continues = apart && !another && !frame.values.is_empty() && tokens.len() <= 25;
    let fills = reading
        .values
        .keys()
        .any(|variable| frame.missing.contains(variable))
        && bare;
    opens || asks || points || bare || empty || fills || continues
}
