//! Interprets the wording of rent rolls: who occupies a unit, which charges are rent, and how many rooms
//! there are.

use chrono::NaiveDate;

use crate::portfolio::import::cells::{ONE, Row, micro};
use tables::headers::normalized;

/// Words for units that earn no revenue, and the corresponding reasons.
const NON_REVENUE: [(&str, &str); 7] = [
    ("model", "model"),
    ("down", "down"),
    ("offline", "down"),
    ("admin", "office"),
    ("office", "office"),
    ("employee", "employee"),
    ("mgmt", "office"),
];

/// The occupant of a unit according to a row.
pub enum Occupant {
    Nobody,
    /// The unit cannot be rented, for this reason.
    Unrentable(&'static str),
    Tenant,
    /// The tenant left before the date of the roll, so the row says nothing about the unit now.
    Past,
    /// The tenant moves in later.
    Future,
}

/// Reads the occupant of a row. `future` means that the row is below a heading for future tenants.
pub fn occupant(row: &Row<'_>, as_of: NaiveDate, future: bool) -> Occupant {
    let words =
        ["tenant", "tenant_code", "status"].map(|field| row.text(field).unwrap_or_default().to_lowercase());
    let [tenant, code, status] = &words;
    // A marker must be a separate word: "Model" is a unit, "Modell, Anna" is a person.
    for (word, reason) in NON_REVENUE {
        let alone = |text: &String| text == word || *text == format!("{word} unit");
        if alone(tenant) || alone(code) || status.split([' ', '-', '/']).any(|part| part == word) {
            return Occupant::Unrentable(reason);
        }
    }
    let vacant = |text: &String| text == "vacant" || text.starts_with("vacant");
    if vacant(tenant) || vacant(code) || vacant(status) || status == "available" {
        return Occupant::Nobody;
    }
    let status_is = |words: &[&str]| words.iter().any(|word| status.starts_with(word));
    if status_is(&["past", "former", "evicted", "moved out"]) {
        return Occupant::Past;
    }
    if future
        || status_is(&["future", "applicant", "pending", "preleased", "leased"]) && starts_later(row, as_of)
    {
        return Occupant::Future;
    }
    if tenant.is_empty() && code.is_empty() && !status_is(&["current", "occupied", "notice", "leased"]) {
        return Occupant::Nobody;
    }
    Occupant::Tenant
}

fn starts_later(row: &Row<'_>, as_of: NaiveDate) -> bool {
    let start = row.date("start_date").or(row.date("move_in"));
    start.is_none_or(|start| start > as_of)
}

/// Parses `2/1.50` or `2 BR / 1 BA` to bedrooms, and bathrooms in millionths.
pub fn rooms(kind: &str) -> (Option<i64>, Option<i64>) {
    let Some((beds, baths)) = kind.split_once('/') else {
        return (None, None);
    };
    let number = |text: &str| {
        let digits: String = text
            .chars()
            .filter(|sign| sign.is_ascii_digit() || *sign == '.')
            .collect();
        micro(&digits)
    };
    match (number(beds), number(baths)) {
        (Some(beds), Some(baths)) => (Some(beds / ONE), Some(baths)),
        _ => (None, None),
    }
}

/// Whether a charge is rent, as opposed to parking, pets or utilities.
pub fn is_rent(code: &str) -> bool {
    let plain = normalized(code);
    let listed = [
        "rnt", "base", "brent", "br", "mtm", "resrent", "mrent", "hap", "subsidy",
    ];
    plain.starts_with("rent") && !plain.contains("insur") && !plain.contains("parking")
        || plain.ends_with("rent")
            && !plain.starts_with("pet")
            && !plain.starts_with("park")
            && !plain.starts_with("stor")
        || listed.contains(&plain.as_str())
}
