//! Typed calls through which a language model reaches every number. Pure: no model, database or network.
//!
//! A call has a name and JSON arguments in which every value is a text as written in the question. `session` runs
//! calls and numbers their results; `catalog` lists them; `provenance` refuses values from nowhere. Values are
//! read by `amount` and `reader`; each family of calls has one file and computes with `finance`. `audit` traces the
//! numbers of an answer to what the run was given.

mod aggregates;
pub mod amount;
/// Traces the numbers of an answer. `prose` finds those of a text and decides what is no number; `measures` reads one
/// with its sign, currency and unit, `dated` a date, `spelled` words; `signs` is the text as people see it; `readings`
/// has the types, `trace` compares with what is known.
pub mod audit {
    mod dated;
    mod measures;
    pub mod prose;
    pub mod readings;
    mod signs;
    mod spelled;
    pub mod trace;
}
mod averages;
pub mod basis;
pub mod calculate;
pub mod call;
pub mod cash_flows;
pub mod catalog;
pub mod lease;
pub mod loan;
pub mod numerals;
pub mod prepayment;
pub mod provenance;
pub mod query_table;
pub mod reader;
mod rents;
mod repayment;
pub mod result;
pub mod sale_tax;
pub mod session;
pub mod size_loan;
mod solving;
pub mod waterfall;
pub mod words;
pub mod written;
