//! Assistants where people talk.

mod about;
mod intake;
mod slack_client;
mod slack_faults;
pub mod slack_flow;
mod slack_links;
mod slack_routes;
mod slack_rules;
mod slack_wire;
