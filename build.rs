//! Learns the readers' models from their annotated examples, so that what is compiled in always fits the files.
//!
//! The examples stand in `src/analysis/engines/offline/by_example/data`; the reader's own modules read and learn them.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use analysis::engines::offline::by_example::learning;

/// The part of the crate's tree that learning needs.
#[path = "src/analysis"]
#[expect(dead_code, reason = "the program uses the rest of these modules")]
mod analysis {
    pub mod engines {
        pub mod offline {
            pub mod by_example {
                pub mod corpus;
                pub mod features;
                pub mod learning;
                pub mod model;
                pub mod telling;
            }
            pub mod words {
                pub mod among;
                pub mod asides;
                pub mod numbers;
                mod parts;
                pub mod scan;
                mod spelling;
            }
        }
    }
}

const READER: &str = "src/analysis/engines/offline/by_example";
const WORDS: &str = "src/analysis/engines/offline/words";

fn main() -> Result<(), Box<dyn Error>> {
    for watched in [READER, WORDS, "build.rs"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    learn("calculations")
}

fn learn(folder: &str) -> Result<(), Box<dyn Error>> {
    let texts = files(&Path::new(READER).join("data").join(folder))?
        .iter()
        .map(fs::read_to_string)
        .collect::<Result<Vec<String>, _>>()?;
    let (model, faults) = learning::learn(&texts);
    if !faults.is_empty() {
        return Err(format!("examples of {folder} that cannot be used:\n{}", faults.join("\n")).into());
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "where the build puts its files, only its environment says"
    )]
    let out = env::var("OUT_DIR")?;
    fs::write(
        Path::new(&out).join(format!("{folder}.model")),
        postcard::to_stdvec(&model)?,
    )?;
    Ok(())
}

/// The files of a folder in a fixed order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    Ok(files)
}
