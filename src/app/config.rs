//! The settings: from the environment, then `corbel.toml`, then defaults. They are parsed once, and all errors are
//! reported at once. The only module that reads the environment.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::analysis::engines::model::settings::ModelSettings;
use crate::app::model_config;
use crate::app::setting_values::Reading;
use crate::base::error::{Error, Result};
use crate::base::secret::Secret;
use crate::blobs::store::Place;
use crate::edge::cookie::Cookies;
use crate::keys::model::Rates;
use crate::net::network::Network;
use crate::queue::job::Timing;
use crate::usage::model::Prices;

/// All settings, validated.
#[derive(Clone, Debug)]
pub struct Config {
    /// CORBEL_LISTEN
    pub listen: SocketAddr,
    /// CORBEL_METRICS_LISTEN; without it, the main listener serves the metrics to clients on the same machine.
    pub metrics_listen: Option<SocketAddr>,
    /// CORBEL_OTLP_ENDPOINT: the base URL of a trace collector; without it, there are no traces.
    pub otlp_endpoint: Option<String>,
    /// CORBEL_PUBLIC_URL without a trailing slash; without it, built from the listen address.
    pub public_url: Option<String>,
    /// CORBEL_TRUSTED_PROXIES: the networks whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<Network>,
    /// CORBEL_DATA_DIR
    pub data_dir: PathBuf,
    /// CORBEL_DATABASE_URL; without it, SQLite in the data directory.
    pub database_url: Option<Secret>,
    /// CORBEL_STORAGE_URL: bucket and prefix; without it, a folder in the data directory.
    pub bucket: Option<(String, String)>,
    /// The AWS_* settings of the bucket.
    pub bucket_settings: Vec<(String, Secret)>,
    /// CORBEL_MASTER_KEY or the content of CORBEL_MASTER_KEY_FILE; without both, a key generated in the data directory.
    pub master_key: Option<Secret>,
    /// CORBEL_MAX_BODY: largest body of an API request in bytes, including files.
    pub max_body: u64,
    /// CORBEL_WORKERS: how many runs this process does at once; none with 0. With more than two, an organization gets
    /// at most three quarters of these slots. A person or key gets at most half of their organization's.
    pub workers: usize,
    /// CORBEL_SERVICE_NAME
    pub service_name: String,
    /// CORBEL_SLACK_API_URL, ending in `/api/`.
    pub slack_api_url: String,
    /// CORBEL_SLACK_OAUTH_URL: Slack's consent page; without it, on the host of the API.
    pub slack_oauth_url: String,
    /// CORBEL_SLACK_HOSTS: `host` or `host:port`, trusted like Slack's own hosts.
    pub slack_hosts: Vec<String>,
    /// CORBEL_ALLOW_LOOPBACK
    pub allow_loopback: bool,
    /// CORBEL_LOG
    pub log: String,
    /// CORBEL_LOG_FORMAT
    pub log_json: bool,
    /// CORBEL_LEASE_SECONDS: shorter leases for crash tests.
    pub timing: Timing,
    /// Includes CORBEL_SANDBOX_RUNS.
    pub prices: Prices,
    /// CORBEL_RATE_SANDBOX, CORBEL_RATE_DEVELOPMENT, CORBEL_RATE_PRODUCTION: requests per minute.
    pub rates: Rates,
    /// CORBEL_MODEL_*: the language models; without them, the offline analyst answers alone.
    pub models: Option<ModelSettings>,
}

const KNOWN: &[&str] = &[
    "CORBEL_LISTEN",
    "CORBEL_METRICS_LISTEN",
    "CORBEL_OTLP_ENDPOINT",
    "CORBEL_PUBLIC_URL",
    "CORBEL_TRUSTED_PROXIES",
    "CORBEL_DATA_DIR",
    "CORBEL_DATABASE_URL",
    "CORBEL_STORAGE_URL",
    "CORBEL_MASTER_KEY",
    "CORBEL_MASTER_KEY_FILE",
    "CORBEL_MAX_BODY",
    "CORBEL_WORKERS",
    "CORBEL_SERVICE_NAME",
    "CORBEL_SLACK_API_URL",
    "CORBEL_SLACK_OAUTH_URL",
    "CORBEL_SLACK_HOSTS",
    "CORBEL_ALLOW_LOOPBACK",
    "CORBEL_LOG",
    "CORBEL_LOG_FORMAT",
    "CORBEL_LEASE_SECONDS",
    "CORBEL_RATE_SANDBOX",
    "CORBEL_RATE_DEVELOPMENT",
    "CORBEL_RATE_PRODUCTION",
    "CORBEL_SANDBOX_RUNS",
];

