//! The command line: names are fixed, because scripts and operators rely on them.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::app::cli::semantic::Portfolio;
use crate::base::ids::SessionId;

/// Branded team-chat assistants that answer real-estate and finance questions exactly.
#[derive(Debug, Parser)]
#[command(
    name = "corbel",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// Where the embedded database and the master key are [default: ./corbel-data]
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
    /// Start everything with invented people and notes; Ctrl-C ends it, running it again keeps the data
    Demo {
        /// Address to listen on [default: 127.0.0.1:8080]
        #[arg(long, value_name = "ADDR")]
        listen: Option<SocketAddr>,
    },
    /// Run the server; SIGTERM drains it
    Serve,
    /// Answer one question in the terminal
    Ask(Ask),
    /// Answer each case of a file and judge the answers
    Eval {
        /// Cases as JSON: `{"cases": [{"id", "category", "question", "attachments", "expected": {"metric", "value", "unit", "tolerance"} or {"behaviour": "no_number"}, "also"}]}`
        #[arg(value_name = "CASES.json")]
        cases: PathBuf,
    },
    /// Bring the database's schema up to date
    Migrate,
    /// Check settings, database, ledger and audit log, or one assistant's set-up
    Doctor {
        /// Look one assistant's set-up in Slack over, step by step
        #[arg(long, value_name = "ID")]
        assistant: Option<String>,
    },
    /// Ask the portfolio by its data models
    #[command(subcommand)]
    Portfolio(Portfolio),
    /// Set up organizations, people and assistants
    #[command(subcommand)]
    Admin(Admin),
}

