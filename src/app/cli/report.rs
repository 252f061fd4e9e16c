//! What a command answers: for people or as one JSON object, and how errors look.

use std::io::Write as _;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::base::error::Error;

/// The answer of a command in both forms.
#[derive(Debug)]
pub struct Report {
    pub json: Value,
    pub text: String,
    /// False: the command ran, and its answer is "no" (a failed check).
    pub fine: bool,
    /// One line for standard error: the command's input was at fault, and the line says how to mend it.
    pub complaint: Option<String>,
}

impl Report {
    pub fn new(json: Value, text: impl Into<String>) -> Self {
        Self {
            json,
            text: text.into(),
            fine: true,
            complaint: None,
        }
    }

    /// The input was at fault: the error as an object, and in one line.
    pub fn refused(error: Value, line: impl Into<String>) -> Self {
        Self {
            fine: false,
            complaint: Some(line.into()),
            ..Self::new(json!({ "error": error }), "")
        }
    }

    pub fn nothing() -> Self {
        Self::new(Value::Null, "")
    }

    pub fn print(&self, as_json: bool) -> ExitCode {
        if as_json {
            if !self.json.is_null() {
                write_out(&self.json.to_string());
            }
        } else if !self.text.is_empty() {
            write_out(&self.text);
        }
        if let Some(line) = &self.complaint {
            let _ = writeln!(std::io::stderr(), "corbel: {line}");
        }
        if self.fine {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

/// One clear line on standard error; with `--json` an object on standard output as well.
pub fn print_error(error: &Error, as_json: bool) -> ExitCode {
    // Our own faults show their causes: whoever runs a command is the operator.
    let detail = match error {
        Error::Internal(_) | Error::Upstream(_) | Error::Busy { .. } => error.chain(),
        other => other.to_string(),
    };
    if as_json {
        write_out(&json!({ "error": { "code": error.code(), "detail": detail } }).to_string());
    }
    // A closed pipe is no reason to fail in another way.
    let _ = writeln!(std::io::stderr(), "corbel: {detail} [{}]", error.code());
    ExitCode::FAILURE
}

pub fn write_out(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}
