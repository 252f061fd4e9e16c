//! Rents of a lease with fixed steps.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::read::goals::{asked_before, ends_question};
use crate::words::scan::{Base, Per, Shape, Sign};
use finance::variable::Variable::*;

#[rustfmt::skip]
pub(crate) const BASE: &[&str] = &["ground rent", "annual ground rent", "headline rent", "passing rent", "base rent", "starting rent", "initial rent", "first year rent", "year one rent", "opening rent", "rent", "rents", "starting rate", "rental rate", "face rent", "face rate", "contract rent", "asking rent", "asking", "base rate", "starting", "starts", "start", "gross rent", "net rent", "lease rate", "current rent", "today's rent", "rate"];
#[rustfmt::skip]
pub(crate) const BASE_LEADS: &[&str] = &["at", "starts at", "starting at", "begins at", "beginning at", "pays", "pay", "paying", "leases for", "rents for", "leased at", "from", "rent of", "rent is"];
#[rustfmt::skip]
pub(crate) const RISE: &[&str] = &["bump", "bumps", "annual bumps", "escalation", "escalations", "escalator", "escalators", "annual increases", "increase", "increases", "step", "steps", "annual steps", "step ups", "growth", "rent growth", "annual growth", "annual rent growth", "growth rate", "raises", "raise", "escalating", "annual escalations", "uplift", "uplifts", "rent increases", "hikes"];
#[rustfmt::skip]
pub(crate) const RISE_LEADS: &[&str] = &["grows", "grows at", "growing", "growing at", "rises", "rising", "rising by", "increases by", "increasing", "increasing by", "increasing at", "goes up", "goes up by", "go up", "go up by", "going up", "steps up", "stepping up", "escalating at", "escalates at", "escalates", "climbs", "climbing", "bumped", "up", "rises by", "bumps of", "grow", "steps of", "stepped", "adds", "adds a flat", "adds a fixed", "adds another", "tacks on", "lifts by", "lift by"];
#[rustfmt::skip]
pub(crate) const MONTHLY: &[&str] = &["monthly rent", "monthly base rent", "rent per month", "starting monthly rent"];
#[rustfmt::skip]
pub(crate) const ANNUAL: &[&str] = &["annual rent", "yearly rent", "rent per year", "annual base rent", "starting annual rent"];

#[rustfmt::skip]
pub(crate) static ESCALATION: Form = Form {
    name: "escalation",
    is: escalates,
    goals: &[
        (RentPsf, &["rent", "rate", "rental rate", "rent per square foot", "rent psf", "rate per foot", "rent per foot", "psf", "rent per sf", "base rent"]),
        (AnnualRent, &["annual rent", "yearly rent", "rent per year", "total annual rent", "annual base rent"]),
        (MonthlyRent, &["monthly rent", "rent per month", "monthly base rent"]),
        (TotalRent, TOTAL),
    ],
    inputs: &[
        (BaseRentPsf, BASE),
        (BaseAnnualRent, BASE),
        (BaseAnnualRent, ANNUAL),
        (BaseMonthlyRent, BASE),
        (BaseMonthlyRent, MONTHLY),
        (RentGrowth, RISE),
        (LeaseYear, &["lease year", "year"]),
        (LeaseYears, &["lease", "term", "lease term"]),
    ],
    leads: &[
        (BaseRentPsf, BASE_LEADS),
        (BaseAnnualRent, BASE_LEADS),
        (BaseMonthlyRent, BASE_LEADS),
        (RentGrowth, RISE_LEADS),
        (StepYears, &["every"]),
    ],
    bare: &[LeaseYear, LeaseYears, Area, BaseRentPsf, BaseMonthlyRent, BaseAnnualRent, RentGrowth],
    sums: &[],
    settle: settle_steps,
};

#[rustfmt::skip]
const TOTAL: &[&str] = &["total rent", "total rents", "rent in total", "aggregate rent", "cumulative rent", "total base rent", "rent altogether", "sum of the rent", "sum of rents", "total rental income", "all rent", "rent over the term", "rent over the lease", "collect over", "total collected"];

