//! Language models end to end, against a scripted model server in both wire forms.

mod answers;
mod audit;
mod faces;
mod faults;
mod injection;
mod limits;
mod prompts;
mod selection;
mod spending;
mod tools;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use corbel::base::ids::MessageId;
use corbel::keys::model::Environment;
use serde_json::{Value, json};

use crate::chat::slack_flow::Stage;
use crate::harness::api::Api;
use crate::harness::app::{Org, Place, Running};
use crate::harness::model_server::ModelServer;

static STARTED: AtomicUsize = AtomicUsize::new(1);

/// The wire forms, by the setting that chooses them.
const WIRES: [&str; 2] = ["openai", "anthropic"];

/// The settings of an app that asks this server.
fn settings_of(model: &ModelServer, wire: &str) -> Vec<(&'static str, String)> {
    vec![
        ("CORBEL_MODEL_PROVIDER", wire.to_owned()),
        ("CORBEL_MODEL_URL", model.url()),
        ("CORBEL_MODEL_KEY", model.key().to_owned()),
        ("CORBEL_MODEL_NAME", "scripted-large".to_owned()),
        ("CORBEL_MODEL_FAST_NAME", "scripted-small".to_owned()),
        ("CORBEL_MODEL_PRICE", "3/15/0.30".to_owned()),
        ("CORBEL_MODEL_FAST_PRICE", "1/5".to_owned()),
    ]
}

/// The same settings in the form in which an app takes them.
fn borrowed<'a>(settings: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    settings
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect()
}

/// A workspace of Slack and an app that asks this server.
async fn stage_with(place: &Arc<Place>, model: &ModelServer) -> Stage {
    let settings = settings_of(model, "openai");
    Stage::set_more(place, &borrowed(&settings)).await
}

/// A running app with a scripted model, and the client of one of its members.
struct Modelled {
    app: Running,
    model: ModelServer,
    org: Org,
    api: Api,
}

impl Modelled {
    async fn start(place: &Place, wire: &str) -> Self {
        Self::start_with(place, wire, &[]).await
    }

    async fn start_with(place: &Place, wire: &str, more: &[(&str, &str)]) -> Self {
        let model = ModelServer::start().await;
        let own = settings_of(&model, wire);
        let mut settings = borrowed(&own);
        settings.extend_from_slice(more);
        let app = place.start(&settings).await;
        // A test may start several apps on one database.
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let org = app.organization(&format!("Marlow Ridge {number}")).await;
        let key = app.key(&org.mara, Environment::Production).await;
        let api = app.api(&key).await;
        Self { app, model, org, api }
    }

    /// Asks and waits for the answer.
    async fn ask(&self, question: &str) -> Value {
        self.ask_with(json!({ "question": question })).await
    }

    async fn ask_with(&self, body: Value) -> Value {
        let message = self.admitted(body).await;
        self.ended(message).await
    }

    /// Asks and returns the message, without waiting.
    async fn admitted(&self, body: Value) -> MessageId {
        let admitted = self.api.post("/users/run-models", &body).await.expect(202);
        admitted["messageId"]
            .as_str()
            .expect("an id")
            .parse()
            .expect("an id")
    }

    /// Waits for the end of a turn.
    async fn ended(&self, message: MessageId) -> Value {
        let analysis = &self.app.services().analysis;
        let ended = analysis.wait(self.org.id, message, Duration::from_secs(60)).await;
        let ended = ended.expect("the turn").expect("an end within a minute");
        let completed = analysis.completed(self.org.id, &ended).await.expect("the answer");
        serde_json::to_value(completed).expect("JSON")
    }

    /// The messages of the last request to the model, as one text.
    fn last_prompt(&self) -> String {
        let requests = self.model.requests();
        requests.last().expect("a request").body.to_string()
    }

    /// What the run of an answer was charged, in micro-dollars.
    async fn charged(&self, answer: &Value) -> i64 {
        let run = answer["runId"].as_str().expect("a run");
        let ledger = self
            .app
            .services()
            .usage
            .ledger(self.org.id)
            .await
            .expect("the ledger");
        assert!(ledger.consistent, "{:?}", ledger.faults);
        let of_run = ledger
            .entries
            .iter()
            .filter(|entry| entry.run_id.is_some_and(|id| id.to_string() == run));
        let ends: Vec<i64> = of_run
            .filter(|entry| matches!(entry.kind.as_str(), "settle" | "release"))
            .map(|entry| entry.charged.0)
            .collect();
        assert!(!ends.is_empty(), "the run has no end");
        ends.iter().sum()
    }

    /// No request broke a rule of the provider.
    fn check_requests(&self) {
        assert_eq!(self.model.violations(), Vec::<String>::new());
    }
}
