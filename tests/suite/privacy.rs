//! Personal notes never reach anything of a shared conversation: prompt, outbox, log. And no
//! secret, token or question reaches a log at all.

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
async fn a_shared_run_never_sees_personal_notes() {
    log::keep();
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

        // A direct message first: there it is seen, so that the canary is known to sing.
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
