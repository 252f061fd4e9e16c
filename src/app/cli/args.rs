//! The arguments of the command line. Names are stable: scripts and operators rely on them.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::app::cli::ask::Ask;
use crate::app::cli::semantic::Portfolio;
use crate::base::model::Model;

/// Branded team-chat assistants that answer real-estate and finance questions exactly.
#[derive(Debug, Parser)]
#[command(
    name = "corbel",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// Directory of the embedded database and the master key [default: ./corbel-data]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Print exactly one JSON object on standard output
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start a demo server with invented people and notes; Ctrl-C stops it, and the data is kept
    Demo {
        /// Address to listen on [default: 127.0.0.1:8080]
        #[arg(long, value_name = "ADDR")]
        listen: Option<SocketAddr>,
    },
    /// Run the server; SIGTERM drains and stops it
    Serve,
    /// Answer one question in the terminal
    Ask(Ask),
    /// Ask each question of a file and evaluate the answers
    Eval {
        /// Cases as JSON: `{"cases": [{"id", "category", "question", "attachments", "expected": {"metric", "value",
        /// "unit", "tolerance"} or {"behaviour": "no_number"}, "also"}]}`
        #[arg(value_name = "CASES.json")]
        cases: PathBuf,
        /// The model that is asked [default: svc-pro, or the built-in analyst if no model is configured]
        #[arg(long, value_name = "MODEL")]
        model: Option<Model>,
        /// Ask each question this many times; the worst answer counts
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=20))]
        times: u32,
    },
    /// Update the database schema
    Migrate,
    /// Check settings, database, ledger and audit log, or the set-up of one assistant
    Doctor {
        /// Check this assistant's set-up in Slack, step by step
        #[arg(long, value_name = "ID")]
        assistant: Option<String>,
    },
    /// Query the portfolio through its data models
    #[command(subcommand)]
    Portfolio(Portfolio),
    /// Set up organizations, people and assistants
    #[command(subcommand)]
    Admin(Admin),
}

#[derive(Debug, Subcommand)]
pub enum Admin {
    /// Organizations
    #[command(subcommand)]
    Org(Org),
    /// People
    #[command(subcommand)]
    User(User),
    /// Project keys of the HTTP API
    #[command(subcommand)]
    Key(Key),
    /// Funded credit
    #[command(subcommand)]
    Credit(Credit),
    /// Show the usage ledger and check its sums
    Ledger {
        #[arg(long)]
        org: String,
    },
    /// The audit log: who did what
    #[command(subcommand)]
    Audit(Audit),
    /// Context notes
    #[command(subcommand)]
    Note(Note),
    /// Buildings, and who may use which
    #[command(subcommand)]
    Buildings(Buildings),
    /// Data of the buildings
    #[command(subcommand)]
    Portfolio(AdminPortfolio),
    /// Assistants
    #[command(subcommand)]
    Assistant(Assistant),
    /// Shared replies of an assistant
    #[command(subcommand)]
    Shared(Shared),
    /// Shared conversations of an assistant
    #[command(subcommand)]
    Conversation(Conversation),
    /// Deliveries of an assistant that failed
    #[command(subcommand)]
    Delivery(Delivery),
    /// Links between platform identities and accounts
    #[command(subcommand)]
    Link(Link),
}

