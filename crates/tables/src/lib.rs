//! Extracts tables from text: cells, numbers, dates, headers, and the kind of a table. Pure: no files,
//! database or questions.
//!
//! Text becomes a grid (`decode`, `grid`, `cells`, `pasted`), the grid a table (`layout`, `headers`, `columns`,
//! `turned`), and the table a rent roll, leases, a statement, flows or sales (`kind` and one module for
//! each). `roles` tells data from totals and print, `periods` reads runs of months, and `tally` says what was counted.

pub mod accounts;
mod below;
pub mod cashflows;
pub mod cells;
pub mod columns;
pub mod comps;
mod contents;
pub mod dates;
pub mod decode;
pub mod distinct;
pub mod fields;
pub mod grid;
mod groups;
pub mod headers;
mod headings;
pub mod income;
pub mod kind;
pub mod layout;
pub mod letters;
mod levels;
pub mod mixed;
pub mod numbers;
pub mod pasted;
pub mod periods;
pub mod rents;
mod roles;
pub mod scales;
mod signs;
mod space_keys;
mod spaces;
pub mod statement;
mod statuses;
mod summaries;
mod sums;
pub mod table;
pub mod tally;
pub mod tenancy;
pub mod totals;
pub mod turned;
pub mod vacant;
pub mod work;
