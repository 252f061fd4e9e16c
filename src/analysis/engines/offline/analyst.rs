//! The offline analyst: reads a question without any language model and answers it exactly, or asks
//! for what is missing.
//!
//! The entry of this engine. Knows no database and no network; notes and the earlier turn come with
//! the brief.

use futures_core::future::BoxFuture;

use crate::analysis::engine::{Brief, Draft, Engine, Remark, Speaker};
use crate::analysis::engines::offline::calculate;
use crate::analysis::engines::offline::compose;
use crate::analysis::engines::offline::deal;
use crate::analysis::engines::offline::frame::Frame;
use crate::analysis::engines::offline::given::Reading;
use crate::analysis::engines::offline::goals;
use crate::analysis::engines::offline::memory;
use crate::analysis::engines::offline::numbers;
use crate::analysis::engines::offline::offers;
use crate::analysis::engines::offline::outcome::Ask;
use crate::analysis::engines::offline::rates;
use crate::analysis::engines::offline::reading;
use crate::analysis::engines::offline::recall;
use crate::analysis::engines::offline::scan::Token;
use crate::analysis::engines::offline::scope;
use crate::analysis::engines::offline::series;
use crate::analysis::engines::offline::settling;
use crate::base::error::Result;
use crate::base::ids::NoteId;
use crate::finance::variable::Variable;

/// The built-in engine: deterministic, and silent where it is not sure.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfflineAnalyst;

impl Engine for OfflineAnalyst {
    fn model(&self) -> &'static str {
        "svc-local"
    }

    fn leans_on(&self, earlier: &serde_json::Value) -> Vec<NoteId> {
        let frame = Frame::read(Some(earlier));
        frame.map_or_else(Vec::new, |frame| {
            frame.offers.iter().map(|offer| offer.note).collect()
        })
    }

    fn answer<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<Draft>> {
        Box::pin(async move { Ok(draft(brief)) })
    }
}

/// Longer questions are no questions of this kind; reading stays fast.
const MOST_TOKENS: usize = 1200;

/// The draft for a brief, at once.
#[must_use]
pub fn draft(brief: &Brief) -> Draft {
    let mut draft = read(brief);
    // Small talk and quotations do not end a calculation.
    if draft.frame.is_none() {
        draft.frame = Frame::read(brief.earlier.as_ref()).and_then(|frame| frame.json());
    }
    // Which of several people's numbers is meant, only the asker knows: asking beats guessing.
    let asks_back = !draft.success && !draft.missing.is_empty();
    if asks_back && brief.thread.iter().any(holds_numbers) {
        draft.warnings.push(UNUSED_THREAD.to_owned());
    }
    draft
}

const UNUSED_THREAD: &str = "Earlier messages of this thread hold numbers that I did not use, because I cannot tell \
                             which of them you mean. Repeat those that count and I calculate with them.";

fn holds_numbers(remark: &Remark) -> bool {
    matches!(remark.by, Speaker::Person(_)) && remark.text.chars().any(|sign| sign.is_ascii_digit())
}

fn read(brief: &Brief) -> Draft {
    let tokens = numbers::read(&brief.question);
    if tokens.len() > MOST_TOKENS {
        return compose::plain_text(scope::TOO_LONG);
    }
    if let Some(text) = scope::greeting(&tokens) {
        return compose::plain_text(text);
    }
    if let Some(text) = scope::forecast(&tokens) {
        return compose::plain_text(text);
    }
    let earlier = Frame::read(brief.earlier.as_ref());
    if let Some(draft) = offers::answer(brief, &tokens, earlier.as_ref()) {
        return draft;
    }
    let mut reading = reading::read(&brief.question, &tokens);
    if let Some((deal, name)) = rates::read(&tokens, &reading) {
        return conversion(brief, &tokens, deal, name);
    }
    let recalled = recall::answer(brief, &tokens, &reading);
    if let Some(family) = goals::unsupported(&tokens) {
        if let Some(quoted) = recalled.filter(|draft| draft.success) {
            return quoted;
        }
        return compose::plain_text(&scope::not_yet(family));
    }
    if let Some(quoted) = recalled.or_else(|| recall::stated(brief, &tokens, &reading)) {
        return quoted;
    }
    if !two_sums(&reading)
        && let Some(draft) = series::answer(brief, &tokens, &reading, earlier.as_ref())
    {
        return draft;
    }
    graph(brief, &tokens, &mut reading, earlier.as_ref())
}

