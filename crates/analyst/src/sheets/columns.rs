//! Columns and rows that a question names: headers and their synonyms, values in cells, comparisons.
//!
//! Knows a table and words; computes nothing.

use std::collections::HashSet;

use crate::sheets::query::cells::folded;
use crate::sheets::words::{Kind as WordKind, Words, stem};
use tables::headers::{self, Field};
use tables::table::{Role, Row, Table};

/// Where a question names a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mention {
    pub(crate) at: usize,
    pub(crate) length: usize,
    pub(crate) column: usize,
}

/// How people call the fields, beside the headers themselves. Longer names first.
pub(crate) const SYNONYMS: &[(&[Field], &str)] = &[
    (
        &[Field::MarketRent],
        "market rent, asking rent, market rate rent, street rent",
    ),
    (
        &[Field::Rent, Field::AnnualRent, Field::RentPerArea],
        "in place rent, contract rent, actual rent, monthly rent, base rent, lease rent, \
         current rent, passing rent, rental income, annual rent, rent payment, rent",
    ),
    (
        &[Field::Area],
        "rentable square foot, rentable area, leased area, floor area, square footage, square foot, \
         square feet, sq ft, sqft, sf, rsf, area, space, footage, size",
    ),
    (
        &[Field::EndDate],
        "lease end date, lease end, lease expiration, expiration date, expiry date, end date",
    ),
    (&[Field::Maturity], "maturity date, maturity"),
    (&[Field::Deposit], "security deposit, deposit"),
    (
        &[Field::LoanBalance, Field::LoanAmount],
        "outstanding balance, loan balance, principal balance, outstanding principal, total debt, \
         debt, balance, principal, owed, owe",
    ),
    (
        &[Field::LoanAmount],
        "original balance, loan amount, original loan amount",
    ),
    (&[Field::Rate], "interest rate, coupon, note rate"),
    (&[Field::AdjustedPrice], "adjusted price"),
    (
        &[Field::Price],
        "sale price, sales price, purchase price, price, paid",
    ),
    (&[Field::CapRate], "cap rate, capitalization rate"),
    (&[Field::DebtService], "debt service"),
    (&[Field::Noi], "noi, net operating income"),
    (&[Field::Value], "appraised value, property value"),
    (&[Field::Amount], "amount, cash flow"),
    (&[Field::UnitType], "unit type, floor plan, floorplan"),
    (&[Field::Tenant], "tenant, resident"),
    (&[Field::Building], "building, property"),
    (&[Field::Unit], "unit, suite, apartment"),
    (&[Field::Lender], "lender"),
    (&[Field::Industry], "industry, sector"),
    (&[Field::YearBuilt], "year built, vintage"),
    (&[Field::Bedrooms], "bedroom count, number of bedrooms"),
    (&[Field::Ltv], "ltv, loan to value"),
    (&[Field::Dscr], "dscr, debt service coverage"),
    (&[Field::Status], "status"),
];

/// Where words name a measure, by one of the usual phrases: how many words, and whether the table has it.
pub(crate) struct Named {
    pub(crate) at: usize,
    pub(crate) length: usize,
    pub(crate) held: bool,
}

impl Named {
    /// Whether some words of the question are words of this measure, and so no value of a cell: "market" of "market
    /// rent". A single word may be a value where the table does not have what it measures.
    pub(crate) fn covers(&self, at: usize, length: usize) -> bool {
        self.at <= at && at + length <= self.at + self.length && (length < self.length || self.held)
    }
}

/// The measures that words name, the longest phrase at each place.
pub(crate) fn named_measures(words: &Words, table: &Table) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    for (fields, phrases) in SYNONYMS {
        let of_rows = [
            Field::Tenant,
            Field::Building,
            Field::Unit,
            Field::UnitType,
            Field::Lender,
            Field::Status,
        ];
        if fields.iter().any(|field| of_rows.contains(field)) {
            continue;
        }
        let held = fields.iter().any(|field| table.has(*field));
        for phrase in phrases.split(", ") {
            let parts: Vec<String> = phrase.split(' ').map(stem).collect();
            let length = parts.len();
            let fits = |at: &usize| {
                (0..length).all(|n| words.stem_at(at + n) == parts.get(n).map_or("", String::as_str))
            };
            found.extend(
                (0..words.all.len())
                    .filter(fits)
                    .map(|at| Named { at, length, held }),
            );
        }
    }
    found
}

