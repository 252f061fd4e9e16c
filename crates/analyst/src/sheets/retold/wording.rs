//! Other words for what tables are asked: those of the trade put in those that the readings know.
//!
//! No word that narrows is taken away here. Computes nothing.

use crate::sheets::retold::idioms;
use crate::sheets::retold::tokens::{self, Token};
use crate::sheets::sources::Sheet;
use tables::headers::Field;
use tables::kind::Kind;

/// Of any table.
const ANY: &[(&str, &str)] = &[
    ("sitting empty", "vacant"),
    ("standing empty", "vacant"),
    ("lying empty", "vacant"),
    ("have we got", "are"),
    ("do we have", "are"),
    ("i only need", "what is"),
    ("i just need", "what is"),
    ("thru", "through"),
    ("annualised", "annualized"),
    ("annualise", "annualize"),
    ("doors", "units"),
    ("door", "unit"),
    ("footage", "area"),
    ("single largest", "largest"),
    ("single biggest", "largest"),
    ("top tenant", "largest tenant"),
    ("portion", "share"),
    ("slice", "share"),
    ("net returns", "return"),
    ("expenditure", "expenses"),
    ("expenditures", "expenses"),
    ("outgoings", "expenses"),
    ("half-year", "half year"),
];

/// Of leases.
const LEASES: &[(&str, &str)] = &[
    ("phys occ", "physical occupancy"),
    ("physical occ", "physical occupancy"),
    ("comes up", "expires"),
    ("come up", "expire"),
    ("coming up", "expiring"),
    ("falls due", "expires"),
    ("rolls over", "expires"),
    ("$ psf", "per square foot"),
    ("$/psf", "per square foot"),
    ("psf", "per square foot"),
    ("$/sf", "per square foot"),
    ("$/ft", "per square foot"),
    ("pa", "per year"),
    ("p.a", "per year"),
    ("how many dollars a month", "how much per month"),
    ("over the leased space only", "of the leased space"),
    ("across the leased space only", "of the leased space"),
    ("rather than by number of suites", ""),
    ("rather than by number of units", ""),
    ("rather than by unit count", ""),
    ("rather than by count", ""),
    ("not by unit count", ""),
    ("not by number of suites", ""),
    ("nia", "area"),
    ("income-weighted", "weighted by rent"),
    ("rent-weighted", "weighted by rent"),
    ("area-weighted", "weighted by area"),
    ("valuation date", "as at"),
];

/// Of statements.
const STATEMENTS: &[(&str, &str)] = &[
    ("over the trailing year", ""),
    ("for the trailing year", ""),
    ("over the trailing twelve", ""),
    ("run-rate noi", "noi"),
    ("run rate noi", "noi"),
    ("year on year", "year over year"),
    ("year-on-year", "year over year"),
    ("plan", "budget"),
    ("what does the t-3 run at", "what is the t-3"),
];

/// Of flows.
const FLOWS: &[(&str, &str)] = &[
    ("receipts and payments", "flows"),
    ("money-weighted return", "irr"),
    ("day-counted on a 365 basis", ""),
    ("every dollar in and out", "the flows"),
];

/// Of loans.
const LOANS: &[(&str, &str)] = &[
    ("on a balance-weighted basis", "weighted by balance"),
    ("across the entities", ""),
    ("across the loans", ""),
    ("across all loans", ""),
    ("balance-weighted", "weighted by balance"),
    ("falls due", "matures"),
    ("fall due", "mature"),
    ("what matures", "what balance matures"),
    ("falling due", "maturing"),
    ("coming due", "maturing"),
    ("comes due", "matures"),
    ("blended", "average"),
];

/// Of sales.
const SALES: &[(&str, &str)] = &[
    ("no adjustments", ""),
    ("without adjustments", ""),
    ("unadjusted", ""),
    ("$/sf", "price per square foot"),
    ("$/foot", "price per square foot"),
    ("trades", "sales"),
];

