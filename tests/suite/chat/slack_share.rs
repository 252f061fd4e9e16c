//! Sharing: the question is run again under the rules of the target conversation, and the private answer remains
//! private.

use corbel::audit::store::Actor;
use corbel::context::model::NoteKind;
use serde_json::{Value, json};

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::requests::interaction;
use crate::harness::slack::{
    ALICE, BOB, CHANNEL, DM, EXTERNAL, Fault, LOBBY, Message, ORG_WIDE, PENDING, PRIVATE,
};

const QUESTION: &str = "what do the notes say about Marlow Court?";
const CANARY: &str = "canary-7Qx-personal";

/// Alice's private answer, which uses a note of her own.
async fn private_answer(stage: &Stage) -> Message {
    stage.link(ALICE, stage.org.mara.user).await;
    let (org, owner) = (stage.org.id, stage.org.mara.user);
    let context = &stage.running.services().context;
    for (kind, title, body) in [
        (
            NoteKind::Personal,
            "Marlow Court",
            format!("Marlow Court: the broker whispered {CANARY}."),
        ),
        (
            NoteKind::Organization,
            "Committee",
            "Marlow Court: the committee meets on Tuesday.".to_owned(),
        ),
    ] {
        context
            .create(Actor::OPERATOR, org, owner, kind, title, &body)
            .await
            .expect("note");
    }
    let answer = ask_directly(stage, QUESTION, None).await;
    assert!(answer.shown().contains(CANARY), "{}", answer.shown());
    answer
}

/// Alice asks in a direct message. Returns the answer.
async fn ask_directly(stage: &Stage, question: &str, thread: Option<&str>) -> Message {
    let said = match thread {
        Some(thread) => stage.slack.replies(DM, ALICE, thread, question),
        None => stage.slack.says(DM, ALICE, question),
    };
    stage.post(&said.message()).await;
    stage.running.settle().await;
    let answers = stage.slack.final_answers(said.thread());
    answers.last().expect("an answer").clone()
}

async fn share(stage: &Stage, answer: &Message, user: &str, to: &str) -> Value {
    let payload = sharing(answer, user, to);
    assert_eq!(stage.interact(&payload).await, 200);
    stage.running.settle().await;
    payload
}

fn sharing(answer: &Message, user: &str, to: &str) -> Value {
    let mut action = answer.action("Share to a channel…").expect("the choice");
    action["selected_conversation"] = json!(to);
    interaction(answer, user, &action)
}

fn last_reply(stage: &Stage) -> String {
    let notices = stage.slack.direct_messages_to(ALICE);
    notices.last().map(Message::shown).unwrap_or_default()
}

