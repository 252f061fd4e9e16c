//! What two columns of a statement differ by: growth from year to year, quarter to quarter, actual against budget; the
//! best of several columns; the lines that moved most.
//!
//! Every word must be understood.

use crate::say::format;
use crate::sheets::asked::{self, Measure};
use crate::sheets::finding::{Finding, Open, Outcome};
use crate::sheets::lines;
use crate::sheets::meaning::{nouns, shares};
use crate::sheets::movers::{best, moved};
use crate::sheets::sides::{AMOUNTS, Side, amount, finished, label};
use crate::sheets::slots::{Reach, Version, called, through, together};
use crate::sheets::slotted::{Said, View};
use crate::sheets::sources::Sheet;
use crate::sheets::subject::ranking;
use crate::sheets::words::Words;
use tables::income::Statement;
use tables::statement;

/// Words that set two columns against one another.
pub(crate) const CHANGE: &[&str] = &[
    "grow",
    "grew",
    "grown",
    "growing",
    "growth",
    "change",
    "changed",
    "increase",
    "increased",
    "decrease",
    "decreased",
    "decline",
    "declined",
    "drop",
    "dropped",
    "fall",
    "fell",
    "rise",
    "rose",
    "risen",
    "variance",
    "difference",
    "delta",
    "versus",
    "vs",
    "compared",
    "compare",
    "cagr",
    "compound annual growth rate",
    "compound growth",
    "against",
    "over budget",
    "under budget",
    "over plan",
    "above budget",
    "below budget",
    "off budget",
    "miss",
    "missed",
    "beat",
    "ahead",
    "behind",
    "went up",
    "go up",
    "gone up",
    "went down",
    "yoy",
    "year over year",
    "qoq",
    "quarter over quarter",
    "overspent",
    "moved",
];
const COLUMN: &[&str] = &[
    "which month",
    "what month",
    "which year",
    "what year",
    "which quarter",
    "what quarter",
    "which period",
    "which column",
];
const LINES: &[&str] = &[
    "expense line",
    "expense item",
    "line item",
    "cost line",
    "cost item",
    "expense",
    "cost",
    "line",
    "item",
    "account",
    "category",
];

pub(crate) fn between(
    sheet: &Sheet,
    view: &View,
    said: &Said,
    words: &Words,
) -> Option<Result<Outcome, Open>> {
    let mut words = words.clone();
    nouns(&mut words);
    let columns = words.take(COLUMN);
    let compound = words.says(&["cagr", "compound annual growth rate", "compound growth"]);
    let relative = compound || shares(&mut words) || words.says(&["growth", "%", "rate"]);
    let amounts = words.says(&["dollar", "variance", "difference", "how far", "how much", "$"]);
    let changed = words.says(CHANGE);
    words.take(CHANGE);
    if !changed && !columns {
        return None;
    }
    let which = ranking(&mut words)
        .or_else(|| (columns && words.take(&["better", "more", "higher"])).then_some((false, 1)));
    words.take(&[
        "dollar",
        "in dollar",
        "by",
        "how far",
        "how much",
        "over",
        "rate",
        "year over year",
        "annually",
        "per year",
        "out",
    ]);
    if columns {
        return best(sheet, view, said, words, which);
    }
    let sides = sides(sheet, view, said)?;
    let [base, other] = sides.as_slice() else {
        return None;
    };
    if let Some(doubt) = base
        .statement
        .doubts
        .first()
        .or_else(|| other.statement.doubts.first())
    {
        return Some(Err(Open::because(doubt.clone())));
    }
    if which.is_some() && (words.says(LINES) || words.says(&["which"])) {
        let costs = words.says(&["expense", "cost"]);
        words.take(LINES);
        return finished(&words).then(|| moved(base, other, costs, relative, which));
    }
    let subject = |words: &mut Words, statement: &Statement| -> Option<(Option<Measure>, Vec<String>)> {
        let measures = asked::measures(words, tables::kind::Kind::Statement);
        match measures.as_slice() {
            [only] if AMOUNTS.contains(only) => return Some((Some(*only), Vec::new())),
            [] => {}
            _ => return None,
        }
        let items = lines::lines(words, statement);
        (!items.is_empty()).then(|| (None, items.iter().map(|item| item.label.clone()).collect()))
    };
    let (measure, labels) = subject(&mut words, &other.statement)?;
    words.take(&["total", "expense", "income", "cost", "spending"]);
    if !finished(&words) {
        return None;
    }
    let amount = |side: &Side| amount(side, measure, &labels);
    let (one, two) = (amount(base)?, amount(other)?);
    let label = label(&other.statement, measure, &labels);
    let years = base
        .slot
        .year
        .zip(other.slot.year)
        .map_or(0, |(from, to)| to - from);
    let change = Finding::money(
        "change",
        &format!("change of the {label}"),
        two - one,
        "Change = later − earlier amount, actual − budget.",
    )
    .step(format!(
        "{} {} − {} {}.",
        other.name,
        format::money(two),
        base.name,
        format::money(one)
    ));
    let mut findings = Vec::new();
    if compound {
        if years < 1 || one <= 0.0 || two <= 0.0 {
            return Some(Err(Open::because(
                "A compound growth rate needs two years with amounts above zero.",
            )));
        }
        findings.push(Finding::percent(
            "cagr",
            &format!("compound annual growth rate of the {label}"),
            (two / one).powf(1.0 / f64::from(years)) - 1.0,
            "CAGR = (last ÷ first)^(1 ÷ years) − 1.",
        ));
    } else if one != 0.0 {
        let share = Finding::percent(
            "growth_rate",
            &format!("growth of the {label}"),
            (two - one) / one.abs(),
            "Growth = change ÷ amount it is measured from.",
        );
        findings = if amounts && !relative {
            vec![change, share]
        } else {
            vec![share, change]
        };
    } else {
        findings.push(change);
    }
    let told = |side: &Side, own: f64| measure.and_then(|measure| side.printed(measure)).unwrap_or(own);
    let (printed_one, printed_two) = (told(base, one), told(other, two));
    let differs = printed_one != one || printed_two != two;
    for finding in &mut findings {
        finding.period = Some(format!("{} against {}", other.name, base.name));
        finding.printed = match finding.name.as_str() {
            "change" if differs => Some(printed_two - printed_one),
            "growth_rate" if differs && printed_one != 0.0 => {
                Some((printed_two - printed_one) / printed_one.abs())
            }
            _ => None,
        };
    }
    findings.push(Finding::money("base_amount", &format!("{label}, {}", base.name), one, "").aside());
    findings.push(Finding::money("other_amount", &format!("{label}, {}", other.name), two, "").aside());
    Some(Ok(Outcome::figures(findings)))
}

