//! Numbers and dates as people write them in cells.

use chrono::{Datelike, NaiveDate};
use proptest::prelude::*;
use tables::dates::{self, Order, Precision, Told};
use tables::numbers::{self, Decimal};

fn value(cell: &str) -> Option<f64> {
    numbers::number(cell, Decimal::Point).map(tables::numbers::Number::value)
}

#[test]
fn numbers_are_parsed_as_written() {
    for (cell, want) in [
        ("1500", 1500.0),
        ("1,385,150.00", 1_385_150.0),
        ("(36,031.81)", -36_031.81),
        ("$ 1,200", 1200.0),
        ("$(1,200.50)", -1200.5),
        ("($1,200.50)", -1200.5),
        ("-$45", -45.0),
        ("$-45", -45.0),
        ("−3.5", -3.5),
        ("1,200-", -1200.0),
        ("1,200.-", 1200.0),
        ("1'200.--", 1200.0),
        ("CHF 1'200.–", 1200.0),
        ("-1'200.—", -1200.0),
        ("6.25%", 0.0625),
        ("(2%)", -0.02),
        ("+12", 12.0),
        ("USD 1,000", 1000.0),
        ("1,000 USD", 1000.0),
        ("€950", 950.0),
        ("$1.2M", 1_200_000.0),
        ("350k", 350_000.0),
        ("9.75MM", 9_750_000.0),
        ("1'250'000", 1_250_000.0),
        ("1\u{a0}250\u{a0}000", 1_250_000.0),
        ("2,400 sf", 2400.0),
        ("1,450/mo", 1450.0),
        (".5", 0.5),
        ("0.00", 0.0),
    ] {
        assert_eq!(value(cell), Some(want), "{cell}");
    }
}

#[test]
fn cells_that_are_not_numbers_are_none() {
    for cell in [
        "",
        "-",
        "n/a",
        "1,5x0.00",
        "12,34",
        "1,23,456",
        "101A",
        "2026-01-31",
        "1.2.3",
        "Total",
        "--5",
        "(5",
        "5)",
        "1 2",
        "3 br",
        "1/2",
        "12 m",
        "$",
        "(-5)",
        "1e400",
    ] {
        assert_eq!(value(cell), None, "{cell}");
    }
}

#[test]
fn a_decimal_comma_is_accepted_unless_contradicted() {
    let european = ["1.234,56", "950,00", "2.000"];
    assert_eq!(numbers::decimal_of(european.into_iter()), Decimal::Comma);
    let read = |cell| numbers::number(cell, Decimal::Comma).map(tables::numbers::Number::value);
    assert_eq!(read("1.234,56"), Some(1234.56));
    assert_eq!(read("2.000"), Some(2000.0));
    assert_eq!(
        numbers::decimal_of(["1,234.56", "12,5"].into_iter()),
        Decimal::Point
    );
    assert_eq!(
        numbers::decimal_of(["1,234", "1.234"].into_iter()),
        Decimal::Point
    );
}

#[test]
fn digits_are_kept_exactly() {
    let cents = |cell| numbers::number(cell, Decimal::Point).and_then(|number| number.scaled(2));
    assert_eq!(cents("0.1"), Some(10));
    assert_eq!(cents("1,385,150.07"), Some(138_515_007));
    assert_eq!(cents("(36,031.81)"), Some(-3_603_181));
    assert_eq!(cents("2.500"), Some(250));
    assert_eq!(cents("0.005"), None, "no half cents");
}

