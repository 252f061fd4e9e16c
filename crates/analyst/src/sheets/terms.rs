//! Answers about when leases end: weighted remaining terms, and what expires in a time.
//!
//! Knows no file and no wording beyond what was asked.

use chrono::{Datelike, NaiveDate};

use crate::say::format;
use crate::sheets::asked::{Pace, Weight};
use crate::sheets::finding::{Finding, Open, Outcome, percent, plain};
use crate::sheets::spaces::Roll;
use tables::tenancy::Space;

pub(crate) fn lease_term(roll: &Roll<'_>) -> Result<Outcome, Open> {
    let occupied = roll.occupied();
    let given = occupied.iter().all(|space| space.remaining_years().is_some());
    let as_of = match (roll.as_of, given) {
        (Some(date), _) => Some(date),
        (None, true) => None,
        (None, false) => {
            return Err(Open::asks(
                "As of which date should I measure the remaining terms? The file does not say.",
                "as_of",
                "as-of date",
            ));
        }
    };
    let by_area = match roll.weight {
        Weight::Area => true,
        Weight::Rent => false,
        Weight::Count => return Err(Open::because("Should the terms be weighted by rent or by area?")),
        Weight::Unsaid => {
            // Where one of the two is not in the file, the other is meant.
            let rents = occupied.iter().all(|space| space.rent().is_some());
            let areas = occupied.iter().all(|space| space.area().is_some());
            match (rents, areas) {
                (false, true) => true,
                (true, false) => false,
                _ => {
                    let mut by_rent = weighted_term(roll, &occupied, as_of, false)?;
                    let mut by_area = weighted_term(roll, &occupied, as_of, true)?;
                    by_rent.findings.append(&mut by_area.findings);
                    return Ok(by_rent);
                }
            }
        }
    };
    weighted_term(roll, &occupied, as_of, by_area)
}

fn weighted_term(
    roll: &Roll<'_>,
    occupied: &[&Space],
    as_of: Option<NaiveDate>,
    by_area: bool,
) -> Result<Outcome, Open> {
    if !by_area {
        roll.sure()?;
    }
    let mut sum = 0.0;
    let mut weights = 0.0;
    let mut steps = Vec::new();
    for space in occupied {
        let weight = if by_area { space.area() } else { space.rent() };
        let Some(weight) = weight else {
            let what = if by_area { "area" } else { "rent" };
            return Err(Open::because(format!(
                "The file gives no {what} for {}.",
                space.name()
            )));
        };
        let years = match (space.end, as_of, space.remaining_years()) {
            (Some(end), Some(date), _) => (end - date).num_days().max(0) as f64 / 365.0,
            (_, _, Some(years)) => years.max(0.0),
            _ if space.month_to_month => 0.0,
            _ => {
                return Err(Open::because(format!(
                    "The file gives no lease end for {}.",
                    space.name()
                )));
            }
        };
        sum += weight * years;
        weights += weight;
        if steps.len() < 12 {
            steps.push(format!(
                "{}: {} years × {}.",
                space.name(),
                plain(years, 4),
                plain(weight, 2)
            ));
        }
    }
    if weights <= 0.0 {
        return Err(Open::because(
            "There is nothing to weight with: the weights add up to zero.",
        ));
    }
    let years = sum / weights;
    let (name, label, definition) = if by_area {
        (
            "wale_by_area",
            "weighted average lease term by area",
            "WALE = Σ(area × remaining years) ÷ Σ area; remaining = days to the lease end ÷ 365, past ends count zero, vacant space is left out.",
        )
    } else {
        (
            "walt_by_rent",
            "weighted average lease term by rent",
            "WALT = Σ(rent × remaining years) ÷ Σ rent; remaining = days to the lease end ÷ 365, past ends count zero, vacant space is left out.",
        )
    };
    let mut finding = if roll.months {
        Finding::new(
            name,
            label,
            years * 12.0,
            "months",
            format!("{} months", plain(years * 12.0, 2)),
            definition,
        )
    } else {
        Finding::new(
            name,
            label,
            years,
            "years",
            format!("{} years", plain(years, 2)),
            definition,
        )
    };
    finding = finding
        .input("leases", occupied.len() as f64, "count", roll.source)
        .input(
            if by_area { "area" } else { "rent" },
            weights,
            if by_area { "sqft" } else { "USD" },
            roll.source,
        )
        .at(as_of);
    finding.steps = steps;
    Ok(Outcome::figures(vec![finding]))
}

