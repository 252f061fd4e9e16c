//! What stands around a question about a table and changes no figure of it: sentences that only say what the file
//! lists, what the answer is for, what kind of property its rows are of.
//!
//! A sentence with a figure, a condition or a word that says how amounts are to be read stays. Computes nothing.

use crate::sheets::retold::tokens::{self, Token};
use crate::sheets::sources::Sheet;
use crate::sheets::words::stem;
use crate::words::among::among;
use tables::headers;
use tables::kind::Kind;

/// What a file is called.
const FILES: &str = "section file attachment sheet spreadsheet csv workbook document table export list schedule roll statement \
     ledger tape rr t12 t-12 report account tab data page register stack extract printout comps flows leases sales";

/// What a file does with what it holds.
const SHOWS: &str = "lists list listing shows show showing contains contain containing gives give giving has have having \
     holds hold covers cover covering sets records record reports report summarizes summarises details presents includes \
     displays breaks tracks describes provides carries";

/// Words that say which rows count, or how amounts are to be read: with one of these it is more than a presentation.
const TELLS: &str = "without excluding exclude excluded except besides minus not no non none never ignoring ignore ignored \
     omit omitting skip skipping only solely just if unless assuming assume suppose when before after net plus should \
     must treat treated count counted counts less more than above below under over thousand thousands 000s k million \
     millions m eur gbp cad aud usd euro euros pounds negative positive sign signs outflows inflows reversed wrong error \
     errors mistake stale outdated old former past expired future projected budget budgeted pro-forma proforma forecast \
     except but although however instead gross first last next previous prior half partial year-to-date ytd some most \
     missing incomplete excludes omits lacks adjusted unadjusted per-unit doubled stabilized stabilised since until from \
     through";

/// "How much of the rent, in percent, expires": a share, said behind the amount. "Opex / EGI" is one figure.
pub(crate) fn in_words(question: &str) -> String {
    let mut all = tokens::of(question);
    let often = all.len();
    let costs = "opex expenses costs";
    let mut any = false;
    for at in 0..often.saturating_sub(1) {
        let stroke = all
            .get(at)
            .is_some_and(|token| among(costs, &token.word) && matches!(token.after.as_str(), "/" | "÷"));
        if stroke
            && matches!(tokens::word_at(&all, at + 1), "egi" | "effective")
            && let Some(token) = all.get_mut(at)
        {
            " over".clone_into(&mut token.after);
            any = true;
        }
    }
    if let Some((start, length)) = tokens::find(&all, "how much of", 0)
        && let Some((at, long)) = [
            "in percent",
            "in %",
            "as a percentage",
            "in percentage terms",
            "percentage-wise",
        ]
        .iter()
        .find_map(|phrase| tokens::find(&all, phrase, start + length))
    {
        tokens::remove(&mut all, at, long);
        if let Some(before) = all.get_mut(at - 1).filter(|before| before.after == ",") {
            before.after.clear();
        }
        tokens::put(&mut all, start, length, "what percent of");
        any = true;
    }
    if any {
        tokens::text(&all)
    } else {
        question.to_owned()
    }
}

/// The question without them.
pub(crate) fn left_out(all: &mut Vec<Token>, sheet: &Sheet) {
    sentences(all, sheet);
    purposes(all, sheet);
    kinds(all, sheet);
}

/// "The attached file lists the leases of a logistics property.": a sentence whose subject is the file.
fn sentences(all: &mut Vec<Token>, sheet: &Sheet) {
    tokens::leave_out(all, tokens::sentence_end, |all, start, end| {
        let words = tokens::words(all, start, end);
        let asks = all.get(end - 1).is_some_and(|token| token.after.contains('?'));
        words.len() < all.len() && !asks && presents(&words, sheet)
    });
}

fn presents(words: &[&str], sheet: &Sheet) -> bool {
    let verb = words.iter().position(|word| among(SHOWS, word));
    let file = words.iter().position(|word| among(FILES, word));
    // "I have attached the rent roll of our building", "The rent roll is attached".
    let sent = words.iter().any(|word| {
        matches!(
            *word,
            "attached" | "attaching" | "enclosed" | "uploaded" | "pasted" | "attachment"
        )
    });
    let opens = file.is_some_and(|file| {
        verb.is_some_and(|verb| file < verb && verb <= 10) || sent && (file <= 6 || words.len() <= 14)
    });
    opens && !words.first().is_some_and(|word| {
        among(
            "what how which who when where give compute calculate find show tell work use take apply value",
            word,
        )
    }) && words.iter().all(|word| harmless(word, sheet))
}

