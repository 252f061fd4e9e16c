//! Which engine answers a run: a language model if one is configured and the asker may use it, else the offline analyst.

use std::sync::Arc;
use std::time::Duration;

use crate::accounts::model::Plan;
use crate::analysis::engine::Engine;
use crate::base::model::Model;
use crate::base::money::MicroUsd;
use crate::keys::model::{Environment, KeyUse};

/// The engines of this process. Cheap to clone.
#[derive(Clone)]
pub struct Engines {
    offline: Arc<dyn Engine>,
    model: Option<Configured>,
}

#[derive(Clone)]
struct Configured {
    engine: Arc<dyn Engine>,
    /// What a run may cost in addition to its price.
    most: MicroUsd,
    /// How long all its calls together may take.
    longest: Duration,
}

impl Engines {
    /// The offline analyst alone.
    pub fn offline(engine: Arc<dyn Engine>) -> Self {
        Self {
            offline: engine,
            model: None,
        }
    }

    /// A language model, whose runs may cost `most` in addition to their price, and the offline analyst.
    #[must_use]
    pub fn with_model(self, engine: Arc<dyn Engine>, most: MicroUsd, longest: Duration) -> Self {
        Self {
            model: Some(Configured {
                engine,
                most,
                longest,
            }),
            ..self
        }
    }

    /// Who answers a run that asks for a model. Sandbox keys and trial organizations get the offline analyst.
    pub fn chosen(&self, asked: Model, key: Option<KeyUse>, plan: Plan) -> Model {
        let is_trial = plan == Plan::Trial || key.is_some_and(|key| key.environment == Environment::Sandbox);
        if self.model.is_none() || is_trial {
            Model::Local
        } else {
            asked
        }
    }

    /// What a run of this model may cost in addition to its price.
    pub fn most(&self, answers: Model) -> MicroUsd {
        match (&self.model, answers) {
            (Some(model), Model::Pro | Model::Fast) => model.most,
            _ => MicroUsd::ZERO,
        }
    }

    /// How long the calls of one run to a language model may take together.
    pub fn longest(&self) -> Duration {
        self.model.as_ref().map_or(Duration::ZERO, |model| model.longest)
    }

    /// The engine that answers. Without a configured model always the offline analyst, also for a run that was admitted
    /// when there was one.
    pub fn of(&self, answers: Model) -> &dyn Engine {
        match (&self.model, answers) {
            (Some(model), Model::Pro | Model::Fast) => model.engine.as_ref(),
            _ => self.offline.as_ref(),
        }
    }
}
