//! The engine that asks a language model. It turns words into exact calls and phrases what they give; if it is away,
//! the offline analyst answers where it is certain.

use std::sync::Arc;

use calls::audit::trace::without_marked;
use futures_core::future::BoxFuture;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::analysis::engine::{Brief, Draft, Engine, Outcome};
use crate::analysis::engines::model::agent::Agent;
use crate::analysis::engines::model::answer;
use crate::analysis::engines::model::client::ModelClient;
use crate::analysis::engines::model::message::Fault;
use crate::analysis::engines::model::settings::{Limits, ModelSettings};
use crate::analysis::tools::kit::Tools;
use crate::analysis::tools::typed::run::TypedCalls;
use crate::base::error::{Error, Result};
use crate::base::model::Model;
use crate::base::money::MicroUsd;
use crate::base::safe_markdown::hosts::LinkHosts;
use crate::net::guard::Guard;
use crate::net::model_transport::ModelTransport;

/// The stable code of a run that neither the model nor the offline analyst could answer.
pub const UNAVAILABLE: &str = "model_unavailable";

/// A language model, with the offline analyst as its fallback.
pub struct ModelEngine {
    pro: ModelClient,
    fast: ModelClient,
    limits: Limits,
    offline: Arc<dyn Engine>,
    /// Bounds how many runs the offline analyst answers at once if the model is away.
    offline_slots: Semaphore,
    links: LinkHosts,
}

impl ModelEngine {
    /// The offline analyst answers `slots` runs at once if the model is away. Answers may link to `links`.
    pub fn new(
        settings: &ModelSettings,
        guard: Guard,
        (offline, slots): (Arc<dyn Engine>, usize),
        links: LinkHosts,
    ) -> Result<Self> {
        let transport = ModelTransport::new(guard, settings.limits.silence)?;
        Ok(Self {
            pro: ModelClient::new(settings, Model::Pro, transport.clone())?,
            fast: ModelClient::new(settings, Model::Fast, transport)?,
            limits: settings.limits,
            offline,
            offline_slots: Semaphore::new(slots.max(1)),
            links,
        })
    }

    fn client(&self, model: Model) -> &ModelClient {
        match model {
            Model::Fast => &self.fast,
            Model::Pro | Model::Local => &self.pro,
        }
    }

    /// The answer, or the fault with what was spent until then.
    async fn asked(
        &self,
        brief: &Brief,
        tools: &Tools,
    ) -> Result<std::result::Result<Draft, (Fault, MicroUsd)>> {
        let mut calls = TypedCalls::new(brief, tools, &said(brief)).await?;
        let until = Instant::now() + self.limits.run;
        let client = self.client(brief.model);
        let mut agent = Agent::new(client, self.limits, (brief, &tools.progress), &calls, until)?;
        let ended = agent.run(&mut calls).await?;
        let (tokens, cost) = (agent.budget.tokens(), agent.budget.cost());
        let model = brief.model.as_str();
        metrics::counter!("corbel_model_tokens_total", "model" => model, "kind" => "input")
            .increment(tokens.input);
        metrics::counter!("corbel_model_tokens_total", "model" => model, "kind" => "cached")
            .increment(tokens.cached);
        metrics::counter!("corbel_model_tokens_total", "model" => model, "kind" => "output")
            .increment(tokens.output);
        let micro_usd = u64::try_from(cost.0).unwrap_or(0);
        metrics::counter!("corbel_model_cost_micro_usd_total", "model" => model).increment(micro_usd);
        Ok(match ended {
            Ok(said) => Ok(Draft {
                cost,
                ..answer::draft(brief, &calls, said, &self.links)
            }),
            Err(fault) => Err((fault, cost)),
        })
    }

    /// What the offline analyst says, if it is certain.
    async fn instead(
        &self,
        brief: &Brief,
        tools: &Tools,
        (fault, wasted): (&Fault, MicroUsd),
    ) -> Result<Outcome> {
        let failed = Outcome::Failed {
            code: UNAVAILABLE,
            wasted,
        };
        metrics::counter!("corbel_model_fallbacks_total", "model" => brief.model.as_str()).increment(1);
        let model = brief.model.as_str();
        tracing::warn!(model, %fault, "the language model is away; the offline analyst is asked");
        let _slot = self.offline_slots.acquire().await.map_err(Error::internal)?;
        let Outcome::Answer(mut draft) = self.offline.answer(brief, tools).await? else {
            return Ok(failed);
        };
        let warning = match fault {
            Fault::TooLittle => {
                "What this run may cost or read does not allow a call to the language model. The \
                                 built-in analyst answered instead."
            }
            _ if !draft.success => return Ok(failed),
            _ => {
                "The language model could not be reached. The built-in analyst answered instead; its answer is exact."
            }
        };
        draft.model = Some(Model::Local);
        draft.cost = MicroUsd::ZERO;
        draft.wasted = wasted;
        draft.warnings.push(warning.to_owned());
        Ok(Outcome::Answer(draft))
    }
}

/// The texts of earlier turns and posts, with the name of their origin.
fn said(brief: &Brief) -> Vec<(String, String)> {
    let turns = brief
        .turns
        .iter()
        .flat_map(|turn| [turn.question.clone(), without_marked(&turn.answer)]);
    let posts = brief.thread.iter().map(|post| without_marked(&post.text));
    let named = |origin: &'static str| move |text: String| (origin.to_owned(), text);
    let mut said: Vec<(String, String)> = turns.map(named("earlier turn")).collect();
    said.extend(posts.map(named("thread")));
    said
}

impl Engine for ModelEngine {
    fn model(&self) -> &'static str {
        Model::Pro.as_str()
    }

    fn reads_turns(&self) -> bool {
        true
    }

    fn notes_of_frame(&self, earlier: &serde_json::Value) -> Vec<crate::base::ids::NoteId> {
        self.offline.notes_of_frame(earlier)
    }

    fn answer<'a>(&'a self, brief: &'a Brief, tools: &'a Tools) -> BoxFuture<'a, Result<Outcome>> {
        Box::pin(async move {
            match self.asked(brief, tools).await? {
                Ok(draft) => Ok(Outcome::from(Draft {
                    model: Some(brief.model),
                    ..draft
                })),
                Err((fault, wasted)) => self.instead(brief, tools, (&fault, wasted)).await,
            }
        })
    }
}
