//! The calls from outside: values as people write them, each family against independent numbers, bad input.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that finds something missing fails"
)]

mod amounts;