impl Config {
    /// Reads the environment, and `corbel.toml` in the working directory if it exists.
    pub fn read() -> Result<Self> {
        let mut values = BTreeMap::new();
        let mut faults = Vec::new();
        match std::fs::read_to_string("corbel.toml") {
            Ok(text) => match text.parse::<toml::Table>() {
                Ok(table) => values.extend(table.into_iter().map(|(name, value)| (name, plain(&value)))),
                Err(error) => faults.push(format!("corbel.toml: {}", error.message())),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => faults.push(format!("corbel.toml: {error}")),
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "the one place that reads the environment"
        )]
        let environment = std::env::vars_os();
        // Other variables may contain anything.
        let own = environment.filter(|(name, _)| {
            name.as_encoded_bytes().starts_with(b"CORBEL_") || name.as_encoded_bytes().starts_with(b"AWS_")
        });
        for (name, value) in own {
            match (name.into_string(), value.into_string()) {
                (Ok(name), Ok(value)) => {
                    values.insert(name, value);
                }
                (Ok(name), Err(_)) => faults.push(format!("{name}: not UTF-8")),
                (Err(name), _) => faults.push(format!("{}: not UTF-8", name.to_string_lossy())),
            }
        }
        Self::from_values(values, faults)
    }

    /// From the given values only, for tests.
    pub fn from_values(values: BTreeMap<String, String>, faults: Vec<String>) -> Result<Self> {
        let mut reading = Reading { values, faults };
        for name in reading.values.keys() {
            let is_other = name.starts_with("CORBEL_TEST_") || name.starts_with("AWS_");
            let is_known = KNOWN.contains(&name.as_str()) || model_config::KNOWN.contains(&name.as_str());
            if !is_known && !is_other {
                reading
                    .faults
                    .push(format!("{name}: not a setting of this version"));
            }
        }
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let mut timing = Timing::default();
        if let Some(lease) = reading.number("CORBEL_LEASE_SECONDS", 1..=3600) {
            timing.lease = Duration::from_secs(lease);
        }
        let slack_api_url = reading.url("CORBEL_SLACK_API_URL").map_or_else(
            || "https://slack.com/api/".to_owned(),
            |url| format!("{}/", url.trim_end_matches('/')),
        );
        let slack_base = slack_api_url.strip_suffix("api/").unwrap_or(&slack_api_url);
        let slack_oauth_url = reading
            .url("CORBEL_SLACK_OAUTH_URL")
            .unwrap_or_else(|| format!("{slack_base}oauth/v2/authorize"));
        let workers = reading.number("CORBEL_WORKERS", 0..=1024);
        let config = Self {
            listen: reading
                .parsed("CORBEL_LISTEN", "an address such as 127.0.0.1:8080")
                .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))),
            metrics_listen: reading.parsed("CORBEL_METRICS_LISTEN", "an address such as 127.0.0.1:9090"),
            otlp_endpoint: reading.url("CORBEL_OTLP_ENDPOINT"),
            public_url: reading
                .url("CORBEL_PUBLIC_URL")
                .map(|url| url.trim_end_matches('/').to_owned()),
            trusted_proxies: reading.networks("CORBEL_TRUSTED_PROXIES", "127.0.0.0/8, ::1"),
            data_dir: reading
                .text("CORBEL_DATA_DIR")
                .map_or_else(|| PathBuf::from("corbel-data"), PathBuf::from),
            database_url: reading.database(),
            bucket: reading.bucket(),
            bucket_settings: reading.bucket_settings(),
            master_key: reading.master_key(),
            max_body: reading
                .number("CORBEL_MAX_BODY", 1 << 20..=16 << 30)
                .unwrap_or(512 << 20),
            workers: workers
                .and_then(|workers| usize::try_from(workers).ok())
                .unwrap_or(cores * 4),
            service_name: reading
                .text("CORBEL_SERVICE_NAME")
                .unwrap_or_else(|| "Corbel".to_owned()),
            slack_api_url,
            slack_oauth_url,
            slack_hosts: reading.hosts("CORBEL_SLACK_HOSTS"),
            allow_loopback: reading.switch("CORBEL_ALLOW_LOOPBACK"),
            log: reading.text("CORBEL_LOG").unwrap_or_else(|| "info".to_owned()),
            log_json: reading.one_of("CORBEL_LOG_FORMAT", &["text", "json"]).as_deref() == Some("json"),
            timing,
            prices: reading.prices(),
            rates: reading.rates(),
            models: model_config::read(&mut reading),
        };
        if reading.faults.is_empty() {
            Ok(config)
        } else {
            Err(Error::invalid("settings", reading.faults.join("; ")))
        }
    }

    /// The URL of the database: as set, or SQLite in the data directory.
    pub fn database(&self) -> String {
        match &self.database_url {
            Some(url) => url.expose().to_owned(),
            None => format!("sqlite://{}", self.data_dir.join("corbel.db").display()),
        }
    }

    /// Where the bytes of files are stored.
    pub fn storage(&self) -> Place {
        match &self.bucket {
            Some((bucket, prefix)) => Place::Bucket {
                bucket: bucket.clone(),
                prefix: prefix.clone(),
                settings: self.bucket_settings.clone(),
            },
            None => Place::Folder(self.data_dir.join("files")),
        }
    }

    pub fn uses_sqlite(&self) -> bool {
        !self.database().starts_with("postgres")
    }

    /// The base URL of links, given the address the server listens on. If that is "all addresses", which no browser can
    /// open, the loopback address of this machine.
    pub fn public_url(&self, bound: SocketAddr) -> String {
        let reached = match bound.ip() {
            IpAddr::V4(v4) if v4.is_unspecified() => IpAddr::from(Ipv4Addr::LOCALHOST),
            IpAddr::V6(v6) if v6.is_unspecified() => IpAddr::from(Ipv6Addr::LOCALHOST),
            address => address,
        };
        let own = || format!("http://{}", SocketAddr::new(reached, bound.port()));
        self.public_url.clone().unwrap_or_else(own)
    }

    /// Warnings about settings that would keep people from using the pages. They are logged at the start, because
    /// browsers do not explain such failures.
    pub fn public_url_warnings(&self, bound: SocketAddr) -> Vec<String> {
        let url = self.public_url(bound);
        let mut warnings = Vec::new();
        if self.public_url.is_none() && bound.ip().is_unspecified() {
            warnings.push(format!(
                "CORBEL_PUBLIC_URL is not set: links point to {url} and work on this machine only"
            ));
        }
        if url.starts_with("http:") && Cookies::of(&url).are_secure() {
            warnings.push(format!(
                "nobody can sign in at {url}: browsers store the sign-in cookie over https only; set \
                 CORBEL_PUBLIC_URL to the https URL of a proxy in front of this server"
            ));
        }
        warnings
    }

    #[must_use]
    pub fn in_dir(mut self, data_dir: Option<&Path>) -> Self {
        if let Some(dir) = data_dir {
            dir.clone_into(&mut self.data_dir);
        }
        self
    }
}

