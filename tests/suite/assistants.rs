//! Assistants: how their data is stored.

mod previous_secrets;
