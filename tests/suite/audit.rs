//! The chain of the audit log: any change made by bypassing the triggers is detected and named.

use corbel::accounts::model::Plan;
use corbel::audit::store::{self as audit, Actor, Fault, FaultKind};
use corbel::base::ids::OrgId;
use corbel::base::money::MicroUsd;
use corbel::db::args::Sql;
use corbel::db::pool::Db;
use serde_json::json;

use crate::harness::app::on_each;
use crate::harness::command::Dir;

async fn change(db: &Db, statement: impl Into<Sql> + Clone + Send + Sync + 'static) {
    let changed = db.write(move |tx| {
        let statement = statement.clone();
        Box::pin(async move {
            tx.query(statement).execute().await?;
            Ok(())
        })
    });
    changed.await.expect("changed");
}

/// Four lines of an organization, written by ordinary actions.
async fn log(db: &Db, org: OrgId) {
    let written = db.write(move |tx| {
        Box::pin(async move {
            for n in 0..3 {
                audit::add(tx, org, Actor::OPERATOR, "test.acted", "x", json!({ "n": n })).await?;
            }
            Ok(())
        })
    });
    written.await.expect("written");
}

/// A name, the changes made by bypassing the triggers, and the expected fault.
type Case = (&'static str, &'static [&'static str], Option<(i64, FaultKind)>);

#[tokio::test]
async fn altered_or_removed_lines_are_named() {
    on_each("audit_chain", async |place| {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let (db, accounts) = (&running.services().db, &running.services().accounts);
        for drop in [
            Sql::each(
                "DROP TRIGGER audit_log_no_update",
                "DROP TRIGGER audit_log_append_only ON audit_log",
            ),
            Sql::each("DROP TRIGGER audit_log_no_delete", "SELECT 1"),
        ] {
            change(db, drop).await;
        }
        let cases: [Case; 8] = [
            ("whole", &[], None),
            (
                "an altered line",
                &["UPDATE audit_log SET subject = 'someone else' WHERE seq = 2 \
                   AND org_id IN (SELECT id FROM organizations WHERE name = 'an altered line')"],
                Some((2, FaultKind::Altered)),
            ),
            (
                "a line taken out",
                &["DELETE FROM audit_log WHERE seq = 3 \
                   AND org_id IN (SELECT id FROM organizations WHERE name = 'a line taken out')"],
                Some((3, FaultKind::Missing)),
            ),
            (
                "the last line taken away",
                &["DELETE FROM audit_log WHERE seq = 4 \
                   AND org_id IN (SELECT id FROM organizations WHERE name = 'the last line taken away')"],
                Some((4, FaultKind::Missing)),
            ),
            (
                "all lines taken away",
                &["DELETE FROM audit_log \
                   WHERE org_id IN (SELECT id FROM organizations WHERE name = 'all lines taken away')"],
                Some((1, FaultKind::Missing)),
            ),
            (
                "the head taken away",
                &["DELETE FROM audit_heads \
                   WHERE org_id IN (SELECT id FROM organizations WHERE name = 'the head taken away')"],
                Some((1, FaultKind::Added)),
            ),
            (
                "all lines taken away, and the head",
                &[
                    "DELETE FROM audit_log \
                     WHERE org_id IN (SELECT id FROM organizations WHERE name = 'all lines taken away, and the head')",
                    "DELETE FROM audit_heads \
                     WHERE org_id IN (SELECT id FROM organizations WHERE name = 'all lines taken away, and the head')",
                ],
                Some((1, FaultKind::Missing)),
            ),
            (
                "the last line taken away, and the head turned back",
                &[
                    "DELETE FROM audit_log WHERE seq = 4 \
                     AND org_id IN (SELECT id FROM organizations \
                     WHERE name = 'the last line taken away, and the head turned back')",
                    "UPDATE audit_heads SET seq = 3 \
                     WHERE org_id IN (SELECT id FROM organizations \
                     WHERE name = 'the last line taken away, and the head turned back')",
                ],
                Some((3, FaultKind::Altered)),
            ),
        ];
        for (name, statements, expected) in cases {
            let org = accounts.create_org(Actor::OPERATOR, name, Plan::Pro, None).await.expect("organization").id;
            log(db, org).await;
            for statement in statements {
                change(db, *statement).await;
            }
            let verdict = audit::verify(db, org).await.expect("audit");
            let expected = expected.map(|(seq, kind)| Fault { seq, kind });
            assert_eq!(verdict.fault, expected, "{name}");
            if expected.is_none() {
                assert_eq!((verdict.lines, verdict.head.len()), (4, 32), "{name}");
            }
        }
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_log_cannot_be_truncated() {
    on_each("audit_truncate", async |place| {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let services = running.services();
        // In SQLite, DELETE is the only way to empty a table.
        for (sqlite, postgres) in [
            ("DELETE FROM audit_log", "TRUNCATE audit_log"),
            ("DELETE FROM usage_entries", "TRUNCATE usage_entries"),
        ] {
            let org = services
                .accounts
                .create_org(Actor::OPERATOR, sqlite, Plan::Pro, None)
                .await
                .expect("organization")
                .id;
            services
                .usage
                .add_credit(Actor::OPERATOR, org, MicroUsd(5))
                .await
                .expect("credit");
            let emptied = services.db.write(move |tx| {
                Box::pin(async move {
                    tx.query(Sql::each(sqlite, postgres)).execute().await?;
                    Ok(())
                })
            });
            assert!(emptied.await.is_err(), "{postgres}");
        }
        running.stop().await;
    })
    .await;
}

#[test]
fn the_command_reports_whether_the_log_is_intact() {
    let dir = Dir::new();
    let org = dir.json(&["admin", "org", "create", "--name", "Marlow Ridge"]);
    let org = org["orgId"].as_str().expect("an id");
    let user = ["--email", "ana@marlow.example", "--name", "Ana Example"];
    dir.json(&[&["admin", "user", "create", "--org", org][..], &user].concat());
    let verify = ["admin", "audit", "verify", "--org", org];
    let whole = dir.json(&verify);
    assert_eq!((&whole["intact"], &whole["lines"]), (&json!(true), &json!(2)));
    let head = whole["head"].as_str().expect("a digest");
    assert_eq!(
        dir.json(&[&verify[..], &["--head", head]].concat())["intact"],
        true
    );
    let other = head.chars().rev().collect::<String>();
    let exchanged = dir.run(&[&["--json"][..], &verify, &["--head", &other]].concat());
    assert_eq!(exchanged.status.code(), Some(1));
    let listed = dir.json(&["admin", "audit", "list", "--org", org, "--limit", "1"]);
    assert_eq!(listed["lines"][0]["action"], "member.added");
    assert_eq!(listed["lines"][0]["digest"], whole["head"]);
    let before = listed["nextBefore"].to_string();
    let first = dir.json(&["admin", "audit", "list", "--org", org, "--before", &before]);
    assert_eq!(first["lines"][0]["action"], "organization.created");
    assert_eq!(first["nextBefore"], json!(null));

    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        use sqlx::{Connection as _, Executor as _};
        let url = format!("sqlite://{}", dir.0.join("corbel.db").display());
        let mut database = sqlx::SqliteConnection::connect(&url).await.expect("the database");
        database
            .execute(
                "DROP TRIGGER audit_log_no_update; UPDATE audit_log SET action = 'nothing' WHERE seq = 1",
            )
            .await
            .expect("changed");
        database.close().await.expect("closed");
    });
    let broken = dir.run(&[&["--json"][..], &verify].concat());
    assert_eq!(broken.status.code(), Some(1));
    let broken: serde_json::Value = serde_json::from_slice(&broken.stdout).expect("JSON");
    assert_eq!(broken["fault"], json!({ "seq": 1, "kind": "altered" }));
    let said = dir.run(&verify);
    assert!(String::from_utf8_lossy(&said.stdout).contains("entry 1 was altered"));
}
