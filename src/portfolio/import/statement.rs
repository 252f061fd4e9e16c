//! Reads monthly income statements as accounting systems export them: accounts as rows, months as columns,
//! with headings and totals in between. Each cell becomes a row of the ledger. Totals are checked and never
//! loaded.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde_json::{Value, json};

use crate::portfolio::import::account::ERRORS;
use crate::portfolio::import::cells::{major, micro, minor_digits, plain};
use crate::portfolio::import::finance_rows::described;
use crate::portfolio::import::finding::{Code, Finding};
use crate::portfolio::import::listing::Listing;
use crate::portfolio::import::premises;
use crate::portfolio::import::reading::Reading;
use crate::portfolio::import::rows::{AccountRow, BuildingRow, LedgerRow};
use tables::accounts::{self, Below, Line};
use tables::grid::Record;
use tables::headers::normalized;
use tables::numbers;
use tables::totals::{is_average, is_summary};

/// Headings and lines that are sums of other lines although their label does not contain "total".
const SUMS: [&str; 12] = [
    "netoperatingincome",
    "noi",
    "effectivegrossincome",
    "egi",
    "netincome",
    "netrentalincome",
    "cashflow",
    "netcashflow",
    "cashflowbeforedebtservice",
    "cashflowafterdebtservice",
    "grossincome",
    "netincomeloss",
];

/// Sums by category of one column.
type ByCategory = BTreeMap<String, i64>;

struct Statement<'l> {
    listing: &'l Listing,
    building: BuildingRow,
    /// The category of the current section, and its heading.
    under: Option<(&'static str, String)>,
    /// Sums in millionths, by column: per category, of the section, and of the group since the last total.
    columns: BTreeMap<usize, ByCategory>,
    section: BTreeMap<usize, i64>,
    group: BTreeMap<usize, i64>,
    seen: BTreeSet<String>,
}

/// Reads one statement. `building` applies if the file names none.
pub fn read(listing: &Listing, reading: &mut Reading<'_>, building: Option<&str>) -> Value {
    let column = listing.column("building");
    let name = column.and_then(|column| listing.cells(column.at).find(|cell| !cell.is_empty()));
    let Some(name) = building.or(name).or_else(|| premises::titled(listing)) else {
        let why = "neither a column nor the title names the building; set it with --building";
        reading
            .found
            .add(Finding::new(&listing.name, None, Code::RequiredMissing, why).column("building"));
        return Value::Null;
    };
    let mut statement = Statement {
        building: premises::building(reading.state, name),
        listing,
        under: None,
        columns: BTreeMap::new(),
        section: BTreeMap::new(),
        group: BTreeMap::new(),
        seen: BTreeSet::new(),
    };
    for record in &listing.records {
        match statement.line(record, reading) {
            Ok(()) => reading.account.count(1),
            Err(what) => reading.account.leave_out(what, 1),
        }
    }
    let sum = |category: &str| -> i64 {
        let of = statement
            .listing
            .months
            .iter()
            .filter_map(|(at, _)| statement.columns.get(at));
        of.filter_map(|sums| sums.get(category)).sum()
    };
    let currency = statement.building.currency().to_owned();
    let amount = |micro: i64| major(micro / 10_i64.pow(6 - minor_digits(&currency)), &currency);
    let (egi, opex) = (sum("revenue"), sum("operating_expense"));
    json!({
        "building": statement.building.id, "months": listing.months.len(),
        "egi": amount(egi), "opex": amount(opex), "noi": amount(egi - opex),
    })
}

/// The category of an account by its name, where no heading says it: the same reading as in questions about tables.
fn by_name(name: &str) -> Option<&'static str> {
    Some(match accounts::line(name) {
        Line::Expense => "operating_expense",
        Line::Below(Below::Debt) => "debt_service",
        Line::Below(_) => "capital",
        Line::Unknown | Line::Printed(_) => return None,
        _ => "revenue",
    })
}

