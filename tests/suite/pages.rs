//! What a browser sees.

mod chat;
mod edge;
mod flow;
