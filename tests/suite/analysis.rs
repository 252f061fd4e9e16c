//! The analysis core and its engines.

mod cases;
mod conversations;
mod questions;
mod reader;
