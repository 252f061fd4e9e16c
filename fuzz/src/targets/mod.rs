//! What each fuzz target asserts. The fuzzer calls these functions with the inputs that it makes; the suite calls them
//! with the files of the corpora.

pub mod bodies;
pub mod cells;
pub mod messages;
pub mod queries;
pub mod slack;
pub mod tables;

type Target = (&'static str, fn(&[u8]));

/// The targets, by the name of their program and corpus.
pub const ALL: [Target; 9] = [
    ("cells", cells::check),
    ("delimited_tables", tables::delimited),
    ("pasted_tables", tables::pasted),
    ("request_bodies", bodies::check),
    ("semantic_queries", queries::check),
    ("slack_events", slack::events),
    ("slack_interactions", slack::interactions),
    ("slack_messages", messages::check),
    ("slack_signatures", slack::signatures),
];

/// Runs the target of this name.
pub fn run(name: &str, input: &[u8]) {
    let found = ALL.iter().find(|(own, _)| *own == name);
    let (_, check) = found.expect("a target of this name");
    check(input);
}
