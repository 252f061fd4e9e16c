//! Attachments of questions on the command line, stored like those of any other question.

use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::ids::JobId;
use crate::base::principal::Principal;
use crate::files::model::{Accepted, Audience, File};
use crate::files::service::{Arrival, Files};
use crate::files::spool::{Content, UPLOAD_MAX_FILES, clean_name};

/// A file with its name and bytes.
pub(super) struct Attached {
    pub(super) name: String,
    pub(super) declared_type: Option<String>,
    pub(super) bytes: Vec<u8>,
}

/// Reads files from disk.
pub(super) fn read(paths: &[impl AsRef<Path>]) -> Result<Vec<Attached>> {
    paths
        .iter()
        .map(|path| {
            let path = path.as_ref();
            let bytes = std::fs::read(path)
                .map_err(|error| Error::invalid("attach", format!("{}: {error}", path.display())))?;
            Ok(Attached {
                name: clean_name(&path.to_string_lossy()),
                declared_type: None,
                bytes,
            })
        })
        .collect()
}

/// Stores their bytes. Their rows are written with the run.
pub(super) async fn keep(files: &Files, principal: &Principal, attached: Vec<Attached>) -> Result<Vec<File>> {
    if attached.len() > UPLOAD_MAX_FILES {
        return Err(Error::invalid(
            "attach",
            format!("a question may have at most {UPLOAD_MAX_FILES} files"),
        ));
    }
    let origin = format!("command/{}", JobId::new());
    let mut kept = Vec::with_capacity(attached.len());
    for (position, file) in attached.into_iter().enumerate() {
        let arrival = Arrival {
            origin: origin.clone(),
            position,
            owner: principal.user,
            audience: Audience::Private,
            name: file.name,
            declared_type: file.declared_type,
            content: Ok(Content::from(file.bytes)),
            taken: Accepted::All,
        };
        kept.push(files.receive(principal.org, arrival).await?);
    }
    Ok(kept)
}
