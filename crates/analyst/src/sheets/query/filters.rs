//! Which rows a question chooses: by values, by headings, by numbers beyond a bound, by dates in a time, by who is in.
//!
//! Reads bounds out of words; holds or not for a row. Sums nothing.

use crate::sheets::measured::Unit;
use crate::sheets::query::cells::folded;
use crate::sheets::query::naming::Piece;
use crate::sheets::query::pieces;
use crate::sheets::query::view::View;
use crate::sheets::time::Span;
use crate::sheets::words::{Words, year};
use tables::headers::{self, Field};
use tables::numbers::Number;
use tables::tenancy::State;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filter {
    Is {
        column: usize,
        values: Vec<String>,
        not: bool,
    },
    Beyond {
        column: usize,
        least: Option<f64>,
        most: Option<f64>,
        strict: bool,
    },
    Dated {
        column: usize,
        span: Span,
    },
    Section {
        sections: Vec<usize>,
        not: bool,
    },
    State {
        state: State,
        not: bool,
    },
    /// The cell is empty, or says that there is nothing.
    Blank {
        column: usize,
    },
}

/// What a filter is about: two of the same replace one another in a follow-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Column(usize),
    Section,
    State,
}

impl Filter {
    pub(crate) fn key(&self) -> Key {
        match self {
            Self::Is { column, .. } | Self::Beyond { column, .. } | Self::Dated { column, .. } => {
                Key::Column(*column)
            }
            Self::Section { .. } => Key::Section,
            Self::State { .. } => Key::State,
            Self::Blank { column } => Key::Column(*column),
        }
    }

    pub(crate) fn holds(&self, view: &View<'_>, at: usize) -> bool {
        let Some(row) = view.row(at) else { return false };
        match self {
            Self::Is { column, values, not } => {
                values.contains(&folded(view.table.text(row, *column))) != *not
            }
            Self::Beyond {
                column,
                least,
                most,
                strict,
            } => view.column(*column).value(row).is_some_and(|value| {
                let over = |bound: f64| if *strict { value > bound } else { value >= bound };
                let under = |bound: f64| if *strict { value < bound } else { value <= bound };
                least.is_none_or(over) && most.is_none_or(under)
            }),
            Self::Dated { column, span } => view.date(at, *column).is_some_and(|date| span.holds(date)),
            Self::Section { sections, not } => {
                row.section().is_some_and(|own| sections.contains(&own)) != *not
            }
            Self::Blank { column } => {
                tables::numbers::is_nothing(view.table.text(row, *column))
                    || view
                        .table
                        .number(row, *column)
                        .is_some_and(|number| number.digits == 0)
            }
            Self::State { state, not } => view.state(at).is_some_and(|own| (own == *state) != *not),
        }
    }

    /// As a person would say it.
    pub(crate) fn label(&self, view: &View<'_>) -> String {
        let is = |not: bool| if not { "is not" } else { "is" };
        match self {
            Self::Is { column, values, not } => format!(
                "“{}” {} {}",
                view.header(*column),
                is(*not),
                written(view, *column, values).join(" or ")
            ),
            Self::Beyond {
                column,
                least,
                most,
                strict,
            } => {
                let own = view.column(*column);
                let bound = match (least, most) {
                    (Some(least), Some(most)) => {
                        format!("from {} to {}", own.shown(*least), own.shown(*most))
                    }
                    (Some(least), None) => {
                        format!(
                            "{} {}",
                            if *strict { "above" } else { "at least" },
                            own.shown(*least)
                        )
                    }
                    (None, Some(most)) => {
                        format!(
                            "{} {}",
                            if *strict { "below" } else { "at most" },
                            own.shown(*most)
                        )
                    }
                    (None, None) => "any".to_owned(),
                };
                format!("“{}” is {bound}", view.header(*column))
            }
            Self::Dated { column, span } => format!("“{}” lies {}", view.header(*column), span.label),
            Self::Section { sections, not } => {
                let named: Vec<String> = sections
                    .iter()
                    .filter_map(|at| view.table.sections.get(*at))
                    .map(|name| format!("“{name}”"))
                    .collect();
                format!("the row {} under {}", is(*not), named.join(" or "))
            }
            Self::Blank { column } => format!("“{}” is empty or zero", view.header(*column)),
            Self::State { state, not } => {
                let of = match state {
                    State::Vacant => "vacant",
                    State::Occupied => "occupied",
                    State::NonRevenue => "a model, down or office unit",
                    State::Unknown => "of an unknown state",
                };
                format!("the unit {} {of}", is(*not))
            }
        }
    }
}

