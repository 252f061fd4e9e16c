//! Passwords: Argon2id with the OWASP parameters, and equal work where nobody has the address.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};

use crate::base::error::{Error, Result};
use crate::base::secret::{Secret, random_bytes};

/// Shortest and longest password, in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 10..=200;

/// 19 MiB, two passes, one lane.
fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(19 * 1024, 2, 1, None).map_err(|error| Error::internal(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Hashes on a blocking thread: it takes tens of milliseconds.
pub(super) async fn hash(password: Secret) -> Result<String> {
    let length = password.expose().chars().count();
    if !LENGTH.contains(&length) {
        let why = format!("must have {} to {} characters", LENGTH.start(), LENGTH.end());
        return Err(Error::invalid("password", why));
    }
    let hashing = tokio::task::spawn_blocking(move || {
        let salt = random_bytes::<16>()?;
        let hash = argon2()?.hash_password_with_salt(password.expose().as_bytes(), &salt);
        hash.map(|hash| hash.to_string())
            .map_err(|error| Error::internal(error.to_string()))
    });
    hashing.await.map_err(Error::internal)?
}

/// True if the password fits. Without a hash the same work is done and the answer is no.
pub(super) async fn fits(password: Secret, hash: Option<String>) -> Result<bool> {
    let checking = tokio::task::spawn_blocking(move || -> Result<bool> {
        let Some(hash) = hash else {
            let _ = argon2()?.hash_password_with_salt(password.expose().as_bytes(), &[0; 16]);
            return Ok(false);
        };
        let hash = PasswordHash::new(&hash).map_err(|error| Error::internal(error.to_string()))?;
        Ok(argon2()?
            .verify_password(password.expose().as_bytes(), &hash)
            .is_ok())
    });
    checking.await.map_err(Error::internal)?
}
