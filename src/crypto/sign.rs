//! Signs values that clients later send back, with HMAC-SHA-256. Each purpose has its own key, derived from
//! the master key, so a signature for one purpose is not valid for another. Does not depend on what is signed.

use std::sync::Arc;

use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::hmac::{self, HMAC_SHA256};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use crate::base::error::{Error, Result};
use crate::base::secret::Secret;

/// Length of a signature in bytes.
const TAG: usize = 32;

/// Signs and verifies. Cheap to clone; has no `Debug`, so the key is never printed.
#[derive(Clone)]
pub struct Signer {
    key: Arc<hmac::Key>,
}

struct Length;

impl KeyType for Length {
    fn len(&self) -> usize {
        TAG
    }
}

impl Signer {
    /// Takes a master key of 32 bytes in base64.
    pub fn new(master_key: &Secret, purpose: &str) -> Result<Self> {
        let invalid = || Error::invalid("CORBEL_MASTER_KEY", "must be 32 bytes in base64");
        let master = STANDARD
            .decode(master_key.expose().trim())
            .map_err(|_| invalid())?;
        let mut key = [0; TAG];
        let salt = Salt::new(HKDF_SHA256, b"corbel signatures");
        let info = [purpose.as_bytes()];
        salt.extract(&master)
            .expand(&info, Length)
            .and_then(|derived| derived.fill(&mut key))
            .map_err(|_| Error::internal("no key could be derived"))?;
        Ok(Self {
            key: Arc::new(hmac::Key::new(HMAC_SHA256, &key)),
        })
    }

    /// The value followed by its signature, URL-safe.
    pub fn sign(&self, value: &[u8]) -> String {
        let tag = hmac::sign(&self.key, value);
        URL_SAFE_NO_PAD.encode([value, tag.as_ref()].concat())
    }

    /// A token derived from the value. Deterministic, does not reveal the value and cannot be guessed.
    pub fn token(&self, value: &[u8]) -> Secret {
        let tag = hmac::sign(&self.key, value);
        Secret::new(URL_SAFE_NO_PAD.encode(tag.as_ref()))
    }

    /// The value, if it was signed for this purpose.
    pub fn open(&self, token: &str) -> Option<Vec<u8>> {
        let mut value = URL_SAFE_NO_PAD.decode(token).ok()?;
        let tag = value.split_off(value.len().checked_sub(TAG)?);
        hmac::verify(&self.key, &value, &tag).ok()?;
        Some(value)
    }
}
