//! What a figure is wanted for: "For the tax workpapers: …", "before we file taxes, …", "… for our CPA".
//!
//! Such a phrase stands at the beginning, before a colon or a comma, or at the end. It has no number and no word that
//! sets how a figure is worked out; the field it comes from ("tax") is none of what is asked.

use crate::analysis::engines::offline::read::terms::rank;
use crate::analysis::engines::offline::retold::context::sets;
use crate::analysis::engines::offline::words::among::among;
use crate::analysis::engines::offline::words::numbers;
use crate::analysis::engines::offline::words::scan::Token;

/// Who or what a figure goes to.
const RECIPIENTS: &str = "accountant accountants accounting audit auditor auditors board books committee cpa deck file files \
     filing letter memo memorandum package paperwork preparer presentation records report return returns review summary \
     taxes workpaper workpapers investors lawyer lawyers attorney broker";

/// The most words of such a phrase.
const LONGEST: usize = 8;

/// The question without it.
pub(super) fn without(text: &str) -> Option<String> {
    let tokens = numbers::read(text);
    leading(text, &tokens).or_else(|| trailing(text, &tokens))
}

fn leading(text: &str, tokens: &[Token]) -> Option<String> {
    let begins = matches!(tokens.first()?.word(), "for" | "before" | "per" | "re" | "as");
    let end = (1..=LONGEST + 1).find(|at| {
        tokens
            .get(*at)
            .is_some_and(|token| token.is_mark(':') || token.is_mark(','))
    })?;
    let phrase = tokens.get(1..end)?;
    let colon = tokens.get(end)?.is_mark(':');
    // A comma also ends what is part of the question: "for a 30-year loan, …".
    let plain = colon || phrase.iter().any(|token| among(RECIPIENTS, token.word()));
    let rest = text.get(tokens.get(end + 1)?.start..)?;
    (begins && plain && beside(phrase)).then(|| rest.to_owned())
}

fn trailing(text: &str, tokens: &[Token]) -> Option<String> {
    let last = tokens.iter().rposition(|token| !token.word().is_empty())?;
    if !among(RECIPIENTS, tokens.get(last)?.word()) {
        return None;
    }
    let from = (1..=LONGEST)
        .map_while(|back| last.checked_sub(back))
        .find(|at| matches!(tokens.get(*at).map_or("", Token::word), "for" | "before"))?;
    let phrase = tokens.get(from + 1..=last)?;
    let kept = text
        .get(..tokens.get(from)?.start)?
        .trim_end_matches([' ', ',', '(']);
    (from > 2 && beside(phrase)).then(|| format!("{kept}?"))
}

fn beside(phrase: &[Token]) -> bool {
    !phrase.is_empty()
        && phrase.iter().all(|token| {
            let word = token.word();
            let period = matches!(
                word,
                "year" | "years" | "life" | "whole" | "entire" | "after" | "period"
            );
            token.number().is_none()
                && !period
                && rank(word).is_none()
                && (matches!(word, "tax" | "taxes") || !sets(word))
        })
}
