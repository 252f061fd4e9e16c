//! Tables read from files and pasted text: encodings, delimiters, title blocks, two-line headers, totals.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use tables::decode::decode;
use tables::grid::{self, Grid, Record, Unread};
use tables::headers::{Field, field};
use tables::table::{Role, Table};
use tables::{layout, pasted};

use crate::outside;

fn cells_of(record: &Record) -> Vec<&str> {
    record.cells.iter().collect()
}

fn table(text: &str) -> Table {
    layout::table(grid::delimited(text, None).unwrap()).expect("a table")
}

fn sum(table: &Table, of: Field) -> f64 {
    let column = table.column(of).expect("the column");
    table
        .rows
        .iter()
        .filter(|row| row.role == Role::Data)
        .filter_map(|row| table.number(row, column))
        .map(tables::numbers::Number::value)
        .sum()
}

#[test]
fn texts_are_read_in_their_encodings() {
    let read = |bytes: &[u8]| (decode(bytes).text, decode(bytes).encoding);
    assert_eq!(read("Zürich,1".as_bytes()), ("Zürich,1".into(), "UTF-8"));
    assert_eq!(read(b"\xef\xbb\xbfunit,rent"), ("unit,rent".into(), "UTF-8"));
    assert_eq!(read(b"\xff\xfea\x00,\x00b\x00"), ("a,b".into(), "UTF-16LE"));
    assert_eq!(
        read(b"tenant,rent\nCaf\xe9 du Nord,1200\n\x80 500"),
        ("tenant,rent\nCafé du Nord,1200\n€ 500".into(), "windows-1252")
    );
    // 佐藤太郎,30 in Shift-JIS.
    assert_eq!(
        read(b"\x8d\xb2\x93\xa1\x91\xbe\x98Y,30\n\x96\xbc\x8c\xc3\x89\xae,2"),
        ("佐藤太郎,30\n名古屋,2".into(), "Shift_JIS")
    );
}

#[test]
fn delimiters_and_lines_are_found() {
    for (text, delimiter) in [
        ("a,b,c\n1,2,3\n4,5,6", b','),
        ("a;b\n1,5;2,5\n3,5;4,5", b';'),
        ("a\tb\n1,000\t2,000\n3\t4", b'\t'),
        ("a|b\n1|2", b'|'),
        ("only\n1\n2", b','),
    ] {
        assert_eq!(
            grid::delimited(text, None).unwrap().delimiter,
            delimiter,
            "{text}"
        );
    }
    let grid = grid::delimited(
        "Title\r\n\r\nunit,note\r\n1,\"two\r\nlines\"\r\n\r\n2,b\r\n",
        None,
    )
    .unwrap();
    let lines: Vec<(usize, &str)> = grid
        .records
        .iter()
        .map(|record| (record.line, record.cell(0)))
        .collect();
    assert_eq!(lines, [(1, "Title"), (3, "unit"), (4, "1"), (7, "2")]);
    assert_eq!(grid.records[2].cell(1), "two lines");
    assert_eq!(grid::delimited("  \n ", None), Err(Unread::Empty));
}

#[test]
fn headers_from_different_systems_map_to_fields() {
    for (header, want) in [
        ("Unit Sq Ft", Some(Field::Area)),
        ("RSF", Some(Field::Area)),
        ("Leased Area (sf)", Some(Field::Area)),
        ("LeaseToDate", Some(Field::EndDate)),
        ("Lease Expiration Date", Some(Field::EndDate)),
        ("Market Rent ($/mo)", Some(Field::MarketRent)),
        ("Monthly Base Rent", Some(Field::Rent)),
        ("Base Rent (annual)", Some(Field::AnnualRent)),
        ("Rent/SF", Some(Field::RentPerArea)),
        ("Annual Rent PSF", Some(Field::RentPerArea)),
        ("Rent Roll Date", None),
        ("Free Rent Months", None),
        ("Security Deposit", Some(Field::Deposit)),
        ("Loss to Lease", None),
        ("% of Rent", None),
        ("Sale Price", Some(Field::Price)),
        ("Price per SF", Some(Field::PricePerArea)),
        ("Adjusted $/SF", Some(Field::AdjustedPerArea)),
        ("Net Adj %", Some(Field::Adjustment)),
        ("Unpaid Principal Balance", Some(Field::LoanBalance)),
        ("Maturity Date", Some(Field::Maturity)),
        ("Favourite colour", None),
        ("", None),
    ] {
        assert_eq!(field(header), want, "{header}");
    }
}

