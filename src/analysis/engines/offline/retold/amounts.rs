//! Amounts, rates and spans in everyday notation, and all edits that work out an amount of others.
//!
//! Each is told as the amount itself; what is told in more than one way is left alone.

use crate::analysis::engines::offline::retold::finding::{first, has, number, places, value, word};
use crate::analysis::engines::offline::retold::pattern::{Edit, Pattern, lump};
use crate::analysis::engines::offline::retold::{funding, incomes};
use crate::analysis::engines::offline::say::format;
use crate::analysis::engines::offline::words::scan::{Number, Per, Shape, Token};

/// What the readers could not follow.
pub(super) fn edits(tokens: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    edits.extend(funding::rest_borrowed(tokens).into_iter().flatten());
    edits.extend(funding::cash_in(tokens).into_iter().flatten());
    edits.extend(funding::loan_share(tokens).into_iter().flatten());
    edits.extend(funding::closing_share(tokens));
    edits.extend(funding::with_profit(tokens));
    edits.extend(repeated_window(tokens));
    edits.extend(incomes::next_income(tokens));
    edits.extend(spans(tokens));
    edits.extend(accrued(tokens));
    edits.extend(incomes::moved(tokens).into_iter().flatten());
    edits.extend(per_quarter(tokens));
    edits
}

/// What the readers would take for something else.
pub(super) fn corrections(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = incomes::haircut(tokens).into_iter().flatten().collect();
    edits.extend(compounded(tokens));
    edits.extend(incomes::of_remainder(tokens));
    edits.extend(thousands(text, tokens).into_iter().flatten());
    edits.extend(idle_costs(tokens));
    edits.extend(shared_scale(text, tokens));
    edits
}

/// "1.305 / 1.34 / 1.42mm": the last of a row has the scale of all.
fn shared_scale(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let said = |at: usize| {
        tokens
            .get(at)
            .and_then(|token| text.get(token.start..token.end))
            .map(str::trim)
    };
    let slash = |at: usize| tokens.get(at).is_some_and(|token| token.is_mark('/'));
    let mut edits = Vec::new();
    for last in 4..tokens.len() {
        let scale = number(tokens, last)
            .filter(|number| number.scaled && slash(last - 1))
            .and_then(|_| {
                let said = said(last)?;
                let letters = said.rfind(|c: char| c.is_ascii_digit())? + 1;
                let mantissa: f64 = said.get(..letters)?.trim_start_matches('$').parse().ok()?;
                let letters = said.get(letters..)?.trim();
                matches!(letters.to_lowercase().as_str(), "k" | "m" | "mm" | "mn")
                    .then(|| (mantissa, letters.to_owned()))
            });
        let Some((mantissa, letters)) = scale else {
            continue;
        };
        let mut row = Vec::new();
        let mut at = last;
        while at >= 2 && slash(at - 1) {
            at -= 2;
            // Alike in size, and without a unit of its own.
            let bare = number(tokens, at).is_some_and(|number| {
                matches!(number.shape, Shape::Plain | Shape::Money)
                    && !number.scaled
                    && number.value < mantissa * 4.0
                    && number.value > mantissa / 4.0
            });
            if !bare {
                break;
            }
            row.push(at);
        }
        if row.len() >= 2 {
            edits.extend(row.into_iter().filter_map(|at| {
                Some(Edit {
                    from: at,
                    to: at + 1,
                    told: format!("{}{letters}", said(at)?),
                })
            }));
        }
    }
    edits
}

