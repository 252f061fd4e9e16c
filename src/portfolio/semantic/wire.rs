//! Pieces of a query's JSON, each with its position, and the names in them. Independent of the query as a
//! whole.

use serde_json::{Map, Value as Json};

use crate::portfolio::semantic::model::Model;
use crate::portfolio::semantic::query::{Chosen, Dim};
use crate::portfolio::semantic::refusal::{Code, Path, Refusal, shown};
use crate::portfolio::semantic::registry::{self, Member, What};

/// The models whose members the query names, with their positions.
#[derive(Default)]
pub struct Used {
    named: Vec<(Member, Path)>,
}

impl Used {
    pub fn note(&mut self, member: Member, path: &Path) {
        self.named.push((member, path.clone()));
    }

    /// The one model of the query. Dimensions of buildings can be combined with every model.
    pub fn model(&self) -> Result<&'static Model, Refusal> {
        let buildings = registry::buildings();
        let is_free =
            |member: &Member| member.model.name == buildings.name && !matches!(member.what, What::Measure(_));
        let bound = || self.named.iter().filter(|(member, _)| !is_free(member));
        let model = bound().next().map_or(buildings, |(member, _)| member.model);
        match bound().find(|(member, _)| member.model.name != model.name) {
            None => Ok(model),
            Some((member, path)) => Err(Refusal::complex(
                path,
                format!("{} and {} cannot be asked at once", model.name, member.model.name),
                "ask each model by itself; only dimensions and segments of buildings go with every model",
            )),
        }
    }
}

/// Looks up a dimension by its full name.
pub fn a_dimension(name: &str, path: &Path) -> Result<(Member, Dim), Refusal> {
    let member = registry::member(name, path)?;
    match member.what {
        What::Dimension(of) => {
            let name = member.name;
            Ok((member, Chosen { name, of }))
        }
        What::Measure(_) | What::Segment(_) => Err(misplaced(member, name, "dimensions", path)),
    }
}

/// The refusal of a member that is of the wrong kind for its position.
pub fn misplaced(member: Member, name: &str, key: &str, path: &Path) -> Refusal {
    Refusal::new(
        Code::UnknownMember,
        path,
        format!(
            "{name} is a {} and does not belong under {key}",
            member.what.noun()
        ),
        format!("put it under {}", member.what.key()),
    )
}

pub fn unknown_key(path: &Path, key: &str, known: &[&str]) -> Refusal {
    Refusal::value(
        &path.key(key),
        format!("{:?} is not known here", shown(key)),
        format!("leave it out; known are {}", known.join(", ")),
    )
}

/// The value of a key. `null` is the same as a missing key.
pub fn given<'a>(object: &'a Map<String, Json>, key: &str) -> Option<&'a Json> {
    object.get(key).filter(|value| !value.is_null())
}

pub fn object<'a>(json: &'a Json, path: &Path) -> Result<&'a Map<String, Json>, Refusal> {
    json.as_object()
        .ok_or_else(|| Refusal::value(path, "an object is expected", "write it in braces"))
}

/// The entries of an optional array.
pub fn array<'a>(json: Option<&'a Json>, path: &Path, most: usize) -> Result<&'a [Json], Refusal> {
    let Some(json) = json else { return Ok(&[]) };
    let entries = json
        .as_array()
        .ok_or_else(|| Refusal::value(path, "a list is expected", "write it in brackets"))?;
    if entries.len() > most {
        return Err(Refusal::complex(
            path,
            format!("{} entries are too many", entries.len()),
            format!("give at most {most}"),
        ));
    }
    Ok(entries)
}

pub fn string<'a>(json: Option<&'a Json>, path: &Path) -> Result<&'a str, Refusal> {
    json.and_then(Json::as_str)
        .ok_or_else(|| Refusal::value(path, "a text is expected", "write it in quotes"))
}
