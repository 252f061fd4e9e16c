//! Reads rent rolls as property systems export them: every unit of a building and its tenant on one day.
//! Handles grouped rows, totals, several charges for a unit, and `VACANT` or `MODEL` in place of a name.
//!
//! A roll shows one day: a tenant who is no longer on it has moved out.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde_json::{Value, json};

use crate::portfolio::import::account::ERRORS;
use crate::portfolio::import::cells::{Row, major, micro, plain};
use crate::portfolio::import::finding::{Code, Findings};
use crate::portfolio::import::listing::Listing;
use crate::portfolio::import::occupant::{Occupant, is_rent, occupant, rooms};
use crate::portfolio::import::premises;
use crate::portfolio::import::reading::Reading;
use crate::portfolio::import::rows::{BuildingRow, MarketRentRow, UnitRow};
use crate::portfolio::import::tenancy::{self, ByUnit};
use crate::portfolio::import::totals::Sums;
use tables::dates::{self, Order, month_end};
use tables::grid::Record;
use tables::headers::normalized;
use tables::totals::{is_average, is_summary};

/// Reads one roll. `building` applies if the file names none, and `today` is the date if the file has none.
pub fn read(listing: &Listing, reading: &mut Reading<'_>, building: Option<&str>, today: NaiveDate) -> Value {
    let as_of = day(listing).unwrap_or_else(|| reading.state.coverage.map_or(today, |known| known.as_of));
    let titled = building.or_else(|| premises::titled(listing)).map(str::to_owned);
    let mut roll = Roll {
        listing,
        as_of,
        units: reading
            .state
            .units
            .all()
            .map(|unit| {
                (
                    (unit.building_id.clone(), normalized(&unit.unit_number)),
                    unit.id.clone(),
                )
            })
            .collect(),
        leases: ByUnit::of(reading.state),
        lines: BTreeMap::new(),
        future: false,
        sums: Sums::default(),
        count: Tally::default(),
    };
    let mut at = 0;
    while let Some(record) = listing.records.get(at) {
        let following = charges(listing, at);
        let end = at + 1 + following;
        match roll.line(record, reading) {
            Line::Unit => {
                let more = listing.records.get(at + 1..end).unwrap_or_default();
                let left_out = roll.unit(record, more, titled.as_deref(), reading).err();
                match left_out {
                    None => reading.account.count(1 + following),
                    Some(what) => reading.account.leave_out(what, 1 + following),
                }
            }
            Line::Other(what) => reading.account.leave_out(what, 1 + following),
            Line::End => {
                let rest = listing.records.len() - at;
                reading.account.leave_out("rows of the summary", rest);
                break;
            }
        }
        at = end;
    }
    reading.state.rolls.insert(as_of);
    let Tally {
        units,
        occupied,
        rent,
        market,
    } = roll.count;
    json!({
        "asOf": as_of, "units": units, "occupied": occupied,
        "monthlyRent": major(rent, "USD"), "marketRent": major(market, "USD"),
    })
}

/// The date given in a title block.
fn day(listing: &Listing) -> Option<NaiveDate> {
    listing.title.iter().find_map(|line| {
        let lower = line.to_lowercase();
        let after = ["as of date", "as of", "asof"]
            .iter()
            .find_map(|word| lower.find(word).and_then(|at| line.get(at + word.len()..)));
        let text = after?.trim_start_matches([':', '=', ' ']);
        dates::date(text, Order::MonthFirst).map(|dated| match dated.precision {
            dates::Precision::Day => dated.date,
            dates::Precision::Month => month_end(dated.date),
        })
    })
}

/// The number of following rows that only add charges for the same unit: they leave the unit's cell empty, or
/// repeat unit and name.
fn charges(listing: &Listing, at: usize) -> usize {
    let (Some(unit), Some(amount)) = (listing.column("unit_number"), listing.column("charge_amount")) else {
        return 0;
    };
    let Some(first) = listing.records.get(at) else {
        return 0;
    };
    let says = ["building", "unit_number", "tenant", "tenant_code"];
    let same = |record: &Record| {
        let columns = says.iter().filter_map(|field| listing.column(field));
        !record.cell(amount.at).is_empty()
            && !first.cell(amount.at).is_empty()
            && columns
                .map(|column| column.at)
                .all(|at| record.cell(at) == first.cell(at))
    };
    let rows = listing.records.get(at + 1..).unwrap_or_default().iter();
    rows.take_while(|record| {
        let first = record.cells.iter().find(|cell| !cell.is_empty());
        let goes_on = record.cell(unit.at).is_empty()
            && first.is_some_and(|first| !is_summary(first) || charge_code(listing, record));
        goes_on || !record.cell(unit.at).is_empty() && same(record)
    })
    .count()
}

