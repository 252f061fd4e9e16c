//! Button presses: one-click approval, feedback and resending; forged, duplicate and late presses.

use corbel::assistants::model::{ConversationState, Sender};
use corbel::audit::store::Actor;
use corbel::base::ids::UserId;
use serde_json::{Value, json};

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::requests::{deliver_form, form, interaction};
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM, Ephemeral, GUEST, Message, SECRET, STRANGER, TEAM};

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
const MENTION: &str = "<@U0BOT> NOI 1.285m, annual debt service 968k. DSCR?";

impl Stage {
    /// A user presses the button with this label on a message. Returns the status.
    pub async fn press(&self, message: &Message, user: &str, label: &str) -> u16 {
        let action = message.action(label).expect("something to press");
        self.press_action(message, user, &action).await
    }

    /// Sends an arbitrary action, including one that was never offered.
    pub async fn press_action(&self, message: &Message, user: &str, action: &Value) -> u16 {
        self.interact(&interaction(message, user, action)).await
    }

    pub async fn interact(&self, payload: &Value) -> u16 {
        let address = self.at.events.replace("/events", "/interactivity");
        deliver_form(&address, SECRET, self.now(), form(payload))
            .await
            .status
    }

    /// Makes a user an admin of the organization.
    pub async fn promote(&self, user: UserId) {
        self.running
            .services()
            .db
            .write(move |tx| {
                Box::pin(async move {
                    tx.query("UPDATE memberships SET role = 'admin' WHERE user_id = $1")
                        .bind(user)
                        .execute()
                        .await?;
                    Ok(())
                })
            })
            .await
            .expect("promoted");
    }
}

async fn state(stage: &Stage, channel: &str) -> Option<ConversationState> {
    let conversations = &stage.running.services().conversations;
    let state = conversations
        .state(stage.org.id, stage.at.slack.id, channel)
        .await;
    state.expect("state")
}

/// Alice is a member, Bob an admin; both are linked. Alice asks in a conversation that is not approved. Returns the
/// notice sent to Bob.
async fn request_approval(stage: &Stage) -> Message {
    stage.link(ALICE, stage.org.mara.user).await;
    stage.link(BOB, stage.org.noel.user).await;
    stage.promote(stage.org.noel.user).await;
    let said = stage.slack.says(CHANNEL, ALICE, MENTION);
    stage.post(&said.mention()).await;
    stage.running.settle().await;
    let notices = stage.slack.direct_messages_to(BOB);
    assert_eq!(notices.len(), 1, "one notice");
    notices[0].clone()
}