pub(crate) fn expirations(roll: &Roll<'_>) -> Result<Outcome, Open> {
    let occupied = roll.occupied();
    if let Some(space) = occupied
        .iter()
        .find(|space| space.end.is_none() && !space.month_to_month)
    {
        return Err(Open::because(format!(
            "The file gives no lease end for {}.",
            space.name()
        )));
    }
    let Some(span) = &roll.span else {
        return by_year(roll, &occupied);
    };
    let ending: Vec<&Space> = occupied
        .iter()
        .copied()
        .filter(|space| space.end.is_some_and(|end| span.holds(end)))
        .collect();
    let total = |spaces: &[&Space], area: bool| -> Option<f64> {
        spaces
            .iter()
            .map(|space| if area { space.area() } else { space.rent() })
            .try_fold(0.0, |sum, own| own.map(|own| sum + own))
    };
    let amounts = |area: bool| {
        total(&ending, area)
            .zip(total(&occupied, area))
            .filter(|(_, all)| *all > 0.0)
    };
    let mut findings = Vec::new();
    let rents = amounts(false);
    let areas = amounts(true);
    let share = |area: bool, (part, all): (f64, f64)| {
        let what = if area { "area" } else { "rent" };
        let name = if area {
            "rollover_pct_by_area"
        } else {
            "rollover_pct"
        };
        Finding::percent(
            name,
            &format!("share of {what} expiring {}", span.label),
            part / all,
            &format!("Rollover = {what} of leases that end in the period ÷ {what} of all leases."),
        )
        .input(
            &format!("expiring_{what}"),
            part,
            if area { "sqft" } else { "USD" },
            roll.source,
        )
        .input(
            &format!("total_{what}"),
            all,
            if area { "sqft" } else { "USD" },
            roll.source,
        )
        .step(format!(
            "{} of {} expire {}.",
            plain(part, 2),
            plain(all, 2),
            span.label
        ))
    };
    let amount = |area: bool, (part, _): (f64, f64)| {
        if area {
            Finding::new(
                "rollover_area",
                &format!("area expiring {}", span.label),
                part,
                "sqft",
                format!("{} sf", plain(part, 2)),
                "Area of the leases that end in the period.",
            )
        } else {
            let (factor, of) =
                if roll.pace == Pace::Annual || (roll.tenancy.yearly && roll.pace == Pace::Unsaid) {
                    (12.0, "year")
                } else {
                    (1.0, "month")
                };
            Finding::money(
                "rollover_rent",
                &format!("rent expiring {}", span.label),
                part * factor,
                "Rent of the leases that end in the period.",
            )
            .during(of)
            .input("expiring_rent", part * factor, "USD", roll.source)
        }
    };
    let names: Vec<&str> = ending.iter().map(|space| space.name()).collect();
    let count = Finding::count(
        "expiring_leases",
        &format!("number of leases expiring {}", span.label),
        ending.len(),
        "Leases whose end lies in the period.",
    )
    .step(format!(
        "{} of {} leases end {}.",
        ending.len(),
        occupied.len(),
        span.label
    ));
    let by_area = roll.weight == Weight::Area;
    if roll.count {
        findings.push(count);
        findings.extend(
            rents
                .filter(|_| roll.tenancy.doubts.is_empty())
                .map(|both| share(false, both).aside()),
        );
    } else if roll.share {
        if !by_area {
            roll.sure()?;
        }
        let Some(both) = (if by_area { areas } else { rents.or(areas) }) else {
            return Err(Open::because(
                "The file does not give what the share is of for every lease.",
            ));
        };
        if roll.weight == Weight::Count {
            findings.push(
                Finding::percent(
                    "rollover_pct_by_count",
                    &format!("share of leases expiring {}", span.label),
                    ending.len() as f64 / occupied.len().max(1) as f64,
                    "Rollover = number of leases that end in the period ÷ all leases.",
                )
                .step(format!(
                    "{} of {} leases end {}.",
                    ending.len(),
                    occupied.len(),
                    span.label
                )),
            );
        } else {
            let area = by_area || rents.is_none();
            let mut main = share(area, both);
            main.name = "rollover_pct".to_owned();
            findings.push(main);
        }
        findings.push(count.aside());
    } else {
        let asked: Option<(bool, (f64, f64))> = match roll.weight {
            Weight::Area => areas.map(|both| (true, both)),
            Weight::Rent => rents.map(|both| (false, both)),
            _ => None,
        };
        match (roll.weight, asked) {
            (Weight::Area | Weight::Rent, Some((area, both))) => {
                if !area {
                    roll.sure()?;
                }
                findings.push(amount(area, both));
                findings.push(share(area, both).aside());
            }
            (Weight::Area | Weight::Rent, None) => {
                return Err(Open::because(
                    "The file does not give what you ask for every lease.",
                ));
            }
            _ => {
                findings.push(count);
                findings.extend(
                    rents
                        .filter(|_| roll.tenancy.doubts.is_empty())
                        .map(|both| share(false, both).aside()),
                );
            }
        }
    }
    let mut outcome = Outcome::figures(findings);
    if !roll.share && !roll.count && matches!(roll.weight, Weight::Unsaid | Weight::Count) {
        outcome.sentence = Some(if names.is_empty() {
            format!("No lease expires {}.", span.label)
        } else {
            let shown: Vec<String> = ending
                .iter()
                .take(12)
                .map(|space| {
                    format!(
                        "{} ({})",
                        space.name(),
                        space.end.map_or(String::new(), |end| end.to_string())
                    )
                })
                .collect();
            let more = if ending.len() > 12 {
                format!(" and {} more", ending.len() - 12)
            } else {
                String::new()
            };
            format!(
                "{} of {} leases expire {}: {}{more}.",
                ending.len(),
                occupied.len(),
                span.label,
                shown.join(", ")
            )
        });
    }
    Ok(outcome)
}

