//! What a question says of a partnership's agreement: splits, rates, hurdles, capital, distributions, each by the
//! words around its number.
//!
//! A number without a place makes the whole unreadable. Computes nothing.

use crate::forms::words::Words;
use crate::read::terms::rank;
use crate::words::scan::{Shape, Sign};
use finance::waterfall::Hurdle;

/// What the question says, in the order in which it says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Preferred(f64),
    /// The sponsor's part of each dollar, and the part of profit it catches up to.
    CatchUp(Option<f64>, Option<f64>),
    Hurdle(Hurdle),
    /// The limited partners' part of each dollar.
    Split(f64),
    /// The sponsor's promote; the rest goes by capital.
    Promote(f64),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Agreement {
    pub(crate) steps: Vec<(usize, Step)>,
    pub(crate) capital: Option<f64>,
    pub(crate) partners: Option<f64>,
    pub(crate) sponsor: Option<f64>,
    pub(crate) partners_share: Option<f64>,
    pub(crate) cash: Vec<(usize, f64)>,
    pub(crate) years: Vec<usize>,
    /// "in years 1-4": the years are those of the list.
    pub(crate) ranged: bool,
}

/// "Limited" stands for the limited partner, whose noun both sides have.
pub(crate) const PARTNERS: &[&str] = &["lp", "lps", "investor", "investors", "partners", "limited"];
pub(crate) const SPONSOR: &[&str] = &["gp", "gps", "sponsor", "sponsors", "promoter", "general"];

/// "80/20" at the first of its numbers.
pub(crate) fn pair(words: &Words, at: usize) -> Option<(f64, f64)> {
    let (first, second) = words.number(at).zip(words.number(at + 2))?;
    let joined = words.mark(at + 1, '/') || words.mark(at + 1, '-');
    let plain = |shape: Shape| matches!(shape, Shape::Plain | Shape::Percent);
    let whole =
        (first.value + second.value - 100.0).abs() < 1e-9 && plain(first.shape) && plain(second.shape);
    (joined && whole).then_some((first.value / 100.0, second.value / 100.0))
}

/// The words around a number, up to the ends of its clause: nearest first.
fn around<'a>(words: &Words<'a>, at: usize, most: usize) -> (Vec<&'a str>, Vec<&'a str>) {
    let stop = |at: usize| {
        words.tokens.get(at).is_none_or(|token| {
            token.is_mark('.')
                || token.is_mark(';')
                || token.is_mark(',')
                || token.is_mark('?')
                || token.number().is_some()
        })
    };
    let ahead = (1..=most)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| !stop(*at))
        .map(|at| words.word(at))
        .collect();
    let behind = (1..=most)
        .map(|next| at + next)
        .take_while(|at| !stop(*at))
        .map(|at| words.word(at))
        .collect();
    (ahead, behind)
}

pub(crate) fn collect(words: &Words) -> Option<Agreement> {
    let mut found = Agreement::default();
    let mut money: Vec<usize> = Vec::new();
    let mut skip = 0;
    for at in words.numbers() {
        if at < skip {
            continue;
        }
        let number = words.number(at)?;
        if let Some((first, second)) = pair(words, at) {
            skip = at + 3;
            split(words, at, first, second, &mut found)?;
            continue;
        }
        if number.doubtful || number.foreign || number.sign == Sign::Minus {
            return None;
        }
        match number.shape {
            Shape::Percent => percent(words, at, number.value / 100.0, &mut found)?,
            Shape::Multiple => found
                .steps
                .push((at, Step::Hurdle(Hurdle::Multiple(number.value)))),
            Shape::Years | Shape::YearLabel => {
                let joined = words.mark(at.checked_sub(1)?, '-')
                    || matches!(words.word(at.checked_sub(1)?), "to" | "through");
                found.ranged |= joined && !found.years.is_empty();
                found.years.push(number.value as usize);
            }
            Shape::Money | Shape::Plain if number.value >= 100.0 && number.base.is_none() => money.push(at),
            Shape::Plain if number.value <= 100.0 => {
                // "(LP 90, GP 10)": parts of the whole.
                let (ahead, _) = around(words, at, 2);
                let lp = ahead.iter().any(|word| PARTNERS.contains(word));
                let gp = ahead.iter().any(|word| SPONSOR.contains(word));
                share(
                    if lp {
                        number.value / 100.0
                    } else if gp {
                        1.0 - number.value / 100.0
                    } else {
                        return None;
                    },
                    &mut found,
                )?;
            }
            _ => return None,
        }
    }
    for at in 0..words.tokens.len() {
        if let Some(year) = rank(words.word(at))
            && matches!(words.word(at + 1), "year" | "yr")
        {
            found.years.push(year as usize);
        }
    }
    amounts(words, &money, &mut found)?;
    Some(found)
}

