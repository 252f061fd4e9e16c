//! Builds the application from its settings: database, services, platforms, job handlers, worker.

use std::path::PathBuf;
use std::sync::Arc;

use crate::accounts::service::Accounts;
use crate::analysis::admission::RUN_JOB;
use crate::analysis::engine::Engine;
use crate::analysis::engine_choice::Engines;
use crate::analysis::engines::model::engine::ModelEngine;
use crate::analysis::engines::offline::OfflineAnalyst;
use crate::analysis::service::{Analysis, Dependencies};
use crate::analysts::service::Analysts;
use crate::app::config::Config;
use crate::app::data_dir;
use crate::assistants::conversations::service::Conversations;
use crate::assistants::deliveries::service::Deliveries;
use crate::assistants::inbox::service::Inbox;
use crate::assistants::installations::service::Installations;
use crate::assistants::jobs::INTERACTION_JOB;
use crate::assistants::jobs::{CLEANUP_JOB, DELIVER_JOB, PLACEHOLDER_JOB, TURN_JOB};
use crate::assistants::links::service::AccountLinks;
use crate::assistants::service::Assistants;
use crate::base::clock::Clock;
use crate::base::error::Result;
use crate::base::money::MicroUsd;
use crate::blobs::store::Blobs;
use crate::chat::core::chat::Chat;
use crate::chat::core::deliveries::Deliverer;
use crate::chat::core::interactions::Interactions;
use crate::chat::core::platform::Platform;
use crate::chat::core::turns::Turns;
use crate::chat::slack::access::SlackAccess;
use crate::chat::slack::client::SlackPlatform;
use crate::chat::slack::hosts::Hosts;
use crate::chat::slack::rotation::Rotation;
use crate::chat::web::platform::WebPlatform;
use crate::context::service::Context;
use crate::crypto::seal::Sealer;
use crate::crypto::sign::Signer;
use crate::db::pool::Db;
use crate::files::links::Links;
use crate::files::service::Files;
use crate::files::spool::Spool;
use crate::keys::service::Keys;
use crate::net::client::Outbound;
use crate::net::guard::Guard;
use crate::portfolio::import::run::Imports;
use crate::portfolio::metrics::service::Metrics;
use crate::portfolio::semantic::service::Semantic;
use crate::portfolio::service::Portfolio;
use crate::portfolio::uploads::Uploads;
use crate::queue::handlers::Handlers;
use crate::queue::job::{Claim, GaveUp, Slots};
use crate::queue::service::Queue;
use crate::queue::worker::Worker;
use crate::services::{Parts, Services, Site};
use crate::sessions::service::Sessions;
use crate::usage::service::Usage;

/// How many runs of this process wait for a language model at once.
const WAITING: usize = 512;

/// Everything that one process needs.
#[derive(Clone)]
pub struct App {
    pub services: Services,
    pub slack: SlackAccess,
    pub rotation: Rotation,
    pub chat: Chat,
    pub worker: Worker,
    pub slots: Slots,
    pub data_dir: PathBuf,
}

/// Opens the database and builds the application with the embedded analyst.
pub async fn build(config: &Config, clock: Clock, public_url: String) -> Result<App> {
    build_with(config, clock, public_url, Arc::new(OfflineAnalyst::default())).await
}

