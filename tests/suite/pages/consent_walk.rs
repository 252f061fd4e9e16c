//! "Install to Slack" in a true browser: our pages' policy says where a form may lead, and the browser holds
//! the redirect to Slack against it. Without one nobody sees that, so here one presses the button.

use crate::chat::slack_install::Setup;
use crate::harness::app::on_each;
use crate::harness::slack::FakeSlack;
use crate::harness::slack::access::CLIENT_ID;
use crate::harness::window::Window;
use corbel::assistants::model::InstallationState;

const BUTTON: &str = "Install to Slack";

/// Slack as another site than ours, as it is: `localhost` beside `127.0.0.1`.
async fn elsewhere() -> (FakeSlack, String) {
    let slack = FakeSlack::start().await;
    let consent = slack.authorize_url().replace("127.0.0.1", "localhost");
    (slack, consent)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_follows_the_button_to_slack_and_back() {
    on_each("consent in a browser", |place| async move {
        let Some(mut window) = Window::open() else { return };
        let (slack, consent) = elsewhere().await;
        let mut setup = Setup::begin_at(&place, slack, &consent).await;
        setup.give_app().await;
        let base = setup.running.url.clone();
        window.take_cookies(&base, &setup.browser);
        let install = format!("{base}{}", setup.path("install"));

        // The judge does judge: with a policy that knows only ourselves the button leads nowhere.
        window.narrow("'self'");
        window.go(&install);
        let stopped = window.press(BUTTON);
        assert_eq!(stopped.url, install);
        let blocked = |text: &String| text.contains("form-action");
        assert!(stopped.complaints.iter().any(blocked), "{stopped:?}");
        drop(window);

        let mut window = Window::open().expect("as before");
        window.take_cookies(&base, &setup.browser);
        let page = window.go(&install);
        assert!(page.complaints.is_empty(), "{page:?}");
        let there = window.press(BUTTON);
        assert!(there.url.starts_with(&format!("{consent}?")), "{there:?}");
        for part in [
            &format!("client_id={CLIENT_ID}"),
            "scope=",
            "state=",
            "redirect_uri=",
        ] {
            assert!(there.url.contains(part), "{part}: {there:?}");
        }
        assert!(there.text.contains("asks for permission"), "{there:?}");
        // From another site, with the sign-in that was there before.
        let back = window.press("Allow");
        assert_eq!(back.url, format!("{install}?done=installed"), "{back:?}");
        // Slack's page may still complain of what it lacks.
        let of_ours = |text: &&String| !text.contains("http://localhost:");
        assert_eq!(back.complaints.iter().find(of_ours), None, "{back:?}");
        assert_eq!(setup.at().await.state, InstallationState::Active);
        setup.running.stop().await;
    })
    .await;
}
