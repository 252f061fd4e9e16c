//! Numbers and dates: a cell of a table, and the numbers of a question.

use analyst::words::numbers as spoken;
use analyst::words::scan::Kind;
use chrono::{Datelike as _, NaiveDate};
use tables::dates::{self, Order, Precision};
use tables::numbers::{self, Decimal, Number};

use super::tables::within_work;

pub fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    within_work(text.len(), || {
        number(text);
        date(text);
        tokens(text);
    });
}

fn number(text: &str) {
    for decimal in [Decimal::Point, Decimal::Comma] {
        let found = numbers::number(text, decimal);
        assert_eq!(
            numbers::number(&format!(" {text}\t"), decimal),
            found,
            "blanks around {text:?}"
        );
        let Some(found) = found else { continue };
        assert!(!numbers::is_nothing(text), "{text:?} is a number and nothing");
        assert!(
            found.written().is_finite() && found.value().is_finite(),
            "{text:?}"
        );
        if let Some(scaled) = found.scaled(found.places) {
            assert_eq!(i128::from(scaled), found.digits, "{text:?}");
        }
        if let Some(plain) = plain(found, decimal) {
            assert_eq!(
                numbers::number(&plain, decimal),
                Some(found),
                "{text:?} is {plain}"
            );
        }
    }
}

/// The number without separators, units and multiples; nothing if it has too many digits for a cell.
fn plain(number: Number, decimal: Decimal) -> Option<String> {
    let places = usize::try_from(number.places).expect("a few places");
    let digits = format!("{:0>1$}", number.digits.unsigned_abs(), places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if number.digits < 0 { "-" } else { "" };
    let money = if number.money { "$" } else { "" };
    let point = match (fraction, decimal) {
        ("", _) => "",
        (_, Decimal::Point) => ".",
        (_, Decimal::Comma) => ",",
    };
    let percent = if number.percent { "%" } else { "" };
    (digits.len() <= 28).then(|| format!("{sign}{money}{whole}{point}{fraction}{percent}"))
}

fn date(text: &str) {
    let orders = [Order::MonthFirst, Order::DayFirst];
    let found = orders.map(|order| dates::date(text, order));
    if let [Some(month_first), Some(day_first)] = found {
        assert_eq!(month_first.precision, day_first.precision, "{text:?}");
        let differ = month_first.date != day_first.date;
        assert_eq!(month_first.ambiguous, differ, "{text:?}: {found:?}");
        assert_eq!(day_first.ambiguous, differ, "{text:?}: {found:?}");
    }
    for (order, found) in orders.into_iter().zip(found) {
        let Some(found) = found else { continue };
        assert!((1900..2200).contains(&found.date.year()), "{text:?}: {found:?}");
        let last = found.last_day();
        assert!(
            last >= found.date && last.month() == found.date.month(),
            "{text:?}: {found:?}"
        );
        match found.precision {
            Precision::Day => {
                let again = dates::date(&found.date.to_string(), order).map(|again| again.date);
                assert_eq!(again, Some(found.date), "{text:?}");
            }
            Precision::Month => {
                assert_eq!(found.date.day(), 1, "{text:?}: {found:?}");
                assert_eq!(dates::month(text), Some(found.date), "{text:?}");
                let again = dates::month(&found.date.format("%b %Y").to_string());
                assert_eq!(again, Some(found.date), "{text:?}");
            }
        }
    }
    let serial = numbers::number(text, Decimal::Point).and_then(|number| dates::serial(number.value()));
    let years = NaiveDate::from_ymd_opt(1954, 1, 1)..NaiveDate::from_ymd_opt(2120, 1, 1);
    assert!(
        serial.is_none() || years.contains(&serial),
        "{text:?}: {serial:?}"
    );
}

/// The tokens of a question are in its text, in their order.
fn tokens(text: &str) {
    let mut last = 0;
    for token in spoken::read(text) {
        assert!(
            token.start <= token.end && token.start >= last,
            "{text:?}: {token:?} before {last}"
        );
        assert!(text.get(token.start..token.end).is_some(), "{text:?}: {token:?}");
        if let Kind::Number(number) = &token.kind {
            assert!(!number.value.is_nan(), "{text:?}: {token:?}");
        }
        last = token.start;
    }
}
