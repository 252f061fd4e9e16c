//! Portfolios for queries: the shared one, imported from invented CSV files; and small ones that a test writes straight
//! to the tables.

use std::fs;
use std::path::PathBuf;

use chrono::NaiveDate;
use corbel::audit::store::Actor;
use corbel::base::ids::OrgId;
use corbel::db::exec::Builder;
use corbel::db::pool::Db;
use corbel::portfolio::import::run::ImportOptions;
use corbel::portfolio::import::sheet::InputFile;
use corbel::services::Services;

use crate::harness::external;

/// A column value.
#[derive(Clone, Debug)]
pub enum V {
    Text(String),
    NoText,
    Int(i64),
    NoInt,
    Bool(bool),
    Day(NaiveDate),
}

pub fn text(value: &str) -> V {
    if value.is_empty() {
        V::NoText
    } else {
        V::Text(value.to_owned())
    }
}

pub fn day(value: &str) -> V {
    V::Day(value.parse().expect("a day"))
}

fn bind<'c>(insert: Builder<'c>, value: &V) -> Builder<'c> {
    match value {
        V::Text(text) => insert.bind(text.as_str()),
        V::NoText => insert.bind(None::<String>),
        V::Int(number) => insert.bind(*number),
        V::NoInt => insert.bind(None::<i64>),
        V::Bool(word) => insert.bind(*word),
        V::Day(day) => insert.bind(*day),
    }
}

/// Writes rows of an organization to a table; they are valid from its first import on.
pub async fn put(db: &Db, org: OrgId, table: &'static str, columns: &'static str, rows: Vec<Vec<V>>) {
    for chunk in rows.chunks(200) {
        let chunk = chunk.to_vec();
        let writing = db.write(move |tx| {
            let chunk = chunk.clone();
            Box::pin(async move {
                let versioned = table.ends_with("_versions");
                let mut insert = tx.build("INSERT INTO ").push(table).push(" (org_id");
                if versioned {
                    insert = insert.push(", since_import, until_import");
                }
                insert = insert.push(", ").push(columns).push(") VALUES ");
                for (at, row) in chunk.iter().enumerate() {
                    insert = insert.push(if at == 0 { "(" } else { ", (" }).bind(org);
                    if versioned {
                        insert = insert.push(", ").bind(1_i64).push(", ").bind(i64::MAX);
                    }
                    for value in row {
                        insert = bind(insert.push(", "), value);
                    }
                    insert = insert.push(")");
                }
                insert.done().execute().await?;
                Ok(())
            })
        });
        writing
            .await
            .unwrap_or_else(|error| panic!("{table}: {}", error.chain()));
    }
}

pub async fn state(db: &Db, org: OrgId, as_of: &str, first_month: &str, last_month: &str) {
    let row = vec![V::Int(1), day(as_of), day(first_month), day(last_month)];
    put(
        db,
        org,
        "portfolio_state",
        "current_import, as_of, first_month, last_month",
        vec![row],
    )
    .await;
}

/// The folder of the shared portfolio, if it is configured.
pub fn shared() -> Option<PathBuf> {
    let shared = external::named("CORBEL_TEST_SHARED", "the shared portfolio is not queried")?;
    Some(PathBuf::from(shared).join("data/portfolio"))
}

/// Imports the shared portfolio into an organization.
pub async fn load(services: &Services, org: OrgId) {
    let folder = shared().expect("the shared folder");
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|end| end == "csv") {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            files.push(InputFile {
                name,
                bytes: fs::read(&path).expect("a file"),
            });
        }
    }
    let outcome = services
        .imports
        .import(Actor::OPERATOR, org, files, ImportOptions::default())
        .await
        .expect("an import");
    assert_eq!(outcome.number, Some(1), "{:?}", outcome.findings);
}

/// Writes buildings with a default time zone.
pub async fn buildings_of(db: &Db, org: OrgId, columns: &'static str, rows: Vec<Vec<V>>) {
    let writing = db.write(move |tx| {
        let rows = rows.clone();
        Box::pin(async move {
            let at = tx.now().await?;
            for row in rows {
                let mut insert = tx
                    .build("INSERT INTO buildings (org_id, created_at, ")
                    .push(columns)
                    .push(") VALUES (");
                insert = insert.bind(org).push(", ").bind(at);
                for value in &row {
                    insert = bind(insert.push(", "), value);
                }
                insert.push(")").done().execute().await?;
            }
            Ok(())
        })
    });
    writing
        .await
        .unwrap_or_else(|error| panic!("buildings: {}", error.chain()));
}
