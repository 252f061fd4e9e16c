//! Queries for portfolio metrics, and their results. Plain data.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::portfolio::calendar::Span;
use crate::portfolio::metric::Metric;

/// A query for one metric over some of the visible buildings.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub metric: Metric,
    /// The requested buildings, limited to the visible ones. Absent: all visible buildings.
    pub buildings: Option<BTreeSet<String>>,
    /// For metrics of leases: only this kind of space.
    pub space: Option<Space>,
    /// Only some units, tenants or loans.
    pub only: Only,
    pub time: Time,
    pub split: Option<Split>,
    /// The ledger account that [`Metric::Account`] is about.
    pub account: Option<String>,
    /// The window of end dates for expirations and rollover, both days included.
    pub window: Option<Window>,
    /// Only buildings with debt.
    pub levered: bool,
    /// Annualizes the amount of the period: × 12 ÷ months.
    pub annualized: bool,
}

impl Query {
    /// A query over all visible buildings.
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

/// Units by their use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    Residential,
    /// All other uses.
    Commercial,
}

/// Further filters: on units or tenants for metrics of leases, on loans for metrics of debt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Only {
    /// Zero for a studio.
    pub bedrooms: Option<i64>,
    pub unit_type: Option<String>,
    /// The unit number in lower case.
    pub unit: Option<String>,
    /// Identifiers of tenants. Empty: all.
    pub tenants: BTreeSet<String>,
    /// As written in the data: "nnn".
    pub lease_type: Option<String>,
    /// The tenant's industry as written in the data: "food_service".
    pub industry: Option<String>,
    /// The lender as written in the data.
    pub lender: Option<String>,
    /// "senior", "mezzanine".
    pub loan_kind: Option<String>,
    /// Loans with a fixed rate, or all others.
    pub fixed: Option<bool>,
    /// Loans that do not repay principal yet.
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

    /// Whether a filter only applies to companies: the kind of lease or the tenant's industry.
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
    /// The day of a snapshot; for a span, its last day.
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

/// The dimension that a metric is split by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    Building,
    City,
    State,
    PropertyType,
    /// "1BR", "suite".
    UnitType,
    /// The tenant's industry.
    Industry,
    LeaseType,
    /// The ledger accounts that a metric adds up.
    Account,
    Lender,
    Month,
    Quarter,
    Year,
}

impl Split {
    pub const ALL: [Self; 12] = [
        Self::Building,
        Self::City,
        Self::State,
        Self::PropertyType,
        Self::UnitType,
        Self::Industry,
        Self::LeaseType,
        Self::Account,
        Self::Lender,
        Self::Month,
        Self::Quarter,
        Self::Year,
    ];

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

/// The result of a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// The value over the whole scope. Absent if it is undefined, or if it would add up several currencies.
    pub whole: Option<Point>,
    /// The reason why there is no value.
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

/// A value that another one was computed from.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// A stable identifier, for instance `occupied_units`.
    pub name: &'static str,
    pub value: f64,
    pub unit: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The building's identifier, the city, "2026-10".
    pub key: String,
    /// The label for people.
    pub label: String,
    pub point: Point,
}

/// A data model that figures were taken from, under its name in the semantic layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataModel {
    pub name: &'static str,
    pub title: &'static str,
}

/// What an organization's data covers, as far as the caller may see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    pub buildings: Vec<Property>,
    pub accounts: Vec<Account>,
    pub kinds: Kinds,
    /// Absent if no data was imported.
    pub coverage: Option<Coverage>,
}

/// The values in the data by which leases, tenants and loans can be filtered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    pub lease_types: Vec<String>,
    pub industries: Vec<String>,
    pub lenders: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The date of the data: the end of the last closed month.
    pub as_of: NaiveDate,
    /// Months with a rent roll.
    pub roll: Span,
}

/// A building that the caller may see.
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

/// One year of a rollover schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rollover {
    /// Absent for leases past their end (holdover).
    pub year: Option<i32>,
    pub currency: String,
    pub leases: i64,
    pub area: f64,
    pub annual_rent: f64,
    /// Share of the rent of all leases in force in that currency.
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

/// A loan, limited to the part that visible buildings secure.
#[derive(Clone, Debug, PartialEq)]
pub struct Loan {
    pub id: String,
    pub building_id: String,
    pub lender: String,
    pub kind: String,
    pub currency: String,
    /// The part allocated to this building, on the requested day.
    pub balance: f64,
    pub rate: f64,
    pub rate_kind: Option<String>,
    /// The day from which on principal is repaid.
    pub amortizes: NaiveDate,
    pub original_principal: f64,
    pub originated: NaiveDate,
    pub matures: NaiveDate,
    pub min_dscr: Option<f64>,
    pub max_ltv: Option<f64>,
    pub prepayment: Option<String>,
    pub day_count: Option<String>,
}

/// The units that a list contains.
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

/// A unit at a month's end with the lease in force. Amounts are in units of the currency.
#[derive(Clone, Debug, PartialEq)]
pub struct Letting {
    pub building_id: String,
    pub unit: String,
    pub unit_type: Option<String>,
    pub area: f64,
    pub tenant: Option<String>,
    pub start: Option<NaiveDate>,
    pub end: Option<NaiveDate>,
    /// Monthly rent.
    pub rent: Option<f64>,
    pub market: Option<f64>,
    pub deposit: Option<f64>,
    pub currency: String,
}
