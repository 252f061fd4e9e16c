//! Which questions are about the assistant itself and which are for the analyst.

use corbel::chat::core::about::{Facts, Topic, text, topic};
use proptest::prelude::*;

#[test]
fn questions_about_the_assistant() {
    let cases: &[(Topic, &[&str])] = &[
        (
            Topic::Provider,
            &[
                "Who provides you?",
                "who are you",
                "What company is behind you?",
                "are you powered by Corbel?",
                "Who made you?",
                "Hey Abacus, can you tell me who built you?",
                "Could you please explain who operates this assistant?",
                "What are you?",
                "what's your name?",
                "Are you an AI?",
                "are you a human or a bot?",
                "Is this a bot?",
                "What model do you use?",
                "which language model are you?",
                "Who’s behind this bot?",
                "Tell me about yourself.",
                "Hi! Who are you? And who runs you?",
                "by whom are you operated?",
            ],
        ),
        (
            Topic::Account,
            &[
                "Which account am I connected with?",
                "what is my linked account",
                "Which account am I signed in as?",
                "can you show me which account I'm linked to?",
                "Am I connected?",
                "Is my account linked?",
                "who am I connected as?",
                "how do I disconnect my account?",
            ],
        ),
        (
            Topic::Billing,
            &[
                "How are you billed?",
                "who pays for your answers?",
                "Who pays for you?",
                "Can you tell me what you cost?",
                "What do you cost?",
                "Are you free?",
                "is this assistant free to use",
                "how much do you cost per question?",
                "Could you explain how you are billed?",
            ],
        ),
        (
            Topic::Privacy,
            &[
                "What do you keep of our messages?",
                "who can see my questions to you?",
                "Do you store my conversations?",
                "what do you remember",
                "Do you train on our data?",
                "Is my conversation with you private?",
                "Is what I ask you confidential?",
                "who can read our messages with you?",
                "Please tell me what you log of our questions.",
                "How long do you keep my messages?",
                "what is your privacy policy?",
                "Can my boss see what I ask you?",
                "do you share our data with anyone?",
            ],
        ),
        (
            Topic::Connections,
            &[
                "What are you connected to?",
                "which data sources can you access",
                "What data sources do you have access to?",
                "tell me what you have access to",
                "Are you connected to the internet?",
                "what can you see?",
            ],
        ),
    ];
    for (expected, questions) in cases {
        for question in *questions {
            assert_eq!(topic(question), Some(*expected), "{question}");
        }
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
        "Can you explain free cash flow?",
        "Can you tell me the cost of capital?",
        "How do you compute replacement cost?",
        "Can you model a refinancing?",
        "Can you provide the equation for break-even?",
        "Can you share our notes on parking policy?",
        "Which account do I use for reserves?",
        "Can you explain free-of-charge periods?",
        "What does it cost to replace the roof?",
        "How do you model a sale?",
        "can you give me the cost per square foot?",
        "Could you show me who runs the garage?",
        "Would you share the data behind this chart?",
        "Can you keep the exit assumption?",
        "do you see the message from the broker?",
        "What company is behind the Marlow project?",
        "who made the offer?",
        "who pays for utilities?",
        "who pays for the roof, you or us?",
        "What do you keep back at closing?",
        "what model do you use for absorption?",
        "Is the seller's package private?",
        "What is this connected to?",
        "what are you assuming for growth?",
        "Who are you assuming pays the broker?",
        "can you log a note on Marlow?",
        "Do you store parking data per stall?",
        "are you free tomorrow?",
        "how are the management fees billed?",
        "which account should the deposit go to?",
        "What sources did you use for market growth?",
        "Who made you, and what is our NOI?",
        "Who are you? What is free cash flow?",
        "How are you billed, and how do you compute the payback?",
        "Can you explain what a provider agreement is?",
        "Do you know who operates the garage?",
        "what is our privacy clause with the operator?",
        "Can you help me pay down the balance?",
        "which company manages the site for you?",
        "how do you charge recoveries back?",
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
    fn a_domain_term_or_a_number_is_for_the_analyst(
        before in "[a-z ]{0,40}", word in prop::sample::select(vec!["noi", "loan", "rent", "occupancy", "12.4", "6%"]),
        after in "[a-z ]{0,40}",
    ) {
        prop_assert_eq!(topic(&format!("{before} {word} {after}")), None);
    }

    #[test]
    fn any_text_is_classified(text in "\\PC{0,200}") {
        let _ = topic(&text);
    }
}
