//! Sessions: open or continue one, add a turn, end it with an answer or a failure.

use std::collections::BTreeMap;

use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, KeyId, MessageId, OrgId, SessionId, UserId};
use crate::base::principal::Principal;
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::sessions::model::{Audience, Filter, Message, Place, Session, Status, StoredResponse, Turn};
use crate::sessions::{history, store};

#[derive(Clone)]
pub struct Sessions {
    db: Db,
}

/// Which session a turn belongs to.
#[derive(Clone, Debug, Default)]
pub enum Which {
    /// A new private one.
    #[default]
    New,
    /// One the person takes part in.
    Existing(SessionId),
    /// The one of this origin, opened with this audience on its first turn.
    Origin { origin: String, audience: Audience },
}

impl Sessions {
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// Opens or finds the session of a turn; the person takes part in it from then on.
    pub async fn enter(&self, tx: &mut Tx, principal: &Principal, which: &Which) -> Result<Session> {
        let (org, user) = (principal.org, principal.user);
        let session = match which {
            Which::New => {
                let session = Session {
                    id: SessionId::new(),
                    audience: Audience::Private,
                    owner_id: Some(user),
                    created_at: tx.now().await?,
                };
                store::add(tx, org, &session, None).await?;
                return Ok(session);
            }
            Which::Existing(id) => {
                let found = store::taken_part_in(tx.exec(), org, *id, user).await?;
                return found.ok_or(Error::NotFound("session"));
            }
            Which::Origin { origin, audience } => {
                let found = match store::by_origin(tx.exec(), org, origin).await? {
                    Some(found) => Some(found),
                    None => {
                        let session = Session {
                            id: SessionId::new(),
                            audience: *audience,
                            owner_id: (*audience == Audience::Private).then_some(user),
                            created_at: tx.now().await?,
                        };
                        // Another node may have opened it meanwhile.
                        store::add(tx, org, &session, Some(origin)).await?;
                        store::by_origin(tx.exec(), org, origin).await?
                    }
                };
                let found = found.filter(|session| session.audience == *audience && may_enter(session, user));
                found.ok_or(Error::NotFound("session"))?
            }
        };
        // Whose a private session is says who takes part in it.
        if session.audience == Audience::Shared {
            store::join(tx, org, session.id, user).await?;
        }
        Ok(session)
    }

    /// `key`: the project key it was asked with.
    pub async fn add_message(
        &self,
        tx: &mut Tx,
        principal: &Principal,
        message: &Message,
        key: Option<KeyId>,
    ) -> Result<()> {
        store::add_message(tx, principal.org, message, key).await
    }

    /// Ends a turn with its answer. False if it had ended before: then nothing was written.
    pub async fn complete(
        &self,
        tx: &mut Tx,
        org: OrgId,
        id: MessageId,
        response: &StoredResponse,
    ) -> Result<bool> {
        let at = tx.now().await?;
        if !store::end(tx, org, id, Status::Completed, None, at).await? {
            return Ok(false);
        }
        store::add_response(tx, org, id, response, at).await?;
        Ok(true)
    }

    /// Ends a turn with a failure. False if it had ended before.
    pub async fn fail(&self, tx: &mut Tx, org: OrgId, id: MessageId, failure: &str) -> Result<bool> {
        let at = tx.now().await?;
        store::end(tx, org, id, Status::Failed, Some(failure), at).await
    }

    pub async fn message(&self, org: OrgId, id: MessageId) -> Result<Message> {
        store::message(self.db.read(), org, id)
            .await?
            .ok_or(Error::NotFound("message"))
    }

    /// Questions that everyone in a shared conversation read. Those of private sessions are left out:
    /// they are nobody else's, administrators included.
    pub async fn shared_questions(
        &self,
        org: OrgId,
        ids: &[MessageId],
    ) -> Result<BTreeMap<MessageId, String>> {
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let found = store::shared_questions(self.db.read(), org, ids).await?;
        Ok(found.into_iter().collect())
    }

    pub async fn message_of_run(&self, org: OrgId, run: JobId) -> Result<Message> {
        store::message_of_run(self.db.read(), org, run)
            .await?
            .ok_or(Error::NotFound("message"))
    }

    pub async fn response(&self, org: OrgId, id: MessageId) -> Result<Option<StoredResponse>> {
        store::response(self.db.read(), org, id).await
    }

    /// Where a follow-up starts.
    pub async fn earlier_frame(&self, org: OrgId, message: &Message) -> Result<Option<serde_json::Value>> {
        store::last_frame(self.db.read(), org, message).await
    }

    /// Turns under way in the sessions whose origin begins with `origin`, oldest first, at most 100.
    pub async fn processing(&self, org: OrgId, origin: &str) -> Result<Vec<Message>> {
        store::processing(self.db.read(), org, origin, 100).await
    }

    /// A person's own turn.
    pub async fn own_message(&self, principal: &Principal, id: MessageId) -> Result<Message> {
        let found = store::message(self.db.read(), principal.org, id).await?;
        let own = found.filter(|message| message.user_id == principal.user);
        own.ok_or(Error::NotFound("message"))
    }

    /// A person's own turns, newest first, those before `after`.
    pub async fn own_messages(
        &self,
        principal: &Principal,
        filter: &Filter,
        after: Option<Place>,
        most: i64,
    ) -> Result<Vec<Message>> {
        history::of_person(self.db.read(), principal.org, principal.user, filter, after, most).await
    }

    /// A session that the person takes part in.
    pub async fn taken_part_in(&self, principal: &Principal, id: SessionId) -> Result<Session> {
        let found = store::taken_part_in(self.db.read(), principal.org, id, principal.user).await?;
        found.ok_or(Error::NotFound("session"))
    }

    /// The people whose turns are in a session, at most 100.
    pub async fn participants(&self, org: OrgId, session: &Session) -> Result<Vec<UserId>> {
        if let Some(owner) = session.owner_id {
            return Ok(vec![owner]);
        }
        let found = store::participants(self.db.read(), org, session.id, 100).await?;
        Ok(found.into_iter().map(|(user,)| user).collect())
    }

    /// The newest turn of a session.
    pub async fn newest(&self, org: OrgId, session: SessionId) -> Result<Option<Message>> {
        history::newest(self.db.read(), org, session).await
    }

    /// The turns of a session with their answers, in their order, those after `after`; with `ended`, without
    /// those under way. Whether the caller takes part was asked before.
    pub async fn transcript(
        &self,
        org: OrgId,
        session: &Session,
        ended: bool,
        after: Option<Place>,
        most: i64,
    ) -> Result<Vec<Turn>> {
        history::of_session(self.db.read(), org, session.id, ended, after, most).await
    }

    /// The turns of a session, oldest first, at most 200.
    pub async fn messages(&self, org: OrgId, session: SessionId) -> Result<Vec<Message>> {
        store::messages(self.db.read(), org, session, 200).await
    }
}

/// A private session is its owner's; a shared one is open to every member of the organization,
/// because the conversation it stands for decides who speaks.
fn may_enter(session: &Session, user: UserId) -> bool {
    session.audience == Audience::Shared || session.owner_id == Some(user)
}
