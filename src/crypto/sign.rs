//! Signed words that come back to us: HMAC-SHA-256 under a key of its own for each purpose, drawn from the
//! master key, so that what was signed for one is nothing for another. Knows nothing of what is signed.

use std::sync::Arc;

use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::hmac::{self, HMAC_SHA256};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use crate::base::error::{Error, Result};
use crate::base::secret::Secret;

/// Bytes of a signature.
const TAG: usize = 32;

/// Signs and recognizes. Cheap to clone; never prints.
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
    /// From a master key of 32 bytes in base64.
    pub fn new(master_key: &Secret, purpose: &str) -> Result<Self> {
        let wrong = || Error::invalid("CORBEL_MASTER_KEY", "must be 32 bytes in base64");
        let master = STANDARD.decode(master_key.expose().trim()).map_err(|_| wrong())?;
        let mut key = [0; TAG];
        let salt = Salt::new(HKDF_SHA256, b"corbel signatures");
        let info = [purpose.as_bytes()];
        salt.extract(&master)
            .expand(&info, Length)
            .and_then(|drawn| drawn.fill(&mut key))
            .map_err(|_| Error::internal("no key could be drawn"))?;
        Ok(Self {
            key: Arc::new(hmac::Key::new(HMAC_SHA256, &key)),
        })
    }

    /// Word and signature in signs that fit an address.
    pub fn sign(&self, word: &[u8]) -> String {
        let tag = hmac::sign(&self.key, word);
        URL_SAFE_NO_PAD.encode([word, tag.as_ref()].concat())
    }

    /// A token that follows from the word, and tells nothing of it: the same for the same word, and for
    /// nobody to guess.
    pub fn token(&self, word: &[u8]) -> Secret {
        let tag = hmac::sign(&self.key, word);
        Secret::new(URL_SAFE_NO_PAD.encode(tag.as_ref()))
    }

    /// The word, if this purpose signed it.
    pub fn open(&self, token: &str) -> Option<Vec<u8>> {
        let mut word = URL_SAFE_NO_PAD.decode(token).ok()?;
        let tag = word.split_off(word.len().checked_sub(TAG)?);
        hmac::verify(&self.key, &word, &tag).ok()?;
        Some(word)
    }
}
