//! The other part of [`reading`](super::reading): what is understood word by word and still asks for something else. A
//! figure of the usual kind would be wrong there, so it is asked back.

use crate::analysis::engines::offline::portfolio::lexicon::{self, Group, Meaning, Topic};
use crate::analysis::engines::offline::portfolio::pieces::Piece;
use crate::analysis::engines::offline::portfolio::quantities::Quantity;
use crate::analysis::engines::offline::portfolio::reading::Scan;

/// Which building is meant: its size or its age says so, not the figure that is asked for.
const ADJECTIVES: &str = "largest biggest smallest tallest newest youngest oldest";

/// Things that have a size and an age.
const THINGS: &str = "building property asset community center centre tower complex loan mortgage site warehouse unit apartment";

const BY_SIZE: &str = "I cannot choose buildings or units by their size and give another figure of them. Please name the ones you mean.";

impl Scan<'_> {
    /// What has to be asked before anything is looked up.
    pub(super) fn doubts(&mut self) {
        if self.reading.ask.is_none() {
            let text = self
                .other_base()
                .or_else(|| self.chosen_by_size())
                .or_else(|| self.both_ways())
                .or_else(|| self.other_measure());
            self.reading.ask = text.map(str::to_owned);
        }
        self.narrower_kind();
    }

    fn says(&self, words: &[&str]) -> bool {
        (0..self.pieces.len()).any(|at| {
            words
                .iter()
                .enumerate()
                .all(|(n, word)| self.word(at + n) == *word)
        })
    }

    fn asks(&self, topics: &[Topic]) -> bool {
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
        let collected = self.says(&["collected", "rent"]) || self.says(&["rent", "collected"]);
        (collected && self.reading.base.is_some()).then_some(
            "I do not have a share of the rent collected. Ask for it as a share of gross potential rent, or of effective gross income.",
        )
    }

    /// "NOI of our largest building": by its units, its area or its value?
    fn chosen_by_size(&self) -> Option<&'static str> {
        use Topic as T;
        let of_size = [
            T::Units,
            T::Area,
            T::Built,
            T::Acquired,
            T::Value,
            T::PurchasePrice,
            T::Properties,
            T::Debt,
            T::Owe,
            T::Loan,
            T::Lender,
            T::Rate,
            T::Mature,
            T::Tenants,
            T::UnitSize,
            T::Leases,
        ];
        let other = self.reading.topics.iter().any(|topic| !of_size.contains(topic))
            || !self.reading.accounts.is_empty();
        let is_in = |list: &str, at: usize| {
            let word = self.word(at);
            !word.is_empty() && list.split_whitespace().any(|own| own == word)
        };
        let of_kind = |at: usize| matches!(lexicon::look_up(self.pieces, at), Some((Meaning::Kind(_), _)));
        let chosen = (0..self.pieces.len()).any(|at| {
            is_in(ADJECTIVES, at)
                && (is_in(THINGS, at + 1) || (of_kind(at + 1) && is_in(THINGS, at + 2)))
                && !(at + 2..at + 5).any(|next| matches!(self.word(next), "by" | "measured" | "terms"))
        });
        // "Buildings with more than 50 units", "apartments larger than 900 square feet".
        let bounded = self.reading.bounds.iter().any(|bound| {
            matches!(
                bound.of,
                Some(Quantity::Topic(
                    T::Units | T::Area | T::UnitSize | T::Built | T::Acquired
                ))
            )
        });
        if other && bounded {
            return Some(BY_SIZE);
        }
        // "Larger than 900 square feet", where the bound was taken for one of the figure.
        let sized = self.reading.bounds.iter().any(|bound| {
            (0..self.pieces.len()).any(|at| {
                let number = self.pieces.get(at).and_then(Piece::number);
                number == Some(bound.value)
                    && !bound.percent
                    && is_in(
                        "unit apartment door home square sqft sf foot feet bedroom bed",
                        at + 1,
                    )
            })
        });
        if other && sized {
            return Some(BY_SIZE);
        }
        let of_buildings = self
            .pieces
            .iter()
            .any(|piece| matches!(piece.word(), "building" | "property" | "asset"));
        let several = self
            .reading
            .rank
            .is_some_and(|rank| rank.count.is_some_and(|count| count > 1));
        if several
            && of_buildings
            && (self.reading.summed || self.says(&["combined"]) || self.says(&["together"]))
        {
            return Some(
                "I can list the top ones with their figures, but not add them up. Ask for the list.",
            );
        }
        (other && chosen).then_some(
            "Largest by what: units, area or value? I cannot choose a building by its size or age and give another figure of it in one go. Please name the one you mean.",
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
            return Some(
                "I know balances as they are today, not what will be left at maturity. Ask for the balance, or for the maturity date.",
            );
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

    /// "The commercial properties, only the office side": the narrower kind. Both together would count one of them twice.
    fn narrower_kind(&mut self) {
        let narrow = |group: &Group| matches!(group, Group::Office | Group::Retail | Group::Industrial);
        let wide = self.reading.groups.contains(&Group::Commercial);
        if wide
            && !self.reading.against
            && self.reading.sides.is_empty()
            && self.reading.groups.iter().any(narrow)
        {
            self.reading.groups.retain(|group| *group != Group::Commercial);
        }
    }
}
