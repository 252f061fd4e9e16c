//! Leases given as two lists, one of their weights and one of their terms: told again as pairs.
//!
//! Computes nothing.

/// What one number of a listed lease is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Item {
    Area(f64),
    Share(f64),
    Rent(f64),
    RentPerArea(f64),
    /// Months left.
    Left(f64),
    /// A number without a unit of its own.
    Bare(f64),
    /// Months to the first break.
    Break(f64),
}

/// "The rents are a, b and c, and the terms x, y and z": all of one kind before all of the other, as many of each.
pub(crate) fn side_by_side(items: &[Item], in_years: bool) -> Option<Vec<Item>> {
    let half = items.len() / 2;
    if half < 2 || !items.len().is_multiple_of(2) {
        return None;
    }
    let (first, second) = items.split_at_checked(half)?;
    let left = |item: &Item| matches!(item, Item::Left(_));
    let bare = |item: &Item| matches!(item, Item::Bare(_));
    let weight = |item: &Item| matches!(item, Item::Area(_) | Item::Share(_) | Item::Rent(_));
    // "3, 5 and 8 years": the unit stands behind the last.
    let terms =
        |all: &[Item]| all.iter().all(|item| left(item) || bare(item)) && all.last().is_some_and(left);
    let weights = |all: &[Item]| {
        all.iter().all(weight)
            && all
                .windows(2)
                .all(|pair| matches!(pair, [one, other] if std::mem::discriminant(one) == std::mem::discriminant(other)))
    };
    let (weighing, lasting) = if weights(first) && terms(second) {
        (first, second)
    } else if terms(first) && weights(second) {
        (second, first)
    } else {
        return None;
    };
    let unit = if in_years { 12.0 } else { 1.0 };
    Some(
        weighing
            .iter()
            .zip(lasting)
            .flat_map(|(weight, term)| {
                let term = match term {
                    Item::Bare(value) => Item::Left(value * unit),
                    other => *other,
                };
                [*weight, term]
            })
            .collect(),
    )
}
