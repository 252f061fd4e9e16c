//! Corbel: branded team-chat assistants that answer real-estate and finance questions exactly.
//!
//! This file is the map: it declares the whole module tree, layer by layer, with one line for each folder. A module may
//! import only from layers above its own in this file; `tests/suite/layers.rs` checks that. `ARCHITECTURE.md` explains
//! how the parts work together.

// BASE: types that every layer uses. No database, no network.

/// Errors, ids, the clock, money, secrets, text validation, names of models and tones, and the authenticated caller.
pub mod base {
    pub mod blocking;
    pub mod clock;
    pub mod error;
    pub mod fair_permits;
    pub mod ids;
    pub mod model;
    pub mod money;
    pub mod principal;
    /// Markdown of answers, safe to show everywhere: no images, HTML, mentions and hidden addresses.
    pub mod safe_markdown {
        mod addresses;
        pub mod clean;
        pub mod hosts;
    }
    pub mod secret;
    pub mod text;
    pub mod tone;
}

// PLATFORM: technical services that do not depend on any domain.

/// Database access: the same SQL for SQLite and PostgreSQL, and transactions as closures that can be retried.
pub mod db {
    pub mod args;
    pub mod cells;
    pub mod connections;
    pub mod error;
    pub mod exec;
    mod migrate;
    pub mod outage;
    pub mod pool;
    pub mod read_batching;
    pub mod snapshot;
    pub mod tx;
    mod write;
}

/// Outbound HTTP, with a guard that refuses private addresses, and IP networks in CIDR notation.
pub mod net {
    pub mod client;
    pub mod download;
    pub mod guard;
    pub mod model_transport;
    pub mod network;
    pub mod operator_client;
}

/// Encryption of stored secrets, and signatures.
pub mod crypto {
    pub mod seal;
    pub mod sign;
}

/// The job queue: durable jobs with leases and retries; jobs of one lane run one at a time.
pub mod queue {
    pub mod alarm;
    mod claims;
    pub mod handlers;
    pub mod job;
    pub mod service;
    mod shares;
    mod store;
    pub mod worker;
}

/// Rate limits, shared by all nodes.
pub mod limits {
    pub mod counter;
    mod counter_table;
    mod local_counter;
    pub mod permit;
    pub mod sliding_window;
    pub mod window;
}

/// The append-only audit log.
pub mod audit {
    pub mod store;
}

/// Blob storage in a folder or an S3-compatible service.
pub mod blobs {
    pub mod store;
}

// DOMAINS: the business rules. Each folder may import only earlier ones.

/// Organizations and their plans, people, roles and sign-in.
pub mod accounts {
    pub mod model;
    mod password;
    pub mod service;
    mod store;
}

/// Project keys, with which clients of the HTTP API authenticate.
pub mod keys {
    mod cache;
    mod last_use;
    pub mod model;
    pub mod service;
    mod store;
}

/// Usage accounting: reserves credit for each run, settles its cost, and keeps the ledger.
pub mod usage {
    mod days;
    pub mod language_models;
    pub mod model;
    pub mod model_days;
    pub mod model_limits;
    mod month;
    mod period;
    mod quotas;
    pub mod reserving;
    pub mod service;
    pub mod spending;
    mod store;
}

/// Uploaded and attached files: size limits, type detection, storage and download links.
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

/// Context notes, personal and of the organization, and the search in them.
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

/// Custom analysts: a built-in model with its own name, tone, instructions and Organization notes.
pub mod analysts {
    pub mod model;
    pub mod service;
    mod store;
}

/// The organization's portfolio: buildings, access grants, imports, metrics and queries. `portfolio.rs` is its map.
pub mod portfolio;

/// Sessions: conversations of messages and responses, and who takes part in them.
pub mod sessions {
    mod history;
    pub mod model;
    pub mod opening;
    pub mod service;
    mod store;
}

