//! Corbel: branded team-chat assistants that answer real-estate and finance questions exactly.
//!
//! This file is the map: the whole module tree, layer by layer. Imports point upward in it only;
//! `tests/suite/layers.rs` checks that. `ARCHITECTURE.md` tells the story.

// BASE: shared words; no driver, no transport.

/// Errors, identifiers, time, money, secrets, texts, names of models and tones, and who asks.
pub mod base {
    pub mod clock;
    pub mod error;
    pub mod ids;
    pub mod model;
    pub mod money;
    pub mod principal;
    pub mod secret;
    pub mod text;
    pub mod tone;
}

// PLATFORM: machines below the domains.

/// One SQL text for SQLite and PostgreSQL; every write is a closure.
pub mod db {
    pub mod args;
    pub mod cells;
    pub mod connections;
    pub mod error;
    pub mod exec;
    mod migrate;
    pub mod pool;
    pub mod read_batching;
    pub mod retry;
    pub mod snapshot;
    pub mod tx;
    mod write;
}

/// The one outbound HTTP client and its address guard; networks by name.
pub mod net {
    pub mod client;
    pub mod download;
    pub mod guard;
    pub mod network;
    pub mod operator_client;
}

/// Secrets at rest, signatures.
pub mod crypto {
    pub mod seal;
    pub mod sign;
}

/// Durable jobs: lanes, lease, attempt fence, drain.
pub mod queue {
    pub mod alarm;
    pub mod handlers;
    pub mod job;
    pub mod service;
    mod store;
    pub mod worker;
}

/// How often something may be done in a time, counted over all nodes.
pub mod limits {
    pub mod counter;
    mod counter_table;
    mod local_counter;
    pub mod permit;
    pub mod record;
    pub mod window;
}

/// Who did what; append-only.
pub mod audit {
    pub mod store;
}