/// "(all €'000)": a notation, and no amount.
fn thousands(text: &str, tokens: &[Token]) -> Option<Vec<Edit>> {
    let noughts = |at: usize| {
        tokens
            .get(at)
            .and_then(|token| text.get(token.start..token.end))
            .is_some_and(|said| said.trim_start_matches(|sign: char| !sign.is_ascii_digit()) == "000")
    };
    let at = (0..tokens.len()).find(|at| noughts(*at) || matches!(word(tokens, *at), "000s"))?;
    let scaled = |number: &Number| number.scaled || !matches!(number.shape, Shape::Money | Shape::Plain);
    let ratio = has(tokens, &["irr", "mirr", "multiple", "moic"]) && !has(tokens, &["npv", "value", "pv"]);
    let mark = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            ['\'', '$', '€', '£'].iter().any(|mark| token.is_mark(*mark))
                || matches!(token.word(), "all" | "in" | "figures" | "usd" | "eur" | "gbp")
        })
    };
    let from = (0..at).rev().take_while(|at| mark(*at)).last().unwrap_or(at);
    let note = |told: &str| Edit {
        from,
        to: at + 1 + usize::from(word(tokens, at + 1) == "s"),
        told: told.to_owned(),
    };
    if ratio {
        return Some(vec![note("")]);
    }
    // A sum is not the same in thousands: every amount is told in full, or none.
    let amounts = places(tokens, |number| !scaled(number));
    let own: Vec<usize> = amounts
        .into_iter()
        .filter(|own| !(from..at + 1).contains(own))
        .collect();
    if !own.iter().all(|at| number(tokens, *at).is_some_and(lump)) {
        return Some(vec![note("thousandfold")]);
    }
    let mut edits = vec![note("")];
    for at in own {
        let token = tokens.get(at)?;
        edits.push(Edit {
            from: at,
            to: at + 1,
            told: format!("{}k", text.get(token.start..token.end)?.trim_end()),
        });
    }
    Some(edits)
}

/// "7.5% monthly compounding" is a year's rate that is compounded each month.
fn compounded(tokens: &[Token]) -> Vec<Edit> {
    (0..tokens.len())
        .filter(|at| {
            number(tokens, *at).is_some_and(|number| number.shape == Shape::Percent && number.value > 3.0)
                && matches!(word(tokens, at + 1), "monthly" | "quarterly")
                && compounds(word(tokens, at + 2))
        })
        .map(|at| Edit {
            from: at,
            to: at + 3,
            told: format!("{}% compounded {}", value(tokens, at), word(tokens, at + 1)),
        })
        .collect()
}

fn compounds(word: &str) -> bool {
    matches!(word, "comp" | "compounding" | "compounded")
}

/// "1.75% a quarter" of payments that come each quarter: the year's rate, compounded as often.
fn per_quarter(tokens: &[Token]) -> Option<Edit> {
    if !has(
        tokens,
        &["pv", "present", "worth", "discounting", "discounted", "discount"],
    ) || has(tokens, &["noi", "irr", "npv"])
    {
        return None;
    }
    let periods = [
        (
            Pattern::read("#% a|per|each|every? quarter"),
            4.0,
            "quarterly",
            "quarter",
        ),
        (
            Pattern::read("#% a|per|each|every? month"),
            12.0,
            "monthly",
            "month",
        ),
        (Pattern::read("#%"), 0.0, "", ""),
    ];
    let mut shares = places(tokens, |number| number.shape == Shape::Percent);
    // "2% a quarter" may be taken for 2% and a fourth.
    let fourth = |at: usize| {
        at.checked_sub(1).is_some_and(|before| shares.contains(&before))
            && matches!(value(tokens, at), 0.25 | 25.0)
    };
    let fourths: Vec<usize> = (0..tokens.len()).filter(|at| fourth(*at)).collect();
    shares.retain(|at| !fourths.contains(at));
    let [at] = shares.as_slice() else { return None };
    let quarter = fourths.contains(&(at + 1));
    let per = number(tokens, *at).and_then(|number| number.per);
    if (1..=2).any(|ahead| compounds(word(tokens, at + ahead))) {
        return None;
    }
    let (to, count, name, noun) = if quarter {
        (at + 2, 4.0, "quarterly", "quarter")
    } else {
        periods.iter().find_map(|(pattern, count, name, noun)| {
            let found = pattern.at(tokens, *at)?;
            match (per, count) {
                (Some(Per::Quarter), _) => Some((at + 1, 4.0, "quarterly", "quarter")),
                (Some(Per::Month), _) => Some((at + 1, 12.0, "monthly", "month")),
                (None, count) if *count > 0.0 => Some((found.to, *count, *name, *noun)),
                _ => None,
            }
        })?
    };
    // The payments come as often as the rate is counted.
    let paid = (0..tokens.len()).any(|own| {
        !(*at..to + 1).contains(&own)
            && (word(tokens, own) == noun
                && matches!(
                    word(tokens, own.saturating_sub(1)),
                    "each" | "every" | "a" | "per"
                )
                || word(tokens, own) == name
                || number(tokens, own).is_some_and(|number| {
                    number.shape != Shape::Percent
                        && match number.per {
                            Some(Per::Quarter) => count == 4.0,
                            Some(Per::Month) => count == 12.0,
                            _ => false,
                        }
                }))
    });
    paid.then(|| Edit {
        from: *at,
        to,
        told: format!(
            "{}% a year compounded {name}",
            format::plain(value(tokens, *at) * count, 8)
        ),
    })
}

