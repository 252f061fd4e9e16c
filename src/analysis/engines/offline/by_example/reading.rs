//! The models that the build has learned, and when a reading is believed.

use std::sync::LazyLock;

use crate::analysis::engines::offline::by_example::model::Model;
use crate::analysis::engines::offline::by_example::reader::{self, Read};
use crate::analysis::engines::offline::words::among::among;

static CALCULATIONS: LazyLock<Option<Model>> = LazyLock::new(|| {
    postcard::from_bytes(include_bytes!(concat!(env!("OUT_DIR"), "/calculations.model"))).ok()
});
static TABLES: LazyLock<Option<Model>> =
    LazyLock::new(|| postcard::from_bytes(include_bytes!(concat!(env!("OUT_DIR"), "/tables.model"))).ok());

/// A reading that is less sure is none.
const SURE: f32 = 0.9;
/// So likely the role of each number has to be.
const LEAST: f32 = 0.4;
/// Of the words of a question, so many have to stand in some example.
const KNOWN: f32 = 0.7;

/// Stems of words that change a question. Where no example of the intent has them, the question may be another.
const CHANGING: &str = "without exclud except onli not non rather instead apart other than befor after minus less noth \
    averag share per differ between vs versus compar if unless even extra addit anoth also both either final compound \
    simpl doubl half twice tripl ignor leav neglect forget omit until each nil worst best quarter up corner next end \
    begin start middl high low highest lowest larg smallest biggest rest everi annual month year week day";

/// The calculation that a question asks for, in known words, if the examples leave little doubt.
pub(crate) fn calculation(question: &str) -> Option<Read> {
    let readings = reader::read(CALCULATIONS.as_ref()?, question);
    readings.into_iter().next().filter(believed)
}

/// What a question may ask of a table, the likeliest first; which of it the table can tell, shows when it is asked.
pub(crate) fn of_table(question: &str) -> Vec<Read> {
    TABLES
        .as_ref()
        .map_or_else(Vec::new, |model| reader::read(model, question))
}

/// Whether a reading leaves little doubt.
pub(crate) fn believed(read: &Read) -> bool {
    read.sure >= SURE
        && read.least >= LEAST
        && read.known >= KNOWN
        && !read.strange.iter().any(|word| among(CHANGING, word))
}

/// Takes the models in before the first question comes.
pub fn prepare() {
    LazyLock::force(&CALCULATIONS);
    LazyLock::force(&TABLES);
}
