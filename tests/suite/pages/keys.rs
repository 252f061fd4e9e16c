//! The key workspace and the usage page, as people use them without scripts.

use corbel::accounts::model::Plan;
use corbel::audit::store::Actor;
use corbel::base::principal::Role;
use corbel::keys::model::{Environment, Which};
use serde_json::json;

use crate::harness::app::{Running, http, on_each};
use crate::harness::browser::{Browser, Page};
use crate::pages::admin_brand::{csrf, field};

/// The text of a key, if the page shows one.
fn text(page: &Page) -> Option<String> {
    let from = page.text.find(">corbel_")? + 1;
    let length = page.text[from..].find('<')?;
    Some(page.text[from..from + length].to_owned())
}

async fn opens(app: &Running, key: &str) -> u16 {
    let sent = http()
        .get(format!("{}/users/sdk/me", app.url))
        .bearer_auth(key)
        .send();
    sent.await.expect("an answer").status().as_u16()
}

async fn create_key(browser: &mut Browser, name: &str, environment: &str) -> Page {
    let page = browser.get("/console/keys").await;
    let form = [
        csrf(&page),
        field("name", name),
        field("environment", environment),
        field("days", "90"),
    ];
    browser.post("/console/keys", &form).await
}

#[tokio::test]
async fn a_member_creates_rotates_and_revokes_a_key() {
    on_each("a_member_creates_rotates_and_revokes_a_key", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Page House").await;
        let mut mara = Browser::of(&app, &org.mara).await;
        assert!(
            mara.get("/console/keys")
                .await
                .text
                .contains("You have no key yet")
        );
        for (name, environment, says) in [
            ("", "sandbox", "The name must not be empty."),
            ("Import", "staging", "The environment must be one of"),
        ] {
            let page = create_key(&mut mara, name, environment).await;
            assert_eq!(
                (page.status, page.text.contains(says)),
                (400, true),
                "{}",
                page.text
            );
            assert_eq!(text(&page), None);
        }
        let page = create_key(&mut mara, "Import <1>", "production").await;
        assert_eq!(page.status, 200);
        assert!(page.text.contains("Import &#60;1&#62;") && page.text.contains("only time"));
        let first = text(&page).expect("a text");
        assert!(first.starts_with("corbel_live_"));
        assert_eq!(opens(&app, &first).await, 200);
        let list = mara.get("/console/keys").await;
        assert_eq!(
            (text(&list), list.text.contains(&first)),
            (None, false),
            "shown once"
        );
        let id = app
            .services()
            .keys
            .list(org.id, None, Which::Live, None)
            .await
            .expect("keys")
            .keys[0]
            .id;

        let ask = mara.get(&format!("/console/keys/{id}/rotate")).await;
        let overlap = [csrf(&ask), field("overlap", "24h")];
        let page = mara.post(&format!("/console/keys/{id}/rotate"), &overlap).await;
        let second = text(&page).expect("a text");
        assert!(page.text.contains("the previous secret is valid until"));
        assert_eq!(
            (opens(&app, &first).await, opens(&app, &second).await),
            (200, 200)
        );
        assert!(
            mara.get("/console/keys")
                .await
                .text
                .contains("the previous secret is valid until")
        );

        // Without the form token nothing happens; loading a page changes nothing.
        let refused = mara.post(&format!("/console/keys/{id}/revoke"), &[]).await;
        assert_eq!(refused.status, 403);
        let ask = mara.get(&format!("/console/keys/{id}/revoke")).await;
        assert_eq!(opens(&app, &second).await, 200);
        let page = mara
            .post(&format!("/console/keys/{id}/revoke"), &[csrf(&ask)])
            .await;
        assert!(page.text.contains("Revoked."), "{}", page.text);
        assert_eq!(
            (opens(&app, &first).await, opens(&app, &second).await),
            (401, 401)
        );
        assert!(
            mara.get("/console/keys?which=ended")
                .await
                .text
                .contains("Import &#60;1&#62;")
        );
        for act in ["rotate", "revoke"] {
            assert_eq!(mara.get(&format!("/console/keys/{id}/{act}")).await.status, 404);
        }
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn administrators_can_revoke_others_keys_and_no_user_can_read_them() {
    on_each("others_keys", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Rights House").await;
        let (other, ada) = (
            app.organization("Elsewhere").await,
            app.member(&org, "Ada", Role::Admin).await,
        );
        let key = app.key(&org.mara, Environment::Development).await;
        let id = app
            .services()
            .keys
            .list(org.id, None, Which::Live, None)
            .await
            .expect("keys")
            .keys[0]
            .id;
        let mut noel = Browser::of(&app, &org.noel).await;
        let mut stranger = Browser::of(&app, &other.mara).await;
        for browser in [&mut noel, &mut stranger] {
            let own = browser.get("/console/keys?of=everyone").await;
            assert!(!own.text.contains(&id.to_string()), "others' keys are not listed");
            for act in ["rotate", "revoke"] {
                let path = format!("/console/keys/{id}/{act}");
                let form = [csrf(&own), field("overlap", "none")];
                assert_eq!(browser.get(&path).await.status, 404, "{act}");
                assert_eq!(browser.post(&path, &form).await.status, 404, "{act}");
            }
        }
        let mut ada = Browser::of(&app, &ada).await;
        let all = ada.get("/console/keys?of=everyone").await;
        assert!(all.text.contains(&id.to_string()) && all.text.contains("Mara of Rights House"));
        assert!(!all.text.contains(&format!("{id}/rotate")));
        let form = [csrf(&all), field("overlap", "none")];
        let path = format!("/console/keys/{id}/rotate");
        assert_eq!(
            ada.post(&path, &form).await.status,
            404,
            "the key would act as Mara"
        );
        assert_eq!(opens(&app, &key).await, 200);
        let page = ada
            .post(&format!("/console/keys/{id}/revoke"), &[csrf(&all)])
            .await;
        assert!(
            page.text.contains("Revoked.") && page.text.contains("Everyone&#39;s")
                || page.text.contains("Everyone's")
        );
        assert_eq!(opens(&app, &key).await, 401);

        app.services()
            .accounts
            .set_plan(Actor::OPERATOR, org.id, Plan::Trial)
            .await
            .expect("plan");
        let page = create_key(&mut noel, "More", "production").await;
        assert_eq!(
            (page.status, page.text.contains("sandbox keys only")),
            (403, true)
        );
        assert!(text(&create_key(&mut noel, "Try", "sandbox").await).is_some());
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn usage_is_shown_by_day_and_money_to_administrators() {
    on_each("usage_is_shown", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Usage House").await;
        let ada = app.member(&org, "Ada", Role::Admin).await;
        let mut empty = Browser::of(&app, &org.noel).await;
        let page = empty.get("/console/usage").await;
        assert!(
            page.text.contains("100</span>% left") && page.text.contains("No run ended"),
            "{}",
            page.text
        );
        let key = app.key(&org.mara, Environment::Production).await;
        for _ in 0..3 {
            let sent = http()
                .post(format!("{}/users/run-models", app.url))
                .bearer_auth(&key)
                .json(&json!({ "question": "What is a cap rate?" }))
                .send();
            assert_eq!(sent.await.expect("an answer").status(), 202);
        }
        let (noel, analysis) = (org.noel.principal(), &app.services().analysis);
        analysis
            .admit(&noel, crate::queue::ask("hello"), None)
            .await
            .expect("admitted");
        app.settle().await;
        let mut ada = Browser::of(&app, &ada).await;
        let page = ada.get("/console/usage").await;
        for part in [
            "<svg",
            "HTTP API 3, Other 1",
            "0.004",
            "49.996",
            "tests (Mara of Usage House)",
        ] {
            assert!(page.text.contains(part), "no {part} in {}", page.text);
        }
        let credit = ada.get("/console/usage?by=key&show=credit").await;
        assert!(
            credit.text.contains("tests (Mara of Usage House) 0.003"),
            "{}",
            credit.text
        );
        let mut noel = empty;
        let page = noel.get("/console/usage?by=key&show=credit").await;
        assert!(
            page.text.contains("Others&#39; keys 3") || page.text.contains("Others' keys 3"),
            "{}",
            page.text
        );
        for hidden in ["tests (", "USD", "0.00", "49.99"] {
            assert!(!page.text.contains(hidden), "{hidden} in {}", page.text);
        }
        let workspace = Browser::of(&app, &org.mara).await.get("/console/keys").await;
        assert!(workspace.text.contains("3 runs this month"), "{}", workspace.text);
        app.stop().await;
    })
    .await;
}
