//! `corbel eval`: asks each case of a file through the true core and judges the answers: right, asked back, or wrong.
//!
//! A case is right only if the figure that is named first is the one expected, in its unit and within its tolerance,
//! and every further fact is among the figures. A figure where none may be is wrong. What is wrong says why.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::analysis::answer::{Answer, Figure};
use crate::analysis::request::{Brought, RunRequest};
use crate::app::build::App;
use crate::app::cli::attach::{self, Attached};
use crate::app::cli::report::Report;
use crate::app::demo::seed;
use crate::base::error::{Error, Result};
use crate::base::principal::{Face, Principal};
use crate::queue::worker::Slots;

/// Longest wait for one answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Cases with the figure each must lead to, and questions that must not get a number.
#[derive(Debug, Deserialize)]
struct Cases {
    cases: Vec<Case>,
    #[serde(default)]
    no_number_examples: Vec<Case>,
}

#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    #[serde(default)]
    category: String,
    question: String,
    #[serde(default)]
    attachments: Vec<Attachment>,
    #[serde(default)]
    expected: Expected,
    /// Further facts that a full answer has.
    #[serde(default)]
    also: Vec<Fact>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attachment {
    filename: String,
    #[serde(default)]
    content_type: Option<String>,
    content: String,
}

#[derive(Debug, Default, Deserialize)]
struct Expected {
    #[serde(default)]
    behaviour: Behaviour,
    #[serde(default)]
    metric: String,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    unit: Option<String>,
    #[serde(default)]
    tolerance: f64,
    /// Some cases have them here.
    #[serde(default)]
    also: Vec<Fact>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Behaviour {
    #[default]
    Number,
    NoNumber,
}

#[derive(Debug, Deserialize)]
struct Fact {
    metric: String,
    value: Value,
    #[serde(default)]
    tolerance: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Right,
    AskedBack,
    Wrong,
}

impl Verdict {
    const fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::AskedBack => "asked back",
            Self::Wrong => "wrong",
        }
    }
}

/// One case, answered.
struct Judged<'a> {
    case: &'a Case,
    category: &'a str,
    verdict: Verdict,
    said: String,
    /// Why it is wrong.
    why: Option<String>,
}