/// A multiple of two named sums needs no flows.
fn two_sums(reading: &Reading) -> bool {
    let given = |sum| reading.values.contains_key(&sum);
    reading.goals == [Variable::EquityMultiple]
        && given(Variable::Distributions)
        && given(Variable::Equity)
        && reading.left.is_empty()
}

/// The answer to a rate conversion.
fn conversion(brief: &Brief, tokens: &[Token], mut deal: deal::Deal, name: &'static str) -> Draft {
    let goals = [Variable::EffectiveRate];
    match calculate::calculate(tokens, &goals, &mut deal) {
        Ok(mut computed) => {
            for headline in &mut computed.headlines {
                headline.name = name;
            }
            compose::answer(&computed, &deal, brief.tone)
        }
        Err(ask) => compose::ask(&ask, &goals, &[]),
    }
}

fn graph(brief: &Brief, tokens: &[Token], reading: &mut Reading, earlier: Option<&Frame>) -> Draft {
    let mut goals = reading.goals.clone();
    let follows = follows(tokens, reading, earlier);
    if goals.is_empty() {
        match earlier {
            Some(frame) if follows && adds(tokens, reading) => goals = other_period(tokens, &frame.goals),
            Some(frame) if follows && !frame.missing.is_empty() && tokens.len() <= 6 => {
                let missing = Ask {
                    reasons: Vec::new(),
                    missing: frame.missing.clone(),
                };
                return compose::ask(&missing, &frame.goals, &[]);
            }
            Some(_) if tokens.len() <= 6 && leans(tokens) => return compose::plain_text(scope::WHAT_NEXT),
            _ => return nothing_asked(tokens, reading),
        }
    }
    if goals::change(tokens) {
        return compose::ask(&Ask::because(scope::NEW_VALUE), &goals, &[]);
    }
    let used = memory::house_values(brief, tokens, reading, &goals);
    let mut settled = settling::settle(&brief.question, tokens, reading, &goals, None);
    memory::apply(&used, &mut settled);
    settled.exit_as_cap(&goals);
    let mut outcome = calculate::calculate(tokens, &goals, &mut settled);
    // Only an incomplete question leans on the earlier turn.
    if follows && outcome.is_err() && earlier.is_some() {
        settled = settling::settle(&brief.question, tokens, reading, &goals, earlier);
        memory::apply(&used, &mut settled);
        settled.exit_as_cap(&goals);
        outcome = calculate::calculate(tokens, &goals, &mut settled);
    }
    let missing = match &outcome {
        Err(ask) => ask.missing.clone(),
        Ok(_) => Vec::new(),
    };
    if let Err(ask) = &mut outcome
        && let Some(sentence) = recall::unstated(brief, tokens, reading)
    {
        ask.reasons.insert(0, sentence);
    }
    let mut offers = Vec::new();
    let mut draft = match &outcome {
        Ok(computed) => compose::answer(computed, &settled, brief.tone),
        Err(ask) => {
            let hint = "say “use it”, or send me another value.";
            let (draft, offered) = memory::ask_with_notes(brief, tokens, ask, &goals, hint);
            offers = offered;
            draft
        }
    };
    if draft.success {
        memory::credit(&used, &mut draft);
    }
    draft.frame = Frame {
        version: Frame::VERSION,
        goals,
        values: settled.held(),
        series: None,
        missing,
        offers,
    }
    .json();
    draft
}

