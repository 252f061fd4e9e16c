//! Assistants: what is kept of them.

mod previous_secrets;
