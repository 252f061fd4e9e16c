//! The parts of an answer after its first message: further messages and files, in order, each once.
//!
//! Each part is stored as begun before it is posted and as done after. An attempt that finds one begun looks for it at
//! the platform first: a message carries an identifier that follows from the delivery and the part's number, and a
//! file has the platform's id. Where it cannot look, it posts the part again: twice is better than an incomplete
//! answer.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::assistants::deliveries::parts::{Part, PartState};
use crate::assistants::model::{DeliveryState, Say, Target};
use crate::base::error::Result;
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::backoff;
use crate::chat::core::platform::{Failure, LookupResult, Obstacle, OutgoingFile, Pages};
use crate::chat::core::post_ids::{answer_id, part_id};
use crate::chat::core::posting::{Posting, Undelivered};

/// The first message, where it could not replace its placeholder.
const FIRST: i64 = 0;
/// How long a platform may take to show a shared file.
const SHARE_TIME: Duration = Duration::from_secs(4);
/// Suffix of a file's receipt: a check found it not shown.
const CHECKED: &str = "|looked";

/// The parts of one delivery, with what earlier attempts stored of them.
pub(super) struct Parts<'a> {
    posting: &'a Posting<'a>,
    stored: BTreeMap<i64, Part>,
}

impl<'a> Parts<'a> {
    pub(super) async fn load(posting: &'a Posting<'a>) -> Result<Self> {
        let deliveries = &posting.chat.services.deliveries;
        let stored = deliveries.parts(posting.claim.org, posting.delivery.id).await?;
        Ok(Self { posting, stored })
    }

    /// Whether any part after the first message was begun, or the first message was posted without its placeholder.
    pub(super) fn has_begun(&self) -> bool {
        self.stored
            .iter()
            .any(|(number, part)| *number != FIRST || part.state == PartState::Done)
    }

    /// Posts every part but the first message.
    pub(super) async fn post_rest(&mut self, target: &Target, pages: &Pages) -> Result<(), Undelivered> {
        let mut target = target.clone();
        let mut number = FIRST;
        for say in pages.messages.iter().skip(1) {
            number += 1;
            if let Some(begun) = self.unfinished(number) {
                let id = part_id(self.posting.delivery.id, number);
                if self.move_if_closed(&mut target).await? {
                    let say = self.posting.with_reason(Obstacle::NotApproved, say).await?;
                    self.post_message(&target, (number, id), &say, begun).await?;
                } else {
                    self.post_message(&target, (number, id), say, begun).await?;
                }
            }
        }
        for file in &pages.files {
            number += 1;
            if let Some(begun) = self.unfinished(number) {
                self.move_if_closed(&mut target).await?;
                self.post_file(&target, number, file, begun).await?;
            }
        }
        Ok(())
    }

    /// The placeholder was deleted by someone. Another is posted once; after that the answer is a post of its own,
    /// because whatever deletes placeholders would delete the next ones too.
    pub(super) async fn replace_deleted_placeholder(
        &mut self,
        target: &Target,
        say: &Say,
    ) -> Result<(), Undelivered> {
        match self.unfinished(FIRST) {
            Some(Some(begun)) => {
                let first = (FIRST, answer_id(self.posting.delivery.id));
                self.post_message(target, first, say, Some(begun)).await
            }
            Some(None) => {
                self.begin(FIRST, None).await?;
                self.posting.record(DeliveryState::Pending, None).await?;
                Err(Undelivered::Retry(backoff(self.posting.claim.tries)))
            }
            None => Ok(()),
        }
    }

    /// The placeholder cannot be edited: the answer is a post of its own after it.
    pub(super) async fn post_after_placeholder(
        &mut self,
        target: &Target,
        say: &Say,
    ) -> Result<(), Undelivered> {
        match self.unfinished(FIRST) {
            Some(begun) => {
                let first = (FIRST, answer_id(self.posting.delivery.id));
                self.post_message(target, first, say, begun).await
            }
            None => Ok(()),
        }
    }

    /// Nothing can be posted where the placeholder is: the answer is sent as a direct message.
    pub(super) async fn send_direct_instead(&self, say: &Say, failure: Failure) -> Result<(), Undelivered> {
        let id = answer_id(self.posting.delivery.id);
        self.posting.fall_back_to_direct(id, say, Err(failure)).await?;
        self.finish(FIRST, None).await
    }

    /// Moves to the direct conversation where the approval of the conversation has ended.
    async fn move_if_closed(&self, target: &mut Target) -> Result<bool, Undelivered> {
        if !self.posting.approval_ended(target).await? {
            return Ok(false);
        }
        *target = self.posting.open_direct().await?;
        Ok(true)
    }

