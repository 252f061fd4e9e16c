//! `search_notes` and `save_note`.

use calls::result::Refusal;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::analysis::answer::SourceKind;
use crate::analysis::engine::{KeptNote, NoteExcerpt};
use crate::analysis::tools::notes::NotesTool;
use crate::analysis::tools::typed::figures::arguments_of;
use crate::analysis::tools::typed::run::{Given, TypedCalls};
use crate::base::error::Result;
use crate::context::model::NoteKind;

/// Most notes of one search, and most characters of each.
const NOTES: usize = 10;
const CHARACTERS: usize = 4_000;
/// Most notes that one run may write.
const KEPT: usize = 3;

/// Verbs that ask to keep something. Without one, a run cannot write at all.
const KEEPING: [&str; 7] = ["remember", "save", "note", "keep", "store", "record", "memorize"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Save {
    scope: Where,
    title: String,
    body: String,
    user_request: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Where {
    Personal,
    Organisation,
}

/// Whether a question asks to keep something.
pub(super) fn asks_to_keep(question: &str) -> bool {
    let lower = question.to_lowercase();
    let mut words = lower.split(|sign: char| !sign.is_alphanumeric());
    words.any(|word| KEEPING.contains(&word))
}

/// Finds notes that the run may see.
pub(super) async fn search(
    run: &mut TypedCalls<'_>,
    tool: Option<&NotesTool>,
    arguments: &Value,
) -> Result<Given> {
    let search: Search = match arguments_of("search_notes", arguments) {
        Ok(search) => search,
        Err(refusal) => return Ok(Given::Error(refusal)),
    };
    let limit = search.limit.unwrap_or(NOTES).clamp(1, NOTES);
    let found = match tool {
        Some(tool) => tool.search(&search.query, limit).await?,
        None => Vec::new(),
    };
    let found = found.into_iter().map(NoteExcerpt::from).collect();
    let notes: Vec<Value> = run
        .add_notes(found)
        .into_iter()
        .map(|(reference, note)| {
            json!({
                "ref": reference,
                "kind": match note.kind {
                    SourceKind::PersonalNote => "personal",
                    _ => "organisation",
                },
                "title": note.title,
                "date": note.updated_at.date_naive(),
                "text": note.body.chars().take(CHARACTERS).collect::<String>(),
                "shortened": note.body.chars().nth(CHARACTERS).is_some(),
            })
        })
        .collect();
    Ok(Given::Json(json!({ "notes": notes })))
}

/// Keeps a note: it is written with the answer. The quoted words must be the person's own words of this turn.
pub(super) fn save(run: &mut TypedCalls<'_>, tool: Option<&NotesTool>, arguments: &Value) -> Given {
    let save: Save = match arguments_of("save_note", arguments) {
        Ok(save) => save,
        Err(refusal) => return Given::Error(refusal),
    };
    let kind = match save.scope {
        Where::Personal => NoteKind::Personal,
        Where::Organisation => NoteKind::Organization,
    };
    let failure = |detail: &str| Given::Error(Refusal::failure("not_allowed", detail));
    if !tool.is_some_and(|tool| tool.may_write(kind)) {
        return failure("Only notes of the organisation can be written here: this conversation is shared.");
    }
    if run.kept().len() >= KEPT {
        return failure("Three notes were kept already. No more are kept in one answer.");
    }
    let quoted = plain(&save.user_request);
    if !asks_to_keep(&quoted) || !plain(&run.brief.question).contains(&quoted) {
        return failure(
            "userRequest must quote the words of this question that ask to keep something, exactly as written.",
        );
    }
    if save.title.trim().is_empty() || save.body.trim().is_empty() {
        return failure("The note needs a title and a body.");
    }
    run.keep(KeptNote {
        kind,
        title: save.title.clone(),
        body: save.body,
        user_request: save.user_request,
    });
    Given::Json(json!({ "kept": save.title, "written": "with this answer" }))
}

/// Lower case, with single spaces.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}
