//! A question tried on comparable sales: prices for a size, averaged in one of three ways, applied to a subject.
//!
//! The border between reading the question and [`sales`](super::sales).

use crate::sheets::asked::Measure;
use crate::sheets::columned::on_column;
use crate::sheets::columns;
use crate::sheets::finding::{Open, Tried};
use crate::sheets::goals;
use crate::sheets::meaning::{is_metric, subject};
use crate::sheets::measured::Column;
use crate::sheets::sales::{self, Average, Sales};
use crate::sheets::sources::Sheet;
use crate::sheets::sums::{self, Aggregate};
use crate::sheets::words::Words;
use tables::comps;
use tables::headers::Field;
use tables::kind::Kind;

pub(crate) fn sold(sheet: &Sheet, words: &mut Words) -> Tried {
    let read = comps::read(&sheet.table);
    let plain = words.take(&["unadjusted", "before adjustment", "without adjustment", "raw"]);
    let adjusted = words.take(&[
        "adjusted",
        "after adjustment",
        "adjustment",
        "net adjustment",
        "net adj",
        "adj",
        "adjust",
        "adjusting",
    ]);
    let mut measures = goals::measures(words, Kind::Comps);
    let equally = sales::equally(words);
    let weighted = !equally
        && words.take(&[
            "weighted average",
            "area weighted",
            "size weighted",
            "weighted by area",
            "weighted by size",
            "weighted by sf",
            "weighted by square foot",
            "weighted",
        ]);
    let (aggregate, top) = sums::aggregate(words);
    let metric = is_metric(words);
    let (subject, by_unit) = subject(words);
    // "Value of our 20,500 sf by the comps" needs no "price per foot".
    if measures.is_empty() && subject.is_some() {
        measures.push(if by_unit {
            Measure::PricePerUnit
        } else {
            Measure::PricePerArea
        });
    }
    if measures.is_empty() || top.is_some() {
        return if adjusted || plain || weighted || equally || aggregate.is_some() {
            Tried::Asked(on_column(sheet, words, aggregate, top, None, None))
        } else {
            Tried::No
        };
    }
    words.take(&[
        "fetch",
        "going by",
        "times",
        "apply",
        "applied",
        "applying",
        "to our",
        "imply",
        "implied",
        "implies",
        "indicate",
        "indicated",
        "value",
        "worth",
        "subject",
        "subject property",
        "price",
        "sale",
        "sold",
        "comparable",
    ]);
    let average = match (weighted, aggregate) {
        (true, _) => Average::Weighted,
        (_, Some(Aggregate::Mean)) => Average::Mean,
        (_, Some(Aggregate::Median)) => Average::Median,
        (_, Some(Aggregate::Highest)) => Average::Highest,
        (_, Some(Aggregate::Lowest)) => Average::Lowest,
        (_, None) if equally => Average::Mean,
        (_, None) => Average::Unsaid,
        (_, Some(_)) => {
            return Tried::Asked(Err(Open::because(
                "Do you want the mean, the median or the weighted price?",
            )));
        }
    };
    let conditions = columns::conditions(words, &sheet.table, None);
    let chosen: Vec<&comps::Comp> = read
        .sales
        .iter()
        .filter(|comp| {
            sheet.table.rows.get(comp.row).is_some_and(|row| {
                conditions
                    .iter()
                    .all(|condition| condition.holds(&sheet.table, row))
            })
        })
        .collect();
    let has_adjustments = read
        .sales
        .iter()
        .any(|comp| comp.adjusted.is_some() && comp.adjustment.is_none_or(|share| share != 0.0));
    if has_adjustments && !adjusted && !plain {
        return Tried::Asked(Err(Open::because(
            "The sales have adjustments: do you want the adjusted prices, or those before adjustment?",
        )));
    }
    if average == Average::Unsaid && subject.is_some() {
        return Tried::Asked(Err(Open::because(
            "Should I apply the mean, the median or the weighted price?",
        )));
    }
    let sized = sheet
        .table
        .column(Field::Area)
        .map(|at| Column::of(&sheet.table, at).size());
    if metric && !by_unit && sized == Some("sf") {
        return Tried::Asked(Err(Open::because(
            "The sales are measured in square feet and your building in square metres. Please give its square feet.",
        )));
    }
    let sales = Sales {
        comps: &read,
        chosen,
        average,
        adjusted,
        by_unit: by_unit || measures.contains(&Measure::PricePerUnit),
        subject,
        source: &sheet.name,
    };
    if let Some(doubt) = read.doubts.first() {
        return Tried::Asked(Err(Open::because(doubt.clone())));
    }
    Tried::Asked(sales::compute(&sales))
}
