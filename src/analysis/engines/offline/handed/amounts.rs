//! The amounts that a file tells, in words: the income of a statement, the sum of a budget, lines that name a value.
//!
//! What could be meant in two ways is not told. Knows no question beyond which lines it names.

use crate::analysis::engines::offline::sheets::asked::Measure;
use crate::analysis::engines::offline::sheets::finding::plain;
use crate::analysis::engines::offline::sheets::measured::Column;
use crate::analysis::engines::offline::sheets::parties;
use crate::analysis::engines::offline::sheets::periods::{self, yearly};
use crate::analysis::engines::offline::sheets::sources::Sheet;
use crate::tables::accounts::{Below, Line};
use crate::tables::columns::numeric_columns;
use crate::tables::headers;
use crate::tables::income::Statement;
use crate::tables::kind::Kind;
use crate::tables::statement;
use crate::tables::table::Table;
use crate::tables::totals;

/// Amounts in words, and their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) values: Vec<f64>,
    /// A list, which an answer need not show among its inputs.
    pub(crate) list: bool,
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

/// The columns of names and of amounts of a table that has one of each beside shares.
pub(crate) fn named_amounts(table: &Table) -> Option<(usize, usize)> {
    let share = |at: usize| {
        let name = table.header(at).to_lowercase();
        [
            "%", "percent", "pct", "per unit", "/unit", "psf", "/sf", "per sf", "share",
        ]
        .iter()
        .any(|word| name.contains(word))
    };
    let numeric: Vec<usize> = numeric_columns(table)
        .into_iter()
        .filter(|at| !share(*at))
        .collect();
    let [amounts] = numeric.as_slice() else {
        return None;
    };
    let names = (0..table.columns.len()).find(|at| {
        at != amounts
            && table
                .data()
                .all(|row| !table.text(row, *at).is_empty() && table.number(row, *at).is_none())
    })?;
    Some((names, *amounts))
}

/// Costs that only a project has.
const PROJECT: &[&str] = &[
    "land",
    "hard",
    "soft",
    "sitework",
    "site",
    "construction",
    "contingency",
    "developer",
    "architect",
    "architecture",
    "engineering",
    "permits",
    "permit",
    "impact",
    "acquisition",
    "purchase",
    "renovation",
    "rehab",
    "shell",
    "demolition",
    "ff&e",
    "carry",
    "closing",
    "building",
    "financing",
    "fees",
    "fee",
    "reserve",
    "design",
    "a&e",
    "ti",
    "leasing",
];

/// Money that a project is paid with.
const SOURCES: &[&str] = &[
    "loan",
    "debt",
    "equity",
    "mezz",
    "mezzanine",
    "mortgage",
    "grant",
    "credits",
    "bonds",
    "lender",
    "investor",
    "sponsor",
    "source",
    "sources",
    "gp",
    "lp",
];
/// What makes it a cost all the same: "loan fees".
const OF_COST: &[&str] = &[
    "fee",
    "fees",
    "cost",
    "costs",
    "interest",
    "closing",
    "reserve",
    "reserves",
    "carry",
    "placement",
    "points",
    "origination",
    "legal",
];
/// What no budget of costs has.
const EARNED: &[&str] = &[
    "income",
    "revenue",
    "noi",
    "rent",
    "rents",
    "sales",
    "sale",
    "proceeds",
    "value",
    "profit",
    "units",
    "sf",
    "area",
    "rate",
    "less",
    "credit",
    "vacancy",
    "payroll",
    "utilities",
];

/// The sum of the costs of a project.
pub(crate) fn budget(sheet: &Sheet) -> Option<Told> {
    let table = &sheet.table;
    let (names, amounts) = named_amounts(table)?;
    let mut sum = 0.0;
    let mut since = 0.0;
    let mut costs = 0;
    let mut project = 0;
    let mut lines = Vec::new();
    let header = headers::words(table.header(amounts));
    if header.iter().any(|word| {
        matches!(
            word.as_str(),
            "actual" | "spent" | "drawn" | "paid" | "remaining" | "month" | "variance"
        )
    }) {
        return None;
    }
    for row in &table.rows {
        let label = table.text(row, names);
        let words: Vec<String> = label
            .split(|sign: char| !sign.is_alphanumeric() && sign != '&')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let amount = match table.number(row, amounts) {
            Some(number) if !number.percent => number.written(),
            Some(_) => return None,
            None if table.text(row, amounts).is_empty() => continue,
            None => return None,
        };
        let is = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        if totals::is_summary(label) {
            let agrees = |own: f64| (own - amount).abs() <= 0.5;
            if !agrees(sum) && !agrees(since) {
                return None;
            }
            since = 0.0;
            continue;
        }
        if amount < 0.0
            || is(EARNED)
            || (is(SOURCES) && !is(OF_COST))
            || words.first().is_some_and(|word| word == "of")
        {
            return None;
        }
        project += usize::from(is(PROJECT));
        costs += 1;
        sum += amount;
        since += amount;
        lines.extend(words);
    }
    if project < 2 || project * 2 < costs || sum <= 0.0 {
        return None;
    }
    let plain = [
        "loan",
        "construction",
        "interest",
        "cost",
        "costs",
        "fee",
        "fees",
        "financing",
        "development",
        "project",
        "and",
        "building",
        "budget",
        "of",
        "the",
        "reserve",
        "closing",
        "debt",
        "equity",
        "purchase",
        "property",
        "site",
    ];
    lines.retain(|word| !plain.contains(&word.as_str()) && word.len() > 2);
    let mut told = Told {
        lines,
        ..Told::default()
    };
    told.say("Total project cost", sum);
    Some(told)
}

