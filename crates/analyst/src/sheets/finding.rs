//! What was computed over a table: figures with their definitions, inputs and steps; or what has to be asked.
//!
//! Writes the answer in words. Knows no table and no calculation.

use chrono::NaiveDate;
use serde_json::{Value, json};

use crate::contract::draft::Draft;
use crate::contract::draft::{Figure, Input, Missing};
use crate::say::compose;
use crate::say::format;

/// One figure in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finding {
    /// The metric's word.
    pub(crate) name: String,
    /// As people call it.
    pub(crate) label: String,
    pub(crate) value: Value,
    pub(crate) unit: &'static str,
    pub(crate) shown: String,
    pub(crate) definition: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) steps: Vec<String>,
    pub(crate) period: Option<String>,
    pub(crate) as_of: Option<NaiveDate>,
    pub(crate) subject: Option<String>,
    /// What the file prints for it, where that is another figure.
    pub(crate) printed: Option<f64>,
    /// What the parts of its rows make, where they print another sum of them.
    pub(crate) parts: Option<f64>,
    /// The rows of a column that it is computed from.
    pub(crate) counted: Option<Counted>,
    /// Belongs to another figure, and is not said in the first sentence.
    pub(crate) aside: bool,
}

/// Rows that a figure is computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) rows: usize,
    /// Rows that the question chooses, also those without an amount.
    pub(crate) chosen: usize,
    pub(crate) column: usize,
    /// It is the sum of the whole column, as far as it counts.
    pub(crate) whole: bool,
}

/// Everything that one question leads to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) findings: Vec<Finding>,
    pub(crate) remarks: Vec<String>,
    pub(crate) warnings: Vec<String>,
    /// What of the table was counted, and what was not.
    pub(crate) account: Vec<String>,
    /// Markdown beneath the figures.
    pub(crate) tables: Vec<String>,
    /// Names that answer "which": said instead of figures.
    pub(crate) sentence: Option<String>,
}

/// Why there is no figure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open {
    pub(crate) sentence: String,
    pub(crate) missing: Vec<(&'static str, &'static str)>,
    /// Words of the question were left over: it may ask for something else altogether.
    pub(crate) unclear: bool,
    /// It only says that the question could not be read, and not why.
    pub(crate) vague: bool,
}

impl Outcome {
    /// Figures, with nothing to say beside them.
    pub(crate) fn figures(findings: Vec<Finding>) -> Self {
        Self {
            findings,
            ..Self::default()
        }
    }
}

impl Open {
    pub(crate) fn because(sentence: impl Into<String>) -> Self {
        Self {
            sentence: sentence.into(),
            ..Self::default()
        }
    }

    pub(crate) fn asks(sentence: impl Into<String>, name: &'static str, label: &'static str) -> Self {
        Self {
            missing: vec![(name, label)],
            ..Self::because(sentence)
        }
    }

    pub(crate) fn draft(&self) -> Draft {
        Draft {
            missing: self
                .missing
                .iter()
                .map(|(name, label)| Missing {
                    name: (*name).to_owned(),
                    label: (*label).to_owned(),
                })
                .collect(),
            result: inert(&self.sentence),
            ..compose::plain_text(&self.sentence)
        }
    }
}

impl Finding {
    pub(crate) fn money(name: &str, label: &str, value: f64, definition: &str) -> Self {
        Self::new(name, label, value, "USD", format::money(value), definition)
    }

    pub(crate) fn percent(name: &str, label: &str, value: f64, definition: &str) -> Self {
        Self::new(name, label, value, "percent", percent(value), definition)
    }

    /// How many times an amount of money is another; the division is its step.
    pub(crate) fn times(
        name: &str,
        label: &str,
        unit: &'static str,
        (amount, by): (f64, f64),
        definition: &str,
    ) -> Self {
        let shown = format!("{}x", plain(amount / by, 2));
        Self::new(name, label, amount / by, unit, shown, definition).step(format!(
            "{} ÷ {}.",
            format::money(amount),
            format::money(by)
        ))
    }

    pub(crate) fn count(name: &str, label: &str, value: usize, definition: &str) -> Self {
        Self {
            value: json!(value),
            ..Self::new(
                name,
                label,
                value as f64,
                "count",
                plain(value as f64, 0),
                definition,
            )
        }
    }

