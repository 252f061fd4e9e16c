//! Tables extracted from text.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test that finds something missing fails, says what it skips, and reads its own environment"
)]

mod cells;
mod groups;
mod growth;
mod letters;
mod mixed;
mod periods;
mod reads;
mod roles;
mod tenancy;
mod totals;
mod work;

#[path = "../../../../tests/suite/harness/growth.rs"]
mod measured;
#[path = "../../../../tests/suite/harness/external.rs"]
mod outside;
#[path = "../../../../tests/suite/harness/shapes.rs"]
mod shapes;
