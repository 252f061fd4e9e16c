//! Runs a server: listens, works, and on SIGTERM or Ctrl-C stops accepting work, drains and closes.

use std::net::SocketAddr;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::analysis::engines::offline::OfflineAnalyst;
use crate::app::build::{App, build};
use crate::app::config::Config;
use crate::app::connections::{self, Limits};
use crate::app::{data_dir, metrics, router, sweep};
use crate::base::clock::Clock;
use crate::base::error::{Error, Result};
use crate::context::service::Context;

/// Connections that wait to be accepted. A client that finds no room tries again after a second.
const BACKLOG: u32 = 4096;
/// Most file descriptors this process asks the system for.
const MOST_FILES: u64 = 16 << 10;
/// File descriptors kept for everything except connections of clients: databases, files, calls to platforms.
const OTHER_FILES: u64 = 512;
/// How much longer than the drain a request may take.
const SLOW_CLIENTS: Duration = Duration::from_secs(2);
/// How much later than that the process ends whatever still runs.
const LATE: Duration = Duration::from_millis(500);
/// How long closing the database may take after that. Everything acknowledged is on disk by then.
const CLOSING: Duration = Duration::from_secs(2);

/// Opens everything, calls `ready` with the bound address, and serves until a signal arrives.
pub async fn serve<F, Fut>(config: &Config, ready: F) -> Result<()>
where
    F: FnOnce(App, SocketAddr) -> Fut,
    Fut: Future<Output = Result<()>>,
{
    data_dir::create(&config.data_dir)?;
    let _instance = data_dir::lock(config)?;
    let listener = listen("CORBEL_LISTEN", config.listen)?;
    let metrics_listener = match config.metrics_listen {
        Some(address) => Some(listen("CORBEL_METRICS_LISTEN", address)?),
        None => None,
    };
    let bound = listener.local_addr().map_err(Error::internal)?;
    for warning in config.public_url_warnings(bound) {
        tracing::warn!("{warning}");
    }
    let app = build(config, Clock::system(), config.public_url(bound)).await?;
    // Loads the analyst's model, so that the first question does not wait for it.
    tokio::task::spawn_blocking(OfflineAnalyst::prepare);
    ready(app.clone(), bound).await?;
    let (stop, stopping) = watch::channel(false);
    tokio::spawn(async move {
        wait_for_signal().await;
        tracing::info!("stopping: no new work is accepted");
        let _ = stop.send(true);
    });
    run_with(app, listener, metrics_listener, stopping).await
}

/// Binds a listener. The error names the setting.
fn listen(setting: &'static str, address: SocketAddr) -> Result<TcpListener> {
    let bind = || {
        let socket = if address.is_ipv4() {
            TcpSocket::new_v4()?
        } else {
            TcpSocket::new_v6()?
        };
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    bind().map_err(|error: std::io::Error| Error::invalid(setting, format!("{address}: {error}")))
}

/// Raises the number of files this process may open as far as the system allows, and returns how many of them
/// connections of clients may use.
fn most_connections() -> usize {
    let allowed = getrlimit(Resource::Nofile);
    let maximum = allowed.maximum.unwrap_or(MOST_FILES).min(MOST_FILES);
    let raised = Rlimit {
        current: Some(maximum),
        maximum: allowed.maximum,
    };
    let files = match allowed.current {
        Some(current) if current < maximum && setrlimit(Resource::Nofile, raised).is_err() => current,
        Some(current) => current.max(maximum),
        None => maximum,
    };
    // With few files, half of them.
    usize::try_from(files.saturating_sub(OTHER_FILES).max(files / 2)).unwrap_or(usize::MAX)
}

/// Serves on a listener until `stop` turns true. Tests call it directly.
pub async fn run(app: App, listener: TcpListener, stop: watch::Receiver<bool>) -> Result<()> {
    run_with(app, listener, None, stop).await
}

/// Like [`run`], with a separate listener for the metrics.
async fn run_with(
    app: App,
    listener: TcpListener,
    metrics_listener: Option<TcpListener>,
    stop: watch::Receiver<bool>,
) -> Result<()> {
    let apart = metrics_listener.is_some();
    // A slow client must not keep the process running.
    let limits = Limits::new(app.services.queue.timing().drain + SLOW_CLIENTS).within(most_connections());
    let trusted = app.services.site.trusted_proxies.clone();
    let router = router::router(&app, apart, limits);
    let serving = connections::serve(listener, router, stop.clone(), limits, trusted.clone());
    let metrics_router = metrics::router().with_state(app.services.clone());
    let serving_metrics = async {
        if let Some(listener) = metrics_listener {
            connections::serve(listener, metrics_router, stop.clone(), limits, trusted).await;
        }
    };
    let pruning = tokio::spawn(metrics::prune());
    let working = app.worker.run(app.slots, stop.clone());
    let indexing = index(app.services.context.clone(), stop.clone());
    let sweeping = sweep::run(app.services.clone(), stop.clone());
    let running = async { tokio::join!(serving, working, serving_metrics, indexing, sweeping) };
    tokio::select! {
        _ = running => {}
        () = late(stop.clone(), limits.drain + LATE) => {
            tracing::warn!("stopping although some work does not end; another process takes it over");
        }
    }
    pruning.abort();
    let closing = async {
        if let Err(error) = app.services.keys.flush().await {
            tracing::warn!(
                error = error.chain(),
                "the rate-limit counters of keys could not be saved"
            );
        }
        app.services.db.close().await;
    };
    if timeout(CLOSING, closing).await.is_err() {
        tracing::warn!("the database did not close in time");
    }
    tracing::info!("stopped");
    Ok(())
}

/// Ends this long after the stop.
async fn late(mut stop: watch::Receiver<bool>, after: Duration) {
    // A dropped sender counts as a stop.
    let _ = stop.wait_for(|stop| *stop).await;
    tokio::time::sleep(after).await;
}

/// Updates the index of notes that an earlier version wrote, so that the search finds them.
async fn index(context: Context, mut stop: watch::Receiver<bool>) {
    let indexed = tokio::select! {
        indexed = context.bring_index_up_to_date() => indexed,
        _ = stop.wait_for(|stop| *stop) => return,
    };
    match indexed {
        Ok(0) => {}
        Ok(notes) => tracing::info!(notes, "notes were reindexed"),
        Err(error) => tracing::error!(cause = error.chain(), "notes could not be indexed"),
    }
}

async fn wait_for_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("signals cannot be received; stop the process to end it");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
