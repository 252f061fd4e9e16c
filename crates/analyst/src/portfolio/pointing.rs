//! What a follow-up points at: "their" NOI after a list of buildings, "combined", "those loans", "by how much". Pure.

use crate::portfolio::held::Held;
use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::reading::Reading;

/// Takes the buildings or the loans that the turn before listed, where the question points at them.
pub(super) fn point(reading: &mut Reading, held: &Held) {
    let free = reading.places.is_empty()
        && reading.groups.is_empty()
        && reading.sides.is_empty()
        && reading.stranger.is_none()
        && !reading.our
        && (!reading.whole || reading.summed);
    if !free {
        return;
    }
    let bare = reading.topics.is_empty() && reading.accounts.is_empty();
    let refers = reading.plural
        || (reading.summed && (reading.words <= 8 || reading.leans || reading.points))
        || (bare && reading.amount);
    if loans(reading, held, refers || reading.its) {
        return;
    }
    // "Which of them has the highest DSCR?"
    let among = reading.rank.is_some() && (reading.plural || reading.one_of);
    if !(refers || among) {
        return;
    }
    // Tenants, leases and units that were listed are no buildings.
    let others = [
        Topic::Tenants,
        Topic::Leases,
        Topic::Units,
        Topic::Expire,
        Topic::Rollover,
    ];
    let of_leases = held.topics.iter().any(|topic| others.contains(topic)) && held.listed.is_none();
    if let Some(listed) = &held.listed {
        reading.places = vec![listed.clone()];
        reading.each_of_list = !reading.summed && !among && listed.buildings.len() > 1;
        reading.listed = Some(listed.clone());
        reading.whole = false;
        reading.leans = true;
    } else if !held.places.is_empty() || !held.groups.is_empty() || held.without.is_of_places() {
        // "Combined" of the places that were named.
        reading.whole = false;
        reading.leans = true;
    } else if reading.plural
        && (!held.splits.is_empty() || of_leases || held.count.is_some_and(|count| count > 1))
    {
        reading.astray = true;
    }
}

/// "What is their balance?": of the loans that were listed.
fn loans(reading: &mut Reading, held: &Held, refers: bool) -> bool {
    let of_loans = |topic: &Topic| {
        matches!(
            topic,
            Topic::Owe
                | Topic::Debt
                | Topic::Loan
                | Topic::Rate
                | Topic::Mature
                | Topic::Lender
                | Topic::Covenant
        )
    };
    if held.loans.is_empty() || !refers || reading.topics.is_empty() || !reading.topics.iter().all(of_loans) {
        return false;
    }
    for topic in &mut reading.topics {
        if *topic == Topic::Debt {
            *topic = Topic::Owe;
        }
    }
    if !reading.topics.contains(&Topic::Loan) {
        reading.topics.push(Topic::Loan);
    }
    reading.loans.clone_from(&held.loans);
    reading.places.clone_from(&held.places);
    reading.whole = false;
    true
}

/// Words that nothing was found for: nobody knows which buildings are meant.
pub(super) fn astray(reading: &Reading) -> Option<String> {
    let asks = reading.astray && reading.places.is_empty() && !reading.whole;
    asks.then(|| {
        "Which ones do you mean? Please name the properties, or a city or kind of property.".to_owned()
    })
}

/// What a figure over a list no longer says: those were the ones that missed their budget.
pub(super) fn settle(reading: &mut Reading) {
    if reading.listed.is_none() {
        return;
    }
    for turn in [
        Turn::Missed,
        Turn::Beat,
        Turn::OverBudget,
        Turn::UnderBudget,
        Turn::Count,
    ] {
        reading.turns.remove(&turn);
    }
}
