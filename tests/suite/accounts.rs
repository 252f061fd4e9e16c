//! Sign-in: the same answer for every failed attempt, throttled, ended by deactivation.

use std::collections::BTreeMap;
use std::time::Duration;

use corbel::accounts::model::Plan;
use corbel::accounts::service::NewPerson;
use corbel::audit::store::{self as audit, Actor};
use corbel::base::error::Error;
use corbel::base::principal::Role;
use corbel::base::secret::Secret;
use corbel::limits::window::{self, Outcome, Window};
use tokio::task::JoinSet;

use crate::harness::app::{PASSWORD, Running, on_each};

async fn person(
    running: &Running,
    org: &str,
    email: &str,
) -> (corbel::base::ids::OrgId, corbel::base::ids::UserId) {
    let accounts = &running.services().accounts;
    let org = accounts
        .create_org(Actor::OPERATOR, org, Plan::Pro, None)
        .await
        .expect("org")
        .id;
    let password = Some(Secret::new(PASSWORD));
    let new = NewPerson {
        email: email.to_owned(),
        name: "Someone".to_owned(),
        role: Role::Admin,
        password,
    };
    (
        org,
        accounts
            .create_member(Actor::OPERATOR, org, new)
            .await
            .expect("member"),
    )
}

#[tokio::test]
async fn signing_in_and_out() {
    on_each("sign-in", |place| async move {
        let running = place.start(&[]).await;
        let (org, user) = person(&running, "Doors", "Ana@Doors.example").await;
        let accounts = &running.services().accounts;
        let signed = accounts
            .sign_in(" ana@doors.EXAMPLE ", &Secret::new(PASSWORD), "10.0.0.1")
            .await
            .expect("in");
        let visitor = accounts
            .visitor(&signed.token)
            .await
            .expect("visitor")
            .expect("known");
        assert_eq!((visitor.principal.org, visitor.principal.user), (org, user));
        assert!(
            accounts
                .visitor(&Secret::new("made-up"))
                .await
                .expect("visitor")
                .is_none()
        );
        accounts.sign_out(&signed.token).await.expect("out");
        assert!(accounts.visitor(&signed.token).await.expect("visitor").is_none());
        let again = accounts
            .sign_in("ana@doors.example", &Secret::new(PASSWORD), "10.0.0.1")
            .await
            .expect("in");
        accounts
            .deactivate(Actor::OPERATOR, org, user)
            .await
            .expect("deactivated");
        assert!(accounts.visitor(&again.token).await.expect("visitor").is_none());
        let refused = accounts
            .sign_in("ana@doors.example", &Secret::new(PASSWORD), "10.0.0.1")
            .await;
        assert!(matches!(refused, Err(Error::Unauthenticated)), "{refused:?}");
        assert_eq!(
            audit::verify(&running.services().db, org)
                .await
                .expect("audit")
                .fault,
            None
        );
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn failed_attempts_are_indistinguishable_and_throttled() {
    on_each("throttle", |place| async move {
        let running = place.start(&[]).await;
        person(&running, "Doors", "ana@doors.example").await;
        let accounts = &running.services().accounts;
        for email in ["ana@doors.example", "nobody@doors.example"] {
            for _ in 0..8 {
                let wrong = accounts
                    .sign_in(email, &Secret::new("not-the-password"), "10.0.0.2")
                    .await;
                assert!(matches!(wrong, Err(Error::Unauthenticated)), "{wrong:?}");
            }
            let stopped = accounts.sign_in(email, &Secret::new(PASSWORD), "10.0.0.3").await;
            let Err(Error::Limited { retry_after }) = stopped else {
                panic!("{stopped:?}")
            };
            assert!(retry_after <= Duration::from_secs(15 * 60));
        }
        running.services().clock.advance(Duration::from_secs(15 * 60 + 1));
        accounts
            .sign_in("ana@doors.example", &Secret::new(PASSWORD), "10.0.0.3")
            .await
            .expect("after the wait");
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn only_failures_count_against_an_address_and_refusals_count_nowhere() {
    on_each("throttle of a place", |place| async move {
        let running = place.start(&[]).await;
        person(&running, "Doors", "ana@doors.example").await;
        let accounts = &running.services().accounts;
        let right = async || {
            accounts
                .sign_in("ana@doors.example", &Secret::new(PASSWORD), "10.0.0.4")
                .await
        };
        let wrong = async |email: &str| {
            accounts
                .sign_in(email, &Secret::new("not-the-password"), "10.0.0.4")
                .await
        };
        // Many people of one office sign in.
        for _ in 0..61 {
            right().await.expect("a success is no attempt too many");
        }
        for n in 0..60 {
            let failed = wrong(&format!("someone-{n}@doors.example")).await;
            assert!(matches!(failed, Err(Error::Unauthenticated)), "{n}: {failed:?}");
        }
        for _ in 0..20 {
            let refused = wrong("ana@doors.example").await;
            assert!(matches!(refused, Err(Error::Limited { .. })), "{refused:?}");
        }
        assert!(
            accounts
                .sign_in("ana@doors.example", &Secret::new(PASSWORD), "10.0.0.5")
                .await
                .is_ok(),
            "refused attempts do not count against the address"
        );
        // The next day, expired windows are removed faster than new ones are added.
        let windows = async || -> i64 {
            let counted = running.services().db.read();
            counted
                .query("SELECT COUNT(*) FROM limit_windows")
                .scalar()
                .await
                .expect("windows")
        };
        assert!(windows().await > 60);
        running
            .services()
            .clock
            .advance(Duration::from_secs(25 * 60 * 60));
        for _ in 0..8 {
            right().await.expect("in");
        }
        assert_eq!(windows().await, 1, "one window without counts");
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn permits_are_granted_once_to_concurrent_callers() {
    on_each("windows", |place| async move {
        let running = place.start(&[]).await;
        let windows = |name: &str| {
            let window = |name: String, most| Window {
                name,
                most,
                per: Duration::from_secs(60),
            };
            [window(format!("one/{name}"), 5), window("all".to_owned(), 7)]
        };
        let ask = |name: &'static str| {
            let db = running.services().db.clone();
            let windows = windows(name);
            async move {
                let taken = db.write(move |tx| {
                    let windows = windows.clone();
                    Box::pin(async move { window::take(tx, &windows).await })
                });
                taken.await.expect("a refusal is no error")
            }
        };
        let mut given = BTreeMap::new();
        let asked: JoinSet<_> = (0..40)
            .map(|n| {
                let name = if n % 2 == 0 { "a" } else { "b" };
                let one = ask(name);
                async move { (name, one.await) }
            })
            .collect();
        for (name, taken) in asked.join_all().await {
            if taken == Outcome::Yes {
                *given.entry(name).or_insert(0) += 1;
            }
        }
        assert_eq!(given.values().sum::<i64>(), 7, "{given:?}");
        let db = &running.services().db;
        let used: Vec<(String, i64)> = db
            .query(
                "SELECT name, used FROM limit_windows WHERE name = 'all' OR name LIKE 'one/%' ORDER BY name",
            )
            .all()
            .await
            .expect("windows");
        for (name, used) in used {
            let expected = name.strip_prefix("one/").map_or(7, |name| given[name]);
            assert_eq!(used, expected, "{name}: refusals are not counted");
        }
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_audit_log_cannot_be_changed() {
    on_each("audit", |place| async move {
        let running = place.start(&[]).await;
        let (org, _) = person(&running, "Log", "ana@log.example").await;
        let db = &running.services().db;
        let lines = audit::list(db, org, 10).await.expect("lines");
        let actions: Vec<_> = lines.iter().map(|line| line.action.as_str()).collect();
        assert_eq!(actions, ["member.added", "organization.created"]);
        for statement in ["UPDATE audit_log SET action = 'nothing'", "DELETE FROM audit_log"] {
            let tried = db.write(move |tx| {
                Box::pin(async move {
                    tx.query(statement).execute().await?;
                    Ok(())
                })
            });
            assert!(tried.await.is_err(), "{statement} succeeded");
        }
        running.stop().await;
    })
    .await;
}
