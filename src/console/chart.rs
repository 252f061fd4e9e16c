//! A chart of days, months or years: stacked bars, rendered on the server as SVG. Colours are classes of the style
//! sheet, so the chart follows light and dark mode. Does not depend on what its numbers mean.

use chrono::NaiveDate;

/// Number of series colours; the last series sums up all others.
pub(super) const SERIES: usize = 6;
/// Space for the numbers at the left.
const LEFT: f64 = 58.0;
/// Space at the right, so that the last label is not cut off.
const RIGHT: f64 = 14.0;
const ABOVE: f64 = 12.0;
/// Space for the labels below.
const BELOW: f64 = 28.0;
/// Horizontal lines, without the one at zero.
const TICKS: i64 = 4;

/// One bar: a number for each series, in order.
pub struct Bar {
    pub day: NaiveDate,
    pub parts: Vec<i64>,
}

pub struct Chart {
    pub width: f64,
    pub height: f64,
    pub columns: Vec<Column>,
    pub ticks: Vec<Tick>,
    pub days: Vec<Label>,
    /// Left and right end of the horizontal lines.
    pub from: f64,
    pub to: f64,
}

pub struct Column {
    /// The tooltip.
    pub title: String,
    pub x: String,
    pub width: String,
    pub pieces: Vec<Piece>,
}

pub struct Piece {
    pub series: usize,
    pub y: String,
    pub height: String,
}

pub struct Tick {
    pub y: String,
    pub text: String,
}

pub struct Label {
    pub x: String,
    pub text: String,
}

impl Chart {
    /// Draws a chart. `label` formats the day of every `every`-th bar, counted from the newest; `shown` formats a
    /// number and `title` a whole bar.
    pub fn of(
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
        let floor = height - BELOW;
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

/// The distance between two lines: 1, 2 or 5 times a power of ten, so that about [`TICKS`] lines reach the highest bar.
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

/// Exact enough for drawing.
fn number(value: i64) -> f64 {
    value as f64
}

fn place(at: f64) -> String {
    format!("{at:.1}")
}
