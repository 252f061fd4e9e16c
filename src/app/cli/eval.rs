//! `corbel eval`: asks each case of a file through the analysis core and evaluates the answers: right, clarifying
//! question ("asked back"), or wrong.
//!
//! A case is right only if the first figure is the expected one, in its unit and within its tolerance, and every
//! further fact is among the figures. A figure where none is expected is wrong. Wrong cases have a reason.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::analysis::answer::{Answer, Figure};
use crate::analysis::request::{QuestionFiles, RunRequest};
use crate::app::build::App;
use crate::app::cli::attach::{self, Attached};
use crate::app::cli::report::Report;
use crate::app::demo::seed;
use crate::base::error::{Error, Result};
use crate::base::principal::{Face, Principal};
use crate::queue::worker::Slots;

/// Longest wait for one answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Cases with an expected figure, and questions that must not get a number.
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
    /// Some cases have further facts here.
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

/// The result of one case.
struct Evaluated<'a> {
    case: &'a Case,
    category: &'a str,
    verdict: Verdict,
    quick_reply: String,
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
    let working = tokio::spawn(async move {
        worker
            .run(
                Slots {
                    chat: 0,
                    run: 2,
                    model: 2,
                },
                stopping,
            )
            .await
    });
    let evaluated = evaluate_all(app, &principal, &cases).await;
    let _ = stop.send(true);
    working.await.map_err(Error::internal)?;
    Ok(report(&evaluated?))
}

fn report(evaluated: &[Evaluated<'_>]) -> Report {
    let count = |category: Option<&str>, verdict: Verdict| {
        evaluated
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
    for own in evaluated {
        categories
            .entry(own.category)
            .or_insert_with(|| sums(Some(own.category)));
    }
    let mut lines: Vec<String> = evaluated
        .iter()
        .map(|own| {
            let why = own.why.as_ref().map_or(String::new(), |why| format!(" [{why}]"));
            format!(
                "{:<10} {} ({}): {}{why}",
                own.verdict.word(),
                own.case.id,
                own.category,
                own.quick_reply
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
    let listed: Vec<Value> = evaluated
        .iter()
        .map(|own| {
            json!({
                "id": own.case.id,
                "category": own.category,
                "verdict": own.verdict.word(),
                "quickReply": own.quick_reply,
                "why": own.why,
            })
        })
        .collect();
    let body = json!({
        "right": right, "askedBack": asked, "wrong": wrong, "categories": categories, "cases": listed,
    });
    let mut report = Report::new(body, lines.join("\n"));
    report.success = wrong == 0;
    report
}

async fn evaluate_all<'a>(app: &App, principal: &Principal, cases: &'a Cases) -> Result<Vec<Evaluated<'a>>> {
    let mut evaluated = Vec::new();
    let numbers = cases.cases.iter().map(|case| (case, true));
    for (case, wants_number) in numbers.chain(cases.no_number_examples.iter().map(|case| (case, false))) {
        let answer = match ask(app, principal, case).await {
            Ok(answer) => answer,
            // A case that cannot be asked does not stop the others.
            Err(error @ Error::Invalid { .. }) => {
                evaluated.push(Evaluated {
                    case,
                    category: case.category.as_str(),
                    verdict: Verdict::Wrong,
                    quick_reply: String::new(),
                    why: Some(format!("could not be asked: {error}")),
                });
                continue;
            }
            Err(error) => return Err(error),
        };
        let (verdict, category) = if wants_number && case.expected.behaviour == Behaviour::Number {
            (evaluate(case, &answer), case.category.as_str())
        } else {
            (without_number(&answer), "no number")
        };
        evaluated.push(Evaluated {
            case,
            category,
            verdict,
            why: (verdict == Verdict::Wrong).then(|| why(case, &answer)),
            quick_reply: answer.quick_reply,
        });
    }
    Ok(evaluated)
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
        files: QuestionFiles {
            new: attach::keep(&app.services.files, principal, attached).await?,
            ..QuestionFiles::default()
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

fn evaluate(case: &Case, answer: &Answer) -> Verdict {
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
    let has_all_facts = case
        .also
        .iter()
        .chain(&expected.also)
        .all(|fact| stated(fact, answer, expected.tolerance));
    if answer.success && fits(first) && has_all_facts {
        Verdict::Right
    } else {
        Verdict::Wrong
    }
}

/// The expected and the actual figure, with names, units and values.
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

/// Whether a further fact is among the figures. Printed values are rounded, so a difference of a cent is accepted.
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

/// Compares numbers within the tolerance, texts and dates exactly, and lists and objects item by item.
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
