//! Password hashing: Argon2id with the parameters that OWASP recommends. Unknown email addresses cost the same work,
//! so that response times do not reveal which addresses exist.

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::Semaphore;

use crate::base::error::{Error, Result};
use crate::base::secret::{Secret, random_bytes};

/// Allowed length of a password, in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 10..=200;
/// Limits concurrent hashing: each hash takes 19 MiB and a core for a while.
static PERMITS: Semaphore = Semaphore::const_new(2);
/// Bytes allocated for one hash, more than it needs. glibc returns allocations of 32 MiB and more to the system at
/// once; it would keep smaller ones, one for each thread that ever hashed. Unused pages are never touched.
const ALLOCATION: usize = 33 << 20;

/// 19 MiB of memory, two passes, one lane.
fn params() -> Result<Params> {
    Params::new(19 * 1024, 2, 1, None).map_err(|error| Error::internal(error.to_string()))
}

/// Hashes a password. Runs on a blocking thread, because it takes tens of milliseconds.
pub(super) async fn hash(password: Secret) -> Result<String> {
    let length = password.expose().chars().count();
    if !LENGTH.contains(&length) {
        let why = format!("must have {} to {} characters", LENGTH.start(), LENGTH.end());
        return Err(Error::invalid("password", why));
    }
    on_blocking_thread(move || {
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

/// True if the password matches the hash. Without a hash, does the same work and returns false.
pub(super) async fn verify(password: Secret, hash: Option<String>) -> Result<bool> {
    on_blocking_thread(move || {
        let Some(hash) = hash else {
            work(&password, &[0; 16], Version::V0x13, &params()?)?;
            return Ok(false);
        };
        let hash = PasswordHash::new(&hash).map_err(unreadable)?;
        let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else {
            return Err(Error::internal("a password hash lacks its salt or its output"));
        };
        let version = hash
            .version
            .map_or(Ok(Version::V0x13), Version::try_from)
            .map_err(unreadable)?;
        let params = Params::try_from(&hash).map_err(unreadable)?;
        // Outputs are compared in constant time.
        Ok(hash.algorithm == Algorithm::Argon2id.ident()
            && work(&password, salt, version, &params)? == *expected)
    })
    .await
}

fn work(password: &Secret, salt: &[u8], version: Version, params: &Params) -> Result<Output> {
    let mut memory = Vec::with_capacity((ALLOCATION / Block::SIZE).max(params.block_count()));
    memory.resize(params.block_count(), Block::new());
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    let output = output.get_mut(..params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN));
    let output = output.ok_or_else(|| Error::internal("a password hash has an unsupported length"))?;
    let argon2 = Argon2::new(Algorithm::Argon2id, version, params.clone());
    argon2
        .hash_password_into_with_memory(password.expose().as_bytes(), salt, output, &mut memory)
        .map_err(unreadable)?;
    Output::new(output).map_err(unreadable)
}

/// Runs `work` on a blocking thread once a permit is free.
async fn on_blocking_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let permit = PERMITS.acquire().await.map_err(Error::internal)?;
    let done = tokio::task::spawn_blocking(move || {
        // Held until the work ends, even if the caller is cancelled.
        let _permit = permit;
        work()
    });
    done.await.map_err(Error::internal)?
}

fn unreadable(error: impl std::fmt::Display) -> Error {
    Error::internal(error.to_string())
}
