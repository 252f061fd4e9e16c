//! One run of a model: numbers its calls, resolves refs to earlier figures, and answers each call with JSON.

use serde_json::Value;

use crate::catalog::entries;
use crate::provenance::Givens;
use crate::reader::{Reader, Results, Stored};
use crate::result::{Outcome, Refusal, Step, Table, json_of};
use crate::words::nearest;

/// The largest arguments of a call, in bytes of JSON.
const LARGEST: usize = 262_144;

/// The calls of one run.
#[derive(Debug)]
pub struct Session {
    results: Results,
    givens: Option<Givens>,
    calls: usize,
}

impl Session {
    /// A session that accepts values from anywhere. For tests and trusted callers.
    #[must_use]
    pub fn unchecked() -> Self {
        Self {
            results: Results::default(),
            givens: None,
            calls: 0,
        }
    }

    /// A session that only accepts refs and values from the given texts.
    #[must_use]
    pub fn new(givens: Givens) -> Self {
        Self {
            givens: Some(givens),
            ..Self::unchecked()
        }
    }

    /// Adds a table of a file, which `query_table` finds by its name.
    pub fn add_table(&mut self, name: &str, table: Table) {
        self.results.tables.insert(name.to_owned(), table);
    }

    /// Adds a text that the run was given later, such as a part of a file. Its values are accepted from now on.
    pub fn add_text(&mut self, text: &str) {
        if let Some(givens) = &mut self.givens {
            givens.add(text);
        }
    }

    /// Runs a call and gives its JSON. Its ref is `r` and the number of the call, from 1.
    pub fn call(&mut self, name: &str, arguments: &Value) -> Value {
        let outcome = self.outcome(name, arguments);
        json_of(&outcome, &format!("r{}", self.calls))
    }

    /// Runs a call. Its figures are kept under their refs.
    pub fn outcome(&mut self, name: &str, arguments: &Value) -> Outcome {
        let outcome = self.computed(name, arguments);
        self.add_outcome(&outcome);
        outcome
    }

    /// Numbers a result, keeps its figures under their refs and returns its own ref. Other tools add theirs, too.
    pub fn add_outcome(&mut self, outcome: &Outcome) -> String {
        self.calls += 1;
        let reference = format!("r{}", self.calls);
        if let Ok(computed) = outcome {
            for (at, figure) in computed.figures.iter().enumerate() {
                let stored = Stored {
                    value: figure.value.as_f64(),
                    unit: figure.unit.clone(),
                    period: figure.period,
                    plain: figure.name == "total",
                };
                self.results
                    .figures
                    .insert(format!("{reference}.{}", at + 1), stored);
                if let Some(givens) = &mut self.givens {
                    match (figure.value.as_f64(), figure.value.as_str()) {
                        (Some(value), _) => givens.add_number(value),
                        (None, Some(text)) => givens.add(text),
                        (None, None) => {}
                    }
                }
            }
            if let Some(table) = &computed.table {
                if let Some(givens) = &mut self.givens {
                    givens.add_table(table);
                }
                self.results.tables.insert(reference.clone(), table.clone());
            }
        }
        reference
    }

    /// Computes a call without numbering its result; see [`add_outcome`](Self::add_outcome).
    pub fn computed(&self, name: &str, arguments: &Value) -> Outcome {
        let Some(entry) = entries().iter().find(|entry| entry.name == name) else {
            let near = nearest(
                name,
                entries().iter().map(|entry| (entry.name, entry.description)),
            );
            let what = format!("There is no call \"{name}\".");
            return Err(Refusal::near("unknown_call", what, near));
        };
        if arguments.to_string().len() > LARGEST {
            return Err(Refusal::failure(
                "too_many",
                "The arguments are too large. Send fewer values.",
            ));
        }
        entry.check_keys(arguments)?;
        if let Some(givens) = &self.givens {
            givens.check(arguments)?;
        }
        let mut reader = Reader::new(&self.results);
        let mut computed = (entry.run)(arguments, &mut reader)?;
        let own = std::mem::take(&mut reader.steps);
        let steps: Vec<Step> = own
            .into_iter()
            .chain(std::mem::take(&mut computed.steps))
            .collect();
        computed.steps = steps;
        let currency = reader.currency();
        for figure in &mut computed.figures {
            if let Some(rest) = figure.unit.strip_prefix("USD") {
                figure.unit = format!("{currency}{rest}");
            }
        }
        Ok(computed)
    }
}
