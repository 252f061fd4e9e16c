//! What a question says twice or the other way round, within its sentences: the months of "T-3", a ratio spelled out as
//! one amount over another, the property that the file is of.
//!
//! Each is left out, or put in the words that the readings know, only where the rest of the question says so too.

use crate::sheets::retold::lettings;
use crate::sheets::retold::tokens::{self, Token, says};
use crate::sheets::sources::Sheet;
use crate::words::among::among;
use tables::accounts::{self, Line};
use tables::dates::month_named;
use tables::kind::Kind;

/// The question without them.
pub(crate) fn left_out(all: &mut Vec<Token>, sheet: &Sheet) {
    spans(all);
    match sheet.kind {
        Kind::RentRoll | Kind::Leases => lettings::left_out(all, sheet),
        Kind::Statement => {
            ratio(all);
            quarter(all);
            deductions(all);
            expenses_only(all, sheet);
        }
        Kind::Comps => weighted(all),
        Kind::Flows | Kind::DatedFlows | Kind::Other => {
            if sheet.kind == Kind::DatedFlows {
                by_date(all);
            }
            tokens::replace_each(
                all,
                &["we quote the", "we report the", "we show the"],
                "what is the",
            );
            compounded(all);
        }
        Kind::Loans => {}
    }
    property(all, sheet);
}

/// "The date-weighted return": the rate by the days between the flows, what was made among it.
fn by_date(all: &mut Vec<Token>) {
    const BY_DATE: &[&str] = &["date weighted", "date-weighted"];
    if !BY_DATE
        .iter()
        .any(|phrase| tokens::find(all, phrase, 0).is_some())
    {
        return;
    }
    for by_date in BY_DATE {
        for rate in ["return", "rate of return"] {
            tokens::replace(all, &format!("{by_date} {rate}"), "xirr");
        }
    }
    for phrase in ["what did we make", "how much did we make", "what have we made"] {
        if tokens::replace(all, phrase, "what is the xirr") {
            tokens::strike(all, &["per year", "a year", "per annum", "annually"]);
        }
    }
    if says(all, "xirr") {
        tokens::strike(all, BY_DATE);
    }
}

/// "The monthly rate compounded twelve times" beside the effective annual rate, which it is.
fn compounded(all: &mut Vec<Token>) {
    if tokens::find(all, "effective annual", 0).is_none() && !says(all, "annualized annualised") {
        return;
    }
    for rate in ["monthly irr", "monthly rate"] {
        for times in ["over 12 months", "over twelve months", "twelve times", "12 times"] {
            tokens::replace(all, &format!("{rate} compounded {times}"), "");
        }
    }
}

/// "Aug-Oct 2025", "June through August 2026": from one month to the other, each with its year.
fn spans(all: &mut Vec<Token>) {
    let mut at = 0;
    while at < all.len() {
        let Some(token) = all.get(at).cloned() else { break };
        if let Some((one, two)) = token.raw.split_once(['-', '–'])
            && month_named(&one.to_lowercase()).is_some()
            && month_named(&two.to_lowercase()).is_some()
        {
            let first = Token {
                before: token.before.clone(),
                ..Token::plain(one)
            };
            let last = Token {
                after: token.after.clone(),
                ..Token::plain(two)
            };
            let lower = |mut token: Token| {
                token.word = token.raw.to_lowercase();
                token
            };
            all.splice(at..=at, [lower(first), Token::plain("to"), lower(last)]);
        }
        at += 1;
    }
    let mut at = 0;
    let mut found = false;
    while at + 3 < all.len() {
        let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
        let year = word(at + 3).to_owned();
        let dated =
            year.len() == 4 && year.starts_with("20") && year.bytes().all(|byte| byte.is_ascii_digit());
        let joined = (at..at + 3).all(|n| all.get(n).is_some_and(|token| !token.pauses()));
        if joined
            && dated
            && month_named(word(at)).is_some()
            && month_named(word(at + 2)).is_some()
            && (matches!(word(at + 1), "to" | "through" | "thru" | "until" | "till")
                || word(at + 1) == "and" && at > 0 && word(at - 1) == "between")
        {
            if at > 0 && word(at - 1) == "between" {
                all.remove(at - 1);
                at -= 1;
            }
            if let Some(token) = all.get_mut(at + 1) {
                *token = Token::plain("to");
            }
            all.insert(at + 1, Token::plain(&year));
            found = true;
            at += 4;
        }
        at += 1;
    }
    if found {
        tokens::strike(
            all,
            &[
                "both months included",
                "both included",
                "both inclusive",
                "both ends included",
                "inclusive",
                "both months inclusive",
            ],
        );
    }
}

