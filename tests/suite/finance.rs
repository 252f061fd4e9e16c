//! Pure calculations.

mod calculations;
mod debt;
mod leasing;
mod partnership;
mod published;
mod targets;
mod tenancy;
