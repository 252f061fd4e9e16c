//! Which properties a question names: by name, by a part of it that fits one only, by city or state, and through small
//! slips of spelling. Only what the asker may see is known here; everything else is an unknown name.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::portfolio::lexicon::{self, Group, Meaning};
use crate::portfolio::pieces::{Piece, pieces, stem};
use finance::portfolio::query::Property;

/// A place that was named, with the buildings it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) label: String,
    pub(crate) buildings: BTreeSet<String>,
    /// One building, not a city or a state.
    pub(crate) is_building: bool,
}

/// One side of a comparison: neither a place nor a kind is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Side {
    pub(crate) place: Option<Place>,
    pub(crate) group: Option<Group>,
}

/// What the words at a position name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Match {
    One {
        place: Place,
        /// All of its name.
        whole: bool,
        /// Written otherwise than in the data.
        respelled: bool,
    },
    /// Words that fit several buildings.
    Several(Vec<String>),
}

/// Words that many names share: alone they name nothing.
const GENERIC: &str = "apartment lofts loft flat yard office tower logistic corner common foundry garden palm market hall court \
     plaza center centre park place square point pointe house building street avenue village creek river heights height \
     west east north south the at of on and by residence manor terrace crossing station landing hill ridge lake view \
     commons business distribution warehouse retail mall shop studio suites suite old new upper lower city downtown \
     midtown uptown grand royal union central parkway lane road drive way estate property llc lp inc phase i ii iii iv";

/// A word that many names end in.
fn is_of_a_name(word: Option<&&str>) -> bool {
    word.is_some_and(|word| word.len() > 3 && GENERIC.split_whitespace().any(|own| own == *word))
}

/// The names that may be used.
pub(crate) struct Names<'a> {
    buildings: Vec<Named<'a>>,
    cities: BTreeMap<String, BTreeSet<String>>,
    states: BTreeMap<String, BTreeSet<String>>,
}

struct Named<'a> {
    property: &'a Property,
    words: Vec<String>,
    joined: String,
}

impl<'a> Names<'a> {
    pub(crate) fn of(properties: &'a [Property]) -> Self {
        let buildings = properties
            .iter()
            .map(|property| {
                let words = words(&property.name);
                Named {
                    property,
                    joined: words.concat(),
                    words,
                }
            })
            .collect();
        let mut cities: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut states: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for property in properties {
            if let Some(city) = &property.city {
                cities
                    .entry(city.clone())
                    .or_default()
                    .insert(property.id.clone());
            }
            if let Some(state) = &property.state {
                states
                    .entry(state.clone())
                    .or_default()
                    .insert(property.id.clone());
            }
        }
        Self {
            buildings,
            cities,
            states,
        }
    }

    /// Whether a name holds the word.
    pub(super) fn holds(&self, word: &str) -> bool {
        let of_building = self.buildings.iter().flat_map(|named| &named.words);
        let regions = self.cities.keys().chain(self.states.keys());
        of_building
            .chain(regions.flat_map(|name| words(name)).collect::<Vec<_>>().iter())
            .any(|own| own == word)
    }

    /// What is named at `at`, with its length.
    pub(crate) fn find(&self, text: &str, pieces: &[Piece], at: usize) -> Option<(Match, usize)> {
        let exact = [
            self.by_words(pieces, at),
            self.by_id(text, pieces, at),
            self.by_region(text, pieces, at),
        ];
        let best = exact.into_iter().flatten().max_by_key(|(found, used)| {
            let whole = matches!(found, Match::One { whole: true, .. });
            (*used, whole)
        });
        // A part of a name may go on in a shortened word: "Barton Crk".
        let part = best
            .as_ref()
            .is_none_or(|(found, _)| !matches!(found, Match::One { whole: true, .. }));
        let spelled = self.by_spelling(pieces, at).filter(|_| part);
        match (best, spelled) {
            (Some((_, short)), Some((found, used))) if used > short => Some((found, used)),
            (Some(best), _) => Some(best),
            (None, spelled) => spelled,
        }
    }

