//! Running a server: listen, work, and on SIGTERM or Ctrl-C stop taking, drain, close.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::app::build::{App, build};
use crate::app::config::Config;
use crate::app::{data_dir, router};
use crate::base::clock::Clock;
use crate::base::error::{Error, Result};

/// How long after the drain a request may still take.
const SLOW_CLIENTS: Duration = Duration::from_secs(3);

/// Opens everything, tells `ready` the public address, and serves until a signal.
pub async fn serve<F, Fut>(config: &Config, ready: F) -> Result<()>
where
    F: FnOnce(App, SocketAddr) -> Fut,
    Fut: Future<Output = Result<()>>,
{
    data_dir::make(&config.data_dir)?;
    let _instance = data_dir::lock(config)?;
    let listener = TcpListener::bind(config.listen).await;
    let listener =
        listener.map_err(|error| Error::invalid("CORBEL_LISTEN", format!("{}: {error}", config.listen)))?;
    let bound = listener.local_addr().map_err(Error::internal)?;
    let app = build(config, Clock::system(), config.public_url(bound)).await?;
    ready(app.clone(), bound).await?;
    let (stop, stopping) = watch::channel(false);
    tokio::spawn(async move {
        wait_for_signal().await;
        tracing::info!("stopping: no new work is taken");
        let _ = stop.send(true);
    });
    run(app, listener, stopping).await
}

/// Serves on a listener until `stop` turns true; used by the tests as it is.
pub async fn run(app: App, listener: TcpListener, stop: watch::Receiver<bool>) -> Result<()> {
    let mut stopped = stop.clone();
    let service = router::router(app.services.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
        let _ = stopped.wait_for(|stopped| *stopped).await;
    });
    let mut too_late = stop.clone();
    let patience = app.services.queue.timing().drain + SLOW_CLIENTS;
    let serving = async move {
        tokio::select! {
            served = serving.into_future() => served,
            // A client that does not come to its end must not keep the process.
            () = async {
                let _ = too_late.wait_for(|stopped| *stopped).await;
                tokio::time::sleep(patience).await;
            } => {
                tracing::warn!("stopping although a client still holds its connection");
                Ok(())
            }
        }
    };
    let working = app.worker.run(app.slots, stop);
    let (served, ()) = tokio::join!(serving, working);
    served.map_err(Error::internal)?;
    app.services.db.close().await;
    tracing::info!("stopped");
    Ok(())
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
