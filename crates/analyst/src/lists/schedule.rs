//! The rents of a lease year by year, and the words that say that a rent grows.

use serde_json::json;

use crate::contract::draft::Input;
use crate::forms::words::Words;
use crate::lists::spans::Rate;
use crate::say::format;
use crate::say::written::{Written, figure, input};

pub(crate) const RISES: &[&str] = &[
    "bump",
    "bumps",
    "increase",
    "increases",
    "escalation",
    "escalations",
    "escalator",
    "growth",
    "growing",
    "grows",
    "rising",
    "rises",
    "up",
    "steps",
    "step",
    "uplift",
    "uplifts",
    "escalating",
    "increasing",
    "raises",
];

/// The rents of a lease, year by year, with how they are measured.
pub(crate) struct Schedule {
    pub(crate) rents: Vec<f64>,
    pub(crate) rate: Rate,
    pub(crate) area: Option<f64>,
    pub(crate) free: f64,
}

impl Schedule {
    /// What one year costs in money, if that is known; else by the square foot.
    pub(crate) fn yearly(&self, rent: f64) -> (f64, bool) {
        match (self.rate, self.area) {
            (Rate::Month, _) => (rent * 12.0, true),
            (Rate::Year, _) => (rent, true),
            (Rate::AreaYear, Some(area)) => (rent * area, true),
            (Rate::AreaMonth, Some(area)) => (rent * area * 12.0, true),
            (Rate::AreaYear, None) => (rent, false),
            (Rate::AreaMonth, None) => (rent * 12.0, false),
        }
    }

    pub(crate) fn inputs(&self) -> Vec<Input> {
        let mut inputs: Vec<Input> = self
            .rents
            .iter()
            .enumerate()
            .map(|(at, rent)| input(format!("rent_year_{}", at + 1), *rent, "USD"))
            .collect();
        inputs.extend(self.area.map(|area| input("area", area, "sqft")));
        inputs
    }

    fn rows(&self) -> Vec<Vec<String>> {
        self.rents
            .iter()
            .enumerate()
            .map(|(at, rent)| {
                vec![
                    (at + 1).to_string(),
                    format::money(*rent),
                    format::money(self.yearly(*rent).0),
                ]
            })
            .collect()
    }

    pub(crate) fn written(
        &self,
        name: &str,
        value: f64,
        unit: &str,
        said: String,
        definition: &str,
    ) -> Written {
        Written {
            figures: vec![figure(name, json!(value), unit, definition, self.inputs())],
            said,
            definition: definition.to_owned(),
            head: vec!["Year", "Rent", "Of the year"],
            rows: self.rows(),
            steps: vec![definition.to_owned()],
            remarks: Vec::new(),
        }
    }
}

/// Whether a percentage is an increase of the rent.
pub(crate) fn grows(words: &Words, at: usize) -> bool {
    let near = |place: usize| RISES.contains(&words.word(place));
    let before = (1..=2).filter_map(|back| at.checked_sub(back)).any(near);
    before
        || (1..=4)
            .map(|ahead| at + ahead)
            .take_while(|at| words.number(*at).is_none() && !words.mark(*at, ','))
            .any(near)
}
