//! Generated queries: reading never panics, refusals are short, and compiled SQL contains only our own words.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use crate::semantic::golden::compiled;
use crate::semantic::hostile::read;
use crate::semantic::tenancy::queries;

/// JSON of limited size, often similar to a query.
fn json_like() -> impl Strategy<Value = Value> {
    let words: Vec<&'static str> = vec![
        "measures",
        "dimensions",
        "timeDimensions",
        "filters",
        "segments",
        "order",
        "limit",
        "offset",
        "total",
        "timezone",
        "responseFormat",
        "anchor",
        "query",
        "and",
        "or",
        "member",
        "operator",
        "values",
        "dimension",
        "dateRange",
        "granularity",
        "financials.noi",
        "buildings.city",
        "financials.month",
        "month",
        "equals",
        "last 12 months",
        "asc",
    ];
    let word = prop_oneof![3 => prop::sample::select(words).prop_map(ToOwned::to_owned), 1 => ".{0,12}"];
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    scalar.prop_recursive(5, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(word.clone(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn garbage_never_panics(query in json_like()) {
        // Acceptance is not tested here, only that it terminates and that the refusal is short.
        if let Err(refusal) = read(&query) {
            prop_assert!(refusal.to_string().len() < 2_000);
        }
    }

    #[test]
    fn a_valid_query_with_one_change_is_refused_or_still_valid(
        query in queries(),
        key in "[a-zA-Z]{1,12}",
        value in json_like(),
    ) {
        let mut query = query;
        query[key.as_str()] = value;
        if let Ok(valid) = read(&query) {
            prop_assert!(valid.limit <= 1_000 && valid.measures.len() <= 10 && valid.groups.len() <= 9);
        }
    }

    #[test]
    fn valid_queries_compile_to_our_own_words_only(query in queries()) {
        let known: BTreeSet<char> = ('a'..='z')
            .chain('A'..='Z')
            .chain('0'..='9')
            .chain(" _.,()$=<>|*+-/'\"".chars())
            .collect();
        for sqlite in [true, false] {
            let sql = compiled(&query, sqlite);
            prop_assert!(!sql.contains("MARK"), "{}", sql);
            prop_assert!(sql.chars().all(|sign| known.contains(&sign)), "{}", sql);
            prop_assert_eq!(sql.matches('(').count(), sql.matches(')').count());
        }
    }
}