/// Every year with its leases, where no time is asked for.
fn by_year(roll: &Roll<'_>, occupied: &[&Space]) -> Result<Outcome, Open> {
    roll.sure()?;
    let mut years: Vec<i32> = occupied
        .iter()
        .filter_map(|space| space.end.map(|end| end.year()))
        .collect();
    years.sort_unstable();
    years.dedup();
    let total: f64 = occupied.iter().filter_map(|space| space.rent()).sum();
    if total <= 0.0 || years.is_empty() {
        return Err(Open::because(
            "In which year or until which date should the leases expire?",
        ));
    }
    let mut outcome = Outcome::default();
    let mut table = "| Year | Leases | Rent a month | Share of rent |\n|---|---:|---:|---:|\n".to_owned();
    for year in years {
        let own: Vec<&&Space> = occupied
            .iter()
            .filter(|space| space.end.is_some_and(|end| end.year() == year))
            .collect();
        let rent: f64 = own.iter().filter_map(|space| space.rent()).sum();
        table.push_str(&format!(
            "| {year} | {} | {} | {} |\n",
            own.len(),
            format::money(rent),
            percent(rent / total)
        ));
        outcome.findings.push(
            Finding::percent(
                "rollover_pct",
                "share of rent expiring",
                rent / total,
                "Rollover = rent of leases that end in the year ÷ rent of all leases.",
            )
            .of(year.to_string())
            .step(format!(
                "{year}: {} of {}.",
                format::money(rent),
                format::money(total)
            )),
        );
    }
    outcome.tables.push(table);
    Ok(outcome)
}
