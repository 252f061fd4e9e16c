//! The entry of the crate: a brief in, a draft out. Which part answers: a table, the portfolio, a calculation, a note.

use crate::by_example::reading as examples;
use crate::calculation::{self, SHORT};
use crate::contract::brief::NoteId;
use crate::contract::brief::{Brief, FileFrom};
use crate::contract::draft::Draft;
use crate::contract::portfolio::{Portfolio, Result};
use crate::handed::answer as handed;
use crate::handed::pointing;
use crate::notes::plain;
use crate::plan::frame::Frame;
use crate::portfolio::answer::{self as holdings, Outcome};
use crate::read::{reading, vocabulary};
use crate::say::compose;
use crate::say::scope;
use crate::say::unused;
use crate::sheets::answer as sheets;
use crate::words::numbers;

/// Loads the learned model, so that the first question does not wait for it.
pub fn prepare() {
    examples::prepare();
}

/// Notes that an earlier frame offered, so that the person can say "use it".
#[must_use]
pub fn leans_on(earlier: &serde_json::Value) -> Vec<NoteId> {
    let frame = Frame::read(Some(earlier));
    frame.map_or_else(Vec::new, |frame| {
        frame.offers.iter().map(|offer| offer.note).collect()
    })
}

/// Answers a brief, with the asker's portfolio where there is one. Asking back is a draft, not an error.
///
/// # Errors
///
/// What the portfolio reports, unchanged.
pub async fn answer(brief: &Brief, portfolio: Option<&mut dyn Portfolio>) -> Result<Draft> {
    let brief = &*brief.composed();
    // Who sends a file along asks about it; of an earlier one the question decides.
    let sent = brief.files.iter().any(|file| file.from == FileFrom::Question);
    // A bare "DSCR?" in a calculation is of its numbers, not of the portfolio.
    if brief.files.is_empty() && continues_calculation(brief) {
        let own = draft(brief);
        // "And the vacancy?" leans on the numbers before it: nothing else may answer.
        let leans = [
            "and ",
            "so ",
            "then ",
            "how many are ",
            "what about ",
            "how about ",
        ];
        let asked = brief.question.trim_start().to_lowercase();
        if own.success || leans.iter().any(|lead| asked.starts_with(lead)) {
            return Ok(own);
        }
    }
    let of_files = match brief.files.is_empty() {
        true => None,
        false => Some(draft(brief)),
    };
    let outcome = match (of_files, portfolio) {
        (Some(draft), _) if sent || draft.success => Outcome::Answered(draft),
        (_, Some(view)) => holdings::answer(brief, view).await?,
        (_, None) => Outcome::NotMine,
    };
    let stays = matches!(outcome, Outcome::Stays(_));
    let mut draft = match outcome {
        Outcome::Answered(draft) | Outcome::Stays(draft) => draft,
        Outcome::NotMine => draft(brief),
        // It may be anybody's: whoever has an answer, or asks for what is missing, comes first.
        Outcome::Perhaps(said) => Some(draft(brief))
            .filter(|other| other.success || !other.missing.is_empty())
            .unwrap_or(said),
        // Where the portfolio has no answer, notes or a calculation may have one.
        Outcome::Say(said) => Some(draft(brief)).filter(|other| other.success).unwrap_or(said),
    };
    // What nothing else answers, a note may say.
    if !draft.success
        && !stays
        && brief.files.is_empty()
        && !of_own_numbers(&brief.question)
        && let Some(quoted) = plain::answer(brief)
    {
        draft = Draft {
            frame: draft.frame.take(),
            ..quoted
        };
    }
    // Small talk between two questions about the portfolio does not end what they are about.
    if draft.frame.is_none() {
        draft.frame.clone_from(&brief.earlier);
    }
    Ok(draft)
}

/// A short question that names nothing but figures, in a thread whose last turn calculated.
fn continues_calculation(brief: &Brief) -> bool {
    let held = Frame::read(brief.earlier.as_ref())
        .is_some_and(|frame| !frame.values.is_empty() || frame.series.is_some());
    held && brief.question.len() < SHORT && vocabulary::figures_alone(&numbers::read(&brief.question))
}

fn of_own_numbers(question: &str) -> bool {
    let tokens = numbers::read(question);
    tokens.len() <= calculation::MOST_TOKENS
        && calculation::gives_numbers(&tokens, &reading::read(question, &tokens))
}

/// The draft for a brief, at once.
#[must_use]
pub fn draft(brief: &Brief) -> Draft {
    let brief = &*brief.composed();
    let mut draft = read(brief);
    // Small talk and quotations do not end a calculation.
    if draft.frame.is_none() {
        draft.frame = Frame::read(brief.earlier.as_ref()).and_then(|frame| frame.json());
    }
    if draft.quick_reply == scope::OUTSIDE
        && let Some(text) = unused::of_content(brief)
    {
        draft = Draft {
            frame: draft.frame.take(),
            ..compose::plain_text(&text)
        };
    }
    draft.warnings.extend(unused::unread_files(brief, &draft));
    // Which of several people's numbers is meant, only the asker knows: asking beats guessing.
    let asks_back = !draft.success && !draft.missing.is_empty();
    if asks_back && brief.thread.iter().any(unused::holds_numbers) {
        draft.warnings.push(unused::THREAD.to_owned());
    }
    draft
}

fn read(brief: &Brief) -> Draft {
    let draft = read_as_put(brief);
    let sent = brief.files.iter().any(|file| file.from == FileFrom::Question);
    // "With the NOI attached": an answer that has nothing of the file is that to another question.
    let beside = sent && draft.used_files.is_empty() && !draft.figures.is_empty();
    if draft.success && beside && pointing::speaks_of_file(&brief.question) {
        return handed::answer(brief).unwrap_or_else(|| compose::plain_text(scope::OF_FILE));
    }
    if draft.success {
        return draft;
    }
    // Only an answer is taken from what a file tells: a question back is about the words as they were put.
    handed::answer(brief).unwrap_or(draft)
}

fn read_as_put(brief: &Brief) -> Draft {
    match sheets::answer(brief) {
        Some(answered) if answered.stands => answered.draft,
        Some(answered) => Some(calculation::answer(brief))
            .filter(|draft| draft.success)
            .unwrap_or(answered.draft),
        None => calculation::answer(brief),
    }
}
