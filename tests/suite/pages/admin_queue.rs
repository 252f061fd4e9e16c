//! Conversations, people, failed deliveries and feedback, as an administrator manages them.

use corbel::assistants::model::{ConversationState, DeliveryKind, Installation, Sender};
use corbel::audit::store::{self as audit, Actor};
use corbel::base::ids::DeliveryId;
use corbel::base::principal::Role;

use crate::chat::slack_flow::Stage;
use crate::harness::app::{Place, on_each};
use crate::harness::browser::Browser;
use crate::harness::slack::{ALICE, CHANNEL, DM, Fault, TEAM};
use crate::pages::admin_brand::{csrf, field};

pub const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";

/// A stage with a signed-in administrator.
pub async fn set(place: &std::sync::Arc<Place>) -> (Stage, Browser, String) {
    let stage = Stage::set(place).await;
    let ada = stage.running.member(&stage.org, "Ada", Role::Admin).await;
    let ada = Browser::of(&stage.running, &ada).await;
    let base = format!("/console/assistants/{}", stage.at.assistant);
    (stage, ada, base)
}

fn person(user: &str) -> Sender {
    Sender {
        team: TEAM.to_owned(),
        user: user.to_owned(),
        account: None,
    }
}

/// The ids of the deliveries of answers, in the order of the questions.
async fn answers(stage: &Stage) -> Vec<DeliveryId> {
    let services = stage.running.services();
    let rows: Vec<(DeliveryId,)> = services
        .db
        .query("SELECT id FROM deliveries WHERE org_id = $1 AND kind = $2 ORDER BY id")
        .bind(stage.org.id)
        .bind(DeliveryKind::Answer)
        .all()
        .await
        .expect("deliveries");
    rows.into_iter().map(|(id,)| id).collect()
}

