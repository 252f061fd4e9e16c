//! The semantic layer: lists and describes the models, and answers queries over the visible buildings.
//! Read-only. `portfolio::service::scope` decides which buildings are visible, and every statement is limited
//! to them.

use std::time::Duration;

use chrono::NaiveDate;
use futures_core::future::BoxFuture;
use serde_json::{Map, Value as Json};

use crate::base::error::{Error, Result as BaseResult};
use crate::base::ids::OrgId;
use crate::db::error::is_timeout;
use crate::db::pool::Db;
use crate::db::snapshot::Snapshot;
use crate::portfolio::model::Buildings;
use crate::portfolio::semantic::answer::Answer;
use crate::portfolio::semantic::answering::{Scope, anchor, answered, covered, currencies_of};
use crate::portfolio::semantic::describe::{self, Listed};
use crate::portfolio::semantic::query::TimeSettings;
use crate::portfolio::semantic::reader;
use crate::portfolio::semantic::refusal::{Code, Path, Refusal};
use crate::portfolio::semantic::registry;
use crate::portfolio::semantic::samples::samples_of;

/// Statement timeouts, for queries and for sample values.
const PATIENCE: Duration = Duration::from_secs(3);
const SAMPLING: Duration = Duration::from_secs(1);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The query is invalid; the refusal says how to fix it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Failed(#[from] Error),
}

#[derive(Clone)]
pub struct Semantic {
    db: Db,
}

impl Semantic {
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// The models, the same for everyone.
    pub fn models(&self) -> Vec<Listed> {
        describe::list()
    }

    /// Describes a model and its members, with sample values from the first rows of the visible buildings. There are
    /// none if reading them takes too long.
    pub async fn describe(&self, org: OrgId, within: &Buildings, model: &str) -> Result<Json, Failure> {
        let model = registry::known_model(model, &Path::root().key("model"))?;
        let scope = Scope {
            org,
            buildings: within.clone(),
        };
        let today = self.db.clock().now().date_naive();
        let sampled = scope.clone();
        let sampling = self.db.snapshot(SAMPLING, move |snapshot| {
            Box::pin(samples_of(snapshot, sampled, model, today))
        });
        let samples = match sampling.await {
            Err(error) if is_timeout(&error) => Map::new(),
            samples => samples?,
        };
        let currencies = self.look(&scope, PATIENCE, currencies_of).await?;
        let single = <[String; 1]>::try_from(currencies).ok();
        let currency = single.as_ref().map(|[one]| one.as_str());
        let sample = |name: &str| samples.get(name).and_then(Json::as_array).cloned();
        Ok(describe::whole(model, currency, sample))
    }

    /// Answers a query. Buildings that are not granted look the same as buildings that do not exist.
    pub async fn query(&self, org: OrgId, within: &Buildings, query: &Json) -> Result<Answer, Failure> {
        let asked = reader::unwrapped(query)?.clone();
        let time_settings = reader::time_settings(&asked)?;
        let scope = Scope {
            org,
            buildings: within.clone(),
        };
        let today = self.today(time_settings);
        let looking = self.db.snapshot(PATIENCE, move |snapshot| {
            Box::pin(async move {
                let covered = covered(snapshot, scope.org).await?;
                let query = match reader::read(&asked, anchor(time_settings, covered, today)) {
                    Ok(query) => query,
                    Err(refusal) => return Ok(Err(refusal)),
                };
                answered(snapshot, scope, &query, covered, today).await
            })
        });
        Ok(in_time(looking.await)??)
    }

    fn today(&self, time_settings: TimeSettings) -> NaiveDate {
        self.db
            .clock()
            .now()
            .with_timezone(&time_settings.zone)
            .date_naive()
    }

    async fn look<T: Send + 'static>(
        &self,
        scope: &Scope,
        patience: Duration,
        look: for<'s> fn(&'s mut Snapshot, Scope) -> BoxFuture<'s, BaseResult<T>>,
    ) -> Result<T, Failure> {
        let scope = scope.clone();
        in_time(
            self.db
                .snapshot(patience, move |snapshot| look(snapshot, scope))
                .await,
        )
    }
}

fn in_time<T>(outcome: BaseResult<T>) -> Result<T, Failure> {
    outcome.map_err(|error| {
        if is_timeout(&error) {
            Failure::Refused(Refusal::new(
                Code::QueryTimeout,
                &Path::root(),
                format!("the query took longer than {} seconds", PATIENCE.as_secs()),
                "use a shorter dateRange, fewer dimensions, or a filter",
            ))
        } else {
            Failure::Failed(error)
        }
    })
}
