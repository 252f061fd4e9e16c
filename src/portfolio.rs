//! Portfolio data of an organization: buildings, access grants, imports, metrics and queries.
//!
//! Independent of question answering and of the interfaces. Declares modules and re-exports nothing.

/// Loads files exported from other systems into the portfolio tables. An import applies completely or not at
/// all.
pub mod import {
    mod books;
    pub mod cells;
    mod check;
    mod contracts;
    pub mod current_state;
    mod derive;
    mod export_fields;
    pub mod fields;
    pub mod finding;
    pub mod kinds;
    pub mod listing;
    mod native_fields;
    mod native_format;
    mod occupant;
    mod places;
    mod premises;
    mod reading;
    mod roll;
    pub mod rows;
    pub mod run;
    pub mod sheet;
    mod snapshot;
    mod stage;
    mod statement;
    mod statistics;
    mod tenancy;
    mod totals;
}
/// Portfolio metrics such as occupancy, income, debt and value, each with its definition.
pub mod metrics {
    mod buckets;
    mod chart;
    mod debt;
    mod facts;
    mod income;
    mod leasing;
    mod letting;
    pub mod lists;
    mod loading;
    pub mod overview;
    mod scope;
    pub mod service;
    mod store;
    mod within;
}
pub mod model;
/// The semantic layer: named measures and dimensions, and the queries that people and models compose from
/// them.
pub mod semantic {
    pub mod answer;
    mod answering;
    pub mod closing;
    pub mod compile;
    mod conditions;
    pub mod dates;
    pub mod describe;
    pub mod filters;
    pub mod model;
    /// The data models, one file each.
    pub mod models {
        pub mod buildings;
        pub mod debt_service;
        pub mod financials;
        pub mod in_force;
        pub mod leases;
        pub mod loans;
        pub mod occupancy;
        pub mod rent_roll;
        pub mod rollover;
        pub mod shared;
        pub mod units;
        pub mod valuations;
    }
    pub mod names;
    pub mod operators;
    pub mod query;
    pub mod reader;
    pub mod refusal;
    pub mod registry;
    pub mod service;
    pub mod statement;
    mod wire;
}
pub mod service;
mod store;
pub mod uploads;
