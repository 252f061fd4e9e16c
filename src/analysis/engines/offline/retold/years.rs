//! The years of a row of flows: by ordinals, by a heading, counted from now or from the flow before.

use crate::analysis::engines::offline::retold::finding::ORDINALS;
use crate::analysis::engines::offline::retold::pattern::{Edit, Pattern, lump};
use crate::analysis::engines::offline::retold::placing;
use crate::analysis::engines::offline::retold::timing::FLOWS;
use crate::analysis::engines::offline::words::scan::{Shape, Token};

pub(super) fn edits(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let flows = tokens.iter().any(|token| FLOWS.contains(&token.word()));
    if !flows {
        return Vec::new();
    }
    let mut edits = ordinals(tokens);
    edits.extend(headed(tokens));
    edits.extend(slashes(tokens));
    edits.extend(ahead(tokens));
    edits.extend(following(tokens));
    edits.extend(turned(text, tokens));
    edits.extend(counted(text, tokens));
    edits.extend(placing::edits(tokens));
    edits
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}

/// "in the first year …, in the second …": the years of a row.
fn ordinals(tokens: &[Token]) -> Vec<Edit> {
    let rank = |at: usize| ORDINALS.iter().position(|own| *own == word(tokens, at));
    let years =
        (0..tokens.len()).any(|at| rank(at).is_some() && matches!(word(tokens, at + 1), "year" | "yr"));
    let distinct = (0..tokens.len()).filter(|at| rank(*at).is_some()).count();
    if !years || distinct < 2 {
        return Vec::new();
    }
    let mut edits = Vec::new();
    for at in 2..tokens.len() {
        let Some(rank) = rank(at) else { continue };
        let own = matches!(word(tokens, at - 2), "in" | "during" | "for" | "over");
        // "24k the first year, 25k the second".
        let amount = tokens.get(at - 2).and_then(Token::number).is_some_and(lump);
        // "at the end of the third year".
        let of =
            word(tokens, at - 2) == "of" && matches!(word(tokens, at.saturating_sub(3)), "end" | "close");
        let led = word(tokens, at - 1) == "the" && (own || amount || of);
        let named = matches!(word(tokens, at + 1), "year" | "yr");
        let other = matches!(
            word(tokens, at + 1),
            "month" | "quarter" | "half" | "tranche" | "property" | "deal" | "investor" | "call" | "payment"
        );
        if led && !other {
            edits.push(Edit {
                from: at - if own { 2 } else { 1 },
                to: at + 1 + usize::from(named),
                told: format!("{}year {}", if of { "" } else { "in " }, rank + 1),
            });
        }
    }
    edits
}

fn label(tokens: &[Token], at: usize) -> Option<f64> {
    tokens
        .get(at)
        .and_then(Token::number)
        .filter(|number| number.shape == Shape::YearLabel)
        .map(|number| number.value)
}

/// The amounts of a list that begins at `at`, and the token after it.
fn list(tokens: &[Token], at: usize) -> (usize, usize) {
    let mut count = 0;
    let mut end = at;
    let mut place = at;
    while let Some(token) = tokens.get(place) {
        if token.number().is_some_and(lump) {
            count += 1;
            end = place + 1;
        } else if !(token.is_mark(',') || token.is_mark('/') || token.is_mark(';') || token.word() == "and") {
            break;
        }
        place += 1;
    }
    (count, end)
}

/// "year 0 through year 6: …": as many amounts as years say the same.
fn headed(tokens: &[Token]) -> Vec<Edit> {
    let headers = [
        Pattern::read(
            "for|from|in? years|year #l through|to|until|thru years|year? #l annual|yearly|net|cash? flows|flow|cashflows|amounts|figures? :",
        ),
        Pattern::read("years|year #l #l annual|yearly|net|cash? flows|flow|cashflows|amounts|figures? :"),
    ];
    let mut edits = Vec::new();
    for at in 0..tokens.len() {
        let Some(found) = headers.iter().find_map(|header| header.at(tokens, at)) else {
            continue;
        };
        let [first, last] = found.numbers.as_slice() else {
            continue;
        };
        let span = label(tokens, *first).zip(label(tokens, *last));
        let (count, _) = list(tokens, found.to);
        if span.is_some_and(|(first, last)| first == 0.0 && (last + 1.0 - count as f64).abs() < 1e-9) {
            edits.push(Edit {
                from: at,
                to: found.to,
                told: "flows:".to_owned(),
            });
        }
    }
    edits
}