    pub(crate) fn new(
        name: &str,
        label: &str,
        value: f64,
        unit: &'static str,
        shown: String,
        definition: &str,
    ) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            value: json!(value),
            unit,
            shown,
            definition: definition.to_owned(),
            ..Self::default()
        }
    }

    #[must_use]
    pub(crate) fn input(mut self, name: &str, value: f64, unit: &str, origin: &str) -> Self {
        self.inputs.push(Input {
            name: name.to_owned(),
            value: json!(value),
            unit: unit.to_owned(),
            origin: origin.to_owned(),
        });
        self
    }

    #[must_use]
    pub(crate) fn step(mut self, step: impl Into<String>) -> Self {
        self.steps.push(step.into());
        self
    }

    #[must_use]
    pub(crate) fn counted(mut self, (rows, chosen): (usize, usize), column: usize, whole: bool) -> Self {
        self.counted = Some(Counted {
            rows,
            chosen,
            column,
            whole,
        });
        self
    }

    /// Another amount as this one is shown.
    pub(crate) fn like(&self, value: f64) -> String {
        match currency(self.unit) {
            Some(sign) => format::money(value).replace('$', sign),
            None if self.unit == "percent" => percent(value),
            None => plain(value, 2),
        }
    }

    #[must_use]
    pub(crate) fn of(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    #[must_use]
    pub(crate) fn aside(mut self) -> Self {
        self.aside = true;
        self
    }

    #[must_use]
    pub(crate) fn at(mut self, date: Option<NaiveDate>) -> Self {
        self.as_of = date;
        self
    }

    #[must_use]
    pub(crate) fn during(mut self, period: impl Into<String>) -> Self {
        self.period = Some(period.into());
        self
    }
}

/// A question tried on one table.
pub(crate) enum Tried {
    /// It asks for something else.
    No,
    Asked(Result<Outcome, Open>),
}

/// Several measures as one outcome; the first that is open leaves all open.
pub(crate) fn merged(results: impl Iterator<Item = Result<Outcome, Open>>) -> Result<Outcome, Open> {
    let mut all = Outcome::default();
    let mut sentences = Vec::new();
    for result in results {
        let own = result?;
        for finding in own.findings {
            let known = |other: &Finding| other.name == finding.name && other.subject == finding.subject;
            match all.findings.iter_mut().find(|other| known(other)) {
                // What was an aside of one is the answer to the next.
                Some(other) => other.aside &= finding.aside,
                None => all.findings.push(finding),
            }
        }
        sentences.extend(own.sentence);
        all.tables.extend(own.tables);
        for line in own.account {
            if !all.account.contains(&line) {
                all.account.push(line);
            }
        }
        for remark in own.remarks {
            if !all.remarks.contains(&remark) {
                all.remarks.push(remark);
            }
        }
        for warning in own.warnings {
            if !all.warnings.contains(&warning) {
                all.warnings.push(warning);
            }
        }
    }
    if !sentences.is_empty() {
        all.sentence = Some(sentences.join(". "));
    }
    if all.findings.iter().any(|finding| !finding.aside) {
        // Answers first, what belongs to them after.
        let (said, aside): (Vec<Finding>, Vec<Finding>) =
            all.findings.into_iter().partition(|finding| !finding.aside);
        all.findings = said.into_iter().chain(aside).collect();
    }
    Ok(all)
}

/// How the currency of a unit stands before an amount.
pub(crate) fn currency(unit: &str) -> Option<&'static str> {
    Some(match unit {
        "USD" => "$",
        "EUR" => "€",
        "GBP" => "£",
        "CHF" => "CHF ",
        _ => return None,
    })
}

/// A share as people read it.
pub(crate) fn percent(value: f64) -> String {
    format!("{}%", plain(value * 100.0, 2))
}

/// A number with groups of thousands and at most so many decimals.
pub(crate) fn plain(value: f64, places: usize) -> String {
    let text = format!("{:.places$}", value + 0.0);
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let (whole, tail) = digits
        .find('.')
        .map_or((digits, ""), |point| digits.split_at(point));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let zero =
        whole.chars().all(|digit| digit == '0') && tail.chars().all(|digit| matches!(digit, '0' | '.'));
    format!("{}{grouped}{tail}", if zero { "" } else { sign })
}

