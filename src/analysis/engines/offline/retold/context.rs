//! What stands before a calculation and is no part of it: why somebody asks, who wants the number, what is being bought.
//!
//! Whole sentences go, and only from the beginning: those without a figure in digits and without a word that sets how a
//! figure is to be worked out. The answer says how the question was read then.

use crate::analysis::engines::offline::words::among::among;
use crate::analysis::engines::offline::words::numbers;
use crate::analysis::engines::offline::words::scan::{Kind, Token};

/// These set when money moves, what counts, or how it grows: a sentence with one of them stays.
const SETS: &str = "advance arrears beginning begin begins start starts starting daily weekly monthly quarterly semiannual \
     semiannually compounded compounding compound continuous only amortizing amortising amortization amortized amortizes \
     balloon exclude excludes excluded excluding except without net gross include includes included including ignore \
     ignores ignoring assume assumes assuming assumed suppose supposing if unless until till deduct deducted less plus \
     minus add adds added free abated abatement abates step steps escalate escalates escalation escalations grow grows \
     growing growth increase increases rise rises rising fall falls falling double doubles triple halve halves half third \
     vacant vacancy down model models reserve reserves fee fees cost costs point points commission commissions allowance \
     credit credits deposit deposits discounted inflation indexed index cpi floor floors ceiling cap capped nominal real \
     effective accrue accrues accrued defer deferred defers prepaid prepay prepaid premium penalty tax taxes land promote \
     hurdle catchup percent percentage twice dozen couple month months \
     quarter quarters day days otherwise";

/// Quantities: "the lender trims our NOI" may change the one that is given.
const QUANTITIES: &str = "noi income revenue egi gpr rent rents expense expenses opex loan debt mortgage price value values \
     rate rates payment payments cash flow flows equity interest principal yield occupancy units unit area budget \
     proceeds sale exit amount amounts balance basis capital capex dscr ltv irr npv walt";

/// What a field is written up in: "the tax package".
const PAPERWORK: &str =
    "package return returns file files filing workpapers projection prep season estimate accountant";

/// The question without such sentences at its beginning.
pub(super) fn without(text: &str) -> Option<String> {
    let tokens = numbers::read(text);
    let mut from = 0;
    while let Some(end) = (from..tokens.len()).find(|at| ends(text, &tokens, *at)) {
        let sentence = tokens.get(from..=end)?;
        if end + 1 >= tokens.len() || !is_context(text, sentence) {
            break;
        }
        from = end + 1;
    }
    if from == 0 {
        return None;
    }
    text.get(tokens.get(from)?.start..).map(str::to_owned)
}

/// A full stop with another sentence behind it. A question mark ends what is asked, and stays.
fn ends(text: &str, tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let next = tokens.get(at + 1).and_then(|next| text.get(next.start..));
    (token.is_mark('.') || token.is_mark('!'))
        && text
            .get(token.end..)
            .is_some_and(|rest| rest.starts_with(char::is_whitespace))
        && next.is_some_and(|next| {
            next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '$')
        })
}

fn is_context(text: &str, sentence: &[Token]) -> bool {
    let (Some(first), Some(last)) = (sentence.first(), sentence.last()) else {
        return false;
    };
    let written = text.get(first.start..last.end).unwrap_or("");
    let figures = written.contains(|c: char| c.is_ascii_digit() || "%$€£?".contains(c));
    let words = sentence
        .iter()
        .filter(|token| matches!(token.kind, Kind::Word(_)))
        .count();
    // "We're tying out the tax package.": what the figure is for.
    let paperwork = |at: usize| {
        matches!(sentence.get(at).map_or("", Token::word), "tax" | "taxes")
            && sentence
                .get(at + 1)
                .is_some_and(|next| among(PAPERWORK, next.word()))
    };
    !figures
        && words > 2
        && !(0..sentence.len()).any(|at| sets(sentence.get(at).map_or("", Token::word)) && !paperwork(at))
}

/// Whether a word may say how a figure is worked out.
pub(super) fn sets(word: &str) -> bool {
    among(SETS, word) || among(QUANTITIES, word)
}
