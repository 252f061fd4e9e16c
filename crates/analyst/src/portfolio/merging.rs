//! What a follow-up takes over from the turn before. Pure.

use crate::portfolio::held::Held;
use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::pointing;
use crate::portfolio::quantities::Rank;
use crate::portfolio::reading::Reading;
use crate::portfolio::shaping;
use crate::portfolio::times::{Named, When};
use finance::portfolio::calendar::Month;
use finance::portfolio::query::Catalog;

impl Reading {
    /// No figure is named.
    pub(crate) fn is_bare(&self) -> bool {
        self.topics.is_empty() && self.accounts.is_empty()
    }

    /// A unit or a tenant is named.
    pub(crate) fn names_units(&self) -> bool {
        self.only.unit.is_some() || !self.only.tenants.is_empty()
    }
}

/// Tenants that are listed where no number was named.
const LISTED: usize = 5;
/// Words of a question that is short.
const SHORT: usize = 8;

fn named(when: When) -> Named {
    Named {
        when,
        remark: None,
        used: 0,
        edges: None,
        prior: false,
        same: None,
    }
}

/// Takes over from the turn before what a follow-up leaves out. True where it did.
pub(super) fn merge(reading: &mut Reading, earlier: Option<&Held>, catalog: &Catalog) -> bool {
    let Some(held) = earlier else { return false };
    pointing::point(reading, held);
    if !reading.loans.is_empty() {
        return true;
    }
    let back_in = taken_back(reading, held);
    let held = back_in.as_ref().unwrap_or(held);
    if let ([only], [before]) = (reading.times.as_mut_slice(), held.times.as_slice())
        && let When::Ago(months) = only.when
        && let Some(shifted) = before.earlier_by(months)
    {
        only.when = shifted;
    }
    // "The same months of 2024?": of the period that was spoken of.
    if let [only] = reading.times.as_mut_slice()
        && let Some(year) = only.same.filter(|_| !reading.against)
    {
        let before = held.times.first().copied().unwrap_or(When::Now);
        let last = catalog.coverage.map_or(year, |coverage| coverage.roll.to.year());
        if let Some(shifted) = in_year(before, year, last) {
            *only = named(shifted);
        }
    }
    // "Same quarter last year?": of the quarter that was spoken of.
    if let ([only], [before]) = (reading.times.as_mut_slice(), held.times.as_slice())
        && only.prior
        && only.used > 2
        && !reading.against
        && let Some(shifted) = before.earlier_by(12)
    {
        *only = named(shifted);
    }
    // "vs budget?" is asked of the figure before.
    let budget_alone = reading.accounts.is_empty()
        && !reading.topics.is_empty()
        && reading
            .topics
            .iter()
            .all(|topic| matches!(topic, Topic::Budget | Topic::Budgeted))
        && reading.places.is_empty()
        && reading.splits.is_empty()
        && !reading.own;
    let bare = reading.is_bare() || budget_alone;
    let adds = !reading.places.is_empty()
        || !reading.groups.is_empty()
        || !reading.times.is_empty()
        || !reading.splits.is_empty()
        || !reading.turns.is_empty()
        || !reading.only_words.is_empty()
        || !reading.without.is_empty()
        || reading.whole
        || reading.lists
        || reading.whys
        || budget_alone
        || back_in.is_some()
        || reading.rank.is_some();
    if points_back(reading, held) {
        return true;
    }
    reading.ask = reading.ask.take().or_else(|| pointing::astray(reading));
    // A short question that names a figure and no place is asked of the place that was spoken of.
    let short = reading.words <= SHORT && (reading.there || !reading.our);
    let stays = !reading.is_bare()
        && (short || reading.there)
        && reading.places.is_empty()
        && reading.groups.is_empty()
        && reading.splits.is_empty()
        && reading.only_words.is_empty()
        && reading.stranger.is_none()
        && !reading.whole;
    let leans = reading.leans || reading.besides || budget_alone;
    // "Opex?" alone stays with kinds and with what was left out, too; "our opex" begins anew.
    let alone = reading.bare && !reading.our && reading.without.is_empty();
    let kinds = !held.groups.is_empty() || held.without.is_of_places() || !held.times.is_empty();
    // "At what rate?": of the lender's loans that were spoken of.
    let of_loans = held.only.is_of_loans()
        && reading.topics.iter().all(|topic| {
            matches!(
                topic,
                Topic::Owe
                    | Topic::Mature
                    | Topic::Rate
                    | Topic::Lender
                    | Topic::Covenant
                    | Topic::Loan
                    | Topic::Debt
            )
        });
    if stays && of_loans {
        take_place(reading, held);
        return true;
    }
    if stays && !leans && (!held.places.is_empty() || (alone && kinds)) {
        reading.places.clone_from(&held.places);
        reading.groups.clone_from(&held.groups);
        reading.without.clone_from(&held.without);
        // And with the year of the NOI before.
        if reading.bare && reading.times.is_empty() {
            keep_times(reading, held);
        }
        return true;
    }
    if !(leans || (bare && adds)) || (bare && !adds && reading.stranger.is_none()) {
        return false;
    }
    if bare {
        again(reading, held);
        // "Budget?" alone asks for the budget of the figure before.
        if budget_alone && reading.turns.is_empty() && !reading.against && !reading.besides {
            reading.topics = vec![Topic::Budgeted];
        }
        figure(reading, held, catalog);
        pointing::settle(reading);
    }
    // Kinds of unit and tenants stay when the place changes, a suite does not.
    let of_kind = held.only.unit.is_none() && !held.only.is_of_loans();
    if held.only.unit.is_some() && reading.only_words.is_empty() && bare && !reading.places.is_empty() {
        reading.ask = Some(format!(
            "Do you mean {} there too, or all of {}?",
            held.only_words.join(", "),
            reading
                .places
                .iter()
                .map(|place| place.label.as_str())
                .collect::<Vec<_>>()
                .join(" and ")
        ));
    }
    // "Including the mezz": no longer of the senior loans alone.
    let all_loans = reading.turns.contains(&Turn::AllLoans) && held.only.loan_kind.is_some();
    if reading.only_words.is_empty() && !all_loans && (reading.places.is_empty() || (bare && of_kind)) {
        reading.only = held.only.clone();
        reading.only_words.clone_from(&held.only_words);
    }
    // "vs Tampa?" puts Tampa beside what was asked of before.
    if reading.besides && !reading.places.is_empty() && bare {
        let mut places = held.places.clone();
        places.append(&mut reading.places);
        reading.places = places;
        reading.against = true;
    }
    if reading.places.is_empty() && !reading.whole && reading.stranger.is_none() {
        reading.places.clone_from(&held.places);
        if reading.without.is_empty() {
            reading.without.clone_from(&held.without);
        }
        if reading.groups.is_empty() {
            reading.groups.clone_from(&held.groups);
            reading.sides.clone_from(&held.sides);
        }
    }
    if reading.times.is_empty() {
        reading.times.extend(held.times.iter().map(|when| named(*when)));
        reading.against |= held.against && bare;
    } else if reading.besides && reading.places == held.places && bare {
        // "vs last year?".
        let first = held.times.first().copied().unwrap_or(When::Now);
        reading.times.insert(0, named(first));
        reading.against = true;
    }
    // "in percent?" of two figures side by side is their change.
    if bare
        && reading.turns.contains(&Turn::Share)
        && !held.turns.contains(&Turn::Share)
        && reading.times.len() == 2
    {
        reading.turns.remove(&Turn::Share);
        reading.turns.insert(Turn::Growth);
    }
    true
}

