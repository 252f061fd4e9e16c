//! Unit mixes: rows of kinds of units with how many there are, and the average rent and size of each. Averages are
//! weighted by the units, sums are of all units.
//!
//! Every word must be understood.

use crate::say::format;
use crate::sheets::asked::{self, Measure, Pace};
use crate::sheets::columns;
use crate::sheets::finding::{Finding, Open, Outcome, plain};
use crate::sheets::meaning::{nouns, shares};
use crate::sheets::potential;
use crate::sheets::query::vocabulary;
use crate::sheets::sources::Sheet;
use crate::sheets::words::{Kind as WordKind, Words};
use tables::headers::{self, Field};
use tables::kind::Kind;
use tables::table::{Row, Table};

/// The columns of a unit mix.
struct Mix {
    units: usize,
    area: Option<usize>,
    market: Option<usize>,
    contract: Option<usize>,
    /// Rents are of a year.
    yearly: bool,
}

/// Headers that a list of single units or leases has.
const SINGLE: &[Field] = &[
    Field::Unit,
    Field::Tenant,
    Field::EndDate,
    Field::Status,
    Field::Price,
    Field::Rate,
    Field::Building,
    Field::Date,
];

fn mix(table: &Table) -> Option<Mix> {
    let units = table.column(Field::Units)?;
    let single =
        |field: &Field| table.has(*field) && !(*field == Field::Status && potential::counted(table, units));
    if SINGLE.iter().any(single) {
        return None;
    }
    let whole = table.data().all(|row| {
        table
            .number(row, units)
            .is_none_or(|number| number.value().fract() == 0.0)
    });
    let rent = table
        .column(Field::Rent)
        .or_else(|| table.column(Field::AnnualRent));
    let market = table.column(Field::MarketRent);
    let yearly = table.column(Field::AnnualRent).is_some()
        || [rent, market].into_iter().flatten().any(|at| {
            let name = headers::normalized(table.header(at));
            name.contains("annual") || name.contains("year")
        });
    // "Total rent" and "total sf" are of all units of a row.
    let total = [rent, market, table.column(Field::Area)]
        .into_iter()
        .flatten()
        .any(|at| headers::normalized(table.header(at)).contains("total"));
    let each = rent.or(market).is_some() || table.has(Field::Area) && !table.has(Field::RentPerArea);
    (whole && each && !total && table.data().count() >= 2).then_some(Mix {
        units,
        area: table.column(Field::Area),
        market,
        contract: rent,
        yearly,
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Units,
    Area,
    Size,
    Rent,
    RentPerArea,
    Potential,
    LossToLease,
}

/// What is asked, its words taken.
fn wanted(words: &mut Words) -> Option<Wanted> {
    let measures = asked::measures(words, Kind::RentRoll);
    if measures.contains(&Measure::LossToLease) {
        return Some(Wanted::LossToLease);
    }
    if measures.contains(&Measure::GrossPotentialRent) {
        return Some(Wanted::Potential);
    }
    if !measures.is_empty() {
        return None;
    }
    let average = words.take(&[
        "weighted average",
        "average",
        "avg",
        "mean",
        "blended",
        "weighted",
    ]);
    let each = words.take(&[
        "per square foot",
        "per sq ft",
        "per sqft",
        "per sf",
        "per foot",
        "psf",
        "a foot",
    ]);
    let rent = words.says(&["rent", "rents", "rental income"]);
    if each && rent {
        return Some(Wanted::RentPerArea);
    }
    if average && rent {
        return Some(Wanted::Rent);
    }
    let area = [
        "square footage",
        "square feet",
        "square foot",
        "sq ft",
        "sqft",
        "sf",
        "area",
        "size",
        "rentable area",
    ];
    if words.says(&area) {
        words.take(&["unit size", "unit area", "apartment size"]);
        words.take(&area);
        words.take(&["rentable", "net", "unit"]);
        return Some(if average { Wanted::Size } else { Wanted::Area });
    }
    if rent {
        return words
            .says(&["total", "potential", "scheduled", "gross"])
            .then_some(Wanted::Potential);
    }
    let count = words.take(&["how many", "number of", "total", "unit count", "count"]);
    (count && !average && words.take(&["unit", "apartment", "door", "unit are there"]))
        .then_some(Wanted::Units)
}

/// The answer, if the table is a unit mix and the question is about all of its units.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Result<Outcome, Open>> {
    let mix = mix(&sheet.table)?;
    read(sheet, &mix, question).or_else(|| {
        // Other measures would take each row for one unit.
        let measured = !asked::measures(&mut Words::of(question), Kind::RentRoll).is_empty();
        (measured && potential::counted(&sheet.table, mix.units)).then(|| {
            Err(Open::because(
                "Each row of the file stands for several units. Please ask for the units, the rents or the potential rent of all of them.",
            ))
        })
    })
}

fn read(sheet: &Sheet, mix: &Mix, question: &str) -> Option<Result<Outcome, Open>> {
    let mut words = Words::of(question);
    nouns(&mut words);
    if let Some(found) = extreme(sheet, mix, &words) {
        return Some(found);
    }
    let share = shares(&mut words);
    let wanted = wanted(&mut words)?;
    if words.says(&[
        "highest",
        "lowest",
        "largest",
        "smallest",
        "which",
        "most",
        "least",
        "simple average",
    ]) {
        return None;
    }
    // Potential rent is before all of these anyway.
    let before = [
        "before vacancy",
        "before any vacancy",
        "before loss",
        "before any loss",
        "before deduction",
        "before any deduction",
        "before concession",
        "before anything",
    ];
    if wanted == Wanted::Potential && words.says(&before) {
        words.take(&before);
        words.take(&[
            "or anything else",
            "and anything else",
            "anything else",
            "or concession",
            "and concession",
            "or bad debt",
            "and bad debt",
            "or loss",
            "and loss",
            "before any",
            "before",
        ]);
    }
    if wanted == Wanted::Potential {
        words.take(potential::EVERY_UNIT);
    }
    let conditions = columns::conditions(&mut words, &sheet.table, None);
    let market = words.take(&["market", "asking", "street"]);
    let contract = words.take(&[
        "in place",
        "inplace",
        "contract",
        "current",
        "actual",
        "leased",
        "existing",
        "effective",
    ]);
    if !mix.yearly {
        words.take(&[
            "rent are monthly",
            "rent is monthly",
            "rent are per month",
            "rent are by the month",
            "all rent monthly",
        ]);
    }
    let pace = asked::pace_of_sum(&mut words, question);
    words.take(&[
        "rent",
        "rental income",
        "income",
        "month",
        "year",
        "scheduled",
        "potential",
        "gross",
        "total",
        "unit mix",
        "mix",
        "weighted by unit",
        "by unit count",
        "by unit",
        "per unit",
        "unit",
        "property",
        "building",
        "apartment",
        "in month",
        "%",
    ]);
    let left = words.all.iter().any(|word| {
        !word.used
            && (word.kind != WordKind::Plain
                || !(vocabulary::filler(&word.stem) || vocabulary::filler(&word.text) || word.text.len() < 2))
    });
    if left || (market && contract) {
        return None;
    }
    let table = &sheet.table;
    let rows: Vec<&Row> = table
        .data()
        .filter(|row| table.number(row, mix.units).is_some())
        .filter(|row| conditions.iter().all(|condition| condition.holds(table, row)))
        .collect();
    let rent = match (mix.market, mix.contract) {
        (Some(column), _) if market => Some(column),
        (_, Some(column)) if contract => Some(column),
        _ if market || contract => None,
        (Some(column), None) | (None, Some(column)) => Some(column),
        // Potential rent is that of the market.
        (Some(column), Some(_)) if wanted == Wanted::Potential => Some(column),
        (Some(_), Some(_))
            if wanted != Wanted::LossToLease && matches!(wanted, Wanted::Rent | Wanted::RentPerArea) =>
        {
            return Some(Err(Open::because(format!(
                "Which rent should I take: “{}” or “{}”?",
                table.header(mix.market?),
                table.header(mix.contract?)
            ))));
        }
        _ => None,
    };
    Some(compute(sheet, mix, &rows, wanted, rent, pace, share))
}

/// "The largest unit" is the one with the most space, not the kind of which there are most.
fn extreme(sheet: &Sheet, mix: &Mix, words: &Words) -> Option<Result<Outcome, Open>> {
    let mut words = words.clone();
    let large = words.take(&["largest", "biggest", "smallest"]);
    let small = words.says(&["smallest"]);
    let unit = words.take(&[
        "unit",
        "apartment",
        "unit type",
        "floor plan",
        "floorplan",
        "plan",
        "type",
    ]);
    words.take(&["size", "square footage", "sf", "by size"]);
    let left = words
        .all
        .iter()
        .any(|word| !word.used && !vocabulary::filler(&word.stem) && word.text.len() > 1);
    if !large || !unit || left {
        return None;
    }
    let table = &sheet.table;
    let area = mix.area?;
    let mut rows: Vec<(f64, &Row)> = table
        .data()
        .filter_map(|row| Some((table.number(row, area)?.written(), row)))
        .collect();
    rows.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    if small {
        rows.reverse();
    }
    let (size, row) = rows.first()?;
    let name = table.text(row, 0).to_owned();
    Some(Ok(Outcome::figures(vec![
        Finding::new(
            "area",
            "size of the unit",
            *size,
            "sqft",
            format!("{} sf", plain(*size, 2)),
            "As the table has it.",
        )
        .of(name),
    ])))
}

/// The sum over the rows of units times an amount.
fn times(table: &Table, rows: &[&Row], units: usize, amount: Option<usize>) -> Result<(f64, String), Open> {
    let mut sum = 0.0;
    let mut steps = Vec::new();
    for row in rows {
        let count = table
            .number(row, units)
            .map_or(0.0, tables::numbers::Number::written);
        let Some(at) = amount else {
            sum += count;
            steps.push(plain(count, 0));
            continue;
        };
        let Some(each) = table.number(row, at) else {
            if count == 0.0 {
                continue;
            }
            return Err(Open::because(format!(
                "Line {} has no “{}”.",
                row.line(),
                table.header(at)
            )));
        };
        sum += count * each.written();
        steps.push(format!("{} × {}", plain(count, 0), plain(each.written(), 2)));
    }
    Ok((sum, steps.join(" + ")))
}

fn compute(
    sheet: &Sheet,
    mix: &Mix,
    rows: &[&Row],
    wanted: Wanted,
    rent: Option<usize>,
    pace: Pace,
    share: bool,
) -> Result<Outcome, Open> {
    let table = &sheet.table;
    let (units, counted) = times(table, rows, mix.units, None)?;
    if units <= 0.0 {
        return Err(Open::because("I found no units in the table."));
    }
    let lacks = |what: &str| Open::because(format!("The table has no {what}."));
    let over = |column: usize| times(table, rows, mix.units, Some(column));
    // What is asked for a year or a month, from what the table has.
    let factor = match (mix.yearly, pace) {
        (false, Pace::Annual) => 12.0,
        (true, Pace::Monthly) => 1.0 / 12.0,
        _ => 1.0,
    };
    let yearly = mix.yearly && pace != Pace::Monthly || pace == Pace::Annual;
    let period = if yearly { "per year" } else { "per month" };
    let mut outcome = Outcome::default();
    if wanted != Wanted::Units && wanted != Wanted::Area && wanted != Wanted::Size && !mix.yearly {
        outcome
            .remarks
            .push("The rents of the table are taken as those of a month.".to_owned());
    }
    let finding = match wanted {
        Wanted::Units => Finding::count(
            "units",
            "number of units",
            units as usize,
            "Sum of the units of all kinds.",
        )
        .step(format!("{counted}.")),
        Wanted::Area | Wanted::Size => {
            let (area, steps) = over(mix.area.ok_or_else(|| lacks("size"))?)?;
            let value = if wanted == Wanted::Size {
                area / units
            } else {
                area
            };
            let (name, label, definition) = if wanted == Wanted::Size {
                (
                    "average_unit_size",
                    "average unit size",
                    "Σ units × size ÷ units.",
                )
            } else {
                ("area", "total area of all units", "Σ units × size.")
            };
            Finding::new(
                name,
                label,
                value,
                "sqft",
                format!("{} sf", plain(value, 2)),
                definition,
            )
            .step(format!("{steps}."))
        }
        Wanted::Rent => {
            let (sum, steps) = over(rent.ok_or_else(|| lacks("such rent"))?)?;
            let value = sum / units * factor;
            Finding::money(
                "average_rent",
                &format!("average rent per unit, {period}"),
                value,
                "Σ units × rent ÷ units.",
            )
            .step(format!("({steps}) ÷ {}.", plain(units, 0)))
        }
        Wanted::RentPerArea => {
            let (sum, steps) = over(rent.ok_or_else(|| lacks("such rent"))?)?;
            let (area, sizes) = over(mix.area.ok_or_else(|| lacks("size"))?)?;
            if area <= 0.0 {
                return Err(lacks("size"));
            }
            let value = sum / area * factor;
            Finding::new(
                "rent_psf",
                &format!("average rent per square foot, {period}"),
                value,
                "USD/sqft",
                format!("${}/sf", plain(value, 2)),
                "Σ units × rent ÷ Σ units × size.",
            )
            .step(format!("({steps}) ÷ ({sizes})."))
        }
        Wanted::Potential => {
            let (sum, steps) = over(rent.ok_or_else(|| lacks("such rent"))?)?;
            Finding::money(
                "gpr",
                &format!("gross potential rent, {period}"),
                sum * factor,
                "Σ units × rent.",
            )
            .step(format!("{steps}."))
        }
        Wanted::LossToLease => {
            let (market, _) = over(mix.market.ok_or_else(|| lacks("market rent"))?)?;
            let (contract, _) = over(mix.contract.ok_or_else(|| lacks("rent in place"))?)?;
            let step = format!("{} − {}.", format::money(market), format::money(contract));
            if share {
                Finding::percent(
                    "loss_to_lease_pct",
                    "loss to lease",
                    (market - contract) / market,
                    "Loss to lease = (market rent − rent in place) ÷ market rent.",
                )
                .step(step)
            } else {
                Finding::money(
                    "loss_to_lease",
                    &format!("loss to lease, {period}"),
                    (market - contract) * factor,
                    "Loss to lease = market rent − rent in place, over all units.",
                )
                .step(step)
            }
        }
    };
    outcome
        .findings
        .push(finding.input("units", units, "count", &sheet.name));
    Ok(outcome)
}
