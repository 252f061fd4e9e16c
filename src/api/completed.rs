//! The completed response as the API answers it: with the files of its turn, and links to those it made.

use serde::Serialize;
use utoipa::ToSchema;

use crate::analysis::completed::Completed;
use crate::api::files::{FileReference, reference};
use crate::base::error::Result;
use crate::base::ids::{MessageId, SessionId};
use crate::base::principal::Principal;
use crate::files::links::{LIFETIME_S, Through};
use crate::files::model::Part;
use crate::services::Services;

/// An ended turn: what was answered, and what became of its files.
#[derive(Debug, Serialize, ToSchema)]
pub struct Response {
    #[serde(flatten)]
    pub completed: Completed,
    /// What came with the question and what the answer made, each with its verdict.
    pub files: Vec<FileReference>,
}

/// Gives ended turns of sessions that the person takes part in their files, all of them at once.
pub async fn with_files(
    services: &Services,
    principal: &Principal,
    ended: Vec<Completed>,
) -> Result<Vec<Response>> {
    let turns: Vec<MessageId> = ended
        .iter()
        .map(|one| MessageId::from_uuid(one.message_id))
        .collect();
    if turns.is_empty() {
        return Ok(Vec::new());
    }
    let found = services.context.files_of_turns(principal, &turns).await?;
    let mut responses = Vec::with_capacity(ended.len());
    for (id, mut completed) in turns.into_iter().zip(ended) {
        let session = SessionId::from_uuid(completed.session_id);
        let mut files = Vec::new();
        for (message, part, file) in found.iter().filter(|(message, ..)| *message == id) {
            files.push(reference(services, principal, session, *message, *part, file)?);
        }
        for made in &mut completed.answer.attachments {
            let is_made = |(message, part, file): &&(_, _, crate::files::model::File)| {
                *message == id && *part == Part::Answer && made.id == Some(file.id) && file.blob.is_some()
            };
            if let Some((_, _, file)) = found.iter().find(is_made) {
                let link = services
                    .files
                    .links
                    .to(principal, file.id, Through::Session(session))?;
                made.download_url = Some(link);
                made.expires_in_seconds = Some(LIFETIME_S);
            }
        }
        responses.push(Response { completed, files });
    }
    Ok(responses)
}
