//! Decodes a stream of standard base64: skips ASCII whitespace, accepts missing padding, and refuses anything else
//! outside the alphabet. Does not depend on JSON.

use std::io::{self, Read, Write as _};
use std::sync::Arc;

use base64::DecodeError;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::read::DecoderReader;

use crate::api::upload::source::Meter;
use crate::files::spool::{Incoming, UPLOAD_MAX_FILE_BYTES};

/// Strict except for padding: trailing bits must be zero.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Why a text could not be decoded into a file.
#[derive(Debug)]
pub(super) enum Fault {
    /// What is wrong with the text, which was read to its end.
    Text(&'static str),
    TooLarge,
    /// The text did not arrive.
    Source(io::Error),
    /// The spool could not be written.
    Spool(io::Error),
}

/// Decodes all of `text` into `file`, through `buffer`.
pub(super) fn decode(
    text: impl Read,
    file: &mut Incoming<'_>,
    meter: &Arc<Meter>,
    buffer: &mut [u8],
) -> Result<(), Fault> {
    let plain = Plain {
        text,
        meter: Arc::clone(meter),
        start: Vec::with_capacity(PREFIX.len()),
    };
    let mut decoder = DecoderReader::new(plain, &ENGINE);
    loop {
        match decoder.read(buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => {
                let bytes = buffer.get(..read).unwrap_or_default();
                if file.bytes() + u64::try_from(read).unwrap_or(u64::MAX) > UPLOAD_MAX_FILE_BYTES {
                    return Err(Fault::TooLarge);
                }
                file.write_all(bytes).map_err(Fault::Spool)?;
            }
            Err(error) if is_decode_error(&error) => {
                let mut rest = decoder.into_inner();
                let fault = match rest.start.eq_ignore_ascii_case(PREFIX) {
                    true => "begins with data:; send only what follows the comma",
                    false => "is not standard base64",
                };
                while rest.read(buffer).map_err(Fault::Source)? > 0 {}
                return Err(Fault::Text(fault));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Fault::Source(error)),
        }
    }
}

fn is_decode_error(error: &io::Error) -> bool {
    let inner = error.get_ref();
    inner
        .and_then(|inner| inner.downcast_ref::<DecodeError>())
        .is_some()
}

const PREFIX: &[u8] = b"data:";

/// Reads a text without its whitespace.
struct Plain<R> {
    text: R,
    meter: Arc<Meter>,
    start: Vec<u8>,
}

impl<R: Read> Read for Plain<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.meter.step();
            let read = self.text.read(buffer)?;
            if read == 0 {
                return Ok(0);
            }
            let mut kept = 0;
            for at in 0..read {
                let Some(byte) = buffer.get(at).copied().filter(|byte| !byte.is_ascii_whitespace()) else {
                    continue;
                };
                if let Some(place) = buffer.get_mut(kept) {
                    *place = byte;
                    kept += 1;
                }
            }
            let missing = PREFIX.len().saturating_sub(self.start.len());
            self.start.extend(buffer.iter().take(kept.min(missing)));
            if kept > 0 {
                return Ok(kept);
            }
        }
    }
}
