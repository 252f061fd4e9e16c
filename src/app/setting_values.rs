//! The values of settings by name, and how each kind is parsed. Errors are collected, so that all are reported at once.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::net::network::Network;

/// The values by name, and the errors found so far.
pub(super) struct Reading {
    pub(super) values: BTreeMap<String, String>,
    pub(super) faults: Vec<String>,
}

impl Reading {
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.values
            .get(name)
            .map(|value| value.trim().to_owned())
            .filter(|value| !value.is_empty())
    }

    pub(super) fn fault(&mut self, why: &str) {
        self.faults.push(why.to_owned());
    }

    pub(super) fn parsed<T: std::str::FromStr>(&mut self, name: &str, what: &str) -> Option<T> {
        let text = self.text(name)?;
        let value = text.parse().ok();
        if value.is_none() {
            self.faults.push(format!("{name}: {text:?} is not {what}"));
        }
        value
    }

    pub(super) fn number(&mut self, name: &str, within: RangeInclusive<u64>) -> Option<u64> {
        let what = format!("a whole number from {} to {}", within.start(), within.end());
        let number = self.parsed(name, &what)?;
        if within.contains(&number) {
            return Some(number);
        }
        self.faults.push(format!("{name}: {number} is not {what}"));
        None
    }

    pub(super) fn one_of(&mut self, name: &str, words: &[&str]) -> Option<String> {
        let text = self.text(name)?;
        if words.contains(&text.as_str()) {
            return Some(text);
        }
        self.faults
            .push(format!("{name}: must be one of {}", words.join(", ")));
        None
    }

    pub(super) fn switch(&mut self, name: &str) -> bool {
        self.one_of(name, &["true", "false"]).as_deref() == Some("true")
    }

    pub(super) fn url(&mut self, name: &str) -> Option<String> {
        let text = self.text(name)?;
        let fine = url::Url::parse(&text)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        if fine {
            return Some(text);
        }
        self.faults.push(format!("{name}: must be an http or https URL"));
        None
    }

    pub(super) fn hosts(&mut self, name: &str) -> Vec<String> {
        let text = self.text(name).unwrap_or_default();
        let all = text.split(',').map(str::trim).filter(|host| !host.is_empty());
        let (fine, wrong): (Vec<&str>, Vec<&str>) = all.partition(|host| {
            let url = url::Url::parse(&format!("https://{host}/"));
            url.is_ok_and(|url| url.has_host() && url.path() == "/" && url.username().is_empty())
        });
        for host in wrong {
            self.faults
                .push(format!("{name}: {host:?} must be a host, or host:port"));
        }
        fine.into_iter().map(str::to_owned).collect()
    }

    pub(super) fn networks(&mut self, name: &str, otherwise: &str) -> Vec<Network> {
        let text = self.text(name).unwrap_or_else(|| otherwise.to_owned());
        let mut networks = Vec::new();
        for one in text.split(',').map(str::trim) {
            match one.parse() {
                Ok(network) => networks.push(network),
                Err(error) => self.faults.push(format!("{name}: {one:?} is {error}")),
            }
        }
        networks
    }
}
