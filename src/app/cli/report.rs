//! The output of commands, as text or as one JSON object, and the format of errors.

use std::io::Write as _;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::base::error::Error;

/// The result of a command in both forms.
#[derive(Debug)]
pub struct Report {
    pub json: Value,
    pub text: String,
    /// False if the command ran with a negative result, for instance a failed check. The exit status is then 1.
    pub success: bool,
    /// One line for standard error about invalid input, with how to fix it.
    pub error_line: Option<String>,
}

impl Report {
    pub fn new(json: Value, text: impl Into<String>) -> Self {
        Self {
            json,
            text: text.into(),
            success: true,
            error_line: None,
        }
    }

    /// The result for invalid input: the error as an object and as one line.
    pub fn refused(error: Value, line: impl Into<String>) -> Self {
        Self {
            success: false,
            error_line: Some(line.into()),
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
        if let Some(line) = &self.error_line {
            let _ = writeln!(std::io::stderr(), "corbel: {line}");
        }
        if self.success {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

/// Prints an error as one line on standard error and, with `--json`, as an object on standard output.
pub fn print_error(error: &Error, as_json: bool) -> ExitCode {
    // Internal errors include their causes: the person who runs a command is the operator.
    let detail = match error {
        Error::Internal(_) | Error::Upstream(_) | Error::Busy { .. } => error.chain(),
        other => other.to_string(),
    };
    if as_json {
        write_out(&json!({ "error": { "code": error.code(), "detail": detail } }).to_string());
    }
    // A closed pipe must not hide the error.
    let _ = writeln!(std::io::stderr(), "corbel: {detail} [{}]", error.code());
    ExitCode::FAILURE
}

pub fn write_out(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}
