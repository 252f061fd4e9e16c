//! Date ranges in queries: words relative to the end of the data or to today, and what is refused.

use chrono::NaiveDate;
use corbel::portfolio::semantic::dates::{Anchor, Days, Granularity, between, one};

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap_or_default()
}

fn read(text: &str, anchor: Anchor) -> String {
    one(text, anchor).map_or_else(
        || "refused".to_owned(),
        |days| format!("{} {}", days.first, days.last),
    )
}

#[test]
fn words_are_relative_to_the_end_of_the_data() {
    let anchor = Anchor::data(day("2026-10-31"));
    for (text, expected) in [
        ("last 12 months", "2025-11-01 2026-10-31"),
        ("Last 12 Months", "2025-11-01 2026-10-31"),
        ("last month", "2026-10-01 2026-10-31"),
        ("this month", "2026-10-01 2026-10-31"),
        ("last quarter", "2026-07-01 2026-09-30"),
        ("this quarter", "2026-10-01 2026-12-31"),
        ("last 2 quarters", "2026-04-01 2026-09-30"),
        ("last year", "2025-01-01 2025-12-31"),
        ("this year", "2026-01-01 2026-12-31"),
        ("previous 3 years", "2023-01-01 2025-12-31"),
        ("next month", "2026-11-01 2026-11-30"),
        ("next 2 quarters", "2027-01-01 2027-06-30"),
        ("today", "2026-10-31 2026-10-31"),
        ("yesterday", "2026-10-30 2026-10-30"),
        ("last 30 days", "2026-10-02 2026-10-31"),
        ("this week", "2026-10-26 2026-11-01"),
        ("last week", "2026-10-19 2026-10-25"),
        ("from 90 days ago to now", "2026-08-02 2026-10-31"),
        ("from 2026-01-01 to today", "2026-01-01 2026-10-31"),
        ("from today to 2 years from now", "2026-10-31 2028-10-31"),
        ("2026-10", "2026-10-01 2026-10-31"),
        ("2024-02", "2024-02-01 2024-02-29"),
        ("2025", "2025-01-01 2025-12-31"),
        ("2026-10-31", "2026-10-31 2026-10-31"),
        ("2026-10-31T23:59:59.999", "2026-10-31 2026-10-31"),
    ] {
        assert_eq!(read(text, anchor), expected, "{text}");
    }
}

#[test]
fn at_the_end_of_a_year_this_year_is_the_year_of_the_data() {
    let anchor = Anchor::data(day("2026-12-31"));
    assert_eq!(read("this year", anchor), "2026-01-01 2026-12-31");
    assert_eq!(read("last year", anchor), "2026-01-01 2026-12-31");
    assert_eq!(read("last quarter", anchor), "2026-10-01 2026-12-31");
}

#[test]
fn relative_to_today_last_periods_exclude_the_current_one() {
    let anchor = Anchor::today(day("2026-11-22"));
    for (text, expected) in [
        ("last 12 months", "2025-11-01 2026-10-31"),
        ("last month", "2026-10-01 2026-10-31"),
        ("this month", "2026-11-01 2026-11-30"),
        ("last 7 days", "2026-11-15 2026-11-21"),
        ("today", "2026-11-22 2026-11-22"),
    ] {
        assert_eq!(read(text, anchor), expected, "{text}");
    }
}

#[test]
fn invalid_ranges_are_refused() {
    let anchor = Anchor::data(day("2026-10-31"));
    for text in [
        "",
        "2026-13-01",
        "2026-02-29",
        "2026-1-5",
        "26-01-01",
        "last",
        "last 0 months",
        "last -3 months",
        "last 99999999999 years",
        "last 10000 years",
        "next 9999 years",
        "last fortnight",
        "from now",
        "from now to 90 days ago",
        "to",
        "from to",
        "\u{661}\u{662} months",
        "2026-10-31; DROP TABLE leases",
    ] {
        assert_eq!(read(text, anchor), "refused", "{text:?}");
    }
    assert_eq!(between("2026-10-01", "2026-09-30"), None);
    assert_eq!(between("2026-10-01", "last month"), None);
}

#[test]
fn ranges_are_widened_to_months_and_buckets_are_counted() {
    let range = between("2026-01-15", "2026-02-03").map(Days::whole_months);
    assert_eq!(range, between("2026-01", "2026-02"));
    let years = between("2020", "2026");
    for (granularity, count) in [
        (Granularity::Year, 7),
        (Granularity::Quarter, 28),
        (Granularity::Month, 84),
        (Granularity::Day, 121),
    ] {
        assert_eq!(years.map(|range| range.buckets(granularity, 120)), Some(count));
    }
}