#[tokio::test]
async fn an_admin_approves_with_one_click() {
    on_each("approve", |place| async move {
        let stage = Stage::set(&place).await;
        let notice = request_approval(&stage).await;
        let shown = notice.shown();
        assert!(
            shown.contains("Alice Archer") && shown.contains("#deals") && shown.contains(CHANNEL),
            "{shown}"
        );
        assert!(shown.contains("all buildings of the organization"), "{shown}");
        assert_eq!(notice.buttons(), ["Approve", "Decline"]);
        assert_eq!(state(&stage, CHANNEL).await, Some(ConversationState::Requested));

        // Asking again does not notify the admin again.
        let again = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&again.mention()).await;
        stage.running.settle().await;
        assert_eq!(stage.slack.direct_messages_to(BOB).len(), 1);
        assert_eq!(
            stage.slack.ephemerals_for(ALICE).len(),
            2,
            "the asker gets a reply"
        );

        assert_eq!(stage.press(&notice, BOB, "Approve").await, 200);
        stage.running.settle().await;
        assert_eq!(state(&stage, CHANNEL).await, Some(ConversationState::Approved));
        let updated = &stage.slack.direct_messages_to(BOB)[0];
        assert!(
            updated.shown().contains("Noel of Acme approved"),
            "{}",
            updated.shown()
        );
        assert!(updated.buttons().is_empty());
        let asker = stage.slack.direct_messages_to(ALICE);
        assert!(
            asker
                .last()
                .is_some_and(|notices| notices.shown().contains("now approved")),
            "{asker:?}"
        );
        let answered = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&answered.mention()).await;
        stage.running.settle().await;
        assert_eq!(stage.slack.final_answers(answered.thread()).len(), 1);

        // A late press reports who approved.
        stage.press(&notice, BOB, "Approve").await;
        stage.running.settle().await;
        let shown = stage.slack.direct_messages_to(BOB)[0].shown();
        assert!(shown.contains("already approved by Noel of Acme"), "{shown}");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn simultaneous_presses_decide_once() {
    on_each("double approve", |place| async move {
        let stage = Stage::set(&place).await;
        let notice = request_approval(&stage).await;
        let action = notice.action("Approve").expect("a button");
        let presses: Vec<Value> = (0..6).map(|_| interaction(&notice, BOB, &action)).collect();
        let mut sent = Vec::new();
        for payload in &presses {
            sent.push(stage.interact(payload));
            // The same press again, as Slack redelivers it without an acknowledgement.
            sent.push(stage.interact(payload));
        }
        for status in futures_util::future::join_all(sent).await {
            assert_eq!(status, 200);
        }
        stage.running.settle().await;
        let decided: i64 = stage
            .running
            .services()
            .db
            .query("SELECT CAST(COUNT(*) AS BIGINT) FROM audit_log WHERE action = 'conversation.decided'")
            .scalar()
            .await
            .expect("audit");
        assert_eq!(decided, 1);
        let asker = stage.slack.direct_messages_to(ALICE);
        let notices = asker
            .iter()
            .filter(|one| one.shown().contains("now approved"))
            .count();
        assert_eq!(notices, 1, "the asker gets one reply");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn forged_presses_change_nothing_and_get_a_reason() {
    on_each("forged", |place| async move {
        let stage = Stage::set(&place).await;
        let notice = request_approval(&stage).await;
        let approve = notice.action("Approve").expect("a button");
        // A member, a guest, a user of another workspace, and an unlinked user.
        let mut unlinked = notice.clone();
        unlinked.channel = CHANNEL.to_owned();
        for (user, reason) in [
            (ALICE, "administrators"),
            (GUEST, "guests"),
            (STRANGER, "another workspace"),
        ] {
            assert_eq!(stage.press_action(&unlinked, user, &approve).await, 200);
            stage.running.settle().await;
            let replies: Vec<String> = stage
                .slack
                .ephemerals_for(user)
                .iter()
                .map(Ephemeral::shown)
                .collect();
            assert!(
                replies.last().is_some_and(|last| last.contains(reason)),
                "{user}: {replies:?}"
            );
        }
        // An admin, but for a conversation in which nobody asked.
        let mut other = approve.clone();
        other["value"] = json!(r#"{"act":"approve","conversation":"C0PRIV"}"#);
        stage.press_action(&unlinked, BOB, &other).await;
        stage.running.settle().await;
        let replies = stage.slack.ephemerals_for(BOB);
        assert!(
            replies[0].shown().contains("cannot find"),
            "{}",
            replies[0].shown()
        );
        assert_eq!(state(&stage, CHANNEL).await, Some(ConversationState::Requested));
        assert_eq!(state(&stage, "C0PRIV").await, None);

        // A delivery of another organization.
        let other = stage.running.organization("Globex").await;
        let theirs = stage.running.slack_assistant(&other).await;
        let who = Sender {
            team: TEAM.to_owned(),
            user: ALICE.to_owned(),
            account: None,
        };
        let links = &stage.running.services().links;
        links
            .create(Actor::OPERATOR, other.id, theirs.slack.id, who, other.mara.user)
            .await
            .expect("link");
        let said = stage.slack.says(DM, ALICE, QUESTION);
        stage
            .post_at(&theirs.events, SECRET, stage.now(), &said.message())
            .await;
        stage.running.settle().await;
        let answer = stage.slack.final_answers(said.thread())[0].clone();
        let thumb = answer.action("up").expect("thumbs");
        stage.press_action(&unlinked, BOB, &thumb).await;
        stage.running.settle().await;
        let replies = stage.slack.ephemerals_for(BOB);
        assert!(
            replies[1].shown().contains("cannot find"),
            "{}",
            replies[1].shown()
        );

        // Unsigned, of another app, of another workspace, and not a form.
        let address = stage.at.events.replace("/events", "/interactivity");
        let good = interaction(&notice, BOB, &approve);
        let sent = deliver_form(&address, "another-secret", stage.now(), form(&good)).await;
        assert_eq!(sent.status, 401);
        for (path, wrong, code) in [
            ("/api_app_id", json!("A0OTHER"), "wrong_app"),
            ("/team/id", json!("T0OTHER"), "wrong_team"),
        ] {
            let mut bad = good.clone();
            *bad.pointer_mut(path).expect("a field") = wrong;
            let sent = deliver_form(&address, SECRET, stage.now(), form(&bad)).await;
            assert_eq!((sent.status, sent.code().as_str()), (403, code));
        }
        for bad in ["payload=%5B%5D", "payload=%7B", "a=b", ""] {
            let sent = deliver_form(&address, SECRET, stage.now(), bad.to_owned()).await;
            assert_eq!(sent.status, 400, "{bad}");
        }
        let check = deliver_form(&address, SECRET, stage.now(), "ssl_check=1&token=x".to_owned()).await;
        assert_eq!((check.status, check.body.as_str()), (200, ""));
        let mut modal = good.clone();
        modal["type"] = json!("view_submission");
        assert_eq!(stage.interact(&modal).await, 200);
        let mut link = approve.clone();
        link["action_id"] = json!("open_link");
        assert_eq!(stage.press_action(&notice, BOB, &link).await, 200);
        stage.running.settle().await;
        assert_eq!(state(&stage, CHANNEL).await, Some(ConversationState::Requested));
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_unlinked_admin_is_asked_to_connect() {
    on_each("unlinked press", |place| async move {
        let stage = Stage::set(&place).await;
        let notice = request_approval(&stage).await;
        let approve = notice.action("Approve").expect("a button");
        let who = Sender {
            team: TEAM.to_owned(),
            user: BOB.to_owned(),
            account: None,
        };
        let (services, org, at) = (stage.running.services().clone(), stage.org.id, stage.at.slack.id);
        services
            .db
            .write({
                let services = services.clone();
                move |tx| {
                    let (services, who) = (services.clone(), who.clone());
                    Box::pin(async move {
                        let actor = Actor::OPERATOR;
                        services.links.remove(tx, actor, org, at, &who).await
                    })
                }
            })
            .await
            .expect("unlinked");
        stage.press_action(&notice, BOB, &approve).await;
        stage.running.settle().await;
        let notices = stage.slack.direct_messages_to(BOB);
        assert!(
            notices.last().is_some_and(|last| last.link().is_some()),
            "{notices:?}"
        );
        assert_eq!(state(&stage, CHANNEL).await, Some(ConversationState::Requested));
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn feedback_is_stored_and_replaced() {
    on_each("feedback", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let said = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&said.mention()).await;
        stage.running.settle().await;
        let answer = stage.slack.final_answers(said.thread())[0].clone();
        stage.press(&answer, ALICE, "up").await;
        stage.running.settle().await;
        stage.press(&answer, ALICE, "down").await;
        // Bob is not linked, but he can read the answer.
        stage.press(&answer, BOB, "up").await;
        stage.press(&answer, GUEST, "up").await;
        stage.running.settle().await;
        let deliveries = &stage.running.services().deliveries;
        let sums = deliveries.feedback_counts(stage.org.id, stage.at.assistant).await;
        assert_eq!(sums.expect("sums"), (1, 1));
        let replies = stage.slack.ephemerals_for(ALICE);
        assert!(
            replies[1].shown().contains("not helpful"),
            "{}",
            replies[1].shown()
        );
        assert!(stage.slack.ephemerals_for(GUEST)[0].shown().contains("guests"));

        // A clarifying question has no feedback buttons.
        let back = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> What is the DSCR?");
        stage.post(&back.mention()).await;
        stage.running.settle().await;
        let clarifying = &stage.slack.final_answers(back.thread())[0];
        assert!(clarifying.action("up").is_none());
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn admins_are_notified_of_undelivered_answers_and_resend_them() {
    on_each("resend", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.link(BOB, stage.org.noel.user).await;
        stage.promote(stage.org.noel.user).await;
        stage.slack.refuse_posts(DM, Some("ekm_access_denied"));
        for _ in 0..2 {
            let said = stage.slack.says(DM, ALICE, QUESTION);
            stage.post(&said.message()).await;
            stage.running.settle().await;
            assert!(stage.said(said.thread()).is_empty());
        }
        stage.slack.refuse_posts(DM, None);
        let notices = stage.slack.direct_messages_to(BOB);
        assert_eq!(notices.len(), 1, "one notice per hour");
        let notice = notices[0].clone();
        assert!(notice.shown().contains("could not deliver"), "{}", notice.shown());
        // The same button pressed by a member has no effect.
        let action = notice.action("Send again").expect("a button");
        let mut elsewhere = notice.clone();
        elsewhere.channel = CHANNEL.to_owned();
        stage.press_action(&elsewhere, ALICE, &action).await;
        stage.running.settle().await;
        assert!(
            stage.slack.ephemerals_for(ALICE)[0]
                .shown()
                .contains("administrators")
        );
        stage.press(&notice, BOB, "Send again").await;
        stage.press(&notice, BOB, "Send again").await;
        stage.running.settle().await;
        let answered = stage
            .slack
            .direct_messages_to(ALICE)
            .iter()
            .filter(|one| one.shown().contains("1.33"))
            .count();
        assert_eq!(answered, 1);
        stage.running.stop().await;
    })
    .await;
}
