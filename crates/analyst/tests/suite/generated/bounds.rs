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

/// For thousands of tables. These are the present figures, to be tightened: the aim is 0.5 and 75 for each kind.
pub const BOUNDS: &[Bound] = &[
    bound(Kind::RentRoll, 28.0, 67.0),
    bound(Kind::Statement, 21.7, 37.5),
    bound(Kind::Delinquency, 25.5, 71.0),
    bound(Kind::Budget, 21.0, 31.0),
    bound(Kind::UnitMix, 6.0, 84.0),
];

/// Tables of the sample that is judged always.
pub const SAMPLE: u64 = 60;

/// The same for the sample, to be tightened to 0 and 75.
pub const SAMPLE_BOUNDS: &[Bound] = &[
    bound(Kind::RentRoll, 46.0, 45.0),
    bound(Kind::Statement, 30.0, 37.0),
    bound(Kind::Delinquency, 34.0, 62.0),
    bound(Kind::Budget, 34.0, 16.0),
    bound(Kind::UnitMix, 4.5, 79.0),
];
