//! Questions in conversations that are not approved: what is kept, who decides, and who is notified of the decision.

use corbel::assistants::model::ConversationState;
use corbel::audit::store::Actor;
use serde_json::Value;

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::requests::interaction;
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM, EXTERNAL, Fault, GUEST, Message, ORG_WIDE};

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
const MENTION: &str = "<@U0BOT> NOI 1.285m, annual debt service 968k. DSCR?";
/// A third full member.
const CARA: &str = GUEST;

impl Stage {
    /// Links Alice and Cara, who are members, and Bob, who is an admin.
    async fn link_people(&self) {
        self.slack.change_user(CARA, |user| user.restricted = false);
        self.link(ALICE, self.org.mara.user).await;
        self.link(CARA, self.org.mara.user).await;
        self.link(BOB, self.org.noel.user).await;
        self.promote(self.org.noel.user).await;
    }

    async fn mention_in(&self, channel: &str, user: &str) {
        let said = self.slack.says(channel, user, MENTION);
        assert_eq!(self.post(&said.mention()).await, 200);
        self.running.settle().await;
    }

    async fn conversation(&self, channel: &str) -> Option<(ConversationState, Option<String>)> {
        let conversations = &self.running.services().conversations;
        let (org, at) = (self.org.id, self.at.slack.id);
        let conversation = conversations.find(org, at, channel).await;
        conversation
            .expect("conversation")
            .map(|conversation| (conversation.state, conversation.requested_by))
    }

    async fn share_replies(&self, on: bool) {
        let assistants = &self.running.services().assistants;
        let set = assistants.set_shared(Actor::OPERATOR, self.org.id, self.at.assistant, on);
        set.await.expect("set");
    }
}

fn shown(messages: &[Message]) -> Vec<String> {
    messages.iter().map(Message::shown).collect()
}

