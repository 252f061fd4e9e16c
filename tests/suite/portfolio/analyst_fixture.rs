//! A fixture for questions: a database with an invented portfolio, and the offline analyst with its tools.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::NaiveDate;
use corbel::accounts::model::Plan;
use corbel::analysis::engine::{Brief, Draft, Engine, Tone};
use corbel::analysis::engines::offline::OfflineAnalyst;
use corbel::analysis::tools::kit::Tools;
use corbel::analysis::tools::portfolio::PortfolioTool;
use corbel::base::clock::Clock;
use corbel::base::ids::OrgId;
use corbel::db::pool::Db;
use corbel::portfolio::metrics::service::Metrics;
use corbel::portfolio::model::Buildings;
use corbel::portfolio::semantic::service::Semantic;
use finance::portfolio::query::{Measure, Query};

use super::fixture;
use crate::harness::app::Place;
use crate::harness::engine::draft_of;
use crate::harness::external;

pub struct AnalystFixture {
    pub db: Db,
    pub org: OrgId,
}

/// The folder with the shared portfolio; prints a notice if there is none.
pub fn shared() -> Option<PathBuf> {
    let shared = external::named("CORBEL_TEST_SHARED", "the portfolio's questions are not asked")?;
    Some(Path::new(&shared).join("data/portfolio"))
}

impl AnalystFixture {
    /// Creates an organization with the folder's portfolio.
    pub async fn open(place: &Arc<Place>, folder: &Path) -> Self {
        Self::open_with(place, folder, |_| None).await
    }

    /// As [`open`](Self::open), with other currencies for some buildings.
    pub async fn open_with(
        place: &Arc<Place>,
        folder: &Path,
        currency: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let config = place.config(&[]);
        std::fs::create_dir_all(&config.data_dir).expect("a folder");
        let db = Db::open(&config.database(), Clock::system())
            .await
            .expect("a database");
        let fixture = Self {
            org: organization(&db).await,
            db,
        };
        fixture::load(&fixture.db, fixture.org, folder, currency).await;
        fixture
    }

    pub fn metrics(&self) -> Metrics {
        Metrics::new(self.db.clone())
    }

    /// Queries a measure over all of an organization's buildings.
    pub async fn measure(&self, org: OrgId, query: &Query) -> Measure {
        let mut view = self.metrics().view(org, Buildings::All).await.expect("a view");
        let measure = view.measure(query).await.expect("a measure");
        view.end().await.expect("its end");
        measure
    }

    pub fn tools(&self, visible: Buildings) -> Tools {
        Tools {
            portfolio: Some(PortfolioTool::new(
                self.metrics(),
                Semantic::new(self.db.clone()),
                self.org,
                visible,
            )),
            ..Tools::default()
        }
    }

    pub async fn ask(&self, question: &str) -> Draft {
        self.ask_as(question, Buildings::All, None).await
    }

    pub async fn ask_as(
        &self,
        question: &str,
        visible: Buildings,
        earlier: Option<serde_json::Value>,
    ) -> Draft {
        let brief = Brief {
            earlier,
            ..brief(question)
        };
        let answered = OfflineAnalyst::default()
            .answer(&brief, &self.tools(visible))
            .await;
        draft_of(answered.expect("an answer"))
    }
}

pub fn only(ids: &[&str]) -> Buildings {
    Buildings::Only(ids.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<_>>())
}

pub fn brief(question: &str) -> Brief {
    Brief {
        question: question.to_owned(),
        tone: Tone::Professional,
        // After the end of the data: relative dates are counted from the data.
        today: NaiveDate::from_ymd_opt(2027, 2, 3).expect("a day"),
        ..Brief::default()
    }
}

pub async fn organization(db: &Db) -> OrgId {
    let org = OrgId::new();
    let made = db.write(move |tx| {
        Box::pin(async move {
            let at = tx.now().await?;
            tx.query("INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, $3, $4)")
                .bind(org)
                .bind(format!("Org {org}"))
                .bind(Plan::Pro.to_string())
                .bind(at)
                .execute()
                .await?;
            Ok(())
        })
    });
    made.await.expect("an organization");
    org
}