const DIVIDES: &[&str] = &[
    "divided by",
    "over",
    "as a share of",
    "as a % of",
    "as a percentage of",
    "÷",
];

/// "Operating expenses divided by revenue": the operating expense ratio.
fn ratio(all: &mut Vec<Token>) {
    const COSTS: &[&str] = &[
        "total operating expenses",
        "operating expenses",
        "opex",
        "operating costs",
    ];
    const NET: &[&str] = &["net operating income", "noi"];
    const INCOME: &[&str] = &[
        "effective gross income",
        "egi",
        "total revenue",
        "revenue",
        "revenues",
        "total income",
    ];
    for (parts, name) in [(COSTS, "operating expense ratio"), (NET, "noi margin")] {
        for part in parts {
            for divides in DIVIDES {
                for of in INCOME {
                    for article in ["", "the "] {
                        let phrase = format!("{part} {divides} {article}{of}");
                        tokens::replace(all, &phrase, name);
                    }
                }
            }
        }
    }
}

/// "Last three months in the sheet, NOI times four" beside "T-3".
fn quarter(all: &mut Vec<Token>) {
    if !says(all, "t-3 t3") {
        return;
    }
    tokens::strike(
        all,
        &[
            "the last three months in the sheet",
            "last three months in the sheet",
            "last three months in the file",
            "last three months of the file",
            "the last three months",
            "last three months",
            "last 3 months",
            "latest three months",
            "most recent three months",
        ],
    );
    if says(all, "annualised annualized annualise annualize") {
        tokens::strike(
            all,
            &[
                "times four",
                "times 4",
                "x 4",
                "x4",
                "multiplied by four",
                "multiplied by 4",
            ],
        );
    }
}

/// What a statement of one side alone holds: "revenue page only"; "I'm closing the year on 5xxx accounts (opex only)" of a statement of expenses whose accounts are all so numbered.
fn expenses_only(all: &mut Vec<Token>, sheet: &Sheet) {
    let lines: Vec<Line> = sheet
        .table
        .data()
        .filter_map(|row| row.cells.iter().find(|cell| cell.contains(char::is_alphabetic)))
        .map(accounts::line)
        .collect();
    if !lines.is_empty() && !lines.contains(&Line::Expense) {
        tokens::strike(
            all,
            &[
                "revenue page only",
                "revenue side only",
                "income page only",
                "revenue only",
            ],
        );
        tokens::strike(
            all,
            &[
                "garden-style mf",
                "garden-style multifamily",
                "garden mf",
                "mid-rise mf",
                "high-rise mf",
            ],
        );
    }
    let costs = lines
        .iter()
        .all(|line| matches!(line, Line::Expense | Line::Printed(_)));
    if !costs || !lines.contains(&Line::Expense) {
        return;
    }
    tokens::strike(
        all,
        &[
            "opex only",
            "expenses only",
            "operating expenses only",
            "only opex",
            "only expenses",
        ],
    );
    let fits = |mask: &str| {
        mask.len() > 2
            && mask.ends_with('x')
            && sheet.table.data().all(|row| {
                row.cells.first().is_some_and(|cell| {
                    let cell = cell.trim();
                    cell.len() == mask.len()
                        && cell.starts_with(mask.trim_end_matches('x'))
                        && cell.bytes().all(|byte| byte.is_ascii_digit())
                })
            })
    };
    let masked = (1..all.len()).find(|at| {
        let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
        among("on the", word(at - 1))
            && fits(word(*at))
            && matches!(word(at + 1), "accounts" | "account" | "series" | "lines")
    });
    if let Some(at) = masked {
        tokens::remove(all, at - 1, 3);
    }
    tokens::strike(
        all,
        &[
            "i'm closing the year",
            "we're closing the year",
            "i am closing the year",
            "i'm closing the books",
            "we're closing the books",
        ],
    );
    // "The worst unfavourable variance": of costs it is what most overran its budget.
    let worst =
        says(all, "largest biggest worst") && says(all, "unfavourable unfavorable adverse overspend overrun");
    let known = all.iter().all(|token| {
        among(
            "in the what which is was are dollar dollars amount of single largest biggest worst unfavourable unfavorable \
             adverse overspend overrun line variance and gl account it how much by has had comparison opex budget \
             actual versus vs against",
            &token.word,
        )
    });
    if worst && known && says(all, "line account variance overspend overrun") {
        *all = tokens::of("Which account is most over budget?");
    }
}

