//! What the examples taught: intents with their tellings, roles of numbers, and the weights of what is looked at.
//!
//! Made by `crates/analyst-learn`, read when the first question comes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize, Serializer};

/// What a number may be.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub enum Kind {
    Money,
    Percent,
    Years,
    Months,
    Count,
    Times,
    Area,
    Psf,
    Date,
    Label,
}

/// How a number goes into its slot.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, Serialize)]
pub enum Part {
    Whole,
    /// Added to the amount of that slot before it.
    Added,
    /// An amount that goes out.
    Outflow,
}

/// What a number of a question is: a slot, and how it goes in.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, Serialize)]
pub struct Role {
    pub slot: usize,
    pub part: Part,
}

/// The role of a number that is no input.
pub const IDLE: usize = 0;

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Intent {
    /// The first figure of an answer to its telling.
    pub figure: String,
    /// The telling, as it is written among the examples.
    pub tell: String,
    /// The class of the figure.
    pub asked: usize,
    /// Classes of the roles that its numbers have.
    pub roles: Vec<usize>,
    /// Slots that have to be filled.
    pub required: Vec<usize>,
    /// Slots that take several numbers.
    pub lists: Vec<usize>,
    /// Parts of a year that each of its examples speaks of.
    pub parts_of_year: Vec<String>,
}

/// Weights are kept as whole numbers of this part.
pub const SCALE: f32 = 256.0;

/// The share of each class, by the features that speak for it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Shares {
    /// For each feature, the weights of the classes that it speaks for or against.
    pub rows: Vec<Vec<(u16, i16)>>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Model {
    pub slots: Vec<(String, Kind)>,
    pub intents: Vec<Intent>,
    /// Roles by their class; the first is none.
    pub roles: Vec<Option<Role>>,
    /// Numbers of features by their hashes.
    #[serde(serialize_with = "by_key")]
    pub features: HashMap<u64, u32>,
    /// Which figure is asked; the last class is that nothing is to be answered.
    pub figures: Shares,
    /// Which intent of a figure.
    pub among: Shares,
    /// The role of a number among those of its intent.
    pub within: Shares,
    /// The role of a number among all.
    pub anywhere: Shares,
    /// The roles that numbers of a class were seen in.
    #[serde(serialize_with = "by_key")]
    pub seen: HashMap<String, Vec<usize>>,
    /// Periods that the amounts of a role of an intent were told for.
    #[serde(serialize_with = "in_order")]
    pub periods: HashSet<(usize, usize, String)>,
    /// Words of the examples of an intent, and of all.
    #[serde(serialize_with = "in_order")]
    pub words: HashSet<(usize, String)>,
    #[serde(serialize_with = "in_order")]
    pub spoken: HashSet<String>,
}

// The same model has the same bytes.
fn by_key<K: Ord + Serialize, V: Serialize, S: Serializer>(
    map: &HashMap<K, V>,
    out: S,
) -> Result<S::Ok, S::Error> {
    map.iter().collect::<BTreeMap<_, _>>().serialize(out)
}

fn in_order<T: Ord + Serialize, S: Serializer>(set: &HashSet<T>, out: S) -> Result<S::Ok, S::Error> {
    set.iter().collect::<BTreeSet<_>>().serialize(out)
}

impl Model {
    /// The intent that stands for no answer.
    pub fn nothing(&self) -> usize {
        self.intents.len()
    }

    /// The class of the figure of an intent.
    pub fn asked(&self, intent: usize) -> usize {
        let most = || {
            self.intents
                .iter()
                .map(|intent| intent.asked + 1)
                .max()
                .unwrap_or(0)
        };
        self.intents.get(intent).map_or_else(most, |intent| intent.asked)
    }

    pub fn slot(&self, role: usize) -> Option<usize> {
        self.roles.get(role).copied().flatten().map(|role| role.slot)
    }

    pub fn was_seen(&self, role: usize, class: &str) -> bool {
        self.seen.get(class).is_some_and(|roles| roles.contains(&role))
    }

    /// The intents whose required slots numbers of these classes could fill, and nothing.
    pub fn fitting(&self, classes: &[&'static str]) -> Vec<usize> {
        let fills = |intent: &Intent, slot: usize| {
            intent.roles.iter().any(|role| {
                self.slot(*role) == Some(slot) && classes.iter().any(|class| self.was_seen(*role, class))
            })
        };
        let mut out: Vec<usize> = (0..self.intents.len())
            .filter(|at| {
                self.intents
                    .get(*at)
                    .is_some_and(|intent| intent.required.iter().all(|slot| fills(intent, *slot)))
            })
            .collect();
        out.push(self.nothing());
        out
    }

    /// The classes of the figures of some intents.
    pub fn figures_of(&self, intents: &[usize]) -> Vec<usize> {
        let mut out: Vec<usize> = intents.iter().map(|intent| self.asked(*intent)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The features that some example has.
    pub fn known(&self, names: &[String]) -> Vec<u32> {
        names
            .iter()
            .filter_map(|name| self.features.get(&hash(name)).copied())
            .collect()
    }
}

impl Shares {
    /// The share of each of the classes.
    pub fn of(&self, features: &[u32], classes: &[usize]) -> Vec<f32> {
        let most = classes.iter().max().map_or(0, |most| most + 1);
        let mut sums = vec![0.0_f32; most];
        for row in features
            .iter()
            .filter_map(|feature| self.rows.get(*feature as usize))
        {
            for (class, weight) in row {
                if let Some(sum) = sums.get_mut(usize::from(*class)) {
                    *sum += f32::from(*weight) / SCALE;
                }
            }
        }
        shares(
            classes
                .iter()
                .map(|class| sums.get(*class).copied().unwrap_or(0.0))
                .collect(),
        )
    }
}

/// Sums of weights as shares of one.
pub fn shares(sums: Vec<f32>) -> Vec<f32> {
    let most = sums.iter().copied().fold(f32::MIN, f32::max);
    let raised: Vec<f32> = sums.iter().map(|sum| (sum - most).exp()).collect();
    let whole: f32 = raised.iter().sum();
    raised.iter().map(|own| own / whole).collect()
}

/// FNV-1a: the same in each build.
pub fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
