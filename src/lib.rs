//! Corbel: branded team-chat assistants that answer real-estate and finance questions exactly.
//!
//! This file is the map: the whole module tree, layer by layer. Imports point upward in it only;
//! `tests/suite/layers.rs` checks that. `ARCHITECTURE.md` tells the story.

// BASE: shared words; no driver, no transport.

/// Errors, identifiers, time, money, secrets, texts, and who asks.
pub mod base {
    pub mod clock;
    pub mod error;
    pub mod ids;
    pub mod money;
    pub mod principal;
    pub mod secret;
    pub mod text;
}

// PLATFORM: machines below the domains.

/// One SQL text for SQLite and PostgreSQL; every write is a closure.
pub mod db {
    pub mod args;
    pub mod error;
    pub mod exec;
    mod migrate;
    pub mod pool;
    pub mod tx;
    mod write;
}

/// The one outbound HTTP client and its address guard; networks by name.
pub mod net {
    pub mod client;
    pub mod guard;
    pub mod network;
}

/// Secrets at rest.
pub mod crypto {
    pub mod seal;
}

/// Durable jobs: lanes, lease, attempt fence, drain.
pub mod queue {
    pub mod handlers;
    pub mod job;
    pub mod service;
    mod store;
    pub mod worker;
}

/// Named windows counted in the database.
pub mod limits {
    pub mod window;
}

/// Who did what; append-only.
pub mod audit {
    pub mod store;
}

// DOMAINS, each knowing only earlier ones.

/// People, organizations, roles, plans, sign-in.
pub mod accounts {
    pub mod model;
    mod password;
    pub mod service;
    mod store;
}

/// Reserve, settle, release; the ledger.
pub mod usage {
    pub mod model;
    pub mod service;
    mod store;
}

/// Pure calculations: the graph of variables and relations.
pub mod finance {
    pub mod fault;
    pub mod flows;
    pub mod graph;
    pub mod loan;
    pub mod relations;
    pub mod roots;
    pub mod variable;
}

/// Notes and their search.
pub mod context {
    pub mod model;
    mod rank;
    pub mod service;
    mod store;
}

/// Sessions, messages, responses, participants.
pub mod sessions {
    pub mod model;
    pub mod service;
    mod store;
}

/// Assistants, installations, links, conversations, chat inbox, deliveries.
pub mod assistants {
    mod addresses;
    mod conversations;
    mod deliveries;
    mod inbox;
    mod installations;
    mod intake;
    pub mod linking;
    mod links;
    pub mod model;
    pub mod service;
    pub mod turns;
}

// ANALYSIS: the core; knows no chat, HTTP or MCP word.

/// A question in, an exact answer out, durably.
pub mod analysis {
    pub mod answer;
    pub mod engine;
    /// The engines behind the trait.
    pub mod engines {
        /// The deterministic analyst: reads, plans, computes, phrases, or asks back.
        pub mod offline {
            mod amounts;
            pub mod analyst;
            mod asides;
            mod calculate;
            mod compose;
            mod deal;
            mod elimination;
            mod fitting;
            pub mod format;
            mod frame;
            mod given;
            mod goals;
            mod guards;
            mod layout;
            mod memory;
            pub mod numbers;
            mod offers;
            mod outcome;
            mod rates;
            mod reading;
            mod recall;
            mod roles;
            mod scan;
            mod schedule;
            mod scope;
            mod series;
            mod settling;
            mod spelling;
            mod terms;
            mod timing;
            mod vocabulary;
            mod wanted;
        }
    }
    pub mod request;
    pub mod service;
}

/// Every domain service in one cheap clone.
pub mod services;

// EDGE: what several faces share.

/// Cookies, forms, pages and problems.
pub mod edge {
    pub mod accent;
    pub mod assets;
    pub mod cookie;
    pub mod csrf;
    pub mod form;
    pub mod origin;
    pub mod problem;
    pub mod view;
    pub mod visitor;
}

// FACES: adapters; none knows another.

/// Assistants where people talk.
pub mod chat {
    /// Every rule of a chat, for every platform.
    pub mod core {
        pub mod about;
        pub mod chat;
        pub mod deliver;
        mod judge;
        pub mod platform;
        pub mod say;
        pub mod turn;
    }
    /// Slack: events in, Web API out.
    pub mod slack {
        mod api;
        pub mod blocks;
        pub mod client;
        pub mod events;
        pub mod failure;
        pub mod inert;
        pub mod manifest;
        pub mod mrkdwn;
        mod people;
        mod recent;
        pub mod routes;
        pub mod signature;
        mod wire;
    }
    /// The browser preview and the connection page.
    pub mod web {
        pub mod connect;
        pub mod markdown;
        pub mod naming;
        pub mod platform;
        pub mod preview;
        mod store;
        mod thread;
    }
}

/// Sign-in and the other server-rendered pages.
pub mod console {
    pub mod home;
    pub mod sign_in;
}

// APP: the only module that knows all.

/// Settings, assembly, routes, command line, demo.
pub mod app {
    pub mod build;
    /// The command line.
    pub mod cli {
        mod admin;
        mod args;
        mod ask;
        mod eval;
        pub mod report;
        pub mod run;
    }
    pub mod config;
    pub mod connections;
    pub mod data_dir;
    /// The invented organization.
    pub mod demo {
        pub mod seed;
    }
    mod doctor;
    pub mod router;
    pub mod serve;
}
