//! Answers about rent rolls and lists of leases: occupancy, rents at market and in place, remaining terms, expirations.
//!
//! Knows no file and no wording beyond what was asked.

use crate::say::format;
use crate::sheets::asked::{Measure, Pace, Weight};
use crate::sheets::finding::{Finding, Open, Outcome, plain};
use crate::sheets::spaces::Roll;
use crate::sheets::terms;
use tables::tenancy::{Space, State};

/// The figures of one measure.
pub(crate) fn compute(measure: Measure, roll: &Roll<'_>) -> Result<Outcome, Open> {
    let mut outcome = match measure {
        Measure::Occupancy | Measure::Vacancy => occupancy(measure, roll)?,
        Measure::LossToLease => loss_to_lease(roll)?,
        Measure::GrossPotentialRent => potential(roll)?,
        Measure::LeaseTerm => terms::lease_term(roll)?,
        Measure::Expirations => terms::expirations(roll)?,
        _ => return Err(Open::because("That is nothing a rent roll can tell.")),
    };
    outcome.remarks.extend(roll.tenancy.remarks.iter().cloned());
    Ok(outcome)
}

fn occupancy(measure: Measure, roll: &Roll<'_>) -> Result<Outcome, Open> {
    roll.sure()?;
    let rentable = roll.rentable();
    let aside = roll.spaces.len() - rentable.len();
    if rentable.is_empty() {
        return Err(Open::because(
            "I found no unit for rent among those you ask about.",
        ));
    }
    let occupied: Vec<&&Space> = rentable
        .iter()
        .filter(|space| space.state == State::Occupied)
        .collect();
    let vacant = measure == Measure::Vacancy;
    let areas: Option<(f64, f64)> = rentable
        .iter()
        .map(|space| space.area().map(|area| (area, space.state == State::Occupied)))
        .try_fold((0.0, 0.0), |(all, let_), area| {
            area.map(|(area, occupied)| (all + area, if occupied { let_ + area } else { let_ }))
        });
    let by_area = match roll.weight {
        Weight::Area => true,
        Weight::Unsaid => roll.tenancy.commercial && areas.is_some(),
        _ => false,
    };
    let (name, area_name, label) = if vacant {
        ("vacancy_rate", "vacancy_rate_by_area", "physical vacancy")
    } else {
        (
            "physical_occupancy",
            "physical_occupancy_by_area",
            "physical occupancy",
        )
    };
    let share = |part: f64, all: f64| if vacant { 1.0 - part / all } else { part / all };
    let definition = if vacant {
        "Physical vacancy = 1 − occupied ÷ rentable; down and model units count on neither side."
    } else {
        "Physical occupancy = occupied ÷ rentable; down and model units count on neither side."
    };
    let units = Finding::percent(
        name,
        &format!("{label} by units"),
        share(occupied.len() as f64, rentable.len() as f64),
        definition,
    )
    .input("occupied_units", occupied.len() as f64, "count", roll.source)
    .input("rentable_units", rentable.len() as f64, "count", roll.source)
    .step(format!(
        "{} of {} rentable units are occupied.",
        occupied.len(),
        rentable.len()
    ))
    .at(roll.as_of);
    let area = areas.filter(|(all, _)| *all > 0.0).map(|(all, part)| {
        Finding::percent(
            if by_area { name } else { area_name },
            &format!("{label} by area"),
            share(part, all),
            definition,
        )
        .input("occupied_area", part, "sqft", roll.source)
        .input("rentable_area", all, "sqft", roll.source)
        .step(format!(
            "{} of {} square feet are occupied.",
            plain(part, 2),
            plain(all, 2)
        ))
        .at(roll.as_of)
    });
    let mut outcome = Outcome::default();
    match (by_area, area) {
        (true, Some(area)) => {
            let mut units = units.aside();
            units.name.push_str("_by_units");
            outcome.findings = vec![area, units];
        }
        (true, None) => return Err(Open::because("The file gives no area for some of the units.")),
        (false, area) => {
            outcome.findings.push(units);
            outcome.findings.extend(area.map(Finding::aside));
        }
    }
    if aside > 0 {
        outcome.remarks.push(format!(
            "{aside} down, model or office units are left out on both sides."
        ));
    }
    Ok(outcome)
}

