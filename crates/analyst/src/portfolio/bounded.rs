//! Bounds on figures of their own: "occupancy above 90 % and NOI over 500k", "the NOI of those below 95 % occupancy". Pure.

use crate::portfolio::ask::{self, Unclear, What, Words, ask};
use crate::portfolio::derived;
use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::over::Over;
use crate::portfolio::quantities::{Bound, Quantity};
use finance::portfolio::metric::Metric;
use finance::portfolio::query::Account;

/// A figure with the bounds that it has to keep to.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) metric: Metric,
    pub(crate) account: Option<Account>,
    pub(crate) bounds: Vec<Bound>,
}

/// Resolves the words; figures with bounds of their own stand apart from what is asked for. Where nothing else is, the
/// figures that are asked for are the bounded ones.
pub(super) fn what(
    words: Words<'_>,
    bounds: &[Bound],
) -> Result<(What, Option<Over>, Vec<Condition>), Unclear> {
    let mut bounded: Vec<&Quantity> = Vec::new();
    for quantity in bounds
        .iter()
        .filter(|bound| bound.above.is_some())
        .filter_map(|bound| bound.of.as_ref())
    {
        if !bounded.contains(&quantity) {
            bounded.push(quantity);
        }
    }
    let of_loans = words.topics.iter().any(|topic| {
        matches!(
            topic,
            Topic::Loan | Topic::Owe | Topic::Rate | Topic::Lender | Topic::Mature | Topic::Breach
        )
    });
    let is_bounded = |quantity: &Quantity| bounded.contains(&quantity);
    let rest: Vec<Topic> = words
        .topics
        .iter()
        .copied()
        .filter(|topic| !is_bounded(&Quantity::Topic(*topic)) && *topic != Topic::Properties)
        .collect();
    let accounts: Vec<Account> = words
        .accounts
        .iter()
        .filter(|account| !is_bounded(&Quantity::Account(account.code.clone())))
        .cloned()
        .collect();
    let single = bounded.len() <= 1 && rest.is_empty() && accounts.is_empty();
    if bounded.is_empty() || single || of_loans {
        return derived::what(words).map(|(what, over)| (what, over, Vec::new()));
    }
    // One figure in several words: "occupancy by leased area".
    if bounded.len() == 1
        && let Ok((What::Metrics(metrics), over)) = derived::what(words)
        && metrics.len() == 1
    {
        return Ok((What::Metrics(metrics), over, Vec::new()));
    }
    let mut turns = words.turns.clone();
    for turn in [Turn::Count, Turn::Each] {
        turns.remove(&turn);
    }
    let mut conditions = Vec::new();
    for quantity in bounded {
        let (topics, own): (Vec<Topic>, Vec<Account>) = match quantity {
            Quantity::Topic(topic) => (vec![*topic], Vec::new()),
            Quantity::Account(code) => (
                Vec::new(),
                words
                    .accounts
                    .iter()
                    .filter(|account| account.code == *code)
                    .cloned()
                    .collect(),
            ),
        };
        let found = ask::plain(Words {
            topics: &topics,
            accounts: &own,
            turns: &turns,
            base: None,
            ..words
        })?;
        let What::Metrics(metrics) = found else {
            return Err(ask(
                "I hold buildings against bounds of plain figures, such as occupancy, NOI or DSCR.",
            ));
        };
        let [(metric, account)] = metrics.as_slice() else {
            return Err(ask(
                "I could not tell which figure the bound is of. Please ask for one bound at a time.",
            ));
        };
        conditions.push(Condition {
            metric: *metric,
            account: account.clone(),
            bounds: bounds
                .iter()
                .filter(|bound| bound.of.as_ref() == Some(quantity))
                .cloned()
                .collect(),
        });
    }
    if rest.is_empty() && accounts.is_empty() {
        let shown = conditions
            .iter()
            .map(|one| (one.metric, one.account.clone()))
            .collect();
        return Ok((What::Metrics(shown), None, conditions));
    }
    let (what, over) = derived::what(Words {
        topics: &rest,
        accounts: &accounts,
        ..words
    })?;
    Ok((what, over, conditions))
}
