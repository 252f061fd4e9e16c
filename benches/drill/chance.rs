//! A repeatable random number generator: the same seed gives the same numbers.

/// The xorshift64* algorithm.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
}

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
        }
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number from `least` to `most`, excluding `most`.
    pub fn within(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most - least).max(1)
    }

    pub fn one_in(&mut self, many: u64) -> bool {
        self.within(0, many) == 0
    }

    /// An independent generator, seeded from this one.
    pub fn branch(&mut self) -> Self {
        Self::new(self.next())
    }
}
