//! The portfolio as it is while an import reads: what holds already, and over it what the files bring. What differs
//! at the end is what has to be written.
//!
//! Knows neither files nor the database.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::Serialize;

use crate::portfolio::import::rows::{
    AccountRow, BuildingRow, LeaseRow, LeaseUnitRow, LedgerRow, LoanBuildingRow, LoanRow, MarketRentRow,
    PaymentRow, StepRow, TenantRow, UnitMonthRow, UnitRow, ValuationRow, Versioned,
};

/// The source whose identifiers stand as they are.
pub const OWN_FILES: &str = "files";

/// Rows of one table: those that hold, and those that an import puts over them.
#[derive(Debug)]
pub struct Rows<T> {
    held: BTreeMap<String, T>,
    next: BTreeMap<String, T>,
    /// Keys of rows that hold no more.
    gone: BTreeSet<String>,
    /// Rows that were left out because of what they belong to.
    pub skipped: usize,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            held: BTreeMap::new(),
            next: BTreeMap::new(),
            gone: BTreeSet::new(),
            skipped: 0,
        }
    }
}

/// How many rows of a table an import adds, changes, ends, and finds as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// In the files.
    pub rows: usize,
    pub added: usize,
    pub changed: usize,
    pub ended: usize,
    pub unchanged: usize,
    pub skipped: usize,
}

impl Count {
    pub fn add(&mut self, other: Self) {
        self.rows += other.rows;
        self.added += other.added;
        self.changed += other.changed;
        self.ended += other.ended;
        self.unchanged += other.unchanged;
        self.skipped += other.skipped;
    }
}

/// What has to be written of one table.
#[derive(Debug)]
pub struct Changes<T> {
    /// New versions.
    pub write: Vec<T>,
    /// Versions that end: of changed rows and of those that are gone.
    pub end: Vec<T>,
    pub count: Count,
}

impl<T: Versioned> Rows<T> {
    pub fn of(held: Vec<T>) -> Self {
        Self {
            held: held.into_iter().map(|row| (row.key(), row)).collect(),
            ..Self::default()
        }
    }

    pub fn get(&self, key: &str) -> Option<&T> {
        self.next.get(key).or_else(|| self.held(key))
    }

    /// What holds now, as it was before this import.
    pub fn held(&self, key: &str) -> Option<&T> {
        self.held.get(key).filter(|_| !self.gone.contains(key))
    }

    /// This import has it.
    pub fn is_new(&self, key: &str) -> bool {
        self.next.contains_key(key)
    }

    pub fn put(&mut self, row: T) {
        let key = row.key();
        self.gone.remove(&key);
        self.next.insert(key, row);
    }

    /// Ends what holds under the key, unless this import brings it.
    pub fn end(&mut self, key: &str) {
        if self.held.contains_key(key) && !self.next.contains_key(key) {
            self.gone.insert(key.to_owned());
        }
    }

    /// All that will hold, in the order of keys.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        let held = self.held.iter();
        let kept = held.filter(|(key, _)| !self.next.contains_key(*key) && !self.gone.contains(*key));
        kept.map(|(_, row)| row).chain(self.next.values())
    }

    /// Rows that hold whose key begins with this part.
    pub fn held_under(&self, part: &str) -> Vec<String> {
        let from = format!("{part}\u{1f}");
        let found = self
            .held
            .range(from.clone()..)
            .take_while(|(key, _)| key.starts_with(&from));
        found.map(|(key, _)| key.clone()).collect()
    }

    /// What this import brings.
    pub fn brought(&self) -> impl Iterator<Item = &T> {
        self.next.values()
    }

    pub fn changes(&self) -> Changes<T> {
        let mut changes = Changes {
            write: Vec::new(),
            end: Vec::new(),
            count: Count {
                rows: self.next.len(),
                skipped: self.skipped,
                ..Count::default()
            },
        };
        let count = &mut changes.count;
        for (key, row) in &self.next {
            match self.held.get(key) {
                Some(held) if held == row => count.unchanged += 1,
                Some(held) => {
                    count.changed += 1;
                    changes.end.push(held.clone());
                    changes.write.push(row.clone());
                }
                None => {
                    count.added += 1;
                    changes.write.push(row.clone());
                }
            }
        }
        for key in &self.gone {
            if let Some(held) = self.held.get(key) {
                count.ended += 1;
                changes.end.push(held.clone());
            }
        }
        changes
    }
}

/// Which months the portfolio's data covers, and the day it stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    pub as_of: NaiveDate,
    pub first_month: NaiveDate,
    pub last_month: NaiveDate,
}

#[derive(Debug, Default)]
pub struct CurrentState {
    pub source: String,
    pub buildings: BTreeMap<String, BuildingRow>,
    /// Keys of buildings that this import names.
    pub named: BTreeSet<String>,
    /// As they were before this import.
    pub buildings_held: BTreeMap<String, BuildingRow>,
    pub accounts: Rows<AccountRow>,
    pub units: Rows<UnitRow>,
    pub market_rents: Rows<MarketRentRow>,
    pub tenants: Rows<TenantRow>,
    pub leases: Rows<LeaseRow>,
    pub lease_units: Rows<LeaseUnitRow>,
    pub steps: Rows<StepRow>,
    pub ledger: Rows<LedgerRow>,
    pub loans: Rows<LoanRow>,
    pub loan_buildings: Rows<LoanBuildingRow>,
    pub payments: Rows<PaymentRow>,
    pub valuations: Rows<ValuationRow>,
    pub unit_months: Rows<UnitMonthRow>,
    /// Months of the ledger that hold, by building.
    pub ledger_months: BTreeSet<(String, NaiveDate)>,
    /// Codes and names of a source's accounts, as the organization said.
    pub account_mapping: BTreeMap<String, String>,
    pub coverage: Option<Coverage>,
    /// The days of the rent rolls that this import brings.
    pub rolls: BTreeSet<NaiveDate>,
}

impl CurrentState {
    /// An identifier of this import's source, unique in the organization.
    pub fn own(&self, external: &str) -> String {
        if self.source == OWN_FILES {
            external.to_owned()
        } else {
            format!("{}/{external}", self.source)
        }
    }

    /// The source's own name of something, as it stands in its files.
    pub fn external<'i>(&self, id: &'i str) -> &'i str {
        if self.source == OWN_FILES {
            return id;
        }
        let bare = id.strip_prefix(self.source.as_str());
        bare.and_then(|rest| rest.strip_prefix('/')).unwrap_or(id)
    }

    /// What a reference means: first something of the same source, else something of the organization's own files.
    pub fn resolve(&self, external: &str, there: impl Fn(&str) -> bool) -> Option<String> {
        let own = self.own(external);
        if there(&own) {
            return Some(own);
        }
        there(external).then(|| external.to_owned())
    }

    pub fn put_building(&mut self, row: BuildingRow) {
        self.named.insert(row.id.clone());
        self.buildings.insert(row.id.clone(), row);
    }

    /// Buildings that are new or differ.
    pub fn building_changes(&self) -> (Vec<BuildingRow>, Count) {
        let mut count = Count {
            rows: self.named.len(),
            ..Count::default()
        };
        let mut write = Vec::new();
        for row in self.named.iter().filter_map(|id| self.buildings.get(id)) {
            match self.buildings_held.get(&row.id) {
                Some(held) if held == row => count.unchanged += 1,
                Some(_) => {
                    count.changed += 1;
                    write.push(row.clone());
                }
                None => {
                    count.added += 1;
                    write.push(row.clone());
                }
            }
        }
        (write, count)
    }
}
