//! Calculations against published and independently computed values.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test that finds something missing fails, says what it skips, and reads its own environment"
)]

mod calculations;
mod debt;
mod leasing;
mod partnership;
mod published;
mod targets;
mod tenancy;
