//! Everything the chat core says that is not an answer of an engine, and how an answer is laid out.
//!
//! Sentences for people: what happened and what to do next. Knows no platform's blocks.

use crate::analysis::answer::Answer;
use crate::assistants::model::{FileStub, Part, Say};
use crate::base::error::Error;

/// What stands in the thread until the answer replaces it.
pub fn placeholder() -> Say {
    Say::plain("Working on it …")
}

/// An answer with its small print: what it rests on, who could see what, which files were not read.
pub fn answer(answer: &Answer, files: &[FileStub]) -> Say {
    let body = if answer.result.trim().is_empty() {
        &answer.quick_reply
    } else {
        &answer.result
    };
    let mut say = Say {
        text: answer.quick_reply.clone(),
        parts: vec![Part::Markdown(body.clone())],
    };
    for warning in &answer.warnings {
        say = say.with(Part::Note(format!("Note: {warning}")));
    }
    if !files.is_empty() {
        say = say.with(Part::Note(unread_files(files)));
    }
    say.with(Part::Note(small_print(answer)))
}

/// Sources and the audience line.
fn small_print(answer: &Answer) -> String {
    let audience = &answer.audience;
    let notes =
        |count: u32, kind: &str| format!("{count} {kind} {}", if count == 1 { "note" } else { "notes" });
    let mut line = format!(
        "Used {} and {}",
        notes(audience.organization_notes, "organization"),
        notes(audience.personal_notes, "personal")
    );
    if audience.organisation_safe {
        line.push_str(" · organisation-safe: personal context was not loaded");
    }
    if !answer.sources.is_empty() {
        let titles: Vec<String> = answer
            .sources
            .iter()
            .map(|source| format!("“{}” ({})", source.title, source.as_of.format("%Y-%m-%d")))
            .collect();
        line.push_str(&format!(" · Sources: {}", titles.join(", ")));
    }
    line
}

/// What is said of files that came along.
pub fn unread_files(files: &[FileStub]) -> String {
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let (files, were) = if names.len() == 1 {
        ("file", "was")
    } else {
        ("files", "were")
    };
    format!(
        "I cannot read files yet, so the {files} {} {were} not used. Please type the numbers I need.",
        names.join(", ")
    )
}

pub fn greeting(assistant: &str, own: &str) -> Say {
    if !own.is_empty() {
        return Say::plain(own);
    }
    Say::plain(format!(
        "Hello, I am {assistant}. Ask me about real-estate finance, for instance “What is the going-in cap rate \
         at a price of 12.4 million and NOI of 731,600?” or “Monthly payment on 8.5 million at 5.85%, 30 year am?”"
    ))
}

pub fn failed(text: &str) -> Say {
    Say::plain(text)
}

pub fn guest() -> Say {
    Say::plain(
        "I can only answer full members of this workspace, not guests. Please ask a colleague who is a member.",
    )
}

pub fn deactivated() -> Say {
    Say::plain(
        "This account is deactivated here, so I cannot answer. Please speak to an administrator of the workspace.",
    )
}

pub fn stranger() -> Say {
    Say::plain(
        "I can only answer members of the organization that installed me. Your account belongs to another workspace.",
    )
}

pub fn shared_off(assistant: &str) -> Say {
    Say::plain(format!(
        "{assistant} does not answer in shared conversations here: an administrator has not enabled it. \
         Send me a direct message instead."
    ))
}

pub fn not_approved(assistant: &str, conversation: &str) -> Say {
    Say::plain(format!(
        "{assistant} is not approved for this conversation yet. An administrator can approve it (conversation id \
         {conversation}). Until then, send me a direct message instead."
    ))
}

pub fn suspended(assistant: &str) -> Say {
    Say::plain(format!(
        "{assistant} does not answer here any more: people from outside the organization are, or may be, in this \
         conversation. Send me a direct message instead."
    ))
}

/// The private prompt with the one-time link.
pub fn link_prompt(assistant: &str, url: &str) -> Say {
    Say::plain(format!(
        "Before I can answer, connect your account to {assistant} once. The link is yours alone, works once and \
         for 15 minutes. Then ask me again."
    ))
    .with(Part::Link { label: "Connect your account".to_owned(), url: url.to_owned() })
}

pub fn unlinked() -> Say {
    Say::plain(
        "Your account is disconnected: I will not answer you until you connect again. Write me anything to get a new link.",
    )
}

/// Why a turn was refused, as a sentence. Every variant decides.
pub fn refusal(error: &Error) -> Say {
    Say::plain(match error {
        Error::Unauthenticated => {
            "Your connected account is not active any more. Ask an administrator of your organization."
                .to_owned()
        }
        Error::Forbidden { why, .. } => (*why).to_owned(),
        Error::NotFound(what) => format!("I could not find the {what} any more. Please start a new thread."),
        Error::Invalid { field, why } => format!("I could not take this: the {field} {why}."),
        Error::TooLarge { .. } => "This is too long for me. Please shorten it.".to_owned(),
        Error::Conflict(what) => format!("That did not work: {what}."),
        Error::Exhausted => "Your organization has used up its included usage and has no credit left. \
                             An administrator can add credit; nothing was charged for this question."
            .to_owned(),
        Error::Limited { retry_after } => {
            format!(
                "That is a little fast for me. Please ask again in {} seconds.",
                retry_after.as_secs().max(1)
            )
        }
        Error::Stale | Error::Busy { .. } | Error::Upstream(_) | Error::Internal(_) => {
            "Something went wrong on our side and your question was not answered. Please ask again."
                .to_owned()
        }
    })
}
