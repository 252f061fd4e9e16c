//! A temporary database for a benchmark on a PostgreSQL server, dropped at the end.

use corbel::base::ids::JobId;
use sqlx::{Connection as _, Executor as _, PgConnection};

use crate::support::Outcome;

pub struct TempDatabase {
    server: String,
    name: String,
}

impl TempDatabase {
    pub async fn create(server: &str) -> Outcome<Self> {
        let database = Self {
            server: server.to_owned(),
            name: format!("corbel_bench_{}", JobId::new().uuid().simple()),
        };
        database
            .say(&format!("CREATE DATABASE {}", database.name))
            .await?;
        Ok(database)
    }

    pub fn url(&self) -> Outcome<String> {
        let mut url = url::Url::parse(&self.server)?;
        url.set_path(&self.name);
        Ok(url.to_string())
    }

    /// The server's processes for this database.
    pub async fn processes(&self) -> Outcome<Vec<u32>> {
        let mut connection = PgConnection::connect(&self.server).await?;
        let pids: Vec<i32> = sqlx::query_scalar("SELECT pid FROM pg_stat_activity WHERE datname = $1")
            .bind(&self.name)
            .fetch_all(&mut connection)
            .await?;
        connection.close().await?;
        Ok(pids.into_iter().map(u32::try_from).collect::<Result<_, _>>()?)
    }

    /// Vacuums now, because autovacuum might otherwise run during a measurement.
    pub async fn vacuum(&self) -> Outcome {
        let mut connection = PgConnection::connect(&self.url()?).await?;
        connection.execute("VACUUM (ANALYZE)").await?;
        connection.execute("CHECKPOINT").await?;
        Ok(connection.close().await?)
    }

    pub async fn remove(self) -> Outcome {
        self.say(&format!("DROP DATABASE {} WITH (FORCE)", self.name))
            .await
    }

    async fn say(&self, statement: &str) -> Outcome {
        let mut connection = PgConnection::connect(&self.server).await?;
        connection
            .execute(sqlx::AssertSqlSafe(statement.to_owned()))
            .await?;
        Ok(connection.close().await?)
    }
}
