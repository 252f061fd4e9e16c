//! A rate limit delays a call but does not count as a failed attempt.

use std::sync::Arc;
use std::time::{Duration, Instant};

use corbel::analysis::engines::offline::OfflineAnalyst;

use crate::chat::slack_flow::Stage;
use crate::harness::app::{Place, on_each};
use crate::harness::slack::{ALICE, DM, FakeSlack, Fault};

/// A stage whose worker polls for jobs all the time, because its clock jumps.
async fn polling(place: &Arc<Place>) -> Stage {
    let slack = FakeSlack::start().await;
    let mut config = place.config(&[("CORBEL_SLACK_API_URL", &slack.api_base())]);
    config.timing.poll = Duration::from_millis(10);
    let running = place
        .start_with(config, Arc::new(OfflineAnalyst::default()))
        .await;
    let org = running.organization("Acme").await;
    let at = running.slack_assistant(&org).await;
    Stage {
        running,
        slack,
        org,
        at,
    }
}

/// Slack limits the rate of more calls than a look-up has attempts, and then fails once.
#[tokio::test]
async fn a_job_that_waited_often_does_not_fail_at_the_first_error() {
    on_each("no try", |place| async move {
        let stage = polling(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        // Each look-up makes three calls where Slack fails.
        for (fault, times) in [(Fault::RateLimited(2), 8), (Fault::Status(500), 3)] {
            stage.slack.fail_next("users.info", fault, times);
        }
        let said = stage
            .slack
            .says(DM, ALICE, "NOI 1.285m, annual debt service 968k. DSCR?");
        assert_eq!(stage.post(&said.message()).await, 200);
        let services = stage.running.services();
        let begun = Instant::now();
        while services.queue.open(&services.db).await.expect("jobs") > 0 {
            assert!(begun.elapsed() < Duration::from_secs(20), "timed out");
            tokio::time::sleep(Duration::from_millis(10)).await;
            services.clock.advance(Duration::from_secs(1));
        }
        let answers = stage.said(said.thread());
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert!(answers[0].contains("1.33"), "{answers:?}");
        stage.running.stop().await;
    })
    .await;
}
