//! The CSV files of an invented portfolio as table rows, written as an import would: the input of the metrics, without
//! depending on the importer's own rules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chrono::{Months, NaiveDate};
use corbel::base::ids::OrgId;
use corbel::db::pool::Db;

use super::snapshots::snapshots;

pub(super) type Row = BTreeMap<String, String>;

/// A value of a column.
#[derive(Clone)]
pub(super) enum Cell {
    Text(Option<String>),
    Whole(Option<i64>),
    Day(Option<NaiveDate>),
    Flag(bool),
}

pub(super) fn read(folder: &Path, name: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(folder.join(name)).expect(name);
    reader.deserialize().map(|row| row.expect(name)).collect()
}

pub(super) fn text(row: &Row, column: &str) -> Cell {
    Cell::Text(row.get(column).filter(|text| !text.is_empty()).cloned())
}

/// A decimal times a power of ten, without rounding.
pub(super) fn scaled(row: &Row, column: &str, places: usize) -> Option<i64> {
    let text = row.get(column).filter(|text| !text.is_empty())?;
    let (sign, body) = text
        .strip_prefix('-')
        .map_or((1, text.as_str()), |body| (-1, body));
    let (whole, part) = body.split_once('.').unwrap_or((body, ""));
    let part = format!("{part:0<places$}");
    assert!(
        part[places..].chars().all(|digit| digit == '0'),
        "{column} {text}"
    );
    let digits: i64 = format!("{whole}{}", &part[..places]).parse().expect(column);
    Some(sign * digits)
}

pub(super) fn number(row: &Row, column: &str, places: usize) -> Cell {
    Cell::Whole(scaled(row, column, places))
}

pub(super) fn day(row: &Row, column: &str) -> Option<NaiveDate> {
    let text = row.get(column).filter(|text| !text.is_empty())?;
    Some(text.parse().expect(column))
}

fn date(row: &Row, column: &str) -> Cell {
    Cell::Day(day(row, column))
}

pub(super) fn flag(row: &Row, column: &str) -> bool {
    row[column] == "true"
}

pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// Loads the folder's portfolio for the organization. `currency` may override a building's currency.
pub async fn load(db: &Db, org: OrgId, folder: &Path, currency: impl Fn(&str) -> Option<String>) {
    let money = |row: &Row, building: &str| {
        let own = row.get("currency").cloned().unwrap_or_else(|| "USD".to_owned());
        Cell::Text(Some(currency(building).unwrap_or(own)))
    };
    let buildings = read(folder, "buildings.csv");
    let mut tables = plain(folder, &money);
    tables.push(snapshots(folder, &money));
    for row in &buildings {
        let building = row.clone();
        let own = money(row, &row["building_id"]);
        let written = db.write(move |tx| {
            let (row, own) = (building.clone(), own.clone());
            Box::pin(async move {
                let at = tx.now().await?;
                let Cell::Text(own) = own else { unreachable!() };
                tx.query(
                    "INSERT INTO buildings (org_id, id, name, created_at, property_type, city, state, currency, import)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1)",
                )
                .bind(org)
                .bind(&row["building_id"])
                .bind(&row["building_name"])
                .bind(at)
                .bind(&row["property_type"])
                .bind(&row["city"])
                .bind(&row["state"])
                .bind(own)
                .execute()
                .await?;
                Ok(())
            })
        });
        written.await.expect("a building");
    }
    for table in tables {
        insert(db, org, &table).await;
    }
    let months: BTreeSet<NaiveDate> = read(folder, "monthly_financials.csv")
        .iter()
        .filter_map(|row| day(row, "month"))
        .collect();
    let (first, last) = (*months.first().expect("months"), *months.last().expect("months"));
    let stood = db.write(move |tx| {
        Box::pin(async move {
            tx.query(
                "INSERT INTO portfolio_state (org_id, current_import, as_of, first_month, last_month)
                 VALUES ($1, 1, $2, $3, $4)",
            )
            .bind(org)
            .bind(end_of(last))
            .bind(first)
            .bind(last)
            .execute()
            .await?;
            Ok(())
        })
    });
    stood.await.expect("the state");
}

pub(super) fn end_of(month: NaiveDate) -> NaiveDate {
    (month + Months::new(1)).pred_opt().expect("a day")
}