/// The two sides that are set against one another, the one it is measured from first.
fn sides(sheet: &Sheet, view: &View, said: &Said) -> Option<Vec<Side>> {
    let one = |said: &Said| -> Option<Side> {
        let chosen = view.fitting(said);
        let whole = said.reaches.is_empty() || said.reaches.contains(&Reach::Year);
        if !together(&chosen, whole) {
            return None;
        }
        Some(Side {
            name: called(&sheet.table, &chosen),
            slot: chosen.first().map(|(_, slot)| *slot).unwrap_or_default(),
            statement: statement::read(&through(sheet, &chosen, 1.0).table, &[]),
        })
    };
    let mut versions = said.versions.clone();
    let other = [
        Version::Actual,
        Version::Budget,
        Version::Prior,
        Version::Forecast,
        Version::ProForma,
    ];
    let has = |version: Version| {
        view.columns
            .iter()
            .any(|(_, slot)| slot.version.unwrap_or(Version::Actual) == version)
    };
    // "Over budget" is what happened against the budget.
    if let [only] = versions.as_slice()
        && *only != Version::Actual
        && has(Version::Actual)
        && said.years.len() < 2
    {
        versions.push(Version::Actual);
    }
    let kinds: Vec<Version> = other.into_iter().filter(|version| has(*version)).collect();
    let mut found: Vec<Side> = if let [first, second] = view.columns.as_slice()
        && first.1.reach == second.1.reach
    {
        [first, second]
            .iter()
            .map(|column| {
                let chosen = [**column];
                Side {
                    name: called(&sheet.table, &chosen),
                    slot: column.1,
                    statement: statement::read(&through(sheet, &chosen, 1.0).table, &[]),
                }
            })
            .collect()
    } else if let [_, _] = said.years.as_slice() {
        said.years
            .iter()
            .map(|year| {
                one(&Said {
                    years: vec![*year],
                    ..said.clone()
                })
            })
            .collect::<Option<_>>()?
    } else if let [_, _] = versions.as_slice() {
        versions
            .iter()
            .map(|version| {
                one(&Said {
                    versions: vec![*version],
                    ..said.clone()
                })
            })
            .collect::<Option<_>>()?
    } else if let [_, _] = said.reaches.as_slice() {
        said.reaches
            .iter()
            .map(|reach| {
                one(&Said {
                    reaches: vec![*reach],
                    ..said.clone()
                })
            })
            .collect::<Option<_>>()?
    } else if kinds.len() == 2 && versions.is_empty() {
        kinds
            .iter()
            .map(|version| {
                one(&Said {
                    versions: vec![*version],
                    ..said.clone()
                })
            })
            .collect::<Option<_>>()?
    } else {
        return None;
    };
    // Measured from the earlier year or quarter, and from the plan.
    let key = |side: &Side| {
        let reach = match side.slot.reach {
            Some(Reach::Quarter(number) | Reach::Of(number)) => number,
            _ => 0,
        };
        let version = match side.slot.version {
            Some(Version::Budget | Version::Prior | Version::Forecast) => 0,
            None | Some(Version::Actual) => 1,
            Some(Version::ProForma) => 2,
        };
        (side.slot.year, reach, version)
    };
    found.sort_by_key(key);
    Some(found)
}
