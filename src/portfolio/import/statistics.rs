//! Tables that an import has statistics: the database counts them at once, so that plans are right from the first question on.

use crate::base::error::Result;
use crate::db::pool::Db;
use crate::portfolio::import::rows::Versioned;

/// Rows written to a table from which on the database counts it anew.
const MANY: usize = 2_000;

/// Tables to which an import wrote so much that plans made before are wrong: the database would count them by itself
/// a minute later, or not at all.
#[derive(Debug, Default)]
pub struct Statistics(Vec<&'static str>);

impl Statistics {
    pub fn note<T: Versioned>(&mut self, written: usize) {
        if written >= MANY && !self.0.contains(&T::ANALYZE) {
            self.0.push(T::ANALYZE);
        }
    }

    /// Each by itself, so that nobody waits long for the writer.
    pub async fn count(self, db: &Db) -> Result<()> {
        for analyze in self.0 {
            db.write(move |tx| {
                Box::pin(async move {
                    if tx.exec().is_sqlite() {
                        // A sample tells enough; PostgreSQL takes one anyway.
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
