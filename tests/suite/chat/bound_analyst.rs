//! An assistant that answers with a custom analyst: what the analyst brings with it, and the notice when it is
//! deleted.

use std::sync::Arc;

use corbel::analysts::model::{Memory, Profile};
use corbel::audit::store::Actor;
use corbel::base::model::Model;
use corbel::base::principal::Role;
use corbel::base::tone::Tone;
use corbel::context::model::NoteKind;

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::engine::Scripted;
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM, Message};

const CANARY: &str = "canary-5Tq-personal";

async fn asks(stage: &Stage, channel: &str, text: &str) {
    let said = stage.slack.says(channel, ALICE, text);
    let event = if channel == DM {
        said.message()
    } else {
        said.mention()
    };
    assert_eq!(stage.post(&event).await, 200);
    stage.running.settle().await;
}

#[tokio::test]
async fn a_bound_analyst_answers_and_the_default_model_takes_over_once_it_is_deleted() {
    on_each("bound analyst", |place| async move {
        let engine = Scripted::default();
        let stage = Stage::set_with(&place, Arc::new(engine.clone())).await;
        let (org, services) = (&stage.org, stage.running.services());
        let boss = stage.running.member(org, "Ada", Role::Admin).await;
        stage.link(ALICE, org.mara.user).await;
        stage.link(BOB, boss.user).await;
        stage.approve(CHANNEL).await;
        let principal = boss.principal();
        let profile = Profile {
            name: "Lease reader".to_owned(),
            base: Model::Pro,
            tone: Tone::Funny,
            emoji: None,
            description: Some("Names break options first.".to_owned()),
        };
        let memory = Memory {
            title: Some("Terms".to_owned()),
            body: Some("Six months of notice.".to_owned()),
            ..Memory::default()
        };
        let made = services
            .analysts
            .create(&principal, profile, memory)
            .await
            .expect("an analyst");
        let id = made.analyst.analyst.id;
        // The author's own note stays private.
        services
            .context
            .create(
                Actor::OPERATOR,
                org.id,
                boss.user,
                NoteKind::Personal,
                "Terms",
                CANARY,
            )
            .await
            .expect("a note");
        let bind = async |analyst| {
            services
                .assistants
                .bind_analyst(Actor::from(&principal), org.id, stage.at.assistant, analyst)
                .await
                .expect("bound");
        };
        bind(Some(id)).await;
        for place in [DM, CHANNEL] {
            asks(&stage, place, "<@U0BOT> which terms do we accept?").await;
            let brief = engine.briefs().pop().expect("a brief");
            assert_eq!(
                brief.instructions.as_deref(),
                Some("Names break options first."),
                "{place}"
            );
            assert_eq!(brief.tone, Tone::Funny);
            let titles: Vec<&str> = brief.notes.iter().map(|note| note.title.as_str()).collect();
            assert_eq!(titles, ["Terms"]);
            assert!(!format!("{brief:?}").contains(CANARY));
        }
        assert!(stage.slack.direct_messages_to(BOB).is_empty());

        services.analysts.delete(&principal, id).await.expect("deleted");
        for _ in 0..2 {
            asks(&stage, DM, "which terms do we accept?").await;
            let brief = engine.briefs().pop().expect("a brief");
            assert_eq!((brief.instructions, brief.tone), (None, Tone::Professional));
        }
        let notices: Vec<String> = stage
            .slack
            .direct_messages_to(BOB)
            .iter()
            .map(Message::shown)
            .collect();
        assert_eq!(notices.len(), 1, "admins get one notice: {notices:?}");
        assert!(
            notices[0].contains("Lease reader") && notices[0].contains("was deleted"),
            "{notices:?}"
        );

        bind(None).await;
        let lines = corbel::audit::store::list(&services.db, org.id, 100)
            .await
            .expect("lines");
        let acts: Vec<&str> = lines
            .iter()
            .map(|line| line.action.as_str())
            .filter(|act| act.starts_with("assistant.analyst"))
            .collect();
        assert_eq!(acts, ["assistant.analyst_loosed", "assistant.analyst_bound"]);
    })
    .await;
}
