//! The user documentation of the data models is generated from the models. `UPDATE_GOLDEN=1` rewrites it.

use std::fmt::Write as _;
use std::fs;

use corbel::portfolio::semantic::describe;
use corbel::portfolio::semantic::model::Model;
use corbel::portfolio::semantic::operators::of_kind;
use corbel::portfolio::semantic::registry::MODELS;
use serde_json::Value;

const PAGE: &str = "docs/data-models.md";
const BEGIN: &str = "<!-- Made of the models from here on: do not edit. -->";

#[test]
fn the_page_matches_the_models() {
    let page = fs::read_to_string(PAGE).expect(PAGE);
    let (words, _) = page
        .split_once(BEGIN)
        .expect("the mark where the made part begins");
    let mut made = format!("{words}{BEGIN}\n");
    for model in MODELS {
        about(&mut made, model);
    }
    if std::env::var("UPDATE_GOLDEN").is_ok() {
        fs::write(PAGE, &made).expect(PAGE);
        return;
    }
    assert!(
        page == made,
        "{PAGE} does not match the models; run with UPDATE_GOLDEN=1 and review it"
    );
}

fn about(page: &mut String, model: &'static Model) {
    let said = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let _ = write!(
        page,
        "\n## {}\n\n{} One row: {}.",
        model.name, model.description, model.grain
    );
    if let Some(time) = model.default_time {
        let _ = write!(page, " Time: `{}.{time}`.", model.name);
    }
    page.push_str("\n\n| Measure | What it is | Unit | Over time |\n|---|---|---|---|\n");
    for measure in model.measures {
        let about = describe::measure(measure, None);
        let (definition, unit, time) = (
            said(&about, "definition"),
            said(&about, "unit"),
            said(&about, "additivity"),
        );
        let _ = writeln!(
            page,
            "| `{}.{}` | {definition} | {unit} | {time} |",
            model.name, measure.name
        );
    }
    page.push_str("\n| Dimension | What it is | Type |\n|---|---|---|\n");
    for dimension in model.dimensions {
        let about = describe::dimension(dimension);
        let (description, kind) = (said(&about, "description"), said(&about, "type"));
        let _ = writeln!(
            page,
            "| `{}.{}` | {description} | {kind} |",
            model.name, dimension.name
        );
    }
    if !model.segments.is_empty() {
        page.push_str("\n| Segment | What it is |\n|---|---|\n");
        for segment in model.segments {
            let _ = writeln!(
                page,
                "| `{}.{}` | {} |",
                model.name, segment.name, segment.description
            );
        }
    }
}

/// The operators described on the page are those that are accepted.
#[test]
fn every_operator_of_the_models_is_on_the_page() {
    let page = fs::read_to_string(PAGE).expect(PAGE);
    for model in MODELS {
        for dimension in model.dimensions {
            for operator in of_kind(dimension.kind) {
                assert!(page.contains(&format!("`{operator}`")), "{operator}");
            }
        }
    }
}
