//! Batched inserts of events: events that arrive at once are written in one transaction, and each is still
//! accepted or refused independently.

use corbel::assistants::model::{Installation, Place, PlaceKind, Sender, Turn};
use corbel::base::ids::OrgId;
use futures_util::future::join_all;

use crate::harness::app::on_each;

const EVENTS: usize = 100;

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_events_are_each_stored_once_and_a_bad_one_harms_no_other() {
    on_each("intake of many", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Intake").await;
        let at = running.slack_assistant(&org).await.slack;
        // Its jobs refer to an organization that does not exist.
        let stranger = Installation {
            org: OrgId::new(),
            ..at.clone()
        };
        let inbox = &running.services().inbox;
        let take = async |at: &Installation, event: String, n: usize| {
            inbox
                .store_turn(at, &event, &format!("message {n}"), &turn(n))
                .await
        };
        // Each event twice, each third message with a second event, and events of an unknown installation between them.
        let events = (0..EVENTS).flat_map(|n| {
            let mut same = vec![(&at, format!("event {n}"), n); 2];
            if n % 3 == 0 {
                same.push((&at, format!("twin {n}"), n));
            }
            if n % 10 == 0 {
                same.push((&stranger, format!("event {n}"), n));
            }
            same
        });
        let outcomes = join_all(events.map(|(at, event, n)| take(at, event, n))).await;
        let new = outcomes.iter().filter(|taken| matches!(taken, Ok(true))).count();
        let refused = outcomes.iter().filter(|taken| taken.is_err()).count();
        assert_eq!((new, refused), (EVENTS, EVENTS / 10));

        let rows: (i64, i64, i64) = running
            .services()
            .db
            .query(
                "SELECT (SELECT COUNT(*) FROM inbox), (SELECT COUNT(*) FROM jobs WHERE kind = 'chat.turn'),
                        (SELECT COUNT(DISTINCT message_key) FROM inbox)",
            )
            .one()
            .await
            .expect("counted");
        let events = EVENTS as i64;
        assert_eq!(
            rows,
            (events, events, events),
            "each row has its job, and no other"
        );
        running.stop().await;
    })
    .await;
}

fn turn(n: usize) -> Turn {
    Turn {
        sender: Sender {
            team: "T0TEAM".to_owned(),
            user: "U0ALICE".to_owned(),
            account: None,
        },
        place: Place {
            kind: PlaceKind::Shared,
            conversation: "C0CHANNEL".to_owned(),
            thread: n.to_string(),
            message: n.to_string(),
            outsiders: false,
        },
        text: "What is the cap rate?".to_owned(),
        enclosed: String::new(),
        files: Vec::new(),
    }
}