fn share(value: f64, found: &mut Agreement) -> Option<()> {
    match found.partners_share {
        Some(known) if (known - value).abs() > 1e-9 => None,
        _ => {
            found.partners_share = Some(value);
            Some(())
        }
    }
}

/// A split of profit, or of the capital where it stands beside that.
fn split(words: &Words, at: usize, first: f64, second: f64, found: &mut Agreement) -> Option<()> {
    let (ahead, behind) = around(words, at, 4);
    let after = words.word(at + 3);
    let turned = SPONSOR.contains(&after) || ahead.first().is_some_and(|word| SPONSOR.contains(word));
    let part = if turned { second } else { first };
    if part < 0.4 {
        return None;
    }
    let before = |names: &[&str]| ahead.iter().any(|word| names.contains(word));
    let capital = (before(&["rata"])
        || before(&["equity", "capital", "invest", "contribute", "funded"])
        || words.mark(at.saturating_sub(1), ',')
            && at
                .checked_sub(2)
                .is_some_and(|at| matches!(words.word(at), "equity" | "capital")))
        && !before(&["then", "above", "after", "thereafter", "split", "splits"]);
    let near = behind
        .first()
        .is_some_and(|word| matches!(*word, "equity" | "capital"));
    if capital || near {
        return share(part, found);
    }
    found.steps.push((at, Step::Split(part)));
    Some(())
}

fn percent(words: &Words, at: usize, value: f64, found: &mut Agreement) -> Option<()> {
    let (ahead, behind) = around(words, at, 6);
    let near = |words: &[&str], names: &[&str], most: usize| {
        words.iter().take(most).any(|word| names.contains(word))
    };
    let catches = |words: &[&str]| words.contains(&"catch") || words.contains(&"catchup");
    let full = words.says(&[
        "full catch up",
        "full gp catch up",
        "full catchup",
        "full sponsor catch up",
    ]);
    let last_catch = found
        .steps
        .iter()
        .rposition(|(_, step)| matches!(step, Step::CatchUp(..)));
    // "8% IRR", "a 14% IRR".
    if near(&behind, &["irr"], 1)
        || (near(&ahead, &["irr"], 2) && !near(&behind, &["pref", "preferred", "promote"], 3))
    {
        found.steps.push((at, Step::Hurdle(Hurdle::Rate(value))));
        return Some(());
    }
    if near(&behind, &["of"], 1) && near(&behind, &["profit", "profits"], 3) {
        return match last_catch.and_then(|place| found.steps.get_mut(place)) {
            Some((_, Step::CatchUp(_, target))) if target.is_none() => {
                *target = Some(value);
                Some(())
            }
            None if full => {
                found.steps.push((at, Step::CatchUp(Some(1.0), Some(value))));
                Some(())
            }
            _ => None,
        };
    }
    let caught = behind
        .iter()
        .take(3)
        .any(|word| matches!(*word, "catch" | "catchup"));
    if caught || (catches(&ahead) && near(&ahead, &["up", "catchup", "of", "at"], 1)) {
        found.steps.push((at, Step::CatchUp(Some(value), None)));
        return Some(());
    }
    // "catch-up until the GP has 20%".
    if near(&ahead, &["has", "reaches", "to", "holds"], 1)
        && let Some((_, Step::CatchUp(_, target))) = last_catch.and_then(|place| found.steps.get_mut(place))
        && target.is_none()
    {
        *target = Some(value);
        return Some(());
    }
    let promote = ["promote", "carry", "carried", "promoted"];
    let pref = ["pref", "preferred"];
    if near(&behind, &promote, 2) || near(&ahead, &promote, 2) {
        found.steps.push((at, Step::Promote(value)));
        return Some(());
    }
    if near(&behind, &pref, 4) || near(&ahead, &pref, 3) || near(&behind, &["hurdle"], 1) {
        found.steps.push((at, Step::Preferred(value)));
        return Some(());
    }
    // "Split 70 percent to the limited partner and 30 percent to the general partner": both parts of one dollar.
    let dollar = |names: &[&str]| near(&behind, &["to", "for"], 1) && near(&behind, names, 3);
    let divided = found.steps.iter().any(|(_, step)| matches!(step, Step::Split(_)))
        || near(
            &ahead,
            &[
                "split",
                "shared",
                "divided",
                "remaining",
                "remainder",
                "rest",
                "balance",
                "excess",
                "thereafter",
                "then",
            ],
            6,
        );
    if divided && promoted(found) == 0.0 && (dollar(PARTNERS) != dollar(SPONSOR)) {
        let part = if dollar(PARTNERS) { value } else { 1.0 - value };
        return match found.steps.last() {
            Some((_, Step::Split(known))) if (known - part).abs() < 1e-9 => Some(()),
            Some((_, Step::Split(_))) => None,
            _ => {
                found.steps.push((at, Step::Split(part)));
                Some(())
            }
        };
    }
    let named = near(&ahead, PARTNERS, 3) || near(&ahead, SPONSOR, 3);
    let party = |names: &[&str]| {
        if named {
            near(&ahead, names, 3)
        } else {
            near(&behind, names, 2)
        }
    };
    let (lp, gp) = (party(PARTNERS), party(SPONSOR));
    // "70% to the investor" after a promote is the rest of the dollar.
    if (value + promoted(found) - 1.0).abs() < 1e-9 && promoted(found) > 0.0 {
        return Some(());
    }
    match (lp, gp) {
        (true, false) => share(value, found),
        (false, true) => share(1.0 - value, found),
        _ => None,
    }
}

