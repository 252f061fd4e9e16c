//! What the tests stand on: the true app on each database, and outside services faked on loopback.

pub mod api;
pub mod app;
pub mod bodies;
pub mod browser;
pub mod command;
pub mod engine;
pub mod log;
pub mod oracle;
pub mod outside;
pub mod process;
pub mod slack;
pub mod turns;
pub mod window;
