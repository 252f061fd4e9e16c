//! Updates the database's table statistics after a large import, so that query plans are good from the first
//! question on.

use crate::base::error::Result;
use crate::db::pool::Db;
use crate::portfolio::import::rows::Versioned;

/// Number of written rows from which on a table is analyzed.
const MANY: usize = 2_000;

/// Tables to analyze, because an import wrote so many rows that existing plans are bad. The database would do
/// this by itself only a minute later, or not at all.
#[derive(Debug, Default)]
pub struct Statistics(Vec<&'static str>);

impl Statistics {
    pub fn note<T: Versioned>(&mut self, written: usize) {
        if written >= MANY && !self.0.contains(&T::ANALYZE) {
            self.0.push(T::ANALYZE);
        }
    }

    /// Analyzes each table in a transaction of its own, so that other writers do not wait long.
    pub async fn count(self, db: &Db) -> Result<()> {
        for analyze in self.0 {
            db.write(move |tx| {
                Box::pin(async move {
                    if tx.exec().is_sqlite() {
                        // A sample is enough; PostgreSQL always takes one.
                        tx.query("PRAGMA analysis_limit = 400").execute().await?;
                    }
                    tx.query(analyze).execute().await?;
                    Ok(())
                })
            })
            .await?;
        }
        Ok(())
    }
}
