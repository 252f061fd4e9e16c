//! The models that the build has learned, and when a reading is believed.

use std::sync::LazyLock;

use crate::analysis::engines::offline::by_example::model::Model;
use crate::analysis::engines::offline::by_example::reader::{self, Read};
use crate::analysis::engines::offline::words::among::among;
use crate::analysis::engines::offline::words::asides::ASIDE;
use crate::analysis::engines::offline::words::everyday;
use crate::analysis::engines::offline::words::numbers;

static CALCULATIONS: LazyLock<Option<Model>> = LazyLock::new(|| {
    postcard::from_bytes(include_bytes!(concat!(env!("OUT_DIR"), "/calculations.model"))).ok()
});
static TABLES: LazyLock<Option<Model>> =
    LazyLock::new(|| postcard::from_bytes(include_bytes!(concat!(env!("OUT_DIR"), "/tables.model"))).ok());

/// So sure a reading has to be to speak against another one.
const CERTAIN: f32 = 0.97;
/// A reading that is less sure is none.
const SURE: f32 = 0.9;
/// So likely the role of each number has to be.
const LEAST: f32 = 0.4;
/// Of the words of a question, so many have to stand in some example.
const KNOWN: f32 = 0.7;

/// Stems of words that change a question. Where no example of the intent has them, the question may be another.
const CHANGING: &str = "without exclud except onli not non rather instead apart other befor after minus less noth \
    averag share per differ between vs versus compar if unless even addit anoth also both either final compound \
    simpl doubl half twice tripl ignor leav neglect forget omit until each nil worst best quarter up corner next end \
    begin start middl high low highest lowest larg smallest biggest rest everi annual month year week day actual/360 actual/365";

/// The calculations that a question may ask for, in known words, the likeliest first.
pub(crate) fn calculations(question: &str) -> Vec<Read> {
    CALCULATIONS
        .as_ref()
        .map_or_else(Vec::new, |model| reader::read(model, question))
}

/// What a question asks of a table, in known words, if the examples leave little doubt.
pub(crate) fn of_table(question: &str) -> Option<Read> {
    let readings = reader::read(TABLES.as_ref()?, question);
    readings.into_iter().next().filter(believed)
}

/// Whether a reading leaves little doubt.
pub(crate) fn believed(read: &Read) -> bool {
    read.sure >= SURE && plausible(read)
}

/// Whether a reading leaves so little doubt that what contradicts it cannot be right as it stands.
pub(crate) fn certain(read: &Read) -> bool {
    read.sure >= CERTAIN && read.idle == 0 && plausible(read)
}

/// Whether nothing speaks against a reading but others that are as likely.
pub(crate) fn plausible(read: &Read) -> bool {
    read.least >= LEAST && read.known >= KNOWN && !read.strange.iter().any(|(_, stem)| among(CHANGING, stem))
}

/// Whether nothing of a question is left that could narrow it to a part of a table.
pub(crate) fn takes_all(read: &Read, question: &str) -> bool {
    let harmless = |word: &str| among(PLAIN, word) || everyday::is(word);
    // "The A units": a letter names a part; those of "T-12" and "P&L" do not.
    let words: Vec<&str> = question
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let one = |word: &str| word.len() == 1 && word != "I" && word.chars().all(char::is_uppercase);
    let of_a_name = |at: usize| {
        let own = words.get(at).copied().unwrap_or("");
        let next = words.get(at + 1).copied().unwrap_or("");
        let before = at
            .checked_sub(1)
            .and_then(|at| words.get(at))
            .copied()
            .unwrap_or("");
        matches!((own, next), ("T", "12") | ("P", "L") | ("R", "M"))
            || matches!((before, own), ("P", "L") | ("R", "M"))
    };
    let lettered = (1..words.len()).any(|at| words.get(at).is_some_and(|word| one(word)) && !of_a_name(at));
    let numbered = numbers::read(question).iter().any(|token| token.word() == ASIDE);
    read.idle == 0 && !lettered && !numbered && read.strange.iter().all(|(word, _)| harmless(word))
}

/// Words that hold a sentence together.
const PLAIN: &str = "the a an this that these those is are was be do does did has have it its our my we i you your there \
    here what how please pls me us can could would give show attached file csv sheet table \
    broker's owner's seller's buyer's lender's manager's pm's developer's yardi appfolio realpage";

/// Takes the models in before the first question comes.
pub fn prepare() {
    LazyLock::force(&CALCULATIONS);
    LazyLock::force(&TABLES);
}
