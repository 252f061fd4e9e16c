//! A clause of a question as a query over a table: what is computed, of which rows, for which groups.
//!
//! Every word must be accounted for; those that are not are handed back. Computes nothing.

use std::collections::HashSet;

use chrono::NaiveDate;

use crate::sheets::asked::{self, Pace};
use crate::sheets::columned::of_stated;
use crate::sheets::meaning::{shares, titled};
use crate::sheets::query::cues::{self, Wish};
use crate::sheets::query::filters::{self, Bound, Filter};
use crate::sheets::query::having;
use crate::sheets::query::measuring::measured;
use crate::sheets::query::naming::{Found, Piece, naming};
use crate::sheets::query::nouns;
use crate::sheets::query::part::{Group, Let, Measure, Part};
use crate::sheets::query::pieces;
use crate::sheets::query::timing::{dated, grouped_by_time, in_force, since_row};
use crate::sheets::query::view::View;
use crate::sheets::query::vocabulary;
use crate::sheets::time;
use crate::sheets::words::{Kind as WordKind, Words};
use tables::headers::{self, Field};
use tables::kind::Kind;

/// Reads one clause.
pub(crate) fn clause(mut words: Words, view: &View<'_>, today: NaiveDate) -> Part {
    let first = part(words.clone(), view, today);
    if first.left.is_empty() {
        return first;
    }
    // A slip of the pen is put right before it is asked about.
    let left: Vec<usize> = (0..words.all.len())
        .filter(|at| {
            words
                .all
                .get(*at)
                .is_some_and(|word| first.left.contains(&word.text))
        })
        .collect();
    if pieces::respelled(&mut words, view, &left) {
        let second = part(words, view, today);
        if second.left.len() < first.left.len() {
            return second;
        }
    }
    first
}