#[derive(Debug, Args)]
pub struct Ask {
    /// Organization, by id or exact name; without it the demo organization, made on first use
    #[arg(long, requires = "email")]
    pub org: Option<String>,
    /// Whose question it is
    #[arg(long = "as", value_name = "EMAIL", id = "email", requires = "org")]
    pub email: Option<String>,
    /// Use organisation-safe context only
    #[arg(long)]
    pub organisation_safe: bool,
    /// A file that comes with the question; may be repeated
    #[arg(long, value_name = "FILE")]
    pub attach: Vec<std::path::PathBuf>,
    /// Follow up on an earlier answer: its "sessionId" with --json
    #[arg(long, value_name = "ID")]
    pub session: Option<SessionId>,
    /// The question
    pub question: String,
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
    /// The usage ledger with the verdict on its sums
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
    /// What is known of buildings
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
    /// Make an organization
    Create {
        #[arg(long)]
        name: String,
        /// trial, pro or enterprise
        #[arg(long, default_value = "pro")]
        plan: String,
        /// Included credit of a month, instead of the plan's
        #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
        included_usd: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum User {
    /// Make a person, or let a known one join
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
    /// Show lines, the newest first
    List {
        #[arg(long)]
        org: String,
        /// Only lines before this number
        #[arg(long, value_name = "SEQ")]
        before: Option<i64>,
        /// How many, at most 1000
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=1000))]
        limit: i64,
    },
    /// Compare every line with the chain of digests; ends with 1 and names the first line that does not fit
    Verify {
        #[arg(long)]
        org: String,
        /// The digest that an earlier verification printed: it has to be in the log still
        #[arg(long)]
        head: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum Key {
    /// Make a key; its text is shown once
    Create {
        #[arg(long)]
        org: String,
        /// Whose key it is
        #[arg(long, value_name = "EMAIL")]
        owner: String,
        /// sandbox, development or production
        #[arg(long)]
        environment: String,
        #[arg(long)]
        name: String,
        /// From 1 to 3650; without it the key holds until it is revoked
        #[arg(long, value_name = "DAYS")]
        expires_in_days: Option<u32>,
    },
    /// The keys that hold, with their last use; never their text
    List {
        #[arg(long)]
        org: String,
        /// One person's only
        #[arg(long, value_name = "EMAIL")]
        owner: Option<String>,
        /// Also those revoked or expired
        #[arg(long)]
        all: bool,
    },
    /// Give a key a new text, shown once; the one before holds on for a while
    Rotate {
        #[arg(long)]
        org: String,
        #[arg(long, value_name = "KEYID")]
        key: String,
        /// How long the text before is still accepted: none, 1h, 24h or 7d
        #[arg(long, default_value = "24h")]
        overlap: String,
    },
    /// End a key for good
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
    /// Write a note
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
    /// Add a building, or name a known one anew
    Add {
        #[arg(long)]
        org: String,
        /// The organization's own identifier of it
        #[arg(long)]
        id: String,
        #[arg(long)]
        name: String,
    },
    /// Which there are
    List {
        #[arg(long)]
        org: String,
    },
    /// Say which buildings a member may use, in place of those before
    Grant {
        #[arg(long)]
        org: String,
        /// The member
        #[arg(long, value_name = "EMAIL")]
        user: String,
        /// Every building, also those to come
        #[arg(long, required_unless_present = "buildings", conflicts_with = "buildings")]
        all: bool,
        /// Identifiers, separated by commas; without any: none
        #[arg(long, value_name = "IDS", value_delimiter = ',', num_args = 0..)]
        buildings: Vec<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum AdminPortfolio {
    /// Import files: CSV, Excel, or archives of both; all of them or nothing
    Import(Import),
}

#[derive(Debug, Args)]
pub struct Import {
    #[arg(long)]
    pub org: String,
    /// A folder, or one file
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Read and check, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Load the good rows although others have errors
    #[arg(long)]
    pub partial: bool,
    /// Which system the files come from; its identifiers are kept apart from those of others
    #[arg(long, value_name = "NAME", default_value = "files")]
    pub source: String,
    /// 03/04/2026 is the third of April
    #[arg(long)]
    pub day_first: bool,
    /// The building of rent rolls and income statements that name none
    #[arg(long, value_name = "ID")]
    pub building: Option<String>,
    /// What a column is, for instance rent_roll:Wohnung=unit_number; remembered for the source
    #[arg(long = "map", value_name = "KIND:HEADER=FIELD")]
    pub map: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub enum Assistant {
    /// Make an assistant and its installation on a platform
    Create(Box<CreateAssistant>),
    /// Give what was not known yet, or has changed: secrets, bot token, team, analyst
    Update {
        #[arg(long, value_name = "ID")]
        assistant: String,
        /// The custom analyst that it answers with, by its id; "none": the service's own model
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
    /// What it says when it is greeted
    #[arg(long)]
    pub greeting: Option<String>,
    /// Your own words on billing, privacy and the like
    #[arg(long)]
    pub about: Option<String>,
    #[command(flatten)]
    pub fields: SlackArgs,
}

/// What the app's pages at Slack show. All of it may be given later.
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
    /// Let the assistant answer in approved shared conversations, or not
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
    /// What was asked for and decided, what waits first
    List {
        #[arg(long, value_name = "ID")]
        assistant: String,
        /// Where the page before ended
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Let an approved conversation rest until it is approved again
    Suspend {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "CID")]
        conversation: String,
        /// Shown to administrators
        #[arg(long, default_value = "the operator suspended it")]
        reason: String,
    },
    /// Take an approval back, or decline a request
    Revoke {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "CID")]
        conversation: String,
    },
    /// Approve a conversation by the platform's id of it
    Approve {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "CID")]
        conversation: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Delivery {
    /// Which failed, and why; the newest first
    List {
        #[arg(long, value_name = "ID")]
        assistant: String,
        /// Where the page before ended
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Take one off the list: nobody needs it any more
    Dismiss {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "ID")]
        delivery: String,
    },
    /// Deliver one again; asks nothing again and charges nothing
    Resend {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "ID")]
        delivery: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Link {
    /// Bind a platform identity to an account: for migrations and tests
    Create {
        #[arg(long, value_name = "ID")]
        assistant: String,
        #[arg(long, value_name = "UID")]
        platform_user: String,
        /// Without it, the team of the installation
        #[arg(long, value_name = "TID")]
        platform_team: Option<String>,
        #[arg(long, value_name = "EMAIL")]
        user: String,
    },
}
