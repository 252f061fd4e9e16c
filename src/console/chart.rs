//! A chart of days, months or years: stacked bars, drawn on the server as SVG. Colours are classes of the style sheet, so that
//! it follows light and dark. Knows no meaning of its numbers.

use chrono::NaiveDate;

/// Most series with a colour of their own; the last one takes up the rest.
pub(super) const SERIES: usize = 6;
/// Room for the numbers at the left, above the bars, for the days beneath.
const LEFT: f64 = 58.0;
/// So that the last day's label is whole.
const RIGHT: f64 = 14.0;
const ABOVE: f64 = 12.0;
const BENEATH: f64 = 28.0;
/// Lines across, the one at zero not counted.
const TICKS: i64 = 4;

/// One day: a number for each series, in their order.
pub(super) struct Bar {
    pub day: NaiveDate,
    pub parts: Vec<i64>,
}

pub(super) struct Chart {
    pub width: f64,
    pub height: f64,
    pub columns: Vec<Column>,
    pub ticks: Vec<Tick>,
    pub days: Vec<Label>,
    /// Left and right end of the lines.
    pub from: f64,
    pub to: f64,
}

pub(super) struct Column {
    /// What a pointer that rests on it is told.
    pub title: String,
    pub x: String,
    pub width: String,
    pub pieces: Vec<Piece>,
}

pub(super) struct Piece {
    pub series: usize,
    pub y: String,
    pub height: String,
}

pub(super) struct Tick {
    pub y: String,
    pub text: String,
}

pub(super) struct Label {
    pub x: String,
    pub text: String,
}

impl Chart {
    /// `label` writes every so-many-th day, counted from the newest; `shown` a number, `title` a whole day.
    pub(super) fn of(
        bars: &[Bar],
        (width, height): (f64, f64),
        (label, every): (fn(NaiveDate) -> String, i64),
        shown: impl Fn(i64) -> String,
        title: impl Fn(&Bar) -> String,
    ) -> Self {
        let most = bars.iter().map(|bar| bar.parts.iter().sum::<i64>()).max();
        let step = step(most.unwrap_or_default());
        let count = (most.unwrap_or_default() + step - 1) / step;
        let top = step * count.max(1);
        let floor = height - BENEATH;
        let scale = (floor - ABOVE) / number(top);
        let slot = (width - LEFT - RIGHT) / number(i64::try_from(bars.len().max(1)).unwrap_or(1));
        let (bar_width, gap) = (slot * 0.7, slot * 0.15);
        let mut columns = Vec::new();
        let mut days = Vec::new();
        for (n, bar) in (0..).zip(bars) {
            let x = LEFT + slot * number(n) + gap;
            let mut base = floor;
            let pieces = (0..)
                .zip(&bar.parts)
                .filter(|(_, part)| **part > 0)
                .map(|(series, part)| {
                    let height = number(*part) * scale;
                    base -= height;
                    Piece {
                        series,
                        y: place(base),
                        height: place(height),
                    }
                });
            columns.push(Column {
                title: title(bar),
                pieces: pieces.collect(),
                x: place(x),
                width: place(bar_width),
            });
            let from_last = i64::try_from(bars.len()).unwrap_or_default() - 1 - n;
            if from_last % every == 0 {
                days.push(Label {
                    x: place(x + bar_width / 2.0),
                    text: label(bar.day),
                });
            }
        }
        let ticks = (0..=count.max(1)).map(|n| Tick {
            y: place(floor - number(step * n) * scale),
            text: shown(step * n),
        });
        Self {
            ticks: ticks.collect(),
            columns,
            days,
            width,
            height,
            from: LEFT,
            to: width,
        }
    }
}

/// The distance between two lines: 1, 2 or 5 and zeros, so that few lines reach the highest bar.
fn step(most: i64) -> i64 {
    let rough = (most + TICKS - 1) / TICKS;
    let mut power = 1_i64;
    loop {
        for digit in [1, 2, 5] {
            let step = digit * power;
            if step >= rough {
                return step;
            }
        }
        match power.checked_mul(10).filter(|next| *next <= i64::MAX / 10) {
            Some(next) => power = next,
            None => return rough,
        }
    }
}

/// Exact as far as a picture needs it.
fn number(value: i64) -> f64 {
    value as f64
}

fn place(at: f64) -> String {
    format!("{at:.1}")
}

#[cfg(test)]
mod tests {
    use super::{Bar, Chart, step};
    use chrono::NaiveDate;

    #[test]
    fn lines_stand_at_round_numbers_and_reach_the_highest_bar() {
        for most in [0, 1, 3, 4, 7, 19, 100, 101, 999, 12_345, 8_000_000_000] {
            let step = step(most);
            assert!(
                step * 4 >= most && (step == 1 || step * 4 < most * 10),
                "{most}: {step}"
            );
            let digits = step.to_string();
            assert!(["1", "2", "5"].contains(&digits.trim_end_matches('0')), "{step}");
        }
    }

    #[test]
    fn nothing_is_drawn_outside_and_an_empty_month_has_its_lines() {
        let day = NaiveDate::from_ymd_opt(2026, 11, 3).unwrap_or_default();
        let bars: Vec<Bar> = [vec![3, 0, 4], vec![0, 0, 0], vec![1, 1, 1]]
            .into_iter()
            .map(|parts| Bar { day, parts })
            .collect();
        let day = |day: NaiveDate| day.to_string();
        let chart = Chart::of(
            &bars,
            (400.0, 200.0),
            (day, 3),
            |n| n.to_string(),
            |_| String::new(),
        );
        let inside = |text: &str| text.parse::<f64>().is_ok_and(|at| (0.0..=400.0).contains(&at));
        let pieces: Vec<_> = chart.columns.iter().flat_map(|column| &column.pieces).collect();
        assert_eq!(pieces.len(), 5);
        assert!(
            pieces
                .iter()
                .all(|piece| inside(&piece.y) && inside(&piece.height))
        );
        assert_eq!(chart.ticks.len(), 5);
        let empty = Chart::of(
            &[],
            (400.0, 200.0),
            (day, 3),
            |n| n.to_string(),
            |_| String::new(),
        );
        assert_eq!(empty.ticks.len(), 2);
    }
}
