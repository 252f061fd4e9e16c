//! What is said beside the question and cannot change its answer: of the form of the file, of who asks, when and what
//! for. It is left out where it agrees with the file; whatever could narrow the question stays.
//!
//! Computes nothing.

use crate::sheets::narrowing;
use crate::sheets::retold::tallies;
use crate::sheets::retold::tokens::{self, Token};
use crate::sheets::sources::Sheet;
use crate::words::among::among;
use tables::kind::Kind;

/// What a remark on the form of a file speaks of.
const FORM: &str = "file csv sheet spreadsheet attachment attached enclosed export exported exports bracket brackets \
     bracketed parenthesis parentheses negatives negative dd/mm/yyyy mm/dd/yyyy day/month/year month/day/year days day-first month-first date dates dated \
     undated column columns row rows title titled subtotal subtotals header headers undiscounted period periods year \
     years roll schedule statement evenly irregular spaced line lines positives positive split amounts funding spread export \
     closing purchase today quarters minus minuses pluses";

/// What it may say of that.
const GLUE: &str = "is are was were in on a an the of by with from as shown show showing all amount amounts number \
     numbers figure figures cost costs outflow outflows inflow inflows money out uk us american european british order \
     first last isn't aren't not sorted total totals grand being each every one printed category separate 0 zero \
     purchase closing close acquisition completion today now day month flow flows cash it its it's this these that \
     those here below above and at mark marked mean means into unsorted both leases lease tenants rents rent time \
     calls payouts him us he wired sent me you my our your have has there date-ordered chronological annual yearly \
     expenses expense revenue carry carries per i've i we put for exported come comes = landing lands payment payments end \
     year's nothing funding where and usual discounted english quarter days lease-year she her paid pay pays";

/// People who want to know something.
const PEOPLE: &str = "lender lenders bank banker committee client boss partner partners owner owners landlord landlords \
     buyer seller vendor investor investors auditor auditors accountant appraiser valuer broker manager asset treasury \
     board corporate guy team colleague md cfo ceo director underwriter analyst analysts principal sponsor servicer \
     surveyor administrator trustee trustees shareholders agency rating insurer lp lps gp pm";

/// What they do about it.
const SAYS: &str = "want wants wanted need needs needed ask asks asked asking flag flags flagged think thinks thought \
     reckon reckons wonder wonders wondering say says said map maps mapping review reviews reviewing check checks \
     checking keep keeps prepare preparing require requires would like request requests requested raised raises know";

/// What flows have in common with the story of a property.
const HISTORY: &str = "sold bought acquired purchased exited closed disposed completed";

const FILES: &str = "file csv sheet spreadsheet attachment attachments rr roll rolls t12 t-12 export statement schedule \
     stack tape spread page table workbook ledger tab document";

const LEADS: &str = "the this that these those our my an a attached enclosed whole monthly rent debt cash expense \
     tenancy lease same export csv excel payment following uploaded accompanying loan operating";

const ATTACHED: &str = "attached enclosed below here uploaded above";

const MEETINGS: &str = "call meeting committee ic board memo page deck record pack valuer lender bank review auditors \
     buyer seller client boss partners investors report paper presentation factsheet";

/// The question without such remarks.
pub(crate) fn left_out(all: &mut Vec<Token>, sheet: &Sheet) {
    places(all);
    meetings(all);
    tallies::counts(all, sheet);
    asides(all, sheet);
    people(all);
    sentences(all, sheet);
}

/// "In the attachment", "off this roll", "from the PM": where it stands.
fn places(all: &mut Vec<Token>) {
    let mut at = 0;
    while at < all.len() {
        let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
        let pauses = |n: usize| all.get(n).is_none_or(Token::pauses);
        let mut end = at + 1;
        if matches!(word(at), "in" | "on" | "off" | "from" | "across" | "per") && !pauses(at) {
            while among(LEADS, word(end)) && !pauses(end) && end < at + 4 {
                end += 1;
            }
            let pm =
                matches!(word(end), "pm" | "broker" | "agent" | "seller" | "landlord") && word(at) == "from";
            if end > at + 1 && (among(FILES, word(end)) || pm) {
                end += 1;
                if end < all.len() && !pauses(end - 1) && among(ATTACHED, word(end)) {
                    end += 1;
                } else if word(end) == "i" && matches!(word(end + 1), "attached" | "sent" | "uploaded") {
                    end += 2;
                }
                tokens::remove(all, at, end - at);
                continue;
            }
        }
        at += 1;
    }
    tokens::strike(
        all,
        &[
            "csv attached",
            "since the first contribution",
            "since first contribution",
            "since the first capital call",
            "since our first contribution",
            "365-day basis",
            "365 day basis",
            "file attached",
            "data attached",
            "leases attached",
            "tenants attached",
            "attached",
        ],
    );
}

