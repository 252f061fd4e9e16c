//! The fuzz targets. They use two checks of the suite, which includes `targets` in turn and replays the corpora.

#[path = "../../tests/suite/harness/bodies.rs"]
pub mod bodies;
#[path = "../../tests/suite/harness/slack/message_limits.rs"]
pub mod message_limits;
pub mod targets;
