//! The other part of [`reading`](super::reading): what is understood word by word and still asks for something else. A
//! figure of the usual kind would be wrong there, so it is asked back.

use crate::portfolio::lexicon::{Group, Topic, Turn};
use crate::portfolio::pieces::Piece;
use crate::portfolio::reading::Scan;
use crate::portfolio::times::{Named, When};

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
        // "The minimum DSCR covenant": its name, no order.
        if self.asks(&[Topic::Covenant]) && self.says_any(&["min", "minimum", "max", "maximum"]) {
            self.reading.rank = None;
        }
    }

    /// Whether the words of a phrase, without plurals, stand one after another.
    pub(super) fn says(&self, phrase: &str) -> bool {
        (0..self.pieces.len()).any(|at| {
            phrase
                .split(' ')
                .enumerate()
                .all(|(n, word)| self.word(at + n) == word)
        })
    }

    pub(super) fn says_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.says(phrase))
    }

    /// One of the first right before one of the second.
    pub(super) fn says_pair(&self, first: &[&str], second: &[&str]) -> bool {
        (0..self.pieces.len()).any(|at| first.contains(&self.word(at)) && second.contains(&self.word(at + 1)))
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
        let paid = self.asks(&[T::PurchasePrice]) || self.says_any(&["on cost", "to cost", "we paid"]);
        if ratio && paid && !joined {
            return Some(
                "I give that on the latest market value, not on the price paid. Ask for the purchase price by itself, or for the usual figure.",
            );
        }
        let past = |time: &Named| match time.when {
            When::End(month) => month < self.last,
            When::Day(day) => day < self.last.last_day(),
            When::Span(span) => span.to < self.last,
            _ => false,
        };
        let of_today = self.says_pair(&["today", "current", "present"], &["balance", "debt", "loan"])
            || self.says_pair(&["balance", "debt"], &["today", "now"]);
        if ratio && of_today && self.reading.times.iter().any(past) {
            return Some(
                "I take both parts of a ratio at the same time. Ask for each of the two by itself, at its own time.",
            );
        }
        if ratio && self.asks(&[T::Budgeted, T::Budget]) && !joined {
            return Some(
                "I give that on actual NOI, not on the budget. Ask for the budgeted NOI by itself, or for the usual figure.",
            );
        }
        let ledger = self.asks(&[T::Noi, T::Egi, T::Opex, T::Capex, T::DebtService])
            || !self.reading.accounts.is_empty();
        let base = [
            "occupied",
            "leased",
            "rented",
            "available",
            "vacant",
            "let",
            "rentable",
        ];
        if ledger && self.says_pair(&["per"], &base) {
            return Some(
                "I give amounts of the ledger over all units or all the area, not over a part of it. Ask for it per unit or per square foot.",
            );
        }
        let collected = self.says_any(&["collected rent", "rent collected"]);
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
        let moved = self.says_any(&[
            "moved out",
            "moved in",
            "move in",
            "moving out",
            "moving in",
            "moving into",
        ]);
        if moved && self.asks(&[T::Tenants, T::Leases, T::Units, T::Expire]) && !self.asks(&[T::NotStarted]) {
            return Some(
                "I know the leases in force and those to come, not who moved in or out. Ask for leases that expire or start.",
            );
        }
        let left = self.says_pair(&["tenant", "who", "that", "which", "lessee"], &["left"]);
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
            && self.says_any(&["when it mature", "when they mature", "when loan mature"])
            && !self.enumerates()
        {
            return Some(AT_MATURITY);
        }
        let lasting = self.says_any(&["longest", "shortest"]);
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
        if self.says_pair(&["many", "of"], &["lender", "bank"]) && self.reading.turns.contains(&Turn::Count) {
            return Some("I count loans, not lenders. Ask for the debt by lender, which names each of them.");
        }
        let sided = |turn: &Turn| matches!(turn, Turn::Beat | Turn::Missed);
        if self.asks(&[T::Properties]) && self.reading.turns.iter().any(sided) {
            return Some(
                "Ask which buildings those are, and I name them with the difference to their budget.",
            );
        }
        if self.reading.turns.contains(&Turn::Annualized)
            && self.says("run rate")
            && self.reading.times.is_empty()
        {
            return Some(
                "The run rate of which months? Ask for instance for the annualized last three months.",
            );
        }
        let cost = self.says_pair(
            &["over", "since", "above", "on"],
            &["cost", "purchase", "acquisition", "basis"],
        );
        let paid = self.says("we paid") || self.says("exceed cost");
        if (cost || paid)
            && !self.reading.minus
            && (self.asks(&[T::Value, T::Debt]) || self.says("appreciation"))
        {
            return Some(
                "I give the market value and the purchase price, not the one over the other. Ask for each.",
            );
        }
        let spaces = (0..self.pieces.len()).any(|at| {
            matches!(self.word(at), "suite" | "bay" | "shop")
                && self.written(at, at).ends_with('s')
                && self.pieces.get(at + 1).and_then(Piece::number).is_none()
        });
        let plain = [T::Units, T::Empty, T::Leased, T::Rentable, T::NonRevenue];
        if spaces
            && self.reading.groups.is_empty()
            && self.reading.topics.iter().any(|topic| !plain.contains(topic))
        {
            return Some(
                "Which suites: those of the offices, of the shops, or all commercial space? Please name the kind of property.",
            );
        }
        if self.says_any(&["loan to cost", "ltc"]) {
            return Some(
                "I give the loan to the latest market value, not to cost. Ask for the LTV, or for the purchase price.",
            );
        }
        // "How much principal did we pay down in 2025": the account of that period.
        let of_period = self.says("principal") && self.reading.times.iter().any(|time| spans(time.when));
        let down = self.says_any(&["paid down", "pay down", "paydown"]) && !of_period;
        if down || self.says_any(&["amortization period", "amortization term"]) {
            return Some("I know the balance today and the principal paid in a period. Ask for either.");
        }
        if self.asks(&[T::NotStarted, T::Signed]) && self.asks(&[T::Area]) {
            return Some("I count signed leases that have not started. Ask for those.");
        }
        if self.asks(&[T::NonRevenue])
            && self.says("unit including")
            && self.reading.turns.contains(&Turn::Including)
        {
            return Some(
                "Ask for the number of units, which has all of them, or for the non-revenue units alone.",
            );
        }
        if self.says("land value") || self.says("value of land") {
            return Some(
                "I know the value of the whole property, not of its land. Ask for the market value.",
            );
        }
        if self.says("gross potential income") {
            return Some("Do you mean gross potential rent, or effective gross income?");
        }
        // "Not Denver, Austin": the second is meant.
        if self.word(0) == "not" && self.mentions.len() > 1 && !self.says("or") && !self.says("and") {
            return Some("Please name only the places you want.");
        }
        if self.asks(&[T::Empty]) && (self.says("and not leased") || self.says("but not leased")) {
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
        if deducted && self.asks(&[T::Egi, T::Noi]) && self.says("net of") {
            return Some(
                "Effective gross income and NOI are net of bad debt, concessions and vacancy already. Ask for either as it is.",
            );
        }
        if self.asks(&[T::PurchasePrice, T::Acquired]) && self.says_any(&["closing", "all in cost"]) {
            return Some("I know the purchase price without closing costs. Ask for the purchase price.");
        }
        if self.asks(&[T::NonRevenue]) && self.says_any(&["cost", "costing", "lose", "loss"]) {
            return Some(
                "Ask for the number of those units, or for the account: “Non-revenue units account at a property”.",
            );
        }
        let less = self.says_any(&["net of", "less", "minus", "after"]);
        if self.asks(&[T::Gpr]) && self.asks(&[T::Vacancy, T::Empty, T::NonRevenue]) && less {
            return Some(
                "I give gross potential rent and the vacancy loss account, each by itself. Ask for either.",
            );
        }
        let spread = |turn: &Turn| matches!(turn, Turn::PerUnit | Turn::PerArea);
        let of_ledger = self.asks(&[T::Noi, T::Egi, T::Opex, T::Capex]) || !self.reading.accounts.is_empty();
        if of_ledger && self.reading.turns.contains(&Turn::PerMonth) && self.reading.turns.iter().any(spread)
        {
            return Some(
                "I give that per unit or per square foot for a period, or by month. Ask for one of the two.",
            );
        }
        let of_rent = self.asks(&[T::Rent, T::AverageRent, T::MarketRent]) && self.says("per");
        let areas = ["rentable", "vacant", "usable"];
        if self.says_pair(&areas, &["square", "sqft", "sf", "foot", "sq"]) && of_rent {
            return Some("I give rent in place per leased square foot. Ask for the rent per square foot.");
        }
        let parts = self.reading.groups.len() > 1 && self.reading.sides.is_empty();
        if parts && self.says_any(&["ratio of", "divided", "divided by"]) {
            return Some("I give each of the two by itself. Ask for them one beside the other.");
        }
        let days = self
            .reading
            .times
            .iter()
            .all(|named| matches!(named.when, When::Day(_)));
        if self.asks(&[T::Expire, T::Rollover, T::Mature]) && self.reading.times.len() == 2 && days {
            return Some(
                "I count what ends by whole months, or from the last closed month on. Please name months.",
            );
        }
        let moved = self.reading.turns.contains(&Turn::Growth) && self.reading.times.len() < 2;
        if moved && self.asks(&[T::Budget, T::Budgeted]) && !self.asks(&[T::Noi]) {
            return Some(
                "I give the difference to the budget as an amount. Ask for the figure against its budget.",
            );
        }
        let years = self.says_pair(&["last", "past"], &["two", "three", "four", "five", "24", "36"])
            && self.says_any(&["year", "24 month", "36 month"]);
        let grows = |turn: &Turn| matches!(turn, Turn::Growth | Turn::Gain | Turn::Loss);
        if years && self.reading.turns.iter().any(grows) && self.asks(&[T::Value, T::Occupancy, T::Debt]) {
            return Some(
                "Between which two days? Please name both, for instance “from December 2024 to October 2026”.",
            );
        }
        let today = self.says_any(&["currently", "today", "now", "at present", "current"]);
        if self.says("at maturity") && !today && self.asks(&[T::Owe, T::Debt, T::Loan]) {
            return Some(AT_MATURITY);
        }
        if self.asks(&[T::Signed, T::NotStarted]) && self.asks(&[T::Renewal]) {
            return Some("I count signed leases that have not started, renewals or not. Ask for those.");
        }
        let exposed = self.says("exposure to") || self.says("exposed to");
        if exposed && self.asks(&[T::Concentration, T::Tenants]) {
            return Some(
                "Do you mean their share of rent, or the largest tenants among them? Ask for rent by industry or for the top tenants.",
            );
        }
        None
    }

    /// "Following the Ybor tour, what is NOI at Highlands Corner?": two places, and nothing that joins them.
    fn two_places(&self) -> Option<&'static str> {
        let supposed = self.says("if")
            && (self.reading.whole || self.reading.portfolio)
            && !self.reading.places.is_empty();
        if supposed {
            return Some(
                "What changes is of one place and the figure of all of them. Please ask for the figure of that place.",
            );
        }
        if !self.says("without") && !self.reading.without.places.is_empty() {
            return None;
        }
        let mezz = self.says_any(&["mezz", "mezzanine"]);
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
        // "Commercial rent of the office buildings": whose rent that is, told twice.
        let told = (0..self.pieces.len()).any(|at| {
            self.word(at) == "commercial" && matches!(self.word(at + 1), "rent" | "lease" | "tenant")
        });
        if self.reading.just || self.says("side") || told {
            self.reading.groups.retain(|group| *group != Group::Commercial);
        } else if self.says("and") || self.reading.turns.remove(&Turn::Including) {
            self.reading.groups.retain(|group| !narrow(group));
        } else {
            self.reading.ask = Some("Do you mean all commercial properties, or one kind of them?".to_owned());
        }
    }
}

fn spans(when: When) -> bool {
    matches!(when, When::Span(_) | When::Trailing { .. })
}
