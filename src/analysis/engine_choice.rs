//! Which engine answers a run: a language model if one is configured and the asker may use it, else the offline
//! analyst.

use std::sync::Arc;
use std::time::Duration;

use crate::analysis::engine::Engine;
use crate::base::model::Model;
use crate::base::money::MicroUsd;

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
    trial_cap: MicroUsd,
}

impl Engines {
    /// The offline analyst alone.
    pub fn offline(engine: Arc<dyn Engine>) -> Self {
        Self {
            offline: engine,
            model: None,
        }
    }

    /// A language model, whose runs may cost `most` in addition to their price and take `longest`, and the offline
    /// analyst. A trial may spend `trial_cap` in a month.
    #[must_use]
    pub fn with_model(
        self,
        engine: Arc<dyn Engine>,
        most: MicroUsd,
        longest: Duration,
        trial_cap: MicroUsd,
    ) -> Self {
        Self {
            model: Some(Configured {
                engine,
                most,
                longest,
                trial_cap,
            }),
            ..self
        }
    }

    /// Who answers a run that asks for a model. A trial gets a model only as long as the money for it lasts.
    pub fn chosen(&self, asked: Model) -> Model {
        if self.model.is_none() { Model::Local } else { asked }
    }

    /// What trials may spend on models in a month, each.
    pub fn trial_cap(&self) -> MicroUsd {
        self.model
            .as_ref()
            .map_or(MicroUsd::ZERO, |model| model.trial_cap)
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