/// "Before the call at 2", "for the track record page".
fn meetings(all: &mut Vec<Token>) {
    let mut at = 0;
    while at < all.len() {
        let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
        let pauses = |n: usize| all.get(n).is_none_or(Token::pauses);
        if matches!(word(at), "before" | "for")
            && !pauses(at)
            && matches!(word(at + 1), "the" | "our" | "my" | "a")
        {
            let found = (at + 2..at + 5).find(|end| among(MEETINGS, word(*end)));
            let between = |end: usize| (at + 1..end).all(|n| !pauses(n));
            if let Some(end) = found.filter(|end| between(*end)) {
                let mut end = end;
                while !pauses(end) && among(MEETINGS, word(end + 1)) {
                    end += 1;
                }
                if !pauses(end) && matches!(word(end + 1), "tomorrow" | "today" | "tonight") {
                    end += 1;
                } else if !pauses(end)
                    && word(end + 1) == "at"
                    && word(end + 2).starts_with(|sign: char| sign.is_ascii_digit())
                {
                    end += 2;
                }
                tokens::remove(all, at, end + 1 - at);
                continue;
            }
        }
        at += 1;
    }
}

/// Whether a stretch says something of the form of the file alone, and the file agrees.
fn formal(words: &[&str], sheet: &Sheet) -> bool {
    if words.is_empty() || !words.iter().any(|word| among(FORM, word)) {
        return false;
    }
    if !words.iter().all(|word| among(FORM, word) || among(GLUE, word)) {
        return false;
    }
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let headed = |part: &str| {
        sheet
            .table
            .columns
            .iter()
            .any(|column| column.header.to_lowercase().contains(part))
    };
    let flows = matches!(sheet.kind, Kind::Flows | Kind::DatedFlows);
    // Which way amounts count is no matter of form where some of them are turned round.
    if flows && has(&["positive", "positives"]) {
        return false;
    }
    // How far apart flows are is what their rate is of.
    if flows && has(&["quarters", "month"]) && !headed("month") && !headed("quarter") {
        return false;
    }
    if has(&["annual", "yearly"]) && (headed("month") || headed("quarter")) {
        return false;
    }
    if has(&["nothing", "landing", "lands"]) {
        let first = sheet.table.data().next().and_then(|row| row.cells.first());
        return first.is_some_and(|cell| cell.trim() == "1");
    }
    if has(&["0", "zero"]) {
        let first = sheet.table.data().next().and_then(|row| row.cells.first());
        return first.is_some_and(|cell| cell.trim() == "0");
    }
    !has(&["exclude", "without"])
}

/// Ratios as people spell them out behind the name of a figure.
const RATIO: &str = "total net rental income rent rents base contract over divided by per gpr noi egi opex dollars dollar \
     feet foot area sf sqft gla occupied leased annual operating expenses expense effective gross potential income i.e ie \
     to all the of that is expiring actual budget plan less minus = below above negative defined as meaning plus against debt \
     service other let and numerator denominator";

/// Parentheses, and clauses between marks.
fn asides(all: &mut Vec<Token>, sheet: &Sheet) {
    let mut start = 0;
    while start < all.len() {
        let open = all.get(start).is_some_and(|token| token.before.contains('('));
        if open
            && let Some(end) =
                (start..all.len()).find(|at| all.get(*at).is_some_and(|token| token.after.contains(')')))
        {
            let words = tokens::words(all, start, end + 1);
            let joined = words
                .iter()
                .any(|word| matches!(*word, "over" | "divided" | "less" | "minus" | "="));
            let stroke = all
                .get(start..end)
                .unwrap_or_default()
                .iter()
                .any(|token| token.after.contains(['/', '÷']));
            let ratio = words.iter().all(|word| among(RATIO, word)) && (joined || stroke);
            if words.iter().any(|word| matches!(*word, "t-3" | "t3"))
                && words
                    .iter()
                    .all(|word| matches!(*word, "x4" | "x" | "4" | "t-3" | "t3" | "times" | "×4"))
            {
                let mark: String = all
                    .get(end)
                    .map(|token| token.after.replace(')', ""))
                    .unwrap_or_default();
                all.splice(
                    start..=end,
                    [Token {
                        after: mark,
                        ..Token::plain("T-3")
                    }],
                );
                continue;
            }
            let four = words
                .iter()
                .all(|word| matches!(*word, "x4" | "x" | "4" | "t-3" | "t3" | "times" | "×4"));
            if formal(&words, sheet) || ratio && sheet.kind != Kind::Comps || four {
                tokens::remove(all, start, end + 1 - start);
                continue;
            }
        }
        start += 1;
    }
    // Between commas and dashes.
    tokens::leave_out(all, tokens::clause_end, |all, start, end| {
        let words = tokens::words(all, start, end);
        // "Net rental income over GPR" behind the name of the ratio says what it is.
        let named = all.iter().enumerate().any(|(at, token)| {
            (at < start || at >= end)
                && matches!(
                    token.word.as_str(),
                    "occupancy" | "margin" | "ratio" | "break-even" | "breakeven"
                )
        });
        let ratio = named
            && sheet.kind == Kind::Statement
            && words.iter().all(|word| among(RATIO, word))
            && words
                .iter()
                .any(|word| matches!(*word, "over" | "divided" | "against" | "defined"));
        // The whole question is no remark.
        words.len() < all.len() && (formal(&words, sheet) || ratio)
    });
}

