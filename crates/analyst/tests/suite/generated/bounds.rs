//! How many answers about generated tables may be wrong and how many must be right, in percent.

use super::tables::Kind;

pub struct Bound {
    pub kind: Kind,
    pub wrong: f64,
    pub right: f64,
}

const fn bound(kind: Kind, wrong: f64, right: f64) -> Bound {
    Bound { kind, wrong, right }
}

/// For thousands of tables.
pub const BOUNDS: &[Bound] = &[
    bound(Kind::RentRoll, 0.5, 90.0),
    bound(Kind::Statement, 0.5, 85.0),
    bound(Kind::Delinquency, 0.5, 90.0),
    bound(Kind::Budget, 0.5, 90.0),
    bound(Kind::UnitMix, 0.5, 90.0),
];

/// Tables of the sample that is judged always.
pub const SAMPLE: u64 = 60;

/// The same for the sample, in which one answer is several percent.
pub const SAMPLE_BOUNDS: &[Bound] = &[
    bound(Kind::RentRoll, 0.0, 85.0),
    bound(Kind::Statement, 0.0, 75.0),
    bound(Kind::Delinquency, 0.0, 85.0),
    bound(Kind::Budget, 0.0, 85.0),
    bound(Kind::UnitMix, 0.0, 85.0),
];
