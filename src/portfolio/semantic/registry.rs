//! All models by name, and all members by full name. This is the only source of identifiers in SQL.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::portfolio::semantic::model::{Dimension, Measure, Model, Segment};
use crate::portfolio::semantic::models::{
    buildings, debt_service, financials, leases, loans, occupancy, rent_roll, rollover, units, valuations,
};
use crate::portfolio::semantic::names;
use crate::portfolio::semantic::refusal::{Code, Path, Refusal, shown};

/// The models in the order in which they are listed.
pub static MODELS: [&Model; 10] = [
    &buildings::MODEL,
    &units::MODEL,
    &occupancy::MODEL,
    &rent_roll::MODEL,
    &leases::MODEL,
    &rollover::MODEL,
    &financials::MODEL,
    &loans::MODEL,
    &debt_service::MODEL,
    &valuations::MODEL,
];

/// The model whose dimensions are part of every other model.
pub fn buildings() -> &'static Model {
    &buildings::MODEL
}

/// A member and the model it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// `model.member`.
    pub name: &'static str,
    pub model: &'static Model,
    pub what: What,
}

#[derive(Clone, Copy, Debug)]
pub enum What {
    Measure(&'static Measure),
    Dimension(&'static Dimension),
    Segment(&'static Segment),
}

impl What {
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Measure(_) => "measure",
            Self::Dimension(_) => "dimension",
            Self::Segment(_) => "segment",
        }
    }

    /// The key of a query that lists this kind of member.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Measure(_) => "measures",
            Self::Dimension(_) => "dimensions",
            Self::Segment(_) => "segments",
        }
    }
}

static MEMBERS: LazyLock<BTreeMap<String, (&Model, What)>> = LazyLock::new(|| {
    let mut members = BTreeMap::new();
    for model in MODELS {
        let measures = model.measures.iter().map(|one| (one.name, What::Measure(one)));
        let dimensions = model
            .dimensions
            .iter()
            .map(|one| (one.name, What::Dimension(one)));
        let segments = model.segments.iter().map(|one| (one.name, What::Segment(one)));
        for (name, what) in measures.chain(dimensions).chain(segments) {
            members.insert(format!("{}.{name}", model.name), (model, what));
        }
    }
    members
});

/// All members, sorted by name.
pub fn members() -> impl Iterator<Item = Member> {
    let member = |(name, (model, what)): (&'static String, &(&'static Model, What))| Member {
        name: name.as_str(),
        model,
        what: *what,
    };
    MEMBERS.iter().map(member)
}

pub fn model(name: &str) -> Option<&'static Model> {
    MODELS.into_iter().find(|model| model.name == name)
}

/// Looks up a model by the name in a query.
pub fn known_model(name: &str, path: &Path) -> Result<&'static Model, Refusal> {
    model(name).ok_or_else(|| {
        let all: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
        Refusal {
            suggestions: owned(names::closest(name, all.iter().copied())),
            ..Refusal::new(
                Code::UnknownModel,
                path,
                format!("there is no model {:?}", shown(name)),
                format!("use one of {}", all.join(", ")),
            )
        }
    })
}

/// Looks up a member by the full name in a query.
pub fn member(name: &str, path: &Path) -> Result<Member, Refusal> {
    if let Some((name, (model, what))) = MEMBERS.get_key_value(name) {
        return Ok(Member {
            name,
            model,
            what: *what,
        });
    }
    let Some((of, _)) = name.split_once('.') else {
        // The name of the model is missing.
        let tail = |full: &'static str| full.split_once('.').map_or(full, |(_, tail)| tail);
        let mut near = names::closest(name, MEMBERS.keys().map(|full| tail(full)));
        near.dedup();
        let full = MEMBERS.keys().filter(|full| near.first() == Some(&tail(full)));
        let suggestions: Vec<String> = full.take(3).cloned().collect();
        return Err(unknown(name, path, suggestions, "write it with its model"));
    };
    let model = known_model(of, path)?;
    let own = MEMBERS
        .iter()
        .filter(|(_, (owner, _))| owner.name == model.name)
        .map(|(full, _)| full.as_str());
    Err(unknown(
        name,
        path,
        owned(names::closest(name, own)),
        "describe the model to see its members",
    ))
}

fn unknown(name: &str, path: &Path, suggestions: Vec<String>, otherwise: &str) -> Refusal {
    let fix = match suggestions.as_slice() {
        [] => otherwise.to_owned(),
        near => format!("did you mean {}?", near.join(", ")),
    };
    Refusal {
        suggestions,
        ..Refusal::new(
            Code::UnknownMember,
            path,
            format!("there is no member {:?}", shown(name)),
            fix,
        )
    }
}

fn owned(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(ToOwned::to_owned).collect()
}
