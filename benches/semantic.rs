//! The time of semantic-layer queries among three million ledger rows: `Semantic::query` as used by every
//! interface, compared with the same sum in plain SQL, on SQLite and, if `CORBEL_BENCH_POSTGRES_URL` is set,
//! on a temporary database of that PostgreSQL server. Both must return the same results.
//!
//! Run with `cargo bench --bench semantic`. Invented ledgers: 12 buildings, 36 months and 16 accounts for
//! each organization. CORBEL_BENCH_ROWS and CORBEL_BENCH_REQUESTS (queries of each kind) set the size.

#[expect(dead_code, reason = "the benches that compare contenders use more of it")]
mod support;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use corbel::accounts::model::Plan;
use corbel::app::build::build;
use corbel::app::config::Config;
use corbel::audit::store::Actor;
use corbel::base::clock::Clock;
use corbel::base::ids::OrgId;
use corbel::db::args::Sql;
use corbel::db::pool::Db;
use corbel::portfolio::model::Buildings;
use corbel::services::Services;
use serde_json::{Value, json};

use crate::support::{Outcome, Scratch, env_var, machine, ms, number, quantile, say};

const BUILDINGS: i64 = 12;
const MONTHS: i64 = 36;
const ACCOUNTS: [(&str, &str); 16] = [
    ("4000", "revenue"),
    ("4010", "revenue"),
    ("4020", "revenue"),
    ("4030", "revenue"),
    ("4100", "revenue"),
    ("4200", "revenue"),
    ("5000", "operating_expense"),
    ("5100", "operating_expense"),
    ("5200", "operating_expense"),
    ("5300", "operating_expense"),
    ("5400", "operating_expense"),
    ("5500", "operating_expense"),
    ("5600", "operating_expense"),
    ("6000", "capital"),
    ("7000", "debt_service"),
    ("7100", "debt_service"),
];

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> Outcome {
    let rows = number("CORBEL_BENCH_ROWS", 3_000_000)?;
    let requests = number("CORBEL_BENCH_REQUESTS", 300)?;
    let each = usize::try_from(BUILDINGS * MONTHS)? * ACCOUNTS.len();
    let tenants = rows.div_ceil(each);
    say(machine())?;
    say(format!(
        "{} ledger rows of {tenants} organizations, {requests} queries of each kind, one at a time",
        tenants * each
    ))?;
    let sqlite = Filled::with(None, tenants).await?.ask(requests).await?;
    let Some(server) = env_var("CORBEL_BENCH_POSTGRES_URL") else {
        return say("PostgreSQL is absent: CORBEL_BENCH_POSTGRES_URL is not set");
    };
    let own = format!("corbel_bench_{}", OrgId::new().uuid().simple());
    on_server(&server, &format!("CREATE DATABASE {own}")).await?;
    let mut url = url::Url::parse(&server)?;
    url.set_path(&own);
    let postgres = async {
        Filled::with(Some(url.as_str()), tenants)
            .await?
            .ask(requests)
            .await
    };
    let postgres = postgres.await;
    on_server(&server, &format!("DROP DATABASE {own} WITH (FORCE)")).await?;
    if sqlite == postgres? {
        say("both databases answered the same")
    } else {
        Err("the databases answer differently".into())
    }
}

async fn on_server(server: &str, statement: &str) -> Outcome {
    use sqlx::{Connection as _, Executor as _};
    let mut connection = sqlx::PgConnection::connect(server).await?;
    connection
        .execute(sqlx::AssertSqlSafe(statement.to_owned()))
        .await?;
    Ok(connection.close().await?)
}

/// A database filled with the ledgers.
struct Filled {
    name: &'static str,
    services: Services,
    orgs: Vec<OrgId>,
    _scratch: Scratch,
}

impl Filled {
    async fn with(url: Option<&str>, tenants: usize) -> Outcome<Self> {
        let name = if url.is_some() { "PostgreSQL" } else { "SQLite" };
        let scratch = Scratch::new(&format!("semantic-{name}"))?;
        let data = scratch.path().display().to_string();
        let mut values = BTreeMap::from([("CORBEL_DATA_DIR".to_owned(), data)]);
        values.extend(url.map(|url| ("CORBEL_DATABASE_URL".to_owned(), url.to_owned())));
        let config = Config::from_values(values, Vec::new())?;
        let app = build(&config, Clock::system(), "http://127.0.0.1".to_owned()).await?;
        let filling = Instant::now();
        let mut orgs = Vec::with_capacity(tenants);
        for tenant in 0..tenants {
            let named = format!("Tenant {tenant}");
            let org = app
                .services
                .accounts
                .create_org(Actor::SYSTEM, &named, Plan::Pro, None)
                .await?
                .id;
            fill(&app.services.db, org, i64::try_from(tenant)?).await?;
            orgs.push(org);
        }
        if let Some(url) = url {
            // PostgreSQL does this by itself a minute after so many writes.
            on_server(url, "VACUUM ANALYZE").await?;
        }
        say(format!(
            "{name}: filled in {:.0} s",
            filling.elapsed().as_secs_f64()
        ))?;
        Ok(Self {
            name,
            services: app.services,
            orgs,
            _scratch: scratch,
        })
    }

