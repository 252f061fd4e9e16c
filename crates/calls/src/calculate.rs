//! `calculate`: a wanted quantity from known ones, over the relations of `finance`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use finance::graph::{self, Known, contradiction};
use finance::variable::{Unit, Variable};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::amount::{Basis, Measure, Period, read};
use crate::basis::{self, Span};
use crate::call::Call;
use crate::reader::Reader;
use crate::result::{Computed, Figure, Outcome, Refusal, Step};

use crate::solving::{Solved, solved, words};
use crate::words::{nearest, plain};
use crate::written::Written;

/// Most known values.
const MOST: usize = 60;

/// The arguments: a goal, and known values by word.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calculate {
    pub goal: String,
    #[serde(default)]
    pub known: BTreeMap<String, Written>,
}

impl JsonSchema for Calculate {
    fn schema_name() -> Cow<'static, str> {
        "Calculate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = words().map(Variable::word).collect();
        let marks: Vec<&str> = marks().map(Variable::word).collect();
        let known = format!(
            "Values as written in the question, by the words of goal. {} take \"yes\".",
            marks.join(", ")
        );
        json_schema!({
            "type": "object",
            "properties": {
                "goal": {"description": labels(), "enum": words},
                "known": {"description": known, "type": "object", "additionalProperties": {"type": "string"}},
            },
            "required": ["goal", "known"],
        })
    }
}

/// The conditions: they hold or do not.
fn marks() -> impl Iterator<Item = Variable> {
    Variable::ALL
        .iter()
        .copied()
        .filter(|variable| variable.unit() == Unit::Mark)
}

/// Short forms in the words of goal.
const SHORT: [(&str, &str); 6] = [
    ("psf", "per square foot"),
    ("lp", "limited partners"),
    ("gp", "sponsor"),
    ("opex", "operating expenses"),
    ("cap", "capitalization"),
    ("pct", "as a share"),
];

/// The label of a variable without how it is counted: "(annual)" and the like.
fn meaning(variable: Variable) -> String {
    let label = plain(variable.label());
    label.split(['(', ',']).next().unwrap_or(&label).to_owned()
}

/// The words that are the initials of their label, each with it: `irr` is the internal rate of return.
fn acronyms() -> impl Iterator<Item = (&'static str, String)> {
    words().filter_map(|variable| {
        let meaning = meaning(variable);
        let parts = meaning.split(' ').filter(|part| *part != "of");
        let initials: String = parts.filter_map(|part| part.chars().next()).collect();
        (initials == variable.word()).then_some((variable.word(), meaning))
    })
}

/// The labels of the words that do not explain themselves.
fn labels() -> String {
    let shorts = SHORT.map(|(short, long)| (short, long.to_owned()));
    let known: Vec<(&str, String)> = shorts.into_iter().chain(acronyms()).collect();
    let written_out = |word: &str| {
        let long = known.iter().find(|(short, _)| *short == word);
        long.map_or_else(|| word.to_owned(), |(_, long)| long.clone())
    };
    let telling = |variable: &Variable| {
        let word: Vec<String> = plain(variable.word()).split(' ').map(written_out).collect();
        let word = word.join(" ");
        let parts: Vec<&str> = word.split(' ').collect();
        let meaning = meaning(*variable);
        let words = meaning.split(' ').filter(|part| part.len() > 2);
        let (known, new): (Vec<&str>, Vec<&str>) = words.partition(|part| is_among(part, &parts));
        !known.is_empty() && 2 * known.len() >= new.len()
    };
    let shorts = SHORT.map(|(short, long)| format!("{short}: {long}"));
    let lines: Vec<String> = words()
        .filter(|variable| !telling(variable))
        .map(|variable| format!("{}: {}", variable.word(), variable.label()))
        .collect();
    format!("The quantity wanted. {}; {}", shorts.join("; "), lines.join("; "))
}

/// Whether a word is among others, in the singular or the plural.
fn is_among(word: &str, others: &[&str]) -> bool {
    let stem = word.trim_end_matches(['s', '\'']);
    others.iter().any(|other| other.trim_end_matches('s') == stem)
}

impl Call for Calculate {
    const NAME: &'static str = "calculate";
    const DESCRIPTION: &'static str = "One quantity of a property, loan, lease or investment from known ones; every \
                                       value exactly as written in the question, or the ref of an earlier figure.";
    const EXAMPLE: &'static str = r#"{"goal":"going_in_cap_rate","known":{"noi":"$612k","price":"$9.4m"}}"#;

