//! What a question about leases says twice: "rather than number of suites" beside an area, "leased or not" of a rent at
//! market, "ignoring the breaks" of a term to expiry; and rents by other names where the table has but one.
//!
//! Computes nothing.

use crate::sheets::retold::tokens::{self, Token, says};
use crate::sheets::sources::Sheet;
use crate::words::among::among;
use tables::headers::Field;
use tables::tenancy::State;

fn headed(sheet: &Sheet, part: &str) -> bool {
    sheet
        .table
        .columns
        .iter()
        .any(|column| column.header.to_lowercase().contains(part))
}

const NOT: &str = "ignoring ignore disregarding disregard excluding without";

/// "The loan matures in early 2029 and I worry about the year before.": why someone asks for what expires in a year of
/// its own; the list has no loans.
fn worries(all: &mut Vec<Token>) {
    const DUE: &str = "matures mature matured maturing maturity due refinance refinancing refi balloon";
    const OWED: &str = "loan loans debt mortgage note lender refinancing refi";
    let dated = |words: &[&str]| {
        words.iter().any(|word| {
            word.len() == 4 && word.starts_with("20") && word.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    tokens::leave_out(all, tokens::sentence_end, |all, start, end| {
        let words = tokens::words(all, start, end);
        let rest = [tokens::words(all, 0, start), tokens::words(all, end, all.len())].concat();
        let asks = all.get(end - 1).is_some_and(|token| token.after.contains('?'));
        let owed =
            words.iter().take(3).any(|word| among(OWED, word)) && words.iter().any(|word| among(DUE, word));
        // What is asked must have a time of its own.
        let own = dated(&rest) && !rest.iter().any(|word| among("then maturity before", word));
        let told = words.iter().any(|word| {
            among(
                "excluding exclude except only without ignore ignoring lease leases rent rents if",
                word,
            )
        });
        !asks && owed && own && !told
    });
}

/// The question without them.
pub(crate) fn left_out(all: &mut Vec<Token>, sheet: &Sheet) {
    worries(all);
    // Whole spaces are not counted where areas or rents are.
    if says(all, "area sf nia nla gla rent income floor sqft sqm footage") {
        let mut at = 0;
        while at < all.len() {
            let lead = ["rather than", "instead of", "as opposed to", "not"]
                .iter()
                .find(|lead| {
                    tokens::find(all.get(at..).unwrap_or_default(), lead, 0).is_some_and(|(n, _)| n == 0)
                });
            let length = lead.map_or(0, |lead| lead.split(' ').count());
            if let Some(end) = (length > 0).then(|| count_of(all, at + length)).flatten() {
                tokens::remove(all, at, end - at);
                continue;
            }
            at += 1;
        }
    }
    tokens::replace_each(
        all,
        &[
            "measured on floor area",
            "measured by floor area",
            "measured on area",
            "measured by area",
            "on floor area",
            "by floor area",
            "on a floor area basis",
            "on an area basis",
            "on a square-foot basis",
            "on a square foot basis",
            "on a square-footage basis",
            "on a square footage basis",
            "on a sf basis",
            "on an sf basis",
        ],
        "by area",
    );
    // Rent at market is of all units.
    if says(all, "potential gpr erv") || says(all, "market") && says(all, "all every each") {
        tokens::strike(
            all,
            &[
                "whether leased or not",
                "leased or not",
                "let or not",
                "occupied or not",
                "whether let or vacant",
                "leased or vacant",
                "let or vacant",
                "occupied or vacant",
                "vacant or occupied",
                "vacant or not",
                "let or empty",
                "full or empty",
                "occupied and vacant alike",
                "let and vacant alike",
            ],
        );
        tokens::replace(all, "whether", "");
    }
    breaks(all);
    spelled_out(all, sheet);
    // How a term is counted anyway.
    if says(all, "walt wault wale") {
        tokens::strike(
            all,
            &[
                "remaining days over 365",
                "remaining days / 365",
                "remaining days divided by 365",
                "days remaining over 365",
                "days remaining / 365",
                "days remaining divided by 365",
                "using days over 365",
                "days over 365",
                "days divided by 365",
                "using days/365",
                "days/365",
                "with 365-day years",
                "using 365-day years",
                "in 365-day years",
            ],
        );
    }
    tokens::replace_each(
        all,
        &["letting rate", "let rate", "lettings rate"],
        "occupancy rate",
    );
    if headed(sheet, "net rent") {
        tokens::replace(all, "passing net rent", "net rent");
    }
    for (phrase, by) in [
        ("per sqm and month", "per sqm per month"),
        ("per sqm and year", "per sqm per year"),
        ("per m² and month", "per sqm per month"),
        ("per unit and month", "per unit per month"),
        ("per sf and year", "per sf per year"),
        ("do i have ending", "are expiring"),
        ("do i have expiring", "are expiring"),
        ("do we have ending", "are expiring"),
        ("do we have expiring", "are expiring"),
    ] {
        tokens::replace(all, phrase, by);
    }
    asking(all, sheet);
}

/// "Loss to lease (market minus in-place, all occupied)": what it is, and what the rows show.
fn spelled_out(all: &mut Vec<Token>, sheet: &Sheet) {
    let asked =
        tokens::find(all, "loss to lease", 0).is_some() || tokens::find(all, "loss-to-lease", 0).is_some();
    if !asked {
        return;
    }
    for market in ["market rent", "market"] {
        for less in ["minus", "less"] {
            for own in [
                "in-place rent",
                "in-place",
                "in place",
                "contract rent",
                "contract",
                "actual",
                "paying",
            ] {
                tokens::strike(all, &[&format!("{market} {less} {own}")]);
            }
        }
    }
    let spaces = &sheet.tenancy().spaces;
    if !spaces.is_empty() && spaces.iter().all(|space| space.state == State::Occupied) {
        tokens::strike(
            all,
            &[
                "all of them occupied",
                "all units occupied",
                "all units are occupied",
                "all are occupied",
                "everything is occupied",
                "all occupied",
                "fully occupied",
            ],
        );
    }
}

/// Behind "rather than": "(by) (the) number of suites"; where it ends.
fn count_of(all: &[Token], from: usize) -> Option<usize> {
    let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
    let mut at = from;
    let mut counts = false;
    while at < all.len() && at < from + 6 {
        let spaces = among(
            "suites units suite unit tenants tenant spaces leases heads",
            word(at),
        );
        counts |= among("number count counts", word(at));
        if !spaces && !among("by on the number count counts of a simple how many", word(at)) {
            return None;
        }
        at += 1;
        if all.get(at - 1).is_none_or(Token::pauses) || (counts && spaces && !among("count counts", word(at)))
        {
            break;
        }
    }
    (counts && at > from).then_some(at)
}

/// "Ignoring the break options" of a term to expiry.
fn breaks(all: &mut Vec<Token>) {
    if !says(all, "walt wault wale term terms unexpired expiry expiries") {
        return;
    }
    let mut at = 0;
    while at < all.len() {
        let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
        if among(NOT, word(at)) && !all.get(at).is_some_and(Token::pauses) {
            let mut end = at + 1;
            let mut named = false;
            while among(
                "the any all tenant tenant's tenants landlord break breaks option options clause clauses rights right \
                 dates date regard to",
                word(end),
            ) {
                named |= among("break breaks", word(end));
                end += 1;
                if all.get(end - 1).is_some_and(Token::pauses) {
                    break;
                }
            }
            if named {
                let from = if at > 0
                    && matches!(word(at - 1), "and" | "but")
                    && !all.get(at - 1).is_some_and(Token::pauses)
                {
                    at - 1
                } else {
                    at
                };
                tokens::remove(all, from, end - from);
                continue;
            }
        }
        at += 1;
    }
}

/// "The asking rent on everything that's empty": vacant space has no other rent than that of the market.
fn asking(all: &mut Vec<Token>, sheet: &Sheet) {
    for phrase in [
        "everything that's empty",
        "everything that is empty",
        "everything that's vacant",
        "everything that is vacant",
        "everything vacant",
        "everything empty",
        "whatever is empty",
        "whatever's empty",
        "what's empty",
        "what is empty",
    ] {
        if tokens::replace(all, phrase, "the vacant units") {
            tokens::replace(all, "on the vacant units", "of the vacant units");
        }
    }
    let vacant = says(all, "vacant empty void unlet unleased vacancies");
    if vacant && sheet.table.has(Field::MarketRent) && !headed(sheet, "asking") {
        tokens::replace(all, "asking rents", "market rent");
        if tokens::replace(all, "asking rent", "market rent") {
            for phrase in [
                "monthly total",
                "total monthly",
                "in total per month",
                "total per month",
            ] {
                if tokens::replace(all, phrase, "") {
                    tokens::replace(all, "market rent", "total monthly market rent");
                }
            }
        }
    }
}
