//! The service for sessions: opens or continues them, adds turns, and ends turns with an answer or a failure.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::try_join_all;

use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, KeyId, MessageId, OrgId, SessionId, UserId};
use crate::base::principal::Principal;
use crate::db::pool::Db;
use crate::db::read_batching::ReadBatcher;
use crate::db::tx::Tx;
use crate::sessions::history::OfSession;
use crate::sessions::model::{Filter, Message, Place, Session, Status, StoredResponse, Turn, Which};
use crate::sessions::opening::{self, Entry};
use crate::sessions::{history, store};

/// The service for sessions. Cheap to clone.
#[derive(Clone)]
pub struct Sessions {
    db: Db,
    /// Batches lookups of turns, because API clients poll them.
    lookup: ReadBatcher<(OrgId, MessageId), Option<Message>>,
}

impl Sessions {
    pub fn new(db: Db) -> Self {
        let reader = db.clone();
        let lookup = ReadBatcher::start(move |keys: Vec<(OrgId, MessageId)>| {
            let db = reader.clone();
            async move { messages(&db, &keys).await }
        });
        Self { db, lookup }
    }

    /// Finds or plans the session of each turn, in order; writes nothing. If the whole call fails with `NotFound`, one
    /// turn depends on the outcome of another, and the caller has to process them one by one.
    pub async fn find_all(&self, tx: &mut Tx, turns: &[(Principal, &Which)]) -> Result<Vec<Result<Entry>>> {
        opening::find(tx, turns).await
    }

    /// Opens the sessions that do not exist yet and adds the people as participants.
    pub async fn open_all(&self, tx: &mut Tx, entries: &mut [Entry]) -> Result<()> {
        opening::open(tx, entries).await
    }

    /// Adds turns, each with the project key it was requested with.
    pub async fn add_messages(
        &self,
        tx: &mut Tx,
        messages: &[(OrgId, Message, Option<KeyId>)],
    ) -> Result<()> {
        store::add_messages(tx, messages).await
    }

    /// Ends a turn with its answer. Returns false and writes nothing if it has already ended.
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

    /// Ends a turn with a failure. Returns false if it has already ended.
    pub async fn fail(&self, tx: &mut Tx, org: OrgId, id: MessageId, failure: &str) -> Result<bool> {
        let at = tx.now().await?;
        store::end(tx, org, id, Status::Failed, Some(failure), at).await
    }

    pub async fn message(&self, org: OrgId, id: MessageId) -> Result<Message> {
        let found = self.lookup.ask((org, id)).await?;
        found.ok_or(Error::NotFound("message"))
    }

    /// The questions of turns in shared sessions. Questions of private sessions are left out, because nobody but their
    /// owner may read them, administrators included.
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

    /// The frame that a follow-up question builds on.
    pub async fn earlier_frame(&self, org: OrgId, message: &Message) -> Result<Option<serde_json::Value>> {
        store::last_frame(self.db.read(), org, message).await
    }

    /// Sets what a run in progress is doing, in a few words for the person who waits.
    pub async fn set_progress(&self, org: OrgId, message: MessageId, words: &str) -> Result<()> {
        let words: Arc<str> = words.into();
        let written = self.db.write(move |tx| {
            let words = Arc::clone(&words);
            Box::pin(async move { store::set_progress(tx, org, message, &words).await })
        });
        written.await
    }

    /// What a run in progress is doing, if it says.
    pub async fn progress(&self, org: OrgId, message: MessageId) -> Result<Option<String>> {
        store::progress(self.db.read(), org, message).await
    }

    /// The last completed turns before this one that its run may see, newest first: question and stored answer.
    pub async fn earlier_turns(
        &self,
        org: OrgId,
        message: &Message,
        limit: i64,
    ) -> Result<Vec<(String, serde_json::Value)>> {
        store::earlier_turns(self.db.read(), org, message, limit).await
    }

    /// Turns in progress in sessions whose origin starts with `origin`, oldest first, at most 100.
    pub async fn processing(&self, org: OrgId, origin: &str) -> Result<Vec<Message>> {
        store::processing(self.db.read(), org, origin, 100).await
    }

    /// A person's own turn.
    pub async fn own_message(&self, principal: &Principal, id: MessageId) -> Result<Message> {
        let found = self.lookup.ask((principal.org, id)).await?;
        let own = found.filter(|message| message.user_id == principal.user);
        own.ok_or(Error::NotFound("message"))
    }

    /// A person's own turns, newest first, starting after `after`.
    pub async fn own_messages(
        &self,
        principal: &Principal,
        filter: &Filter,
        after: Option<Place>,
        limit: i64,
    ) -> Result<Vec<Message>> {
        history::of_person(
            self.db.read(),
            principal.org,
            principal.user,
            filter,
            after,
            limit,
        )
        .await
    }

    /// A session that the person takes part in.
    pub async fn joined(&self, principal: &Principal, id: SessionId) -> Result<Session> {
        let found = store::joined(self.db.read(), principal.org, id, principal.user).await?;
        found.ok_or(Error::NotFound("session"))
    }

    /// The people who have turns in a session, at most 100.
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

    /// A page of a session: turns with their answers, in order, starting after `after`, and whether there are more. It
    /// has at most `limit` turns, and fewer if they are very long. With `ended`, only turns that have ended. The caller
    /// has checked that the person takes part in the session.
    pub async fn transcript(
        &self,
        org: OrgId,
        session: &Session,
        ended: bool,
        after: Option<Place>,
        limit: usize,
    ) -> Result<(Vec<Turn>, bool)> {
        let of_session = OfSession {
            org,
            session: session.id,
            ended,
            after,
        };
        of_session.page(&self.db, limit).await
    }

    /// The turns of a session, oldest first, at most 200.
    pub async fn messages(&self, org: OrgId, session: SessionId) -> Result<Vec<Message>> {
        store::messages(self.db.read(), org, session, 200).await
    }
}

/// Looks up turns and returns them in the order of `keys`. Needs one statement for each organization.
async fn messages(db: &Db, keys: &[(OrgId, MessageId)]) -> Result<Vec<Option<Message>>> {
    let mut by_org: BTreeMap<OrgId, Vec<MessageId>> = BTreeMap::new();
    for (org, id) in keys {
        by_org.entry(*org).or_default().push(*id);
    }
    let reading = by_org.iter().map(|(org, ids)| async move {
        let found = store::messages_of(db.read(), *org, ids).await?;
        Ok::<_, Error>(
            found
                .into_iter()
                .map(move |message| ((*org, message.id), message)),
        )
    });
    let found: BTreeMap<(OrgId, MessageId), Message> =
        try_join_all(reading).await?.into_iter().flatten().collect();
    Ok(keys.iter().map(|key| found.get(key).cloned()).collect())
}
