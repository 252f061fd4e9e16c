//! The analyst asked from outside: no database, no network.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test that finds something missing fails, says what it skips, and reads its own environment"
)]

mod asking;
mod calculations;
mod cases;
mod conversations;
mod examples;
mod frozen;
mod generated;
mod growth;
mod handed;
mod judge;
mod letters;
mod near_misses;
mod orders;
mod owed;
mod paraphrases;
mod phrasings;
mod pitfalls;
mod printed;
mod public_cases;
mod questions;
mod reader;
mod recall;
mod sheets;
mod status_words;
mod ten_systems;
mod uncertain;
mod unread;

#[path = "../../../../tests/suite/harness/growth.rs"]
mod measured;
#[path = "../../../../tests/suite/harness/external.rs"]
mod outside;
#[path = "../../../../tests/suite/harness/shapes.rs"]
mod shapes;
