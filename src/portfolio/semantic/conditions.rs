//! Writes value tests as SQL, both filters and ranges, and binds every value. Independent of the query around
//! them.

use crate::portfolio::semantic::dates::Days;
use crate::portfolio::semantic::query::{Comparison, Condition, Dim, Form, Test, Value as Asked};
use crate::portfolio::semantic::statement::{Statement, Value};

/// A dimension as stored in a row.
pub fn raw(statement: &mut Statement<'_>, dimension: Dim) {
    statement.push("(").push_sql(dimension.of.sql).push(")");
}

/// Writes a filter on the column that `name` writes.
pub fn put<T>(
    statement: &mut Statement<'_>,
    condition: &Condition<T>,
    name: &impl Fn(&mut Statement<'_>, &T),
) {
    let (all, between) = match condition {
        Condition::All(all) => (all, " AND "),
        Condition::Any(all) => (all, " OR "),
        Condition::Leaf(of, test) => {
            return leaf(statement, test, &|statement: &mut Statement<'_>| {
                name(statement, of);
            });
        }
    };
    let mut separator = Separator::new("(", between);
    for condition in all {
        separator.push(statement);
        put(statement, condition, name);
    }
    statement.push(")");
}

fn leaf(statement: &mut Statement<'_>, test: &Test, name: &impl Fn(&mut Statement<'_>)) {
    match test {
        Test::Set(set) => {
            statement.push("(");
            name(statement);
            statement.push(if *set { ") IS NOT NULL" } else { ") IS NULL" });
        }
        Test::Compare(comparison, value) => {
            statement.push("(");
            name(statement);
            statement.push(match comparison {
                Comparison::Less => ") < ",
                Comparison::LessOrEqual => ") <= ",
                Comparison::More => ") > ",
                Comparison::MoreOrEqual => ") >= ",
            });
            statement.bind(bound(value));
        }
        Test::In { values, negated } => unless(statement, *negated, name, |statement| {
            statement.push("(");
            name(statement);
            statement.push(") IN (");
            list(statement, values.iter().map(bound));
            statement.push(")");
        }),
        Test::Like { form, texts, negated } => unless(statement, *negated, name, |statement| {
            let mut or = Separator::new("", " OR ");
            for text in texts {
                or.push(statement);
                like(statement, *form, text, name);
            }
        }),
        Test::Within { days, negated } => unless(statement, *negated, name, |statement| {
            let mut or = Separator::new("", " OR ");
            for days in days {
                or.push(statement);
                within(statement, name, *days);
            }
        }),
    }
}

/// Writes a test or its negation. Rows without a value pass the negation.
fn unless(
    statement: &mut Statement<'_>,
    negated: bool,
    name: &impl Fn(&mut Statement<'_>),
    test: impl FnOnce(&mut Statement<'_>),
) {
    statement.push("(");
    if negated {
        statement.push("(");
        name(statement);
        statement.push(") IS NULL OR NOT (");
        test(statement);
        statement.push("))");
    } else {
        test(statement);
        statement.push(")");
    }
}

/// Only ASCII letters are folded, because both databases agree on those.
fn like(statement: &mut Statement<'_>, form: Form, text: &str, name: &impl Fn(&mut Statement<'_>)) {
    let value = || Value::Text(text.to_owned());
    let folded = |statement: &mut Statement<'_>| {
        statement.push("lower((");
        name(statement);
        statement.push(")").push_each(")", " COLLATE \"C\")");
    };
    match form {
        Form::Contains | Form::Starts => {
            statement.push_each("instr(", "strpos(");
            folded(statement);
            statement.push(", ").bind(value());
            statement.push(if form == Form::Starts { ") = 1" } else { ") > 0" });
        }
        Form::Ends => {
            statement.push_each("substr(", "right(");
            folded(statement);
            statement
                .push_each(", -length(", ", length(")
                .bind(value())
                .push(")) = ")
                .bind(value());
        }
    }
}

pub fn within(statement: &mut Statement<'_>, name: &impl Fn(&mut Statement<'_>), days: Days) {
    statement.push("(");
    name(statement);
    statement.push(" >= ").bind(Value::Day(days.first)).push(" AND ");
    name(statement);
    statement.push(" <= ").bind(Value::Day(days.last)).push(")");
}

pub fn list(statement: &mut Statement<'_>, values: impl Iterator<Item = Value>) {
    let mut comma = Comma::default();
    for value in values {
        comma.push(statement).bind(value);
    }
    if comma.is_first() {
        // An empty list, which matches nothing.
        statement.push("NULL");
    }
}

fn bound(value: &Asked) -> Value {
    match value {
        Asked::Text(text) => Value::Text(text.clone()),
        Asked::Number(number) => Value::Number(*number),
        Asked::Boolean(word) => Value::Boolean(*word),
        Asked::Day(day) => Value::Day(*day),
    }
}

/// Writes one text the first time and another one afterwards.
pub struct Separator {
    next: &'static str,
    between: &'static str,
}

impl Separator {
    pub fn new(first: &'static str, between: &'static str) -> Self {
        Self { next: first, between }
    }

    pub fn push<'s, 'f>(&mut self, statement: &'s mut Statement<'f>) -> &'s mut Statement<'f> {
        let text = std::mem::replace(&mut self.next, self.between);
        statement.push(text)
    }
}

/// Writes commas between items, and remembers whether there were any.
#[derive(Default)]
pub struct Comma {
    begun: bool,
}

impl Comma {
    pub fn push<'s, 'f>(&mut self, statement: &'s mut Statement<'f>) -> &'s mut Statement<'f> {
        if std::mem::replace(&mut self.begun, true) {
            statement.push(", ");
        }
        statement
    }

    pub fn is_first(&self) -> bool {
        !self.begun
    }
}
