//! The HTTP API from outside, with an ordinary client.

mod analysts;
mod any_body;
mod bodies;
mod codes;
mod context;
mod contract;
mod cursor;
mod docs;
mod files;
mod first;
mod growth;
mod history;
mod keys;
mod limits;
mod matrix;
mod metering;
mod note_files;
mod participants;
mod partition;
mod processes;
mod restart;
mod run_attachments;
mod run_files;
mod run_tables;
pub mod runs;
mod schemathesis;
mod too_large;
