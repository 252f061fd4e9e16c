//! Many questions of one person, and then one of a colleague, through every door: over HTTP, in Slack and in the
//! browser preview.

use std::sync::{Arc, Mutex};

use corbel::analysis::engine::{Brief, Draft, Engine, Outcome};
use corbel::analysis::tools::kit::Tools;
use corbel::base::error::Result;
use corbel::keys::model::Environment;
use futures_core::future::BoxFuture;
use serde_json::json;
use tokio::sync::watch;

use crate::chat::slack_flow::Stage;
use crate::harness::api::Api;
use crate::harness::app::{Person, Running, on_each};
use crate::harness::browser::Browser;
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM};

/// Answers at once, except that long questions wait for the end of the test.
struct Slow {
    started: Mutex<Vec<String>>,
    open: watch::Sender<bool>,
}

impl Slow {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            started: Mutex::default(),
            open: watch::channel(false).0,
        })
    }

    /// How many questions with this word have started.
    fn started(&self, word: &str) -> usize {
        let started = self.started.lock().expect("started");
        started.iter().filter(|question| question.contains(word)).count()
    }
}

impl Engine for Slow {
    fn model(&self) -> &'static str {
        "slow"
    }

    fn answer<'a>(&'a self, brief: &'a Brief, _tools: &'a Tools) -> BoxFuture<'a, Result<Outcome>> {
        Box::pin(async move {
            self.started.lock().expect("started").push(brief.question.clone());
            if brief.question.contains("long") {
                let mut open = self.open.subscribe();
                open.wait_for(|open| *open).await.expect("the test");
            }
            Ok(Outcome::from(Draft {
                quick_reply: "Answered.".to_owned(),
                success: true,
                ..Draft::default()
            }))
        })
    }
}

async fn api(app: &Running, person: &Person) -> Api {
    let key = app.key(person, Environment::Production).await;
    app.api(&key).await
}

/// Asks and gets the answer with the response.
async fn ask_now(api: &Api, question: &str) {
    let asked = json!({ "question": question, "wait": true });
    let answered = api.post("/users/run-models", &asked).await.expect(200);
    assert_eq!(answered["status"], "completed", "{question}: {answered}");
}

async fn ask_in_preview(browser: &mut Browser, text: &str) {
    let mut form = browser.get("/preview").await.form("class=\"composer\"");
    form.push(("text".to_owned(), text.to_owned()));
    let posted = browser.post("/preview", &form).await;
    assert_eq!(posted.status, 200, "{}", posted.text);
}

#[tokio::test]
async fn over_http_a_colleague_a_key_and_an_organization_get_their_answers_at_once() {
    on_each("shares over HTTP", |place| async move {
        for (slots, of_key) in [("2", 1), ("4", 1), ("8", 2)] {
            let engine = Slow::new();
            let config = place.config(&[("CORBEL_WORKERS", slots)]);
            let app = place.start_with(config, engine.clone()).await;
            let own = app.organization(&format!("Busy {slots}")).await;
            let other = app.organization(&format!("Other {slots}")).await;
            let (mara, again) = (api(&app, &own.mara).await, api(&app, &own.mara).await);
            for n in 0..40 {
                let long = json!({ "question": format!("long {n}") });
                mara.post("/users/run-models", &long).await.expect(202);
            }
            app.until("the key holds its share", async || {
                engine.started("long") == of_key
            })
            .await;
            ask_now(&api(&app, &own.noel).await, "of a colleague").await;
            ask_now(&api(&app, &other.mara).await, "of another organization").await;
            if slots != "2" {
                ask_now(&again, "with another key").await;
            }
            assert_eq!(engine.started("long"), of_key, "the share is kept");
            engine.open.send_replace(true);
            app.settle().await;
            assert_eq!(engine.started("long"), 40);
            app.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn in_chat_and_preview_a_person_has_one_share_and_a_colleague_another() {
    on_each("shares in chat", |place| async move {
        let engine = Slow::new();
        let stage = Stage::set_with(&place, engine.clone()).await;
        let app = &stage.running;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.link(BOB, stage.org.noel.user).await;
        let mut mara = Browser::of(app, &stage.org.mara).await;
        let mut noel = Browser::of(app, &stage.org.noel).await;
        for n in 0..4 {
            let said = stage.slack.says(DM, ALICE, &format!("long {n}"));
            assert_eq!(stage.post(&said.message()).await, 200);
        }
        // Two of four slots: half of what the organization may hold, rounded up.
        app.until("Alice holds her share", async || engine.started("long") == 2)
            .await;
        ask_in_preview(&mut mara, "long in the preview").await;
        stage.approve(CHANNEL).await;
        let said = stage.slack.says(CHANNEL, BOB, "<@U0BOT> short in Slack");
        assert_eq!(stage.post(&said.mention()).await, 200);
        app.until("Bob is answered in Slack", async || {
            stage
                .said(said.thread())
                .iter()
                .any(|said| said.contains("Answered."))
        })
        .await;
        ask_in_preview(&mut noel, "short in the preview").await;
        app.until("Noel is answered in the preview", async || {
            engine.started("short in the preview") == 1
        })
        .await;
        ask_now(&api(app, &stage.org.noel).await, "short over HTTP").await;
        assert_eq!(engine.started("long"), 2, "the share counts every door");
        engine.open.send_replace(true);
        app.settle().await;
        assert_eq!(engine.started("long"), 5);
        stage.running.stop().await;
    })
    .await;
}
