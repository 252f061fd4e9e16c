//! "Install to Slack" in a real browser. The page's policy restricts where a form may go, and only a browser applies it
//! to the redirect to Slack, so this test clicks the button in one.

use crate::chat::slack_install::Setup;
use crate::harness::app::on_each;
use crate::harness::chromium::Window;
use crate::harness::slack::FakeSlack;
use crate::harness::slack::oauth::CLIENT_ID;
use corbel::assistants::model::InstallationState;

const BUTTON: &str = "Install to Slack";

/// Slack on another site than ours, as in production: `localhost` instead of `127.0.0.1`.
async fn on_another_site() -> (FakeSlack, String) {
    let slack = FakeSlack::start().await;
    let consent = slack.authorize_url().replace("127.0.0.1", "localhost");
    (slack, consent)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_follows_the_button_to_slack_and_back() {
    on_each("consent in a browser", |place| async move {
        let Some(mut window) = Window::open() else { return };
        let (slack, consent) = on_another_site().await;
        let mut setup = Setup::begin_at(&place, slack, &consent).await;
        setup.enter_app_credentials().await;
        let base = setup.running.url.clone();
        window.take_cookies(&base, &setup.browser);
        let install = format!("{base}{}", setup.path("install"));

        // The check can fail: with a policy that allows only our own site, the button does nothing.
        window.restrict_form_action("'self'");
        window.go(&install);
        let stopped = window.click(BUTTON);
        assert_eq!(stopped.url, install);
        let blocked = |text: &String| text.contains("form-action");
        assert!(stopped.errors.iter().any(blocked), "{stopped:?}");
        drop(window);

        let mut window = Window::open().expect("as before");
        window.take_cookies(&base, &setup.browser);
        let page = window.go(&install);
        assert!(page.errors.is_empty(), "{page:?}");
        let there = window.click(BUTTON);
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
        // From another site, with the existing session.
        let back = window.click("Allow");
        assert_eq!(back.url, format!("{install}?done=installed"), "{back:?}");
        // The browser may report errors about Slack's page.
        let is_ours = |text: &&String| !text.contains("http://localhost:");
        assert_eq!(back.errors.iter().find(is_ours), None, "{back:?}");
        assert_eq!(setup.at().await.state, InstallationState::Active);
        setup.running.stop().await;
    })
    .await;
}
