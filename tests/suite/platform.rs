//! Sealing, the address guard and text rules: small parts below the domains.

use std::net::IpAddr;

use corbel::base::secret::{Secret, random_token};
use corbel::base::text;
use corbel::crypto::seal::Sealer;
use corbel::net::client::{NoReply, Outbound};
use corbel::net::guard::Guard;
use proptest::prelude::*;

#[test]
fn a_sealed_secret_can_only_be_opened_for_its_own_column() {
    let sealer = Sealer::new(&Sealer::new_master_key().expect("key")).expect("sealer");
    let secret = Secret::new("xoxb-something");
    let sealed = sealer.seal(&secret, "row-1/bot_token").expect("sealed");
    assert_eq!(sealer.open(&sealed, "row-1/bot_token").expect("opened"), secret);
    assert!(sealer.open(&sealed, "row-2/bot_token").is_err(), "another row");
    let mut altered = sealed.clone();
    *altered.last_mut().expect("a byte") ^= 1;
    assert!(
        sealer.open(&altered, "row-1/bot_token").is_err(),
        "an altered byte"
    );
    let other = Sealer::new(&Sealer::new_master_key().expect("key")).expect("sealer");
    assert!(other.open(&sealed, "row-1/bot_token").is_err(), "another key");
    assert!(!sealed.windows(4).any(|part| part == b"xoxb"));
    assert_ne!(
        sealed,
        sealer.seal(&secret, "row-1/bot_token").expect("sealed"),
        "never the same twice"
    );
    assert!(Sealer::new(&Secret::new("too short")).is_err());
    assert_eq!(format!("{secret:?}"), "Secret(…)");
}

#[test]
fn tokens_are_long_and_unique() {
    let (one, two) = (random_token().expect("token"), random_token().expect("token"));
    assert!(one != two && one.expose().len() == 43);
}

#[test]
fn requests_to_private_addresses_are_refused() {
    let refused = [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "198.18.0.1",
        "192.0.2.1",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:db8::1",
        "ff02::1",
    ];
    for address in refused {
        let ip: IpAddr = address.parse().expect(address);
        assert!(!Guard::default().allows(ip), "{address}");
    }
    for address in ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8"] {
        let ip: IpAddr = address.parse().expect(address);
        assert!(Guard::default().allows(ip), "{address}");
    }
    let local = Guard { allow_loopback: true };
    assert!(local.allows("127.0.0.1".parse().expect("ip")) && !local.allows("10.0.0.1".parse().expect("ip")));
}

#[tokio::test]
async fn the_client_refuses_plain_http_and_private_addresses() {
    let outbound = Outbound::new(Guard::default()).expect("client");
    for url in [
        "http://example.com/",
        "http://127.0.0.1/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "file:///etc/passwd",
        "nonsense",
    ] {
        assert!(matches!(outbound.get(url), Err(NoReply::NotSent(_))), "{url}");
    }
    let named = outbound
        .get("https://localhost/")
        .expect("a name is looked up when it is dialled");
    let outcome = corbel::net::client::send(named, 1000).await;
    assert!(matches!(outcome, Err(NoReply::NotSent(_))), "{outcome:?}");
}

proptest! {
    #[test]
    fn texts_are_truncated_and_cleaned(given in "\\PC{0,60}") {
        if let Ok(kept) = text::required("field", &given, 20) {
            prop_assert!(!kept.is_empty() && kept.chars().count() <= 20);
            prop_assert_eq!(kept.trim(), kept.as_str());
        }
    }

    #[test]
    fn truncation_respects_its_length(given in "\\PC{0,80}", most in 1_usize..40) {
        prop_assert!(text::shortened(&given, most).chars().count() <= most);
    }
}