/// Columns that the unused words name, in order: by their whole header, then by a synonym.
pub(crate) fn mentions(words: &Words, table: &Table) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let free = |at: usize, length: usize, found: &[Mention]| {
        (at..at + length).all(|place| {
            words.all.get(place).is_some_and(|word| !word.used)
                && !found
                    .iter()
                    .any(|other| (other.at..other.at + other.length).contains(&place))
        })
    };
    let mut names: Vec<(usize, Vec<String>)> = Vec::new();
    for (at, column) in table.columns.iter().enumerate() {
        let plain = column.header.split(['(', '[']).next().unwrap_or("");
        let parts: Vec<String> = headers::words(plain)
            .iter()
            .filter(|word| !matches!(word.as_str(), "$" | "#" | "pct" | "%" | "usd"))
            .map(|word| stem(word))
            .collect();
        if !parts.is_empty() && parts.iter().any(|part| part.len() > 2) {
            names.push((at, parts));
        }
    }
    names.sort_by_key(|(_, parts)| std::cmp::Reverse(parts.len()));
    for (column, parts) in &names {
        for at in 0..words.all.len() {
            let fits = parts
                .iter()
                .enumerate()
                .all(|(n, part)| words.stem_at(at + n) == part);
            if fits && free(at, parts.len(), &found) {
                found.push(Mention {
                    at,
                    length: parts.len(),
                    column: *column,
                });
            }
        }
    }
    let mut synonyms: Vec<(usize, Vec<String>)> = Vec::new();
    for (fields, phrases) in SYNONYMS {
        let Some(column) = fields.iter().find_map(|field| table.column(*field)) else {
            continue;
        };
        for phrase in phrases.split(", ") {
            synonyms.push((column, phrase.split(' ').map(stem).collect()));
        }
    }
    synonyms.sort_by_key(|(_, parts)| std::cmp::Reverse(parts.len()));
    for (column, parts) in &synonyms {
        for at in 0..words.all.len() {
            let fits = parts
                .iter()
                .enumerate()
                .all(|(n, part)| words.stem_at(at + n) == part);
            if fits && free(at, parts.len(), &found) {
                found.push(Mention {
                    at,
                    length: parts.len(),
                    column: *column,
                });
            }
        }
    }
    found.sort_by_key(|mention| mention.at);
    found
}

/// A condition on rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    /// The cell is one of these.
    Is {
        column: usize,
        values: Vec<String>,
        not: bool,
    },
    /// The number in the cell is beyond a bound.
    Beyond {
        column: usize,
        least: Option<f64>,
        most: Option<f64>,
        strict: bool,
    },
}

impl Condition {
    pub(crate) fn holds(&self, table: &Table, row: &Row) -> bool {
        match self {
            Self::Is { column, values, not } => {
                let cell = folded(table.text(row, *column));
                values.contains(&cell) != *not
            }
            Self::Beyond {
                column,
                least,
                most,
                strict,
            } => table.number(row, *column).is_some_and(|number| {
                let value = number.written();
                let over = |bound: f64| if *strict { value > bound } else { value >= bound };
                let under = |bound: f64| if *strict { value < bound } else { value <= bound };
                least.is_none_or(over) && most.is_none_or(under)
            }),
        }
    }

    /// As a person would say it.
    pub(crate) fn label(&self, table: &Table) -> String {
        match self {
            Self::Is { column, values, not } => {
                let is = if *not { "is not" } else { "is" };
                format!("“{}” {is} {}", table.header(*column), values.join(" or "))
            }
            Self::Beyond {
                column,
                least,
                most,
                strict,
            } => {
                let (bound, word) = match (least, most) {
                    (Some(bound), _) => (*bound, if *strict { "above" } else { "at least" }),
                    (_, Some(bound)) => (*bound, if *strict { "below" } else { "at most" }),
                    _ => (0.0, "any"),
                };
                format!(
                    "“{}” {word} {}",
                    table.header(*column),
                    super::finding::plain(bound, 4)
                )
            }
        }
    }
}

