//! Which figures a text states, and in which order. A figure is stated by a number that is its value, rounded to the
//! digits shown, in any usual notation.

use calls::audit::prose::numbers;
use calls::audit::readings::{Number, Reading};
use calls::audit::trace::Known;

use crate::analysis::answer::Figure;

/// The figures that a text states, in its order, each once.
pub fn in_order(text: &str, computed: &[&Figure]) -> Vec<Figure> {
    let seen = numbers(text);
    let mut found: Vec<(usize, &Figure)> = Vec::new();
    for figure in computed {
        let place = match Stated::of(figure) {
            Some(value) => seen.iter().position(|number| value.is(number)),
            // A date or a word is stated by its own text.
            None => figure
                .value
                .as_str()
                .filter(|word| text.contains(word))
                .map(|_| seen.len()),
        };
        if let Some(place) = place
            && found
                .iter()
                .all(|(_, known)| known.name != figure.name || known.value != figure.value)
        {
            found.push((place, figure));
        }
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, figure)| figure.clone()).collect()
}

/// Whether one of the numbers of a text is the value of a figure.
pub fn states(numbers: &[Number], figure: &Figure) -> bool {
    Stated::of(figure).is_some_and(|value| numbers.iter().any(|number| value.is(number)))
}

/// The value of a figure, to compare numbers with.
struct Stated {
    known: Known,
    /// A whole number is no rounded ratio: "1 year" does not state a coverage of 1.26.
    is_ratio: bool,
}

impl Stated {
    /// None for a date or a word.
    fn of(figure: &Figure) -> Option<Self> {
        let value = figure.value.as_f64()?;
        let mut known = Known::default();
        known.add_figure(value, &figure.unit);
        Some(Self {
            known,
            is_ratio: value.fract() != 0.0 && value.abs() < 1_000.0 && figure.unit != "percent",
        })
    }

    /// Whether a number is the value, as precisely as it is written.
    fn is(&self, number: &Number) -> bool {
        let is_whole = |reading: &Reading| matches!(reading, Reading::Amount { step, .. } if *step >= 1.0);
        !(self.is_ratio && number.readings.iter().all(is_whole)) && self.known.traces(number)
    }
}

/// A figure in one line: "DSCR: 1.27 ratio".
pub fn line(figure: &Figure) -> String {
    let name = figure.name.replace('_', " ");
    let value = match (figure.value.as_f64(), figure.unit.as_str()) {
        (Some(value), "percent") => format!("{:.2} %", value * 100.0),
        (Some(value), unit) => format!("{} {unit}", grouped(value)),
        (None, _) => match figure.value.as_str() {
            Some(word) => word.to_owned(),
            None => figure.value.to_string(),
        },
    };
    match (&figure.subject, &figure.period) {
        (Some(subject), _) => format!("{name} of {subject}: {value}"),
        (None, Some(period)) => format!("{name} ({period}): {value}"),
        (None, None) => format!("{name}: {value}"),
    }
}

/// 1234567.891 as "1,234,567.89"; small values with four decimals.
fn grouped(value: f64) -> String {
    let decimals = if value.abs() >= 100.0 { 2 } else { 4 };
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits = whole.len();
    let mut out = String::with_capacity(text.len() + digits / 3 + 1);
    if value < 0.0 {
        out.push('-');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (digits - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}
