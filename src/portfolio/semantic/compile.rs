//! Compiles a valid query to SQL. The inner query reads and filters the rows that may be read; the outer
//! query groups and sums them. Access filters are part of every base table, so nothing around them can widen
//! access.

use chrono::NaiveDate;

use crate::db::args::Sql;
use crate::portfolio::semantic::closing::{self, Closing};
use crate::portfolio::semantic::conditions::{Comma, Separator, list, put, raw, within};
use crate::portfolio::semantic::dates::Granularity;
use crate::portfolio::semantic::model::{Base, Dimension, Formula, Kind, Measure, Model, OverTime, Piece};
use crate::portfolio::semantic::query::{By, Condition, Dim, Query};
use crate::portfolio::semantic::statement::{Frame, Statement, Value};

/// Names of the inner columns: the groups, and the inputs of sums (two for each measure).
const GROUPS: [&str; 10] = ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9"];
const PARTS: [&str; 64] = [
    "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12", "m13", "m14", "m15",
    "m16", "m17", "m18", "m19", "m20", "m21", "m22", "m23", "m24", "m25", "m26", "m27", "m28", "m29", "m30",
    "m31", "m32", "m33", "m34", "m35", "m36", "m37", "m38", "m39", "m40", "m41", "m42", "m43", "m44", "m45",
    "m46", "m47", "m48", "m49", "m50", "m51", "m52", "m53", "m54", "m55", "m56", "m57", "m58", "m59", "m60",
    "m61", "m62", "m63",
];
/// Ordinals of the outer columns.
const PLACES: [&str; 24] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
    "20", "21", "22", "23", "24",
];

/// A query with the facts that depend on the data.
#[derive(Debug)]
pub struct Plan<'q> {
    pub query: &'q Query,
    pub closing: Closing,
}

