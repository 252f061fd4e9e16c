//! Requests ready to be sent, stored in one buffer.

#[derive(Default)]
pub struct Requests {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Requests {
    /// Reserves space for `count` requests of `each` bytes.
    pub fn with_room(count: usize, each: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(count * each),
            ends: Vec::with_capacity(count),
        }
    }

    /// Adds a request. Its head must end with an empty line.
    pub fn add(&mut self, head: &str, body: &[u8]) {
        self.bytes.extend_from_slice(head.as_bytes());
        self.bytes.extend_from_slice(body);
        self.ends.push(self.bytes.len());
    }

    pub fn get(&self, n: usize) -> Option<&[u8]> {
        let start = if n == 0 { 0 } else { *self.ends.get(n - 1)? };
        self.bytes.get(start..*self.ends.get(n)?)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }
}
