//! Unit tests of the Slack adapter's parts.

mod access;
mod content;
mod fields;
mod hosts;
mod ids;
mod manifest;
mod mrkdwn;
mod signature;
mod table;
mod unmarked;
