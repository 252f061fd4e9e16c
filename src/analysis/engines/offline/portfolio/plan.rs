//! What is to be looked up for a question: metrics, over which buildings, for which time, split and ranked how.
//!
//! Where anything is open it asks; a question that is not about the portfolio is left to others. Knows names and
//! times, no figures.

use std::collections::BTreeSet;

use crate::analysis::engines::offline::portfolio::ask::{Unclear, What, Words, ask, looks_ahead};
use crate::analysis::engines::offline::portfolio::derived::{self, Over};
use crate::analysis::engines::offline::portfolio::held::Held;
use crate::analysis::engines::offline::portfolio::lexicon::{Group, Topic, Turn};
use crate::analysis::engines::offline::portfolio::merging;
use crate::analysis::engines::offline::portfolio::places::Place;
use crate::analysis::engines::offline::portfolio::reading::{Bound, Rank, Reading};
use crate::analysis::engines::offline::portfolio::shaping;
use crate::analysis::engines::offline::portfolio::times::When;
use crate::analysis::engines::offline::portfolio::without::{Without, group_word, is_of};
use crate::analysis::tools::portfolio::{Catalog, Coverage, Metric, Only, Property, Space, Split};

/// What is looked up.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) what: What,
    /// One for each place that was named, or one for everything.
    pub(crate) scopes: Vec<Scope>,
    pub(crate) times: Vec<When>,
    pub(crate) split: Option<Split>,
    pub(crate) rank: Option<Rank>,
    pub(crate) bounds: Vec<Bound>,
    pub(crate) turns: BTreeSet<Turn>,
    /// The kinds of space that were named.
    pub(crate) groups: Vec<Group>,
    pub(crate) against: bool,
    /// What the figure is set over.
    pub(crate) over: Option<Over>,
    pub(crate) only: Only,
    /// Everything of the named kinds, for shares of the whole.
    pub(crate) whole: Scope,
    /// Things are to be named, not only counted.
    pub(crate) lists: bool,
    /// Asks whether something is so.
    pub(crate) polar: bool,
    /// How the figure follows is to be told.
    pub(crate) explains: bool,
    pub(crate) properties: Vec<Property>,
    pub(crate) remarks: Vec<String>,
    pub(crate) held: Held,
    pub(crate) coverage: Coverage,
}

impl Plan {
    /// How many questions it answers at most.
    pub(crate) fn answers(&self) -> usize {
        match &self.what {
            What::Metrics(metrics) if self.rank.is_none() && self.bounds.is_empty() => metrics.len(),
            What::Metrics(_) => 1,
            // Lists tell everything of what they list.
            _ => usize::MAX,
        }
    }
}

/// Buildings with the words for them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scope {
    /// "Congress Tower Offices", "the apartments in Tampa", "the whole portfolio (12 properties)".
    pub(crate) label: String,
    /// Absent: everything that may be seen.
    pub(crate) buildings: Option<BTreeSet<String>>,
    /// Buildings by the kind of property that was named, for what is kept by building alone.
    pub(crate) of_group: Option<BTreeSet<String>>,
    pub(crate) space: Option<Space>,
    pub(crate) is_building: bool,
}

