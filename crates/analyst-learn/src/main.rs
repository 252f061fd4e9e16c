//! Learns the analyst's model of calculations from its annotated examples.
//!
//! `cargo run --release -p corbel-analyst-learn` writes it.
//!
//! The examples are frozen. This command exists so that the model that is checked in can be made again: the same
//! examples and readers give the same bytes, which `--check` verifies.

mod corpus;
mod learning;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
const MODEL: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../analyst/src/by_example/calculations.model"
);

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command tells its result"
)]
fn main() -> ExitCode {
    let check = match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => false,
        [only] if only == "--check" => true,
        _ => {
            eprintln!("usage: analyst-learn [--check]");
            return ExitCode::from(2);
        }
    };
    match run(check) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(check: bool) -> Result<String, Box<dyn Error>> {
    let learned = learned(Path::new(EXAMPLES))?;
    if !check {
        fs::write(MODEL, &learned)?;
        return Ok(format!("{MODEL}: {} bytes", learned.len()));
    }
    if fs::read(MODEL)? == learned {
        Ok(format!("{MODEL} is what the examples teach"))
    } else {
        Err(format!("{MODEL} is not what the examples teach: run analyst-learn without --check").into())
    }
}

/// The model of the examples in a folder, read in the order of their file names.
fn learned(folder: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    let texts = files
        .iter()
        .map(fs::read_to_string)
        .collect::<Result<Vec<String>, _>>()?;
    let (model, faults) = learning::learn(&texts);
    if !faults.is_empty() {
        return Err(format!("examples that cannot be used:\n{}", faults.join("\n")).into());
    }
    Ok(postcard::to_stdvec(&model)?)
}