fn part(mut words: Words, view: &View<'_>, today: NaiveDate) -> Part {
    let mut part = Part::default();
    let annual = words.says(&[
        "annual",
        "annually",
        "annualized",
        "annualised",
        "yearly",
        "per year",
        "a year",
        "per annum",
        "each year",
    ]);
    let monthly = words.says(&["monthly", "per month", "a month", "each month", "every month"]);
    part.pace = match (monthly, annual) {
        (true, false) => Some(Pace::Monthly),
        (false, true) => Some(Pace::Annual),
        _ => None,
    };
    part.that = words.says(&[
        "that", "it", "they", "those", "these", "them", "their", "its", "this", "he", "she",
    ]);
    part.names = words.says(&["which", "who", "whose", "list", "name", "names"]);
    let growth = words.take(&[
        "percent change",
        "percentage change",
        "percent growth",
        "growth rate",
        "grow",
        "grown",
        "growth",
        "grew",
        "change in percent",
        "percent increase",
        "percentage increase",
        "percent decrease",
    ]);
    let change = words.take(&[
        "change",
        "increase",
        "decrease",
        "rise",
        "difference",
        "variance",
        "gap",
    ]);
    let over_value = words.take(&["ltv", "loan to value", "loan to value ratio"]);
    let letting = occupancy(&mut words, view);
    let rolled = roll_occupancy(&mut words, view);
    part.share = shares(&mut words) || part_of(&mut words);
    part.rank = cues::ranked(&mut words);
    part.nth = cues::nth(&mut words);
    match filters::bounds(&mut words, view) {
        Ok(bounds) => {
            for bound in bounds {
                match bound {
                    Bound::Rows(filter) => part.filters.push(filter),
                    Bound::Columns(columns) => part.measures.push(Measure::All(columns)),
                }
            }
        }
        Err(why) => part.unsure = Some(why),
    }
    let years_across = (0..view.table.columns.len())
        .filter(|at| {
            let header = view.header(*at);
            header.len() == 4 && header.parse::<u32>().is_ok()
        })
        .count();
    let mut found = Vec::new();
    if years_across > 0 {
        found = pieces::find(&mut words, view);
    }
    let as_of = words
        .says(&["as of", "as at", "as on"])
        .then(|| time::as_of(&mut words, today))
        .flatten();
    let span = if view.dated.is_empty() {
        None
    } else {
        since_row(&mut words, view)
            .or_else(|| time::span(&mut words, as_of.or_else(|| titled(view.sheet))).map(|span| (None, span)))
    };
    found.extend(pieces::find(&mut words, view));
    found.sort_by_key(|own| own.at);
    part.understood = found
        .iter()
        .map(|own| {
            let said: Vec<String> = words
                .all
                .iter()
                .skip(own.at)
                .take(own.length)
                .map(|word| word.text.clone())
                .collect();
            said.join(" ")
        })
        .collect();
    let mut columns = Vec::new();
    place(&mut words, view, &mut part, &found, &mut columns);
    grouped_by_time(&mut words, view, &mut part);
    part.wishes = cues::wishes(&mut words);
    asked::pace(&mut words);
    if let Some((column, span)) = span {
        dated(&mut words, view, &mut part, column, span, &found);
    } else if let Some(day) = as_of {
        in_force(view, &mut part, day);
    }
    measured(&mut words, view, &mut part, &columns, growth, change);
    if over_value {
        let both =
            view.first(&[Field::LoanBalance, Field::LoanAmount]).is_some() && view.table.has(Field::Value);
        match (view.table.column(Field::Ltv), both) {
            (Some(column), _) => part.measures.push(Measure::Column(column)),
            (None, true) => part.measures.push(Measure::LoanToValue),
            (None, false) => part.left.push("LTV".to_owned()),
        }
    }
    if let Some(measure) = letting {
        part.measures = vec![measure];
        part.share = false;
    }
    nouns::take(&mut words, view, &mut part);
    // Of all spaces, it is a measure of the rent roll; of groups of them, it is computed here.
    if let Some(measure) = rolled {
        if matches!(part.group, Some(Group::Column(_))) || part.which.is_some() {
            part.measures = vec![measure];
            part.share = false;
        } else {
            part.left.push("occupancy".to_owned());
        }
    }
    having::counted(&words, view, &mut part);
    // "Of the leased area": what the share is of, which a share of all rows is not.
    let conditioned = part
        .filters
        .iter()
        .any(|filter| !matches!(filter, Filter::State { .. }));
    let rolled = matches!(view.sheet.kind, Kind::RentRoll | Kind::Leases);
    if part.share && conditioned && rolled && of_stated(&words) {
        part.unsure = Some("A share of what is leased, or of everything?".to_owned());
    }
    // "The average balance per loan" is one figure, and no list of the loans.
    let each = words.says(&["by", "each", "every", "for each", "across"]);
    if part.group == Some(Group::Rows)
        && part.wishes == [Wish::Mean]
        && words.says(&["per"])
        && !each
        && !view.charges
    {
        part.group = None;
    }
    part.asks = !part.wishes.is_empty()
        || part.share
        || part.names
        || part.rank.is_some()
        || !part.measures.is_empty()
        || words.says(&["what", "which", "who", "when"]);
    for (at, word) in words.all.iter().enumerate() {
        let passes = match &word.kind {
            WordKind::Plain => {
                vocabulary::filler(&word.stem) || vocabulary::filler(&word.text) || word.text.len() < 2
            }
            WordKind::Number(_) | WordKind::Date(_) => false,
        };
        if !word.used && !passes {
            part.left.push(match &word.kind {
                WordKind::Date(dated) => dated.date.to_string(),
                _ => words.all.get(at).map_or(String::new(), |word| word.text.clone()),
            });
        }
    }
    part
}

/// "How much of the building is leased", "how much of the rent comes from Elm": a part of a whole.
fn part_of(words: &mut Words) -> bool {
    let verbs = [
        "is", "are", "was", "were", "come", "comes", "came", "belong", "belongs", "due", "from", "sit",
        "sits",
    ];
    let Some(at) = words.position(&["how much of"]) else {
        return false;
    };
    let told = words
        .all
        .iter()
        .skip(at + 3)
        .any(|word| verbs.contains(&word.text.as_str()));
    told && words.take(&["how much of"])
}

