//! Pages as a browser sees them.

mod admin_analyst;
pub mod admin_brand;
pub mod admin_conversations;
mod admin_dismiss;
pub mod admin_queue;
mod admin_rights;
mod chat;
mod consent_walkthrough;
mod edge;
mod flow;
mod keys;
mod set_up_walkthrough;