fn promoted(found: &Agreement) -> f64 {
    match found.steps.last() {
        Some((_, Step::Promote(value))) => *value,
        _ => 0.0,
    }
}

/// Which amounts are capital and which are cash to share.
fn amounts(words: &Words, money: &[usize], found: &mut Agreement) -> Option<()> {
    #[derive(PartialEq, Clone, Copy)]
    enum Kind {
        Capital,
        Partners,
        Sponsor,
        Cash,
        Open,
    }
    let kind = |at: usize| {
        let (ahead, behind) = around(words, at, 5);
        let place = |list: &[&str], names: &[&str]| list.iter().position(|word| names.contains(word));
        let puts = [
            "equity",
            "capital",
            "contributed",
            "contribute",
            "contributes",
            "put",
            "puts",
            "invest",
            "invests",
            "invested",
            "fund",
            "funds",
            "funded",
            "raise",
            "raised",
            "money",
            "in",
            "commitment",
        ];
        let gets = [
            "distribution",
            "distributions",
            "distributed",
            "distribute",
            "distributing",
            "distributes",
            "payout",
            "paid",
            "proceeds",
            "cash",
            "returned",
            "comes",
            "released",
            "available",
            "sale",
            "exit",
            "pays",
            "payment",
            "distributable",
            "received",
            "profit",
            "profits",
            "excess",
        ];
        let nearest = |names: &[&str]| {
            place(&behind, names)
                .map(|at| at * 2)
                .into_iter()
                .chain(place(&ahead, names).map(|at| at * 2 + 1))
                .min()
        };
        // "in year 3" is a time, "5m in" is capital.
        let labelled = (at + 1..at + 4)
            .find(|at| words.word(*at) == "in")
            .and_then(|at| words.number(at + 1))
            .is_some_and(|number| matches!(number.shape, Shape::YearLabel | Shape::Calendar));
        let timed = labelled || matches!(behind.as_slice(), ["in", next, ..] if next.starts_with("year"));
        // "10m (LP 90%, GP 10%)": the brackets say how it is shared.
        let bracketed = words.mark(at + 1, '(') && (at + 2..at + 6).any(|at| words.number(at).is_some());
        let (puts, gets) = (
            if timed {
                nearest(puts.get(..puts.len() - 2).unwrap_or(&puts))
            } else {
                nearest(&puts)
            },
            nearest(&gets),
        );
        // "15% of 6.4m": a share is one of the capital, "8m from the LPs" is put in.
        let of_share = words.word(at.wrapping_sub(1)) == "of"
            && at
                .checked_sub(2)
                .and_then(|at| words.number(at))
                .is_some_and(|number| number.shape == Shape::Percent);
        if of_share {
            return Kind::Capital;
        }
        if behind.first() == Some(&"from") {
            let from = |names: &[&str]| behind.iter().take(4).any(|word| names.contains(word));
            match (from(PARTNERS), from(SPONSOR)) {
                (true, false) => return Kind::Partners,
                (false, true) => return Kind::Sponsor,
                _ => {}
            }
        }
        let party = |names: &[&str]| {
            ahead.iter().take(3).any(|word| names.contains(word))
                || (!bracketed && behind.iter().take(2).any(|word| names.contains(word)))
        };
        match (puts, gets) {
            (Some(put), Some(get)) if get < put => Kind::Cash,
            (Some(_), _) => match (party(PARTNERS), party(SPONSOR)) {
                (true, false) => Kind::Partners,
                (false, true) => Kind::Sponsor,
                _ => Kind::Capital,
            },
            (None, Some(_)) => Kind::Cash,
            (None, None) => match (party(PARTNERS), party(SPONSOR)) {
                (true, false) => Kind::Partners,
                (false, true) => Kind::Sponsor,
                _ => Kind::Open,
            },
        }
    };
    let mut kinds: Vec<Kind> = money.iter().map(|at| kind(*at)).collect();
    // A list of amounts is all of one kind.
    for index in 1..kinds.len() {
        let between = money
            .get(index - 1)
            .zip(money.get(index))
            .and_then(|(from, to)| words.tokens.get(from + 1..*to));
        let list = between.is_some_and(|between| {
            between.iter().all(|token| {
                token.is_mark(',')
                    || matches!(token.word(), "and" | "finally" | "then" | "year" | "in")
                    || token
                        .number()
                        .is_some_and(|number| number.shape == Shape::YearLabel)
            })
        });
        let before = kinds.get(index - 1).copied();
        if let (Some(kind), Some(before)) = (kinds.get_mut(index), before)
            && list
            && *kind == Kind::Open
        {
            *kind = before;
        }
    }
    let open: Vec<usize> = (0..kinds.len())
        .filter(|at| kinds.get(*at) == Some(&Kind::Open))
        .collect();
    let cash = kinds.contains(&Kind::Cash);
    let capital = kinds
        .iter()
        .any(|kind| matches!(kind, Kind::Capital | Kind::Partners));
    if let [only] = open.as_slice()
        && let Some(kind) = kinds.get_mut(*only)
    {
        *kind = match (capital, cash) {
            (true, false) => Kind::Cash,
            (false, true) => Kind::Capital,
            _ => return None,
        };
    } else if !open.is_empty() {
        return None;
    }
    for (at, kind) in money.iter().zip(kinds) {
        let value = words.number(*at)?.value;
        let slot = match kind {
            Kind::Capital => &mut found.capital,
            Kind::Partners => &mut found.partners,
            Kind::Sponsor => &mut found.sponsor,
            _ => {
                found.cash.push((*at, value));
                continue;
            }
        };
        if slot.is_some() {
            return None;
        }
        *slot = Some(value);
    }
    Some(())
}

/// The capital and the limited partners' part of it.
pub(super) fn capital(found: &Agreement) -> Option<(f64, f64)> {
    match (found.capital, found.partners, found.sponsor, found.partners_share) {
        (Some(total), None, None, share) => Some((total, share.unwrap_or(1.0))),
        (None, Some(partners), Some(sponsor), None) => {
            Some((partners + sponsor, partners / (partners + sponsor)))
        }
        (None, Some(partners), None, None) => Some((partners, 1.0)),
        (None, Some(partners), None, Some(share)) if share > 0.0 => Some((partners / share, share)),
        _ => None,
    }
}

/// A split behind a promote that is that of the capital: of what the promote leaves, and nothing new.
pub(super) fn rest_of(found: &Agreement, index: usize, part: f64, share: f64) -> bool {
    let promote = index.checked_sub(1).and_then(|before| found.steps.get(before));
    matches!(promote, Some((_, Step::Promote(promote))) if (1.0 - promote - part).abs() > 1e-9)
        && (part - share).abs() < 1e-9
}
