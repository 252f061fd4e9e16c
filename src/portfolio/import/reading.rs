//! Shared rules for reading rows: a reference must exist, in the files or in the portfolio, and fields
//! without a column keep their value.

use std::collections::{BTreeMap, BTreeSet};

use crate::portfolio::import::account::Account;
use crate::portfolio::import::cells::Row;
use crate::portfolio::import::current_state::CurrentState;
use crate::portfolio::import::finding::{Code, Findings};
use crate::portfolio::import::kinds::Kind;
use crate::portfolio::import::rows::{BuildingRow, LeaseRow, LoanRow, UnitRow};

/// The origin of each row of this import by kind and key, for findings that involve several rows.
pub type Origins = BTreeMap<(Kind, String), Origin>;

/// The position of a row.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    pub listing: usize,
    pub record: usize,
    pub line: usize,
}

/// The context for reading the rows of a listing.
pub struct Reading<'r> {
    pub state: &'r mut CurrentState,
    pub found: &'r mut Findings,
    /// Keys of rows with errors. Rows that refer to them are skipped without another error.
    pub broken: &'r mut BTreeSet<(Kind, String)>,
    /// Keys of this import's rows, with listing and record.
    pub origins: &'r mut Origins,
    /// Of the listing that is read.
    pub account: Account,
}

/// A row that cannot be used. The reason is already reported, on this row or on the row it belongs to.
pub struct Unusable;

pub type ReadResult<T> = std::result::Result<T, Unusable>;

/// The value from the column if the file has that column, otherwise the known value.
pub fn or_known<T>(row: &Row<'_>, field: &str, read: Option<T>, known: Option<T>) -> Option<T> {
    if row.has(field) { read } else { known }
}

/// The value of a required cell. The reason for a missing one is already reported.
pub fn required<T>(value: Option<T>) -> ReadResult<T> {
    value.ok_or(Unusable)
}

impl Reading<'_> {
    /// The building that a row refers to.
    pub fn building(&mut self, row: &Row<'_>) -> ReadResult<BuildingRow> {
        let id = required(row.text("building_id"))?;
        if let Some(found) = self.state.buildings.get(&id) {
            return Ok(found.clone());
        }
        self.missing(row, "building_id", Kind::Buildings, &id)
    }

    pub fn unit(&mut self, row: &Row<'_>) -> ReadResult<UnitRow> {
        let id = required(row.text("unit_id"))?;
        let state = &self.state;
        let resolved = state.resolve(&id, |id| state.units.get(id).is_some());
        if let Some(found) = resolved.and_then(|id| state.units.get(&id)) {
            return Ok(found.clone());
        }
        self.missing(row, "unit_id", Kind::Units, &id)
    }

    pub fn lease(&mut self, row: &Row<'_>) -> ReadResult<LeaseRow> {
        let id = required(row.text("lease_id"))?;
        let state = &self.state;
        let resolved = state.resolve(&id, |id| state.leases.get(id).is_some());
        if let Some(found) = resolved.and_then(|id| state.leases.get(&id)) {
            return Ok(found.clone());
        }
        self.missing(row, "lease_id", Kind::Leases, &id)
    }

    pub fn loan(&mut self, row: &Row<'_>) -> ReadResult<LoanRow> {
        let id = required(row.text("loan_id"))?;
        let state = &self.state;
        let resolved = state.resolve(&id, |id| state.loans.get(id).is_some());
        if let Some(found) = resolved.and_then(|id| state.loans.get(&id)) {
            return Ok(found.clone());
        }
        self.missing(row, "loan_id", Kind::Loans, &id)
    }

    /// Handles a missing reference. This is an error, unless the row it refers to already has one.
    pub fn missing<T>(&mut self, row: &Row<'_>, field: &str, kind: Kind, id: &str) -> ReadResult<T> {
        if !self.broken.contains(&(kind, id.to_owned())) {
            let why = format!("is not in the {}", kind.title());
            self.found.add(row.at(field, Code::UnknownReference, why));
        }
        Err(Unusable)
    }

    /// The currency of a row, which must be that of its building.
    pub fn currency(&mut self, row: &Row<'_>, building: &BuildingRow) -> ReadResult<String> {
        let own = building.currency();
        match row.text("currency") {
            Some(currency) if currency != own => {
                let why = format!("the currency of building {} is {own}", building.id);
                self.found.add(row.at("currency", Code::CurrencyMismatch, why));
                Err(Unusable)
            }
            _ => Ok(own.to_owned()),
        }
    }
}
