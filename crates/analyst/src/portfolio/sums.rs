//! The other part of [`reading`](super::reading): figures that are added up. "Interest plus principal" is the debt
//! service, "opex plus debt service" says again what has to be covered to break even; "taxes and insurance together" is
//! a sum of its own.

use crate::portfolio::ask::{self, Unclear, What, Words};
use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::over::Over;
use crate::portfolio::quantities::Quantity;
use crate::portfolio::reading::Scan;
use crate::portfolio::restated;
use finance::portfolio::metric::Metric;
use finance::portfolio::query::Account;

const NOT_ADDED: &str =
    "I give each of these by itself, and do not add them up. Ask for them one beside the other.";

/// What may be added to what.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Cost,
    Income,
    /// Taken off the rent: given as positive amounts.
    Deduction,
}

impl Scan<'_> {
    /// Whether figures are said to be added up.
    fn adds(&self) -> bool {
        let plus = self.says_any(&[
            "plus",
            "sum of",
            "total of",
            "added together",
            "added up",
            "add up",
            "adding",
            "summed",
        ]);
        let signed = self.pieces.iter().any(|piece| piece.is_mark('+'));
        let together = self.says_any(&[
            "combined",
            "together",
            "in total",
            "in all",
            "altogether",
            "all in all",
            "as one number",
            "as one figure",
            "as a single number",
            "as a single figure",
            "in one number",
            "in one figure",
        ]);
        let total = self.pieces.iter().filter(|piece| piece.word() == "total").count();
        let several = self.reading.accounts.len() > 1;
        plus || signed || together || (several && total == 1)
    }

    /// Settles what is added up: as the one figure that it makes, or as a sum.
    pub(super) fn sums(&mut self) {
        use Topic as T;
        self.spent();
        if !self.adds() {
            return;
        }
        let debt: Vec<String> = self
            .reading
            .accounts
            .iter()
            .filter(|account| account.category == "debt_service")
            .map(|account| account.code.clone())
            .collect();
        // Interest and principal are all there is of a debt's service.
        if debt.len() > 1 && self.knows_no_other(&debt) {
            self.reading
                .accounts
                .retain(|account| !debt.contains(&account.code));
            self.quantities
                .retain(|(_, own)| !matches!(own, Quantity::Account(code) if debt.contains(code)));
            self.topic(T::DebtService);
            let at = self.at;
            self.quantities.push((at, Quantity::Topic(T::DebtService)));
            self.reading
                .topics
                .retain(|topic| !matches!(topic, T::Loan | T::Lender));
        }
        // "Break-even occupancy, opex plus debt service".
        let covered = [T::Opex, T::DebtService];
        if self.asks(&[T::Breakeven]) && covered.iter().all(|topic| self.asks(&[*topic])) {
            let parts = [T::Opex, T::DebtService, T::Gpr, T::Egi, T::Occupancy];
            self.reading.topics.retain(|topic| !parts.contains(topic));
            self.quantities
                .retain(|(_, own)| !matches!(own, Quantity::Topic(topic) if parts.contains(topic)));
            self.reading.base = None;
            self.reading.turns.remove(&Turn::Share);
            self.reading.turns.remove(&Turn::Including);
            self.reading.quotient = false;
            // "… over potential income": that is what it is taken over.
            let unknown = std::mem::take(&mut self.reading.unknown);
            self.reading.unknown = unknown
                .into_iter()
                .filter(|at| !matches!(self.word(*at), "potential" | "covering" | "covered"))
                .collect();
            return;
        }
        if self.asks(&[T::NonRevenue]) && self.reading.accounts.is_empty() {
            let units = [T::NonRevenue, T::Units];
            self.quantities
                .retain(|(_, own)| !matches!(own, Quantity::Topic(topic) if units.contains(topic)));
        }
        let several = self.reading.places.len() > 1 || self.reading.groups.len() > 1;
        let named = self.says_any(&["plus", "sum of", "total of"])
            || self.pieces.iter().any(|piece| piece.is_mark('+'));
        let amounts = self
            .reading
            .topics
            .iter()
            .filter(|topic| is_amount(**topic))
            .count()
            + self.reading.accounts.len();
        let alone = self.reading.topics.iter().all(|topic| is_amount(*topic));
        self.reading.plus = amounts > 1
            && alone
            && self.reading.base.is_none()
            && !self.reading.minus
            // "Taxes and insurance of Denver and Austin together": the places may be meant.
            && (named || !several)
            && !restated::is_capital(&self.reading);
    }

    /// Whether the service of the debt is all that is asked for.
    fn knows_no_other(&self, debt: &[String]) -> bool {
        let own = |topic: &Topic| matches!(topic, Topic::DebtService | Topic::Loan | Topic::Lender);
        self.reading.topics.iter().all(own)
            && self
                .reading
                .accounts
                .iter()
                .all(|account| debt.contains(&account.code))
    }

    /// What has to be said where figures are added up that make no sum.
    pub(super) fn not_added(&self) -> Option<&'static str> {
        let mut counted: Vec<&Quantity> = Vec::new();
        for (_, quantity) in &self.quantities {
            if !counted.contains(&quantity) {
                counted.push(quantity);
            }
        }
        let said = self.says_any(&["plus", "sum of", "total of"])
            || (self.reading.accounts.len() > 1 && self.says_any(&["total", "combined", "together"]));
        let many = counted.len().max(self.reading.accounts.len()) > 1;
        // Capital spend holds its own accounts already.
        let within = restated::is_capital(&self.reading);
        (many && said && self.reading.base.is_none() && !within && !self.reading.plus).then_some(NOT_ADDED)
    }

    /// "How much insurance did we expense": what was spent, not all expenses.
    fn spent(&mut self) {
        let verb = (1..self.pieces.len()).any(|at| {
            self.word(at) == "expense" && matches!(self.word(at - 1), "we" | "they" | "you" | "i" | "to")
        });
        // "What did tenants reimburse us for expenses": what they are billed for.
        let recovered = self
            .reading
            .accounts
            .iter()
            .any(|account| account.name.to_lowercase().contains("recover"))
            && self.says_pair(&["for"], &["expense", "opex"]);
        if (verb || recovered) && !self.reading.accounts.is_empty() {
            self.reading.topics.retain(|topic| *topic != Topic::Opex);
            self.quantities
                .retain(|(_, own)| *own != Quantity::Topic(Topic::Opex));
        }
    }
}