/// "With Congress Tower included": what was left out before counts again.
fn taken_back(reading: &mut Reading, held: &Held) -> Option<Held> {
    let places = reading
        .places
        .iter()
        .all(|place| held.without.places.contains(place));
    let accounts = reading
        .accounts
        .iter()
        .all(|account| held.left_out.contains(&account.code));
    let named = reading.places.len() + reading.accounts.len() > 0;
    if !(reading.turns.contains(&Turn::Including) && named && places && accounts) {
        return None;
    }
    let mut own = held.clone();
    own.without.places.retain(|place| !reading.places.contains(place));
    own.left_out
        .retain(|code| reading.accounts.iter().all(|account| account.code != *code));
    reading.places.clear();
    reading.accounts.clear();
    reading.turns.remove(&Turn::Including);
    reading.leans = true;
    Some(own)
}

/// Takes what a question points at: the first of an order, tenants that were listed, leases and space that were counted.
fn points_back(reading: &mut Reading, held: &Held) -> bool {
    // "And its debt?" after an order: of what came first.
    // "There" after an order that several lead: nobody knows where.
    let nowhere = held.leader.is_none() && held.places.is_empty() && held.groups.is_empty();
    if reading.there && nowhere && !held.splits.is_empty() && reading.places.is_empty() && !reading.is_bare()
    {
        reading.several = Some(vec!["please name the property".to_owned()]);
        return true;
    }
    let back = reading.pronoun || reading.there || reading.its;
    if let Some(leader) = &held.leader
        && back
        && !reading.is_bare()
        && reading.places.is_empty()
        && !reading.whole
    {
        reading.places = vec![leader.clone()];
        if reading.times.is_empty() {
            keep_times(reading, held);
        }
        return true;
    }
    // "What share of the rent do they pay?": the tenants that were listed.
    let of_ends = held
        .topics
        .iter()
        .any(|topic| matches!(topic, Topic::Expire | Topic::Rollover));
    if held.topics.contains(&Topic::Tenants)
        && !of_ends
        && reading.turns.contains(&Turn::Share)
        && reading.places.is_empty()
        && !reading.whole
        && !reading.is_bare()
        && reading
            .topics
            .iter()
            .all(|topic| matches!(topic, Topic::Rent | Topic::Tenants))
    {
        reading.topics = vec![Topic::Tenants];
        reading.rank = reading.rank.or(Some(Rank {
            most: true,
            count: held.count.or(Some(LISTED)),
            judged: false,
            nth: None,
        }));
        take_place(reading, held);
        return true;
    }
    // "Which tenants?": those whose leases were spoken of.
    let ending = [Topic::Expire, Topic::Rollover];
    if reading.lists
        && reading.words <= 4
        && reading.rank.is_none()
        && !reading.is_bare()
        && reading.accounts.is_empty()
        && reading
            .topics
            .iter()
            .all(|topic| matches!(topic, Topic::Tenants | Topic::Leases | Topic::Units))
        && held.topics.iter().any(|topic| ending.contains(topic))
        && reading.places.is_empty()
        && reading.times.is_empty()
        && reading.stranger.is_none()
    {
        reading.topics.clone_from(&held.topics);
        take_place(reading, held);
        keep_times(reading, held);
        return true;
    }
    // "How much rent is that?", "how many square feet?": of the leases or the space that was spoken of.
    let measures = [Topic::Rent, Topic::Area];
    let spoken = [
        Topic::Expire,
        Topic::Rollover,
        Topic::Empty,
        Topic::Vacancy,
        Topic::MonthToMonth,
    ];
    if !reading.is_bare()
        && reading.words <= SHORT
        && reading.accounts.is_empty()
        && reading.topics.iter().all(|topic| measures.contains(topic))
        && held.topics.iter().any(|topic| spoken.contains(topic))
        && reading.places.is_empty()
        && (reading.groups.is_empty() || reading.groups == held.groups)
        && reading.splits.is_empty()
        && reading.times.is_empty()
        && reading.stranger.is_none()
        && !(reading.whole || reading.our)
    {
        let own = std::mem::take(&mut reading.topics);
        reading.turns.remove(&Turn::Count);
        reading.topics = held
            .topics
            .iter()
            .copied()
            .filter(|topic| !measures.contains(topic))
            .collect();
        // Counted no more: "vacant units" become vacant space.
        if own.contains(&Topic::Area) {
            reading.topics.retain(|topic| *topic != Topic::Units);
        }
        reading.topics.extend(own);
        take_place(reading, held);
        keep_times(reading, held);
        return true;
    }
    false
}

