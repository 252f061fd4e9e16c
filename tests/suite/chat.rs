//! Assistants where people talk.

mod slack_client;
mod slack_faults;
mod slack_flow;
mod slack_wire;