#[rustfmt::skip]
pub(crate) static FIXED_STEPS: Form = Form {
    name: "fixed_steps",
    is: |words| {
        let share = words.numbers().any(|at| words.number(at).is_some_and(|number| number.shape == Shape::Percent));
        let rises = words.says(RISE) || words.says(RISE_LEADS) || plus(words);
        let rent = words.has(&["rent", "rents", "lease", "rental", "psf"]) || each_foot(words);
        let other = words.has(&["noi", "cap", "irr", "npv", "discount", "loan", "mortgage", "exit", "cpi", "index", "price", "gpr", "income", "effective", "dscr", "vacancy", "budget", "value", "market", "loss", "compound", "cagr", "went"]);
        rises && rent && !share && !other && words.numbers().count() + usize::from(words.ordinal_year().is_some()) >= 3
    },
    goals: &[
        (AnnualRent, &["annual rent", "yearly rent", "rent", "rent per year", "base rent"]),
        (MonthlyRent, &["monthly rent", "rent per month"]),
        (RentPsf, &["rent per square foot", "rent psf", "rate", "rent per foot"]),
        (TotalRent, TOTAL),
    ],
    inputs: &[
        (BaseRentPsf, BASE),
        (BaseAnnualRent, BASE),
        (BaseAnnualRent, ANNUAL),
        (BaseMonthlyRent, BASE),
        (BaseMonthlyRent, MONTHLY),
        (StepAmount, RISE),
        (StepPsf, RISE),
        (LeaseYear, &["lease year", "year"]),
        (LeaseYears, &["lease", "term", "lease term"]),
    ],
    leads: &[
        (BaseRentPsf, BASE_LEADS),
        (BaseAnnualRent, BASE_LEADS),
        (BaseMonthlyRent, BASE_LEADS),
        (StepAmount, RISE_LEADS),
        (StepPsf, RISE_LEADS),
        (StepYears, &["every"]),
    ],
    bare: &[LeaseYear, LeaseYears, Area, BaseRentPsf, BaseMonthlyRent, BaseAnnualRent],
    sums: &[],
    settle: |words, sheet| {
        let plus = sheet.left.iter().copied().find(|at| words.number(*at).is_some_and(|number| number.sign == Sign::Plus));
        if let Some(at) = plus && let Some(number) = words.number(at) && !sheet.has(StepAmount) && !sheet.has(StepPsf) {
            sheet.put(if sheet.has(BaseRentPsf) { StepPsf } else { StepAmount }, number.value);
            sheet.take(at);
        }
        if sheet.has(BaseRentPsf) && !sheet.has(StepPsf) {
            sheet.rename(StepAmount, StepPsf);
        }
        monthly_step(words, sheet);
        settle_steps(words, sheet);
        // A total of all rents is of the whole area.
        if sheet.wants(TotalRent)
            && let (Some(rent), Some(step), Some(area)) = (sheet.value(BaseRentPsf), sheet.value(StepPsf), sheet.value(Area))
        {
            for each in [BaseRentPsf, StepPsf, Area] {
                sheet.deal.values.remove(&each);
            }
            sheet.put(BaseAnnualRent, rent * area);
            sheet.put(StepAmount, step * area);
            sheet.remark("Rent and step per square foot, times the area.");
        }
        let whole = sheet.has(Area) && words.says(&["annual rent", "yearly rent", "rent per year", "annual base rent", "monthly rent", "rent per month"]);
        let own = if whole { sheet.goals.first().copied().unwrap_or(AnnualRent) } else if sheet.has(BaseRentPsf) { RentPsf } else if sheet.has(BaseMonthlyRent) && !asks_year(words) { MonthlyRent } else { AnnualRent };
        if !sheet.wants(TotalRent) && !sheet.wants(own) {
            for goal in [AnnualRent, MonthlyRent, RentPsf] {
                sheet.replace_goal(goal, own);
            }
        }
    },
};

/// "What is the annual rent in year 3?": the rent of a year is asked, whatever the rent is given in.
fn asks_year(words: &Words) -> bool {
    ANNUAL.iter().any(|phrase| {
        words.find(phrase).is_some_and(|(from, to)| {
            asked_before(words.tokens, from)
                || ends_question(words.tokens, to)
                || (words.word(to) == "in"
                    && (to + 1..to + 4).any(|at| {
                        words
                            .number(at)
                            .is_some_and(|year| year.shape == Shape::YearLabel)
                    }))
        })
    })
}

