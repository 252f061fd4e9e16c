//! Whether a message is only a greeting, which the assistant answers with its own. Does not depend on a platform.

use tables::letters::composed;

/// Words of a greeting, and words that go with them.
const GREETINGS: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "hiya",
    "howdy",
    "greetings",
    "morning",
    "evening",
    "afternoon",
];
const FILLERS: &[&str] = &[
    "good", "day", "there", "all", "everyone", "team", "to", "you", "again", "dear",
];

/// Longest greeting in words, without the assistant's name.
const MAX_WORDS: usize = 4;

/// True for "hello", "good morning" or "hey Abacus!", false for anything that needs an answer.
pub fn is_greeting(text: &str, assistant: &str) -> bool {
    let text = words(text);
    let name = words(assistant);
    let mut rest: Vec<&str> = text.iter().map(String::as_str).collect();
    if let Some(at) = rest
        .windows(name.len().max(1))
        .position(|part| part == name.as_slice())
    {
        rest.drain(at..at + name.len());
    }
    let greets = rest.iter().any(|word| GREETINGS.contains(word)) || rest == ["good", "day"];
    greets
        && rest.len() <= MAX_WORDS
        && rest
            .iter()
            .all(|word| GREETINGS.contains(word) || FILLERS.contains(word))
}

/// Lower case, letters and digits alone.
fn words(text: &str) -> Vec<String> {
    let text = composed(text);
    let parts = text.split(|sign: char| !sign.is_alphanumeric());
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect()
}
