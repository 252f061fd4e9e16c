//! The whole way of an administrator, by the pages alone: from making an assistant to its first answer
//! in Slack and in a channel, with the doctor green at the end.
//!
//! Where `CORBEL_TEST_CHROMIUM` names a browser and `CORBEL_TEST_PICTURES` a folder, each step is
//! photographed, wide and narrow.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use corbel::base::principal::Role;
use serde_json::Value;

use crate::harness::app::{Running, http, on_each};
use crate::harness::browser::{Browser, Page};
use crate::harness::slack::requests::{deliver, signed, url_verification};
use crate::harness::slack::{ALICE, APP, CHANNEL, DM, FakeSlack, Message, SECRET, TOKEN};
use crate::pages::admin_brand::{csrf, field};

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";

/// Takes pictures where it can.
struct Camera {
    chromium: Option<PathBuf>,
    folder: PathBuf,
    base: String,
    taken: usize,
}

impl Camera {
    fn new(running: &Running) -> Self {
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let folder = variable("CORBEL_TEST_PICTURES");
        let chromium = variable("CORBEL_TEST_CHROMIUM").filter(|_| folder.is_some());
        if chromium.is_none() {
            eprintln!("pictures left out, CORBEL_TEST_CHROMIUM and CORBEL_TEST_PICTURES are not set");
        }
        Self {
            chromium,
            folder: folder.unwrap_or_default(),
            base: running.url.clone(),
            taken: 0,
        }
    }

    /// The page as the browser shows it, in a frame of each width.
    async fn shoot(&mut self, page: &Page, name: &str) {
        let Some(chromium) = self.chromium.clone() else {
            return;
        };
        self.taken += 1;
        std::fs::create_dir_all(&self.folder).expect("a folder for pictures");
        let stem = format!("{:02}-{name}", self.taken);
        let html = page
            .text
            .replacen("<head>", &format!("<head><base href=\"{}/\">", self.base), 1);
        let file = self.folder.join(format!("{stem}.html"));
        std::fs::write(&file, html).expect("the page");
        for (label, width, height) in [("wide", 1280, 1700), ("narrow", 390, 2600)] {
            let around = self.folder.join(format!("{stem}-{label}.html"));
            let frame = format!(
                "<body style='margin:0'><iframe src='{stem}.html' style='border:0;width:{width}px;height:{height}px'>"
            );
            std::fs::write(&around, frame).expect("the frame");
            let picture = self.folder.join(format!("{stem}-{label}.png"));
            let (chromium, shown) = (chromium.clone(), around.clone());
            let taking = tokio::task::spawn_blocking(move || {
                photograph(&chromium, &shown, &picture, width.max(500), height);
                assert!(picture.exists(), "no picture of {}", shown.display());
            });
            taking.await.expect("a picture");
            std::fs::remove_file(around).expect("removed");
        }
        std::fs::remove_file(file).expect("removed");
    }
}

fn photograph(chromium: &Path, page: &Path, picture: &Path, width: u32, height: u32) {
    let profile = picture.with_extension("profile");
    let status = Command::new(chromium)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={width},{height}"))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", page.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the browser starts");
    assert!(status.success(), "{status}");
    let _ = std::fs::remove_dir_all(profile);
}

/// What stands in the text area of this id.
fn text_area(page: &Page, id: &str) -> String {
    let from = page.text.find(&format!("id=\"{id}\"")).expect("the text area");
    let text = page.text[from..].split_once('>').expect("its tag").1;
    let text = text.split_once("</textarea>").expect("its end").0;
    text.replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#38;", "&")
}

/// Posts an event as Slack does, to the address that the manifest named.
async fn post(running: &Running, address: &str, event: &Value) {
    let body = event.to_string();
    let now = running.services().clock.now().timestamp();
    let reply = http()
        .post(address)
        .headers(signed(SECRET, now, body.as_bytes()))
        .body(body)
        .send()
        .await
        .expect("a reply");
    assert_eq!(reply.status(), 200);
    running.settle().await;
}

