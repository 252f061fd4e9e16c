//! Groups listed in the question: units with their rents and sizes, buildings with how full they are, rents in place
//! beside those of the market. Averages are weighted by units or area.
//!
//! A list whose numbers do not follow one pattern throughout is left to others.

use crate::forms::words::Words;
use crate::lists::counted::{Item, Kind};
use crate::lists::weighted::{blended, lease_loss, mix, occupancy, rents, sizes};
use crate::say::written::Read;
use crate::words::scan::{Base, Per, Shape, Sign};

/// Nouns of kinds of units.
const NOUNS: &[&str] = &[
    "studio",
    "studios",
    "bed",
    "beds",
    "bedroom",
    "bedrooms",
    "br",
    "brs",
    "bd",
    "bds",
    "flat",
    "flats",
    "apartment",
    "apartments",
    "unit",
    "units",
    "door",
    "doors",
    "loft",
    "lofts",
    "penthouse",
    "penthouses",
    "townhouse",
    "townhouses",
    "th",
    "efficiency",
    "efficiencies",
    "bdrm",
    "bdrms",
    "bedders",
    "keys",
];
const FULL: &[&str] = &["fully", "full"];
const LET: &[&str] = &["leased", "occupied", "let", "occupancy"];

pub(crate) fn read(words: &Words) -> Read {
    if words.has(&["attached", "attachment", "file", "csv"]) {
        return None;
    }
    let items = items(words)?;
    let groups = grouped(&items)?;
    let kinds: Vec<Kind> = groups.first()?.iter().map(|item| item.kind).collect();
    let found = match kinds.as_slice() {
        [Kind::Area | Kind::Units, Kind::Share] | [Kind::Share, Kind::Area | Kind::Units] => {
            occupancy(words, &groups)
        }
        [Kind::Units, Kind::Money] | [Kind::Money, Kind::Units] => rents(words, &groups),
        [Kind::Share, Kind::Money] | [Kind::Money, Kind::Share] => blended(words, &groups),
        [Kind::Units, Kind::Area] | [Kind::Area, Kind::Units] => sizes(words, &groups),
        [Kind::Units, Kind::Money, Kind::Money] => lease_loss(words, &groups),
        kinds
            if kinds.len() == 3
                && [Kind::Units, Kind::Area, Kind::Money]
                    .iter()
                    .all(|kind| kinds.contains(kind)) =>
        {
            mix(words, &groups)
        }
        _ => None,
    };
    found.map(Ok)
}

/// The numbers in order; none where one of them is of no kind.
fn items(words: &Words) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    for at in 0..words.tokens.len() {
        // "Fully leased" is a share without a number.
        if FULL.contains(&words.word(at)) && LET.contains(&words.word(at + 1)) {
            items.push(Item {
                kind: Kind::Share,
                value: 1.0,
                at,
            });
            continue;
        }
        let Some(number) = words.number(at) else { continue };
        if kind_of_unit(words, at) || named(words, at) {
            continue;
        }
        if number.doubtful || number.foreign || number.sign == Sign::Minus {
            return None;
        }
        let whole = number.value.fract() == 0.0 && !number.dollars && !number.scaled;
        let kind = match number.shape {
            Shape::Units => Kind::Units,
            Shape::Area => Kind::Area,
            Shape::Percent => Kind::Share,
            Shape::Money if number.base != Some(Base::Area) && !matches!(number.per, Some(Per::Quarter)) => {
                Kind::Money
            }
            Shape::Plain if whole && number.value < 3000.0 && counts(words, at) => Kind::Units,
            // "40 x 1BR": so many of them.
            Shape::Multiple if whole && number.value < 3000.0 => Kind::Units,
            Shape::Plain if number.value >= 100.0 => Kind::Money,
            _ => return None,
        };
        let value = if kind == Kind::Share {
            number.value / 100.0
        } else {
            number.value
        };
        items.push(Item { kind, value, at });
    }
    Some(items)
}

/// "2 bed", "one-bed", "1x1": what kind of unit, and no number of them.
fn kind_of_unit(words: &Words, at: usize) -> bool {
    let Some(number) = words.number(at) else {
        return false;
    };
    if number.value > 6.0 || number.dollars || number.shape == Shape::Percent {
        return false;
    }
    let next = if words.mark(at + 1, '-') {
        words.word(at + 2)
    } else {
        words.word(at + 1)
    };
    let baths = next
        .strip_prefix('x')
        .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|sign| sign.is_ascii_digit()));
    let beds = matches!(
        next,
        "bed"
            | "beds"
            | "bedroom"
            | "bedrooms"
            | "br"
            | "brs"
            | "bd"
            | "bds"
            | "bdrm"
            | "bdrms"
            | "bedders"
            | "b"
    );
    let drawn = number.shape == Shape::Units
        && words
            .said(at)
            .split(|sign: char| !sign.is_alphanumeric())
            .any(|word| {
                let noun = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
                noun.starts_with("bed") || matches!(noun, "br" | "brs" | "bd" | "bds")
            });
    baths || beds || drawn || (words.word(at.wrapping_sub(1)) == "x" && next == "br")
}

/// "Building 2", "comp 3", "three buildings".
fn named(words: &Words, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| words.word(at));
    let next = words.word(at + 1);
    let plain = words
        .number(at)
        .is_some_and(|number| number.shape == Shape::Plain && number.value < 30.0);
    plain
        && (matches!(
            before,
            "building" | "property" | "asset" | "phase" | "tower" | "type" | "plan" | "group"
        ) || matches!(
            next,
            "buildings"
                | "properties"
                | "assets"
                | "types"
                | "towers"
                | "phases"
                | "kinds"
                | "groups"
                | "plans"
        ))
}

/// A noun of units, or "at", stands between a number and the next one.
fn counts(words: &Words, at: usize) -> bool {
    for ahead in at + 1..(at + 6).min(words.tokens.len()) {
        if words.number(ahead).is_some() && !kind_of_unit(words, ahead) {
            return matches!(words.word(ahead - 1), "at" | "x" | "for") || words.mark(ahead - 1, '@');
        }
        let word = words.word(ahead);
        if NOUNS.contains(&word) || kind_of_unit(words, ahead) || word == "x" {
            return true;
        }
        if words.mark(ahead, ';') || words.mark(ahead, '.') {
            return false;
        }
    }
    false
}

/// Two or more groups of the same pattern.
fn grouped(items: &[Item]) -> Option<Vec<Vec<Item>>> {
    let size = (2..=3).find(|size| {
        let model: Vec<Kind> = items.iter().take(*size).map(|item| item.kind).collect();
        items.len() >= 2 * size
            && items.len().is_multiple_of(*size)
            && items
                .chunks(*size)
                .all(|chunk| chunk.iter().map(|item| item.kind).eq(model.iter().copied()))
    })?;
    Some(items.chunks(size).map(<[Item]>::to_vec).collect())
}
