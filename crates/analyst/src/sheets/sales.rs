//! Answers about comparable sales: price per square foot or unit, adjusted or not, in three averages, applied to an area.
//!
//! Knows no file.

use crate::say::format;
use crate::sheets::finding::{Finding, Open, Outcome, inert, plain};
use crate::sheets::words::Words;
use tables::comps::{Comp, Comps};

/// Which average.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Average {
    Mean,
    Median,
    /// Sum of the prices ÷ sum of the areas.
    Weighted,
    Highest,
    Lowest,
    /// Not said: the mean, with the others beside it.
    Unsaid,
}

pub(crate) struct Sales<'a> {
    pub(crate) comps: &'a Comps,
    pub(crate) chosen: Vec<&'a Comp>,
    pub(crate) average: Average,
    /// Said, or not said of a file with adjustments.
    pub(crate) adjusted: bool,
    pub(crate) by_unit: bool,
    /// The subject's square feet or units.
    pub(crate) subject: Option<f64>,
    pub(crate) source: &'a str,
}

pub(crate) fn compute(sales: &Sales<'_>) -> Result<Outcome, Open> {
    let mut pairs: Vec<(&Comp, f64, f64)> = Vec::new();
    for comp in &sales.chosen {
        let (per, size) = if sales.by_unit {
            let per = comp.price.zip(comp.units).map(|(price, units)| price / units);
            let per = if sales.adjusted {
                per.zip(comp.adjustment).map(|(per, share)| per * (1.0 + share))
            } else {
                per
            };
            (per, comp.units)
        } else if sales.adjusted {
            (comp.adjusted, comp.area)
        } else {
            (comp.per_area, comp.area)
        };
        let Some(per) = per else {
            let what = if sales.adjusted { "adjusted price" } else { "price" };
            return Err(Open::because(format!(
                "The file gives no {what} per {} for {}.",
                unit(sales),
                comp.name
            )));
        };
        pairs.push((comp, per, size.unwrap_or(0.0)));
    }
    if pairs.is_empty() {
        return Err(Open::because("I found no sale among those you ask about."));
    }
    let mean = pairs.iter().map(|(_, per, _)| per).sum::<f64>() / pairs.len() as f64;
    let mut sorted: Vec<f64> = pairs.iter().map(|(_, per, _)| *per).collect();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    let upper = sorted.get(half).copied().unwrap_or(mean);
    let median = if sorted.len() % 2 == 1 {
        upper
    } else {
        (upper + sorted.get(half.saturating_sub(1)).copied().unwrap_or(upper)) / 2.0
    };
    let sizes: f64 = pairs.iter().map(|(_, _, size)| size).sum();
    let sized = pairs.iter().all(|(_, _, size)| *size > 0.0);
    let weighted = sized.then(|| pairs.iter().map(|(_, per, size)| per * size).sum::<f64>() / sizes);
    let lowest = sorted.first().copied().unwrap_or(mean);
    let highest = sorted.last().copied().unwrap_or(mean);
    let adjusted = if sales.adjusted { "adjusted_" } else { "" };
    let word = if sales.by_unit { "price_per_unit" } else { "psf" };
    let unit_word = if sales.by_unit { "USD/unit" } else { "USD/sqft" };
    let shown = |value: f64| format!("${} per {}", plain(value, 2), unit(sales));
    let said = if sales.adjusted { "adjusted price" } else { "price" };
    let finding = |prefix: &str, label: &str, value: f64, definition: &str| {
        Finding::new(
            &format!("{prefix}_{adjusted}{word}"),
            &format!("{label} {said} per {}", unit(sales)),
            value,
            unit_word,
            shown(value),
            definition,
        )
        .input("sales", pairs.len() as f64, "count", sales.source)
    };
    let of_mean = || {
        finding(
            "avg",
            "average",
            mean,
            "Simple average: the sum of the prices per unit of size ÷ number of sales.",
        )
    };
    let of_median = || {
        finding(
            "median",
            "median",
            median,
            "Median: the middle one of the sales, or the mean of the two in the middle.",
        )
    };
    let of_weighted = |value: f64| {
        finding(
            "weighted",
            "weighted average",
            value,
            "Weighted average: Σ price ÷ Σ size.",
        )
    };
    let mut outcome = Outcome {
        remarks: sales.comps.remarks.clone(),
        ..Outcome::default()
    };
    let extreme = |value: f64, prefix: &str, label: &str| {
        let name = pairs
            .iter()
            .find(|(_, per, _)| *per == value)
            .map(|(comp, ..)| comp.name.clone());
        let own = finding(prefix, label, value, "One of the sales in the file.");
        match name {
            Some(name) => own.of(name),
            None => own,
        }
    };
    let mut main = match sales.average {
        Average::Mean | Average::Unsaid => of_mean(),
        Average::Median => of_median(),
        Average::Weighted => of_weighted(
            weighted.ok_or_else(|| Open::because("The file does not give the size of every sale."))?,
        ),
        Average::Highest => extreme(highest, "max", "highest"),
        Average::Lowest => extreme(lowest, "min", "lowest"),
    };
    main.steps = pairs
        .iter()
        .take(20)
        .map(|(comp, per, _)| {
            let share = match (sales.adjusted, comp.adjustment) {
                (true, Some(share)) => format!(", adjusted by {}", super::finding::percent(share)),
                _ => String::new(),
            };
            format!("{}: {}{share}.", comp.name, shown(*per))
        })
        .collect();
    let rate = main.value.as_f64().unwrap_or(mean);
    if let Some(size) = sales.subject {
        let value = Finding::money(
            "value",
            "indicated value",
            rate * size,
            &format!("Value = {} × size of the subject.", main.label),
        )
        .input(&main.name, rate, unit_word, sales.source)
        .input(
            "size",
            size,
            if sales.by_unit { "count" } else { "sqft" },
            "question",
        )
        .step(format!(
            "{} × {} = {}.",
            shown(rate),
            plain(size, 2),
            format::money(rate * size)
        ));
        outcome.findings.push(value);
    }
    outcome.findings.push(main);
    if sales.average == Average::Unsaid {
        outcome.findings.push(of_median().aside());
        outcome
            .findings
            .extend(weighted.map(|value| of_weighted(value).aside()));
    }
    let mut table = format!("| Sale | {said} per {} |\n|---|---:|\n", unit(sales));
    for (comp, per, _) in pairs.iter().take(50) {
        table.push_str(&format!("| {} | {} |\n", inert(&comp.name), shown(*per)));
    }
    outcome.tables.push(table);
    Ok(outcome)
}

/// "Not weighted", "unweighted": every sale counts the same. Takes the phrase.
pub(crate) fn equally(words: &mut Words) -> bool {
    words.take(&[
        "not the weighted average",
        "not the weighted one",
        "not the weighted",
        "not a weighted average",
        "not a weighted one",
        "not weighted average",
        "not weighted by area",
        "not weighted by size",
        "not weighted by unit",
        "not weighted",
        "not area weighted",
        "not size weighted",
        "not unit weighted",
        "no weighting",
        "without weighting",
        "rather than weighted",
        "instead of weighted",
        "non weighted",
        "unweighted",
        "equally weighted",
        "equal weight",
        "equal weighting",
        "weighted equally",
    ])
}

fn unit(sales: &Sales<'_>) -> &'static str {
    if sales.by_unit { "unit" } else { "sf" }
}
