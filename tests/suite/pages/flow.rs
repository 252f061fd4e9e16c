//! The pages as a person without JavaScript uses them, with the real app.

use corbel::accounts::service::NewPerson;
use corbel::assistants::model::Sender;
use corbel::audit::store::{self as audit, Actor};
use corbel::base::error::Error;
use corbel::base::ids::DeliveryId;
use corbel::base::principal::Role;
use corbel::base::secret::Secret;

use crate::chat::slack_flow::Stage;
use crate::harness::app::{Running, on_each};
use crate::harness::browser::{Browser, Page};
use crate::harness::slack::{ALICE, DM, TEAM};

const QUESTION: &str = "NOI 1.111m, annual debt service 808k. DSCR?";

/// Asks in the preview and loads the page again when nothing is pending.
async fn ask(running: &Running, browser: &mut Browser, address: &str, text: &str) -> Page {
    let page = browser.get(address).await;
    let mut form = page.form("class=\"composer\"");
    form.push(("text".to_owned(), text.to_owned()));
    let posted = browser.post("/preview", &form).await;
    assert_eq!(posted.status, 200, "{}", posted.text);
    running.settle().await;
    browser.get(&posted.path).await
}

#[tokio::test]
async fn signing_in_asking_and_signing_out() {
    on_each("preview", |place| async move {
        let running = place.start(&[]).await;
        let org = running.organization("Pages").await;
        running.slack_assistant(&org).await;
        let mut browser = Browser::new(&running);
        assert!(
            browser.get("/preview").await.path.starts_with("/sign-in"),
            "asked to sign in first"
        );
        let wrong = browser.sign_in(&org.mara.email, "not-the-password").await;
        assert!(wrong.path.starts_with("/sign-in") && wrong.text.contains("role=\"alert\""));
        let long = browser.sign_in(&org.mara.email, &"x".repeat(20 << 10)).await;
        assert_eq!(long.status, 413, "anyone may send this form, so it is small");

        let mut mara = Browser::of(&running, &org.mara).await;
        let answered = ask(&running, &mut mara, "/preview", QUESTION).await;
        assert!(answered.text.contains("1.38x"), "{}", answered.text);
        assert!(answered.text.contains("Used 0 organization notes"));
        let follow_up = ask(
            &running,
            &mut mara,
            &answered.path,
            "and with debt service of 1 million?",
        )
        .await;
        assert!(follow_up.text.contains("1.11x"), "{}", follow_up.text);

        // Another member cannot see it, not even by its URL.
        let mut noel = Browser::of(&running, &org.noel).await;
        for address in ["/preview", answered.path.as_str()] {
            assert!(!noel.get(address).await.text.contains("808k"), "{address}");
        }
        // Everyone can read what is posted in shared mode; it is organisation-safe.
        let shared = ask(
            &running,
            &mut mara,
            "/preview?mode=shared",
            &format!("@Abacus {QUESTION}"),
        )
        .await;
        assert!(
            shared.text.contains("1.38x") && shared.text.contains("organisation-safe"),
            "{}",
            shared.text
        );
        assert!(noel.get("/preview?mode=shared").await.text.contains("1.38x"));
        let ledger = running.services().usage.ledger(org.id).await.expect("ledger");
        assert_eq!(
            ledger.entries.iter().map(|entry| entry.charged.0).sum::<i64>(),
            3_000
        );

        let page = mara.get("/console").await;
        assert_eq!(page.status, 200);
        let form = page.form("action=\"/sign-out\"");
        mara.post("/sign-out", &form).await;
        assert!(mara.get("/preview").await.path.starts_with("/sign-in"));
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn hostile_forms_have_no_effect() {
    on_each("hostile forms", |place| async move {
        let running = place.start(&[]).await;
        let org = running.organization("Forms").await;
        running.slack_assistant(&org).await;
        let mut mara = Browser::of(&running, &org.mara).await;
        let page = mara.get("/preview").await;
        let good = page.form("class=\"composer\"");
        let text = (
            "text".to_owned(),
            "<script>alert(1)</script> what is a cap rate?".to_owned(),
        );
        for spoil in ["csrf", "assistant"] {
            let mut form: Vec<_> = good
                .iter()
                .map(|(name, value)| {
                    (
                        name.clone(),
                        if name == spoil {
                            "nonsense".to_owned()
                        } else {
                            value.clone()
                        },
                    )
                })
                .collect();
            form.push(text.clone());
            let refused = mara.post("/preview", &form).await;
            assert!(
                (400..500).contains(&refused.status),
                "{spoil}: {}",
                refused.status
            );
        }
        assert_eq!(
            running
                .services()
                .queue
                .open(&running.services().db)
                .await
                .expect("jobs"),
            0
        );
        let empty = mara.post("/preview", &[]).await;
        assert!((400..500).contains(&empty.status), "{}", empty.status);
        let mut long = good.clone();
        long.push(("text".to_owned(), "x".repeat(50_000)));
        let refused = mara.post("/preview", &long).await;
        assert!((400..500).contains(&refused.status), "{}", refused.status);
        let mut form = good.clone();
        form.push(text);
        let twice = (
            mara.post("/preview", &form).await.status,
            mara.post("/preview", &form).await.status,
        );
        assert_eq!(twice, (200, 200), "sent twice, posted once");
        running.settle().await;
        let page = mara.get("/preview").await;
        assert!(!page.text.contains("<script>alert"), "escaped");
        let ledger = running.services().usage.ledger(org.id).await.expect("ledger");
        assert_eq!(
            ledger.entries.iter().map(|entry| entry.charged.0).sum::<i64>(),
            1_000
        );
        for path in [
            "/nowhere",
            "/connect/x",
            "/connect/%00",
            "/preview?assistant=x&mode=y&thread=z",
            "/sign-in?next=//evil.example",
        ] {
            let page = mara.get(path).await;
            assert!(page.status < 500, "{path}: {}", page.status);
        }
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_connection_page_shows_both_identities_and_consumes_on_post_only() {
    on_each("connect", |place| async move {
        let stage = Stage::set(&place).await;
        stage.post(&stage.slack.says(DM, ALICE, QUESTION).message()).await;
        stage.running.settle().await;
        let link = stage.slack.direct_messages_to(ALICE)[0].link().expect("a link");
        let path = link.trim_start_matches(&stage.running.url).to_owned();
        assert!(
            Browser::new(&stage.running)
                .get(&path)
                .await
                .path
                .starts_with("/sign-in")
        );
        let mut mara = Browser::of(&stage.running, &stage.org.mara).await;
        let page = mara.get(&path).await;
        for shown in [
            "Mara of Acme",
            stage.org.mara.email.as_str(),
            "Abacus",
            "Acme Estates",
            "Data sources are a separate step",
        ] {
            assert!(
                page.text.contains(shown),
                "{shown} is not on the page: {}",
                page.text
            );
        }
        mara.get(&path).await;
        let token = Secret::new(path.trim_start_matches("/connect/"));
        stage
            .running
            .services()
            .links
            .find_offer(&token)
            .await
            .expect("looking does not consume");
        let form = page.form(&format!("action=\"{path}\""));
        let forged: Vec<_> = form
            .iter()
            .map(|(name, _)| (name.clone(), "x".to_owned()))
            .collect();
        assert_eq!(mara.post(&path, &forged).await.status, 403);
        stage
            .running
            .services()
            .links
            .find_offer(&token)
            .await
            .expect("a forged form does not consume");
        assert_eq!(mara.post(&path, &form).await.status, 200);
        let gone = mara.post(&path, &form).await;
        assert!((400..500).contains(&gone.status), "{}", gone.status);
        stage.running.settle().await;
        let said = stage.slack.says(DM, ALICE, QUESTION);
        stage.post(&said.message()).await;
        stage.running.settle().await;
        assert_eq!(stage.slack.final_answers(said.thread()).len(), 1);

        // Disconnecting from the chat ends the link.
        stage
            .post(&stage.slack.says(DM, ALICE, "disconnect").message())
            .await;
        stage.running.settle().await;
        let after = stage.slack.says(DM, ALICE, QUESTION);
        stage.post(&after.message()).await;
        stage.running.settle().await;
        assert!(stage.slack.final_answers(after.thread()).is_empty());
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_link_of_another_organization_or_too_old_is_refused() {
    on_each("strange links", |place| async move {
        let stage = Stage::set(&place).await;
        let other = stage.running.organization("Elsewhere").await;
        stage.post(&stage.slack.says(DM, ALICE, QUESTION).message()).await;
        stage.running.settle().await;
        let link = stage.slack.direct_messages_to(ALICE)[0].link().expect("a link");
        let path = link.trim_start_matches(&stage.running.url).to_owned();
        let mut stranger = Browser::of(&stage.running, &other.mara).await;
        let page = stranger.get(&path).await;
        assert!(
            !page.text.contains("class=\"stack confirm\""),
            "no form for a stranger"
        );
        stage
            .running
            .services()
            .clock
            .advance(std::time::Duration::from_secs(15 * 60 + 1));
        let mut mara = Browser::of(&stage.running, &stage.org.mara).await;
        let page = mara.get(&path).await;
        assert!((400..500).contains(&page.status), "{}", page.status);
        assert!(!page.text.contains("class=\"stack confirm\""));
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_post_is_stored_with_its_turn_or_not_at_all() {
    on_each("post and turn", |place| async move {
        let running = place.start(&[]).await;
        let org = running.organization("Both").await;
        running.slack_assistant(&org).await;
        let mut mara = Browser::of(&running, &org.mara).await;
        let mut form = mara.get("/preview").await.form("class=\"composer\"");
        form.push(("text".to_owned(), QUESTION.to_owned()));
        let db = &running.services().db;
        let run = async |statement: &'static str| {
            let done = db.write(move |tx| {
                Box::pin(async move {
                    tx.query(statement).execute().await?;
                    Ok(())
                })
            });
            done.await.expect(statement);
        };
        let posts = async || -> i64 {
            db.query("SELECT COUNT(*) FROM preview_posts")
                .scalar()
                .await
                .expect("posts")
        };
        // The turn cannot be stored, and a post could not be removed afterwards.
        run("ALTER TABLE inbox RENAME TO inbox_away").await;
        let failed = mara.post("/preview", &form).await;
        assert!(failed.status >= 500, "{}", failed.status);
        assert_eq!(posts().await, 0, "no post is left without an answer");
        run("ALTER TABLE inbox_away RENAME TO inbox").await;
        for _ in 0..2 {
            assert_eq!(mara.post("/preview", &form).await.status, 200);
        }
        running.settle().await;
        assert_eq!(posts().await, 2, "one question, one answer");
        assert!(mara.get("/preview").await.text.contains("1.38x"));
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_member_of_two_organizations_connects_in_either() {
    on_each("two organizations", |place| async move {
        let stage = Stage::set(&place).await;
        let accounts = &stage.running.services().accounts;
        let first = stage.running.organization("Firstborn").await;
        // Signing in selects the oldest membership.
        let joins = NewPerson {
            email: first.noel.email.clone(),
            name: "Noel".to_owned(),
            role: Role::Member,
            password: None,
        };
        let user = accounts
            .create_member(Actor::OPERATOR, stage.org.id, joins)
            .await
            .expect("joined");
        assert_eq!(user, first.noel.user);
        stage.post(&stage.slack.says(DM, ALICE, QUESTION).message()).await;
        stage.running.settle().await;
        let link = stage.slack.direct_messages_to(ALICE)[0].link().expect("a link");
        let path = link.trim_start_matches(&stage.running.url).to_owned();

        let mut noel = Browser::of(&stage.running, &first.noel).await;
        let page = noel.get(&path).await;
        assert!(
            page.text
                .contains("Acme: every question counts towards the organization's usage"),
            "{}",
            page.text
        );
        let form = page.form("class=\"stack confirm\"");
        let connected = noel.post(&path, &form).await;
        assert!(
            connected.status == 200 && connected.text.contains("You are connected"),
            "{}",
            connected.text
        );
        let actions = async |org| -> Vec<String> {
            let lines = audit::list(&stage.running.services().db, org, 50).await;
            lines
                .expect("lines")
                .into_iter()
                .map(|line| line.action)
                .collect()
        };
        assert!(actions(stage.org.id).await.contains(&"link.created".to_owned()));
        assert!(!actions(first.id).await.contains(&"link.created".to_owned()));
        let linked = stage
            .running
            .services()
            .links
            .find(
                stage.org.id,
                stage.at.slack.id,
                &Sender {
                    team: TEAM.to_owned(),
                    user: ALICE.to_owned(),
                    account: None,
                },
            )
            .await
            .expect("links")
            .expect("a link");
        assert_eq!(linked.user_id, user);

        // A member of only one organization has no access to the other.
        stage.running.settle().await;
        let token = stage
            .running
            .services()
            .links
            .create_offer(
                &stage.at.slack,
                DeliveryId::new(),
                &Sender {
                    team: TEAM.to_owned(),
                    user: "U0SOMEONE".to_owned(),
                    account: None,
                },
                "Someone",
                "Acme Estates",
            )
            .await
            .expect("an offer");
        let refused = stage
            .running
            .services()
            .links
            .accept_offer(&first.mara.principal(), &token)
            .await;
        assert!(
            matches!(
                refused,
                Err(Error::Forbidden {
                    code: "other_organization",
                    ..
                })
            ),
            "{refused:?}"
        );
        stage.running.stop().await;
    })
    .await;
}
