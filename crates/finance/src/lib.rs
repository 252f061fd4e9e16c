//! Exact calculations for real estate and finance. Pure: no text parsing, no tables, no database.
//!
//! Each calculation is a function that documents its source. `graph` connects them: from known values it
//! computes a wanted variable and records every step, or reports which inputs are missing. `portfolio` is the
//! vocabulary of a portfolio: what can be measured, and what each metric means.

pub mod annuity;
pub mod dated;
pub mod days;
pub mod fault;
pub mod flows;
pub mod graph;
pub mod income;
pub mod lease;
pub mod loan;
pub mod prepayment;
/// The relations between variables, by field.
pub mod relations {
    pub mod all;
    mod composed;
    mod cost;
    mod debt;
    mod development;
    mod income;
    mod investment;
    mod leasing;
    mod lending;
    mod owning;
    mod partnership;
    mod property;
    pub mod relation;
    mod tenancy;
    mod time_value;
}
pub mod roots;
pub mod schedule;
pub mod seek;
pub mod sizing;
pub mod targets;
pub mod tax;
pub mod valuation;
pub mod variable;
pub mod waterfall;
/// Portfolio metrics with their definitions, and the types of queries and results. Plain data.
pub mod portfolio {
    pub mod calendar;
    mod definitions;
    pub mod metric;
    pub mod query;
}
