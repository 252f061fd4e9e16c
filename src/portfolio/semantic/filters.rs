//! Reads a query's filters: single conditions and nested groups. Filters on dimensions test rows, filters on
//! measures test sums, and a group may contain only one of the two.

use serde_json::{Map, Value as Json};

use crate::portfolio::semantic::dates::Anchor;
use crate::portfolio::semantic::model::Measure;
use crate::portfolio::semantic::operators::{Given, OF_MEASURES, Reading, of_kind};
use crate::portfolio::semantic::query::{Chosen, Condition, Dim, MAX_DEPTH, MAX_LEAVES, MAX_VALUES};
use crate::portfolio::semantic::refusal::{Code, Path, Refusal};
use crate::portfolio::semantic::registry::{self, What};
use crate::portfolio::semantic::wire::{Used, array, object, string, unknown_key};

/// The filters of a query, all of which must hold.
#[derive(Debug, Default)]
pub struct Filters {
    pub rows: Vec<Condition<Dim>>,
    pub sums: Vec<Condition<&'static Measure>>,
}

pub fn read(json: Option<&Json>, anchor: Anchor, used: &mut Used) -> Result<Filters, Refusal> {
    let all = Path::root().key("filters");
    let mut filters = Filters::default();
    let mut reading = Filtering {
        anchor,
        used,
        leaves: 0,
    };
    for (place, entry) in array(json, &all, MAX_LEAVES)?.iter().enumerate() {
        match reading.entry(entry, &all.at(place), 0)? {
            Either::Rows(condition) => filters.rows.push(condition),
            Either::Sums(condition) => filters.sums.push(condition),
        }
    }
    Ok(filters)
}

enum Either {
    Rows(Condition<Dim>),
    Sums(Condition<&'static Measure>),
}

struct Filtering<'u> {
    anchor: Anchor,
    used: &'u mut Used,
    leaves: usize,
}

impl Filtering<'_> {
    fn entry(&mut self, json: &Json, path: &Path, depth: usize) -> Result<Either, Refusal> {
        let entry = object(json, path)?;
        for key in ["and", "or"] {
            if let Some(group) = entry.get(key) {
                if let Some(other) = entry.keys().find(|other| *other != key) {
                    return Err(unknown_key(path, other, &[key]));
                }
                return self.group(group, &path.key(key), key == "and", depth + 1);
            }
        }
        self.leaf(entry, path)
    }

    fn group(&mut self, json: &Json, path: &Path, all: bool, depth: usize) -> Result<Either, Refusal> {
        if depth > MAX_DEPTH {
            return Err(Refusal::complex(
                path,
                "the groups are nested too deeply",
                format!("nest at most {MAX_DEPTH} groups"),
            ));
        }
        let entries = array(Some(json), path, MAX_LEAVES)?;
        let (mut rows, mut sums) = (Vec::new(), Vec::new());
        for (place, entry) in entries.iter().enumerate() {
            match self.entry(entry, &path.at(place), depth)? {
                Either::Rows(condition) => rows.push(condition),
                Either::Sums(condition) => sums.push(condition),
            }
        }
        match (rows.is_empty(), sums.is_empty()) {
            (false, true) => Ok(Either::Rows(joined(rows, all))),
            (true, false) => Ok(Either::Sums(joined(sums, all))),
            (false, false) => Err(Refusal::new(
                Code::MixedFilterGroup,
                path,
                "a group holds filters of dimensions and of measures",
                "put dimensions and measures into groups of their own: the former test rows, the latter sums",
            )),
            // An empty "all" would be true and an empty "any" false; neither is what was meant.
            (true, true) => Err(Refusal::value(
                path,
                "the group is empty",
                "leave it out, or put a filter in",
            )),
        }
    }

    fn leaf(&mut self, entry: &Map<String, Json>, path: &Path) -> Result<Either, Refusal> {
        // `dimension` is the older name of this key.
        let key = if entry.contains_key("dimension") && !entry.contains_key("member") {
            "dimension"
        } else {
            "member"
        };
        let known = [key, "operator", "values"];
        if let Some(unknown) = entry.keys().find(|other| !known.contains(&other.as_str())) {
            return Err(unknown_key(
                path,
                unknown,
                &["member", "operator", "values", "and", "or"],
            ));
        }
        self.leaves += 1;
        if self.leaves > MAX_LEAVES {
            return Err(Refusal::complex(
                &Path::root().key("filters"),
                "there are too many filters",
                format!("use at most {MAX_LEAVES}; several values of one member go into one filter"),
            ));
        }
        let named = path.key(key);
        let member = registry::member(string(entry.get(key), &named)?, &named)?;
        self.used.note(member, &named);
        let operator_path = path.key("operator");
        let given = Given {
            operator: string(entry.get("operator"), &operator_path)?,
            operator_path,
            values: values(entry.get("values"), &path.key("values"))?,
            values_path: path.key("values"),
        };
        match member.what {
            What::Dimension(of) => {
                let test = given.test(of_kind(of.kind), Reading::of(of.kind), self.anchor)?;
                let name = member.name;
                Ok(Either::Rows(Condition::Leaf(Chosen { name, of }, test)))
            }
            What::Measure(of) => {
                let test = given.test(OF_MEASURES, Reading::of_measure(of.unit), self.anchor)?;
                Ok(Either::Sums(Condition::Leaf(of, test)))
            }
            What::Segment(_) => Err(Refusal::new(
                Code::UnknownMember,
                &named,
                "a segment is a filter already",
                "put it under segments",
            )),
        }
    }
}

fn joined<T>(conditions: Vec<Condition<T>>, all: bool) -> Condition<T> {
    if all {
        Condition::All(conditions)
    } else {
        Condition::Any(conditions)
    }
}

/// Reads values as texts, in any of the accepted notations.
fn values(json: Option<&Json>, path: &Path) -> Result<Vec<String>, Refusal> {
    let entries = array(json.filter(|json| !json.is_null()), path, MAX_VALUES)?
        .iter()
        .enumerate();
    entries
        .map(|(place, entry)| match entry {
            Json::String(text) => Ok(text.clone()),
            Json::Number(number) => Ok(number.to_string()),
            Json::Bool(word) => Ok(word.to_string()),
            Json::Null | Json::Array(_) | Json::Object(_) => Err(Refusal::value(
                &path.at(place),
                "a value is a text, a number, true or false",
                "to ask for rows without a value use notSet",
            )),
        })
        .collect()
}
