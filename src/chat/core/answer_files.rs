//! Files that an answer made, on their way to whoever asked: they follow the answer where the platform shows files,
//! and are had by an address where it does not.

use crate::assistants::model::{Part, Say};
use crate::base::error::{Error, Result};
use crate::chat::core::chat::Chat;
use crate::chat::core::deliver::DeliveryContext;
use crate::chat::core::platform::OutFile;
use crate::files::model::File;
use crate::files::spool::MOST_BYTES;
use crate::sessions::model::Message;

/// Where files of a session are had by whoever is signed in and takes part in it: session, then file.
pub const PATH: &str = "/preview/files";

impl Chat {
    /// The files of an answer: added to what is said, or to follow it.
    pub(super) async fn with_made(
        &self,
        context: &DeliveryContext<'_>,
        turn: &Message,
        mut say: Say,
    ) -> Result<(Say, Vec<OutFile>)> {
        let org = context.claim.org;
        let mut following = Vec::new();
        for file in self.services.files.of_answer(org, turn.id).await? {
            if !context.platform.shows_files() {
                let url = format!(
                    "{}{PATH}/{}/{}",
                    self.services.site.public_url, turn.session_id, file.id
                );
                say = say.with(Part::Link {
                    label: file.name,
                    url,
                });
                continue;
            }
            let Some(bytes) = self.bytes_of(context, &file).await? else {
                continue;
            };
            following.push(OutFile {
                instead: Say::plain(format!(
                    "The file `{}` was made, but could not be shown here.",
                    file.name.replace('`', "'")
                )),
                name: file.name,
                bytes,
            });
        }
        Ok((say, following))
    }

    /// None where they are gone: the rest of the answer matters more.
    async fn bytes_of(&self, context: &DeliveryContext<'_>, file: &File) -> Result<Option<Vec<u8>>> {
        let Some(key) = &file.blob else { return Ok(None) };
        match self.services.blobs.get(context.claim.org, key, MOST_BYTES).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error @ (Error::NotFound(_) | Error::TooLarge { .. })) => {
                tracing::error!(file = %file.id, error = error.chain(), "a file of an answer cannot be read");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}