    /// A run of words that is a name, or the part of one name only.
    fn by_words(&self, pieces: &[Piece], at: usize) -> Option<(Match, usize)> {
        let mut longest = 0;
        let mut fits: Vec<(&Named<'_>, bool)> = Vec::new();
        for named in &self.buildings {
            for from in 0..named.words.len() {
                let run = named
                    .words
                    .iter()
                    .skip(from)
                    .enumerate()
                    .take_while(|(n, word)| pieces.get(at + n).is_some_and(|piece| is(piece, word)))
                    .count();
                let whole = from == 0 && run == named.words.len();
                let telling = named
                    .words
                    .get(from..from + run)
                    .is_some_and(|words| words.iter().any(|word| is_telling(word)));
                if run == 0 || run < longest || !(whole || telling) {
                    continue;
                }
                // One common word alone is a word, unless it is written as a name.
                let lone = run == 1 && !whole;
                let known = pieces
                    .get(at)
                    .is_some_and(|piece| lexicon::is_known(piece.word()));
                if lone && known && !pieces.get(at).is_some_and(|piece| piece.capital) {
                    continue;
                }
                if run > longest {
                    longest = run;
                    fits.clear();
                }
                if !fits
                    .iter()
                    .any(|(other, _)| other.property.id == named.property.id)
                {
                    fits.push((named, whole));
                }
            }
        }
        let found = match fits.iter().find(|(_, whole)| *whole) {
            Some((named, _)) if fits.iter().filter(|(_, whole)| *whole).count() == 1 => {
                one(named.property, true, false)
            }
            _ => match fits.as_slice() {
                [] => return None,
                [(named, whole)] => one(named.property, *whole, false),
                several => Match::Several(
                    several
                        .iter()
                        .map(|(named, _)| named.property.name.clone())
                        .collect(),
                ),
            },
        };
        Some((found, longest))
    }

    fn by_id(&self, text: &str, pieces: &[Piece], at: usize) -> Option<(Match, usize)> {
        let piece = pieces.get(at)?;
        let written = text.get(piece.start..piece.end)?;
        let named = self
            .buildings
            .iter()
            .find(|named| named.property.id.eq_ignore_ascii_case(written))?;
        let is_code = written.chars().any(|c| c.is_ascii_digit());
        is_code.then(|| (one(named.property, true, false), 1))
    }

    fn by_region(&self, text: &str, pieces: &[Piece], at: usize) -> Option<(Match, usize)> {
        let place = |label: &str, buildings: &BTreeSet<String>| Match::One {
            place: Place {
                label: label.to_owned(),
                buildings: buildings.clone(),
                is_building: false,
            },
            whole: true,
            respelled: false,
        };
        let run = |name: &str| {
            let words = words(name);
            let fits = !words.is_empty()
                && words
                    .iter()
                    .enumerate()
                    .all(|(n, word)| pieces.get(at + n).is_some_and(|piece| is(piece, word)));
            fits.then_some(words.len())
        };
        let city = self
            .cities
            .iter()
            .filter_map(|(name, ids)| Some((place(name, ids), run(name)?)))
            .max_by_key(|(_, used)| *used);
        if city.is_some() {
            return city;
        }
        let piece = pieces.get(at)?;
        let written = text.get(piece.start..piece.end)?;
        self.states.iter().find_map(|(code, ids)| {
            // A code is written in capitals: "or" and "in" are words.
            if code == written {
                return Some((place(code, ids), 1));
            }
            let name = STATES
                .iter()
                .find(|(short, _)| *short == code.as_str())
                .map(|(_, name)| *name)?;
            Some((place(name, ids), run(name)?))
        })
    }

    /// A name with a slip or two, or with its words run together; only where one name alone is near.
    fn by_spelling(&self, pieces: &[Piece], at: usize) -> Option<(Match, usize)> {
        let first = pieces.get(at)?.word();
        if first.is_empty() {
            return None;
        }
        for used in (1..=4).rev() {
            let Some(window) = pieces.get(at..at + used) else {
                continue;
            };
            let written: Vec<&str> = window.iter().map(Piece::word).collect();
            // Words that are understood are no slips of something else.
            let strange = |word: &&str| !word.is_empty() && !lexicon::is_known(word);
            // "Congress Tower a year ago", "Cherry Creek's loan": what is understood behind a name is none of it.
            let last = at + used - 1;
            let behind = lexicon::look_up(pieces, last);
            let known = written.last().is_some_and(|word| lexicon::is_known(word));
            if used > 1
                && known
                && !matches!(behind, None | Some((Meaning::Kind(_), _)))
                && !is_of_a_name(written.last())
            {
                continue;
            }
            // "Barton Creek T-12": a letter before a number is a period's.
            let numbered = pieces
                .get(at + used)
                .is_some_and(|piece| piece.number().is_some());
            if used > 1 && numbered && written.last().is_some_and(|word| word.len() == 1) {
                continue;
            }
            // "Congress Tower Q3": so is a word with a digit.
            if used > 1
                && written
                    .iter()
                    .any(|word| word.contains(|c: char| c.is_ascii_digit()))
            {
                continue;
            }
            if written.iter().any(|word| word.is_empty()) || !written.iter().any(strange) {
                continue;
            }
            let joined = written.concat();
            let allowed = match joined.chars().count() {
                0..=5 => continue,
                6..=9 => 1,
                _ => 2,
            };
            let near = |target: &str| {
                target.chars().count() >= 6
                    && target.starts_with(joined.chars().next().unwrap_or(' '))
                    && distance(target, &joined, allowed).is_some()
            };
            let mut fits: Vec<(&Named<'_>, bool)> = Vec::new();
            for named in &self.buildings {
                let whole = near(&named.joined) || is_shortened(&named.words, &written);
                let tail = named
                    .words
                    .last()
                    .filter(|word| !is_telling(word) && named.words.len() > 2);
                let short = tail.and_then(|tail| named.joined.strip_suffix(tail.as_str()));
                let part = short.is_some_and(&near)
                    || (used == 1 && named.words.iter().any(|word| is_telling(word) && near(word)));
                if whole || part {
                    fits.push((named, whole));
                }
            }
            if let [(named, whole)] = fits.as_slice() {
                return Some((one(named.property, *whole, true), used));
            }
            if fits.is_empty() && used == 1 {
                let close: Vec<_> = self
                    .cities
                    .iter()
                    .filter(|(city, _)| near(&words(city).concat()))
                    .collect();
                if let [(city, ids)] = close.as_slice() {
                    let place = Place {
                        label: (*city).clone(),
                        buildings: (*ids).clone(),
                        is_building: false,
                    };
                    return Some((
                        Match::One {
                            place,
                            whole: true,
                            respelled: true,
                        },
                        1,
                    ));
                }
            }
        }
        None
    }
}

fn one(property: &Property, whole: bool, respelled: bool) -> Match {
    Match::One {
        place: Place {
            label: property.name.clone(),
            buildings: BTreeSet::from([property.id.clone()]),
            is_building: true,
        },
        whole,
        respelled,
    }
}

fn words(name: &str) -> Vec<String> {
    pieces(name, 40)
        .unwrap_or_default()
        .iter()
        .filter_map(|piece| match piece.word() {
            "" => piece.number().map(|number| number.to_string()),
            word => Some(word.to_owned()),
        })
        .collect()
}

/// Numbers are parts of names too: "100 Main".
fn is(piece: &Piece, word: &str) -> bool {
    piece.word() == word || piece.number().is_some_and(|number| number.to_string() == word)
}

/// A name with words shortened or with a slip: "Barton Crk", "Mueler Yrds". One word of it has to tell.
fn is_shortened(name: &[String], written: &[&str]) -> bool {
    let near = |own: &str, said: &str| {
        let long = said.chars().count();
        own == said || (long >= 5 && distance(own, said, 1).is_some())
    };
    let short = |own: &str, said: &str| {
        let mut letters = own.chars();
        said.chars().count() >= 2
            && said.chars().count() < own.chars().count()
            && own.chars().next() == said.chars().next()
            && own.chars().last() == said.chars().last()
            && said.chars().all(|c| letters.any(|other| other == c))
    };
    let pairs = || name.iter().zip(written);
    written.len() >= 2
        && written.len() <= name.len()
        && pairs().all(|(own, said)| near(own, said) || short(own, said))
        && pairs().any(|(own, said)| near(own, said) && is_telling(own))
}

fn is_telling(word: &str) -> bool {
    word.chars().count() >= 3 && !GENERIC.split_whitespace().any(|generic| stem(generic) == word)
}

/// How many letters differ (left out, put in, exchanged, swapped with their neighbour), if at most `most`.
pub(super) fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: usize, column: usize| -> usize {
                rows.get(row)
                    .and_then(|row| row.get(column))
                    .copied()
                    .unwrap_or(usize::MAX / 2)
            };
            let mut cost = (at(i, j) + usize::from(x != y))
                .min(at(i, j + 1) + 1)
                .min(row.get(j).copied().unwrap_or(usize::MAX / 2) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                cost = cost.min(at(i - 1, j - 1) + 1);
            }
            row.push(cost);
        }
        rows.push(row);
    }
    let found = rows.last().and_then(|row| row.last()).copied()?;
    (found <= most).then_some(found)
}

