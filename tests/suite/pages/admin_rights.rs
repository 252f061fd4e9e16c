//! Who may use the set-up pages: owners and administrators of the assistant's own organization.

use corbel::accounts::model::Plan;
use corbel::assistants::model::ConversationState;
use corbel::audit::store::{self as audit, Actor};
use corbel::base::ids::AssistantId;
use corbel::base::principal::Role;

use crate::harness::app::{http, on_each};
use crate::harness::browser::Browser;
use crate::harness::slack::CHANNEL;
use crate::pages::admin_brand::{csrf, field};

const READ: [&str; 5] = ["", "/conversations", "/people", "/deliveries", "/feedback"];

/// Every form of an assistant's pages, with valid fields.
fn forms() -> Vec<(&'static str, Vec<(String, String)>)> {
    vec![
        (
            "",
            vec![
                field("name", "Taken over"),
                field("colour", "#000000"),
                field("tone", "funny"),
                field("act", "save"),
            ],
        ),
        ("/shared", vec![field("on", "false")]),
        (
            "/conversations",
            vec![field("conversation", CHANNEL), field("act", "revoke")],
        ),
        (
            "/conversations/buildings",
            vec![
                field("conversation", CHANNEL),
                field("which", "some"),
                field("ids", "b"),
            ],
        ),
        (
            "/people/unlink",
            vec![field("link", &AssistantId::new().to_string())],
        ),
        (
            "/deliveries/resend",
            vec![field("delivery", &AssistantId::new().to_string())],
        ),
        ("/icon/remove", vec![]),
    ]
}

#[tokio::test]
async fn only_administrators_of_the_organization_have_access() {
    on_each("rights", |place| async move {
        let running = place.start(&[]).await;
        let org = running.organization("Home").await;
        let at = running.slack_assistant(&org).await;
        let conversations = &running.services().conversations;
        let approved = ConversationState::Approved;
        conversations
            .decide(Actor::OPERATOR, org.id, at.slack.id, CHANNEL, approved)
            .await
            .expect("approved");
        let other = running.organization("Strange").await;
        let people = [
            (running.member(&org, "Ada", Role::Admin).await, 200),
            (running.member(&org, "Olaf", Role::Owner).await, 200),
            (org.mara.clone(), 403),
            (running.member(&other, "Eve", Role::Owner).await, 404),
        ];
        let base = format!("/console/assistants/{}", at.assistant);
        let before = audit::list(&running.services().db, org.id, 500)
            .await
            .expect("audit")
            .len();
        for (person, status) in &people {
            let mut browser = Browser::of(&running, person).await;
            let expected_list = if *status == 403 { 403 } else { 200 };
            for path in ["/console/assistants", "/console/assistants/new"] {
                assert_eq!(browser.get(path).await.status, expected_list, "{path} {person:?}");
            }
            for path in READ {
                let page = browser.get(&format!("{base}{path}")).await;
                assert_eq!(page.status, *status, "{path} {person:?}");
                assert_eq!(page.text.contains("Abacus"), *status == 200, "{path}");
            }
            let overview = browser.get("/console").await;
            assert_eq!(
                overview.text.contains("href=\"/console/assistants\""),
                expected_list == 200
            );
            if *status == 403 {
                let refused = browser.get("/console/assistants").await;
                assert!(
                    refused.text.contains("Only owners and administrators"),
                    "shows the reason"
                );
            }
            if *status == 200 {
                continue;
            }
            let token = csrf(&browser.get("/preview").await);
            for (path, mut form) in forms() {
                form.push(token.clone());
                let page = browser.post(&format!("{base}{path}"), &form).await;
                assert_eq!(page.status, *status, "{path} {person:?}");
            }
            let page = browser
                .upload(&format!("{base}/icon"), std::slice::from_ref(&token), b"x")
                .await;
            assert_eq!(page.status, *status, "icon {person:?}");
            if *status == 404 {
                // Another organization's assistant is indistinguishable from one that does not exist.
                let shape = |text: &str| {
                    let from = text.find("Reference").unwrap_or(text.len());
                    text[..from].to_owned()
                };
                let absent = browser
                    .get(&format!("/console/assistants/{}", AssistantId::new()))
                    .await;
                let foreign = browser.get(&base).await;
                assert_eq!(shape(&absent.text), shape(&foreign.text));
                assert_eq!(browser.get("/console/assistants/nonsense").await.status, 404);
            }
        }
        // Signed out: redirected to the sign-in page, for forms too.
        let mut nobody = Browser::new(&running);
        for path in READ {
            let page = nobody.get(&format!("{base}{path}")).await;
            assert!(page.path.starts_with("/sign-in"), "{path}: {}", page.path);
        }
        for (path, form) in forms() {
            let page = nobody.post(&format!("{base}{path}"), &form).await;
            assert!(page.path.starts_with("/sign-in"), "{path}: {}", page.path);
        }
        // Without the session's form token, with a wrong one, or from another site: refused.
        let mut ada = Browser::of(&running, &people[0].0).await;
        let token = csrf(&ada.get(&base).await);
        for (path, form) in forms() {
            let address = format!("{base}{path}");
            assert_eq!(ada.post(&address, &form).await.status, 403, "{path}");
            let mut wrong = form.clone();
            wrong.push(field("csrf", "nonsense"));
            assert_eq!(ada.post(&address, &wrong).await.status, 403, "{path}");
            let mut stolen = form;
            stolen.push(token.clone());
            let reply = http()
                .post(format!("{}{address}", running.url))
                .header("cookie", ada.cookie())
                .header("origin", "https://evil.example")
                .form(&stolen)
                .send()
                .await
                .expect("a reply");
            assert_eq!(reply.status(), 403, "{path}");
        }
        let lines = audit::list(&running.services().db, org.id, 500)
            .await
            .expect("audit");
        let acts = lines.len() - before;
        let signing = lines.iter().filter(|line| {
            line.seq > i64::try_from(before).expect("few")
                && ["signed_in", "member.password_set"].contains(&line.action.as_str())
        });
        assert_eq!(acts, signing.count(), "only sign-ins were recorded");

        // A plan without assistants: refused with that reason from the next request on.
        let accounts = &running.services().accounts;
        accounts
            .set_plan(Actor::OPERATOR, org.id, Plan::Trial)
            .await
            .expect("plan");
        let refused = ada.get(&base).await;
        assert_eq!(refused.status, 403);
        assert!(refused.text.contains("plan does not include"), "{}", refused.text);
        running.stop().await;
    })
    .await;
}
