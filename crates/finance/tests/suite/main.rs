//! Calculations against published and independently computed values.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that finds something missing fails"
)]

mod calculations;
mod composed;
mod debt;
mod leasing;
mod partnership;
mod published;
mod seek;
mod targets;
mod tenancy;