/// Values as the table writes them.
fn written(view: &View<'_>, column: usize, values: &[String]) -> Vec<String> {
    values
        .iter()
        .map(|value| {
            view.rows()
                .filter_map(|at| view.row(at))
                .map(|row| view.table.text(row, column))
                .find(|cell| folded(cell) == *value)
                .map_or_else(|| value.clone(), str::to_owned)
        })
        .collect()
}

/// What the bounds of a question choose: rows, or columns of days past due.
pub(crate) enum Bound {
    Rows(Filter),
    Columns(Vec<usize>),
}

/// Words of a bound before its number; whether it is a least, and whether the number itself is out.
const OVER: &[(&str, bool, bool)] = &[
    ("at least", true, false),
    ("no less than", true, false),
    ("not less than", true, false),
    ("minimum of", true, false),
    ("more than", true, true),
    ("greater than", true, true),
    ("larger than", true, true),
    ("bigger than", true, true),
    ("higher than", true, true),
    ("longer than", true, true),
    ("older than", true, true),
    ("in excess of", true, true),
    ("north of", true, true),
    ("exceeding", true, true),
    ("exceed", true, true),
    ("over", true, true),
    ("above", true, true),
    ("beyond", true, true),
    ("past", true, true),
    ("at most", false, false),
    ("no more than", false, false),
    ("not more than", false, false),
    ("up to", false, false),
    ("maximum of", false, false),
    ("less than", false, true),
    ("smaller than", false, true),
    ("lower than", false, true),
    ("fewer than", false, true),
    ("cheaper than", false, true),
    ("south of", false, true),
    ("under", false, true),
    ("below", false, true),
];

const BEHIND: &[(&str, bool)] = &[
    ("or more", true),
    ("or higher", true),
    ("or above", true),
    ("or greater", true),
    ("or larger", true),
    ("and up", true),
    ("and above", true),
    ("and more", true),
    ("plus", true),
    ("or less", false),
    ("or lower", false),
    ("or below", false),
    ("or smaller", false),
    ("or fewer", false),
    ("and below", false),
    ("and under", false),
];

fn stands(words: &Words, at: usize, phrase: &str) -> Option<usize> {
    let mut length = 0;
    for part in phrase.split(' ') {
        let word = words.all.get(at + length).filter(|word| !word.used)?;
        (word.text == part || word.stem == part).then_some(())?;
        length += 1;
    }
    Some(length)
}