#[derive(Debug, Subcommand)]
pub enum Org {
    /// Create an organization
    Create {
        #[arg(long)]
        name: String,
        /// trial, pro or enterprise
        #[arg(long, default_value = "pro")]
        plan: String,
        /// Included credit per month, instead of the plan's
        #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
        included_usd: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum User {
    /// Create a person, or add a known one to the organization
    Create {
        #[arg(long)]
        org: String,
        #[arg(long)]
        email: String,
        #[arg(long)]
        name: String,
        /// owner, admin or member
        #[arg(long, default_value = "member")]
        role: String,
        /// Read the password from standard input
        #[arg(long)]
        password_stdin: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum Audit {
    /// List entries, newest first
    List {
        #[arg(long)]
        org: String,
        /// Only entries before this number
        #[arg(long, value_name = "SEQ")]
        before: Option<i64>,
        /// Number of entries, at most 1000
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=1000))]
        limit: i64,
    },
    /// Verify every entry against the chain of digests; exits with 1 and names the first entry that does not match
    Verify {
        #[arg(long)]
        org: String,
        /// A digest that an earlier verification printed; it still has to be in the log
        #[arg(long)]
        head: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum Key {
    /// Create a key; its secret is shown once
    Create {
        #[arg(long)]
        org: String,
        /// The owner of the key
        #[arg(long, value_name = "EMAIL")]
        owner: String,
        /// sandbox, development or production
        #[arg(long)]
        environment: String,
        #[arg(long)]
        name: String,
        /// From 1 to 3650; without it, the key is valid until it is revoked
        #[arg(long, value_name = "DAYS")]
        expires_in_days: Option<u32>,
    },
    /// List the valid keys with their last use; never their secrets
    List {
        #[arg(long)]
        org: String,
        /// Only keys of this person
        #[arg(long, value_name = "EMAIL")]
        owner: Option<String>,
        /// Include revoked and expired keys
        #[arg(long)]
        all: bool,
    },
    /// Give a key a new secret, shown once; the previous one stays valid for a while
    Rotate {
        #[arg(long)]
        org: String,
        #[arg(long, value_name = "KEYID")]
        key: String,
        /// How long the previous secret stays valid: none, 1h, 24h or 7d
        #[arg(long, default_value = "24h")]
        overlap: String,
    },
    /// Revoke a key permanently
    Revoke {
        #[arg(long)]
        org: String,
        #[arg(long, value_name = "KEYID")]
        key: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Credit {
    /// Add funded credit
    Add {
        #[arg(long)]
        org: String,
        #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
        usd: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Note {
    /// Create a note
    Create {
        #[arg(long)]
        org: String,
        #[arg(long, value_name = "EMAIL")]
        owner: String,
        /// user_memory (personal) or organisation_memory
        #[arg(long = "type", value_name = "TYPE")]
        kind: String,
        #[arg(long)]
        title: String,
        #[arg(long)]
        body: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Buildings {
    /// Add a building, or rename a known one
    Add {
        #[arg(long)]
        org: String,
        /// The organization's identifier of the building
        #[arg(long)]
        id: String,
        #[arg(long)]
        name: String,
    },
    /// List the buildings
    List {
        #[arg(long)]
        org: String,
    },
    /// Set the buildings that a member may use
    Grant {
        #[arg(long)]
        org: String,
        /// The member
        #[arg(long, value_name = "EMAIL")]
        user: String,
        /// All buildings, including future ones
        #[arg(long, required_unless_present = "buildings", conflicts_with = "buildings")]
        all: bool,
        /// Identifiers, separated by commas; an empty list grants none
        #[arg(long, value_name = "IDS", value_delimiter = ',', num_args = 0..)]
        buildings: Vec<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum AdminPortfolio {
    /// Import CSV and Excel files or ZIP archives of them, all or nothing
    Import(Import),
}

#[derive(Debug, Args)]
pub struct Import {
    #[arg(long)]
    pub org: String,
    /// A folder, or one file
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Check the files without changing anything
    #[arg(long)]
    pub dry_run: bool,
    /// Import the valid rows even if others have errors
    #[arg(long)]
    pub partial: bool,
    /// The system that the files come from; identifiers are kept separate for each system
    #[arg(long, value_name = "NAME", default_value = "files")]
    pub source: String,
    /// Read 03/04/2026 as 3 April
    #[arg(long)]
    pub day_first: bool,
    /// The building of rent rolls and income statements that do not name one
    #[arg(long, value_name = "ID")]
    pub building: Option<String>,
    /// Assign a column to a field, for instance rent_roll:Wohnung=unit_number; remembered for the source
    #[arg(long = "map", value_name = "KIND:HEADER=FIELD")]
    pub map: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub enum Assistant {
    /// Create an assistant and its installation on a platform
    Create(Box<CreateAssistant>),
    /// Update secrets, bot token, team or analyst
    Update {
        #[arg(long, value_name = "ID")]
        assistant: String,
        /// The id of the custom analyst that answers, or "none" for the built-in model
        #[arg(long, value_name = "ID")]
        analyst: Option<String>,
        #[command(flatten)]
        fields: SlackArgs,
    },
    /// Print the app manifest
    Manifest {
        #[arg(long, value_name = "ID")]
        assistant: String,
        /// Write it to a file instead
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub struct CreateAssistant {
    #[arg(long)]
    pub org: String,
    #[arg(long)]
    pub name: String,
    #[arg(long)]
    pub platform: String,
    /// `#rrggbb`
    #[arg(long)]
    pub colour: Option<String>,
    /// What it replies to a greeting
    #[arg(long)]
    pub greeting: Option<String>,
    /// Your text about billing, privacy and similar topics
    #[arg(long)]
    pub about: Option<String>,
    #[command(flatten)]
    pub fields: SlackArgs,
}

/// Values from the app's pages at Slack. All of them may be added later.
#[derive(Debug, Args)]
pub struct SlackArgs {
    #[arg(long)]
    pub app_id: Option<String>,
    #[arg(long)]
    pub client_id: Option<String>,
    #[arg(long)]
    pub client_secret: Option<String>,
    #[arg(long)]
    pub signing_secret: Option<String>,
    #[arg(long)]
    pub bot_token: Option<String>,
    #[arg(long)]
    pub team_id: Option<String>,
    #[arg(long)]
    pub bot_user_id: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Shared {
    /// Turn answers in approved shared conversations on or off
    #[command(group(clap::ArgGroup::new("state").args(["on", "off"]).required(true)))]
    Enable {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long)]
        on: bool,
        #[arg(long)]
        off: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum Conversation {
    /// List requests and decisions, pending requests first
    List {
        #[arg(long, value_name = "ID")]
        assistant: String,
        /// The cursor that the previous page printed
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Suspend an approved conversation until it is approved again
    Suspend {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "CID")]
        conversation: String,
        /// Shown to administrators
        #[arg(long, default_value = "the operator suspended it")]
        reason: String,
    },
    /// Revoke an approval, or decline a request
    Revoke {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "CID")]
        conversation: String,
    },
    /// Approve a conversation by its id on the platform
    Approve {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "CID")]
        conversation: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Delivery {
    /// List failed deliveries with the reason, newest first
    List {
        #[arg(long, value_name = "ID")]
        assistant: String,
        /// The cursor that the previous page printed
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Remove a delivery that is no longer needed from the list
    Dismiss {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "ID")]
        delivery: String,
    },
    /// Deliver an answer again, without another run or charge
    Resend {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "ID")]
        delivery: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Link {
    /// Link a platform identity to an account, for migrations and tests
    Create {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "UID")]
        platform_user: String,
        /// The team on the platform [default: the team of the installation]
        #[arg(long, value_name = "TID")]
        platform_team: Option<String>,
        #[arg(long, value_name = "EMAIL")]
        user: String,
    },
}
