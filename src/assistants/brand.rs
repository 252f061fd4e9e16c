//! How an assistant appears: name, description, colour, tone, greeting, prompts, about text.
//!
//! All that is wrong is named at once, so that a form shows it beside its fields. Knows no platform,
//! but its bounds fit the narrowest.

use serde::{Deserialize, Serialize};

use crate::assistants::model::{Assistant, Prompt};
use crate::base::error::{Error, Result};
use crate::base::text;

pub const NAME: usize = 35;
pub const DESCRIPTION: usize = 140;
pub const GREETING: usize = 1000;
pub const ABOUT: usize = 4000;
/// Most prompts, and the longest title and message of one.
pub const PROMPTS: usize = 4;
pub const PROMPT_TITLE: usize = 75;
pub const PROMPT_MESSAGE: usize = 1000;

/// A calm blue, where no colour was chosen.
pub const COLOUR: &str = "#1f2a44";

/// How answers may be phrased. The first is the usual one.
pub const TONES: [&str; 5] = [
    "professional",
    "friendly",
    "authoritative",
    "consultative",
    "funny",
];

/// What an admin gives, checked or not yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brand {
    pub name: String,
    /// One line on what it is for; empty: the service's own.
    pub description: String,
    /// `#rrggbb`.
    pub colour: String,
    pub tone: String,
    pub greeting: String,
    /// The organization's own words on billing, privacy and the like.
    pub about: String,
    pub prompts: Vec<Prompt>,
}

impl Default for Brand {
    fn default() -> Self {
        let [tone, ..] = TONES;
        Self {
            name: String::new(),
            description: String::new(),
            colour: COLOUR.to_owned(),
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

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub field: &'static str,
    pub why: String,
}

/// Names of the prompts' fields, for errors.
const PROMPT_FIELDS: [&str; PROMPTS] = ["prompt 1", "prompt 2", "prompt 3", "prompt 4"];

impl Brand {
    /// Trimmed and within bounds, or all that is wrong.
    pub fn checked(&self) -> Result<Self, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let mut take = |result: Result<String>| {
            result.unwrap_or_else(|error| {
                if let Error::Invalid { field, why } = error {
                    wrong.push(Wrong { field, why });
                }
                String::new()
            })
        };
        let mut checked = Self {
            name: take(text::name("name", &self.name, NAME)),
            description: take(one_line("description", &self.description, DESCRIPTION)),
            colour: take(colour(&self.colour)),
            tone: take(tone(&self.tone)),
            greeting: take(text::optional("greeting", &self.greeting, GREETING)),
            about: take(text::optional("about", &self.about, ABOUT)),
            prompts: Vec::new(),
        };
        for (n, prompt) in self.prompts.iter().enumerate() {
            let Some(field) = PROMPT_FIELDS.get(n) else {
                take(Err(Error::invalid(
                    "prompts",
                    format!("are {}; at most {PROMPTS} are shown", self.prompts.len()),
                )));
                break;
            };
            // A row that was left empty is no prompt.
            if prompt.title.trim().is_empty() && prompt.message.trim().is_empty() {
                continue;
            }
            checked.prompts.push(Prompt {
                title: take(part(field, "title", &prompt.title, PROMPT_TITLE)),
                message: take(part(field, "message", &prompt.message, PROMPT_MESSAGE)),
            });
        }
        if wrong.is_empty() { Ok(checked) } else { Err(wrong) }
    }

    /// As [`checked`](Self::checked), with the first that is wrong as an error.
    pub(super) fn valid(&self) -> Result<Self> {
        self.checked().map_err(|wrong| {
            let first = wrong.into_iter().next();
            first.map_or(Error::invalid("brand", "is not valid"), |wrong| Error::Invalid {
                field: wrong.field,
                why: wrong.why,
            })
        })
    }
}

impl Brand {
    pub(super) fn put_on(self, assistant: &mut Assistant) {
        assistant.name = self.name;
        assistant.description = self.description;
        assistant.colour = self.colour;
        assistant.tone = self.tone;
        assistant.greeting = self.greeting;
        assistant.about = self.about;
        assistant.prompts.0 = self.prompts;
    }
}

fn one_line(field: &'static str, given: &str, most: usize) -> Result<String> {
    if given.trim().is_empty() {
        return Ok(String::new());
    }
    text::name(field, given, most)
}

/// A prompt's title or message, named in the error.
fn part(field: &'static str, which: &str, given: &str, most: usize) -> Result<String> {
    text::name(field, given, most).map_err(|error| match error {
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
    if digits.len() == 6 && digits.bytes().all(|sign| sign.is_ascii_hexdigit()) {
        Ok(colour)
    } else {
        Err(Error::invalid(
            "colour",
            "must be written #rrggbb, for instance #1f2a44",
        ))
    }
}
