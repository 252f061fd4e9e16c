//! Which hosts may be sent an installation's token or called back: Slack's own, and those the operator
//! adds. Knows no call.

use url::{Host, Url};

/// Slack's own domain: it and all below it.
const DOMAIN: &str = "slack.com";
/// Where Slack keeps some files.
const FILES: &str = "slack-files.com";

/// Slack's hosts and the operator's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts {
    extra: Vec<(String, Option<u16>)>,
}

impl Hosts {
    /// `extra` as the operator writes them: `host` or `host:port`.
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

    /// Whether an address is Slack's: https, the usual port, a name of Slack's, nobody's name before it.
    /// Of an operator's host the port has to fit where one is given; plain http is left to the guard of
    /// outbound calls, which lets it reach this machine alone, and only where that is allowed.
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