/// The same months in another year.
fn in_year(when: When, year: i32, last: i32) -> Option<When> {
    let own = match when {
        When::Span(span) => span.to.year(),
        When::End(month) => month.year(),
        When::Day(day) => Month::of(day).year(),
        When::Trailing { to, .. } => to.year(),
        When::Now => return Some(When::Ago((last - year) * 12)),
        When::Ago(_) | When::NextDays(_) | When::NextMonths(_) => return None,
    };
    when.earlier_by((own - year) * 12)
}

/// "And in Tampa?", "and in 2025?" after those beyond a bound or the first of an order: those again.
fn again(reading: &mut Reading, held: &Held) {
    let named = !reading.places.is_empty() || !reading.groups.is_empty() || !reading.times.is_empty();
    let regional = reading.places.iter().all(|place| !place.is_building);
    let open = reading.bounds.is_empty() && reading.rank.is_none() && reading.splits.is_empty();
    if !(named || reading.whole || reading.lists)
        || !regional
        || !open
        || reading.besides
        || reading.listed.is_some()
    {
        return;
    }
    reading.bounds.clone_from(&held.bounds);
    reading.rank = held.rank;
    if !reading.bounds.is_empty() || reading.rank.is_some() {
        reading.splits.clone_from(&held.splits);
    }
}

