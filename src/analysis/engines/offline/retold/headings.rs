//! What stands over a question: the number of an exercise, the heading of a note, what somebody else claims it comes to.
//!
//! Knows words and the ends of sentences. None of it is a figure that the question is worked out from.

use crate::analysis::engines::offline::retold::finding::{has, number, word};
use crate::analysis::engines::offline::retold::pattern::{Edit, Pattern};
use crate::analysis::engines::offline::words::among::among;
use crate::analysis::engines::offline::words::scan::{Kind, Shape, Token};

/// What an exercise is called.
const EXERCISE: &str = "homework hw exercise problem prob question example assignment exam quiz test midterm textbook \
     chapter worksheet practice drill";
/// What may stand beside that.
const BESIDE: &str = "no nr number num set part study final review our my the this from of on for sample a b c d e f g h i ii \
     iii iv v";

/// The number of an exercise is no amount, wherever the readers stand.
pub(super) fn corrections(text: &str, tokens: &[Token]) -> Vec<Edit> {
    exercise(text, tokens)
        .into_iter()
        .chain(claimed(tokens))
        .collect()
}

/// "Homework prob 4-7:", "Exercise 12.", "Question 9(b):".
fn exercise(text: &str, tokens: &[Token]) -> Option<Edit> {
    let first = tokens.first()?.start;
    let digits = |head: &str| head.contains(|c: char| c.is_ascii_digit());
    let end = text
        .char_indices()
        .take(48)
        .filter(|(_, c)| matches!(c, ':' | '.' | ')' | ','))
        .find(|(at, c)| {
            let head = text.get(first..*at).unwrap_or_default();
            let spaced = text
                .get(at + c.len_utf8()..)
                .is_some_and(|rest| rest.starts_with(char::is_whitespace));
            spaced && (*c == ':' || digits(head))
        })
        .map(|(at, c)| at + c.len_utf8())?;
    let head = text.get(first..end)?;
    let mut words = head
        .split(|c: char| !c.is_alphanumeric())
        .filter(|piece| !piece.is_empty())
        .map(str::to_lowercase);
    let mut named = false;
    let all = words.all(|piece| {
        let own = among(EXERCISE, &piece);
        named |= own;
        own || among(BESIDE, &piece) || (piece.len() <= 4 && piece.starts_with(|c: char| c.is_ascii_digit()))
    });
    let to = tokens.iter().position(|token| token.start >= end)?;
    (named && all && to > 0).then(|| Edit {
        from: 0,
        to,
        told: String::new(),
    })
}

/// "The OM brags about 17%.": what others say that the return is, where it is worked out here.
fn claimed(tokens: &[Token]) -> Option<Edit> {
    if !has(tokens, &["irr", "xirr"])
        || has(
            tokens,
            &[
                "npv",
                "mirr",
                "modified",
                "discount",
                "discounted",
                "pv",
                "hurdle",
                "pref",
            ],
        )
    {
        return None;
    }
    let wording = Pattern::read(
        "^ the|their|our|my|his|her broker|seller|sponsor|agent|listing|marketing|offering|promoter|salesman|gp|syndicator? s|'s? om|memo|memorandum|brochure|flyer|deck|pitch|teaser|package|book|listing|email? brags|boasts|claims|says|touts|advertises|quotes|shows|promises|promised|claimed|said|quoted|advertised|touted|pitched|pitches|projects|projected|shouts|trumpets about|of|it's|its|is? a|an|the? levered|unlevered|projected|target|net|gross? irr|return|returns? of|is|at|was? #% irr|return|returns|levered|unlevered? irr|return? .",
    );
    let (at, found) = (0..tokens.len()).find_map(|at| Some((at, wording.at(tokens, at)?)))?;
    let others = tokens
        .iter()
        .filter_map(Token::number)
        .filter(|number| number.shape == Shape::Percent)
        .count();
    // What is claimed may be one of the two that are compared.
    let compared = has(
        tokens,
        &[
            "difference",
            "gap",
            "spread",
            "versus",
            "vs",
            "compare",
            "bps",
            "points",
        ],
    );
    (others == 1 && !compared).then(|| Edit {
        from: at,
        to: found.to,
        told: String::new(),
    })
}

/// Nouns of a heading: what follows is told under it.
const HEADS: &str = "math maths check report play deal study office story situation scenario background recap mortem postmortem \
     sanity numbers facts setup summary update case here exam homework quiz exercise";
/// These say how a figure is worked out, also over it.
const METHOD: &str = "monthly quarterly weekly daily levered unlevered leveraged pre after before tax net gross real nominal \
     advance arrears simple compounded";

/// "Land play with a remediation bill at the end: …", "Exit math: …": the question without its heading.
pub(super) fn without(text: &str, tokens: &[Token]) -> Option<String> {
    let end = (1..=10).find(|at| {
        tokens
            .get(*at)
            .is_some_and(|token| token.is_mark(':') || token.is_mark('.'))
    })?;
    let head = tokens.get(..end)?;
    let noun = (0..end)
        .find(|at| {
            matches!(
                word(tokens, *at),
                "with" | "for" | "on" | "of" | "at" | "from" | "about"
            )
        })
        .unwrap_or(end)
        .checked_sub(1)?;
    let plain = head.iter().all(|token| {
        matches!(token.kind, Kind::Word(_) | Kind::Mark('-' | '\'' | ','))
            && (!among(METHOD, token.word())
                || tokens.iter().filter(|other| other.word() == token.word()).count() > 1)
    });
    let dated = (0..end).any(|at| number(tokens, at).is_some());
    let rest = text.get(tokens.get(end + 1)?.start..)?;
    (plain && !dated && among(HEADS, word(tokens, noun))).then(|| rest.to_owned())
}