    fn run(self, reader: &mut Reader<'_>) -> Outcome {
        let goal = variable(&self.goal)?;
        if self.known.len() > MOST {
            return Err(Refusal::failure(
                "too_many",
                "There are more than 60 known values. Leave out some.",
            ));
        }
        let mut texts: BTreeMap<Variable, &Written> = BTreeMap::new();
        for (word, written) in &self.known {
            if texts.insert(variable(word)?, written).is_some() {
                let what = format!("{word} is given twice. Give each quantity once.");
                return Err(Refusal::failure("bad_arguments", what));
            }
        }
        let known = values(reader, &texts)?;
        if let Some(found) = contradiction(&known) {
            let what = format!(
                "{} is given as {}, but the other values make it {} ({}). Leave out the one that is wrong.",
                found.variable.word(),
                found.given,
                found.implied,
                found.formula
            );
            return Err(Refusal::failure("contradiction", what));
        }
        let (found, filled) = solved(&known, goal)?;
        let used: BTreeSet<Variable> = found
            .steps
            .iter()
            .flat_map(|step| step.inputs.iter().map(|(input, _)| *input))
            .collect();
        for (absent, value) in filled.iter().filter(|(absent, _)| used.contains(absent)) {
            let sentence = format!("no {} is given: taken as {value}", absent.label());
            reader.steps.push(Step::assumed(absent.word(), &sentence, *value));
        }
        reader.steps.extend(found.steps.iter().map(step));
        reader.steps.extend(found.searched.clone());
        let converted = |variable: &Variable| {
            let word = variable.word();
            reader
                .steps
                .iter()
                .any(|step| step.inputs.iter().any(|(input, _)| input == word))
        };
        let unused = known
            .keys()
            .filter(|variable| **variable != goal && !used.contains(variable) && !converted(variable))
            .map(|variable| variable.word().to_owned())
            .collect();
        Ok(Computed {
            figures: figures(goal, &found),
            steps: Vec::new(),
            table: None,
            unused,
        })
    }
}

/// Finds the variable of a word or of a label that only one variable has.
fn variable(word: &str) -> Result<Variable, Refusal> {
    if let Some(found) = Variable::from_word(word.trim()) {
        return Ok(found);
    }
    let asked = plain(word);
    let mut labelled = Variable::ALL
        .iter()
        .filter(|variable| plain(variable.label()) == asked);
    if let (Some(only), None) = (labelled.next(), labelled.next()) {
        return Ok(*only);
    }
    let near = nearest(word, words().map(|variable| (variable.word(), variable.label())));
    let what = format!("\"{word}\" is no quantity of calculate. Use one of the words of goal.");
    Err(Refusal::near("unknown_word", what, near))
}

fn values(reader: &mut Reader<'_>, texts: &BTreeMap<Variable, &Written>) -> Result<Known, Refusal> {
    use Variable::{Area, PoolArea, TenantArea, TotalArea, TotalUnits};
    let mut known = Known::new();
    // Amounts for each unit or square foot need these.
    for (&variable, written) in texts.iter().filter(|(variable, _)| variable.unit() == Unit::Area) {
        known.insert(variable, reader.value(variable.word(), written, Unit::Area)?);
    }
    let first = [Area, TotalArea, PoolArea, TenantArea];
    reader.area = first.iter().find_map(|area| known.get(area).copied());
    if let Some(units) = texts.get(&TotalUnits) {
        let count = reader.value(TotalUnits.word(), units, Unit::Count)?;
        reader.units = Some(count);
        known.insert(TotalUnits, count);
    }
    for (&variable, written) in texts {
        if known.contains_key(&variable) {
            continue;
        }
        if variable == Variable::PeriodCount {
            let per_year = match texts.get(&Variable::Compounding) {
                Some(count) => reader.value("compounding_periods", count, Unit::Count)?,
                None => 1.0,
            };
            known.insert(variable, periods(reader, written, per_year)?);
        } else if let Some(value) = value(reader, variable, written)? {
            known.insert(variable, value);
        }
    }
    if let (Some(treasury), Some(spread)) = (
        known.get(&Variable::Treasury).copied(),
        known.remove(&Variable::SpreadOver),
    ) {
        let inputs = [("discount_yield", treasury), ("spread_over_treasury", spread)];
        reader.steps.push(Step::new(
            "discount_yield",
            "Treasury yield + spread",
            treasury + spread,
            &inputs,
        ));
        known.insert(Variable::Treasury, treasury + spread);
    }
    Ok(known)
}

