//! Reads files in Corbel's own format, which have one row for each item.

use crate::portfolio::import::account::ERRORS;
use crate::portfolio::import::cells::Row;
use crate::portfolio::import::finding::{Code, Finding, Findings};
use crate::portfolio::import::kinds::Kind;
use crate::portfolio::import::listing::Listing;
use crate::portfolio::import::reading::{Origin, ReadResult, Reading, Unusable};
use crate::portfolio::import::{finance_rows, lease_rows, property_rows};
use tables::grid::Record;

/// Reads all rows of a listing. `number` is the position of the listing in the import.
pub fn read(listing: &Listing, number: usize, reading: &mut Reading<'_>) {
    for (at, record) in listing.records.iter().enumerate() {
        if !has_all_cells(listing, record, reading.found) {
            reading.account.leave_out(ERRORS, 1);
            continue;
        }
        let row = Row::read(listing, record, reading.found);
        let key = key_of(listing, record);
        if let Some(key) = &key
            && let Some(first) = reading.origins.get(&(listing.kind, key.clone()))
        {
            let last = listing.kind.key().last().copied().unwrap_or_default();
            let other_file = if first.listing == number {
                ""
            } else {
                " of another file"
            };
            let why = format!("is already on row {}{other_file}", first.line);
            let mut finding = row.at(last, Code::DuplicateKey, why);
            finding.first_row = Some(first.line);
            reading.found.add(finding);
            reading.account.leave_out("repeated rows", 1);
            continue;
        }
        let result = if row.broken {
            Err(Unusable)
        } else {
            apply_row(&row, reading)
        };
        match result {
            Ok(()) => reading.account.count(1),
            Err(Unusable) => reading.account.leave_out(ERRORS, 1),
        }
        let Some(key) = key else { continue };
        if result.is_err() {
            reading.broken.insert((listing.kind, key.clone()));
        }
        // A row with errors still reserves its key: a second row with that key is a duplicate.
        let origin = Origin {
            listing: number,
            record: at,
            line: record.line,
        };
        reading.origins.insert((listing.kind, key), origin);
    }
}

/// Checks that a row has as many cells as the header. In workbooks, empty cells at the end may be omitted.
fn has_all_cells(listing: &Listing, record: &Record, found: &mut Findings) -> bool {
    let (own, all) = (record.cells.len(), listing.headers.len());
    let mut beyond = record.cells.iter().skip(all);
    let fits = own == all || (listing.workbook && beyond.all(str::is_empty));
    if !fits {
        let why = format!("{own} of {all}");
        let finding = Finding::new(&listing.name, Some(record.line), Code::WrongColumnCount, why);
        found.add(finding);
    }
    fits
}

/// The cells of a row's key, as written in the file.
fn key_of(listing: &Listing, record: &Record) -> Option<String> {
    let mut parts = Vec::new();
    for field in listing.kind.key() {
        let column = listing.column(field)?;
        let cell = record.cell(column.at);
        if cell.is_empty() {
            return None;
        }
        parts.push(cell);
    }
    (!parts.is_empty()).then(|| parts.join("\u{1f}"))
}

/// Applies the row to the state with the reader of its kind.
fn apply_row(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    match row.kind() {
        Kind::Buildings => property_rows::building(row, reading),
        Kind::Accounts => property_rows::account(row, reading),
        Kind::Units => property_rows::unit(row, reading),
        Kind::UnitMarketRents => property_rows::market_rent(row, reading),
        Kind::Tenants => property_rows::tenant(row, reading),
        Kind::Leases => lease_rows::lease(row, reading),
        Kind::LeaseUnits => lease_rows::lease_unit(row, reading),
        Kind::LeaseRentSteps => lease_rows::step(row, reading),
        Kind::MonthlyFinancials => finance_rows::ledger(row, reading),
        Kind::Loans => finance_rows::loan(row, reading),
        Kind::LoanBuildings => finance_rows::loan_building(row, reading),
        Kind::LoanPayments => finance_rows::payment(row, reading),
        Kind::Valuations => finance_rows::valuation(row, reading),
        // These kinds have no row for each item and are read by their own modules.
        Kind::RentRoll | Kind::Statement => Err(Unusable),
    }
}
