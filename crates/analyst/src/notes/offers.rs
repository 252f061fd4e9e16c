//! A note's value that was offered for a gap, and the short reply that takes or declines it.
//!
//! Knows only what the frame of the turn before holds; looks into no note.

use crate::contract::brief::Brief;
use crate::contract::brief::NoteId;
use crate::contract::draft::Draft;
use crate::plan::calculate;
use crate::plan::frame::Frame;
use crate::plan::outcome::Ask;
use crate::plan::settling;
use crate::read::given::Reading;
use crate::say::compose;
use crate::words::scan::Token;

/// The answer to "yes" or "no" after an offer; `None` for anything else.
pub(crate) fn answer(brief: &Brief, tokens: &[Token], earlier: Option<&Frame>) -> Option<Draft> {
    // What may no longer be read may no longer be used either.
    let readable = |note: NoteId| brief.notes.iter().any(|own| own.id == note);
    let frame = earlier
        .filter(|frame| !frame.offers.is_empty() && frame.offers.iter().all(|offer| readable(offer.note)))?;
    let mut next = Frame {
        offers: Vec::new(),
        ..frame.clone()
    };
    if !consents(tokens)? {
        let ask = Ask {
            reasons: Vec::new(),
            missing: frame.missing.clone(),
        };
        let mut draft = compose::ask(&ask, &frame.goals, &[]);
        draft.frame = next.json();
        return Some(draft);
    }
    let mut deal = settling::settle(
        &brief.question,
        tokens,
        &Reading::default(),
        &frame.goals,
        Some(frame),
    );
    for offer in &frame.offers {
        deal.set(offer.held.variable, offer.held.value, &offer.held.origin);
    }
    deal.exit_as_cap(&frame.goals);
    let mut draft = match calculate::calculate(tokens, &frame.goals, &mut deal) {
        Ok(computed) => {
            next.missing.clear();
            compose::answer(&computed, &deal, brief.tone)
        }
        Err(ask) => {
            next.missing.clone_from(&ask.missing);
            compose::ask(&ask, &frame.goals, &[])
        }
    };
    for offer in &frame.offers {
        if !draft.used_notes.contains(&offer.note) {
            draft.used_notes.push(offer.note);
        }
    }
    next.values = deal.held();
    draft.frame = next.json();
    Some(draft)
}

/// Whether a reply of a few plain words says yes or no.
fn consents(tokens: &[Token]) -> Option<bool> {
    if tokens.len() > 10 || tokens.iter().any(|token| token.number().is_some()) {
        return None;
    }
    let words: Vec<&str> = tokens
        .iter()
        .map(Token::word)
        .filter(|word| !word.is_empty())
        .collect();
    let declines = |word: &str| matches!(word, "no" | "nope" | "nah" | "don't" | "not");
    let agrees = |word: &str| {
        matches!(
            word,
            "yes"
                | "yep"
                | "yeah"
                | "yup"
                | "ok"
                | "okay"
                | "sure"
                | "use"
                | "correct"
                | "right"
                | "ahead"
                | "do"
        )
    };
    let fills = |word: &str| {
        matches!(
            word,
            "it" | "that"
                | "this"
                | "the"
                | "note"
                | "note's"
                | "notes"
                | "value"
                | "figure"
                | "number"
                | "one"
                | "from"
                | "in"
                | "go"
                | "please"
                | "thanks"
                | "thank"
                | "you"
                | "with"
                | "my"
                | "our"
                | "one's"
                | "then"
        )
    };
    let plain = words
        .iter()
        .all(|word| declines(word) || agrees(word) || fills(word));
    if !plain {
        return None;
    }
    if words.iter().any(|word| declines(word)) {
        return Some(false);
    }
    words.iter().any(|word| agrees(word)).then_some(true)
}
