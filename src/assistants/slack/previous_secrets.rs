//! Earlier signing secrets. Each is accepted for a day after it was replaced: Slack may still sign with the earlier
//! one during a rotation, and pasting a wrong secret must not break an installation that works.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::base::error::{Error, Result};
use crate::base::secret::Secret;

/// How long a secret is accepted after it was replaced.
pub const OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum number of earlier secrets: every call with a wrong signature is checked against each.
const MAX_SECRETS: usize = 4;

/// The earlier secrets, latest first, each with the end of its acceptance.
#[derive(Clone, Debug, Default)]
pub struct PreviousSecrets(Vec<(Secret, DateTime<Utc>)>);

impl PreviousSecrets {
    /// Those that are still accepted.
    pub fn accepted(&self, now: DateTime<Utc>) -> impl Iterator<Item = &Secret> {
        let fresh = self.0.iter().filter(move |(_, until)| now < *until);
        fresh.map(|(secret, _)| secret)
    }

    /// When the last of them is no longer accepted.
    pub fn until(&self) -> Option<DateTime<Utc>> {
        self.0.iter().map(|(_, until)| *until).max()
    }

    /// Adds `before`, which `current` replaces. The times of the others do not change. Refused if there are too many.
    pub fn push_previous(&mut self, before: Secret, current: &Secret, now: DateTime<Utc>) -> Result<()> {
        self.0
            .retain(|(secret, until)| now < *until && secret != current && *secret != before);
        if self.0.len() >= MAX_SECRETS {
            return Err(Error::invalid(
                "signing-secret",
                format!(
                    "was replaced {MAX_SECRETS} times within a day, and each one before is still accepted. \
                     Retire those first"
                ),
            ));
        }
        self.0.insert(0, (before, now + OVERLAP));
        Ok(())
    }

    /// The text to store. None if there are none.
    pub fn text(&self) -> Result<Option<Secret>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let list = self.0.iter().map(|(secret, until)| (secret.expose(), until));
        let text = serde_json::to_string(&list.collect::<Vec<_>>()).map_err(Error::internal)?;
        Ok(Some(Secret::new(text)))
    }

    /// Reads the stored text. `until` is the time of a single secret, as earlier versions stored it.
    pub fn read(stored: Option<Secret>, until: Option<DateTime<Utc>>) -> Self {
        let Some(stored) = stored else {
            return Self::default();
        };
        let list = serde_json::from_str(stored.expose());
        Self(list.unwrap_or_else(|_| until.map(|until| (stored, until)).into_iter().collect()))
    }
}