/// "$250 a month every year": a step of the month's rent, which an annual rent makes twelve times as much; beside a rent of
/// the month every step is one of the month.
fn monthly_step(words: &Words, sheet: &mut Sheet) {
    let Some(step) = sheet.value(StepAmount) else {
        return;
    };
    let monthly = words.numbers().any(|at| {
        words
            .number(at)
            .is_some_and(|number| number.value == step && number.per == Some(Per::Month))
    });
    if monthly && sheet.has(BaseAnnualRent) {
        sheet.put(StepAmount, 12.0 * step);
        sheet.remark("The step of a month's rent, times twelve.");
    }
    if let Some(rent) = sheet.value(BaseMonthlyRent)
        && !monthly
        && step > 0.25 * rent
    {
        sheet.doubt("Is the step one of the monthly rent, or of the year's?");
    }
}

fn escalates(words: &Words) -> bool {
    let rises = words.says(RISE) || words.says(RISE_LEADS) || plus(words);
    let area = words.numbers().any(|at| {
        words
            .number(at)
            .is_some_and(|number| number.base == Some(Base::Area))
    });
    let rent = words.has(&["rent", "rents", "lease", "rental", "psf"]) || area;
    let other = words.has(&[
        "noi",
        "cap",
        "irr",
        "npv",
        "discount",
        "loan",
        "mortgage",
        "exit",
        "expenses",
        "cpi",
        "indexed",
        "index",
        "expense",
        "opex",
        "price",
        "gpr",
        "income",
        "effective",
        "dscr",
        "vacancy",
        "budget",
        "value",
    ]);
    let percent = words.numbers().any(|at| {
        words
            .number(at)
            .is_some_and(|number| number.shape == Shape::Percent)
    });
    rises && rent && percent && !other
}

/// "+3.5% each year".
fn plus(words: &Words) -> bool {
    words
        .numbers()
        .any(|at| words.number(at).is_some_and(|number| number.sign == Sign::Plus))
}

/// "$24/sf".
fn each_foot(words: &Words) -> bool {
    words.numbers().any(|at| {
        words
            .number(at)
            .is_some_and(|number| number.base == Some(Base::Area))
    })
}

/// "€27.50 per sqm per month" goes up as what it is: the rent of a month, for each.
fn monthly_feet(words: &Words, sheet: &mut Sheet) {
    let monthly = words
        .numbers()
        .filter_map(|at| words.number(at))
        .any(|number| number.base == Some(Base::Area) && number.every == Some(Per::Month));
    if let (true, Some(rent)) = (monthly, sheet.value(BaseRentPsf)) {
        sheet.deal.values.remove(&BaseRentPsf);
        sheet.put(BaseMonthlyRent, rent / 12.0);
        sheet.remark("The rent is that of a square foot and month.");
        if sheet.has(StepPsf) {
            sheet.doubt("Are the steps per square foot and month, or per year?");
        }
    }
}

fn settle_steps(words: &Words, sheet: &mut Sheet) {
    monthly_feet(words, sheet);
    own_terms(words, sheet);
    if sheet.wants(TotalRent) {
        sheet.goals = vec![TotalRent];
        sheet.deal.values.remove(&LeaseYear);
    } else {
        // "a 10-year lease" changes no single year's rent.
        if let Some(years) = sheet.value(LeaseYears)
            && !sheet.has(LeaseYear)
            && words.ordinal_year().is_none()
        {
            sheet.deal.values.remove(&LeaseYears);
            if let Some(at) = words.numbers().find(|at| {
                words
                    .number(*at)
                    .is_some_and(|number| number.shape == Shape::Years && number.value == years)
            }) {
                sheet.left.push(at);
            }
        }
        target_year(words, sheet);
    }
    spacing(words, sheet);
    let every = if sheet.has(StepYears) {
        ""
    } else {
        "The rent steps once a year."
    };
    sheet.assume(StepYears, 1.0, every);
    let own = if sheet.has(BaseRentPsf) {
        RentPsf
    } else if sheet.has(BaseAnnualRent) {
        AnnualRent
    } else if sheet.has(BaseMonthlyRent) {
        MonthlyRent
    } else {
        RentPsf
    };
    // "the rent" means it in the terms in which it was given.
    if sheet.wants(RentPsf) && own != RentPsf {
        sheet.replace_goal(RentPsf, own);
    }
    // A flat amount is always the same; a flat percentage may be of either rent.
    let compounds = words.has(&["compound", "compounds", "compounded", "compounding"])
        && !words.says(&[
            "not compounded",
            "not compounding",
            "no compounding",
            "non compounding",
            "without compounding",
        ]);
    if words.has(&["simple", "flat"]) && sheet.has(RentGrowth) && !(compounds || level_between(words)) {
        sheet.doubt("Do the increases compound, or are they always of the first rent?");
    }
}

