//! Rents that follow an index, with floor and cap, over listed readings.

use serde_json::json;

use crate::forms::words::Words;
use crate::lists::around::counts_list;
use crate::lists::collars::{self, INDEX, percent};
use crate::plan::outcome::Ask;
use crate::read::terms::rank;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Base, Number, Per, Shape};
use finance::lease;

pub(crate) fn read(words: &Words) -> Read {
    let indexed = words.has(INDEX) && words.has(&["rent", "rents", "lease", "rental"]);
    let percents = words.numbers().filter(|at| percent(words, *at).is_some()).count();
    (indexed && (percents > 0 || levels(words).is_some()) && !words.has(&["attached", "file", "noi"]))
        .then(|| settle(words))
}

/// Two readings of the index itself, "296.3 then and 311.8 now", in the order of time.
fn levels(words: &Words) -> Option<(usize, usize)> {
    let found: Vec<usize> = words
        .numbers()
        .filter(|at| {
            words.number(*at).is_some_and(|number| {
                let level = number.shape == Shape::Plain && (50.0..1500.0).contains(&number.value);
                level && !number.dollars && !number.scaled && (number.value.fract() != 0.0 || !number.short)
            })
        })
        .collect();
    let [first, second] = found.as_slice() else {
        return None;
    };
    let near = |at: usize, names: &[&str]| {
        (1..=3)
            .map_while(|back| at.checked_sub(back))
            .take_while(|at| words.number(*at).is_none() && !words.mark(*at, ','))
            .any(|at| names.contains(&words.word(at)))
            || names.contains(&words.word(at + 1))
    };
    let now = |at: usize| near(at, &["now", "today", "current", "to"]);
    Some(if now(*first) && !now(*second) {
        (*second, *first)
    } else {
        (*first, *second)
    })
}

/// "75% of the CPI change", "half of the increase": how much of a change counts.
fn passed_on(words: &Words) -> Option<(f64, Option<usize>)> {
    let change = |from: usize| {
        (from..from + 4).any(|at| {
            INDEX.contains(&words.word(at))
                || matches!(
                    words.word(at),
                    "change" | "increase" | "rise" | "movement" | "growth"
                )
        })
    };
    (0..words.tokens.len()).find_map(|at| {
        if words.word(at) == "half" && change(at + 1) {
            return Some((0.5, None));
        }
        let share = words.number(at).filter(|number| number.shape == Shape::Percent)?;
        (words.word(at + 1) == "of" && change(at + 2)).then_some((share.value / 100.0, Some(at)))
    })
}

fn settle(words: &Words) -> Result<Written, Ask> {
    let mut used = Vec::new();
    let passed = passed_on(words);
    used.extend(passed.and_then(|(_, at)| at));
    let (floor, cap) = collars::read(words, &mut used)?;
    let mut readings: Vec<f64> = words
        .numbers()
        .filter(|at| !used.contains(at) && words.said(*at) != "half")
        .filter_map(|at| percent(words, at))
        .collect();
    let told = levels(words).filter(|_| readings.is_empty());
    if let Some((first, last)) = told
        && let (Some(first), Some(last)) = (words.number(first), words.number(last))
    {
        readings.push(last.value / first.value - 1.0);
    }
    // "RPI was 4.1, 2.2, 0.6": a list of changes whose sign nobody wrote.
    let mut bare: Vec<usize> = Vec::new();
    if readings.is_empty() {
        bare = words
            .numbers()
            .filter(|at| {
                words.number(*at).is_some_and(|number| {
                    number.shape == Shape::Plain
                        && number.value < 20.0
                        && !number.dollars
                        && !number.scaled
                        && !number.spelled
                })
            })
            .collect();
        let rates = bare
            .iter()
            .filter_map(|at| words.number(*at))
            .map(|number| number.value / 100.0);
        if bare.len() >= 2 {
            readings.extend(rates);
        }
    }
    let told: Vec<usize> = told.map_or_else(Vec::new, |(first, last)| vec![first, last]);
    let (rent, kind) = base(words, &told)?;
    if let Some((share, _)) = passed {
        for reading in &mut readings {
            *reading *= share;
        }
    }
    if readings.is_empty() {
        return Err(Ask::because(
            "Which index changes should I take? Future ones are an assumption of yours.",
        ));
    }
    // One change does not say what the rent of a later year is.
    let years: Vec<f64> = words
        .numbers()
        .filter_map(|at| words.number(at))
        .filter(|number| number.shape == Shape::YearLabel)
        .map(|number| number.value)
        .collect();
    if let [year] = years.as_slice()
        && (readings.len() as f64) < year - 1.0
    {
        return Err(Ask::because(format!(
            "I know {} change of the index, but year {year} lies further on. Which changes fall before it, or is the rise \
             fixed?",
            readings.len()
        )));
    }
    if let Some(told) = counted(words).filter(|told| *told != readings.len()) {
        return Err(Ask::because(format!(
            "You speak of {told} changes, and I read {} of them. Which percentages are index changes?",
            readings.len()
        )));
    }
    let known: Vec<usize> = words.numbers().collect();
    for at in known {
        let number = words.number(at);
        let placed = told.contains(&at)
            || bare.contains(&at)
            || (percent(words, at).is_some() && (words.said(at) != "half" || used.contains(&at)))
            || number.is_some_and(|number| {
                rent_like(number) || matches!(number.shape, Shape::Years | Shape::YearLabel | Shape::Calendar)
            })
            || matches!(
                words.word(at + 1),
                "adjustments"
                    | "prints"
                    | "readings"
                    | "changes"
                    | "reviews"
                    | "resets"
                    | "steps"
                    | "indexations"
                    | "reviewed"
            )
            || counts_list(words, at, readings.len());
        if !placed {
            return Err(Ask::because(format!(
                "I could not tell what “{}” stands for.",
                words.said(at)
            )));
        }
    }
    let rents =
        lease::indexed(rent, &readings, floor, cap).map_err(|fault| Ask::because(fault.sentence()))?;
    let count = (0..words.tokens.len())
        .find_map(|at| {
            let rank = rank(words.word(at))?;
            matches!(
                words.word(at + 1),
                "adjustment"
                    | "increase"
                    | "print"
                    | "review"
                    | "step"
                    | "reading"
                    | "indexation"
                    | "bump"
                    | "change"
                    | "reset"
            )
            .then_some(rank as usize)
            // "186,000 before the first reset" says what the rent was.
            .filter(|_| {
                !(words.word(at.wrapping_sub(1)) == "the" && words.word(at.wrapping_sub(2)) == "before")
            })
        })
        .unwrap_or(rents.len());
    let value = count
        .checked_sub(1)
        .and_then(|at| rents.get(at))
        .copied()
        .ok_or_else(|| Ask::because(format!("Only {} index changes are given.", rents.len())))?;
    Ok(write(&Case {
        rent,
        kind,
        readings,
        floor,
        cap,
        rents,
        count,
        value,
    }))
}

