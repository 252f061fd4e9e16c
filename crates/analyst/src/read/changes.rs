//! Changes that are told instead of values: a step of something, a part of it, a comparison. No number of theirs is a
//! value of its own.

use crate::words::among::among;
use crate::words::scan::{Shape, Sign, Token};

/// Words after which a change, not a new value, is given ("up 5%", "drops by 50k").
pub(crate) fn told(tokens: &[Token]) -> bool {
    const WORDS: &str = "drop drops dropped falls falling rising dropping waived forgiven offset fall fell rise rises rose \
        increase increases increased decrease decreases decreased cut cuts reduce reduces reduced higher \
        lower less more above below compare compared difference haircut stress stressed slips declines \
        decline jumps adds minus cheaper exceed exceeds wider tighter widen widens double doubles halve \
        halved twice average blended half haircuts haircutting trims trimmed shaves shaved slashes slashed";
    // "NOI of 1.31m less 64k reserves" names what is taken off, and is no change.
    let service = |at: usize| {
        (1..=3).any(|ahead| {
            tokens.get(at + ahead).is_some_and(|token| token.word() == "debt")
                && tokens
                    .get(at + ahead + 1)
                    .is_some_and(|token| token.word() == "service")
        })
    };
    let taken_off = |at: usize| {
        tokens.get(at + 1).is_some_and(|next| next.number().is_some())
            && (2..=4).any(|ahead| {
                tokens
                    .get(at + ahead)
                    .is_some_and(|token| token.word().starts_with("reserve"))
            })
    };
    // "144 flats, of which 137 are let" counts, and changes nothing.
    let counted = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "let" | "leased" | "occupied" | "rented" | "vacant" | "empty" | "void"
        )
    });
    let parts = tokens.windows(2).any(|pair| {
        if counted && matches!(pair, [a, b] if a.word() == "of" && b.word() == "which") {
            return false;
        }
        matches!(pair, [a, b] if matches!((a.word(), b.word()), ("a" | "one" | "two" | "three", "third" | "thirds" | "fifth" | "fifths" | "fourth" | "fourths" | "tenth") | ("by", "half") | ("of", "which") | ("half", "of")))
    });
    // "+50 bps" or "50 bps" is a step, no rate of its own.
    let step = tokens.iter().filter_map(Token::number).any(|number| {
        let share = matches!(number.shape, Shape::Percent | Shape::BasisPoints);
        (number.shape == Shape::BasisPoints && number.value <= 300.0) || (share && number.sign == Sign::Plus)
    });
    // "goes up 10%": of nothing named, and no value itself.
    let moved = tokens.windows(2).any(|pair| {
        matches!(pair, [a, b] if matches!(a.word(), "up" | "down")
            && b.number().is_some_and(|number| number.shape == Shape::Percent && number.per.is_none()))
    });
    if step || parts || moved {
        return true;
    }
    tokens.iter().enumerate().any(|(at, token)| {
        // "NOI less debt service" is the cash flow.
        // "minus 250k at the start" is a flow with its sign.
        let signed = token.word() == "minus"
            && tokens.get(at + 1).is_some_and(|next| next.number().is_some())
            && at
                .checked_sub(1)
                .and_then(|before| tokens.get(before))
                .is_none_or(|before| before.word().is_empty() && before.number().is_none());
        if signed || taken_off(at) || (matches!(token.word(), "less" | "minus") && service(at)) {
            return false;
        }
        let before = at
            .checked_sub(1)
            .and_then(|at| tokens.get(at))
            .map_or("", Token::word);
        among(WORDS, token.word())
            && !matches!(before, "no" | "not")
            // "flows fall at year end" says when.
            && tokens
                .get(at + 1)
                .is_none_or(|next| !matches!(next.word(), "to" | "at" | "due" | "on"))
    })
}
