//! The HTTP API from outside, with an ordinary client.

mod contract;
mod first;
mod keys;
mod limits;
mod metering;
