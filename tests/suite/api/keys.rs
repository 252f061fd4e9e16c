//! Project keys over HTTP: how a key is sent, and until when it is accepted.

use std::time::{Duration, Instant};

use corbel::accounts::model::Plan;
use corbel::audit::store::{Actor, list};
use corbel::base::error::Error;
use corbel::base::ids::KeyId;
use corbel::base::secret::digest_of;
use corbel::keys::model::{Environment, NewKey, Overlap, Which};
use reqwest::header::AUTHORIZATION;
use serde_json::Value;

use crate::harness::app::{Person, Running, http, on_each};
use crate::harness::log;

/// The status and code of the route that only authenticates.
async fn me(app: &Running, headers: &[(&str, &str)]) -> (u16, String) {
    status_and_code(app, "/users/sdk/me", headers).await
}

async fn status_and_code(app: &Running, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let mut request = http().get(format!("{}{path}", app.url));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    assert_eq!(status == 401, answer.headers().contains_key("www-authenticate"));
    let body: Value = answer.json().await.expect("JSON");
    (status, body["code"].as_str().unwrap_or_default().to_owned())
}

async fn status_with(app: &Running, key: &str) -> u16 {
    me(app, &[("X-Api-Key", key)]).await.0
}

fn new(person: &Person, environment: Environment) -> NewKey {
    NewKey {
        org: person.org,
        owner: person.user,
        name: "tests".to_owned(),
        environment,
        expires_at: None,
    }
}

async fn create_key(app: &Running, new: NewKey) -> (KeyId, String) {
    let (id, text) = app
        .services()
        .keys
        .create(Actor::OPERATOR, new)
        .await
        .expect("a key");
    (id, text.expose().to_owned())
}

