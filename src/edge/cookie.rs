//! The two cookies there are: who is signed in, and what a form before sign-in is bound to.
//!
//! Knows only the public address. Both are host-only, out of reach of scripts, and not sent along
//! with requests that another site starts, links excepted.

use axum::http::{HeaderMap, HeaderValue, header};
use url::Url;

use crate::base::error::{Error, Result};
use crate::base::secret::Secret;

/// Tokens have 43 characters; what is much longer is not ours and is not looked up.
const LONGEST: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The session's token.
    Session,
    /// What the sign-in form is bound to, as there is no session yet.
    Form,
}

/// Names and flags of the cookies of one public address.
#[derive(Clone, Copy, Debug)]
pub struct Cookies {
    secure: bool,
}

impl Cookies {
    /// Secure and `__Host-`, except over http on loopback, where browsers would drop them.
    pub fn of(public_url: &str) -> Self {
        let plain = Url::parse(public_url).is_ok_and(|url| {
            let loopback = match url.host() {
                Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
                Some(url::Host::Ipv4(address)) => address.is_loopback(),
                Some(url::Host::Ipv6(address)) => address.is_loopback(),
                None => false,
            };
            url.scheme() == "http" && loopback
        });
        Self { secure: !plain }
    }

    /// Whether browsers keep and send them over https only.
    pub const fn are_secure(self) -> bool {
        self.secure
    }

    pub const fn name(self, kind: Kind) -> &'static str {
        match (kind, self.secure) {
            (Kind::Session, true) => "__Host-corbel",
            (Kind::Session, false) => "corbel",
            (Kind::Form, true) => "__Host-corbel-form",
            (Kind::Form, false) => "corbel-form",
        }
    }

    pub fn read(self, kind: Kind, headers: &HeaderMap) -> Option<Secret> {
        let name = self.name(kind);
        let lines = headers
            .get_all(header::COOKIE)
            .into_iter()
            .filter_map(|line| line.to_str().ok());
        lines
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(key, value)| *key == name && !value.is_empty() && value.len() <= LONGEST)
            .map(|(_, value)| Secret::new(value))
    }

    /// A `Set-Cookie` value that lasts `seconds`.
    pub fn set(self, kind: Kind, token: &Secret, seconds: i64) -> Result<HeaderValue> {
        self.written(kind, token.expose(), seconds.max(0))
    }

    pub fn clear(self, kind: Kind) -> Result<HeaderValue> {
        self.written(kind, "", 0)
    }

    fn written(self, kind: Kind, value: &str, seconds: i64) -> Result<HeaderValue> {
        let name = self.name(kind);
        let secure = if self.secure { "; Secure" } else { "" };
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
        let mut header = HeaderValue::from_str(&text).map_err(Error::internal)?;
        header.set_sensitive(true);
        Ok(header)
    }
}
