//! The words in which people ask about a portfolio. Phrases are looked up without plurals, the longest first.
//!
//! Knows words, not sentences. A word that is not here has to be a harmless one, else nothing is answered.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::portfolio::pieces::{Piece, stem};
use finance::portfolio::query::Split;

/// What a phrase stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Topic(Topic),
    Turn(Turn),
    By(Split),
    Kind(Group),
    /// "portfolio", "all properties": nothing is left out.
    Whole,
    /// "our", "we": the asker's own, as against an example.
    Own,
    Most,
    Least,
    /// "below", "over": a bound follows.
    Below,
    Above,
    /// "the", "of", "please".
    Filler,
    /// "versus", "compared to".
    Against,
    /// "than it was a year ago", "than Denver".
    Than,
    /// "list", "which ones".
    List,
    /// "they", "it": named before.
    Pronoun,
    /// "excluding": what is left out would change the figure.
    Except,
    /// "this", "those": points at something.
    Points,
    /// What makes it another kind of question altogether: "if", "assume", "what does … mean".
    Other,
}

/// What is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Topic {
    Occupancy,
    Vacancy,
    EconomicOccupancy,
    EconomicVacancy,
    /// The area of a unit.
    UnitSize,
    Units,
    Rentable,
    Properties,
    NonRevenue,
    Area,
    Leases,
    Leased,
    Empty,
    Walt,
    Rollover,
    Expire,
    MonthToMonth,
    NotStarted,
    Signed,
    Overlapping,
    Renewal,
    Rent,
    AverageRent,
    MarketRent,
    LossToLease,
    Tenants,
    Concentration,
    Noi,
    Egi,
    Opex,
    ExpenseRatio,
    Margin,
    Gpr,
    BadDebt,
    Concessions,
    Capex,
    DebtService,
    CashFlow,
    /// NOI less capital spend.
    CashFlowBefore,
    Breakeven,
    Budget,
    /// The budget itself, not what became of it.
    Budgeted,
    Dscr,
    /// Of the interest alone, which is not measured.
    InterestCover,
    Ltv,
    DebtYield,
    Debt,
    CostOfDebt,
    Maturities,
    Mature,
    Owe,
    Loan,
    Lender,
    Rate,
    Covenant,
    Breach,
    Value,
    ImpliedCap,
    Cap,
    PurchasePrice,
    /// When something was bought.
    Acquired,
    Built,
    /// Value less debt.
    Equity,
    Deposits,
    /// Buildings without debt.
    DebtFree,
    /// Average time to maturity of the debt.
    DebtTerm,
}

/// What turns a topic into another metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Turn {
    ByArea,
    ByRent,
    ByUnits,
    AllUnits,
    PerUnit,
    PerArea,
    PerMonth,
    PerYear,
    Annualized,
    Share,
    Count,
    Senior,
    AllLoans,
    Levered,
    Growth,
    Average,
    Median,
    Each,
    /// Against the budget rather than the budget itself.
    Versus,
    /// What follows is a part of the figure, not another one.
    Including,
    /// Over the occupied units alone.
    OccupiedOnly,
    /// "gained the most": a change in amounts rather than percent.
    Gain,
    /// Against the month or quarter directly before.
    MonthOnMonth,
    QuarterOnQuarter,
    /// "fell the most": a change downwards.
    Loss,
    /// "next to expire": the first in time.
    Next,
    /// "missed the budget", "beat it": those on one side of it.
    Missed,
    Beat,
    OverBudget,
    UnderBudget,
    Fixed,
    Floating,
    InterestOnly,
    /// "How many buildings have …": those that keep to a bound are counted.
    HowMany,
}

/// Kinds of property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Group {
    Residential,
    Commercial,
    Office,
    Retail,
    Industrial,
    Mixed,
    Land,
}

type Entry = (Vec<String>, Meaning);

static PHRASES: LazyLock<HashMap<String, Vec<Entry>>> = LazyLock::new(|| {
    let mut by_first: HashMap<String, Vec<Entry>> = HashMap::new();
    for (phrases, meaning) in TABLE {
        for phrase in phrases.split(',') {
            let words: Vec<String> = phrase.split_whitespace().map(stem).collect();
            if let Some(first) = words.first() {
                by_first.entry(first.clone()).or_default().push((words, *meaning));
            }
        }
    }
    by_first
});

/// The longest phrase that begins at `at`, with its length.
pub(crate) fn look_up(pieces: &[Piece], at: usize) -> Option<(Meaning, usize)> {
    let entries = PHRASES.get(pieces.get(at)?.word())?;
    entries
        .iter()
        .filter(|(words, _)| {
            words
                .iter()
                .enumerate()
                .all(|(n, word)| pieces.get(at + n).is_some_and(|piece| piece.word() == word))
        })
        .max_by_key(|(words, _)| words.len())
        .map(|(words, meaning)| (*meaning, words.len()))
}

static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let phrases = PHRASES.values().flatten();
    phrases.flat_map(|(words, _)| words.iter().cloned()).collect()
});

/// Every word of any phrase.
pub(crate) fn words() -> &'static HashSet<String> {
    &WORDS
}

/// True where a word begins any phrase: then it is no part of an unknown name by itself.
pub(crate) fn is_known(word: &str) -> bool {
    PHRASES
        .get(word)
        .is_some_and(|entries| entries.iter().any(|(words, _)| words.len() == 1))
}

