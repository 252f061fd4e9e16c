//! The settings of language models, `CORBEL_MODEL_*`.

use std::time::Duration;

use crate::analysis::engines::model::settings::{Limits, ModelSettings, Price};
use crate::app::setting_values::Reading;
use crate::base::money::MicroUsd;
use crate::base::safe_markdown::hosts::LinkHosts;
use crate::base::secret::Secret;
use crate::usage::model_limits::ModelLimits;

/// What one run may cost if nothing is set.
const RUN_CAP: MicroUsd = MicroUsd::usd(1);

pub(super) const KNOWN: &[&str] = &[
    "CORBEL_MODEL_PROVIDER",
    "CORBEL_MODEL_URL",
    "CORBEL_MODEL_KEY",
    "CORBEL_MODEL_NAME",
    "CORBEL_MODEL_FAST_NAME",
    "CORBEL_MODEL_PRICE",
    "CORBEL_MODEL_FAST_PRICE",
    "CORBEL_MODEL_RUN_USD",
    "CORBEL_MODEL_TRIAL_USD",
    "CORBEL_MODEL_PERSON_USD",
    "CORBEL_MODEL_ORG_USD",
    "CORBEL_MODEL_LINK_HOSTS",
    "CORBEL_MODEL_STEPS",
    "CORBEL_MODEL_CALL_SECONDS",
    "CORBEL_MODEL_RUN_SECONDS",
    "CORBEL_MODEL_CONTEXT",
];

/// The models, if one is named. Settings without a name are an error: they would do nothing.
pub(super) fn read(reading: &mut Reading) -> Option<ModelSettings> {
    let default = Limits::default();
    let price = price(reading, "CORBEL_MODEL_PRICE").unwrap_or_default();
    let run_cap: Option<MicroUsd> = reading.parsed("CORBEL_MODEL_RUN_USD", "US dollars such as 1.00");
    let trial_cap: Option<MicroUsd> = reading.parsed("CORBEL_MODEL_TRIAL_USD", "US dollars such as 0.50");
    let settings = ModelSettings {
        provider: reading
            .text("CORBEL_MODEL_PROVIDER")
            .unwrap_or_else(|| "openai".to_owned()),
        url: base_url(reading),
        key: Secret::new(reading.text("CORBEL_MODEL_KEY").unwrap_or_default()),
        name: reading.text("CORBEL_MODEL_NAME").unwrap_or_default(),
        fast_name: reading.text("CORBEL_MODEL_FAST_NAME"),
        price,
        fast_price: self::price(reading, "CORBEL_MODEL_FAST_PRICE").unwrap_or(price),
        run_cap: run_cap.unwrap_or(RUN_CAP),
        trial_cap: trial_cap.unwrap_or_default(),
        links: link_hosts(reading),
        limits: Limits {
            steps: reading
                .number("CORBEL_MODEL_STEPS", 1..=100)
                .and_then(|steps| u32::try_from(steps).ok())
                .unwrap_or(default.steps),
            silence: seconds(reading, "CORBEL_MODEL_CALL_SECONDS").unwrap_or(default.silence),
            run: seconds(reading, "CORBEL_MODEL_RUN_SECONDS").unwrap_or(default.run),
            context: reading
                .number("CORBEL_MODEL_CONTEXT", 8_000..=10_000_000)
                .and_then(|tokens| usize::try_from(tokens).ok())
                .unwrap_or(default.context),
        },
    };
    if !settings.name.is_empty() {
        return Some(settings);
    }
    if KNOWN.iter().any(|name| reading.text(name).is_some()) {
        let why = "CORBEL_MODEL_NAME: missing; the other CORBEL_MODEL settings need the name of a model";
        reading.fault(why);
    }
    None
}

/// The base, to which a path is appended: without a query and without credentials.
fn base_url(reading: &mut Reading) -> Option<String> {
    let url = reading.url("CORBEL_MODEL_URL")?;
    if url.contains(['?', '#', '@']) {
        let why = "CORBEL_MODEL_URL: must be a base such as https://host/v1, without a query and without credentials";
        reading.fault(why);
        return None;
    }
    Some(url)
}

fn seconds(reading: &mut Reading, name: &str) -> Option<Duration> {
    reading.number(name, 1..=1_500).map(Duration::from_secs)
}

/// What may be spent on models. A fault in the limit of a run is reported with the other settings.
pub(super) fn limits(reading: &mut Reading) -> ModelLimits {
    let (person_day, person_month) = day_and_month(reading, "CORBEL_MODEL_PERSON_USD");
    let (org_day, org_month) = day_and_month(reading, "CORBEL_MODEL_ORG_USD");
    let run = reading
        .text("CORBEL_MODEL_RUN_USD")
        .and_then(|text| text.parse().ok());
    ModelLimits {
        run: Some(run.unwrap_or(RUN_CAP)),
        person_day,
        person_month,
        org_day,
        org_month,
    }
}

/// `reports.example.com,wiki.example.com:8443`.
fn link_hosts(reading: &mut Reading) -> LinkHosts {
    let text = reading.text("CORBEL_MODEL_LINK_HOSTS").unwrap_or_default();
    let hosts = text.split(',').map(str::trim).filter(|host| !host.is_empty());
    LinkHosts::new(hosts).unwrap_or_else(|why| {
        reading.fault(&format!("CORBEL_MODEL_LINK_HOSTS: {why}"));
        LinkHosts::default()
    })
}

/// `5/50`: US dollars for a day and a month. Absent: no limit.
fn day_and_month(reading: &mut Reading, name: &str) -> (Option<MicroUsd>, Option<MicroUsd>) {
    let Some(text) = reading.text(name) else {
        return (None, None);
    };
    let parts: Result<Vec<MicroUsd>, String> = text.split('/').map(|part| part.trim().parse()).collect();
    match parts.as_deref() {
        Ok([day, month]) if day <= month => (Some(*day), Some(*month)),
        _ => {
            reading.fault(&format!(
                "{name}: {text:?} is not US dollars for a day and a month such as 5/50"
            ));
            (None, None)
        }
    }
}

/// `3/15` or `3/15/0.30`: US dollars for a million tokens of input, output and cached input. Without the last one,
/// cached input costs as much as other input.
fn price(reading: &mut Reading, name: &str) -> Option<Price> {
    let text = reading.text(name)?;
    let parts: Result<Vec<MicroUsd>, String> = text.split('/').map(|part| part.trim().parse()).collect();
    match parts.as_deref() {
        Ok([input, output]) => Some(Price {
            input: input.0,
            output: output.0,
            cached: input.0,
        }),
        Ok([input, output, cached]) => Some(Price {
            input: input.0,
            output: output.0,
            cached: cached.0,
        }),
        _ => {
            reading.fault(&format!(
                "{name}: {text:?} is not US dollars for a million tokens such as 3/15 or 3/15/0.30"
            ));
            None
        }
    }
}