/// Amounts of the ledger that may be a part of a sum.
const fn is_amount(topic: Topic) -> bool {
    use Topic as T;
    matches!(
        topic,
        T::Opex | T::Capex | T::DebtService | T::BadDebt | T::Concessions | T::Gpr
    )
}

/// A sum of amounts: the first of them, and what is added to it. Only of one kind, and none within another.
pub(super) fn what(words: Words<'_>) -> Result<(What, Option<Over>), Unclear> {
    use Topic as T;
    let mut classes: Vec<Class> = Vec::new();
    let mut parts: Vec<(Metric, Option<Account>)> = Vec::new();
    for topic in words.topics {
        classes.push(match topic {
            T::Opex | T::Capex | T::DebtService => Class::Cost,
            T::BadDebt | T::Concessions => Class::Deduction,
            T::Gpr => Class::Income,
            _ => return Err(ask::ask(NOT_ADDED)),
        });
        parts.push(one(words, &[*topic], &[])?);
    }
    for account in words.accounts {
        let within = match account.category.as_str() {
            "operating_expense" => T::Opex,
            "capital" => T::Capex,
            "debt_service" => T::DebtService,
            _ => T::Egi,
        };
        if words.topics.contains(&within) {
            return Err(ask::ask(NOT_ADDED));
        }
        classes.push(class(account).ok_or_else(|| ask::ask(NOT_ADDED))?);
        parts.push(one(words, &[], std::slice::from_ref(account))?);
    }
    let alike = classes.windows(2).all(|two| matches!(two, [a, b] if a == b));
    let mut parts = parts.into_iter();
    let Some(first) = parts.next().filter(|_| alike) else {
        return Err(ask::ask(NOT_ADDED));
    };
    Ok((What::Metrics(vec![first]), Some(Over::Plus(parts.collect()))))
}

fn class(account: &Account) -> Option<Class> {
    let name = account.name.to_lowercase();
    let holds = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if account.category != "revenue" {
        Some(Class::Cost)
    } else if holds(&["vacan", "non-revenue", "concession", "bad debt"]) {
        Some(Class::Deduction)
    } else if holds(&["lease"]) {
        // A loss or a gain: its sign is its own.
        None
    } else {
        Some(Class::Income)
    }
}

fn one(
    words: Words<'_>,
    topics: &[Topic],
    accounts: &[Account],
) -> Result<(Metric, Option<Account>), Unclear> {
    let found = ask::plain(Words {
        topics,
        accounts,
        base: None,
        minus: false,
        ..words
    })?;
    match found {
        What::Metrics(metrics) => match metrics.as_slice() {
            [only] => Ok(only.clone()),
            _ => Err(ask::ask(NOT_ADDED)),
        },
        _ => Err(ask::ask(NOT_ADDED)),
    }
}
