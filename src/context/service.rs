//! Context: write a note, find the notes that matter to a question.

use serde_json::json;

use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{NoteId, OrgId, UserId};
use crate::base::text;
use crate::context::model::{Note, NoteKind, Scope};
use crate::context::{rank, store};
use crate::db::pool::Db;

/// Longest title and body, in characters.
const TITLE: usize = 200;
const BODY: usize = 100_000;

#[derive(Clone)]
pub struct Context {
    db: Db,
}

impl Context {
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    pub async fn create(
        &self,
        actor: Actor,
        org: OrgId,
        owner: UserId,
        kind: NoteKind,
        title: &str,
        body: &str,
    ) -> Result<NoteId> {
        let note = Note {
            id: NoteId::new(),
            kind,
            owner_id: owner,
            title: text::name("title", title, TITLE)?,
            body: text::required("body", body, BODY)?,
            updated_at: self.db.clock().now(),
        };
        let id = note.id;
        let written = self.db.write(move |tx| {
            let note = note.clone();
            Box::pin(async move {
                store::add(tx, org, &note).await?;
                let details = json!({ "kind": note.kind.as_str(), "owner": note.owner_id });
                audit::add(tx, org, actor, "note.created", &note.id.to_string(), details).await
            })
        });
        written.await.map(|()| id)
    }

    /// The best notes for a question within the scope, best first.
    pub async fn relevant(&self, scope: Scope, question: &str, most: usize) -> Result<Vec<Note>> {
        let words = rank::search_words(question);
        let candidates = store::matching(&self.db, scope, &words).await?;
        Ok(rank::best(candidates, &words, most))
    }

    /// A note the scope may see.
    pub async fn get(&self, scope: Scope, id: NoteId) -> Result<Note> {
        let note = store::find(&self.db, scope.org, id).await?;
        let seen =
            note.filter(|note| note.kind == NoteKind::Organization || scope.person == Some(note.owner_id));
        seen.ok_or(Error::NotFound("note"))
    }
}
