//! The portfolio during an import: the stored rows, overlaid with the rows from the files. The differences at
//! the end are what the import writes.
//!
//! Independent of files and the database.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::Serialize;

use crate::portfolio::import::rows::{
    AccountRow, BuildingRow, LeaseRow, LeaseUnitRow, LedgerRow, LoanBuildingRow, LoanRow, MarketRentRow,
    PaymentRow, StepRow, TenantRow, UnitMonthRow, UnitRow, ValuationRow, Versioned,
};

/// The source whose identifiers are stored unchanged.
pub const OWN_FILES: &str = "files";

/// The rows of one table: the current ones, and those with which an import overlays them.
#[derive(Debug)]
pub struct Rows<T> {
    current: BTreeMap<String, T>,
    next: BTreeMap<String, T>,
    /// Keys of the rows that the import ends.
    gone: BTreeSet<String>,
    /// Number of rows skipped because the row they belong to has an error.
    pub skipped: usize,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            current: BTreeMap::new(),
            next: BTreeMap::new(),
            gone: BTreeSet::new(),
            skipped: 0,
        }
    }
}

/// How many rows of a table an import adds, changes, ends and leaves unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Rows in the files.
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

/// The changes to write to one table.
#[derive(Debug)]
pub struct Changes<T> {
    /// New versions.
    pub write: Vec<T>,
    /// Versions to end, of changed and of removed rows.
    pub end: Vec<T>,
    pub count: Count,
}

impl<T: Versioned> Rows<T> {
    pub fn of(current: Vec<T>) -> Self {
        Self {
            current: current.into_iter().map(|row| (row.key(), row)).collect(),
            ..Self::default()
        }
    }

    pub fn get(&self, key: &str) -> Option<&T> {
        self.next.get(key).or_else(|| self.current(key))
    }

    /// The current row from before this import.
    pub fn current(&self, key: &str) -> Option<&T> {
        self.current.get(key).filter(|_| !self.gone.contains(key))
    }

    /// Whether this import provides the row.
    pub fn is_new(&self, key: &str) -> bool {
        self.next.contains_key(key)
    }

    pub fn put(&mut self, row: T) {
        let key = row.key();
        self.gone.remove(&key);
        self.next.insert(key, row);
    }

    /// Ends the current row, unless this import provides a new version of it.
    pub fn end(&mut self, key: &str) {
        if self.current.contains_key(key) && !self.next.contains_key(key) {
            self.gone.insert(key.to_owned());
        }
    }

    /// All rows after the import, ordered by key.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        let current = self.current.iter();
        let kept = current.filter(|(key, _)| !self.next.contains_key(*key) && !self.gone.contains(*key));
        kept.map(|(_, row)| row).chain(self.next.values())
    }

    /// Keys of the current rows that start with `part`.
    pub fn current_keys_under(&self, part: &str) -> Vec<String> {
        let from = format!("{part}\u{1f}");
        let found = self
            .current
            .range(from.clone()..)
            .take_while(|(key, _)| key.starts_with(&from));
        found.map(|(key, _)| key.clone()).collect()
    }

    /// The rows that this import provides.
    pub fn imported(&self) -> impl Iterator<Item = &T> {
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
            match self.current.get(key) {
                Some(current) if current == row => count.unchanged += 1,
                Some(current) => {
                    count.changed += 1;
                    changes.end.push(current.clone());
                    changes.write.push(row.clone());
                }
                None => {
                    count.added += 1;
                    changes.write.push(row.clone());
                }
            }
        }
        for key in &self.gone {
            if let Some(current) = self.current.get(key) {
                count.ended += 1;
                changes.end.push(current.clone());
            }
        }
        changes
    }
}

/// The months that the portfolio's data covers, and the date of the data.
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
    /// Keys of the buildings that this import mentions.
    pub named: BTreeSet<String>,
    /// The buildings before this import.
    pub buildings_before: BTreeMap<String, BuildingRow>,
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
    /// The months with current ledger rows, by building.
    pub ledger_months: BTreeSet<(String, NaiveDate)>,
    /// The organization's mapping from a source's account codes and names to accounts.
    pub account_mapping: BTreeMap<String, String>,
    pub coverage: Option<Coverage>,
    /// The dates of the rent rolls in this import.
    pub rolls: BTreeSet<NaiveDate>,
}

impl CurrentState {
    /// Turns an identifier of this import's source into one that is unique in the organization.
    pub fn own(&self, external: &str) -> String {
        if self.source == OWN_FILES {
            external.to_owned()
        } else {
            format!("{}/{external}", self.source)
        }
    }

    /// The source's own identifier, as written in its files.
    pub fn external<'i>(&self, id: &'i str) -> &'i str {
        if self.source == OWN_FILES {
            return id;
        }
        let bare = id.strip_prefix(self.source.as_str());
        bare.and_then(|rest| rest.strip_prefix('/')).unwrap_or(id)
    }

    /// Resolves a reference: first to an item of the same source, then to one of the organization's own
    /// files.
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

    /// The buildings that are new or have changed.
    pub fn building_changes(&self) -> (Vec<BuildingRow>, Count) {
        let mut count = Count {
            rows: self.named.len(),
            ..Count::default()
        };
        let mut write = Vec::new();
        for row in self.named.iter().filter_map(|id| self.buildings.get(id)) {
            match self.buildings_before.get(&row.id) {
                Some(current) if current == row => count.unchanged += 1,
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