/// Names of lines that no calculation needs.
const ASIDE: &[&str] = &[
    "lender",
    "borrower",
    "property",
    "address",
    "name",
    "asset",
    "market",
    "city",
    "prepared",
    "broker",
    "sponsor",
    "loan type",
    "rate type",
];

/// Each line as it stands: "Loan amount $5,400,000. Interest rate 6.20%."
pub(crate) fn lines(sheet: &Sheet) -> Option<Told> {
    let table = &sheet.table;
    let rows: Vec<_> = table.data().collect();
    if table.columns.len() != 2
        || rows.is_empty()
        || rows.len() > 16
        || rows.len() != table.rows.len()
        || !yearly(sheet)
    {
        return None;
    }
    let mut told = Told::default();
    let mut labels: Vec<String> = Vec::new();
    for row in rows {
        let label = table.text(row, 0).trim().trim_end_matches(':').to_owned();
        let cell = table.text(row, 1).trim();
        let name = label.to_lowercase();
        if label.is_empty() || cell.is_empty() || table.number(row, 0).is_some() || labels.contains(&name) {
            return None;
        }
        labels.push(name.clone());
        if totals::is_summary(&label) {
            return None;
        }
        if let Some(length) = length(cell) {
            told.text.push_str(&format!("{} {length}. ", spelled(&name)));
            continue;
        }
        let Some(number) = table.number(row, 1) else {
            // "Lender, First State": text that is no term.
            let apart = ASIDE.iter().any(|word| name.contains(word));
            let level = name.contains("payment")
                && matches!(cell.to_lowercase().as_str(), "monthly" | "level")
                || cell.to_lowercase() == "fixed";
            if apart || level {
                continue;
            }
            return None;
        };
        let value = number.written();
        let digits = plain(value.abs(), 6);
        let (before, unit) = match name.split_once('(') {
            Some((before, rest)) => (
                before.trim().to_owned(),
                rest.trim_end_matches(')').trim().to_owned(),
            ),
            None => (name.clone(), String::new()),
        };
        if before.contains("per year") && before.contains("payment") {
            // Loans are paid by the month.
            if value == 12.0 {
                continue;
            }
            return None;
        }
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let share = has(&[
            "rate",
            "%",
            "percent",
            "ltv",
            "ltc",
            "cap",
            "vacancy",
            "growth",
            "yield",
            "cost of sale",
        ]) && !has(&["cap ex", "capex", "capital", "$"]);
        let time = has(&[
            "amort",
            "term",
            "period",
            "hold",
            "interest-only",
            "interest only",
            "i/o",
        ]);
        let shown = match () {
            () if number.percent => cell.to_owned(),
            () if share && value > 0.0 && value < 0.3 => format!("{}%", plain(value * 100.0, 6)),
            () if share && (1.0..=100.0).contains(&value) => format!("{digits}%"),
            () if share && value < 1000.0 => return None,
            () if time && value < 1000.0 => match () {
                () if has(&["month", "mos"]) => format!("{digits} months"),
                () if has(&["year", "yr"]) => format!("{digits} years"),
                () if has(&["amort"]) && value >= 120.0 => format!("{digits} months"),
                () if has(&["amort"]) && (5.0..=40.0).contains(&value) => format!("{digits} years"),
                () => return None,
            },
            () if number.money || value.abs() >= 10_000.0 => {
                let area = has(&["sf", "sq ft", "square f", "area", "units", "doors", "beds"]);
                match area {
                    true => digits,
                    false if value < 0.0 => format!("${digits}"),
                    false => format!("${digits}"),
                }
            }
            () => digits,
        };
        // "Amortization (years)", "NOI (annual)".
        let every = match unit.as_str() {
            "annual" | "per year" | "yearly" => "annual ",
            "monthly" | "per month" => "monthly ",
            "" | "years" | "yrs" | "year" | "months" | "mos" | "%" | "$" | "usd" | "sf" | "units" => "",
            _ => return None,
        };
        told.text
            .push_str(&format!("{every}{} {shown}. ", spelled(&before)));
        told.values.push(value);
    }
    (!told.values.is_empty()).then_some(told)
}

/// "30 years", "120 mos": a length of time with its unit.
fn length(cell: &str) -> Option<String> {
    let lower = cell.to_lowercase();
    let (count, unit) = lower.split_once([' ', '-'])?;
    let unit = match unit.trim() {
        "years" | "year" | "yrs" | "yr" => "years",
        "months" | "month" | "mos" | "mo" => "months",
        _ => return None,
    };
    count
        .parse::<f64>()
        .ok()
        .map(|count| format!("{} {unit}", plain(count, 2)))
}

/// The name of a line as people say it: "io_months" is the interest-only period.
fn spelled(name: &str) -> String {
    let words = name
        .split(|sign: char| !sign.is_alphanumeric() && !matches!(sign, '-' | '&' | '\''))
        .filter(|word| !word.is_empty());
    let mut all: Vec<&str> = words.collect();
    if all.len() > 1
        && all
            .last()
            .is_some_and(|last| matches!(*last, "years" | "yrs" | "months" | "mos" | "pct" | "usd"))
    {
        all.pop();
    }
    let name = all.join(" ");
    match name.as_str() {
        "io" | "i o" | "io period" | "interest only" | "interest-only" => "interest-only period".to_owned(),
        "amort" => "amortization".to_owned(),
        "rate" => "interest rate".to_owned(),
        _ => name,
    }
}
