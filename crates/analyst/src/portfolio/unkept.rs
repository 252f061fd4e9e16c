//! The other part of [`reading`](super::reading): orders, times and averages that are understood word by word and that
//! nothing is kept for. What is near would be another figure, so it is asked back.

use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::pieces::{Kind, Piece};
use crate::portfolio::reading::Scan;
use crate::portfolio::times::{Named, When};
use crate::words::among::among;
use finance::portfolio::query::Split;
use tables::dates::month_named;

/// Amounts of the ledger.
const LEDGER: [Topic; 8] = [
    Topic::Noi,
    Topic::Egi,
    Topic::Opex,
    Topic::Capex,
    Topic::DebtService,
    Topic::Gpr,
    Topic::CashFlow,
    Topic::BadDebt,
];

fn split_by_time(splits: &[Split]) -> bool {
    splits.iter().any(|split| split.is_time())
}

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
        // "How many buildings are over their budget?": the number of all buildings is none.
        let counted = [
            T::Properties,
            T::DebtFree,
            T::Breach,
            T::Units,
            T::Area,
            T::Debt,
            T::Loan,
        ];
        let done = |turn: &Turn| {
            matches!(
                turn,
                Turn::Growth
                    | Turn::Gain
                    | Turn::Loss
                    | Turn::OverBudget
                    | Turn::UnderBudget
                    | Turn::Beat
                    | Turn::Missed
                    | Turn::Versus
            )
        };
        let free = self.asks(&[T::DebtFree, T::Breach]);
        let other = self.reading.topics.iter().any(|topic| !counted.contains(topic))
            || self.reading.turns.iter().any(done)
            || (self.asks(&[T::Debt, T::Loan]) && !free);
        if self.asks(&[T::Properties])
            && other
            && self.reading.bounds.is_empty()
            && !self.enumerates()
            && !free
        {
            return Some("Ask which buildings those are, and I name them; I do not count them by that.");
        }
        let first = self.word(0);
        let ranked = self.reading.rank.is_some();
        let split = !self.reading.splits.is_empty();
        if !self.reading.without.accounts.is_empty() && (split || ranked) && self.asks(&[T::Opex, T::Egi]) {
            return Some("I cannot leave accounts out of a list of accounts. Ask for the list.");
        }
        let of_expenses = self.says_pair(&["biggest", "largest", "top", "highest"], &["expense", "cost"])
            && !self.asks(&[T::ExpenseRatio]);
        if of_expenses && self.reading.splits.iter().any(|split| *split != Split::Account) {
            return Some(
                "Do you mean the largest account of each, or the one that costs most? Ask for expenses by account in one place.",
            );
        }
        // "Where is LTV at Barton Creek": what it is there.
        let stands = ["stand", "stood", "land", "landed", "end up", "finish", "finished"];
        let we = among(
            "we i you thing",
            self.word(1 + usize::from(among("are do did have were", self.word(1)))),
        ) && self.says_pair(
            &[
                "we",
                "stand",
                "stood",
                "today",
                "now",
                "currently",
                "land",
                "landed",
                "up",
                "out",
                "in",
                "sit",
                "are",
                "thing",
            ],
            &["on", "with", "for", "at"],
        );
        let ends = (1..self.pieces.len()).any(|at| {
            let next = self.pieces.get(at + 1);
            self.word(at) == "at" && next.is_none_or(|piece| matches!(piece.kind, Kind::Mark(_)))
        });
        let placed = we
            || ends
            || self.says_any(&["land", "landed", "end up", "ended up"])
            || (matches!(self.word(1), "is" | "does" | "do" | "did" | "was")
                && (!self.named.is_empty() || self.says_any(&stands)));
        if first == "where"
            && !self.reading.topics.is_empty()
            && !split
            && !ranked
            && !placed
            && !self.asks(&[T::Area])
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
        let ends = self.asks(&[T::Leases]) && self.says_any(&["end", "run out", "run until", "over"]);
        if first == "when" && !self.reading.topics.is_empty() && !self.asks(&dated) && !split && !ends {
            return Some(
                "I know when leases end and loans mature. For the course of a figure ask for it by month.",
            );
        }
        let peak = self.says_any(&["peak", "peaked", "trough", "bottomed"]);
        if peak && !split {
            return Some("Ask for it by month, and you see when it was highest and lowest.");
        }
        let counts = self.reading.turns.contains(&Turn::Count);
        if self.asks(&[T::Tenants]) && self.says_any(&["more than one", "several", "multiple", "two or more"])
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
        let of_tenants = self.says_any(&["tenant", "lessee"]);
        let several = self
            .reading
            .rank
            .is_some_and(|rank| rank.count.is_some_and(|count| count > 1));
        let of_property = [
            T::Walt,
            T::Noi,
            T::Occupancy,
            T::Vacancy,
            T::Egi,
            T::Opex,
            T::Dscr,
            T::Ltv,
            T::Value,
        ];
        if of_tenants && several && self.asks(&of_property) {
            return Some(
                "I know the rent, the area and the lease ends of the top tenants. Ask for one of those.",
            );
        }
        let of_buildings = self.says_any(&["building", "property", "asset"]);
        let share = self.reading.turns.contains(&Turn::Share);
        let summed = self.reading.summed || self.says_any(&["combined", "together", "sum of", "total of"]);
        if several && ((summed && !share) || (share && of_buildings)) {
            return Some(
                "I list the top ones with their figures, but do not add those up. Ask for the list.",
            );
        }
        let kinds = ["tenant", "loan", "lease", "mortgage"];
        let own = [
            T::Rent,
            T::Tenants,
            T::Concentration,
            T::Loan,
            T::Owe,
            T::Debt,
            T::Rate,
            T::Mature,
            T::Lender,
            T::Leases,
            T::Expire,
        ];
        if self.says_pair(&["by", "per", "each"], &kinds)
            && (self.reading.topics.iter().any(|topic| !own.contains(topic))
                || !self.reading.accounts.is_empty())
        {
            return Some(
                "I split that by building, city, state, property type or time, not by tenant or loan.",
            );
        }
        let split_by = "city year month quarter building property state type lender";
        let twice = (2..self.pieces.len()).any(|at| {
            among(split_by, self.word(at))
                && self.word(at - 1) == "and"
                && among(split_by, self.word(at - 2))
                && (3..=5).any(|back| {
                    at.checked_sub(back)
                        .is_some_and(|at| among("by per each", self.word(at)))
                })
        });
        if twice {
            return Some("Split by one thing at a time, please.");
        }
        if let Some(text) = self.not_added() {
            return Some(text);
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
        if self.says_pair(&["per", "a"], &["day", "hour", "week"])
            || self.says_any(&["daily", "weekly", "hourly"])
        {
            return Some("I give amounts by month, quarter or year. Ask for one of those.");
        }
        if self.asks(&[T::Walt]) && self.says_any(&["in month", "in day", "in week"]) {
            return Some("I give weighted lease terms in years. Ask for the WALT.");
        }
        let ranged = self.reading.edges.is_some();
        if ranged && self.says_any(&["difference", "differ"]) && self.says("between") {
            return Some(
                "Between which two? Name them one against the other: “NOI of Q1 2026 against Q2 2026”.",
            );
        }
        let against_year = (1..self.pieces.len()).any(|at| {
            let year = self.pieces.get(at).and_then(Piece::number);
            among("versus vs to with against", self.word(at - 1))
                && year.is_some_and(|year| (1990.0..2100.0).contains(&year))
        });
        let one_side = self.reading.times.len() == 1 && self.mentions.len() < 2 && !self.reading.portfolio;
        let budget = self.asks(&[T::Budget, T::Budgeted, T::MarketRent, T::LossToLease])
            || self.reading.turns.contains(&Turn::Versus);
        if one_side
            && self.says_any(&["versus", "vs", "against", "compared to", "compared with"])
            && !budget
            && self.quantities.len() < 2
            && !self.says_any(&[
                "year before",
                "prior",
                "before that",
                "year earlier",
                "previou",
                "previous",
                "last",
            ])
            && against_year
        {
            return Some("Which two times? Please name both of them.");
        }
        let month = |at: usize| month_named(self.word(at)).is_some();
        let bare_months = (0..self.pieces.len())
            .any(|at| self.word(at) == "between" && month(at + 1) && self.word(at + 2) == "and");
        if bare_months {
            return Some(
                "From the first month to the last, or the one against the other? Please say “from … to …” with the year.",
            );
        }
        let up_to = self.says("up to")
            || (0..self.pieces.len()).any(|at| {
                self.word(at) == "year" && self.word(at + 1) == "to" && self.word(at + 2) != "date"
            });
        if up_to && self.reading.times.len() == 1 && self.asks(&LEDGER) {
            return Some(
                "From which month on? Please name the first and the last, or ask for the twelve months through it.",
            );
        }
        let year_ahead = (0..self.pieces.len()).any(|at| {
            self.word(at) == "next" && self.word(at + 1) == "year" && (at == 0 || self.word(at - 1) != "the")
        });
        let named = self
            .pieces
            .iter()
            .any(|piece| piece.number() == Some(f64::from(self.last.year() + 1)));
        if year_ahead && !named && self.asks(&[T::Expire, T::Rollover, T::Mature, T::Maturities]) {
            return Some("The next calendar year, or the next twelve months? Please say which.");
        }
        if self.says("month ago") && (self.asks(&LEDGER) || !self.reading.accounts.is_empty()) {
            return Some(
                "That month alone, or the twelve months to it? Please name the month or the period.",
            );
        }
        let long = |named: &Named| matches!(named.when, When::Span(span) if span.months() > 1);
        let ends = [
            T::Expire,
            T::Rollover,
            T::Renewal,
            T::LossToLease,
            T::Concessions,
            T::BadDebt,
            T::Gpr,
        ];
        let rents = self
            .reading
            .topics
            .iter()
            .all(|topic| matches!(topic, T::Rent | T::Tenants | T::Units | T::Leases));
        if self.asks(&[T::Rent])
            && rents
            && !self.asks(&ends)
            && self.reading.times.iter().any(long)
            && !split_by_time(&self.reading.splits)
        {
            return Some(
                "I know the rents in force at a month's end, not what was billed or paid over a period. Ask for the rent as of a day, or for revenue.",
            );
        }
        let part = |named: &Named| match named.when {
            When::Span(span) => span.months() != 12,
            _ => false,
        };
        let used = self.asks(&[T::Cap]) && self.asks(&[T::Value]);
        if self.asks(&[T::DebtYield, T::ImpliedCap, T::Cap])
            && !used
            && (self.reading.times.iter().any(part) || split_by_time(&self.reading.splits))
        {
            return Some(
                "Twelve months are needed to set NOI over a balance or a value. Ask for it over the twelve months through a month.",
            );
        }
        if self.says("median")
            && self.says_any(&["mean", "average", "avg"])
            && self.says_any(&["and", "vs", "versus", "or"])
        {
            return Some("Mean and median are two figures. Please ask for one after the other.");
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
