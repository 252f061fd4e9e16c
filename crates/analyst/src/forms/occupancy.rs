//! Occupancy and vacancy from counts of units or from areas: "148 of 160 are let", "7 vacant out of 140".
//!
//! What is counted is said by the word beside it; what is asked is said by the question's own phrase. Two
//! numbers are a part and its whole whatever their order.

use crate::forms::form::{Form, Sheet};
use crate::forms::states::{State, state};
use crate::forms::words::Words;
use crate::words::scan::{Number, Shape, Sign};
use finance::variable::Variable::{self, *};

#[rustfmt::skip]
pub(crate) static OCCUPANCY: Form = Form {
    name: "occupancy",
    is: |words| count(words).is_some(),
    goals: &[(PhysicalOccupancy, &["occupancy"]), (Vacancy, &["vacancy"])],
    inputs: &[],
    leads: &[],
    bare: &[],
    sums: &[],
    settle,
};

/// What a question about occupancy holds.
struct Count {
    asked: State,
    occupied: f64,
    rentable: f64,
    down: f64,
    area: bool,
    /// The numbers as parts do not add up, or one exceeds the whole.
    torn: bool,
}

/// What is asked, and the tokens that ask it.
fn asked(words: &Words) -> Option<(State, Vec<usize>)> {
    const SHARES: &[&str] = &[
        "percent",
        "percentage",
        "pct",
        "share",
        "proportion",
        "fraction",
        "portion",
        "part",
        "how",
        "much",
        "ratio",
    ];
    for at in 0..words.tokens.len() {
        match words.word(at) {
            "occupancy" | "occ" => return Some((State::Occupied, vec![at])),
            "vacancy" => return Some((State::Vacant, vec![at])),
            "void" if matches!(words.word(at + 1), "rate" | "share" | "percentage") => {
                return Some((State::Vacant, vec![at]));
            }
            _ => {}
        }
    }
    // "Leased percentage?"
    let behind = (0..words.tokens.len()).find(|at| {
        matches!(
            words.word(at + 1),
            "percent" | "percentage" | "pct" | "share" | "proportion" | "ratio"
        ) && (['.', '?', ',', ':']
            .iter()
            .any(|mark| words.mark(at + 2, *mark) || at + 2 >= words.tokens.len())
            // "Leased percentage by area?".
            || matches!(words.word(at + 2), "by" | "on" | "in")
                && (at + 3..at + 7).any(|at| {
                    matches!(words.word(at), "area" | "sf" | "sqft" | "foot" | "feet" | "footage" | "space" | "rsf" | "units" | "count" | "unit")
                }))
    });
    if let Some(at) = behind
        && let Some(found) = state(words, at).filter(|found| *found != State::Down)
    {
        return Some((found, vec![at]));
    }
    for at in 0..words.tokens.len() {
        if !SHARES.contains(&words.word(at)) && !words.mark(at, '%') {
            continue;
        }
        if words.word(at) == "how" && words.word(at + 1) == "full" {
            return Some((State::Occupied, vec![at + 1]));
        }
        let next = (at + 1..at + 9)
            .take_while(|place| words.number(*place).is_none() && !words.mark(*place, '.'))
            .find_map(|place| state(words, place).map(|found| (found, place)));
        if let Some((found, place)) = next
            && found != State::Down
            // "how many are leased" counts, "how much is leased" and "how leased" ask for a share.
            && words.word(at + 1) != "many"
        {
            return Some((found, vec![place]));
        }
    }
    None
}

/// A count of units or an area, nothing else.
fn counts(number: &Number) -> bool {
    matches!(number.shape, Shape::Units | Shape::Plain | Shape::Area)
        && number.value > 0.0
        && number.sign == Sign::None
        && !number.dollars
        && !number.foreign
        && !number.doubtful
        && number.per.is_none()
        && (number.shape == Shape::Area || number.value.fract() == 0.0)
}

/// "Building A has 60 units, 54 of them occupied; B has 40, with 39 occupied": several wholes with the part let of each.
fn several(words: &Words, asked: State, numbers: &[(usize, &Number)], area: bool) -> Option<Count> {
    let together = words.has(&[
        "overall",
        "combined",
        "together",
        "total",
        "both",
        "portfolio",
        "altogether",
        "aggregate",
        "blended",
    ]);
    if !together || numbers.len() < 4 || !numbers.len().is_multiple_of(2) {
        return None;
    }
    let own = |at: usize| {
        (at + 1..at + 5)
            .take_while(|place| {
                words.number(*place).is_none()
                    && ![',', '.', ';', '?'].iter().any(|mark| words.mark(*place, *mark))
            })
            .find_map(|place| state(words, place))
    };
    let (mut let_out, mut all) = (0.0, 0.0);
    for pair in numbers.chunks(2) {
        let [(whole, total), (part, some)] = pair else {
            return None;
        };
        if own(*whole).is_some() || some.value > total.value {
            return None;
        }
        let_out += match own(*part)? {
            State::Occupied => some.value,
            State::Vacant => total.value - some.value,
            State::Down => return None,
        };
        all += total.value;
    }
    Some(Count {
        asked: if asked == State::Vacant {
            State::Vacant
        } else {
            State::Occupied
        },
        occupied: let_out,
        rentable: all,
        down: 0.0,
        area,
        torn: false,
    })
}

