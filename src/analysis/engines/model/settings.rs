//! What the operator set for language models.

use std::time::Duration;

use crate::base::model::Model;
use crate::base::money::MicroUsd;
use crate::base::safe_markdown::hosts::LinkHosts;
use crate::base::secret::Secret;

/// Settings of the language models; there are none without a configured model.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// A provider of the client library: `openai`, `anthropic` …
    pub provider: String,
    /// The base URL with its version; absent: the provider's own.
    pub url: Option<String>,
    pub key: Secret,
    /// The model that answers `svc-pro`.
    pub name: String,
    /// The model that answers `svc-fast`; absent: the same.
    pub fast_name: Option<String>,
    pub price: Price,
    pub fast_price: Price,
    /// The most that one run may cost, with the price of the run.
    pub run_cap: MicroUsd,
    /// What the owner of sandbox keys, or an organization on trial, may spend on models in a month.
    pub trial_cap: MicroUsd,
    /// Hosts to which an answer may link, next to our own.
    pub links: LinkHosts,
    pub limits: Limits,
}

impl ModelSettings {
    /// The name at the provider and the price of a built-in model.
    pub fn of(&self, model: Model) -> (&str, Price) {
        match (model, &self.fast_name) {
            (Model::Fast, Some(fast)) => (fast, self.fast_price),
            _ => (&self.name, self.price),
        }
    }
}

/// Hard limits of one run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Calls to the model; the last one is made without tools.
    pub steps: u32,
    /// The longest silence within one call.
    pub silence: Duration,
    /// All calls of the run together.
    pub run: Duration,
    /// Tokens of one prompt, estimated.
    pub context: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 12,
            silence: Duration::from_secs(60),
            run: Duration::from_secs(180),
            context: 32_000,
        }
    }
}

/// Micro-dollars for a million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    pub input: i64,
    pub output: i64,
    /// Input that the provider had cached.
    pub cached: i64,
}

/// Tokens of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// With the cached ones.
    pub input: u64,
    pub cached: u64,
    pub output: u64,
}

impl Tokens {
    pub const fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            output: self.output.saturating_add(other.output),
        }
    }
}

impl Price {
    /// What tokens cost, rounded down.
    pub fn of(self, tokens: Tokens) -> MicroUsd {
        let part = |count: u64, price: i64| i128::from(count) * i128::from(price);
        let cached = tokens.cached.min(tokens.input);
        let sum = part(tokens.input - cached, self.input)
            + part(cached, self.cached)
            + part(tokens.output, self.output);
        MicroUsd(i64::try_from(sum / 1_000_000).unwrap_or(i64::MAX))
    }
}
