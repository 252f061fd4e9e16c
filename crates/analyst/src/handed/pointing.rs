//! A question without what only points to its file: "using NOI from the T12 in the file" is "using NOI".
//!
//! Knows no table. A word that says more than where amounts are stays.

use crate::sheets::retold::tokens::{self, Token};
use crate::words::among::among;

/// With one of these a stretch points to what was sent.
const POINTS: &str = "attached attaching enclosed attachment uploaded file files csv sheet spreadsheet workbook excel xlsx \
     t12 t-12 ttm p&l pnl statement budget uses";

/// Words beside them that say no more than where the amounts are.
const BESIDE: &str = "the a an this that these those my our their your its it is are was here here's there in from per off \
     on of with using use see to as by i i've we we've have has got sent you please find out and annual annualized yearly \
     year year-one first-year full-year one 1 loan debt mortgage note terms term quote construction development dev project \
     building total costs cost line items item numbers amounts figures inputs assumptions summary data details all \
     everything noi net operating income forecast projection projections projected pro-forma proforma underwriting uw \
     trailing twelve 12 months month's property property's deal deal's operating table list below above borrower \
     borrower's lender's seller's broker's sponsor's owner's just cpi readings history prints cash flow flows cf cfs";

/// What a file is called behind a preposition.
const NAMES: &str = "attached enclosed attachment file csv sheet spreadsheet workbook excel t12 t-12 ttm p&l pnl statement \
     budget uses underwriting summary table list readings forecast trailing twelve 12 month months total project development dev \
     construction cost costs operating loan term terms line items one year-one full";

const BEFORE: &str = "in from per off on using against with of";
const THE: &str = "the this that my our their your an a";

/// The question without them.
pub(crate) fn without_file(question: &str) -> String {
    let mut all = tokens::of(question);
    repeated(&mut all);
    openings(&mut all);
    places(&mut all);
    alone(&mut all);
    tokens::text(&all)
}

/// Whether the question says that something came with it.
pub(crate) fn speaks_of_file(question: &str) -> bool {
    let all = tokens::of(question);
    tokens::says(&all, "attached attaching enclosed attachment csv spreadsheet")
        || [
            "in the file",
            "the file's",
            "from the file",
            "per the file",
            "(file)",
        ]
        .iter()
        .any(|phrase| tokens::find(&all, phrase, 0).is_some())
}

fn points(word: &str) -> bool {
    among(POINTS, word)
}

/// "Once for each year in the file": what follows every line is yearly.
fn repeated(all: &mut Vec<Token>) {
    for each in ["each", "every"] {
        for year in ["year", "yr"] {
            for file in [
                "file",
                "csv",
                "sheet",
                "list",
                "table",
                "attachment",
                "spreadsheet",
            ] {
                for once in ["once ", ""] {
                    let phrase = format!("{once}for {each} {year} in the {file}");
                    tokens::replace(all, &phrase, "every year");
                }
            }
        }
    }
}

/// "Loan terms are in the attachment." and "Underwriting is attached and …": what a question begins with.
fn openings(all: &mut Vec<Token>) {
    let mut start = 0;
    while start < all.len() {
        let last = tokens::sentence_end(all, start);
        let asks = all.get(last).is_some_and(|token| token.after.contains('?'));
        let plain = (start..=last)
            .take_while(|at| {
                let word = tokens::word_at(all, *at);
                points(word) || among(BESIDE, word)
            })
            .last();
        let Some(plain) = plain else {
            start = last + 1;
            continue;
        };
        // The stretch ends where a clause ends, or before "and".
        let closes = |at: usize| {
            at == last
                || all.get(at).is_some_and(Token::pauses)
                || matches!(tokens::word_at(all, at + 1), "and" | "with" | "where") && at < plain
        };
        let pointed = |from: usize, to: usize| {
            (from..=to).any(|at| {
                among(
                    "attached attaching enclosed attachment uploaded file csv sheet spreadsheet workbook",
                    tokens::word_at(all, at),
                )
            })
        };
        let end = (start..=plain)
            .filter(|at| closes(*at) && pointed(start, *at))
            .find(|at| !(*at == last && asks));
        let Some(end) = end.filter(|end| *end - start + 1 < all.len()) else {
            start = last + 1;
            continue;
        };
        let mut length = end - start + 1;
        if matches!(tokens::word_at(all, end + 1), "and" | "where") && end < last {
            length += 1;
        }
        tokens::remove(all, start, length);
    }
}