/// Text of a file or note in Markdown: none of its signs is a command.
pub(crate) fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        if matches!(
            sign,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '!'
        ) {
            out.push('\\');
        }
        out.push(if sign.is_control() { ' ' } else { sign });
    }
    out
}

/// The answer in words. `source` names the file or the pasted table.
pub(crate) fn write(outcome: &Outcome, source: &str) -> Draft {
    let mut draft = Draft {
        success: true,
        warnings: outcome.warnings.clone(),
        ..Draft::default()
    };
    let sentence = |finding: &Finding| {
        let of = finding
            .subject
            .as_ref()
            .map_or(String::new(), |subject| format!(" of {subject}"));
        let at = finding
            .as_of
            .map_or(String::new(), |date| format!(" as of {date}"));
        let during = finding
            .period
            .as_ref()
            .map_or(String::new(), |period| format!(" ({period})"));
        let printed = finding.printed.map_or(String::new(), |printed| {
            format!(" by its rows, but the file prints {}", finding.like(printed))
        });
        let parts = finding.parts.map_or(String::new(), |parts| {
            format!(
                " as its rows print it, but their parts make {}",
                finding.like(parts)
            )
        });
        format!(
            "The {}{of} is {}{during}{at}{printed}{parts}",
            finding.label, finding.shown
        )
    };
    let said: Vec<String> = match &outcome.sentence {
        Some(said) => vec![said.clone()],
        None => outcome
            .findings
            .iter()
            .filter(|finding| !finding.aside)
            .take(4)
            .map(sentence)
            .collect(),
    };
    let said = said.join(". ");
    let said = said.trim_end_matches('.');
    let definition = outcome
        .findings
        .first()
        .map_or("", |finding| finding.definition.as_str());
    let from = format!("From {source}.");
    draft.quick_reply = format!("{said}. {definition} {from}").replace("  ", " ");
    let asides: Vec<String> = outcome
        .findings
        .iter()
        .filter(|finding| finding.aside)
        .take(4)
        .map(sentence)
        .collect();
    let more = if asides.is_empty() {
        String::new()
    } else {
        format!("{}. ", asides.join(". "))
    };
    draft.summary = format!("{said}. {more}{definition} {from}").replace("  ", " ");
    let mut result = String::new();
    if let Some(sentence) = &outcome.sentence {
        result.push_str(&format!("{}\n\n", inert(sentence)));
    }
    for finding in &outcome.findings {
        let of = finding
            .subject
            .as_ref()
            .map_or(String::new(), |subject| format!(", {}", inert(subject)));
        result.push_str(&format!(
            "**{}** {}{of}\n\n",
            finding.shown,
            inert(&finding.label)
        ));
    }
    for table in &outcome.tables {
        result.push_str(table);
        result.push('\n');
    }
    let mut definitions: Vec<&str> = Vec::new();
    for finding in &outcome.findings {
        if !finding.definition.is_empty() && !definitions.contains(&finding.definition.as_str()) {
            definitions.push(&finding.definition);
        }
    }
    for definition in &definitions {
        result.push_str(&format!("{}\n\n", inert(definition)));
    }
    for remark in &outcome.remarks {
        result.push_str(&format!("{}\n\n", inert(remark)));
    }
    result.push_str(&inert(&from));
    result.push('\n');
    draft.result = result;
    let mut steps: Vec<String> = outcome
        .findings
        .iter()
        .flat_map(|finding| finding.steps.iter().map(|step| inert(step)))
        .collect();
    steps.extend(outcome.remarks.iter().map(|remark| inert(remark)));
    steps.extend(outcome.account.iter().map(|line| inert(line)));
    steps.dedup();
    draft.reasoning = compose::numbered(&steps);
    draft.figures = outcome
        .findings
        .iter()
        .map(|finding| Figure {
            name: finding.name.clone(),
            value: finding.value.clone(),
            unit: finding.unit.to_owned(),
            period: finding.period.clone(),
            as_of: finding.as_of,
            definition: finding.definition.clone(),
            inputs: finding.inputs.clone(),
            subject: finding.subject.clone(),
        })
        .collect();
    draft
}
