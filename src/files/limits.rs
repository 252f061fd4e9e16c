//! How much one request may bring along: 10 files of 10 MiB, 25 MiB together. The excess is refused by
//! name, the rest is taken. Knows no file's content.

use crate::files::model::Refusal;

pub const MOST_FILES: usize = 10;
pub const MOST_BYTES: u64 = 10 << 20;
pub const MOST_TOGETHER: u64 = 25 << 20;

/// What is left for the files of one request, taken in their order.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    seen: usize,
    left: u64,
    /// A file did not fit: those after it are not taken either.
    full: bool,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            seen: 0,
            left: MOST_TOGETHER,
            full: false,
        }
    }
}

impl Allowance {
    /// Before the next file is fetched: how many bytes of it may arrive. What is declared is believed
    /// only where it is too much.
    pub fn next(&mut self, declared: Option<u64>) -> Result<u64, Refusal> {
        self.seen += 1;
        if self.seen > MOST_FILES {
            return Err(Refusal::TooMany { most: MOST_FILES });
        }
        if declared.is_some_and(|bytes| bytes > MOST_BYTES) {
            return Err(Refusal::TooLarge { most: MOST_BYTES });
        }
        if self.full || self.left == 0 || declared.is_some_and(|bytes| bytes > self.left) {
            return Err(self.no_room());
        }
        Ok(self.left.min(MOST_BYTES))
    }

    /// What arrived.
    pub fn took(&mut self, bytes: u64) {
        self.left = self.left.saturating_sub(bytes);
    }

    /// More arrived than [`next`](Self::next) allowed.
    pub fn exceeded(&mut self, allowed: u64) -> Refusal {
        if allowed >= MOST_BYTES {
            Refusal::TooLarge { most: MOST_BYTES }
        } else {
            self.no_room()
        }
    }

    fn no_room(&mut self) -> Refusal {
        self.full = true;
        Refusal::NoRoom { most: MOST_TOGETHER }
    }
}
