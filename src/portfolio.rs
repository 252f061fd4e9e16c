//! Portfolio data of an organization: buildings, access grants, imports, metrics and queries.
//!
//! Independent of question answering and of the interfaces. Declares modules and re-exports nothing.

/// Loads files exported from other systems into the portfolio tables. An import applies completely or not at
/// all.
pub mod import {
    /// Which rows of a file were read, and which were left out.
    mod account;
    /// Text cells as typed values.
    pub mod cells;
    /// Checks across rows; all results are warnings.
    mod check;
    /// The stored rows overlaid with the rows from the files.
    pub mod current_state;
    /// Rows that follow from others, such as rent steps of leases without any.
    mod derive;
    /// The fields of rent rolls and income statements from other systems.
    mod export_fields;
    /// A field of an imported file and its headers.
    pub mod fields;
    /// Rows of the ledger, loans and valuations.
    mod finance_rows;
    /// Problems found by an import.
    pub mod finding;
    /// The kinds of import files.
    pub mod kinds;
    /// Rows of leases, their units and their rent steps.
    mod lease_rows;
    /// Recognizes the header, the kind and the columns of a sheet.
    pub mod listing;
    /// The fields of files in Corbel's own format.
    mod native_fields;
    /// Files in Corbel's own format, with one row for each item.
    mod native_format;
    /// Who occupies a unit, according to a rent roll.
    mod occupant;
    /// Opens files as rows of text cells.
    pub mod opening;
    /// One import runs at a time, because its files and rows are in memory.
    pub mod permits;
    /// The building that a file refers to.
    mod premises;
    /// Rows of buildings, accounts, units, market rents and tenants.
    mod property_rows;
    /// Shared rules for reading rows.
    mod reading;
    /// Rent rolls as other systems export them.
    mod roll;
    /// Rows of the versioned tables and their SQL.
    pub mod rows;
    /// The steps of an import, from the files to the published rows.
    pub mod run;
    /// Uploaded files and the rows that are read from them.
    pub mod sheet;
    /// The monthly snapshots of each unit.
    mod snapshot;
    /// Stages, publishes and removes the rows of an import in the database.
    mod stage;
    /// Income statements as other systems export them.
    mod statement;
    /// Updates the database's table statistics after a large import.
    mod statistics;
    /// The leases and tenants that a rent roll shows.
    mod tenancy;
    /// Compares printed totals with the sums of rows.
    mod totals;
    /// A trial run over an archive, which refuses what would fill the memory.
    mod unpacking;
    /// The sheets of a workbook.
    mod workbook;
}
/// Portfolio metrics such as occupancy, income, debt and value, each with its definition.
pub mod metrics {
    /// Months grouped into months, quarters or years.
    mod buckets;
    /// The role of a ledger account, such as debt service.
    mod chart;
    /// Formulas of debt and value.
    mod debt;
    /// The sums of a scope and the values derived from them.
    mod facts;
    /// Formulas of the ledger, such as NOI.
    mod income;
    /// Formulas of the rent roll, such as occupancy.
    mod leasing;
    /// Lists of single units with their leases.
    mod letting;
    /// Tables of lease rollover, tenants and loans.
    pub mod lists;
    /// Reads the data that a metric needs.
    mod loading;
    /// The figures of the portfolio pages.
    pub mod overview;
    /// The buildings that a measure reads.
    mod scope;
    /// Computes metrics for the buildings that a caller may see.
    pub mod service;
    /// The SQL of the sums.
    mod store;
    /// The start of every metrics statement: the rows and units that count.
    mod within;
}
/// Buildings and sets of buildings.
pub mod model;
/// The semantic layer: named measures and dimensions, and the queries that people and models compose from
/// them.
pub mod semantic {
    /// The answer to a query, limited in size.
    pub mod answer;
    /// Runs a query's statements on one snapshot of the data.
    mod answering;
    /// Which snapshot rows count, because values of different days must not be added up.
    pub mod closing;
    /// Compiles a query to SQL.
    pub mod compile;
    /// Tests of values as SQL.
    mod conditions;
    /// Date ranges as written in queries.
    pub mod dates;
    /// Descriptions of models in the format of Cube's meta endpoint.
    pub mod describe;
    /// Reads a query's filters.
    pub mod filters;
    /// The building blocks of a model.
    pub mod model;
    /// The data models, one file each.
    pub mod models {
        /// One row for each building.
        pub mod buildings;
        /// Loan payments, allocated to buildings.
        pub mod debt_service;
        /// The ledger by month and account.
        pub mod financials;
        /// The lease in force in a unit on a day, shared by two models.
        pub mod in_force;
        /// Every lease ever imported.
        pub mod leases;
        /// Current loans, allocated to buildings.
        pub mod loans;
        /// Each unit at each month's end.
        pub mod occupancy;
        /// Every unit and its lease on one day.
        pub mod rent_roll;
        /// Leases in force on one day, by the date on which they end.
        pub mod rollover;
        /// Dimensions and segments that several models share.
        pub mod shared;
        /// One row for each unit.
        pub mod units;
        /// Appraised values of buildings.
        pub mod valuations;
    }
    /// The known names closest to an unknown one.
    pub mod names;
    /// The operators of filters.
    pub mod operators;
    /// A validated query.
    pub mod query;
    /// Reads a query from JSON.
    pub mod reader;
    /// Why a query is refused.
    pub mod refusal;
    /// All models and members by name.
    pub mod registry;
    /// Sample values of dimensions.
    mod samples;
    /// Describes the models and answers queries.
    pub mod service;
    /// Statements made of fixed text and bound values.
    pub mod statement;
    /// Pieces of a query's JSON with their positions.
    mod wire;
}
/// Access rules: a request can narrow the granted buildings, never extend them.
pub mod service;
/// The SQL of buildings and grants.
mod store;
/// Uploaded files that wait for an administrator to confirm their import.
pub mod uploads;