/// "(GPR after loss to lease, vacancy and bad debt)": what net rental income is.
fn deductions(all: &mut Vec<Token>) {
    if tokens::find(all, "net rental income", 0).is_none() {
        return;
    }
    defined(all);
    let open = all.iter().position(|token| token.before.contains('('));
    let Some(start) = open else { return };
    let end = (start..all.len()).find(|at| all.get(*at).is_some_and(|token| token.after.contains(')')));
    let Some(end) = end else { return };
    let known = all.get(start..=end).unwrap_or_default().iter().all(|token| {
        among(
            "gpr gross potential rent after less minus net of loss to lease vacancy non-revenue units model concessions \
             concession bad debt credit and the",
            &token.word,
        )
    });
    let every = ["vacancy", "concessions", "debt"].iter().all(|own| {
        all.get(start..=end)
            .unwrap_or_default()
            .iter()
            .any(|token| token.word == *own)
    });
    if known && every {
        tokens::remove(all, start, end + 1 - start);
        defined(all);
    }
}

/// "Economic occupancy, defined as net rental income over gross potential rent": what it is anyway.
fn defined(all: &mut Vec<Token>) {
    if !says(all, "economic") {
        return;
    }
    for over in [
        "over gpr",
        "over gross potential rent",
        "divided by gross potential rent",
        "divided by gpr",
    ] {
        for lead in ["defined as", "meaning", "i.e", "as"] {
            tokens::strike(all, &[&format!("{lead} net rental income {over}")]);
        }
    }
}

/// "Total price over total GLA": the weighted price; a printed total is counted by none.
fn weighted(all: &mut Vec<Token>) {
    for size in [
        "gla",
        "area",
        "sf",
        "square feet",
        "square footage",
        "footage",
        "feet",
        "sqft",
        "nra",
        "size",
        "units",
    ] {
        let priced = all.iter().filter(|token| token.word == "price").count() > 1;
        let by = if priced { "weighted" } else { "weighted price" };
        for phrase in [
            format!("total price over total {size}"),
            format!("total price divided by total {size}"),
            format!("sum of prices over sum of {size}"),
            format!("sum of price over sum of {size}"),
            format!("total dollars over total {size}"),
            format!("all prices over all {size}"),
        ] {
            tokens::replace(all, &phrase, by);
        }
    }
    // A weighted average is none of these.
    if says(all, "weighted") {
        tokens::strike(
            all,
            &[
                "not the average of the averages",
                "not the average of averages",
                "not an average of averages",
                "not an average of the averages",
                "rather than the average of the averages",
                "not the simple average",
                "not a simple average",
                "not the plain average",
                "not the average of the individual prices",
                "not the average of the ratios",
                "not the mean of the ratios",
            ],
        );
    }
    tokens::strike(
        all,
        &[
            "last row is a total",
            "the last row is a total",
            "the last row is the total",
            "last row is the total",
            "the last line is a total",
            "bottom row is a total",
            "don't count it twice",
            "don't double count it",
            "do not count it twice",
            "don't double-count it",
            "so don't count it twice",
        ],
    );
}

/// "Of this logistics park": the property of the file.
fn property(all: &mut Vec<Token>, sheet: &Sheet) {
    const KINDS: &str = "logistics office retail industrial medical suburban downtown business shopping garden-style garden \
         high-rise mid-rise same whole entire warehouse multifamily student";
    const PLACES: &str =
        "park tower building centre center mall plaza property scheme estate complex campus community";
    if !matches!(sheet.kind, Kind::RentRoll | Kind::Leases | Kind::Statement) {
        return;
    }
    let mut at = 0;
    while at < all.len() {
        let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
        let open = |n: usize| all.get(n).is_some_and(|token| !token.pauses());
        if among("of in for at across", word(at))
            && among("this the our", word(at + 1))
            && open(at)
            && open(at + 1)
        {
            let mut end = at + 2;
            while among(KINDS, word(end)) && open(end) {
                end += 1;
            }
            if among(PLACES, word(end)) {
                if open(end) && among("list roll schedule file", word(end + 1)) {
                    end += 1;
                }
                // "In the park row" would be a part of it.
                let stops = all.get(end + 1).is_none_or(|token| token.before.contains('('))
                    || !open(end)
                    || !word(end + 1).starts_with(char::is_alphabetic)
                    || among("by weighted is are as on at and in with from what", word(end + 1));
                if stops {
                    tokens::remove(all, at, end + 1 - at);
                    continue;
                }
            }
        }
        at += 1;
    }
}
