//! Server-sent events: bytes in, the data of each event out. Characters may be split between two pieces.

/// The longest event.
const LONGEST: usize = 1 << 20;

/// Collects pieces of a stream.
#[derive(Debug, Default)]
pub struct Events {
    /// What was received after the last line end.
    line: Vec<u8>,
    /// Data lines of the event that is not over yet.
    data: Vec<u8>,
}

/// An event is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl Events {
    /// The data of the events that end in this piece. Data that is no UTF-8 is none.
    pub fn take(&mut self, piece: &[u8]) -> Result<Vec<String>, TooLong> {
        let mut ended = Vec::new();
        for byte in piece {
            if *byte != b'\n' {
                self.line.push(*byte);
                if self.line.len() + self.data.len() > LONGEST {
                    return Err(TooLong);
                }
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = line.strip_suffix(b"\r").unwrap_or(&line);
            if line.is_empty() {
                ended.extend(self.end());
            } else if let Some(data) = line.strip_prefix(b"data:") {
                if !self.data.is_empty() {
                    self.data.push(b'\n');
                }
                self.data
                    .extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
            }
            // Comments, names and ids of events are not needed.
        }
        Ok(ended)
    }

    /// The data of an event that the end of the stream ends.
    pub fn end(&mut self) -> Option<String> {
        let data = std::mem::take(&mut self.data);
        String::from_utf8(data).ok().filter(|data| !data.is_empty())
    }
}