    /// Prints how long the queries took, and returns their results.
    async fn ask(self, requests: usize) -> Outcome<Vec<Value>> {
        let months = json!([{"dimension": "financials.month", "dateRange": "last 12 months"}]);
        let kinds = [
            (
                "NOI of twelve months",
                json!({"measures": ["financials.noi"], "timeDimensions": months.clone()}),
                false,
            ),
            (
                "NOI and expense ratio by building",
                json!({"measures": ["financials.noi", "financials.opex_ratio"], "dimensions": ["buildings.name"],
                       "timeDimensions": months.clone()}),
                false,
            ),
            (
                "NOI by month",
                json!({"measures": ["financials.noi"], "timeDimensions": [{"dimension": "financials.month",
                       "dateRange": "last 12 months", "granularity": "month"}]}),
                false,
            ),
            (
                "NOI of twelve months, six buildings granted",
                json!({"measures": ["financials.noi"], "timeDimensions": months}),
                true,
            ),
        ];
        let mut answers = Vec::new();
        for (what, query, granted) in kinds {
            let within = if granted {
                Buildings::Only((0..6).map(|building| format!("B{building:02}")).collect())
            } else {
                Buildings::All
            };
            let mut times = Vec::with_capacity(requests);
            for n in 0..requests {
                let org = self.org(n)?;
                let start = Instant::now();
                let answer = self.services.semantic.query(org, &within, &query).await?;
                times.push(start.elapsed());
                if n < 20 {
                    answers.push(answer.data);
                }
            }
            self.said(what, times)?;
        }
        let mut times = Vec::with_capacity(requests);
        for n in 0..requests {
            let org = self.org(n)?;
            let start = Instant::now();
            plain(&self.services.db, org).await?;
            times.push(start.elapsed());
        }
        self.said("the first as plain SQL", times)?;
        self.services.db.close().await;
        Ok(answers)
    }

    fn org(&self, n: usize) -> Outcome<OrgId> {
        let org = self.orgs.get(n * 7 % self.orgs.len());
        Ok(*org.ok_or("no organizations")?)
    }

    fn said(&self, what: &str, mut times: Vec<Duration>) -> Outcome {
        times.sort_unstable();
        let at = |q| ms(quantile(&times, q));
        say(format!(
            "{}: {what}: p50 {:.2} ms, p99 {:.2} ms, slowest {:.2} ms",
            self.name,
            at(0.5),
            at(0.99),
            at(1.0)
        ))
    }
}

/// NOI of the same twelve months in hand-written SQL, without unnecessary joins.
async fn plain(db: &Db, org: OrgId) -> Outcome<i64> {
    let noi = db.query(
        "SELECT CAST(SUM(CASE WHEN a.category = 'revenue' THEN f.amount WHEN a.category = 'operating_expense' \
         THEN -f.amount ELSE 0 END) AS BIGINT)
         FROM monthly_financials f JOIN accounts a ON a.org_id = f.org_id AND a.code = f.account_code
         WHERE f.org_id = $1 AND f.month >= $2 AND f.month <= $3",
    );
    let day = |text: &str| text.parse::<chrono::NaiveDate>();
    Ok(noi
        .bind(org)
        .bind(day("2025-11-01")?)
        .bind(day("2026-10-31")?)
        .scalar()
        .await?)
}

/// One organization's ledger, generated in the database.
async fn fill(db: &Db, org: OrgId, salt: i64) -> Outcome {
    let filled = db.write(move |tx| {
        Box::pin(async move {
            let at = tx.now().await?;
            for building in 0..BUILDINGS {
                tx.query(
                    "INSERT INTO buildings (org_id, id, name, created_at, currency)
                     VALUES ($1, $2, $3, $4, 'USD')",
                )
                    .bind(org)
                    .bind(format!("B{building:02}"))
                    .bind(format!("House {building} of {salt}"))
                    .bind(at)
                    .execute()
                    .await?;
            }
            for (code, category) in ACCOUNTS {
                tx.query(
                    "INSERT INTO account_versions (org_id, code, name, category, statement_sign, included_in_noi,
                        source, since_import, until_import)
                     VALUES ($1, $2, $2, $3, 1, $4, 'bench', 1, 9223372036854775807)",
                )
                .bind(org)
                .bind(code)
                .bind(category)
                .bind(code < "6000")
                .execute()
                .await?;
            }
            tx.query(
                "INSERT INTO portfolio_state (org_id, current_import, as_of, first_month, last_month)
                 VALUES ($1, 1, '2026-10-31', '2023-11-01', '2026-10-01')",
            )
            .bind(org)
            .execute()
            .await?;
            tx.query(LEDGER).bind(org).bind(salt).bind(MONTHS).execute().await?;
            Ok(())
        })
    });
    Ok(filled.await?)
}

const LEDGER: Sql = Sql::each(
    "WITH RECURSIVE months(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM months WHERE n + 1 < $3)
     INSERT INTO monthly_financial_versions (org_id, building_id, month, account_code, amount, budget_amount, currency,
        source, since_import, until_import)
     SELECT $1, b.id, date('2023-11-01', m.n || ' months'), a.code,
        (CAST(substr(b.id, 2) AS BIGINT) * 31 + m.n * 17 + CAST(a.code AS BIGINT) * 13 + $2) % 997 * 100 + 10000,
        10000, 'USD', 'bench', 1, 9223372036854775807
     FROM buildings b, months m, account_versions a WHERE b.org_id = $1 AND a.org_id = $1",
    "WITH RECURSIVE months(n) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM months WHERE n + 1 < $3)
     INSERT INTO monthly_financial_versions (org_id, building_id, month, account_code, amount, budget_amount, currency,
        source, since_import, until_import)
     SELECT $1, b.id, CAST(DATE '2023-11-01' + make_interval(months => CAST(m.n AS INTEGER)) AS DATE), a.code,
        (CAST(substr(b.id, 2) AS BIGINT) * 31 + m.n * 17 + CAST(a.code AS BIGINT) * 13 + $2) % 997 * 100 + 10000,
        10000, 'USD', 'bench', 1, 9223372036854775807
     FROM buildings b, months m, account_versions a WHERE b.org_id = $1 AND a.org_id = $1",
);
