//! Which hosts may receive an installation's token: Slack's and the operator's, but no look-alikes.

use corbel::chat::slack::hosts::Hosts;
use url::Url;

fn allowed(hosts: &Hosts, address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| hosts.allow(&url))
}

#[test]
fn only_slack_s_own_hosts_are_trusted() {
    let hosts = Hosts::default();
    for fine in [
        "https://slack.com/x",
        "https://files.slack.com/files-pri/T1-F1/download/a.pdf",
        "https://a.b.slack.com/",
        "https://SLACK.com/",
        "https://slack-files.com/x",
        "https://slack.com:443/",
    ] {
        assert!(allowed(&hosts, fine), "{fine}");
    }
    for foreign in [
        "http://slack.com/",
        "http://files.slack.com/x",
        "https://evil-slack.com/",
        "https://slack.com.evil.example/",
        "https://evilslack.com/",
        "https://.slack.com/",
        "https://slack.com@evil.example/",
        "https://files.slack.com:pw@evil.example/",
        "https://user@files.slack.com/",
        "https://evil.example/#slack.com",
        "https://evil.example/slack.com",
        "https://evil.example\\.slack.com/",
        "https://files.slack-files.com/",
        "https://slack.com.:443/",
        "https://slack.com:8443/",
        "https://slack.co/",
        "https://xn--slck-loa.com/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://169.254.169.254/latest/meta-data",
        "ftp://slack.com/",
        "file:///etc/passwd",
    ] {
        assert!(!allowed(&hosts, foreign), "{foreign}");
    }
}

#[test]
fn an_operator_s_hosts_are_exact() {
    let hosts = Hosts::new(["slack-gov.com", " 127.0.0.1:9000 ", ""]);
    assert!(allowed(&hosts, "https://slack-gov.com/x"));
    assert!(allowed(&hosts, "http://127.0.0.1:9000/files"));
    for foreign in [
        "https://files.slack-gov.com/x",
        "http://127.0.0.1:9001/files",
        "http://127.0.0.1/files",
        "https://x@slack-gov.com/",
        "ftp://slack-gov.com/",
    ] {
        assert!(!allowed(&hosts, foreign), "{foreign}");
    }
}
