//! A reading that takes long ends when its run ends: stopped, out of time, put back, or beyond its limit of work.

use std::sync::Arc;
use std::time::{Duration, Instant};

use corbel::analysis::engines::offline::OfflineAnalyst;
use corbel::analysis::service::Stop;
use corbel::sessions::model::{Message, Status};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::ask;
use crate::harness::app::{Person, Place, Running, on_each};
use crate::harness::engine::{Act, Scripted};

/// Far less than two renewals of a lease, after which another process notices.
const SOON: Duration = Duration::from_secs(5);

/// A server whose engine reads without end, and a run that does so.
struct Endless {
    running: Running,
    mara: Person,
    message: Message,
    ended: Arc<Notify>,
}

impl Endless {
    async fn start(place: &Place, adjust: impl FnOnce(&mut corbel::app::config::Config)) -> Self {
        let (begun, ended) = (Arc::<Notify>::default(), Arc::<Notify>::default());
        let mut config = place.config(&[]);
        adjust(&mut config);
        let engine = Scripted::new([Act::Read(Arc::clone(&begun), Arc::clone(&ended))]);
        let running = place.start_with(config, Arc::new(engine)).await;
        let mara = running.organization("Endless").await.mara;
        let analysis = &running.services().analysis;
        let run = analysis
            .admit(&mara.principal(), ask("read"), None)
            .await
            .expect("admitted");
        timeout(SOON, begun.notified()).await.expect("it reads");
        let message = running.services().sessions.message(mara.org, run.message);
        let message = message.await.expect("a message");
        Self {
            running,
            mara,
            message,
            ended,
        }
    }

    async fn expect_end(&self) {
        timeout(SOON, self.ended.notified())
            .await
            .expect("the reading ends");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_ends_the_reading() {
    on_each("stopped reading", |place| async move {
        let endless = Endless::start(&place, |_| {}).await;
        let (services, org) = (endless.running.services().clone(), endless.mara.org);
        let (analysis, message) = (services.analysis.clone(), endless.message.clone());
        let stopped = services.db.write(move |tx| {
            let (analysis, message) = (analysis.clone(), message.clone());
            Box::pin(async move { analysis.stop_in(tx, org, &message, Stop::Asked).await })
        });
        assert!(stopped.await.expect("stopped"));
        endless.expect_end().await;
        endless.running.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_age_limit_ends_the_reading() {
    on_each("expired reading", |place| async move {
        let endless = Endless::start(&place, |config| {
            config.timing.age_limit = Duration::from_secs(2);
        })
        .await;
        endless.expect_end().await;
        let analysis = &endless.running.services().analysis;
        let message = analysis.wait(endless.mara.org, endless.message.id, SOON).await;
        let message = message.expect("wait").expect("ended");
        assert_eq!(
            (message.status, message.failure.as_deref()),
            (Status::Failed, Some("run_expired"))
        );
        endless.running.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_ends_the_reading() {
    on_each("drained reading", |place| async move {
        let endless = Endless::start(&place, |config| {
            config.timing.drain = Duration::from_millis(200);
        })
        .await;
        let since = Instant::now();
        let Endless { running, ended, .. } = endless;
        running.stop().await;
        timeout(SOON, ended.notified()).await.expect("the reading ends");
        assert!(since.elapsed() < SOON, "{:?}", since.elapsed());
    })
    .await;
}

#[tokio::test]
async fn a_question_beyond_the_limit_is_answered_with_that() {
    on_each("too much", |place| async move {
        let engine = OfflineAnalyst { most_work: 2_000 };
        let running = place.start_with(place.config(&[]), Arc::new(engine)).await;
        let mara = running.organization("Much").await.mara;
        let analysis = &running.services().analysis;
        let question = format!("What is the NOI?\n{}", "Rent,1000\n".repeat(500));
        let run = analysis.admit(&mara.principal(), ask(&question), None).await;
        let message = run.expect("admitted").message;
        let ended = analysis.wait(mara.org, message, SOON).await;
        assert_eq!(ended.expect("wait").expect("ended").status, Status::Completed);
        let answer = analysis.answer_of(mara.org, message).await;
        let answer = answer.expect("answer").expect("stored");
        assert!(
            answer.quick_reply.contains("too much to read"),
            "{}",
            answer.quick_reply
        );
        assert!(!answer.success && answer.figures.is_empty());
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_answer_is_no_longer_than_people_read() {
    on_each("long answer", |place| async move {
        let running = place.start(&[]).await;
        let mara = running.organization("Long").await.mara;
        let analysis = &running.services().analysis;
        // The question back names the units that are listed twice.
        let rows: String = (0..400).map(|n| format!("Unit {n},5\nUnit {n},6\n")).collect();
        let question = format!("What is the total rent?\nunit,rent\n{rows}");
        let run = analysis.admit(&mara.principal(), ask(&question), None).await;
        let message = run.expect("admitted").message;
        let ended = analysis.wait(mara.org, message, SOON * 4).await;
        assert_eq!(ended.expect("wait").expect("ended").status, Status::Completed);
        let answer = analysis.answer_of(mara.org, message).await;
        let answer = answer.expect("answer").expect("stored");
        assert!(answer.result.contains(" more: which"), "{}", answer.result);
        assert!(answer.result.len() < 2_000, "{} bytes", answer.result.len());
        running.stop().await;
    })
    .await;
}
