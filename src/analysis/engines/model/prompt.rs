//! Writes the prompts from `templates/prompts`. Text that neither the asker nor the operator wrote is put in a fence,
//! without invisible characters and with the control words of chat templates broken up.

use askama::Template;
use calls::catalog::VALUES;
use chrono::NaiveDate;

use crate::analysis::engine::{Brief, EarlierTurn, Remark, Speaker};
use crate::analysis::engines::model::checked::Findings;
use crate::analysis::tools::typed::files::Listed;
use crate::base::error::{Error, Result};

/// Most characters of a note, a post and an analyst's description in a prompt.
const NOTE: usize = 4_000;
const POST: usize = 1_500;
const INSTRUCTIONS: usize = 2_000;

#[derive(Template)]
#[template(path = "prompts/system.txt", escape = "none")]
struct System<'a> {
    today: NaiveDate,
    values: &'a str,
    tone: &'a str,
    shared: bool,
    instructions: Option<String>,
}

#[derive(Template)]
#[template(path = "prompts/question.txt", escape = "none")]
struct Question {
    notes: Vec<Note>,
    files: Vec<File>,
    thread: Vec<Post>,
    question: String,
}

#[derive(Template)]
#[template(path = "prompts/last_call.txt", escape = "none")]
struct LastCall;

#[derive(Template)]
#[template(path = "prompts/audit.txt", escape = "none")]
struct Audit<'a> {
    untraced: &'a str,
    claims: &'a [String],
}

struct Note {
    reference: String,
    title: String,
    date: NaiveDate,
    text: String,
}

struct File {
    reference: String,
    name: String,
    about: String,
}

struct Post {
    by: String,
    text: String,
}

/// What holds for the whole run.
pub fn system(brief: &Brief) -> Result<String> {
    let instructions = brief
        .instructions
        .as_deref()
        .map(|text| shortened(text, INSTRUCTIONS));
    let system = System {
        today: brief.today,
        values: VALUES,
        tone: brief.tone.as_str(),
        shared: brief.organisation_safe,
        instructions,
    };
    system.render().map_err(Error::internal)
}

/// What was given and asked now.
pub fn question(brief: &Brief, files: &[Listed]) -> Result<String> {
    let notes = brief.notes.iter().enumerate().map(|(at, note)| Note {
        reference: format!("n{}", at + 1),
        title: inert(&note.title),
        date: note.updated_at.date_naive(),
        text: inert(&shortened(&note.body, NOTE)),
    });
    let files = files.iter().map(|file| File {
        reference: file.reference.clone(),
        name: inert(&file.name),
        about: inert(&file.about),
    });
    let question = Question {
        notes: notes.collect(),
        files: files.collect(),
        thread: brief.thread.iter().map(post).collect(),
        question: inert(&brief.question),
    };
    question.render().map_err(Error::internal)
}

/// An earlier question with its answer. Others may have asked it, and the answer may quote foreign text.
pub fn earlier_turn(turn: &EarlierTurn) -> String {
    let (question, answer) = (&turn.question, &turn.answer);
    fenced(&format!("An earlier question: {question}\nIts answer: {answer}"))
}

/// Foreign text in its fence.
pub fn fenced(text: &str) -> String {
    format!("<data>\n{}\n</data>\n", inert(text))
}

/// The request to answer without another call.
pub fn last_call() -> Result<String> {
    LastCall.render().map_err(Error::internal)
}

/// The request to write an answer again, with what is wrong with its numbers.
pub fn audit(findings: &Findings) -> Result<String> {
    let untraced = inert(&findings.numbers());
    let audit = Audit {
        untraced: &untraced,
        claims: &findings.claims,
    };
    audit.render().map_err(Error::internal)
}

fn post(remark: &Remark) -> Post {
    Post {
        by: match &remark.by {
            Speaker::Person(Some(name)) => inert(name),
            Speaker::Person(None) => "a person".to_owned(),
            Speaker::Assistant => "the assistant".to_owned(),
        },
        text: inert(&shortened(&remark.text, POST)),
    }
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{} … (shortened)", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}

/// The text without characters that nobody sees, and without words that a chat template or our own fence would take as
/// control words.
pub fn inert(text: &str) -> String {
    let seen: String = text.chars().filter(|sign| !is_invisible(*sign)).collect();
    let mut inert = seen;
    for (word, broken) in [
        ("<|", "< |"),
        ("|>", "| >"),
        ("[INST]", "[ INST ]"),
        ("[/INST]", "[ /INST ]"),
        ("<<SYS>>", "< <SYS> >"),
        ("<</SYS>>", "< </SYS> >"),
        ("<tool_call>", "< tool_call >"),
        ("</tool_call>", "< /tool_call >"),
        ("<start_of_turn>", "< start_of_turn >"),
        ("<end_of_turn>", "< end_of_turn >"),
    ] {
        if inert.contains(word) {
            inert = inert.replace(word, broken);
        }
    }
    without_fences(&inert)
}

/// The text without the words of our fence, in any case and with spaces inside.
fn without_fences(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, part) in text.split('<').enumerate() {
        if at > 0 {
            let inner: String = part
                .chars()
                .filter(|sign| !sign.is_whitespace())
                .take(5)
                .collect();
            let inner = inner.to_lowercase();
            let fence = inner.starts_with("data") || inner.starts_with("/data");
            out.push_str(if fence { "< " } else { "<" });
        }
        out.push_str(part);
    }
    out
}

/// Zero-width, reversing, filling and tag characters, and control characters other than line ends and tabs.
fn is_invisible(sign: char) -> bool {
    (sign.is_control() && !matches!(sign, '\n' | '\t'))
        || matches!(sign,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}
