//! The amounts that a file tells, in words; here those of a statement.
//!
//! What could be meant in two ways is not told. Knows no question beyond which lines it names.

use crate::sheets::asked::Measure;
use crate::sheets::finding::plain;
use crate::sheets::measured::Column;
use crate::sheets::parties;
use crate::sheets::periods::{self, yearly};
use crate::sheets::sources::Sheet;
use tables::accounts::{Below, Line};
use tables::headers;
use tables::income::Statement;
use tables::kind::Kind;
use tables::statement;

/// Amounts in words, and their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) values: Vec<f64>,
    /// A list, which an answer need not show among its inputs.
    pub(crate) list: bool,
    /// Costs of a project, which an income of the question is set against.
    pub(crate) costs: bool,
    /// Words of its lines: a question that has one of them may mean a part.
    pub(crate) lines: Vec<String>,
}

impl Told {
    pub(crate) fn say(&mut self, name: &str, value: f64) {
        let verb = if name.ends_with('s') { "are" } else { "is" };
        self.text
            .push_str(&format!("{name} {verb} ${}. ", plain(value, 2)));
        self.values.push(value);
    }
}

/// Whether all of a sheet is in dollars.
pub(crate) fn in_dollars(sheet: &Sheet) -> bool {
    (0..sheet.table.columns.len()).all(|at| Column::of(&sheet.table, at).currency().is_none())
}

/// What a statement tells, the least first: its income, with the debt service and reserves that it has; then with what
/// the income is made of.
pub(crate) fn statement(sheet: &Sheet, question: &str) -> Vec<Told> {
    let months = sheet.table.months().len();
    if sheet.kind != Kind::Statement || parties::several(&sheet.table) || (months < 2 && !yearly(sheet)) {
        return Vec::new();
    }
    let read = statement::read(&sheet.table, &[]);
    let mut asked = periods::statement(&Default::default());
    asked.twelve = true;
    let Ok(outcome) = periods::statement_measure(Measure::NetOperatingIncome, &read, &asked, &sheet.name)
    else {
        return Vec::new();
    };
    if !outcome.warnings.is_empty() || months > 12 || outcome.findings.is_empty() {
        return Vec::new();
    }
    let value = |name: &str| {
        let found = outcome.findings.iter().find(|finding| finding.name == name)?;
        found.value.as_f64()
    };
    let (Some(noi), Some(egi), Some(opex)) = (value("noi"), value("egi"), value("opex")) else {
        return Vec::new();
    };
    let lower = question.to_lowercase();
    let says = |list: &[&str]| list.iter().any(|word| lower.contains(word));
    let mut least = Told {
        lines: named_costs(&read),
        ..Told::default()
    };
    least.say("Annual NOI", noi);
    // What the question says of the debt counts, not what the file has.
    let own_debt = says(&[
        "debt service",
        "payment",
        "mortgage",
        "ads",
        " ds ",
        "amort",
        "interest",
        "constant",
        "p&i",
    ]) && question.contains(|sign: char| sign.is_ascii_digit());
    let totals = read.totals(&[]);
    if !own_debt && whole_debt(&read) && totals.debt > 0.0 {
        least.say("Annual debt service", totals.debt);
    }
    let reserved = totals.reserves > 0.0;
    let of_cash = says(&[
        "cash-on-cash",
        "cash on cash",
        "cash flow",
        "cashflow",
        "coc",
        "reserve",
    ]);
    if reserved && of_cash {
        // Before or after reserves: the question has to say.
        if !says(&[
            "after reserve",
            "after the reserve",
            "net of reserve",
            "after capital reserve",
            "after replacement reserve",
            "less reserve",
        ]) {
            return Vec::new();
        }
        least.say("Annual reserves", totals.reserves);
    }
    let mut more = least.clone();
    if says(&["break-even", "breakeven", "break even"]) {
        // The break-even is a share of what all units bring in at market.
        let Some(potential) = totals.potential else {
            return Vec::new();
        };
        more.say("Potential gross income", potential + totals.other);
    } else {
        more.say("EGI", egi);
    }
    more.say("Annual operating expenses", opex);
    vec![least, more]
}

/// Words of the lines of costs and deductions: where one is named, the income may be meant without it.
fn named_costs(read: &Statement) -> Vec<String> {
    let plain = [
        "loan",
        "debt",
        "service",
        "interest",
        "principal",
        "and",
        "of",
        "the",
        "reserve",
        "reserves",
        "capital",
        "rent",
        "income",
        "gross",
        "potential",
        "effective",
        "net",
        "operating",
        "expense",
        "expenses",
        "fee",
        "fees",
        "loss",
        "other",
        "total",
        "to",
        "market",
        "mortgage",
        "egi",
        "replacement",
        "property",
        "rental",
    ];
    let labels = read.items.iter().flat_map(|item| headers::words(&item.label));
    labels
        .filter(|word| word.len() > 2 && !plain.contains(&word.as_str()))
        .collect()
}

/// Whether the lines of debt are all that is paid on it: interest without principal is no debt service.
fn whole_debt(read: &Statement) -> bool {
    let mut debt = read
        .items
        .iter()
        .filter(|item| item.line == Line::Below(Below::Debt))
        .map(|item| headers::normalized(&item.label))
        .peekable();
    let any = debt.peek().is_some();
    let all: Vec<String> = debt.collect();
    let has = |part: &str| all.iter().any(|label| label.contains(part));
    any && (all.len() == 1 && (has("debtservice") || has("mortgagepayment") || has("loanpayment"))
        || all.len() == 2 && has("interest") && has("principal")
        || all.len() == 1 && has("interest") && has("principal"))
}
