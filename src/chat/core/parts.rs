//! What follows the first message of an answer: further messages and files, in order, each once.
//!
//! Each part is noted as begun before it is said and as done after. Whoever finds one begun looks for it
//! at the platform first: a message bears an identifier that follows from the delivery's and the part's
//! number, a file has the platform's. Where nobody may look, a part is said again: twice is better than
//! an answer with a hole.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::assistants::model::{DeliveryState, Say, Target};
use crate::assistants::parts::{Part, PartState};
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::{Chat, pause};
use crate::chat::core::deliver::{DeliveryContext, Stopped};
use crate::chat::core::platform::{Failure, LookupResult, Obstacle, OutFile, Pages};
use crate::chat::core::post_ids::part_id;

/// The first message, where it could not take its placeholder's place.
const ITSELF: i64 = 0;
/// How long a platform may take to show a file that was shared.
const SHARING: Duration = Duration::from_secs(4);
/// Behind a file's receipt: it was not shown when somebody looked.
const LOOKED: &str = "|looked";

impl Chat {
    /// Says all but the first message.
    pub(super) async fn follow(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        pages: &Pages,
    ) -> Result<(), Stopped> {
        if pages.messages.len() < 2 && pages.files.is_empty() {
            return Ok(());
        }
        let assistants = &self.services.assistants;
        let mut earlier = assistants.parts(context.claim.org, context.delivery.id).await?;
        let numbered = |number| (number, part_id(context.delivery.id, number));
        let mut target = target.clone();
        let mut number = ITSELF;
        for say in pages.messages.iter().skip(1) {
            number += 1;
            if let Some(begun) = open(&mut earlier, number) {
                if self.leaves(context, &mut target).await? {
                    let say = self.explained(context, Obstacle::NotApproved, say).await?;
                    self.say_part(context, &target, numbered(number), &say, begun)
                        .await?;
                } else {
                    self.say_part(context, &target, numbered(number), say, begun)
                        .await?;
                }
            }
        }
        for file in &pages.files {
            number += 1;
            if let Some(begun) = open(&mut earlier, number) {
                self.leaves(context, &mut target).await?;
                self.show_part(context, &target, number, file, begun).await?;
            }
        }
        Ok(())
    }

    /// Whether anything that follows the first message was begun.
    pub(super) async fn has_followed(&self, context: &DeliveryContext<'_>) -> Result<bool, Stopped> {
        let assistants = &self.services.assistants;
        let parts = assistants.parts(context.claim.org, context.delivery.id).await?;
        Ok(parts
            .iter()
            .any(|(number, part)| *number != ITSELF || part.state == PartState::Done))
    }

    /// Somebody deleted the placeholder. Another is made once; after that the answer is a post of its
    /// own, bearing `id`: whatever deletes placeholders would delete them for days.
    pub(super) async fn without_placeholder(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        id: DeliveryId,
        say: &Say,
    ) -> Result<(), Stopped> {
        let assistants = &self.services.assistants;
        let mut earlier = assistants.parts(context.claim.org, context.delivery.id).await?;
        match open(&mut earlier, ITSELF) {
            Some(Some(begun)) => {
                self.say_part(context, target, (ITSELF, id), say, Some(begun))
                    .await
            }
            Some(None) => {
                self.begin(context, ITSELF, None).await?;
                self.note(context, DeliveryState::Pending, None).await?;
                Err(Stopped::Again(pause(context.claim.tries)))
            }
            None => Ok(()),
        }
    }

    /// The placeholder cannot be changed: the answer is a post of its own beneath it, made once.
    pub(super) async fn beside_placeholder(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        id: DeliveryId,
        say: &Say,
    ) -> Result<(), Stopped> {
        let assistants = &self.services.assistants;
        let mut earlier = assistants.parts(context.claim.org, context.delivery.id).await?;
        match open(&mut earlier, ITSELF) {
            Some(begun) => self.say_part(context, target, (ITSELF, id), say, begun).await,
            None => Ok(()),
        }
    }

    /// Nothing can be said where the placeholder stands: the answer goes out directly, once.
    pub(super) async fn apart_from_placeholder(
        &self,
        context: &DeliveryContext<'_>,
        id: DeliveryId,
        say: &Say,
        failure: Failure,
    ) -> Result<(), Stopped> {
        self.or_directly(context, id, say, Err(failure)).await?;
        self.done(context, ITSELF, None).await
    }

    /// Asked before each part: turns to the direct conversation where the place was closed meanwhile.
    async fn leaves(&self, context: &DeliveryContext<'_>, target: &mut Target) -> Result<bool, Stopped> {
        if !self.is_closed(context, target).await? {
            return Ok(false);
        }
        match context
            .platform
            .direct(context.at, &context.delivery.target)
            .await
        {
            Ok(direct) => *target = direct,
            Err(failure) => return Err(self.stopped(context, failure).await?),
        }
        Ok(true)
    }