#[tokio::test]
async fn conversations_are_approved_suspended_and_revoked() {
    on_each("conversations", |place| async move {
        let (stage, mut ada, base) = set(&place).await;
        let (org, at) = (stage.org.id, stage.at.slack.id);
        let assistants = &stage.running.services().assistants;
        let conversations = &stage.running.services().conversations;
        let address = format!("{base}/conversations");
        let page = ada.get(&address).await;
        assert!(page.text.contains("No requests yet"), "{}", page.text);
        let token = csrf(&page);
        let act = |conversation: &str, act: &str| {
            vec![
                token.clone(),
                field("conversation", conversation),
                field("act", act),
            ]
        };
        let state = async |id: &str| conversations.state(org, at, id).await.expect("state");

        // Requested once. A later title is stored, but a decision is not changed.
        assert!(
            conversations
                .request(org, at, CHANNEL, "", ALICE)
                .await
                .expect("new")
        );
        let title = "<b>deals</b>\nroom";
        assert!(
            !conversations
                .request(org, at, CHANNEL, title, "U2")
                .await
                .expect("known")
        );
        let page = ada.get(&address).await;
        assert!(
            page.text.contains("&#60;b&#62;deals&#60;/b&#62; room") && page.text.contains("Awaiting review")
        );
        assert!(
            page.text.contains(ALICE) && !page.text.contains("U2,"),
            "the first asker"
        );
        assert!(page.text.contains("all of Acme"), "shown at approval");
        assert!(
            ada.get("/console/assistants")
                .await
                .text
                .contains("1 conversation is awaiting review")
        );

        let approved = ada.post(&address, &act(CHANNEL, "approve")).await;
        assert!(approved.path.ends_with("?done=approved") && approved.text.contains("Reviewed by Ada"));
        assert_eq!(state(CHANNEL).await, Some(ConversationState::Approved));
        assert!(
            !conversations
                .request(org, at, CHANNEL, "deals", ALICE)
                .await
                .expect("known")
        );
        assert_eq!(state(CHANNEL).await, Some(ConversationState::Approved));

        // Buildings: some, none, all.
        for (id, name) in [
            ("b-1", "Harbour <Row>"),
            ("b-2", "Mill Yard"),
            ("b-3", "Old Depot"),
        ] {
            let portfolio = &stage.running.services().portfolio;
            portfolio
                .put_building(Actor::SYSTEM, org, id, name)
                .await
                .expect("a building");
        }
        let set = format!("{address}/buildings");
        let choice = format!("{set}?conversation={CHANNEL}");
        let offered = ada.get(&choice).await;
        assert!(
            offered.text.contains("Harbour &#60;Row&#62;") && offered.text.contains("Old Depot"),
            "{}",
            offered.text
        );
        let form = |which: &str, ids: &[&str]| {
            let mut form = vec![
                token.clone(),
                field("conversation", CHANNEL),
                field("which", which),
            ];
            form.extend(ids.iter().map(|id| field(&format!("building:{id}"), "on")));
            form
        };
        let saved = ada.post(&set, &form("some", &["b-2", "b-1"])).await;
        assert!(saved.text.contains("2 selected"), "{}", saved.text);
        let known = async || {
            conversations
                .find(org, at, CHANNEL)
                .await
                .expect("read")
                .expect("known")
        };
        let one = known().await;
        assert_eq!(one.buildings.expect("a set").0, ["b-1", "b-2"]);
        let kept = ada.get(&choice).await;
        assert_eq!(kept.text.matches("type=\"checkbox\"").count(), 3);
        assert_eq!(
            kept.text.matches("\" checked> ").count(),
            3,
            "one way, two buildings: {}",
            kept.text
        );
        let refused = ada.post(&set, &form("some", &[])).await;
        assert_eq!(refused.status, 422);
        assert!(
            refused.text.contains("must name at least one building"),
            "{}",
            refused.text
        );
        let refused = ada.post(&set, &form("some", &["b-3", &"y".repeat(101)])).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text.contains("no longer exists"), "{}", refused.text);
        assert_eq!(known().await.buildings.expect("kept").0, ["b-1", "b-2"]);
        assert_eq!(ada.get(&format!("{set}?conversation=C0NOSUCH")).await.status, 404);

        let suspended = ada.post(&address, &act(CHANNEL, "suspend")).await;
        assert!(
            suspended.text.contains("Reason: an administrator suspended it"),
            "{}",
            suspended.text
        );
        assert_eq!(state(CHANNEL).await, Some(ConversationState::Suspended));
        assert_eq!(ada.post(&address, &act(CHANNEL, "suspend")).await.status, 409);
        ada.post(&address, &act(CHANNEL, "approve")).await;
        let one = known().await;
        assert_eq!(
            (one.state, one.reason.as_deref()),
            (ConversationState::Approved, None)
        );
        assert_eq!(
            (one.title.as_str(), one.requested_by.as_deref()),
            ("deals", Some(ALICE))
        );
        assert_eq!(one.buildings.expect("kept through decisions").0.len(), 2);
        ada.post(&set, &form("all", &["b-3"])).await;
        assert!(known().await.buildings.is_none());

        // Revoking asks for confirmation; the question alone has no effect.
        let asked = ada.get(&format!("{address}/revoke?conversation={CHANNEL}")).await;
        assert!(asked.text.contains("Revoke deals?"), "{}", asked.text);
        assert_eq!(state(CHANNEL).await, Some(ConversationState::Approved));
        let form = asked.form("value=\"revoke\"");
        let revoked = ada.post(&address, &form).await;
        assert!(revoked.path.ends_with("?done=revoked"));
        assert_eq!(state(CHANNEL).await, Some(ConversationState::Revoked));
        assert_eq!(
            ada.get(&format!("{address}/revoke?conversation=C0NONE"))
                .await
                .status,
            404
        );

        // Entered by id.
        for wrong in [&"C".repeat(201), "#general", "c0chan", "D0DM"] {
            let refused = ada.post(&address, &act(wrong, "approve")).await;
            assert_eq!(refused.status, 422, "{wrong}");
            assert!(
                refused.text.contains("from the very bottom of"),
                "{}",
                refused.text
            );
            assert_eq!(state(wrong).await, None);
        }
        ada.post(&address, &act(" C0BYHAND ", "approve")).await;
        assert_eq!(state("C0BYHAND").await, Some(ConversationState::Approved));

        // Shared replies.
        for (on, word) in [("false", "shared-off"), ("true", "shared-on")] {
            let set = ada
                .post(&format!("{base}/shared"), &[token.clone(), field("on", on)])
                .await;
            assert!(set.path.ends_with(word), "{}", set.path);
            let assistant = assistants
                .assistant(org, stage.at.assistant)
                .await
                .expect("assistant");
            assert_eq!(assistant.shared_enabled.to_string(), on);
        }
        let db = &stage.running.services().db;
        let decided = audit::list(db, org, 100).await.expect("audit");
        let decided = decided
            .iter()
            .filter(|line| line.action == "conversation.decided");
        assert_eq!(decided.filter(|line| line.actor.is_some()).count(), 5);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn people_are_paginated_and_can_be_unlinked() {
    on_each("people", |place| async move {
        let (stage, mut ada, base) = set(&place).await;
        let links = &stage.running.services().links;
        let address = format!("{base}/people");
        let page = ada.get(&address).await;
        assert!(page.text.contains("Nobody is linked yet") && page.text.contains("is linked."));
        let at: &Installation = &stage.at.slack;
        for n in 0..30 {
            let who = person(&format!("UNEW{n:02}"));
            links
                .create_offer(at, DeliveryId::new(), &who, &format!("New <{n:02}>"), "Acme HQ")
                .await
                .expect("offer");
        }
        stage.link(ALICE, stage.org.mara.user).await;
        for n in 0..27 {
            stage.link(&format!("UOLD{n:02}"), stage.org.noel.user).await;
        }
        // A person who was linked after the offer is no longer listed as new.
        stage.link("UNEW29", stage.org.noel.user).await;
        let page = ada.get(&address).await;
        let count = |text: &str, what: &str| text.matches(what).count();
        assert_eq!(count(&page.text, "Noel of Acme</b>"), 25);
        assert_eq!(
            count(&page.text, "New &#60;"),
            26,
            "25 strangers, and one who is linked"
        );
        assert!(!page.text.contains("New <"));
        let link = |kind: &str, page: &str| {
            let from = page.find(&format!("people?{kind}=")).expect("another page");
            let path = page[from..].split('"').next().expect("an end");
            format!("{base}/{path}")
        };
        let second = ada.get(&link("linked", &page.text)).await;
        assert!(second.text.contains("Mara of Acme") && !second.text.contains("people?linked="));
        assert_eq!(count(&second.text, "Noel of Acme</b>"), 3);
        let second = ada.get(&link("unlinked", &page.text)).await;
        assert_eq!(count(&second.text, "last asked"), 4);
        assert_eq!(ada.get(&format!("{address}?linked=nonsense")).await.status, 400);

        // Unlinking asks for confirmation.
        let second = ada.get(&link("linked", &page.text)).await;
        let from = second.text.find("Mara of Acme").expect("Mara");
        let path = second.text[from..].split("href=\"").nth(1).expect("a link");
        let asked = ada.get(path.split('"').next().expect("its end")).await;
        assert!(asked.text.contains("Unlink Mara of Acme?"), "{}", asked.text);
        let who = person(ALICE);
        let linked = async || {
            links
                .find(stage.org.id, at.id, &who)
                .await
                .expect("read")
                .is_some()
        };
        assert!(linked().await);
        let form = asked.form("name=\"link\"");
        let gone = ada.post(&format!("{address}/unlink"), &form).await;
        assert!(gone.path.ends_with("?done=unlinked"), "{}", gone.text);
        assert!(!linked().await);
        assert_eq!(
            ada.post(&format!("{address}/unlink"), &form).await.status,
            404,
            "it is gone"
        );
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_failed_delivery_is_resent_once() {
    on_each("resend", |place| async move {
        let (stage, mut ada, base) = set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let address = format!("{base}/deliveries");
        assert!(ada.get(&address).await.text.contains("No failed deliveries"));

        // One fails before its placeholder was posted, one afterwards.
        stage.slack.refuse_posts(DM, Some("user_disabled"));
        let said = stage.slack.says(DM, ALICE, QUESTION);
        assert_eq!(stage.post(&said.message()).await, 200);
        stage.running.settle().await;
        stage.slack.refuse_posts(DM, None);
        stage
            .slack
            .fail_next("chat.update", Fault::Error("user_disabled"), 1);
        let said = stage
            .slack
            .says(DM, ALICE, "NOI 1m, annual debt service 800k. DSCR?");
        assert_eq!(stage.post(&said.message()).await, 200);
        stage.running.settle().await;
        let services = stage.running.services();
        let failed = services
            .deliveries
            .failed(stage.org.id, stage.at.assistant, None)
            .await
            .expect("list");
        assert_eq!(failed.items.len(), 2);
        let page = ada.get(&address).await;
        assert!(
            page.text.contains("<b>Answer</b>") && page.text.contains("for Mara of Acme"),
            "{}",
            page.text
        );
        assert!(page.text.contains("user_disabled"));
        assert!(!page.text.contains("debt service"), "no question is shown");
        for one in &failed.items {
            let form = page.form(&format!("value=\"{}\"", one.id));
            let sent = ada.post(&format!("{address}/resend"), &form).await;
            assert!(sent.path.ends_with("?done=resent"), "{}", sent.text);
            // Clicking twice resends once.
            let again = ada.post(&format!("{address}/resend"), &form).await;
            assert!(again.path.ends_with("?done=resent-before"), "{}", again.text);
        }
        stage.running.settle().await;
        assert!(ada.get(&address).await.text.contains("No failed deliveries"));
        let shown: Vec<String> = stage
            .slack
            .messages(DM)
            .iter()
            .map(crate::harness::slack::Message::shown)
            .collect();
        for answer in ["1.33x", "1.25x"] {
            let count = shown.iter().filter(|text| text.contains(answer)).count();
            assert_eq!(count, 1, "{answer}: {shown:?}");
        }
        assert!(
            !shown.iter().any(|text| text.contains("Working on it")),
            "{shown:?}"
        );
        let lines = audit::list(&services.db, stage.org.id, 100).await.expect("audit");
        let resent = lines
            .iter()
            .filter(|line| line.action == "delivery.resent")
            .count();
        assert_eq!(resent, failed.items.len());
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn nothing_is_resent_without_an_installation() {
    on_each("resend without rights", |place| async move {
        let (stage, mut ada, base) = set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage
            .slack
            .fail_next("chat.update", Fault::Error("user_disabled"), 1);
        let said = stage.slack.says(DM, ALICE, QUESTION);
        assert_eq!(stage.post(&said.message()).await, 200);
        stage.running.settle().await;
        let deliveries = &stage.running.services().deliveries;
        let installations = &stage.running.services().installations;
        installations
            .disable(&stage.at.slack, "account_inactive")
            .await
            .expect("disabled");
        let page = ada.get(&format!("{base}/deliveries")).await;
        assert!(
            page.text.contains("is not installed at the moment") && page.text.contains("account_inactive")
        );
        assert!(!page.text.contains("Resend<"), "no button that cannot work");
        assert!(page.text.contains("cannot answer until"), "the banner");
        let failed = deliveries
            .failed(stage.org.id, stage.at.assistant, None)
            .await
            .expect("list");
        let id = failed.items[0].id;
        let form = [csrf(&page), field("delivery", &id.to_string())];
        assert_eq!(
            ada.post(&format!("{base}/deliveries/resend"), &form).await.status,
            409
        );
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn feedback_shows_no_private_question() {
    on_each("feedback", |place| async move {
        let (stage, mut ada, base) = set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let address = format!("{base}/feedback");
        assert!(ada.get(&address).await.text.contains("No feedback yet"));
        let private = stage
            .slack
            .says(DM, ALICE, "Private: NOI 1m, annual debt service 800k. DSCR?");
        assert_eq!(stage.post(&private.message()).await, 200);
        stage.running.settle().await;
        let mention = format!("<@U0BOT> {QUESTION}");
        let shared = stage.slack.says(CHANNEL, ALICE, &mention);
        assert_eq!(stage.post(&shared.mention()).await, 200);
        stage.running.settle().await;
        let deliveries = answers(&stage).await;
        let [private, shared] = deliveries.as_slice() else {
            panic!("{deliveries:?}")
        };
        let (org, at) = (stage.org.id, stage.at.slack.id);
        let deliveries = &stage.running.services().deliveries;
        let (alice, mara) = (person(ALICE), Some(stage.org.mara.user));
        for helpful in [false, true] {
            deliveries
                .add_feedback(org, at, *private, &alice, mara, helpful)
                .await
                .expect("kept");
        }
        deliveries
            .add_feedback(org, at, *shared, &alice, mara, false)
            .await
            .expect("kept");
        deliveries
            .add_feedback(org, at, *shared, &person("U<2>"), None, true)
            .await
            .expect("kept");
        let page = ada.get(&address).await;
        assert!(
            page.text.contains("annual debt service 968k"),
            "the shared question: {}",
            page.text
        );
        assert!(!page.text.contains("800k") && page.text.contains("Private question"));
        assert!(page.text.contains("Mara of Acme") && page.text.contains("U&#60;2&#62;"));
        let sums = deliveries
            .feedback_counts(org, stage.at.assistant)
            .await
            .expect("sums");
        assert_eq!(sums, (2, 1), "a second press replaces the first");

        // Not for another installation or organization, or for anything other than an answer.
        let other = stage.running.organization("Other").await;
        let elsewhere = stage
            .running
            .slack_assistant_of(&other, "A0OTHER", "T0OTHER")
            .await;
        let foreign = deliveries.add_feedback(other.id, elsewhere.slack.id, *shared, &alice, None, true);
        assert!(foreign.await.is_err());
        let unknown = deliveries.add_feedback(org, at, DeliveryId::new(), &alice, mara, true);
        assert!(unknown.await.is_err());
        assert!(
            deliveries
                .resend(Actor::OPERATOR, other.id, *shared)
                .await
                .is_err()
        );
        stage.running.stop().await;
    })
    .await;
}
