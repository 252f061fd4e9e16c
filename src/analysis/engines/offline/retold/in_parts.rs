//! Amounts that are said twice: a total right before its parts, and the formula of a spreadsheet that is spoken of again.
//!
//! Told once, since each of them would otherwise count twice. Knows the flows of a return only.

use crate::analysis::engines::offline::retold::finding::{has, money, number, value, word};
use crate::analysis::engines::offline::retold::pattern::{Edit, lump};
use crate::analysis::engines::offline::retold::timing::FLOWS;
use crate::analysis::engines::offline::words::scan::{Shape, Token};

pub(super) fn edits(text: &str, tokens: &[Token]) -> Vec<Edit> {
    if !(has(tokens, FLOWS) || has(tokens, &["em"])) {
        return Vec::new();
    }
    if let Some(edit) = formula(text, tokens) {
        return vec![edit];
    }
    total(text, tokens).unwrap_or_default()
}

/// Of these each part is paid; of what came back each part is received.
#[rustfmt::skip]
const PAID: &[&str] = &["committed", "commitment", "commit", "invested", "invest", "contributed", "put", "equity", "capital", "funded", "raised", "called"];
const GOT: &[&str] = &["received", "collected", "distributed", "back", "got"];

/// What is said of a total that its parts follow.
#[rustfmt::skip]
const TOTALS: &[&str] = &[
    "committed", "commitment", "commit", "invested", "invest", "contributed", "put", "total", "totalling", "totaling", "altogether", "equity",
    "capital", "funded", "raised", "called", "received", "collected", "distributed", "back", "got", "paid",
];

/// "I committed 1.6m: 1.1m at closing, 500k a year later": the parts are the flows.
fn total(text: &str, tokens: &[Token]) -> Option<Vec<Edit>> {
    let mark = |at: usize, marks: &[char]| {
        tokens
            .get(at)
            .is_some_and(|token| marks.iter().any(|mark| token.is_mark(*mark)))
    };
    let amounts: Vec<usize> = (0..tokens.len())
        .filter(|at| number(tokens, *at).is_some_and(|number| lump(number) && number.per.is_none()))
        .collect();
    amounts.iter().enumerate().find_map(|(index, at)| {
        // "1.6m of equity in total: …", "1.6m (1.1m at closing, …".
        let opens = (at + 1..at + 6)
            .take_while(|at| number(tokens, *at).is_none())
            .find(|at| mark(*at, &[':', '(', '—']) || (mark(*at, &[',']) && word(tokens, at + 1) == "of"))?;
        let first = amounts
            .get(index + 1)
            .copied()
            .filter(|next| *next > opens && next - opens < 6)?;
        let named = (at.saturating_sub(5)..opens).any(|at| TOTALS.contains(&word(tokens, at)));
        let end = (first..tokens.len())
            .find(|at| mark(*at, &['.', ';', '?', ')']))
            .unwrap_or(tokens.len());
        let mut sum = 0.0;
        let parts = amounts
            .iter()
            .filter(|own| (first..end).contains(own))
            .take_while(|own| {
                sum += value(tokens, **own);
                sum < value(tokens, *at) + 0.5
            })
            .count();
        let whole: f64 = amounts
            .iter()
            .filter(|own| (first..end).contains(own))
            .take(parts)
            .map(|own| value(tokens, *own))
            .sum();
        let same = parts >= 2 && (whole - value(tokens, *at)).abs() < 0.5;
        if !(named && same) {
            return None;
        }
        let says = |names: &[&str]| (at.saturating_sub(5)..opens).any(|at| names.contains(&word(tokens, at)));
        let verb = match (says(PAID), says(GOT)) {
            (true, false) => "invested",
            (false, true) => "received",
            _ => return None,
        };
        let mut edits = vec![Edit {
            from: *at,
            to: opens + 1,
            told: String::new(),
        }];
        // A bracket that is closed behind the parts ends what is paid.
        if mark(opens, &['(']) && mark(end, &[')']) {
            edits.push(Edit {
                from: end,
                to: end + 1,
                told: ",".to_owned(),
            });
        }
        for part in amounts
            .iter()
            .filter(|own| (first..end).contains(own))
            .take(parts)
            .skip(1)
        {
            let token = tokens.get(*part)?;
            edits.push(Edit {
                from: *part,
                to: part + 1,
                told: format!("{verb} {}", text.get(token.start..token.end)?),
            });
        }
        Some(edits)
    })
}

/// "=NPV(11%,-25000,9000,9000)": the whole question, where what else it says of amounts is in the formula.
fn formula(text: &str, tokens: &[Token]) -> Option<Edit> {
    let start = (0..tokens.len()).find(|at| {
        word(tokens, *at) == "npv"
            && tokens
                .get(*at)
                .is_some_and(|token| text.get(token.end..).is_some_and(|rest| rest.starts_with('(')))
    })?;
    let open = tokens.get(start)?.end + 1;
    let close = open + text.get(open..)?.find(')')?;
    let mut terms = text.get(open..close)?.split([',', ';']).map(str::trim);
    let rate = terms.next()?;
    let rate = match rate.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok()?,
        None => rate.parse::<f64>().ok().filter(|rate| *rate < 1.0)? * 100.0,
    };
    let flows: Vec<f64> = terms
        .map(|term| term.trim_start_matches('$').parse::<f64>().ok())
        .collect::<Option<_>>()?;
    let first = flows.first().copied().filter(|_| flows.len() > 1)?;
    // What the cell adds to the function falls today: "=NPV(8%,60000,70000)-100000".
    let rest = text.get(close + 1..)?;
    if rest.trim_start().starts_with(['+', '-', '*', '/'])
        || text
            .get(..tokens.get(start)?.start)?
            .trim_end()
            .ends_with(['+', '-', '*', '/'])
    {
        return None;
    }
    let outside = |token: &&Token| token.end <= open || token.start > close;
    let known = tokens
        .iter()
        .filter(outside)
        .filter_map(Token::number)
        .all(|number| {
            let same = |value: f64| (number.value - value.abs()).abs() < 1e-9;
            same(first) || (same(rate) && number.shape == Shape::Percent) || number.shape == Shape::Years
        });
    let listed: Vec<String> = flows
        .iter()
        .map(|flow| format!("{}{}", if *flow < 0.0 { "-" } else { "" }, money(flow.abs())))
        .collect();
    known.then(|| Edit {
        from: 0,
        to: tokens.len(),
        told: format!("NPV at {rate}% as Excel's NPV of {}", listed.join(", ")),
    })
}
