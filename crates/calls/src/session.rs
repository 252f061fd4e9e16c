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

    /// Adds a figure that another tool gave, under a ref of that tool; `r` and a number is for calls.
    pub fn add_figure(&mut self, reference: &str, value: f64, unit: &str) {
        let stored = Stored {
            value: Some(value),
            unit: unit.to_owned(),
            period: None,
            plain: false,
        };
        self.results.figures.insert(reference.to_owned(), stored);
    }

    /// Runs a call and gives its JSON. Its ref is `r` and the number of the call, from 1.
    pub fn call(&mut self, name: &str, arguments: &Value) -> Value {
        let outcome = self.outcome(name, arguments);
        json_of(&outcome, &format!("r{}", self.calls))
    }

    /// Runs a call. Its figures are kept under their refs.
    pub fn outcome(&mut self, name: &str, arguments: &Value) -> Outcome {
        self.calls += 1;
        let outcome = self.run(name, arguments);
        if let Ok(computed) = &outcome {
            let reference = format!("r{}", self.calls);
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
            }
            if let Some(table) = &computed.table {
                self.results.tables.insert(reference, table.clone());
            }
        }
        outcome
    }

    fn run(&self, name: &str, arguments: &Value) -> Outcome {
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