/// Puts the wording of the trade in the words that the readings know.
pub(crate) fn usual(all: &mut Vec<Token>, sheet: &Sheet) {
    let adjusted = [Field::AdjustedPrice, Field::AdjustedPerArea]
        .iter()
        .any(|field| sheet.table.has(*field))
        || sheet
            .table
            .columns
            .iter()
            .any(|column| column.header.to_lowercase().contains("adj"));
    let lists: &[&[(&str, &str)]] = match sheet.kind {
        Kind::RentRoll | Kind::Leases => &[ANY, LEASES],
        Kind::Statement => &[ANY, STATEMENTS],
        Kind::Flows | Kind::DatedFlows => &[ANY, FLOWS],
        Kind::Loans => &[ANY, LOANS],
        // Unadjusted prices of sales that are adjusted are others.
        Kind::Comps if !adjusted => &[ANY, SALES],
        _ => &[ANY],
    };
    for (phrase, by) in lists.iter().copied().flatten() {
        tokens::replace(all, phrase, by);
    }
    idioms::told(all, sheet);
    requires(all);
    now(all);
    leading_time(all);
    split_percent(all);
    by_what(all);
}

/// "Investor wants 9.5%": what flows are discounted with.
fn requires(all: &mut Vec<Token>) {
    let at = all.iter().position(|token| {
        matches!(
            token.word.as_str(),
            "wants" | "requires" | "needs" | "demands" | "expects" | "target"
        )
    });
    let Some(at) = at else { return };
    let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
    if word(at) == "target" {
        if at > 0
            && word(at - 1).ends_with('%')
            && let Some(token) = all.get_mut(at)
        {
            "discount".clone_into(&mut token.raw);
            "discount".clone_into(&mut token.word);
            let after = std::mem::take(&mut token.after);
            all.insert(
                at + 1,
                Token {
                    after,
                    ..Token::plain("rate")
                },
            );
        }
        return;
    }
    let opens = at.checked_sub(2).is_none_or(|before| {
        all.get(before).is_some_and(Token::ends) || word(before) == "the" || word(before) == "our"
    });
    if opens && word(at + 1).ends_with('%') && all.get(at + 1).is_some_and(Token::ends) {
        let start = at.saturating_sub(1);
        let own = [Token::plain("discount"), Token::plain("rate")];
        all.splice(start..=at, own);
    }
}

/// "Between now (1 July 2026) and the end of 2027": the date that is now, and the last day.
fn now(all: &mut Vec<Token>) {
    if let Some(at) = (0..all.len()).find(|at| {
        all.get(*at)
            .is_some_and(|token| token.word == "now" && token.after.is_empty())
            && all.get(at + 1).is_some_and(|token| token.before.contains('('))
    }) {
        let end = (at + 1..all.len().min(at + 5))
            .find(|end| all.get(*end).is_some_and(|token| token.after.contains(')')));
        if let Some(end) = end {
            if let Some(token) = all.get_mut(at + 1) {
                token.before = String::new();
            }
            if let Some(token) = all.get_mut(end) {
                token.after = token.after.replace(')', "");
            }
            all.remove(at);
        }
    }
    let between = all.iter().any(|token| token.word == "between");
    for phrase in ["the end of", "end of", "year-end"] {
        if !between {
            break;
        }
        while let Some((at, length)) = tokens::find(all, phrase, 0) {
            let year = all
                .get(at + length)
                .is_some_and(|token| token.word.len() == 4 && token.word.starts_with("20"));
            if !year {
                break;
            }
            all.splice(at..at + length, [Token::plain("31"), Token::plain("December")]);
        }
    }
}

/// "Looking at 2028 only: how much expires": the time behind what is asked.
fn leading_time(all: &mut Vec<Token>) {
    let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
    let start = usize::from(word(0) == "looking");
    if !matches!(word(start), "at" | "in" | "for" | "during") {
        return;
    }
    let mut at = start + 1;
    if word(at) == "calendar" {
        at += 1;
    }
    let year = word(at).to_owned();
    if year.len() != 4 || !year.starts_with("20") || year.parse::<u32>().is_err() {
        return;
    }
    let mut end = at;
    if matches!(word(end + 1), "only" | "alone") {
        end += 1;
    }
    if !all.get(end).is_some_and(|token| token.after.contains([':', ','])) {
        return;
    }
    all.drain(..=end);
    let verb = all.iter().position(|token| {
        matches!(
            token.word.as_str(),
            "expires" | "expire" | "expiring" | "rolls" | "matures" | "mature" | "ends" | "end"
        )
    });
    let Some(verb) = verb else { return };
    let after = all.get(verb).map(|token| token.after.clone()).unwrap_or_default();
    if let Some(token) = all.get_mut(verb) {
        token.after = String::new();
    }
    all.insert(verb + 1, Token::plain("in"));
    all.insert(
        verb + 2,
        Token {
            after,
            ..Token::plain(&year)
        },
    );
}

