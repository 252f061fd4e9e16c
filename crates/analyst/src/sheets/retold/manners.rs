//! People, greetings, apologies and instructions beside a question about a table: sentences and leads in everyday
//! words that ask nothing and name nothing of the table.
//!
//! A clause with a number, a word that narrows or one of the table stays. Computes nothing.

use std::collections::{BTreeSet, HashSet};

use crate::sheets::narrowing;
use crate::sheets::retold::tokens::{self, Token};
use crate::sheets::sources::Sheet;
use crate::words::among::among;
use crate::words::everyday;
use tables::headers;

/// What holds such sentences together.
const GLUE: &str = "a an the this that these those it its it's i i'm i've i'll we we're we've we'll you you're my our your is \
     are was am be been being do does did has have had having to of for on at in with and or so as from into about up \
     there here can could would will should may might must who what's that's hi hey hello good thanks thank please \
     sorry apologies pardon excuse today tonight tomorrow yesterday now soon later when one some any off";

/// Occasions that are named after what they are about.
const OCCASIONS: &str = "meeting meetings call calls review deadline lunch";

/// "Don't walk me through it": how to answer, not what.
const MANNER: &str = "don't dont do not no need without walk me us through it the this that them explain explaining explanation \
     show showing your working workings work steps step detail details narrative commentary lecture essay story \
     caveats spare keep short brief briefly just only number figure answer please give want thanks i we to a an \
     one-liner line will is fine enough ok okay all any long talk";
const TELLS: &str = "walk explain explaining explanation working workings steps narrative commentary lecture essay story caveats \
     short brief briefly answer one-liner";

/// "Sorry if this is basic".
const APOLOGY: &str = "sorry apologies apology forgive pardon excuse";
const APOLOGY_GLUE: &str = "if when for me us my this it's it is was a an the basic stupid dumb silly simple question obvious \
     newbie beginner naive ignorance i i'm asking new to obviously very so too again late trouble bother bothering \
     you another one long elementary we already been before";

/// Questions that ask for nothing more.
const ASKS: &[&str] = &[
    "what should i get",
    "what should we get",
    "what do you get",
    "what do i get",
    "what is it",
    "what would it be",
    "what does that give",
    "what does it come to",
    "can you help",
    "could you help",
    "any idea",
    "any ideas",
    "ok",
    "okay",
];

/// The question without them.
pub(crate) fn left_out(all: &mut Vec<Token>, sheet: &Sheet) {
    let named = names(sheet);
    stretches(all, &named, Token::ends);
    // A lead before a colon, and what stands before a dash or a comma.
    stretches(all, &named, Token::pauses);
}

fn stretches(all: &mut Vec<Token>, named: &[String], closes: fn(&Token) -> bool) {
    tokens::leave_out(
        all,
        |all, start| tokens::stretch_end(all, start, closes),
        |all, start, end| {
            let words = tokens::words(all, start, end);
            let whole = words.len() == all.len();
            let opens = all.get(start).is_some_and(|token| token.before.contains('('));
            let asks = all.get(end - 1).is_some_and(|token| token.after.contains('?'));
            let told = words.join(" ");
            !whole
                && !opens
                && (beside(&words, named) && !asks && !opens_question(&words)
                    || ASKS.contains(&told.as_str()))
        },
    );
}

/// "What is the NOI of the roll attached": not a remark although it ends like one.
fn opens_question(words: &[&str]) -> bool {
    words.iter().take(3).any(|word| {
        among(
            "what what's how which who when where give compute calculate find show need want by",
            word,
        )
    }) && words.iter().any(|word| among("attached enclosed", word))
}

fn beside(words: &[&str], named: &[String]) -> bool {
    let every = |list: &str| words.iter().all(|word| among(list, word));
    let any = |list: &str| words.iter().any(|word| among(list, word));
    if any(APOLOGY)
        && words
            .iter()
            .all(|word| among(APOLOGY, word) || among(APOLOGY_GLUE, word))
    {
        return true;
    }
    if every(MANNER) && any(TELLS) {
        return true;
    }
    // "Flows attached", "monthly cash flow of a position attached": how often they come is in the table then.
    let files = "attached enclosed";
    let sent = words.len() <= 8
        && words.len() > 1
        && (words.first().is_some_and(|word| among(files, word))
            || words.last().is_some_and(|word| among(files, word)))
        && words.iter().all(|word| {
            !word.bytes().any(|byte| byte.is_ascii_digit())
                && !narrowing::could_narrow(word)
                && (!matches!(*word, "monthly" | "annual" | "yearly" | "quarterly")
                    || named
                        .iter()
                        .any(|own| own == word.strip_suffix("ly").unwrap_or(word)))
        });
    if sent {
        return true;
    }
    let plain = |word: &&str| everyday::is(word) || among(GLUE, word);
    let occasion = any(OCCASIONS) && words.len() <= 6;
    let free = |word: &str| {
        !word.bytes().any(|byte| byte.is_ascii_digit())
            && !word.contains(['%', '$', '€', '£'])
            && !narrowing::could_narrow(word)
            && (among(GLUE, word) || !named.iter().any(|own| own == word))
    };
    // A clause of bare glue may belong to the one beside it: "and the", "of it".
    let says = words
        .iter()
        .any(|word| everyday::is(word) || among("hi hey hello thanks thank please today good morning", word));
    let speaks = words.iter().any(|word| narrows_in_time(word));
    says && !speaks
        && words.iter().all(|word| free(word))
        && (words.iter().all(plain) || occasion && words.iter().filter(|word| !plain(word)).count() <= 2)
}

/// Words in the everyday list that ask for something of a table in the right place.
fn narrows_in_time(word: &str) -> bool {
    among(
        "rich cheap expensive overall entire whole total actual actuals measure divide dividing numerator denominator \
         summary report reports column chart risk land lands \
         like likes run runs ran operate soft softer hard subject put keep keeps kept hit hits stated application form",
        word,
    )
}

/// The words of the headers and cells of a table.
fn names(sheet: &Sheet) -> Vec<String> {
    let headers = sheet.table.columns.iter().map(|column| column.header.as_str());
    let cells = sheet.table.rows.iter().flat_map(|row| row.cells.iter());
    let texts: HashSet<&str> = headers
        .chain(cells)
        .filter(|text| text.contains(char::is_alphabetic))
        .collect();
    let words: BTreeSet<String> = texts.into_iter().flat_map(headers::words).collect();
    words.into_iter().collect()
}
