//! The test harness: the real app on each database, and fakes of external services on loopback.

pub mod api;
pub mod app;
pub mod bodies;
pub mod browser;
pub mod chromium;
pub mod command;
pub mod engine;
pub mod external;
pub mod growth;
pub mod log;
pub mod model_server;
pub mod oracle;
pub mod process;
pub mod shapes;
pub mod slack;
pub mod turns;
