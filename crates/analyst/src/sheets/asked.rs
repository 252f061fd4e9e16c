//! What a question asks of a table: measures by name, how they are weighted, per month or per year.
//!
//! Knows words, no table. What it takes counts as understood.

use crate::sheets::words::Words;
use tables::kind::Kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    EconomicOccupancy,
    Occupancy,
    Vacancy,
    LossToLease,
    GrossPotentialRent,
    LeaseTerm,
    /// Leases that end in a time: their share, their rent, their number, their names.
    Expirations,
    NetOperatingIncome,
    NoiMargin,
    EffectiveGrossIncome,
    ExpenseRatio,
    Expenses,
    NetRentalIncome,
    OtherIncome,
    NetCashFlow,
    CashAfterDebt,
    BreakEven,
    Irr,
    Npv,
    Multiple,
    Profit,
    PricePerArea,
    PricePerUnit,
    /// A sum, average or extreme of a column, or a count of rows.
    Column,
}

/// Names of measures; of two that begin alike the longer one stands first.
const NAMES: &[(Measure, &str)] = &[
    (
        Measure::BreakEven,
        "break even occupancy, breakeven occupancy, break even ratio, breakeven ratio",
    ),
    (
        Measure::EconomicOccupancy,
        "economic occupancy, econ occupancy, econ occ, economic occ, economically occupied",
    ),
    (
        Measure::Occupancy,
        "physical occupancy rate, physical occupancy, phys occupancy, physical occ, phys occ, occ rate, what occ, current occ, our occ, the occ, occ on, occ of, occupancy rate, occupancy level, \
         occupancy percentage, occupancy, how full, how occupied, percent occupied, percent leased, \
         leased percentage, percentage leased, percentage occupied, percent of units are occupied, \
         percent of units occupied, percent of the units are occupied, \
         percentage of units are occupied, percentage of the units are occupied, \
         percentage of units occupied, share of units occupied, share of units are occupied, \
         share of the units is occupied, percent of the units is occupied, \
         percent of the space is leased, percent of the space is occupied, \
         percent of space is leased, how well leased, leased up, how much of the building is leased, \
         how much of the building is occupied, share of the building is leased, percent is occupied, \
         percent is leased, percent are occupied, percent are leased",
    ),
    (
        Measure::Vacancy,
        "physical vacancy rate, physical vacancy, vacancy rate, vacancy percentage, vacancy factor, \
         how empty, percent vacant, percentage vacant, percent of units are vacant, \
         percent of the units are vacant, percentage of units are vacant, share of units are vacant, \
         share of units vacant, void rate, void percentage, percent is vacant, percent of the space is vacant, vacancy",
    ),
    (
        Measure::LossToLease,
        "loss to lease, gain to lease, loss or gain to lease, ltl, lost to lease, mark to market, rental upside, rent upside, reversionary potential",
    ),
    (
        Measure::GrossPotentialRent,
        "gross potential rent, gross potential rental income, gross potential, gpr, potential rent, \
         gross market rent, potential gross rent, potential rental income, full potential rent",
    ),
    (
        Measure::LeaseTerm,
        "weighted average unexpired lease term, weighted average remaining lease term, \
         weighted average lease term remaining, weighted average lease expiry, \
         weighted average lease expiration, weighted average lease term, \
         weighted average remaining term, average remaining lease term, \
         average unexpired lease term, weighted average unexpired term, average unexpired term, \
         weighted average time to expiry, average time to expiry, average lease term remaining, average remaining term, \
         weighted remaining lease term, walt, wale, wault, weighted lease term, \
         weighted unexpired term, remaining lease term, remaining term, unexpired term",
    ),
    (
        Measure::NoiMargin,
        "noi margin, net operating margin, operating margin, net operating income margin",
    ),
    (
        Measure::NetCashFlow,
        "noi after reserve, noi after replacement reserve, net operating income after reserve, \
         net cash flow after reserve, cash flow after reserve, noi less reserve, noi net of reserve",
    ),
    (
        Measure::CashAfterDebt,
        "cash flow after debt service, cash flow after debt, cash after debt service, \
         cash flow after financing, noi after debt service, before tax cash flow, \
         net after debt service, left after debt service, left after the debt service, clear after debt service",
    ),
    (Measure::NetOperatingIncome, "net operating income, noi"),
    (
        Measure::ExpenseRatio,
        "cost income ratio, cost to income ratio, expense to income ratio, opex over egi, operating expense over egi, expense over egi, opex over effective gross income, \
         operating expense ratio, operating expenses ratio, opex ratio, expense ratio, oer, \
         ratio of operating expense to egi, ratio of opex to egi, opex to egi, \
         opex as a percent of egi, opex as a share of egi, expenses as a percent of egi, \
         expenses as a share of egi, operating expenses as a percent of egi, \
         operating expenses as a share of egi, share of egi goes to operating expense, \
         share of egi goes to opex, percent of egi goes to operating expense, operating ratio",
    ),
    (
        Measure::EffectiveGrossIncome,
        "effective gross income, effective gross revenue, effective gross, egi",
    ),
    (
        Measure::Expenses,
        "total operating expense, total opex, operating expense, operating cost, running cost, \
         operating outgoing, opex, total expense",
    ),
    (Measure::NetRentalIncome, "net rental income, net rental revenue"),
    (
        Measure::OtherIncome,
        "other income, ancillary income, non rent income",
    ),
    (
        Measure::Irr,
        "extended internal rate of return, internal rate of return, xirr, irr, annualised return, \
         annualized return, money weighted return, annual return, rate of return, \
         annualised rate of return, annualized rate of return",
    ),
    (
        Measure::Npv,
        "dated net present value, dated npv, net present value, xnpv, npv, present value",
    ),
    (
        Measure::Multiple,
        "equity multiple, multiple on invested capital, multiple on equity, moic, multiple",
    ),
    (
        Measure::Profit,
        "net profit, total profit, net gain, overall profit, profit",
    ),
    (
        Measure::PricePerArea,
        "price per square foot, price per sq ft, price per sqft, price per foot, price per sf, \
         price psf, sale price psf, dollar per square foot, dollars per square foot, \
         dollar per foot, dollars per foot, cost per square foot, psf, value per square foot, \
         price per sq m, price per square metre, price per sqm, prices per sq m, per square metre, per square meter, \
         per sq m, per sqm, per m2, \
         per square foot, per foot, per sf, per sq ft, per sqft",
    ),
    (
        Measure::PricePerUnit,
        "price per unit, price per door, price per key, per door, price per apartment",
    ),
    (
        Measure::Expirations,
        "rollover, roll over, rolling over, come up for renewal, coming up for renewal, up for renewal, lapse, lapsing, \
         rolling off, roll off, run off, running off, terminating, falling in, fall in, reach expiry, reach their end, come to an end, coming to an end, at risk, mature, maturing, maturity, \
         rolling, expiration, expiry, expirie, expiring, expire, \
         lease roll, come due, coming due, run out, running out",
    ),
];

