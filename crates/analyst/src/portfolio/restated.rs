//! A ratio that is named together with what it is made of: "LTV: balance over value", "opex/EGI, the expense ratio", and
//! one that is only told by its parts: "NOI over debt service". Pure.

use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::quantities::Quantity;
use crate::portfolio::reading::Reading;

/// A ratio, and words for what it divides, and by what.
const RATIOS: &[(Topic, &[Topic], &[Topic])] = &[
    (
        Topic::Ltv,
        &[Topic::Owe, Topic::Debt, Topic::Loan],
        &[Topic::Value],
    ),
    (Topic::Dscr, &[Topic::Noi], &[Topic::DebtService]),
    (
        Topic::DebtYield,
        &[Topic::Noi],
        &[Topic::Owe, Topic::Debt, Topic::Loan],
    ),
    (Topic::ImpliedCap, &[Topic::Noi], &[Topic::Value]),
    (Topic::ExpenseRatio, &[Topic::Opex], &[Topic::Egi]),
    (
        Topic::Breakeven,
        &[
            Topic::Opex,
            Topic::DebtService,
            Topic::Occupancy,
            Topic::Owe,
            Topic::Debt,
        ],
        &[Topic::Gpr, Topic::Egi],
    ),
    (
        Topic::CashFlow,
        &[Topic::Noi, Topic::Egi],
        &[Topic::DebtService, Topic::Debt, Topic::Capex],
    ),
];

/// Takes the parts of a ratio that is named anyway for no figures of their own.
pub(super) fn settle(reading: &mut Reading) {
    // "Cap rate on trailing NOI over the valuation" is the one that these imply.
    let has = |reading: &Reading, topic: Topic| reading.topics.contains(&topic);
    if has(reading, Topic::Cap) && has(reading, Topic::Noi) && has(reading, Topic::Value) {
        for topic in &mut reading.topics {
            if *topic == Topic::Cap {
                *topic = Topic::ImpliedCap;
            }
        }
    }
    let parted =
        reading.quotient || reading.against || reading.base.is_some() || reading.turns.contains(&Turn::Share);
    for (ratio, over, under) in RATIOS {
        let others: Vec<Topic> = reading
            .topics
            .iter()
            .copied()
            .filter(|topic| topic != ratio)
            .collect();
        let of = |list: &[Topic]| others.iter().any(|topic| list.contains(topic));
        let whole = others
            .iter()
            .all(|topic| over.contains(topic) || under.contains(topic));
        if !has(reading, *ratio) || !whole || others.is_empty() {
            continue;
        }
        // "NOI and DSCR" are two figures; "T-12 NOI against what is owed, the debt yield" is one.
        let formula = of(over) && of(under) || parted;
        if !formula {
            continue;
        }
        reading.topics = vec![*ratio];
        reading.against = false;
        reading.quotient = false;
        reading.turns.remove(&Turn::Share);
        reading.base = None;
        reading.turns.remove(&Turn::Including);
        if matches!(ratio, Topic::Breakeven | Topic::CashFlow) {
            reading.accounts.clear();
        }
        return;
    }
    // "How much of our debt (current balances) comes due": the balance is the debt.
    let due = has(reading, Topic::Mature) || has(reading, Topic::Expire);
    if due && has(reading, Topic::Debt) && has(reading, Topic::Owe) {
        reading.topics.retain(|topic| *topic != Topic::Owe);
    }
    // "Debt service on the loans at Bayshore": on what else.
    if has(reading, Topic::DebtService) && has(reading, Topic::Loan) {
        reading.topics.retain(|topic| *topic != Topic::Loan);
    }
    // "Loss to lease on the occupied units": of those it is anyway.
    if has(reading, Topic::LossToLease) && has(reading, Topic::Occupancy) {
        reading.topics.retain(|topic| *topic != Topic::Occupancy);
    }
    // "As a share of market rent": that is what a loss to lease is a share of.
    if has(reading, Topic::LossToLease) && reading.base == Some(Quantity::Topic(Topic::MarketRent)) {
        reading.topics.retain(|topic| *topic != Topic::MarketRent);
        reading.base = None;
    }
    if is_capital(reading) {
        reading.accounts.clear();
        reading.turns.remove(&Turn::Including);
    }
    // "How much rent do we lose to vacancy": the loss, not the rent.
    let lost = |name: &str| name.to_lowercase().contains("vacancy");
    if reading.topics == [Topic::Rent] && reading.accounts.iter().any(|account| lost(&account.name)) {
        reading.topics.clear();
    }
    // "Marketing, all in": nothing of loans.
    let of_loans = |topic: &Topic| {
        use Topic as T;
        matches!(
            topic,
            T::Dscr
                | T::Ltv
                | T::DebtYield
                | T::Debt
                | T::Owe
                | T::Loan
                | T::CostOfDebt
                | T::Equity
                | T::Covenant
                | T::Breach
                | T::Rate
                | T::Mature
                | T::Maturities
        )
    };
    let asked = !reading.topics.is_empty() || !reading.accounts.is_empty();
    if asked && !reading.topics.iter().any(of_loans) {
        reading.turns.remove(&Turn::AllLoans);
    }
    // Only its parts are named: "NOI over total debt service". "NOI minus debt service" is a difference.
    if let [first, second] = reading.topics.as_slice()
        && !reading.minus
        && reading.accounts.is_empty()
        && (reading.quotient || reading.base == Some(Quantity::Topic(*second)))
    {
        let found = RATIOS
            .iter()
            .take(5)
            .find(|(_, over, under)| over.contains(first) && under.contains(second));
        if let Some((ratio, ..)) = found {
            reading.topics = vec![*ratio];
            reading.quotient = false;
            reading.base = None;
            reading.turns.remove(&Turn::Share);
        }
    }
}

/// "Capex, tenant improvements and commissions as one number": capital spend is all of them.
pub(super) fn is_capital(reading: &Reading) -> bool {
    let capital = |name: &str| {
        let name = name.to_lowercase();
        name.contains("tenant improvement") || name.contains("leasing commission")
    };
    reading.topics == [Topic::Capex]
        && !reading.accounts.is_empty()
        && (reading.accounts.len() > 1 || reading.turns.contains(&Turn::Including))
        && reading.accounts.iter().all(|account| capital(&account.name))
}