impl Plan<'_> {
    /// Whether the query sums money, which is kept apart by currency.
    pub fn by_currency(&self) -> bool {
        self.measures().iter().any(|measure| measure.unit.is_money())
    }

    /// The rows of the answer and one more, which shows whether there are more.
    pub fn rows<'f>(&self, frame: &'f Frame, sqlite: bool) -> Statement<'f> {
        let mut statement = Statement::new(frame, sqlite);
        self.select(&mut statement);
        self.order(&mut statement);
        statement
            .push(" LIMIT ")
            .bind(Value::Whole(self.query.limit + 1))
            .push(" OFFSET ")
            .bind(Value::Whole(self.query.offset));
        statement
    }

    /// The total number of rows.
    pub fn total<'f>(&self, frame: &'f Frame, sqlite: bool) -> Statement<'f> {
        let mut statement = Statement::new(frame, sqlite);
        statement.push("SELECT CAST(COUNT(*) AS BIGINT) FROM (");
        self.select(&mut statement);
        statement.push(") AS found");
        statement
    }

    /// The measures of the answer first, then those that only filters use.
    fn measures(&self) -> Vec<&'static Measure> {
        let mut all: Vec<&'static Measure> = self.query.measures.iter().map(|one| one.of).collect();
        for condition in &self.query.sums {
            add_measures(condition, &mut all);
        }
        all
    }

    fn select(&self, statement: &mut Statement<'_>) {
        let all = self.measures();
        let columns = self.query.groups.len() + usize::from(self.by_currency());
        statement.push("SELECT ");
        let mut comma = Comma::default();
        for name in GROUPS.iter().take(columns) {
            comma.push(statement).push(name);
        }
        for place in 0..self.query.measures.len() {
            comma.push(statement);
            self.sum(statement, &all, place);
        }
        statement.push(" FROM (");
        self.inner(statement, &all);
        statement.push(") AS r");
        if self.closing == Closing::Ranked && matches!(self.query.model.over_time, OverTime::ByMonth(_)) {
            statement.push(" WHERE closing = 1");
        }
        let mut by = Separator::new(" GROUP BY ", ", ");
        for name in GROUPS.iter().take(columns) {
            by.push(statement).push(name);
        }
        let mut having = Separator::new(" HAVING ", " AND ");
        for condition in &self.query.sums {
            having.push(statement);
            let sum = |statement: &mut Statement<'_>, measure: &&'static Measure| {
                let place = all.iter().position(|one| std::ptr::eq(*one, *measure));
                self.sum(statement, &all, place.unwrap_or_default());
            };
            put(statement, condition, &sum);
        }
    }

    /// The measure at this index, aggregated over a group.
    fn sum(&self, statement: &mut Statement<'_>, all: &[&'static Measure], place: usize) {
        let Some(measure) = all.get(place) else { return };
        let latest_only = measure.snapshot && self.ranks_latest();
        let part = |statement: &mut Statement<'_>, second: usize| {
            let name = PARTS.get(place * 2 + second).copied().unwrap_or("NULL");
            if latest_only {
                statement
                    .push("CASE WHEN closing = 1 THEN ")
                    .push(name)
                    .push(" END");
            } else {
                statement.push(name);
            }
        };
        match measure.formula {
            Formula::Count if latest_only => {
                statement.push("CAST(SUM(CASE WHEN closing = 1 THEN 1 ELSE 0 END) AS BIGINT)");
            }
            Formula::Count => {
                statement.push("CAST(COUNT(*) AS BIGINT)");
            }
            Formula::Different(_) => {
                statement.push("CAST(COUNT(DISTINCT ");
                part(statement, 0);
                statement.push(") AS BIGINT)");
            }
            Formula::Sum(_) => {
                statement.push("CAST(SUM(");
                part(statement, 0);
                statement.push(") AS BIGINT)");
            }
            Formula::Ratio(..) => {
                statement.push("CAST(SUM(");
                part(statement, 0);
                statement.push(") AS DOUBLE PRECISION) / NULLIF(CAST(SUM(");
                part(statement, 1);
                statement.push(") AS DOUBLE PRECISION), 0)");
            }
        }
    }

    fn ranks_latest(&self) -> bool {
        self.closing == Closing::Ranked && matches!(self.query.model.over_time, OverTime::Latest { .. })
    }

    fn inner(&self, statement: &mut Statement<'_>, all: &[&'static Measure]) {
        let model = self.query.model;
        statement.push("SELECT ");
        let mut comma = Comma::default();
        let mut names = GROUPS.iter();
        for (group, name) in self.query.groups.iter().zip(names.by_ref()) {
            comma.push(statement);
            column(statement, group.dimension, group.granularity);
            statement.push(" AS ").push(name);
        }
        if let Some(name) = names.next().filter(|_| self.by_currency()) {
            comma.push(statement).push(model.currency);
            statement.push_each("", " COLLATE \"C\"").push(" AS ").push(name);
        }
        for (place, measure) in all.iter().enumerate() {
            let (first, second) = match measure.formula {
                Formula::Count => (None, None),
                Formula::Different(one) | Formula::Sum(one) => (Some(one), None),
                Formula::Ratio(one, other) => (Some(one), Some(other)),
            };
            for (part, name) in [first, second].into_iter().zip(PARTS.iter().skip(place * 2)) {
                if let Some(part) = part {
                    comma.push(statement).push(part).push(" AS ").push(name);
                }
            }
        }
        if self.closing == Closing::Ranked {
            comma.push(statement);
            self.rank(statement);
        }
        if comma.is_first() {
            // Only rows are counted, so no column is needed.
            statement.push("1 AS one");
        }
        statement.push(" FROM ");
        pieces(statement, model.rows);
        if model.joins_buildings {
            statement.push(" JOIN ");
            base(
                statement,
                &Base {
                    table: "buildings",
                    alias: "b",
                    building: Some("id"),
                },
            );
            statement.push(" ON b.id = t.building_id");
        }
        self.filters(statement);
    }

    fn rank(&self, statement: &mut Statement<'_>) {
        let bucket = closing::bucket(self.query);
        match self.query.model.over_time {
            OverTime::Latest { of, day } => {
                statement.push("ROW_NUMBER() OVER (PARTITION BY ").push(of);
                if let Some(bucket) = bucket {
                    statement.push(", ");
                    column(statement, bucket.dimension, bucket.granularity);
                }
                statement.push(" ORDER BY ").push(day).push(" DESC) AS closing");
            }
            OverTime::ByMonth(month) => {
                statement
                    .push("CASE WHEN ")
                    .push(month)
                    .push(" = MAX(")
                    .push(month)
                    .push(") OVER (");
                if let Some(bucket) = bucket {
                    statement.push("PARTITION BY ");
                    column(statement, bucket.dimension, bucket.granularity);
                }
                statement.push(") THEN 1 ELSE 0 END AS closing");
            }
            OverTime::Adds | OverTime::AsOf => {
                statement.push("1 AS closing");
            }
        }
    }

    fn filters(&self, statement: &mut Statement<'_>) {
        let mut and = Separator::new(" WHERE ", " AND ");
        if let (Closing::Months(months), OverTime::ByMonth(month)) =
            (&self.closing, self.query.model.over_time)
        {
            and.push(statement).push(month).push(" IN (");
            list(
                statement,
                months.iter().map(|month: &NaiveDate| Value::Day(*month)),
            );
            statement.push(")");
        }
        for range in self
            .query
            .ranges
            .iter()
            .filter(|range| range.dimension.of.kind != Kind::AsOf)
        {
            and.push(statement);
            let name = |statement: &mut Statement<'_>| raw(statement, range.dimension);
            within(statement, &name, range.days);
        }
        for segment in &self.query.segments {
            and.push(statement).push("(").push(segment.of.sql).push(")");
        }
        for condition in &self.query.rows {
            and.push(statement);
            put(
                statement,
                condition,
                &|statement: &mut Statement<'_>, dimension: &Dim| {
                    raw(statement, *dimension);
                },
            );
        }
    }

    /// Breaks ties by the remaining columns, so that pages neither repeat nor skip a row.
    fn order(&self, statement: &mut Statement<'_>) {
        let groups = self.query.groups.len() + usize::from(self.by_currency());
        let mut by = Separator::new(" ORDER BY ", ", ");
        let mut ordered = vec![false; groups];
        for order in &self.query.order {
            let place = match order.by {
                By::Group(group) => group,
                By::Measure(measure) => groups + measure,
            };
            if let Some(ordered) = ordered.get_mut(place) {
                *ordered = true;
            }
            let direction = if order.descending {
                " DESC NULLS LAST"
            } else {
                " NULLS LAST"
            };
            if let Some(name) = PLACES.get(place) {
                by.push(statement).push(name).push(direction);
            }
        }
        for (name, ordered) in PLACES.iter().zip(ordered) {
            if !ordered {
                by.push(statement).push(name).push(" NULLS LAST");
            }
        }
    }
}

