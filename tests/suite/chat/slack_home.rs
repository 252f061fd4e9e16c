//! The assistant's App Home and the prompts it suggests.

use corbel::assistants::brand::Brand;
use corbel::audit::store::Actor;

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::requests::{home_interaction, home_opened};
use crate::harness::slack::{ALICE, DM, GUEST};

#[tokio::test]
async fn app_home_shows_the_connected_account_and_can_change_it() {
    on_each("home", |place| async move {
        let stage = Stage::set(&place).await;
        assert_eq!(stage.post(&home_opened(DM, ALICE, "home")).await, 200);
        stage.running.settle().await;
        let page = stage.slack.home_of(ALICE).expect("a page");
        let shown = page.shown();
        assert!(
            shown.contains("Abacus") && shown.contains("not connected yet") && shown.contains("Powered by"),
            "{shown}"
        );
        assert!(!shown.contains("  "), "unexpected spaces: {shown}");
        assert!(shown.contains("with every step\n• Say exactly"), "{shown}");
        assert_eq!(page.buttons(), ["Connect your account"]);
        // Opened again within a minute: nothing is published.
        stage.post(&home_opened(DM, ALICE, "home")).await;
        stage.running.settle().await;
        assert_eq!(stage.slack.calls("views.publish").len(), 1);

        let connect = page.action("Connect your account").expect("a button");
        assert_eq!(
            stage.interact(&home_interaction(&page, ALICE, &connect)).await,
            200
        );
        stage.running.settle().await;
        let notices = stage.slack.direct_messages_to(ALICE);
        assert!(
            notices[0].link().is_some(),
            "a fresh link, privately: {notices:?}"
        );

        stage.link(ALICE, stage.org.mara.user).await;
        stage.interact(&home_interaction(&page, ALICE, &connect)).await;
        stage.running.settle().await;
        let notices = stage.slack.direct_messages_to(ALICE);
        assert!(
            notices[1].shown().contains("connected already"),
            "{}",
            notices[1].shown()
        );
        let mut later = home_opened(DM, ALICE, "home");
        later["event_time"] = serde_json::json!(1_795_000_120);
        stage.post(&later).await;
        stage.running.settle().await;
        let page = stage.slack.home_of(ALICE).expect("a page");
        assert!(page.shown().contains("mara@acme.example"), "{}", page.shown());
        let disconnect = page.action("Disconnect").expect("a button");
        stage.interact(&home_interaction(&page, ALICE, &disconnect)).await;
        stage.running.settle().await;
        let notices = stage.slack.direct_messages_to(ALICE);
        assert!(
            notices[2].shown().contains("is disconnected"),
            "{}",
            notices[2].shown()
        );
        let page = stage.slack.home_of(ALICE).expect("a page");
        assert!(page.shown().contains("not connected yet"), "{}", page.shown());

        stage.post(&home_opened(DM, GUEST, "home")).await;
        stage.running.settle().await;
        let page = stage.slack.home_of(GUEST).expect("a page");
        assert!(page.shown().contains("not guests") && page.buttons().is_empty());
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_greeting_is_answered_with_the_assistant_s_own_greeting() {
    on_each("hello", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let services = stage.running.services();
        let assistant = services
            .assistants
            .assistant(stage.org.id, stage.at.assistant)
            .await;
        let mut brand = Brand::from(&assistant.expect("the assistant"));
        brand.greeting = "Ahoy, I am the bookkeeper.".to_owned();
        let name = brand.name.clone();
        services
            .assistants
            .update_assistant(Actor::SYSTEM, stage.org.id, stage.at.assistant, brand)
            .await
            .expect("greeting");
        for said in ["hi", "Good morning!", &format!("hey {name}")] {
            let said = stage.slack.says(DM, ALICE, said);
            stage.post(&said.message()).await;
            stage.running.settle().await;
            let notices = stage.slack.direct_messages_to(ALICE);
            assert!(
                notices
                    .last()
                    .expect("a word")
                    .shown()
                    .contains("Ahoy, I am the bookkeeper."),
                "{notices:?}"
            );
        }
        let ledger = services.usage.ledger(stage.org.id).await.expect("ledger");
        assert!(
            ledger.entries.iter().all(|entry| entry.charged.0 == 0),
            "a greeting is free"
        );
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn opening_the_conversation_suggests_prompts() {
    on_each("prompts", |place| async move {
        let stage = Stage::set(&place).await;
        assert_eq!(stage.post(&home_opened(DM, ALICE, "messages")).await, 200);
        stage.running.settle().await;
        let prompts = stage.slack.prompts();
        assert_eq!(prompts.len(), 1);
        assert_eq!((prompts[0].0.as_str(), prompts[0].1.len()), (DM, 2));
        // In a workspace without this feature, nothing else is lost.
        stage.slack.without_agent_view();
        let mut later = home_opened(DM, ALICE, "messages");
        later["event_time"] = serde_json::json!(1_795_000_120);
        assert_eq!(stage.post(&later).await, 200);
        let mut home = home_opened(DM, ALICE, "home");
        home["event_time"] = serde_json::json!(1_795_000_120);
        assert_eq!(stage.post(&home).await, 200);
        stage.running.settle().await;
        assert_eq!(stage.slack.prompts().len(), 1);
        stage.link(ALICE, stage.org.mara.user).await;
        let said = stage
            .slack
            .says(DM, ALICE, "Monthly payment on 8.5 million at 5.85%, 30 year am?");
        stage.post(&said.message()).await;
        stage.running.settle().await;
        assert_eq!(stage.slack.final_answers(said.thread()).len(), 1);
        stage.running.stop().await;
    })
    .await;
}
