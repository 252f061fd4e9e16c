//! Which notes come first: BM25 over terms, the same on either database because nothing of it is left to
//! them. Pure.

use crate::base::ids::NoteId;

/// The usual constants.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// Notes that are ranked in full.
pub(super) const CANDIDATES: usize = 200;

/// A note that says at least one of the words: which, as bits in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Hit {
    pub note_id: NoteId,
    /// Under which SQLite's index knows it.
    pub number: i64,
    /// Words in all, weighted.
    pub length: i64,
    pub words: i64,
}

/// A candidate with what is needed to rank it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub id: NoteId,
    pub length: i64,
    /// How often each word is said.
    pub counts: Vec<u32>,
}

/// How telling each word is: the fewer of the notes say it, the more.
pub(super) fn rarities(hits: &[Hit], words: usize) -> Vec<f64> {
    let all = number(hits.len());
    let rarity = |word: usize| {
        let with = number(hits.iter().filter(|hit| has(hit, word)).count());
        ((all - with + 0.5) / (with + 0.5) + 1.0).ln()
    };
    (0..words).map(rarity).collect()
}

/// The notes whose words tell most, newest first among equals.
pub(super) fn candidates(hits: &[Hit], rarities: &[f64]) -> Vec<Hit> {
    let told = |hit: &Hit| -> f64 {
        let said = rarities.iter().enumerate().filter(|(word, _)| has(hit, *word));
        said.map(|(_, rarity)| *rarity).sum()
    };
    let mut ranked: Vec<(f64, Hit)> = hits.iter().map(|hit| (told(hit), *hit)).collect();
    let first = |(left, a): &(f64, Hit), (right, b): &(f64, Hit)| {
        right.total_cmp(left).then(b.note_id.cmp(&a.note_id))
    };
    // Their order is of no importance, only which they are.
    if ranked.len() > CANDIDATES {
        ranked.select_nth_unstable_by(CANDIDATES, first);
        ranked.truncate(CANDIDATES);
    }
    ranked.into_iter().map(|(_, hit)| hit).collect()
}

/// Best first with their scores, newest first among equals, at most `most`.
pub(super) fn best(mut candidates: Vec<Candidate>, rarities: &[f64], most: usize) -> Vec<(NoteId, f64)> {
    // In one order before anything is summed: sums of fractions depend on it.
    candidates.sort_unstable_by_key(|candidate| candidate.id);
    let total: f64 = candidates.iter().map(length).sum();
    let average = (total / number(candidates.len().max(1))).max(1.0);
    let score = |candidate: &Candidate| -> f64 {
        let norm = K1 * (1.0 - B + B * length(candidate) / average);
        let of_word = |(times, rarity): (&u32, &f64)| {
            let times = f64::from(*times);
            rarity * times * (K1 + 1.0) / (times + norm)
        };
        candidate.counts.iter().zip(rarities).map(of_word).sum()
    };
    let mut ranked: Vec<(NoteId, f64)> = candidates.iter().map(|one| (one.id, score(one))).collect();
    ranked.sort_unstable_by(|(a, left), (b, right)| right.total_cmp(left).then(b.cmp(a)));
    ranked.truncate(most);
    ranked
}

fn has(hit: &Hit, word: usize) -> bool {
    hit.words >> word & 1 == 1
}

fn length(candidate: &Candidate) -> f64 {
    number(usize::try_from(candidate.length).unwrap_or(0))
}

#[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
fn number(count: usize) -> f64 {
    count as f64
}