impl Measure {
    /// Tables that have it.
    pub(crate) fn fits(self, kind: Kind) -> bool {
        match self {
            Self::Occupancy | Self::Vacancy => kind == Kind::RentRoll,
            Self::LossToLease | Self::GrossPotentialRent => matches!(kind, Kind::RentRoll | Kind::Statement),
            Self::LeaseTerm | Self::Expirations => matches!(kind, Kind::RentRoll | Kind::Leases),
            Self::EconomicOccupancy
            | Self::NetOperatingIncome
            | Self::NoiMargin
            | Self::EffectiveGrossIncome
            | Self::ExpenseRatio
            | Self::Expenses
            | Self::NetRentalIncome
            | Self::OtherIncome
            | Self::NetCashFlow
            | Self::CashAfterDebt
            | Self::BreakEven => kind == Kind::Statement,
            Self::Irr | Self::Npv | Self::Multiple | Self::Profit => {
                matches!(kind, Kind::DatedFlows | Kind::Flows)
            }
            Self::PricePerArea | Self::PricePerUnit => kind == Kind::Comps,
            Self::Column => true,
        }
    }
}

/// The measures of a question that a kind of table has, in the order of the words.
pub(crate) fn measures(words: &mut Words, kind: Kind) -> Vec<Measure> {
    let mut found: Vec<(usize, Measure)> = Vec::new();
    for (measure, phrases) in NAMES {
        if !measure.fits(kind) {
            continue;
        }
        let mut sorted: Vec<&str> = phrases.split(", ").collect();
        sorted.sort_by_key(|phrase| std::cmp::Reverse(phrase.split(' ').count()));
        let before: Vec<bool> = words.all.iter().map(|word| word.used).collect();
        if words.take(&sorted) {
            let at = words
                .all
                .iter()
                .zip(before)
                .position(|(word, before)| word.used && !before)
                .unwrap_or(0);
            found.push((at, *measure));
        }
    }
    // "percent of rent rolls in 2027": the verb, where no roll is meant.
    if matches!(kind, Kind::Leases | Kind::RentRoll)
        && !found.iter().any(|(_, measure)| *measure == Measure::Expirations)
        && let Some(at) = rolls(words)
    {
        found.push((at, Measure::Expirations));
    }
    found.sort_by_key(|(at, _)| *at);
    let mut measures: Vec<Measure> = Vec::new();
    for (_, measure) in found {
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    measures
}

/// "rolls", "roll" as a verb: behind it stands a time.
fn rolls(words: &mut Words) -> Option<usize> {
    let at = words.all.iter().enumerate().position(|(at, word)| {
        let verb = matches!(
            word.text.as_str(),
            "rolls" | "roll" | "ends" | "end" | "ending" | "terminate" | "terminates"
        );
        let timed = matches!(
            words.stem_at(at + 1),
            "in" | "during" | "before" | "by" | "after" | "within" | "between" | "through" | "over" | "next"
        );
        let noun = at
            .checked_sub(1)
            .is_some_and(|before| matches!(words.stem_at(before), "the" | "thi" | "that" | "attached"));
        verb && timed && !noun && !word.used
    })?;
    // "rent" before the verb says what is counted, so it stays.
    words.mark(at, 1);
    Some(at)
}

/// Per month or per year, as said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    Monthly,
    Annual,
    Unsaid,
}

