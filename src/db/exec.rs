//! Statements with bound values, run on a pool or a transaction of either driver. Statement texts consist
//! of fixed text and placeholders only, so values cannot be injected.

use std::fmt::Write as _;

use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};

use crate::db::args::{Args, Bind, Record, Sql};
use crate::db::connections::Connections;
use crate::db::error::Result;

/// Where one statement runs: on any free connection, or on the connection of a transaction.
pub enum Exec<'c> {
    SqliteAny(&'c Connections<SqliteConnection>),
    SqliteConn(&'c mut SqliteConnection),
    PgAny(&'c Connections<PgConnection>),
    PgConn(&'c mut PgConnection),
}

impl<'c> Exec<'c> {
    /// Starts a statement with a fixed text.
    pub fn query(self, sql: impl Into<Sql>) -> Query<'c> {
        Query::fixed(self, sql.into())
    }

    /// Starts a statement that is composed from fixed pieces and bound values.
    pub fn build(self, start: &'static str) -> Builder<'c> {
        Builder::new(self, start)
    }

    pub fn is_sqlite(&self) -> bool {
        matches!(self, Self::SqliteAny(_) | Self::SqliteConn(_))
    }
}

/// Expands the body once for each variant of `Exec`.
macro_rules! run {
    ($query:expr, |$conn:ident, $sql:ident, $args:ident, $persistent:ident| $body:expr) => {{
        let Query {
            exec,
            sql: $sql,
            args,
            failed,
            persistent: $persistent,
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
            _ => unreachable!("arguments match their executor"),
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
    /// Keep the statement prepared on its connection.
    persistent: bool,
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
            persistent: true,
        }
    }

    /// Binds the next placeholder.
    pub fn bind<'q>(mut self, value: impl Bind<'q>) -> Self {
        if let Err(error) = self.args.add(value) {
            self.failed.get_or_insert(error);
        }
        self
    }

    /// Does not keep the statement prepared. For texts that rarely recur, which would evict others from the cache.
    pub fn unprepared(self) -> Self {
        Self {
            persistent: false,
            ..self
        }
    }

    /// Runs the statement and returns the number of affected rows.
    pub async fn execute(self) -> Result<u64> {
        run!(self, |conn, sql, args, persistent| async {
            let query = sqlx::query_with(sql, args).persistent(persistent);
            Ok(query.execute(conn).await?.rows_affected())
        })
    }

    pub async fn one<R: Record>(self) -> Result<R> {
        run!(self, |conn, sql, args, persistent| sqlx::query_as_with(sql, args)
            .persistent(persistent)
            .fetch_one(conn))
    }

    pub async fn optional<R: Record>(self) -> Result<Option<R>> {
        run!(self, |conn, sql, args, persistent| sqlx::query_as_with(sql, args)
            .persistent(persistent)
            .fetch_optional(conn))
    }

    pub async fn all<R: Record>(self) -> Result<Vec<R>> {
        run!(self, |conn, sql, args, persistent| sqlx::query_as_with(sql, args)
            .persistent(persistent)
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

/// Composes a statement. Only fixed text can be pushed; values can only be bound to placeholders.
pub struct Builder<'c> {
    query: Query<'c>,
    text: String,
    bound: usize,
    /// On SQLite, the offsets of placeholders written without a number. SQLite looks each numbered one up in a
    /// linear list, which is slow with hundreds of them.
    unnumbered: Option<Vec<usize>>,
}

impl<'c> Builder<'c> {
    fn new(exec: Exec<'c>, start: &'static str) -> Self {
        Self {
            unnumbered: exec.is_sqlite().then(Vec::new),
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
        if let Some(offsets) = &mut self.unnumbered {
            offsets.push(self.text.len());
            self.text.push('?');
        } else {
            let _ = write!(self.text, "${}", self.bound);
        }
        self.query = self.query.bind(value);
        self
    }

    /// Writes the placeholder of an already bound value again. `number` starts at 1.
    pub fn repeat(mut self, number: usize) -> Self {
        debug_assert!((1..=self.bound).contains(&number), "bound before");
        self.number_placeholders();
        let _ = write!(self.text, "${number}");
        self
    }

    /// Numbers all placeholders, which is needed once one of them is repeated.
    fn number_placeholders(&mut self) {
        let Some(offsets) = self.unnumbered.take() else {
            return;
        };
        let (mut numbered, mut from) = (String::with_capacity(self.text.len() * 2), 0);
        for (n, offset) in (1..).zip(offsets) {
            numbered.push_str(self.text.get(from..offset).unwrap_or_default());
            let _ = write!(numbered, "${n}");
            from = offset + 1;
        }
        numbered.push_str(self.text.get(from..).unwrap_or_default());
        self.text = numbered;
    }

    /// Writes `($4, $5, …)`. Without values it writes `(NULL)`, which `IN` never matches.
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

    /// Ends the statement with a limit. Common limits are written into the text: PostgreSQL estimates a bound limit
    /// as a tenth of all rows, and on large tables it then plans the statement again on each execution.
    pub fn limit(mut self, max: i64) -> Self {
        self.text.push_str(" LIMIT ");
        if !LITERAL_LIMITS.contains(&max) {
            return self.bind(max);
        }
        let _ = write!(self.text, "{max}");
        self
    }

    pub fn done(self) -> Query<'c> {
        Query {
            sql: AssertSqlSafe(self.text).into_sql_str(),
            ..self.query
        }
    }
}

/// Limits written into the text: common page sizes plus one. Each is one more prepared statement.
const LITERAL_LIMITS: [i64; 6] = [2, 11, 21, 26, 51, 101];
/// Row counts of multi-row statements.
const SIZES: [usize; 13] = [32, 24, 16, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1];

/// Splits rows into slices for multi-row statements. Only thirteen sizes occur, so a connection prepares at
/// most thirteen texts of one statement; up to 32 rows need at most two statements.
pub fn batches<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = SIZES.into_iter().find(|size| *size <= rows.len())?;
        let (batch, rest) = rows.split_at_checked(size)?;
        rows = rest;
        Some(batch)
    })
}
