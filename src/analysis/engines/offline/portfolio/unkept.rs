//! The other part of [`reading`](super::reading): orders, times and averages that are understood word by word and that
//! nothing is kept for. What is near would be another figure, so it is asked back.

use crate::analysis::engines::offline::portfolio::lexicon::{Topic, Turn};
use crate::analysis::engines::offline::portfolio::reading::Scan;
use crate::analysis::tools::portfolio::Split;

impl Scan<'_> {
    /// Things put in order, chosen or listed by something that is not kept.
    pub(super) fn other_order(&self) -> Option<&'static str> {
        use Topic as T;
        // "How many buildings have 100 % occupancy?"
        if self.asks(&[T::Properties]) && !self.reading.values.is_empty() {
            return Some(
                "Ask which buildings are at or above a bound, for instance “at least 95 % occupancy”, and I list them.",
            );
        }
        let first = self.word(0);
        let ranked = self.reading.rank.is_some();
        let split = !self.reading.splits.is_empty();
        if !self.reading.without.accounts.is_empty() && (split || ranked) && self.asks(&[T::Opex, T::Egi]) {
            return Some("I cannot leave accounts out of a list of accounts. Ask for the list.");
        }
        let of_expenses = self.says_pair(&["biggest", "largest", "top", "highest"], &["expense", "cost"]);
        if of_expenses && self.reading.splits.iter().any(|split| *split != Split::Account) {
            return Some(
                "Do you mean the largest account of each, or the one that costs most? Ask for expenses by account in one place.",
            );
        }
        if first == "where" && !self.reading.topics.is_empty() && !split && !ranked && !self.asks(&[T::Area])
        {
            return Some("Ask for it by building or by city, and I tell where it is.");
        }
        let dated = [
            T::Expire,
            T::Rollover,
            T::Mature,
            T::Maturities,
            T::Built,
            T::Acquired,
            T::Loan,
            T::NotStarted,
        ];
        if first == "when" && !self.reading.topics.is_empty() && !self.asks(&dated) && !split && !ranked {
            return Some(
                "I know when leases end and loans mature. For the course of a figure ask for it by month.",
            );
        }
        let counts = self.reading.turns.contains(&Turn::Count);
        if self.asks(&[T::Tenants])
            && self.says_any(&["more than one", "several", "multiple", "two or more"])
            && !self.asks(&[T::Overlapping])
        {
            return Some(
                "I do not put tenants together by the number of their leases. Ask for the units of one tenant.",
            );
        }
        let rate = [
            "rate",
            "percent",
            "percentage",
            "share",
            "%",
            "ratio",
            "retention",
        ];
        let renewed = self.asks(&[T::Renewal]) && !self.says_any(&rate);
        if renewed && (counts || (matches!(first, "which" | "who") && self.asks(&[T::Tenants]))) {
            return Some(
                "I give the rate at which expiring leases were renewed, with their number. Ask for the renewal rate of a period.",
            );
        }
        if self.asks(&[T::AverageRent, T::Rent, T::Noi, T::Egi, T::Opex])
            && (0..self.pieces.len()).any(|at| {
                let noun = |at: usize| matches!(self.word(at), "tenant" | "lease" | "lessee" | "resident");
                self.word(at) == "per" && (noun(at + 1) || noun(at + 2))
            })
        {
            return Some(
                "I give rents per unit or per square foot, not per tenant or lease. Ask for either.",
            );
        }
        let polar = self.reading.polar;
        let compared = self.than_at.is_some() && self.mentions.len() < 2 && self.reading.times.len() < 2;
        if polar && ranked && (!self.reading.bounds.is_empty() || compared) {
            return Some(
                "Ask for the highest or lowest first, or for the figure of the two times; I do not judge both in one go.",
            );
        }
        let tested = self.says_any(&["meet", "pass", "satisfy", "comply"]);
        if tested && self.asks(&[T::Covenant]) {
            return Some("Ask which loans breach their covenants, and I test each of them.");
        }
        let moved = |turn: &Turn| matches!(turn, Turn::Gain | Turn::Loss);
        if (self.says_any(&["which building", "which property"]))
            && !ranked
            && self.reading.turns.iter().any(moved)
        {
            return Some(
                "Ask for the change by building, and I list all of them with what they gained or lost.",
            );
        }
        None
    }

    /// Times and averages over time that are not read.
    pub(super) fn other_time(&self) -> Option<&'static str> {
        use Topic as T;
        if self.reading.polar && self.says("ever") {
            return Some(
                "I test a figure at one time, not at all of them. Ask for it by month, and you see each.",
            );
        }
        let same = self.says_pair(&["same"], &["quarter", "month", "period", "half"]);
        if same
            && !self.reading.topics.is_empty()
            && self.reading.times.len() == 1
            && !self.reading.against
            && !self.reading.than
        {
            return Some("The same period as which one? Please name its months.");
        }
        if self.reading.turns.contains(&Turn::PerYear)
            && self.says("since")
            && self.asks(&[T::Noi, T::Egi, T::Opex, T::Capex])
        {
            return Some("Ask for it by year, and I give each year since then.");
        }
        if self.says_any(&[
            "day vacant",
            "vacant day",
            "down time",
            "downtime",
            "day on market",
        ]) {
            return Some("I know which units are vacant, not for how long. Ask for the vacant units.");
        }
        if self.asks(&[T::Breakeven]) && self.asks(&[T::Rent, T::AverageRent, T::MarketRent]) {
            return Some(
                "I give the occupancy needed to break even, not the rent. Ask for break-even occupancy.",
            );
        }
        let rates = [T::Occupancy, T::Vacancy, T::Ltv, T::Dscr, T::DebtYield];
        let mean = self.says_any(&["average", "mean", "avg"]);
        let of_buildings = self.says_any(&["building", "property", "asset"]);
        let unweighted = self.says_any(&["unweighted", "arithmetic", "equally"]);
        if (mean
            && of_buildings
            && self.asks(&rates)
            && self.reading.times.is_empty()
            && self.named.is_empty())
            || unweighted
        {
            return Some(
                "An average in which each building counts the same, or of all units together? I give the one of all together; ask for it without the word average.",
            );
        }
        let weighted = self.says_any(&["weighted", "weighting"]);
        if weighted
            && self.asks(&[T::Occupancy, T::Vacancy])
            && self.asks(&[T::Value, T::Noi, T::Debt, T::Rent])
        {
            return Some("I weight occupancy by units or by area. Ask for either.");
        }
        None
    }
}