fn count(words: &Words) -> Option<Count> {
    let (asked, own) = asked(words)?;
    if words.has(OTHERS) || words.tokens.len() > 60 {
        return None;
    }
    // A year of construction counts nothing.
    let all: Vec<usize> = words
        .numbers()
        .filter(|at| {
            words
                .number(*at)
                .is_some_and(|number| number.shape != Shape::Calendar)
        })
        .collect();
    if !(2..=9).contains(&all.len()) {
        return None;
    }
    let numbers: Vec<(usize, &Number)> = all
        .iter()
        .filter(|at| !counts_row(words, **at, &all))
        .filter_map(|at| words.number(*at).map(|number| (*at, number)))
        .collect();
    if !numbers.iter().all(|(_, number)| counts(number)) {
        return None;
    }
    let area = numbers.iter().any(|(_, number)| number.shape == Shape::Area)
        || words.says(&["square feet", "square foot", "sq ft", "sf", "sqft", "rsf"]);
    if let Some(found) = several(words, asked, &numbers, area) {
        return Some(found);
    }
    let states: Vec<(usize, State)> = (0..words.tokens.len())
        .filter(|at| !own.contains(at))
        .filter_map(|at| state(words, at).map(|found| (at, found)))
        .collect();
    // The largest number is the whole.
    let whole = numbers
        .iter()
        .copied()
        .max_by(|(_, one), (_, other)| one.value.total_cmp(&other.value))?;
    let mut parts: Vec<(State, f64)> = Vec::new();
    let mut free: Vec<(usize, f64)> = numbers
        .iter()
        .filter(|(at, _)| *at != whole.0)
        .map(|(at, number)| (*at, number.value))
        .collect();
    if free.len() == 1 {
        let mut kinds: Vec<State> = states.iter().map(|(_, found)| *found).collect();
        kinds.dedup();
        let kind = match kinds.as_slice() {
            [only] => *only,
            // "97,280 sf leased. Percent leased?" where only the question itself says it.
            [] if stated_once(words, &own, asked) => asked,
            _ => return None,
        };
        parts.push((kind, free.first()?.1));
    } else {
        free.sort_by_key(|(at, _)| *at);
        // "Empty suites are 3,150, 1,900 and 4,220 sf": a row is one part, told in pieces.
        let mut rows: Vec<(usize, f64)> = Vec::new();
        let mut last: Option<usize> = None;
        for (at, value) in free {
            let joined = last.is_some_and(|last| row(words, last, at));
            match rows.last_mut().filter(|_| joined) {
                Some(row) => row.1 += value,
                None => rows.push((at, value)),
            }
            last = Some(at);
        }
        for (at, value) in rows {
            // A state of its own clause, where there is one.
            let own: Vec<&(usize, State)> = states
                .iter()
                .filter(|(place, _)| {
                    ![',', ';', '.', ':'].iter().any(|mark| {
                        (at.min(*place)..at.max(*place)).any(|between| words.mark(between, *mark))
                    })
                })
                .collect();
            let all: Vec<&(usize, State)> = states.iter().collect();
            let near = if own.is_empty() { all } else { own }
                .into_iter()
                .min_by_key(|(place, _)| {
                    // A state right behind its number is its own.
                    if *place > at {
                        (place - at) * 2
                    } else {
                        (at - place) * 2 + 1
                    }
                })?;
            parts.push((near.1, value));
        }
    }
    // "200 units, 212 occupied": the largest number is itself called a part, the other one the whole.
    let own_state = |at: usize| {
        [at + 1, at + 2]
            .into_iter()
            .take_while(|place| !words.mark(*place, '.') && !words.mark(*place, ';'))
            .find_map(|place| state(words, place))
    };
    let counted = |at: usize| {
        words
            .number(at)
            .is_some_and(|number| number.shape == Shape::Units)
    };
    let exceeds = matches!(own_state(whole.0), Some(State::Occupied | State::Vacant))
        && whole
            .0
            .checked_sub(1)
            .is_none_or(|before| words.word(before) != "of")
        && (1..=2).all(|ahead| !matches!(words.word(whole.0 + ahead), "of" | "in" | "total"))
        && numbers.iter().any(|(at, _)| {
            *at != whole.0
                && own_state(*at).is_none()
                && (counted(*at) || area || matches!(words.word(*at + 1), "total" | "units"))
        });
    let sum = |state: State| -> f64 {
        parts
            .iter()
            .filter(|(own, _)| *own == state)
            .map(|(_, value)| value)
            .sum()
    };
    let (down, vacant, occupied) = (sum(State::Down), sum(State::Vacant), sum(State::Occupied));
    let has = |state: State| parts.iter().any(|(own, _)| *own == state);
    let doubled = parts.iter().enumerate().any(|(at, (state, _))| {
        // Units may be out of use for several reasons.
        *state != State::Down && parts.iter().skip(at + 1).any(|(other, _)| other == state)
    });
    // "counting every one of the units" leaves none out.
    let all_units = words.says(&[
        "counting every",
        "counting all",
        "on all units",
        "of all units",
        "including down",
        "over all units",
        "across all units",
        "down units included",
        "down included",
    ]) || counted_in(words);
    let rentable = whole.1.value - if all_units { 0.0 } else { down };
    let (occupied, torn) = match (has(State::Occupied), has(State::Vacant)) {
        (true, false) => (occupied, occupied > rentable),
        // Whether what is down is among the vacant is not told.
        (false, true) => (
            rentable - vacant,
            vacant > rentable || (counted_in(words) && down > 0.0),
        ),
        (true, true) => (occupied, (occupied + vacant - rentable).abs() > 1e-6),
        (false, false) => return None,
    };
    if doubled {
        return None;
    }
    Some(Count {
        asked: if asked == State::Vacant {
            State::Vacant
        } else {
            State::Occupied
        },
        occupied,
        rentable,
        down: if all_units { 0.0 } else { down },
        area,
        torn: torn || exceeds,
    })
}

