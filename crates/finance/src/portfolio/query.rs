//! What can be asked of the metrics and what they answer. Plain data.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::portfolio::calendar::Span;
use crate::portfolio::metric::Metric;

/// One metric over some of the buildings that may be seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub metric: Metric,
    /// Intersected with what may be seen. Absent: all of that.
    pub buildings: Option<BTreeSet<String>>,
    /// Metrics of leases: this kind of space alone.
    pub space: Option<Space>,
    /// Some units, tenants or loans alone.
    pub only: Only,
    pub time: Time,
    pub split: Option<Split>,
    /// The ledger account that [`Metric::Account`] is about.
    pub account: Option<String>,
    /// The window of end dates that expirations and rollover are about, both days included.
    pub window: Option<Window>,
    /// Buildings with debt alone.
    pub levered: bool,
    /// The period's amount is made a year's: × 12 ÷ months.
    pub annualized: bool,
}

impl Query {
    /// Everything that may be seen.
    pub fn of(metric: Metric, time: Time) -> Self {
        Self {
            metric,
            buildings: None,
            space: None,
            only: Only::default(),
            time,
            split: None,
            account: None,
            window: None,
            levered: false,
            annualized: false,
        }
    }
}

/// Which units count, by their use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    Residential,
    /// All other uses.
    Commercial,
}

/// What else narrows a metric: of leases to units or tenants, of debt to loans.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Only {
    /// Nought for a studio.
    pub bedrooms: Option<i64>,
    pub unit_type: Option<String>,
    /// As on the door, in lower case.
    pub unit: Option<String>,
    /// Ids of tenants; empty: all.
    pub tenants: BTreeSet<String>,
    /// As the data writes it: "nnn".
    pub lease_type: Option<String>,
    /// The tenant's, as the data writes it: "food_service".
    pub industry: Option<String>,
    /// Who lent, as the data writes it.
    pub lender: Option<String>,
    /// "senior", "mezzanine".
    pub loan_kind: Option<String>,
    /// Loans of a fixed rate, or of any other.
    pub fixed: Option<bool>,
    /// Loans that pay no principal yet.
    pub interest_only: bool,
}

impl Only {
    pub fn is_of_units(&self) -> bool {
        self.bedrooms.is_some()
            || self.unit_type.is_some()
            || self.unit.is_some()
            || !self.tenants.is_empty()
            || self.is_of_companies()
    }

    /// A kind of lease or of tenant that only companies have.
    pub const fn is_of_companies(&self) -> bool {
        self.lease_type.is_some() || self.industry.is_some()
    }

    pub const fn is_of_loans(&self) -> bool {
        self.fixed.is_some() || self.interest_only || self.lender.is_some() || self.loan_kind.is_some()
    }
}

/// A day, or whole months.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Time {
    Day(NaiveDate),
    Span(Span),
}

impl Time {
    /// The day a snapshot stands at: of a span its last.
    pub fn day(self) -> NaiveDate {
        match self {
            Self::Day(day) => day,
            Self::Span(span) => span.to.last_day(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    pub from: NaiveDate,
    pub to: NaiveDate,
}

/// What a metric is split by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    Building,
    City,
    State,
    PropertyType,
    /// "1BR", "suite".
    UnitType,
    /// Of the tenant.
    Industry,
    LeaseType,
    /// Accounts of the ledger that a metric adds up.
    Account,
    Lender,
    Month,
    Quarter,
    Year,
}

impl Split {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Building => "building",
            Self::City => "city",
            Self::State => "state",
            Self::PropertyType => "property_type",
            Self::UnitType => "unit_type",
            Self::Industry => "industry",
            Self::LeaseType => "lease_type",
            Self::Account => "account",
            Self::Lender => "lender",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }

    pub const fn is_time(self) -> bool {
        matches!(self, Self::Month | Self::Quarter | Self::Year)
    }
}

/// A metric's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// Over the whole scope; none where it is not defined, or where currencies may not be added up.
    pub whole: Option<Point>,
    /// Why there is no value.
    pub undefined: Option<String>,
    /// One for each part of the split that has a value.
    pub parts: Vec<Part>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub value: f64,
    /// "percent", "USD", "USD/unit" …
    pub unit: String,
    pub inputs: Vec<Term>,
}

/// A value that another was computed from.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// A stable word, for instance `occupied_units`.
    pub name: &'static str,
    pub value: f64,
    pub unit: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The building's id, the city, "2026-10".
    pub key: String,
    /// As people read it.
    pub label: String,
    pub point: Point,
}

/// A data model that figures were taken from, as the semantic layer calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataModel {
    pub name: &'static str,
    pub title: &'static str,
}

/// What an organization's data is about, as far as the asker may see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    pub buildings: Vec<Property>,
    pub accounts: Vec<Account>,
    pub kinds: Kinds,
    /// None: no data was imported.
    pub coverage: Option<Coverage>,
}

/// Words of the data itself that leases, tenants and loans may be told apart by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    pub lease_types: Vec<String>,
    pub industries: Vec<String>,
    pub lenders: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The day the data stands at: the end of the last closed month.
    pub as_of: NaiveDate,
    /// Months with a rent roll.
    pub roll: Span,
}

/// A building as the asker may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub id: String,
    pub name: String,
    pub property_type: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub currency: Option<String>,
    pub year_built: Option<i64>,
    pub acquired_date: Option<NaiveDate>,
    /// In minor units.
    pub purchase_price: Option<i64>,
}

/// An account of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub code: String,
    pub name: String,
    pub category: String,
    pub included_in_noi: bool,
}

/// What one year of a rollover schedule holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Rollover {
    /// None: leases past their end (holdover).
    pub year: Option<i32>,
    pub currency: String,
    pub leases: i64,
    pub area: f64,
    pub annual_rent: f64,
    /// Of the rent of all leases in force of that currency.
    pub share_of_rent: f64,
    pub share_of_area: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Tenant {
    pub id: String,
    pub name: String,
    pub currency: String,
    pub leases: i64,
    pub area: f64,
    pub annual_rent: f64,
    pub share: f64,
}

/// A loan as far as it rests on buildings that may be seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Loan {
    pub id: String,
    pub building_id: String,
    pub lender: String,
    pub kind: String,
    pub currency: String,
    /// The part that rests on this building, at the day asked for.
    pub balance: f64,
    pub rate: f64,
    pub rate_kind: Option<String>,
    /// From when on principal is paid.
    pub amortizes: NaiveDate,
    pub original_principal: f64,
    pub originated: NaiveDate,
    pub matures: NaiveDate,
    pub min_dscr: Option<f64>,
    pub max_ltv: Option<f64>,
    pub prepayment: Option<String>,
    pub day_count: Option<String>,
}

/// Which units a list is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Rentable units without a lease in force.
    Vacant,
    /// Units with a lease in force.
    Leased,
    /// Units whose lease in force ends within the window.
    Ending(Window),
    /// Units whose lease in force is past its end.
    Holdover,
    /// Units that cannot be rented.
    NonRevenue,
    All,
}

/// A unit at a month's end with the lease in force, amounts in the currency's units.
#[derive(Clone, Debug, PartialEq)]
pub struct Letting {
    pub building_id: String,
    pub unit: String,
    pub unit_type: Option<String>,
    pub area: f64,
    pub tenant: Option<String>,
    pub start: Option<NaiveDate>,
    pub end: Option<NaiveDate>,
    /// Monthly.
    pub rent: Option<f64>,
    pub market: Option<f64>,
    pub deposit: Option<f64>,
    pub currency: String,
}
