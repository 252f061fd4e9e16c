//! The analysis core and its engines.

mod cases;
mod conversations;
mod orders;
mod pitfalls;
mod questions;
mod reader;
mod recall;
