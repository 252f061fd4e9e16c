//! A question as a caller sends it, with everything it names still unauthorized: resolves what it names, stores its
//! files, admits the run and, on request, waits for the answer. Does not depend on a transport.

use std::time::Duration;

use crate::analysis::completed::Completed;
use crate::analysis::request::{Admitted, QuestionFiles, RunRequest};
use crate::analysis::selection::SelectionRequest;
use crate::analysis::service::Analysis;
use crate::base::error::Result;
use crate::base::ids::{FileId, JobId, SessionId};
use crate::base::model::Model;
use crate::base::principal::Principal;
use crate::files::model::{Audience, File};
use crate::files::spool::Upload;
use crate::keys::model::KeyUse;
use crate::queue::job::Asker;
use crate::sessions::model::Which;

/// A request for a run.
#[derive(Debug, Default)]
pub struct Submission {
    pub question: String,
    /// The session to continue; none opens a new private one.
    pub session: Option<SessionId>,
    pub organisation_safe: bool,
    pub fast: bool,
    pub selection: SelectionRequest,
    /// New files of the question.
    pub uploads: Vec<Upload>,
    /// Files of earlier requests that the question names.
    pub earlier_files: Vec<FileId>,
    /// How long to wait for the answer at most; none does not wait.
    pub wait: Option<Duration>,
    /// The project key that pays.
    pub key: Option<KeyUse>,
}

/// What became of a submission that was admitted.
#[derive(Debug)]
pub enum Submitted {
    /// Admitted without waiting for the answer.
    Accepted(Admitted),
    /// The run did not end within the wait; it goes on.
    StillRunning(Admitted),
    /// The run ended, completed or failed.
    Ended(Box<Completed>),
}

impl Analysis {
    /// Admits a run. Waits for its answer only if it can be ready soon: without uploads and without a backlog.
    pub async fn submit(&self, principal: &Principal, submission: Submission) -> Result<Submitted> {
        let Submission {
            question,
            session,
            organisation_safe,
            fast,
            selection,
            uploads,
            earlier_files,
            wait,
            key,
        } = submission;
        let resolved = self.selections.resolve(principal, &selection).await?;
        let mut files = self
            .store_files(principal, resolved.selection.model, &uploads, &earlier_files)
            .await?;
        let is_new = |file: &File| files.earlier.iter().all(|known| known.id != file.id);
        let attached: Vec<File> = resolved.attachments.into_iter().filter(is_new).collect();
        files.earlier.extend(attached);
        let wait = match wait {
            Some(most) if uploads.is_empty() => {
                let asker = Asker::new(principal, key.map(|key| key.id));
                let has_backlog = self.has_backlog(principal.org, asker, session).await?;
                (!has_backlog).then_some(most)
            }
            _ => None,
        };
        let request = RunRequest {
            question,
            session: session.map_or(Which::New, Which::Existing),
            organisation_safe,
            tone: resolved.tone,
            fast,
            selection: resolved.selection,
            files,
            key,
            ..RunRequest::default()
        };
        let admitted = self.admit(principal, request, None).await?;
        let Some(most) = wait else {
            return Ok(Submitted::Accepted(admitted));
        };
        let Some(message) = self.wait(principal.org, admitted.message, most).await? else {
            return Ok(Submitted::StillRunning(admitted));
        };
        let completed = self.completed(principal.org, &message).await?;
        Ok(Submitted::Ended(Box::new(completed)))
    }

    /// Stores the uploads of a question and finds the earlier files that it names.
    async fn store_files(
        &self,
        principal: &Principal,
        model: Option<Model>,
        uploads: &[Upload],
        earlier: &[FileId],
    ) -> Result<QuestionFiles> {
        // Before bytes are stored: a request that names a wrong file must leave nothing behind.
        let earlier = self.selections.earlier(principal, model, earlier).await?;
        let origin = format!("request/{}", JobId::new());
        // Admission decides who else may see them.
        let new = self
            .files
            .keep(principal, &origin, Audience::Private, uploads)
            .await?;
        Ok(QuestionFiles { new, earlier })
    }
}
