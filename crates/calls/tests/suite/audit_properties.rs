//! The audit of numbers with generated values, with any text, and its time.

use std::hint::black_box;
use std::time::Duration;

use calls::audit::prose::numbers;
use calls::audit::trace::{Known, mark, untraced};
use proptest::prelude::*;

/// A value in one of the forms, and what half of its last shown digit is worth.
fn written(value: f64, unit: &str, form: usize, decimals: usize) -> (String, f64) {
    let half = |scale: f64, decimals: usize| 0.5 * scale * 0.1_f64.powi(i32::try_from(decimals).unwrap());
    let of = |scale: f64, decimals: usize| (format!("{:.decimals$}", value / scale), half(scale, decimals));
    if unit == "percent" {
        let ((percent, step), (fraction, small)) = (of(0.01, decimals + 1), of(1.0, decimals + 2));
        let (points, point) = of(0.0001, 0);
        return match form % 7 {
            0 => (format!("{percent}%"), step),
            1 => (format!("{percent} percent"), step),
            2 => (format!("{percent} percentage points"), step),
            3 => (fraction, small),
            4 => (format!("{points} bps"), point),
            5 => (format!("**{percent}** %"), step),
            _ => (percent, step),
        };
    }
    if unit == "months" {
        let ((years, year), (months, month)) = (of(12.0, decimals + 1), of(1.0, decimals + 1));
        return match form % 3 {
            0 => (format!("{years} years"), year),
            1 => (format!("{months} months"), month),
            _ => (format!("{years}-year"), year),
        };
    }
    let (plain, cent) = of(1.0, 2);
    let grouped = |sign: &str| {
        let (whole, rest) = plain.split_once('.').unwrap();
        let digits: Vec<char> = whole.chars().rev().collect();
        let groups: Vec<String> = digits
            .chunks(3)
            .map(|group| group.iter().rev().collect())
            .collect();
        let groups: Vec<&str> = groups.iter().rev().map(String::as_str).collect();
        (groups.join(sign), rest.to_owned())
    };
    let (thousands, thousand) = of(1e3, decimals + 1);
    let (millions, million) = of(1e6, decimals + 2);
    let (comma, rest) = grouped(",");
    match form % 13 {
        0 => (format!("${comma}.{rest}"), cent),
        1 => (format!("({comma}.{rest})"), cent),
        2 => (format!("−${plain}"), cent),
        3 => (format!("${thousands}k"), thousand),
        4 => (format!("{thousands} thousand"), thousand),
        5 => (format!("${millions}m"), million),
        6 => (format!("{millions} million dollars"), million),
        7 => (format!("USD {millions}MM"), million),
        8 => (format!("{}.{rest}", grouped("\u{202f}").0), cent),
        9 => (format!("{}.{rest}", grouped("’").0), cent),
        10 => (format!("€{},{rest}", grouped(".").0), cent),
        11 => {
            let wide = plain.chars().map(|sign| match sign.to_digit(10) {
                Some(digit) => char::from_u32(0xFF10 + digit).unwrap(),
                None => sign,
            });
            (wide.collect(), cent)
        }
        _ => (format!("{plain} USD"), cent),
    }
}

fn unit() -> impl Strategy<Value = (&'static str, f64)> {
    prop_oneof![
        (100_000.0..5e9).prop_map(|value| ("USD", value)),
        (0.011..0.98).prop_map(|value| ("percent", value)),
        (13.0..480.0).prop_map(|value| ("months", value)),
    ]
}

/// Any text, and texts of what numbers are made of.
fn any_text() -> impl Strategy<Value = String> {
    let signs = "[-0-9.,'%$xm:/()*_ \\\\&;#\n½²１٣a-bQy\u{301}\u{202f}\u{202e}]{0,60}";
    prop_oneof![any::<String>(), signs]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn known_values_are_traced_in_every_form((unit, value) in unit(), form in 0..91_usize, decimals in 0..3_usize) {
        let mut known = Known::default();
        known.add_figure(value, unit);
        let (text, _) = written(value, unit, form, decimals);
        let sentence = format!("It is {text} in all.");
        prop_assert!(untraced(&sentence, &known).is_empty(), "{sentence} of {value}");
    }

    #[test]
    fn other_values_are_caught_in_every_form(
        (unit, value) in unit(), form in 0..91_usize, decimals in 0..3_usize,
        others in prop::collection::vec(unit(), 0..30),
    ) {
        let (text, half) = written(value, unit, form, decimals);
        let off = 2.5 * half + 3e-9 * value;
        let mut known = Known::default();
        for (other, near) in others {
            if other == unit && (near - value).abs() > off {
                known.add_figure(near, other);
            }
        }
        known.add_figure(value + off, unit);
        let sentence = format!("It is {text} in all.");
        let found = untraced(&sentence, &known);
        prop_assert_eq!(found.len(), 1, "{} of {}", sentence, value);
        let bold = sentence.replace("**", "");
        prop_assert!(bold.contains(&found[0].text.replace("**", "")));
    }

    #[test]
    fn any_text_is_scanned(text in any_text()) {
        let found = numbers(&text);
        let mut end = 0;
        for number in &found {
            prop_assert!(number.range.start >= end && number.range.start < number.range.end, "{found:?}");
            prop_assert!(text.get(number.range.clone()).is_some());
            end = number.range.end;
        }
        let mut known = Known::default();
        let strange = untraced(&text, &known);
        let marked = mark(&text, &strange);
        prop_assert_eq!(marked.len(), text.len() + strange.len() * " (unverified)".len());
        prop_assert_eq!(marked.replace(" (unverified)", ""), text.clone());
        // A text traces its own numbers, if they can be read.
        known.add_text(&text);
        for number in &found {
            prop_assert!(number.readings.is_empty() || known.traces(number), "{number:?}");
        }
    }
}

