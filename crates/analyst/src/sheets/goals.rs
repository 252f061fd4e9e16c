//! Measures that a question names, and those that it describes: "how far are passing rents below ERV", "what share of
//! the flats is let".
//!
//! Knows words, no table. What it takes counts as understood.

use crate::sheets::asked::{self, Measure};
use crate::sheets::words::Words;
use tables::kind::Kind;

/// A measure by what must be said of it: one phrase of each group, and none of those that make it another question.
struct Described {
    measure: Measure,
    groups: &'static [&'static [&'static str]],
    none: &'static [&'static str],
}

const SHARE: &[&str] = &[
    "percent",
    "percentage",
    "share",
    "proportion",
    "portion",
    "fraction",
    "how much of",
    "part of",
];
const LET: &[&str] = &[
    "let",
    "occupied",
    "leased",
    "rented",
    "tenanted",
    "filled",
    "taken",
    "inhabited",
    "has a tenant",
    "have a tenant",
    "with a tenant",
];
const EMPTY: &[&str] = &[
    "vacant",
    "void",
    "empty",
    "unlet",
    "unoccupied",
    "unleased",
    "untenanted",
];
const MARKET: &[&str] = &[
    "market",
    "market rent",
    "erv",
    "asking",
    "asking rent",
    "estimated rental value",
];
const BELOW: &[&str] = &[
    "below",
    "under",
    "beneath",
    "short",
    "short of",
    "shortfall",
    "behind",
    "less than",
    "lower than",
    "lag",
    "gap",
    "reversion",
    "reversionary",
    "upside",
    "left on the table",
    "leaving on the table",
    "leave on the table",
    "how much more",
    "extra",
    "away from",
    "difference",
    "trail",
];
const FULL: &[&str] = &[
    "full occupancy",
    "fully occupied",
    "fully let",
    "fully leased",
    "fully rented",
    "full",
    "every",
    "all",
    "each",
    "everything",
    "100 percent",
    "100%",
    "whole building",
    "whole block",
    "whole property",
    "whole scheme",
    "entire building",
    "vacant included",
];
/// These ask for names, counts or averages of rows.
const ROWS: &[&str] = &[
    "how many unit",
    "how many flat",
    "how many apartment",
    "how many suite",
    "how many lease",
    "how many tenant",
    "which",
    "who",
    "number of",
    "list the",
    "average",
    "mean",
    "median",
    "largest",
    "biggest",
    "highest",
    "smallest",
    "lowest",
    "per unit",
    "for each",
    "by unit",
];
const DISCOUNT: &[&str] = &[
    "discount",
    "discounted",
    "discounting",
    "discount rate",
    "present day",
    "require",
    "required return",
    "cost of capital",
    "opportunity cost",
    "hurdle",
];
const EGI: &[&str] = &[
    "effective gross income",
    "effective gross",
    "effective income",
    "egi",
];

