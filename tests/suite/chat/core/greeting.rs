//! Whether a message is only a greeting.

use corbel::chat::core::greeting::is_greeting;

#[test]
fn a_greeting_is_distinguished_from_a_question() {
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
        assert!(is_greeting(said, name), "{said}");
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
        assert!(!is_greeting(said, "Abacus"), "{said}");
    }
    assert!(is_greeting("hi", "") && !is_greeting("", ""));
    assert!(is_greeting("hi Zoe\u{308}", "Zoë"));
}
