//! The chat core's own texts, and the layout of an answer.
//!
//! Sentences for people: what happened and what to do next. Does not depend on a platform's blocks.

use crate::analysis::answer::Answer;
use crate::assistants::model::{Act, Button, Part, Say, Style};
use crate::base::error::Error;
use crate::base::ids::DeliveryId;
use crate::base::text::shortened;
use crate::chat::core::platform::Obstacle;
use crate::files::model::{File, Verdict};

/// The message in the thread until the answer replaces it.
pub fn placeholder() -> Say {
    Say::plain("Working on it …")
}

/// The same with a Stop button.
pub fn stoppable_placeholder(delivery: DeliveryId) -> Say {
    let stop = Button {
        label: "Stop".to_owned(),
        act: Act::Stop { delivery },
        style: Style::Plain,
    };
    placeholder().with(Part::Buttons(vec![stop]))
}

/// The message in its place where the conversation's approval ended before the answer.
pub fn closed_meanwhile() -> Say {
    Say::plain("This conversation is not approved any more; the answer was sent to whoever asked.")
}

/// The message in place of a late post that cannot be deleted.
pub fn repeated() -> Say {
    Say::plain("This was sent twice; the other message says it all.")
}

/// An answer with its notes: its sources, its audience, and what became of its files.
pub fn answer(answer: &Answer, files: &[File]) -> Say {
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
        say = say.with(Part::Markdown(verdicts(files)));
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
    let files = audience.personal_files + audience.organization_files;
    if files > 0 {
        line.push_str(&format!(
            ", {files} {}",
            if files == 1 { "file" } else { "files" }
        ));
    }
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

/// A reply to files without a question: what became of each, and what to do.
pub fn files_alone(files: &[File]) -> Say {
    let taken = files
        .iter()
        .filter(|file| file.verdict != Verdict::Refused)
        .count();
    let text = match (taken, files.len()) {
        (0, 1) => "I could not take this file.",
        (0, _) => "I could not take these files.",
        _ if files.iter().any(|file| file.verdict == Verdict::Read) => {
            "What would you like to know? Please send the file together with your question."
        }
        _ => "I cannot work with the content of these files yet. Please type the numbers I need.",
    };
    Say {
        text: text.to_owned(),
        parts: vec![Part::Markdown(format!("{text}\n\n{}", verdicts(files)))],
    }
}

/// Every file by name with what became of it.
pub fn verdicts(files: &[File]) -> String {
    let mut text = "**Files**".to_owned();
    for file in files {
        let kind = file
            .kind
            .map_or(String::new(), |kind| format!(" ({})", kind.label()));
        let verdict = match (&file.refusal, file.verdict) {
            (Some(refusal), _) => format!("not taken: {}", refusal.sentence()),
            (None, Verdict::Refused | Verdict::Unreadable) => "not taken".to_owned(),
            (None, Verdict::Read) => "read".to_owned(),
            (None, Verdict::PartlyRead) => "read in part".to_owned(),
            (None, Verdict::NotYetReadable) => {
                "received, but I cannot read this type yet, so its content was not used".to_owned()
            }
        };
        let macros = if file.macros {
            "; its macros are never run"
        } else {
            ""
        };
        text.push_str(&format!("\n- {}{kind}: {verdict}{macros}", quoted(&file.name)));
    }
    text
}

/// A foreign name as code, so that it makes no heading, link or mention.
fn quoted(name: &str) -> String {
    let plain = name.replace('`', "'").replace(['\n', '\r'], " ");
    format!("`{}`", plain.trim())
}

/// The note on files that an answer did not use.
pub fn unused_files(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let (file, was) = if names.len() == 1 {
        ("file", "was")
    } else {
        ("files", "were")
    };
    format!("The {file} {} {was} not looked at for this.", names.join(", "))
}

/// The same for a pasted table or a forwarded message.
pub const UNUSED_CONTENT: &str = "The table or message that came with it was not looked at for this.";

/// A question is never answered with a part of what came with it.
pub fn too_much_content(most: usize) -> Say {
    Say::plain(format!(
        "I could not take this: with the table or message that came with it, the question has more than {most} \
         characters. Please send the table as a CSV file, or only the part that matters."
    ))
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

/// Longest quote of a question, and longest text where a layout was rejected.
const MAX_QUOTE: usize = 150;
const MAX_SIMPLE: usize = 3_000;

/// Simpler forms of a text, for a platform that rejects its content; the last says only that there is something.
pub fn simpler(say: &Say) -> [Say; 2] {
    [
        Say::plain(shortened(&say.text, MAX_SIMPLE)),
        Say::plain(
            "I have something to say here, but this place does not take the form of it. Please ask me for less at \
             once, or in a direct message.",
        ),
    ]
}

/// The same as a direct message: with what was asked and where, and why it arrives there.
pub fn instead(obstacle: Obstacle, place: Option<&str>, asked: &str, say: &Say) -> Say {
    let words: Vec<&str> = asked.split_whitespace().collect();
    let quoted = match words.as_slice() {
        [] => String::new(),
        words => format!(": “{}”", shortened(&words.join(" "), MAX_QUOTE)),
    };
    let asked = match place {
        Some(place) => format!("You asked me in {place}{quoted}."),
        None if quoted.is_empty() => String::new(),
        None => format!("You asked{quoted}."),
    };
    let why = match obstacle {
        Obstacle::NotMember => "I am not a member there. Invite me to it, and I can answer in place.",
        Obstacle::Archived => "It is archived, so I answer you here.",
        Obstacle::Restricted => "Not everyone may post there, and I may not, so I answer you here.",
        Obstacle::ThreadGone => "The message or thread is not there any more, so I answer you here.",
        Obstacle::SenderLeft => "You are not in that conversation, so I answer you here.",
        Obstacle::NotApproved => "I am not approved for it any more, so I answer you here.",
        Obstacle::Forbidden => {
            "A rule of your organization keeps me from posting there, so I answer you here. An administrator can \
             see which."
        }
        Obstacle::MaybePosted => "I cannot see whether my answer arrived there, so here it is.",
        Obstacle::Rejected => "I could not post there, so I answer you here.",
    };
    let lead = format!("{asked} {why}").trim().to_owned();
    let mut moved = say.clone();
    moved.text = format!("{lead}\n{}", say.text);
    moved.parts.insert(0, Part::Markdown(lead));
    moved
}

/// Why a conversation or a person could not be looked up, for the sender.
pub fn missing_right(right: &str) -> Say {
    Say::plain(format!(
        "I lack a right that I need to check whom I may answer ({right}), so I must not answer. An administrator \
         has to install me again; then ask me again."
    ))
}

/// The assistant is not in the conversation of the question.
pub fn not_a_member() -> Say {
    Say::plain("I am not a member of the conversation in which you asked me. Invite me to it, and ask again.")
}

pub fn not_identified() -> Say {
    Say::plain("I could not check who you are, so I must not answer. Please ask again in a while.")
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

pub fn nothing_to_stop() -> Say {
    Say::plain("There is nothing of yours under way here that I could stop.")
}

/// The private message with the one-time link.
pub fn link_prompt(assistant: &str, url: &str) -> Say {
    Say::plain(format!(
        "Before I can answer, connect your account to {assistant} once. The link is yours alone, works once and \
         for 15 minutes. Then ask me again."
    ))
    .with(Part::Link { label: "Connect your account".to_owned(), url: url.to_owned() })
}

pub fn unlinked() -> Say {
    Say::plain(
        "Your account is disconnected: I will not answer you until you connect again. Write me anything to get a new \
         link.",
    )
}

/// Replies to button presses.
pub fn press_failed() -> Say {
    Say::plain("Something went wrong on our side with that button. Please press it again.")
}

pub fn not_found() -> Say {
    Say::plain("I cannot find what this button was about any more.")
}

pub fn admins_only() -> Say {
    Say::plain("Only administrators of your organization can decide this.")
}

pub fn not_connected() -> Say {
    Say::plain("Your account is not connected.")
}

pub fn connected_already(name: &str, email: &str) -> Say {
    Say::plain(format!(
        "You are connected already, with the account of {name} ({email})."
    ))
}

pub fn thanks(helpful: bool) -> Say {
    Say::plain(if helpful {
        "Thank you, noted as helpful."
    } else {
        "Thank you, noted as not helpful. Your administrators see it; asking again with more detail may help too."
    })
}

pub fn not_yours_to_stop() -> Say {
    Say::plain("Only whoever asked, or an administrator of your organization, can stop this.")
}

pub fn ended_already() -> Say {
    Say::plain("That had ended already, so there was nothing to stop.")
}

pub fn resent(by: &str, again: bool) -> Say {
    Say::plain(if again {
        format!("{by} had the answer sent again.")
    } else {
        "It is being sent, or has arrived already.".to_owned()
    })
}

pub fn share_where() -> Say {
    Say::plain("Please choose a channel. I cannot share into a direct message.")
}

pub fn not_in_there() -> Say {
    Say::plain(
        "I can only share where both of us are members, and I do not see that here. Join it, or invite me, and try \
         again.",
    )
}

pub fn share_uninvited(assistant: &str, conversation: &str) -> Say {
    Say::plain(format!(
        "I am not a member of {conversation}, so nothing was shared. Invite {assistant} to it, and share again."
    ))
}

/// `when` is formatted for people.
pub fn shared_already(conversation: &str, when: &str) -> Say {
    Say::plain(format!(
        "This question was already shared in {conversation} on {when}, with its answer below it. To get a new answer, \
         ask me there."
    ))
}

pub fn share_failed() -> Say {
    Say::plain("I could not post there, so nothing was shared.")
}

/// The question may have been posted: a second one would be worse than none.
pub fn share_unseen() -> Say {
    Say::plain(
        "I cannot see whether your question arrived there; look there before sharing again. If it stands there, it is \
         not answered.",
    )
}

/// `why` is about the chosen conversation.
pub fn not_shared(why: &Say) -> Say {
    Say::plain(format!(
        "Nothing was shared. In the chosen conversation: {}",
        why.text
    ))
}

pub fn sharing(conversation: &str) -> Say {
    Say::plain(format!(
        "I asked it again in {conversation}, with organization-safe context only. Your private answer stays here."
    ))
}

pub fn shared_unanswered() -> Say {
    Say::plain("A question was shared here, but could not be answered.")
}

/// Why a turn was refused, for the sender.
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
        Error::QuotaExhausted { .. } => {
            "The trial runs of this month are used up; the next month brings new ones.".to_owned()
        }
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
