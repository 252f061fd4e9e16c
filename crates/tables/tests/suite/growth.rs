//! The CPU time of each reader grows with the length of its text, and not with its square.
//!
//! Each shape is read at one length and at four times that length, with every public reader.

use std::hint::black_box;

use tables::grid::{self, Grid};
use tables::{
    accounts, cashflows, columns, comps, dates, decode, headers, kind, layout, numbers, pasted, rents,
    scales, statement, tenancy, totals, turned,
};

use crate::measured::{Times, steep, timed};
use crate::shapes::{self, name};

/// Reads a text with all readers.
fn read(text: &str) -> Times {
    let mut times = Times::new();
    let own = &mut times;
    timed(own, "decode", || decode::decode(text.as_bytes()));
    timed(own, "a single cell", || cell(text));
    let found = timed(own, "pasted", || pasted::find(text));
    let mut grids: Vec<Grid> = found.into_iter().map(|found| found.grid).collect();
    grids.extend(timed(own, "grid", || grid::delimited(text, None)).ok());
    let named = headers::words(text);
    // Nobody asks about more tables of one text; each is read with the words of the question.
    for grid in grids.iter().take(40) {
        read_grid(own, grid, &named);
    }
    times
}

fn cell(text: &str) {
    black_box(headers::field(text));
    black_box(headers::words(text));
    black_box(totals::named(text));
    black_box(totals::is_average(text));
    black_box(accounts::line(text));
    black_box(numbers::number(text, numbers::Decimal::Point));
    black_box(dates::date(text, dates::Order::MonthFirst));
}

fn read_grid(times: &mut Times, grid: &Grid, named: &[String]) {
    let Some(table) = timed(times, "layout", || layout::table(grid.clone())) else {
        return;
    };
    let table = timed(times, "scales", || scales::written_out(table));
    let table = timed(times, "rents", || rents::with_annual(table));
    timed(times, "kind", || kind::kind(&table));
    timed(times, "date column", || columns::date_column(&table));
    timed(times, "numeric columns", || columns::numeric_columns(&table));
    timed(times, "tenancy", || tenancy::read(&table));
    timed(times, "flows", || cashflows::read(&table, named).is_ok());
    timed(times, "comps", || comps::read(&table));
    timed(times, "turned", || turned::statement(&table));
    timed(times, "both sides", || statement::has_both_sides(&table));
    timed(times, "quarters", || statement::four_quarters(&table));
    let read = timed(times, "statement", || statement::read(&table, named));
    timed(times, "disagreements", || read.disagreements(&[]));
}

