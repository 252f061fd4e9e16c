//! Provokes each row of Slack's errors, method by method, and checks what the asker and an administrator see. Every
//! asker gets a reply while any way to reach them is left.

mod rows;

use std::time::Duration;

use corbel::assistants::model::Installation;
use corbel::assistants::slack::grants::SlackFields;
use corbel::audit::store::Actor;
use corbel::base::secret::Secret;

use crate::chat::slack_error_matrix::rows::{Outcome, Row, Where};
use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM, Ephemeral, Message, PRIVATE, TOKEN};

const WORDS: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
/// A text that only the answer contains.
const ANSWER: &str = "1.33";

/// What an administrator sees.
#[derive(Clone, Copy, Debug)]
pub enum Seen {
    Nothing,
    /// Something to fix at Slack.
    Alert(&'static str),
    /// A missing scope that needs a reinstall.
    Scope(&'static str),
    /// A disabled installation: the answer arrives after a reinstall.
    Disabled(&'static str),
}

fn has_answer(texts: &[String]) -> usize {
    texts.iter().filter(|text| text.contains(ANSWER)).count()
}

impl Stage {
    async fn provoke(&self, row: &Row) {
        // Longer than users and conversations are cached.
        self.running.services().clock.advance(Duration::from_secs(700));
        let what = format!("{:?} {:?}", row.place, row.faults);
        let (asker, channel) = match row.place {
            Where::Channel => (ALICE, CHANNEL),
            Where::Closed => (ALICE, PRIVATE),
            Where::Direct => (ALICE, DM),
            Where::Unlinked => (BOB, CHANNEL),
        };
        let dms = self.slack.direct_messages_to(asker).len();
        let ephemerals = self.slack.ephemerals_for(asker).len();
        let failures = self.failures().await.len();
        for (method, fault) in &row.faults {
            self.slack.fail_next(method, *fault, 1);
        }
        let (said, event) = if channel == DM {
            let said = self.slack.says(channel, asker, WORDS);
            let event = said.message();
            (said, event)
        } else {
            let said = self.slack.says(channel, asker, &format!("<@U0BOT> {WORDS}"));
            let event = said.mention();
            (said, event)
        };
        assert_eq!(self.post(&event).await, 200, "{what}");
        self.reinstall_if_disabled(row.seen).await;
        self.running.settle().await;
        self.slack.behave();

        let in_thread = self.said(said.thread());
        let direct = self.slack.direct_messages_to(asker).split_off(dms);
        let links = direct.iter().filter_map(Message::link).count();
        let direct: Vec<String> = direct
            .iter()
            .filter(|message| message.thread.as_deref() != Some(said.thread()))
            .map(Message::shown)
            .collect();
        let ephemerals = self.slack.ephemerals_for(asker).split_off(ephemerals);
        let links = links + ephemerals.iter().filter_map(Ephemeral::link).count();
        let ephemerals: Vec<String> = ephemerals.iter().map(Ephemeral::shown).collect();
        let counted = (
            has_answer(&in_thread),
            has_answer(&direct),
            has_answer(&ephemerals),
        );
        let posted = format!("{what}: {in_thread:#?} {direct:#?} {ephemerals:#?}");
        let mut failed_with = None;
        match row.outcome {
            Outcome::Answer => assert_eq!(counted, (1, 0, 0), "{posted}"),
            Outcome::Ephemeral => assert_eq!(counted, (0, 0, 1), "{posted}"),
            Outcome::DirectMessage(why) => {
                assert_eq!(counted, (0, 1, 0), "{posted}");
                let answer = direct.iter().find(|text| text.contains(ANSWER));
                let answer = answer.expect("an answer");
                assert!(answer.contains(why) && answer.contains(WORDS), "{posted}");
                assert!(channel == DM || answer.contains("You asked me in #"), "{posted}");
            }
            Outcome::PrivateReply(words) => {
                assert_eq!(counted, (0, 0, 0), "{posted}");
                let private = if channel == DM { &in_thread } else { &ephemerals };
                let notices = private.iter().chain(&direct);
                assert!(
                    notices.filter(|text| text.contains(words)).count() >= 1,
                    "{posted}"
                );
                assert!(
                    channel == DM || in_thread.is_empty(),
                    "nothing is public: {posted}"
                );
            }
            Outcome::Link => assert!(links >= 1 && in_thread.is_empty(), "{posted}"),
            Outcome::Failed(word) => {
                assert_eq!(counted, (0, 0, 0), "{posted}");
                failed_with = Some(word.to_owned());
            }
        }
        let failed = self.failures().await.split_off(failures);
        assert_eq!(failed, Vec::from_iter(failed_with), "{what}");
        self.check_seen(row.seen, &what).await;
    }

    /// Reinstalls the app if its rights were revoked.
    pub async fn reinstall_if_disabled(&self, seen: Seen) {
        if let Seen::Disabled(word) = seen {
            self.running
                .until("it is disabled", async || {
                    self.here().await.disabled_because.as_deref() == Some(word)
                })
                .await;
            self.install_again().await;
        }
    }

    /// The errors of the failed deliveries, the oldest first.
    async fn failures(&self) -> Vec<String> {
        let deliveries = &self.running.services().deliveries;
        let page = deliveries
            .failed(self.org.id, self.at.assistant, None)
            .await
            .expect("a list");
        let mut words: Vec<String> = page.items.into_iter().map(|one| one.failure).collect();
        words.reverse();
        words
    }

    async fn here(&self) -> Installation {
        let installations = &self.running.services().installations;
        let found = installations.by_id(self.org.id, self.at.slack.id).await;
        found.expect("installation")
    }

    pub async fn check_seen(&self, seen: Seen, what: &str) {
        let installations = &self.running.services().installations;
        let alerts = async || {
            let now = self.running.services().clock.now();
            let found = installations.alerts(self.org.id, self.at.slack.id, now).await;
            found.expect("alerts")
        };
        let at = self.here().await;
        assert_eq!(at.state.as_str(), "active", "{what}");
        match seen {
            Seen::Nothing | Seen::Disabled(_) => {}
            Seen::Alert(word) => {
                let found = alerts().await;
                assert_eq!(found.first().expect("an alert").code, word, "{what}");
                self.install_again().await;
            }
            Seen::Scope(right) => {
                assert_eq!(at.slack().missing_scope.as_deref(), Some(right), "{what}");
                self.install_again().await;
            }
        }
        // A reinstall clears both.
        assert!(alerts().await.is_empty(), "{what}: {:?}", alerts().await);
        assert_eq!(self.here().await.slack().missing_scope, None, "{what}");
    }

    async fn install_again(&self) {
        // An alert from the same instant as the installation would still be shown.
        tokio::time::sleep(Duration::from_millis(5)).await;
        let fields = SlackFields {
            bot_token: Some(Secret::new(TOKEN)),
            ..SlackFields::default()
        };
        let installations = &self.running.services().installations;
        installations
            .update(Actor::OPERATOR, self.here().await, fields)
            .await
            .expect("installed again");
    }
}

async fn provoke_all(name: &str, rows: fn() -> Vec<Row>) {
    on_each(name, |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        for row in rows() {
            stage.provoke(&row).await;
        }
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn errors_of_posting() {
    provoke_all("errors of posting", rows::posts).await;
}

#[tokio::test]
async fn errors_of_updating() {
    provoke_all("errors of updating", rows::updates).await;
}

#[tokio::test]
async fn errors_of_ephemeral_messages() {
    provoke_all("errors of ephemeral messages", rows::ephemerals).await;
}

#[tokio::test]
async fn errors_of_looking_up() {
    provoke_all("errors of looking up", rows::look_ups).await;
}