#[tokio::test]
async fn a_share_runs_the_question_again_and_copies_nothing() {
    on_each("share", |place| async move {
        let stage = Stage::set(&place).await;
        let answer = private_answer(&stage).await;
        let blocks = serde_json::to_string(&answer.blocks).expect("blocks");
        assert!(
            blocks.contains("Your question, not the answer, will be posted there."),
            "the effect of a choice is explained beforehand: {blocks}"
        );
        stage.approve(CHANNEL).await;
        let payload = share(&stage, &answer, ALICE, CHANNEL).await;
        // The same interaction again, as Slack redelivers it.
        assert_eq!(stage.interact(&payload).await, 200);
        stage.running.settle().await;
        assert_eq!(stage.audited("answer.shared").await, 1);
        let there = stage.slack.messages(CHANNEL);
        assert_eq!(there.len(), 2, "the question and its answer: {there:?}");
        let root = &there[0];
        assert!(
            root.shown().contains("Alice Archer asked") && root.shown().contains("Marlow Court"),
            "{}",
            root.shown()
        );
        assert_eq!(there[1].thread.as_deref(), Some(root.ts.as_str()));
        for message in &there {
            let shown = message.shown();
            assert!(!shown.contains(CANARY), "{shown}");
        }
        assert!(
            there[1].shown().contains("organisation-safe"),
            "{}",
            there[1].shown()
        );
        assert!(
            last_reply(&stage).contains("asked it again in #deals"),
            "{}",
            last_reply(&stage)
        );
        let before = stage
            .slack
            .final_answers(answer.thread.as_deref().expect("a thread"));
        assert!(
            before[0].shown().contains(CANARY),
            "the private answer is unchanged"
        );
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_answer_is_shared_once_per_conversation() {
    on_each("share once", |place| async move {
        let stage = Stage::set(&place).await;
        let answer = private_answer(&stage).await;
        stage.approve(CHANNEL).await;
        stage.approve(PRIVATE).await;
        share(&stage, &answer, ALICE, CHANNEL).await;
        assert_eq!(stage.slack.messages(CHANNEL).len(), 2);
        // A new interaction, not a redelivery.
        share(&stage, &answer, ALICE, CHANNEL).await;
        assert_eq!(stage.slack.messages(CHANNEL).len(), 2, "it is posted there once");
        let notices = last_reply(&stage);
        assert!(
            notices.contains("already") && notices.contains("#deals"),
            "{notices}"
        );
        assert_eq!(stage.audited("answer.shared").await, 1);
        // It can still be shared to another conversation, and another answer can be shared here.
        share(&stage, &answer, ALICE, PRIVATE).await;
        assert_eq!(stage.slack.messages(PRIVATE).len(), 2);
        let another = ask_directly(&stage, QUESTION, None).await;
        share(&stage, &another, ALICE, CHANNEL).await;
        assert_eq!(stage.slack.messages(CHANNEL).len(), 4);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_follow_up_is_shared_without_the_earlier_turns() {
    on_each("share a follow-up", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let worth = "What is a building with $918,000 of NOI worth at a 6.25% cap?";
        let first = ask_directly(&stage, worth, None).await;
        let answer = ask_directly(&stage, "and at 6%?", first.thread.as_deref()).await;
        assert!(answer.shown().contains("15,300,000"), "{}", answer.shown());
        stage.approve(CHANNEL).await;
        share(&stage, &answer, ALICE, CHANNEL).await;
        let there = stage.slack.messages(CHANNEL);
        assert_eq!(there.len(), 2);
        let shown = there[1].shown();
        assert!(
            !shown.contains("15,300,000") && !shown.contains("918,000"),
            "{shown}"
        );
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn nothing_is_shared_where_it_is_not_allowed() {
    on_each("share refused", |place| async move {
        let stage = Stage::set(&place).await;
        let answer = private_answer(&stage).await;
        stage.link(BOB, stage.org.noel.user).await;
        stage.promote(stage.org.noel.user).await;
        // Not approved: the asker gets the reason, and admins are notified of the request to share.
        share(&stage, &answer, ALICE, CHANNEL).await;
        assert!(
            last_reply(&stage).contains("not approved"),
            "{}",
            last_reply(&stage)
        );
        let notice = stage.slack.direct_messages_to(BOB);
        let shown = notice[0].shown();
        assert!(
            shown.contains("wants to share a question")
                && shown.contains("#deals")
                && !shown.contains("asked Abacus"),
            "{shown}"
        );
        assert_eq!(notice[0].buttons(), ["Approve", "Decline"]);
        // Not approved and not approvable: no admin is asked.
        for (channel, reason) in [(PENDING, "from outside"), (ORG_WIDE, "other workspaces")] {
            share(&stage, &answer, ALICE, channel).await;
            assert!(last_reply(&stage).contains(reason), "{}", last_reply(&stage));
        }
        // Not approved, and the assistant is not a member.
        share(&stage, &answer, ALICE, LOBBY).await;
        let notices = last_reply(&stage);
        assert!(
            notices.contains("not a member") && notices.contains("Invite Abacus"),
            "{notices}"
        );
        assert_eq!(
            stage.slack.direct_messages_to(BOB).len(),
            1,
            "one notice, of the first"
        );
        // Approved, but with outsiders.
        stage.approve(EXTERNAL).await;
        share(&stage, &answer, ALICE, EXTERNAL).await;
        assert!(
            last_reply(&stage).contains("outside the organization"),
            "{}",
            last_reply(&stage)
        );
        // Approved, but Alice is not a member, or the assistant is not.
        stage.approve(PRIVATE).await;
        stage.slack.leave(PRIVATE, ALICE);
        share(&stage, &answer, ALICE, PRIVATE).await;
        assert!(last_reply(&stage).contains("members"), "{}", last_reply(&stage));
        stage.approve(LOBBY).await;
        share(&stage, &answer, ALICE, LOBBY).await;
        assert!(
            last_reply(&stage).contains("nothing was shared"),
            "{}",
            last_reply(&stage)
        );
        // To a person.
        share(&stage, &answer, ALICE, DM).await;
        assert!(
            last_reply(&stage).contains("choose a channel"),
            "{}",
            last_reply(&stage)
        );
        // Somebody else's answer, through a forged interaction.
        stage.approve(CHANNEL).await;
        let mut elsewhere = answer.clone();
        elsewhere.channel = CHANNEL.to_owned();
        elsewhere.thread = None;
        share(&stage, &elsewhere, BOB, CHANNEL).await;
        let responses = stage.slack.ephemerals_for(BOB);
        assert!(
            responses[0].shown().contains("cannot find"),
            "{}",
            responses[0].shown()
        );
        for channel in [CHANNEL, EXTERNAL, PRIVATE, LOBBY] {
            assert!(stage.slack.messages(channel).is_empty(), "{channel}");
        }
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_lost_reply_causes_no_second_question() {
    on_each("share, lost reply", |place| async move {
        let stage = Stage::set(&place).await;
        let answer = private_answer(&stage).await;
        stage.approve(CHANNEL).await;
        stage.slack.fail_next("chat.postMessage", Fault::LostReply, 1);
        share(&stage, &answer, ALICE, CHANNEL).await;
        let there = stage.slack.messages(CHANNEL);
        let roots = there.iter().filter(|one| one.thread.is_none()).count();
        assert_eq!((roots, there.len()), (1, 2), "{there:?}");
        stage.running.stop().await;
    })
    .await;
}

/// Without the scope to read there, nobody can check whether it arrived: at most one question may be posted.
#[tokio::test]
async fn a_question_that_cannot_be_checked_is_not_posted_again() {
    on_each("share, unseen", |place| async move {
        let stage = Stage::set(&place).await;
        let answer = private_answer(&stage).await;
        stage.approve(CHANNEL).await;
        stage.slack.drop_scope("channels:history");
        for fault in [Fault::LostReply, Fault::Cut] {
            let before = stage.slack.messages(CHANNEL).len();
            stage.slack.fail_next("chat.postMessage", fault, 1);
            share(&stage, &answer, ALICE, CHANNEL).await;
            let there = stage.slack.messages(CHANNEL);
            assert_eq!(there.len(), before + 1, "{there:?}");
            assert!(
                last_reply(&stage).contains("look there before sharing again"),
                "{}",
                last_reply(&stage)
            );
        }
        // Without faults, no check is needed.
        share(&stage, &answer, ALICE, CHANNEL).await;
        assert_eq!(stage.slack.messages(CHANNEL).len(), 4);
        stage.running.stop().await;
    })
    .await;
}

/// A post that certainly failed is repeated, even where it cannot be checked.
#[tokio::test]
async fn a_question_that_certainly_was_not_posted_is_posted_again() {
    on_each("share, not posted", |place| async move {
        let stage = Stage::set(&place).await;
        private_answer(&stage).await;
        stage.approve(CHANNEL).await;
        stage.slack.drop_scope("channels:history");
        let before_a_post = "conversations.members";
        for (method, fault) in [
            ("chat.postMessage", Fault::RateLimited(1)),
            (before_a_post, Fault::ServerError),
            (before_a_post, Fault::RateLimited(1)),
        ] {
            let answer = ask_directly(&stage, QUESTION, None).await;
            let before = stage.slack.messages(CHANNEL).len();
            stage.slack.fail_next(method, fault, 1);
            share(&stage, &answer, ALICE, CHANNEL).await;
            let there = stage.slack.messages(CHANNEL);
            assert_eq!(
                there.len(),
                before + 2,
                "{method} {fault:?}: {}",
                last_reply(&stage)
            );
            assert!(
                last_reply(&stage).contains("asked it again in #deals"),
                "{method} {fault:?}: {}",
                last_reply(&stage)
            );
        }
        stage.running.stop().await;
    })
    .await;
}
