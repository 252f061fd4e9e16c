//! Suggested questions of the preview: the assistant's own prompts, or the default ones.

use crate::assistants::model::Assistant;

pub struct Suggestion {
    pub label: String,
    pub question: String,
}

const DEFAULTS: [(&str, &str); 4] = [
    (
        "Cap rate",
        "What is the going-in cap rate at a price of 12.5 million and NOI of 780,000?",
    ),
    ("Debt coverage", "NOI 1.285m, annual debt service 968k. DSCR?"),
    (
        "Loan payment",
        "What is the monthly payment on a $9.4M loan at 6.1% over 30 years?",
    ),
    (
        "IRR",
        "Levered IRR on -4,000,000 at close and annual distributions of 210,000; 260,000; 300,000; \
         330,000; 6,400,000?",
    ),
];

pub fn of(assistant: &Assistant) -> Vec<Suggestion> {
    let suggestion = |label: &str, question: &str| Suggestion {
        label: label.to_owned(),
        question: question.to_owned(),
    };
    if assistant.prompts.is_empty() {
        return DEFAULTS
            .iter()
            .map(|(label, question)| suggestion(label, question))
            .collect();
    }
    assistant
        .prompts
        .iter()
        .map(|prompt| suggestion(&prompt.title, &prompt.message))
        .collect()
}
