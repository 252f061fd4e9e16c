//! Settings: their bounds, their defaults, and the warnings about them.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderValue};
use corbel::app::config::Config;
use corbel::base::error::Result;
use corbel::edge::origin::client_address;
use corbel::net::network::Network;

fn read(pairs: &[(&str, &str)]) -> Result<Config> {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Config::from_values(pairs.iter().map(pair).collect::<BTreeMap<_, _>>(), Vec::new())
}

#[test]
fn numbers_have_bounds() {
    for (name, fine, wrong) in [
        (
            "CORBEL_WORKERS",
            ["0", "1", "1024"],
            ["-1", "1025", "99999999999999999999"],
        ),
        ("CORBEL_LEASE_SECONDS", ["1", "30", "3600"], ["0", "3601", "1.5"]),
    ] {
        for fine in fine {
            assert!(read(&[(name, fine)]).is_ok(), "{name}={fine}");
        }
        for wrong in wrong {
            let error = read(&[(name, wrong)]).expect_err(wrong).to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}

#[test]
fn settings_of_models_are_checked_and_need_a_name() {
    let named = ("CORBEL_MODEL_NAME", "large");
    assert!(read(&[]).expect("none").models.is_none());
    let models = read(&[named, ("CORBEL_MODEL_PRICE", "3/15/0.30")])
        .expect("settings")
        .models;
    let price = models.expect("a model").price;
    assert_eq!(
        (price.input, price.output, price.cached),
        (3_000_000, 15_000_000, 300_000)
    );
    for (name, wrong) in [
        ("CORBEL_MODEL_URL", "https://host/v1?x=1"),
        ("CORBEL_MODEL_URL", "https://user:pw@host/v1"),
        ("CORBEL_MODEL_PRICE", "3"),
        ("CORBEL_MODEL_PRICE", "-3/15"),
        ("CORBEL_MODEL_STEPS", "0"),
        ("CORBEL_MODEL_CONTEXT", "100"),
        ("CORBEL_MODEL_RUN_USD", "much"),
        ("CORBEL_MODEL_TRIAL_USD", "-1"),
    ] {
        let error = read(&[named, (name, wrong)]).expect_err(wrong).to_string();
        assert!(error.contains(name), "{error}");
    }
    let error = read(&[("CORBEL_MODEL_KEY", "k")])
        .expect_err("no name")
        .to_string();
    assert!(error.contains("CORBEL_MODEL_NAME"), "{error}");
}

#[test]
fn the_public_url_has_a_default_and_unreachable_ones_get_a_warning() {
    let seen = |public: Option<&str>, bound: &str| {
        let pairs: Vec<_> = public.map(|url| ("CORBEL_PUBLIC_URL", url)).into_iter().collect();
        let config = read(&pairs).expect("settings");
        let bound: SocketAddr = bound.parse().expect(bound);
        (config.public_url(bound), config.public_url_warnings(bound))
    };
    for (bound, url) in [
        ("0.0.0.0:81", "http://127.0.0.1:81"),
        ("[::]:81", "http://[::1]:81"),
    ] {
        let (given, warnings) = seen(None, bound);
        assert_eq!(given, url);
        assert!(
            warnings.len() == 1 && warnings[0].contains("CORBEL_PUBLIC_URL"),
            "{warnings:?}"
        );
    }
    let (given, warnings) = seen(None, "127.0.0.1:81");
    assert_eq!((given.as_str(), warnings.len()), ("http://127.0.0.1:81", 0));
    for (public, bound) in [
        (None, "10.0.0.1:81"),
        (Some("http://corbel.example"), "127.0.0.1:81"),
    ] {
        let (given, warnings) = seen(public, bound);
        assert!(
            warnings.len() == 1 && warnings[0].contains("https") && warnings[0].contains(&given),
            "{warnings:?}"
        );
    }
    assert!(seen(Some("https://corbel.example"), "0.0.0.0:81").1.is_empty());
}

#[test]
fn networks_are_addresses_or_ranges() {
    let network = |text: &str| text.parse::<Network>();
    let holds = |text: &str, address: &str| {
        network(text)
            .expect(text)
            .contains(address.parse().expect(address))
    };
    assert!(holds("10.0.0.0/8", "10.255.0.1") && !holds("10.0.0.0/8", "11.0.0.1"));
    assert!(
        holds("10.9.9.9/8", "10.0.0.1"),
        "bits beyond the prefix length are ignored"
    );
    assert!(holds("192.0.2.7", "192.0.2.7") && !holds("192.0.2.7", "192.0.2.6"));
    assert!(
        holds("192.0.2.7", "::ffff:192.0.2.7"),
        "as a dual-stack socket reports it"
    );
    assert!(holds("::ffff:10.0.0.0/104", "10.1.1.1"));
    assert!(holds("0.0.0.0/0", "8.8.8.8") && !holds("0.0.0.0/0", "2001:db8::1"));
    assert!(holds("2001:db8::/32", "2001:db8:1::1") && !holds("2001:db8::/32", "2001:db9::1"));
    assert!(holds("::1", "::1") && !holds("::1", "127.0.0.1"));
    for wrong in [
        "",
        "10",
        "10.0.0.0/33",
        "::/129",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "host/8",
        "::ffff:0:0/8",
    ] {
        assert!(network(wrong).is_err(), "{wrong}");
    }
    let error = read(&[("CORBEL_TRUSTED_PROXIES", "10.0.0.1, proxy")]).expect_err("a name");
    assert!(error.to_string().contains("proxy"), "{error}");
}

#[test]
fn only_a_trusted_proxy_can_set_the_client_address() {
    let usual = read(&[]).expect("settings").trusted_proxies;
    let own = read(&[("CORBEL_TRUSTED_PROXIES", "10.0.0.0/8, 2001:db8::1")])
        .expect("settings")
        .trusted_proxies;
    let from = |trusted: &[Network], peer: &str, said: &[&str]| {
        let mut headers = HeaderMap::new();
        for line in said {
            headers.append("x-forwarded-for", HeaderValue::from_str(line).expect(line));
        }
        let peer: IpAddr = peer.parse().expect(peer);
        client_address(peer, &headers, trusted).to_string()
    };
    assert_eq!(from(&usual, "127.0.0.1", &["192.0.2.1"]), "192.0.2.1");
    assert_eq!(from(&usual, "::ffff:127.0.0.1", &["192.0.2.1"]), "192.0.2.1");
    assert_eq!(from(&usual, "127.0.0.1", &[]), "127.0.0.1");
    assert_eq!(from(&usual, "127.0.0.1", &["nonsense"]), "127.0.0.1");
    assert_eq!(
        from(&usual, "127.0.0.1", &["6.6.6.6, 192.0.2.1"]),
        "192.0.2.1",
        "the address that the caller claims"
    );
    assert_eq!(from(&usual, "10.0.0.1", &["192.0.2.1"]), "10.0.0.1");
    assert_eq!(
        from(&own, "127.0.0.1", &["192.0.2.1"]),
        "127.0.0.1",
        "no longer a trusted proxy"
    );
    assert_eq!(
        from(&own, "2001:db8::1", &["6.6.6.6", "192.0.2.1, 10.1.1.1"]),
        "192.0.2.1"
    );
    assert_eq!(from(&own, "10.0.0.1", &["10.0.0.2"]), "10.0.0.2", "inside");
}
