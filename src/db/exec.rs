//! A statement with its bound values, over a pool or a transaction of either driver.
//! Only fixed text and placeholders reach the database.

use std::fmt::Write as _;

use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};

use crate::db::args::{Args, Bind, Record, Sql};
use crate::db::connections::Connections;
use crate::db::error::Result;

/// Where one statement runs: any free connection, or that of a transaction.
pub enum Exec<'c> {
    SqliteAny(&'c Connections<SqliteConnection>),
    SqliteConn(&'c mut SqliteConnection),
    PgAny(&'c Connections<PgConnection>),
    PgConn(&'c mut PgConnection),
}

impl<'c> Exec<'c> {
    /// A statement of fixed text.
    pub fn query(self, sql: impl Into<Sql>) -> Query<'c> {
        Query::fixed(self, sql.into())
    }

    /// A statement put together from fixed pieces and bound values.
    pub fn build(self, start: &'static str) -> Builder<'c> {
        Builder::new(self, start)
    }

    pub fn is_sqlite(&self) -> bool {
        matches!(self, Self::SqliteAny(_) | Self::SqliteConn(_))
    }
}

/// Expands one body for each of the four places a statement can run.
macro_rules! run {
    ($query:expr, |$conn:ident, $sql:ident, $args:ident, $kept:ident| $body:expr) => {{
        let Query {
            exec,
            sql: $sql,
            args,
            failed,
            kept: $kept,
        } = $query;
        if let Some(error) = failed {
            return Err(error.into());
        }
        let outcome: std::result::Result<_, sqlx::Error> = match (exec, args) {
            (Exec::SqliteAny(connections), Args::Sqlite($args)) => {
                let mut lent = connections.lend().await?;
                let $conn = lent.connection();
                let outcome = $body.await;
                lent.done(&outcome);
                outcome
            }
            (Exec::SqliteConn($conn), Args::Sqlite($args)) => $body.await,
            (Exec::PgAny(connections), Args::Postgres($args)) => {
                let mut lent = connections.lend().await?;
                let $conn = lent.connection();
                let outcome = $body.await;
                lent.done(&outcome);
                outcome
            }
            (Exec::PgConn($conn), Args::Postgres($args)) => $body.await,
            _ => unreachable!("arguments are made for their executor"),
        };
        Ok(outcome?)
    }};
}

/// A statement ready to bind and run.
pub struct Query<'c> {
    exec: Exec<'c>,
    sql: SqlStr,
    args: Args,
    failed: Option<sqlx::Error>,
    /// Prepared once for each connection.
    kept: bool,
}

impl<'c> Query<'c> {
    fn fixed(exec: Exec<'c>, sql: Sql) -> Self {
        let text = if exec.is_sqlite() {
            sql.sqlite
        } else {
            sql.postgres
        };
        let args = Args::new(exec.is_sqlite());
        Self {
            exec,
            sql: text.into_sql_str(),
            args,
            failed: None,
            kept: true,
        }
    }

    /// Binds the next placeholder.
    pub fn bind<'q>(mut self, value: impl Bind<'q>) -> Self {
        if let Err(error) = self.args.add(value) {
            self.failed.get_or_insert(error);
        }
        self
    }

    /// A text that hardly comes again is not kept prepared: it would push out those that do.
    pub fn passing(self) -> Self {
        Self { kept: false, ..self }
    }

    /// Runs the statement; answers how many rows it touched.
    pub async fn execute(self) -> Result<u64> {
        run!(self, |conn, sql, args, kept| async {
            let query = sqlx::query_with(sql, args).persistent(kept);
            Ok(query.execute(conn).await?.rows_affected())
        })
    }

    pub async fn one<R: Record>(self) -> Result<R> {
        run!(self, |conn, sql, args, kept| sqlx::query_as_with(sql, args)
            .persistent(kept)
            .fetch_one(conn))
    }

    pub async fn optional<R: Record>(self) -> Result<Option<R>> {
        run!(self, |conn, sql, args, kept| sqlx::query_as_with(sql, args)
            .persistent(kept)
            .fetch_optional(conn))
    }

    pub async fn all<R: Record>(self) -> Result<Vec<R>> {
        run!(self, |conn, sql, args, kept| sqlx::query_as_with(sql, args)
            .persistent(kept)
            .fetch_all(conn))
    }

    /// The first column of the only row.
    pub async fn scalar<T>(self) -> Result<T>
    where
        (T,): Record,
    {
        Ok(self.one::<(T,)>().await?.0)
    }
}

/// Puts a statement together. Only fixed text can be pushed, so no value can reach the SQL
/// other than as a placeholder.
pub struct Builder<'c> {
    query: Query<'c>,
    text: String,
    bound: usize,
    /// Where the placeholders stand that bear no number, on SQLite: it looks the name of each up in a list of all,
    /// so that hundreds of named ones cost more than what is bound.
    nameless: Option<Vec<usize>>,
}

