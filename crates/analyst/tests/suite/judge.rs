//! Whether an answer to a case with a known figure is right, asks back, or is wrong.

use analyst::contract::draft::Draft;
use serde_json::Value;

/// `right`, `asked` or `wrong`.
pub fn judge(case: &Value, draft: &Draft) -> &'static str {
    if !draft.success {
        return if draft.figures.is_empty() {
            "asked"
        } else {
            "wrong"
        };
    }
    let expected = &case["expected"];
    let tolerance = expected["tolerance"].as_f64().unwrap_or(0.0);
    let Some(figure) = draft.figures.first() else {
        return "wrong";
    };
    let near = |got: &Value, want: &Value, tolerance: f64| match (got.as_f64(), want.as_f64()) {
        (Some(got), Some(want)) => (got - want).abs() <= tolerance,
        _ => got == want,
    };
    let same = match (figure.value.as_array(), expected["value"].as_array()) {
        (Some(got), Some(want)) => {
            got.len() == want.len() && got.iter().zip(want).all(|(got, want)| near(got, want, tolerance))
        }
        _ => near(&figure.value, &expected["value"], tolerance),
    };
    let listed = expected["unit"] == "list" && figure.value.is_array();
    let named = expected["metric"].as_str() == Some(figure.name.as_str())
        && (listed || expected["unit"].as_str() == Some(&figure.unit));
    let also = expected["also"].as_array().into_iter().flatten().all(|fact| {
        draft.figures.iter().any(|figure| {
            fact["metric"].as_str() == Some(figure.name.as_str()) && near(&figure.value, &fact["value"], 0.01)
        })
    });
    if same && named && also { "right" } else { "wrong" }
}
