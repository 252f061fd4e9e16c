//! Rows as the answer: those that fit, the one with the most or the least, the first few of an order.
//!
//! Knows no words.

use crate::sheets::finding::{Finding, Open, Outcome, inert};
use crate::sheets::query::cues::Wish;
use crate::sheets::query::part::Measure;
use crate::sheets::query::wanted::{Asked, Picked};

impl Asked<'_> {
    pub(crate) fn names(&self) -> Outcome {
        let shown: Vec<String> = self
            .rows
            .iter()
            .take(30)
            .map(|row| {
                let name = self.view.name(*row);
                match self
                    .amounts
                    .as_ref()
                    .and_then(|amounts| Some(amounts.shown(amounts.value(*row)?)))
                {
                    Some(value) => format!("{name} ({value})"),
                    None => name,
                }
            })
            .collect();
        let more = self.rows.len().saturating_sub(shown.len());
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let mut outcome = self.count();
        outcome.sentence = Some(format!("{}{more}", shown.join(", ")));
        outcome
    }

    pub(crate) fn extreme(&self) -> Result<(Outcome, Picked), Open> {
        let amounts = self.measured()?;
        let values = self.values(&self.rows)?;
        let highest = self.ask.wish == Wish::Highest;
        let mut order: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
        order.sort_by(|one, other| {
            if highest {
                other.total_cmp(one)
            } else {
                one.total_cmp(other)
            }
        });
        order.dedup_by(|one, other| (*one - *other).abs() < 1e-9);
        let place = self.ask.nth.unwrap_or(1);
        let Some(best) = order.get(place.saturating_sub(1)).copied() else {
            return Err(Open::because(format!(
                "There are only {} different values.",
                order.len()
            )));
        };
        let rows: Vec<usize> = values
            .iter()
            .filter(|(_, value)| (*value - best).abs() < 1e-9)
            .map(|(row, _)| *row)
            .collect();
        let names: Vec<String> = rows.iter().map(|row| self.view.name(*row)).collect();
        let name = names.join(", ");
        let (prefix, which) = if highest {
            ("max", "highest")
        } else {
            ("min", "lowest")
        };
        let label = match place {
            1 => which.to_owned(),
            2 => format!("second {which}"),
            3 => format!("third {which}"),
            other => format!("{other}th {which}"),
        };
        let mut finding = Finding::new(
            &format!("{prefix}_{}", amounts.word()),
            &format!("{label} {}{}", amounts.label(), self.of),
            best,
            amounts.unit(),
            amounts.shown(best),
            "One of the rows of the table.",
        )
        .input("rows", values.len() as f64, "count", self.source())
        .of(name.clone());
        if let Some(period) = amounts.period.filter(|_| !amounts.ratio()) {
            finding = finding.during(period);
        }
        let outcome = Outcome {
            sentence: Some(format!(
                "{name}: {label} {}{}, {}",
                amounts.label(),
                self.of,
                amounts.shown(best)
            )),
            findings: vec![finding],
            remarks: self.blanks(),
            ..Outcome::default()
        };
        Ok((outcome, Some((rows, format!("it is {name}")))))
    }

    pub(crate) fn ranked(&self) -> Result<(Outcome, Picked), Open> {
        let amounts = self.measured()?;
        let count = self.ask.rank.unwrap_or(1);
        let lowest = self.ask.wish == Wish::Lowest;
        let mut values = self.values(&self.rows)?;
        values.sort_by(|one, other| {
            let order = other.1.total_cmp(&one.1);
            if lowest { order.reverse() } else { order }
        });
        let last = values.get(count.saturating_sub(1)).map(|(_, value)| *value);
        let tied = values
            .get(count)
            .zip(last)
            .is_some_and(|((_, next), last)| (next - last).abs() < 1e-9);
        let all: f64 = self.base.iter().filter_map(|row| amounts.value(*row)).sum();
        values.truncate(count);
        let mut outcome = Outcome::default();
        let mut table = format!("| | {} |\n|---|---:|\n", inert(&amounts.label()));
        let mut said = Vec::new();
        for (row, value) in &values {
            let name = self.view.name(*row);
            said.push(format!("{name} ({})", amounts.shown(*value)));
            table.push_str(&format!("| {} | {} |\n", inert(&name), amounts.shown(*value)));
        }
        let listed = || {
            values.iter().map(|(row, value)| {
                Finding::new(
                    &amounts.word(),
                    &amounts.label(),
                    *value,
                    amounts.unit(),
                    amounts.shown(*value),
                    "As it stands in the table.",
                )
                .of(self.view.name(*row))
            })
        };
        if amounts.adds() {
            let sum: f64 = values.iter().map(|(_, value)| value).sum();
            let total = Finding::new(
                &format!("total_listed_{}", amounts.word()),
                &format!("total of {} of these {}", amounts.label(), values.len()),
                sum,
                amounts.unit(),
                amounts.shown(sum),
                "Sum over the rows named.",
            );
            let share = (all != 0.0).then(|| {
                Finding::percent(
                    &format!("share_{}", amounts.word()),
                    &format!("share of {} that these {} make", amounts.label(), values.len()),
                    sum / all,
                    "Share = sum over the rows named ÷ sum over all rows.",
                )
                .step(format!("{} of {}.", amounts.shown(sum), amounts.shown(all)))
            });
            if self.ask.share {
                outcome.findings.extend(share);
                outcome.findings.push(total.aside());
                outcome.findings.extend(listed().map(Finding::aside));
            } else {
                outcome.findings.extend(listed());
                outcome.findings.push(total.aside());
                outcome.findings.extend(share.map(Finding::aside));
            }
        } else if self.ask.share {
            return Err(Open::because(format!(
                "{} has no sum to take a share of.",
                amounts.label()
            )));
        } else {
            outcome.findings.extend(listed());
        }
        if !self.ask.share {
            let which = if lowest { "lowest" } else { "highest" };
            outcome.sentence = Some(format!(
                "The {} with the {which} {}{}: {}",
                values.len(),
                amounts.label(),
                self.of,
                said.join(", ")
            ));
        }
        if tied {
            outcome
                .remarks
                .push("The next one has the same value as the last one named.".to_owned());
        }
        outcome.tables.push(table);
        let rows = values.iter().map(|(row, _)| *row).collect();
        Ok((
            outcome,
            Some((rows, format!("the row is one of these {}", values.len()))),
        ))
    }

    /// The measure is a column of dates.
    pub(crate) fn date_column(&self) -> Option<usize> {
        match self.ask.measure {
            Some(Measure::Column(column)) if self.view.is_dated(column) => Some(column),
            _ => None,
        }
    }

    pub(crate) fn dated(&self, column: usize) -> Result<(Outcome, Picked), Open> {
        let dates: Vec<(usize, chrono::NaiveDate)> = self
            .rows
            .iter()
            .filter_map(|row| self.view.date(*row, column).map(|date| (*row, date)))
            .collect();
        let header = self.view.header(column);
        let best = match (self.ask.wish, dates.as_slice()) {
            (Wish::Highest, _) => dates.iter().max_by_key(|(_, date)| *date),
            (Wish::Lowest, _) => dates.iter().min_by_key(|(_, date)| *date),
            (_, [only]) => Some(only),
            _ => None,
        };
        let Some((_, date)) = best else {
            return Err(Open::because(format!(
                "“{header}” holds dates: do you want the earliest or the latest?"
            )));
        };
        if self
            .view
            .table
            .columns
            .get(column)
            .is_some_and(|own| own.ambiguous)
        {
            return Err(Open::because(format!(
                "The dates under “{header}” can be read with the month or the day first. Which is it?"
            )));
        }
        let rows: Vec<usize> = dates
            .iter()
            .filter(|(_, own)| own == date)
            .map(|(row, _)| *row)
            .collect();
        let name = rows
            .iter()
            .map(|row| self.view.name(*row))
            .collect::<Vec<_>>()
            .join(", ");
        let finding = Finding {
            name: self.view.column(column).word(),
            label: format!("“{header}”"),
            value: serde_json::json!(date.to_string()),
            unit: "date",
            shown: date.to_string(),
            definition: "As it stands in the table.".to_owned(),
            ..Finding::default()
        };
        let outcome = Outcome {
            sentence: Some(format!("{name}: “{header}” {date}")),
            findings: vec![finding.of(name.clone())],
            ..Outcome::default()
        };
        Ok((outcome, Some((rows, format!("it is {name}")))))
    }
}
