//! What a run is doing, in a few words for the person who waits. It carries no text of the question or of files.

use std::fmt;
use std::sync::Arc;

use finance::portfolio::metric::Metric;
use finance::variable::Variable;
use serde_json::Value;

/// Tells what a run is doing. Cheap to clone; does nothing by default.
#[derive(Clone, Default)]
pub struct Progress {
    tell: Option<Arc<dyn Fn(String) + Send + Sync>>,
}

impl fmt::Debug for Progress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Progress").finish_non_exhaustive()
    }
}

impl Progress {
    pub fn new(tell: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self {
            tell: Some(Arc::new(tell)),
        }
    }

    /// Tells that a call is run.
    pub fn say(&self, call: &str, arguments: &Value) {
        if let Some(tell) = &self.tell {
            tell(words(call, arguments));
        }
    }
}

/// "computing dscr", "reading a file". Only words of our own enumerations are repeated.
fn words(call: &str, arguments: &Value) -> String {
    let of = |key: &str| arguments.get(key).and_then(Value::as_str).unwrap_or_default();
    let what = match call {
        "calculate" => Variable::from_word(of("goal")).map(Variable::label),
        "portfolio_metric" => Metric::from_word(of("metric")).map(Metric::label),
        "cash_flows" => Some("the cash flows"),
        "loan" => Some("the loan"),
        "lease" => Some("the lease"),
        "waterfall" => Some("the waterfall"),
        "size_loan" => Some("the size of the loan"),
        "sale_tax" => Some("the tax of the sale"),
        "prepayment" => Some("the prepayment"),
        "query_table" => Some("the table"),
        _ => None,
    };
    match (call, what) {
        (_, Some(what)) => format!("computing {what}"),
        ("portfolio_query" | "portfolio_models", _) => "reading the portfolio".to_owned(),
        ("search_notes", _) => "searching the notes".to_owned(),
        ("list_files" | "read_file", _) => "reading the files".to_owned(),
        ("save_note", _) => "keeping a note".to_owned(),
        _ => "thinking".to_owned(),
    }
}
