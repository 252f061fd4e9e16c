//! Logs to standard error and, if a collector is configured, traces over OTLP. Both have the same spans. Neither
//! contains secrets, questions or other texts of people.

use std::io::IsTerminal as _;
use std::pin::Pin;

use opentelemetry::KeyValue;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{TraceContextExt as _, TracerProvider as _};
use opentelemetry_http::{Bytes, HeaderExtractor, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use tokio::runtime::Handle;
use tracing::Span;
use tracing::level_filters::LevelFilter;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};
use url::Url;

use crate::app::config::Config;
use crate::base::error::{Error, Result};
use crate::net::operator_client::OperatorClient;

/// Logs and traces of this process. [`end`](Self::end) sends the last spans.
#[derive(Debug)]
pub struct Telemetry {
    traces: Option<SdkTracerProvider>,
}

impl Telemetry {
    /// Starts logging at `level` and, if configured, tracing. Requests to the collector run on `runtime`.
    pub fn start(config: &Config, level: &str, runtime: &Handle) -> Result<Self> {
        let filter =
            EnvFilter::try_new(level).map_err(|error| Error::invalid("CORBEL_LOG", error.to_string()))?;
        let logs = tracing_subscriber::fmt::layer()
            .with_ansi(std::io::stderr().is_terminal())
            .with_writer(std::io::stderr);
        let logs = if config.log_json {
            logs.json().with_filter(filter).boxed()
        } else {
            logs.with_filter(filter).boxed()
        };
        let traces = config
            .otlp_endpoint
            .as_deref()
            .map(|endpoint| provider(config, endpoint, runtime))
            .transpose()?;
        // Only Corbel's own spans: those of libraries contain SQL statements and addresses.
        let own = Targets::new().with_target("corbel", LevelFilter::INFO);
        let spans = traces.as_ref().map(|provider| {
            tracing_opentelemetry::layer()
                .with_tracer(provider.tracer("corbel"))
                .with_location(false)
                .with_threads(false)
                .with_tracked_inactivity(false)
                .with_filter(own)
        });
        tracing_subscriber::registry()
            .with(logs)
            .with(spans)
            .try_init()
            .map_err(Error::internal)?;
        Ok(Self { traces })
    }

    /// Sends the remaining spans. It blocks, so it must not be called within the runtime.
    pub fn end(self) {
        if let Some(Err(error)) = self.traces.map(|provider| provider.shutdown()) {
            tracing::warn!(%error, "the last spans could not be sent");
        }
    }
}

/// Adds the span of a request to the trace in the caller's `traceparent` header (W3C Trace Context). Ignores an invalid
/// header.
pub fn continue_trace(span: &Span, headers: &axum::http::HeaderMap) {
    if !headers.contains_key("traceparent") {
        return;
    }
    let named = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
    if named.span().span_context().is_valid() {
        // Fails only if no traces are collected.
        let _ = span.set_parent(named);
    }
}

fn provider(config: &Config, endpoint: &str, runtime: &Handle) -> Result<SdkTracerProvider> {
    let wrong = |why: String| Error::invalid("CORBEL_OTLP_ENDPOINT", why);
    // A base URL, like OpenTelemetry's own settings; the full URL is accepted as well.
    let base = endpoint.trim_end_matches('/');
    let full = if base.ends_with("/v1/traces") {
        base.to_owned()
    } else {
        format!("{base}/v1/traces")
    };
    let url = Url::parse(&full).map_err(|error| wrong(error.to_string()))?;
    let collector = Collector {
        service: OperatorClient::new(url)?,
        runtime: runtime.clone(),
    };
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(collector)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(full)
        .build()
        .map_err(|error| wrong(error.to_string()))?;
    let resource = Resource::builder_empty()
        .with_attributes([
            KeyValue::new("service.name", config.service_name.to_lowercase()),
            KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        ])
        .build();
    Ok(SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        // A caller may name the trace, but not decide whether it is recorded.
        .with_sampler(Sampler::AlwaysOn)
        .with_resource(resource)
        .build())
}

/// The HTTP client of the exporter, which calls it on its own thread without a runtime.
#[derive(Debug)]
struct Collector {
    service: OperatorClient,
    runtime: Handle,
}

impl HttpClient for Collector {
    fn send_bytes<'a, 'call>(
        &'a self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = std::result::Result<Response<Bytes>, HttpError>> + Send + 'call>>
    where
        'a: 'call,
        Self: 'call,
    {
        let service = self.service.clone();
        let sent = self.runtime.spawn(async move {
            let (parts, body) = request.into_parts();
            service.post(parts.headers, body.to_vec()).await
        });
        Box::pin(async move {
            match sent.await? {
                Ok(reply) => {
                    if !reply.status.is_success() {
                        tracing::warn!(
                            status = reply.status.as_u16(),
                            "the trace collector refused spans"
                        );
                    }
                    let mut response = Response::new(Bytes::from(reply.body));
                    *response.status_mut() = reply.status;
                    Ok(response)
                }
                Err(error) => {
                    tracing::warn!(%error, "the trace collector could not be reached");
                    Err(error.into())
                }
            }
        })
    }
}
