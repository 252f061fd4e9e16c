//! Ranks notes for a search with BM25. Computed here and not in the database, so that both databases give the same
//! order. Pure.

use crate::base::ids::NoteId;

/// The usual value of BM25's `k1`, the saturation of term counts.
const K1: f64 = 1.2;
/// The usual value of BM25's `b`, the normalization by length.
const B: f64 = 0.75;
/// Number of notes that are fully ranked.
pub(super) const CANDIDATES: usize = 200;

/// A note that contains at least one of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Hit {
    pub note_id: NoteId,
    /// The row number in SQLite's index; 0 on PostgreSQL.
    pub number: i64,
    /// Weighted number of words.
    pub length: i64,
    /// A bit for each word that the note contains, in the order of the query.
    pub words: i64,
}

/// A note with what is needed to rank it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub id: NoteId,
    pub length: i64,
    /// How often the note contains each word.
    pub counts: Vec<u32>,
}

/// The inverse document frequency of each word: the fewer notes contain it, the higher.
pub(super) fn rarities(hits: &[Hit], words: usize) -> Vec<f64> {
    let all = number(hits.len());
    let rarity = |word: usize| {
        let with = number(hits.iter().filter(|hit| has(hit, word)).count());
        ((all - with + 0.5) / (with + 0.5) + 1.0).ln()
    };
    (0..words).map(rarity).collect()
}

/// The notes with the rarest words, newest first among equals. The result is not ordered.
pub(super) fn candidates(hits: &[Hit], rarities: &[f64]) -> Vec<Hit> {
    let total_rarity = |hit: &Hit| -> f64 {
        let contained = rarities.iter().enumerate().filter(|(word, _)| has(hit, *word));
        contained.map(|(_, rarity)| *rarity).sum()
    };
    let mut ranked: Vec<(f64, Hit)> = hits.iter().map(|hit| (total_rarity(hit), *hit)).collect();
    let first = |(left, a): &(f64, Hit), (right, b): &(f64, Hit)| {
        right.total_cmp(left).then(b.note_id.cmp(&a.note_id))
    };
    // Only the selection is needed here; `best` orders the notes.
    if ranked.len() > CANDIDATES {
        ranked.select_nth_unstable_by(CANDIDATES, first);
        ranked.truncate(CANDIDATES);
    }
    ranked.into_iter().map(|(_, hit)| hit).collect()
}

/// The best `limit` notes with their scores, best first, newest first among equals.
pub(super) fn best(mut candidates: Vec<Candidate>, rarities: &[f64], limit: usize) -> Vec<(NoteId, f64)> {
    // Sorted before summing, because floating-point sums depend on the order.
    candidates.sort_unstable_by_key(|candidate| candidate.id);
    let total: f64 = candidates.iter().map(length).sum();
    let average = (total / number(candidates.len().max(1))).max(1.0);
    let score = |candidate: &Candidate| -> f64 {
        let norm = K1 * (1.0 - B + B * length(candidate) / average);
        let of_word = |(count, rarity): (&u32, &f64)| {
            let count = f64::from(*count);
            rarity * count * (K1 + 1.0) / (count + norm)
        };
        candidate.counts.iter().zip(rarities).map(of_word).sum()
    };
    let mut ranked: Vec<(NoteId, f64)> = candidates
        .iter()
        .map(|candidate| (candidate.id, score(candidate)))
        .collect();
    ranked.sort_unstable_by(|(a, left), (b, right)| right.total_cmp(left).then(b.cmp(a)));
    ranked.truncate(limit);
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