#[rustfmt::skip]
const STATES: [(&str, &str); 51] = [
    ("AL", "Alabama"), ("AK", "Alaska"), ("AZ", "Arizona"), ("AR", "Arkansas"), ("CA", "California"),
    ("CO", "Colorado"), ("CT", "Connecticut"), ("DE", "Delaware"), ("DC", "District of Columbia"), ("FL", "Florida"),
    ("GA", "Georgia"), ("HI", "Hawaii"), ("ID", "Idaho"), ("IL", "Illinois"), ("IN", "Indiana"), ("IA", "Iowa"),
    ("KS", "Kansas"), ("KY", "Kentucky"), ("LA", "Louisiana"), ("ME", "Maine"), ("MD", "Maryland"),
    ("MA", "Massachusetts"), ("MI", "Michigan"), ("MN", "Minnesota"), ("MS", "Mississippi"), ("MO", "Missouri"),
    ("MT", "Montana"), ("NE", "Nebraska"), ("NV", "Nevada"), ("NH", "New Hampshire"), ("NJ", "New Jersey"),
    ("NM", "New Mexico"), ("NY", "New York"), ("NC", "North Carolina"), ("ND", "North Dakota"), ("OH", "Ohio"),
    ("OK", "Oklahoma"), ("OR", "Oregon"), ("PA", "Pennsylvania"), ("RI", "Rhode Island"), ("SC", "South Carolina"),
    ("SD", "South Dakota"), ("TN", "Tennessee"), ("TX", "Texas"), ("UT", "Utah"), ("VT", "Vermont"),
    ("VA", "Virginia"), ("WA", "Washington"), ("WV", "West Virginia"), ("WI", "Wisconsin"), ("WY", "Wyoming"),
];
