//! What Slack's adapter is made of, each part by itself.

mod access;
mod fields;
mod gates;
mod hosts;
mod manifest;
mod mrkdwn;
mod recent;
mod signature;
mod table;
