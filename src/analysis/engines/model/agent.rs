//! The loop: asks the model, runs the calls it wants, and asks again, within hard limits on steps, time, tokens and
//! cost. Near a limit the model is asked once more, without calls.

use std::collections::HashMap;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::analysis::engine::Brief;
use crate::analysis::engines::model::budget::Budget;
use crate::analysis::engines::model::checked::Findings;
use crate::analysis::engines::model::client::ModelClient;
use crate::analysis::engines::model::conversation::{Conversation, tokens};
use crate::analysis::engines::model::marks::without_marks;
use crate::analysis::engines::model::message::{CallResult, End, Fault, Prompt, Reply, WantedCall};
use crate::analysis::engines::model::settings::{Limits, Tokens};
use crate::analysis::engines::model::{prompt, retry, written_calls};
use crate::analysis::tools::progress::Progress;
use crate::analysis::tools::typed::catalog::Spec;
use crate::analysis::tools::typed::run::TypedCalls;
use crate::base::error::Result;

/// Most calls of one reply that are run.
const CALLS: usize = 16;
/// How often the same call may come before the model must answer.
const REPEATED: u32 = 2;
/// Bytes of a result that the model gets at most.
const RESULT: usize = 24_000;

/// One run of the loop.
pub struct Agent<'a> {
    pub client: &'a ModelClient,
    pub limits: Limits,
    pub brief: &'a Brief,
    pub progress: &'a Progress,
    pub budget: Budget,
    /// When the run must have ended.
    pub until: Instant,
    conversation: Conversation,
    system: String,
    specs: Vec<Spec>,
    /// Estimated tokens of what is the same in every prompt.
    fixed: usize,
    /// Calls by name and arguments, with their result and how often they came.
    made: HashMap<String, (Value, u32)>,
    /// Whether the numbers of an answer were put to the model.
    audited: bool,
}

/// What the model said in the end.
#[derive(Debug)]
pub struct Said {
    pub text: String,
    pub end: End,
    /// A limit that was reached: a sentence for people.
    pub limit: Option<&'static str>,
}

/// How the loop ends: with what was said, or with a fault of the model.
pub type Ended = std::result::Result<Said, Fault>;

impl<'a> Agent<'a> {
    pub fn new(
        client: &'a ModelClient,
        limits: Limits,
        (brief, progress): (&'a Brief, &'a Progress),
        calls: &TypedCalls<'_>,
        until: Instant,
    ) -> Result<Self> {
        let now = prompt::question(brief, &calls.files())?;
        let system = prompt::system(brief)?;
        let specs = calls.specs().to_vec();
        Ok(Self {
            client,
            limits,
            brief,
            progress,
            budget: Budget::new(brief.budget, client.price),
            until,
            conversation: Conversation::new(&brief.turns, now),
            fixed: fixed(&system, &specs),
            system,
            specs,
            made: HashMap::new(),
            audited: false,
        })
    }

    /// Asks until the model answers. An outer error is a fault of this service.
    pub async fn run(&mut self, calls: &mut TypedCalls<'_>) -> Result<Ended> {
        let begun = Instant::now();
        for step in 1..=self.limits.steps {
            let limit = self.limit(step, begun);
            if limit.is_some() && step > 1 {
                self.conversation.person(prompt::last_call()?);
            }
            let must_answer = limit.is_some();
            let most_output = match self.prepared() {
                Ok(most) => most,
                Err(_) if step == 1 => return Ok(Err(Fault::TooLittle)),
                Err(sentence) => return Ok(Ok(unsaid(sentence))),
            };
            let prompt = Prompt {
                system: &self.system,
                turns: self.conversation.turns(),
                tools: &self.specs,
                must_answer,
                most_output,
            };
            let reply = match retry::ask(self.client, &prompt, self.until).await {
                Ok(reply) => reply,
                // What was computed in time is not lost.
                Err(_) if Instant::now() >= self.until && calls.has_figures() => return Ok(Ok(unsaid(TIME))),
                Err(fault) => return Ok(Err(fault)),
            };
            self.charge(&reply);
            if reply.end == End::Refused {
                return Ok(Ok(Said {
                    text: reply.text,
                    end: End::Refused,
                    limit: None,
                }));
            }
            if !must_answer && (self.answered_calls(&reply, calls).await? || self.objects(&reply, calls)?) {
                continue;
            }
            return Ok(Ok(Said {
                text: self.without_calls(&reply.text),
                end: reply.end,
                limit,
            }));
        }
        Ok(Ok(unsaid(STEPS)))
    }