/// The CPU time of this thread, or the time of day where the system does not say.
fn cpu_time() -> Duration {
    let now = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = now.and_then(|now| now.split(' ').next()?.parse().ok());
    spent.map_or_else(|| std::time::UNIX_EPOCH.elapsed().unwrap(), Duration::from_nanos)
}

/// The CPU time of some runs. It is only counted in ticks of the scheduler, so that one run is too short.
fn time(runs: u32, run: impl Fn()) -> Duration {
    let start = cpu_time();
    (0..runs).for_each(|_| run());
    cpu_time().saturating_sub(start)
}

#[test]
fn two_thousand_words_are_audited_quickly() {
    let mut known = super::audit::known();
    for at in 0..20_000_u32 {
        known.add_figure(
            f64::from(at) * 137.77 + 0.123,
            ["USD", "percent", "ratio", "months"][at as usize % 4],
        );
    }
    let mut text = String::new();
    while text.split_whitespace().count() < 2_000 {
        text.push_str(
            "The net operating income of the property was $486,000 in 2025, and we expect it to grow ",
        );
        text.push_str("by 3.5% a year, so that twelve months later about $503k remain for the 48 units.\n");
    }
    let audit = || {
        black_box(untraced(black_box(&text), &known));
    };
    let time = (0..3).map(|_| time(20, audit) / 20).min().unwrap();
    println!("an audit of 2,000 words among 20,000 values takes {time:?}");
    assert!(time < Duration::from_millis(60), "{time:?}");
}

/// Texts that are repeated.
const HOSTILE: &[&str] = &[
    "1",
    "1,",
    "1 ",
    "1.",
    "123,",
    "123.",
    "1'234",
    "1/",
    "1-",
    "1/4",
    "a",
    "a1",
    "1a",
    "one ",
    "hundred ",
    "and ",
    "a ",
    "$",
    "$1",
    "-",
    "(",
    "(1",
    "1)",
    "*",
    "*1*",
    "1*",
    "_1",
    "~1",
    "[",
    "](",
    "](1",
    "March ",
    "Mar 1 ",
    "1 to 1 ",
    "1:",
    "1:1",
    "10 to ",
    "1%",
    "1%,",
    "%",
    "\u{301}",
    "1\u{301}",
    "\u{202e}1",
    "１",
    "²",
    "1²",
    "½",
    "1½",
    "&#49;",
    "&",
    "\\",
    "\\1",
    "\n",
    "\n1. ",
    "#",
    "\n# 1.",
    ">",
    "\n>1",
    "http://",
    "1 and a half ",
    "Q1 ",
    "FY 20",
    "about ",
    "1x",
    "10x10",
    "1e6",
    "T-12",
    "1_",
    "_",
    "a_1",
    "percentage ",
    "2025-",
    "2025/26",
    "1\u{a0}",
    "1&nbsp;",
];

#[test]
fn time_is_linear_in_hostile_texts() {
    let mut faults = Vec::new();
    for repeated in HOSTILE {
        let audit = |bytes: usize, runs: u32| {
            let text = repeated.repeat(bytes / repeated.len());
            time(runs, || {
                let found = untraced(&text, &Known::default());
                black_box(mark(&text, &found));
            })
        };
        // As much text in one piece takes eight times as long as in eight pieces if the time is quadratic.
        let (pieces, one) = (audit(5_000, 8), audit(40_000, 1));
        if one > pieces * 3 + Duration::from_millis(30) {
            faults.push(format!("{repeated:?}: {pieces:?}, then {one:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
