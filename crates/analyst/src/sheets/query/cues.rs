//! What a question wants of the values: a sum, an average, a count, an extreme, a share, a list; and where one wish ends
//! and the next begins.
//!
//! Knows words, no table.

use crate::sheets::query::vocabulary::ordinal;
use crate::sheets::words::Words;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Sum,
    /// "How much": a sum, or the value of a single row.
    Amount,
    Mean,
    /// Not weighted, said so.
    Simple,
    Weighted,
    Median,
    Highest,
    Lowest,
    Count,
    Distinct,
    /// Between the highest and the lowest.
    Range,
    /// The rows themselves.
    Names,
}

/// Words that begin a wish.
const BEGIN: &[&str] = &[
    "how",
    "what",
    "which",
    "who",
    "total",
    "sum",
    "average",
    "avg",
    "mean",
    "median",
    "highest",
    "lowest",
    "largest",
    "smallest",
    "biggest",
    "share",
    "percent",
    "percentage",
    "count",
    "number",
    "weighted",
    "maximum",
    "minimum",
    "list",
    "max",
    "min",
    "top",
    "when",
];

/// The clauses of a question, each with a wish of its own; what stands before the first wish belongs to all.
pub(crate) fn clauses(words: &Words) -> Vec<Words> {
    let wishes = |from: usize, to: usize| {
        (from..to)
            .any(|at| BEGIN.contains(&words.stem_at(at)) && words.all.get(at).is_some_and(|word| !word.used))
    };
    let all = words.all.len();
    let mut cuts = Vec::new();
    let mut start = 0;
    for at in 1..all {
        let Some(word) = words.all.get(at) else { continue };
        let joined = matches!(
            word.stem.as_str(),
            "and" | "also" | "but" | "then" | "plus" | "vs" | "versus"
        );
        let mut next = at + usize::from(joined);
        while matches!(
            words.stem_at(next),
            "the"
                | "their"
                | "its"
                | "it"
                | "also"
                | "then"
                | "on"
                | "in"
                | "for"
                | "and"
                | "of"
                | "at"
                | "is"
                | "a"
        ) && next < at + 4
        {
            next += 1;
        }
        let leads = BEGIN.contains(&words.stem_at(next))
            && words.all.get(next).is_some_and(|word| !word.used || word.begins);
        let strong = word.begins && wishes(at, all);
        let spread = (start..at).any(|at| {
            matches!(
                words.stem_at(at),
                "difference" | "spread" | "gap" | "range" | "between"
            )
        });
        if !wishes(start, at) || spread && joined {
            continue;
        }
        if leads && (joined || strong) {
            cuts.push(at);
            start = at;
        }
    }
    let mut parts = Vec::new();
    let mut from = 0;
    for cut in cuts.into_iter().chain(std::iter::once(all)) {
        let slice = words.all.get(from..cut).unwrap_or_default().to_vec();
        if !slice.is_empty() {
            parts.push(Words { all: slice });
        }
        from = cut;
    }
    parts
}

