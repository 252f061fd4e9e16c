//! Amounts of money for usage accounting, as integer micro-dollars. Not used for financial analysis.

use std::fmt;
use std::str::FromStr;

/// An amount in millionths of a US dollar.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    sqlx::Type,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(transparent)]
#[sqlx(transparent, no_pg_array)]
pub struct MicroUsd(pub i64);

impl MicroUsd {
    pub const ZERO: Self = Self(0);

    pub const fn usd(dollars: i64) -> Self {
        Self(dollars * 1_000_000)
    }

    pub const fn negated(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for MicroUsd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let byte = if self.0 < 0 { "-" } else { "" };
        let (whole, micros) = (
            self.0.unsigned_abs() / 1_000_000,
            self.0.unsigned_abs() % 1_000_000,
        );
        let fraction = format!("{micros:06}");
        let trimmed = fraction.trim_end_matches('0');
        write!(f, "{byte}{whole}.{trimmed:0<2}")
    }
}

/// Largest amount that is parsed; far below the point where sums overflow.
const MAX_USD: i64 = 1_000_000_000;

/// Parses `50`, `12.5` or `0.001`: digits with at most six decimals, no sign and no currency.
impl FromStr for MicroUsd {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = || format!("{text:?} is not an amount in US dollars, for instance 50 or 12.50");
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) || fraction.len() > 6 {
            return Err(invalid());
        }
        let whole: i64 = whole.parse().map_err(|_| invalid())?;
        let micros: i64 = format!("{fraction:0<6}").parse().map_err(|_| invalid())?;
        if whole > MAX_USD {
            return Err(format!("at most USD {MAX_USD} at once"));
        }
        Ok(Self(whole * 1_000_000 + micros))
    }
}
