//! What Slack's adapter is made of, each part by itself.

mod access;
mod fields;
mod hosts;
mod manifest;
mod mrkdwn;
mod signature;
mod table;