/// Conditions that the unused words set, taken from them. `skip` is a column whose values have a meaning of their own.
pub(crate) fn conditions(words: &mut Words, table: &Table, skip: Option<usize>) -> Vec<Condition> {
    let mut found = bounds(words, table);
    let mut values: Vec<(usize, String)> = Vec::new();
    // Most values of a large table have words that are not in the question.
    let said: HashSet<&str> = words
        .all
        .iter()
        .flat_map(|word| [&*word.stem, &*word.text])
        .collect();
    for column in 0..table.columns.len() {
        if Some(column) == skip
            || table
                .columns
                .get(column)
                .is_none_or(|column| column.header.is_empty())
        {
            continue;
        }
        let mut own: Vec<String> = table
            .rows
            .iter()
            .filter(|row| row.role != Role::Total)
            .map(|row| table.text(row, column))
            .filter(|cell| cell.contains(char::is_alphabetic) && cell.chars().count() <= 60)
            .map(folded)
            .filter(|cell| !cell.is_empty() && cell.split(' ').all(|part| said.contains(part)))
            .collect();
        own.sort_unstable();
        own.dedup();
        values.extend(own.into_iter().map(|value| (column, value)));
    }
    values.sort_by_key(|(column, value)| (std::cmp::Reverse(value.split(' ').count()), *column));
    let measures = named_measures(words, table);
    for (column, value) in values {
        let parts: Vec<&str> = value.split(' ').collect();
        for at in 0..words.all.len() {
            let fits = parts.iter().enumerate().all(|(n, part)| {
                words.all.get(at + n).is_some_and(|word| {
                    !word.used && (word.stem == *part || (word.kind == WordKind::Plain && word.text == *part))
                })
            });
            // A single letter is a name only behind the noun that it names.
            let noun = at.checked_sub(1).is_some_and(|before| {
                matches!(
                    words.stem_at(before),
                    "building"
                        | "comp"
                        | "tenant"
                        | "property"
                        | "unit"
                        | "type"
                        | "loan"
                        | "plan"
                        | "suite"
                        | "sale"
                )
            });
            let short = value.chars().count() < 2 || super::words::stem(&value) == "a";
            let measured = !noun && measures.iter().any(|named| named.covers(at, parts.len()));
            if !fits || measured || (short && !noun) {
                continue;
            }
            // "Excluding Bloom's option" leaves out no row.
            let owned = words
                .all
                .get(at + parts.len() - 1)
                .is_some_and(|word| word.text.ends_with("'s"));
            let mut after = words.clone();
            if owned && negated(&mut after, at) {
                continue;
            }
            words.choose(at, parts.len());
            let not = negated(words, at);
            match found.iter_mut().find(|condition| {
                matches!(condition, Condition::Is { column: own, not: other, .. } if *own == column && *other == not)
            }) {
                Some(Condition::Is { values, .. }) => {
                    if !values.contains(&value) {
                        values.push(value.clone());
                    }
                }
                _ => found.push(Condition::Is {
                    column,
                    values: vec![value.clone()],
                    not,
                }),
            }
        }
    }
    found.extend(numbered(words, table));
    found
}

/// "unit 104", "suite 200": names that are numbers.
fn numbered(words: &mut Words, table: &Table) -> Vec<Condition> {
    let mut found = Vec::new();
    let Some(column) = table.column(Field::Unit) else {
        return found;
    };
    for at in 1..words.all.len() {
        let noun = matches!(
            words.stem_at(at - 1),
            "unit" | "suite" | "apartment" | "apt" | "space"
        );
        let Some(word) = words.all.get(at).filter(|word| !word.used && noun) else {
            continue;
        };
        let value = word.text.clone();
        let known = table
            .data()
            .any(|row| table.text(row, column).eq_ignore_ascii_case(&value));
        if known {
            words.choose(at - 1, 2);
            found.push(Condition::Is {
                column,
                values: vec![folded(&value)],
                not: false,
            });
        }
    }
    found
}

