//! Files of answers in the preview: a permanent URL that redirects to a short-lived download link.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;

use crate::base::error::Error;
use crate::base::ids::{FileId, SessionId};
use crate::chat::core::answer_files::PATH;
use crate::edge::view::{Fault, see_other};
use crate::edge::visitor::Visitor;
use crate::files::links::Through;
use crate::services::Services;

pub fn router() -> Router<Services> {
    Router::new().route(&format!("{PATH}/{{session}}/{{file}}"), get(read))
}

/// Redirects to the file for participants of the session. For anyone else the file does not exist.
async fn read(
    State(services): State<Services>,
    visitor: Visitor,
    Path((session, file)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let absent = |_| Error::NotFound("file");
    let session: SessionId = session.parse().map_err(absent)?;
    let file: FileId = file.parse().map_err(absent)?;
    let principal = &visitor.principal;
    services.sessions.joined(principal, session).await?;
    services.context.file_in_session(principal, session, file).await?;
    let link = services
        .files
        .links
        .to(principal, file, Through::Session(session))?;
    Ok(see_other(&link))
}