/// Checks one shape between half and twice a length: `text` makes a text of about the given number of bytes.
fn grows(shape: &str, length: usize, text: impl Fn(usize) -> String) {
    let faults = steep(shape, &text(length / 2), &text(length * 2), read);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_repeated_text() {
    let opening = shapes::OPENINGS.last().unwrap();
    let faults: Vec<String> = shapes::REPEATED
        .iter()
        .flat_map(|repeated| {
            let text = |bytes| shapes::text(opening, repeated, bytes);
            steep(&format!("{repeated:?}"), &text(1_000), &text(4_000), read)
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Lines until the text has the length.
fn lines(length: usize, head: &str, line: impl Fn(usize) -> String) -> String {
    let mut text = head.to_owned();
    for at in 0.. {
        if text.len() >= length {
            break;
        }
        text.push_str(&line(at));
        text.push('\n');
    }
    text
}

/// One wide record, then short ones, each with half of the length.
fn ragged(length: usize, head: &str, cell: &str, line: &str) -> String {
    let mut text = head.to_owned();
    while text.len() < length / 2 {
        text.push_str(cell);
    }
    text.push('\n');
    lines(length, &text, |_| line.to_owned())
}

macro_rules! growth {
    ($($test:ident $length:literal $text:expr;)*) => {
        $(#[test] fn $test() { grows(stringify!($test), $length, $text); })*
    };
}

growth! {
    commas 4_000 |n| lines(n, "NOI\n", |_| ",".into());
    pipes 4_000 |n| lines(n, "NOI\n", |_| "|".into());
    pipes_between 4_000 |n| lines(n, "NOI\n", |_| "a|b".into());
    tabs 4_000 |n| lines(n, "NOI\n", |_| "a\tb".into());
    semicolons 4_000 |n| lines(n, "NOI\n", |_| ";".into());
    blanks 4_000 |n| lines(n, "NOI\n", |_| "a  b".into());
    blanks_of_many_widths 4_000 |n| lines(n, "", |at| "a  ".repeat(2 + at % 3));
    blanks_growing 4_000 |n| lines(n, "", |at| "a  ".repeat(2 + at % 40));
    digits 4_000 |n| lines(n, "NOI\n", |_| "7".into());
    digits_in_one_line 40_000 |n| format!("{}a 5", "7".repeat(n));
    digits_and_words 4_000 |n| lines(n, "NOI\n", |_| "a,b\na,b\n1,2".into());
    brackets 4_000 |n| lines(n, "NOI\n", |_| "(,[".into());
    brackets_in_one_line 20_000 |n| "a(".repeat(n / 2);
    quotes 4_000 |n| lines(n, "NOI\n", |_| "\",a".into());
    blank_lines 4_000 |n| format!("a,1\n{}b,2\n", "\n".repeat(n));
    rules 4_000 |n| lines(n, "a|b\n", |_| "---|---".into());
    names_with_numbers 4_000 |n| lines(n, "", |at| format!("Taxes {at}"));
    names_with_dashes 4_000 |n| lines(n, "", |at| format!("Taxes{at} -"));
    prose 4_000 |n| lines(n, "", |at| format!("The tenant, a bakery, pays {at} dollars, due monthly"));
    prose_of_one_width 4_000 |n| lines(n, "", |at| format!("Tenant {} pays late, says the agent", name(at)));
    repeated_words 4_000 |n| "rent ".repeat(n / 5);
    repeated_words_in_cells 4_000 |n| lines(n, "", |_| "rent,rent,rent".into());
    combining_marks 4_000 |n| lines(n, "", |_| "e\u{301}\u{301}\u{301},n\u{303}\u{303}".into());
    marks_in_one_line 4_000 |n| format!("a,1\n{},2\nb,3\n", "\u{301}".repeat(n / 2));
    sections 4_000 |n| lines(n, "Unit,Tenant,Rent\n", |at| format!("Part {}x,,\n{at},{},10", name(at), name(at)));
    repeated_headers 4_000 |n| lines(n, "", |at| format!("Unit,Tenant,Rent\n{at},{},10", name(at)));
    rent_roll 4_000 |n| lines(n, "Unit,Tenant,Rent,Lease end,Status\n",
        |at| format!("{at},{},1200,2027-01-31,Occupied", name(at)));
    statuses 4_000 |n| lines(n, "Unit,Tenant,Rent,Status\n", |at| format!("{at},{},12,{}", name(at), name(at)));
    people_to_come 4_000 |n| lines(n, "Unit,Rent,Status\n", |at| format!("{at},12,Future"));
    tenants_called_total 4_000 |n| lines(n, "Unit,Tenant,Rent\n", |at| format!("{at},Total {},12", name(at)));
    totals_without_names 4_000 |n| lines(n, "Unit,Tenant,Rent\n",
        |at| if at % 3 == 2 { format!(",,{at}") } else { format!("U{at},{},12", name(at)) });
    sections_with_totals 4_000 |n| lines(n, "Unit,Tenant,Rent\n", |at| {
        format!("Wing {},,\nU{at},A,12\nV{at},B,13\nTotal wing {},,26", name(at), name(at))
    });
    accounts_of_a_year 4_000 |n| lines(n, "Account,Total\n", |at| format!("Repairs {},12", name(at)));
    unknown_accounts 4_000 |n| lines(n, "Account,Total\nRent,5\nTaxes,3\nWater,2\n",
        |at| format!("{},12", name(at)));
    accounts_by_month 4_000 |n| lines(n, "Date,Account,Amount\n",
        |at| format!("2025-{:02}-01,Repairs {},12", at % 12 + 1, name(at / 12)));
    accounts_by_date 4_000 |n| lines(n, "Date,Account,Amount\n",
        |at| format!("{}-{:02}-01,Repairs,12", 1900 + at / 12 % 300, at % 12 + 1));
    levels_deep 4_000 |n| lines(n, "Level,Account,Total\n", |at| format!("{at},Repairs {},12", name(at)));
    levels_flat 4_000 |n| lines(n, "Level,Account,Total\n1,Repairs,5\n", |at| format!("2,Water {},12", name(at)));
    levels_falling 4_000 |n| lines(n, "Level,Account,Total\n",
        |at| format!("{},Repairs {},12", 100_000 - at, name(at)));
    levels_of_sums 4_000 |n| lines(n, "Level,Account,Total\n",
        |at| format!("{at},Repairs {},12\n{at},Water,0", name(at)));
    wide 4_000 |n| {
        let width = n / 30;
        let names: Vec<String> = (0..width).map(|at| format!("Column {}", name(at))).collect();
        let cells: Vec<String> = (0..width).map(|at| format!("{at}")).collect();
        format!("{}\n{1}\n{1}\n{1}\n", names.join(","), cells.join(","))
    };
    wide_statement 4_000 |n| {
        let width = n / 24;
        let names: Vec<String> = (0..width).map(|at| format!("Total {}", name(at))).collect();
        let cells: Vec<String> = (0..width).map(|_| "12".to_owned()).collect();
        format!("Account,{}\nRent,{1}\nTaxes,{1}\nWater,{1}\n", names.join(","), cells.join(","))
    };
    wide_years 4_000 |n| {
        let width = n / 16;
        let names: Vec<String> = (0..width).map(|at| format!("Year {at}")).collect();
        let cells: Vec<String> = (0..width).map(|_| "12".to_owned()).collect();
        format!("Flow,{}\nNet flow,{1}\nOther,{1}\n", names.join(","), cells.join(","))
    };
    wide_months 4_000 |n| {
        let width = n / 20;
        let names: Vec<String> = (0..width).map(|_| "Jan 2025".to_owned()).collect();
        let cells: Vec<String> = (0..width).map(|_| "12".to_owned()).collect();
        format!("Account,{}\nRent,{1}\nTaxes,{1}\nWater,{1}\n", names.join(","), cells.join(","))
    };
    wide_and_known 4_000 |n| {
        let cells = n / 14;
        format!("{}{}\n{}\n", "Rent,".repeat(cells), "Area,".repeat(cells), "1,".repeat(cells * 2))
    };
    wide_roll 4_000 |n| {
        let width = (n as f64 / 8.0).sqrt() as usize;
        let names: Vec<String> = (0..width).map(|at| format!("C {}", name(at))).collect();
        lines(n, &format!("Unit,{},Tenant,Rent\n", names.join(",")),
            |at| format!("{at},{},T,12", vec!["1"; width].join(",")))
    };
    ragged_rows 4_000 |n| ragged(n, "Unit,Tenant,Rent", ",b", "1,a,2");
    ragged_header 4_000 |n| ragged(n, "Unit,Tenant,Rent", ",", "1,a,2");
    ragged_pipes 4_000 |n| ragged(n, "Unit|Tenant|Rent", "|b", "1|2");
    ragged_numbers 4_000 |n| ragged(n, "Unit,Tenant,Rent\n1,a,2", ",1", "1,a,2");
    ragged_empty_header 4_000 |n| {
        let head = format!("{}Unit,Rent\n", ",".repeat(n / 2));
        lines(n, &head, |_| ",1".into())
    };
    ragged_months 4_000 |n| ragged(n, "Month,Rent,Taxes", ",Repairs", "Jan 2025,1,2");
    ragged_turned 4_000 |n| lines(n, &format!("Month,Rent{}\n", ",Taxes".repeat(n / 12)),
        |at| format!("{}-{:02},1", 1900 + at / 12, at % 12 + 1));
    ragged_total 4_000 |n| ragged(n, "Account,Total,Jan 2025,Feb 2025", ",Mar 2025", "Rent,1,2");
    ragged_adjustments 4_000 |n| ragged(n, "Comp,Price,Sqft", ",Adjustment", "A,10,2");
    ragged_years 4_000 |n| {
        let years: String = (0..n / 20).map(|at| format!(",Year {at}")).collect();
        lines(n, &format!("Flow{years}\n"), |_| "Net,1".into())
    };
    sums_by_month 4_000 |n| lines(n, "Date,Account,Amount\n", |at| {
        let month = format!("{}-{:02}-01", 1900 + at / 12, at % 12 + 1);
        format!("{month},Rent,12\n{month},NOI,12")
    });
    accounts_and_months 4_000 |n| lines(n, "Date,Account,Amount\n",
        |at| format!("{}-{:02}-01,Repairs {},12", 1900 + at / 12 % 300, at % 12 + 1, name(at)));
}
