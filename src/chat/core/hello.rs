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
pub(super) fn is_hello(said: &str, assistant: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::is_hello;

    #[test]
    fn a_greeting_is_told_from_a_question() {
        for said in [
            "hi",
            "Hello!",
            "hey Abacus",
            "Good morning, Abacus 👋",
            "good day",
            "Hi there",
            "hello Abacus & Friends",
        ] {
            let name = if said.contains("Friends") {
                "Abacus & Friends"
            } else {
                "Abacus"
            };
            assert!(is_hello(said, name), "{said}");
        }
        for said in [
            "",
            "Abacus",
            "good",
            "hello what is the DSCR",
            "hi 5",
            "hello hello hello hello hello",
            "to you",
            "thanks",
        ] {
            assert!(!is_hello(said, "Abacus"), "{said}");
        }
        assert!(is_hello("hi", "") && !is_hello("", ""));
    }
}