/// "Over the three reviews": how many changes there are, as far as the question counts them all.
fn counted(words: &Words) -> Option<usize> {
    words.numbers().find_map(|at| {
        let number = words.number(at)?;
        let whole = number.shape == Shape::Plain && number.value.fract() == 0.0 && number.value <= 30.0;
        let all = at.checked_sub(1).is_some_and(|before| {
            matches!(
                words.word(before),
                "the"
                    | "all"
                    | "these"
                    | "those"
                    | "next"
                    | "following"
                    | "coming"
                    | "last"
                    | "past"
                    | "latest"
            )
        });
        let changes = matches!(
            words.word(at + 1),
            "adjustments" | "prints" | "readings" | "changes" | "reviews" | "resets" | "indexations"
        );
        (whole && all && changes).then_some(number.value as usize)
    })
}

/// Which rent it is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Annual,
    Monthly,
    PerArea,
}

fn rent_like(number: &Number) -> bool {
    number.shape == Shape::Money
        || (number.shape == Shape::Plain && number.value >= 100.0 && !number.short)
        || (number.shape == Shape::Plain && number.value >= 500.0)
}

fn base(words: &Words, levels: &[usize]) -> Result<(f64, Kind), Ask> {
    let found: Vec<usize> = words
        .numbers()
        .filter(|at| !levels.contains(at))
        .filter(|at| words.number(*at).is_some_and(rent_like))
        .collect();
    let [at] = found.as_slice() else {
        return Err(Ask::because("What is the rent before the first adjustment?"));
    };
    let number = words
        .number(*at)
        .ok_or_else(|| Ask::because("What is the rent?"))?;
    if number.doubtful || number.foreign {
        return Err(Ask::because(format!(
            "I am not sure how to read “{}”.",
            words.said(*at)
        )));
    }
    let kind = if number.base == Some(Base::Area) {
        Kind::PerArea
    } else if number.per == Some(Per::Month) || words.says(&["monthly rent"]) {
        Kind::Monthly
    } else {
        Kind::Annual
    };
    Ok((number.value, kind))
}

struct Case {
    rent: f64,
    kind: Kind,
    readings: Vec<f64>,
    floor: Option<f64>,
    cap: Option<f64>,
    rents: Vec<f64>,
    count: usize,
    value: f64,
}

fn write(case: &Case) -> Written {
    let (name, unit, label) = match case.kind {
        Kind::Annual => ("annual_rent", "USD", "annual rent"),
        Kind::Monthly => ("monthly_rent", "USD", "monthly rent"),
        Kind::PerArea => ("rent_psf", "USD/sqft", "rent per square foot"),
    };
    let definition = "Indexed rent: each change of the index is held between floor and cap, and compounds.";
    let share = |value: f64| format!("{}%", format::plain(value * 100.0, 4));
    let mut inputs = vec![input("starting_rent", case.rent, unit)];
    let rates = case
        .readings
        .iter()
        .map(|value| ("index_change", *value))
        .chain(case.floor.map(|value| ("floor", value)))
        .chain(case.cap.map(|value| ("cap", value)));
    inputs.extend(rates.map(|(name, value)| input(name, value, "percent")));
    let mut remarks = Vec::new();
    if case.floor.is_none() && case.cap.is_none() {
        remarks.push("Neither floor nor cap is given, so none is applied.".to_owned());
    }
    Written {
        figures: vec![figure(name, json!(case.value), unit, definition, inputs)],
        said: format!(
            "After adjustment {} the {label} is {}",
            case.count,
            format::money(case.value)
        ),
        definition: definition.to_owned(),
        head: vec!["Adjustment", "Index", "Rent"],
        rows: case
            .readings
            .iter()
            .zip(&case.rents)
            .enumerate()
            .map(|(at, (reading, rent))| vec![(at + 1).to_string(), share(*reading), format::money(*rent)])
            .collect(),
        steps: vec![format!(
            "{} × (1 + each change, at least {}, at most {}).",
            format::money(case.rent),
            case.floor.map_or_else(|| "unlimited".to_owned(), share),
            case.cap.map_or_else(|| "unlimited".to_owned(), share),
        )],
        remarks,
    }
}
