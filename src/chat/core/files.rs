//! Files that came with a turn: fetched within the limits of one request, looked at, and kept. A file
//! that cannot be had never keeps the question from being answered; it is named with the reason.

use std::time::Duration;

use futures_core::future::BoxFuture;
use tokio::time::{Instant, timeout_at};

use crate::assistants::model::{Installation, PlaceKind, Target, Turn};
use crate::base::ids::{InboxId, UserId};
use crate::chat::core::authorize::NotYet;
use crate::chat::core::chat::{Chat, pause};
use crate::chat::core::platform::{Failure, Fetched};
use crate::files::limits::Allowance;
use crate::files::model::{Audience, File, Refusal, Taken};
use crate::files::service::Arrival;
use crate::files::spool::Content;
use crate::queue::job::Claim;

/// Attempts for a file whose platform is away, and of a turn whose files cannot be kept.
const ATTEMPTS: i64 = 3;

/// Longest that a question is held up for its files: all of them, with every wait and every attempt.
const ARRIVAL: Duration = Duration::from_secs(45);

/// Where files of a turn come from.
pub(super) fn origin(inbox: InboxId) -> String {
    format!("turn/{inbox}")
}

impl Chat {
    /// The files of a turn in their order, their bytes kept; the rows are the caller's to add. Whoever asked
    /// sees that they are on their way.
    pub(super) async fn receive_files(
        &self,
        at: &Installation,
        inbox: InboxId,
        turn: &Turn,
        owner: UserId,
        claim: &Claim,
    ) -> Result<Vec<File>, NotYet> {
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
            received = self.received_files(at, inbox, turn, owner, claim) => received,
            never = self.show_fetching(at, &target, &mut shown) => match never {},
        };
        if shown {
            self.progress(at, &target, None).await;
        }
        received
    }

    async fn received_files(
        &self,
        at: &Installation,
        inbox: InboxId,
        turn: &Turn,
        owner: UserId,
        claim: &Claim,
    ) -> Result<Vec<File>, NotYet> {
        let audience = match turn.place.kind {
            PlaceKind::Direct => Audience::Private,
            PlaceKind::Shared => Audience::Shared,
        };
        let platform = self.platform(at.kind())?;
        let mut allowance = Allowance::default();
        let until = Instant::now() + ARRIVAL;
        let mut files = Vec::with_capacity(turn.files.len());
        for (position, stub) in turn.files.iter().enumerate() {
            let fetched = match allowance.next(stub.bytes) {
                Err(refusal) => Fetched::refused(stub.clone(), refusal),
                Ok(most) => match fetched(until, || platform.fetch(at, stub, most)).await {
                    Ok(fetched) => bounded(fetched, most, &mut allowance),
                    Err(Failure::Disabled(because) | Failure::Expired(because)) => {
                        self.services.assistants.disable(at, &because).await?;
                        return Err(NotYet::Disabled);
                    }
                    Err(Failure::Barred(word)) => {
                        self.services.assistants.alert(at.org, at.id, &word).await?;
                        Fetched::refused(stub.clone(), Refusal::Barred)
                    }
                    Err(failure) => {
                        tracing::warn!(installation = %at.id, error = %failure, "a file could not be fetched");
                        Fetched::refused(stub.clone(), Refusal::Unreachable)
                    }
                },
            };
            let arrival = Arrival {
                origin: origin(inbox),
                position,
                owner,
                audience,
                name: fetched.stub.name,
                declared_type: fetched.stub.declared_type,
                content: fetched.content.map(Content::from),
                taken: Taken::Readable,
            };
            let without = arrival.refused(Refusal::Unreachable);
            files.push(match self.services.files.receive(at.org, arrival).await {
                Ok(file) => file,
                Err(_) if claim.tries < ATTEMPTS => return Err(NotYet::Again(pause(claim.tries))),
                Err(error) => {
                    tracing::error!(installation = %at.id, error = error.chain(), "a file could not be kept");
                    self.services.files.receive(at.org, without).await?
                }
            });
        }
        Ok(files)
    }
}

/// Tries until a platform that is away, or asks to wait, gives the file, or the time is over.
async fn fetched<'a>(
    until: Instant,
    fetch: impl Fn() -> BoxFuture<'a, Result<Fetched, Failure>>,
) -> Result<Fetched, Failure> {
    let mut attempt = 1;
    loop {
        let Ok(outcome) = timeout_at(until, fetch()).await else {
            return Err(Failure::Refused("the files took too long".to_owned()));
        };
        let wait = match &outcome {
            Err(Failure::Wait(wait)) => *wait,
            Err(Failure::Away(_) | Failure::Ambiguous(_)) if attempt < ATTEMPTS => pause(attempt),
            _ => return outcome,
        };
        if Instant::now() + wait >= until {
            return outcome;
        }
        tokio::time::sleep(wait).await;
        attempt += 1;
    }
}

/// What is declared is only a claim: what arrived counts.
fn bounded(fetched: Fetched, most: u64, allowance: &mut Allowance) -> Fetched {
    let Ok(bytes) = &fetched.content else {
        return fetched;
    };
    let arrived = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if arrived > most {
        let refusal = allowance.exceeded(most);
        return Fetched::refused(fetched.stub, refusal);
    }
    allowance.took(arrived);
    fetched
}