#[tokio::test]
async fn a_key_is_sent_in_either_header() {
    on_each("a_key_is_sent_in_either_header", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Header House").await;
        let key = app.key(&org.mara, Environment::Production).await;
        let other = app.key(&org.mara, Environment::Production).await;
        let refused = |code: &str| (401, code.to_owned());
        let fine = (200, String::new());
        for scheme in ["Bearer", "bearer", "BEARER"] {
            let bearer = format!("{scheme} {key}");
            assert_eq!(me(&app, &[("Authorization", &bearer)]).await, fine);
            assert_eq!(
                me(&app, &[("X-Api-Key", &key), ("Authorization", &bearer)]).await,
                fine
            );
            let two = [("X-Api-Key", other.as_str()), ("Authorization", &bearer)];
            assert_eq!(me(&app, &two).await, refused("api_key_invalid"));
        }
        assert_eq!(me(&app, &[]).await, refused("api_key_missing"));
        for header in [
            ("X-Api-Key", ""),
            ("Authorization", "Basic bWFyYTo="),
            ("Authorization", &key),
        ] {
            assert_eq!(
                me(&app, &[header]).await,
                refused("api_key_invalid"),
                "{header:?}"
            );
        }
        let twice = [("X-Api-Key", key.as_str()), ("X-Api-Key", other.as_str())];
        assert_eq!(me(&app, &twice).await, refused("api_key_invalid"));
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_key_in_the_url_is_refused_and_not_logged() {
    log::capture();
    on_each("a_key_in_the_url_is_refused_and_not_logged", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Address House").await;
        let key = app.key(&org.mara, Environment::Production).await;
        let names = [
            "api_key",
            "apikey",
            "key",
            "token",
            "access_token",
            "x-api-key",
            "authorization",
            "API_Key",
        ];
        for query in names.map(|name| format!("{name}={key}")).into_iter().chain([
            format!("q={key}"),
            "key=anything".to_owned(),
            format!("q=%63orbel_{}", &key["corbel_".len()..]),
            format!("auth=Bearer%20{key}"),
            format!("q=a,{key}"),
            format!("a=1&{key}"),
            key.clone(),
            "api-key=anything".to_owned(),
            "key[]=anything".to_owned(),
        ]) {
            let answer =
                status_and_code(&app, &format!("/users/sdk/me?{query}"), &[("X-Api-Key", &key)]).await;
            assert_eq!(answer, (401, "api_key_in_query".to_owned()), "{query}");
        }
        assert_eq!(
            status_and_code(&app, "/users/sdk/me?limit=3", &[("X-Api-Key", &key)])
                .await
                .0,
            200
        );
        let secret = key.rsplit('_').next().expect("a secret");
        assert!(!log::all().contains(secret), "a key was logged");
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn only_the_complete_key_is_accepted() {
    on_each("only_the_complete_key_is_accepted", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Text House").await;
        let key = app.key(&org.mara, Environment::Development).await;
        // As a forger would send it: with a valid checksum.
        let summed = |body: &str| format!("{body}{}", &hex::encode(digest_of(body))[..8]);
        let body = &key[..key.len() - 8];
        assert_eq!(summed(body), key);
        let last = body.chars().next_back().expect("a sign");
        let turned = format!(
            "{}{}",
            &body[..body.len() - 1],
            if last == '0' { '1' } else { '0' }
        );
        let stranger = KeyId::new().uuid().simple().to_string();
        let parts: Vec<&str> = body.split('_').collect();
        for forged in [
            summed(&body.replacen("_dev_", "_live_", 1)),
            summed(&body.replacen("_dev_", "_test_", 1)),
            summed(&turned),
            summed(&body.replacen(parts[2], &stranger, 1)),
            turned,
            body.to_owned(),
            key.to_uppercase(),
            format!("{key}0"),
            key[1..].to_owned(),
            "corbel_".to_owned(),
            "corbel_dev__".to_owned(),
            "a".repeat(2_000),
        ] {
            assert_eq!(status_with(&app, &forged).await, 401, "{forged}");
        }
        assert_eq!(status_with(&app, &key).await, 200);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_key_ends_with_expiry_rotation_or_revocation() {
    on_each("a_key_ends", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("End House").await;
        let (keys, clock) = (&app.services().keys, &app.services().clock);
        let mut short = new(&org.mara, Environment::Production);
        short.expires_at = Some(clock.now() + Duration::from_secs(90));
        let (_, short) = create_key(&app, short).await;
        assert_eq!(status_with(&app, &short).await, 200);
        clock.advance(Duration::from_secs(91));
        assert_eq!(
            status_with(&app, &short).await,
            401,
            "expired although it was valid a moment ago"
        );

        let (id, first) = create_key(&app, new(&org.mara, Environment::Production)).await;
        let rotate = async |overlap| {
            let text = keys.rotate(Actor::OPERATOR, org.id, None, id, overlap).await;
            text.expect("rotated").expose().to_owned()
        };
        assert_eq!(status_with(&app, &first).await, 200);
        let second = rotate(Overlap::Hour).await;
        assert_eq!(
            (status_with(&app, &first).await, status_with(&app, &second).await),
            (200, 200)
        );
        clock.advance(Duration::from_secs(3601));
        assert_eq!(
            (status_with(&app, &first).await, status_with(&app, &second).await),
            (401, 200)
        );
        let third = rotate(Overlap::Week).await;
        let fourth = rotate(Overlap::Day).await;
        let open = [
            status_with(&app, &second).await,
            status_with(&app, &third).await,
            status_with(&app, &fourth).await,
        ];
        assert_eq!(
            open,
            [401, 200, 200],
            "a second rotation invalidates the older key"
        );
        let fifth = rotate(Overlap::None).await;
        let open = [
            status_with(&app, &third).await,
            status_with(&app, &fourth).await,
            status_with(&app, &fifth).await,
        ];
        assert_eq!(open, [401, 401, 200]);

        rotate(Overlap::Day).await;
        keys.revoke(Actor::OPERATOR, org.id, None, id)
            .await
            .expect("revoked");
        assert_eq!(
            status_with(&app, &fifth).await,
            401,
            "at once, also within an overlap"
        );
        let again = keys.revoke(Actor::OPERATOR, org.id, None, id).await;
        assert!(matches!(again, Err(Error::NotFound(_))));
        let rotated = keys.rotate(Actor::OPERATOR, org.id, None, id, Overlap::Day).await;
        assert!(matches!(rotated, Err(Error::NotFound(_))));
        let lines = list(&app.services().db, org.id, 100).await.expect("lines");
        let of = |action: &str| {
            lines
                .iter()
                .filter(|line| line.action == action && line.subject == id.to_string())
                .count()
        };
        assert_eq!(
            (of("key.created"), of("key.rotated"), of("key.revoked")),
            (1, 5, 1)
        );
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_key_of_a_former_member_is_refused_within_five_seconds() {
    on_each("whoever_has_left", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Leaving House").await;
        let (mara, noel) = (
            app.key(&org.mara, Environment::Production).await,
            app.key(&org.noel, Environment::Production).await,
        );
        assert_eq!(
            (status_with(&app, &mara).await, status_with(&app, &noel).await),
            (200, 200)
        );
        let services = app.services();
        let deactivated = services
            .accounts
            .deactivate(Actor::OPERATOR, org.id, org.mara.user)
            .await;
        deactivated.expect("deactivated");
        let (org_id, user) = (org.id, org.noel.user);
        let left = services.db.write(move |tx| {
            Box::pin(async move {
                tx.query("UPDATE memberships SET active = FALSE WHERE org_id = $1 AND user_id = $2")
                    .bind(org_id)
                    .bind(user)
                    .execute()
                    .await?;
                Ok(())
            })
        });
        left.await.expect("left");
        services.clock.advance(Duration::from_secs(4));
        assert_eq!(
            (status_with(&app, &mara).await, status_with(&app, &noel).await),
            (401, 401)
        );
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_node_without_a_revocation_notice_follows_within_five_seconds() {
    on_each("a_node_that_hears_nothing", async |place| {
        let here = place.start(&[]).await;
        let there = place.start(&[]).await;
        let org = here.organization("Two Nodes").await;
        let (revoked, text) = create_key(&here, new(&org.mara, Environment::Production)).await;
        let (rotated, old) = create_key(&here, new(&org.mara, Environment::Production)).await;
        assert_eq!(
            (status_with(&here, &text).await, status_with(&there, &text).await),
            (200, 200)
        );
        assert_eq!(
            (status_with(&here, &old).await, status_with(&there, &old).await),
            (200, 200)
        );
        let keys = &here.services().keys;
        let since = Instant::now();
        keys.revoke(Actor::OPERATOR, org.id, None, revoked)
            .await
            .expect("revoked");
        let rotating = keys
            .rotate(Actor::OPERATOR, org.id, None, rotated, Overlap::None)
            .await;
        let next = rotating.expect("rotated");
        assert_eq!(
            (status_with(&here, &text).await, status_with(&here, &old).await),
            (401, 401),
            "at once"
        );
        assert_eq!(
            status_with(&there, next.expose()).await,
            200,
            "a new key is accepted at once"
        );
        // The key stays in use there, on the real clock.
        while (status_with(&there, &text).await, status_with(&there, &old).await) != (401, 401) {
            assert!(since.elapsed() < Duration::from_secs(5), "still accepted");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        here.stop().await;
        there.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_trial_organization_can_only_create_sandbox_keys_up_to_a_limit() {
    on_each("an_organization_on_trial", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Trial House").await;
        let services = app.services();
        services
            .accounts
            .set_plan(Actor::OPERATOR, org.id, Plan::Trial)
            .await
            .expect("plan");
        for environment in [Environment::Development, Environment::Production] {
            let made = services
                .keys
                .create(Actor::OPERATOR, new(&org.mara, environment))
                .await;
            assert!(matches!(
                made,
                Err(Error::Forbidden {
                    code: "plan_not_eligible",
                    ..
                })
            ));
        }
        let mut ids = Vec::new();
        for _ in 0..50 {
            ids.push(create_key(&app, new(&org.mara, Environment::Sandbox)).await.0);
        }
        let one_more = || {
            services
                .keys
                .create(Actor::OPERATOR, new(&org.mara, Environment::Sandbox))
        };
        assert!(matches!(
            one_more().await,
            Err(Error::Forbidden {
                code: "too_many_keys",
                ..
            })
        ));
        services
            .keys
            .revoke(Actor::OPERATOR, org.id, None, ids[7])
            .await
            .expect("revoked");
        one_more().await.expect("there is room again");
        let noel = services
            .keys
            .create(Actor::OPERATOR, new(&org.noel, Environment::Sandbox))
            .await;
        noel.expect("others have room of their own");
        // The pages of the list contain every key once.
        let first = services
            .keys
            .list(org.id, None, Which::All, None)
            .await
            .expect("keys");
        let second = services
            .keys
            .list(org.id, None, Which::All, first.next)
            .await
            .expect("keys");
        assert_eq!((first.keys.len(), second.keys.len(), second.next), (50, 2, None));
        let ended = services
            .keys
            .list(org.id, Some(org.mara.user), Which::Ended, None)
            .await
            .expect("keys");
        assert_eq!(ended.keys.iter().map(|key| key.id).collect::<Vec<_>>(), [ids[7]]);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_last_use_is_recorded_to_the_minute() {
    on_each("the_last_use", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Use House").await;
        let (id, key) = create_key(&app, new(&org.mara, Environment::Production)).await;
        let services = app.services();
        let used = async || {
            services
                .keys
                .get(org.id, None, id)
                .await
                .expect("the key")
                .last_used_at
        };
        assert_eq!(used().await, None);
        assert_eq!(status_with(&app, &key).await, 200);
        app.until("the use is recorded", async || used().await.is_some())
            .await;
        let first = used().await.expect("a use");
        services.clock.advance(Duration::from_secs(30));
        assert_eq!(status_with(&app, &key).await, 200);
        services.clock.advance(Duration::from_secs(31));
        assert_eq!(status_with(&app, &key).await, 200);
        app.until("a later use is recorded", async || used().await != Some(first))
            .await;
        let second = used().await.expect("a use");
        assert!((second - first).num_seconds() >= 60, "{first} {second}");
        app.stop().await;
    })
    .await;
}

/// The header name is accepted in any case.
#[tokio::test]
async fn header_names_are_case_insensitive() {
    on_each("header_names_are_case_insensitive", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Case House").await;
        let key = app.key(&org.mara, Environment::Production).await;
        assert_eq!(me(&app, &[("x-API-key", &key)]).await.0, 200);
        let bearer = format!("Bearer   {key} ");
        assert_eq!(me(&app, &[(AUTHORIZATION.as_str(), &bearer)]).await.0, 200);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn keys_are_inactive_while_the_organization_has_no_plan() {
    on_each("keys_without_a_plan", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Lapsed House").await;
        let services = app.services();
        let (_, trial) = create_key(&app, new(&org.mara, Environment::Sandbox)).await;
        let (_, paid) = create_key(&app, new(&org.mara, Environment::Production)).await;
        let refused = (403, "plan_not_eligible".to_owned());
        for (plan, expected) in [
            (Plan::Pro, (200, String::new())),
            (Plan::Trial, refused),
            (Plan::Enterprise, (200, String::new())),
        ] {
            let set = services.accounts.set_plan(Actor::OPERATOR, org.id, plan).await;
            set.expect("plan");
            services.clock.advance(Duration::from_secs(5));
            assert_eq!(me(&app, &[("X-Api-Key", &paid)]).await, expected, "{plan:?}");
            assert_eq!(status_with(&app, &trial).await, 200);
        }
        app.stop().await;
    })
    .await;
}
