//! Runs of months in headers: all columns of a run are read, or what keeps it from being whole is known.

use chrono::{Datelike, NaiveDate};
use tables::periods::{self, label, read};
use tables::table::Table;
use tables::{grid, layout, statement};

fn months(header: &[String]) -> Vec<Option<String>> {
    let read = read(header, &[]);
    read.into_iter().map(|month| month.map(label)).collect()
}

fn year() -> Vec<NaiveDate> {
    (0..12)
        .map(|at| {
            NaiveDate::from_ymd_opt(2025 + (10 + at) / 12, ((10 + at) % 12 + 1) as u32, 1).expect("a month")
        })
        .collect()
}

/// A statement with these headers over its months.
fn table(headers: &[String]) -> Table {
    let line = |name: &str, amount: &str| format!("{name},{}\n", vec![amount; headers.len()].join(","));
    let text = format!(
        "Account,{}\n{}{}{}",
        headers.join(","),
        line("Rental Income", "1000"),
        line("Utilities", "200"),
        line("Insurance", "100")
    );
    layout::table(grid::delimited(&text, None).expect("a grid")).expect("a table")
}

#[test]
fn a_year_is_read_in_any_form() {
    let german = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember";
    let german: Vec<&str> = german.split(' ').collect();
    let french = "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.";
    let french: Vec<&str> = french.split(' ').collect();
    let in_language =
        |names: &[&str], month: &NaiveDate| format!("{} {}", names[month.month0() as usize], month.year());
    type Form<'a> = &'a dyn Fn(&NaiveDate) -> String;
    let end = |month: &NaiveDate| tables::dates::month_end(*month);
    let forms: [(&str, Form<'_>); 12] = [
        ("Nov 2025", &|month| month.format("%b %Y").to_string()),
        ("November-25", &|month| month.format("%B-%y").to_string()),
        ("11/2025", &|month| month.format("%m/%Y").to_string()),
        ("2025-11", &|month| month.format("%Y-%m").to_string()),
        ("Nov 2025*", &|month| month.format("%b %Y*").to_string()),
        ("Nov 2025 (1)", &|month| month.format("%b %Y (1)").to_string()),
        ("11/30/2025", &|month| end(month).format("%m/%d/%Y").to_string()),
        ("30.11.2025", &|month| end(month).format("%d.%m.%Y").to_string()),
        ("11/01/2025", &|month| month.format("%m/%d/%Y").to_string()),
        ("11/01/2025 - 11/30/2025", &|month| {
            format!("{} - {}", month.format("%m/%d/%Y"), end(month).format("%m/%d/%Y"))
        }),
        ("November 2025 in German", &|month| in_language(&german, month)),
        ("November 2025 in French", &|month| in_language(&french, month)),
    ];
    let expected: Vec<Option<String>> = year().into_iter().map(|month| Some(label(month))).collect();
    for (name, form) in forms {
        let header: Vec<String> = year().iter().map(form).collect();
        assert_eq!(months(&header), expected, "{name}");
        let backwards: Vec<String> = header.into_iter().rev().collect();
        let read = statement::read(&table(&backwards), &[]);
        assert!(
            read.doubts.is_empty() && read.missing.is_empty(),
            "{name}: {:?}",
            read.doubts
        );
        assert_eq!(read.months, year(), "{name}: in order");
    }
}

#[test]
fn names_and_numbers_of_months_have_no_year() {
    let names = ["Nov", "Dec", "Jan", "Feb"].map(str::to_owned);
    assert_eq!(
        months(&names),
        ["November", "December", "January", "February"].map(|name| Some(name.to_owned()))
    );
    assert!(
        read(&names, &[])
            .into_iter()
            .flatten()
            .all(|month| !periods::has_year(month))
    );
    let titles = ["Operating statement 2026".to_owned()];
    let of_year = ["Jan", "Feb", "Mar"].map(str::to_owned);
    assert!(
        read(&of_year, &titles)
            .into_iter()
            .flatten()
            .all(|month| month.year() == 2026)
    );
    let numbers: Vec<String> = (1..=14).map(|number| format!("Month {number}")).collect();
    let expected: Vec<Option<String>> = (1..=14).map(|number| Some(format!("month {number}"))).collect();
    assert_eq!(months(&numbers), expected);
}

#[test]
fn a_month_that_is_missing_repeated_or_unreadable_is_noticed() {
    let header: Vec<String> = year()
        .iter()
        .map(|month| month.format("%b %Y").to_string())
        .collect();
    for at in 1..11 {
        let mut fewer = header.clone();
        fewer.remove(at);
        let read = statement::read(&table(&fewer), &[]);
        assert_eq!(read.missing, [year()[at]], "without column {at}");

        let mut twice = header.clone();
        twice.insert(at, header[at].clone());
        let read = statement::read(&table(&twice), &[]);
        assert!(
            read.doubts[0].contains(&label(year()[at])),
            "twice column {at}: {:?}",
            read.doubts
        );

        let mut unread = header.clone();
        unread[at] = "???".to_owned();
        let read = statement::read(&table(&unread), &[]);
        assert!(
            read.doubts[0].contains("???"),
            "column {at} unread: {:?}",
            read.doubts
        );

        let mut noted = header.clone();
        noted[at].push_str(" restated");
        let read = statement::read(&table(&noted), &[]);
        assert!(
            read.doubts.is_empty() && read.missing.is_empty(),
            "column {at} with a note"
        );
    }
}

#[test]
fn columns_of_sums_between_months_are_no_months() {
    let header = [
        "Jan 2026", "Feb 2026", "Mar 2026", "Q1", "Apr 2026", "May 2026", "Jun 2026", "Total",
    ];
    let read = statement::read(&table(&header.map(str::to_owned)), &[]);
    assert!(
        read.doubts.is_empty() && read.missing.is_empty(),
        "{:?}",
        read.doubts
    );
    assert_eq!(read.months.len(), 6);
}

#[test]
fn two_groups_of_the_same_names_are_asked_about() {
    let header = ["Jan", "Feb", "Mar", "Jan", "Feb", "Mar"].map(str::to_owned);
    let read = statement::read(&table(&header), &[]);
    assert!(
        read.doubts[0].contains("more than one column for January"),
        "{:?}",
        read.doubts
    );
}