    async fn say_part(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        (number, id): (i64, DeliveryId),
        say: &Say,
        begun: Option<Part>,
    ) -> Result<(), Stopped> {
        if begun.is_some() {
            match self.sought(context, target, id).await {
                Ok(LookupResult::Found(receipt)) => return self.done(context, number, Some(receipt)).await,
                Ok(LookupResult::Absent | LookupResult::Unreadable) => {}
                Err(failure) if failure.obstacle().is_some() => {}
                Err(failure) => return Err(self.stopped(context, failure).await?),
            }
        }
        self.begin(context, number, None).await?;
        match self.posted(context, target, id, say).await {
            Ok(receipt) => self.done(context, number, Some(receipt)).await,
            Err(failure) => {
                self.or_directly(context, id, say, Err(failure)).await?;
                self.done(context, number, None).await
            }
        }
    }

    async fn show_part(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        number: i64,
        file: &OutFile,
        begun: Option<Part>,
    ) -> Result<(), Stopped> {
        match self.shown(context, target, number, file, begun).await? {
            Ok(receipt) => self.done(context, number, Some(receipt)).await,
            Err(failure) => {
                let hopeless = matches!(
                    failure,
                    Failure::Content(_) | Failure::MissingRight(_) | Failure::Nobody(_)
                ) || failure.obstacle().is_some();
                if !hopeless {
                    return Err(self.stopped(context, failure).await?);
                }
                tracing::warn!(delivery = %context.delivery.id, %failure, "a file could not be shown; its beginning is said");
                self.heed(context, &failure).await?;
                let id = part_id(context.delivery.id, number);
                self.say_part(context, target, (number, id), &file.instead, begun_as_text())
                    .await
            }
        }
    }

    /// The platform's id of the file, once it is shown.
    async fn shown(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        number: i64,
        file: &OutFile,
        begun: Option<Part>,
    ) -> Result<Result<String, Failure>, Stopped> {
        let (at, platform) = (context.at, context.platform);
        let mut unseen = false;
        let id = match begun.and_then(|part| part.receipt) {
            // Sharing it was begun: it may have happened, and be seen only a while after.
            Some(receipt) => {
                let looked = receipt.strip_suffix(LOOKED).map(str::to_owned);
                let again = looked.is_some();
                let id = looked.unwrap_or(receipt);
                match platform.is_shared(at, &id).await {
                    Ok(true) => return Ok(Ok(id)),
                    Ok(false) if !again => {
                        self.begin(context, number, Some(id + LOOKED)).await?;
                        return Err(Stopped::Later(SHARING));
                    }
                    Ok(false) => id,
                    Err(Failure::MissingRight(_)) => {
                        unseen = true;
                        id
                    }
                    Err(failure) => return Ok(Err(failure)),
                }
            }
            None => match platform.upload(at, file).await {
                Ok(id) => id,
                Err(failure) => return Ok(Err(failure)),
            },
        };
        self.begin(context, number, Some(id.clone())).await?;
        let shared = platform.share(at, target, &id, &file.name).await;
        if matches!(shared, Err(Failure::Wait(_) | Failure::Away(_))) {
            // It certainly did not happen: nothing has to be waited for.
            self.begin(context, number, Some(format!("{id}{LOOKED}"))).await?;
        }
        Ok(match shared {
            // It would be shared and not be seen for days.
            Err(Failure::Ambiguous(why) | Failure::Late(why)) if unseen => Err(Failure::Refused(why)),
            shared => shared.map(|()| id),
        })
    }

    async fn begin(
        &self,
        context: &DeliveryContext<'_>,
        number: i64,
        receipt: Option<String>,
    ) -> Result<(), Stopped> {
        self.noted(context, number, PartState::Begun, receipt).await
    }

    async fn done(
        &self,
        context: &DeliveryContext<'_>,
        number: i64,
        receipt: Option<String>,
    ) -> Result<(), Stopped> {
        self.noted(context, number, PartState::Done, receipt).await
    }

    async fn noted(
        &self,
        context: &DeliveryContext<'_>,
        number: i64,
        state: PartState,
        receipt: Option<String>,
    ) -> Result<(), Stopped> {
        let (assistants, delivery) = (&self.services.assistants, context.delivery.id);
        Ok(assistants
            .note_part(context.claim, delivery, number, state, receipt)
            .await?)
    }
}

/// Nothing for a part that is done; else what was begun of it.
fn open(earlier: &mut BTreeMap<i64, Part>, number: i64) -> Option<Option<Part>> {
    match earlier.remove(&number) {
        Some(part) if part.state == PartState::Done => None,
        begun => Some(begun),
    }
}

/// An earlier attempt may have said the text in place of a file.
fn begun_as_text() -> Option<Part> {
    Some(Part {
        state: PartState::Begun,
        receipt: None,
    })
}
