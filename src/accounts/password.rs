//! Passwords: Argon2id with the OWASP parameters, and equal work where nobody has the address.

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::Semaphore;

use crate::base::error::{Error, Result};
use crate::base::secret::{Secret, random_bytes};

/// Shortest and longest password, in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 10..=200;
/// Hashes made at one time, by everyone: each takes 19 MiB and a core for a while.
static PLACES: Semaphore = Semaphore::const_new(2);
/// What is asked of the allocator for one hash. From 32 MiB on, glibc gives memory back to the
/// system at once; less than that it would keep, once for each thread that ever hashed. Of the
/// larger piece only the part in use is ever touched.
const ASKED: usize = 33 << 20;

/// 19 MiB, two passes, one lane.
fn params() -> Result<Params> {
    Params::new(19 * 1024, 2, 1, None).map_err(|error| Error::internal(error.to_string()))
}

/// Hashes on a blocking thread: it takes tens of milliseconds.
pub(super) async fn hash(password: Secret) -> Result<String> {
    let length = password.expose().chars().count();
    if !LENGTH.contains(&length) {
        let why = format!("must have {} to {} characters", LENGTH.start(), LENGTH.end());
        return Err(Error::invalid("password", why));
    }
    apart(move || {
        let (params, salt) = (params()?, random_bytes::<16>()?);
        let output = work(&password, &salt, Version::V0x13, &params)?;
        let hash = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(&params).map_err(unreadable)?,
            salt: Some(Salt::new(&salt).map_err(unreadable)?),
            hash: Some(output),
        };
        Ok(hash.to_string())
    })
    .await
}

/// True if the password fits. Without a hash the same work is done and the answer is no.
pub(super) async fn fits(password: Secret, hash: Option<String>) -> Result<bool> {
    apart(move || {
        let Some(hash) = hash else {
            work(&password, &[0; 16], Version::V0x13, &params()?)?;
            return Ok(false);
        };
        let hash = PasswordHash::new(&hash).map_err(unreadable)?;
        let (Some(salt), Some(kept)) = (&hash.salt, &hash.hash) else {
            return Err(Error::internal("a password hash lacks its salt or its output"));
        };
        let version = hash
            .version
            .map_or(Ok(Version::V0x13), Version::try_from)
            .map_err(unreadable)?;
        let params = Params::try_from(&hash).map_err(unreadable)?;
        // Outputs are compared in constant time.
        Ok(
            hash.algorithm == Algorithm::Argon2id.ident()
                && work(&password, salt, version, &params)? == *kept,
        )
    })
    .await
}

fn work(password: &Secret, salt: &[u8], version: Version, params: &Params) -> Result<Output> {
    let mut memory = Vec::with_capacity((ASKED / Block::SIZE).max(params.block_count()));
    memory.resize(params.block_count(), Block::new());
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    let output = output.get_mut(..params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN));
    let output = output.ok_or_else(|| Error::internal("a password hash of another length"))?;
    let argon2 = Argon2::new(Algorithm::Argon2id, version, params.clone());
    argon2
        .hash_password_into_with_memory(password.expose().as_bytes(), salt, output, &mut memory)
        .map_err(unreadable)?;
    Output::new(output).map_err(unreadable)
}

/// On a blocking thread, when there is a place.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let place = PLACES.acquire().await.map_err(Error::internal)?;
    let done = tokio::task::spawn_blocking(move || {
        // Kept until the end, also when whoever asked has gone.
        let _place = place;
        work()
    });
    done.await.map_err(Error::internal)?
}

fn unreadable(error: impl std::fmt::Display) -> Error {
    Error::internal(error.to_string())
}