/// "From the T12 in the file", "off the attached statement", "(file)".
fn places(all: &mut Vec<Token>) {
    let mut at = 0;
    while at < all.len() {
        let lead = among(BEFORE, tokens::word_at(all, at)) && !all.get(at).is_some_and(Token::pauses);
        let the = usize::from(lead && among(THE, tokens::word_at(all, at + 1)));
        let from = at + 1 + the;
        let end = tokens::run(all, from, NAMES);
        let named = end > from
            && tokens::words(all, from, end).iter().any(|word| points(word))
            // "In the file's NOI" goes on.
            && (lead && (the == 1 || among("attached enclosed t12 t-12 ttm", tokens::word_at(all, from))));
        if named && at > 0 {
            // "On the attached T12 NOI" is on the NOI.
            let goes_on = !all.get(end - 1).is_some_and(Token::pauses)
                && among("noi income cash flow flows egi", tokens::word_at(all, end));
            let start = if goes_on { from } else { at };
            tokens::remove(all, start, end - start);
            continue;
        }
        at += 1;
    }
}

/// "The attached NOI", "the 7-yr hold attached".
fn alone(all: &mut Vec<Token>) {
    let mut at = 0;
    while at < all.len() {
        let word = tokens::word_at(all, at);
        if among("attached enclosed", word) && all.len() > 1 {
            tokens::remove(all, at, 1);
            continue;
        }
        at += 1;
    }
}

/// Words that choose a part of what a file holds, or change it: with one of these its whole is not meant.
const CHOOSES: &str = "q1 q2 q3 q4 h1 h2 quarter quarterly t3 t-3 t6 t-6 t1 ytd mtd year-to-date month monthly january february \
     march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec \
     last first previous prior second third excluding exclude excludes excluded excl except without ignoring ignore \
     ignored omit omitting omits skip skipping remove removing removed strip stripping minus less plus adding add added \
     not isn't aren't doesn't don't never adjusted adjust normalized normalised stabilized stabilised annualized \
     annualised recast only just solely half double twice each every unless instead rather \
     growing grow grows growth increase increases increased decrease drop drops dropped falls fall rise rises raised cut \
     higher lower forward actual budgeted forecast separately respectively by missing excludes includes including \
     include incl reclassify average per versus vs compare compared change changes \
     overrun overruns overran escalate escalates escalation inflate inflates shave shaved trim trimmed savings worse better";

/// Whether a question that is told with the amounts of a whole file speaks of a part of it or of a change.
pub(crate) fn narrows(question: &str, told: &[&str], of_costs: bool) -> bool {
    let all = tokens::of(question);
    let year = |word: &str| word.parse::<u32>().is_ok_and(|year| (1990..2100).contains(&year));
    (0..all.len()).any(|at| {
        let word = tokens::word_at(&all, at);
        let next = tokens::word_at(&all, at + 1);
        let before = at.checked_sub(1).map_or("", |at| tokens::word_at(&all, at));
        let amount = |word: &str| word.contains(|sign: char| sign.is_ascii_digit());
        let harmless = match word {
            // "1.25x", "a 30-year loan with monthly payments".
            "monthly" => matches!(next, "payment" | "payments" | "pmt" | "pmts" | "amortization"),
            "last" => among("adjustment review increase change bump step reset payment one", next),
            "first" => matches!(next, "mortgage" | "lien" | "position"),
            "per" => among("unit door foot sf sqft square year annum", next),
            "by" => !among("month quarter unit line category type tenant building property", next),
            // The stabilized income that a question gives is set against the costs of a file.
            "stabilized" | "stabilised" => of_costs,
            "actual" => next.contains("360") || next.contains("365"),
            "each" | "every" => among("month year", next),
            _ => false,
        };
        let chosen = among(CHOOSES, word) && !harmless;
        // "After reserves" says which cash flow is meant; "after land" which costs.
        let behind = match next {
            "the" | "all" => tokens::word_at(&all, at + 2),
            _ => next,
        };
        let beside = matches!(word, "before" | "after" | "net")
            && !among(
                "reserves reserve capital debt ds tax taxes operating replacement selling sale cash of income proceeds \
                 last final adjustment review io interest-only hold",
                behind,
            )
            && !amount(behind);
        chosen || beside || year(word) || (before != "the" || word != "total") && told.contains(&word)
    })
}