/// "Ignore closing costs" where only the costs of the sale are given.
fn idle_costs(tokens: &[Token]) -> Option<Edit> {
    let sale = has(tokens, &["selling", "sale", "disposal", "disposition"]);
    let named = tokens
        .iter()
        .filter(|token| {
            matches!(
                token.word(),
                "closing" | "acquisition" | "purchaser" | "purchasers"
            )
        })
        .count();
    if !sale || named != 1 {
        return None;
    }
    let patterns = [Pattern::read(
        "ignore|ignoring|disregard|disregarding|excluding|exclude|leave|leaving|without|no out|aside? any|all|the? closing|acquisition|purchaser|purchasers costs|cost|fees aside|out?",
    )];
    let (at, found) = first(tokens, &patterns)?;
    Some(Edit {
        from: at,
        to: found.to,
        told: String::new(),
    })
}

/// "year five (payments 49-60)": the same months, said again.
fn repeated_window(tokens: &[Token]) -> Option<Edit> {
    let window = [
        Pattern::read("( i e payments|payment|months|month|instalments|installments|nos? .. )"),
        Pattern::read("( payments|payment|months|month|instalments|installments|pmts"),
    ];
    let (at, found) = first(tokens, &window)?;
    let close =
        (found.to..found.to + 6).find(|at| tokens.get(*at).is_some_and(|token| token.is_mark(')')))?;
    let inside: Vec<f64> = (found.to..close)
        .filter_map(|at| number(tokens, at))
        .map(|n| n.value)
        .collect();
    let [low, high] = inside.as_slice() else {
        return None;
    };
    let year = (1..=3)
        .filter_map(|back| at.checked_sub(back))
        .find_map(|at| number(tokens, at).filter(|number| number.shape == Shape::YearLabel))?;
    let same =
        (low - (12.0 * (year.value - 1.0) + 1.0)).abs() < 1e-9 && (high - 12.0 * year.value).abs() < 1e-9;
    same.then(|| Edit {
        from: at,
        to: close + 1,
        told: String::new(),
    })
}

/// "2 years and 6 months": one span.
fn spans(tokens: &[Token]) -> Option<Edit> {
    let (at, found) = first(tokens, &[Pattern::read("#y and|, #m"), Pattern::read("#y #m")])?;
    let [years, months] = found.numbers.as_slice() else {
        return None;
    };
    let span = value(tokens, *years) + value(tokens, *months) / 12.0;
    Some(Edit {
        from: at,
        to: found.to,
        told: format!("{} years", format::plain(span, 8)),
    })
}

/// "for 30 months" of a preferred return that is counted in years.
fn accrued(tokens: &[Token]) -> Option<Edit> {
    if !has(tokens, &["pref", "preferred"])
        || !has(tokens, &["simple"])
        || has(tokens, &["monthly", "irr", "loan"])
    {
        return None;
    }
    let months = places(tokens, |number| number.shape == Shape::Months);
    let [at] = months.as_slice() else { return None };
    let years = value(tokens, *at) / 12.0;
    Some(Edit {
        from: *at,
        to: at + 1,
        told: format!("{} years", format::plain(years, 8)),
    })
}