impl Statement<'_> {
    fn cell<'r>(&self, record: &'r Record, field: &str) -> &'r str {
        self.listing
            .column(field)
            .map_or("", |column| record.cell(column.at))
    }

    /// Reads the line of an account, or says what it is instead, in the plural.
    fn line(&mut self, record: &Record, reading: &mut Reading<'_>) -> Result<(), &'static str> {
        let name = self.cell(record, "account_name");
        let code = self.cell(record, "account_code");
        let label = if name.is_empty() { code } else { name };
        let amounts: Vec<&str> = self
            .listing
            .months
            .iter()
            .map(|(at, _)| record.cell(*at))
            .collect();
        if label.is_empty() {
            return Err("rows without a name");
        }
        if amounts.iter().all(|cell| numbers::is_nothing(cell)) && code.is_empty() {
            self.heading(label);
            return Err("headings");
        }
        let plain_label = normalized(label);
        if code.is_empty() && is_average(label) {
            return Err("averages");
        }
        let is_sum = is_summary(label)
            || SUMS.contains(&plain_label.as_str())
            || matches!(accounts::line(label), Line::Printed(_));
        if code.is_empty() && is_sum {
            self.check(record, label, reading);
            return Err("totals");
        }
        let amounts = self.amounts(record, reading).ok_or(ERRORS)?;
        let account = self
            .account(record, code, name, reading)
            .ok_or("unknown accounts")?;
        if !self.seen.insert(account.code.clone()) {
            let why = format!("account {} is already listed above", account.code);
            let field = if code.is_empty() {
                "account_name"
            } else {
                "account_code"
            };
            reading
                .found
                .add(self.listing.at(record, field, Code::DuplicateKey, why));
            return Err("repeated accounts");
        }
        let mut across = 0;
        for (at, month, amount) in amounts {
            across += amount;
            let sums = self.columns.entry(at).or_default();
            *sums.entry(account.category.clone()).or_default() += amount;
            *self.section.entry(at).or_default() += amount;
            *self.group.entry(at).or_default() += amount;
            self.put(&account, month, amount, reading);
        }
        if let Some(column) = self.listing.column("total")
            && let Some(printed) = micro(record.cell(column.at))
        {
            let sums = self.columns.entry(column.at).or_default();
            *sums.entry(account.category.clone()).or_default() += across;
            *self.section.entry(column.at).or_default() += across;
            *self.group.entry(column.at).or_default() += across;
            if printed != across {
                let why = format!("the months add up to {}", plain(across));
                reading
                    .found
                    .add(self.listing.at(record, "total", Code::SubtotalMismatch, why));
            }
        }
        Ok(())
    }

    fn heading(&mut self, label: &str) {
        let lower = label.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let category = if has(&["debt", "financing", "mortgage", "interest"]) {
            Some("debt_service")
        } else if has(&[
            "capital",
            "capex",
            "improvement",
            "leasing cost",
            "below the line",
        ]) {
            Some("capital")
        } else if has(&["expense", "operating cost"]) {
            Some("operating_expense")
        } else if has(&["income", "revenue", "receipts", "rent"]) {
            Some("revenue")
        } else {
            None
        };
        match (category, &self.under) {
            // A group within the section, such as "Utilities".
            (None, Some(_)) => self.group.clear(),
            (None, None) => {}
            (Some(category), Some((before, _))) if *before == category => self.group.clear(),
            (Some(category), _) => {
                self.under = Some((category, label.to_owned()));
                self.section.clear();
                self.group.clear();
            }
        }
    }

    /// The row's amounts by column and month. `None` if one of them cannot be read.
    fn amounts(&self, record: &Record, reading: &mut Reading<'_>) -> Option<Vec<(usize, NaiveDate, i64)>> {
        let mut amounts = Vec::new();
        let mut complete = true;
        for (at, month) in &self.listing.months {
            let cell = record.cell(*at);
            if numbers::is_nothing(cell) {
                continue;
            }
            match micro(cell) {
                Some(amount) => amounts.push((*at, *month, amount)),
                None => {
                    complete = false;
                    let header = self.listing.headers.get(*at).map_or("", String::as_str);
                    let why = "is not a number; write it as 1234.56";
                    let finding =
                        Finding::new(&self.listing.name, Some(record.line), Code::InvalidNumber, why);
                    reading.found.add(finding.at(header, cell));
                }
            }
        }
        complete.then_some(amounts)
    }

    /// The account of a line: by the organization's mapping, by code, by name, or by its section.
    fn account(
        &self,
        record: &Record,
        code: &str,
        name: &str,
        reading: &mut Reading<'_>,
    ) -> Option<AccountRow> {
        let state = &mut *reading.state;
        let mapped = [code, name]
            .iter()
            .find_map(|word| state.account_mapping.get(*word));
        let by_code = mapped.map(String::as_str).or((!code.is_empty()).then_some(code));
        if let Some(found) = by_code.and_then(|code| state.accounts.get(code)) {
            return Some(found.clone());
        }
        let same = |row: &&AccountRow| normalized(&row.name) == normalized(name);
        if let Some(found) = state.accounts.all().find(same).filter(|_| !name.is_empty()) {
            return Some(found.clone());
        }
        let field = if code.is_empty() {
            "account_name"
        } else {
            "account_code"
        };
        let of_section = self
            .under
            .as_ref()
            .map(|(category, heading)| (*category, format!("it is under {heading}")));
        let of_name = || Some((by_name(name)?, "of its name".to_owned()));
        let Some((category, reason)) = of_section.or_else(of_name) else {
            let why = "is not in the chart of accounts or under a known heading; the row is skipped";
            reading
                .found
                .add(self.listing.at(record, field, Code::UnmappedAccount, why));
            state.ledger.skipped += 1;
            return None;
        };
        let own = if code.is_empty() {
            normalized(name)
        } else {
            code.to_owned()
        };
        let name = if name.is_empty() { code } else { name };
        let account = described(&own, name, category, &state.source);
        let why = format!("is not in the chart of accounts; treated as {category} because {reason}");
        state.accounts.put(account.clone());
        reading
            .found
            .add(self.listing.at(record, field, Code::UnmappedAccount, why));
        Some(account)
    }

    fn put(&self, account: &AccountRow, month: NaiveDate, amount: i64, reading: &mut Reading<'_>) {
        let currency = self.building.currency();
        let minor = amount / 10_i64.pow(6 - minor_digits(currency));
        let key = [self.building.id.as_str(), &month.to_string(), &account.code].join("\u{1f}");
        let current = reading.state.ledger.get(&key).cloned();
        let row = match current {
            // Values that a statement does not contain, such as the budget, are kept.
            Some(current) => LedgerRow {
                amount: minor,
                ..current
            },
            None if minor == 0 => return,
            None => LedgerRow {
                building_id: self.building.id.clone(),
                month,
                account_code: account.code.clone(),
                amount: minor,
                budget_amount: None,
                currency: currency.to_owned(),
                source: reading.state.source.clone(),
            },
        };
        reading.state.ledger.put(row);
    }

    /// Compares a printed total with the sum of the rows: of the group, of the section, or of the category it
    /// names.
    fn check(&mut self, record: &Record, label: &str, reading: &mut Reading<'_>) {
        let plain_label = normalized(label);
        let mut columns: Vec<usize> = self.listing.months.iter().map(|(at, _)| *at).collect();
        columns.extend(self.listing.column("total").map(|column| column.at));
        let (mut compared, mut agree) = (false, true);
        for at in columns {
            let Some(printed) = micro(record.cell(at)) else {
                continue;
            };
            let of = |category: &str| -> i64 {
                let sums = self.columns.get(&at);
                sums.and_then(|sums| sums.get(category))
                    .copied()
                    .unwrap_or_default()
            };
            let (revenue, expense) = (of("revenue"), of("operating_expense"));
            let noi = revenue - expense;
            let below = noi - of("capital") - of("debt_service");
            let sum = |sums: &BTreeMap<usize, i64>| sums.get(&at).copied().unwrap_or_default();
            let by_name = plain_label.trim_start_matches("total");
            let expected: Vec<i64> = match by_name {
                "netoperatingincome" | "noi" => vec![noi],
                "effectivegrossincome" | "egi" | "grossincome" | "revenue" | "revenues" => vec![revenue],
                "netincome" | "netincomeloss" | "netcashflow" | "cashflow" => {
                    vec![below, noi - of("debt_service"), noi - of("capital"), noi]
                }
                name if SUMS.contains(&name) => continue,
                name if name.contains("expense") => vec![sum(&self.section), sum(&self.group), expense],
                name if name.contains("income") => vec![sum(&self.section), sum(&self.group), revenue],
                _ => vec![sum(&self.group), sum(&self.section)],
            };
            compared = true;
            if let Some(own) = expected.first().filter(|_| !expected.contains(&printed)) {
                agree = false;
                let header = self.listing.headers.get(at).map_or("", String::as_str);
                let why = format!("{label}: the rows add up to {}", plain(*own));
                let finding =
                    Finding::new(&self.listing.name, Some(record.line), Code::SubtotalMismatch, why);
                reading.found.add(finding.at(header, record.cell(at)));
                break;
            }
        }
        if compared {
            reading.account.total(agree);
        }
        self.group.clear();
    }
}
