//! What is said where a question is about the portfolio and words of it were not understood: what was, and what was not.

use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::pieces::Piece;
use crate::portfolio::reading::Reading;

/// Words that are quoted.
const QUOTED: usize = 5;

pub(super) fn told(question: &str, pieces: &[Piece], reading: &Reading) -> String {
    let words: Vec<&str> = reading
        .unknown
        .iter()
        .filter_map(|at| pieces.get(*at))
        .filter_map(|piece| question.get(piece.start..piece.end))
        .take(QUOTED)
        .collect();
    let mut known: Vec<String> = reading.topics.iter().map(|topic| called(*topic)).collect();
    known.extend(reading.accounts.iter().map(|account| account.name.clone()));
    let places: Vec<&str> = reading.places.iter().map(|place| place.label.as_str()).collect();
    let about = match (known.is_empty(), places.is_empty()) {
        (true, true) => "your properties".to_owned(),
        (true, false) => places.join(" and "),
        (false, true) => known.join(" and "),
        (false, false) => format!("{} of {}", known.join(" and "), places.join(" and ")),
    };
    let nearest = match known.first() {
        Some(first) => format!("“{first} at a property, last 12 months”, or “{first} by building”"),
        None => "“NOI at a property, last 12 months”".to_owned(),
    };
    format!(
        "That is about {about}, but I am not sure how to take “{}”. I can give, for instance, {nearest}.",
        words.join("”, “")
    )
}

/// A topic in a person's words: "debt service" for `DebtService`.
fn called(topic: Topic) -> String {
    match topic {
        Topic::Noi => "NOI".to_owned(),
        Topic::Egi => "income".to_owned(),
        Topic::Opex => "operating expenses".to_owned(),
        Topic::Walt => "WALT".to_owned(),
        Topic::Dscr => "DSCR".to_owned(),
        Topic::Ltv => "LTV".to_owned(),
        Topic::Gpr => "gross potential rent".to_owned(),
        other => {
            let mut out = String::new();
            for c in format!("{other:?}").chars() {
                if c.is_uppercase() && !out.is_empty() {
                    out.push(' ');
                }
                out.extend(c.to_lowercase());
            }
            out
        }
    }
}

/// What a figure was to be taken as, and cannot.
pub(super) fn turned(turn: Turn) -> &'static str {
    match turn {
        Turn::ByArea => "by area",
        Turn::ByRent => "by rent",
        Turn::ByUnits | Turn::PerUnit => "per unit",
        Turn::AllUnits => "over all units",
        Turn::PerArea => "per square foot",
        Turn::PerMonth => "per month",
        Turn::PerYear | Turn::Annualized => "per year",
        Turn::Share => "as a share",
        Turn::Count => "as a count",
        Turn::Senior => "for senior loans alone",
        Turn::AllLoans => "over all loans",
        Turn::Levered => "for buildings with debt",
        Turn::Growth => "as a change",
        Turn::Average => "as an average",
        Turn::Median => "as a median",
        Turn::Each => "for each",
        Turn::Versus => "against the budget",
        Turn::OccupiedOnly => "over the occupied units alone",
        Turn::Including => "with that in it",
        Turn::Gain | Turn::Loss | Turn::MonthOnMonth | Turn::QuarterOnQuarter => "as a change",
        Turn::Next => "for what comes next",
        Turn::Missed | Turn::UnderBudget => "by who missed it",
        Turn::Beat | Turn::OverBudget => "by who beat it",
        Turn::Fixed => "for fixed-rate loans alone",
        Turn::Floating => "for floating-rate loans alone",
        Turn::InterestOnly => "for interest-only loans alone",
        Turn::HowMany => "by how many there are",
    }
}