#[test]
fn titles_second_header_lines_headings_and_totals_are_not_data() {
    let table = table(
        "Rent Roll\nElm Row (e1)\nAs Of = 06/30/2026\nUnit,Unit,Resident,Market,Actual,Lease\n\
         ,Sq Ft,,Rent,Rent,Expiration\nCurrent Residents\n101,700,Ann Poe,\"1,500\",\"1,450\",08/31/2026\n\
         102,720,VACANT,\"1,525\",0,\nFuture Residents\n102,720,Bo Lee,\"1,525\",\"1,500\",07/31/2027\n\
         Total,2140,,\"4,550\",\"2,950\",\n",
    );
    assert_eq!(table.titles, ["Rent Roll", "Elm Row (e1)", "As Of = 06/30/2026"]);
    let fields: Vec<Option<Field>> = table.columns.iter().map(|column| column.field).collect();
    assert_eq!(
        fields,
        [
            Field::Unit,
            Field::Area,
            Field::Tenant,
            Field::MarketRent,
            Field::Rent,
            Field::EndDate
        ]
        .map(Some)
    );
    let rows: Vec<(&str, Role, Option<&str>)> = table
        .rows
        .iter()
        .map(|row| {
            (
                row.cells.first().unwrap_or_default(),
                row.role,
                table.section(row),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("101", Role::Data, Some("Current Residents")),
            ("102", Role::Data, Some("Current Residents")),
            ("102", Role::Data, Some("Future Residents")),
            ("Total", Role::Total, Some("Future Residents")),
        ]
    );
}

#[test]
fn a_tenant_called_total_is_not_a_total() {
    let leases = table(
        "tenant,sqft,rent,expires\nA Dental,2400,6600,2026-05-31\nTotal Wine,9000,20000,2030-01-31\n\
         Nordic Total,100,500,2031-01-31\nTotal leased,11500,27100,\n",
    );
    let roles: Vec<Role> = leases.rows.iter().map(|row| row.role).collect();
    assert_eq!(
        roles,
        [Role::Data, Role::NamedTotal, Role::NamedTotal, Role::Total]
    );
    let unnamed = table("unit,sqft,rent\n1,100,10\n2,200,20\n,300,30\n");
    assert_eq!(
        unnamed.rows[2].role,
        Role::Total,
        "numbers without a name that sum those above"
    );
}

#[test]
fn a_table_without_header_keeps_its_first_row() {
    let flows = table("2024-01-01,-1000\n2025-01-01,300\n2026-01-01,900\n");
    assert_eq!(flows.rows.len(), 3);
    assert!(flows.columns.iter().all(|column| column.header.is_empty()));
}

#[test]
fn exports_of_property_systems_are_read_as_expected() {
    let Some(shared) = outside::named("CORBEL_TEST_SHARED", "the look-alike exports are not read") else {
        return;
    };
    let folder = Path::new(&shared).join("data/portfolio/exports");
    let read = |name: &str| table(&decode(std::fs::read(folder.join(name)).unwrap()).text);
    let near = |got: f64, want: f64| assert!((got - want).abs() < 0.005, "{got} {want}");
    let yardi = read("yardi_style_rent_roll_B07.csv");
    assert_eq!(yardi.data().count(), 64);
    near(sum(&yardi, Field::Rent), 87_335.0);
    near(sum(&yardi, Field::MarketRent), 93_145.0);
    near(sum(&yardi, Field::Area), 53_970.0);
    let appfolio = read("appfolio_style_rent_roll_tampa.csv");
    assert_eq!(appfolio.data().count(), 82);
    near(sum(&appfolio, Field::Rent), 152_156.5);
    let statement = read("t12_wide_B01.csv");
    assert_eq!(statement.months().len(), 12);
    assert_eq!(statement.sections, ["INCOME", "OPERATING EXPENSES"]);
}

fn only(text: &str) -> (Grid, String) {
    let found = pasted::find(text);
    assert_eq!(found.len(), 1, "{found:?}");
    let rest = format!("{}{}", &text[..found[0].span.start], &text[found[0].span.end..]);
    (found[0].grid.clone(), rest)
}

#[test]
fn tables_pasted_into_a_question_are_found() {
    for text in [
        "What is the WALT?\n\n| tenant | rent |\n|---|---:|\n| A | 1,200 |\n| B | 900 |\nThanks",
        "What is the WALT?\n\ntenant\trent\nA\t1,200\nB\t900\nThanks",
        "What is the WALT?\n\ntenant   rent\nA        1,200\nB          900\nThanks",
        "What is the WALT?\n\ntenant,rent\nA,\"1,200\"\nB,900\nThanks",
        "What is the WALT?\n\ntenant | rent\nA | 1,200\nB | 900\nThanks",
    ] {
        let (grid, rest) = only(text);
        let cells: Vec<&str> = grid
            .records
            .iter()
            .flat_map(|record| record.cells.iter())
            .collect();
        assert_eq!(cells, ["tenant", "rent", "A", "1,200", "B", "900"], "{text}");
        assert_eq!(rest, "What is the WALT?\n\nThanks", "{text}");
    }
}

#[test]
fn a_table_in_a_quotation_is_read_without_its_marks() {
    let cells = |text: &str| -> Vec<String> {
        let (grid, _) = only(text);
        grid.records
            .iter()
            .flat_map(|record| record.cells.iter().map(str::to_owned))
            .collect()
    };
    let (_, rest) = only("What is the WALT?\n\n> tenant,rent\n> A,5\n> B,6\n\nThanks");
    assert_eq!(rest, "What is the WALT?\n\n\nThanks");
    let quoted = "Due?\n\n> age,due\n> 30 days,5\n> > 90 days,7\n\nThanks";
    assert_eq!(cells(quoted), ["age", "due", "30 days", "5", "> 90 days", "7"]);
    let own = "Due?\nage\tdue\n> 30 days\t5\n> 90 days\t7";
    assert_eq!(cells(own), ["age", "due", "> 30 days", "5", "> 90 days", "7"]);
}

#[test]
fn tabs_separate_cells_that_contain_commas() {
    let (grid, _) = only("Unit\tTenant, name\tRent\n1\tBell, Ana\t5\n2\tCole, Ben\t6");
    assert_eq!(cells_of(&grid.records[1]), ["1", "Bell, Ana", "5"]);
    // And words alone.
    let (grid, _) = only("Suite\tTenant\nA\tBell, Ana\nB\tCole, Ben");
    assert_eq!(cells_of(&grid.records[2]), ["B", "Cole, Ben"]);
}

#[test]
fn sentences_are_not_tables() {
    for text in [
        "NOI 900,000, price 12,000,000. Cap rate?",
        "We pay 70,000, then 12k, 15k, 18k.\nAnd 21k, 26k, 30k.\nWhat IRR?",
        "Loan: 8.5M\nRate: 5.85%\nTerm: 30 years\nPayment?",
        "First,  the price.\nSecond,  the rent.",
    ] {
        assert_eq!(pasted::find(text), [], "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_rejected_without_panic(text in "[ -~\\n\\t\u{e9}\u{2013}]{0,300}") {
        if let Ok(grid) = grid::delimited(&text, None) {
            let _ = layout::table(grid);
        }
        for found in pasted::find(&text) {
            prop_assert!(text.get(found.span.clone()).is_some());
            let _ = layout::table(found.grid);
        }
    }

    #[test]
    fn cells_are_the_same_within_the_text_and_as_copies(text in "[ab ,\\t\\r\\n\u{a0}\u{2003}\u{feff}\u{e9}]{0,80}") {
        let read = |text: String| grid::shared(&Arc::from(text), Some(b',')).unwrap().records;
        let own = read(format!("a,b\n{text}"));
        // With a quotation mark, cells are copied.
        let mut copied = read(format!("a,b\n{text}\n\"q\""));
        copied.pop();
        prop_assert_eq!(own, copied);
    }

    #[test]
    fn quoted_cells_round_trip(
        rows in prop::collection::vec(prop::collection::vec("[a-zA-Z0-9 ,;\"|]{1,8}", 3), 2..8),
    ) {
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",");
        let text = rows.iter().map(line).collect::<Vec<_>>().join("\n");
        let grid = grid::delimited(&text, Some(b',')).unwrap_or_default();
        let trimmed = |row: &Vec<String>| row.iter().map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let is_filled = |row: &Vec<String>| row.iter().any(|cell| !cell.is_empty());
        let want: Vec<Vec<String>> = rows.iter().map(trimmed).filter(is_filled).collect();
        let got: Vec<Vec<&str>> = grid.records.iter().map(cells_of).collect();
        prop_assert_eq!(got, want);
    }
}