/// Bytes of files under opaque keys, in a folder or in S3-compatible storage.
pub mod blobs {
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

/// Project keys of the HTTP API.
pub mod keys {
    mod cache;
    mod last_use;
    pub mod model;
    pub mod service;
    mod store;
}

/// Reserve, settle, release; the ledger.
pub mod usage {
    mod days;
    pub mod model;
    mod month;
    mod quotas;
    pub mod reserving;
    pub mod service;
    mod store;
}

/// Files that came along: limits, true kind, verdict.
pub mod files {
    pub mod content_type;
    pub mod limits;
    pub mod links;
    pub mod model;
    pub mod service;
    pub mod spool;
    mod store;
    mod sweep;
}

/// Notes and their search.
pub mod context {
    pub mod files;
    mod index;
    pub mod model;
    mod rank;
    pub mod search;
    pub mod service;
    mod store;
    pub mod terms;
}

/// Custom analysts: a model with a tone, instructions and Organization notes of its own.
pub mod analysts {
    pub mod model;
    pub mod service;
    mod store;
}

/// Buildings and who may use which; what is known of them, imported. Its file is its map.
pub mod portfolio;

/// Sessions, messages, responses, participants.
pub mod sessions {
    pub mod entering;
    mod history;
    pub mod model;
    pub mod service;
    mod store;
}

/// Branded assistants, and what they need to work in a chat.
pub mod assistants {
    mod analyst_binding;
    mod appearance;
    mod assistant_store;
    pub mod brand;
    /// Shared conversations and their approval.
    pub mod conversations {
        pub mod service;
        mod shares;
        pub(super) mod store;
    }
    /// What is to be posted, and how far each post has come.
    pub mod deliveries {
        mod admin_queue;
        mod feedback_store;
        pub mod parts;
        pub mod service;
        mod store;
    }
    pub mod icon;
    /// Turns and interactions: stored before they are acknowledged, decided once.
    pub mod inbox {
        mod intake;
        pub mod interaction;
        mod interaction_store;
        mod interactions;
        pub mod service;
        mod store;
    }
    /// An assistant on a platform: installing it, and what the platform does to it later.
    pub mod installations {
        pub mod alerts;
        mod cache;
        mod consent_store;
        pub mod lifecycle;
        mod seal_check;
        pub mod service;
        pub(super) mod store;
    }
    pub mod jobs;
    /// Platform identities linked to accounts.
    pub mod links {
        mod roster;
        pub mod service;
        mod store;
    }
    pub mod model;
    pub mod paging;
    pub mod records;
    pub mod service;
    /// Slack's part of an installation.
    pub mod slack {
        pub mod app;
        pub mod grants;
        mod install;
        pub mod previous_secrets;
        pub(super) mod store;
        mod tokens;
    }
}

// ANALYSIS: the core; knows no chat, HTTP or MCP word.

/// A question in, an exact answer out, durably.
pub mod analysis {
    pub mod admission;
    pub mod answer;
    pub mod completed;
    pub mod engine;
    /// The engines behind the trait.
    pub mod engines {
        /// The deterministic analyst of `crates/analyst`.
        pub mod offline;
    }
    mod gather;
    mod intake;
    mod reading;
    pub mod request;
    pub mod selection;
    pub mod service;
    pub mod submission;
    /// Typed tools that every engine may call, bound to the run's rights.
    pub mod tools {
        pub mod kit;
        pub mod portfolio;
        pub mod toolbox;
    }
    mod waiting;
}

/// Every domain service in one cheap clone.
pub mod services;

// EDGE: what several faces share.

/// Cookies, forms, pages and problems.
pub mod edge {
    pub mod accent;
    pub mod assets;
    pub mod avatar;
    pub mod bounded_body;
    pub mod codes;
    pub mod cookie;
    pub mod csrf;
    pub mod form;
    pub mod origin;
    pub mod problem;
    pub mod view;
    pub mod visitor;
}

// FACES: adapters; none knows another.

/// The HTTP API: one file for each resource.
pub mod api {
    pub mod analysts;
    pub mod body;
    pub mod caller;
    pub mod completed;
    pub mod cursor;
    pub mod docs;
    pub mod download;
    mod examples;
    pub mod failure;
    pub mod files;
    pub mod flag;
    mod forms;
    pub mod me;
    pub mod memories;
    pub mod messages;
    pub mod note_files;
    pub mod notes;
    pub mod openapi;
    pub mod path;
    pub mod query;
    mod rate;
    pub mod responses;
    pub mod routes;
    pub mod run;
    pub mod runs;
    pub mod sessions;
    /// Bodies of requests as they arrive: JSON and forms to the same fields and spooled files.
    pub mod upload {
        mod base64;
        pub mod form;
        mod gathering;
        mod json;
        mod multipart;
        pub mod reader;
        mod source;
    }
    pub mod integer;
}

/// Assistants where people talk.
pub mod chat {
    /// Every rule of a chat, for every platform.
    pub mod core {
        pub mod about;
        pub mod analyst;
        mod announce;
        mod answer;
        pub mod answer_files;
        mod approve;
        mod buildings;
        pub mod chat;
        mod cleanup;
        mod decision;
        mod deferred;
        pub mod deliveries;
        pub mod doctor;
        pub mod effect;
        mod files;
        pub mod find_post;
        pub mod greeting;
        mod home;
        mod interaction;
        pub mod interactions;
        pub mod link_removal;
        mod notices;
        mod parts;
        mod placeholder;
        pub mod platform;
        mod post_ids;
        mod posting;
        mod private;
        mod progress;
        pub mod rate_limits;
        mod refusals;
        pub mod rules;
        pub mod say;
        mod share;
        mod stop;
        mod thread;
        pub mod ttl_cache;
        pub mod turns;
    }
    /// Slack: events in, Web API out.
    pub mod slack {
        pub mod access;
        mod api;
        mod app_home;
        pub mod blocks;
        mod buttons;
        pub mod client;
        pub mod doctor;
        pub mod events;
        pub mod failure;
        pub mod fields;
        mod files;
        mod history;
        pub mod hosts;
        pub mod interactivity;
        pub mod lifecycle;
        mod lookups;
        pub mod manifest;
        pub mod mrkdwn;
        mod people;
        pub mod rotation;
        pub mod routes;
        pub mod signature;
        mod signed;
        pub mod split;
        pub mod table;
        mod upload;
        mod wire;
    }
    /// The pages with which administrators set assistants up and look after them.
    pub mod setup {
        pub mod analyst;
        pub mod app;
        pub mod brand;
        pub mod buildings;
        pub mod consent;
        pub mod conversations;
        pub mod deliveries;
        pub mod doctor;
        pub mod feedback;
        pub mod icon;
        pub mod install;
        pub mod list;
        pub mod nav;
        pub mod opening;
        pub mod people;
        pub mod routes;
        pub mod start;
        pub mod token;
    }
    /// The browser preview and the connection page.
    pub mod web {
        pub mod connect;
        pub mod files;
        pub mod markdown;
        pub mod naming;
        pub mod platform;
        pub mod preview;
        mod store;
        mod suggestions;
        mod thread;
    }
}

/// Sign-in and the other server-rendered pages.
pub mod console {
    pub mod chart;
    pub mod home;
    pub mod import;
    pub mod keys;
    pub mod portfolio;
    pub mod sign_in;
    pub mod usage;
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
        mod attach;
        mod audit;
        mod buildings;
        mod conversations;
        mod deliveries;
        mod eval;
        mod import;
        mod keys;
        mod lookup;
        pub mod report;
        pub mod run;
        mod semantic;
    }
    pub mod config;
    pub mod connections;
    pub mod data_dir;
    /// The invented organization.
    pub mod demo {
        mod portfolio;
        pub mod seed;
    }
    mod doctor;
    mod metrics;
    pub mod router;
    pub mod serve;
    pub mod sweep;
    mod telemetry;
}
