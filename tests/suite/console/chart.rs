//! Grid lines and bars of a chart: round numbers, and nothing outside the drawing area.

use chrono::NaiveDate;
use corbel::console::chart::{Bar, Chart};

#[test]
fn lines_are_at_round_numbers_and_reach_the_highest_bar() {
    for most in [0, 1, 3, 4, 7, 19, 100, 101, 999, 12_345, 8_000_000_000] {
        let bar = Bar {
            day: NaiveDate::default(),
            parts: vec![most],
        };
        let day = |day: NaiveDate| day.to_string();
        let chart = Chart::of(
            &[bar],
            (400.0, 200.0),
            (day, 1),
            |n| n.to_string(),
            |_| String::new(),
        );
        let lines: Vec<i64> = chart.ticks.iter().flat_map(|tick| tick.text.parse()).collect();
        assert_eq!(lines[0], 0, "{most}");
        assert!(lines.last() >= Some(&most), "{most}: {lines:?}");
        let step = lines[1];
        assert!(
            step * 4 >= most && (step == 1 || step * 4 < most * 10),
            "{most}: {step}"
        );
        let digits = step.to_string();
        assert!(["1", "2", "5"].contains(&digits.trim_end_matches('0')), "{step}");
    }
}

#[test]
fn nothing_is_drawn_outside_and_an_empty_month_has_its_grid_lines() {
    let day = NaiveDate::from_ymd_opt(2026, 11, 3).unwrap_or_default();
    let bars: Vec<Bar> = [vec![3, 0, 4], vec![0, 0, 0], vec![1, 1, 1]]
        .into_iter()
        .map(|parts| Bar { day, parts })
        .collect();
    let day = |day: NaiveDate| day.to_string();
    let chart = Chart::of(
        &bars,
        (400.0, 200.0),
        (day, 3),
        |n| n.to_string(),
        |_| String::new(),
    );
    let inside = |text: &str| text.parse::<f64>().is_ok_and(|at| (0.0..=400.0).contains(&at));
    let pieces: Vec<_> = chart.columns.iter().flat_map(|column| &column.pieces).collect();
    assert_eq!(pieces.len(), 5);
    assert!(
        pieces
            .iter()
            .all(|piece| inside(&piece.y) && inside(&piece.height))
    );
    assert_eq!(chart.ticks.len(), 5);
    let empty = Chart::of(
        &[],
        (400.0, 200.0),
        (day, 3),
        |n| n.to_string(),
        |_| String::new(),
    );
    assert_eq!(empty.ticks.len(), 2);
}
