//! Admits questions as runs, lets an engine answer them, and stores the answers.
//!
//! Does not depend on chat, HTTP or MCP. Declares modules and re-exports nothing.

pub mod admission;
pub mod answer;
pub mod completed;
pub mod engine;
pub mod engine_choice;
/// The engines that answer questions.
pub mod engines {
    /// The language model: client, loop with its limits, prompts, and the answer that it makes.
    pub mod model {
        pub mod agent;
        pub mod answer;
        pub mod budget;
        pub mod checked;
        pub mod client;
        pub mod conversation;
        pub mod engine;
        pub mod lenient;
        pub mod marks;
        pub mod message;
        pub mod prompt;
        pub mod retry;
        pub mod settings;
        pub mod stated;
        /// The wire forms of the providers.
        pub mod wire {
            pub mod anthropic;
            pub mod events;
            pub mod form;
            pub mod openai;
        }
        pub mod written_calls;
    }
    /// The deterministic analyst in `crates/analyst`.
    pub mod offline;
}
mod from_draft;
mod gather;
mod intake;
mod reading;
pub mod request;
pub mod selection;
pub mod service;
pub mod submission;
/// Typed tools for engines, limited to what the run may access.
pub mod tools {
    pub mod kit;
    pub mod notes;
    pub mod portfolio;
    pub mod progress;
    pub mod toolbox;
    /// The typed calls of a language model: names, schemas, and what each gives.
    pub mod typed {
        pub mod catalog;
        pub mod figures;
        pub mod files;
        mod given;
        pub mod metric;
        pub mod notes;
        pub mod query;
        pub mod run;
    }
}
mod waiting;