fn add_measures(condition: &Condition<&'static Measure>, all: &mut Vec<&'static Measure>) {
    match condition {
        Condition::All(every) | Condition::Any(every) => {
            for condition in every {
                add_measures(condition, all);
            }
        }
        Condition::Leaf(measure, _) => {
            if !all.iter().any(|known| std::ptr::eq(*known, *measure)) {
                all.push(measure);
            }
        }
    }
}

/// Some rows with the values of these dimensions: the first that the database finds. Of a model by month, only
/// those of the given month.
pub fn some_rows(
    statement: &mut Statement<'_>,
    model: &'static Model,
    dimensions: &[&'static Dimension],
    month: Option<NaiveDate>,
    limit: i64,
) {
    statement.push("SELECT ");
    let mut comma = Comma::default();
    for dimension in dimensions {
        comma.push(statement).push_sql(dimension.sql);
    }
    statement.push(" FROM ");
    pieces(statement, model.rows);
    if let (OverTime::ByMonth(column), Some(month)) = (model.over_time, month) {
        statement
            .push(" WHERE ")
            .push(column)
            .push(" = ")
            .bind(Value::Day(month));
    }
    statement.push(" LIMIT ").bind(Value::Whole(limit));
}

/// A model's rows, with the access filters on each base table.
fn pieces(statement: &mut Statement<'_>, all: &'static [Piece]) {
    for piece in all {
        match piece {
            Piece::Sql(sql) => {
                statement.push_sql(*sql);
            }
            Piece::Base(table) => base(statement, table),
            Piece::AsOf => {
                statement.bind_as_of();
            }
            Piece::Group(group) => pieces(statement, group),
        }
    }
}

fn base(statement: &mut Statement<'_>, base: &Base) {
    statement
        .push("(SELECT * FROM ")
        .push(base.table)
        .push(" WHERE org_id = ")
        .bind_org();
    match base.building {
        Some("id") => {
            statement.push_buildings(" AND ", "id");
        }
        Some(building) => {
            statement.push_keyed(" AND ", building);
        }
        None => {}
    }
    statement.push(") AS ").push(base.alias);
}

/// A dimension as a column of the answer.
fn column(statement: &mut Statement<'_>, dimension: Dim, granularity: Option<Granularity>) {
    match (granularity, dimension.of.kind) {
        (Some(granularity), _) => start_of(statement, dimension, granularity),
        (None, Kind::Text) => {
            // Make both databases order texts by their bytes.
            raw(statement, dimension);
            statement.push_each("", " COLLATE \"C\"");
        }
        (None, _) => raw(statement, dimension),
    }
}

/// The first day of the bucket that contains a day.
fn start_of(statement: &mut Statement<'_>, dimension: Dim, granularity: Granularity) {
    let day = dimension.of.sql;
    match granularity {
        Granularity::Day => raw(statement, dimension),
        Granularity::Week => {
            statement
                .push_each("date(", "CAST(date_trunc('week', CAST(")
                .push_sql(day);
            statement.push_each(", '-6 days', 'weekday 1')", " AS TIMESTAMP)) AS DATE)");
        }
        Granularity::Month => {
            statement
                .push_each("(substr(", "CAST(date_trunc('month', CAST(")
                .push_sql(day);
            statement.push_each(", 1, 7) || '-01')", " AS TIMESTAMP)) AS DATE)");
        }
        Granularity::Year => {
            statement
                .push_each("(substr(", "CAST(date_trunc('year', CAST(")
                .push_sql(day);
            statement.push_each(", 1, 4) || '-01-01')", " AS TIMESTAMP)) AS DATE)");
        }
        Granularity::Quarter => {
            // SQLite: the year with its dash, and the first month of the quarter.
            statement
                .push_each("(substr(", "CAST(date_trunc('quarter', CAST(")
                .push_sql(day);
            statement.push_each(
                ", 1, 5) || substr('010101040404070707101010', substr(",
                " AS TIMESTAMP)) AS DATE)",
            );
            statement.push_sql(Sql::each(day.text(true), ""));
            statement.push_each(", 6, 2) * 2 - 1, 2) || '-01')", "");
        }
    }
}