#[expect(clippy::too_many_lines, reason = "one table after the other")]
fn plain(folder: &Path, money: &impl Fn(&Row, &str) -> Cell) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut add = |name, columns: &[&'static str], rows: Vec<Vec<Cell>>| {
        let columns = columns.to_vec();
        tables.push(Table { name, columns, rows });
    };
    let building_of: BTreeMap<String, String> = read(folder, "units.csv")
        .into_iter()
        .map(|row| (row["unit_id"].clone(), row["building_id"].clone()))
        .collect();
    let building_of_loan: BTreeMap<String, String> = read(folder, "loans.csv")
        .into_iter()
        .map(|row| (row["loan_id"].clone(), row["building_id"].clone()))
        .collect();
    let building_of_lease: BTreeMap<String, String> = read(folder, "leases.csv")
        .into_iter()
        .map(|row| (row["lease_id"].clone(), row["building_id"].clone()))
        .collect();
    let rows = |name: &str, of: &dyn Fn(&Row) -> Vec<Cell>| read(folder, name).iter().map(of).collect();
    add(
        "account_versions",
        &["code", "name", "category", "statement_sign", "included_in_noi"],
        rows("accounts.csv", &|row| {
            vec![
                text(row, "account_code"),
                text(row, "account_name"),
                text(row, "category"),
                Cell::Whole(Some(if row["statement_sign"] == "+" { 1 } else { -1 })),
                Cell::Flag(flag(row, "included_in_noi")),
            ]
        }),
    );
    add(
        "unit_versions",
        &[
            "id",
            "building_id",
            "unit_number",
            "unit_use",
            "unit_type",
            "bedrooms",
            "area",
            "is_rentable",
            "non_revenue_reason",
            "currency",
        ],
        rows("units.csv", &|row| {
            vec![
                text(row, "unit_id"),
                text(row, "building_id"),
                text(row, "unit_number"),
                text(row, "unit_use"),
                text(row, "unit_type"),
                number(row, "bedrooms", 0),
                number(row, "area_sqft", 2),
                Cell::Flag(flag(row, "is_rentable")),
                text(row, "non_revenue_reason"),
                money(row, &row["building_id"]),
            ]
        }),
    );
    add(
        "unit_market_rent_versions",
        &[
            "unit_id",
            "effective_date",
            "building_id",
            "market_rent",
            "currency",
        ],
        rows("unit_market_rents.csv", &|row| {
            let building = &building_of[&row["unit_id"]];
            vec![
                text(row, "unit_id"),
                date(row, "effective_date"),
                Cell::Text(Some(building.clone())),
                number(row, "market_rent_monthly", 2),
                money(row, building),
            ]
        }),
    );
    add(
        "tenant_versions",
        &["id", "name", "kind", "industry"],
        rows("tenants.csv", &|row| {
            vec![
                text(row, "tenant_id"),
                text(row, "tenant_name"),
                text(row, "tenant_kind"),
                text(row, "industry"),
            ]
        }),
    );
    add(
        "lease_versions",
        &[
            "id",
            "building_id",
            "unit_id",
            "tenant_id",
            "lease_type",
            "signed_date",
            "start_date",
            "end_date",
            "move_out_date",
            "month_to_month",
            "effective_end",
            "monthly_rent",
            "escalation_type",
            "escalation_rate",
            "free_rent_months",
            "ti_allowance",
            "security_deposit",
            "area",
            "renewal_of_lease_id",
            "is_draft",
            "currency",
        ],
        rows("leases.csv", &|row| {
            vec![
                text(row, "lease_id"),
                text(row, "building_id"),
                text(row, "unit_id"),
                text(row, "tenant_id"),
                text(row, "lease_type"),
                date(row, "signed_date"),
                date(row, "start_date"),
                date(row, "end_date"),
                date(row, "move_out_date"),
                Cell::Flag(flag(row, "month_to_month")),
                Cell::Day(Some(effective_end(row))),
                number(row, "monthly_rent", 2),
                text(row, "escalation_type"),
                Cell::Whole(scaled(row, "escalation_pct", 4)),
                number(row, "free_rent_months", 6),
                number(row, "ti_allowance", 2),
                number(row, "security_deposit", 2),
                number(row, "area_sqft", 2),
                text(row, "renewal_of_lease_id"),
                Cell::Flag(row["status"] == "draft"),
                money(row, &row["building_id"]),
            ]
        }),
    );
    add(
        "lease_rent_step_versions",
        &[
            "lease_id",
            "effective_date",
            "building_id",
            "monthly_rent",
            "currency",
        ],
        rows("lease_rent_steps.csv", &|row| {
            let building = &building_of_lease[&row["lease_id"]];
            vec![
                text(row, "lease_id"),
                date(row, "effective_date"),
                Cell::Text(Some(building.clone())),
                number(row, "monthly_rent", 2),
                money(row, building),
            ]
        }),
    );
    add(
        "monthly_financial_versions",
        &[
            "building_id",
            "month",
            "account_code",
            "amount",
            "budget_amount",
            "currency",
        ],
        rows("monthly_financials.csv", &|row| {
            vec![
                text(row, "building_id"),
                date(row, "month"),
                text(row, "account_code"),
                number(row, "amount", 2),
                number(row, "budget_amount", 2),
                money(row, &row["building_id"]),
            ]
        }),
    );
    add(
        "loan_versions",
        &[
            "id",
            "building_id",
            "lender",
            "loan_kind",
            "original_principal",
            "origination_date",
            "maturity_date",
            "interest_rate",
            "io_months",
            "current_balance",
            "balance_date",
            "min_dscr_covenant",
            "max_ltv_covenant",
            "currency",
        ],
        rows("loans.csv", &|row| {
            vec![
                text(row, "loan_id"),
                text(row, "building_id"),
                text(row, "lender"),
                text(row, "loan_kind"),
                number(row, "original_principal", 2),
                date(row, "origination_date"),
                date(row, "maturity_date"),
                // Percent to millionths.
                Cell::Whole(scaled(row, "interest_rate_pct", 4)),
                number(row, "io_months", 0),
                number(row, "current_balance", 2),
                date(row, "balance_date"),
                number(row, "min_dscr_covenant", 6),
                Cell::Whole(scaled(row, "max_ltv_covenant_pct", 4)),
                money(row, &row["building_id"]),
            ]
        }),
    );
    add(
        "loan_building_versions",
        &["loan_id", "building_id", "share"],
        rows("loans.csv", &|row| {
            vec![
                text(row, "loan_id"),
                text(row, "building_id"),
                Cell::Whole(Some(1_000_000)),
            ]
        }),
    );
    add(
        "loan_payment_versions",
        &[
            "loan_id",
            "payment_date",
            "building_id",
            "interest",
            "principal",
            "ending_balance",
            "currency",
        ],
        rows("loan_payments.csv", &|row| {
            let building = &building_of_loan[&row["loan_id"]];
            vec![
                text(row, "loan_id"),
                date(row, "payment_date"),
                Cell::Text(Some(building.clone())),
                number(row, "interest", 2),
                number(row, "principal", 2),
                number(row, "ending_balance", 2),
                money(row, building),
            ]
        }),
    );
    add(
        "valuation_versions",
        &[
            "building_id",
            "valuation_date",
            "market_value",
            "cap_rate",
            "method",
            "currency",
        ],
        rows("valuations.csv", &|row| {
            vec![
                text(row, "building_id"),
                date(row, "valuation_date"),
                number(row, "market_value", 2),
                Cell::Whole(scaled(row, "cap_rate_pct", 4)),
                text(row, "method"),
                money(row, &row["building_id"]),
            ]
        }),
    );
    tables
}

