//! `/metrics` in the Prometheus text format. Events of this process are counted where they happen. Values from the
//! database are the same on every node and are queried at most every ten seconds, however often someone scrapes.
//!
//! No label names an organization, a person, a key or anything else of a tenant.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use metrics::{Unit, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::sync::Mutex;

use crate::analysis::admission::RUN_JOB;
use crate::assistants::jobs::DELIVER_JOB;
use crate::base::error::Result;
use crate::edge::origin::is_local;
use crate::edge::problem::problem;
use crate::queue::job::Pool;
use crate::queue::service::Group;
use crate::services::Services;

/// Upper bounds of duration buckets in seconds. They include the service's latency targets of 5 ms, 1 s and 5 s.
const SECONDS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
];
const GROUPS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0, 512.0];
/// How often measurements are moved into their buckets. Until then, each takes memory.
const PRUNE_EVERY: Duration = Duration::from_secs(5);
/// How long values from the database are reported before they are queried again.
const QUERY_EVERY: Duration = Duration::from_secs(10);

/// The recorder of the process.
static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Installs the recorder on first use.
fn recorder() -> Option<&'static PrometheusHandle> {
    let start = || {
        let built = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .and_then(|builder| {
                builder
                    .set_buckets_for_metric(Matcher::Full("corbel_database_write_group".to_owned()), &GROUPS)
            })
            .and_then(PrometheusBuilder::install_recorder);
        match built {
            Ok(handle) => {
                describe();
                Some(handle)
            }
            Err(error) => {
                tracing::error!(%error, "metrics are not available");
                None
            }
        }
    };
    RECORDER.get_or_init(start).as_ref()
}

fn describe() {
    describe_histogram!(
        "corbel_http_request_duration_seconds",
        Unit::Seconds,
        "Requests by route pattern, method and status"
    );
    describe_counter!("corbel_limits_refused_total", "Requests refused by a limit");
    describe_counter!(
        "corbel_slots_lost_total",
        "Clients that gave way to others because too many were connected or sent bodies at once"
    );
    describe_gauge!("corbel_runs", "Runs waiting or running, on all nodes");
    describe_counter!("corbel_runs_ended_total", "Runs that this process ended");
    describe_gauge!("corbel_queue_jobs", "Jobs waiting or running, on all nodes");
    describe_gauge!(
        "corbel_queue_oldest_due_seconds",
        Unit::Seconds,
        "How long the oldest due job of a pool has waited"
    );
    describe_gauge!("corbel_deliveries", "Deliveries waiting or running, on all nodes");
    describe_counter!(
        "corbel_deliveries_ended_total",
        "Deliveries that this process ended"
    );
    describe_gauge!(
        "corbel_database_connections",
        "Connections of this process's pool"
    );
    describe_gauge!("corbel_database_writes_waiting", "Writes waiting for their turn");
    describe_histogram!("corbel_database_write_group", "Writes per commit");
    describe_counter!(
        "corbel_database_reruns_total",
        "Writes retried after a conflict with another"
    );
    describe_gauge!(
        "process_resident_memory_bytes",
        Unit::Bytes,
        "Memory of this process"
    );
}

/// When the values from the database were last queried. Locked while they are.
#[derive(Clone, Default)]
struct LastQuery(Arc<Mutex<Option<Instant>>>);

/// The route `/metrics`, for a listener of its own.
pub fn router() -> Router<Services> {
    recorder();
    Router::new()
        .route("/metrics", get(scrape))
        .layer(Extension(LastQuery::default()))
}

/// The route `/metrics` on the main listener, for clients on the same machine only.
pub fn local_router() -> Router<Services> {
    router().route_layer(from_fn(local_only))
}

/// Refuses clients on other machines, and requests that a proxy forwarded.
async fn local_only(request: Request, next: Next) -> Response {
    if is_local(request.extensions(), request.headers()) {
        return next.run(request).await;
    }
    problem(
        StatusCode::FORBIDDEN,
        "forbidden",
        "Metrics are served to clients on the same machine. Set CORBEL_METRICS_LISTEN to serve them elsewhere.",
    )
}

/// Moves measurements into their buckets regularly. Runs until it is dropped.
pub async fn prune() {
    let mut ticks = tokio::time::interval(PRUNE_EVERY);
    loop {
        ticks.tick().await;
        if let Some(recorder) = recorder() {
            recorder.run_upkeep();
        }
    }
}

async fn scrape(State(services): State<Services>, Extension(last): Extension<LastQuery>) -> Response {
    update_process_gauges(&services);
    if let Err(error) = update_database_gauges(&services, &last).await {
        // The counters of this process are useful even if the database is unavailable.
        tracing::warn!(error = error.chain(), "metrics from the database are missing");
    }
    let text = recorder().map(PrometheusHandle::render).unwrap_or_default();
    let headers = [
        (CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, text).into_response()
}

/// Sets the gauges that cost nothing to read.
fn update_process_gauges(services: &Services) {
    if let Some(bytes) = resident_memory() {
        gauge!("process_resident_memory_bytes").set(bytes);
    }
    let load = services.db.load();
    gauge!("corbel_database_connections", "state" => "in_use").set(f64::from(load.in_use));
    gauge!("corbel_database_connections", "state" => "idle").set(f64::from(load.idle));
    gauge!("corbel_database_writes_waiting").set(as_float(load.writes_waiting));
}

/// Sets the gauges that need a query, unless they were set a moment ago or are being set.
async fn update_database_gauges(services: &Services, last: &LastQuery) -> Result<()> {
    let Ok(mut last) = last.0.try_lock() else {
        return Ok(());
    };
    if last.is_some_and(|last| last.elapsed() < QUERY_EVERY) {
        return Ok(());
    }
    *last = Some(Instant::now());
    let groups = services.queue.census(&services.db).await?;
    let now = services.clock.now();
    for running in [false, true] {
        let state = if running { "running" } else { "queued" };
        let of = |fits: &dyn Fn(&Group) -> bool| -> f64 {
            let all = groups.iter().filter(|group| group.running == running);
            as_float(all.filter(|group| fits(group)).map(|group| group.count).sum())
        };
        gauge!("corbel_runs", "state" => state).set(of(&|group| group.kind == RUN_JOB));
        gauge!("corbel_deliveries", "state" => state).set(of(&|group| group.kind == DELIVER_JOB));
        for pool in Pool::ALL {
            let depth = of(&|group| group.pool == pool);
            gauge!("corbel_queue_jobs", "pool" => pool.as_str(), "state" => state).set(depth);
        }
    }
    for pool in Pool::ALL {
        let queued = groups.iter().filter(|group| group.pool == pool && !group.running);
        let oldest = queued.map(|group| group.oldest).min();
        // A job that is scheduled for later is not late.
        let waited = oldest.map_or(0.0, |oldest| (now - oldest).as_seconds_f64().max(0.0));
        gauge!("corbel_queue_oldest_due_seconds", "pool" => pool.as_str()).set(waited);
    }
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float, and counts stay far below 2^53"
)]
fn as_float(count: i64) -> f64 {
    count as f64
}

/// Reads the resident memory from `/proc`; none if there is no such file.
fn resident_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024.0)
}