/// "Flat inside each term", "held flat between the steps": when the rent stays, not how it rises.
fn level_between(words: &Words) -> bool {
    let simple = words.has(&["simple"]);
    let all = (0..words.tokens.len())
        .filter(|at| words.word(*at) == "flat")
        .all(|at| {
            matches!(
                words.word(at + 1),
                "inside" | "within" | "during" | "through" | "throughout" | "between" | "until" | "in"
            )
        });
    !simple && all
}

/// "Flat inside each 5-yr term, 10% step every 5-yr option": the term that a step begins is no term of the whole lease.
fn own_terms(words: &Words, sheet: &mut Sheet) {
    let (Some(every), Some(years)) = (sheet.value(StepYears), sheet.value(LeaseYears)) else {
        return;
    };
    let each = words.numbers().any(|at| {
        words
            .number(at)
            .is_some_and(|number| number.shape == Shape::Years && number.value == every)
            && at
                .checked_sub(1)
                .is_some_and(|at| matches!(words.word(at), "each" | "every"))
            && matches!(
                words.word(at + 1),
                "term" | "terms" | "option" | "options" | "period" | "periods" | "renewal"
            )
    });
    if each && every == years && !sheet.wants(TotalRent) {
        sheet.deal.values.remove(&LeaseYears);
    }
    if each {
        sheet.left.retain(|at| {
            words
                .number(*at)
                .is_none_or(|number| number.shape != Shape::Years || number.value != every)
        });
    }
}

/// "biennially", "every other year": the years between steps in one word.
pub(crate) fn spacing(words: &Words, sheet: &mut Sheet) {
    const NAMED: &[(f64, &[&str])] = &[
        (
            2.0,
            &[
                "biennial",
                "biennially",
                "every other year",
                "every second year",
                "each second year",
                "two yearly",
                "2 yearly",
            ],
        ),
        (
            3.0,
            &[
                "triennial",
                "triennially",
                "every third year",
                "three yearly",
                "3 yearly",
            ],
        ),
        (4.0, &["every fourth year"]),
        (
            5.0,
            &[
                "quinquennial",
                "quinquennially",
                "every fifth year",
                "five yearly",
                "5 yearly",
            ],
        ),
    ];
    let named = NAMED
        .iter()
        .find(|(_, phrases)| words.says(phrases))
        .map(|(years, _)| *years);
    match (named, sheet.value(StepYears)) {
        (Some(years), None) => sheet.put(StepYears, years),
        (Some(years), Some(given)) if years != given => {
            sheet.doubt("After how many years does the rent step up?");
        }
        _ => {}
    }
    let within = words.has(&[
        "biannual",
        "biannually",
        "semiannual",
        "semiannually",
        "quarterly",
    ]) || words.says(&[
        "semi annual",
        "semi annually",
        "twice a year",
        "half yearly",
        "every six months",
        "every quarter",
    ]);
    if within {
        sheet.doubt("I work out steps of whole years. How much does the rent step up in a year?");
    }
}

/// "in lease year 8", "in the eighth year", "after the third bump", "five years from now".
fn target_year(words: &Words, sheet: &mut Sheet) {
    if sheet.has(LeaseYear) {
        return;
    }
    let bump = (0..words.tokens.len()).find_map(|at| {
        let rank = crate::read::terms::rank(words.word(at))?;
        let noun = matches!(
            words.word(at + 1),
            "bump" | "increase" | "step" | "escalation" | "raise" | "adjustment"
        );
        noun.then_some(rank)
    });
    if let Some(count) = bump {
        return sheet.put(LeaseYear, count + 1.0);
    }
    if let Some(year) = words.ordinal_year().filter(|year| *year > 1.0) {
        return sheet.put(LeaseYear, year);
    }
    let later = sheet.left.iter().copied().find(|at| {
        let years = words
            .number(*at)
            .is_some_and(|number| number.shape == Shape::Years);
        let before = at.checked_sub(1).map_or("", |at| words.word(at));
        let after = words.word(at + 1);
        years && (matches!(before, "in" | "after") || matches!(after, "later" | "from" | "out" | "on"))
    });
    if let Some(at) = later
        && let Some(number) = words.number(at)
    {
        sheet.put(LeaseYear, number.value + 1.0);
        sheet.take(at);
        sheet.remark("That is after as many annual steps as years have passed.");
    }
}
