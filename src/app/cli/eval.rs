//! `corbel eval`: asks each case of a file through the analysis core and evaluates the answers: right, clarifying
//! question ("asked back"), or wrong.
//!
//! A case is right only if the first figure is the expected one, in its unit and within its tolerance, and every
//! further fact is among the figures. A figure where none is expected is wrong. Wrong cases have a reason.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::analysis::answer::{Answer, Figure};
use crate::analysis::request::{QuestionFiles, RunRequest};
use crate::analysis::selection::Selection;
use crate::app::build::App;
use crate::app::cli::attach::{self, Attached};
use crate::app::cli::report::Report;
use crate::app::demo::seed;
use crate::base::error::{Error, Result};
use crate::base::model::Model;
use crate::base::money::MicroUsd;
use crate::base::principal::{Face, Principal};
use crate::queue::job::Slots;

/// Longest wait for one answer, in addition to what a language model may take.
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

/// The best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Of a wrong answer: its steps, with the calls of a language model.
    steps: Option<String>,
    /// Who answered.
    model: Option<String>,
    /// Of all times that the case was asked.
    cost: MicroUsd,
    seconds: f64,
}

/// How the cases are asked.
#[derive(Clone, Copy)]
struct Asking<'a> {
    app: &'a App,
    principal: &'a Principal,
    model: Option<Model>,
    /// The worst of so many answers counts.
    times: u32,
}

/// One answer, with what it cost and how long it took.
struct Asked {
    answer: Answer,
    cost: MicroUsd,
    seconds: f64,
}

pub async fn eval(app: &App, file: &Path, model: Option<Model>, times: u32) -> Result<Report> {
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
    let working = tokio::spawn(async move { worker.run(Slots::for_runs(2), stopping).await });
    let asking = Asking {
        app,
        principal: &principal,
        model,
        times,
    };
    let evaluated = asking.evaluate_all(&cases).await;
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
    let cost = MicroUsd(evaluated.iter().map(|own| own.cost.0).sum());
    let seconds: f64 = evaluated.iter().map(|own| own.seconds).sum();
    lines.push(format!(
        "{right} right, {asked} asked back, {wrong} wrong; USD {cost}, {seconds:.1} s"
    ));
    let listed: Vec<Value> = evaluated
        .iter()
        .map(|own| {
            json!({
                "id": own.case.id,
                "category": own.category,
                "verdict": own.verdict.word(),
                "quickReply": own.quick_reply,
                "why": own.why,
                "steps": own.steps,
                "model": own.model,
                "costMicroUsd": own.cost,
                "seconds": own.seconds,
            })
        })
        .collect();
    let body = json!({
        "right": right, "askedBack": asked, "wrong": wrong, "categories": categories, "cases": listed,
        "costMicroUsd": cost, "seconds": seconds,
    });
    let mut report = Report::new(body, lines.join("\n"));
    report.success = wrong == 0;
    report
}

impl<'a> Asking<'a> {
    async fn evaluate_all<'c>(&self, cases: &'c Cases) -> Result<Vec<Evaluated<'c>>> {
        let mut evaluated = Vec::new();
        let numbers = cases.cases.iter().map(|case| (case, true));
        for (case, wants_number) in numbers.chain(cases.no_number_examples.iter().map(|case| (case, false))) {
            evaluated.push(self.evaluate_worst(case, wants_number).await?);
        }
        Ok(evaluated)
    }

    /// Asks a case as often as wanted. The worst answer counts; costs and seconds are those of all.
    async fn evaluate_worst<'c>(&self, case: &'c Case, wants_number: bool) -> Result<Evaluated<'c>> {
        let mut worst: Option<Evaluated<'c>> = None;
        for _ in 0..self.times {
            let own = self.evaluate_once(case, wants_number).await?;
            worst = Some(match worst {
                Some(before) => {
                    let (cost, seconds) =
                        (MicroUsd(before.cost.0 + own.cost.0), before.seconds + own.seconds);
                    let worse = if own.verdict > before.verdict { own } else { before };
                    Evaluated {
                        cost,
                        seconds,
                        ..worse
                    }
                }
                None => own,
            });
        }
        worst.ok_or_else(|| Error::invalid("--times", "must be at least 1"))
    }

    async fn evaluate_once<'c>(&self, case: &'c Case, wants_number: bool) -> Result<Evaluated<'c>> {
        let asked = match self.ask(case).await {
            Ok(asked) => asked,
            // A case that cannot be asked does not stop the others.
            Err(error @ Error::Invalid { .. }) => {
                return Ok(Evaluated {
                    case,
                    category: case.category.as_str(),
                    verdict: Verdict::Wrong,
                    quick_reply: String::new(),
                    why: Some(format!("could not be asked: {error}")),
                    steps: None,
                    model: None,
                    cost: MicroUsd::ZERO,
                    seconds: 0.0,
                });
            }
            Err(error) => return Err(error),
        };
        let answer = asked.answer;
        let (verdict, category) = if wants_number && case.expected.behaviour == Behaviour::Number {
            (evaluate(case, &answer), case.category.as_str())
        } else {
            (without_number(&answer), "no number")
        };
        Ok(Evaluated {
            case,
            category,
            verdict,
            why: (verdict == Verdict::Wrong).then(|| why(case, &answer)),
            steps: (verdict == Verdict::Wrong).then_some(answer.reasoning),
            quick_reply: answer.quick_reply,
            model: answer.model,
            cost: asked.cost,
            seconds: asked.seconds,
        })
    }

    async fn ask(&self, case: &Case) -> Result<Asked> {
        let services = &self.app.services;
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
                new: attach::keep(&services.files, self.principal, attached).await?,
                ..QuestionFiles::default()
            },
            selection: Selection {
                model: self.model,
                ..Selection::default()
            },
            ..RunRequest::default()
        };
        let begun = Instant::now();
        let (analysis, org) = (&services.analysis, self.principal.org);
        let admitted = analysis.admit(self.principal, request, None).await?;
        let most = PATIENCE + analysis.longest_answer();
        let ended = analysis.wait(org, admitted.message, most).await?;
        let answer = match ended {
            Some(_) => analysis.answer_of(org, admitted.message).await?,
            None => None,
        };
        // A run that failed has no answer: it counts as one without a figure.
        let answer = match answer {
            Some(answer) => answer,
            None if ended.is_some() => Answer::default(),
            None => return Err(Error::upstream(format!("{} was not answered", case.id))),
        };
        Ok(Asked {
            answer,
            cost: services.usage.charged(org, admitted.run).await?,
            seconds: begun.elapsed().as_secs_f64(),
        })
    }
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