/// "(1.2m) / 90k / 95k": a row of amounts.
fn slashes(tokens: &[Token]) -> Vec<Edit> {
    let amount = |at: usize| tokens.get(at).and_then(Token::number).is_some_and(lump);
    let row: Vec<usize> = (1..tokens.len())
        .filter(|at| tokens.get(*at).is_some_and(|token| token.is_mark('/')))
        .filter(|at| amount(at - 1) && amount(at + 1))
        .collect();
    if row.len() < 2 {
        return Vec::new();
    }
    row.into_iter()
        .map(|at| Edit {
            from: at,
            to: at + 1,
            told: ",".to_owned(),
        })
        .collect()
}

/// "one year from now", "twelve months out": a year of the row.
fn ahead(tokens: &[Token]) -> Vec<Edit> {
    let wordings = [
        Pattern::read("in|at|about|exactly? #y out|hence"),
        Pattern::read("in|at|about|exactly? #y from|after now|today|closing|here"),
        Pattern::read("in|at|about|exactly? #m out|hence"),
        Pattern::read("in|at|about|exactly? #m from|after now|today|closing|here"),
    ];
    // "66,000 after two years and 900,000 after three".
    let short = Pattern::read("after #n $");
    let counted = tokens
        .iter()
        .any(|token| token.number().is_some_and(|number| number.shape == Shape::Years));
    let one = Pattern::read("in? a year from|after now|today|closing");
    // "Receive 575k in a year and pay 330k a year after that".
    let bare = Pattern::read("in a year ,|;|.?");
    let later = [
        Pattern::read("a|another|one|the year after|later that|this|it?"),
        Pattern::read("#y after|later that|this|it?"),
    ];
    let number = |at: usize| tokens.get(at).and_then(Token::number);
    let mut edits = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(found) = one.at(tokens, at) {
            edits.push(Edit {
                from: at,
                to: found.to,
                told: "in year 1".to_owned(),
            });
            at = found.to;
            continue;
        }
        let amount = at.checked_sub(1).and_then(number).is_some_and(lump);
        let more = tokens
            .get(at + 3)
            .is_some_and(|next| next.is_mark('-') || next.number().is_some());
        if amount && !more && bare.at(tokens, at).is_some() && word(tokens, at + 3) != "from" {
            edits.push(Edit {
                from: at,
                to: at + 3,
                told: "in year 1".to_owned(),
            });
            at += 3;
            continue;
        }
        // The first amount of all is paid today.
        let today = (0..at).filter(|at| number(*at).is_some_and(lump)).count() == 2;
        let before = (0..at)
            .rev()
            .find_map(|at| label(tokens, at))
            .or_else(|| today.then_some(0.0));
        if amount
            && let Some(before) = before
            && let Some(found) = later.iter().find_map(|wording| wording.at(tokens, at))
        {
            let more = found
                .numbers
                .first()
                .and_then(|at| number(*at))
                .map_or(1.0, |number| number.value);
            edits.push(Edit {
                from: at,
                to: found.to,
                told: format!("in year {}", before + more),
            });
            at = found.to;
            continue;
        }
        let elided = || short.at(tokens, at).filter(|_| counted);
        let Some(found) = wordings
            .iter()
            .find_map(|wording| wording.at(tokens, at))
            .or_else(elided)
        else {
            at += 1;
            continue;
        };
        let years = found
            .numbers
            .first()
            .and_then(|at| tokens.get(*at))
            .and_then(Token::number)
            .map(|number| match number.shape {
                Shape::Months => number.value / 12.0,
                _ => number.value,
            })
            .filter(|years| years.fract() == 0.0 && *years >= 1.0);
        if let Some(years) = years {
            edits.push(Edit {
                from: at,
                to: found.to,
                told: format!("in year {years}"),
            });
        }
        at = found.to;
    }
    edits
}