/// Whether the question gives or names anything that the earlier turn did not.
fn adds(tokens: &[Token], reading: &Reading) -> bool {
    !reading.values.is_empty()
        || !reading.left.is_empty()
        || !reading.durations.is_empty()
        || !reading.mentions.is_empty()
        || !reading.foreign.is_empty()
        || !reading.doubts.is_empty()
        || reading.interest_only
        || reading.day_count.is_some()
        || tokens.iter().any(|token| period(token.word()).is_some())
        // "after" or "during" answers which payment of an interest-only loan is meant.
        || tokens.iter().any(|token| matches!(token.word(), "after" | "during" | "while"))
}

fn period(word: &str) -> Option<bool> {
    match word {
        "annually" | "annual" | "yearly" | "year" => Some(true),
        "monthly" | "month" => Some(false),
        _ => None,
    }
}

/// "and annually?" after a monthly payment asks for the debt service, and the other way round.
fn other_period(tokens: &[Token], goals: &[Variable]) -> Vec<Variable> {
    let yearly = tokens.iter().find_map(|token| period(token.word()));
    goals
        .iter()
        .map(|goal| match (goal, yearly) {
            (Variable::Payment, Some(true)) => Variable::DebtService,
            (Variable::DebtService, Some(false)) => Variable::Payment,
            (other, _) => *other,
        })
        .collect()
}

/// Short words that speak of what was said before.
fn leans(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        matches!(
            token.word(),
            "why"
                | "no"
                | "wrong"
                | "yes"
                | "that"
                | "it"
                | "and"
                | "really"
                | "sure"
                | "how"
                | "again"
                | "hmm"
                | "explain"
                | "correct"
                | "right"
                | "this"
                | "so"
                | "ok"
                | "okay"
        )
    })
}

/// Whether the question leans on the turn before it.
fn follows(tokens: &[Token], reading: &Reading, earlier: Option<&Frame>) -> bool {
    let Some(frame) = earlier else { return false };
    let first = tokens
        .iter()
        .map(Token::word)
        .find(|word| !word.is_empty())
        .unwrap_or("");
    let opens = matches!(
        first,
        "and"
            | "then"
            | "now"
            | "also"
            | "ok"
            | "okay"
            | "but"
            | "same"
            | "so"
            | "at"
            | "with"
            | "make"
            | "use"
    );
    let pair = |a: &str, b: &str| {
        tokens
            .windows(2)
            .any(|two| matches!(two, [x, y] if x.word() == a && y.word() == b))
    };
    let asks = pair("what", "if") || pair("what", "about") || pair("how", "about");
    let points = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "that"
                | "it"
                | "same"
                | "this"
                | "instead"
                | "those"
                | "these"
                | "its"
                | "earlier"
                | "above"
                | "previous"
        )
    });
    let bare = reading.goals.is_empty();
    // A short question without any new value continues with the old ones.
    let empty = reading.values.is_empty() && reading.left.is_empty() && tokens.len() <= 12;
    // Nothing here speaks against the earlier deal: no value of it is given anew, and no new thing is named.
    let apart = reading
        .values
        .keys()
        .all(|variable| !frame.values.iter().any(|held| held.variable == *variable));
    let another = tokens.windows(2).any(|two| {
        matches!(two, [x, y] if matches!(x.word(), "a" | "an" | "another" | "new" | "different" | "second")
            && matches!(y.word(), "building" | "property" | "loan" | "deal" | "asset" | "investment" | "mortgage" | "note" | "new" | "different"))
    });
    let continues = apart && !another && !frame.values.is_empty() && tokens.len() <= 25;
    let fills = reading
        .values
        .keys()
        .any(|variable| frame.missing.contains(variable))
        && bare;
    opens || asks || points || bare || empty || fills || continues
}

fn nothing_asked(tokens: &[Token], reading: &Reading) -> Draft {
    let financial = reading.mentions.iter().any(|mention| mention.variable.is_some());
    let numbers = tokens.iter().any(|token| token.number().is_some());
    if financial || (numbers && !reading.values.is_empty()) {
        return compose::plain_text(scope::WHAT_TO_COMPUTE);
    }
    compose::plain_text(scope::OUTSIDE)
}
