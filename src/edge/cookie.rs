//! The two cookies: the sign-in session, and the token that binds the sign-in form.
//!
//! Depends only on the public URL. Both cookies are host-only, hidden from scripts, and sent with requests from other
//! sites only when a person follows a link.

use axum::http::{HeaderMap, HeaderValue, header};
use url::Url;

use crate::base::error::{Error, Result};
use crate::base::secret::Secret;

/// Tokens have 43 characters; much longer values are not ours and are ignored.
const LONGEST: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The session token.
    Session,
    /// Binds the sign-in form, before there is a session.
    Form,
}

/// Names and flags of the cookies for one public URL.
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

    /// Whether browsers store and send them over https only.
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

    /// A `Set-Cookie` value with a lifetime of `seconds`.
    pub fn set(self, kind: Kind, token: &Secret, seconds: i64) -> Result<HeaderValue> {
        self.header_value(kind, token.expose(), seconds.max(0))
    }

    pub fn clear(self, kind: Kind) -> Result<HeaderValue> {
        self.header_value(kind, "", 0)
    }

    fn header_value(self, kind: Kind, value: &str, seconds: i64) -> Result<HeaderValue> {
        let name = self.name(kind);
        let secure = if self.secure { "; Secure" } else { "" };
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
        let mut header = HeaderValue::from_str(&text).map_err(Error::internal)?;
        header.set_sensitive(true);
        Ok(header)
    }
}