/// Bounds by numbers, taken from the words.
pub(crate) fn bounds(words: &mut Words, view: &View<'_>) -> Result<Vec<Bound>, String> {
    let mut found = Vec::new();
    let numbers = words.numbers();
    if numbers.is_empty() {
        return Ok(found);
    }
    let mentions: Vec<(usize, usize, usize)> = pieces::find(&mut words.clone(), view)
        .into_iter()
        .filter_map(|own| match own.piece {
            Piece::Column(columns) => {
                let numeric: Vec<usize> = columns
                    .into_iter()
                    .filter(|column| view.is_numeric(*column))
                    .collect();
                match numeric.as_slice() {
                    [only] => Some((own.at, own.length, *only)),
                    _ => None,
                }
            }
            _ => None,
        })
        .collect();
    let mut skip = None;
    for (n, (at, number)) in numbers.iter().enumerate() {
        if skip == Some(n) {
            continue;
        }
        let before = OVER.iter().find_map(|(phrase, least, strict)| {
            let length = phrase.split(' ').count();
            let start = at.checked_sub(length)?;
            stands(words, start, phrase)?;
            Some((start, *least, *strict))
        });
        let second = numbers.get(n + 1).filter(|(other, _)| {
            *other == at + 2
                && matches!(words.stem_at(at + 1), "and" | "to")
                && at
                    .checked_sub(1)
                    .is_some_and(|start| matches!(words.stem_at(start), "between" | "from"))
        });
        let unit_at = at + 1;
        let behind = BEHIND.iter().find_map(|(phrase, least)| {
            let after = at + 1 + unit_length(words, unit_at);
            stands(words, after, phrase)
                .map(|length| (after, length, *least))
                .or_else(|| stands(words, at + 1, phrase).map(|length| (at + 1, length, *least)))
        });
        let (start, mut end, least, most, strict) = match (before, second, behind) {
            (_, Some((other, high)), _) => {
                skip = Some(n + 1);
                (at - 1, other + 1, Some(*number), Some(*high), false)
            }
            (Some((start, true, strict)), _, _) => (start, at + 1, Some(*number), None, strict),
            (Some((start, false, strict)), _, _) => (start, at + 1, None, Some(*number), strict),
            (None, None, Some((after, length, true))) => (*at, after + length, Some(*number), None, false),
            (None, None, Some((after, length, false))) => (*at, after + length, None, Some(*number), false),
            _ => continue,
        };
        let unit = unit_length(words, end);
        let said: String = (0..unit.max(1))
            .map(|n| words.stem_at(end + n).to_owned())
            .collect::<Vec<_>>()
            .join(" ");
        let said = if behind.is_some() && unit == 0 {
            words.stem_at(at + 1).to_owned()
        } else {
            said
        };
        if said.starts_with("day") && !view.buckets.is_empty() {
            let columns = days(view, least.or(most), least.is_some())?;
            end += unit;
            while matches!(
                words.stem_at(end),
                "late" | "overdue" | "past" | "due" | "old" | "behind" | "outstanding"
            ) {
                end += 1;
            }
            words.mark(start, end - start);
            found.push(Bound::Columns(columns));
            continue;
        }
        let near = mentions
            .iter()
            .filter(|(place, length, _)| place + length <= start && start - (place + length) <= 3)
            .max_by_key(|(place, ..)| *place)
            .or_else(|| mentions.iter().find(|(place, ..)| *place == end));
        let bare_year = [least, most]
            .iter()
            .flatten()
            .any(|number| year(number).is_some());
        let fitting = |unit: Unit| -> Vec<usize> {
            view.numeric
                .iter()
                .copied()
                .filter(|column| view.is_numeric(*column) && view.column(*column).of == unit)
                .collect()
        };
        let sole = |columns: Vec<usize>| match columns.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        let any = |has: &dyn Fn(&Number) -> bool| [least, most].iter().flatten().any(has);
        let column = match said.split(' ').next().unwrap_or("") {
            "sf" | "sqft" | "square" | "sq" | "foot" | "feet" | "rsf" | "sqm" | "m2" | "m²" => {
                view.table.column(Field::Area)
            }
            "bed" | "bedroom" | "br" => view.table.column(Field::Bedrooms),
            "unit" | "door" if view.table.has(Field::Units) => view.table.column(Field::Units),
            "day" | "month" | "year" => view.numeric.iter().copied().find(|column| {
                headers::words(view.header(*column))
                    .iter()
                    .any(|word| word.trim_end_matches('s') == said.split(' ').next().unwrap_or(""))
            }),
            _ => {
                let own = near.map(|(.., column)| *column);
                let of = own.map(|column| view.column(column).of);
                if any(&|number| number.percent) && of != Some(Unit::Percent) {
                    sole(fitting(Unit::Percent))
                } else if any(&|number| number.money) && of != Some(Unit::Money) {
                    sole(fitting(Unit::Money))
                } else if own.is_none() && bare_year {
                    continue;
                } else {
                    own.or_else(|| view.usual())
                }
            }
        };
        // "Over $30 a foot" bounds a column of amounts for each foot, never the whole rent.
        let each = each_foot(words, end);
        let column = if each > 0 {
            end += each;
            let own: Vec<usize> = view
                .numeric
                .iter()
                .copied()
                .filter(|at| {
                    matches!(
                        view.field(*at),
                        Some(Field::RentPerArea | Field::PricePerArea | Field::AdjustedPerArea)
                    )
                })
                .collect();
            match own.as_slice() {
                [only] => Some(*only),
                _ => {
                    return Err(
                        "Your bound is an amount per square foot. Under which column should I look for it?"
                            .to_owned(),
                    );
                }
            }
        } else {
            column
        };
        let Some(column) = column else { continue };
        let of = view.column(column).of;
        let value = |number: Number| match of {
            Unit::Percent if number.percent => number.value(),
            Unit::Percent if number.written().abs() > 1.0 => number.written() / 100.0,
            _ => number.written(),
        };
        words.mark(start, end + if each > 0 { 0 } else { unit } - start);
        found.push(Bound::Rows(Filter::Beyond {
            column,
            least: least.map(value),
            most: most.map(value),
            strict,
        }));
    }
    Ok(found)
}

