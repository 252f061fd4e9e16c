//! A reading brought into shape before it is planned: what words mean only together. Pure.

use crate::portfolio::ask::{Unclear, ask};
use crate::portfolio::lexicon::{Group, Topic, Turn};
use crate::portfolio::reading::Reading;
use crate::portfolio::restated;
use crate::portfolio::times::{Named, When};
use crate::portfolio::without::is_of;
use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::query::{Catalog, Coverage, Split};

/// Figures of the ledger, which add up over months.
pub(super) fn is_of_ledger(topic: Topic) -> bool {
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
            | T::CashFlowBefore
            | T::Budget
            | T::Budgeted
    )
}

pub(super) fn shape(reading: &mut Reading, coverage: Coverage) -> Result<(), Unclear> {
    restated::settle(reading);
    let expires = reading.topics.contains(&Topic::Expire) || reading.topics.contains(&Topic::Rollover);
    let leases = reading.topics.contains(&Topic::Leases) || reading.topics.contains(&Topic::Tenants);
    // "leases that end in 2027": the verb.
    if reading.ends && leases && !expires {
        reading.topics.push(Topic::Expire);
    }
    let of_leases = leases || reading.topics.contains(&Topic::Rent);
    let loan = reading.topics.contains(&Topic::Loan)
        || reading.topics.contains(&Topic::Debt)
        || (reading.topics.contains(&Topic::Owe) && !of_leases);
    if loan && expires {
        reading.topics.retain(|topic| !matches!(topic, Topic::Expire));
        reading.topics.push(Topic::Mature);
    }
    // "The recoveries that we bill to the tenants": whom they are billed to is no list of them.
    let recovered = |name: &str| name.to_lowercase().contains("recover");
    if reading.accounts.iter().any(|account| recovered(&account.name)) && reading.turns.is_empty() {
        reading.topics.retain(|topic| *topic != Topic::Tenants);
    }
    // "Which tenant has the most space": tenants in the order of their areas.
    let by_size = [Topic::Tenants, Topic::Area];
    if reading.rank.is_some()
        && by_size.iter().all(|topic| reading.topics.contains(topic))
        && reading.topics.iter().all(|topic| {
            by_size.contains(topic) || matches!(topic, Topic::Leases | Topic::Leased | Topic::Occupancy)
        })
    {
        reading.topics = vec![Topic::Tenants];
        reading.turns.insert(Turn::ByArea);
    }
    a_year_before(reading, coverage)?;
    changes(reading, coverage);
    // "How many months was it below 95 %": months are counted, not units.
    let bounded = reading.bounds.iter().any(|bound| bound.above.is_some());
    if bounded && reading.nouns.iter().any(|noun| noun.is_time()) && reading.turns.remove(&Turn::Count) {
        reading.nouns.retain(|noun| noun.is_time());
    }
    each(reading);
    // "How many buildings have an NOI below …": those are counted, by their NOI.
    if bounded && reading.topics.len() > 1 && reading.topics.contains(&Topic::Properties) {
        reading.topics.retain(|topic| *topic != Topic::Properties);
        reading.turns.remove(&Turn::Count);
        reading.turns.insert(Turn::HowMany);
        reading.nouns.insert(0, Split::Building);
    }
    single(reading)?;
    dimension(reading)?;
    months(reading);
    narrowed_loans(reading);
    sides(reading);
    // A table by year shows all years there are.
    if reading.times.is_empty() && reading.splits == [Split::Year] && is_flow(reading) {
        reading.times.push(Named {
            when: When::Span(coverage.roll),
            remark: None,
            used: 0,
            edges: None,
            prior: false,
            same: None,
        });
    }
    Ok(())
}

fn is_flow(reading: &Reading) -> bool {
    !reading.is_bare() && reading.topics.iter().all(|topic| is_of_ledger(*topic))
}

/// "Year to date against last year": the same months a year before, not all of that year.
fn a_year_before(reading: &mut Reading, coverage: Coverage) -> Result<(), Unclear> {
    let against = reading.against || reading.than;
    if let [only] = reading.times.as_slice()
        && only.prior
        && against
        && reading.places.len() < 2
        && reading.groups.len() < 2
    {
        let now = Named {
            when: When::Now,
            prior: false,
            same: None,
            remark: None,
            ..only.clone()
        };
        reading.times.insert(0, now);
    }
    if let [Named { same: Some(_), .. }] = reading.times.as_slice() {
        return Err(ask("The same period as which one? Please name its months."));
    }
    // "At May 31, 2026, and a year earlier": before the time that is named.
    if let [first, second] = reading.times.as_mut_slice()
        && let When::Ago(months) = second.when
        && let Some(earlier) = first.when.earlier_by(months)
    {
        second.when = earlier;
    }
    let [first, second] = reading.times.as_mut_slice() else {
        return Ok(());
    };
    let (own, prior) = match (first.prior, second.prior) {
        (false, true) => (first, second),
        (true, false) => (second, first),
        _ => return Ok(()),
    };
    prior.remark = None;
    let of_own = match own.when {
        When::Span(span) => span.to.year(),
        When::End(month) => month.year(),
        When::Day(day) => Month::of(day).year(),
        When::Trailing { to, .. } => to.year(),
        _ => coverage.roll.to.year(),
    };
    let back = prior.same.map_or(12, |year| (of_own - year) * 12);
    prior.when = match own.when {
        When::Span(span) => When::Span(Span::new(span.from.plus(-back), span.to.plus(-back))),
        When::End(month) => When::End(month.plus(-back)),
        When::Day(day) => When::End(Month::of(day).plus(-back)),
        When::Trailing { months, to } => When::Trailing {
            months,
            to: to.plus(-back),
        },
        When::Now => When::Ago(back),
        other => other,
    };
    Ok(())
}

