//! The status words of rent rolls in common property systems.
//!
//! Independent of tables.

/// What a status word says of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Occupied,
    Vacant,
    /// Model, down, office: not for rent.
    NonRevenue,
    /// A future or past tenancy.
    NotYet,
}

/// The meaning of a status, given without punctuation and in lower case under a header of the same form.
pub(crate) fn by_status(status: &str, header: &str) -> Option<Status> {
    let is = |words: &[&str]| words.contains(&status);
    let begins = |words: &[&str]| words.iter().any(|word| status.starts_with(word));
    // A column "Occupied" contains yes or no; "Vacant" is its opposite.
    let yes = is(&["yes", "y", "true", "1", "x"]);
    let no = is(&["no", "n", "false", "0"]);
    if yes || no {
        let occupied = match header {
            "vacant" | "vac" | "isvacant" | "empty" | "vacantyn" => no,
            "occupied" | "occupancy" | "occ" | "isoccupied" | "leased" | "isleased" | "let" | "islet"
            | "rented" | "occupiedyn" | "occyn" | "leasedyn" => yes,
            _ => return None,
        };
        return Some(if occupied {
            Status::Occupied
        } else {
            Status::Vacant
        });
    }
    if begins(&[
        "future",
        "applicant",
        "past",
        "former",
        "pending",
        "prospect",
        "cancel",
        "denied",
        "evicted",
        "movedout",
        "upcoming",
    ]) {
        return Some(Status::NotYet);
    }
    if begins(&[
        "vac",
        "unoccupied",
        "available",
        "empty",
        "ready",
        "notready",
        "unrented",
        "unleased",
        "tobelet",
        "tolet",
        "unlet",
        "untenanted",
        "void",
        "leer",
        "onmarket",
    ]) || is(&["v", "vr", "vu", "vl"])
    {
        return Some(Status::Vacant);
    }
    if begins(&[
        "model",
        "down",
        "offline",
        "admin",
        "nonrevenue",
        "nonrev",
        "outofservice",
        "notrentable",
        "storage",
        "office",
    ]) {
        return Some(Status::NonRevenue);
    }
    // An agreed lease does not mean that the tenant has moved in.
    let occupied = !begins(&["letagreed", "leaseagreed"])
        && begins(&[
            "occ",
            "current",
            "leased",
            "let",
            "rented",
            "notice",
            "ntv",
            "active",
            "evict",
            "mtm",
            "monthtomonth",
            "holdover",
            "renewed",
            "inplace",
            "signed",
            "tenanted",
            "vermietet",
            "belegt",
            "month",
        ])
        || is(&["o", "c", "on", "oc"]);
    occupied.then_some(Status::Occupied)
}
