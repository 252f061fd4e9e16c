//! Assistants: what is kept of them.

mod secrets;