/// "Vacancy rate" of a table that counts units and those that are let.
fn occupancy(words: &mut Words, view: &View<'_>) -> Option<Measure> {
    let named = |all: &[&str]| {
        view.numeric.iter().copied().find(|at| {
            let own = naming(view.header(*at));
            own.iter().any(|word| all.contains(&word.as_str()))
        })
    };
    if view.sheet.kind == Kind::RentRoll {
        return None;
    }
    let let_ = named(&["occupied", "leased", "rented", "let"]);
    let empty = named(&["vacant", "empty", "unleased"]);
    let all = view
        .numeric
        .iter()
        .copied()
        .filter(|at| Some(*at) != let_ && Some(*at) != empty)
        .find(|at| {
            let own = naming(view.header(*at));
            own.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "total" | "unit" | "suite" | "door" | "rentable" | "capacity" | "sf"
                )
            })
        })?;
    let (part, of_empty) = match (let_, empty) {
        (Some(part), _) => (part, false),
        (None, Some(part)) => (part, true),
        (None, None) => return None,
    };
    let vacant = is_vacancy(words)?;
    Some(Measure::Let {
        of: Let::Units { part, all },
        vacant: vacant != of_empty,
    })
}

/// Whether the vacancy is named or, instead, the occupancy. Takes the words.
fn is_vacancy(words: &mut Words) -> Option<bool> {
    let vacant = words.take(&["vacancy rate", "vacancy percentage", "vacancy"]);
    let occupied = !vacant && words.take(&["occupancy rate", "occupancy percentage", "occupancy"]);
    (vacant || occupied).then_some(vacant)
}

/// "Occupancy by property" of a rent roll.
fn roll_occupancy(words: &mut Words, view: &View<'_>) -> Option<Measure> {
    if view.sheet.kind != Kind::RentRoll {
        return None;
    }
    // "By occupancy" names a column.
    let by = |word: &str| {
        let before = words.position(&[word]).and_then(|at| at.checked_sub(1));
        before.is_some_and(|at| matches!(words.stem_at(at), "by" | "per" | "each"))
    };
    if by("occupancy") || by("vacancy") {
        return None;
    }
    let vacant = is_vacancy(words)?;
    words.take(&["physical"]);
    let area = view.table.column(Field::Area).filter(|area| {
        view.commercial
            && view.spaces.iter().all(|space| {
                view.row(space.row)
                    .is_some_and(|row| view.column(*area).value(row).is_some())
            })
    });
    Some(Measure::Let {
        of: Let::Spaces { area },
        vacant,
    })
}

