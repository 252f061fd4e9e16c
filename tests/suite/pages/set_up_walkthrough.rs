//! An administrator's complete set-up, using only the pages: from creating an assistant to its first answer in Slack
//! and in a channel, with the doctor green at the end.
//!
//! Where `CORBEL_TEST_CHROMIUM` names a browser, each step is shown in it, wide and narrow, with screenshots where
//! `CORBEL_TEST_PICTURES` names a folder.

use std::path::PathBuf;

use corbel::base::principal::Role;
use serde_json::Value;

use crate::harness::app::{Running, http, on_each};
use crate::harness::browser::{Browser, Page};
use crate::harness::chromium::Window;
use crate::harness::slack::requests::{deliver, signed, url_verification};
use crate::harness::slack::{ALICE, APP, CHANNEL, DM, FakeSlack, Message, SECRET, TOKEN};
use crate::pages::admin_brand::{csrf, field};

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";

/// Shows pages in a real browser, if there is one.
struct Camera {
    window: Option<Window>,
    pictures: Option<PathBuf>,
    base: String,
    taken: usize,
    faults: Vec<String>,
}

impl Camera {
    fn new(running: &Running, browser: &Browser) -> Self {
        let mut window = Window::open();
        if let Some(window) = &mut window {
            window.take_cookies(&running.url, browser);
        }
        let pictures = std::env::var_os("CORBEL_TEST_PICTURES").map(PathBuf::from);
        if let Some(folder) = &pictures {
            std::fs::create_dir_all(folder).expect("a folder for pictures");
        }
        Self {
            window,
            pictures,
            base: running.url.clone(),
            taken: 0,
            faults: Vec::new(),
        }
    }

    /// Loads the same page in the browser and checks that nothing is blocked and that it fits every width.
    fn show(&mut self, page: &Page, name: &str) {
        let Some(window) = &mut self.window else { return };
        self.taken += 1;
        let shown = window.go(&format!("{}{}", self.base, page.path));
        assert_eq!(shown.url, format!("{}{}", self.base, page.path), "{name}");
        let errors = shown.errors.iter();
        self.faults.extend(errors.map(|text| format!("{name}: {text}")));
        for (label, width) in [("wide", 1280), ("narrow", 390), ("narrowest", 320)] {
            let file = format!("{:02}-{name}-{label}.png", self.taken);
            let file = self.pictures.as_ref().map(|folder| folder.join(file));
            let fit = window.at_width(width, file.as_deref());
            if fit.over > 0 || !fit.cut.is_empty() {
                self.faults
                    .push(format!("{name} in a window of {width}: {fit:?}"));
            }
        }
    }
}

/// The content of the text area with this id.
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

/// Posts an event as Slack does, to the URL in the manifest.
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_the_console_to_the_first_answer() {
    on_each("set-up walk", |place| async move {
        let slack = FakeSlack::start().await;
        let running = place.start(&[("CORBEL_SLACK_API_URL", &slack.api_base())]).await;
        let org = running.organization("Acme").await;
        let person = running.member(&org, "Ada", Role::Admin).await;
        let mut ada = Browser::of(&running, &person).await;
        let mut camera = Camera::new(&running, &ada);

        // Create it under the name that the app has in the fake.
        let page = ada.get("/console/assistants").await;
        camera.show(&page, "no-assistant");
        let page = ada.get("/console/assistants/new").await;
        camera.show(&page, "new");
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
        assert!(
            made.path.ends_with("/install?done=assistant-created"),
            "{}",
            made.path
        );
        let base = made
            .path
            .trim_end_matches("/install?done=assistant-created")
            .to_owned();
        camera.show(&made, "install");

        // Slack creates the app from the manifest and checks its URL before any secret is known here.
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

        // Enter ids and secrets, then install with the token.
        let app = [
            csrf(&made),
            field("app_id", APP),
            field("client_id", "1234567890.9876543210"),
            field("client_secret", "0123456789abcdef0123456789abcdef"),
            field("signing_secret", SECRET),
        ];
        let saved = ada.post(&format!("{base}/install/app"), &app).await;
        assert!(saved.path.ends_with("?done=app"), "{}", saved.text);
        camera.show(&saved, "secrets");
        for secret in ["0123456789abcdef0123456789abcdef", SECRET] {
            assert!(!saved.text.contains(secret), "a secret is shown again");
        }
        let early = ada.get(&format!("{base}/doctor")).await;
        assert!(early.text.contains("not installed yet"), "{}", early.text);
        camera.show(&early, "doctor-before");
        let token = [csrf(&saved), field("bot_token", TOKEN)];
        let installed = ada.post(&format!("{base}/install/token"), &token).await;
        assert!(installed.path.ends_with("?done=installed"), "{}", installed.text);
        assert!(!installed.text.contains(TOKEN));
        camera.show(&installed, "installed");

        // The first message gets a link. The administrator, who is Alice in Slack, opens it.
        post(&running, &events, &slack.says(DM, ALICE, QUESTION).message()).await;
        let prompt = slack.direct_messages_to(ALICE);
        let link = prompt.last().and_then(Message::link).expect("a connection link");
        let path = link.trim_start_matches(&running.url).to_owned();
        let page = ada.get(&path).await;
        camera.show(&page, "connect");
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
        camera.show(&people, "people");

        // In a channel: requested, approved, answered.
        let page = ada.get(&format!("{base}/conversations")).await;
        let on = [csrf(&page), field("on", "true")];
        ada.post(&format!("{base}/shared"), &on).await;
        let mention = format!("<@U0BOT> {QUESTION}");
        post(&running, &events, &slack.says(CHANNEL, ALICE, &mention).mention()).await;
        let waiting = ada.get(&format!("{base}/conversations")).await;
        assert!(
            waiting.text.contains("Awaiting review") && waiting.text.contains(CHANNEL),
            "{}",
            waiting.text
        );
        camera.show(&waiting, "conversations");
        let mut approve = waiting.form(&format!("name=\"conversation\" value=\"{CHANNEL}\""));
        approve.push(field("act", "approve"));
        let approved = ada.post(&format!("{base}/conversations"), &approve).await;
        assert!(approved.path.ends_with("?done=approved"), "{}", approved.text);
        camera.show(&approved, "approved");
        let asked = slack.says(CHANNEL, ALICE, &mention);
        post(&running, &events, &asked.mention()).await;
        let answers: Vec<String> = slack.answers(asked.thread()).iter().map(Message::shown).collect();
        assert!(
            answers.iter().any(|answer| answer.contains("1.33x")),
            "{answers:?}"
        );

        // Everything is healthy, and every page shows it.
        let doctor = ada.get(&format!("{base}/doctor")).await;
        camera.show(&doctor, "doctor");
        assert!(doctor.text.contains("All checks passed"), "{}", doctor.text);
        for tab in ["", "/deliveries", "/feedback"] {
            let page = ada.get(&format!("{base}{tab}")).await;
            assert_eq!(page.status, 200, "{tab}");
            camera.show(&page, if tab.is_empty() { "brand" } else { &tab[1..] });
        }
        let list = ada.get("/console/assistants").await;
        assert!(list.text.contains("Active") && !list.text.contains("Reinstall the app"));
        camera.show(&list, "assistants");
        let overview = ada.get("/console").await;
        camera.show(&overview, "overview");
        assert!(overview.text.contains("#7a2e4d"), "in its own colour");
        assert!(camera.faults.is_empty(), "{:#?}", camera.faults);
        running.stop().await;
    })
    .await;
}