impl<'c> Builder<'c> {
    fn new(exec: Exec<'c>, start: &'static str) -> Self {
        Self {
            nameless: exec.is_sqlite().then(Vec::new),
            query: Query::fixed(exec, Sql::from("")),
            text: start.to_owned(),
            bound: 0,
        }
    }

    pub fn push(mut self, piece: &'static str) -> Self {
        self.text.push_str(piece);
        self
    }

    /// Writes the next placeholder and binds its value.
    pub fn bind<'q>(mut self, value: impl Bind<'q>) -> Self {
        self.bound += 1;
        if let Some(places) = &mut self.nameless {
            places.push(self.text.len());
            self.text.push('?');
        } else {
            let _ = write!(self.text, "${}", self.bound);
        }
        self.query = self.query.bind(value);
        self
    }

    /// Writes the placeholder of a value that was bound before, the first being 1.
    pub fn again(mut self, place: usize) -> Self {
        debug_assert!((1..=self.bound).contains(&place), "bound before");
        self.name();
        let _ = write!(self.text, "${place}");
        self
    }

    /// Gives every placeholder its number: one of them is named again.
    fn name(&mut self) {
        let Some(places) = self.nameless.take() else {
            return;
        };
        let (mut named, mut from) = (String::with_capacity(self.text.len() * 2), 0);
        for (n, place) in (1..).zip(places) {
            named.push_str(self.text.get(from..place).unwrap_or_default());
            let _ = write!(named, "${n}");
            from = place + 1;
        }
        named.push_str(self.text.get(from..).unwrap_or_default());
        self.text = named;
    }

    /// Writes `($4, $5, …)`, or `(NULL)` for no values, which no `IN` matches.
    pub fn list<'q, T: Bind<'q>>(mut self, values: impl IntoIterator<Item = T>) -> Self {
        self.text.push('(');
        let before = self.bound;
        for value in values {
            if self.bound > before {
                self.text.push_str(", ");
            }
            self = self.bind(value);
        }
        if self.bound == before {
            self.text.push_str("NULL");
        }
        self.text.push(')');
        self
    }

    /// Ends the statement with its limit. The usual ones are written out: PostgreSQL takes a limit that it does not
    /// see for a tenth of all rows, and among many rows plans such a statement anew each time it is run.
    pub fn limit(mut self, most: i64) -> Self {
        self.text.push_str(" LIMIT ");
        if !WRITTEN.contains(&most) {
            return self.bind(most);
        }
        let _ = write!(self.text, "{most}");
        self
    }

    pub fn done(self) -> Query<'c> {
        Query {
            sql: AssertSqlSafe(self.text).into_sql_str(),
            ..self.query
        }
    }
}

/// Limits that are written out: one more than pages have that people ask for. Each is a text to be kept prepared.
const WRITTEN: [i64; 6] = [2, 11, 21, 26, 51, 101];
/// Sizes of multi-row statements.
const SIZES: [usize; 13] = [32, 24, 16, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1];

/// Splits rows for multi-row statements into few slices of few sizes: up to 32 rows are at most two
/// statements, and a connection prepares no more than thirteen texts of one statement.
pub fn batches<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = SIZES.into_iter().find(|size| *size <= rows.len())?;
        let (batch, rest) = rows.split_at_checked(size)?;
        rows = rest;
        Some(batch)
    })
}
