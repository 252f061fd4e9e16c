//! Creating an assistant and setting its brand, with forms and without JavaScript.

use corbel::analysis::engine::Tone;
use corbel::assistants::brand::{Brand, TONES};
use corbel::assistants::model::{PlatformKind, Prompt};
use corbel::assistants::service::NewAssistant;
use corbel::audit::store::{self as audit, Actor};
use corbel::base::principal::Role;
use corbel::chat::slack::manifest::{SlackAddresses, manifest};

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::browser::{Browser, Page};
use crate::harness::slack::{ALICE, DM};

pub fn field(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// The form token of a page, which every form contains.
pub fn csrf(page: &Page) -> (String, String) {
    let form = page.form("name=\"csrf\"");
    form.into_iter()
        .find(|(name, _)| name == "csrf")
        .expect("a token")
}

/// The text with HTML entities.
fn escaped(text: &str) -> String {
    text.replace('&', "&#38;")
        .replace('<', "&#60;")
        .replace('>', "&#62;")
        .replace('"', "&#34;")
        .replace('\'', "&#39;")
}

fn brand(page: &Page, name: &str, more: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut form = vec![
        csrf(page),
        field("name", name),
        field("colour", "#0b6e4f"),
        field("tone", "friendly"),
    ];
    form.extend(more.iter().map(|(name, value)| field(name, value)));
    form
}

/// The header of a PNG of this size.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR".to_vec();
    bytes.extend_from_slice(&width.to_be_bytes());
    bytes.extend_from_slice(&height.to_be_bytes());
    bytes.extend_from_slice(&[8, 6, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend_from_slice(b"\x00\x00\x00\x00IEND\xAE\x42\x60\x82");
    bytes
}

#[test]
fn an_assistant_has_the_same_tones_as_answers() {
    assert_eq!(TONES, Tone::WORDS);
    let usual: Tone = Brand::default().tone.parse().expect("a tone");
    assert_eq!(usual, Tone::default());
}

#[tokio::test]
async fn an_assistant_is_created_and_changed_by_forms() {
    on_each("brand", |place| async move {
        let running = place.start(&[]).await;
        let org = running.organization("Brand").await;
        let ada = running.member(&org, "Ada", Role::Admin).await;
        let mut ada = Browser::of(&running, &ada).await;
        let empty = ada.get("/console/assistants").await;
        assert!(empty.text.contains("No assistant yet"), "{}", empty.text);
        let page = ada.get("/console/assistants/new").await;
        assert_eq!(page.status, 200);

        // All errors at once, next to their fields, with the entered values.
        let long = "x".repeat(141);
        let more = [
            ("description", long.as_str()),
            ("greeting", "Good \"morning\" & <b>all</b>"),
            ("title_2", "Only a title"),
            ("act", "save"),
        ];
        let refused = ada
            .post("/console/assistants/new", &brand(&page, " ", &more))
            .await;
        assert_eq!(refused.status, 422);
        for message in [
            "The name must not be empty",
            "has 141 characters; at most 140",
            "Prompt 2: the message must not be empty",
            "Not saved: see the errors",
            &escaped("Good \"morning\" & <b>all</b>"),
            &long,
            "value=\"Only a title\"",
            "value=\"friendly\" selected",
        ] {
            assert!(refused.text.contains(message), "{message}: {}", refused.text);
        }
        let mut wrong = brand(&page, "Rot", &[("act", "save")]);
        wrong.retain(|(name, _)| name != "colour" && name != "tone");
        wrong.extend([field("colour", "red"), field("tone", "rude")]);
        let refused = ada.post("/console/assistants/new", &wrong).await;
        assert!(refused.text.contains("must be written #rrggbb"));
        assert!(refused.text.contains("must be one of professional"));

        // A preview without saving.
        let previewed = ada
            .post(
                "/console/assistants/new",
                &brand(&page, "Seen", &[("act", "preview")]),
            )
            .await;
        assert_eq!(previewed.status, 200);
        assert!(previewed.text.contains("Hello, I am Seen") && previewed.text.contains("not saved yet"));
        assert!(previewed.text.contains("/static/accent/0b6e4f"), "its colour");
        let principal = org.mara.principal();
        let assistants = &running.services().assistants;
        let installations = &running.services().installations;
        assert!(assistants.list(&principal).await.expect("list").is_empty());

        // A name that looks like a script is treated as text.
        let name = "<script>alert(1)</script>\"'";
        let more = [
            ("description", "Knows our numbers"),
            ("title_1", "<i>Cap</i>"),
            (
                "message_1",
                "What is the cap rate at a price of 10m and NOI of 600k?",
            ),
            ("act", "save"),
        ];
        let made = ada
            .post("/console/assistants/new", &brand(&page, name, &more))
            .await;
        assert!(
            made.path.ends_with("/install?done=assistant-created"),
            "{}",
            made.path
        );
        let listed = ada.get("/console/assistants").await;
        assert!(listed.text.contains(&escaped(name)) && !listed.text.contains("<script>alert"));
        assert!(listed.text.contains("Not installed yet"));
        let all = assistants.list(&principal).await.expect("list");
        let [one] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!((one.colour.as_str(), one.tone.as_str()), ("#0b6e4f", "friendly"));
        let base = format!("/console/assistants/{}", one.id);
        let shown = ada.get(&base).await;
        assert!(shown.text.contains("&#60;i&#62;Cap") && !shown.text.contains("<i>Cap"));

        // The manifest for Slack contains all of it.
        let at = installations
            .get(org.id, one.id, PlatformKind::Slack)
            .await
            .expect("slack");
        let addresses = SlackAddresses::of("https://corbel.example", at.address.expose());
        let given = manifest(one, &addresses, "Corbel");
        assert_eq!(given["display_information"]["description"], "Knows our numbers");
        assert_eq!(
            given["features"]["agent_view"]["suggested_prompts"][0]["title"],
            "<i>Cap</i>"
        );
        assert!(given["display_information"].get("long_description").is_none());

        // A change: an empty row is not a prompt, and the about text is long enough for Slack.
        let about = "Ask the finance desk. ".repeat(12);
        let more = [("about", about.as_str()), ("title_3", " "), ("act", "save")];
        let saved = ada.post(&base, &brand(&shown, "Cornice", &more)).await;
        assert!(saved.path.ends_with("?done=saved") && saved.text.contains("Saved."));
        let one = assistants.assistant(org.id, one.id).await.expect("assistant");
        assert_eq!(one.name, "Cornice");
        assert!(one.prompts.is_empty() && one.description.is_empty());
        let given = manifest(&one, &addresses, "Corbel");
        assert_eq!(given["display_information"]["long_description"], about.trim());
        let lines = audit::list(&running.services().db, org.id, 50)
            .await
            .expect("audit");
        let changes: Vec<_> = lines
            .iter()
            .filter(|line| line.action == "assistant.updated")
            .collect();
        assert_eq!(changes.len(), 1, "a preview changes nothing");
        assert!(changes[0].actor.is_some() && changes[0].details["changed"].to_string().contains("about"));
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_assistant_s_tone_is_used_in_its_answers() {
    on_each("tone", |place| async move {
        let stage = Stage::set(&place).await;
        let org = stage.org.id;
        stage.link(ALICE, stage.org.mara.user).await;
        let services = stage.running.services();
        let funny = Brand {
            name: "Abacus".to_owned(),
            tone: "funny".to_owned(),
            prompts: vec![Prompt::default()],
            ..Brand::default()
        };
        let actor = audit::Actor::OPERATOR;
        services
            .assistants
            .update_assistant(actor, org, stage.at.assistant, funny)
            .await
            .expect("funny");
        let said = stage
            .slack
            .says(DM, ALICE, "NOI 1.285m, annual debt service 968k. DSCR?");
        assert_eq!(stage.post(&said.message()).await, 200);
        stage.running.settle().await;
        let tones: Vec<(String,)> = services
            .db
            .query("SELECT tone FROM messages WHERE org_id = $1")
            .bind(org)
            .all()
            .await
            .expect("messages");
        assert_eq!(tones, [("funny".to_owned(),)]);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_icon_is_validated_stored_and_shown() {
    on_each("icon", |place| async move {
        let running = place.start(&[]).await;
        let org = running.organization("Icon").await;
        let at = running.slack_assistant(&org).await;
        let ada = running.member(&org, "Ada", Role::Admin).await;
        let mut ada = Browser::of(&running, &ada).await;
        let base = format!("/console/assistants/{}", at.assistant);
        let page = ada.get(&base).await;
        let token = [csrf(&page)];
        let address = format!("{base}/icon");
        assert_eq!(ada.raw(&address).await.status(), 404, "none yet");
        let mut large = png(512, 512);
        large.resize(1024 * 1024 + 1, 0);
        for (file, message) in [
            (Vec::new(), "was not chosen"),
            (png(512, 600), "512 × 600 pixels; it must be square"),
            (png(256, 256), "256 × 256 pixels"),
            (png(2001, 2001), "2001 × 2001 pixels"),
            (
                b"<html><script>alert(1)</script></html>".to_vec(),
                "must be a PNG or JPEG",
            ),
            (
                b"GIF89a\x00\x02\x00\x02\x00\x00\x00".to_vec(),
                "must be a PNG or JPEG",
            ),
            (b"\x89PNG\r\n\x1a\n".to_vec(), "its size cannot be read"),
            (large, "larger than 1 MiB"),
            (png(512, 512)[..40].to_vec(), "is cut off"),
        ] {
            let refused = ada.upload(&address, &token, &file).await;
            assert_eq!(refused.status, 422, "{message}: {}", refused.text);
            assert!(refused.text.contains(message), "{message}: {}", refused.text);
        }
        let refused = ada.upload(&address, &token, &vec![0; 3 * 1024 * 1024]).await;
        assert_eq!(refused.status, 413, "{}", refused.text);
        for wrong in [&[][..], &[field("csrf", "nonsense")]] {
            assert_eq!(ada.upload(&address, wrong, &png(512, 512)).await.status, 403);
        }
        assert_eq!(ada.raw(&address).await.status(), 404, "none of them");

        let saved = ada.upload(&address, &token, &png(512, 512)).await;
        assert!(saved.path.ends_with("?done=icon"), "{}", saved.text);
        assert!(saved.text.contains(&format!("src=\"{address}?")));
        assert!(
            ada.get("/preview")
                .await
                .text
                .contains(&format!("src=\"{address}?"))
        );
        let served = ada.raw(&address).await;
        assert_eq!(served.headers()["content-type"], "image/png");
        assert_eq!(served.headers()["x-content-type-options"], "nosniff");
        assert_eq!(served.bytes().await.expect("bytes").as_ref(), png(512, 512));

        // Users of other organizations do not see it.
        let other = running.organization("Other").await;
        let mut eve = Browser::of(&running, &other.mara).await;
        assert_eq!(eve.get(&address).await.status, 404);
        assert_eq!(Browser::new(&running).raw(&address).await.status(), 303);

        let saved = ada.upload(&address, &token, &png(1000, 1000)).await;
        assert_eq!(saved.status, 200);
        assert_eq!(
            ada.raw(&address).await.bytes().await.expect("bytes").as_ref(),
            png(1000, 1000)
        );
        let removed = ada.post(&format!("{address}/remove"), &token).await;
        assert!(removed.path.ends_with("?done=icon-removed"), "{}", removed.text);
        assert_eq!(ada.raw(&address).await.status(), 404);
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_assistant_of_the_preview_can_be_set_up_in_slack() {
    on_each("start in Slack", |place| async move {
        let running = place.start(&[]).await;
        let org = running.organization("Start").await;
        let ada = running.member(&org, "Ada", Role::Admin).await;
        let new = NewAssistant {
            name: "Abacus".to_owned(),
            colour: None,
            greeting: None,
            about: None,
        };
        let assistants = &running.services().assistants;
        let installations = &running.services().installations;
        let (assistant, _) = assistants
            .create(Actor::OPERATOR, org.id, new, None)
            .await
            .expect("an assistant");
        let mut ada = Browser::of(&running, &ada).await;
        let base = format!("/console/assistants/{}", assistant.id);
        let doctor = ada.get(&format!("{base}/doctor")).await;
        assert_eq!(doctor.path, format!("{base}/install"));
        let page = ada.get(&format!("{base}/install")).await;
        assert!(page.text.contains("Set it up in Slack"), "{}", page.text);
        // Clicking twice sets it up once.
        for _ in 0..2 {
            let started = ada.post(&format!("{base}/install/start"), &[csrf(&page)]).await;
            assert_eq!(started.path, format!("{base}/install"));
        }
        let page = ada.get(&format!("{base}/install")).await;
        assert!(page.text.contains("Create the app in Slack"), "{}", page.text);
        let all = installations
            .of_assistant(org.id, assistant.id)
            .await
            .expect("installations");
        let slack = all.iter().filter(|at| at.kind() == PlatformKind::Slack);
        assert_eq!(slack.count(), 1);
    })
    .await;
}