/// How many words from a place on say that an amount is for each square foot: "psf", "a foot", "per sq ft".
fn each_foot(words: &Words, at: usize) -> usize {
    match words.stem_at(at) {
        "psf" | "psm" => 1,
        "a" | "per" | "each" => match unit_length(words, at + 1) {
            length
                if length > 0
                    && matches!(
                        words.stem_at(at + 1),
                        "square" | "sq" | "sf" | "sqft" | "rsf" | "foot" | "feet" | "sqm" | "m2" | "m²"
                    ) =>
            {
                length + 1
            }
            _ => 0,
        },
        _ => 0,
    }
}

/// How many words from a place on are the unit of a number.
fn unit_length(words: &Words, at: usize) -> usize {
    match words.stem_at(at) {
        "square" | "sq" if matches!(words.stem_at(at + 1), "foot" | "feet" | "ft" | "meter" | "metre") => 2,
        "sf" | "sqft" | "rsf" | "foot" | "feet" | "sqm" | "m2" | "m²" | "day" | "month" | "year"
        | "dollar" | "usd" | "bed" | "bedroom" | "br" | "percent" | "eur" | "euro" => 1,
        _ => 0,
    }
}

/// Columns of days past due that lie wholly beyond a bound.
fn days(view: &View<'_>, bound: Option<Number>, least: bool) -> Result<Vec<usize>, String> {
    let days = bound.map_or(0.0, Number::written);
    let columns: Vec<usize> = view
        .buckets
        .iter()
        .filter(|(_, low, high)| {
            if least {
                *low >= days
            } else {
                high.is_some_and(|high| high <= days)
            }
        })
        .map(|(at, ..)| *at)
        .collect();
    let edge = view.buckets.iter().any(|(_, low, high)| {
        if least {
            (*low - days).abs() <= 1.0
        } else {
            high.is_some_and(|high| (high - days).abs() <= 1.0)
        }
    });
    if columns.is_empty() || !edge {
        let named: Vec<String> = view
            .buckets
            .iter()
            .map(|(at, ..)| format!("“{}”", view.header(*at)))
            .collect();
        return Err(format!(
            "The table has the days in {}: it does not divide at {days}.",
            named.join(", ")
        ));
    }
    Ok(columns)
}
