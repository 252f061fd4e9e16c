//! What becomes of a turn, by the rules of a chat. Writes nothing; carrying the decision out is in `turns`.

use crate::accounts::model::Membership;
use crate::analysis::request::QUESTION;
use crate::assistants::model::{
    Assistant, DeliveryKind, Installation, InstallationState, Part, PlaceKind, Say, Turn,
};
use crate::base::error::Result;
use crate::base::principal::Principal;
use crate::base::text;
use crate::chat::core::about::{self, Facts, Topic};
use crate::chat::core::deferred::Deferred;
use crate::chat::core::greeting::is_greeting;
use crate::chat::core::rules::{Account, ConversationRefusal, Denial, Rules, principal_of};
use crate::chat::core::say;
use crate::chat::core::stop::{stop_scope, stoppable, wants_to_stop};
use crate::sessions::model::Message;

/// What becomes of a turn.
pub(super) enum Decision {
    /// Nothing is said: the sender is a bot, or nobody would read a reply.
    Drop(&'static str),
    Say(DeliveryKind, Say),
    LinkPrompt,
    /// Questions in the conversation are not answered. The sender gets the reason, and administrators may be asked to
    /// approve the conversation.
    Refuse(ConversationRefusal),
    /// Running analyses in the conversation are stopped.
    Stop(Principal, Vec<Message>),
    /// The account is unlinked.
    Disconnect(Principal),
    Ask(Principal),
    /// Files without text: each is listed with what became of it.
    FilesOnly(Principal),
}

impl Rules {
    pub(super) async fn decide(
        &self,
        at: &Installation,
        turn: &Turn,
        tries: i64,
    ) -> Result<Decision, Deferred> {
        if at.state != InstallationState::Active {
            // The sender is answered after a reinstall, or told that it took too long.
            return Err(Deferred::UntilReinstalled);
        }
        match self.check_sender(at, &turn.sender, tries).await? {
            None => {}
            Some(Denial::Silent(why)) => return Ok(Decision::Drop(why)),
            Some(Denial::Explained(reason)) => return Ok(Decision::Say(DeliveryKind::Private, reason)),
        }
        let assistants = &self.chat.services.assistants;
        let assistant = assistants.assistant(at.org, at.assistant).await?;
        if turn.place.kind == PlaceKind::Shared
            && let Some(refusal) = self
                .check_conversation(at, &assistant, &turn.place, tries)
                .await?
        {
            return Ok(Decision::Refuse(refusal));
        }
        let member = match self.account(at, &turn.sender).await? {
            Account::Unlinked => return Ok(Decision::LinkPrompt),
            Account::Refused(reason) => return Ok(Decision::Say(DeliveryKind::Private, reason)),
            Account::Member(member) => member,
        };
        Ok(self.decide_for_member(at, &assistant, turn, &member).await?)
    }

    /// Decides for a linked member in a conversation whose questions may be answered.
    async fn decide_for_member(
        &self,
        at: &Installation,
        assistant: &Assistant,
        turn: &Turn,
        member: &Membership,
    ) -> Result<Decision> {
        let principal = principal_of(at, member);
        let question = turn.text.trim();
        if wants_to_disconnect(question) && turn.sender.account.is_none() {
            return Ok(Decision::Disconnect(principal));
        }
        if wants_to_stop(question) {
            let scope = stop_scope(at.id, &turn.place, member.user_id);
            let running = stoppable(&self.chat.services, at, member, &scope).await?;
            return Ok(if running.is_empty() {
                Decision::Say(DeliveryKind::Private, say::nothing_to_stop())
            } else {
                Decision::Stop(principal, running)
            });
        }
        let enclosed = !turn.enclosed.is_empty();
        if question.is_empty() && !enclosed && !turn.files.is_empty() {
            return Ok(Decision::FilesOnly(principal));
        }
        let alone = turn.files.is_empty() && !enclosed;
        if alone && (question.is_empty() || is_greeting(question, &assistant.name)) {
            let greeting = say::greeting(&assistant.name, &assistant.greeting);
            return Ok(Decision::Say(DeliveryKind::Reply, greeting));
        }
        if let Some(topic) = about::topic(question) {
            let facts = Facts {
                assistant: &assistant.name,
                service: &self.chat.services.site.service_name,
                org: &member.org_name,
                account: (&member.name, &member.email),
                own: &assistant.about,
            };
            // Which account a person is connected with concerns only that person.
            let kind = if topic == Topic::Account {
                DeliveryKind::Private
            } else {
                DeliveryKind::Reply
            };
            let mut about = Say::plain(about::text(topic, &facts));
            if !turn.files.is_empty() {
                let names: Vec<&str> = turn.files.iter().map(|file| file.name.as_str()).collect();
                about = about.with(Part::Markdown(say::unused_files(&names)));
            }
            if enclosed {
                about = about.with(Part::Markdown(say::UNUSED_CONTENT.to_owned()));
            }
            return Ok(Decision::Say(kind, about));
        }
        if enclosed && turn.question().chars().count() > QUESTION {
            return Ok(Decision::Say(
                DeliveryKind::Private,
                say::too_much_content(QUESTION),
            ));
        }
        Ok(Decision::Ask(principal))
    }
}

/// Only the exact words: a question about disconnecting utilities is a question.
fn wants_to_disconnect(text: &str) -> bool {
    let words: Vec<String> = text::words(text).take(6).collect();
    let text = words.join(" ");
    [
        "disconnect",
        "unlink",
        "disconnect me",
        "unlink me",
        "disconnect my account",
        "unlink my account",
    ]
    .contains(&text.as_str())
}
