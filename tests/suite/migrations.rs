//! Schema migrations: unique numbers, and rows survive when tables are rebuilt.

use std::collections::BTreeMap;
use std::path::Path;

use corbel::base::clock::Clock;
use corbel::db::pool::Db;
use sqlx::migrate::Migrator;
use sqlx::{AssertSqlSafe, Connection as _, Row as _, SqliteConnection};

/// Two merged branches may have used the same number.
#[test]
fn no_two_migrations_have_the_same_number() {
    let mut seen = BTreeMap::new();
    for folder in ["common", "sqlite", "postgres"] {
        let files = std::fs::read_dir(format!("migrations/{folder}")).expect("a folder");
        for file in files {
            let name = file.expect("a file").file_name().into_string().expect("a name");
            let number = name.split('_').next().unwrap_or_default().to_owned();
            // A file for each database is one migration.
            let key = (number, if folder == "common" { "" } else { folder });
            if let Some(other) = seen.insert(key, name.clone()) {
                panic!("{other} and {name} have the same number");
            }
        }
    }
    let common = seen.keys().filter(|(_, folder)| folder.is_empty());
    for (number, _) in common {
        for own in ["sqlite", "postgres"] {
            assert!(
                !seen.contains_key(&(number.clone(), own)),
                "{number} is also in {own}"
            );
        }
    }
}

/// A turn with all its related rows, and one whose optional columns are empty.
const TURNS: &str = "
    INSERT INTO organizations (id, name, plan, created_at) VALUES (x'01', 'Before', 'pro', '2026-01-01');
    INSERT INTO people (id, email, name, created_at) VALUES (x'02', 'a@before.example', 'A', '2026-01-01');
    INSERT INTO sessions VALUES (x'01', x'03', 'private', x'02', NULL, '2026-01-02'),
                                (x'01', x'04', 'shared', NULL, 'slack/T1/C1', '2026-01-03');
    INSERT INTO session_participants VALUES (x'01', x'04', x'02');
    INSERT INTO messages VALUES
        (x'01', x'05', x'03', x'06', x'02', 'DSCR?', 'professional', 0, 1, 'completed', NULL, '2026-01-02',
         '2026-01-03', x'0a', x'0b'),
        (x'01', x'07', x'04', x'08', x'02', 'LTV?', 'friendly', 1, 0, 'failed', 'poisoned', '2026-01-04', NULL, NULL,
         NULL);
    INSERT INTO responses VALUES (x'01', x'05', '{\"quickReply\":\"1.20x\"}', NULL, 'svc-local', '2026-01-03');
    INSERT INTO files (org_id, id, origin, position, user_id, audience, name, macros, verdict, created_at)
    VALUES (x'01', x'09', 'run/1', 0, x'02', 'private', 'roll.csv', 0, 'read', '2026-01-02');
    INSERT INTO message_files VALUES (x'01', x'05', 'question', 0, x'09');";
const TABLES: [&str; 5] = [
    "sessions",
    "session_participants",
    "messages",
    "responses",
    "message_files",
];

#[tokio::test]
async fn turns_survive_when_their_tables_are_rebuilt() {
    let dir = tempfile::tempdir().expect("a directory");
    let url = format!("sqlite://{}?mode=rwc", dir.path().join("corbel.db").display());
    let mut raw = SqliteConnection::connect(&url).await.expect("a file");
    before(43, &mut raw, dir.path()).await;
    sqlx::raw_sql(TURNS).execute(&mut raw).await.expect("turns");
    let (rows, indexes) = (rows_as_text(&mut raw).await, indexes(&mut raw).await);
    assert_eq!(rows.len(), 7, "{rows:?}");
    raw.close().await.expect("closed");

    let db = Db::open(&url, Clock::system()).await.expect("brought up to date");
    assert_eq!(db.pending_migrations().await.expect("known"), 0);
    db.close().await;

    let mut raw = SqliteConnection::connect(&url).await.expect("the file");
    // A column that was added since then.
    let now = self::rows_as_text(&mut raw).await.into_iter();
    let now: Vec<String> = now.map(|row| row.replace(" progress=NULL,", "")).collect();
    assert_eq!(now, rows);
    assert_eq!(self::indexes(&mut raw).await, indexes);
    let loose = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut raw).await;
    assert!(loose.expect("checked").is_empty());
    // Foreign keys to a turn are still enforced.
    let orphan = sqlx::query("DELETE FROM messages WHERE id = x'05'")
        .execute(&mut raw)
        .await;
    orphan.expect_err("its response is there");
}

/// The schema as it was before the migration with this number.
async fn before(number: i64, connection: &mut SqliteConnection, dir: &Path) {
    let steps = dir.join("steps");
    std::fs::create_dir(&steps).expect("a folder");
    for folder in ["common", "sqlite"] {
        for file in std::fs::read_dir(format!("migrations/{folder}")).expect("a folder") {
            let file = file.expect("a file");
            let name = file.file_name().into_string().expect("a name");
            let of: i64 = name
                .split('_')
                .next()
                .and_then(|of| of.parse().ok())
                .expect("a number");
            if of < number {
                std::fs::copy(file.path(), steps.join(name)).expect("a copy");
            }
        }
    }
    let steps = Migrator::new(steps).await.expect("steps");
    steps.run(connection).await.expect("the schema before");
}

/// Each row as text, by column name.
async fn rows_as_text(connection: &mut SqliteConnection) -> Vec<String> {
    let mut rows = Vec::new();
    for table in TABLES {
        let columns = texts(
            connection,
            format!("SELECT name FROM pragma_table_info('{table}') ORDER BY name"),
        );
        let quoted: Vec<_> = columns
            .await
            .iter()
            .map(|name| format!("'{name}=' || quote({name})"))
            .collect();
        let row = quoted.join(" || ', ' || ");
        rows.extend(
            texts(
                connection,
                format!("SELECT '{table}: ' || {row} AS r FROM {table} ORDER BY r"),
            )
            .await,
        );
    }
    rows
}

async fn indexes(connection: &mut SqliteConnection) -> Vec<String> {
    let named = format!(
        "SELECT name || ': ' || sql FROM sqlite_master
         WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('{}') ORDER BY name",
        TABLES.join("', '")
    );
    texts(connection, named).await
}

async fn texts(connection: &mut SqliteConnection, query: String) -> Vec<String> {
    let rows = sqlx::query(AssertSqlSafe(query)).fetch_all(connection).await;
    rows.expect("rows").iter().map(|row| row.get(0)).collect()
}
