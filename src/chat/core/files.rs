//! The files of a turn: fetched within the limits of one request, checked, and stored. A file that cannot be fetched
//! never keeps the question from being answered; it is listed with the reason.

use std::time::Duration;

use futures_core::future::BoxFuture;
use tokio::time::{Instant, timeout_at};

use crate::assistants::model::{Installation, PlaceKind, Target, Turn};
use crate::base::ids::{InboxId, UserId};
use crate::chat::core::chat::{Chat, backoff};
use crate::chat::core::deferred::Deferred;
use crate::chat::core::platform::{Failure, FetchedFile};
use crate::chat::core::progress::{show_fetching, show_status};
use crate::files::limits::Allowance;
use crate::files::model::{Accepted, Audience, File, Refusal};
use crate::files::service::Arrival;
use crate::files::spool::Content;
use crate::queue::job::Claim;

/// Attempts to fetch a file from an unavailable platform, and of a turn whose files cannot be stored.
const MAX_ATTEMPTS: i64 = 3;

/// Longest that a question waits for its files: all of them, with every wait and every attempt.
const TIMEOUT: Duration = Duration::from_secs(45);

/// The origin under which the files of a turn are stored.
pub(super) fn files_origin(inbox: InboxId) -> String {
    format!("turn/{inbox}")
}

/// The files of a turn in their order, with their bytes stored; the caller adds the rows. Meanwhile the sender sees
/// that they are being fetched.
pub(super) async fn receive_files(
    chat: &Chat,
    at: &Installation,
    inbox: InboxId,
    turn: &Turn,
    owner: UserId,
    claim: &Claim,
) -> Result<Vec<File>, Deferred> {
    if turn.files.is_empty() {
        return Ok(Vec::new());
    }
    let target = Target {
        sender: turn.sender.clone(),
        place: turn.place.clone(),
    };
    let mut shown = false;
    let received = tokio::select! {
        biased;
        received = fetch_and_store(chat, at, inbox, turn, owner, claim) => received,
        never = show_fetching(chat, at, &target, &mut shown) => match never {},
    };
    if shown {
        show_status(chat, at, &target, None).await;
    }
    received
}

async fn fetch_and_store(
    chat: &Chat,
    at: &Installation,
    inbox: InboxId,
    turn: &Turn,
    owner: UserId,
    claim: &Claim,
) -> Result<Vec<File>, Deferred> {
    let audience = match turn.place.kind {
        PlaceKind::Direct => Audience::Private,
        PlaceKind::Shared => Audience::Shared,
    };
    let (platform, services) = (chat.platform(at.kind())?, &chat.services);
    let mut allowance = Allowance::default();
    let deadline = Instant::now() + TIMEOUT;
    let mut files = Vec::with_capacity(turn.files.len());
    for (position, stub) in turn.files.iter().enumerate() {
        let fetched = match allowance.next(stub.bytes) {
            Err(refusal) => FetchedFile::refused(stub.clone(), refusal),
            Ok(most) => match fetch_until(deadline, || platform.fetch_file(at, stub, most)).await {
                Ok(fetched) => bounded(fetched, most, &mut allowance),
                Err(Failure::Disabled(because) | Failure::TokenExpired(because)) => {
                    services.installations.disable(at, &because).await?;
                    return Err(Deferred::UntilReinstalled);
                }
                Err(Failure::Forbidden(code)) => {
                    services.installations.add_alert(at.org, at.id, &code).await?;
                    FetchedFile::refused(stub.clone(), Refusal::Barred)
                }
                Err(failure) => {
                    tracing::warn!(installation = %at.id, error = %failure, "a file could not be fetched");
                    FetchedFile::refused(stub.clone(), Refusal::Unreachable)
                }
            },
        };
        let arrival = Arrival {
            origin: files_origin(inbox),
            position,
            owner,
            audience,
            name: fetched.stub.name,
            declared_type: fetched.stub.declared_type,
            content: fetched.content.map(Content::from),
            taken: Accepted::Readable,
        };
        let without_content = arrival.refused(Refusal::Unreachable);
        files.push(match services.files.receive(at.org, arrival).await {
            Ok(file) => file,
            Err(_) if claim.tries < MAX_ATTEMPTS => return Err(Deferred::Retry(backoff(claim.tries))),
            Err(error) => {
                tracing::error!(installation = %at.id, error = error.chain(), "a file could not be stored");
                services.files.receive(at.org, without_content).await?
            }
        });
    }
    Ok(files)
}

/// Retries while the platform is unavailable or asks to wait, until the deadline.
async fn fetch_until<'a>(
    deadline: Instant,
    fetch: impl Fn() -> BoxFuture<'a, Result<FetchedFile, Failure>>,
) -> Result<FetchedFile, Failure> {
    let mut attempt = 1;
    loop {
        let Ok(outcome) = timeout_at(deadline, fetch()).await else {
            return Err(Failure::Rejected("the files took too long".to_owned()));
        };
        let wait = match &outcome {
            Err(Failure::Wait(wait)) => *wait,
            Err(Failure::Unavailable(_) | Failure::Ambiguous(_)) if attempt < MAX_ATTEMPTS => {
                backoff(attempt)
            }
            _ => return outcome,
        };
        if Instant::now() + wait >= deadline {
            return outcome;
        }
        tokio::time::sleep(wait).await;
        attempt += 1;
    }
}

/// Counts the bytes that were received; the announced size is not trusted.
fn bounded(fetched: FetchedFile, most: u64, allowance: &mut Allowance) -> FetchedFile {
    let Ok(bytes) = &fetched.content else {
        return fetched;
    };
    let received = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if received > most {
        let refusal = allowance.exceeded(most);
        return FetchedFile::refused(fetched.stub, refusal);
    }
    allowance.took(received);
    fetched
}
