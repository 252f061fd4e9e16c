//! Parses a stream of multipart form data: binary parts are written to the spool, the others are fields or, by their
//! name, lists of base64 files. Does not depend on routes.

use std::io::{self, Read, Write as _};
use std::sync::Arc;

use axum::body::Bytes;
use multer::{Constraints, Multipart, SizeLimit};

use crate::api::failure::Failure;
use crate::api::upload::form::Field;
use crate::api::upload::gathering::{Entry, Gathering, List, spool_failed, too_large};
use crate::api::upload::json::Json;
use crate::api::upload::source::{Meter, Place, Source};
use crate::files::spool::{Purpose, UPLOAD_MAX_FILE_BYTES};

/// Reads a whole form.
pub(super) fn read(source: Source, boundary: String, gathering: &mut Gathering) -> Result<(), Failure> {
    let (meter, place) = (source.meter(), source.place());
    // The source has its own limits for the whole body and for each step.
    let limits = Constraints::new().size_limit(SizeLimit::new());
    let mut form = Multipart::with_constraints(source, boundary, limits);
    loop {
        meter.step();
        let part = place.wait(form.next_field());
        let Some(part) = part.map_err(|error| refusal(&meter, &error))? else {
            return Ok(());
        };
        let part = Part {
            name: part.name().unwrap_or_default().to_owned(),
            file_name: part.file_name().map(str::to_owned),
            kind: part.content_type().map(ToString::to_string),
            part,
            piece: Bytes::new(),
            meter: Arc::clone(&meter),
            place: place.clone(),
        };
        part.add_to(gathering)?;
    }
}

/// One part of a form, read piece by piece.
struct Part {
    name: String,
    file_name: Option<String>,
    kind: Option<String>,
    part: multer::Field<'static>,
    piece: Bytes,
    meter: Arc<Meter>,
    place: Place,
}

impl Part {
    fn add_to(mut self, gathering: &mut Gathering) -> Result<(), Failure> {
        let meter = Arc::clone(&self.meter);
        let is_text = self.kind.as_deref().is_none_or(|kind| {
            let kind = kind.to_ascii_lowercase();
            kind.starts_with("text/plain") || kind.starts_with("application/json")
        });
        let in_base64 = self.file_name.is_none() && is_text;
        match self.name.strip_suffix("[]").unwrap_or(&self.name) {
            "" => Ok(()),
            "files" if !in_base64 => self.spool(Purpose::Request, gathering),
            "organisationMemoryFiles" if !in_base64 => self.spool(Purpose::OrganisationMemory, gathering),
            "files" => Json::new(self, meter, gathering).whole_list(List::Files),
            "filesBase64" => Json::new(self, meter, gathering).whole_list(List::FilesBase64),
            "organisationMemoryFiles" => Json::new(self, meter, gathering).whole_list(List::MemoryFiles),
            "organisationMemory" => Json::new(self, meter, gathering).whole_memory(),
            _ if self.is_json() => {
                let name = self.name.clone();
                let value = Json::new(self, meter, gathering).whole_value()?;
                gathering.field(&name, Field::Json(value))
            }
            // A file under an unknown name is ignored, not read as a field.
            _ if self.file_name.is_some() => self.skip(),
            _ => self.text(gathering),
        }
    }

    fn skip(&mut self) -> Result<(), Failure> {
        while self.next()?.is_some() {}
        Ok(())
    }

    fn is_json(&self) -> bool {
        let kind = self.kind.as_deref().unwrap_or_default();
        kind.to_ascii_lowercase().starts_with("application/json")
    }

    fn spool(&mut self, purpose: Purpose, gathering: &mut Gathering) -> Result<(), Failure> {
        gathering.next_part(&self.name)?;
        let (mut file, _) = gathering.file();
        while let Some(piece) = self.next()? {
            if file.bytes() + u64::try_from(piece.len()).unwrap_or(u64::MAX) > UPLOAD_MAX_FILE_BYTES {
                return Err(too_large(&self.name));
            }
            file.write_all(&piece).map_err(spool_failed)?;
        }
        let span = file.end();
        let entry = Entry {
            name: Some(self.file_name.take().unwrap_or_default()),
            declared_type: self.kind.take(),
            span: Some(span),
            fault: None,
        };
        gathering.add_part(purpose, entry);
        Ok(())
    }

    fn text(&mut self, gathering: &mut Gathering) -> Result<(), Failure> {
        let mut text = Vec::new();
        while let Some(piece) = self.next()? {
            // Checked before it is kept: a single text could use the memory of all fields.
            if text.len() + piece.len() > gathering.room() {
                gathering.take(usize::MAX)?;
            }
            text.extend_from_slice(&piece);
        }
        gathering.take(text.len().saturating_add(self.name.len()))?;
        let text =
            String::from_utf8(text).map_err(|_| Failure::field(&self.name, "malformed", "is not UTF-8"))?;
        gathering.text(&self.name, text)
    }

    fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        self.meter.step();
        let piece = self.place.wait(self.part.chunk());
        piece.map_err(|error| refusal(&self.meter, &error))
    }
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.place.wait(self.part.chunk()) {
                Ok(Some(piece)) => self.piece = piece,
                Ok(None) => return Ok(0),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        let most = buffer.len().min(self.piece.len());
        let part = self.piece.split_to(most);
        if let Some(buffer) = buffer.get_mut(..most) {
            buffer.copy_from_slice(&part);
        }
        Ok(most)
    }
}

fn refusal(meter: &Meter, error: &multer::Error) -> Failure {
    meter
        .stopped()
        .unwrap_or_else(|| Failure::field("body", "malformed", format!("is not a form: {error}")))
}
