//! What a run may still cost. Pure.

use crate::analysis::engines::model::settings::{Price, Tokens};
use crate::base::money::MicroUsd;

/// Most tokens of one reply, and the fewest with which a call is worth it.
const MOST: u64 = 4_096;
const FEWEST: u64 = 256;

/// The money of one run.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    most: MicroUsd,
    price: Price,
    used: Tokens,
}

impl Budget {
    pub const fn new(most: MicroUsd, price: Price) -> Self {
        Self {
            most,
            price,
            used: Tokens {
                input: 0,
                cached: 0,
                output: 0,
            },
        }
    }

    pub fn spend(&mut self, tokens: Tokens) {
        self.used = self.used.plus(tokens);
    }

    /// The cost so far, at most what the run may cost.
    pub fn cost(&self) -> MicroUsd {
        self.price.of(self.used).min(self.most)
    }

    pub const fn tokens(&self) -> Tokens {
        self.used
    }

    /// The most output of a call with a prompt of this many tokens. None if not even a short answer can be paid.
    pub fn most_output(&self, prompt: usize) -> Option<u64> {
        let left = self.left().saturating_sub(self.cost_of(prompt, 0).0);
        let output = self.price.output;
        let affordable = match u64::try_from(output) {
            Ok(price) if price > 0 => {
                u64::try_from(i128::from(left) * 1_000_000 / i128::from(price)).unwrap_or(0)
            }
            _ if left >= 0 => MOST,
            _ => 0,
        };
        Some(affordable.min(MOST)).filter(|most| *most >= FEWEST)
    }

    /// Whether a call and a last one after it can be paid.
    pub fn affords_two(&self, prompt: usize) -> bool {
        let usual = 4 * FEWEST;
        let two = self
            .cost_of(prompt, usual)
            .0
            .saturating_add(self.cost_of(prompt + 2_000, usual).0);
        two <= self.left()
    }

    fn left(&self) -> i64 {
        self.most.0.saturating_sub(self.price.of(self.used).0)
    }

    fn cost_of(&self, prompt: usize, output: u64) -> MicroUsd {
        self.price.of(Tokens {
            input: u64::try_from(prompt).unwrap_or(u64::MAX),
            cached: 0,
            output,
        })
    }
}