/// Orders and bounds go over places and times, not over single units, leases and tenants.
fn single(reading: &Reading) -> Result<(), Unclear> {
    let bounded = reading.bounds.iter().any(|bound| bound.above.is_some());
    let placed = |split: &Split| {
        !matches!(
            split,
            Split::Account | Split::Lender | Split::Industry | Split::LeaseType
        )
    };
    let dimension = reading.splits.iter().any(placed) || reading.nouns.iter().any(placed);
    let rows = reading
        .topics
        .iter()
        .any(|topic| matches!(topic, Topic::Units | Topic::Leases | Topic::Tenants));
    let counted = reading.turns.contains(&Turn::Count) && !bounded;
    let tenants = reading.topics.contains(&Topic::Tenants) && !bounded;
    let spread = reading.turns.contains(&Turn::PerUnit);
    if bounded && rows && !dimension && !counted && !tenants && !spread {
        let next = reading.turns.contains(&Turn::Next);
        let occupied = reading
            .topics
            .iter()
            .any(|topic| matches!(topic, Topic::Occupancy | Topic::Walt));
        if !next && !occupied {
            return Err(ask(
                "I put buildings, cities, kinds of property and times in order, or hold them against a bound, but not single \
                 units or leases. Ask for instance by building.",
            ));
        }
    }
    Ok(())
}

/// "Grow from 2024 to 2025", "since the end of 2024": the two ends, not the time between.
fn changes(reading: &mut Reading, coverage: Coverage) {
    // "Month over month": the last month, or the one that is named, against the one before.
    let last = coverage.roll.to;
    let end = last.plus(-(i32::try_from(last.number() % 3).unwrap_or(0)));
    for (turn, latest) in [
        (Turn::MonthOnMonth, Span::new(last, last)),
        (Turn::QuarterOnQuarter, Span::ending(end, 3)),
    ] {
        if reading.turns.contains(&turn) {
            reading.turns.insert(Turn::Growth);
            if reading.times.is_empty() {
                reading.times.push(Named {
                    when: When::Span(latest),
                    remark: None,
                    used: 0,
                    edges: None,
                    prior: false,
                    same: None,
                });
            }
        }
    }
    // "Buildings where NOI fell": by building.
    let places = [Split::Building, Split::City, Split::State, Split::PropertyType];
    if reading.turns.contains(&Turn::Loss)
        && reading.rank.is_none()
        && reading.splits.is_empty()
        && reading.lists
        && let Some(noun) = reading.nouns.iter().copied().find(|noun| places.contains(noun))
    {
        reading.splits.push(noun);
    }
    // What fell the most has the smallest change.
    if reading.turns.contains(&Turn::Loss) {
        reading.turns.insert(Turn::Growth);
        if let Some(rank) = &mut reading.rank {
            rank.most = !rank.most;
        }
    }
    // "How did Q3 compare with Q2, in percent": by how much it changed.
    if reading.against
        && reading.times.len() == 2
        && reading.base.is_none()
        && reading.places.len() < 2
        && reading.groups.len() < 2
        && reading.topics.len() + reading.accounts.len() == 1
        && reading.turns.contains(&Turn::Share)
        && is_flow(reading)
    {
        reading.against = false;
        reading.turns.insert(Turn::Growth);
    }
    let changed = reading.turns.contains(&Turn::Growth) || reading.turns.contains(&Turn::Gain);
    // "By what percentage did it grow": a change is told in percent anyway.
    let two = reading.times.len() == 2 || reading.edges.is_some();
    let single = reading.topics.len() + reading.accounts.len() == 1 && reading.splits.is_empty();
    let percent = reading.in_percent && single && reading.rank.is_none();
    if changed && reading.base.is_none() && (two || percent) {
        reading.turns.remove(&Turn::Share);
    }
    if changed && reading.dollars {
        reading.turns.insert(Turn::Gain);
    }
    let Some((first, second)) = reading.edges.filter(|_| changed) else {
        return;
    };
    let [only] = reading.times.as_slice() else { return };
    let ends = [first, second].map(|when| Named { when, ..only.clone() });
    reading.times = ends.to_vec();
}

