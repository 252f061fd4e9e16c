//! All domain services in one cheaply cloned value, which each face gets.

use std::ops::Deref;
use std::sync::Arc;

use crate::accounts::service::Accounts;
use crate::analysis::service::Analysis;
use crate::analysts::service::Analysts;
use crate::assistants::conversations::service::Conversations;
use crate::assistants::deliveries::service::Deliveries;
use crate::assistants::inbox::service::Inbox;
use crate::assistants::installations::service::Installations;
use crate::assistants::links::service::AccountLinks;
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

/// A shared handle on all services. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    parts: Arc<Parts>,
}

pub struct Parts {
    pub db: Db,
    pub blobs: Blobs,
    pub files: Files,
    /// Temporary files of uploads that are not stored yet.
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
    pub installations: Installations,
    pub links: AccountLinks,
    pub conversations: Conversations,
    pub inbox: Inbox,
    pub deliveries: Deliveries,
    pub analysis: Analysis,
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

/// How clients and networks outside reach this service.
#[derive(Clone, Debug)]
pub struct Site {
    /// Base URL of all links, without a trailing slash.
    pub public_url: String,
    /// The provider's name in "powered by …".
    pub service_name: String,
    /// Proxies whose forwarding headers are trusted.
    pub trusted_proxies: Vec<Network>,
}
