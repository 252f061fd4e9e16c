//! Makes of an engine's draft what is stored: the answer with its sources, and the notes that the person asked to keep.

use chrono::NaiveTime;
use serde_json::json;

use crate::analysis::answer::{Answer, Attachment, Audience, Source, SourceKind};
use crate::analysis::engine::{Brief, Draft, KeptNote};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::Result;
use crate::base::ids::{OrgId, UserId};
use crate::base::model::Model;
use crate::base::principal::Face;
use crate::context::model::NewNote;
use crate::context::service::add_in;
use crate::db::tx::Tx;
use crate::files::model::File;

/// The answer. Sources are what the draft used of the brief.
pub(super) fn answer(draft: Draft, brief: &Brief, organisation_safe: bool, generated: &[File]) -> Answer {
    let used = brief
        .notes
        .iter()
        .chain(&draft.found_notes)
        .filter(|note| draft.used_notes.contains(&note.id))
        .map(|note| Source {
            kind: note.kind,
            id: Some(note.id.uuid()),
            name: None,
            title: note.title.clone(),
            as_of: note.updated_at,
        });
    let read = brief
        .files
        .iter()
        .filter(|file| draft.used_files.contains(&file.id))
        .map(|file| Source {
            kind: file.kind,
            id: Some(file.id.uuid()),
            name: None,
            title: file.name.clone(),
            as_of: file.as_of,
        });
    let models = draft.used_models.iter().map(|model| Source {
        kind: SourceKind::DataModel,
        id: None,
        name: Some(model.name.to_owned()),
        title: model.title.to_owned(),
        as_of: model.as_of.and_time(NaiveTime::MIN).and_utc(),
    });
    let sources: Vec<Source> = used.chain(read).chain(models).collect();
    let count =
        |kind| u32::try_from(sources.iter().filter(|source| source.kind == kind).count()).unwrap_or(u32::MAX);
    let audience = Audience {
        organisation_safe,
        personal_notes: count(SourceKind::PersonalNote),
        organization_notes: count(SourceKind::OrganizationNote),
        personal_files: count(SourceKind::PersonalFile),
        organization_files: count(SourceKind::OrganizationFile),
    };
    Answer {
        quick_reply: draft.quick_reply,
        summary: draft.summary,
        result: draft.result,
        reasoning: draft.reasoning,
        success: draft.success,
        attachments: generated
            .iter()
            .map(|file| Attachment {
                id: Some(file.id),
                filename: file.name.clone(),
                content_type: file.declared_type.clone().unwrap_or_default(),
                bytes: file.bytes,
                download_url: None,
                expires_in_seconds: None,
            })
            .collect(),
        figures: draft.figures,
        sources,
        warnings: draft.warnings,
        missing: draft.missing,
        audience,
        model: None,
    }
}

/// Writes a note that the person asked to keep, with the words of the request in the audit log.
pub(super) async fn keep_note(
    tx: &mut Tx,
    org: OrgId,
    owner: UserId,
    model: Model,
    note: &KeptNote,
) -> Result<()> {
    let new = NewNote {
        kind: note.kind,
        model: Some(model),
        folder: None,
        title: note.title.clone(),
        body: note.body.clone(),
    };
    let actor = Actor {
        user: Some(owner),
        face: Face::System,
    };
    let kept = add_in(tx, actor, org, owner, new.checked()?).await?;
    let details = json!({ "userRequest": note.user_request });
    audit::add(
        tx,
        org,
        actor,
        "note.kept_on_request",
        &kept.id.to_string(),
        details,
    )
    .await
}