/// By what a ranking or a bound goes: "best month", "rank the cities".
fn dimension(reading: &mut Reading) -> Result<(), Unclear> {
    let ordered = reading.rank.is_some() || reading.bounds.iter().any(|bound| bound.above.is_some());
    if !ordered {
        return Ok(());
    }
    let other = reading
        .splits
        .first()
        .zip(reading.nouns.first())
        .filter(|(split, noun)| split != noun && !split.is_time() && **noun == Split::Building);
    if other.is_some() && reading.rank.is_some() {
        return Err(ask(
            "I rank by one thing at a time: by building, or by city. Which one do you mean?",
        ));
    }
    if reading.splits.is_empty()
        && let Some(noun) = reading.nouns.first()
    {
        let loans = *noun == Split::Lender;
        if !loans
            || reading
                .topics
                .iter()
                .all(|topic| matches!(topic, Topic::Debt | Topic::Owe | Topic::Loan | Topic::Lender))
        {
            reading.splits.push(*noun);
        }
    }
    Ok(())
}

/// "At each Austin property": by property.
fn each(reading: &mut Reading) {
    let place = |split: &Split| matches!(split, Split::Building | Split::City | Split::State);
    if reading.turns.contains(&Turn::Each)
        && reading.splits.is_empty()
        && reading.rank.is_none()
        && let Some(noun) = reading.nouns.iter().copied().find(place)
    {
        reading.splits.push(noun);
    }
}

/// "Monthly NOI": by month, unless an average is asked for.
fn months(reading: &mut Reading) {
    if reading.splits.contains(&Split::Month) {
        // "Monthly NOI by month" says it twice.
        if !reading.turns.contains(&Turn::Average) {
            reading.turns.remove(&Turn::PerMonth);
        }
        return;
    }
    let rate = reading.monthly_rent && reading.topics.contains(&Topic::Rent);
    if !reading.turns.contains(&Turn::PerMonth) || reading.turns.contains(&Turn::Average) || rate {
        return;
    }
    let ends = reading.topics.contains(&Topic::Expire) || reading.topics.contains(&Topic::Rollover);
    if !(is_flow(reading) || ends) || !reading.splits.is_empty() || reading.rank.is_some() {
        return;
    }
    reading.turns.remove(&Turn::PerMonth);
    let one =
        matches!(reading.times.as_slice(), [Named { when: When::Span(span), .. }] if span.months() == 1);
    if !one {
        reading.splits.push(Split::Month);
    }
}

/// "fixed-rate loans", "still interest-only".
fn narrowed_loans(reading: &mut Reading) {
    if reading.turns.contains(&Turn::Fixed) != reading.turns.contains(&Turn::Floating) {
        let fixed = reading.turns.contains(&Turn::Fixed);
        reading.only.fixed = Some(fixed);
        reading.only_words.push(
            if fixed {
                "fixed-rate loans"
            } else {
                "floating-rate loans"
            }
            .to_owned(),
        );
    }
    // Amounts of senior loans alone; coverage and leverage have figures of their own for them.
    let of_amounts = reading.topics.iter().all(|topic| {
        matches!(
            topic,
            Topic::Debt
                | Topic::Owe
                | Topic::Loan
                | Topic::CostOfDebt
                | Topic::Rate
                | Topic::Mature
                | Topic::Maturities
        )
    });
    if of_amounts && reading.accounts.is_empty() && reading.turns.remove(&Turn::Senior) {
        if reading.is_bare() {
            reading.topics.push(Topic::Debt);
        }
        reading.only.loan_kind = Some("senior".to_owned());
        reading.only_words.push("senior loans".to_owned());
    }
    if reading.turns.contains(&Turn::InterestOnly) {
        reading.only.interest_only = true;
        reading.only_words.push("interest-only loans".to_owned());
    }
    // "fixed-rate loans": the rate says which.
    let narrowed = reading.only.is_of_loans();
    if narrowed && reading.is_bare() {
        reading.topics.push(Topic::Loan);
    }
}

/// "missed its budget" is one side of it where buildings are asked for, the result itself elsewhere.
fn sides(reading: &mut Reading) {
    let told = [Turn::Missed, Turn::Beat];
    if told.iter().any(|turn| reading.turns.contains(turn)) {
        let split = reading.splits.iter().any(|split| !split.is_time());
        reading.turns.insert(Turn::Versus);
        if !split {
            for turn in told {
                reading.turns.remove(&turn);
            }
        }
    }
    if reading.topics.contains(&Topic::Budget) && reading.rank.is_some() {
        reading.turns.insert(Turn::Versus);
    }
}

/// Whether only space of companies is named: by its kind, by the buildings, or by a company's kind of lease.
pub(super) fn is_commercial(reading: &Reading, catalog: &Catalog) -> bool {
    if !reading.groups.is_empty() {
        return reading.groups.iter().any(|group| *group != Group::Residential);
    }
    if !reading.only.tenants.is_empty() || reading.only.is_of_companies() {
        return true;
    }
    let mut places = reading
        .places
        .iter()
        .flat_map(|place| &place.buildings)
        .peekable();
    places.peek().is_some()
        && places.all(|id| {
            let property = catalog.buildings.iter().find(|property| property.id == *id);
            property.is_some_and(|property| is_of(property, Group::Commercial))
        })
}
