//! The offline analyst asked, and what is expected of its answers.

use analyst::answer::draft;
use analyst::contract::brief::FileId;
use analyst::contract::brief::{Brief, FileContent, FileExcerpt, FileFrom, Tone};
use analyst::contract::draft::Draft;
use chrono::NaiveDate;
use serde_json::Value;

/// The name of a file does not matter to what is asked of it.
pub fn file_id() -> FileId {
    FileId(uuid::Uuid::now_v7())
}

/// A question that comes alone.
pub fn brief(question: &str) -> Brief {
    Brief {
        question: question.to_owned(),
        tone: Tone::Professional,
        today: NaiveDate::from_ymd_opt(2026, 11, 20).unwrap(),
        earlier: None,
        notes: Vec::new(),
        files: Vec::new(),
        refused: None,
        thread: Vec::new(),
    }
}

pub fn ask(question: &str) -> Draft {
    draft(&brief(question))
}

/// Asks a case of a published form, with its files.
pub fn ask_case(case: &Value) -> Draft {
    let files = case["attachments"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|file| FileExcerpt {
            id: file_id(),
            name: file["filename"].as_str().unwrap().to_owned(),
            from: FileFrom::Question,
            content: FileContent::Text {
                media: file["contentType"].as_str().unwrap_or("text/csv").to_owned(),
                text: file["content"].as_str().unwrap().into(),
            },
        });
    draft(&Brief {
        files: files.collect(),
        ..brief(case["question"].as_str().unwrap())
    })
}

/// Runs a conversation: each turn gets the frame of the one before.
pub fn talk(turns: &[&str]) -> Vec<Draft> {
    let mut earlier = None;
    let mut drafts = Vec::new();
    for turn in turns {
        let draft = draft(&Brief {
            earlier: earlier.take(),
            ..brief(turn)
        });
        earlier.clone_from(&draft.frame);
        drafts.push(draft);
    }
    drafts
}

/// Answered, with this figure first.
pub fn assert_figure(draft: &Draft, question: &str, name: &str, value: f64) {
    assert!(draft.success, "{question}: {}", draft.quick_reply);
    let figure = &draft.figures[0];
    let got = figure.value.as_f64().unwrap();
    assert_eq!(figure.name, name, "{question}: {}", draft.quick_reply);
    assert!(
        (got - value).abs() <= 2e-5 * value.abs().max(1e-3),
        "{question}: {got} is not {value}"
    );
    assert!(!draft.reasoning.is_empty() && !draft.result.is_empty() && !draft.summary.is_empty());
}

/// Asked back, without a figure.
pub fn assert_asks(draft: &Draft, question: &str) {
    assert!(
        !draft.success && draft.figures.is_empty(),
        "{question} got {}",
        draft.quick_reply
    );
    assert!(!draft.quick_reply.is_empty());
}
