//! `corbel ask`: answers one question through the analysis core, with its own worker while it waits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use tokio::sync::watch;

use crate::analysis::answer::Answer;
use crate::analysis::request::{QuestionFiles, RunRequest};
use crate::analysis::selection::Selection;
use crate::app::build::App;
use crate::app::cli::attach;
use crate::app::cli::report::Report;
use crate::app::demo::seed;
use crate::base::error::{Error, Result};
use crate::base::ids::{MessageId, OrgId, SessionId};
use crate::base::model::Model;
use crate::base::principal::{Face, Principal};
use crate::base::tone::Tone;
use crate::queue::job::Slots;
use crate::sessions::model::Which;

#[derive(Debug, Args)]
pub struct Ask {
    /// Organization, by id or exact name; without it, the demo organization, created on first use
    #[arg(long, requires = "email")]
    pub org: Option<String>,
    /// The person who asks
    #[arg(long = "as", value_name = "EMAIL", id = "email", requires = "org")]
    pub email: Option<String>,
    /// Use organisation-safe context only
    #[arg(long)]
    pub organisation_safe: bool,
    /// Attach a file to the question; may be repeated
    #[arg(long, value_name = "FILE")]
    pub attach: Vec<PathBuf>,
    /// Follow up on an earlier answer: the "sessionId" from its --json output
    #[arg(long, value_name = "ID")]
    pub session: Option<SessionId>,
    /// The model that is asked: svc-pro, svc-fast, or svc-local for the built-in analyst [default: svc-pro]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<Model>,
    /// Without --model: ask svc-fast
    #[arg(long)]
    pub fast: bool,
    /// The tone of the answer: professional, friendly, authoritative, consultative, funny [default: professional]
    #[arg(long, value_name = "TONE")]
    pub tone: Option<Tone>,
    /// Write the files that the answer made into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The question
    pub question: String,
}

/// Longest wait for an answer in addition to the time that a language model has.
const PATIENCE: Duration = Duration::from_secs(120);
/// Largest generated file.
const MOST_BYTES: u64 = 52_428_800;

pub async fn ask(app: &App, args: Ask) -> Result<Report> {
    let services = &app.services;
    let member = match (&args.org, &args.email) {
        (Some(org), Some(email)) => {
            let org = services.accounts.org(org).await?;
            services.accounts.member_by_email(org.id, email).await?
        }
        _ => {
            let seeded = seed::find_or_seed(app).await?;
            services
                .accounts
                .member_by_email(seeded.org, seed::MEMBER.email)
                .await?
        }
    };
    let principal = Principal {
        org: member.org_id,
        user: member.user_id,
        role: member.role,
        face: Face::Cli,
    };
    let attached = attach::read(&args.attach)?;
    let request = RunRequest {
        files: QuestionFiles {
            new: attach::keep(&services.files, &principal, attached).await?,
            ..QuestionFiles::default()
        },
        question: args.question,
        session: args.session.map_or(Which::New, Which::Existing),
        organisation_safe: args.organisation_safe,
        tone: args.tone.unwrap_or_default(),
        fast: args.fast,
        selection: Selection {
            model: args.model,
            ..Selection::default()
        },
        ..RunRequest::default()
    };
    let admitted = services.analysis.admit(&principal, request, None).await?;
    let (stop, stopping) = watch::channel(false);
    let worker = app.worker.clone();
    // If a server is running, either of the two may claim the run; both write the same answer.
    let working = tokio::spawn(async move { worker.run(Slots::for_runs(1), stopping).await });
    let ended = services
        .analysis
        .wait(
            principal.org,
            admitted.message,
            PATIENCE + services.analysis.longest_answer(),
        )
        .await;
    let _ = stop.send(true);
    working.await.map_err(Error::internal)?;
    let Some(message) = ended? else {
        return Err(Error::upstream(
            "the run has not ended yet; a running server will finish it",
        ));
    };
    let completed = services.analysis.completed(principal.org, &message).await?;
    if let Some(dir) = &args.out {
        write_files(app, principal.org, admitted.message, dir).await?;
    }
    let text = text(&completed.answer);
    Ok(Report::new(
        serde_json::to_value(completed).map_err(Error::internal)?,
        text,
    ))
}

/// Writes the files that an answer made. Names that exist get a number.
async fn write_files(app: &App, org: OrgId, message: MessageId, dir: &Path) -> Result<()> {
    let failed = |error: std::io::Error| Error::invalid("--out", format!("{}: {error}", dir.display()));
    std::fs::create_dir_all(dir).map_err(failed)?;
    let files = &app.services.files;
    for file in files.of_answer(org, message).await? {
        let bytes = files.bytes_of(org, &file, MOST_BYTES).await?;
        let name = Path::new(&file.name).file_name().unwrap_or_default().to_owned();
        let mut path = dir.join(&name);
        let mut number = 1;
        while path.exists() {
            number += 1;
            path = dir.join(format!("{number}-{}", name.to_string_lossy()));
        }
        std::fs::write(path, bytes).map_err(failed)?;
    }
    Ok(())
}

/// The answer for a terminal: the result, then its sources.
fn text(answer: &Answer) -> String {
    let main = if answer.result.trim().is_empty() {
        &answer.quick_reply
    } else {
        &answer.result
    };
    let mut text = main.trim().to_owned();
    let sources: Vec<&str> = answer
        .sources
        .iter()
        .map(|source| source.title.as_str())
        .collect();
    if !sources.is_empty() {
        text.push_str(&format!("\n\nSources: {}", sources.join(", ")));
    }
    text
}
