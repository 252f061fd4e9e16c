//! Personal notes never reach any part of a shared conversation: prompt, outbox, log. No secret, token or question is
//! logged at all.

use std::sync::Arc;

use corbel::analysis::answer::SourceKind;
use corbel::audit::store::Actor;
use corbel::context::model::NoteKind;

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::engine::Scripted;
use crate::harness::log;
use crate::harness::slack::{ALICE, CHANNEL, DM, FakeSlack, SECRET, TOKEN};

const CANARY: &str = "canary-7Qx-personal";
const SAFE: &str = "organization-fact-4Zp";

#[tokio::test]
async fn a_shared_run_never_gets_personal_notes() {
    log::capture();
    on_each("canary", |place| async move {
        let slack = FakeSlack::start().await;
        let engine = Arc::new(Scripted::default());
        let config = place.config(&[("CORBEL_SLACK_API_URL", &slack.api_base())]);
        let running = place.start_with(config, engine.clone()).await;
        let org = running.organization("Canary").await;
        let at = running.slack_assistant(&org).await;
        let stage = Stage {
            running,
            slack,
            org,
            at,
        };
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let context = &stage.running.services().context;
        let (id, owner) = (stage.org.id, stage.org.mara.user);
        let personal = format!("Marlow Court price is {CANARY}");
        context
            .create(
                Actor::OPERATOR,
                id,
                owner,
                NoteKind::Personal,
                "Marlow Court",
                &personal,
            )
            .await
            .expect("note");
        let shared = format!("Marlow Court committee date is {SAFE}");
        context
            .create(
                Actor::OPERATOR,
                id,
                owner,
                NoteKind::Organization,
                "Committee",
                &shared,
            )
            .await
            .expect("note");

        // First a direct message, which may contain the canary: this shows that the test can detect it.
        let direct = stage
            .slack
            .says(DM, ALICE, "what do we know about Marlow Court price?");
        stage.post(&direct.message()).await;
        stage.running.settle().await;
        let seen = engine.briefs().pop().expect("a brief");
        assert!(
            seen.notes
                .iter()
                .any(|note| note.kind == SourceKind::PersonalNote && note.body.contains(CANARY))
        );
        assert!(seen.notes.iter().any(|note| note.body.contains(SAFE)));

        let public = stage.slack.says(
            CHANNEL,
            ALICE,
            "<@U0BOT> what do we know about Marlow Court price?",
        );
        stage.post(&public.mention()).await;
        stage.running.settle().await;
        let seen = engine.briefs().pop().expect("a brief");
        assert_eq!(engine.briefs().len(), 2);
        assert!(
            seen.notes
                .iter()
                .all(|note| note.kind == SourceKind::OrganizationNote),
            "a personal note was loaded"
        );
        assert!(
            seen.notes.iter().any(|note| note.body.contains(SAFE)),
            "organization notes are there"
        );
        assert!(!format!("{seen:?}").contains(CANARY));
        assert!(seen.earlier.is_none(), "the history of another session");
        for message in stage.slack.messages(CHANNEL) {
            assert!(!message.shown().contains(CANARY));
        }
        for method in [
            "chat.postMessage",
            "chat.update",
            "chat.postEphemeral",
            "assistant.threads.setStatus",
        ] {
            for call in stage.slack.calls(method) {
                let to_channel = call.arg("channel") == Some(CHANNEL);
                assert!(!to_channel || !format!("{call:?}").contains(CANARY), "{method}");
            }
        }
        stage.running.stop().await;
        let logged = log::all();
        assert!(logged.len() > 1000, "something was logged");
        for secret in [
            CANARY,
            SAFE,
            SECRET,
            TOKEN,
            "client-secret-canary",
            "Marlow Court price",
        ] {
            assert!(!logged.contains(secret), "{secret} is in the log");
        }
    })
    .await;
}

/// The same with the real analyst, which quotes notes: its public answer, the outbox and its responses do not contain
/// the canary.
#[tokio::test]
async fn public_quotes_are_only_from_organization_notes() {
    on_each("quotes", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let context = &stage.running.services().context;
        let (id, owner) = (stage.org.id, stage.org.mara.user);
        let body = format!("Marlow Court: the broker whispered {CANARY}.");
        context
            .create(
                Actor::OPERATOR,
                id,
                owner,
                NoteKind::Personal,
                "Marlow Court",
                &body,
            )
            .await
            .expect("note");
        let question = "what do the notes say about Marlow Court?";
        let direct = stage.slack.says(DM, ALICE, question);
        stage.post(&direct.message()).await;
        stage.running.settle().await;
        assert!(
            stage.said(direct.thread())[0].contains(CANARY),
            "in private it is quoted"
        );
        let public = stage.slack.says(CHANNEL, ALICE, &format!("<@U0BOT> {question}"));
        stage.post(&public.mention()).await;
        stage.running.settle().await;
        assert_eq!(stage.slack.final_answers(public.thread()).len(), 1);
        assert!(!stage.said(public.thread())[0].contains(CANARY));
        let db = &stage.running.services().db;
        let answers: Vec<(sqlx::types::Json<serde_json::Value>, bool)> = db
            .query(
                "SELECT r.answer, m.organisation_safe FROM responses r
                 JOIN messages m ON m.org_id = r.org_id AND m.id = r.message_id WHERE r.org_id = $1",
            )
            .bind(id)
            .all()
            .await
            .expect("responses");
        assert_eq!(answers.len(), 2);
        for (answer, safe) in answers {
            assert_eq!(answer.0.to_string().contains(CANARY), !safe);
        }
        let outbox: Vec<(Option<sqlx::types::Json<serde_json::Value>>,)> = db
            .query("SELECT say FROM deliveries WHERE org_id = $1")
            .bind(id)
            .all()
            .await
            .expect("outbox");
        assert!(outbox.iter().all(|row| !format!("{row:?}").contains(CANARY)));
        stage.running.stop().await;
    })
    .await;
}
