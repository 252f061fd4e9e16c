//! `corbel admin audit`: lists the audit log and verifies its integrity.

use serde_json::{Value, json};

use crate::app::cli::args::Audit;
use crate::app::cli::report::Report;
use crate::audit::store::{self as audit, FaultKind, Line};
use crate::base::error::{Error, Result};
use crate::services::Services;

pub async fn run(services: &Services, command: Audit) -> Result<Report> {
    match command {
        Audit::List { org, before, limit } => {
            let org = services.accounts.org(&org).await?;
            let lines = audit::list_before(&services.db, org.id, before.unwrap_or(i64::MAX), limit).await?;
            let mut text: Vec<String> = lines.iter().map(line_text).collect();
            if text.is_empty() {
                text.push("No entries.".to_owned());
            }
            let body: Vec<Value> = lines.iter().map(line_json).collect();
            // The first entry has the number 1.
            let next = lines.last().map(|line| line.seq).filter(|seq| *seq > 1);
            if let Some(next) = next {
                text.push(format!("Earlier entries: --before {next}"));
            }
            Ok(Report::new(
                json!({ "orgId": org.id, "lines": body, "nextBefore": next }),
                text.join("\n"),
            ))
        }
        Audit::Verify { org, head: expected } => {
            let org = services.accounts.org(&org).await?;
            let verdict = audit::verify(&services.db, org.id).await?;
            let expected = expected.map(|expected| hex::decode(expected.trim())).transpose();
            let expected = expected
                .map_err(|_| Error::invalid("head", "is not a digest; use the one that was printed"))?;
            let lost = match &expected {
                Some(expected) => !audit::contains_digest(&services.db, org.id, expected).await?,
                None => false,
            };
            let head = hex::encode(&verdict.head);
            let text = match verdict.fault {
                None if lost => format!(
                    "THE AUDIT LOG OF {} WAS REPLACED: its {} entries match each other, but none has the digest given \
                     with --head. It was truncated or rewritten since.",
                    org.name, verdict.lines
                ),
                None => format!(
                    "The audit log of {} is intact: {} entries, the last with the digest\n{head}",
                    org.name, verdict.lines
                ),
                Some(fault) => {
                    let what = match fault.kind {
                        FaultKind::Altered => "was altered",
                        FaultKind::Missing => "is missing",
                        FaultKind::Added => "was added outside of the chain",
                    };
                    format!(
                        "THE AUDIT LOG OF {} IS NOT INTACT: entry {} {what}. The {} entries before it match.",
                        org.name, fault.seq, verdict.lines
                    )
                }
            };
            let fault = verdict
                .fault
                .map(|fault| json!({ "seq": fault.seq, "kind": fault.kind.as_str() }));
            let body = json!({
                "orgId": org.id,
                "intact": verdict.fault.is_none() && !lost,
                "lines": verdict.lines,
                "head": head,
                "fault": fault,
                "seen": expected.map(|_| !lost),
            });
            let mut report = Report::new(body, text);
            report.success = verdict.fault.is_none() && !lost;
            Ok(report)
        }
    }
}

fn line_text(line: &Line) -> String {
    let who = line.actor.map_or_else(|| "-".to_owned(), |user| user.to_string());
    format!(
        "{:>6}  {}  {:<7} {:<36}  {:<28} {}  {}",
        line.seq,
        line.at.format("%Y-%m-%d %H:%M:%S"),
        line.face,
        who,
        line.action,
        line.subject,
        *line.details
    )
}

fn line_json(line: &Line) -> Value {
    json!({
        "seq": line.seq,
        "at": line.at,
        "actor": line.actor,
        "face": line.face,
        "action": line.action,
        "subject": line.subject,
        "details": *line.details,
        "digest": hex::encode(&line.digest),
    })
}
