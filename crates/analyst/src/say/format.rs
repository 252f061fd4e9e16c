//! Numbers as people read them: grouped money, percentages, multiples.
//!
//! Rounds for display only. Knows units, not what a number means.

use finance::variable::{Unit, Variable};

/// A result: percentages with two decimals, multiples with two decimals and x.
pub(crate) fn result(variable: Variable, value: f64) -> String {
    match variable.unit() {
        Unit::Percent => format!("{}%", decimals(value * 100.0, 2)),
        unit => shown(unit, value),
    }
}

/// An input: as precise as it was given.
pub(crate) fn input(variable: Variable, value: f64) -> String {
    match variable.unit() {
        Unit::Percent => format!("{}%", trimmed(value * 100.0, 6, 0)),
        unit => shown(unit, value),
    }
}

fn shown(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Money => money(value),
        Unit::MoneyPerArea => format!("{}/sf", money(value)),
        Unit::BasisPoints => format!("{} bps", trimmed(value, 1, 0)),
        Unit::Area => format!("{} sf", trimmed(value, 2, 0)),
        Unit::Percent => format!("{}%", decimals(value * 100.0, 2)),
        Unit::Ratio | Unit::Multiple => format!("{}x", trimmed(value, 2, 2)),
        Unit::Years => {
            let text = trimmed(value, 4, 0);
            if text == "1" {
                "1 year".to_owned()
            } else {
                format!("{text} years")
            }
        }
        Unit::Months => trimmed(value, 4, 0),
        Unit::Days => format!("{} days", trimmed(value, 4, 0)),
        Unit::Count | Unit::Mark => trimmed(value, 4, 0),
    }
}

/// A number without a unit, with at most `places` decimals.
pub(crate) fn plain(value: f64, places: usize) -> String {
    trimmed(value, places, 0)
}

/// Dollars with grouping; cents where they matter to a reader.
pub fn money(value: f64) -> String {
    let cents = value.abs() < 1e6 && (value.abs() * 100.0).round() % 100.0 != 0.0;
    let digits = decimals(value.abs(), if cents { 2 } else { 0 });
    let zero = digits.chars().all(|c| matches!(c, '0' | '.'));
    if value < 0.0 && !zero {
        format!("-${digits}")
    } else {
        format!("${digits}")
    }
}

/// Grouped, with exactly `places` decimals.
fn decimals(value: f64, places: usize) -> String {
    let text = format!("{:.places$}", half_up(value, places));
    group(&text)
}

fn trimmed(value: f64, places: usize, least: usize) -> String {
    let mut text = format!("{:.places$}", half_up(value, places));
    if let Some(point) = text.find('.') {
        let keep = point + 1 + least;
        while text.len() > keep && text.ends_with('0') {
            text.pop();
        }
        if text.ends_with('.') {
            text.pop();
        }
    }
    group(&text)
}

/// Rounds half away from zero: 0.125 shows as 0.13, as people round money.
fn half_up(value: f64, places: usize) -> f64 {
    let factor = 10_f64.powi(i32::try_from(places).unwrap_or(2));
    let scaled = value * factor;
    if !scaled.is_finite() {
        return value;
    }
    // A hair above the half, so that 1.005 (stored as 1.00499…) goes up.
    let nudge = scaled.abs() * 4.0 * f64::EPSILON;
    let rounded = (scaled.abs() + nudge).round().copysign(value) / factor;
    if rounded == 0.0 { 0.0 } else { rounded }
}

fn group(text: &str) -> String {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, tail) = rest.find('.').map_or((rest, ""), |point| rest.split_at(point));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}{tail}")
}

/// Text for a table cell.
pub(crate) fn cell(text: &str) -> String {
    text.replace(['|', '\n', '\r'], " ")
}
