//! The corpora of the fuzz targets: each of their inputs passes its target, within a limit of CPU time.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

// The targets use these two.
use crate::harness::bodies;
use crate::harness::slack::message_limits;

#[path = "../../fuzz/src/targets/mod.rs"]
mod targets;

/// Most CPU time for an input, which is a thousand times what most need without optimization.
const LONGEST: Duration = Duration::from_secs(5);
/// A corpus is small enough to be read by people, and to be checked by every run of the suite.
const MOST_FILES: usize = 60;
const MOST_BYTES: u64 = 150_000;

fn corpora() -> PathBuf {
    PathBuf::from("fuzz/corpus")
}

/// The names in a folder, without extensions.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("an entry").path())
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect()
}

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(now.tv_sec).expect("seconds"),
        u32::try_from(now.tv_nsec).expect("nanoseconds"),
    )
}

/// Checks every input of a corpus. The output of a failing test ends with the name of its input.
fn replay(name: &str) {
    let corpus = corpora().join(name);
    let inputs = names(&corpus);
    let mut bytes = 0;
    for input in &inputs {
        let path = corpus.join(input);
        println!("{}", path.display());
        let input = fs::read(&path).expect("an input");
        bytes += input.len() as u64;
        let start = cpu_time();
        targets::run(name, &input);
        let taken = cpu_time() - start;
        assert!(taken < LONGEST, "{} took {taken:.1?}", path.display());
    }
    assert!(
        (1..=MOST_FILES).contains(&inputs.len()),
        "{name} has {} inputs",
        inputs.len()
    );
    assert!(bytes <= MOST_BYTES, "{name} has {bytes} bytes");
}

macro_rules! replayed {
    ($($target:ident)*) => {
        $(#[test] fn $target() { replay(stringify!($target)); })*

        #[test]
        fn every_target_has_a_program_a_corpus_and_a_test() {
            let expected: BTreeSet<String> = targets::ALL.iter().map(|(name, _)| (*name).to_owned()).collect();
            assert_eq!(BTreeSet::from([$(stringify!($target).to_owned()),*]), expected, "tests");
            assert_eq!(names(&corpora()), expected, "corpora");
            assert_eq!(names(Path::new("fuzz/fuzz_targets")), expected, "programs");
            let manifest = fs::read_to_string("fuzz/Cargo.toml").expect("a manifest");
            for name in &expected {
                let program = format!("path = \"fuzz_targets/{name}.rs\"");
                assert!(manifest.contains(&program), "the manifest does not name {name}");
                let program = fs::read_to_string(format!("fuzz/fuzz_targets/{name}.rs")).expect("a program");
                assert!(program.contains(&format!("run(\"{name}\", ")), "{name} runs another target");
            }
        }
    };
}

replayed! {
    cells
    delimited_tables
    pasted_tables
    request_bodies
    semantic_queries
    slack_events
    slack_interactions
    slack_messages
    slack_signatures
}
