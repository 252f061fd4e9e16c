//! "NOI 1.02m … what if NOI falls 10%?", "value dropped 12% from 11m": a change of a value of the same question, told
//! again as the new value.
//!
//! Takes only a change of one named quantity whose value stands once in the rest of the question.

use crate::plan::steps::moves;
use crate::read::reading;
use crate::read::vocabulary::{Mention, mentions};
use crate::say::format;
use crate::words::numbers;
use crate::words::scan::{Number, Shape, Token};
use finance::variable::Unit;

/// A change as it stands in the question.
struct Change {
    up: bool,
    number: Number,
    /// What it starts from, if that is said with it.
    from: Option<Number>,
    /// The token after it.
    to: usize,
}

/// The question with the new value in place of the change.
pub(crate) fn restated(text: &str, tokens: &[Token]) -> Option<String> {
    let found = mentions(tokens);
    let mut changes = found
        .iter()
        .filter(|mention| mention.variable.is_some() && !mention.verb)
        .filter_map(|mention| change(tokens, mention.to).map(|change| (mention, change)));
    let first = changes.next();
    let more = changes.next().is_some();
    // "NOI is 1.15m, if it falls 12%": what was named last before.
    let pronoun = || {
        tokens.iter().enumerate().find_map(|(at, token)| {
            let change = change(tokens, at + 1).filter(|_| token.word() == "it")?;
            let named = found
                .iter()
                .rfind(|mention| mention.to <= at && mention.variable.is_some() && !mention.verb)?;
            let it = Mention {
                from: at,
                to: at + 1,
                ..named.clone()
            };
            Some((it, change))
        })
    };
    let (mention, change) = match first {
        Some((mention, change)) => (mention.clone(), change),
        None => pronoun()?,
    };
    let mention = &mention;
    if more {
        return None;
    }
    let start = tokens.get(mention.from)?.start;
    let end = tokens.get(change.to - 1)?.end;
    let noun = text.get(start..tokens.get(mention.to - 1)?.end)?;
    if let Some(from) = &change.from {
        let shown = match from.shape {
            Shape::Percent => percent(stepped(from.value / 100.0, &change)?),
            _ => money(stepped(from.value, &change)?),
        };
        let told = format!("{}{noun} {shown}{}", text.get(..start)?, text.get(end..)?);
        return Some(told);
    }
    let start = opening(tokens, mention, start);
    let rest = format!("{} {}", text.get(..start)?, text.get(end..)?);
    let own = numbers::read(&rest);
    let variable = mention.variable?;
    let given = reading::read(&rest, &own).values.get(&variable)?.value;
    let share = variable.unit() == Unit::Percent;
    let mut places = own.iter().filter(|token| {
        token.number().is_some_and(|number| {
            let value = if share { number.value / 100.0 } else { number.value };
            (value - given).abs() <= 1e-9 * given.abs() && number.per.is_none()
        })
    });
    let (Some(place), None) = (places.next(), places.next()) else {
        return None;
    };
    let value = stepped(given, &change)?;
    let shown = if share { percent(value) } else { money(value) };
    Some(format!(
        "{}{shown}{}",
        rest.get(..place.start)?,
        rest.get(place.end..)?
    ))
}

fn percent(value: f64) -> String {
    format!("{}%", format::plain(value * 100.0, 6))
}

fn money(value: f64) -> String {
    format!("${}", format::plain(value, 2).replace(',', ""))
}

/// "falls 10%", "were to drop by 50k", "rises 50 bps": what stands right behind the noun.
fn change(tokens: &[Token], from: usize) -> Option<Change> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    // "NOI of 720k rises 4%": the value stands between.
    let linked = from + usize::from(matches!(word(from), "of" | "is" | "at"));
    let base = tokens
        .get(linked)
        .and_then(Token::number)
        .filter(|base| base.shape == Shape::Money && base.per.is_none() && !base.doubtful)
        .cloned();
    let from = if base.is_some() { linked + 1 } else { from };
    let mut at = from;
    while at < from + 3
        && matches!(
            word(at),
            "were" | "to" | "has" | "have" | "would" | "should" | "goes" | "went"
        )
    {
        at += 1;
    }
    let up = moves(word(at)).or(match word(at) {
        "dropping" | "falling" | "slipping" | "declining" => Some(false),
        "rising" | "growing" => Some(true),
        _ => None,
    })?;
    let by = at + 1 + usize::from(matches!(word(at + 1), "by" | "another"));
    let number = tokens.get(by)?.number()?.clone();
    // "falls to 900k" gives the value itself.
    if number.doubtful
        || number.per.is_some()
        || !matches!(number.shape, Shape::Percent | Shape::BasisPoints | Shape::Money)
    {
        return None;
    }
    let from = tokens
        .get(by + 2)
        .filter(|_| word(by + 1) == "from")
        .and_then(Token::number)
        .filter(|base| matches!(base.shape, Shape::Money | Shape::Percent) && base.per.is_none())
        .cloned();
    if word(by + 1) == "from" && from.is_none() {
        return None;
    }
    let to = by + 1 + if from.is_some() { 2 } else { 0 };
    let from = from.or(base);
    Some(Change { up, number, from, to })
}

/// "…, and if our NOI falls": the words that open the condition go with it.
fn opening(tokens: &[Token], mention: &Mention, start: usize) -> usize {
    let mut start = start;
    let mut at = mention.from;
    while let Some(before) = at.checked_sub(1).and_then(|at| tokens.get(at)) {
        let opens = matches!(
            before.word(),
            "if" | "and"
                | "assuming"
                | "suppose"
                | "when"
                | "the"
                | "our"
                | "my"
                | "with"
                | "should"
                | "now"
                | "but"
                | "then"
                | "say"
        ) || before.is_mark(',');
        if !opens {
            break;
        }
        start = before.start;
        at -= 1;
    }
    start
}

fn stepped(base: f64, change: &Change) -> Option<f64> {
    let sign = if change.up { 1.0 } else { -1.0 };
    let value = match change.number.shape {
        Shape::Percent => base * (1.0 + sign * change.number.value / 100.0),
        Shape::BasisPoints => base + sign * change.number.value / 10_000.0,
        _ => base + sign * change.number.value,
    };
    (value > 0.0).then_some(value)
}