    async fn post_message(
        &self,
        target: &Target,
        (number, id): (i64, DeliveryId),
        say: &Say,
        begun: Option<Part>,
    ) -> Result<(), Undelivered> {
        if begun.is_some() {
            match self.posting.find_post(target, id).await {
                Ok(LookupResult::Found(receipt)) => return self.finish(number, Some(receipt)).await,
                Ok(LookupResult::Absent | LookupResult::Unreadable) => {}
                Err(failure) if failure.obstacle().is_some() => {}
                Err(failure) => return Err(self.posting.handle_failure(failure).await?),
            }
        }
        self.begin(number, None).await?;
        match self.posting.post(target, id, say).await {
            Ok(receipt) => self.finish(number, Some(receipt)).await,
            Err(failure) => {
                self.posting.fall_back_to_direct(id, say, Err(failure)).await?;
                self.finish(number, None).await
            }
        }
    }

    async fn post_file(
        &self,
        target: &Target,
        number: i64,
        file: &OutgoingFile,
        begun: Option<Part>,
    ) -> Result<(), Undelivered> {
        match self.upload_and_share(target, number, file, begun).await? {
            Ok(receipt) => self.finish(number, Some(receipt)).await,
            Err(failure) => {
                let permanent = matches!(
                    failure,
                    Failure::ContentRejected(_) | Failure::MissingPermission(_) | Failure::NoRecipient(_)
                ) || failure.obstacle().is_some();
                if !permanent {
                    return Err(self.posting.handle_failure(failure).await?);
                }
                tracing::warn!(
                    delivery = %self.posting.delivery.id, %failure,
                    "a file could not be posted; its beginning is posted as text"
                );
                self.posting.report(&failure).await?;
                let id = part_id(self.posting.delivery.id, number);
                // An earlier attempt may have posted the text.
                let begun = Part {
                    state: PartState::Started,
                    receipt: None,
                };
                self.post_message(target, (number, id), &file.fallback, Some(begun))
                    .await
            }
        }
    }

    /// Returns the platform's id of the file once it is shared.
    async fn upload_and_share(
        &self,
        target: &Target,
        number: i64,
        file: &OutgoingFile,
        begun: Option<Part>,
    ) -> Result<Result<String, Failure>, Undelivered> {
        let (at, platform) = (self.posting.at, self.posting.platform);
        let mut cannot_check = false;
        let id = match begun.and_then(|part| part.receipt) {
            // An earlier attempt may have shared it, and that may become visible a little later.
            Some(receipt) => {
                let checked = receipt.strip_suffix(CHECKED).map(str::to_owned);
                let is_second_check = checked.is_some();
                let id = checked.unwrap_or(receipt);
                match platform.is_file_shared(at, &id).await {
                    Ok(true) => return Ok(Ok(id)),
                    Ok(false) if !is_second_check => {
                        self.begin(number, Some(id + CHECKED)).await?;
                        return Err(Undelivered::Wait(SHARE_TIME));
                    }
                    Ok(false) => id,
                    Err(Failure::MissingPermission(_)) => {
                        cannot_check = true;
                        id
                    }
                    Err(failure) => return Ok(Err(failure)),
                }
            }
            None => match platform.upload_file(at, file).await {
                Ok(id) => id,
                Err(failure) => return Ok(Err(failure)),
            },
        };
        self.begin(number, Some(id.clone())).await?;
        let shared = platform.share_file(at, target, &id, &file.name).await;
        if matches!(&shared, Err(failure) if failure.had_no_effect()) {
            // The next attempt does not have to wait for it to become visible.
            self.begin(number, Some(format!("{id}{CHECKED}"))).await?;
        }
        Ok(match shared {
            // Further attempts would share it again and again without seeing it.
            Err(Failure::Ambiguous(why) | Failure::Late(why)) if cannot_check => Err(Failure::Rejected(why)),
            shared => shared.map(|()| id),
        })
    }

    /// None for a part that is done; else what was stored of it, if anything.
    fn unfinished(&mut self, number: i64) -> Option<Option<Part>> {
        match self.stored.remove(&number) {
            Some(part) if part.state == PartState::Done => None,
            begun => Some(begun),
        }
    }

    async fn begin(&self, number: i64, receipt: Option<String>) -> Result<(), Undelivered> {
        self.record(number, PartState::Started, receipt).await
    }

    async fn finish(&self, number: i64, receipt: Option<String>) -> Result<(), Undelivered> {
        self.record(number, PartState::Done, receipt).await
    }

    async fn record(
        &self,
        number: i64,
        state: PartState,
        receipt: Option<String>,
    ) -> Result<(), Undelivered> {
        let Posting {
            chat,
            claim,
            delivery,
            ..
        } = self.posting;
        let deliveries = &chat.services.deliveries;
        Ok(deliveries
            .record_part(claim, delivery.id, number, state, receipt)
            .await?)
    }
}
