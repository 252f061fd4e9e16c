//! Files that came with a turn: fetched within the limits of one request, looked at, and kept. A file
//! that cannot be had never keeps the question from being answered; it is named with the reason.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::assistants::model::{Installation, PlaceKind, Turn};
use crate::base::ids::{InboxId, UserId};
use crate::chat::core::chat::{Chat, pause};
use crate::chat::core::judge::NotYet;
use crate::chat::core::platform::{Failure, Fetched};
use crate::files::limits::Allowance;
use crate::files::model::{Audience, File, Refusal, Taken};
use crate::files::service::Arrival;
use crate::files::spool::Content;
use crate::queue::job::Claim;

/// Attempts of a turn in which a platform that is away, or asks to wait, is waited for.
const WAITED_FOR: i64 = 3;
/// Longest wait that a question is held up for its files, in seconds.
const LONGEST_WAIT_S: u64 = 60;

/// Longest that the files of one question may take to arrive, all together.
const ARRIVAL: Duration = Duration::from_secs(120);

/// Where files of a turn come from.
pub(super) fn origin(inbox: InboxId) -> String {
    format!("turn/{inbox}")
}

impl Chat {
    /// The files of a turn in their order, their bytes kept; the rows are the caller's to add.
    pub(super) async fn receive_files(
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
        let platform = self.platform(at.platform)?;
        let mut allowance = Allowance::default();
        let until = Instant::now() + ARRIVAL;
        let mut files = Vec::with_capacity(turn.files.len());
        for (position, stub) in turn.files.iter().enumerate() {
            let fetched = match allowance.next(stub.bytes) {
                Err(refusal) => Fetched::refused(stub.clone(), refusal),
                Ok(most) => match within(until, platform.fetch(at, stub, most)).await {
                    Ok(fetched) => bounded(fetched, most, &mut allowance),
                    Err(Failure::Wait(wait))
                        if claim.attempt < WAITED_FOR && wait.as_secs() <= LONGEST_WAIT_S =>
                    {
                        return Err(NotYet::Wait(wait));
                    }
                    Err(Failure::Away(_) | Failure::Ambiguous(_)) if claim.tries < WAITED_FOR => {
                        return Err(NotYet::Again(pause(claim.tries)));
                    }
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
                Err(_) if claim.tries < WAITED_FOR => return Err(NotYet::Again(pause(claim.tries))),
                Err(error) => {
                    tracing::error!(installation = %at.id, error = error.chain(), "a file could not be kept");
                    self.services.files.receive(at.org, without).await?
                }
            });
        }
        Ok(files)
    }
}

async fn within(
    until: Instant,
    fetching: impl Future<Output = Result<Fetched, Failure>>,
) -> Result<Fetched, Failure> {
    let fetched = timeout_at(until, fetching).await;
    fetched.unwrap_or_else(|_| Err(Failure::Refused("the files took too long".to_owned())))
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