/// Whether the first filled cell of the row is its charge.
fn charge_code(listing: &Listing, record: &Record) -> bool {
    let Some(column) = listing.column("charge_code") else {
        return false;
    };
    record.cells.iter().position(|cell| !cell.is_empty()) == Some(column.at)
}

enum Line {
    Unit,
    /// What it is, in the plural.
    Other(&'static str),
    End,
}

#[derive(Default)]
struct Tally {
    units: usize,
    occupied: usize,
    rent: i64,
    market: i64,
}

struct Roll<'l> {
    listing: &'l Listing,
    as_of: NaiveDate,
    /// Units by building and number.
    units: BTreeMap<(String, String), String>,
    leases: ByUnit,
    /// The line of each unit that was already read.
    lines: BTreeMap<String, usize>,
    /// Whether the row is below a heading for future tenants.
    future: bool,
    sums: Sums,
    count: Tally,
}

impl Roll<'_> {
    fn line(&mut self, record: &Record, reading: &mut Reading<'_>) -> Line {
        let mut filled = record.cells.iter().filter(|cell| !cell.is_empty());
        let first = filled.next().unwrap_or_default();
        if is_summary(first) {
            if is_average(first) {
                return Line::Other("averages");
            }
            self.check(record, reading);
            return Line::Other("totals");
        }
        if filled.next().is_none() {
            let lower = first.to_lowercase();
            if lower.contains("summary") {
                return Line::End;
            }
            self.future = lower.contains("future") || lower.contains("applicant");
            return Line::Other("headings");
        }
        Line::Unit
    }

    /// Compares a printed total with the sum of the rows.
    fn check(&mut self, record: &Record, reading: &mut Reading<'_>) {
        for field in ["area", "market_rent", "monthly_rent"] {
            let Some(column) = self.listing.column(field) else {
                continue;
            };
            let printed = micro(record.cell(column.at));
            let Some(printed) = printed else { continue };
            let own = self.sums.mismatched_sum(column.at, printed);
            reading.account.total(own.is_none());
            if let Some(own) = own {
                let why = format!("the rows above add up to {}", plain(own));
                let finding = self.listing.at(record, field, Code::SubtotalMismatch, why);
                reading.found.add(finding);
            }
        }
        self.sums.end_group();
    }

    /// Reads a unit, or says what its row is instead, in the plural.
    fn unit(
        &mut self,
        record: &Record,
        charges: &[Record],
        titled: Option<&str>,
        reading: &mut Reading<'_>,
    ) -> Result<(), &'static str> {
        let row = Row::read(self.listing, record, reading.found);
        for field in ["area", "market_rent", "monthly_rent"] {
            if let (Some(column), Some(amount)) = (self.listing.column(field), row.number(field)) {
                self.sums.add(column.at, amount);
            }
        }
        if row.broken {
            return Err(ERRORS);
        }
        let number = row.text("unit_number").ok_or("rows without a unit")?;
        let Some(name) = row.text("building").or_else(|| titled.map(str::to_owned)) else {
            let why = "neither a column nor the title names the building; set it with --building";
            reading.found.add(row.at("building", Code::RequiredMissing, why));
            return Err(ERRORS);
        };
        let building = premises::building(reading.state, &name);
        let occupant = occupant(&row, self.as_of, self.future);
        if matches!(occupant, Occupant::Past) {
            return Err("tenants who have left");
        }
        if matches!(occupant, Occupant::Future) {
            return self.future_tenant(&row, &building, &number, charges, reading);
        }
        let unit = self.put_unit(&row, &building, &number, &occupant, reading);
        if let Some(first) = self.lines.insert(unit.id.clone(), row.line()) {
            let why = format!("unit {number} is already on row {first}");
            let mut finding = row.at("unit_number", Code::DuplicateKey, why);
            finding.first_row = Some(first);
            reading.found.add(finding);
            return Err("repeated units");
        }
        self.count.units += 1;
        self.count.market += row.money("market_rent", building.currency()).unwrap_or_default();
        match occupant {
            Occupant::Tenant => {
                let rent = self.rent(&row, charges, &building);
                self.count.occupied += 1;
                self.count.rent += rent;
                tenancy::put(&row, &unit, rent, self.as_of, &mut self.leases, reading);
            }
            _ => tenancy::moved_out(&unit, self.as_of, &self.leases, reading),
        }
        Ok(())
    }

    /// Adds a tenant who has signed and moves in later.
    fn future_tenant(
        &mut self,
        row: &Row<'_>,
        building: &BuildingRow,
        number: &str,
        charges: &[Record],
        reading: &mut Reading<'_>,
    ) -> Result<(), &'static str> {
        let key = (building.id.clone(), normalized(number));
        let unit = self
            .units
            .get(&key)
            .and_then(|id| reading.state.units.get(id))
            .cloned();
        let start = row.date("start_date").or(row.date("move_in"));
        match (unit, start) {
            (Some(unit), Some(start)) if start > self.as_of => {
                let rent = self.rent(row, charges, building);
                tenancy::put(row, &unit, rent, self.as_of, &mut self.leases, reading);
                Ok(())
            }
            _ => Err("future tenants without a unit or a later start"),
        }
    }

    /// The rent of a row: its own column, or the sum of the charges that are rent.
    fn rent(&self, row: &Row<'_>, charges: &[Record], building: &BuildingRow) -> i64 {
        if let Some(rent) = row.money("monthly_rent", building.currency()) {
            return rent;
        }
        let own = (
            row.text("charge_code"),
            row.money("charge_amount", building.currency()),
        );
        let mut sum = match own {
            (Some(code), Some(amount)) if is_rent(&code) => amount,
            _ => 0,
        };
        for record in charges {
            let mut ignored = Findings::default();
            let more = Row::read(self.listing, record, &mut ignored);
            if let (Some(code), Some(amount)) = (
                more.text("charge_code"),
                more.money("charge_amount", building.currency()),
            ) && is_rent(&code)
            {
                sum += amount;
            }
        }
        sum
    }

    fn put_unit(
        &mut self,
        row: &Row<'_>,
        building: &BuildingRow,
        number: &str,
        occupant: &Occupant,
        reading: &mut Reading<'_>,
    ) -> UnitRow {
        let key = (building.id.clone(), normalized(number));
        let state = &mut *reading.state;
        let own = state.own(&format!("{}/{number}", building.id));
        let id = self.units.entry(key).or_insert(own).clone();
        let known = state.units.get(&id).cloned();
        let currency = building.currency().to_owned();
        let (bedrooms, bathrooms) = row.text("unit_type").as_deref().map_or((None, None), rooms);
        let market = row.money("market_rent", &currency);
        let fresh = UnitRow {
            id,
            building_id: building.id.clone(),
            unit_number: number.to_owned(),
            unit_use: "residential".to_owned(),
            unit_type: row.text("unit_type"),
            bedrooms,
            bathrooms,
            area: row.area("area").unwrap_or_default(),
            is_rentable: true,
            non_revenue_reason: None,
            market_rent: market,
            currency,
            source: state.source.clone(),
        };
        let mut unit = match known {
            None => {
                let homes = bedrooms.is_some() || building.property_type.as_deref() == Some("multifamily");
                let unit_use = match building.property_type.as_deref() {
                    Some(kind @ ("office" | "retail" | "industrial")) => kind,
                    _ if homes => "residential",
                    _ => "other",
                };
                UnitRow {
                    unit_use: unit_use.to_owned(),
                    ..fresh
                }
            }
            // Values that the roll does not contain are kept.
            Some(known) => UnitRow {
                area: row.area("area").unwrap_or(known.area),
                market_rent: market.or(known.market_rent),
                unit_type: known.unit_type.clone().or(fresh.unit_type),
                bedrooms: known.bedrooms.or(bedrooms),
                bathrooms: known.bathrooms.or(bathrooms),
                ..known
            },
        };
        match occupant {
            Occupant::Unrentable(reason) => {
                unit.is_rentable = false;
                unit.non_revenue_reason = Some((*reason).to_owned());
            }
            Occupant::Tenant => {
                unit.is_rentable = true;
                unit.non_revenue_reason = None;
            }
            // The unit may be one that cannot be rented, which the roll does not show.
            _ => {}
        }
        let dated = state.market_rents.current_keys_under(&unit.id);
        if let Some(market) = market.filter(|_| !dated.is_empty()) {
            let mut rents = dated.iter().filter_map(|key| state.market_rents.get(key));
            let last = rents.rfind(|rent| rent.effective_date <= self.as_of);
            if last.is_none_or(|last| last.market_rent != market) {
                state.market_rents.put(MarketRentRow {
                    unit_id: unit.id.clone(),
                    effective_date: self.as_of,
                    building_id: unit.building_id.clone(),
                    market_rent: market,
                    currency: unit.currency.clone(),
                    source: state.source.clone(),
                });
            }
        }
        state.units.put(unit.clone());
        unit
    }
}
