//! The other part of [`reading`](super::reading): what is understood word by word and still asks for something else. A
//! figure of the usual kind would be wrong there, so it is asked back.

use crate::analysis::engines::offline::portfolio::lexicon::{Group, Topic, Turn};
use crate::analysis::engines::offline::portfolio::reading::Scan;
use crate::analysis::tools::portfolio::Split;

const AT_MATURITY: &str = "I know balances as they are today, not what will be left at maturity. Ask for the balance, or for the maturity date.";

impl Scan<'_> {
    /// What has to be asked before anything is looked up.
    pub(super) fn doubts(&mut self) {
        if self.reading.ask.is_none() {
            let text = self
                .other_base()
                .or_else(|| self.chosen_by_size())
                .or_else(|| self.both_ways())
                .or_else(|| self.other_measure())
                .or_else(|| self.other_order())
                .or_else(|| self.other_time())
                .or_else(|| self.two_places());
            self.reading.ask = text.map(str::to_owned);
        }
        self.overlapping_kinds();
    }

    pub(super) fn says(&self, words: &[&str]) -> bool {
        (0..self.pieces.len()).any(|at| {
            words
                .iter()
                .enumerate()
                .all(|(n, word)| self.word(at + n) == *word)
        })
    }

    pub(super) fn asks(&self, topics: &[Topic]) -> bool {
        self.reading.topics.iter().any(|topic| topics.contains(topic))
    }

    /// "LTV on cost", "implied cap rate on the purchase price", "NOI per occupied unit".
    fn other_base(&self) -> Option<&'static str> {
        use Topic as T;
        let ratio = self.asks(&[T::Ltv, T::ImpliedCap, T::DebtYield, T::Dscr]);
        let joined = self
            .pieces
            .iter()
            .any(|piece| piece.word() == "and" || piece.is_mark(','));
        let paid = self.asks(&[T::PurchasePrice])
            || [["on", "cost"], ["to", "cost"], ["we", "paid"]]
                .iter()
                .any(|words| self.says(words));
        if ratio && paid && !joined {
            return Some(
                "I give that on the latest market value, not on the price paid. Ask for the purchase price by itself, or for the usual figure.",
            );
        }
        if ratio && self.asks(&[T::Budgeted, T::Budget]) && !joined {
            return Some(
                "I give that on actual NOI, not on the budget. Ask for the budgeted NOI by itself, or for the usual figure.",
            );
        }
        let ledger = self.asks(&[T::Noi, T::Egi, T::Opex, T::Capex, T::DebtService])
            || !self.reading.accounts.is_empty();
        let occupied = ["unit", "apartment", "home", "door"]
            .iter()
            .any(|noun| self.says(&["per", "occupied", noun]));
        if ledger && occupied {
            return Some(
                "I give amounts of the ledger per unit over all units, not over the occupied ones. Ask for it per unit, or for the number of occupied units.",
            );
        }
        let base = ["occupied", "leased", "rented", "available", "vacant", "let"];
        if ledger && base.iter().any(|kind| self.says(&["per", kind])) {
            return Some(
                "I give amounts of the ledger over all units or all the area, not over a part of it. Ask for it per unit or per square foot.",
            );
        }
        let collected = self.says(&["collected", "rent"]) || self.says(&["rent", "collected"]);
        (collected && self.reading.base.is_some()).then_some(
            "I do not have a share of the rent collected. Ask for it as a share of gross potential rent, or of effective gross income.",
        )
    }

    /// "With the mezz and without": two figures, of which one would be given.
    fn both_ways(&self) -> Option<&'static str> {
        let with = self
            .pieces
            .iter()
            .any(|piece| matches!(piece.word(), "with" | "including"));
        let without = self
            .pieces
            .iter()
            .any(|piece| matches!(piece.word(), "without" | "excluding"));
        (with
            && without
            && self
                .pieces
                .iter()
                .any(|piece| matches!(piece.word(), "and" | "or")))
        .then_some("That is two figures, with something and without it. Please ask for one after the other.")
    }

    fn other_measure(&self) -> Option<&'static str> {
        use Topic as T;
        let moved = [
            "moved out",
            "moved in",
            "move in",
            "moving out",
            "moving in",
            "moving into",
        ]
        .iter()
        .any(|words| self.says(&words.split(' ').collect::<Vec<_>>()));
        if moved && self.asks(&[T::Tenants, T::Leases, T::Units, T::Expire]) && !self.asks(&[T::NotStarted]) {
            return Some(
                "I know the leases in force and those to come, not who moved in or out. Ask for leases that expire or start.",
            );
        }
        let left = ["tenant", "who", "that", "which", "lessee"]
            .iter()
            .any(|who| self.says(&[who, "left"]));
        if left && self.asks(&[T::Tenants]) && !self.asks(&[T::Walt]) {
            return Some(
                "I know the tenants in force, not those who left. Ask for leases that expired in a period.",
            );
        }
        if self.reading.will
            && self.asks(&[T::Owe, T::Debt])
            && !self.asks(&[T::Mature, T::Maturities, T::Expire])
        {
            return Some(
                "I know balances as they are today. Ask for the balance, or for the debt that matures in a period.",
            );
        }
        if self.asks(&[T::Owe])
            && ["it", "they", "loan"]
                .iter()
                .any(|who| self.says(&["when", who, "mature"]))
            && !self.enumerates()
        {
            return Some(AT_MATURITY);
        }
        let lasting = self.says(&["longest"]) || self.says(&["shortest"]);
        if lasting && self.asks(&[T::Tenants, T::Leases]) && !self.asks(&[T::Walt, T::Expire]) {
            return Some(
                "I put tenants in order by rent and leases by their end. Ask for the WALT, or for the leases that expire in a period.",
            );
        }
        if self.asks(&[T::LossToLease]) && (self.asks(&[T::Tenants]) || self.asks(&[T::Gpr, T::Egi])) {
            return Some(
                "I give the loss to lease of all occupied units, as an amount or as a share of their market rent. Ask for either.",
            );
        }
        let lenders = [
            "how many lender",
            "number of lender",
            "how many bank",
            "number of bank",
            "count of lender",
        ];
        if lenders
            .iter()
            .any(|words| self.says(&words.split(' ').collect::<Vec<_>>()))
        {
            return Some("I count loans, not lenders. Ask for the debt by lender, which names each of them.");
        }
        let sided = |turn: &Turn| matches!(turn, Turn::Beat | Turn::Missed);
        if self.asks(&[T::Properties]) && self.reading.turns.iter().any(sided) {
            return Some(
                "Ask which buildings those are, and I name them with the difference to their budget.",
            );
        }
        if self.reading.turns.contains(&Turn::Annualized)
            && self.says(&["run", "rate"])
            && self.reading.times.is_empty()
        {
            return Some(
                "The run rate of which months? Ask for instance for the annualized last three months.",
            );
        }
        let cost = ["over", "since", "above", "on"].iter().any(|lead| {
            ["cost", "purchase", "acquisition", "basis"]
                .iter()
                .any(|of| self.says(&[lead, of]))
        });
        let paid = self.says(&["we", "paid"]) || self.says(&["exceed", "cost"]);
        if (cost || paid) && (self.asks(&[T::Value, T::Debt]) || self.says(&["appreciation"])) {
            return Some(
                "I give the market value and the purchase price, not the one over the other. Ask for each.",
            );
        }
        if self.says(&["land", "value"]) || self.says(&["value", "of", "land"]) {
            return Some(
                "I know the value of the whole property, not of its land. Ask for the market value.",
            );
        }
        if self.says(&["gross", "potential", "income"]) {
            return Some("Do you mean gross potential rent, or effective gross income?");
        }
        // "Not Denver, Austin": the second is meant.
        if self.word(0) == "not" && self.mentions.len() > 1 && !self.says(&["or"]) && !self.says(&["and"]) {
            return Some("Please name only the places you want.");
        }
        if self.asks(&[T::Empty])
            && (self.says(&["and", "not", "leased"]) || self.says(&["but", "not", "leased"]))
        {
            return Some(
                "I count vacant units whether or not a lease to come is signed for them. Ask for vacant units, or for signed leases that have not started.",
            );
        }
        let deducted = self.asks(&[T::BadDebt, T::Concessions])
            || self
                .reading
                .without
                .accounts
                .iter()
                .any(|account| matches!(account.code.as_str(), "4010" | "4020" | "4030" | "4040"));
        if deducted && self.asks(&[T::Egi, T::Noi]) && self.says(&["net", "of"]) {
            return Some(
                "Effective gross income and NOI are net of bad debt, concessions and vacancy already. Ask for either as it is.",
            );
        }
        if self.says(&["at", "maturity"]) && self.asks(&[T::Owe, T::Debt, T::Loan]) {
            return Some(AT_MATURITY);
        }
        if self.asks(&[T::Signed, T::NotStarted]) && self.asks(&[T::Renewal]) {
            return Some("I count signed leases that have not started, renewals or not. Ask for those.");
        }
        let exposed = self.says(&["exposure", "to"]) || self.says(&["exposed", "to"]);
        if exposed && self.asks(&[T::Concentration, T::Tenants]) {
            return Some(
                "Do you mean their share of rent, or the largest tenants among them? Ask for rent by industry or for the top tenants.",
            );
        }
        None
    }

    /// Things put in order, chosen or listed by something that is not kept.
    fn other_order(&self) -> Option<&'static str> {
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
        let of_expenses = ["expense", "cost"].iter().any(|noun| {
            ["biggest", "largest", "top", "highest"]
                .iter()
                .any(|order| self.says(&[order, noun]))
        });
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
            && ["more than one", "several", "multiple", "two or more"]
                .iter()
                .any(|words| self.says(&words.split(' ').collect::<Vec<_>>()))
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
        let renewed = self.asks(&[T::Renewal]) && !rate.iter().any(|word| self.says(&[word]));
        if renewed && (counts || (matches!(first, "which" | "who") && self.asks(&[T::Tenants]))) {
            return Some(
                "I give the rate at which expiring leases were renewed, with their number. Ask for the renewal rate of a period.",
            );
        }
        if self.asks(&[T::AverageRent, T::Rent, T::Noi, T::Egi, T::Opex])
            && ["tenant", "lease", "lessee", "resident"].iter().any(|noun| {
                self.says(&["per", noun])
                    || self.says(&["per", "commercial", noun])
                    || self.says(&["per", "office", noun])
                    || self.says(&["per", "retail", noun])
            })
        {
            return Some(
                "I give rents per unit or per square foot, not per tenant or lease. Ask for either.",
            );
        }
        let polar = self.reading.polar;
        if polar && ranked && (!self.reading.bounds.is_empty() || self.than_at.is_some()) {
            return Some(
                "Ask for the highest or lowest first, or for the figure of the two times; I do not judge both in one go.",
            );
        }
        let tested = ["meet", "pass", "satisfy", "comply"]
            .iter()
            .any(|verb| self.says(&[verb]));
        if tested && self.asks(&[T::Covenant]) {
            return Some("Ask which loans breach their covenants, and I test each of them.");
        }
        let moved = |turn: &Turn| matches!(turn, Turn::Gain | Turn::Loss);
        if (self.says(&["which", "building"]) || self.says(&["which", "property"]))
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
    fn other_time(&self) -> Option<&'static str> {
        use Topic as T;
        if self.reading.polar && self.says(&["ever"]) {
            return Some(
                "I test a figure at one time, not at all of them. Ask for it by month, and you see each.",
            );
        }
        let same = ["quarter", "month", "period", "half"]
            .iter()
            .any(|unit| self.says(&["same", unit]));
        if same
            && !self.reading.topics.is_empty()
            && self.reading.times.len() == 1
            && !self.reading.against
            && !self.reading.than
        {
            return Some("The same period as which one? Please name its months.");
        }
        if self.reading.turns.contains(&Turn::PerYear)
            && self.says(&["since"])
            && self.asks(&[T::Noi, T::Egi, T::Opex, T::Capex])
        {
            return Some("Ask for it by year, and I give each year since then.");
        }
        let days = [
            ["day", "vacant"],
            ["down", "time"],
            ["day", "on"],
            ["vacant", "day"],
        ];
        if days.iter().any(|words| self.says(words)) || self.says(&["downtime"]) {
            return Some("I know which units are vacant, not for how long. Ask for the vacant units.");
        }
        if self.asks(&[T::Breakeven]) && self.asks(&[T::Rent, T::AverageRent, T::MarketRent]) {
            return Some(
                "I give the occupancy needed to break even, not the rent. Ask for break-even occupancy.",
            );
        }
        let rates = [T::Occupancy, T::Vacancy, T::Ltv, T::Dscr, T::DebtYield];
        let mean = ["average", "mean", "avg"].iter().any(|word| self.says(&[word]));
        let of_buildings = ["building", "property", "asset"]
            .iter()
            .any(|noun| self.says(&[noun]));
        let unweighted = ["unweighted", "arithmetic", "equally"]
            .iter()
            .any(|word| self.says(&[word]));
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
        let weighted = self.says(&["weighted"]) || self.says(&["weighting"]);
        if weighted
            && self.asks(&[T::Occupancy, T::Vacancy])
            && self.asks(&[T::Value, T::Noi, T::Debt, T::Rent])
        {
            return Some("I weight occupancy by units or by area. Ask for either.");
        }
        None
    }

    /// "Following the Ybor tour, what is NOI at Highlands Corner?": two places, and nothing that joins them.
    fn two_places(&self) -> Option<&'static str> {
        let supposed = self.says(&["if"])
            && (self.reading.whole || self.reading.portfolio)
            && !self.reading.places.is_empty();
        if supposed {
            return Some(
                "What changes is of one place and the figure of all of them. Please ask for the figure of that place.",
            );
        }
        if !self.says(&["without"]) && !self.reading.without.places.is_empty() {
            return None;
        }
        let mezz = self.says(&["mezz"]) || self.says(&["mezzanine"]);
        if mezz && !self.reading.without.places.is_empty() {
            return Some(
                "Without its mezzanine loan, or without the property? Ask for the senior debt of that property.",
            );
        }
        let [first, second] = self.named.as_slice() else {
            return None;
        };
        let asks = (first.1..second.0).any(|at| {
            matches!(
                self.word(at),
                "what" | "what'" | "how" | "which" | "who" | "give" | "show" | "tell" | "about"
            )
        });
        let joins = (first.1..second.0).any(|at| {
            matches!(
                self.word(at),
                "and" | "or" | "vs" | "versus" | "than" | "compare" | "compared" | "with" | "against" | "to"
            )
        });
        (asks && !joins && !self.reading.against && self.reading.places.len() == 2)
            .then_some("Two places are named, and I cannot tell whether both are asked about. Please name those you mean in the question itself.")
    }

    /// "The commercial properties, only the office side": the narrower kind. "Commercial including office": the wider one.
    /// Both together would count one of them twice.
    fn overlapping_kinds(&mut self) {
        let narrow = |group: &Group| matches!(group, Group::Office | Group::Retail | Group::Industrial);
        let groups = &self.reading.groups;
        let overlap = groups.contains(&Group::Commercial) && groups.iter().any(narrow);
        if !overlap || self.reading.against || !self.reading.sides.is_empty() {
            return;
        }
        if self.reading.just || self.says(&["side"]) {
            self.reading.groups.retain(|group| *group != Group::Commercial);
        } else if self.says(&["and"]) || self.reading.turns.remove(&Turn::Including) {
            self.reading.groups.retain(|group| !narrow(group));
        } else {
            self.reading.ask = Some("Do you mean all commercial properties, or one kind of them?".to_owned());
        }
    }
}
