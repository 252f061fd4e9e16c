//! What comparable sales say in the words of a valuer: "apply the weighted price, total dollars over total area, to our
//! 33,750 sf".
//!
//! Every word must be understood.

use crate::sheets::finding::Outcome;
use crate::sheets::query::vocabulary;
use crate::sheets::sales::{self, Average, Sales};
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::comps;
use tables::kind::Kind;

const WORDS: &str = "apply applied applying comp comps comp's comparable comparables sale sales trade traded trades building \
     buildings property subject asset price prices value indicated indicate implied imply implies worth net adjustment \
     adjustments adjusted adjust adjusting plain simple straight arithmetic unweighted average averaged averaging mean \
     median weighted weighting basis area size gla rsf nra total dollars dollar paid over divided per square foot feet sf \
     sqft psf unit units door doors columns two sum add equally put use using take taking warehouse center centre shop \
     office retail neighborhood neighbourhood industrial multifamily apartment strip plaza storage flex community result \
     each first sold sell fetch fetched after conditions location own unit-weighted area-weighted size-weighted";

/// "The five": all of them.
pub(crate) fn counts(sheet: &Sheet) -> &'static str {
    const SPELLED: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    SPELLED.get(sheet.table.data().count()).copied().unwrap_or("")
}

/// The answer, if that is what is asked and nothing else.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Outcome> {
    if sheet.kind != Kind::Comps {
        return None;
    }
    let mut words = Words::of(question);
    let equally = sales::equally(&mut words);
    words.all.retain(|word| !word.used);
    let numbers = words.numbers();
    let rows = counts(sheet);
    let known = vocabulary::accounted(&words, &format!("{WORDS} {rows}"), true);
    if !known || numbers.len() > 1 {
        return None;
    }
    let says = |list: &[&str]| words.says(list);
    // "Total dollars over total feet" is the weighted price.
    let over = says(&[
        "total dollar over total",
        "total dollar divided by total",
        "total price over total",
        "total price divided by total",
        "dollar over total",
    ]);
    let weighted = says(&["weighted"]) || over;
    if weighted && equally {
        return None;
    }
    let mean = (equally || says(&["average", "averaged", "averaging", "mean", "equally"])) && !weighted;
    let median = says(&["median"]);
    let average = match (weighted, mean, median) {
        (true, false, false) => Average::Weighted,
        (false, true, false) => Average::Mean,
        (false, false, true) => Average::Median,
        _ => return None,
    };
    let adjusted = says(&["adjust", "adjusted", "adjusting", "adjustment"]);
    let read = comps::read(&sheet.table);
    if !read.doubts.is_empty() {
        return None;
    }
    let has = read.sales.iter().any(|comp| {
        comp.adjustment.is_some_and(|share| share != 0.0)
            || comp.adjusted.is_some() && comp.adjustment.is_none()
    });
    if has != adjusted {
        return None;
    }
    let mut subject = None;
    let mut by_unit = says(&["per unit", "per door", "price per unit"]);
    if let [(at, number)] = numbers.as_slice() {
        let next = words.stem_at(at + 1);
        let of_units = matches!(next, "unit" | "door");
        let of_area = matches!(next, "sf" | "sqft" | "square");
        if number.money || number.percent || of_units == of_area {
            return None;
        }
        if of_area && by_unit {
            return None;
        }
        by_unit |= of_units;
        subject = Some(number.value());
    } else if says(&["value", "worth", "subject"]) {
        return None;
    }
    let area = says(&[
        "sf",
        "square foot",
        "square feet",
        "sqft",
        "psf",
        "area",
        "gla",
        "foot",
        "feet",
    ]);
    if !by_unit && !area {
        return None;
    }
    let sales = Sales {
        chosen: read.sales.iter().collect(),
        comps: &read,
        average,
        adjusted,
        by_unit,
        subject,
        source: &sheet.name,
    };
    sales::compute(&sales).ok()
}
