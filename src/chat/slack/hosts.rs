//! Which hosts may receive an installation's token: Slack's own, and those the operator adds. Does not depend on any
//! call.

use url::{Host, Url};

/// Slack's domain, with all its subdomains.
const DOMAIN: &str = "slack.com";
/// Where Slack stores some files.
const FILES: &str = "slack-files.com";

/// Slack's hosts and the operator's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts {
    extra: Vec<(String, Option<u16>)>,
}

impl Hosts {
    /// `extra` as the operator writes it: `host` or `host:port`.
    pub fn new<S: AsRef<str>>(extra: impl IntoIterator<Item = S>) -> Self {
        let one = |text: S| {
            let text = text.as_ref().trim().to_ascii_lowercase();
            match text.rsplit_once(':') {
                Some((host, port)) if !host.ends_with(':') && port.parse::<u16>().is_ok() => {
                    (host.to_owned(), port.parse().ok())
                }
                _ => (text, None),
            }
        };
        let extra = extra.into_iter().map(one).filter(|(host, _)| !host.is_empty());
        Self {
            extra: extra.collect(),
        }
    }

    /// Whether a URL is Slack's: https, the default port, one of Slack's names, and no user name. For an operator's
    /// host the port must match if one is given; plain http is left to the guard of outbound calls, which allows it
    /// only to this machine, and only where that is enabled.
    pub fn allow(&self, url: &Url) -> bool {
        if !url.username().is_empty() || url.password().is_some() {
            return false;
        }
        let own = matches!(url.host(), Some(Host::Domain(name)) if is_slacks(name));
        if own && url.scheme() == "https" && url.port().is_none() {
            return true;
        }
        let host = url.host_str().unwrap_or_default();
        let fits = |(name, port): &(String, Option<u16>)| {
            name == host && port.is_none_or(|port| url.port_or_known_default() == Some(port))
        };
        matches!(url.scheme(), "https" | "http") && !host.is_empty() && self.extra.iter().any(fits)
    }
}

fn is_slacks(name: &str) -> bool {
    name == FILES
        || name == DOMAIN
        || name
            .strip_suffix(DOMAIN)
            .is_some_and(|before| before.ends_with('.') && before.len() > 1)
}
