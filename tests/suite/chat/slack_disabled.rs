//! Questions and button presses while the installation is disabled: they wait until it is installed again.

use std::time::Duration;

use corbel::assistants::model::{Installation, InstallationState};
use corbel::assistants::slack::grants::SlackFields;
use corbel::audit::store::Actor;
use corbel::base::secret::Secret;

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::requests::session_stopped;
use crate::harness::slack::{ALICE, DM, Message, TOKEN};

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";

async fn installed(stage: &Stage) -> Installation {
    let installations = &stage.running.services().installations;
    let found = installations.by_id(stage.org.id, stage.at.slack.id);
    found.await.expect("installation")
}

async fn lose_rights(stage: &Stage) {
    let installations = &stage.running.services().installations;
    let at = installed(stage).await;
    installations
        .disable(&at, "token_revoked")
        .await
        .expect("disabled");
}

async fn install_again(stage: &Stage) {
    let installations = &stage.running.services().installations;
    let again = SlackFields {
        bot_token: Some(Secret::new(TOKEN)),
        ..SlackFields::default()
    };
    installations
        .update(Actor::OPERATOR, installed(stage).await, again)
        .await
        .expect("installed again");
}

/// The number of jobs that were tried once and are scheduled for later.
async fn waiting(stage: &Stage) -> i64 {
    let services = stage.running.services();
    services
        .db
        .query(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM jobs WHERE state = 'queued' AND attempt = 1 AND run_after > $1",
        )
        .bind(services.clock.now() + Duration::from_secs(5))
        .scalar()
        .await
        .expect("jobs")
}

async fn answer(stage: &Stage) -> Message {
    let said = stage.slack.says(DM, ALICE, QUESTION);
    stage.post(&said.message()).await;
    stage.running.settle().await;
    stage.slack.final_answers(said.thread())[0].clone()
}

#[tokio::test]
async fn questions_and_button_presses_wait_for_the_reinstall() {
    on_each("absence", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let before = answer(&stage).await;
        lose_rights(&stage).await;
        let asked = [(); 2].map(|()| stage.slack.says(DM, ALICE, QUESTION));
        for said in &asked {
            assert_eq!(stage.post(&said.message()).await, 200);
        }
        assert_eq!(stage.press(&before, ALICE, "up").await, 200);
        assert_eq!(
            stage.post(&session_stopped(DM, "1795000000.000001", ALICE)).await,
            200
        );
        stage
            .running
            .until("all four wait", async || waiting(&stage).await == 4)
            .await;
        // Waiting jobs are not retried at once.
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(waiting(&stage).await, 4);
        install_again(&stage).await;
        stage.running.settle().await;
        for said in &asked {
            assert_eq!(stage.slack.final_answers(said.thread()).len(), 1);
        }
        let deliveries = &stage.running.services().deliveries;
        let sums = deliveries.feedback_counts(stage.org.id, stage.at.assistant).await;
        assert_eq!(sums.expect("sums"), (1, 0), "the press counts");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn after_too_long_a_wait_people_are_asked_to_ask_again() {
    on_each("absence, too long", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let before = answer(&stage).await;
        lose_rights(&stage).await;
        let asked = stage.slack.says(DM, ALICE, QUESTION);
        assert_eq!(stage.post(&asked.message()).await, 200);
        assert_eq!(stage.press(&before, ALICE, "up").await, 200);
        stage
            .running
            .until("both wait", async || waiting(&stage).await == 2)
            .await;
        stage
            .running
            .services()
            .clock
            .advance(Duration::from_secs(31 * 60));
        // Only the job that sends the notice is left, and waits for the reinstall.
        let telling = "SELECT CAST(COUNT(*) AS BIGINT) FROM jobs
                       WHERE kind = 'chat.deliver' AND state = 'queued' AND attempt > 0";
        let db = &stage.running.services().db;
        stage
            .running
            .until("both have expired", async || {
                db.query(telling).scalar::<i64>().await.expect("jobs") == 2
            })
            .await;
        install_again(&stage).await;
        stage.running.settle().await;
        assert!(stage.said(asked.thread())[0].contains("ask again"));
        let notices = stage.said(before.thread.as_deref().expect("a thread"));
        assert!(
            notices.iter().any(|notices| notices.contains("press it again")),
            "{notices:?}"
        );
        stage.running.stop().await;
    })
    .await;
}

/// As if another node had completed the installation a moment ago.
#[tokio::test]
async fn a_first_question_right_after_the_installation_is_answered() {
    on_each("just installed", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let become_ = async |state: &'static str| {
            let changed = stage.running.services().db.write(move |tx| {
                Box::pin(async move {
                    tx.query("UPDATE installations SET state = $1 WHERE platform = 'slack'")
                        .bind(state)
                        .execute()
                        .await?;
                    Ok(())
                })
            });
            changed.await.expect("changed");
        };
        become_("pending").await;
        let early = stage.slack.says(DM, ALICE, QUESTION);
        assert_eq!(stage.post(&early.message()).await, 200);
        become_("active").await;
        assert_eq!(installed(&stage).await.state, InstallationState::Active);
        let first = stage.slack.says(DM, ALICE, QUESTION);
        assert_eq!(stage.post(&first.message()).await, 200);
        stage.running.settle().await;
        assert_eq!(stage.slack.final_answers(first.thread()).len(), 1);
        assert!(stage.said(early.thread()).is_empty());
        stage.running.stop().await;
    })
    .await;
}
