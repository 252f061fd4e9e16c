//! What the leases of a list are weighted by: area or rent, as the question says or as the list allows.

use crate::forms::words::Words;
use crate::plan::outcome::Ask;

/// One lease of the list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lease {
    pub(crate) area: Option<f64>,
    pub(crate) share: Option<f64>,
    pub(crate) rent: Option<f64>,
    pub(crate) months: f64,
}

/// What the leases are weighted by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Basis {
    Area,
    Rent,
    ShareOfArea,
    ShareOfRent,
}

impl Basis {
    pub(crate) fn weight(self, lease: &Lease) -> f64 {
        match self {
            Self::Area => lease.area,
            Self::Rent => lease.rent,
            Self::ShareOfArea | Self::ShareOfRent => lease.share,
        }
        .unwrap_or(0.0)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Area | Self::ShareOfArea => "wale_by_area",
            Self::Rent | Self::ShareOfRent => "walt_by_rent",
        }
    }

    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::Area => "area",
            Self::Rent => "USD",
            Self::ShareOfArea | Self::ShareOfRent => "percent of total",
        }
    }

    pub(crate) fn remark(self) -> &'static str {
        match self {
            Self::Area | Self::ShareOfArea => "Weighted by area, to expiry.",
            Self::Rent | Self::ShareOfRent => "Weighted by rent, to expiry.",
        }
    }
}

pub(crate) fn basis(words: &Words, leases: &[Lease]) -> Result<Basis, Ask> {
    let all = |has: fn(&Lease) -> bool| leases.iter().all(has);
    let (area, rent, share) = (
        all(|lease| lease.area.is_some()),
        all(|lease| lease.rent.is_some()),
        all(|lease| lease.share.is_some()),
    );
    let by_area = words.says(&[
        "by area",
        "by size",
        "by square footage",
        "by sf",
        "by nla",
        "by gla",
        "area weighted",
        "weighted by area",
        "by space",
        "on area",
        "on floor area",
        "by floor area",
    ]);
    let by_rent = words.says(&[
        "by rent",
        "by income",
        "by revenue",
        "rent weighted",
        "weighted by rent",
        "by rental income",
        "by contract rent",
        "by annual rent",
        "by base rent",
        "by monthly rent",
        "on rent",
        "on annual rent",
        "on contract rent",
        "on passing rent",
        "by passing rent",
        "on income",
    ]);
    match (area, rent, share) {
        (true, false, _) if !by_rent => Ok(Basis::Area),
        (false, true, _) if !by_area => Ok(Basis::Rent),
        (true, true, _) if by_area && !by_rent => Ok(Basis::Area),
        (true, true, _) if by_rent && !by_area => Ok(Basis::Rent),
        (true, true, _) => Err(Ask::because("Should the terms be weighted by area or by rent?")),
        (false, false, true) => Ok(
            if by_rent || (!by_area && words.has(&["rent", "income", "revenue", "rents"])) {
                Basis::ShareOfRent
            } else {
                Basis::ShareOfArea
            },
        ),
        _ => Err(Ask::because(
            "Please give the weight that is asked for: the area or the rent of each lease.",
        )),
    }
}