const DESCRIBED: &[Described] = &[
    Described {
        measure: Measure::GrossPotentialRent,
        groups: &[
            MARKET,
            FULL,
            &[
                "rent",
                "rented",
                "income",
                "let",
                "leased",
                "bring in",
                "gross",
                "occupied",
                "occupancy",
            ],
            &[
                "if",
                "were",
                "at market",
                "at market rent",
                "at erv",
                "at their erv",
                "at its erv",
                "at asking",
                "at asking rent",
            ],
        ],
        none: &[
            "below",
            "under",
            "short",
            "shortfall",
            "beneath",
            "percent",
            "percentage",
            "share",
            "gap",
            "loss to lease",
            "how many",
            "average",
        ],
    },
    Described {
        measure: Measure::LossToLease,
        groups: &[
            MARKET,
            BELOW,
            &[
                "rent",
                "unit",
                "flat",
                "apartment",
                "lease",
                "leased",
                "passing",
                "in place",
                "contract",
                "let",
                "tenant",
            ],
        ],
        none: ROWS,
    },
    Described {
        measure: Measure::Occupancy,
        groups: &[SHARE, LET],
        none: &[
            "rent",
            "income",
            "expire",
            "expiring",
            "expiry",
            "market",
            "erv",
            "vacant",
            "void",
            "empty",
            "unlet",
            "unoccupied",
            "let me",
            "let us",
            "average",
            "of tenant",
            "of the tenant",
            "of our tenant",
            "of lease",
            "of the lease",
        ],
    },
    Described {
        measure: Measure::Vacancy,
        groups: &[SHARE, EMPTY],
        none: &[
            "rent", "income", "market", "erv", "occupied", "leased", "average", "loss",
        ],
    },
    Described {
        measure: Measure::LeaseTerm,
        groups: &[
            &["weighted", "by rent", "rent weighted", "by income"],
            &["lease", "term", "tenancy", "contract", "letting"],
            &[
                "run",
                "left",
                "remaining",
                "unexpired",
                "to go",
                "remain",
                "until expiry",
                "lease term",
                "lease length",
            ],
            &["average", "mean", "weighted"],
        ],
        none: &[
            "highest",
            "lowest",
            "longest",
            "shortest",
            "which",
            "who",
            "how many lease",
        ],
    },
    Described {
        measure: Measure::ExpenseRatio,
        groups: &[
            &[
                "operating expense",
                "opex",
                "operating cost",
                "running cost",
                "expense",
                "cost",
                "outgoing",
            ],
            EGI,
            &[
                "percent",
                "percentage",
                "share",
                "proportion",
                "portion",
                "fraction",
                "ratio",
                "over",
                "divided",
                "relative",
                "how much of",
                "part of",
            ],
        ],
        none: &["noi", "net operating income", "margin"],
    },
    Described {
        measure: Measure::NetOperatingIncome,
        groups: &[&[
            "net property income",
            "net operating profit",
            "net income from operations",
            "income from operations",
            "net income before debt",
            "net income before financing",
            "net income before interest",
        ]],
        none: &["margin", "percent", "share"],
    },
    Described {
        measure: Measure::Npv,
        groups: &[
            DISCOUNT,
            &["worth", "value", "come to", "amount to", "sum", "total"],
        ],
        none: &["rate of return", "irr", "xirr", "profit", "multiple"],
    },
    Described {
        measure: Measure::Npv,
        groups: &[&["in today's money", "worth today", "today's value", "worth now"]],
        none: &["irr", "xirr"],
    },
    Described {
        measure: Measure::Irr,
        groups: &[
            &["return", "rate", "yield", "earn", "earned", "made"],
            &[
                "per annum",
                "each year",
                "a year",
                "per year",
                "annual",
                "annually",
                "annualised",
                "annualized",
                "yearly",
                "money weighted",
                "time weighted",
            ],
        ],
        none: &[
            "discount",
            "discounted",
            "discount rate",
            "multiple",
            "total return",
            "cash on cash",
            "average",
            "time weighted",
            "profit",
        ],
    },
];

/// The measures of a question that a kind of table has: by their names, otherwise as they are described.
pub(crate) fn measures(words: &mut Words, kind: Kind) -> Vec<Measure> {
    // "Full occupancy at market rents" is no occupancy, and "opex over EGI" neither of the two.
    let whole = described(words, kind, &[Measure::GrossPotentialRent, Measure::ExpenseRatio]);
    let mut found = asked::measures(words, kind);
    if let Some(whole) = whole
        && !found.contains(&whole)
    {
        found.insert(0, whole);
    }
    if found.is_empty() {
        let rest: Vec<Measure> = DESCRIBED.iter().map(|own| own.measure).collect();
        found.extend(described(words, kind, &rest));
    }
    found
}

/// The first of some measures that the words describe, the words taken.
fn described(words: &mut Words, kind: Kind, among: &[Measure]) -> Option<Measure> {
    let own = DESCRIBED.iter().find(|own| {
        among.contains(&own.measure)
            && own.measure.fits(kind)
            && own.groups.iter().all(|group| words.has(group))
            && !words.has(own.none)
    })?;
    for group in own.groups {
        let mut sorted: Vec<&str> = group.to_vec();
        sorted.sort_by_key(|phrase| std::cmp::Reverse(phrase.split(' ').count()));
        words.take(&sorted);
    }
    Some(own.measure)
}