/// All wishes of a clause, taken from its words, in their order.
pub(crate) fn wishes(words: &mut Words) -> Vec<Wish> {
    if words.says(&["difference", "spread", "gap", "range"])
        && words.says(&["highest", "largest", "biggest", "maximum", "max", "top", "most"])
        && words.says(&[
            "lowest", "smallest", "minimum", "min", "least", "cheapest", "bottom",
        ])
    {
        words.take(&[
            "difference",
            "spread",
            "gap",
            "range",
            "highest",
            "largest",
            "biggest",
            "maximum",
            "max",
            "lowest",
            "smallest",
            "minimum",
            "min",
            "most",
            "least",
            "cheapest",
            "top",
            "bottom",
            "between",
        ]);
        return vec![Wish::Range];
    }
    let lists: &[(Wish, &[&str])] = &[
        (
            Wish::Distinct,
            &[
                "how many different",
                "how many distinct",
                "how many unique",
                "number of different",
                "number of distinct",
                "number of unique",
            ],
        ),
        (
            Wish::Count,
            &["how many", "number of", "count of", "count the", "count"],
        ),
        (
            Wish::Simple,
            &[
                "simple average",
                "simple mean",
                "arithmetic mean",
                "unweighted average",
                "simple",
                "unweighted",
                "straight average",
            ],
        ),
        (
            Wish::Weighted,
            &[
                "weighted average",
                "weighted mean",
                "weighted avg",
                "average weighted",
                "weighted",
                "blended",
            ],
        ),
        (Wish::Mean, &["average", "avg", "mean", "on average", "typical"]),
        (Wish::Median, &["median", "middle"]),
        (
            Wish::Highest,
            &[
                "most expensive",
                "highest",
                "largest",
                "biggest",
                "maximum",
                "max",
                "greatest",
                "latest",
                "longest",
                "priciest",
                "dearest",
                "most",
                "last to",
                "top",
                "newest",
                "steepest",
                "heaviest",
            ],
        ),
        (
            Wish::Lowest,
            &[
                "least expensive",
                "lowest",
                "smallest",
                "minimum",
                "min",
                "cheapest",
                "least",
                "earliest",
                "shortest",
                "soonest",
                "first to",
                "next to",
                "fewest",
                "oldest",
                "bottom",
            ],
        ),
        (
            Wish::Sum,
            &[
                "add up",
                "adds up",
                "sum up",
                "sum of",
                "sum",
                "combined",
                "altogether",
                "all together",
                "in total",
                "in all",
                "aggregate",
                "total of",
                "total",
                "totals",
            ],
        ),
        (Wish::Amount, &["how much"]),
        (
            Wish::Names,
            &[
                "list the",
                "list all",
                "list every",
                "name the",
                "name all",
                "show me",
                "show all",
                "show the",
            ],
        ),
    ];
    let mut found: Vec<(usize, Wish)> = Vec::new();
    for (wish, phrases) in lists {
        let before: Vec<bool> = words.all.iter().map(|word| word.used).collect();
        if words.take(phrases) {
            let at = words
                .all
                .iter()
                .zip(before)
                .position(|(word, before)| word.used && !before)
                .unwrap_or(0);
            found.push((at, *wish));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    let mut wishes: Vec<Wish> = found.into_iter().map(|(_, wish)| wish).collect();
    let has = |wishes: &[Wish], wish: Wish| wishes.contains(&wish);
    // "What is the total average": one of them is the other's word.
    if has(&wishes, Wish::Weighted) || has(&wishes, Wish::Simple) {
        wishes.retain(|wish| *wish != Wish::Mean);
    }
    if has(&wishes, Wish::Distinct) {
        wishes.retain(|wish| *wish != Wish::Count);
    }
    if wishes.len() > 1 {
        wishes.retain(|wish| !matches!(wish, Wish::Amount | Wish::Names));
    }
    wishes
}

/// "top 3", "three largest", "bottom two": how many, taken; the word for the direction stays.
pub(crate) fn ranked(words: &mut Words) -> Option<usize> {
    for at in 0..words.all.len() {
        let Some(word) = words.all.get(at).filter(|word| !word.used) else {
            continue;
        };
        let spelled = match word.stem.as_str() {
            "five" => Some(5),
            "six" => Some(6),
            "ten" => Some(10),
            "seven" => Some(7),
            "eight" => Some(8),
            other => ordinal(other)
                .filter(|_| !matches!(other, "first" | "second" | "third" | "fourth" | "fifth"))
                .and_then(|digits| digits.parse::<usize>().ok()),
        };
        let number = words
            .numbers()
            .into_iter()
            .find(|(place, _)| *place == at)
            .and_then(|(_, number)| usize::try_from(number.scaled(0)?).ok())
            .or(spelled);
        let Some(count) = number.filter(|count| (1..=100).contains(count)) else {
            continue;
        };
        let before = at.checked_sub(1).map_or("", |at| words.stem_at(at));
        if matches!(before, "top" | "bottom")
            || SUPERLATIVES.contains(&before)
            || SUPERLATIVES.contains(&words.stem_at(at + 1))
        {
            words.mark(at, 1);
            return Some(count);
        }
    }
    None
}

/// "Second highest", "third largest": which of an order, taken; the word for the direction stays.
pub(crate) fn nth(words: &mut Words) -> Option<usize> {
    for at in 0..words.all.len() {
        let place = match words.stem_at(at) {
            "second" | "2nd" => 2,
            "third" | "3rd" => 3,
            "fourth" | "4th" => 4,
            "fifth" | "5th" => 5,
            _ => continue,
        };
        let next = words.stem_at(at + 1);
        if SUPERLATIVES.contains(&next) || next == "best" || next == "worst" {
            words.mark(at, 1);
            return Some(place);
        }
    }
    None
}

const SUPERLATIVES: &[&str] = &[
    "largest", "biggest", "highest", "smallest", "lowest", "cheapest", "most", "priciest", "oldest",
    "newest", "longest", "shortest", "greatest", "least", "latest", "earliest", "worst", "best",
];