/// A word that neither counts, bounds nor says how amounts are to be read; a period only where the table has it so.
fn harmless(word: &str, sheet: &Sheet) -> bool {
    let headed = |parts: &[&str]| {
        sheet.table.columns.iter().any(|column| {
            let header = column.header.to_lowercase();
            parts.iter().any(|part| header.contains(part))
        })
    };
    let months = ["month", "/mo", "mthly", "pcm", "pm"];
    let years = ["annual", "year", "/yr", "p.a", "pa"];
    match word {
        // Rents without a period are taken for those of a month.
        "month" | "monthly" if sheet.kind == Kind::Statement => true,
        "month" | "monthly" => headed(&months) || sheet.kind == Kind::RentRoll && !headed(&years),
        "annual" | "annually" | "year" | "yearly" | "annum" => headed(&years) && !headed(&months),
        "quarter" | "quarterly" | "quarters" => {
            sheet.kind == Kind::Statement || headed(&["quarter"]) && !headed(&months)
        }
        _ => {
            !among(TELLS, word)
                && (!word.bytes().any(|byte| byte.is_ascii_digit())
                    || word.parse() == Ok(sheet.table.data().count())
                    || among(FILES, word))
                && !word.contains(['%', '$', '€', '£'])
        }
    }
}

/// Where figures are put to use.
const USES: &str = "letter letters memo deck report reports presentation package newsletter update board minutes slide slides \
     summary brief briefing filing submission prospectus pitch writeup write-up email mail books";

const FOR_USE: &str = "the our my a an this that investor investors lp lps lender lenders board bank client partner partners \
     quarterly annual monthly ic committee fund management asset offering marketing internal draft credit loan";

/// "In the Q3 letter", "for the investor update": what the answer is for. A period stays where it could choose columns,
/// rows or a day.
fn purposes(all: &mut Vec<Token>, sheet: &Sheet) {
    let dateless = matches!(sheet.kind, Kind::Flows | Kind::DatedFlows | Kind::Comps);
    let period = |word: &str| {
        dateless
            && (matches!(
                word,
                "q1" | "q2" | "q3" | "q4" | "year-end" | "h1" | "h2" | "half-year"
            ) || word.parse::<i32>().is_ok_and(|year| (1990..2100).contains(&year)))
    };
    let mut at = 0;
    while at < all.len() {
        let word = |n: usize| tokens::word_at(all, n);
        if matches!(word(at), "in" | "into" | "for" | "to" | "on") && !all.get(at).is_some_and(Token::pauses)
        {
            let mut end = at + 1;
            while (among(FOR_USE, word(end)) || period(word(end)))
                && !among(USES, word(end))
                && !all.get(end).is_some_and(Token::pauses)
                && end < at + 6
            {
                end += 1;
            }
            let owned =
                end > at + 1 && matches!(word(at + 1), "the" | "our" | "my" | "a" | "an" | "this" | "that");
            if owned && among(USES, word(end)) {
                while !all.get(end).is_some_and(Token::pauses) && among(USES, word(end + 1)) {
                    end += 1;
                }
                tokens::remove(all, at, end + 1 - at);
                continue;
            }
        }
        at += 1;
    }
}

/// Kinds of property.
const PROPERTIES: &str = "warehouse industrial logistics office retail medical mob multifamily residential apartment storage \
     self-storage flex commercial distribution hotel grocery-anchored strip suburban downtown mixed-use student senior \
     multi-family garden-style lab light";

/// What rows are called.
const ROWS: &str = "lease tenancy tenant unit sale comp comparable trade transaction deal building property asset loan \
     suite space occupier portfolio center centre park";

/// "These warehouse leases": of a table that tells nothing of kinds, all of its rows are meant.
fn kinds(all: &mut Vec<Token>, sheet: &Sheet) {
    let told = |text: &str| {
        headers::words(text)
            .iter()
            .any(|word| among(PROPERTIES, word) || among("type use class sector category usage", word))
    };
    let has = sheet.table.columns.iter().any(|column| told(&column.header))
        || sheet.table.rows.iter().any(|row| row.cells.iter().any(told));
    if has {
        return;
    }
    let mut at = 1;
    while at < all.len() {
        let word = |n: usize| tokens::word_at(all, n);
        let end = tokens::run(all, at, PROPERTIES);
        let open = end > at && !all.get(at - 1).is_some_and(Token::pauses);
        let rows = open && !all.get(end - 1).is_some_and(Token::pauses) && among(ROWS, &stem(word(end)));
        // Behind a word that points to all of what was sent: "the office leases" could be some of them.
        let pointed = matches!(
            word(at - 1),
            "these" | "this" | "those" | "attached" | "enclosed" | "following"
        );
        if rows && pointed {
            tokens::remove(all, at, end - at);
            continue;
        }
        at += 1;
    }
}
