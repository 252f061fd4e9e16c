//! Who is answered, and what others get instead: every refusal is private, and none is silent.

use std::time::Duration;

use corbel::accounts::model::Plan;
use corbel::assistants::slack::grants::SlackFields;
use corbel::audit::store::Actor;
use corbel::base::money::MicroUsd;
use corbel::base::secret::Secret;

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM, Fault, Message, STRANGER, StoredFile, TOKEN};

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
const MENTION: &str = "<@U0BOT> NOI 1.285m, annual debt service 968k. DSCR?";

impl Stage {
    /// Asks in the direct conversation and returns what the bot posted in its thread.
    async fn direct(&self, text: &str) -> Vec<String> {
        let said = self.slack.says(DM, ALICE, text);
        assert_eq!(self.post(&said.message()).await, 200);
        self.running.settle().await;
        self.said(said.thread())
    }
}

#[tokio::test]
async fn plan_account_and_credit_are_checked_at_every_turn() {
    on_each("eligibility", |place| async move {
        let stage = Stage::set(&place).await;
        let accounts = &stage.running.services().accounts;
        stage.link(ALICE, stage.org.mara.user).await;
        assert!(stage.direct(QUESTION).await[0].contains("1.33"));
        accounts
            .set_plan(Actor::OPERATOR, stage.org.id, Plan::Trial)
            .await
            .expect("plan");
        assert!(stage.direct(QUESTION).await[0].contains("plan does not include"));
        accounts
            .set_plan(Actor::OPERATOR, stage.org.id, Plan::Pro)
            .await
            .expect("plan");
        assert!(stage.direct(QUESTION).await[0].contains("1.33"));
        accounts
            .deactivate(Actor::OPERATOR, stage.org.id, stage.org.mara.user)
            .await
            .expect("deactivated");
        assert!(stage.direct(QUESTION).await[0].contains("not active any more"));
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn without_credit_the_reason_is_posted_and_nothing_is_charged() {
    on_each("exhausted", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let accounts = &stage.running.services().accounts;
        accounts
            .set_plan(Actor::OPERATOR, stage.org.id, Plan::Enterprise)
            .await
            .expect("plan");
        // Enough credit for three runs: USD 500 a month is too much to use up here, so the new month has less.
        let db = &stage.running.services().db;
        let (org, three) = (stage.org.id, MicroUsd(3_000));
        let set = db.write(move |tx| {
            Box::pin(async move {
                let statement = "UPDATE organizations SET included_micro_usd = $1 WHERE id = $2";
                tx.query(statement).bind(three).bind(org).execute().await?;
                Ok(())
            })
        });
        set.await.expect("set");
        for _ in 0..3 {
            assert!(stage.direct(QUESTION).await[0].contains("1.33"));
        }
        assert!(stage.direct(QUESTION).await[0].contains("used up"));
        let ledger = stage
            .running
            .services()
            .usage
            .ledger(stage.org.id)
            .await
            .expect("ledger");
        assert!(ledger.consistent, "{:?}", ledger.faults);
        assert_eq!(
            ledger.entries.iter().map(|entry| entry.charged.0).sum::<i64>(),
            3_000
        );
        stage
            .running
            .services()
            .usage
            .add_credit(Actor::OPERATOR, org, MicroUsd::usd(1))
            .await
            .expect("credit");
        assert!(stage.direct(QUESTION).await[0].contains("1.33"));
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn answers_about_the_assistant_are_free_and_account_details_are_private() {
    on_each("about", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        for (question, word) in [
            ("who provides you?", "powered by Corbel"),
            ("how are you billed?", "charged to Acme"),
            ("what do you keep of my messages?", "personal notes"),
            ("which account am I connected with?", "mara@acme.example"),
        ] {
            let said = stage.direct(question).await;
            assert!(said[0].contains(word), "{question}: {said:?}");
        }
        let said = stage
            .slack
            .says(CHANNEL, ALICE, "<@U0BOT> which account am I connected with?");
        stage.post(&said.mention()).await;
        stage.running.settle().await;
        assert!(stage.said(said.thread()).is_empty(), "not in public");
        assert!(
            stage
                .slack
                .ephemerals_for(ALICE)
                .iter()
                .any(|one| one.shown().contains("mara@acme.example"))
        );
        // These are for the analyst.
        for question in [
            "what are our accounts payable?",
            "who is the debt provider?",
            "billing variance against budget?",
        ] {
            let said = stage.direct(question).await;
            assert!(!said[0].contains("powered by"), "{question}: {said:?}");
        }
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn files_and_empty_messages_are_answered_too() {
    on_each("files", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let csv = || StoredFile::new("rent roll.pdf", "application/pdf", b"%PDF-1.7\n1,2400\n%%EOF\n");
        let with_words = stage.slack.shares_files(DM, ALICE, QUESTION, vec![csv()]);
        stage.post(&with_words.message()).await;
        stage.running.settle().await;
        let said = stage.said(with_words.thread());
        assert!(
            said[0].contains("1.33")
                && said[0].contains("rent roll.pdf")
                && said[0].contains("cannot read this type yet")
        );
        let without = stage.slack.shares_files(DM, ALICE, "", vec![csv()]);
        stage.post(&without.message()).await;
        stage.running.settle().await;
        assert!(stage.said(without.thread())[0].contains("cannot read this type yet"));
        stage.approve(CHANNEL).await;
        let empty = stage.slack.says(CHANNEL, ALICE, "<@U0BOT>");
        stage.post(&empty.mention()).await;
        stage.running.settle().await;
        assert!(stage.said(empty.thread())[0].contains("I am Abacus"));
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn strangers_and_unlinked_users_are_answered_privately() {
    on_each("strangers", |place| async move {
        let stage = Stage::set(&place).await;
        stage.approve(CHANNEL).await;
        let unlinked = stage.slack.says(CHANNEL, BOB, MENTION);
        stage.post(&unlinked.mention()).await;
        stage.running.settle().await;
        assert!(stage.said(unlinked.thread()).is_empty(), "no link in public");
        let whispered = stage.slack.ephemerals_for(BOB);
        let direct = stage.slack.direct_messages_to(BOB);
        assert_eq!(
            (whispered.len(), direct.len()),
            (1, 1),
            "both, because an ephemeral may not be seen"
        );
        assert_eq!(whispered[0].link(), direct[0].link(), "the same link");
        stage.link(STRANGER, stage.org.noel.user).await;
        let stranger = stage.slack.says(CHANNEL, STRANGER, MENTION);
        stage.post(&stranger.mention()).await;
        stage.running.settle().await;
        assert!(
            stage.slack.final_answers(stranger.thread()).is_empty(),
            "also not when someone linked them"
        );
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn where_the_bot_cannot_post_the_answer_is_a_direct_message() {
    on_each("elsewhere", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let said = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage
            .slack
            .fail_next("chat.postMessage", Fault::Error("is_archived"), 1);
        stage.post(&said.mention()).await;
        stage.running.settle().await;
        assert!(stage.said(said.thread()).is_empty());
        let direct = stage.slack.direct_messages_to(ALICE);
        assert_eq!(direct.len(), 1);
        assert!(direct[0].shown().contains("1.33"), "{}", direct[0].shown());
        stage.running.stop().await;
    })
    .await;
}

/// No question is lost: questions and finished answers wait for the reinstall.
#[tokio::test]
async fn a_revoked_token_disables_the_installation_until_it_is_installed_again() {
    on_each("revoked", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let installations = &stage.running.services().installations;
        let state = async || {
            let found = installations.by_id(stage.org.id, stage.at.slack.id).await;
            found.expect("installation")
        };
        // Revoked between the question and its answer, and before the question was processed.
        for method in ["chat.postMessage", "users.info"] {
            // Longer than users are cached.
            stage.running.services().clock.advance(Duration::from_secs(700));
            stage.slack.fail_next(method, Fault::Error("token_revoked"), 1);
            let asked = stage.slack.says(DM, ALICE, QUESTION);
            assert_eq!(stage.post(&asked.message()).await, 200);
            stage
                .running
                .until("it is disabled", async || {
                    state().await.state.as_str() == "disabled"
                })
                .await;
            assert_eq!(state().await.disabled_because.as_deref(), Some("token_revoked"));
            stage.running.services().clock.advance(Duration::from_secs(5));
            // Not ignored: this asker does not know of the revocation either.
            let later = stage.slack.says(DM, ALICE, QUESTION);
            assert_eq!(
                stage.post(&later.message()).await,
                200,
                "otherwise Slack disables the subscription"
            );
            let waiting = async || {
                let db = &stage.running.services().db;
                db.query(
                    "SELECT CAST(COUNT(*) AS BIGINT) FROM jobs \
                     WHERE state = 'queued' AND attempt > 0 AND lane LIKE $1",
                )
                .bind(format!("turn/%/{}/%", later.thread()))
                .scalar::<i64>()
                .await
                .expect("jobs")
            };
            stage
                .running
                .until("the later one waits too", async || waiting().await == 1)
                .await;
            assert!(stage.said(asked.thread()).is_empty());
            let again = SlackFields {
                bot_token: Some(Secret::new(TOKEN)),
                ..SlackFields::default()
            };
            installations
                .update(Actor::OPERATOR, state().await, again)
                .await
                .expect("installed again");
            stage.running.settle().await;
            assert_eq!(stage.slack.final_answers(later.thread()).len(), 1, "{method}");
            assert_eq!(stage.slack.final_answers(asked.thread()).len(), 1, "{method}");
            assert_eq!(stage.said(asked.thread()).len(), 1, "{method}");
        }
        stage.running.stop().await;
    })
    .await;
}

/// The placeholder is posted, and then the update is refused: the answer is still posted, once.
#[tokio::test]
async fn a_placeholder_that_cannot_be_updated_is_followed_by_the_answer() {
    on_each("fixed", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        for (word, here) in [
            ("is_archived", 0),
            ("not_in_channel", 0),
            ("cant_update_message", 1),
            ("edit_window_closed", 1),
        ] {
            let before = stage.slack.direct_messages_to(ALICE).len();
            let said = stage.slack.says(CHANNEL, ALICE, MENTION);
            stage.slack.fail_next("chat.update", Fault::Error(word), 1);
            stage.post(&said.mention()).await;
            stage.running.settle().await;
            let answers = |texts: Vec<String>| texts.iter().filter(|text| text.contains("1.33")).count();
            assert_eq!(
                answers(stage.said(said.thread())),
                here,
                "{word}: {:?}",
                stage.said(said.thread())
            );
            let direct = stage.slack.direct_messages_to(ALICE);
            let direct = direct[before..].iter().map(Message::shown).collect();
            assert_eq!(answers(direct), 1 - here, "{word}");
        }
        stage.running.stop().await;
    })
    .await;
}

/// The conversation is closed while the answer is being generated: it goes to the asker alone.
#[tokio::test]
async fn an_answer_does_not_reach_a_conversation_closed_in_the_meantime() {
    on_each("closed meanwhile", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let said = stage.slack.says(CHANNEL, ALICE, MENTION);
        // The first attempt to post is rate limited; before the next one the approval is withdrawn.
        stage
            .slack
            .fail_next("chat.postMessage", Fault::RateLimited(1), 1);
        stage.post(&said.mention()).await;
        stage
            .running
            .until("the first attempt", async || {
                !stage.slack.calls("chat.postMessage").is_empty()
            })
            .await;
        let conversations = &stage.running.services().conversations;
        let revoked = corbel::assistants::model::ConversationState::Revoked;
        let (org, at) = (stage.org.id, stage.at.slack.id);
        conversations
            .decide(Actor::OPERATOR, org, at, CHANNEL, revoked)
            .await
            .expect("revoked");
        stage.running.settle().await;
        assert!(
            stage.said(said.thread()).is_empty(),
            "{:?}",
            stage.said(said.thread())
        );
        let direct = stage.slack.direct_messages_to(ALICE);
        assert_eq!(
            direct
                .iter()
                .filter(|message| message.shown().contains("1.33"))
                .count(),
            1
        );
        stage.running.stop().await;
    })
    .await;
}

/// Where an ephemeral message is refused, the link is sent as a direct message, once.
#[tokio::test]
async fn a_connect_prompt_is_sent_once_by_either_way() {
    on_each("one prompt", |place| async move {
        let stage = Stage::set(&place).await;
        stage.approve(CHANNEL).await;
        stage
            .slack
            .fail_next("chat.postEphemeral", Fault::Error("user_not_in_channel"), 1);
        stage
            .post(&stage.slack.says(CHANNEL, ALICE, MENTION).mention())
            .await;
        stage.running.settle().await;
        assert_eq!(stage.slack.direct_messages_to(ALICE).len(), 1);
        // The reply to the direct message is lost: it is found again and updated to the valid link.
        stage.slack.fail_next("chat.postMessage", Fault::LostReply, 1);
        stage
            .post(&stage.slack.says(CHANNEL, BOB, MENTION).mention())
            .await;
        stage.running.settle().await;
        let direct = stage.slack.direct_messages_to(BOB);
        assert_eq!(direct.len(), 1);
        let link = direct[0].link().expect("a link");
        let token = corbel::base::secret::Secret::new(link.rsplit('/').next().expect("token"));
        stage
            .running
            .services()
            .links
            .find_offer(&token)
            .await
            .expect("the link works");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn shared_replies_can_be_switched_off() {
    on_each("off", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let assistants = &stage.running.services().assistants;
        assistants
            .set_shared(Actor::OPERATOR, stage.org.id, stage.at.assistant, false)
            .await
            .expect("off");
        let said = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&said.mention()).await;
        stage.running.settle().await;
        assert!(stage.said(said.thread()).is_empty());
        assert!(
            stage.slack.ephemerals_for(ALICE)[0]
                .shown()
                .contains("has not enabled")
        );
        stage.running.stop().await;
    })
    .await;
}
