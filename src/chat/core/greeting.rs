//! Whether somebody only says hello: then the assistant says its own greeting. Knows no platform.

/// Words of a greeting, and those that go with them.
const HELLO: &[&str] = &[
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
const BESIDE: &[&str] = &[
    "good", "day", "there", "all", "everyone", "team", "to", "you", "again", "dear",
];

/// Longest greeting, in words beside the assistant's name.
const WORDS: usize = 4;

/// True for "hello", "good morning" or "hey Abacus!", false for anything that wants an answer.
pub fn is_greeting(said: &str, assistant: &str) -> bool {
    let said = words(said);
    let name = words(assistant);
    let mut rest: Vec<&str> = said.iter().map(String::as_str).collect();
    if let Some(at) = rest
        .windows(name.len().max(1))
        .position(|part| part == name.as_slice())
    {
        rest.drain(at..at + name.len());
    }
    let greets = rest.iter().any(|word| HELLO.contains(word)) || rest == ["good", "day"];
    greets
        && rest.len() <= WORDS
        && rest
            .iter()
            .all(|word| HELLO.contains(word) || BESIDE.contains(word))
}

/// Lower case, letters and digits alone.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|sign: char| !sign.is_alphanumeric());
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect()
}
