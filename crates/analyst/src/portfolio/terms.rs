//! Words for loans, tenants and ends of leases as what they ask for. Pure; knows no places and no times.

use crate::portfolio::ask::{Resolving, Unclear, What, ask};
use crate::portfolio::lexicon::{Topic, Turn};
use finance::portfolio::metric::Metric;
use finance::portfolio::query::Listed;

impl Resolving<'_> {
    pub(super) fn loans(&mut self) -> Result<What, Unclear> {
        if self.has(Topic::Rate) && self.turn(Turn::Average) {
            self.drop(&[Topic::Rate, Topic::Loan, Topic::Debt]);
            return Ok(What::Metrics(vec![(Metric::AverageRate, None)]));
        }
        if self.left.iter().all(|topic| matches!(topic, Topic::Loan)) && self.turn(Turn::Count) {
            self.left.clear();
            return Ok(What::Metrics(vec![(Metric::Loans, None)]));
        }
        // "How much do we owe in total?"
        if self
            .left
            .iter()
            .all(|topic| matches!(topic, Topic::Owe | Topic::Debt))
            && self.has(Topic::Debt)
        {
            self.left.clear();
            self.turn(Turn::AllLoans);
            return Ok(What::Metrics(vec![(Metric::TotalDebt, None)]));
        }
        self.turn(Turn::Senior);
        self.turn(Turn::Next);
        self.turn(Turn::Count);
        self.turn(Turn::AllLoans);
        // "How much of it is still outstanding".
        if self.has(Topic::Owe) {
            self.turn(Turn::Share);
        }
        let asked = std::mem::take(&mut self.left);
        Ok(What::Loans(asked))
    }

    pub(super) fn tenants(&mut self) -> Result<Option<What>, Unclear> {
        let others = self.left.iter().any(|topic| {
            !matches!(
                topic,
                Topic::Tenants | Topic::Concentration | Topic::Rent | Topic::Leases
            )
        });
        // "Rent from healthcare tenants": a figure, no list of them.
        let narrowed = self.words.of_companies && self.has(Topic::Rent) && !self.words.ranked;
        // "Monthly rent per square foot that tenants pay".
        let spread = [Turn::PerArea, Turn::PerUnit, Turn::Average]
            .iter()
            .any(|turn| self.words.turns.contains(turn));
        let rate = spread && self.has(Topic::Rent) && !self.words.ranked && self.words.count.is_none();
        if others || narrowed || rate {
            // "month-to-month tenants" are leases.
            self.drop(&[Topic::Tenants]);
            return Ok(None);
        }
        if self.words.of_units && self.words.turns.contains(&Turn::Count) {
            return Err(ask(
                "Ask which units a tenant rents, and I name each of them with its building.",
            ));
        }
        let share = self.turn(Turn::Share);
        let by_area = self.turn(Turn::ByArea);
        let several = self.words.count.is_some_and(|count| count > 1);
        let is_share =
            !by_area && !several && (self.has(Topic::Concentration) || (share && self.words.ranked));
        self.turn(Turn::ByRent);
        self.turn(Turn::PerYear);
        self.turn(Turn::Count);
        self.left.clear();
        if is_share {
            return Ok(Some(What::Metrics(vec![(Metric::TopTenantShare, None)])));
        }
        Ok(Some(What::Tenants))
    }

    /// Single units or tenants with nothing else asked: who is there, since when, until when, at what rent.
    pub(super) fn units(&mut self) -> Option<What> {
        use Topic as T;
        // "The highest rent at a building", "our largest vacant suite": one unit among others.
        let of_rows = |topic: &T| {
            matches!(
                topic,
                T::Rent | T::Units | T::Leases | T::Empty | T::Area | T::Leased
            )
        };
        let rows = [T::Rent, T::Units, T::Leases];
        if self.words.ranked
            && !self.words.ordered
            && self.left.iter().all(of_rows)
            && rows.iter().any(|topic| self.has(*topic))
            && self.accounts.is_empty()
            && !self.words.turns.contains(&Turn::Count)
        {
            let listed = if self.has(T::Empty) {
                Listed::Vacant
            } else {
                Listed::Leased
            };
            self.turn(Turn::PerMonth);
            self.left.clear();
            return Some(What::Units(listed));
        }
        let about = |topic: &T| {
            matches!(
                topic,
                T::Tenants | T::Leases | T::Units | T::Expire | T::Leased | T::Mature | T::Rollover | T::Owe
            )
        };
        let dated = self.has(T::Expire) && self.words.has_window;
        if !self.words.of_units
            || dated
            || self.words.turns.contains(&Turn::Count)
            || !self.left.iter().all(about)
            || !self.accounts.is_empty()
            || self
                .left
                .iter()
                .all(|topic| matches!(topic, T::Units | T::Leased))
        {
            return None;
        }
        self.left.clear();
        self.turn(Turn::Next);
        self.turn(Turn::PerMonth);
        Some(What::Units(Listed::Leased))
    }

    pub(super) fn expirations(&mut self) -> Result<What, Unclear> {
        let (rent, area) = (
            self.has(Topic::Rent) || self.turn(Turn::ByRent),
            self.has(Topic::Area) || self.turn(Turn::ByArea),
        );
        self.turn(Turn::Next);
        let (share, count) = (self.turn(Turn::Share), self.turn(Turn::Count));
        let leases = self.has(Topic::Leases);
        self.turn(Turn::PerYear);
        // "The monthly rent of the leases that expire".
        if rent && !share && !self.words.by_month {
            self.turn(Turn::PerMonth);
        }
        self.drop(&[
            Topic::Rollover,
            Topic::Expire,
            Topic::Rent,
            Topic::Area,
            Topic::Leases,
            Topic::Leased,
            Topic::Units,
            Topic::Tenants,
        ]);
        // "The next lease to expire": the first of all.
        if self.words.turns.contains(&Turn::Next) && !self.words.by_year && !(count || share || rent || area)
        {
            return Ok(What::Units(Listed::Leased));
        }
        if self.words.by_year || !self.words.has_window {
            let table = self.words.by_year || self.words.topics.contains(&Topic::Rollover);
            return if table && !count {
                Ok(What::Rollover)
            } else {
                Err(ask(
                    "For which period? For instance “in the next 90 days” or “in 2027”.",
                ))
            };
        }
        // "How many square feet expire" counts no leases.
        let count = count && !area;
        let metric = match (count, share, rent, area) {
            (true, false, ..) => Metric::Expirations,
            (_, true, true, false) => Metric::RolloverShareOfRent,
            (_, true, false, true) => Metric::RolloverShareOfArea,
            (_, false, true, false) => Metric::RolloverRent,
            (_, false, false, true) => Metric::RolloverArea,
            (_, true, ..) => {
                return Err(ask("As a share of what: of the rent, or of the leased area?"));
            }
            _ if leases || self.words.topics.contains(&Topic::Expire) => Metric::Expirations,
            _ => Metric::RolloverShareOfRent,
        };
        Ok(What::Metrics(vec![(metric, None)]))
    }
}