/// "at each of the next four year ends we collect a, b, c and d": the years after the last one named.
fn following(tokens: &[Token]) -> Vec<Edit> {
    let wordings = [
        Pattern::read("and|then? at|in|over|for|on each? of? the next|following|subsequent #n year ends|end"),
        Pattern::read("and|then? at|in|over|for|on each? of? the next|following|subsequent #y ends|end?"),
        Pattern::read("and|then? at|in|over|for|on the #y after|following that|then|thereafter"),
    ];
    let mut edits = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(found) = wordings.iter().find_map(|wording| wording.at(tokens, at)) else {
            at += 1;
            continue;
        };
        let count = found
            .numbers
            .first()
            .and_then(|at| tokens.get(*at))
            .and_then(Token::number)
            .map_or(0.0, |number| number.value);
        let before = (0..at).rev().find_map(|at| label(tokens, at));
        // The row has to have as many amounts as years.
        let start =
            (found.to..found.to + 6).find(|at| tokens.get(*at).and_then(Token::number).is_some_and(lump));
        let (listed, end) = start.map_or((0, 0), |start| list(tokens, start));
        if let (Some(before), true) = (before, listed >= 2 && (listed as f64 - count).abs() < 1e-9) {
            let years = format!("in years {} through {}", before + 1.0, before + count);
            edits.push(Edit {
                from: at,
                to: found.to,
                told: "and".to_owned(),
            });
            edits.push(Edit {
                from: end,
                to: end + 1,
                told: format!("{years}."),
            });
        }
        at = found.to;
    }
    edits
}

/// "168k in year 4, and in year 5 190k plus 2.9mm": the year behind its amounts, as everywhere else.
fn turned(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let wordings = [
        Pattern::read("in year #l #$ .. plus|+ #$"),
        Pattern::read("in year #l #$"),
    ];
    let mut edits = Vec::new();
    for at in 1..tokens.len() {
        let joined =
            word(tokens, at - 1) == "and" || tokens.get(at - 1).is_some_and(|token| token.is_mark(','));
        // The amounts before have their year behind them.
        let before = (0..at)
            .rev()
            .find(|at| tokens.get(*at).is_some_and(|token| token.number().is_some()));
        let behind = before.is_some_and(|at| {
            label(tokens, at).is_some()
                && word(tokens, at.saturating_sub(1)) == "year"
                && word(tokens, at.saturating_sub(2)) == "in"
        });
        if !joined || !behind {
            continue;
        }
        let Some(found) = wordings.iter().find_map(|wording| wording.at(tokens, at)) else {
            continue;
        };
        let Some(first) = found.numbers.get(1) else {
            continue;
        };
        // What is said of the last amount stays beside it: "2.9mm net from the sale".
        let to = (found.to..tokens.len())
            .find(|at| {
                tokens
                    .get(*at)
                    .is_some_and(|token| token.word().is_empty() && !token.is_mark('-'))
            })
            .filter(|at| tokens.get(*at).is_some_and(|token| token.number().is_none()))
            .unwrap_or(found.to);
        let slice = || {
            let (start, end) = (tokens.get(*first)?.start, tokens.get(to - 1)?.end);
            text.get(start..end)
        };
        let year = found.numbers.first().and_then(|at| label(tokens, *at));
        if let (Some(amounts), Some(year)) = (slice(), year) {
            edits.push(Edit {
                from: at,
                to,
                told: format!("{amounts} in year {year}"),
            });
        }
    }
    edits
}

