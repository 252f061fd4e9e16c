//! Notes asked about in plain words, without a word about notes: "What is the lead time on the chiller?"
//!
//! Asked where nothing else has an answer. Every telling word of the question has to be in one note, near each other, or
//! nothing is quoted; the text is quoted, never computed with.

use std::collections::BTreeSet;

use crate::contract::brief::{Brief, NoteExcerpt};
use crate::contract::draft::Draft;
use crate::notes::memory::{floor, sentences};
use crate::notes::{quoting, recall};
use crate::read::linking;
use crate::words::among::among;
use crate::words::numbers;
use crate::words::scan::Token;

/// Words that ask, and say nothing of what about.
const ASKING: &str = "what when where which does about tell know have whats find there many much they them this that with \
     from will would should could been were your ours their please give show long often use used uses using our who \
     whom whose how did you for the and are was has had its said says say note notes mention mentioned get got need want \
     any anything something make made into over under than then also just only right now currently today current per \
     each every compute calculate underwrite assume number amount figure";

/// Words for what something costs, and verbs for saying so: whoever asks uses others than the note.
const TOLD: &str = "quote quoted propose proposed offer offered bid expect expected expects ask asked asks request requested \
     estimate estimated want wanted charge charged think thinks thought believe worth suggest suggested pay paid price priced cost costs rent rate fee value total unit units square \
     foot feet sqft month year annum";

/// The quotation, where one note holds every telling word of the question.
pub(crate) fn answer(brief: &Brief) -> Option<Draft> {
    let tokens = numbers::read(&brief.question);
    if tokens.len() > 40 || brief.notes.is_empty() {
        return None;
    }
    let wanted = telling(&tokens);
    // A single common word is in many notes.
    if wanted.len() < 2 {
        return None;
    }
    let told = |word: &str| among(TOLD, word);
    let (verbs, things): (Vec<&String>, Vec<&String>) = wanted.iter().partition(|word| told(word));
    if things.is_empty() {
        return None;
    }
    let mut best = 0;
    let mut quoted: Vec<(&NoteExcerpt, Vec<&str>)> = Vec::new();
    for note in brief.notes.iter().take(20) {
        let body = note.body.get(..floor(&note.body, 20_000)).unwrap_or("");
        let title = words(&numbers::read(&note.title));
        let said = sentences(body);
        let spoken: Vec<BTreeSet<String>> = said
            .iter()
            .map(|sentence| words(&numbers::read(sentence)))
            .collect();
        for (at, (sentence, own)) in said.iter().copied().zip(&spoken).enumerate() {
            let holds = |of: &BTreeSet<String>, word: &str| of.iter().any(|other| recall::same(other, word));
            // What the sentence before said need not be said again.
            let before = at.checked_sub(1).and_then(|at| spoken.get(at));
            let near = |word: &str| holds(&title, word) || before.is_some_and(|before| holds(before, word));
            let here = things.iter().filter(|word| holds(own, word)).count();
            let all = things.iter().all(|word| holds(own, word) || near(word));
            // The title alone says what a note is about, not what it says.
            if !all || here == 0 {
                continue;
            }
            let score = here * 2 + usize::from(verbs.iter().any(|word| holds(own, word)));
            if score < best {
                continue;
            }
            if score > best {
                best = score;
                quoted.clear();
            }
            // Notes that fit alike may not say the same: all of them are quoted.
            if let Some((_, lines)) = quoted.iter_mut().find(|(known, _)| known.id == note.id) {
                if lines.len() < 3 {
                    lines.push(sentence);
                }
            } else if quoted.len() < 3 {
                quoted.push((note, vec![sentence]));
            }
        }
    }
    (!quoted.is_empty()).then(|| quoting::quoted(&quoted))
}

/// The words that say what a question is about.
fn telling(tokens: &[Token]) -> BTreeSet<String> {
    // "Work out …" orders; "site work" is a thing.
    let orders = |pair: &[Token]| matches!(pair, [one, next] if one.word() == "work" && next.word() == "out");
    let worked_out = tokens.windows(2).any(orders);
    let asks = |word: &str| linking::links(word) || among(ASKING, word) || (worked_out && word == "work");
    words(tokens)
        .into_iter()
        .filter(|word| (word.chars().count() > 3 || word.chars().all(|c| c.is_ascii_digit())) && !asks(word))
        .collect()
}

/// Words and plain numbers, a year as it is written.
fn words(tokens: &[Token]) -> BTreeSet<String> {
    tokens
        .iter()
        .filter_map(|token| match token.number() {
            Some(number) if number.value.fract() == 0.0 && (1900.0..2200.0).contains(&number.value) => {
                Some(format!("{:.0}", number.value))
            }
            Some(_) => None,
            None => Some(token.word().trim_end_matches("'s").to_owned()).filter(|word| !word.is_empty()),
        })
        .collect()
}
