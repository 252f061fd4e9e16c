//! Encrypts secrets at rest: AES-256-GCM under the master key. Each sealed value is bound to its row, so
//! it cannot be opened after being copied to another row.
//!
//! Layout: version byte, 12-byte nonce, ciphertext with tag.

use std::sync::Arc;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::base::error::{Error, Result};
use crate::base::secret::{Secret, random_bytes};

const VERSION: u8 = 1;

/// Seals and opens secrets. Cheap to clone; has no `Debug`, so the key is never printed.
#[derive(Clone)]
pub struct Sealer {
    key: Arc<LessSafeKey>,
}

impl Sealer {
    /// Takes a master key of 32 bytes in base64.
    pub fn new(master_key: &Secret) -> Result<Self> {
        let invalid = || Error::invalid("CORBEL_MASTER_KEY", "must be 32 bytes in base64");
        let bytes = STANDARD
            .decode(master_key.expose().trim())
            .map_err(|_| invalid())?;
        let key = UnboundKey::new(&AES_256_GCM, &bytes).map_err(|_| invalid())?;
        Ok(Self {
            key: Arc::new(LessSafeKey::new(key)),
        })
    }

    /// Generates a master key in the format that `new` expects.
    pub fn new_master_key() -> Result<Secret> {
        Ok(Secret::new(STANDARD.encode(random_bytes::<32>()?)))
    }

    /// `bound_to` names the row and column; `open` needs the same value.
    pub fn seal(&self, secret: &Secret, bound_to: &str) -> Result<Vec<u8>> {
        let nonce = random_bytes::<NONCE_LEN>()?;
        let mut sealed = vec![VERSION];
        sealed.extend_from_slice(&nonce);
        let mut text = secret.expose().as_bytes().to_vec();
        self.key
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(bound_to.as_bytes()),
                &mut text,
            )
            .map_err(|_| Error::internal("sealing failed"))?;
        sealed.extend_from_slice(&text);
        Ok(sealed)
    }

    pub fn open(&self, sealed: &[u8], bound_to: &str) -> Result<Secret> {
        let broken =
            || Error::internal("a sealed secret cannot be opened: wrong master key, or moved to another row");
        let (version, rest) = sealed.split_first().ok_or_else(broken)?;
        let (nonce, text) = rest.split_first_chunk::<NONCE_LEN>().ok_or_else(broken)?;
        if *version != VERSION {
            return Err(broken());
        }
        let mut text = text.to_vec();
        let opened = self
            .key
            .open_in_place(
                Nonce::assume_unique_for_key(*nonce),
                Aad::from(bound_to.as_bytes()),
                &mut text,
            )
            .map_err(|_| broken())?;
        let text = std::str::from_utf8(opened).map_err(|_| broken())?;
        Ok(Secret::new(text))
    }
}
