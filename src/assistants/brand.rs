//! The brand of an assistant: name, description, colour, tone, greeting, prompts, about text.
//!
//! A check reports all invalid fields at once, so that a form can show each error next to its field. Does not depend
//! on a platform, but the limits are those of the strictest one.

use serde::{Deserialize, Serialize};

use crate::assistants::model::{Assistant, Prompt};
use crate::base::error::{Error, Result};
use crate::base::text;

/// Maximum lengths in characters.
pub const MAX_NAME: usize = 35;
pub const MAX_DESCRIPTION: usize = 140;
pub const MAX_GREETING: usize = 1000;
pub const MAX_ABOUT: usize = 4000;
pub const MAX_PROMPT_TITLE: usize = 75;
pub const MAX_PROMPT_MESSAGE: usize = 1000;
/// Maximum number of prompts.
pub const MAX_PROMPTS: usize = 4;

pub const DEFAULT_COLOUR: &str = "#1f2a44";

/// The tones of answers. The first is the default.
pub const TONES: [&str; 5] = [
    "professional",
    "friendly",
    "authoritative",
    "consultative",
    "funny",
];

/// How an assistant appears, as entered by an admin. May be unchecked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brand {
    pub name: String,
    /// One line on what it is for. If empty, the service's own text is used.
    pub description: String,
    /// As `#rrggbb`.
    pub colour: String,
    pub tone: String,
    pub greeting: String,
    /// The organization's own text on billing, privacy and the like.
    pub about: String,
    pub prompts: Vec<Prompt>,
}

impl Default for Brand {
    fn default() -> Self {
        let [tone, ..] = TONES;
        Self {
            name: String::new(),
            description: String::new(),
            colour: DEFAULT_COLOUR.to_owned(),
            tone: tone.to_owned(),
            greeting: String::new(),
            about: String::new(),
            prompts: Vec::new(),
        }
    }
}

impl From<&Assistant> for Brand {
    fn from(assistant: &Assistant) -> Self {
        Self {
            name: assistant.name.clone(),
            description: assistant.description.clone(),
            colour: assistant.colour.clone(),
            tone: assistant.tone.clone(),
            greeting: assistant.greeting.clone(),
            about: assistant.about.clone(),
            prompts: assistant.prompts.0.clone(),
        }
    }
}

/// A field with an invalid value, and why it is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidField {
    pub field: &'static str,
    pub why: String,
}

/// The names of the prompts in errors.
const PROMPT_FIELDS: [&str; MAX_PROMPTS] = ["prompt 1", "prompt 2", "prompt 3", "prompt 4"];

impl Brand {
    /// Trims and checks all fields. Fails with every invalid field.
    pub fn checked(&self) -> Result<Self, Vec<InvalidField>> {
        let mut invalid = Vec::new();
        let mut take = |result: Result<String>| {
            result.unwrap_or_else(|error| {
                if let Error::Invalid { field, why } = error {
                    invalid.push(InvalidField { field, why });
                }
                String::new()
            })
        };
        let mut checked = Self {
            name: take(text::name("name", &self.name, MAX_NAME)),
            description: take(one_line("description", &self.description, MAX_DESCRIPTION)),
            colour: take(colour(&self.colour)),
            tone: take(tone(&self.tone)),
            greeting: take(text::optional("greeting", &self.greeting, MAX_GREETING)),
            about: take(text::optional("about", &self.about, MAX_ABOUT)),
            prompts: Vec::new(),
        };
        for (n, prompt) in self.prompts.iter().enumerate() {
            let Some(field) = PROMPT_FIELDS.get(n) else {
                take(Err(Error::invalid(
                    "prompts",
                    format!(
                        "has {} entries; at most {MAX_PROMPTS} are shown",
                        self.prompts.len()
                    ),
                )));
                break;
            };
            // Skip a row of the form that was left empty.
            if prompt.title.trim().is_empty() && prompt.message.trim().is_empty() {
                continue;
            }
            checked.prompts.push(Prompt {
                title: take(part(field, "title", &prompt.title, MAX_PROMPT_TITLE)),
                message: take(part(field, "message", &prompt.message, MAX_PROMPT_MESSAGE)),
            });
        }
        if invalid.is_empty() {
            Ok(checked)
        } else {
            Err(invalid)
        }
    }

    /// As [`checked`](Self::checked), but fails with the first invalid field only.
    pub(super) fn validate(&self) -> Result<Self> {
        self.checked().map_err(|invalid| {
            let first = invalid.into_iter().next();
            first.map_or(Error::invalid("brand", "is not valid"), |invalid| {
                Error::Invalid {
                    field: invalid.field,
                    why: invalid.why,
                }
            })
        })
    }

    /// Sets the fields of an assistant.
    pub(super) fn apply_to(self, assistant: &mut Assistant) {
        assistant.name = self.name;
        assistant.description = self.description;
        assistant.colour = self.colour;
        assistant.tone = self.tone;
        assistant.greeting = self.greeting;
        assistant.about = self.about;
        assistant.prompts.0 = self.prompts;
    }
}

/// An optional text of one line.
fn one_line(field: &'static str, given: &str, max: usize) -> Result<String> {
    if given.trim().is_empty() {
        return Ok(String::new());
    }
    text::name(field, given, max)
}

/// The title or message of a prompt. `which` names it in the error.
fn part(field: &'static str, which: &str, given: &str, max: usize) -> Result<String> {
    text::name(field, given, max).map_err(|error| match error {
        Error::Invalid { field, why } => Error::Invalid {
            field,
            why: format!("{which} {why}"),
        },
        error => error,
    })
}

fn tone(given: &str) -> Result<String> {
    let given = given.trim().to_lowercase();
    if TONES.contains(&given.as_str()) {
        Ok(given)
    } else {
        Err(Error::invalid(
            "tone",
            format!("must be one of {}", TONES.join(", ")),
        ))
    }
}

fn colour(given: &str) -> Result<String> {
    let colour = given.trim().to_lowercase();
    let digits = colour.strip_prefix('#').unwrap_or_default();
    if digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        Ok(colour)
    } else {
        Err(Error::invalid(
            "colour",
            "must be written #rrggbb, for instance #1f2a44",
        ))
    }
}
