//! Exact calculations of real estate and finance. Pure: no text, no table, no database.
//!
//! This file is the map. Each calculation is a function with its source in its documentation; `graph` connects them:
//! given known values and a wanted variable it finds the path, computes it and names every step, or exactly what is
//! missing. `portfolio` is the vocabulary of a portfolio: what can be measured, and what each metric means.

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
/// What connects the variables, by field.
pub mod relations {
    pub mod all;
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
pub mod sizing;
pub mod targets;
pub mod tax;
pub mod valuation;
pub mod variable;
pub mod waterfall;
/// What can be asked of a portfolio: metrics with their definitions, queries and what they answer. Plain data.
pub mod portfolio {
    pub mod calendar;
    pub mod metric;
    pub mod query;
}
