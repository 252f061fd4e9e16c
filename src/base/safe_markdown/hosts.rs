//! The hosts to which an answer may link.

use url::{Host, Url};

/// Hosts to which an answer may link. The default allows none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkHosts(Vec<(String, Option<u16>)>);

impl LinkHosts {
    /// Hosts as names, each with a port if it is not the usual one: `reports.example.com`, `localhost:8080`.
    ///
    /// # Errors
    /// The first entry that is no host.
    pub fn new<'a>(entries: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let read = |entry: &'a str| {
            let wrong = || format!("{entry:?} is not a host such as reports.example.com");
            let url = Url::parse(&format!("https://{entry}/")).map_err(|_| wrong())?;
            let host = url.host_str().ok_or_else(wrong)?;
            let plain = url.path() == "/"
                && url.query().is_none()
                && url.fragment().is_none()
                && !entry.contains('@');
            if plain {
                Ok((host.to_owned(), url.port()))
            } else {
                Err(wrong())
            }
        };
        entries.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Also the host of a base URL; one that cannot be read adds nothing.
    #[must_use]
    pub fn and_of(mut self, base: &str) -> Self {
        let url = Url::parse(base).ok();
        if let Some((host, port)) = url.and_then(|url| Some((url.host_str()?.to_owned(), url.port()))) {
            self.0.push((host, port));
        }
        self
    }

    /// Whether an address leads to one of the hosts, and looks so: https (or http to this machine), without a name or
    /// a password before the host, and without characters that readers take differently.
    pub fn allow(&self, address: &str) -> bool {
        if self.0.is_empty()
            || !address.bytes().all(|sign| sign.is_ascii_graphic())
            || address.contains(['\\', '<', '>'])
        {
            return false;
        }
        let Ok(url) = Url::parse(address) else {
            return false;
        };
        let secure = match url.scheme() {
            "https" => address.starts_with("https://"),
            "http" => address.starts_with("http://") && is_loopback(&url),
            _ => false,
        };
        let has_user = !url.username().is_empty() || url.password().is_some() || address.contains('@');
        secure
            && !has_user
            && url.host_str().is_some_and(|host| {
                self.0
                    .iter()
                    .any(|(own, port)| own == host && *port == url.port())
            })
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