#[tokio::test]
async fn from_the_console_to_the_first_answer() {
    on_each("set-up walk", |place| async move {
        let slack = FakeSlack::start().await;
        let running = place.start(&[("CORBEL_SLACK_API_URL", &slack.api_base())]).await;
        let mut camera = Camera::new(&running);
        let org = running.organization("Acme").await;
        let person = running.member(&org, "Ada", Role::Admin).await;
        let mut ada = Browser::of(&running, &person).await;

        // Make it, under the name that the app has at the fake.
        let page = ada.get("/console/assistants").await;
        camera.shoot(&page, "no-assistant").await;
        let page = ada.get("/console/assistants/new").await;
        camera.shoot(&page, "new").await;
        let brand = [
            csrf(&page),
            field("name", "Corbel"),
            field("description", "Knows our buildings and our loans"),
            field("colour", "#7a2e4d"),
            field("tone", "professional"),
            field("greeting", "Hello, I am Corbel. Ask me about our deals."),
            field("title_1", "Debt coverage"),
            field("message_1", QUESTION),
            field("act", "save"),
        ];
        let made = ada.post("/console/assistants/new", &brand).await;
        assert!(made.path.ends_with("/install?done=made"), "{}", made.path);
        let base = made.path.trim_end_matches("/install?done=made").to_owned();
        camera.shoot(&made, "install").await;

        // Slack makes the app from the manifest, and checks its address before any secret is known here.
        let manifest: Value = serde_json::from_str(&text_area(&made, "manifest")).expect("the manifest");
        assert_eq!(manifest["display_information"]["name"], "Corbel");
        let events = &manifest["settings"]["event_subscriptions"]["request_url"];
        let events = events.as_str().expect("an address").to_owned();
        let now = running.services().clock.now().timestamp();
        let challenge = deliver(&events, SECRET, now, &url_verification("c0ffee")).await;
        assert!(
            challenge.status == 200 && challenge.body.contains("c0ffee"),
            "{challenge:?}"
        );

        // Take ids and secrets over, then install with the token.
        let app = [
            csrf(&made),
            field("app_id", APP),
            field("client_id", "1234567890.9876543210"),
            field("client_secret", "0123456789abcdef0123456789abcdef"),
            field("signing_secret", SECRET),
        ];
        let saved = ada.post(&format!("{base}/install/app"), &app).await;
        assert!(saved.path.ends_with("?done=app"), "{}", saved.text);
        camera.shoot(&saved, "secrets").await;
        for secret in ["0123456789abcdef0123456789abcdef", SECRET] {
            assert!(!saved.text.contains(secret), "a secret is shown again");
        }
        let early = ada.get(&format!("{base}/doctor")).await;
        assert!(early.text.contains("not installed yet"), "{}", early.text);
        camera.shoot(&early, "doctor-before").await;
        let token = [csrf(&saved), field("bot_token", TOKEN)];
        let installed = ada.post(&format!("{base}/install/token"), &token).await;
        assert!(installed.path.ends_with("?done=installed"), "{}", installed.text);
        assert!(!installed.text.contains(TOKEN));
        camera.shoot(&installed, "installed").await;

        // First words: a link, opened by the administrator, who is Alice in Slack.
        post(&running, &events, &slack.says(DM, ALICE, QUESTION).message()).await;
        let prompt = slack.direct_messages_to(ALICE);
        let link = prompt.last().and_then(Message::link).expect("a connection link");
        let path = link.trim_start_matches(&running.url).to_owned();
        let page = ada.get(&path).await;
        camera.shoot(&page, "connect").await;
        let form = page.form("class=\"stack confirm\"");
        let connected = ada.post(&path, &form).await;
        assert_eq!(connected.status, 200, "{}", connected.text);
        running.settle().await;

        // The first answer.
        let asked = slack.says(DM, ALICE, QUESTION);
        post(&running, &events, &asked.message()).await;
        let answers: Vec<String> = slack.answers(asked.thread()).iter().map(Message::shown).collect();
        assert!(
            answers.iter().any(|answer| answer.contains("1.33x")),
            "{answers:?}"
        );
        let people = ada.get(&format!("{base}/people")).await;
        assert!(
            people.text.contains(ALICE) && people.text.contains("Ada"),
            "{}",
            people.text
        );
        camera.shoot(&people, "people").await;

        // In a channel: asked for, approved, answered.
        let page = ada.get(&format!("{base}/conversations")).await;
        let on = [csrf(&page), field("on", "true")];
        ada.post(&format!("{base}/shared"), &on).await;
        let mention = format!("<@U0BOT> {QUESTION}");
        post(&running, &events, &slack.says(CHANNEL, ALICE, &mention).mention()).await;
        let waiting = ada.get(&format!("{base}/conversations")).await;
        assert!(
            waiting.text.contains("Waits for you") && waiting.text.contains(CHANNEL),
            "{}",
            waiting.text
        );
        camera.shoot(&waiting, "conversations").await;
        let mut approve = waiting.form(&format!("name=\"conversation\" value=\"{CHANNEL}\""));
        approve.push(field("act", "approve"));
        let approved = ada.post(&format!("{base}/conversations"), &approve).await;
        assert!(approved.path.ends_with("?done=approved"), "{}", approved.text);
        camera.shoot(&approved, "approved").await;
        let asked = slack.says(CHANNEL, ALICE, &mention);
        post(&running, &events, &asked.mention()).await;
        let answers: Vec<String> = slack.answers(asked.thread()).iter().map(Message::shown).collect();
        assert!(
            answers.iter().any(|answer| answer.contains("1.33x")),
            "{answers:?}"
        );

        // All is well, and every page says so.
        let doctor = ada.get(&format!("{base}/doctor")).await;
        camera.shoot(&doctor, "doctor").await;
        assert!(doctor.text.contains("All is well"), "{}", doctor.text);
        for tab in ["", "/deliveries", "/feedback"] {
            let page = ada.get(&format!("{base}{tab}")).await;
            assert_eq!(page.status, 200, "{tab}");
            camera
                .shoot(&page, if tab.is_empty() { "brand" } else { &tab[1..] })
                .await;
        }
        let list = ada.get("/console/assistants").await;
        assert!(list.text.contains("Active") && !list.text.contains("Install again"));
        camera.shoot(&list, "assistants").await;
        let overview = ada.get("/console").await;
        camera.shoot(&overview, "overview").await;
        running.stop().await;
    })
    .await;
}
