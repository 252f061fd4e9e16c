//! The files of an answer: posted after it where the platform supports files, and linked from it where it does not.

use crate::assistants::model::{Part, Say};
use crate::base::error::{Error, Result};
use crate::chat::core::platform::OutgoingFile;
use crate::chat::core::posting::Posting;
use crate::files::model::File;
use crate::files::spool::UPLOAD_MAX_FILE_BYTES;
use crate::sessions::model::Message;

/// Path of a session's files, for signed-in participants: session, then file.
pub const PATH: &str = "/preview/files";

/// Adds links to the answer's files to `say`, or returns the files to post after it.
pub(super) async fn attach_files(
    posting: &Posting<'_>,
    message: &Message,
    mut say: Say,
) -> Result<(Say, Vec<OutgoingFile>)> {
    let (org, services) = (posting.claim.org, &posting.chat.services);
    let mut following = Vec::new();
    for file in services.files.of_answer(org, message.id).await? {
        if !posting.platform.supports_files() {
            let url = format!(
                "{}{PATH}/{}/{}",
                services.site.public_url, message.session_id, file.id
            );
            say = say.with(Part::Link {
                label: file.name,
                url,
            });
            continue;
        }
        let Some(bytes) = bytes_of(posting, &file).await? else {
            continue;
        };
        following.push(OutgoingFile {
            fallback: Say::plain(format!(
                "The file `{}` was made, but could not be shown here.",
                file.name.replace('`', "'")
            )),
            name: file.name,
            bytes,
        });
    }
    Ok((say, following))
}

/// None where the bytes are gone: the rest of the answer is still sent.
async fn bytes_of(posting: &Posting<'_>, file: &File) -> Result<Option<Vec<u8>>> {
    let Some(key) = &file.blob else { return Ok(None) };
    let blobs = &posting.chat.services.blobs;
    match blobs.get(posting.claim.org, key, UPLOAD_MAX_FILE_BYTES).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error @ (Error::NotFound(_) | Error::TooLarge { .. })) => {
            tracing::error!(file = %file.id, error = error.chain(), "a file of an answer cannot be read");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