fn value(reader: &mut Reader<'_>, variable: Variable, written: &Written) -> Result<Option<f64>, Refusal> {
    let word = variable.word();
    if variable.unit() == Unit::Mark {
        return match written.truth() {
            Some(true) => Ok(Some(1.0)),
            Some(false) => Ok(None),
            None => Err(Refusal::failure(
                "bad_value",
                format!("{word}: \"{}\" must be \"yes\" or \"no\".", written.text()),
            )),
        };
    }
    let lower = written.text().to_lowercase();
    match variable {
        Variable::DayYear if lower.ends_with("/360") => return Ok(Some(360.0)),
        Variable::DayYear if lower.ends_with("/365") => return Ok(Some(365.0)),
        Variable::RecoveryYears if lower == "residential" => return Ok(Some(27.5)),
        Variable::RecoveryYears if ["commercial", "nonresidential"].contains(&lower.as_str()) => {
            return Ok(Some(39.0));
        }
        _ => {}
    }
    let money = matches!(variable.unit(), Unit::Money | Unit::MoneyPerArea);
    if !money {
        return reader.value(word, written, variable.unit()).map(Some);
    }
    let fitted = reader.fitted(word, written, variable.unit())?;
    let value = match basis::span(variable) {
        Span::Open => return Ok(Some(fitted.value)),
        Span::Each(period) => reader.per(word, fitted.value, fitted.period, period),
        Span::Once if fitted.period.is_some_and(|period| period != Period::Year) || yearly_sum(&fitted) => {
            let what = format!(
                "{word}: \"{}\" is an amount for each period, but {} is one amount.",
                written.text(),
                variable.label()
            );
            return Err(Refusal::failure("bad_value", what));
        }
        Span::Once => fitted.value,
    };
    let own = match fitted.basis {
        Some(Basis::Unit) => basis::each_unit(variable),
        Some(Basis::Area) => variable.unit() == Unit::MoneyPerArea,
        None => true,
    };
    if own {
        Ok(Some(value))
    } else {
        reader.whole(word, value, fitted.basis).map(Some)
    }
}

/// A number of periods: a plain number, or a duration with the periods of a year.
fn periods(reader: &mut Reader<'_>, written: &Written, per_year: f64) -> Result<f64, Refusal> {
    let word = Variable::PeriodCount.word();
    match read(&written.text(), Unit::Years).and_then(|amount| amount.measure) {
        Some(Measure::Time(_)) => Ok(reader.value(word, written, Unit::Years)? * per_year),
        _ => reader.value(word, written, Unit::Count),
    }
}

/// Whether a whole amount is written for each year, and not a cost per square foot and year.
fn yearly_sum(fitted: &crate::amount::Fitted) -> bool {
    fitted.period.is_some() && fitted.basis.is_none()
}

/// The goal, then what was computed on the way to it.
fn figures(goal: Variable, found: &Solved) -> Vec<Figure> {
    let own = found.steps.iter().find(|step| step.output == goal);
    let searched = found.searched.as_ref().map(|step| step.formula.as_str());
    let meaning = own.map(|step| step.definition).or(searched);
    let first = Figure::of(goal, found.value, meaning.unwrap_or("As given."));
    let others = found
        .steps
        .iter()
        .filter(|step| step.output != goal && !step.assumption)
        .map(|step| spanned(step.output, Figure::of(step.output, step.value, step.definition)));
    std::iter::once(spanned(goal, first)).chain(others).collect()
}

fn spanned(variable: Variable, figure: Figure) -> Figure {
    match basis::span(variable) {
        Span::Each(Period::Month) => figure.each("month"),
        Span::Each(Period::Year) => figure.each("year"),
        _ => figure,
    }
}

fn step(step: &graph::Step) -> Step {
    Step {
        name: step.output.word().to_owned(),
        formula: step.formula.to_owned(),
        value: step.value,
        inputs: step
            .inputs
            .iter()
            .map(|(input, value)| (input.word().to_owned(), *value))
            .collect(),
        assumption: step.assumption,
    }
}