/// Branded assistants on chat platforms: installations, linked accounts, incoming turns and outgoing messages.
pub mod assistants {
    mod analyst_binding;
    mod appearance;
    mod assistant_store;
    pub mod brand;
    /// Shared conversations and whether assistants may answer in them.
    pub mod conversations {
        pub mod service;
        mod shares;
        pub(super) mod store;
    }
    /// Messages to post on a platform, and how far each has come.
    pub mod deliveries {
        mod admin_queue;
        mod feedback_store;
        pub mod parts;
        pub mod service;
        mod store;
    }
    pub mod icon;
    /// Incoming turns and interactions, stored before they are acknowledged and handled once.
    pub mod inbox {
        mod intake;
        pub mod interaction;
        mod interaction_store;
        mod interactions;
        pub mod service;
        mod store;
    }
    /// Assistants installed on platforms, and what platforms report about them.
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
    /// Links between platform identities and accounts.
    pub mod links {
        mod roster;
        pub mod service;
        mod store;
    }
    pub mod model;
    pub mod paging;
    pub mod records;
    pub mod service;
    /// The Slack part of an installation: app, secrets, tokens and scopes.
    pub mod slack {
        pub mod app;
        pub mod grants;
        mod install;
        pub mod previous_secrets;
        pub(super) mod store;
        mod tokens;
    }
}

// ANALYSIS: the core. It does not depend on chat, HTTP or MCP.

/// Admits questions as runs, lets an engine answer them, and stores the answers. `analysis.rs` is its map.
pub mod analysis;

/// All services in one cheaply cloned value, which each face gets.
pub mod services;

// EDGE: HTTP code that several faces share.

/// Cookies, forms, the page frame, static assets and error responses.
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
    pub mod slots;
    pub mod view;
    pub mod visitor;
}

// FACES: the interfaces to people and clients. They do not depend on each other. Within `chat`, all use `core`, and
// `setup` uses `slack`.

/// The HTTP API, with one file for each resource.
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
    pub mod integer;
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
    /// Reads request bodies with files, as JSON or as a form, into the same fields and spooled files.
    pub mod upload {
        mod base64;
        pub mod form;
        mod gathering;
        mod json;
        mod multipart;
        pub mod reader;
        mod source;
    }
}

/// Assistants in team chat: Slack, the browser preview, and the pages that set assistants up.
pub mod chat {
    /// The rules of a chat, the same for every platform.
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
    /// The Slack adapter: receives events and calls the Web API.
    pub mod slack {
        pub mod access;
        mod api;
        mod app_home;
        pub mod blocks;
        mod buttons;
        pub mod client;
        pub mod content;
        pub mod doctor;
        pub mod events;
        pub mod failure;
        pub mod fields;
        mod file_stub;
        mod files;
        mod history;
        pub mod hosts;
        pub mod interactivity;
        pub mod lifecycle;
        mod lookups;
        pub mod manifest;
        pub mod mrkdwn;
        mod pasted_table;
        mod people;
        mod rich_text;
        pub mod rotation;
        pub mod routes;
        pub mod signature;
        mod signed;
        pub mod split;
        pub mod table;
        pub mod unmarked;
        mod upload;
        mod wire;
    }
    /// The pages on which administrators set up and manage assistants.
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
    /// The browser preview of an assistant, and the page that connects a chat identity to an account.
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

/// The other server-rendered pages: sign-in, home, project keys, usage, and the portfolio with its import.
pub mod console {
    pub mod chart;
    pub mod home;
    pub mod import;
    pub mod keys;
    pub mod language_models;
    pub mod portfolio;
    pub mod sign_in;
    pub mod usage;
}

// APP: the only module that may import everything.

/// The program: settings, assembly of the services, routes, command line and demo.
pub mod app {
    pub mod body_time;
    pub mod build;
    /// The command-line interface.
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
    mod client;
    pub mod config;
    pub mod connections;
    pub mod data_dir;
    mod model_config;
    mod model_doctor;
    /// The demo organization.
    pub mod demo {
        pub mod portfolio;
        pub mod seed;
    }
    mod doctor;
    mod metrics;
    pub mod router;
    pub mod serve;
    mod setting_values;
    pub mod sweep;
    mod telemetry;
}
