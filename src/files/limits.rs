//! Limits for the files of one chat message: 10 files of 10 MiB each, 25 MiB in total. Files beyond the limits are
//! refused, the others are accepted. Does not depend on the content of files.

use crate::files::model::Refusal;

/// Largest number of files.
pub const CHAT_MAX_FILES: usize = 10;
/// Largest size of one file.
pub const CHAT_MAX_FILE_BYTES: u64 = 10 << 20;
/// Largest total size.
pub const CHAT_MAX_TOTAL_BYTES: u64 = 25 << 20;

/// Tracks how much of the limits is left while files are received in order.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    seen: usize,
    left: u64,
    /// A file exceeded the total size; all files after it are refused too.
    full: bool,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            seen: 0,
            left: CHAT_MAX_TOTAL_BYTES,
            full: false,
        }
    }
}

impl Allowance {
    /// The number of bytes that the next file may have. Call this before fetching it. The declared size can only lead
    /// to a refusal; otherwise it is not trusted.
    pub fn next(&mut self, declared: Option<u64>) -> Result<u64, Refusal> {
        self.seen += 1;
        if self.seen > CHAT_MAX_FILES {
            return Err(Refusal::TooMany { most: CHAT_MAX_FILES });
        }
        if declared.is_some_and(|bytes| bytes > CHAT_MAX_FILE_BYTES) {
            return Err(Refusal::TooLarge {
                most: CHAT_MAX_FILE_BYTES,
            });
        }
        if self.full || self.left == 0 || declared.is_some_and(|bytes| bytes > self.left) {
            return Err(self.no_room());
        }
        Ok(self.left.min(CHAT_MAX_FILE_BYTES))
    }

    /// Records the size of a received file.
    pub fn took(&mut self, bytes: u64) {
        self.left = self.left.saturating_sub(bytes);
    }

    /// The refusal for a file that was larger than [`next`](Self::next) allowed.
    pub fn exceeded(&mut self, allowed: u64) -> Refusal {
        if allowed >= CHAT_MAX_FILE_BYTES {
            Refusal::TooLarge {
                most: CHAT_MAX_FILE_BYTES,
            }
        } else {
            self.no_room()
        }
    }

    fn no_room(&mut self) -> Refusal {
        self.full = true;
        Refusal::NoRoom {
            most: CHAT_MAX_TOTAL_BYTES,
        }
    }
}
