//! Access: only granted buildings, never another organization's data, and separate currencies.

use std::path::PathBuf;
use std::sync::Arc;

use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Query, Split, Time};

use super::analyst_fixture::{AnalystFixture, only, organization, shared};
use super::fixture;
use crate::harness::app::{Place, on_each};

async fn granted_alone(place: Arc<Place>, folder: PathBuf) {
    let fixture = AnalystFixture::open(&place, &folder).await;
    let some = || only(&["B02", "B10"]);
    // "All" means all that may be seen.
    let draft = fixture.ask_as("T-12 NOI by building", some(), None).await;
    let keys: Vec<&String> = draft.figures[0].value.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["B02", "B10"]);
    let whole = fixture.ask_as("What's our T-12 NOI?", some(), None).await;
    let parts: f64 = draft.figures[0]
        .value
        .as_object()
        .unwrap()
        .values()
        .map(|value| value.as_f64().unwrap())
        .sum();
    assert!((whole.figures[0].value.as_f64().unwrap() - parts).abs() < 0.01);
    // A building that is not granted is answered like one that does not exist.
    for (granted, absent) in [
        (
            "Occupancy at Congress Tower Offices?",
            "Occupancy at Lakeside Tower Offices?",
        ),
        ("LTV at Westside Foundry", "LTV at Eastside Foundry"),
        ("NOI in Denver, T-12", "NOI in Boston, T-12"),
    ] {
        let one = fixture.ask_as(granted, some(), None).await;
        let other = fixture.ask_as(absent, some(), None).await;
        assert!(
            one.figures.is_empty() && other.figures.is_empty(),
            "{granted}: {}",
            one.quick_reply
        );
        let name = |text: &str| text.split('”').nth(1).map(str::to_owned);
        assert_eq!(name(&one.quick_reply), name(&other.quick_reply), "{granted}");
        assert!(
            one.quick_reply.contains("not among the properties you can see"),
            "{}",
            one.quick_reply
        );
    }
    // The same by identifier; an empty set grants nothing.
    for (question, visible) in [
        ("occupancy at B03", some()),
        ("What is our occupancy?", only(&[])),
        ("NOI by building, T-12", only(&[])),
        ("Who are our five biggest commercial tenants?", only(&[])),
        ("How much debt do we have outstanding?", only(&[])),
    ] {
        let draft = fixture.ask_as(question, visible, None).await;
        assert!(draft.figures.is_empty(), "{question}: {}", draft.quick_reply);
    }
    // The frame of a run with more access grants nothing.
    let wide = fixture.ask("NOI at Congress Tower Offices, T-12").await;
    let draft = fixture.ask_as("and the DSCR?", some(), wide.frame).await;
    assert!(draft.figures.is_empty(), "{}", draft.quick_reply);
}

#[tokio::test]
async fn only_granted_buildings_are_seen() {
    let Some(folder) = shared() else { return };
    on_each("only_granted_buildings_are_seen", |place| {
        granted_alone(place, folder.clone())
    })
    .await;
}

async fn two_organizations(place: Arc<Place>, folder: PathBuf) {
    let fixture = AnalystFixture::open(&place, &folder).await;
    let other = organization(&fixture.db).await;
    let day = chrono::NaiveDate::from_ymd_opt(2026, 10, 31).unwrap();
    let query = Query {
        split: Some(Split::Building),
        ..Query::of(Metric::Occupancy, Time::Day(day))
    };
    // Nothing was imported there, so there is no data, whatever the buildings are called.
    let empty = fixture.measure(other, &query).await;
    assert!(empty.whole.is_none() && empty.parts.is_empty());
    fixture::load(&fixture.db, other, &folder, |_| None).await;
    for org in [fixture.org, other] {
        let found = fixture.measure(org, &query).await;
        assert_eq!(found.parts.len(), 12);
        let whole = found.whole.unwrap();
        let rentable = whole
            .inputs
            .iter()
            .find(|term| term.name == "rentable_units")
            .unwrap();
        // Counted once, although the other organization has the same identifiers.
        assert!((rentable.value - 398.0).abs() < f64::EPSILON);
    }
}

#[tokio::test]
async fn two_organizations_are_never_mixed() {
    let Some(folder) = shared() else { return };
    on_each("two_organizations_are_never_mixed", |place| {
        two_organizations(place, folder.clone())
    })
    .await;
}

async fn currencies(place: Arc<Place>, folder: PathBuf) {
    let fixture = AnalystFixture::open_with(&place, &folder, |building| {
        (building == "B03").then(|| "EUR".to_owned())
    })
    .await;
    let draft = fixture.ask("What's our trailing twelve month NOI?").await;
    let mut units: Vec<&str> = draft.figures.iter().map(|figure| figure.unit.as_str()).collect();
    units.sort_unstable();
    assert_eq!(units, ["EUR", "USD"], "{}", draft.quick_reply);
    assert!(
        draft
            .warnings
            .iter()
            .any(|warning| warning.contains("not added up"))
    );
    // A ratio is a single figure without a currency.
    let draft = fixture.ask("What is our occupancy?").await;
    assert_eq!(draft.figures.len(), 1, "{}", draft.quick_reply);
    let draft = fixture.ask("NOI for Congress Tower Offices, T-12").await;
    assert_eq!(draft.figures[0].unit, "EUR");
    assert!(
        draft.quick_reply.contains("EUR 2,006,061"),
        "{}",
        draft.quick_reply
    );
}

#[tokio::test]
async fn currencies_are_never_added() {
    let Some(folder) = shared() else { return };
    on_each("currencies_are_never_added", |place| {
        currencies(place, folder.clone())
    })
    .await;
}
