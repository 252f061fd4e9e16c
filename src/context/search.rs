//! Finds notes by words, in lists and in folders, always within a scope. Also rebuilds outdated index entries.

use crate::base::error::Result;
use crate::base::ids::{NoteId, OrgId};
use crate::context::model::{Folder, Note, NoteKind, Scope};
use crate::context::service::Context;
use crate::context::{index, rank, store, terms};

/// Largest number of notes listed for one folder.
pub const IN_FOLDER: usize = 1000;
/// Notes indexed in one transaction.
const BATCH: i64 = 50;

/// A note that a search found.
#[derive(Clone, Debug)]
pub struct Found {
    pub note: Note,
    /// Comparable only within one search.
    pub score: f64,
}

impl Context {
    /// The best notes for a question within the scope, best first.
    pub async fn relevant(&self, scope: Scope, question: &str, limit: usize) -> Result<Vec<Note>> {
        let found = self.search(scope, question, limit).await?;
        Ok(found.into_iter().map(|found| found.note).collect())
    }

    /// Like [`relevant`](Self::relevant), with scores.
    pub async fn search(&self, scope: Scope, question: &str, limit: usize) -> Result<Vec<Found>> {
        let words = terms::wanted(question);
        let hits = index::hits(&self.db, scope, &words).await?;
        if hits.is_empty() {
            return Ok(Vec::new());
        }
        let rarities = rank::rarities(&hits, words.len());
        let candidates = rank::candidates(&hits, &rarities);
        let candidates = index::candidates(&self.db, scope.org, &candidates, &words).await?;
        let best = rank::best(candidates, &rarities, limit);
        let ids: Vec<NoteId> = best.iter().map(|(id, _)| *id).collect();
        // The index only finds notes; visibility is checked on their rows.
        let mut notes = store::visible(&self.db, scope, &ids).await?;
        let found = best.into_iter().filter_map(|(id, score)| {
            let at = notes.iter().position(|note| note.id == id)?;
            let note = notes.swap_remove(at);
            Some(Found { note, score })
        });
        Ok(found.collect())
    }

    /// Notes of the scope, newest first, starting after `before`.
    pub async fn list(
        &self,
        scope: Scope,
        folder: Option<&str>,
        before: Option<NoteId>,
        limit: i64,
    ) -> Result<Vec<Note>> {
        let filter = store::Filter {
            scope,
            folder,
            before,
            limit,
        };
        store::list(&self.db, &filter).await
    }

    /// Folders of the scope, ordered by kind and name, starting after `after`.
    pub async fn folders(
        &self,
        scope: Scope,
        after: Option<(NoteKind, &str)>,
        limit: i64,
    ) -> Result<Vec<Folder>> {
        let mut folders = Vec::new();
        for (kind, name, total) in store::folders(&self.db, scope, after, limit).await? {
            let limit = i64::try_from(IN_FOLDER).unwrap_or(i64::MAX);
            let notes = store::in_folder(&self.db, scope, kind, &name, limit).await?;
            folders.push(Folder {
                total: usize::try_from(total).unwrap_or(0).max(notes.len()),
                kind,
                name,
                notes,
            });
        }
        Ok(folders)
    }

    /// Indexes notes again whose index entries are missing or outdated, and returns their number. Several nodes may
    /// do this at once.
    pub async fn bring_index_up_to_date(&self) -> Result<usize> {
        let mut done = 0;
        loop {
            let outdated = index::outdated(self.db.read(), BATCH).await?;
            if outdated.is_empty() {
                return Ok(done);
            }
            done += outdated.len();
            self.index(outdated).await?;
        }
    }

    async fn index(&self, notes: Vec<(OrgId, NoteId)>) -> Result<()> {
        let indexed = self.db.write(move |tx| {
            let notes = notes.clone();
            Box::pin(async move {
                for (org, id) in notes {
                    // Read again, because the note may have been changed or deleted since.
                    match store::locked(tx, org, id).await? {
                        Some(note) => index::put(tx, org, &note).await?,
                        None => index::remove(tx, org, id).await?,
                    }
                }
                Ok(())
            })
        });
        indexed.await
    }
}