impl Reading {
    fn rates(&mut self) -> Rates {
        let default = Rates::default();
        let mut rate = |name, default| self.number(name, 1..=1_000_000).map_or(default, u64::cast_signed);
        Rates {
            sandbox: rate("CORBEL_RATE_SANDBOX", default.sandbox),
            development: rate("CORBEL_RATE_DEVELOPMENT", default.development),
            production: rate("CORBEL_RATE_PRODUCTION", default.production),
        }
    }

    fn prices(&mut self) -> Prices {
        let default = Prices::default();
        let runs = self.number("CORBEL_SANDBOX_RUNS", 0..=1_000_000);
        Prices {
            sandbox_runs: runs.map_or(default.sandbox_runs, u64::cast_signed),
            model_limits: model_config::limits(self),
            ..default
        }
    }

    /// The error does not show the URL: it may contain a password.
    fn database(&mut self) -> Option<Secret> {
        let text = self.text("CORBEL_DATABASE_URL")?;
        if ["postgres://", "postgresql://", "sqlite:"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
        {
            return Some(Secret::new(text));
        }
        self.faults
            .push("CORBEL_DATABASE_URL: must begin with postgres:// or sqlite:".to_owned());
        None
    }

    fn bucket(&mut self) -> Option<(String, String)> {
        let text = self.text("CORBEL_STORAGE_URL")?;
        let url = url::Url::parse(&text)
            .ok()
            .filter(|url| url.scheme() == "s3" && url.username().is_empty() && url.query().is_none());
        match url.as_ref().and_then(|url| Some((url.host_str()?, url.path()))) {
            Some((bucket, prefix)) => Some((bucket.to_owned(), prefix.trim_matches('/').to_owned())),
            None => {
                self.faults.push(
                    "CORBEL_STORAGE_URL: must be s3://bucket/prefix; leave it out to store files in the data directory"
                        .to_owned(),
                );
                None
            }
        }
    }

    /// The variables of the AWS SDKs, with older and newer names.
    fn bucket_settings(&self) -> Vec<(String, Secret)> {
        let set = self.values.keys().filter(|name| name.starts_with("AWS_"));
        set.filter_map(|name| Some((name.clone(), Secret::new(self.text(name)?))))
            .collect()
    }

    fn master_key(&mut self) -> Option<Secret> {
        if let Some(key) = self.text("CORBEL_MASTER_KEY") {
            return Some(Secret::new(key));
        }
        let file = self.text("CORBEL_MASTER_KEY_FILE")?;
        match std::fs::read_to_string(&file) {
            Ok(text) => Some(Secret::new(text.trim())),
            Err(error) => {
                self.faults.push(format!("CORBEL_MASTER_KEY_FILE: {error}"));
                None
            }
        }
    }
}

fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Boolean(switch) => switch.to_string(),
        // No setting has another type; the check of the setting reports what it needs.
        other => format!("{other:?}"),
    }
}
