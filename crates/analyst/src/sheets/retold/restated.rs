//! Clauses that say again what a figure counts or leaves out anyway: vacant space in a lease term, debt in a net
//! operating income, the model unit in an occupancy; and those that only present the file or describe the property.
//!
//! They are left out where the table agrees. Computes nothing.

use chrono::{Datelike, NaiveDate};

use crate::sheets::narrowing;
use crate::sheets::retold::tokens::{self, Token};
use crate::sheets::sources::Sheet;
use crate::sheets::words::stem;
use crate::words::among::among;
use tables::accounts::Line;
use tables::dates::month_named;
use tables::headers;
use tables::kind::Kind;
use tables::statement;
use tables::tenancy::State;

const EMPTY: &str = "vacant vacants vacancies empty empties void voids unlet unleased unoccupied";
const LET: &str = "occupied leased let tenanted rented";
/// With either of these, what only vacant space is left out of.
const OUT: &str = "out off excluded exclude excluding excl don't not doesn't count counted \
     counting ignore ignoring only skip skipping drop without obviously";
const SPACES: &str = "leave leaving left stay stays unit units suite suites shop shops bay bays floor floors level levels space spaces flat flats apartment apartments of it the \
     any all from please is are and them that those figure ones for over on";

const MODELS: &str = "model models down office employee non-revenue rentable fire-damaged offline admin";
const MODEL_GLUE: &str = "unit units only i.e ie strip stripping drop leave leaving left exclude excluding excluded out of \
     both numerator denominator sides side on from the and them they aren't isn't don't not count counted count's one two \
     rentable base either it is are top bottom with as side non-revenue if when where we you i keep keeping kept should be being all were \
     come comes coming go goes going drops dropped gets our their the lender's lenders bank's rule convention is that calculation";

const BELOW: &str = "reserves reserve interest debt mortgage depreciation capex capital principal financing amortization \
     amortisation service loan bank payments payment ti lc commissions income-tax roof boiler ncf";
const BELOW_GLUE: &str = "part strip leave leaving keep take taking out of off the and or they them it its it's don't don’t \
     doesn't do not belong aren't isn't are is was noi opex costs cost operating expense expenses an a obviously for this \
     purpose here below line capex financing capital items i'm i we we're doing lender's view before after excluded \
     exclude excluding ignore please works work in net income calculation anything everything whatever that which things above";

const DESCRIBES: &str = "neighborhood neighbourhood shopping office retail industrial strip logistics business medical \
     building buildings center centre park mall plaza warehouse multifamily apartment apartments tower property asset \
     garden community portfolio small mixed-use leases rent roll data looking at stacking schedule tenancy tenants mortgages coupons \
     loans sales comps is are the our a an this fully 100% let leased occupied and of with here single storage suburban \
     downtown flex anchored grocery-anchored";

/// The question without them.
pub(crate) fn left_out(all: &mut Vec<Token>, sheet: &Sheet) {
    presented(all, sheet);
    by_instead(all);
    if sheet.kind == Kind::Statement {
        sentences(all, sheet);
        months(all, sheet);
    }
    tokens::leave_out(all, tokens::clause_end, |all, start, end| {
        let rest = beyond(all, start, end);
        !rest.is_empty() && says_again(&tokens::words(all, start, end), &rest, sheet)
    });
    tails(all, sheet);
}

/// "... if model units are excluded": such a clause without a mark before it.
fn tails(all: &mut Vec<Token>, sheet: &Sheet) {
    let mut at = 1;
    while at < all.len() {
        let begins = all.get(at).is_some_and(|token| {
            among(
                "if when with without excluding leaving ignoring keeping where and not",
                &token.word,
            )
        });
        if begins && !all.get(at - 1).is_some_and(Token::pauses) {
            let end = tokens::clause_end(all, at) + 1;
            let rest = beyond(all, at, end);
            let words = tokens::words(all, at, end);
            if words.len() > 2 && says_again(&words, &rest, sheet) {
                tokens::remove(all, at, end - at);
                continue;
            }
        }
        at += 1;
    }
}

/// The words of a question but those of a stretch.
fn beyond(all: &[Token], start: usize, end: usize) -> Vec<&str> {
    [tokens::words(all, 0, start), tokens::words(all, end, all.len())].concat()
}