pub(super) fn effective_end(row: &Row) -> NaiveDate {
    match (day(row, "move_out_date"), flag(row, "month_to_month")) {
        (Some(out), _) => out,
        (None, true) => NaiveDate::from_ymd_opt(9999, 12, 31).expect("a day"),
        (None, false) => day(row, "end_date").expect("an end"),
    }
}

async fn insert(db: &Db, org: OrgId, table: &Table) {
    let with_source = table.name != "unit_month_versions";
    let mut head = format!("INSERT INTO {} (org_id, {}", table.name, table.columns.join(", "));
    head.push_str(if with_source { ", source" } else { "" });
    head.push_str(", since_import, until_import) VALUES ");
    // The builder accepts only static text; a test may leak one statement per table.
    let head: &'static str = Box::leak(head.into_boxed_str());
    let rows = table.rows.clone();
    let written = db.write(move |tx| {
        let rows = rows.clone();
        Box::pin(async move {
            for batch in rows.chunks(100) {
                let mut statement = tx.build(head);
                for (n, row) in batch.iter().enumerate() {
                    statement = statement.push(if n == 0 { "(" } else { ", (" }).bind(org);
                    for cell in row {
                        statement = statement.push(", ");
                        statement = match cell {
                            Cell::Text(text) => statement.bind(text.clone()),
                            Cell::Whole(whole) => statement.bind(*whole),
                            Cell::Day(day) => statement.bind(*day),
                            Cell::Flag(flag) => statement.bind(*flag),
                        };
                    }
                    if with_source {
                        statement = statement.push(", ").bind("test");
                    }
                    statement = statement
                        .push(", ")
                        .bind(1_i64)
                        .push(", ")
                        .bind(i64::MAX)
                        .push(")");
                }
                statement.done().execute().await?;
            }
            Ok(())
        })
    });
    written.await.expect(table.name);
}