/// "Two spaces are dark, 3,150 and 1,900 sf": how many of them are listed right after, and no area itself.
fn counts_row(words: &Words, at: usize, all: &[usize]) -> bool {
    let Some(number) = words.number(at).filter(|number| {
        matches!(number.shape, Shape::Plain | Shape::Units)
            && number.value.fract() == 0.0
            && number.value <= 9.0
    }) else {
        return false;
    };
    let rest: Vec<usize> = all.iter().copied().filter(|other| *other > at).collect();
    let mut listed = 1;
    for pair in rest.windows(2) {
        if let [one, other] = pair
            && row(words, *one, *other)
        {
            listed += 1;
        } else {
            break;
        }
    }
    listed >= 2
        && listed as f64 == number.value
        && rest
            .iter()
            .take(listed)
            .all(|at| words.number(*at).is_some_and(|each| each.value >= 50.0))
}

/// Nothing but commas and "and" between two numbers.
fn row(words: &Words, from: usize, to: usize) -> bool {
    (from + 1..to)
        .all(|at| words.mark(at, ',') || matches!(words.word(at), "and" | "plus" | "sf" | "suites" | "units"))
}

/// "56,000 of 70,000 square feet is leased": the phrase that asks is the only one that says what is counted,
/// and a part of a whole is named before it.
fn stated_once(words: &Words, own: &[usize], asked: State) -> bool {
    let phrase = own.first().is_some_and(|at| state(words, *at) == Some(asked));
    phrase && words.says(&["of", "out of"])
}

/// What makes it another question.
const OTHERS: &[&str] = &[
    "noi",
    "egi",
    "gpr",
    "income",
    "collected",
    "collections",
    "economic",
    "economically",
    "rent",
    "rents",
    "loss",
    "expenses",
    "opex",
    "retention",
    "renewed",
    "break",
    "breakeven",
    "debt",
    "price",
    "cap",
    "irr",
    "renewal",
    "market",
    "budget",
    "revenue",
    "walt",
    "wale",
];

fn settle(words: &Words, sheet: &mut Sheet) {
    let Some(found) = count(words) else { return };
    sheet.left.clear();
    sheet.deal.doubts.clear();
    sheet.deal.values.clear();
    if found.torn {
        sheet.doubt("The numbers do not add up to the whole. Please check how many there are in all, and how many are let.");
        return;
    }
    let (occupied, all): (Variable, Variable) = if found.area {
        (OccupiedArea, TotalArea)
    } else {
        (OccupiedUnits, TotalUnits)
    };
    sheet.put(occupied, found.occupied);
    sheet.put(all, found.rentable);
    if found.down > 0.0 {
        sheet.remark("What is not for rent (down, model) leaves both sides.");
    }
    sheet.goals = vec![if found.asked == State::Vacant {
        Vacancy
    } else {
        PhysicalOccupancy
    }];
    if found.area {
        sheet.remark("By area.");
    }
}

/// "counting down units", "including the 4 down units".
fn counted_in(words: &Words) -> bool {
    (0..words.tokens.len()).any(|at| {
        let denied = at
            .checked_sub(1)
            .is_some_and(|before| matches!(words.word(before), "not" | "without" | "never"));
        matches!(words.word(at), "including" | "counting" | "incl" | "include")
            && !denied
            && (at + 1..at + 4)
                .take_while(|at| {
                    matches!(words.word(*at), "the" | "all" | "any" | "down" | "offline" | "")
                        && !words.mark(*at, ',')
                })
                .any(|at| matches!(words.word(at), "down" | "offline"))
    })
}
