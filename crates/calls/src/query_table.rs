//! `query_table`: rows and sums of a table, of a file or written into the call.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::aggregates::{Aggregate, Cell, aggregate, cell};
use crate::call::Call;
use crate::reader::Reader;
use crate::result::{Computed, Figure, Outcome, Refusal, Step, Table};
use crate::words::{nearest, plain};
use crate::written::Written;

/// Most rows of a table that is written into a call, of one of a file, and most rows of a result.
const MOST: usize = 2_000;
const MOST_NAMED: usize = 200_000;
const SHOWN: usize = 200;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryTable {
    pub table: Source,
    pub select: Vec<Selected>,
    /// All of them must hold.
    #[serde(rename = "where")]
    pub conditions: Option<Vec<Condition>>,
    /// Columns.
    pub group: Option<Vec<String>>,
    /// Column or aggregate; "-" in front: largest first.
    pub order: Option<String>,
    pub limit: Option<usize>,
}

/// The name of a file's table or of an earlier result, or the table itself.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Source {
    Name(String),
    Inline(Inline),
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inline {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Written>>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selected {
    pub column: String,
    /// Absent: the cells themselves. share: of the whole column.
    pub aggregate: Option<Aggregate>,
    /// Column of the weights.
    pub by: Option<String>,
}

/// A column and one test. A list in is, is_not or contains means any of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    pub column: String,
    pub is: Option<Several>,
    pub is_not: Option<Several>,
    pub contains: Option<Several>,
    pub at_least: Option<Written>,
    pub at_most: Option<Written>,
    pub more: Option<Written>,
    pub less: Option<Written>,
    pub empty: Option<bool>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Several {
    One(Written),
    Any(Vec<Written>),
}

/// The cells that a query works on.
struct Data {
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Call for QueryTable {
    const NAME: &'static str = "query_table";
    const DESCRIPTION: &'static str = "Rows, sums, averages and shares of a table.";
    const EXAMPLE: &'static str = r#"{"table":{"columns":["unit","rent"],"rows":[["1A","$1,310"],["1B","$1,275"]]},
        "select":[{"column":"rent","aggregate":"sum"}]}"#;

    fn run(self, reader: &mut Reader<'_>) -> Outcome {
        let data = self.data(reader)?;
        let mut kept = Vec::new();
        for row in &data.rows {
            if self.holds(&data, row)? {
                kept.push(row);
            }
        }
        let listed = self.select.iter().all(|selected| selected.aggregate.is_none());
        let mut computed = if listed {
            self.list(&data, &kept)?
        } else {
            self.sums(&data, &kept)?
        };
        let found = kept.len() as f64;
        computed.steps.insert(
            0,
            Step::new(
                "rows",
                "rows that meet the conditions",
                found,
                &[("rows", data.rows.len() as f64)],
            ),
        );
        Ok(computed)
    }
}

impl QueryTable {
    fn data(&self, reader: &Reader<'_>) -> Result<Data, Refusal> {
        let (columns, rows) = match &self.table {
            Source::Inline(table) => {
                let rows = table
                    .rows
                    .iter()
                    .map(|row| row.iter().map(|text| reader.cell(text)).collect());
                (
                    table.columns.clone(),
                    rows.collect::<Result<Vec<Vec<Cell>>, Refusal>>()?,
                )
            }
            Source::Name(name) => {
                let table = reader.table(name).ok_or_else(|| {
                    let near: Vec<String> = reader.tables().take(10).map(str::to_owned).collect();
                    Refusal::near("unknown_ref", format!("There is no table \"{name}\"."), near)
                })?;
                let rows = table.rows.iter().map(|row| row.iter().map(of_json).collect());
                (table.columns.clone(), rows.collect())
            }
        };
        let most = match &self.table {
            Source::Inline(_) => MOST,
            Source::Name(_) => MOST_NAMED,
        };
        if rows.len() > most || rows.iter().any(|row| row.len() > columns.len()) {
            let what = "A table in a call has at most 2,000 rows, one of a file 200,000, and no row has more cells \
                        than columns.";
            return Err(Refusal::failure("too_many", what));
        }
        Ok(Data { columns, rows })
    }

    fn holds(&self, data: &Data, row: &[Cell]) -> Result<bool, Refusal> {
        for condition in self.conditions.as_deref().unwrap_or_default() {
            let at = data.column(&condition.column)?;
            if !condition.holds(row.get(at).unwrap_or(&Cell::default()))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn list(&self, data: &Data, kept: &[&Vec<Cell>]) -> Outcome {
        let columns = self
            .select
            .iter()
            .map(|selected| data.column(&selected.column))
            .collect::<Result<Vec<_>, _>>()?;
        let mut rows: Vec<Vec<Cell>> = kept
            .iter()
            .map(|row| {
                columns
                    .iter()
                    .map(|at| row.get(*at).cloned().unwrap_or_default())
                    .collect()
            })
            .collect();
        let names: Vec<String> = self
            .select
            .iter()
            .map(|selected| selected.column.clone())
            .collect();
        self.ordered(&names, &mut rows)?;
        let count = Figure::new("row_count", "number of rows", kept.len() as f64, "count");
        Ok(Computed {
            figures: vec![count],
            table: Some(shown(&names, &rows)),
            ..Computed::default()
        })
    }

    fn sums(&self, data: &Data, kept: &[&Vec<Cell>]) -> Outcome {
        let group = self.group.as_deref().unwrap_or_default();
        let keys = group
            .iter()
            .map(|name| data.column(name))
            .collect::<Result<Vec<_>, _>>()?;
        let mut groups: Vec<(Vec<Cell>, Vec<&Vec<Cell>>)> = Vec::new();
        for row in kept {
            let key: Vec<Cell> = keys
                .iter()
                .map(|at| row.get(*at).cloned().unwrap_or_default())
                .collect();
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((key, vec![row])),
            }
        }
        if groups.is_empty() && keys.is_empty() {
            groups.push((Vec::new(), Vec::new()));
        }
        let mut names: Vec<String> = group.to_vec();
        let measures: Vec<&Selected> = self
            .select
            .iter()
            .filter(|selected| selected.aggregate.is_some())
            .collect();
        names.extend(measures.iter().map(|selected| selected.name()));
        let mut rows = Vec::new();
        for (key, members) in &groups {
            let mut row = key.clone();
            for selected in &measures {
                let at = data.column(&selected.column)?;
                let by = selected.by.as_ref().map(|by| data.column(by)).transpose()?;
                let wanted = selected.aggregate.unwrap_or(Aggregate::Sum);
                let cells: Vec<&Cell> = members.iter().filter_map(|row| row.get(at)).collect();
                let weights = by.map(|by| members.iter().map(|row| row.get(by)).collect::<Vec<_>>());
                let whole: f64 = data.rows.iter().filter_map(|row| row.get(at)?.number).sum();
                row.push(aggregate(
                    wanted,
                    &selected.column,
                    &cells,
                    weights.as_deref(),
                    whole,
                )?);
            }
            rows.push(row);
        }
        self.ordered(&names, &mut rows)?;
        let mut figures = Vec::new();
        for row in rows.iter().take(SHOWN) {
            let subject: Vec<&str> = row
                .iter()
                .take(keys.len())
                .map(|cell| cell.text.as_str())
                .collect();
            for (selected, cell) in measures.iter().zip(row.iter().skip(keys.len())) {
                let name = selected.name();
                let label = if subject.is_empty() {
                    name.replace('_', " ")
                } else {
                    format!("{} of {}", name.replace('_', " "), subject.join(", "))
                };
                figures.extend(
                    cell.number
                        .map(|value| Figure::new(&name, &label, value, &cell.unit)),
                );
            }
        }
        if figures.is_empty() {
            return Err(Refusal::failure(
                "no_result",
                "No row with a number meets the conditions.",
            ));
        }
        let table = (!keys.is_empty()).then(|| shown(&names, &rows));
        Ok(Computed {
            figures,
            table,
            ..Computed::default()
        })
    }

    fn ordered(&self, names: &[String], rows: &mut Vec<Vec<Cell>>) -> Result<(), Refusal> {
        if let Some(order) = &self.order {
            let (name, down) = order
                .strip_prefix('-')
                .map_or((order.as_str(), false), |name| (name, true));
            let at = position(names, name)?;
            rows.sort_by(|a, b| {
                let own = a
                    .get(at)
                    .zip(b.get(at))
                    .map_or(std::cmp::Ordering::Equal, |(a, b)| a.compare(b));
                if down { own.reverse() } else { own }
            });
        }
        rows.truncate(self.limit.unwrap_or(SHOWN).min(SHOWN));
        Ok(())
    }
}

impl Selected {
    fn name(&self) -> String {
        let wanted = self.aggregate.map_or("", |aggregate| match aggregate {
            Aggregate::Sum => "sum",
            Aggregate::Mean => "mean",
            Aggregate::Median => "median",
            Aggregate::Min => "min",
            Aggregate::Max => "max",
            Aggregate::Count => "count",
            Aggregate::WeightedMean => "weighted_mean",
            Aggregate::Share => "share",
        });
        format!("{wanted}_{}", plain(&self.column).replace(' ', "_"))
    }
}

impl Data {
    fn column(&self, name: &str) -> Result<usize, Refusal> {
        position(&self.columns, name)
    }
}

fn position(names: &[String], name: &str) -> Result<usize, Refusal> {
    let asked = plain(name);
    let found = names.iter().position(|known| plain(known) == asked);
    found
        .or_else(|| {
            names.iter().position(|known| {
                plain(known)
                    .split_once(' ')
                    .is_some_and(|(_, rest)| rest == asked)
            })
        })
        .ok_or_else(|| {
            let mut near = nearest(name, names.iter().map(|known| (known.as_str(), known.as_str())));
            if near.is_empty() {
                near = names.to_vec();
            }
            Refusal::near("unknown_word", format!("There is no column \"{name}\"."), near)
        })
}

impl Condition {
    fn holds(&self, found: &Cell) -> Result<bool, Refusal> {
        let any = |several: &Several, test: &dyn Fn(&Cell) -> bool| match several {
            Several::One(one) => one.parts().any(|part| test(&cell(part))),
            Several::Any(list) => list.iter().any(|one| test(&cell(&one.text()))),
        };
        let same = |wanted: &Cell| found.same(wanted);
        let inside = |wanted: &Cell| found.text.to_lowercase().contains(&wanted.text.to_lowercase());
        let mut holds = self.is.as_ref().is_none_or(|several| any(several, &same))
            && self.is_not.as_ref().is_none_or(|several| !any(several, &same))
            && self.contains.as_ref().is_none_or(|several| any(several, &inside))
            && self.empty.is_none_or(|empty| found.is_empty() == empty);
        for (bound, test) in [
            (&self.at_least, f64::ge as fn(&f64, &f64) -> bool),
            (&self.at_most, f64::le),
            (&self.more, f64::gt),
            (&self.less, f64::lt),
        ] {
            let Some(bound) = bound else { continue };
            let wanted = cell(&bound.text());
            let limit = wanted.order.ok_or_else(|| {
                let what = format!("where: \"{}\" is no number and no date.", bound.text());
                Refusal::failure("bad_value", what)
            })?;
            holds = holds && found.order.is_some_and(|own| test(&own, &limit));
        }
        Ok(holds)
    }
}

fn of_json(value: &Value) -> Cell {
    match value {
        Value::String(text) => cell(text),
        Value::Null => Cell::default(),
        other => cell(&other.to_string()),
    }
}

fn shown(names: &[String], rows: &[Vec<Cell>]) -> Table {
    Table {
        columns: names.to_vec(),
        rows: rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| {
                        cell.number
                            .map_or_else(|| json!(cell.text), |number| json!(number))
                    })
                    .collect()
            })
            .collect(),
    }
}