impl Scope {
    /// "the 2-bedroom units of …".
    fn narrow(&mut self, words: &[String]) {
        if !words.is_empty() {
            self.label = format!("{} in {}", words.join(", "), self.label);
            self.is_building = false;
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Decision {
    /// Left to the calculations and notes.
    NotMine,
    /// It is about the portfolio, and this is all there is to say.
    Say(String),
    /// It is about the portfolio, and words of it were not understood.
    Unsure,
    /// As unsure, and it may well be about something else.
    Perhaps,
    Look(Box<Plan>),
}

/// Decides on a reading.
pub(crate) fn decide(mut reading: Reading, catalog: &Catalog, earlier: Option<&Held>) -> Decision {
    let Some(coverage) = catalog.coverage else {
        return Decision::NotMine;
    };
    // "Why?" of the figure before.
    let explains = earlier.is_some() && reading.whys && reading.is_bare();
    // What else they are about, calculations and notes know.
    let points = reading.points && earlier.is_none();
    if (reading.other && !explains) || points || !reading.values.is_empty() {
        return Decision::NotMine;
    }
    reading.leans |= reading.points || explains;
    if reading.is_bare()
        && let Some(topic) = reading.implied
    {
        reading.topics.push(topic);
    }
    // "Total senior debt": the word for debt stands in that for its kind.
    if reading.is_bare() && earlier.is_none() && reading.turns.contains(&Turn::Senior) {
        reading.topics.push(Topic::Debt);
    }
    let amount = reading.turns.contains(&Turn::PerMonth) || reading.turns.contains(&Turn::PerYear);
    if reading.is_bare() && reading.rent_roll && amount {
        reading.topics.push(Topic::Rent);
    }
    // "What do they pay?": rent, where tenants are spoken of. "Who is in Suite 106?": the tenant.
    let of_units = reading.names_units() || earlier.is_some_and(Held::names_units);
    if reading.is_bare() && of_units {
        if reading.pays {
            reading.leans |= !reading.names_units();
            reading.topics.push(Topic::Rent);
        } else if reading.lists && reading.names_units() {
            reading.topics.push(Topic::Tenants);
        }
    }
    let follows = merging::merge(&mut reading, earlier, catalog);
    if reading.is_bare() {
        return Decision::NotMine;
    }
    let strong = reading.own
        || reading.whole
        || !reading.places.is_empty()
        || !reading.without.is_empty()
        || !reading.only_words.is_empty()
        || follows
        || reading.names_units();
    let likely = strong
        || !reading.splits.is_empty()
        || !reading.groups.is_empty()
        || !reading.times.is_empty()
        || reading.rank.is_some();
    if let Some(name) = &reading.stranger {
        return Decision::Say(format!(
            "“{name}” is not among the properties you can see. Ask for one of those by its name, or for all of them."
        ));
    }
    if reading.except {
        return if strong {
            Decision::Say(
                "I cannot leave something out of a figure. Please name what should be in it instead."
                    .to_owned(),
            )
        } else {
            Decision::NotMine
        };
    }
    if let Some(names) = &reading.several {
        return Decision::Say(format!("Which one do you mean: {}?", names.join(", ")));
    }
    if !reading.unknown.is_empty() {
        return if strong {
            Decision::Unsure
        } else if likely {
            Decision::Perhaps
        } else {
            Decision::NotMine
        };
    }
    // "What is NOI?" asks what it is; "the NOI" or "our NOI" how much.
    if !likely && !reading.article && !reading.bare {
        return Decision::NotMine;
    }
    match plan(reading, catalog, coverage) {
        Ok(plan) => Decision::Look(Box::new(Plan { explains, ..plan })),
        Err(Unclear::Other) => Decision::NotMine,
        Err(Unclear::Ask(text)) => Decision::Say(text),
    }
}

fn plan(mut reading: Reading, catalog: &Catalog, coverage: Coverage) -> Result<Plan, Unclear> {
    if catalog.buildings.is_empty() {
        return Err(Unclear::Ask(
            "There are no properties that you can see.".to_owned(),
        ));
    }
    if reading.against && reading.topics.contains(&Topic::Budget) {
        reading.turns.insert(Turn::Versus);
        reading.against = false;
    }
    shaping::shape(&mut reading, coverage)?;
    let times: Vec<When> = reading.times.iter().map(|named| named.when).collect();
    let windowed = times.iter().any(|when| {
        matches!(
            when,
            When::NextDays(_) | When::NextMonths(_) | When::Span(_) | When::End(_) | When::Day(_)
        )
    });
    let (what, over) = derived::what(Words {
        topics: &reading.topics,
        accounts: &reading.accounts,
        turns: &reading.turns,
        has_window: windowed,
        by_year: reading.splits.contains(&Split::Year),
        by_month: reading.splits.contains(&Split::Month),
        by_place: reading.splits.iter().any(|split| {
            matches!(
                split,
                Split::Building | Split::City | Split::State | Split::PropertyType
            )
        }),
        by_building: reading.splits.contains(&Split::Building),
        by_lender: reading.splits.contains(&Split::Lender),
        ranked: reading.rank.is_some(),
        base: reading.base.as_ref(),
        narrowed: reading.only.is_of_loans()
            || !reading.places.is_empty()
            || !reading.groups.is_empty()
            || !reading.splits.is_empty(),
        spans: times.iter().any(|when| match when {
            When::Span(span) => span.months() > 1,
            When::Trailing { months, .. } => *months > 1,
            _ => false,
        }),
        ordered: !reading.splits.is_empty() || !reading.nouns.is_empty(),
        of_units: reading.names_units(),
        of_companies: reading.only.is_of_companies(),
        commercial: shaping::is_commercial(&reading, catalog),
        count: reading.rank.and_then(|rank| rank.count),
    })?;
    let over = derived::without(&reading.without.accounts, &what, over)?;
    // An average over months needs no table of them.
    if matches!(over, Some(Over::Months | Over::MonthEnds)) {
        reading.splits.retain(|split| *split != Split::Month);
    }
    // A middle or a mean of the buildings is one value.
    if matches!(over, Some(Over::Median | Over::Buildings)) {
        reading.splits.retain(|split| *split != Split::Building);
        if !reading.splits.is_empty() && matches!(over, Some(Over::Median)) {
            return Err(ask("Please ask for the median of one place at a time."));
        }
    }
    let ahead = times
        .iter()
        .any(|when| matches!(when, When::NextDays(_) | When::NextMonths(_)));
    let looks_ahead = looks_ahead(&what);
    if (ahead || reading.will) && !looks_ahead {
        // What is to come is no data.
        return Err(Unclear::Other);
    }
    let ([_] | []) = reading.splits.as_slice() else {
        return Err(Unclear::Ask("Split by one thing at a time, please.".to_owned()));
    };
    let changed = reading.turns.contains(&Turn::Growth) || reading.turns.contains(&Turn::Gain);
    if times.len() == 2 && !(reading.joined || changed) {
        return Err(Unclear::Ask(
            "Two times are named, and I cannot tell how they go together. Which one do you mean?".to_owned(),
        ));
    }
    if times.len() > 2 {
        return Err(Unclear::Ask(
            "Please name at most two periods at a time.".to_owned(),
        ));
    }
    let mut remarks = reading.remarks.clone();
    remarks.extend(reading.times.iter().filter_map(|named| named.remark.clone()));
    let (groups, by_default) = groups(&reading, &what, catalog);
    if let Some(told) = by_default {
        remarks.push(told);
    }
    // "X against the portfolio": the whole stands beside the one.
    let beside = reading.against && reading.portfolio && !reading.places.is_empty();
    let mut scopes = scopes(&reading.places, beside, &groups, &reading.without, catalog)?;
    for scope in &mut scopes {
        scope.narrow(&reading.only_words);
    }
    // Of what a part is a share: of its kind where a place is named, else of everything.
    let of_kind: &[Group] = if reading.places.is_empty() { &[] } else { &groups };
    let whole = scopes_of_all(of_kind, &reading.without, catalog)?;
    let held = Held {
        topics: reading.topics,
        accounts: reading.accounts.into_iter().map(|account| account.code).collect(),
        turns: reading.turns.clone(),
        groups: reading.groups,
        places: reading.places,
        splits: reading.splits.clone(),
        times: times.clone(),
        only: reading.only.clone(),
        only_words: reading.only_words,
        against: reading.against,
        count: reading.rank.and_then(|rank| rank.count),
        left_out: reading
            .without
            .accounts
            .iter()
            .map(|account| account.code.clone())
            .collect(),
        without: reading.without,
        leader: None,
    };
    Ok(Plan {
        what,
        scopes,
        times,
        split: reading.splits.first().copied(),
        rank: reading.rank,
        bounds: reading.bounds,
        turns: reading.turns,
        groups,
        against: reading.against,
        over,
        only: reading.only,
        whole,
        lists: reading.lists,
        polar: reading.polar,
        explains: false,
        properties: catalog.buildings.clone(),
        remarks,
        held,
        coverage,
    })
}

/// All buildings of the kinds as one.
fn scopes_of_all(groups: &[Group], without: &Without, catalog: &Catalog) -> Result<Scope, Unclear> {
    let kinds: &[Group] = if groups.len() == 1 { groups } else { &[] };
    let all = scopes(&[], false, kinds, without, catalog)?;
    all.into_iter().next().ok_or(Unclear::Other)
}

/// The kinds of space that are meant. Terms and tenants are asked of commercial leases, loss to lease and average
/// rents of apartments, where nothing else is said and both are there.
fn groups(reading: &Reading, what: &What, catalog: &Catalog) -> (Vec<Group>, Option<String>) {
    // Named units and tenants are of one kind anyway.
    if !reading.groups.is_empty() || reading.only.is_of_units() {
        return (reading.groups.clone(), None);
    }
    let chosen: Vec<&Property> = catalog
        .buildings
        .iter()
        .filter(|property| {
            reading.places.is_empty()
                || reading
                    .places
                    .iter()
                    .any(|place| place.buildings.contains(&property.id))
        })
        .collect();
    let kind = |property: &&Property, kind: &str| property.property_type.as_deref() == Some(kind);
    let homes = chosen.iter().any(|property| kind(property, "multifamily"));
    let others = chosen.iter().any(|property| !kind(property, "multifamily"));
    let default = match what {
        What::Tenants | What::Rollover => Some(Group::Commercial),
        What::Metrics(metrics) => metrics.first().and_then(|(metric, _)| match metric {
            Metric::WaltByRent
            | Metric::WaltByArea
            | Metric::TopTenantShare
            | Metric::RolloverShareOfRent
            | Metric::RolloverShareOfArea
            | Metric::RolloverRent
            | Metric::RolloverArea => Some(Group::Commercial),
            Metric::LossToLease
            | Metric::AnnualLossToLease
            | Metric::LossToLeaseShare
            | Metric::AverageRent
            | Metric::RentPerArea
            | Metric::AverageMarketRent
            | Metric::RenewalRate => Some(Group::Residential),
            _ => None,
        }),
        _ => None,
    };
    match default {
        Some(group) if homes && others => {
            let told = if group == Group::Commercial {
                "Commercial leases only, as is usual for this figure; ask for apartments to have theirs."
            } else {
                "Apartments only, as is usual for this figure; ask for commercial space to have its own."
            };
            (vec![group], Some(told.to_owned()))
        }
        _ => (Vec::new(), None),
    }
}

fn scopes(
    places: &[Place],
    beside: bool,
    groups: &[Group],
    without: &Without,
    catalog: &Catalog,
) -> Result<Vec<Scope>, Unclear> {
    let count = |buildings: usize| {
        if buildings == 1 {
            "1 property".to_owned()
        } else {
            format!("{buildings} properties")
        }
    };
    let out = without.buildings(catalog);
    let left_out = without.words();
    let kept =
        |buildings: &BTreeSet<String>| buildings.difference(&out).cloned().collect::<BTreeSet<String>>();
    let every: BTreeSet<String> = catalog.buildings.iter().map(|one| one.id.clone()).collect();
    let every = kept(&every);
    let sets: Vec<(Option<&Place>, BTreeSet<String>)> = if places.is_empty() {
        vec![(None, every)]
    } else {
        let named = places.iter().map(|place| (Some(place), kept(&place.buildings)));
        named.chain(beside.then_some((None, every))).collect()
    };
    // Several kinds are compared, as places are.
    let kinds: Vec<Option<Group>> = if groups.is_empty() {
        vec![None]
    } else {
        groups.iter().copied().map(Some).collect()
    };
    let mut scopes = Vec::new();
    for (place, buildings) in &sets {
        for group in &kinds {
            let of_group: Option<BTreeSet<String>> = group.map(|group| {
                catalog
                    .buildings
                    .iter()
                    .filter(|one| buildings.contains(&one.id) && is_of(one, group))
                    .map(|one| one.id.clone())
                    .collect()
            });
            let space = match group {
                Some(Group::Residential) => Some(Space::Residential),
                Some(Group::Commercial) => Some(Space::Commercial),
                _ => None,
            };
            // Space of a kind may be in any building; a kind of building is just these.
            let chosen = match (&of_group, space) {
                (Some(of_group), None) => of_group.clone(),
                _ => buildings.clone(),
            };
            if chosen.is_empty() {
                let what = group.map_or("properties", group_word);
                let at = place.map_or("those you can see".to_owned(), |place| place.label.clone());
                return Err(Unclear::Ask(format!("There are no {what} among {at}{left_out}.")));
            }
            let label = match (place, group) {
                (None, None) => format!("the whole portfolio{left_out} ({})", count(chosen.len())),
                (None, Some(group)) => format!("the {}", group_word(*group)),
                (Some(place), None) => place.label.clone(),
                (Some(place), Some(_)) if place.is_building => place.label.clone(),
                (Some(place), Some(group)) => format!("the {} in {}", group_word(*group), place.label),
            };
            let label = if place.is_none() && group.is_none() {
                label
            } else {
                format!("{label}{left_out}")
            };
            scopes.push(Scope {
                label,
                buildings: (place.is_some() || !out.is_empty() || (group.is_some() && space.is_none()))
                    .then_some(chosen),
                of_group,
                space,
                is_building: place.is_some_and(|place| place.is_building),
            });
        }
    }
    Ok(scopes)
}

/// Topics of loans that a person asks for.
pub(crate) const LOAN_FACTS: [Topic; 5] = [
    Topic::Owe,
    Topic::Mature,
    Topic::Rate,
    Topic::Lender,
    Topic::Covenant,
];
