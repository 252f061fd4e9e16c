//! `corbel eval`: asks each case of a file through the true core and judges the answers: right,
//! asked back, or wrong.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::analysis::answer::{Answer, Figure};
use crate::analysis::engine::Tone;
use crate::analysis::request::RunRequest;
use crate::app::build::App;
use crate::app::cli::report::Report;
use crate::app::demo::seed;
use crate::base::error::{Error, Result};
use crate::base::principal::{Face, Principal};
use crate::queue::worker::Slots;
use crate::sessions::service::Which;

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
    question: String,
    #[serde(default)]
    expected: Expected,
}

#[derive(Debug, Default, Deserialize)]
struct Expected {
    #[serde(default)]
    metric: String,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    tolerance: f64,
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

pub async fn eval(app: &App, file: &Path) -> Result<Report> {
    let unreadable = |why: String| Error::invalid("cases", format!("{}: {why}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
    let cases: Cases = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let seeded = seed::find_or_seed(&app.services).await?;
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
    let judged = judged?;
    let count = |verdict| judged.iter().filter(|(_, own, _)| *own == verdict).count();
    let (right, asked, wrong) = (
        count(Verdict::Right),
        count(Verdict::AskedBack),
        count(Verdict::Wrong),
    );
    let listed: Vec<Value> = judged
        .iter()
        .map(|(id, verdict, said)| json!({ "id": id, "verdict": verdict.word(), "quickReply": said }))
        .collect();
    let mut lines: Vec<String> = judged
        .iter()
        .map(|(id, verdict, said)| format!("{:<10} {id}: {said}", verdict.word()))
        .collect();
    lines.push(format!("{right} right, {asked} asked back, {wrong} wrong"));
    let body = json!({ "right": right, "askedBack": asked, "wrong": wrong, "cases": listed });
    let mut report = Report::new(body, lines.join("\n"));
    report.fine = wrong == 0;
    Ok(report)
}

async fn judge_all(
    app: &App,
    principal: &Principal,
    cases: &Cases,
) -> Result<Vec<(String, Verdict, String)>> {
    let mut judged = Vec::new();
    let numbers = cases.cases.iter().map(|case| (case, true));
    for (case, wants_number) in numbers.chain(cases.no_number_examples.iter().map(|case| (case, false))) {
        let request = RunRequest {
            question: case.question.clone(),
            session: Which::New,
            organisation_safe: false,
            tone: Tone::default(),
            fast: false,
            ..RunRequest::default()
        };
        let analysis = &app.services.analysis;
        let admitted = analysis.admit(principal, request, None).await?;
        let ended = analysis
            .wait(principal.org, admitted.message, Duration::from_secs(60))
            .await?;
        let answer = match ended {
            Some(_) => analysis.answer_of(principal.org, admitted.message).await?,
            None => None,
        };
        let answer = answer.ok_or_else(|| Error::upstream(format!("{} was not answered", case.id)))?;
        let verdict = if wants_number {
            judge(&case.expected, &answer)
        } else {
            without_number(&answer)
        };
        judged.push((case.id.clone(), verdict, answer.quick_reply));
    }
    Ok(judged)
}

fn judge(expected: &Expected, answer: &Answer) -> Verdict {
    let Some(first) = answer.figures.first() else {
        return if answer.success {
            Verdict::Wrong
        } else {
            Verdict::AskedBack
        };
    };
    if first.name == expected.metric && close(first, expected) {
        Verdict::Right
    } else {
        Verdict::Wrong
    }
}

fn without_number(answer: &Answer) -> Verdict {
    if answer.figures.is_empty() && !answer.success {
        Verdict::Right
    } else {
        Verdict::Wrong
    }
}

fn close(figure: &Figure, expected: &Expected) -> bool {
    let near = |got: &Value, want: &Value| match (got.as_f64(), want.as_f64()) {
        (Some(got), Some(want)) => (got - want).abs() <= expected.tolerance,
        _ => got == want,
    };
    match (&figure.value, &expected.value) {
        (Value::Array(got), Value::Array(want)) => {
            got.len() == want.len() && got.iter().zip(want).all(|(got, want)| near(got, want))
        }
        (got, want) => near(got, want),
    }
}
