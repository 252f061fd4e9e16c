//! The learned model, and when a reading is believed.

use std::sync::LazyLock;

use crate::by_example::model::Model;
use crate::by_example::reader::{self, Read};
use crate::words::among::among;

static CALCULATIONS: LazyLock<Option<Model>> =
    LazyLock::new(|| postcard::from_bytes(include_bytes!("calculations.model")).ok());

/// So sure a reading has to be to speak against an answer.
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

/// Whether a reading leaves little doubt.
pub(crate) fn believed(read: &Read) -> bool {
    read.sure >= SURE && plausible(read)
}

/// Whether a reading leaves so little doubt that an answer with another result cannot stand.
pub(crate) fn certain(read: &Read) -> bool {
    read.sure >= CERTAIN && read.idle == 0 && plausible(read)
}

/// Whether nothing speaks against a reading but others that are as likely.
pub(crate) fn plausible(read: &Read) -> bool {
    read.least >= LEAST && read.known >= KNOWN && !read.strange.iter().any(|(_, stem)| among(CHANGING, stem))
}

/// Loads the model before the first question comes.
pub fn prepare() {
    LazyLock::force(&CALCULATIONS);
}