/// What each thing that is named is there for.
fn place(
    words: &mut Words,
    view: &View<'_>,
    part: &mut Part,
    found: &[Found],
    columns: &mut Vec<(usize, Vec<usize>)>,
) {
    for own in found {
        let before = |back: usize| {
            own.at
                .checked_sub(back)
                .map_or("", |at| words.stem_at(at))
                .to_owned()
        };
        let behind = words.stem_at(own.at + own.length).to_owned();
        match &own.piece {
            Piece::Column(named) => {
                let column = nouns::chosen(view, named, part.pace);
                let Some(column) = column else {
                    let names: Vec<String> =
                        named.iter().map(|at| format!("“{}”", view.header(*at))).collect();
                    part.unsure = Some(format!("Which column do you mean: {}?", names.join(", ")));
                    continue;
                };
                let (one, two) = (before(1), before(2));
                let (led, further) = if matches!(one.as_str(), "a" | "an" | "any") {
                    (two.as_str(), 2)
                } else {
                    (one.as_str(), 1)
                };
                if matches!(led, "no" | "without" | "missing" | "blank" | "lacking") {
                    words.mark(own.at - further, 1);
                    // "Without pets" in a column of yes and no is no.
                    let none = having::yes_or_no(column, true, view);
                    part.filters.push(none.unwrap_or(Filter::Blank { column }));
                    continue;
                }
                let by = matches!(one.as_str(), "by" | "per" | "each" | "every" | "across")
                    || (matches!(
                        one.as_str(),
                        "each" | "every" | "the" | "their" | "its" | "a" | "an"
                    ) && matches!(two.as_str(), "by" | "per" | "for" | "across" | "in"))
                        && (one == "each" || one == "every" || two == "by" || two == "per");
                part.sized |= view.is_numeric(column) && (one == "many" || (one == "of" && two == "number"));
                // "Balance weighted rate" is weighted with it, "coupon weighted by balance" is not.
                let weighted = (behind == "weighted" && words.stem_at(own.at + own.length + 1) != "by")
                    || (one == "by" && two == "weighted");
                if weighted {
                    part.weight = Some(column);
                    if one == "by" {
                        words.mark(own.at - 1, 1);
                    }
                } else if by {
                    words.mark(own.at - 1, 1);
                    if one != "per"
                        && part.rank.is_none()
                        && view.is_numeric(column)
                        && words.says(&["weighted"])
                    {
                        part.weight = Some(column);
                    } else if view.is_numeric(column) && one == "per" {
                        // "Rent per square foot": over the column before it.
                        columns.push((own.at, vec![usize::MAX, column]));
                    } else if view.is_numeric(column) && view.field(column) != Some(Field::Bedrooms) {
                        columns.push((own.at, vec![column]));
                    } else if view.groups(column) || view.field(column) == Some(Field::Bedrooms) {
                        part.group = Some(Group::Column(column));
                    } else {
                        part.group = Some(Group::Rows);
                    }
                } else if view.is_numeric(column) || view.is_dated(column) {
                    columns.push((own.at, vec![column]));
                } else if let Some(filter) = having::said(words, own.at, column, view) {
                    part.filters.push(filter);
                } else {
                    let counts = one == "many"
                        || (two == "many" && one != "of")
                        || (one == "of" && two == "number")
                        || matches!(one.as_str(), "different" | "distinct" | "unique");
                    if counts && having::yes_or_no(column, false, view).is_some() {
                        part.unsure = Some(format!(
                            "“{}” says yes or no. Should I count the rows with yes?",
                            view.header(column)
                        ));
                    } else if counts {
                        part.counts = Some(column);
                    } else if matches!(one.as_str(), "which" | "what" | "who")
                        || part.names && part.which.is_none()
                    {
                        part.which = Some(column);
                    }
                }
            }
            Piece::All(named) => columns.push((own.at, named.clone())),
            Piece::Value { column, values } => {
                if own.unsure {
                    part.unsure = Some(format!(
                        "Which of these do you mean under “{}”: {}?",
                        view.header(*column),
                        values.join(", ")
                    ));
                }
                let Some(not) = nouns::direction(words, own.at, own.length) else {
                    continue;
                };
                add(part, *column, values, not);
            }
            Piece::Section(sections) => {
                let Some(not) = nouns::direction(words, own.at, own.length) else {
                    continue;
                };
                match part
                    .filters
                    .iter_mut()
                    .find(|filter| matches!(filter, Filter::Section { not: own, .. } if *own == not))
                {
                    Some(Filter::Section { sections: own, .. }) => own.extend(sections.iter().copied()),
                    _ => part.filters.push(Filter::Section {
                        sections: sections.clone(),
                        not,
                    }),
                }
            }
            Piece::State(state) => {
                let Some(not) = nouns::direction(words, own.at, own.length) else {
                    continue;
                };
                let filter = Filter::State { state: *state, not };
                if !part.filters.contains(&filter) {
                    part.filters.push(filter);
                }
            }
        }
    }
}

fn add(part: &mut Part, column: usize, values: &[String], not: bool) {
    for filter in &mut part.filters {
        if let Filter::Is {
            column: own,
            values: known,
            not: other,
        } = filter
            && *own == column
            && *other == not
        {
            let has: HashSet<&String> = known.iter().collect();
            let mut new: Vec<String> = values
                .iter()
                .filter(|value| !has.contains(value))
                .cloned()
                .collect();
            known.append(&mut new);
            return;
        }
    }
    part.filters.push(Filter::Is {
        column,
        values: values.to_vec(),
        not,
    });
}

/// The name of a header for messages.
pub(crate) fn listed(view: &View<'_>) -> String {
    view.table
        .columns
        .iter()
        .map(|column| column.header.as_str())
        .filter(|header| !header.is_empty() && !headers::words(header).is_empty())
        .map(|header| format!("“{header}”"))
        .collect::<Vec<_>>()
        .join(", ")
}
