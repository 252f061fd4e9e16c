//! The HTTP API from outside, with an ordinary client.

mod bodies;
mod contract;
mod first;
mod keys;
mod limits;
mod metering;
