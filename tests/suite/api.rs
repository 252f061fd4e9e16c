//! The HTTP API from outside, with an ordinary client.

mod analysts;
mod any_body;
mod bodies;
mod context;
mod contract;
mod first;
mod keys;
mod limits;
mod metering;
