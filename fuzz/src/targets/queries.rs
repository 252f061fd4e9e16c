//! Semantic queries: what is accepted compiles to SQL of our own words, with every value bound.

use chrono::NaiveDate;
use corbel::base::ids::OrgId;
use corbel::portfolio::model::Buildings;
use corbel::portfolio::semantic::closing::{self, Covered};
use corbel::portfolio::semantic::compile::Plan;
use corbel::portfolio::semantic::dates::Anchor;
use corbel::portfolio::semantic::query::{
    Condition, LONGEST_VALUE, MAX_DIMENSIONS, MAX_MEASURES, MAX_OFFSET, MAX_ROWS, Query, Test, Value,
};
use corbel::portfolio::semantic::reader;
use corbel::portfolio::semantic::refusal::Refusal;
use corbel::portfolio::semantic::statement::{Frame, Statement, Value as Bound};
use serde_json::{Value as Json, json};

const ORGANIZATION: &str = "0190a000-0000-7000-8000-000000000000";

pub fn check(input: &[u8]) {
    let Ok(json) = serde_json::from_slice::<Json>(input) else {
        return;
    };
    let mut query = match read(&json) {
        Ok(query) => query,
        Err(refusal) => {
            assert!(
                !refusal.detail.is_empty() && !refusal.fix.is_empty(),
                "{refusal:?}"
            );
            assert!(refusal.to_string().len() < 2_000, "{refusal:?}");
            assert!(refusal.suggestions.len() <= 3, "{refusal:?}");
            return;
        }
    };
    assert!((1..=MAX_ROWS).contains(&query.limit) && (0..=MAX_OFFSET).contains(&query.offset));
    assert!(query.measures.len() <= MAX_MEASURES && query.groups.len() <= MAX_DIMENSIONS + 1);
    let compiled = compiled(&query);
    for (sql, values) in &compiled {
        assert_ours(sql, values);
    }
    if json.get("query").is_none() {
        let wrapped = read(&json!({ "query": json })).expect("the same query");
        assert!(
            self::compiled(&wrapped) == compiled,
            "wrapped, it means something else"
        );
    }
    // Other values, the same text.
    query.rows.iter_mut().for_each(change);
    query.sums.iter_mut().for_each(change);
    (query.limit, query.offset) = (MAX_ROWS - query.limit, MAX_OFFSET - query.offset);
    for ((sql, values), (changed, others)) in compiled.iter().zip(&self::compiled(&query)) {
        assert_eq!(sql, changed);
        assert_eq!(values.len(), others.len());
    }
}

fn day(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).expect("a day")
}

fn read(json: &Json) -> Result<Query, Refusal> {
    let object = reader::unwrapped(json)?;
    reader::time_settings(object)?;
    reader::read(object, Anchor::data(day(2026, 10, 31)))
}

/// The statements for rows and for their number, with their values, for each database.
fn compiled(query: &Query) -> Vec<(String, Vec<Bound>)> {
    let covered = Covered {
        as_of: day(2026, 10, 31),
        first_month: day(2023, 11, 1),
        last_month: day(2026, 10, 1),
    };
    let frame = Frame {
        org: ORGANIZATION.parse::<OrgId>().expect("an id"),
        buildings: Buildings::Only(["B01".to_owned(), "B04".to_owned()].into()),
        as_of: query.as_of.unwrap_or(covered.as_of),
    };
    let closing = closing::of(query, Some(covered));
    let plan = Plan { query, closing };
    let written = |statement: Statement<'_>| (statement.text(), statement.values().to_vec());
    [true, false]
        .into_iter()
        .flat_map(|sqlite| [plan.rows(&frame, sqlite), plan.total(&frame, sqlite)])
        .map(written)
        .collect()
}

/// The text has only characters of ours, and a placeholder for each value.
fn assert_ours(sql: &str, values: &[Bound]) {
    let ours = |sign: char| sign.is_ascii_alphanumeric() || " _.,()$=<>|*+-/'\"".contains(sign);
    assert!(sql.chars().all(ours), "{sql}");
    assert_eq!(sql.matches('(').count(), sql.matches(')').count(), "{sql}");
    let mut named = vec![false; values.len()];
    for behind in sql.split('$').skip(1) {
        let digits = behind.split(|sign: char| !sign.is_ascii_digit()).next();
        let place: usize = digits.unwrap_or_default().parse().expect("a placeholder");
        *named.get_mut(place - 1).expect("a value for each placeholder") = true;
    }
    assert!(named.into_iter().all(|named| named), "a value is not in {sql}");
    for value in values {
        if let Bound::Text(text) = value {
            assert!(
                !text.contains('\0') && text.chars().count() <= 2 * LONGEST_VALUE + 2,
                "{text:?}"
            );
        }
    }
}

/// Replaces the values of a filter.
fn change<T>(condition: &mut Condition<T>) {
    let other = |value: &mut Value| match value {
        Value::Text(text) => "another text".clone_into(text),
        Value::Number(number) => *number = 1.0,
        Value::Boolean(truth) => *truth = !*truth,
        Value::Day(day) => *day = NaiveDate::default(),
    };
    match condition {
        Condition::All(every) | Condition::Any(every) => every.iter_mut().for_each(change),
        Condition::Leaf(_, test) => match test {
            Test::In { values, .. } => values.iter_mut().for_each(other),
            Test::Compare(_, value) => other(value),
            Test::Like { texts, .. } => texts.iter_mut().for_each(|text| "another".clone_into(text)),
            Test::Set(_) | Test::Within { .. } => {}
        },
    }
}