/// "Lender wants", "the board asks about": who asks.
fn people(all: &mut Vec<Token>) {
    let mut start = 0;
    while start < all.len() {
        let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
        let said = (start + 1..start + 5).find(|at| {
            among(SAYS, word(*at)) && (start..*at).all(|n| all.get(n).is_some_and(|token| !token.pauses()))
        });
        let opening = start == 0 || all.get(start - 1).is_some_and(Token::pauses);
        if let Some(at) = said.filter(|_| opening)
            && (start..at).any(|n| among(PEOPLE, word(n)))
        {
            let mut end = at + 1;
            while matches!(
                word(end),
                "to" | "know"
                    | "for"
                    | "about"
                    | "like"
                    | "is"
                    | "asking"
                    | "see"
                    | "us"
                    | "me"
                    | "have"
                    | "a"
                    | "an"
            ) && !all.get(end - 1).is_some_and(Token::pauses)
            {
                end += 1;
            }
            // A lead behind which the question stands: "Treasury is mapping needs: ...".
            let colon = (end - 1..all.len())
                .find(|n| all.get(*n).is_some_and(Token::pauses))
                .filter(|n| all.get(*n).is_some_and(|token| token.after.contains(':')));
            if let Some(colon) = colon.filter(|colon| quiet(all, end, colon + 1)) {
                tokens::remove(all, start, colon + 1 - start);
                continue;
            }
            let ends = all.get(end - 1).is_some_and(Token::pauses);
            let thinks = matches!(
                word(at),
                "think" | "thinks" | "flagged" | "flags" | "keeps" | "thought" | "reckons"
            );
            if !ends && !thinks {
                tokens::remove(all, start, end - start);
                if !matches!(
                    tokens::word_at(all, start),
                    "what" | "how" | "which" | "by" | "the"
                ) {
                    all.insert(start, Token::plain("the"));
                }
                if tokens::word_at(all, start) == "the" {
                    let after = [Token::plain("what"), Token::plain("is")];
                    all.splice(start..start, after);
                }
                continue;
            }
        }
        start += 1;
    }
}

/// Nothing in a stretch narrows: no figure, no exclusion, no condition.
fn quiet(all: &[Token], start: usize, end: usize) -> bool {
    all.get(start..end).unwrap_or_default().iter().all(|token| {
        !token
            .word
            .contains(|sign: char| sign.is_ascii_digit() || sign == '%')
            && !narrowing::could_narrow(&token.word)
    })
}

/// Whole sentences that ask nothing: a story told before the question, who thinks what.
fn sentences(all: &mut Vec<Token>, sheet: &Sheet) {
    // "We sold it in 2022 and I need the return" is two.
    for phrase in [
        "and i need",
        "and i want",
        "and we need",
        "so i need",
        "and need",
        "and i'd like",
    ] {
        while let Some((at, _)) = tokens::find(all, phrase, 0) {
            if at == 0 {
                break;
            }
            tokens::remove(all, at, phrase.split(' ').count());
            if let Some(token) = all.get_mut(at - 1) {
                token.after = ".".to_owned();
            }
        }
    }
    let flows = matches!(sheet.kind, Kind::Flows | Kind::DatedFlows);
    let last = |all: &[Token], start: usize| {
        tokens::stretch_end(all, start, |token| token.ends() || token.after.contains(" -"))
    };
    tokens::leave_out(all, last, |all, start, end| {
        let words = tokens::words(all, start, end);
        let asks = all.get(end - 1).is_some_and(|token| token.after.contains('?'));
        let whole = words.len() == all.len();
        let first = words
            .iter()
            .copied()
            .find(|word| !among("we i our the my so", word))
            .unwrap_or("");
        let story = flows && among(HISTORY, first) && words.len() <= 12;
        let told = words.iter().take(4).any(|word| among(PEOPLE, word))
            && words.iter().any(|word| {
                matches!(
                    *word,
                    "think" | "thinks" | "flagged" | "flags" | "keeps" | "thought" | "reckons"
                )
            })
            && quiet_but_market(all, start, end);
        let call = words
            .iter()
            .any(|word| matches!(*word, "call" | "meeting" | "number"))
            && words.iter().all(|word| {
                among(CALL, word) || among(PEOPLE, word) || word.bytes().all(|byte| byte.is_ascii_digit())
            });
        !whole && !asks && (story || told || call) || words == ["what", "do", "i", "tell", "them"]
    });
}

const CALL: &str = "got a an the have call meeting with at tomorrow today on in we we've i've our my and need one number \
     to open mgmt asset am pm figure just single me monday tuesday wednesday thursday friday";

/// A view of the market is no condition.
fn quiet_but_market(all: &[Token], start: usize, end: usize) -> bool {
    all.get(start..end).unwrap_or_default().iter().all(|token| {
        !token
            .word
            .starts_with(|sign: char| sign.is_ascii_digit() || sign == '$')
            && !token.word.contains('%')
            && (!narrowing::could_narrow(&token.word)
                || matches!(token.word.as_str(), "under" | "below" | "above" | "over" | "net"))
    })
}