fn says_again(words: &[&str], rest: &[&str], sheet: &Sheet) -> bool {
    let all = |list: &[&str]| words.iter().all(|word| list.iter().any(|own| among(own, word)));
    let any = |list: &str| words.iter().any(|word| among(list, word));
    let asked = |list: &str| rest.iter().any(|word| among(list, word));
    match sheet.kind {
        Kind::RentRoll | Kind::Leases => {
            // Terms, expiries and rents in place are of what is let.
            let of_let = asked(
                "wale wault walt term expire expires expiring rolls leased occupied in-place in-force lease contract pay pays paying paid",
            ) && !asked("occupancy vacancy gpr potential vacant how-full");
            let vacant = any(EMPTY) && any(OUT) && all(&[EMPTY, OUT, SPACES]);
            let only = any(LET) && words.contains(&"only") && all(&[LET, SPACES, "only"]);
            let models = any(MODELS)
                && any(OUT)
                && all(&[MODELS, MODEL_GLUE])
                && asked("occupancy vacancy occupied")
                && !words
                    .iter()
                    .any(|word| word.bytes().any(|byte| byte.is_ascii_digit()));
            of_let && (vacant || only) || models || nets(words, rest) || described(words, sheet)
        }
        Kind::Statement => {
            below(words, rest, sheet) || other_income(words, rest) || whole_range(words, sheet)
        }
        Kind::Comps | Kind::Loans => described(words, sheet),
        _ => false,
    }
}

const NETTING: &str = "net netting netted of off offset offsetting by against the couple few some ones one anyone anybody any \
     those who that are is paying pay pays thats that's above over more than market asking erv rent rents tenants units leases the counts count counting it one subtract subtracts is";

/// "Netting off anybody paying above": a loss to lease is net of those.
fn nets(words: &[&str], rest: &[&str]) -> bool {
    let has = |list: &str| words.iter().any(|word| among(list, word));
    (has("net netting netted offset offsetting") || has("counts count counting") && has("against"))
        && has("above over more")
        && words.iter().all(|word| among(NETTING, word))
        && rest.iter().any(|word| among("market erv loss", word))
        && words.len() > 2
}

/// Whole sentences of lines below the line: "Strip out the roof, the mortgage and the depreciation, they don't belong."
fn sentences(all: &mut Vec<Token>, sheet: &Sheet) {
    // "… and tell me NOI": what is asked in the same breath stands for itself.
    let asks = (1..all.len()).find(|at| {
        let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
        let verb = matches!(
            (word(at + 1), word(at + 2)),
            ("tell" | "give" | "show", "me" | "us")
                | (
                    "calculate" | "compute" | "work" | "report" | "what's" | "whats",
                    _
                )
                | ("what", "is" | "are")
        );
        matches!(word(*at), "and" | "then") && verb
    });
    if let Some(at) = asks {
        let start = (0..at)
            .rev()
            .find(|n| {
                all.get(*n)
                    .is_some_and(|token| token.after.contains(['.', '?', '!']))
            })
            .map_or(0, |n| n + 1);
        let rest = beyond(all, start, at + 1);
        if below(&tokens::words(all, start, at), &rest, sheet) {
            tokens::remove(all, start, at + 1 - start);
        }
    }
    tokens::leave_out(all, tokens::sentence_end, |all, start, end| {
        let rest = beyond(all, start, end);
        !rest.is_empty() && below(&tokens::words(all, start, end), &rest, sheet)
    });
}

