//! What a measure leaves out and what it counts, whoever says so: depreciation is never in the net operating income,
//! vacant units always are in the gross potential rent.
//!
//! Knows no question.

use std::collections::BTreeSet;

use crate::sheets::asked::Measure;
use crate::sheets::query::vocabulary;
use crate::sheets::words::{Words, stem};
use tables::accounts::Line;
use tables::headers;
use tables::income::Statement;

#[derive(Clone, Debug, Default)]
pub(crate) struct Belonging {
    apart: BTreeSet<String>,
    within: BTreeSet<String>,
    plain: BTreeSet<String>,
    alone: BTreeSet<String>,
    /// Words of the table's headers.
    known: BTreeSet<String>,
    /// The rows have names of their own.
    pub(crate) rows: bool,
    /// The table holds several properties, funds or investors.
    pub(crate) several: bool,
    netted: bool,
}

const PERIOD: &[&str] = &[
    "year",
    "month",
    "period",
    "term",
    "life",
    "calendar",
    "full",
    "whole",
    "entire",
    "twelve",
    "12",
    "365",
    "lease",
    "day",
    "time",
    "hold",
    "holding",
    "tenancy",
    "file",
    "schedule",
    "statement",
    "document",
    "contract",
    "these",
    "current",
];

impl Belonging {
    pub(crate) fn of(measures: &[Measure], statement: Option<&Statement>, rows: bool) -> Self {
        let mut own = Self {
            rows,
            ..Self::default()
        };
        for measure in measures {
            let (apart, within, plain, alone) = words(*measure);
            for (list, set) in [
                (apart, &mut own.apart),
                (within, &mut own.within),
                (plain, &mut own.plain),
                (alone, &mut own.alone),
            ] {
                set.extend(list.split_whitespace().map(str::to_owned));
            }
            own.netted |= *measure == Measure::LossToLease;
        }
        // More than one: what belongs to one need not to the other.
        if measures.len() > 1 {
            own.apart.clear();
            own.within.clear();
        }
        let whole = measures.iter().all(|measure| {
            matches!(
                measure,
                Measure::NetOperatingIncome | Measure::ExpenseRatio | Measure::Expenses | Measure::NoiMargin
            )
        });
        if let Some(statement) = statement.filter(|_| whole && measures.len() == 1) {
            own.lines(statement);
        }
        own
    }

    /// Lines below the line are apart from an income, the others within it.
    fn lines(&mut self, statement: &Statement) {
        let mut apart = BTreeSet::new();
        let mut within = BTreeSet::new();
        for item in &statement.items {
            let set = if matches!(item.line, Line::Below(_)) {
                &mut apart
            } else {
                &mut within
            };
            set.extend(
                headers::words(&item.label)
                    .iter()
                    .map(|word| stem(word))
                    .filter(|word| word.len() > 2 && !vocabulary::filler(word)),
            );
        }
        let both: Vec<String> = apart.intersection(&within).cloned().collect();
        for word in both {
            apart.remove(&word);
            within.remove(&word);
        }
        within.retain(|word| !self.apart.contains(word));
        self.apart.extend(apart);
        self.within.extend(within);
    }

    pub(crate) fn of_several(mut self, several: bool) -> Self {
        self.several = several;
        self
    }

