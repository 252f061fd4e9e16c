//! Which questions are about the assistant itself.

use corbel::chat::core::about::{Facts, Topic, text, topic};
use proptest::prelude::*;

#[test]
fn questions_about_the_assistant() {
    let cases = [
        ("Who provides you?", Topic::Provider),
        ("who are you", Topic::Provider),
        ("What company is behind you?", Topic::Provider),
        ("are you powered by Corbel?", Topic::Provider),
        ("Which account am I connected with?", Topic::Account),
        ("what is my linked account", Topic::Account),
        ("How are you billed?", Topic::Billing),
        ("who pays for your answers?", Topic::Billing),
        ("What do you keep of our messages?", Topic::Privacy),
        ("who can see my questions to you?", Topic::Privacy),
        ("What are you connected to?", Topic::Connections),
        ("which data sources can you access", Topic::Connections),
    ];
    for (question, expected) in cases {
        assert_eq!(topic(question), Some(expected), "{question}");
    }
}

#[test]
fn questions_for_the_analyst() {
    for question in [
        "what are our accounts payable?",
        "who is the debt provider?",
        "billing variance against budget in Q3",
        "what did we pay in property taxes?",
        "Can you tell me the cap rate at 12.4 million?",
        "how do you compute DSCR?",
        "what do you need for an IRR?",
        "which account has the largest variance?",
        "who provides the mezzanine loan?",
        "What is the cost of the loan to us?",
        "",
        "9%",
    ] {
        assert_eq!(topic(question), None, "{question}");
    }
}

#[test]
fn every_text_names_the_service() {
    let facts = Facts {
        assistant: "Abacus",
        service: "Corbel",
        org: "Acme",
        account: ("Ana", "ana@acme.example"),
        own: "",
    };
    for one in [
        Topic::Provider,
        Topic::Account,
        Topic::Connections,
        Topic::Billing,
        Topic::Privacy,
    ] {
        assert!(text(one, &facts).contains("powered by Corbel"));
    }
}

proptest! {
    #[test]
    fn a_word_of_the_trade_or_a_number_is_for_the_analyst(
        before in "[a-z ]{0,40}", word in prop::sample::select(vec!["noi", "loan", "rent", "occupancy", "12.4", "6%"]),
        after in "[a-z ]{0,40}",
    ) {
        prop_assert_eq!(topic(&format!("{before} {word} {after}")), None);
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        let _ = topic(&text);
    }
}
