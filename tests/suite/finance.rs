//! Pure calculations.

mod calculations;