fn negated(words: &mut Words, at: usize) -> bool {
    for back in 1..=3 {
        let Some(before) = at.checked_sub(back) else {
            return false;
        };
        match words.stem_at(before) {
            "excluding" | "exclude" | "except" | "without" | "not" | "ignoring" | "ignore" | "omitting"
            | "besides" | "non" => {
                words.mark(before, 1);
                return true;
            }
            "than"
                if before
                    .checked_sub(1)
                    .is_some_and(|other| words.stem_at(other) == "other") =>
            {
                words.mark(before - 1, 2);
                return true;
            }
            "the" | "for" | "any" | "all" | "in" | "and" | "or" => {}
            _ => return false,
        }
    }
    false
}

/// "over 2,000", "at least 900 sf": bounds on the column that is named before or by the unit behind.
fn bounds(words: &mut Words, table: &Table) -> Vec<Condition> {
    const OVER: &[(&[&str], bool, bool)] = &[
        (&["at", "least"], true, false),
        (&["no", "less", "than"], true, false),
        (&["more", "than"], true, true),
        (&["greater", "than"], true, true),
        (&["larger", "than"], true, true),
        (&["bigger", "than"], true, true),
        (&["higher", "than"], true, true),
        (&["over"], true, true),
        (&["above"], true, true),
        (&["exceeding"], true, true),
        (&["exceed"], true, true),
        (&["at", "most"], false, false),
        (&["no", "more", "than"], false, false),
        (&["up", "to"], false, false),
        (&["less", "than"], false, true),
        (&["smaller", "than"], false, true),
        (&["lower", "than"], false, true),
        (&["under"], false, true),
        (&["below"], false, true),
    ];
    let mut found = Vec::new();
    for (at, number) in words.numbers() {
        let Some((phrase, least, strict)) = OVER.iter().find(|(phrase, ..)| {
            at.checked_sub(phrase.len()).is_some_and(|start| {
                phrase
                    .iter()
                    .enumerate()
                    .all(|(n, part)| words.stem_at(start + n) == *part)
            })
        }) else {
            continue;
        };
        let start = at - phrase.len();
        let behind = words.stem_at(at + 1).to_owned();
        let area = matches!(
            behind.as_str(),
            "sf" | "sqft" | "square" | "sq" | "foot" | "feet" | "rsf"
        ) || phrase
            .first()
            .is_some_and(|word| matches!(*word, "larger" | "bigger" | "smaller"));
        let named = mentions(words, table)
            .into_iter()
            .rev()
            .find(|mention| mention.at + mention.length <= start && start - mention.at <= 6);
        let column = if area {
            table.column(Field::Area)
        } else {
            named.as_ref().map(|mention| mention.column)
        };
        let Some(column) = column else { continue };
        // The noun before belongs to the bound: "units with a rent above".
        if let Some(mention) = named.filter(|mention| mention.column == column && behaves(words, mention.at))
        {
            words.mark(mention.at, mention.length);
        }
        let mut length = phrase.len() + 1;
        while area
            && matches!(
                words.stem_at(start + length),
                "sf" | "sqft" | "square" | "sq" | "foot" | "feet" | "ft" | "rsf"
            )
        {
            length += 1;
        }
        words.choose(start, length);
        let bound = Some(number.written());
        found.push(Condition::Beyond {
            column,
            least: bound.filter(|_| *least),
            most: bound.filter(|_| !*least),
            strict: *strict,
        });
    }
    found
}

/// Whether the column before a bound stands there for the bound alone: "with rent above", "whose area is over".
fn behaves(words: &Words, at: usize) -> bool {
    (1..=3).any(|back| {
        at.checked_sub(back).is_some_and(|before| {
            matches!(
                words.stem_at(before),
                "with" | "whose" | "where" | "having" | "paying" | "has" | "have" | "pay"
            )
        })
    })
}
