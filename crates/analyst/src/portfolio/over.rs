//! What is done to a figure after it was looked up: divided, added to, taken off, by the month.

use finance::portfolio::metric::Metric;
use finance::portfolio::query::Account;

/// What a figure is divided by.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Over {
    Units,
    Area,
    /// The months of its period.
    Months,
    /// What stands on a day, averaged over the ends of its months.
    MonthEnds,
    /// Nothing: these accounts are left out of it.
    Less(Vec<Account>),
    /// The middle one of its buildings, or of its leases.
    Median,
    /// What adds up, over the number of its buildings.
    Buildings,
    /// Another quantity of the same place and time.
    Of(Metric, Option<Account>),
    /// Another quantity of the same place and time, which is taken off.
    Minus(Metric, Option<Account>),
    /// Other quantities of the same place and time, which are added to it.
    Plus(Vec<(Metric, Option<Account>)>),
    /// The same quantity of everything.
    Whole,
    /// A yearly amount by the month.
    Twelfth,
}
