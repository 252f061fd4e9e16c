//! An answer about the portfolio put together: sentences, figures, tables, how each figure follows.
//!
//! Writes only values that a tool gave. Knows no tool.

use serde_json::{Value, json};

use crate::contract::brief::Tone;
use crate::contract::draft::{Draft, MadeFile};
use crate::contract::draft::{Figure, Input};
use crate::portfolio::shown::{self, SHOWN, Table};
use finance::portfolio::calendar::day_words;
use finance::portfolio::query::{Point, Time};

/// Where inputs of the portfolio's figures come from.
const ORIGIN: &str = "portfolio";
/// Figures beyond the first that are listed one by one.
const LISTED: usize = 60;

/// An answer as it grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saying {
    sentences: Vec<String>,
    figures: Vec<Figure>,
    tables: Vec<(String, Table)>,
    steps: Vec<String>,
    definitions: Vec<String>,
    remarks: Vec<String>,
    warnings: Vec<String>,
    /// How the figures follow is part of the answer.
    explains: bool,
    /// The building that an order put first, by its id and name.
    pub(crate) leader: Option<(String, String)>,
    /// The buildings that the answer lists, and the loans by their ids.
    pub(crate) listed: Vec<(String, String)>,
    pub(crate) loans: Vec<String>,
}

/// What a figure is, beside its value.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) name: String,
    pub(crate) definition: String,
    pub(crate) time: Option<Time>,
    pub(crate) subject: Option<String>,
}

/// "as of October 31, 2026", "November 2025 to October 2026".
pub(crate) fn time_words(time: Time) -> String {
    match time {
        Time::Day(day) => format!("as of {}", day_words(day)),
        Time::Span(span) => span.words(),
    }
}

impl Saying {
    pub(crate) fn sentence(&mut self, text: String) {
        self.sentences.push(text);
    }

    pub(crate) fn remark(&mut self, text: &str) {
        if !self.remarks.iter().any(|known| known == text) {
            self.remarks.push(text.to_owned());
        }
    }

    pub(crate) fn warn(&mut self, warnings: &[String]) {
        for warning in warnings {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
    }

    pub(crate) fn table(&mut self, name: &str, table: Table) {
        self.tables.push((name.to_owned(), table));
    }

    /// Takes over what another answer says.
    pub(crate) fn append(&mut self, other: Self) {
        self.sentences.extend(other.sentences);
        self.tables.extend(other.tables);
        self.steps.extend(other.steps);
        self.explains |= other.explains;
        self.leader = other.leader.or(self.leader.take());
        if !other.listed.is_empty() {
            self.listed = other.listed;
        }
        if !other.loans.is_empty() {
            self.loans = other.loans;
        }
        for remark in &other.remarks {
            self.remark(remark);
        }
        self.warn(&other.warnings);
        for definition in other.definitions {
            if !self.definitions.contains(&definition) {
                self.definitions.push(definition);
            }
        }
        self.figures.extend(other.figures);
    }

    pub(crate) fn explain(&mut self) {
        self.explains = true;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.figures.is_empty() && self.tables.is_empty()
    }

    /// A number with what it was computed from.
    pub(crate) fn point(&mut self, label: Label, point: &Point) {
        let inputs = point
            .inputs
            .iter()
            .map(|term| Input {
                name: term.name.to_owned(),
                value: json!(term.value),
                unit: term.unit.clone(),
                origin: ORIGIN.to_owned(),
            })
            .collect();
        self.step(&label, point);
        self.push(label, json!(point.value), &point.unit, inputs);
    }

    /// Any other value: a date, a name, a whole table.
    pub(crate) fn value(&mut self, label: Label, value: Value, unit: &str) {
        self.push(label, value, unit, Vec::new());
    }

    fn push(&mut self, label: Label, value: Value, unit: &str, inputs: Vec<Input>) {
        if !label.definition.is_empty() && !self.definitions.contains(&label.definition) {
            self.definitions.push(label.definition.clone());
        }
        let known =
            |own: &Figure| own.name == label.name && own.subject == label.subject && own.value == value;
        if self.figures.len() > LISTED || self.figures.iter().any(known) {
            return;
        }
        self.figures.push(Figure {
            name: label.name,
            value,
            unit: unit.to_owned(),
            period: label.time.and_then(|time| match time {
                Time::Span(span) => Some(span.to_string()),
                Time::Day(_) => None,
            }),
            as_of: label.time.map(Time::day),
            definition: label.definition,
            inputs,
            subject: label.subject,
        });
    }

    fn step(&mut self, label: &Label, point: &Point) {
        if self.steps.len() > LISTED || point.inputs.is_empty() {
            return;
        }
        let inputs: Vec<String> = point
            .inputs
            .iter()
            .map(|term| {
                format!(
                    "{} = {}",
                    term.name.replace('_', " "),
                    shown::value(term.value, &term.unit)
                )
            })
            .collect();
        let subject = label
            .subject
            .as_ref()
            .map_or_else(String::new, |subject| format!(" of {}", shown::plain(subject)));
        let when = label.time.map(time_words).unwrap_or_default();
        self.steps.push(format!(
            "{}{subject}, {when}: from {}: **{}**.",
            label.name.replace('_', " "),
            inputs.join(", "),
            shown::value(point.value, &point.unit)
        ));
    }

    /// The draft; `as_of` is the day the data stands at.
    pub(crate) fn draft(mut self, tone: Tone, frame: Option<Value>) -> Draft {
        let opening = match tone {
            Tone::Friendly => "Sure! ",
            Tone::Funny => "Straight from the books: ",
            Tone::Professional | Tone::Authoritative | Tone::Consultative => "",
        };
        let main = self.sentences.join(" ");
        let remarks = self.remarks.join(" ");
        let quick = [main.as_str(), remarks.as_str()]
            .iter()
            .filter(|text| !text.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join(" ");
        let mut result = self
            .sentences
            .iter()
            .map(|sentence| format!("**{}**", shown::plain(sentence)))
            .collect::<Vec<_>>()
            .join("\n\n");
        let mut files = Vec::new();
        for (name, table) in std::mem::take(&mut self.tables) {
            result.push_str("\n\n");
            result.push_str(&table.markdown());
            if table.rows.len() > SHOWN {
                files.push(MadeFile {
                    filename: format!("{name}.csv"),
                    content_type: "text/csv".to_owned(),
                    bytes: table.csv(),
                });
            }
        }
        if self.explains && !self.steps.is_empty() {
            result.push_str("\n\nSo it follows:");
            for step in &self.steps {
                result.push_str(&format!("\n- {step}"));
            }
        }
        for definition in &self.definitions {
            result.push_str(&format!("\n\n{}", shown::plain(definition)));
        }
        if !remarks.is_empty() {
            result.push_str(&format!("\n\n{}", shown::plain(&remarks)));
        }
        let mut steps = self.steps;
        steps.extend(self.definitions.iter().map(|text| shown::plain(text)));
        let reasoning: Vec<String> = steps
            .iter()
            .enumerate()
            .map(|(at, step)| format!("{}. {step}", at + 1))
            .collect();
        Draft {
            quick_reply: format!("{opening}{quick}"),
            summary: quick,
            result,
            reasoning: reasoning.join("\n"),
            success: true,
            figures: self.figures,
            warnings: self.warnings,
            frame,
            files,
            ..Draft::default()
        }
    }
}
