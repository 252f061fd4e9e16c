//! Values as people write them.

use calls::amount::{Basis, Measure, Period, read};
use finance::variable::Unit;
use proptest::prelude::*;

#[track_caller]
fn value(text: &str, unit: Unit) -> f64 {
    let amount = read(text, unit).unwrap_or_else(|| panic!("{text} is not read"));
    let fitted = amount
        .fit(unit)
        .unwrap_or_else(|| panic!("{text} is no {unit:?}: {amount:?}"));
    (fitted.value * 1e9).round() / 1e9
}

#[test]
fn each_unit_reads_its_notations() {
    for (text, unit, want) in [
        ("$1.2m", Unit::Money, 1.2e6),
        ("7.2m", Unit::Money, 7.2e6),
        ("-6.4m", Unit::Money, -6.4e6),
        ("(70,000)", Unit::Money, -70_000.0),
        ("18.35 million", Unit::Money, 18.35e6),
        ("€ 3.5 m", Unit::Money, 3.5e6),
        ("USD 2.5 mm", Unit::Money, 2.5e6),
        ("505K", Unit::Money, 505e3),
        ("3,5 m", Unit::Money, 3.5e6),
        ("6.25%", Unit::Percent, 0.0625),
        ("6.25", Unit::Percent, 0.0625),
        ("0.0625", Unit::Percent, 0.0625),
        ("1", Unit::Percent, 0.01),
        ("0.5%", Unit::Percent, 0.005),
        ("6.5% p.a.", Unit::Percent, 0.065),
        ("150 bps", Unit::Percent, 0.015),
        ("285bps", Unit::Percent, 0.0285),
        ("5.9 cap", Unit::Percent, 0.059),
        ("2 points", Unit::Percent, 0.02),
        ("150%", Unit::Percent, 1.5),
        ("6 1/4%", Unit::Percent, 0.0625),
        ("1/2%", Unit::Percent, 0.005),
        ("4.05 mil", Unit::Money, 4.05e6),
        ("-two million", Unit::Money, -2e6),
        ("200 dollars", Unit::Money, 200.0),
        ("Nov.", Unit::Count, 11.0),
        ("6-7/8 percent", Unit::Percent, 0.06875),
        ("5½%", Unit::Percent, 0.055),
        ("60 percent", Unit::Percent, 0.6),
        ("50 cents", Unit::MoneyPerArea, 0.5),
        ("1.35 times", Unit::Multiple, 1.35),
        ("two and a half years", Unit::Years, 2.5),
        ("twenty-five years", Unit::Years, 25.0),
        ("90 equal monthly payments", Unit::Years, 7.5),
        ("30 yr", Unit::Years, 30.0),
        ("25-year", Unit::Years, 25.0),
        ("360 months", Unit::Years, 30.0),
        ("30yr am", Unit::Years, 30.0),
        ("10y", Unit::Years, 10.0),
        ("18-month", Unit::Years, 1.5),
        ("18m", Unit::Months, 18.0),
        ("2 years", Unit::Months, 24.0),
        ("6", Unit::Months, 6.0),
        ("1.25x", Unit::Ratio, 1.25),
        ("1.25:1", Unit::Ratio, 1.25),
        ("125%", Unit::Ratio, 1.25),
        ("150 bps", Unit::BasisPoints, 150.0),
        ("1.5%", Unit::BasisPoints, 150.0),
        ("12,000 sf", Unit::Area, 12_000.0),
        ("12,500 rsf", Unit::Area, 12_500.0),
        ("100 m²", Unit::Area, 1_076.391_041_67),
        ("48 doors", Unit::Count, 48.0),
        ("24-unit", Unit::Count, 24.0),
        ("year 3", Unit::Count, 3.0),
        ("third", Unit::Count, 3.0),
        ("3rd", Unit::Count, 3.0),
        ("September", Unit::Count, 9.0),
        ("$29.50 psf", Unit::MoneyPerArea, 29.5),
        ("26.75 psf", Unit::MoneyPerArea, 26.75),
        ("30 days", Unit::Days, 30.0),
    ] {
        assert_eq!(value(text, unit), want, "{text}");
    }
}

#[test]
fn periods_and_bases_are_kept() {
    let monthly = read("1,340/mo", Unit::Money).unwrap();
    assert_eq!((monthly.number, monthly.period), (1_340.0, Some(Period::Month)));
    let door = read("$148,000 a door", Unit::Money).unwrap();
    assert_eq!(
        (door.number, door.basis, door.currency),
        (148_000.0, Some(Basis::Unit), Some("USD"))
    );
    let rent = read("$2.10/sf/mo", Unit::MoneyPerArea).unwrap();
    assert_eq!(
        (rent.number, rent.basis, rent.period),
        (2.1, Some(Basis::Area), Some(Period::Month))
    );
    assert_eq!(
        read("38,400 a month", Unit::Money).unwrap().period,
        Some(Period::Month)
    );
    assert_eq!(
        read("$4.5 million per year", Unit::Money).unwrap().period,
        Some(Period::Year)
    );
    assert_eq!(read("£12k pa", Unit::Money).unwrap().currency, Some("GBP"));
    assert_eq!(
        read("360 months", Unit::Years).unwrap().measure,
        Some(Measure::Time(Period::Month))
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    for (text, unit) in [
        ("6.25%", Unit::Money),
        ("$5", Unit::Percent),
        ("30 yr", Unit::Money),
        ("12,000 sf", Unit::Years),
        ("$12", Unit::Area),
        ("5%", Unit::Years),
        ("0.5% per month", Unit::Percent),
        ("1.25x", Unit::Money),
        ("48 units", Unit::Percent),
    ] {
        assert_eq!(
            read(text, unit).and_then(|amount| amount.fit(unit)),
            None,
            "{text}"
        );
    }
    for text in ["", "about", "N/A", "no", "12 bananas", "1.2.3", "$", "5 to 6"] {
        assert_eq!(read(text, Unit::Money), None, "{text}");
    }
}

proptest! {
    #[test]
    fn money_reads_back_in_every_notation(cents in 1_i64..1_000_000_000_000) {
        let amount = cents as f64 / 100.0;
        let whole = (cents / 100).to_string();
        let mut grouped = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        let rest = cents % 100;
        for text in [
            format!("{grouped}.{rest:02}"),
            format!("${grouped}.{rest:02}"),
            format!("{amount}"),
            format!("$ {amount}"),
            format!("USD {amount}"),
            format!("{amount} usd"),
            format!("{grouped}.{rest:02}/mo"),
            format!("${amount} per unit"),
            format!("{amount} a year"),
        ] {
            let found = read(&text, Unit::Money).unwrap();
            prop_assert!((found.number - amount).abs() <= 1e-9 * amount, "{} is {}", text, found.number);
            prop_assert_eq!(read(&format!("-{text}"), Unit::Money).unwrap().number, -found.number);
        }
    }

    #[test]
    fn multiples_read_back(tenths in 1_u32..100_000) {
        let number = f64::from(tenths) / 10.0;
        for (ending, power) in [("k", 1e3), ("m", 1e6), ("mm", 1e6), (" million", 1e6), ("M", 1e6), ("bn", 1e9)] {
            for text in [format!("${number}{ending}"), format!("{number}{ending}")] {
                let found = read(&text, Unit::Money).unwrap().number;
                prop_assert!((found - number * power).abs() <= 1e-6 * found, "{text} is {found}");
            }
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,70}") {
        for unit in [Unit::Money, Unit::Percent, Unit::Years, Unit::Count, Unit::Area] {
            let _ = read(&text, unit).and_then(|amount| amount.fit(unit));
        }
    }
}
