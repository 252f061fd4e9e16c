//! Builds a statement from pieces of our own text and bound values. The types ensure that query text never
//! reaches the SQL: a piece of text is `'static`, and values only become placeholders.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use chrono::NaiveDate;
use serde_json::Value as Json;

use crate::base::ids::OrgId;
use crate::db::args::Sql;
use crate::db::cells::Cells;
use crate::db::error::Result;
use crate::db::snapshot::Snapshot;
use crate::portfolio::model::Buildings;

/// A value to bind.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Org(OrgId),
    /// Identifiers of buildings as a JSON list, which takes one placeholder for any number of them.
    Ids(Json),
    Text(String),
    Number(f64),
    Whole(i64),
    Boolean(bool),
    Day(NaiveDate),
}

/// The organization, buildings and date that a statement reads for.
#[derive(Clone, Debug)]
pub struct Frame {
    pub org: OrgId,
    pub buildings: Buildings,
    pub as_of: NaiveDate,
}

enum Piece {
    Text(&'static str),
    /// The value at this index of `values`.
    Value(usize),
}

pub struct Statement<'f> {
    frame: &'f Frame,
    sqlite: bool,
    pieces: Vec<Piece>,
    values: Vec<Value>,
    /// Indexes of the frame's values, once they are used.
    org: Option<usize>,
    ids: Option<usize>,
    as_of: Option<usize>,
}

impl<'f> Statement<'f> {
    pub fn new(frame: &'f Frame, sqlite: bool) -> Self {
        Self {
            frame,
            sqlite,
            pieces: Vec::new(),
            values: Vec::new(),
            org: None,
            ids: None,
            as_of: None,
        }
    }

    pub fn push(&mut self, text: &'static str) -> &mut Self {
        self.pieces.push(Piece::Text(text));
        self
    }

    pub fn push_sql(&mut self, sql: Sql) -> &mut Self {
        self.push(sql.text(self.sqlite))
    }

    /// Adds separate texts for SQLite and PostgreSQL.
    pub fn push_each(&mut self, sqlite: &'static str, postgres: &'static str) -> &mut Self {
        self.push_sql(Sql::each(sqlite, postgres))
    }

    pub fn bind(&mut self, value: Value) -> &mut Self {
        let place = self.keep(value);
        self.pieces.push(Piece::Value(place));
        self
    }

    pub fn bind_org(&mut self) -> &mut Self {
        let place = self.org.unwrap_or_else(|| self.keep(Value::Org(self.frame.org)));
        self.org = Some(place);
        self.pieces.push(Piece::Value(place));
        self
    }

    pub fn bind_as_of(&mut self) -> &mut Self {
        let place = self
            .as_of
            .unwrap_or_else(|| self.keep(Value::Day(self.frame.as_of)));
        self.as_of = Some(place);
        self.pieces.push(Piece::Value(place));
        self
    }

    /// Limits a column to the buildings that may be read. Writes nothing if all may be read.
    pub fn push_buildings(&mut self, and: &'static str, column: &'static str) -> &mut Self {
        let Buildings::Only(ids) = &self.frame.buildings else {
            return self;
        };
        self.push_ids(and, column, ids)
    }

    /// Like [`push_buildings`](Self::push_buildings), for a table whose key continues with the building.
    /// SQLite gets the full list even for all buildings, so that it uses the key instead of scanning all rows
    /// of the organization.
    pub fn push_keyed(&mut self, and: &'static str, column: &'static str) -> &mut Self {
        match &self.frame.buildings {
            Buildings::Only(ids) => self.push_ids(and, column, ids),
            Buildings::All if self.sqlite => {
                self.push(and)
                    .push(column)
                    .push(" IN (SELECT id FROM buildings WHERE org_id = ");
                self.bind_org().push(")")
            }
            Buildings::All => self,
        }
    }

    fn push_ids(&mut self, and: &'static str, column: &'static str, ids: &BTreeSet<String>) -> &mut Self {
        let list = || Value::Ids(ids.iter().map(|id| Json::String(id.clone())).collect());
        let place = self.ids.unwrap_or_else(|| self.keep(list()));
        self.ids = Some(place);
        self.push(and).push(column).push_each(
            " IN (SELECT value FROM json_each(",
            " IN (SELECT jsonb_array_elements_text(",
        );
        self.pieces.push(Piece::Value(place));
        self.push("))")
    }

    fn keep(&mut self, value: Value) -> usize {
        self.values.push(value);
        self.values.len() - 1
    }

    /// The text for the database, with `$1` for the first value that appears.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut places = Places::new(self.values.len());
        for piece in &self.pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Value(at) => {
                    let (place, _) = places.of(*at);
                    let _ = write!(text, "${place}");
                }
            }
        }
        text
    }

    pub fn values(&self) -> &[Value] {
        &self.values
    }

    pub async fn run(&self, snapshot: &mut Snapshot) -> Result<Vec<Cells>> {
        let mut builder = snapshot.build("");
        let mut places = Places::new(self.values.len());
        for piece in &self.pieces {
            builder = match piece {
                Piece::Text(text) => builder.push(text),
                Piece::Value(at) => {
                    let (place, known) = places.of(*at);
                    match self.values.get(*at).filter(|_| !known) {
                        None => builder.repeat(place),
                        Some(Value::Org(org)) => builder.bind(*org),
                        Some(Value::Ids(ids)) => builder.bind(ids),
                        Some(Value::Text(text)) => builder.bind(text.as_str()),
                        Some(Value::Number(number)) => builder.bind(*number),
                        Some(Value::Whole(number)) => builder.bind(*number),
                        Some(Value::Boolean(word)) => builder.bind(*word),
                        Some(Value::Day(day)) => builder.bind(*day),
                    }
                }
            };
        }
        builder.done().unprepared().all().await
    }
}

/// The placeholder number of each value, in order of first appearance.
struct Places {
    of: Vec<Option<usize>>,
    last: usize,
}

impl Places {
    fn new(values: usize) -> Self {
        Self {
            of: vec![None; values],
            last: 0,
        }
    }

    /// The placeholder's number, and whether the value appeared before.
    fn of(&mut self, value: usize) -> (usize, bool) {
        let Some(place) = self.of.get_mut(value) else {
            return (0, true);
        };
        if let Some(place) = place {
            return (*place, true);
        }
        self.last += 1;
        *place = Some(self.last);
        (self.last, false)
    }
}
