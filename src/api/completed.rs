//! The completed response of the API: with the files of its turn, and download URLs for generated ones.

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

/// Adds their files to ended turns, all in one query. The person must take part in the sessions.
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
        for attachment in &mut completed.answer.attachments {
            let is_it = |(message, part, file): &&(_, _, crate::files::model::File)| {
                *message == id
                    && *part == Part::Answer
                    && attachment.id == Some(file.id)
                    && file.blob.is_some()
            };
            if let Some((_, _, file)) = found.iter().find(is_it) {
                let link = services
                    .files
                    .links
                    .to(principal, file.id, Through::Session(session))?;
                attachment.download_url = Some(link);
                attachment.expires_in_seconds = Some(LIFETIME_S);
            }
        }
        responses.push(Response { completed, files });
    }
    Ok(responses)
}
