//! The registry of job handlers by kind. `app` registers them; the queue does not depend on any domain.

use std::collections::HashMap;
use std::sync::Arc;

use futures_core::future::BoxFuture;

use crate::base::error::Result;
use crate::queue::job::{Claim, Done, GaveUp};

type Run = Arc<dyn Fn(Claim) -> BoxFuture<'static, Result<Done>> + Send + Sync>;
type GiveUp = Arc<dyn Fn(Claim, GaveUp) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// The code for one kind of job.
#[derive(Clone)]
pub(super) struct Handler {
    /// Runs one attempt.
    pub(super) run: Run,
    /// Gives up a job that will not be attempted again: records the failure and finishes the job, fenced by the claim.
    pub(super) give_up: GiveUp,
}

/// Handlers by kind.
#[derive(Clone, Default)]
pub struct Handlers {
    by_kind: HashMap<&'static str, Handler>,
}

impl Handlers {
    /// Registers a handler.
    #[must_use]
    pub fn with<R, RF, G, GF>(mut self, kind: &'static str, run: R, give_up: G) -> Self
    where
        R: Fn(Claim) -> RF + Send + Sync + 'static,
        RF: Future<Output = Result<Done>> + Send + 'static,
        G: Fn(Claim, GaveUp) -> GF + Send + Sync + 'static,
        GF: Future<Output = Result<()>> + Send + 'static,
    {
        let handler = Handler {
            run: Arc::new(move |claim| Box::pin(run(claim))),
            give_up: Arc::new(move |claim, why| Box::pin(give_up(claim, why))),
        };
        self.by_kind.insert(kind, handler);
        self
    }

    pub(super) fn of(&self, kind: &str) -> Option<&Handler> {
        self.by_kind.get(kind)
    }
}
