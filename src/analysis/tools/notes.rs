//! The notes tool: bound to the notes that the run may see. Does not depend on an engine or on the question.

use std::fmt;

use crate::base::error::Result;
use crate::context::model::{Note, NoteKind, Scope};
use crate::context::service::Context;

/// A handle on the notes that the run may see.
#[derive(Clone)]
pub struct NotesTool {
    context: Context,
    scope: Scope,
}

impl fmt::Debug for NotesTool {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("NotesTool")
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

impl NotesTool {
    pub fn new(context: Context, scope: Scope) -> Self {
        Self { context, scope }
    }

    /// The best notes for a few words, best first.
    pub async fn search(&self, words: &str, limit: usize) -> Result<Vec<Note>> {
        self.context.relevant(self.scope, words, limit).await
    }

    /// Whether the run may write a note of this kind: a shared run only writes for the organization.
    pub fn may_write(&self, kind: NoteKind) -> bool {
        match kind {
            NoteKind::Personal => self.scope.person.is_some(),
            NoteKind::Organization => self.scope.organization,
        }
    }
}
