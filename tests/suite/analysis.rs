//! The analysis core and its engines.

mod cases;
mod conversations;
mod pitfalls;
mod questions;
mod reader;
mod recall;
