//! Every domain service in one cheap clone: all that a face gets.

use std::ops::Deref;
use std::sync::Arc;

use crate::accounts::service::Accounts;
use crate::analysis::selection::Selections;
use crate::analysis::service::Analysis;
use crate::analysts::service::Analysts;
use crate::assistants::service::Assistants;
use crate::base::clock::Clock;
use crate::blobs::store::Blobs;
use crate::context::service::Context;
use crate::db::pool::Db;
use crate::files::service::Files;
use crate::files::spool::Spool;
use crate::keys::service::Keys;
use crate::net::network::Network;
use crate::portfolio::import::run::Imports;
use crate::portfolio::metrics::service::Metrics;
use crate::portfolio::semantic::service::Semantic;
use crate::portfolio::service::Portfolio;
use crate::portfolio::uploads::Uploads;
use crate::queue::service::Queue;
use crate::sessions::service::Sessions;
use crate::usage::service::Usage;

/// Shared: every request takes clones of it.
#[derive(Clone)]
pub struct Services {
    parts: Arc<Parts>,
}

pub struct Parts {
    pub db: Db,
    pub blobs: Blobs,
    pub files: Files,
    /// Where uploads wait until they are kept.
    pub spool: Spool,
    pub clock: Clock,
    pub queue: Queue,
    pub accounts: Accounts,
    pub keys: Keys,
    pub usage: Usage,
    pub context: Context,
    pub analysts: Analysts,
    pub portfolio: Portfolio,
    pub imports: Imports,
    pub semantic: Semantic,
    pub uploads: Uploads,
    pub metrics: Metrics,
    pub sessions: Sessions,
    pub assistants: Assistants,
    pub analysis: Analysis,
    pub selections: Selections,
    pub site: Arc<Site>,
}

impl From<Parts> for Services {
    fn from(parts: Parts) -> Self {
        Self {
            parts: Arc::new(parts),
        }
    }
}

impl Deref for Services {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

/// How the outside sees this service.
#[derive(Clone, Debug)]
pub struct Site {
    /// Base of all links, without a slash at the end.
    pub public_url: String,
    /// The provider in "powered by …".
    pub service_name: String,
    /// Whose word on where a request came from is taken.
    pub trusted_proxies: Vec<Network>,
}
