//! Descriptions of models, measures and dimensions in the format of Cube's meta endpoint. Reads no data.

use std::iter;

use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::portfolio::semantic::model::{Dimension, Formula, Kind, Measure, Model, Segment, Unit};
use crate::portfolio::semantic::operators::of_kind;
use crate::portfolio::semantic::registry::MODELS;

/// A model in the list.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub measure_count: usize,
    pub dimension_count: usize,
    pub default_time_dimension: Option<String>,
    pub grain: &'static str,
}

pub fn list() -> Vec<Listed> {
    MODELS.into_iter().map(listed).collect()
}

fn listed(model: &'static Model) -> Listed {
    Listed {
        name: model.name,
        title: model.title,
        description: model.description,
        measure_count: model.measures.len(),
        dimension_count: dimensions(model).count(),
        default_time_dimension: model.default_time.map(|time| format!("{}.{time}", model.name)),
        grain: model.grain,
    }
}

/// The model's own dimensions, followed by those of buildings.
pub fn dimensions(model: &'static Model) -> impl Iterator<Item = (String, &'static Dimension)> {
    owners(model).flat_map(|owner| {
        let named = |one: &'static Dimension| (format!("{}.{}", owner.name, one.name), one);
        owner.dimensions.iter().map(named)
    })
}

/// The model's own segments, followed by those of buildings.
pub fn segments(model: &'static Model) -> impl Iterator<Item = (String, &'static Segment)> {
    owners(model).flat_map(|owner| {
        let named = |one: &'static Segment| (format!("{}.{}", owner.name, one.name), one);
        owner.segments.iter().map(named)
    })
}

/// The models whose dimensions and segments a model has: itself, and that of buildings if it is joined.
pub fn owners(model: &'static Model) -> impl Iterator<Item = &'static Model> {
    let buildings = MODELS
        .into_iter()
        .find(|other| model.joins_buildings && other.name == "buildings");
    iter::once(model).chain(buildings)
}

pub fn measure(measure: &Measure, currency: Option<&str>) -> Json {
    let kind = match measure.formula {
        Formula::Count => "count",
        Formula::Different(_) => "countDistinct",
        Formula::Sum(_) => "sum",
        Formula::Ratio(..) => "number",
    };
    let mut about = json!({
        "title": measure.title,
        "shortTitle": measure.title,
        "type": "number",
        "aggType": kind,
        "definition": measure.definition,
        "additivity": measure.additivity(),
        "unit": unit(measure.unit, currency),
    });
    let format = match measure.unit {
        Unit::Money | Unit::MoneyPer(_) => Some("currency"),
        Unit::Share | Unit::Rate => Some("percent"),
        Unit::Count | Unit::Area | Unit::AreaPer(_) | Unit::Multiple | Unit::Years | Unit::Months => None,
    };
    if let (Some(format), Some(about)) = (format, about.as_object_mut()) {
        about.insert("format".to_owned(), json!(format));
    }
    about
}

/// Describes a unit in words. Fractions are `percent`; money is the currency if there is only one.
pub fn unit(unit: Unit, currency: Option<&str>) -> String {
    let money = currency.unwrap_or("currency");
    match unit {
        Unit::Count => "count".to_owned(),
        Unit::Money => money.to_owned(),
        Unit::MoneyPer(one) => format!("{money}/{one}"),
        Unit::Area => "sqft".to_owned(),
        Unit::AreaPer(one) => format!("sqft/{one}"),
        Unit::Share | Unit::Rate => "percent".to_owned(),
        Unit::Multiple => "multiple".to_owned(),
        Unit::Years => "years".to_owned(),
        Unit::Months => "months".to_owned(),
    }
}

pub fn dimension(dimension: &Dimension) -> Json {
    let mut about = json!({
        "title": dimension.title,
        "shortTitle": dimension.title,
        "description": dimension.description,
        "type": kind(dimension.kind),
    });
    let granularities: Vec<&str> = dimension
        .kind
        .granularities()
        .iter()
        .map(|one| one.as_str())
        .collect();
    if let Some(about) = about.as_object_mut().filter(|_| !granularities.is_empty()) {
        about.insert("granularities".to_owned(), json!(granularities));
    }
    about
}

pub const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "string",
        Kind::Number(_) => "number",
        Kind::Boolean => "boolean",
        Kind::Day | Kind::Month | Kind::AsOf => "time",
    }
}

pub fn segment(segment: &Segment) -> Json {
    json!({ "title": segment.title, "shortTitle": segment.title, "description": segment.description })
}

/// The full description of a model. `samples` gives values of a dimension by its full name.
pub fn whole(
    model: &'static Model,
    currency: Option<&str>,
    samples: impl Fn(&str) -> Option<Vec<Json>>,
) -> Json {
    let named = |name: String, mut about: Json| {
        if let Some(about) = about.as_object_mut() {
            about.insert("name".to_owned(), json!(name));
        }
        about
    };
    let measures: Vec<Json> = model
        .measures
        .iter()
        .map(|one| named(format!("{}.{}", model.name, one.name), measure(one, currency)))
        .collect();
    let dimensions: Vec<Json> = dimensions(model)
        .map(|(name, one)| {
            let mut about = dimension(one);
            if let Some(about) = about.as_object_mut() {
                about.insert("operators".to_owned(), json!(of_kind(one.kind)));
                if let Some(values) = samples(&name) {
                    about.insert("sampleValues".to_owned(), Json::Array(values));
                }
            }
            named(name, about)
        })
        .collect();
    let segments: Vec<Json> = segments(model)
        .map(|(name, one)| named(name, segment(one)))
        .collect();
    let listed = listed(model);
    json!({
        "name": model.name,
        "title": model.title,
        "type": "view",
        "description": model.description,
        "grain": model.grain,
        "defaultTimeDimension": listed.default_time_dimension,
        "measures": measures,
        "dimensions": dimensions,
        "segments": segments,
    })
}
