//! What a figure is set over: units, area, months, another quantity, the whole. Pure; knows no places and no times.

use crate::portfolio::ask::{self, Unclear, What, Words};
use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::over::Over;
use crate::portfolio::quantities::Quantity;
use crate::portfolio::sums;
use finance::portfolio::metric::{Metric, Tense, Unit};
use finance::portfolio::query::Account;

/// Resolves the words, with what the figure is set over; or says why not.
pub(crate) fn what(words: Words<'_>) -> Result<(What, Option<Over>), Unclear> {
    if words.plus {
        return sums::what(words);
    }
    if let Some(found) = ratio(words) {
        return found;
    }
    let (what, mut unused) = ask::resolved(words)?;
    let over = spread(&what, words, &mut unused);
    ask::checked(what, &unused).map(|what| (what, over))
}

/// Amounts of which a share of another makes sense.
fn is_quantity(topic: Topic) -> bool {
    use Topic as T;
    matches!(
        topic,
        T::Noi
            | T::Egi
            | T::Opex
            | T::Gpr
            | T::BadDebt
            | T::Concessions
            | T::Capex
            | T::DebtService
            | T::CashFlow
            | T::Value
            | T::Debt
            | T::Equity
            | T::PurchasePrice
    )
}

/// "Management fees as a percent of EGI": two quantities, the one over the other.
fn ratio(words: Words<'_>) -> Option<Result<(What, Option<Over>), Unclear>> {
    use Topic as T;
    let base = words
        .base
        .filter(|_| words.minus || words.turns.contains(&Turn::Share))?;
    if words.topics.len() + words.accounts.len() != 2 || !words.topics.iter().all(|topic| is_quantity(*topic))
    {
        return None;
    }
    let is_base = |quantity: &Quantity| quantity == base;
    let (below, above): (Vec<T>, Vec<T>) = words
        .topics
        .iter()
        .partition(|topic| is_base(&Quantity::Topic(**topic)));
    let (under, over): (Vec<Account>, Vec<Account>) = words
        .accounts
        .iter()
        .cloned()
        .partition(|account| is_base(&Quantity::Account(account.code.clone())));
    // These have a metric of their own.
    let own = !words.minus
        && matches!(
            (above.as_slice(), below.as_slice()),
            ([T::Noi | T::Opex], [T::Egi]) | ([T::BadDebt | T::Concessions], [T::Gpr])
        );
    if own || above.len() + over.len() != 1 || below.len() + under.len() != 1 {
        return None;
    }
    let mut turns = words.turns.clone();
    turns.remove(&Turn::Share);
    let one = |topics: &[T], accounts: &[Account]| {
        let found = ask::plain(Words {
            topics,
            accounts,
            turns: &turns,
            base: None,
            minus: false,
            ..words
        })?;
        match found {
            What::Metrics(metrics) => match metrics.as_slice() {
                [(metric, account)] => Ok((*metric, account.clone())),
                _ => Err(Unclear::Other),
            },
            _ => Err(Unclear::Other),
        }
    };
    let both = one(&above, &over).and_then(|above| Ok((above, one(&below, &under)?)));
    Some(both.map(|(above, (metric, account))| {
        let over = if words.minus {
            Over::Minus(metric, account)
        } else {
            Over::Of(metric, account)
        };
        (What::Metrics(vec![above]), Some(over))
    }))
}

/// What the words left unused set a single figure over.
fn spread(what: &What, words: Words<'_>, unused: &mut Vec<Turn>) -> Option<Over> {
    let What::Metrics(metrics) = what else { return None };
    let [(metric, _)] = metrics.as_slice() else {
        return None;
    };
    if *metric == Metric::RolloverRent && words.turns.contains(&Turn::PerMonth) && !words.by_month {
        unused.retain(|turn| *turn != Turn::PerMonth);
        return Some(Over::Twelfth);
    }
    let mut take = |turn: Turn| {
        let said = unused.contains(&turn);
        unused.retain(|other| *other != turn);
        said
    };
    if words.topics.contains(&Topic::UnitSize) {
        take(Turn::Average);
        take(Turn::PerUnit);
        return Some(Over::Units);
    }
    // Of leases the median rent; of all else the median building, where buildings are spoken of.
    let of_buildings = words.by_building;
    let of_rent = *metric == Metric::AverageRent && of_buildings;
    if !of_rent && !words.by_month && take(Turn::Median) {
        take(Turn::Average);
        return Some(Over::Median);
    }
    let monthly = words.by_month || words.turns.contains(&Turn::PerMonth);
    if of_buildings && metric.adds_up() && !monthly && take(Turn::Average) {
        return Some(Over::Buildings);
    }
    let money = metric.unit() == Unit::Money;
    if money && take(Turn::PerUnit) {
        take(Turn::Average);
        return Some(Over::Units);
    }
    if money && take(Turn::PerArea) {
        take(Turn::Average);
        return Some(Over::Area);
    }
    // "Average monthly NOI".
    let flows = money && metric.tense() == Tense::Span;
    if flows
        && words.turns.contains(&Turn::Average)
        && (words.turns.contains(&Turn::PerMonth) || words.by_month)
    {
        take(Turn::Average);
        take(Turn::PerMonth);
        return Some(Over::Months);
    }
    let stands = metric.tense() == Tense::Day && (words.by_month || words.spans);
    if stands && words.turns.contains(&Turn::Average) && words.spans && averages(*metric) {
        take(Turn::Average);
        return Some(Over::MonthEnds);
    }
    // Rates per unit or square foot are averages anyway.
    if matches!(metric.unit(), Unit::MoneyPerUnit | Unit::MoneyPerArea) {
        take(Turn::Average);
    }
    // "Share of NOI from Texas", "NOI share by property type".
    let changed = [Turn::Growth, Turn::Gain, Turn::Loss]
        .iter()
        .any(|turn| words.turns.contains(turn));
    let of_all = (words.base.is_some() && words.narrowed) || (words.by_place && !words.by_month && !changed);
    if metric.adds_up() && of_all && take(Turn::Share) {
        return Some(Over::Whole);
    }
    None
}

/// What an average over months says something of.
fn averages(metric: Metric) -> bool {
    matches!(
        metric,
        Metric::Occupancy
            | Metric::OccupancyByArea
            | Metric::OccupancyOfAllUnits
            | Metric::Vacancy
            | Metric::VacancyByArea
            | Metric::OccupiedUnits
            | Metric::VacantUnits
            | Metric::LeasedArea
            | Metric::VacantArea
    )
}

/// What a figure becomes without some of its accounts.
pub(super) fn without(
    accounts: &[Account],
    what: &What,
    over: Option<Over>,
) -> Result<Option<Over>, Unclear> {
    if accounts.is_empty() {
        return Ok(over);
    }
    let category = match what {
        What::Metrics(metrics) => match metrics.as_slice() {
            [(Metric::Opex | Metric::Noi, None)] => "operating_expense",
            [(Metric::Egi, None)] => "revenue",
            [(Metric::Capex, None)] => "capital",
            [(Metric::DebtService, None)] => "debt_service",
            _ => "",
        },
        _ => "",
    };
    if over.is_some() || accounts.iter().any(|account| account.category != category) {
        return Err(ask::ask(
            "I cannot leave that out of this figure. Please name what should be in it instead.",
        ));
    }
    Ok(Some(Over::Less(accounts.to_vec())))
}
