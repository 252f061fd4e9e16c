//! Numbers in words in running text.

use crate::audit::measures::{Digits, Measure, measure_named};
use crate::audit::signs::Signs;
use crate::numerals;

impl Signs {
    /// The number in words that starts at a position: "twenty-five", "one hundred and twenty", "half a million".
    pub fn words(&self, at: usize) -> Option<Digits> {
        // The sum before the last multiple, what was read since then, and below what the next word has to be.
        let (mut total, mut group, mut room, mut below) = (0.0, None, 0.0, f64::INFINITY);
        let (mut next, mut end, mut tenth) = (at, at, 1.0);
        let mut before = None;
        loop {
            let word = self.word(next);
            let lower = word.lower();
            let mut read = word.end;
            match (lower, group) {
                ("a" | "an", None) if next == at => (group, read) = (Some(1.0), end),
                ("half", None) if next == at => (group, read, tenth) = (Some(0.5), end, 0.1),
                ("a", Some(0.5)) => read = end,
                ("and", _) if end > at && tenth == 1.0 && (room == 100.0 || group.is_none()) => {
                    (read, before) = (end, Some((total, group, end)));
                }
                ("hundred", Some(sum)) if (0.5..100.0).contains(&sum) => {
                    (group, room) = (Some(sum * 100.0), 100.0);
                }
                (_, Some(sum)) if scale(lower).is_some_and(|scale| scale < below) => {
                    below = scale(lower).unwrap_or(below);
                    total += sum * below;
                    (group, room) = (None, 0.0);
                }
                _ => {
                    let Some(value) = cardinal(lower) else {
                        // "And" starts another number in "a thousand and two million".
                        if let Some(first) = before.filter(|_| scale(lower).is_some()) {
                            (total, group, end) = first;
                            tenth = 1.0;
                        }
                        break;
                    };
                    if group.is_some() && !(0.0 < value && value < room) {
                        break;
                    }
                    group = Some(group.unwrap_or(0.0) + value);
                    room = if value >= 20.0 { 10.0 } else { 0.0 };
                }
            }
            if let Some(sum) = group.filter(|_| read > end)
                && let Some(after) = self.half(read)
            {
                (group, read, tenth) = (Some(sum + 0.5), after, 0.1);
            }
            let last = word.end.max(read);
            end = read;
            if !matches!(self.at(last), ' ' | '-' | '\u{a0}') || !self.at(last + 1).is_alphabetic() {
                break;
            }
            next = last + 1;
        }
        let step = if group.is_none() && below.is_finite() {
            below
        } else {
            1.0
        };
        let value = Some(total + group.unwrap_or(0.0));
        (end > at).then_some(Digits {
            value,
            step: step * tenth,
            zeros: 0,
            only: None,
            end,
        })
    }
}

/// The value of a word below one hundred.
fn cardinal(lower: &str) -> Option<f64> {
    // Most words start otherwise; they are not looked up.
    let possible = lower.len() >= 3 && lower.starts_with(['z', 'o', 't', 'f', 's', 'e', 'n']);
    let value = possible.then(|| numerals::word(lower)).flatten()?;
    (value.fract() == 0.0 && numerals::count(lower).is_none()).then_some(value)
}

/// What a word such as "million" multiplies by.
fn scale(lower: &str) -> Option<f64> {
    match measure_named(lower) {
        Some(Measure::Multiple(times)) if times >= 1e3 && lower.len() > 3 => Some(times),
        _ => None,
    }
}
