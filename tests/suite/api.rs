//! The HTTP API from outside, with an ordinary client.

mod first;
