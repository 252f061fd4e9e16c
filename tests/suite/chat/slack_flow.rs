//! The main path, end to end: signed events go in, and the fake workspace's channels are inspected.

use std::sync::Arc;

use corbel::analysis::engine::Engine;
use corbel::analysis::engines::offline::OfflineAnalyst;
use corbel::assistants::model::{ConversationState, PlatformKind, Sender};
use corbel::audit::store::Actor;
use corbel::base::ids::UserId;
use serde_json::Value;

use crate::harness::app::{Installed, Org, Place, Running, http, on_each};
use crate::harness::slack::requests::signed;
use crate::harness::slack::{
    ALICE, CHANNEL, DM, Ephemeral, FakeSlack, Fault, GONE, GUEST, Message, ROBOT, SECRET, TEAM,
};

/// The app, a fake workspace, an organization and an installed assistant.
pub struct Stage {
    pub running: Running,
    pub slack: FakeSlack,
    pub org: Org,
    pub at: Installed,
}

impl Stage {
    pub async fn set(place: &Arc<Place>) -> Self {
        Self::set_with(place, Arc::new(OfflineAnalyst::default())).await
    }

    pub async fn set_with(place: &Arc<Place>, engine: Arc<dyn Engine>) -> Self {
        Self::set_all(place, engine, &[]).await
    }

    /// With more settings.
    pub async fn set_more(place: &Arc<Place>, more: &[(&str, &str)]) -> Self {
        Self::set_all(place, Arc::new(OfflineAnalyst::default()), more).await
    }

    async fn set_all(place: &Arc<Place>, engine: Arc<dyn Engine>, more: &[(&str, &str)]) -> Self {
        let slack = FakeSlack::start().await;
        let (api, host) = (slack.api_base(), slack.host());
        let mut settings = vec![
            ("CORBEL_SLACK_API_URL", api.as_str()),
            ("CORBEL_SLACK_HOSTS", host.as_str()),
        ];
        settings.extend_from_slice(more);
        let config = place.config(&settings);
        let running = place.start_with(config, engine).await;
        let org = running.organization("Acme").await;
        let at = running.slack_assistant(&org).await;
        Self {
            running,
            slack,
            org,
            at,
        }
    }

    pub fn now(&self) -> i64 {
        self.running.services().clock.now().timestamp()
    }

    /// Posts an event as Slack does and returns the status.
    pub async fn post(&self, event: &Value) -> u16 {
        self.post_at(&self.at.events, SECRET, self.now(), event).await
    }

    pub async fn post_at(&self, address: &str, secret: &str, at_s: i64, event: &Value) -> u16 {
        let body = event.to_string();
        let headers = signed(secret, at_s, body.as_bytes());
        let reply = http()
            .post(address)
            .headers(headers)
            .body(body)
            .send()
            .await
            .expect("a reply");
        reply.status().as_u16()
    }

    pub async fn link(&self, platform_user: &str, user: UserId) {
        let who = Sender {
            team: TEAM.to_owned(),
            user: platform_user.to_owned(),
            account: None,
        };
        let links = &self.running.services().links;
        links
            .create(Actor::OPERATOR, self.org.id, self.at.slack.id, who, user)
            .await
            .expect("link");
    }

    pub async fn approve(&self, channel: &str) {
        let conversations = &self.running.services().conversations;
        let approved = ConversationState::Approved;
        let org = self.org.id;
        conversations
            .decide(Actor::OPERATOR, org, self.at.slack.id, channel, approved)
            .await
            .expect("approve");
    }

    /// Everything the bot posted in a thread, as people see it.
    pub fn said(&self, thread: &str) -> Vec<String> {
        self.slack.answers(thread).iter().map(Message::shown).collect()
    }
}

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
const MENTION: &str = "<@U0BOT> NOI 1.285m, annual debt service 968k. DSCR?";

