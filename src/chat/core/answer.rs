//! Delivering an answer: a placeholder first, then an update that may be repeated. At worst a second placeholder
//! appears, never a second answer.

use crate::analysis::completed::failure_text;
use crate::analysis::service::Stop;
use crate::assistants::model::{Act, Button, DeliveryState, Part, PlaceKind, Say, Style};
use crate::base::error::Result;
use crate::chat::core::answer_files::attach_files;
use crate::chat::core::files::files_origin;
use crate::chat::core::parts::Parts;
use crate::chat::core::platform::{Failure, OutgoingFile};
use crate::chat::core::posting::{Posting, Undelivered};
use crate::chat::core::progress;
use crate::chat::core::say;
use crate::sessions::model::{Message, Status};

impl Posting<'_> {
    pub(super) async fn send_answer(&self) -> Result<(), Undelivered> {
        let Some(message) = self.delivery.message else {
            return Err(Undelivered::Never("no_message".to_owned()));
        };
        let services = &self.chat.services;
        let message = services.sessions.message(self.claim.org, message).await?;
        // Nobody waits for the answer to a deleted question, unless its placeholder was already posted.
        let withdrawn = message.failure.as_deref() == Some(Stop::Withdrawn.code());
        if withdrawn && self.delivery.state == DeliveryState::Pending {
            return Ok(());
        }
        let outcome = match self.compose(&message).await {
            Ok(say) => {
                let (say, files) = attach_files(self, &message, say).await?;
                self.replace_placeholder(&say, files).await
            }
            Err(undelivered) => Err(undelivered),
        };
        if matches!(outcome, Ok(()) | Err(Undelivered::Never(_))) {
            progress::remove_after(self.chat, self.at, &self.delivery.target, &message);
        }
        outcome
    }

    /// The text of the answer, or of the reason why there is none.
    async fn compose(&self, message: &Message) -> Result<Say, Undelivered> {
        let (org, services) = (self.claim.org, &self.chat.services);
        if message.status == Status::Failed {
            return Ok(say::failed(failure_text(message.failure.as_deref())));
        }
        let Some(answer) = services.analysis.answer_of(org, message.id).await? else {
            return Err(Undelivered::Never("no_response".to_owned()));
        };
        let files = match self.delivery.inbox {
            Some(inbox) => services.files.of_origin(org, &files_origin(inbox)).await?,
            None => Vec::new(),
        };
        let say = say::answer(&answer, &files);
        // A clarifying question is not an answer yet.
        if answer.success {
            return Ok(self.with_buttons(say).await?);
        }
        Ok(say)
    }

    /// Adds the buttons of a finished answer.
    async fn with_buttons(&self, mut say: Say) -> Result<Say> {
        let (at, delivery) = (self.at, self.delivery);
        let assistants = &self.chat.services.assistants;
        if delivery.target.place.kind == PlaceKind::Direct
            && assistants.assistant(at.org, at.assistant).await?.shared_enabled
        {
            let share = Button {
                label: "Share to a channel…".to_owned(),
                act: Act::Share {
                    delivery: delivery.id,
                },
                style: Style::Plain,
            };
            say = say.with(Part::Buttons(vec![share]));
        }
        Ok(say.with(Part::Feedback(delivery.id)))
    }

    /// Posts a placeholder if there is none, replaces it by the answer, and posts what does not fit into one message.
    /// Where the placeholder cannot be replaced, the answer is a post of its own, once.
    async fn replace_placeholder(&self, say: &Say, files: Vec<OutgoingFile>) -> Result<(), Undelivered> {
        let mut placeholder = match self.ensure_placeholder(false).await {
            Ok(placeholder) => placeholder,
            Err(Undelivered::Never(why)) => return self.fall_back_to_ephemeral(say, why).await,
            Err(undelivered) => return Err(undelivered),
        };
        let mut pages = self.platform.paginate(say);
        pages.files.extend(files);
        // The approval ended after the placeholder was posted, or before the answer is sent again.
        if self.approval_ended(&placeholder.target).await? {
            let mut parts = Parts::load(self).await?;
            if parts.has_begun() {
                // The first message is in the conversation; the rest goes to the direct conversation.
                return parts.post_rest(&placeholder.target, &pages).await;
            }
            placeholder = match self.move_to_direct(&placeholder).await {
                Ok(moved) => moved,
                Err(Undelivered::Never(why)) => return self.fall_back_to_ephemeral(say, why).await,
                Err(undelivered) => return Err(undelivered),
            };
        }
        let first = pages.messages.first().unwrap_or(say);
        let shown = match placeholder.obstacle {
            Some(obstacle) => self.with_reason(obstacle, first).await?,
            None => first.clone(),
        };
        let target = &placeholder.target;
        match self.update(target, &placeholder.receipt, &shown).await {
            Ok(()) => {}
            Err(Failure::Gone(why)) => {
                tracing::info!(delivery = %self.delivery.id, why, "the placeholder is gone");
                let mut parts = Parts::load(self).await?;
                parts.replace_deleted_placeholder(target, &shown).await?;
            }
            Err(Failure::NotEditable(why) | Failure::Rejected(why)) => {
                tracing::info!(
                    delivery = %self.delivery.id, why,
                    "the placeholder cannot be edited; the answer is posted after it"
                );
                let mut parts = Parts::load(self).await?;
                parts.post_after_placeholder(target, &shown).await?;
                self.retract(&placeholder).await?;
            }
            Err(failure) if failure.obstacle().is_some() => {
                let parts = Parts::load(self).await?;
                parts.send_direct_instead(first, failure).await?;
                self.retract(&placeholder).await?;
            }
            Err(failure) => return Err(self.handle_failure(failure).await?),
        }
        if pages.messages.len() < 2 && pages.files.is_empty() {
            return Ok(());
        }
        Parts::load(self).await?.post_rest(target, &pages).await
    }
}