/// "For the half year Jan through Jun 2026", "from June, July and August '26" beside "T-3", "(July through September)"
/// beside the third quarter: months that are said already.
fn months(all: &mut Vec<Token>, sheet: &Sheet) {
    let held: Vec<NaiveDate> = sheet.table.months().iter().map(|(_, month)| *month).collect();
    let Some(first) = (0..all.len()).find(|at| {
        all.get(*at)
            .is_some_and(|token| month_named(&token.word).is_some())
    }) else {
        return;
    };
    let mut end = first;
    let mut named: Vec<u32> = Vec::new();
    let mut years: Vec<i32> = Vec::new();
    let mut through = false;
    for (at, token) in all.iter().enumerate().skip(first) {
        let year = token.word.trim_start_matches('\'').parse::<i32>().ok();
        if let Some(month) = month_named(&token.word) {
            named.push(month);
            end = at;
        } else if let Some(year) = year.filter(|year| (10..100).contains(year) || (2000..2100).contains(year))
        {
            years.push(if year < 100 { year + 2000 } else { year });
            end = at;
        } else if !matches!(token.word.as_str(), "and" | "through" | "to" | "thru" | "until") {
            break;
        } else {
            through |= token.word != "and";
        }
        if token.after.contains(['.', '?', ')', ';']) {
            break;
        }
    }
    let numbers = |months: &[NaiveDate]| -> Vec<u32> { months.iter().map(Datelike::month).collect() };
    let ends = |months: &[NaiveDate]| -> bool {
        let all = numbers(months);
        named == all
            || (through && named.len() == 2 && named.first() == all.first() && named.last() == all.last())
    };
    let within = years
        .iter()
        .all(|year| held.iter().any(|month| month.year() == *year));
    let says = |list: &str| {
        all.iter()
            .enumerate()
            .any(|(at, token)| (at < first || at > end) && among(list, &token.word))
    };
    let last_three = held
        .len()
        .checked_sub(3)
        .and_then(|from| held.get(from..))
        .unwrap_or_default();
    let quarter = named
        .first()
        .filter(|first| *first % 3 == 1)
        .map(|first| first / 3 + 1);
    let is_quarter = quarter.is_some_and(|quarter| {
        let own = quarter * 3 - 2;
        (named == [own, own + 1, own + 2] || through && named == [own, own + 2])
            && match quarter {
                1 => says("first-quarter first 1st q1"),
                2 => says("second-quarter second 2nd q2"),
                3 => says("third-quarter third 3rd q3"),
                _ => says("fourth-quarter fourth 4th q4"),
            }
    });
    let whole = held.len() > 2 && ends(&held);
    let three = ends(last_three) && says("t-3 t3");
    if !within || !(whole || three || is_quarter) {
        return;
    }
    // With what leads to them.
    let mut start = first;
    while start > 0
        && all.get(start - 1).is_some_and(|token| {
            among("for from over in the half year half-year of months", &token.word) && !token.pauses()
        })
        && all.get(start).is_some_and(|token| token.before.is_empty())
    {
        start -= 1;
    }
    tokens::remove(all, start, end + 1 - start);
}

/// "Logistics park is fully let": what the property is.
fn described(words: &[&str], sheet: &Sheet) -> bool {
    if !words.iter().all(|word| among(DESCRIBES, word)) || words.len() > 9 {
        return false;
    }
    let lets = words.iter().any(|word| among("let leased occupied", word));
    let fully = words.iter().any(|word| matches!(*word, "fully" | "100%"));
    if lets != fully {
        return false;
    }
    !fully
        || sheet
            .tenancy()
            .spaces
            .iter()
            .all(|space| space.state == State::Occupied)
}

/// "Reserves and interest aren't opex": so they are not, where the lines that are named are below the line.
fn below(words: &[&str], rest: &[&str], sheet: &Sheet) -> bool {
    let asks = rest.iter().any(|word| {
        among(
            "noi opex margin ratio expense expenses operating egi dscr cover",
            word,
        )
    });
    if !asks || !words.iter().any(|word| among(BELOW, word)) {
        return false;
    }
    let read = statement::read(&sheet.table, &[]);
    let labels = |below: bool| -> Vec<String> {
        read.items
            .iter()
            .filter(|item| matches!(item.line, Line::Below(_)) == below)
            .flat_map(|item| headers::words(&item.label))
            .map(|word| stem(&word))
            .collect()
    };
    let apart = labels(true);
    let within = labels(false);
    // What is above the line is only turned away where it does not belong there.
    let above = words.contains(&"above")
        && !words
            .iter()
            .any(|word| among("don't don’t doesn't doesn’t not aren't isn't never", word));
    if above {
        return false;
    }
    // A clause that names no line of its own must turn something away.
    let turned = words.iter().any(|word| {
        among(
            "strip leave leaving keep out off don't doesn't not aren't isn't capex financing before exclude excluding \
             excluded ignore below belong",
            word,
        )
    });
    turned
        && words
            .iter()
            .all(|word| among(BELOW, word) || among(BELOW_GLUE, word) || apart.contains(&stem(word)))
        && !words.iter().any(|word| {
            let own = stem(word);
            within.contains(&own)
                && !apart.contains(&own)
                && !among(BELOW_GLUE, word)
                && !among("loan bank service payment payments capital", word)
        })
}

