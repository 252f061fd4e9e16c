//! The service for context notes: creating, changing and deleting them, and who may do so. Search is in `search`.
//!
//! A personal note is visible only to its owner; for everyone else it does not exist. Any member can create an
//! Organization note; its author and admins can change it.

use serde_json::json;

use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{NoteId, OrgId, UserId};
use crate::base::model::Model;
use crate::base::principal::Principal;
use crate::base::text;
use crate::context::model::{
    MAX_BODY_CHARS, MAX_FOLDER_CHARS, MAX_TITLE_CHARS, NewNote, Note, NoteChange, NoteKind, Scope,
};
use crate::context::store;
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::files::service::Files;

/// The service for context notes. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    pub(super) db: Db,
    pub(super) files: Files,
}

impl Context {
    pub fn new(db: Db, files: Files) -> Self {
        Self { db, files }
    }

    /// Creates a note on behalf of `owner`, as the operator's command line does.
    pub async fn create(
        &self,
        actor: Actor,
        org: OrgId,
        owner: UserId,
        kind: NoteKind,
        title: &str,
        body: &str,
    ) -> Result<NoteId> {
        let new = NewNote {
            kind,
            model: None,
            folder: None,
            title: title.to_owned(),
            body: body.to_owned(),
        };
        Ok(self.write(actor, org, owner, new).await?.id)
    }

    async fn write(&self, actor: Actor, org: OrgId, owner: UserId, new: NewNote) -> Result<Note> {
        let new = new.checked()?;
        let written = self.db.write(move |tx| {
            let new = new.clone();
            Box::pin(async move { add_in(tx, actor, org, owner, new).await })
        });
        written.await
    }

    /// A note, if it is visible in the scope.
    pub async fn get(&self, scope: Scope, id: NoteId) -> Result<Note> {
        let note = store::find(self.db.read(), scope.org, id).await?;
        note.filter(|note| scope.sees(note))
            .ok_or(Error::NotFound("note"))
    }

    /// Deletes a note permanently.
    pub async fn delete(&self, principal: &Principal, id: NoteId, model: Option<Model>) -> Result<()> {
        let (context, principal) = (self.clone(), *principal);
        let deleted = self.db.write(move |tx| {
            let context = context.clone();
            Box::pin(async move {
                let note = changeable_in(tx, &principal, id, None, model).await?;
                context.files.leave_note(tx, principal.org, id).await?;
                store::remove(tx, principal.org, id).await?;
                let details = json!({ "kind": note.kind.as_str(), "owner": note.owner_id });
                let actor = Actor::from(&principal);
                audit::add(tx, principal.org, actor, "note.deleted", &id.to_string(), details).await
            })
        });
        deleted.await
    }
}

/// Adds a validated note in the caller's transaction.
pub async fn add_in(tx: &mut Tx, actor: Actor, org: OrgId, owner: UserId, new: NewNote) -> Result<Note> {
    let at = tx.now().await?;
    let note = Note {
        id: NoteId::new(),
        kind: new.kind,
        owner_id: owner,
        model: new.model,
        folder: new.folder,
        title: new.title,
        body: new.body,
        created_at: at,
        updated_at: at,
        updated_by: None,
    };
    store::add(tx, org, &note).await?;
    let details = json!({ "kind": note.kind.as_str(), "owner": note.owner_id });
    audit::add(tx, org, actor, "note.created", &note.id.to_string(), details).await?;
    Ok(note)
}

/// A note that the caller may change, of this kind and in this model's partition if given. Locked until the transaction
/// ends. Fails with `NotFound` if the caller may not see the note, and with `Forbidden` if they may not change it.
pub async fn changeable_in(
    tx: &mut Tx,
    principal: &Principal,
    id: NoteId,
    kind: Option<NoteKind>,
    model: Option<Model>,
) -> Result<Note> {
    let scope = Scope::person(principal.org, principal.user)
        .only(kind)
        .of_model(model);
    let note = store::locked(tx, principal.org, id).await?;
    let note = note
        .filter(|note| scope.sees(note))
        .ok_or(Error::NotFound("note"))?;
    if note.owner_id != principal.user && !principal.role.is_admin() {
        return Err(Error::forbidden(
            "forbidden",
            "An Organization note is changed by its author or by an administrator. Ask one of them.",
        ));
    }
    Ok(note)
}

/// Applies a validated change to a note from [`changeable_in`].
pub async fn change_in(
    tx: &mut Tx,
    principal: &Principal,
    mut note: Note,
    change: NoteChange,
) -> Result<Note> {
    if change.as_of.is_some_and(|known| known != note.updated_at) {
        return Err(Error::Conflict(
            "the note has changed since; read it again and repeat the change",
        ));
    }
    let fields = [
        ("title", change.title.is_some()),
        ("body", change.body.is_some()),
        ("folder", change.folder.is_some()),
    ];
    note.title = change.title.unwrap_or(note.title);
    note.body = change.body.unwrap_or(note.body);
    note.folder = match change.folder {
        Some(folder) => Some(folder).filter(|folder| !folder.is_empty()),
        None => note.folder,
    };
    note.updated_at = tx.now().await?;
    note.updated_by = Some(principal.user);
    store::change(tx, principal.org, &note).await?;
    let fields: Vec<&str> = fields
        .iter()
        .filter(|(_, set)| *set)
        .map(|(name, _)| *name)
        .collect();
    let details = json!({ "kind": note.kind.as_str(), "owner": note.owner_id, "fields": fields });
    let actor = Actor::from(principal);
    audit::add(
        tx,
        principal.org,
        actor,
        "note.changed",
        &note.id.to_string(),
        details,
    )
    .await?;
    Ok(note)
}

impl NewNote {
    /// Validates and normalizes the note.
    pub fn checked(self) -> Result<Self> {
        let folder = self.folder.map(|name| folder(&name)).transpose()?;
        Ok(Self {
            title: text::name("noteTitle", &self.title, MAX_TITLE_CHARS)?,
            body: text::required("noteContext", &self.body, MAX_BODY_CHARS)?,
            folder: folder.filter(|name| !name.is_empty()),
            ..self
        })
    }
}

impl NoteChange {
    pub fn is_empty(&self) -> bool {
        self.title.is_none() && self.body.is_none() && self.folder.is_none()
    }

    /// Validates and normalizes the change.
    pub fn checked(self) -> Result<Self> {
        Ok(Self {
            title: self
                .title
                .map(|title| text::name("noteTitle", &title, MAX_TITLE_CHARS))
                .transpose()?,
            body: self
                .body
                .map(|body| text::required("noteContext", &body, MAX_BODY_CHARS))
                .transpose()?,
            folder: self.folder.map(|name| folder(&name)).transpose()?,
            as_of: self.as_of,
        })
    }
}

/// Validates and normalizes the name of a folder. An empty name means no folder.
pub fn folder(name: &str) -> Result<String> {
    if name.trim().is_empty() {
        return Ok(String::new());
    }
    text::name("folder", name, MAX_FOLDER_CHARS)
}
