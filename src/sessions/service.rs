//! Sessions: open or continue one, add a turn, end it with an answer or a failure.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;

use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, KeyId, MessageId, OrgId, SessionId, UserId};
use crate::base::principal::Principal;
use crate::db::pool::Db;
use crate::db::read_batching::Together;
use crate::db::tx::Tx;
use crate::sessions::entering::{self, Entry};
use crate::sessions::model::{Filter, Message, Place, Session, Status, StoredResponse, Turn, Which};
use crate::sessions::{history, store};

#[derive(Clone)]
pub struct Sessions {
    db: Db,
    /// Programs poll: turns are looked up together.
    lookup: Together<(OrgId, MessageId), Option<Message>>,
}

impl Sessions {
    pub fn new(db: Db) -> Self {
        let reader = db.clone();
        let lookup = Together::start(move |asked: Vec<(OrgId, MessageId)>| {
            let db = reader.clone();
            async move { messages(&db, &asked).await }
        });
        Self { db, lookup }
    }

    /// The session of each turn, in their order; nothing is written. An error of the whole: one depends on
    /// what becomes of another, and they are to be taken one by one.
    pub async fn find_all(&self, tx: &mut Tx, turns: &[(Principal, &Which)]) -> Result<Vec<Result<Entry>>> {
        entering::find(tx, turns).await
    }

    /// Opens those sessions that are not there yet; the people take part in them from then on.
    pub async fn open_all(&self, tx: &mut Tx, entries: &mut [Entry]) -> Result<()> {
        entering::open(tx, entries).await
    }

    /// Adds turns, each with the project key it was asked with.
    pub async fn add_messages(
        &self,
        tx: &mut Tx,
        messages: &[(OrgId, Message, Option<KeyId>)],
    ) -> Result<()> {
        store::add_messages(tx, messages).await
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
        let found = self.lookup.ask((org, id)).await?;
        found.ok_or(Error::NotFound("message"))
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
        let found = self.lookup.ask((principal.org, id)).await?;
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

/// Turns in the order they are asked for: one statement for all of an organization.
async fn messages(db: &Db, asked: &[(OrgId, MessageId)]) -> Result<Vec<Option<Message>>> {
    let mut wanted: BTreeMap<OrgId, Vec<MessageId>> = BTreeMap::new();
    for (org, id) in asked {
        wanted.entry(*org).or_default().push(*id);
    }
    let reading = wanted.iter().map(|(org, ids)| async move {
        let found = store::messages_of(db.read(), *org, ids).await?;
        Ok::<_, Error>(
            found
                .into_iter()
                .map(move |message| ((*org, message.id), message)),
        )
    });
    let found: BTreeMap<(OrgId, MessageId), Message> =
        try_join_all(reading).await?.into_iter().flatten().collect();
    Ok(asked.iter().map(|key| found.get(key).cloned()).collect())
}
