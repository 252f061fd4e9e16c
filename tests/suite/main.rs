//! All integration tests in one binary, so that it links once. Folders mirror `src`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test that finds something missing fails, prints what it skips, and reads its own environment"
)]

mod accounts;
mod admission;
mod analysts;
mod api;
mod assistants;
mod audit;
mod blobs;
mod chat;
mod cli;
mod cli_eval;
mod cli_keys;
mod cli_queue;
mod connection_slots;
mod connections;
mod console;
mod context;
mod db;
mod dependencies;
mod earlier_databases;
mod fair_permits;
mod files;
mod fuzz;
mod growth;
mod harness;
mod layers;
mod limits;
mod migrations;
mod models;
mod observability;
mod pages;
mod platform;
mod portfolio;
mod privacy;
mod queue;
mod recovery;
mod reliability;
mod safe_markdown;
mod semantic;
mod settings;
mod source_rules;
mod sweep;
mod usage;
