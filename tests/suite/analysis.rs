//! The analysis core and its engines.

mod cases;
mod questions;
mod reader;