    /// The limit that the next call is near to, if any.
    fn limit(&self, step: u32, begun: Instant) -> Option<&'static str> {
        let now = Instant::now();
        let left = self.until.saturating_duration_since(now);
        let whole = self.until.saturating_duration_since(begun);
        if step >= self.limits.steps || self.made.values().any(|(_, times)| *times > REPEATED) {
            Some(STEPS)
        } else if left < whole / 4 {
            Some(TIME)
        } else if !self.budget.affords_two(self.size()) {
            Some(COST)
        } else {
            None
        }
    }

    /// Estimated tokens of the next prompt.
    fn size(&self) -> usize {
        self.fixed + self.conversation.tokens()
    }

    /// Trims the prompt, and says how long the answer may be: what the budget leaves.
    fn prepared(&mut self) -> std::result::Result<u64, &'static str> {
        let room = self.limits.context.saturating_sub(self.fixed);
        if !self.conversation.trim(room) {
            return Err(CONTEXT);
        }
        self.budget.most_output(self.size()).ok_or(COST)
    }

    /// Books what a call used: the provider's counts, else an estimate from the texts.
    fn charge(&mut self, reply: &Reply) {
        // Counts of nothing are no counts.
        let counted = reply.tokens.filter(|tokens| tokens.input > 0);
        let tokens = counted.unwrap_or_else(|| Tokens {
            input: u64::try_from(self.size()).unwrap_or(u64::MAX),
            cached: 0,
            output: reply
                .said
                .as_ref()
                .map_or(0, |said| u64::try_from(tokens(said.bytes())).unwrap_or(0)),
        });
        self.budget.spend(tokens);
    }

    /// Asks the model once to correct the numbers of its answer. False if nothing is wrong with them.
    fn objects(&mut self, reply: &Reply, calls: &TypedCalls<'_>) -> Result<bool> {
        let said = reply
            .said
            .clone()
            .filter(|_| !self.audited && reply.end == End::Finished);
        let Some(said) = said else { return Ok(false) };
        let text = self.without_calls(&reply.text);
        let findings = Findings::of(&without_marks(&text).0, calls);
        if text.is_empty() || findings.is_empty() {
            return Ok(false);
        }
        self.audited = true;
        metrics::counter!("corbel_model_audits_total").increment(1);
        self.conversation.model(said);
        self.conversation.person(prompt::audit(&findings)?);
        Ok(true)
    }

    /// Runs the calls of a reply and adds their results to the conversation. False if it has none.
    async fn answered_calls(&mut self, reply: &Reply, calls: &mut TypedCalls<'_>) -> Result<bool> {
        let Some(said) = reply.said.clone() else {
            return Ok(false);
        };
        if !reply.calls.is_empty() {
            let mut results = Vec::with_capacity(reply.calls.len());
            for (at, wanted) in reply.calls.iter().cloned().enumerate() {
                results.push(self.result_of(wanted, at, calls).await?);
            }
            self.conversation.model(said);
            self.conversation.results(results);
            return Ok(true);
        }
        let is_known = |name: &str| self.specs.iter().any(|spec| spec.name == name);
        let written = written_calls::find(&reply.text, is_known);
        if written.is_empty() {
            return Ok(false);
        }
        let mut results = Vec::with_capacity(written.len());
        for (name, arguments) in written.into_iter().take(CALLS) {
            let result = self.result(&name, &arguments, calls).await?;
            results.push(format!("Result of {name}:\n{}", text_of(&result)));
        }
        self.conversation.model(said);
        results.push("Answer the question now, or make another call.".to_owned());
        self.conversation.person(results.join("\n"));
        Ok(true)
    }

    async fn result_of(
        &mut self,
        wanted: WantedCall,
        at: usize,
        calls: &mut TypedCalls<'_>,
    ) -> Result<CallResult> {
        let name = wanted.name.clone();
        let arguments = wanted.arguments.clone().map(Value::Object);
        let result = match arguments {
            _ if at >= CALLS => error("too_many", "At most 16 calls are run at once."),
            Some(arguments) => self.result(&name, &arguments, calls).await?,
            None => error("bad_arguments", "The arguments must be one JSON object."),
        };
        let failed = result.get("error").is_some();
        Ok(wanted.answered(text_of(&result), failed))
    }

    /// Runs a call, unless the same one was run before.
    async fn result(&mut self, name: &str, arguments: &Value, calls: &mut TypedCalls<'_>) -> Result<Value> {
        let key = format!("{name} {arguments}");
        if let Some((before, times)) = self.made.get_mut(&key) {
            *times += 1;
            let mut again = before.clone();
            if let Some(again) = again.as_object_mut() {
                let what = if again.contains_key("error") {
                    "This call failed before with the same arguments and was not run again. Change it, or answer."
                } else {
                    "This is the result that you have already. Answer with it, or make another call."
                };
                again.insert("repeated".to_owned(), json!(what));
            }
            return Ok(again);
        }
        if Instant::now() >= self.until {
            return Ok(error("too_late", TIME));
        }
        self.progress.say(name, arguments);
        let made = calls.run(name, arguments).await?;
        let outcome = if made.failed { "failed" } else { "done" };
        let result = made.result.clone();
        let label = self
            .specs
            .iter()
            .find(|spec| spec.name == name)
            .map_or("unknown", |spec| spec.name);
        metrics::counter!("corbel_model_tool_calls_total", "tool" => label, "outcome" => outcome)
            .increment(1);
        self.made.insert(key, (result.clone(), 1));
        Ok(result)
    }

    /// The text of an answer. A call written as text is none, also a broken one: people never see it.
    fn without_calls(&self, text: &str) -> String {
        let is_known = |name: &str| self.specs.iter().any(|spec| spec.name == name);
        let bare = text
            .trim()
            .trim_start_matches('`')
            .trim_start_matches("json")
            .trim_start();
        let is_broken = bare.starts_with(['{', '[']) && bare.contains("\"arguments\"");
        if is_broken || !written_calls::find(text, is_known).is_empty() {
            String::new()
        } else {
            text.to_owned()
        }
    }
}

/// Estimated tokens of what is the same in every prompt.
fn fixed(system: &str, specs: &[Spec]) -> usize {
    let schemas = specs
        .iter()
        .map(|spec| spec.name.len() + spec.description.len() + spec.schema.to_string().len() + 40);
    tokens(system.len() + schemas.sum::<usize>())
}

const STEPS: &str = "The most steps of one answer were used up.";
const TIME: &str = "The time for one answer was used up.";
const COST: &str = "What one answer may cost was used up.";
const CONTEXT: &str = "The question with its files and results is longer than the model can read.";

fn unsaid(limit: &'static str) -> Said {
    Said {
        text: String::new(),
        end: End::Finished,
        limit: Some(limit),
    }
}

fn error(code: &str, detail: &str) -> Value {
    json!({"error": {"code": code, "detail": detail}})
}

/// A result as the model gets it: in a fence, and not longer than it can use.
fn text_of(result: &Value) -> String {
    let text = result.to_string();
    match text.char_indices().nth(RESULT) {
        Some((end, _)) => prompt::fenced(&format!(
            "{} … (shortened: ask for fewer rows)",
            text.get(..end).unwrap_or("")
        )),
        None => prompt::fenced(&text),
    }
}