/// Like [`build`], with another engine in the place of the offline analyst.
pub async fn build_with(
    config: &Config,
    clock: Clock,
    public_url: String,
    engine: Arc<dyn Engine>,
) -> Result<App> {
    data_dir::create(&config.data_dir)?;
    let db = Db::open(&config.database(), clock.clone()).await?;
    let master_key = data_dir::master_key(config)?;
    let sealer = Sealer::new(&master_key)?;
    let signer = Signer::new(&master_key, "file links")?;
    let links = Links::new(signer, clock.clone(), &public_url);
    let blobs = Blobs::open(&config.storage())?;
    let queue = Queue::new(config.timing);
    let usage = Usage::new(db.clone(), config.prices.clone());
    let sessions = Sessions::new(db.clone());
    let files = Files::new(db.clone(), blobs.clone(), links);
    let context = Context::new(db.clone(), files.clone());
    let (analysts, portfolio) = (
        Analysts::new(db.clone(), context.clone()),
        Portfolio::new(db.clone()),
    );
    let semantic = Semantic::new(db.clone());
    let guard = Guard {
        allow_loopback: config.allow_loopback,
    };
    let engines = match &config.models {
        Some(models) => {
            let most = MicroUsd((models.run_cap.0 - config.prices.offline_run.0).max(0));
            let links = models.links.clone().and_of(&public_url);
            let model = ModelEngine::new(models, guard, (Arc::clone(&engine), config.workers), links)?;
            Engines::offline(engine).with_model(Arc::new(model), most, models.limits.run, models.trial_cap)
        }
        None => Engines::offline(engine),
    };
    let analysis = Analysis::new(
        Dependencies {
            db: db.clone(),
            queue: queue.clone(),
            usage: usage.clone(),
            sessions: sessions.clone(),
            context: context.clone(),
            files: files.clone(),
            analysts: analysts.clone(),
            portfolio: portfolio.clone(),
        },
        engines,
    )
    .with_slots(config.workers);
    let deliveries = Deliveries::new(db.clone(), queue.clone());
    let installations = Installations::new(db.clone(), sealer, deliveries.clone());
    let services = Services::from(Parts {
        accounts: Accounts::new(db.clone()),
        keys: Keys::new(db.clone(), config.rates),
        uploads: Uploads::new(db.clone(), blobs.clone(), Imports::new(db.clone())),
        imports: Imports::new(db.clone()),
        metrics: Metrics::new(db.clone()),
        files,
        spool: Spool::open(&config.data_dir.join("spool"), config.max_body)?,
        assistants: Assistants::new(db.clone(), installations.clone()),
        links: AccountLinks::new(
            db.clone(),
            Signer::new(&master_key, "connection links")?,
            deliveries.clone(),
        ),
        conversations: Conversations::new(db.clone()),
        inbox: Inbox::new(db.clone(), queue.clone()),
        installations,
        deliveries,
        site: Arc::new(Site {
            public_url,
            service_name: config.service_name.clone(),
            trusted_proxies: config.trusted_proxies.clone(),
        }),
        db,
        blobs,
        clock,
        queue,
        usage,
        context,
        sessions,
        analysis,
        analysts,
        portfolio,
        semantic,
    });
    services.installations.check_master_key().await?;
    if config.allow_loopback {
        tracing::warn!(
            "CORBEL_ALLOW_LOOPBACK is on: outbound requests may reach this machine; use it for tests and local models \
             only"
        );
    }
    let outbound = Outbound::new(guard)?;
    let slack = SlackAccess::new(
        outbound.clone(),
        config.slack_api_url.clone(),
        config.slack_oauth_url.clone(),
    );
    let rotation = Rotation::new(
        slack.clone(),
        services.installations.clone(),
        services.clock.clone(),
    );
    let platforms: Vec<Arc<dyn Platform>> = vec![
        Arc::new(
            SlackPlatform::new(outbound, services.clock.clone(), config.slack_api_url.clone())
                .with_rotation(rotation.clone())
                .with_hosts(Hosts::new(&config.slack_hosts)),
        ),
        Arc::new(WebPlatform::new(services.clone())),
    ];
    let chat = Chat::new(services.clone(), platforms);
    let worker = Worker::new(
        services.db.clone(),
        services.queue.clone(),
        handlers(&services, &chat),
    );
    // Turns and deliveries mostly wait for a platform, so they have their own slots.
    let slots = Slots {
        chat: config.workers * 4,
        run: config.workers,
        model: if config.workers > 0 { WAITING } else { 0 },
    };
    Ok(App {
        data_dir: config.data_dir.clone(),
        services,
        slack,
        rotation,
        chat,
        worker,
        slots,
    })
}

/// Registers the handler and the give-up handler of each job kind.
fn handlers(services: &Services, chat: &Chat) -> Handlers {
    let analysis = &services.analysis;
    let (turns, interactions, deliverer) = (Turns::new(chat), Interactions::new(chat), Deliverer::new(chat));
    Handlers::default()
        .with(
            RUN_JOB,
            on(
                analysis,
                |analysis, claim| async move { analysis.run(claim).await },
            ),
            on_giving_up(analysis, |analysis, claim, why| async move {
                analysis.give_up(claim, why).await
            }),
        )
        .with(
            TURN_JOB,
            on(&turns, Turns::decide),
            on_giving_up(&turns, Turns::give_up),
        )
        .with(
            INTERACTION_JOB,
            on(&interactions, Interactions::handle),
            on_giving_up(&interactions, Interactions::give_up),
        )
        .with(
            PLACEHOLDER_JOB,
            on(&deliverer, Deliverer::announce),
            on_giving_up(&deliverer, Deliverer::give_up_announcement),
        )
        .with(
            CLEANUP_JOB,
            on(&deliverer, Deliverer::clean_up),
            on_giving_up(&deliverer, Deliverer::give_up_cleanup),
        )
        .with(
            DELIVER_JOB,
            on(&deliverer, Deliverer::deliver),
            on_giving_up(&deliverer, Deliverer::give_up),
        )
}

/// A method as a job handler, which runs any number of times.
fn on<S, M, F>(state: &S, method: M) -> impl Fn(Claim) -> F + use<S, M, F>
where
    S: Clone,
    M: Fn(S, Claim) -> F,
{
    let state = state.clone();
    move |claim| method(state.clone(), claim)
}

/// As [`on`], for the end of a job that no attempt completed.
fn on_giving_up<S, M, F>(state: &S, method: M) -> impl Fn(Claim, GaveUp) -> F + use<S, M, F>
where
    S: Clone,
    M: Fn(S, Claim, GaveUp) -> F,
{
    let state = state.clone();
    move |claim, why| method(state.clone(), claim, why)
}