fn loss_to_lease(roll: &Roll<'_>) -> Result<Outcome, Open> {
    roll.sure()?;
    let occupied = roll.occupied();
    let mut pairs = Vec::new();
    for space in &occupied {
        let (Some(market), Some(rent)) = (space.market(), space.rent()) else {
            let what = if space.market().is_none() {
                "market rent"
            } else {
                "contract rent"
            };
            return Err(Open::because(format!(
                "The file gives no {what} for the occupied unit {}.",
                space.unit()
            )));
        };
        pairs.push((market, rent));
    }
    if pairs.is_empty() {
        return Err(Open::because(
            "I found no occupied unit, so there is no loss to lease.",
        ));
    }
    let market: f64 = pairs.iter().map(|(market, _)| market).sum();
    let rent: f64 = pairs.iter().map(|(_, rent)| rent).sum();
    let factor = if roll.pace == Pace::Annual { 12.0 } else { 1.0 };
    let of = if roll.pace == Pace::Annual {
        "year"
    } else {
        "month"
    };
    let amount = Finding::money(
        "loss_to_lease",
        "loss to lease",
        (market - rent) * factor,
        "Loss to lease = market rent − contract rent over the occupied units, net of units above market.",
    )
    .input("market_rent", market * factor, "USD", roll.source)
    .input("contract_rent", rent * factor, "USD", roll.source)
    .step(format!(
        "Over {} occupied units: market {} − contract {}.",
        pairs.len(),
        format::money(market * factor),
        format::money(rent * factor)
    ))
    .during(of);
    let share = Finding::percent(
        "loss_to_lease_pct",
        "loss to lease as a share of market rent",
        (market - rent) / market,
        "Loss to lease in percent = loss to lease ÷ market rent of the occupied units.",
    );
    let mut outcome = Outcome::default();
    if roll.share {
        outcome.findings = vec![share, amount.aside()];
    } else {
        outcome.findings = vec![amount, share.aside()];
    }
    Ok(outcome)
}

fn potential(roll: &Roll<'_>) -> Result<Outcome, Open> {
    if let Some(space) = roll.spaces.iter().find(|space| space.market().is_none()) {
        return Err(Open::because(format!(
            "The file gives no market rent for {}.",
            if space.unit().is_empty() {
                "some units".to_owned()
            } else {
                format!("unit {}", space.unit())
            }
        )));
    }
    let month: f64 = roll.spaces.iter().filter_map(|space| space.market()).sum();
    let definition = if roll.spaces.len() == roll.tenancy.spaces.len() {
        "Gross potential rent = market rent of all units, occupied or not."
    } else {
        "Market rent of the units asked about; the gross potential rent is that of all units, occupied or not."
    };
    let yearly = Finding::money("gpr", "annual gross potential rent", month * 12.0, definition)
        .input("monthly_market_rent", month, "USD", roll.source)
        .step(format!(
            "{} units at market: {} a month, × 12.",
            roll.spaces.len(),
            format::money(month)
        ))
        .during("year");
    let monthly = Finding::money("gpr", "monthly gross potential rent", month, definition)
        .step(format!(
            "{} units at market: {} a month.",
            roll.spaces.len(),
            format::money(month)
        ))
        .during("month");
    let mut outcome = Outcome::default();
    let mut second = if roll.pace == Pace::Monthly {
        yearly.clone()
    } else {
        monthly.clone()
    };
    second.name = if roll.pace == Pace::Monthly {
        "gpr_annual"
    } else {
        "gpr_monthly"
    }
    .to_owned();
    let first = if roll.pace == Pace::Monthly {
        monthly
    } else {
        yearly
    };
    outcome.findings = vec![first, second.aside()];
    Ok(outcome)
}
