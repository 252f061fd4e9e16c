//! What is to be looked up for a question: metrics, over which buildings, for which time, split and ranked how.
//!
//! Where anything is open it asks; a question that is not about the portfolio is left to others. Knows names and
//! times, no figures.

use std::collections::BTreeSet;

use crate::portfolio::ask::{Unclear, What, Words, ask, looks_ahead};
use crate::portfolio::bounded::{self, Condition};
use crate::portfolio::derived;
use crate::portfolio::held::Held;
use crate::portfolio::lexicon::{Group, Topic, Turn};
use crate::portfolio::merging;
use crate::portfolio::over::Over;
use crate::portfolio::quantities::{Bound, Rank};
use crate::portfolio::reading::Reading;
use crate::portfolio::scopes::{self, Scope};
use crate::portfolio::shaping;
use crate::portfolio::supposed::Supposed;
use crate::portfolio::times::When;
use finance::portfolio::query::{Catalog, Coverage, Only, Property, Split};

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
    /// Figures with bounds of their own, beside or before what is asked for.
    pub(crate) conditions: Vec<Condition>,
    /// The difference comes first: "A minus B".
    pub(crate) minus: bool,
    /// The one divided by the other.
    pub(crate) quotient: bool,
    /// Only these loans.
    pub(crate) loans: Vec<String>,
    /// Buildings are spoken of.
    pub(crate) of_buildings: bool,
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

#[derive(Clone, Debug)]
pub(crate) enum Decision {
    /// Left to the calculations and notes.
    NotMine,
    /// It is about the portfolio, and this is all there is to say.
    Say(String),
    /// The same where a property or the portfolio is named: nobody else has an answer.
    Stays(String),
    /// It is about the portfolio, and words of it were not understood.
    Unsure,
    /// As unsure, and it may well be about something else.
    Perhaps,
    Look(Box<Plan>),
    /// A figure with a number of the asker's own in it.
    Suppose(Box<Supposed>),
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
    if let Some(text) = reading
        .ask
        .take_if(|_| reading.topics.contains(&Topic::Properties))
    {
        return Decision::Stays(text);
    }
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
    if let Some(text) = reading.ask.take() {
        return Decision::Stays(text);
    }
    if reading.is_bare() {
        return Decision::NotMine;
    }
    let firm = !reading.places.is_empty()
        || reading.portfolio
        || reading.without.is_of_places()
        || reading.listed.is_some();
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
        || reading.rank.is_some()
        // "Is any loan in breach?"
        || reading.topics.contains(&Topic::Breach);
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
        Err(Unclear::Ask(text)) if firm => Decision::Stays(text),
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
    let words = Words {
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
        of_unit_kind: (reading.only.bedrooms.is_some() || reading.only.unit_type.is_some())
            && !reading.amount
            && !reading.summed,
        of_units: reading.names_units(),
        of_companies: reading.only.is_of_companies(),
        commercial: shaping::is_commercial(&reading, catalog),
        count: reading.rank.and_then(|rank| rank.count),
        enumerated: reading.enumerated,
        minus: reading.minus && !reading.against,
        plus: reading.plus,
    };
    let (what, over, conditions) = bounded::what(words, &reading.bounds)?;
    let bounds = if conditions.is_empty() {
        reading.bounds.clone()
    } else {
        Vec::new()
    };
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
    if what == What::Rollover && reading.splits.iter().any(|split| *split != Split::Year) {
        return Err(Unclear::Ask(
            "I give the rollover by year, of one place or kind at a time. Please name it.".to_owned(),
        ));
    }
    if matches!(what, What::Tenants) && !reading.splits.is_empty() {
        return Err(Unclear::Ask(
            "I list the largest tenants of one place at a time. Please name it, or ask for all of them."
                .to_owned(),
        ));
    }
    let one_by_one = matches!(what, What::Maturities | What::Loans(_));
    if times.len() == 2 && (one_by_one || (reading.summed && reading.enumerated)) {
        return Err(Unclear::Ask(
            "Two periods are named. Please ask for one, for the two by year, or for one range from the first to the last."
                .to_owned(),
        ));
    }
    let part_of =
        |one: &BTreeSet<String>, other: &BTreeSet<String>| one.len() < other.len() && one.is_subset(other);
    let nested = reading.places.iter().any(|one| {
        let mut others = reading.places.iter();
        others.any(|other| part_of(&one.buildings, &other.buildings))
    });
    if nested && reading.turns.contains(&Turn::Share) {
        return Err(Unclear::Ask(
            "I give shares of the whole portfolio, not of a part of it. Please ask for the two amounts."
                .to_owned(),
        ));
    }
    if times.len() > 2 {
        return Err(Unclear::Ask(
            "Please name at most two periods at a time.".to_owned(),
        ));
    }
    let mut remarks = reading.remarks.clone();
    remarks.extend(reading.times.iter().filter_map(|named| named.remark.clone()));
    let (groups, by_default) = scopes::groups(&reading, &what, catalog);
    if let Some(told) = by_default {
        remarks.push(told);
    }
    // "X against the portfolio": the whole stands beside the one.
    let beside = reading.against && reading.portfolio && !reading.places.is_empty();
    let single = matches!(what, What::Metrics(_)) && reading.splits.is_empty() && reading.rank.is_none();
    let mut scopes = match &reading.listed {
        _ if !reading.sides.is_empty() => scopes::opposed(&reading.sides, &reading.without, catalog)?,
        Some(list) if reading.each_of_list && single && conditions.is_empty() && bounds.is_empty() => {
            scopes::scopes(
                &scopes::one_by_one(list, catalog),
                false,
                &groups,
                &reading.without,
                catalog,
            )?
        }
        _ => scopes::scopes(&reading.places, beside, &groups, &reading.without, catalog)?,
    };
    if let Some(count) = reading.counted {
        scopes::counted(&scopes, count, catalog.buildings.len())?;
    }
    for scope in &mut scopes {
        scope.narrow(&reading.only_words);
    }
    // Of what a part is a share: of its kind where a place is named, else of everything.
    let of_kind: &[Group] = if reading.places.is_empty() { &[] } else { &groups };
    let whole = scopes::scopes_of_all(of_kind, &reading.without, catalog)?;
    // What is asked next is not of a sum: it names its figures anew.
    let is_sum = reading.plus;
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
        listed: reading.listed,
        loans: reading.loans.clone(),
        bounds: reading.bounds.clone(),
        rank: reading.rank,
        sides: reading.sides,
    };
    let held = if is_sum { Held::default() } else { held };
    Ok(Plan {
        what,
        scopes,
        times,
        split: reading.splits.first().copied(),
        rank: reading.rank,
        bounds,
        conditions,
        minus: reading.minus,
        quotient: reading.quotient,
        loans: reading.loans,
        of_buildings: reading.lists || reading.nouns.contains(&Split::Building),
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

/// Topics of loans that a person asks for.
pub(crate) const LOAN_FACTS: [Topic; 5] = [
    Topic::Owe,
    Topic::Mature,
    Topic::Rate,
    Topic::Lender,
    Topic::Covenant,
];