/// "900k up front, 110k, 60k in year 2, 240k and finally 720k in year 4": each amount has the year of its place, where
/// the years that are named say so.
fn counted(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let plural = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "years" | "each" | "every" | "months" | "month" | "monthly" | "quarterly" | "quarter" | "per"
        )
    });
    let amounts: Vec<usize> = (0..tokens.len())
        .filter(|at| tokens.get(*at).and_then(Token::number).is_some_and(lump))
        .collect();
    if plural || amounts.len() < 4 {
        return Vec::new();
    }
    let recurring = amounts.iter().any(|at| {
        tokens
            .get(*at)
            .and_then(Token::number)
            .is_some_and(|number| number.per.is_some())
    });
    let labels: Vec<Option<f64>> = amounts
        .iter()
        .enumerate()
        .map(|(index, at)| {
            let next = amounts.get(index + 1).copied().unwrap_or(tokens.len());
            (at + 1..next)
                .take_while(|at| {
                    !tokens
                        .get(*at)
                        .is_some_and(|token| token.is_mark('.') || token.is_mark('?'))
                })
                .find_map(|at| label(tokens, at))
        })
        .collect();
    let place = |index: usize| index as f64;
    let agree = labels
        .iter()
        .enumerate()
        .all(|(index, label)| label.is_none_or(|label| (label - place(index)).abs() < 1e-9));
    let told = labels.iter().filter(|label| label.is_some()).count();
    let last = labels.last().is_some_and(Option::is_some);
    let all = (0..tokens.len())
        .filter(|at| label(tokens, *at).is_some())
        .count();
    if recurring || !agree || !last || told < 2 || told != all || told + 1 >= amounts.len() {
        return Vec::new();
    }
    amounts
        .iter()
        .zip(&labels)
        .enumerate()
        .skip(1)
        .filter(|(_, (_, label))| label.is_none())
        .filter_map(|(index, (at, _))| {
            let token = tokens.get(*at)?;
            Some(Edit {
                from: *at,
                to: at + 1,
                told: format!("{} in year {index}", text.get(token.start..token.end)?),
            })
        })
        .collect()
}

/// "380k a year from now and 95k, 125k, 240k in the three years after that": years that a reader would count from today.
pub(super) fn after_that(tokens: &[Token]) -> Option<Edit> {
    if !tokens.iter().any(|token| FLOWS.contains(&token.word())) {
        return None;
    }
    let wordings = [
        Pattern::read("in|over|during|for each? of? the #y after|following that|this|it|then"),
        Pattern::read("in|over|during|for each? of? the #y thereafter|afterwards"),
    ];
    let bases = [
        Pattern::read("a year from|after now|today|closing"),
        Pattern::read("#y from|after now|today|closing"),
        Pattern::read("#y out|hence"),
    ];
    let number = |at: usize| tokens.get(at).and_then(Token::number);
    let (at, found) = (0..tokens.len()).find_map(|at| {
        wordings
            .iter()
            .find_map(|wording| wording.at(tokens, at))
            .map(|found| (at, found))
    })?;
    let count = found.numbers.first().and_then(|at| number(*at))?.value;
    let start = (0..at)
        .rev()
        .take_while(|at| {
            number(*at).is_some_and(lump)
                || tokens
                    .get(*at)
                    .is_some_and(|token| token.is_mark(',') || token.word() == "and")
        })
        .filter(|at| number(*at).is_some_and(lump))
        .last()?;
    let (listed, _) = list(tokens, start);
    let base = (0..start).rev().find_map(|at| {
        label(tokens, at).or_else(|| {
            let found = bases.iter().find_map(|base| base.at(tokens, at))?;
            Some(
                found
                    .numbers
                    .first()
                    .and_then(|at| number(*at))
                    .map_or(1.0, |number| number.value),
            )
        })
    })?;
    ((listed as f64 - count).abs() < 1e-9).then(|| Edit {
        from: at,
        to: found.to,
        told: format!("in years {} through {}", base + 1.0, base + count),
    })
}