pub async fn eval(app: &App, file: &Path) -> Result<Report> {
    let unreadable = |why: String| Error::invalid("cases", format!("{}: {why}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
    let cases: Cases = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let seeded = seed::find_or_seed(app).await?;
    let member = app
        .services
        .accounts
        .member_by_email(seeded.org, seed::MEMBER.email)
        .await?;
    let principal = Principal {
        org: member.org_id,
        user: member.user_id,
        role: member.role,
        face: Face::Cli,
    };
    let (stop, stopping) = watch::channel(false);
    let worker = app.worker.clone();
    let working = tokio::spawn(async move { worker.run(Slots { chat: 0, run: 2 }, stopping).await });
    let judged = judge_all(app, &principal, &cases).await;
    let _ = stop.send(true);
    working.await.map_err(Error::internal)?;
    Ok(report(&judged?))
}

fn report(judged: &[Judged<'_>]) -> Report {
    let count = |category: Option<&str>, verdict: Verdict| {
        judged
            .iter()
            .filter(|own| category.is_none_or(|category| own.category == category) && own.verdict == verdict)
            .count()
    };
    let sums = |category: Option<&str>| {
        json!({
            "right": count(category, Verdict::Right),
            "askedBack": count(category, Verdict::AskedBack),
            "wrong": count(category, Verdict::Wrong),
        })
    };
    let mut categories: BTreeMap<&str, Value> = BTreeMap::new();
    for own in judged {
        categories
            .entry(own.category)
            .or_insert_with(|| sums(Some(own.category)));
    }
    let mut lines: Vec<String> = judged
        .iter()
        .map(|own| {
            let why = own.why.as_ref().map_or(String::new(), |why| format!(" [{why}]"));
            format!(
                "{:<10} {} ({}): {}{why}",
                own.verdict.word(),
                own.case.id,
                own.category,
                own.said
            )
        })
        .collect();
    lines.push(String::new());
    for category in categories.keys() {
        let own = |verdict| count(Some(category), verdict);
        lines.push(format!(
            "{category}: {} right, {} asked back, {} wrong",
            own(Verdict::Right),
            own(Verdict::AskedBack),
            own(Verdict::Wrong)
        ));
    }
    let (right, asked, wrong) = (
        count(None, Verdict::Right),
        count(None, Verdict::AskedBack),
        count(None, Verdict::Wrong),
    );
    lines.push(format!("{right} right, {asked} asked back, {wrong} wrong"));
    let listed: Vec<Value> = judged
        .iter()
        .map(|own| {
            json!({
                "id": own.case.id,
                "category": own.category,
                "verdict": own.verdict.word(),
                "quickReply": own.said,
                "why": own.why,
            })
        })
        .collect();
    let body = json!({
        "right": right, "askedBack": asked, "wrong": wrong, "categories": categories, "cases": listed,
    });
    let mut report = Report::new(body, lines.join("\n"));
    report.fine = wrong == 0;
    report
}

async fn judge_all<'a>(app: &App, principal: &Principal, cases: &'a Cases) -> Result<Vec<Judged<'a>>> {
    let mut judged = Vec::new();
    let numbers = cases.cases.iter().map(|case| (case, true));
    for (case, wants_number) in numbers.chain(cases.no_number_examples.iter().map(|case| (case, false))) {
        let answer = match ask(app, principal, case).await {
            Ok(answer) => answer,
            // One case that cannot be asked costs the others nothing.
            Err(error @ Error::Invalid { .. }) => {
                judged.push(Judged {
                    case,
                    category: case.category.as_str(),
                    verdict: Verdict::Wrong,
                    said: String::new(),
                    why: Some(format!("could not be asked: {error}")),
                });
                continue;
            }
            Err(error) => return Err(error),
        };
        let (verdict, category) = if wants_number && case.expected.behaviour == Behaviour::Number {
            (judge(case, &answer), case.category.as_str())
        } else {
            (without_number(&answer), "no number")
        };
        judged.push(Judged {
            case,
            category,
            verdict,
            why: (verdict == Verdict::Wrong).then(|| why(case, &answer)),
            said: answer.quick_reply,
        });
    }
    Ok(judged)
}

async fn ask(app: &App, principal: &Principal, case: &Case) -> Result<Answer> {
    let attached = case
        .attachments
        .iter()
        .map(|file| Attached {
            name: file.filename.clone(),
            declared_type: file.content_type.clone(),
            bytes: file.content.clone().into_bytes(),
        })
        .collect();
    let request = RunRequest {
        question: case.question.clone(),
        brought: Brought {
            files: attach::keep(&app.services.files, principal, attached).await?,
            ..Brought::default()
        },
        ..RunRequest::default()
    };
    let analysis = &app.services.analysis;
    let admitted = analysis.admit(principal, request, None).await?;
    let ended = analysis.wait(principal.org, admitted.message, PATIENCE).await?;
    let answer = match ended {
        Some(_) => analysis.answer_of(principal.org, admitted.message).await?,
        None => None,
    };
    answer.ok_or_else(|| Error::upstream(format!("{} was not answered", case.id)))
}

fn judge(case: &Case, answer: &Answer) -> Verdict {
    let Some(first) = answer.figures.first() else {
        return if answer.success {
            Verdict::Wrong
        } else {
            Verdict::AskedBack
        };
    };
    let expected = &case.expected;
    let fits = |figure: &Figure| {
        figure.name == expected.metric
            && expected.unit.as_ref().is_none_or(|unit| *unit == figure.unit)
            && close(&figure.value, &expected.value, expected.tolerance)
    };
    let whole = case
        .also
        .iter()
        .chain(&expected.also)
        .all(|fact| stated(fact, answer, expected.tolerance));
    if answer.success && fits(first) && whole {
        Verdict::Right
    } else {
        Verdict::Wrong
    }
}

/// What was stated in place of what was expected: names, units and values.
fn why(case: &Case, answer: &Answer) -> String {
    let got = match answer.figures.first() {
        Some(figure) => format!("{} {} {}", figure.name, figure.value, figure.unit),
        None => "no figure".to_owned(),
    };
    let expected = &case.expected;
    if expected.behaviour == Behaviour::NoNumber || expected.metric.is_empty() {
        return format!("no figure expected, got {got}");
    }
    let unit = expected
        .unit
        .as_ref()
        .map_or(String::new(), |unit| format!(" {unit}"));
    let missing: Vec<&str> = case
        .also
        .iter()
        .chain(&expected.also)
        .filter(|fact| !stated(fact, answer, expected.tolerance))
        .map(|fact| fact.metric.as_str())
        .collect();
    let also = if missing.is_empty() {
        String::new()
    } else {
        format!("; without {}", missing.join(", "))
    };
    format!(
        "expected {} {}{unit}, got {got}{also}",
        expected.metric, expected.value
    )
}

/// Whether a further fact is among the figures. Printed values are rounded, so a cent is near enough.
fn stated(fact: &Fact, answer: &Answer, tolerance: f64) -> bool {
    let tolerance = fact.tolerance.unwrap_or(tolerance.max(0.01));
    answer
        .figures
        .iter()
        .any(|figure| figure.name == fact.metric && close(&figure.value, &fact.value, tolerance))
}

fn without_number(answer: &Answer) -> Verdict {
    if answer.figures.is_empty() && !answer.success {
        Verdict::Right
    } else {
        Verdict::Wrong
    }
}

/// Numbers within the tolerance, texts and dates alike, lists one by one.
fn close(got: &Value, want: &Value, tolerance: f64) -> bool {
    match (got, want) {
        (Value::Array(got), Value::Array(want)) => {
            got.len() == want.len()
                && got
                    .iter()
                    .zip(want)
                    .all(|(got, want)| close(got, want, tolerance))
        }
        (Value::Object(got), Value::Object(want)) => {
            got.len() == want.len()
                && want
                    .iter()
                    .all(|(key, want)| got.get(key).is_some_and(|got| close(got, want, tolerance)))
        }
        _ => match (got.as_f64(), want.as_f64()) {
            (Some(got), Some(want)) => (got - want).abs() <= tolerance,
            _ => got == want,
        },
    }
}
