//! The asker's portfolio, as the analyst reads it. Who implements it has applied the asker's rights: the analyst
//! names what it wants and sees what comes back.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use finance::portfolio::query::{
    Catalog, DataModel, Letting, Listed, Loan, Measure, Only, Query, Rollover, Space, Tenant,
};
use futures_core::future::BoxFuture;

/// A fault of the implementation, handed back to the caller unchanged.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;
pub type Result<T, E = Fault> = std::result::Result<T, E>;

/// What one answer reads: all calls see the same moment. `buildings` narrows what may be seen; absent: all of it.
pub trait Portfolio: Send {
    /// The buildings, the accounts, and what the data covers.
    fn catalog(&mut self) -> BoxFuture<'_, Result<Catalog>>;

    /// The data models from which figures were taken so far.
    fn used(&self) -> Vec<DataModel>;

    /// Computes a metric. What cannot be computed says why in `undefined`.
    fn measure<'a>(&'a mut self, query: &'a Query) -> BoxFuture<'a, Result<Measure>>;

    /// Leases in force at a month's end by the year in which they end, holdovers first; by currency.
    fn rollover<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        space: Option<Space>,
        day: NaiveDate,
    ) -> BoxFuture<'a, Result<Vec<Rollover>>>;

    /// Tenants by their rent in effect, the largest first, each with its share of all.
    fn tenants<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        which: (Option<Space>, &'a Only),
        day: NaiveDate,
    ) -> BoxFuture<'a, Result<Vec<Tenant>>>;

    /// Units at a month's end with their leases, those that end first before the others.
    fn lettings<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        which: (Option<Space>, &'a Only),
        day: NaiveDate,
        listed: Listed,
    ) -> BoxFuture<'a, Result<Vec<Letting>>>;

    /// Ids and names of the tenants whose name begins so.
    fn tenants_named<'a>(&'a mut self, name: &'a str) -> BoxFuture<'a, Result<Vec<(String, String)>>>;

    /// Loans as they stand on the day, the first to mature first; of each the part that rests on a building seen.
    fn loans<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        day: NaiveDate,
    ) -> BoxFuture<'a, Result<Vec<Loan>>>;

    /// Nothing more is read: what the implementation holds for this moment may go.
    fn close(&mut self) -> BoxFuture<'_, Result<()>>;
}