fn ymd(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

#[test]
fn dates_are_parsed_in_their_usual_forms() {
    for cell in [
        "2026-03-31",
        "2026/03/31",
        "20260331",
        "3/31/2026",
        "03/31/26",
        "3-31-2026",
        "31.03.2026",
        "31-Mar-2026",
        "31 Mar 26",
        "Mar 31, 2026",
        "March 31st, 2026",
        "31 March 2026",
        "Tue 31 Mar 2026",
        "2026-03-31T00:00:00",
        "2026-03-31 12:30:00",
        "3/31/2026 12:00 AM",
        "Mar-31-2026",
    ] {
        let read = dates::date(cell, Order::MonthFirst).unwrap_or_else(|| panic!("{cell}"));
        assert_eq!(read.date, ymd(2026, 3, 31), "{cell}");
        assert!(!read.ambiguous && read.precision == Precision::Day, "{cell}");
    }
    for cell in [
        "Nov 2025",
        "November 2025",
        "11/2025",
        "2025-11",
        "Nov-25",
        "Nov'25",
        "2025M11",
        "nov 25",
    ] {
        assert_eq!(dates::month(cell), Some(ymd(2025, 11, 1)), "{cell}");
    }
    for cell in [
        "2026-13-01",
        "2026-02-30",
        "13/13/2026",
        "11.2025",
        "1450",
        "1,450",
        "June",
        "soon",
        "-3/4/2026",
        "5/2026/1",
    ] {
        assert_eq!(dates::date(cell, Order::MonthFirst), None, "{cell}");
    }
    assert_eq!(dates::serial(46_112.0), Some(ymd(2026, 3, 31)));
    assert_eq!(dates::serial(1450.0), None);
}

#[test]
fn date_order_comes_from_the_column_or_is_ambiguous() {
    let us = dates::date("03/04/2026", Order::MonthFirst).unwrap();
    assert_eq!((us.date, us.ambiguous), (ymd(2026, 3, 4), true));
    let other = dates::date("03/04/2026", Order::DayFirst).unwrap();
    assert_eq!((other.date, other.ambiguous), (ymd(2026, 4, 3), true));
    let same = dates::date("04/04/2026", Order::MonthFirst).unwrap();
    assert!(!same.ambiguous);
    let told = |cells: &[&'static str]| dates::order_of(cells.iter().copied());
    assert_eq!(told(&["03/04/2026", "31/12/2026"]), Told::Order(Order::DayFirst));
    assert_eq!(
        told(&["03/04/2026", "12/31/2026"]),
        Told::Order(Order::MonthFirst)
    );
    assert_eq!(told(&["03/04/2026"]), Told::Nothing);
    assert_eq!(told(&["31/12/2026", "12/31/2026"]), Told::Both);
}

/// Formats an amount with thousands separators, as spreadsheets display it.
fn shown(cents: i64) -> String {
    let digits = (cents.unsigned_abs() / 100).to_string();
    let mut whole = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            whole.push(',');
        }
        whole.push(digit);
    }
    format!("{whole}.{:02}", cents.unsigned_abs() % 100)
}

proptest! {
    #[test]
    fn all_notations_of_an_amount_parse_alike(cents in -900_000_000_000_i64..900_000_000_000) {
        let plain = shown(cents);
        let notations = if cents < 0 {
            vec![
                format!("({plain})"), format!("-{plain}"), format!("-${plain}"), format!("$({plain})"),
                format!(" {plain}- "),
            ]
        } else {
            vec![
                plain.clone(), format!("${plain}"), format!("{plain} USD"), format!(" $ {plain} "),
                plain.replace(',', ""),
            ]
        };
        for notation in notations {
            let read = numbers::number(&notation, Decimal::Point).and_then(|number| number.scaled(2));
            prop_assert_eq!(read, Some(cents), "{}", notation);
        }
        // The same with a decimal comma.
        let swapped: String = plain.chars().map(|sign| match sign { ',' => '.', '.' => ',', other => other }).collect();
        let read = numbers::number(&swapped, Decimal::Comma).and_then(|number| number.scaled(2));
        prop_assert_eq!(read, Some(cents.abs()));
    }

    #[test]
    fn all_notations_of_a_date_parse_alike(days in 0_u64..40_000) {
        let date = ymd(1990, 1, 1) + chrono::Days::new(days);
        for notation in [
            "%Y-%m-%d", "%Y%m%d", "%d-%b-%Y", "%b %d, %Y", "%B %d, %Y", "%d %B %Y", "%Y/%m/%d", "%d.%m.%Y",
        ] {
            let cell = date.format(notation).to_string();
            prop_assert_eq!(dates::date(&cell, Order::MonthFirst).map(|read| read.date), Some(date), "{}", cell);
        }
        let us = date.format("%m/%d/%Y").to_string();
        let read = dates::date(&us, Order::MonthFirst).unwrap();
        prop_assert_eq!(read.date, date);
        prop_assert_eq!(read.ambiguous, date.day() <= 12 && date.day() != date.month());
    }

    #[test]
    fn no_input_panics(cell in "\\PC{0,20}") {
        let _ = numbers::number(&cell, Decimal::Comma);
        let _ = value(&cell);
        let _ = dates::date(&cell, Order::DayFirst);
    }
}
