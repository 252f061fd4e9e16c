//! Writes the prompts from `templates/prompts`. Text is sent without invisible characters and with the control words of
//! chat templates broken up. What others than the asker and the owner of the analyst wrote is put in a fence.

use askama::Template;
use calls::catalog::VALUES;
use chrono::NaiveDate;

use crate::analysis::engine::{Brief, EarlierTurn, Remark, Speaker};
use crate::analysis::engines::model::checked::Findings;
use crate::analysis::tools::typed::files::Listed;
use crate::base::error::{Error, Result};
use crate::base::text::is_invisible;

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
    claims: &'a str,
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
        .map(|text| inert(&shortened(text, INSTRUCTIONS)));
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
    // They name columns and values of tables.
    let claims = match findings.claims.is_empty() {
        true => String::new(),
        false => fenced(&findings.claims.join("\n")),
    };
    let audit = Audit {
        untraced: &untraced,
        claims: &claims,
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

/// The text without characters that nobody sees, and with the control words of chat templates and of our own fence
/// broken up: `<|end|>`, `<｜User｜>`, `</data>`, `<s>`, `[INST]`, `[TOOL_CALLS]`.
pub fn inert(text: &str) -> String {
    let seen: String = text.chars().filter(|sign| !is_invisible(*sign)).collect();
    let mut inert = String::with_capacity(seen.len());
    for (at, sign) in seen.char_indices() {
        let behind = seen.get(at + sign.len_utf8()..).unwrap_or_default();
        if matches!(sign, '|' | '｜') && behind.starts_with('>') {
            inert.push(' ');
        }
        inert.push(sign);
        let begins = match sign {
            '<' => behind.starts_with(['|', '｜']) || is_word(behind, '>', |sign| sign.is_ascii_alphabetic()),
            '[' => is_word(behind, ']', |sign| sign.is_ascii_uppercase()),
            _ => false,
        };
        if begins {
            inert.push(' ');
        }
    }
    inert
}

/// Longest control word, in characters.
const CONTROL: usize = 40;

/// Whether a text begins with one word and an end sign: `s>`, `/data >`, `TOOL_CALLS]`.
fn is_word(text: &str, end: char, letter: impl Fn(char) -> bool) -> bool {
    let signs = text
        .chars()
        .take(CONTROL)
        .filter(|sign| !sign.is_whitespace() && !matches!(sign, '/' | '_'));
    for (letters, sign) in signs.enumerate() {
        if sign == end {
            return letters > 0;
        }
        if !letter(sign) {
            return false;
        }
    }
    false
}