    pub(crate) fn headed<'a>(mut self, headers: impl Iterator<Item = &'a str>) -> Self {
        for header in headers {
            self.known
                .extend(headers::words(header).iter().map(|word| stem(word)));
        }
        self
    }

    pub(crate) fn apart(&self, stem: &str) -> bool {
        self.apart.contains(stem)
    }

    pub(crate) fn within(&self, stem: &str) -> bool {
        self.within.contains(stem)
    }

    pub(crate) fn plain(&self, stem: &str) -> bool {
        self.plain.contains(stem)
    }

    /// What "only" may stand with and change nothing.
    pub(crate) fn alone(&self, stem: &str) -> bool {
        self.alone.contains(stem)
    }

    pub(crate) fn knows(&self, stem: &str) -> bool {
        self.known.contains(stem)
    }

    /// "Over a full year", "under the leases", "the first date": no bound.
    pub(crate) fn says_again(&self, words: &Words, at: usize) -> bool {
        let own = words.stem_at(at);
        let ahead: Vec<&str> = (1..=3).map(|ahead| words.stem_at(at + ahead)).collect();
        let determined = |list: &[&str]| {
            ahead
                .iter()
                .skip_while(|word| {
                    matches!(
                        **word,
                        "the"
                            | "a"
                            | "an"
                            | "thi"
                            | "this"
                            | "these"
                            | "that"
                            | "it"
                            | "its"
                            | "full"
                            | "whole"
                            | "attached"
                            | "enclosed"
                    )
                })
                .take(1)
                .any(|word| list.contains(word))
        };
        match own {
            "over" | "under" | "during" => determined(PERIOD),
            "first" => {
                self.plain("date")
                    && determined(&[
                        "date",
                        "day",
                        "payment",
                        "flow",
                        "one",
                        "cash",
                        "transaction",
                        "entry",
                        "movement",
                        "row",
                    ])
            }
            "last" => {
                determined(&["twelve", "12", "year", "month", "and"])
                    && !words.says(&["quarter", "three month", "six month"])
            }
            "current" => !determined(&["tenant", "unit", "lease", "resident"]),
            "since" => false,
            _ => false,
        }
    }

    /// "Netting off those above market": what a loss to lease does anyway.
    pub(crate) fn nets(&self, stems: &[&str]) -> bool {
        self.netted
            && stems.iter().any(|stem| {
                matches!(
                    *stem,
                    "net" | "netting" | "netted" | "offset" | "offsetting" | "setting" | "set"
                )
            })
    }

    pub(crate) fn compares(&self, stems: &[&str]) -> bool {
        stems.iter().any(|stem| {
            matches!(
                *stem,
                "below"
                    | "under"
                    | "above"
                    | "over"
                    | "more"
                    | "less"
                    | "higher"
                    | "lower"
                    | "beneath"
                    | "fewer"
            )
        })
    }
}

/// Stems that are apart from a measure, within it, that say it in other words, and that "only" may stand with.
fn words(measure: Measure) -> (&'static str, &'static str, &'static str, &'static str) {
    match measure {
        Measure::NetOperatingIncome | Measure::ExpenseRatio | Measure::Expenses | Measure::NoiMargin => (
            "tis capex capital debt loan mortgage interest principal reserve replacement depreciation amortisation \
             amortization ti lc improvement commission financing finance refurbishment tenant leasing repayment \
             instalment installment investment major structural income tax borrowing below nonoperating non",
            "vacancy void concession recovery reimbursement operating opex insurance utility management payroll \
             maintenance repair running bad deducting",
            "operating noi net income statement operation earn earned property building year twelve month egi \
             effective gross trailing t12 ttm line",
            "operating",
        ),
        Measure::LossToLease => (
            "vacant void empty unlet unoccupied model down office",
            "occupied let leased rented tenanted gain above over more than higher",
            "compared compare leaving market rent lease erv unit flat apartment suite tenant below under above over more than less short fall pay \
             paying paid passing contract contractual place agreed gap net netting netted offset offsetting gain \
             setting set higher lower month sum aggregate exceed exceeding beat difference between against versus vs rest other once",
            "occupied let leased rented tenanted",
        ),
        Measure::GrossPotentialRent => (
            "concession discount bad vacancy loss deduction allowance downtime",
            "vacant void empty unlet let leased rented occupied every model down each all unoccupied",
            "market rent erv unit flat apartment suite asking level full fully rented let leased occupied vacant empty \
             void every each year annual month whether either achieve achieved bring potential gross estimated \
             rental value were regardless today",
            "market asking erv",
        ),
        Measure::Occupancy | Measure::Vacancy => (
            "model down office admin employee offline revenue rentable commercial area space square foot feet footage size",
            "notice",
            "unit flat apartment suite number physical physically count counting basis current currently rentable \
             revenue rent area space square foot feet total",
            "rentable",
        ),
        Measure::LeaseTerm | Measure::Expirations => (
            "vacant void empty unlet unoccupied option renewal break extension model down",
            "occupied let leased tenanted",
            "lease rent term weighted year month tenancy tenant unit suite run remaining unexpired expiry expire \
             income average expiration passing contract date end weight under still whole schedule calendar rental \
             percent percentage share exposure ends ending",
            "occupied let leased tenanted",
        ),
        Measure::Irr | Measure::Npv => (
            "order sorted chronological sequence sort ordered",
            "all every row flow",
            "date day year row flow cash payment rate annual annum first earliest discounted discount back worth today \
             present value actual act exact number 365 basis schedule per each one if single irregular dated \
             entry movement transaction acquisition purchase completion closing beginning start sign negative \
             positive money outflow inflow in out list different equal effective compound compounded compounding yearly \
             interval apart spaced net",
            "",
        ),
        Measure::PricePerArea | Measure::PricePerUnit => (
            "weighted weight",
            "adjustment adjusted",
            "price adjusted sale sold comp area foot feet square sqft sf unit average mean simple plain unweighted \
             building value metre meter subject median each own market",
            "adjusted",
        ),
        _ => ("", "", "", ""),
    }
}
