//! SQLite's query plans for the portfolio: rows are found by the keys of a query, and not by the import number, which
//! most rows share.

use crate::harness::app::on_each;

#[tokio::test]
async fn queries_use_the_keys_of_the_tables() {
    on_each("plans", async |place| {
        let app = place.start(&[]).await;
        let db = &app.services().db;
        if !db.is_sqlite() {
            app.stop().await;
            return;
        }
        let views: Vec<(String,)> = db
            .query("SELECT name FROM sqlite_master WHERE type = 'view' AND sql LIKE '%portfolio_state%' ORDER BY name")
            .all()
            .await
            .expect("views");
        assert!(views.len() >= 13, "{views:?}");
        let mut statements: Vec<String> = views
            .iter()
            .map(|(view,)| format!("SELECT * FROM {view} WHERE org_id = x'00'"))
            .collect();
        statements.push(
            "SELECT m.month, l.end_date FROM unit_month m JOIN leases l ON l.org_id = m.org_id AND l.id = m.lease_id
             WHERE m.occupied AND m.org_id = x'00' AND m.month >= '2026-01-01' AND m.month <= '2026-01-01'"
                .to_owned(),
        );
        for statement in statements {
            let explained: &'static str = Box::leak(format!("EXPLAIN QUERY PLAN {statement}").into_boxed_str());
            let plan: Vec<(i64, i64, i64, String)> = db.query(explained).all().await.expect("a plan");
            for (.., step) in plan {
                assert!(
                    !step.contains("since_import<") && !step.contains("until_import>"),
                    "{statement}: {step}"
                );
            }
        }
        app.stop().await;
    })
    .await;
}