/// "Did NOI still grow? By what percent?": by what percent it grew.
fn by_what(all: &mut Vec<Token>) {
    let Some((at, length)) = ["by what percent", "by what percentage", "by how much"]
        .iter()
        .find_map(|phrase| tokens::find(all, phrase, 1))
    else {
        return;
    };
    let last = at + length == all.len();
    let opens = all.get(at - 1).is_some_and(|token| token.after.contains('?'));
    let did = all
        .get(..at)
        .unwrap_or_default()
        .iter()
        .rposition(|token| token.word == "did");
    let Some(did) = did.filter(|_| last && opens) else {
        return;
    };
    let mut out: Vec<Token> = all
        .get(at..)
        .unwrap_or_default()
        .iter()
        .map(|token| Token::plain(&token.word))
        .collect();
    out.extend(
        all.get(did..at)
            .unwrap_or_default()
            .iter()
            .filter(|token| !matches!(token.word.as_str(), "still" | "even" | "actually"))
            .cloned(),
    );
    // What stands before it told of something else.
    let quiet = all
        .get(..did)
        .unwrap_or_default()
        .iter()
        .all(|token| !token.word.bytes().any(|byte| byte.is_ascii_digit()));
    if quiet {
        *all = out;
    }
}

/// "How much of the roll, in % of annual rent, expires", "how much of the leased area expires, as a % of all leased sf":
/// what percent of it.
fn split_percent(all: &mut Vec<Token>) {
    let Some((at, length)) = tokens::find(all, "how much of", 0) else {
        return;
    };
    let found = [
        "in % of",
        "as a % of",
        "as % of",
        "as a percent of",
        "in percent of",
        "as a percentage of",
        "as a share of",
    ]
    .iter()
    .find_map(|phrase| tokens::find(all, phrase, at + length));
    let Some((lead, count)) = found else { return };
    let end = (lead + count..all.len())
        .find(|end| all.get(*end).is_some_and(Token::pauses))
        .unwrap_or(all.len().saturating_sub(1));
    let of: Vec<Token> = all
        .get(lead + count..=end)
        .unwrap_or_default()
        .iter()
        .filter(|token| {
            !matches!(
                token.word.as_str(),
                "all" | "the" | "total" | "our" | "in" | "schedule"
            )
        })
        .map(|token| Token::plain(&token.raw))
        .collect();
    let last = all.get(end).map(|token| token.after.clone()).unwrap_or_default();
    let inserted = all.get(lead - 1).is_some_and(|token| token.after.contains(','));
    let mut rest: Vec<Token> = all.get(end + 1..).unwrap_or_default().to_vec();
    let mut middle: Vec<Token> = Vec::new();
    let verb = |token: &Token| {
        matches!(
            token.word.as_str(),
            "expires" | "expire" | "expiring" | "rolls" | "matures" | "ends"
        )
    };
    let before = (at + length..lead).find(|n| all.get(*n).is_some_and(verb));
    if before.is_none() && last.contains(',') && inserted && rest.first().is_some_and(verb) {
        // "How much of the roll, in % of rent, expires": the verb stands behind it.
        middle.append(&mut rest);
    } else {
        // The verb stands before it.
        let Some(verb) = before else { return };
        middle.extend(all.get(verb..lead).unwrap_or_default().iter().cloned());
        if let Some(token) = middle.last_mut() {
            token.after = last;
        }
        middle.append(&mut rest);
    }
    let mut out: Vec<Token> = all.get(..at).unwrap_or_default().to_vec();
    out.extend(["what", "percent", "of"].iter().map(|word| Token::plain(word)));
    out.extend(of);
    out.append(&mut middle);
    *all = out;
}
