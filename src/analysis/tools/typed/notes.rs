//! `search_notes` and `save_note`.

use calls::result::Refusal;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::analysis::answer::SourceKind;
use crate::analysis::engine::{KeptNote, NoteExcerpt};
use crate::analysis::tools::notes::NotesTool;
use crate::analysis::tools::typed::figures::arguments_of;
use crate::base::error::Result;
use crate::context::model::{NewNote, NoteKind};

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

/// Words that lead to a request: "and please remember", "then also save".
const LEADING: [&str; 4] = ["please", "and", "then", "also"];
/// Words before "you" that make a question a request: "could you save".
const ASKING: [&str; 4] = ["can", "could", "would", "will"];

/// Whether a question asks to keep something.
pub(super) fn asks_to_keep(question: &str) -> bool {
    let lower = question.to_lowercase();
    let mut words = lower.split(|sign: char| !sign.is_alphanumeric());
    words.any(|word| KEEPING.contains(&word))
}

/// Finds notes that the run may see.
pub(super) async fn found(
    tool: Option<&NotesTool>,
    arguments: &Value,
) -> Result<std::result::Result<Vec<NoteExcerpt>, Refusal>> {
    let search: Search = match arguments_of("search_notes", arguments) {
        Ok(search) => search,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let limit = search.limit.unwrap_or(NOTES).clamp(1, NOTES);
    let found = match tool {
        Some(tool) => tool.search(&search.query, limit).await?,
        None => Vec::new(),
    };
    Ok(Ok(found.into_iter().map(NoteExcerpt::from).collect()))
}

/// Notes with their refs, as the result of a search.
pub(super) fn listed(notes: &[(String, NoteExcerpt)]) -> Value {
    let one = |(reference, note): &(String, NoteExcerpt)| {
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
    };
    json!({ "notes": notes.iter().map(one).collect::<Vec<_>>() })
}

/// The note to keep. The quoted words must be the person's own words of this turn. `before`: how many were kept
/// already.
pub(super) fn kept(
    tool: Option<&NotesTool>,
    question: &str,
    before: usize,
    arguments: &Value,
) -> std::result::Result<KeptNote, Refusal> {
    let save: Save = arguments_of("save_note", arguments)?;
    let kind = match save.scope {
        Where::Personal => NoteKind::Personal,
        Where::Organisation => NoteKind::Organization,
    };
    let failure = |detail: &str| Err(Refusal::failure("not_allowed", detail));
    if !tool.is_some_and(|tool| tool.may_write(kind)) {
        return failure("Only notes of the organisation can be written here: this conversation is shared.");
    }
    if before >= KEPT {
        return failure("Three notes were kept already. No more are kept in one answer.");
    }
    if !is_request(&plain(&save.user_request), &plain(question)) {
        return failure(
            "userRequest must quote the words of this question that ask to keep something, exactly as written: it \
             begins with the request, such as \"remember that …\".",
        );
    }
    let new = NewNote {
        kind,
        model: None,
        folder: None,
        title: save.title,
        body: save.body,
    };
    let note = new
        .checked()
        .map_err(|error| Refusal::failure("bad_value", format!("The note: {error}.")))?;
    Ok(KeptNote {
        kind,
        title: note.title,
        body: note.body,
        user_request: save.user_request,
    })
}

/// Whether a quote is a request of the question: it begins a sentence or follows words that lead to a request, with a
/// verb that asks to keep something, and nothing in the sentence denies it.
fn is_request(quoted: &str, question: &str) -> bool {
    let quoted = quoted.strip_prefix("please ").unwrap_or(quoted);
    let Some((before, _)) = question.split_once(quoted) else {
        return false;
    };
    let words: Vec<&str> = quoted.split(' ').collect();
    let verb = words
        .first()
        .map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()));
    let is_verb = verb.is_some_and(|verb| KEEPING.contains(&verb));
    let sentence = before
        .rsplit(['.', '?', '!', ':', ';'])
        .next()
        .unwrap_or_default();
    let leading: Vec<&str> = sentence.split_whitespace().collect();
    let asked = matches!(leading.as_slice(), [.., ask, "you"] if ASKING.contains(ask));
    // "The promissory note says" asks for nothing.
    let begins = match leading.last() {
        None => true,
        Some(word) => asked || word.ends_with(',') || LEADING.contains(word),
    };
    let denies = |word: &&str| {
        matches!(*word, "not" | "never" | "without" | "no") || word.ends_with("n't") || word.ends_with("n’t")
    };
    // "Record the rent monthly?" asks for an opinion, unless it is put to the assistant.
    let is_open = quoted.ends_with('?') && !asked && !leading.contains(&"please");
    words.len() >= 3 && is_verb && begins && !is_open && !words.iter().chain(&leading).any(denies)
}

/// Lower case, with single spaces.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}