pub(crate) fn pace(words: &mut Words) -> Pace {
    let monthly = words.take(&["per month", "a month", "each month", "monthly", "every month"]);
    let annual = words.take(&[
        "per year",
        "a year",
        "per annum",
        "annual",
        "annually",
        "annualized",
        "annualised",
        "yearly",
        "each year",
    ]);
    match (monthly, annual) {
        (true, false) => Pace::Monthly,
        (false, true) => Pace::Annual,
        _ => Pace::Unsaid,
    }
}

/// As [`pace`], and as the sentence that asks says it: rents "per month" make what is asked "for a full year".
pub(crate) fn pace_of_sum(words: &mut Words, question: &str) -> Pace {
    let year = [
        "for a full year",
        "for the full year",
        "for the year",
        "for a whole year",
        "full year",
        "whole year",
        "in a year",
        "over a year",
    ];
    let asks = question
        .split_inclusive(['.', '?', '!'])
        .find(|part| part.ends_with('?'));
    let yearly =
        asks.is_some_and(|asks| Words::of(asks).says(&year) && !Words::of(asks).says(&["month", "monthly"]));
    words.take(&year);
    let said = pace(words);
    if yearly { Pace::Annual } else { said }
}

/// What something is weighted with or measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Rent,
    Area,
    Count,
    Unsaid,
}

pub(crate) fn weight(words: &mut Words) -> Weight {
    let rent = words.take(&[
        "weighted by annual rent",
        "weighted by monthly rent",
        "weighted by base rent",
        "weighted by contract rent",
        "weighted by rent",
        "by annual rent",
        "by monthly rent",
        "by contract rent",
        "by rent",
        "rent weighted",
        "weighted on rent",
        "by income",
        "weighted by income",
    ]);
    let area = words.take(&[
        "weighted by area",
        "weighted by square foot",
        "weighted by square footage",
        "weighted by sf",
        "weighted by sqft",
        "by area",
        "by square foot",
        "by square feet",
        "by square footage",
        "by square area",
        "weighted by square area",
        "by sf",
        "by sqft",
        "by sq ft",
        "by nla",
        "by gla",
        "area weighted",
        "by size",
        "by space",
        "weighted by leased area",
        "by leased area",
        "area basis",
        "on an area basis",
        "sf weighted",
        "by floor area",
        "by floor space",
    ]);
    let count = words.take(&[
        "by unit count",
        "by number of suite",
        "by number of flat",
        "by number of apartment",
        "by number",
        "by suite",
        "by count",
        "by suite count",
        "by flat",
        "in number",
        "by number of units",
        "by unit",
        "by units",
        "on a unit basis",
        "unit basis",
        "counting unit",
        "in unit",
    ]);
    match (rent, area, count) {
        (true, false, false) => Weight::Rent,
        (false, true, false) => Weight::Area,
        (false, false, true) => Weight::Count,
        _ => Weight::Unsaid,
    }
}

/// "Percent of the suites", "share of our flats": rows are counted.
pub(crate) fn of_rows(words: &Words) -> bool {
    (0..words.all.len()).any(|at| {
        let share = matches!(
            words.stem_at(at),
            "percent" | "percentage" | "share" | "proportion" | "fraction" | "portion"
        ) && words.stem_at(at + 1) == "of";
        share
            && (2..=4)
                .any(|ahead| matches!(words.stem_at(at + ahead), "suite" | "unit" | "flat" | "apartment"))
    })
}

/// "Area-weighted average lease term": the weight before the words of the measure.
pub(crate) fn before_the_average(words: &mut Words) -> Weight {
    for at in 1..words.all.len() {
        let hyphen = usize::from(words.stem_at(at - 1) == "-");
        if words.stem_at(at) != "weighted" || at <= hyphen {
            continue;
        }
        let before = at - 1 - hyphen;
        let weight = match words.stem_at(before) {
            "area" | "sf" | "sqft" | "gla" | "nla" => Weight::Area,
            "rent" | "income" => Weight::Rent,
            _ => continue,
        };
        words.mark(before, 1);
        return weight;
    }
    Weight::Unsaid
}