use Meaning::{
    Above, Against, Below, By, Except, Filler, Kind, Least, List, Most, Other, Own, Points, Pronoun, Than,
    Whole,
};
const fn t(topic: Topic) -> Meaning {
    Meaning::Topic(topic)
}
const fn m(turn: Turn) -> Meaning {
    Meaning::Turn(turn)
}

#[rustfmt::skip]
const TABLE: &[(&str, Meaning)] = &[
    // Occupancy.
    ("occupancy, occupancy rate, physical occ, phys occ, physically full, percent let, occupied, physical occupancy, physically occupied, how full, how occupied, percent occupied, occupancy level, percentage occupied, share occupied, fullness, occ, occ rate, occ level, full, fuller, occupied unit, leased percentage, lease up level, occupancy percentage, physical occupancy rate, filled",
        t(Topic::Occupancy)),
    ("vacancy, vacancy rate, physical vacancy, vacancies, vac, vac rate", t(Topic::Vacancy)),
    ("vacant, empty, void, nobody in them, with nobody in them, no one in them, nobody in it, unoccupied, unleased, unrented, sit empty, sitting empty, sit vacant, sitting vacant, standing empty, stand empty, available, not leased, not occupied, not rented, untenanted", t(Topic::Empty)),
    ("leased, let, rented, leased up", t(Topic::Leased)),
    ("economic occupancy, economic occ, econ occ, econ occupancy, net rental income over gpr, net rental income over gross potential rent, net rental income divided by gpr, net rental income divided by gross potential rent, net rental income as a share of gpr, net rental income as a share of gross potential rent, net rental income to gpr, economically occupied, economic occupancy rate", t(Topic::EconomicOccupancy)),
    ("economic vacancy, economic vacancy rate, economic vacancy loss", t(Topic::EconomicVacancy)),
    ("unit size, size of unit, apartment size, size of apartment, size of the apartment, size of the unit, size of our apartment, size of our unit, suite size", t(Topic::UnitSize)),
    ("noi after capex, left after capex, left after capital, noi after capital, noi after capital expenditure, noi after capital spending, noi less capex, noi net of capex, noi minus capex, net cash flow before debt service, cash flow before debt service, cash flow before debt, unlevered cash flow, noi after capital spend",
        t(Topic::CashFlowBefore)),
    ("unit, door, apartment do we own, apartment do we have, apartment are there, apartment we own, apartment unit, home, studio unit, suite", t(Topic::Units)),
    ("rentable, lettable, lettable unit, leasable, rentable unit", t(Topic::Rentable)),
    ("how many property, how many building, how many asset, number of property, number of building, number of asset, property count, building count", t(Topic::Properties)),
    ("down, model, used as model, model unit, down unit, non revenue, non revenue unit, nonrevenue unit, offline, non rentable, unrentable, out of service, not rentable, can't be rented, cannot be rented, can't rent, cannot rent, cannot be let, can't be let", t(Topic::NonRevenue)),
    ("square footage, square foot, square feet, sqft, sq ft, sf, area, floor area, space, footage, nla, rsf, gla", t(Topic::Area)),
    // Leases.
    ("lease, tenancy, lease agreement, under lease", t(Topic::Leases)),
    ("how many year of lease term are left on average, how many year of lease are left on average, how many year of term are left on average, how many year are left on average, average year of lease term left, how many year are left on average on the lease, how many year are left on average on lease, how many year are left on the lease on average, average year left on lease, average year left on the lease, average year remaining on lease, average year remaining on the lease, walt, how long is the walt, how long is our walt, how long is walt, how long is the wale, how long is the weighted average lease term, how long is our weighted average lease term, wale, wault, weighted term, weighted lease term, lease term left, term left, unexpired term, weighted unexpired term, remaining term, lease term remaining, wtd avg lease term, weighted average lease term, weighted average lease expiry, weighted average lease length, average remaining lease term, remaining lease term, average lease term, weighted average remaining lease term, average remaining term, weighted average unexpired lease term, average unexpired lease term, weighted average term",
        t(Topic::Walt)),
    ("rollover, roll over, lease rollover, rollover schedule, lease rollover schedule, roll, rolling, rolled, rolling over, rolling off, roll off, lease expiration schedule, expiration schedule, expiry schedule, lease expiry profile, expiry profile, expiration profile, lease expiration profile, lease expiry schedule, rollover profile, lease maturity schedule",
        t(Topic::Rollover)),
    ("expire, are up in, is up in, lease that end, lease ending, lease which end, expiring, expiration, expiry, lease expiration, lease expiry, come up for renewal, coming up for renewal, run out, running out, come due, coming due, ran out, hit their end date, hit its end date, reach their end date, run to an end, end date, up for renewal, run off, ending lease, expirie, expired, how long, fall due, falling due, lapse, lapsing, terminate, terminating, come up, coming up, comes up, came up, came due, roll out", t(Topic::Expire)),
    ("month to month, a month to month, on a month to month basis, month to month basis, mtm, holdover, holding over, hold over, on holdover, in holdover, month to month lease, m2m", t(Topic::MonthToMonth)),
    ("uncommenced, not yet in effect, not in effect yet, unstarted, signed but not yet commenced, already signed but not yet commenced, already signed but not yet started, already signed but not started, already signed but not commenced, signed but yet to start, signed but yet to commence, signed but not started, pre leasing, preleasing, start date still ahead, start date ahead, start after, starting after, commence after, commencing after, begin after, beginning after, that start after, not moved in yet, has not moved in yet, not started yet, not yet started, not started, signed but not commenced, not commenced, future lease, pre leased, preleased, yet to start, start in the future, starting in the future, signed but not yet started, signed but have not started, signed but haven't started, haven't started, have not started, have not started yet, haven't started yet, not yet commenced, yet to commence, upcoming lease, have not begun, have not begun yet, haven't begun, haven't begun yet, has not begun, has not begun yet, not begun, not begun yet, not yet begun, yet to begin",
        t(Topic::NotStarted)),
    ("signed, executed", t(Topic::Signed)),
    ("overlap, overlapping, do two signed lease overlap, two signed lease overlap, two lease overlap, do two lease overlap, lease overlap, overlapping lease, double booked, two lease, more than one lease, overlapping lease record", t(Topic::Overlapping)),
    ("renewal rate, retention, retention rate, lease retention, tenant retention, resident retention, renewed, renew, renewal ratio, renewal percentage, renewal", t(Topic::Renewal)),
    ("renting for, rent for, rented for, leasing for, renting at, monthly rent, monthly base rent, monthly in place rent, rent, base rent, in place rent, inplace rent, contract rent, in place base rent, rent in place, passing rent, rent in effect, rental rate, scheduled rent, rental income in place, contractual rent", t(Topic::Rent)),
    ("average rent, average in place rent, avg rent, mean rent, average contract rent, avg in place rent, typical rent, average base rent, average rental rate", t(Topic::AverageRent)),
    ("market rent, asking rent, market rental rate, street rent", t(Topic::MarketRent)),
    ("loss to lease, ltl, gap between market and in place, gap between market rent and in place, gap between market rent and in place rent, gap between market and in place rent, gap to market, loss gain to lease, gain to lease, below market, under market, below market rent, under market rent, how far below market, how far under market, how far below market rent, how far under market rent, how much below market, how much under market, how far below the market, how far under the market", t(Topic::LossToLease)),
    ("tenant, lessee, occupier, resident, renter, occupant", t(Topic::Tenants)),
    ("concentrated, concentration, tenant concentration, tenant exposure", t(Topic::Concentration)),
    // Income.
    ("noi, net operating income, noi line, net operating income line, at the noi line, n.o.i, net income from operation, operating income", t(Topic::Noi)),
    ("after vacancy and concession, income after vacancy and concession, all income after vacancy and concession, egi, effective gross income, effective gross, revenue, total revenue, income, total income, effective gross revenue, top line, gross income", t(Topic::Egi)),
    ("opex, operating expense, running the, to run, cost to run, of running, operating cost, expense, total operating expense, total expense, operating expenditure, running cost, cost to operate", t(Topic::Opex)),
    ("expense ratio, opex ratio, operating expense ratio, operating cost ratio, oer", t(Topic::ExpenseRatio)),
    ("noi margin, operating margin, margin, net operating margin", t(Topic::Margin)),
    ("gpr, gross potential rent, potential gross income, pgi, potential rent, gross potential", t(Topic::Gpr)),
    ("bad debt, write off, written off, wrote off, bad debt written off, bad debt wrote off, bad debt charged off, bad debt expense, uncollectible rent, uncollected rent", t(Topic::BadDebt)),
    ("concession, concession money, concession dollar, rent concession, rental concession, leasing concession, free rent, give away in concession, giveaway", t(Topic::Concessions)),
    ("capex, capital spend, capital line, capital item, capital total, capital expenditure, capital spending, capital cost, capital outlay, cap ex, capital work, capital improvement, capital project, capital program, capital item, capital", t(Topic::Capex)),
    ("debt service, total debt service, interest and principal paid, interest and principal payment, principal and interest paid, loan service, annual debt service, loan payment, mortgage payment, debt payment, principal and interest, p&i, scheduled debt service, scheduled p&i, actual debt service, actual p&i, principal plus interest, principal plus interest paid, interest plus principal, interest plus principal paid, principal plus interest payment, p&i actually scheduled, debt service actually scheduled, p&i payment", t(Topic::DebtService)),
    ("noi less capex and debt service, noi net of capex and debt service, noi minus capex and debt service, noi after capex and debt service, noi less capital and debt service, noi less debt service and capex, cash flow, cash flow after debt service, after capex and debt service, after capital and debt service, left after capex and debt service, cash left after capex and debt service, left after debt service, left over after debt service, left after paying debt service, left after capital and debt service, cash left, cash left over, cash left after debt service, noi after debt service, cash flow after debt, cash flow after capex and debt service, net cash flow, free cash flow, levered cash flow, cashflow, cash flow after capital and debt service", t(Topic::CashFlow)),
    ("break even occupancy, just cover, just cover cost, breakeven occupancy, break even, breakeven", t(Topic::Breakeven)),
    ("budget, plan, above or below budget, over or under budget, below or above budget, under or over budget, above or below plan, over or under plan, ahead of or behind budget", t(Topic::Budget)),
    ("budgeted, planned", t(Topic::Budgeted)),
    // Debt.
    ("dscr, with debt service coverage, with debt coverage, debt service coverage, dsc, debt service coverage ratio, debt coverage, coverage ratio, debt service cover, coverage, debt coverage ratio, dcr, debt cover, interest and principal coverage, cover its debt, covering its debt, cover their debt, covering their debt, cover the debt, covering the debt, cover its debt service, covering its debt service, cover the debt service, covering the debt service, cover its loan, covering its loan", t(Topic::Dscr)),
    ("interest coverage, interest coverage ratio, interest cover, icr", t(Topic::InterestCover)),
    ("ltv, loan to value, loan to value ratio, leverage", t(Topic::Ltv)),
    ("debt yield, with debt yield, on debt yield", t(Topic::DebtYield)),
    ("debt, total debt, debt outstanding, outstanding debt, debt balance, mortgage debt, borrowing, indebtedness, total debt outstanding, debt load, leverage outstanding, loan debt, total loan balance, total loan", t(Topic::Debt)),
    ("average cost of debt, cost of debt, balance weighted interest rate, balance weighted rate, balance weighted coupon, balance weighted average interest rate, balance weighted average rate, debt weighted interest rate, wtd avg interest rate, wtd avg rate, wtd average interest rate, blended coupon, weighted coupon, weighted average coupon, avg interest rate, avg rate, blended interest, blended cost of debt, weighted interest rate, weighted average interest rate, average interest rate, weighted average cost of debt, average rate, weighted average rate, blended rate, blended interest rate, average borrowing cost, average coupon", t(Topic::CostOfDebt)),
    ("debt maturity wall, maturity wall, maturity schedule, debt maturity schedule, debt maturity, debt maturing, loan maturity schedule, loan maturity, maturity profile, debt maturity profile", t(Topic::Maturities)),
    ("fall due for repayment, is due, are due, due in, loan fall due, due for repayment, is it due, are they due, loan due, due date, when due, mature, maturing, maturity, maturity date, matured, come to maturity, it due, when it due, when is it due, they due, when are they due", t(Topic::Mature)),
    ("owe, current principal, current principal balance, loan balance, loan principal outstanding, loan principal, amount outstanding, amount owed, principal still outstanding, outstanding balance, balance, owed, outstanding on, remaining balance, outstanding principal, principal outstanding, remaining principal, balance outstanding, current balance, still owe, outstanding, unpaid balance, principal balance, left on, remaining on, left to pay, still outstanding, left to repay", t(Topic::Owe)),
    ("loan, mortgage", t(Topic::Loan)),
    ("lender, lent, lend, bank", t(Topic::Lender)),
    ("interest rate, loan rate, note rate, note interest rate, coupon, rate, mortgage rate", t(Topic::Rate)),
    ("covenant, loan covenant, debt covenant", t(Topic::Covenant)),
    ("breach of its covenant, in breach of its covenant, breach of their covenant, in breach of their covenant, in breach of any covenant, in breach of a covenant, breach, in breach, fail, failing, violate, violating, covenant watch list, watch list, watchlist, trip, trouble with their covenant, out of compliance, breaching, at risk of breaching, covenant watchlist, breache", t(Topic::Breach)),
    ("value, worth, market value, newest mark, latest mark, newest valuation, most recent mark, newest appraisal, newest market value, valuation, latest valuation, appraised value, appraisal, valued, appraised, asset value, latest appraisal, current value, latest market value, most recent valuation, fair value, property value, market valuation", t(Topic::Value)),
    ("implied cap rate, implied cap, cap rate implied, cap implied, implied yield, imply, implied by, implied capitalization rate, current cap rate, latest cap rate, most recent cap rate, latest implied cap rate, most recent implied cap rate, cap rate on current value, cap rate on latest valuation", t(Topic::ImpliedCap)),
    ("cap rate, cap, capitalization rate, going in cap rate, going in cap, yield", t(Topic::Cap)),
    ("purchase price, acquisition price, acquisition cost, purchase cost, price paid, original purchase price, original cost, bought for, acquisition basis", t(Topic::PurchasePrice)),
    ("bought, buy, acquire, acquired, purchased, purchase date, acquisition date, date of purchase, date of acquisition, acquisition", t(Topic::Acquired)),
    ("built, year built, construction year, constructed, vintage, year of construction, how old", t(Topic::Built)),
    ("equity, equity value, value minus debt, value less debt, value net of debt, net equity, market value minus debt, market value less debt, market value net of debt, value minus loan, value less loan, equity position", t(Topic::Equity)),
    ("deposit, security deposit, tenant deposit, tenant security deposit, damage deposit", t(Topic::Deposits)),
    ("no debt, no debt service, without debt service, no loan, no mortgage, debt free, unencumbered, unlevered, without debt, without a loan, without a mortgage, without any debt, without loan, without mortgage, free and clear, free of debt, not mortgaged, not encumbered, no outstanding debt, no debt on it, no debt on them, no lender", t(Topic::DebtFree)),
    ("weighted average maturity, average maturity, average loan term, weighted average loan term, average term to maturity, weighted average term to maturity, weighted average loan maturity, average loan maturity, average remaining loan term, weighted average remaining loan term, average debt maturity, weighted average debt maturity, weighted average debt term, average debt term, average time to maturity, weighted average time to maturity, weighted average years to maturity, average years to maturity", t(Topic::DebtTerm)),
    // What turns a topic.
    ("by area, area weighted, weighted on floor area, weighted on area, weighted on sqft, weighted on square footage, on floor area, weighted by the floor area, weighted by floor space, area weighting, weighting by area, weighted by area, by square footage, by square foot, by square feet, by sqft, by sf, by floor area, weighted by square footage, area basis, on an area basis, sqft weighted, weighted by sqft, weighting by area, weighting by square footage, measured by square feet, measured by square foot, measured by area, measured in square feet", m(Turn::ByArea)),
    ("by rent, rent weighted, weighting by rent, rent weighting, weighted on rent, weighted by rent, by income, weighted by income, income weighted, by base rent, on rent, rent basis, by annual rent, on income, weighted by base rent, by rental income", m(Turn::ByRent)),
    ("by unit count, unit count, counting unit, count by unit, by number of unit, unit basis, on a unit basis", m(Turn::ByUnits)),
    ("all unit, total unit, if the model and down unit stay in the denominator, if model and down unit stay in the denominator, if the model and down unit are counted, if the model and down unit count, if the model and down unit stay in, with the model and down unit counted, model and down unit included, model and down included, down and model unit included, model and down counted, if i leave the model down unit in the denominator, if we leave the model down unit in the denominator, leave the model down unit in the denominator, leaving the model down unit in the denominator, model and down one left in the denominator, model and down unit left in the denominator, with the model down unit in the denominator, model down unit in the denominator, model and down unit in the denominator, count the model and down unit, count model and down unit, if you count the model and down unit, including model and down unit, including down and model unit, including the model and down unit, including non revenue unit, if you include the model and down unit, count all unit, counting all unit, counting model and down unit, counting the model and down unit, on all unit, including down unit, including model unit, if we count the model and down unit, with model and down unit, if you count model and down unit, if you include model and down unit, if we include model and down unit, counting down and model unit, include model and down unit, include the model and down unit",
        m(Turn::AllUnits)),
    ("per unit, per apartment, per door, a unit, a door, per apartment unit, each unit, each apartment, per occupied unit, per home, per occupied apartment", m(Turn::PerUnit)),
    ("per square foot, psf, per sqft, per sf, a square foot, a foot, per foot, per sq ft, per square feet", m(Turn::PerArea)),
    ("per month, monthly, per mo, a mo, mo, a month, each month", m(Turn::PerMonth)),
    ("per year, annual, annually, per yr, a yr, yr, pa, p a, a year, per annum, yearly", m(Turn::PerYear)),
    ("annualized, annualised, annualize, annualise, on an annualized basis, run rate", m(Turn::Annualized)),
    ("percent, percentage, pct, share, what share, proportion, fraction, portion, as a percentage, as a share, as percent, as a percent, in percent, ratio, in percentage, as share, %, how much of, what part, part of, slice, contribution, what percent, as a proportion, as a fraction", m(Turn::Share)),
    ("how many, number of, count of, count", m(Turn::Count)),
    ("senior, senior only, senior debt only, first mortgage, senior debt, senior loan only, only the senior, excluding mezz, excluding the mezz, excluding mezzanine, without the mezz, without mezz, on the senior loan, on the senior, first lien, excluding the mezzanine, just the senior, just the senior loan, senior loan alone", m(Turn::Senior)),
    ("senior debt plus mezz, senior debt plus the mezz, senior debt and mezz, senior debt and the mezz, senior loan plus mezz, senior loan and mezz, on senior debt plus mezz, on senior plus mezz, senior plus the mezz, senior and the mezz, all in, including the mezz, mezz too, mezz included, incl mezz, incl the mezz, incl. the mezz, mezz and all, including mezz, including mezzanine, with the mezz, all loan, all debt, total leverage, including the mezzanine, including all debt, on all debt, on all loan, with mezz, including the mezz loan, including the mezzanine loan, counting the mezz, senior and mezz, senior plus mezz, senior and mezzanine, senior plus mezzanine, senior and mezz debt, mezz and senior, mezzanine and senior, both senior and mezz, both senior and mezzanine, senior and junior", m(Turn::AllLoans)),
    ("levered, levered asset, leveraged, leveraged asset, encumbered, encumbered asset, encumbered building, levered building, levered property, encumbered property, with debt, mortgaged", m(Turn::Levered)),
    ("compared with the twelve month before that, compared to the twelve month before that, versus the twelve month before that, moved between, moved from, move from, move between, moved since, above or below, below or above, higher or lower, lower or higher, rise or fall, rose or fell, rose or fall, risen or fallen, increase or decrease, up or down, by how many percentage point, by how many point, grow, growth, grew, on the twelve months before that, up on the twelve months before, over the twelve months before that, over the twelve months before, up on the prior twelve months, up on the year before, up or down, up or down against the twelve months before that, has moved, have moved, by what percent, by what percentage, by how many percent, what percent did, with the twelve before that, is it up, are we up, is it up by, grown, change, changed, increase, increased, rise, risen, growth rate, yoy, year over year, year on year, over the prior twelve months, over the prior year, over prior year, versus prior year, vs prior year, against the twelve months before that, against the twelve month before that, versus the twelve months before that, vs the twelve months before that, with the twelve months before that, with the twelve before that, against the twelve before that, versus the twelve before that, vs the twelve before that, against the prior twelve months, against the prior twelve, versus the prior twelve, vs the prior twelve, than the twelve months before, against the previous twelve months, with the prior twelve months, with the prior twelve, versus the prior year, vs the prior year, over the prior 12 months, over the preceding twelve months, over the previous twelve months, compared to the prior year, compared with the prior year, versus the prior twelve months, vs the prior twelve months, compared to the prior twelve months, compared with the prior twelve months, versus the year before, compared to the year before, compared with the year before, over the year before, on the prior year, than the year before, than the prior year, versus a year ago, vs a year ago, compared to a year ago, from a year ago, from the prior year, from the year before, on the year before, vs the prior 12 months, versus the prior 12 months, compared to the prior 12 months, over the previous year, on the year, gone up, go up, went up, going up, climb, climbed, improve, improved, appreciate, appreciated, appreciation, annual growth, percent change, percentage change, growth over the prior year, rose",
        m(Turn::Growth)),
    ("gone down, go down, went down, going down, fell, fall, fallen, falling, drop, dropped, dropping, decline, declined, declining, decrease, decreased, worsen, worsened, shrink, shrank, shrunk, depreciate, depreciated, lost, slipped, deteriorated", m(Turn::Loss)),
    ("month over month, month on month, mom, over the prior month, over the previous month, versus the prior month, vs the prior month, vs prior month, versus prior month, vs the previous month, from the prior month, from the previous month, from the month before, than the month before, than the prior month, versus the month before, compared to the prior month, compared with the prior month, compared to the month before, month to month change", m(Turn::MonthOnMonth)),
    ("quarter over quarter, quarter on quarter, qoq, over the prior quarter, over the previous quarter, versus the prior quarter, vs the prior quarter, vs prior quarter, versus prior quarter, vs the previous quarter, from the prior quarter, from the previous quarter, than the prior quarter, than the quarter before, compared to the prior quarter, compared with the prior quarter, sequentially", m(Turn::QuarterOnQuarter)),
    ("gain, gained, gaining, added", m(Turn::Gain)),
    ("first to, first one to, next, soonest, earliest, nearest, upcoming, closest", m(Turn::Next)),
    ("fixed rate, fixed rate loan, fixed", m(Turn::Fixed)),
    ("floating rate, floating, variable rate, adjustable rate, swapped, floating rate loan, variable rate loan", m(Turn::Floating)),
    ("interest only, io, in the interest only period, interest only period, in io, in their io period, in their interest only period", m(Turn::InterestOnly)),
    ("average, avg, mean, on average", m(Turn::Average)),
    ("median, middle, mid point, midpoint", m(Turn::Median)),
    ("for occupied unit, for the occupied unit, on occupied unit, on the occupied unit, across occupied unit, across the occupied unit, across all occupied unit, over occupied unit, over the occupied unit, occupied unit only, only occupied unit, in occupied unit, in the occupied unit, for occupied apartment, on occupied apartment, for occupied space, among occupied unit, among the occupied unit", m(Turn::OccupiedOnly)),
    ("including, include, incl, inclusive of, counting, included", m(Turn::Including)),
    ("how far, variance, ahead, behind, ahead of, ahead of or behind, ahead or behind, behind or ahead of, track against, tracking against, off, deviation, variance to, over under", m(Turn::Versus)),
    ("shortfall, missed, miss, missing, behind on, fell short, short of its, short of their, fall short, came in under, underperformed, underperform, failed to meet, not meet, did not meet, didn't meet, didn't hit, did not hit", m(Turn::Missed)),
    ("beat, beating, outperformed, outperform, met or beat, ahead on, came in over, exceeded", m(Turn::Beat)),
    ("each, every, individually, respectively", m(Turn::Each)),
    // Splits.
    ("by building, per building, building wise, property wise, asset wise, each building, by property, per property, each property, by asset, per asset, each asset, every building, every property, building by building, property by property, for each building, for each property, across buildings, across properties, broken down by building, which building, which property, which asset, what building, what property, which one of our buildings, which of my buildings, which of my properties, what asset, which asset of ours, which of our buildings, which of our properties, which of the buildings, which of our assets, which of the properties, list of our building, list of our property, list of our asset, list of building, list of property, list of the building, list of the property", By(Split::Building)),
    ("by city, per city, each city, by market, per market, each market, which city, which market, what city, broken down by city, every city, city by city, by metro, for each city", By(Split::City)),
    ("by state, per state, each state, which state, what state, broken down by state, for each state", By(Split::State)),
    ("by property type, by type, per property type, by asset class, each property type, which property type, by sector, per type, by asset type, which asset class, for each property type, what property type, which type of property, what type of property, which kind of property, what kind of property, which sector, which type of building, what type of building", By(Split::PropertyType)),
    ("by unit type, per unit type, each unit type, which unit type, by bedroom, by bedroom count, by number of bedroom, by floor plan, by floorplan, per bedroom count, by unit mix, unit mix, by unit size, by apartment type, for each unit type, per bedroom type", By(Split::UnitType)),
    ("by industry, per industry, each industry, which industry, by tenant industry, for each industry, what industry, by tenant sector, across industry", By(Split::Industry)),
    ("by lease type, per lease type, each lease type, which lease type, by type of lease, for each lease type, by lease structure", By(Split::LeaseType)),
    ("by account, per account, each account, which account, by line item, by line, by expense line, by expense category, by cost category, by category, by expense type, by expense, which line, which line item, which expense, what expense, which expense line, which expense account, what expense line, which cost, which cost line, expense line, expense account, expense category, line item, cost line, cost category, each line, by gl account, by gl, by ledger account, which expense category, by income line, by revenue line, revenue line, which revenue line, operating expense line", By(Split::Account)),
    ("by lender, per lender, each lender, which lender, what lender, for each lender, by bank, per bank, which bank, each bank, every lender", By(Split::Lender)),
    ("trend, trended, trending, by month, each month end, month by month, every month, for each month, month end by month end, which month, at each month end, trend by month, broken down by month, over time, monthly trend, what month, month end", By(Split::Month)),
    ("by quarter, each quarter, quarterly, per quarter, every quarter, quarter by quarter, for each quarter, which quarter, broken down by quarter, what quarter", By(Split::Quarter)),
    ("by year, each year, year by year, every year, for each year, which year, broken down by year, by calendar year, what year, by expiry year, by maturity year, by expiration year", By(Split::Year)),
    // Kinds.
    ("multifamily, multi family, apartment, apt, residential, resi, apartment building, apartment community, multifamily building, multifamily property, apartment asset, apartment property, residential building, housing, flat, flats, apartment side, residential side, apartment portfolio, multifamily side, multifamily portfolio", Kind(Group::Residential)),
    ("commercial, commercial building, commercial property, commercial asset, commercial side, commercial portfolio, non residential, nonresidential, commercial space", Kind(Group::Commercial)),
    ("office, office building, office property, office asset, office portfolio, office space", Kind(Group::Office)),
    ("retail, retail building, retail property, retail center, shopping center, retail asset, retail space", Kind(Group::Retail)),
    ("industrial, industrial building, industrial property, warehouse, logistic, industrial asset, industrial space", Kind(Group::Industrial)),
    ("mixed use, mixed", Kind(Group::Mixed)),
    ("whole portfolio, entire portfolio, portfolio, all property, all building, across the portfolio, portfolio wide, all of our property, overall, everything, total portfolio, all asset, across all property, company wide, altogether, in total, all our property, all our building, all of our building, portfoliowide, all the property, all the building, all of them, combined, in all, all told, all in all, whole, entire", Whole),
    ("our, we, us, ours, my, i own, we own, do we own, we have, owned", Own),
    // Ranking.
    ("longer, highest, best, biggest, largest, greatest, top, strongest, most, fullest, bigger, higher, better, larger, leading, maximum, max, rank, ranking, ranked, sort, sorted, longest, priciest, costliest, most expensive, heaviest, richest, best performing, best to worst, high to low, highest to lowest, largest to smallest, biggest to smallest, descending, most costly, healthiest, peak, strongest to weakest, best first, highest first, largest first, biggest first, top first, fullest first, single biggest, single largest, single highest, single most expensive, newest, youngest, latest built, most recently built, most recently bought", Most),
    ("shorter, lowest, worst, smallest, least, bottom, weakest, emptiest, fewest, lower, worse, smaller, minimum, min, poorest, shortest, thinnest, tightest, cheapest, least expensive, worst performing, worst to best, low to high, lowest to highest, smallest to largest, ascending, slimmest, thin, softest, leanest, riskiest, worst first, lowest first, smallest first, weakest first, emptiest first, single lowest, single smallest, oldest", Least),
    ("at most, no more than, not more than, no higher than, no greater than, fall below, fell below, fallen below, falling below, drop below, dropped below, dip below, dipped below, go below, below, under, less than, fewer than, lower than, beneath, smaller than, short of, worse than", Below),
    ("at least, no less than, not less than, no lower than, rise above, rose above, go above, climb above, above, over, more than, greater than, higher than, exceed, exceeding, in excess of, exceeds, larger than, better than", Above),
    ("versus, vs, compared to, made more, earned more, earns more, brings in more, brought in more, which made more, compared with, compare, comparing, against, differ from, differ, relative to, comparison, v, or, compare with, how does, stack up, difference, difference between, difference in, gap, gap between, spread between, how much more, how much higher, how much bigger, how much larger, how much less, how much lower, how much smaller, stacked up, next to, measured against, head to head, differ between", Against),
    ("than, up from, down from", Than),
    ("itemise, list, which one, which of them, which of these, which of those, who are they, name them, list them, show them, itemize, enumerate", List),
    ("they, them, it, its, their, theirs", Pronoun),
    // Nothing of their own.
    ("the, a, an, of, at, in, on, for, to, is, are, was, were, be, been, do, does, did, have, has, had, what, which, who, how, how much, how many are there, there, and, with, from, by, as, please, pls, show, give, tell, me, can, could, you, i, need, want, know, get, see, pull, look like, looking, report, provide, find, us the, across, total, number, figure, current, currently, today, now, right now, out, so, just, only, all, any, side, when, where, within, period, time, end, date, year, month, property, building, asset, community, site, location, place, side of, people, in place, thank, thanks, hi, hello, hey, my question, quick question, quickly, also, then, still, between, stand, standing, basis, base, come, go, going, much, long, up, data, roll call, running, run, like, break, break down, break it down, break that down, break this down, break them down, breaking down, breakdown, city, state, broken down, split, split out, table, schedule, profile, spend, spent, cost, paid, pay, gave, away, give away, give us, made, earn, earned, generate, generated, produce, produced, collected, bring in, brought in, throw off, weighted, size, based, per, record, one, name, names, am, will, would be, into, yet, back, add up, sum, not counting anything, doing, perform, performing, performance, test, rent roll, book, owner, last, we at, if any, we sitting at, sitting at, looking at, the following, trailing, during, granted, side by side, together, jointly, collectively, too, as well, far, due, their covenant, at the, active, in force, us up, we at on, got, we are, we're, term, for us, latest, most recent, having, hold, held, carry, carries, run at, running at, make, makes, making, pays, paying, paid out, spends, spending, come from, comes from, coming from, came from, come out of, derive, derives, derived, contribute, contributed, contributes, contributed by, account for, accounts for, accounted for, attributable, represent, represents, represented, make up, makes up, made up, cover, covered, covers, covering, dollar, in dollar, usd, buck, as of, every single, whats, what's, how's, hows, say, please list, exactly, currently at, whole year, full year, full calendar year, whole calendar year, entire calendar year, complete calendar year, entire year, full fiscal year, full quarter, full month, full twelve month, full 12 month, full period, amount, amount to, sit, sits, sitting, total of, sum, sum of, per the, keep, kept, remain, remaining, there are, who's, whose, right, again please, been at, run us, cost us, costing, costs, taken in, take in, took in, take, took, brought, bring, pull in, pulled in, stay, stayed, off the, all up, over the course of, course, ever, among, amongst, goes, goes to, go to, went to, going to, go toward, toward, spent on, spend on, ending, ended, first of all, most part, and then, only the, average out, work out, works out, come to, comes to, came to, come in at, came in at, came in, where do, where does, where are, use, did it, do it, does it, mine, ago, compared",
        Filler),
    ("attached to, standalone, stand alone, as of month end, at month end, as of the month end, at the month end, as of this month end, as at month end, money, went out the door, go out the door, gone out the door, retire, retired, would the lender see, would a lender see, would the bank see, would a bank see, would a buyer see, would an investor see, alone, by itself, by themselve, on its own, on their own, expensed, accrued, added together, add together, added all together, hit the book, hitting the book, call for, called for, weighted by balance, at today rate, today rate, at today rent, at current rent, at current rate, by how many dollar, by how much, fall to, falls to, put together, or not, same date, that date, on that date, at that date, i should like to know, i should like, should like to know, sorry if this is, sorry if, to lease expiry, other capex, other capital, as a positive amount, as a positive dollar amount, as a positive dollar figure, as a positive figure, give it as a positive dollar amount, physically, physical, either, as a group, re, regarding, on the line, budget season, tax season, out the door for, going out the door for, went out the door for, on our latest mark, on the latest mark, latest mark, trade, prior t12, as a positive number, positive amount, positive number, if i mark, if we mark, same 12 mo, same 12 month, same twelve month, in the denominator, scheme, as a whole, blended, pay down, paid down, paydown, went into, go into, gone into, put into, collect, receive, received, net of gain, net of any gain, net of gain to lease, landed, end up, ended up, shake out, shook out, pan out, panned out, adding up every location, adding every location together, across every location, measured by, measured in, at the moment, these day, at present, as thing stand, dividing by, over at, over in, down at, up at, out at, over there, down there, if i compare, if we compare, if you compare, weighted by current balance, weighted by the balance, weighted by outstanding balance, weighted by current loan balance, weighted by principal, weighted by loan size, how big a stack of, how big a pile of, how big a chunk of, running the number, run the number, in effect, once, come around, comes around, operation, running at, big, to expiry, both, at what multiple, at what ratio, single month, single building, single largest, single biggest, single highest, single lowest, single property, single asset, single number, one number, one figure, as one number, as one figure, as one pool, pool, pooled, as one, summed, added up, all told, in aggregate, aggregate, come out at, comes out at, that calendar year, that year, that month, that quarter, calendar, negative behind, name and how much, name and amount, not a draft, no draft, not draft, excluding draft, not counting draft, early move out, every bay, every suite, every unit, every location, each location, all location, all suite, all bay, every dollar, every apartment, every lease, net of anyone above market, net of anybody above market, net of those above market, net of unit above market, net of any unit above market, net of any above market, netting those above market, net of the one above market, widest, plus sign, plus, ie, eg, weighted by loan balance, balance weighted, by balance, how many dollar, how many usd, booked, billed, bill, recorded, posted, reported, shown, given, given away, ledger, per the ledger, per ledger, according to the ledger, left, using, used, need, needed, needs, turn, turned in, deliver, delivered, yielded, achieve, achieved, registered, incur, incurred, charged, charge, attach, exactly, precisely, roughly, approximately, approx, about how much, kindly, actually, basically, remind, remind me, refresh my memory, let me know, wondering, i was wondering, i wonder, curious, i'd like, i would like, we'd like, would like, would like to know, would you, could you, would you please, could you please, help me, check, quickly, for me, for reference, for the record, according to our record, per our record, in our record, our record, at hand, in hand, overall figure, figure for, taking, taken together, day, in dollar, in dollar term, in usd, came through, come through, gl check, tie out, dollar amount",
        Filler),
    // Another kind of question.
    ("attached to this, attached to my, attached to the message, attached to the email, attached to the chat, attached to it, here is the, here is our, here is my, here is a, here's the, here's our, here's my, here are the, here are our, equity multiple, cash on cash, cash on cash return, moic, irr, return on equity, if, like for like, same store, comparable store, what if, assume, assuming, suppose, supposing, were to, would, should, could be, imagine, hypothetical, scenario, say that, mean, meaning, define, definition, explain, how do you calculate, how is it calculated, how come, how did you get, where does that come from, where does this come from, show your work, show the math, how does that come about, how did you come up with, calculated, calculate, calculation, formula, why, because, forecast, predict, projected, projection, expected to, expect, underwrite, underwritten, underwriting, pro forma, proforma, stabilized, attached, attachment, file, spreadsheet, upload, uploaded, document, pdf, csv, excel, workbook, sheet, t12 attached, rent roll attached, note, policy, assumption, target, guideline, standard, typical, normally, usually, good, rule of thumb, benchmark, industry average, adjust, adjusted",
        Other),
    ("left out, taken out, carved out, stripped out, excluded, don't want, dont want, do not want, not interested in, not asking about, not talking about, ex, excl, outside, dont count, don't count, do not count, dont include, don't include, do not include, other than in, not counting, not including, aside from, leaving aside, with the exception of, if we leave out, if we exclude, if you exclude, if you leave out, if we take out, if you take out, taking out, strip out, stripping out, if we strip out, outside of, but without, but not including, except for, excluding, exclude, except, without, ignoring, besides, other than, apart from, minus, less, net of, not, no, never, without debt, rather than, instead of, leaving out, leave out, but not", Except),
    ("this, that, these, those", Points),
];
