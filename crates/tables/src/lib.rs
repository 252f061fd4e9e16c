//! Tables out of text: cells, numbers, dates, headers, and what a table is. Pure: no file, no database, no question.
//!
//! This file is the map. Text becomes a grid (`decode`, `grid`, `pasted`), the grid a table (`layout`, `headers`,
//! `columns`, `turned`), and the table a rent roll, leases, a statement, flows or sales (`kind` and a reader for each).

pub mod accounts;
pub mod cashflows;
pub mod columns;
pub mod comps;
pub mod dates;
pub mod decode;
pub mod fields;
pub mod grid;
pub mod headers;
pub mod income;
pub mod kind;
pub mod layout;
mod levels;
pub mod numbers;
pub mod pasted;
pub mod rents;
pub mod scales;
mod signs;
pub mod statement;
pub mod table;
pub mod tenancy;
pub mod totals;
pub mod turned;
mod vacant;
