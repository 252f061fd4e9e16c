//! How often the flows of a question fall: by year, by quarter or by month.
//!
//! One frequency for all of them; a mixture is a doubt.

use crate::flows::parts::Parts;
use crate::words::scan::Per;

/// How many periods a year has here.
pub(crate) fn frequency(read: &Parts, doubts: &mut Vec<String>) -> usize {
    let mut units: Vec<Per> = read.frequency.into_iter().collect();
    for part in &read.parts {
        units.extend(part.per);
        units.extend(part.moments.iter().map(|(_, per)| *per));
    }
    let month = units.contains(&Per::Month);
    let quarter = units.contains(&Per::Quarter);
    if month && quarter {
        doubts.push("Are the flows by month or by quarter?".to_owned());
    }
    let yearly = read.parts.iter().any(|part| part.per == Some(Per::Year));
    if yearly && (month || quarter) {
        doubts.push(
            "I take flows of one frequency; please give all of them by year or all by month.".to_owned(),
        );
    }
    match (month, quarter) {
        (true, _) => 12,
        (_, true) => 4,
        _ => 1,
    }
}

/// A count of years, quarters or months in those periods.
pub(crate) fn periods(count: usize, per: Per, per_year: usize) -> usize {
    match per {
        Per::Year => count * per_year,
        Per::Quarter if per_year == 12 => count * 3,
        _ => count,
    }
}