fn take_place(reading: &mut Reading, held: &Held) {
    reading.without.clone_from(&held.without);
    reading.places.clone_from(&held.places);
    reading.groups.clone_from(&held.groups);
    reading.only = held.only.clone();
    reading.only_words.clone_from(&held.only_words);
}

/// The time of the turn before, where both are of the ledger or both of what stands on a day.
fn keep_times(reading: &mut Reading, held: &Held) {
    let ledger = |topics: &[Topic], accounts: bool| {
        let flows = topics.iter().all(|topic| {
            let ratio = matches!(
                topic,
                Topic::ExpenseRatio
                    | Topic::Margin
                    | Topic::EconomicOccupancy
                    | Topic::EconomicVacancy
                    | Topic::Breakeven
                    | Topic::Dscr
            );
            ratio || shaping::is_of_ledger(*topic)
        });
        flows && (accounts || !topics.is_empty())
    };
    let before = ledger(&held.topics, !held.accounts.is_empty());
    let now = ledger(&reading.topics, !reading.accounts.is_empty());
    let ends = |topics: &[Topic]| {
        let of_ends = [Topic::Expire, Topic::Rollover, Topic::Mature, Topic::Maturities];
        of_ends.iter().any(|topic| topics.contains(topic))
    };
    if before == now && ends(&held.topics) == ends(&reading.topics) {
        reading.times.extend(held.times.iter().map(|when| named(*when)));
    }
}

/// The figure of the turn before, with what turned it.
fn figure(reading: &mut Reading, held: &Held, catalog: &Catalog) {
    let own = std::mem::take(&mut reading.topics);
    reading.topics.clone_from(&held.topics);
    for topic in own {
        if !reading.topics.contains(&topic) {
            reading.topics.push(topic);
        }
    }
    reading.accounts = catalog
        .accounts
        .iter()
        .filter(|account| held.accounts.contains(&account.code))
        .cloned()
        .collect();
    if reading.without.accounts.is_empty() {
        let left_out = catalog
            .accounts
            .iter()
            .filter(|account| held.left_out.contains(&account.code));
        reading.without.accounts = left_out.cloned().collect();
    }
    let weights = [Turn::ByArea, Turn::ByRent, Turn::ByUnits, Turn::AllUnits];
    let new_weight = weights.iter().any(|turn| reading.turns.contains(turn));
    // "per unit?" after "per square foot" is no figure per both.
    let spread = [Turn::PerUnit, Turn::PerArea];
    let new_spread = spread.iter().any(|turn| reading.turns.contains(turn));
    // "Average?" after a median is no median.
    let loans = [Turn::Senior, Turn::AllLoans];
    let new_loans = loans.iter().any(|turn| reading.turns.contains(turn));
    let means = [Turn::Average, Turn::Median];
    let new_mean = means.iter().any(|turn| reading.turns.contains(turn));
    // A fall was already made of the order.
    let fell = held.turns.contains(&Turn::Loss);
    let lists = reading.lists;
    for turn in &held.turns {
        let replaced = (new_mean && means.contains(turn))
            || (new_weight && weights.contains(turn))
            || (new_spread && spread.contains(turn))
            || (new_loans && loans.contains(turn));
        let settled = fell && *turn == Turn::Loss;
        let listed = lists && *turn == Turn::Count;
        if !(replaced || settled || listed) {
            reading.turns.insert(*turn);
        }
    }
    if reading.splits.is_empty() {
        // "and for Tampa?" after a list of buildings asks for Tampa.
        let region = reading.just && reading.places.iter().all(|place| !place.is_building);
        let narrows = !reading.places.is_empty() && !region;
        reading
            .splits
            .extend(held.splits.iter().filter(|split| !narrows || split.is_time()));
    }
}
