//! The HTTP API, tested with an ordinary client.

mod analysts;
mod bodies;
mod codes;
mod context;
mod contract;
mod cursor;
mod docs;
mod files;
mod generated_bodies;
mod history;
mod keys;
mod matrix;
mod metering;
mod multiple_processes;
mod note_files;
mod participants;
mod partition;
mod rate_limits;
mod read_costs;
mod restart;
mod run_attachments;
mod run_files;
mod run_tables;
pub mod runs;
mod schemathesis;
mod smoke;
mod upload_limit;
