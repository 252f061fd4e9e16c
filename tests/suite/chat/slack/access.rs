//! The targets that the form to Slack's consent page may redirect to.

use corbel::chat::slack::access::SlackAccess;
use corbel::net::client::Outbound;
use corbel::net::guard::Guard;

#[test]
fn the_consent_form_may_redirect_to_any_slack_workspace() {
    let Ok(outbound) = Outbound::new(Guard { allow_loopback: true }) else {
        unreachable!("a client")
    };
    for (authorize, sources) in [
        (
            "https://slack.com/oauth/v2/authorize",
            "https://slack.com https://*.slack.com",
        ),
        (
            "https://slack-gov.com/oauth/v2/authorize",
            "https://slack-gov.com https://*.slack-gov.com",
        ),
        ("http://127.0.0.1:9/oauth/v2/authorize", "http://127.0.0.1:9"),
        ("https://notslack.com/oauth", "https://notslack.com"),
    ] {
        let access = SlackAccess::new(outbound.clone(), String::new(), authorize.to_owned());
        assert_eq!(access.consent_sources(), sources, "{authorize}");
    }
}
