//! Assistants where people talk.

mod about;
mod slack_client;
mod slack_faults;
pub mod slack_flow;
mod slack_routes;
mod slack_rules;
mod slack_wire;