#[tokio::test]
async fn an_unlinked_user_connects_and_gets_one_answer_in_the_thread() {
    on_each("unlinked to answer", |place| async move {
        let stage = Stage::set(&place).await;
        let first = stage.slack.says(DM, ALICE, QUESTION);
        assert_eq!(stage.post(&first.message()).await, 200);
        stage.running.settle().await;
        let prompt = stage.slack.direct_messages_to(ALICE);
        assert_eq!(prompt.len(), 1, "one prompt with the link");
        let link = prompt[0].link().expect("a connection link");
        assert!(link.starts_with(&format!("{}/connect/", stage.running.url)));

        // The page shows both identities, does not consume the link, and asks the visitor to sign in first.
        let page = http().get(&link).send().await.expect("page");
        assert!(
            page.status().is_success() || page.status().is_redirection(),
            "{}",
            page.status()
        );
        let token = corbel::base::secret::Secret::new(link.rsplit('/').next().expect("token"));
        let links = &stage.running.services().links;
        assert_eq!(
            links.find_offer(&token).await.expect("still open").platform,
            PlatformKind::Slack
        );
        links
            .accept_offer(&stage.org.mara.principal(), &token)
            .await
            .expect("accepted");
        assert!(
            links
                .accept_offer(&stage.org.noel.principal(), &token)
                .await
                .is_err(),
            "used up"
        );
        stage.running.settle().await;
        let notices = stage.slack.direct_messages_to(ALICE);
        assert!(
            notices[1].shown().contains("You are connected"),
            "{:?}",
            notices[1].shown()
        );

        let again = stage.slack.says(DM, ALICE, QUESTION);
        assert_eq!(stage.post(&again.message()).await, 200);
        stage.running.settle().await;
        let answers = stage.slack.final_answers(again.thread());
        assert_eq!(answers.len(), 1);
        assert!(answers[0].shown().contains("1.33"), "{}", answers[0].shown());
        assert_eq!(
            stage.said(again.thread()).len(),
            1,
            "the placeholder became the answer"
        );
        let ledger = stage
            .running
            .services()
            .usage
            .ledger(stage.org.id)
            .await
            .expect("ledger");
        assert!(ledger.consistent, "{:?}", ledger.faults);
        let charged: i64 = ledger.entries.iter().map(|entry| entry.charged.0).sum();
        assert_eq!(charged, 1_000, "charged once");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_follow_up_keeps_the_earlier_turns() {
    on_each("follow-up", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let first = stage.slack.says(
            DM,
            ALICE,
            "What is a building with $918,000 of NOI worth at a 6.25% cap?",
        );
        stage.post(&first.message()).await;
        stage.running.settle().await;
        let second = stage.slack.replies(DM, ALICE, first.thread(), "and at 6%?");
        stage.post(&second.message()).await;
        stage.running.settle().await;
        let said = stage.said(first.thread());
        assert_eq!(said.len(), 2);
        assert!(said[0].contains("14,688,000"), "{}", said[0]);
        assert!(said[1].contains("15,300,000"), "{}", said[1]);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_shared_conversation_is_answered_once_it_is_approved() {
    on_each("shared", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let before = stage.slack.says(CHANNEL, ALICE, MENTION);
        assert_eq!(stage.post(&before.mention()).await, 200);
        stage.running.settle().await;
        assert!(stage.said(before.thread()).is_empty(), "nothing in public");
        let private = stage.slack.ephemerals_for(ALICE);
        assert_eq!(private.len(), 1);
        assert!(
            private[0].shown().contains("not approved"),
            "{}",
            private[0].shown()
        );

        stage.approve(CHANNEL).await;
        let after = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&after.mention()).await;
        stage.running.settle().await;
        let answers = stage.slack.final_answers(after.thread());
        assert_eq!(answers.len(), 1);
        assert!(answers[0].shown().contains("1.33"));
        assert!(answers[0].shown().contains("organisation-safe"));

        // Outsiders join: the approval is suspended and remains so.
        stage.slack.share_channel(CHANNEL);
        stage
            .running
            .app
            .services
            .clock
            .advance(std::time::Duration::from_secs(120));
        let later = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&later.mention()).await;
        stage.running.settle().await;
        assert!(stage.said(later.thread()).is_empty());
        let state = stage
            .running
            .services()
            .conversations
            .state(stage.org.id, stage.at.slack.id, CHANNEL)
            .await;
        assert_eq!(state.expect("state"), Some(ConversationState::Suspended));
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn forged_late_altered_and_foreign_requests_are_refused() {
    on_each("refused", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let said = stage.slack.says(DM, ALICE, QUESTION);
        let now = stage.now();
        assert_eq!(
            stage
                .post_at(&stage.at.events, "another-secret", now, &said.message())
                .await,
            401
        );
        assert_eq!(
            stage
                .post_at(&stage.at.events, SECRET, now - 301, &said.message())
                .await,
            401
        );
        assert_eq!(
            stage
                .post_at(&stage.at.events, SECRET, now + 302, &said.message())
                .await,
            401
        );
        let mut headers = signed(SECRET, now, said.message().to_string().as_bytes());
        let altered = said.message().to_string().replace("968k", "967k");
        let reply = http()
            .post(&stage.at.events)
            .headers(headers.clone())
            .body(altered)
            .send()
            .await
            .expect("reply");
        assert_eq!(reply.status().as_u16(), 401);
        headers.remove("x-slack-signature");
        let reply = http()
            .post(&stage.at.events)
            .headers(headers)
            .body("{}")
            .send()
            .await
            .expect("reply");
        assert_eq!(reply.status().as_u16(), 401);
        let unknown = format!("{}/chat/slack/nobody-knows-this/events", stage.running.url);
        assert_eq!(stage.post_at(&unknown, SECRET, now, &said.message()).await, 404);

        // Correctly signed, but of another app or workspace.
        for (field, value) in [("api_app_id", "A0OTHER"), ("team_id", "T0OTHER")] {
            let mut event = said.message();
            event[field] = value.into();
            if field == "team_id" {
                event["context_team_id"] = value.into();
                event["authorizations"][0]["team_id"] = value.into();
            }
            let body = event.to_string();
            let headers = signed(SECRET, now, body.as_bytes());
            let reply = http()
                .post(&stage.at.events)
                .headers(headers)
                .body(body)
                .send()
                .await
                .expect("reply");
            assert_eq!(reply.status().as_u16(), 403, "{field}");
            assert_eq!(
                reply
                    .headers()
                    .get("x-slack-no-retry")
                    .and_then(|value| value.to_str().ok()),
                Some("1")
            );
        }
        stage.running.settle().await;
        assert!(
            stage.slack.direct_messages_to(ALICE).is_empty(),
            "no question was answered"
        );
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn redeliveries_and_duplicate_events_yield_one_answer() {
    on_each("duplicates", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let said = stage.slack.says(CHANNEL, ALICE, MENTION);
        let event = said.mention();
        let four = tokio::join!(
            stage.post(&event),
            stage.post(&event),
            stage.post(&event),
            stage.post(&event)
        );
        assert_eq!(four, (200, 200, 200, 200));
        let mention_first = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&mention_first.mention()).await;
        stage.post(&mention_first.message()).await;
        let message_first = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&message_first.message()).await;
        stage.post(&message_first.mention()).await;
        let at_once = stage.slack.says(CHANNEL, ALICE, MENTION);
        let (mention, message) = (at_once.mention(), at_once.message());
        tokio::join!(stage.post(&mention), stage.post(&message));
        stage.running.settle().await;
        for one in [&said, &mention_first, &message_first, &at_once] {
            assert_eq!(stage.slack.final_answers(one.thread()).len(), 1);
            assert_eq!(stage.said(one.thread()).len(), 1);
        }
        let ledger = stage
            .running
            .services()
            .usage
            .ledger(stage.org.id)
            .await
            .expect("ledger");
        assert_eq!(
            ledger.entries.iter().map(|entry| entry.charged.0).sum::<i64>(),
            4_000
        );
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn bots_edits_guests_and_strangers() {
    on_each("who may", |place| async move {
        let stage = Stage::set(&place).await;
        stage.approve(CHANNEL).await;
        let said = stage.slack.says(DM, ALICE, QUESTION);
        for event in [said.by_bot(), said.edited(), said.changed(), said.deleted()] {
            assert_eq!(stage.post(&event).await, 200);
        }
        stage
            .post(&stage.slack.says(CHANNEL, ROBOT, MENTION).mention())
            .await;
        stage.running.settle().await;
        assert!(
            stage.slack.calls("chat.postMessage").is_empty(),
            "bots and edits are not answered"
        );
        assert!(stage.slack.calls("chat.postEphemeral").is_empty());
        for (who, word) in [(GUEST, "guest"), (GONE, "deactivated")] {
            stage.link(who, stage.org.mara.user).await;
            stage
                .post(&stage.slack.says(CHANNEL, who, MENTION).mention())
                .await;
            stage.running.settle().await;
            let private = stage.slack.ephemerals_for(who);
            let responses = private.first().map(Ephemeral::shown).unwrap_or_default();
            let direct = stage.slack.direct_messages_to(who);
            let responses = if responses.is_empty() {
                direct.first().map(Message::shown).unwrap_or_default()
            } else {
                responses
            };
            assert!(responses.contains(word) || who == GONE, "{who}: {responses}");
        }
        assert!(
            stage
                .running
                .services()
                .usage
                .ledger(stage.org.id)
                .await
                .expect("ledger")
                .entries
                .is_empty()
        );
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn lost_replies_errors_and_rate_limits_always_yield_one_answer() {
    on_each("faults", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let faults = [
            ("chat.postMessage", Fault::LostReply),
            ("chat.postMessage", Fault::Cut),
            ("chat.postMessage", Fault::ServerError),
            ("chat.postMessage", Fault::RateLimited(1)),
            ("chat.update", Fault::LostReply),
            ("chat.update", Fault::Cut),
            ("chat.update", Fault::ServerError),
            ("chat.update", Fault::RateLimited(1)),
            ("users.info", Fault::ServerError),
            ("users.info", Fault::RateLimited(1)),
        ];
        for (method, fault) in faults {
            stage
                .running
                .app
                .services
                .clock
                .advance(std::time::Duration::from_secs(700));
            stage.slack.fail_next(method, fault, 1);
            let said = stage.slack.says(DM, ALICE, QUESTION);
            assert_eq!(stage.post(&said.message()).await, 200);
            stage.running.settle().await;
            assert_eq!(
                stage.slack.final_answers(said.thread()).len(),
                1,
                "{method} {fault:?}"
            );
            assert_eq!(
                stage.said(said.thread()).len(),
                1,
                "{method} {fault:?}: {:?}",
                stage.said(said.thread())
            );
        }
        stage.running.stop().await;
    })
    .await;
}