#[tokio::test]
async fn a_me_message_in_a_direct_message_is_a_question() {
    on_each("slash me", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let said = stage.slack.says(DM, ALICE, QUESTION);
        let mut event = said.message();
        event["event"]["subtype"] = "me_message".into();
        assert_eq!(stage.post(&event).await, 200);
        stage.running.settle().await;
        assert_eq!(stage.slack.final_answers(said.thread()).len(), 1);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn everyone_who_asked_is_notified_of_the_decision_once() {
    on_each("askers", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link_people().await;
        for user in [ALICE, CARA, ALICE] {
            stage.mention_in(CHANNEL, user).await;
        }
        let notice = stage.slack.direct_messages_to(BOB)[0].clone();
        let before = stage.slack.direct_messages_to(ALICE).len();
        stage.press(&notice, BOB, "Approve").await;
        stage.running.settle().await;
        for user in [ALICE, CARA] {
            let notices = shown(&stage.slack.direct_messages_to(user));
            let decided = notices
                .iter()
                .filter(|notices| notices.contains("now approved"))
                .count();
            assert_eq!(decided, 1, "{user}: {notices:?}");
        }
        assert_eq!(stage.slack.direct_messages_to(ALICE).len(), before + 1);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn simultaneous_approve_and_decline_decide_once() {
    on_each("both buttons", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link_people().await;
        stage.mention_in(CHANNEL, ALICE).await;
        let notice = stage.slack.direct_messages_to(BOB)[0].clone();
        let button = |label: &str| notice.action(label).expect("a button");
        let presses: Vec<Value> = ["Approve", "Decline", "Approve", "Decline"]
            .map(|label| interaction(&notice, BOB, &button(label)))
            .into();
        let sent = presses.iter().map(|payload| stage.interact(payload));
        for status in futures_util::future::join_all(sent).await {
            assert_eq!(status, 200);
        }
        stage.running.settle().await;
        let notices = shown(&stage.slack.direct_messages_to(ALICE));
        assert_eq!(notices.len(), 1, "{notices:?}");
        let (state, _) = stage.conversation(CHANNEL).await.expect("conversation");
        let approved = state == ConversationState::Approved;
        assert_eq!(notices[0].contains("now approved"), approved, "{notices:?}");
        assert_eq!(stage.audited("conversation.decided").await, 1);
        let kept = stage.slack.direct_messages_to(BOB)[0].shown();
        assert!(kept.contains("already"), "{kept}");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn requests_made_while_shared_replies_are_off_are_kept() {
    on_each("asked while off", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link_people().await;
        stage.share_replies(false).await;
        stage.mention_in(CHANNEL, ALICE).await;
        let expected = Some((ConversationState::Requested, Some(ALICE.to_owned())));
        assert_eq!(stage.conversation(CHANNEL).await, expected);
        assert!(
            stage.slack.direct_messages_to(BOB).is_empty(),
            "no admin is asked to approve"
        );
        // Once they are on, admins are notified of the next request, and everyone who asked before gets the decision
        // too.
        stage.share_replies(true).await;
        stage.mention_in(CHANNEL, CARA).await;
        let notice = stage.slack.direct_messages_to(BOB)[0].clone();
        stage.press(&notice, BOB, "Approve").await;
        stage.running.settle().await;
        for user in [ALICE, CARA] {
            let notices = shown(&stage.slack.direct_messages_to(user));
            assert!(
                notices.iter().any(|notices| notices.contains("now approved")),
                "{user}: {notices:?}"
            );
        }
        stage.running.stop().await;
    })
    .await;
}

/// Approval would be refused, so no admin is asked for it, and the asker gets the true reason.
#[tokio::test]
async fn no_approval_is_requested_where_there_are_outsiders() {
    on_each("crowded", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link_people().await;
        for (channel, reason, wrong) in [
            (EXTERNAL, "from outside the organization", "other workspaces"),
            (ORG_WIDE, "other workspaces of the organization", "from outside"),
        ] {
            stage.mention_in(channel, ALICE).await;
            let replies = stage.slack.ephemerals_for(ALICE);
            let replies = replies.last().expect("a reason").shown();
            assert!(replies.contains(reason) && !replies.contains(wrong), "{replies}");
            assert!(!replies.contains("An administrator can approve"), "{replies}");
            assert_eq!(
                stage.conversation(channel).await.expect("kept").0,
                ConversationState::Requested
            );
            assert!(stage.slack.direct_messages_to(BOB).is_empty());
        }
        // An earlier approval is suspended; admins get the reason, without a button that would do nothing.
        stage.approve(ORG_WIDE).await;
        stage.mention_in(ORG_WIDE, ALICE).await;
        let replies = stage.slack.ephemerals_for(ALICE);
        let replies = replies.last().expect("a reason").shown();
        assert!(
            replies.contains("shared with other workspaces") && !replies.contains("from outside"),
            "{replies}"
        );
        let notice = stage.slack.direct_messages_to(BOB).pop().expect("a notice");
        assert!(
            notice
                .shown()
                .contains("is suspended: it is shared with other workspaces"),
            "{}",
            notice.shown()
        );
        assert_eq!(notice.buttons(), Vec::<String>::new());
        stage.running.stop().await;
    })
    .await;
}

/// Sent both as an ephemeral and as a direct message with the same link, also when the first reply was lost.
#[tokio::test]
async fn a_connect_prompt_is_sent_both_ways_even_after_a_lost_reply() {
    on_each("prompt both ways", |place| async move {
        let stage = Stage::set(&place).await;
        stage.approve(CHANNEL).await;
        stage.slack.fail_next("chat.postMessage", Fault::Cut, 1);
        stage.mention_in(CHANNEL, BOB).await;
        let whispered = stage.slack.ephemerals_for(BOB);
        let direct = stage.slack.direct_messages_to(BOB);
        assert_eq!((whispered.len(), direct.len()), (1, 1));
        assert!(direct[0].link().is_some());
        assert_eq!(whispered[0].link(), direct[0].link());
        stage.running.stop().await;
    })
    .await;
}