/// "Leave other income out of the numerator": economic occupancy is without it.
fn other_income(words: &[&str], rest: &[&str]) -> bool {
    let asks = rest.contains(&"economic");
    let has = |own: &str| words.contains(&own);
    asks && (has("other") && (has("out") || has("before") || has("without") || has("excluding"))
        || has("only") && has("rent"))
        && words.iter().all(|word| {
            among(
                "leave leaving keep other income out of the numerator we only want rent before without excluding it \
                 please count",
                word,
            )
        })
}

/// "November 2025 to October 2026" of a statement of these months.
fn whole_range(words: &[&str], sheet: &Sheet) -> bool {
    let months: Vec<NaiveDate> = sheet.table.months().iter().map(|(_, month)| *month).collect();
    let (Some(first), Some(last)) = (months.first(), months.last()) else {
        return false;
    };
    let named: Vec<u32> = words.iter().filter_map(|word| month_named(word)).collect();
    if named != [first.month(), last.month()] {
        return false;
    }
    words.iter().all(|word| {
        month_named(word).is_some()
            || among("to through until for the half year from - months twelve 12", word)
            || word.parse::<i32>().is_ok_and(|year| {
                let full = if year < 100 { year + 2000 } else { year };
                full == first.year() || full == last.year()
            })
    })
}

const PRESENTS: &str = "attached are is in the here below enclosed sheet file attachment spreadsheet csv this from pm that \
     our my and";

/// Sentences that only say what the file holds.
fn presented(all: &mut Vec<Token>, sheet: &Sheet) {
    tokens::leave_out(all, tokens::sentence_end, |all, start, end| {
        let words = tokens::words(all, start, end);
        let asks = all.get(end - 1).is_some_and(|token| token.after.contains('?'));
        let pair = |at: usize| {
            (
                words.get(at).copied().unwrap_or(""),
                words.get(at + 1).copied().unwrap_or(""),
            )
        };
        let leads = matches!(
            pair(0),
            ("attached", "are" | "is")
                | ("here", "is" | "are")
                | ("here's", _)
                | ("enclosed", "is" | "are")
                | ("this", "is")
        );
        let tail = words.get(words.len().saturating_sub(3)..).unwrap_or_default();
        let tails = tail.iter().any(|word| {
            matches!(
                *word,
                "sheet" | "file" | "attached" | "attachment" | "below" | "csv"
            )
        }) && words.iter().any(|word| matches!(*word, "is" | "are"));
        let quiet = words.iter().all(|word| {
            among(PRESENTS, word)
                || !narrowing::could_narrow(word)
                    && (!word.bytes().any(|byte| byte.is_ascii_digit()) || holds(sheet, word))
                || number_of_rows(sheet, word)
        });
        words.len() < all.len() && !asks && (leads || tails) && quiet
    });
}

fn number_of_rows(sheet: &Sheet, word: &str) -> bool {
    const SPELLED: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let rows = sheet.table.data().count();
    SPELLED.get(rows).is_some_and(|own| own == &word) || word.parse() == Ok(rows)
}

/// A year in which all dates and months of the table lie.
fn holds(sheet: &Sheet, word: &str) -> bool {
    let Ok(year) = word.parse::<i32>() else {
        return number_of_rows(sheet, word);
    };
    let months = sheet.table.months();
    if number_of_rows(sheet, word) {
        return true;
    }
    !months.is_empty() && months.iter().all(|(_, month)| month.year() == year)
}

/// "(area, not rent)": by area.
fn by_instead(all: &mut Vec<Token>) {
    let at = (0..all.len()).find(|at| {
        let word = |n: usize| all.get(at + n).map_or("", |token| token.word.as_str());
        all.get(*at).is_some_and(|token| token.before.contains('('))
            && matches!(word(0), "area" | "rent" | "income" | "sf")
            && word(1) == "not"
            && matches!(word(2), "rent" | "area" | "count" | "income" | "sf")
            && all.get(at + 2).is_some_and(|token| token.after.contains(')'))
    });
    let Some(at) = at else { return };
    let own = all.get(at).map(|token| token.word.clone()).unwrap_or_default();
    let after = all
        .get(at + 2)
        .map(|token| token.after.replace(')', ""))
        .unwrap_or_default();
    if let Some(before) = at.checked_sub(1).and_then(|before| all.get_mut(before)) {
        before.after.push(',');
    }
    all.splice(
        at..at + 3,
        [
            Token::plain("by"),
            Token {
                after,
                ..Token::plain(&own)
            },
        ],
    );
}
