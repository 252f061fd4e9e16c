//! Which lines of a table are data, which are totals, and which are printed next to it.

use tables::table::{Role, Table, What};
use tables::tally::Tally;
use tables::{grid, layout};

fn table(text: &str) -> Table {
    layout::table(grid::delimited(text, None).expect("a grid")).expect("a table")
}

/// A rent roll of five units with lines behind it.
fn roll(behind: &str) -> Table {
    table(&format!(
        "Unit,Tenant,Sq Ft,Rent,Balance\n101,Ann Bell,700,1000,0\n102,Ben Cole,700,1100,125.5\n103,,750,,\n\
         104,Dia Eng,800,1200,-25\n105,Eve Fox,900,1300,10\n{behind}"
    ))
}

#[test]
fn totals_are_recognized_by_arithmetic() {
    for behind in [
        "Total,,3850,4600,110.5\n",
        ",,3850,4600,110.5\n",
        "5 Units,,,4600,110.5\n",
        "Count: 5,,3850,4600,\n",
        "5 Units,,,4600,110.5\n5 Units,,,4600,110.5\n",
        "Lantern Apartments,,3850,4600,110.5\n",
        "Lantern Apartments,,3850,4600,110.5\nGrand Total,,3850,4600,110.5\n",
        "5,,3850,4600,110.5\n",
        "Summe,,3850,4600,110.5\n",
    ] {
        let table = roll(behind);
        let tally = Tally::of(&table);
        assert_eq!(tally.data, 5, "{behind}");
        assert_eq!(tally.totals, behind.lines().count(), "{behind}");
        assert!(
            tally
                .printed
                .iter()
                .all(|printed| printed.agrees() || printed.column == 0),
            "{behind}"
        );
    }
}

#[test]
fn a_row_that_is_no_total_is_data() {
    for behind in [
        "106,Total Wine,900,1300,10\n",
        "106,Finn Gray,3850,4600,110.5\n",
        "106,Finn Gray,950,4600,\n",
        "106,,,,\n",
        "106,VACANT,,,\n",
    ] {
        assert_eq!(Tally::of(&roll(behind)).data, 6, "{behind}");
    }
}

#[test]
fn what_is_printed_around_a_table_is_no_data() {
    for behind in [
        ",,,,,Lantern Apartments\n,,,,,2/12/2026 11:16:56 PM\n",
        "Page 1 of 3,,,,\n",
        "Page 1 of 3,,,,2/12/2026\n",
        "2/12/2026 11:16 PM,,,,\n",
        "Total,,3850,4600,110.5\nPrinted by the office,,,,\n2/12/2026,,,,\n",
        "Seite 2 von 3,,,,\n",
        "This report is confidential and may be incomplete.,,,,\n",
        "Charge,Code,Amount,Count,\nrent,R,4600,4,\nparking,P,50,1,\n",
        "Summary Groups,,Square Footage,Charges,Held\nOccupied Units,,3100,4600,0\nVacant Units,,750,0,0\n",
    ] {
        let tally = Tally::of(&roll(behind));
        assert_eq!(tally.data, 5, "{behind}");
    }
    let table = roll("Status,Type,Units,Area,\nOccupied,A,4,3100,\nVacant,A,1,750,\n");
    assert!(table.aside.iter().all(|aside| aside.what == What::AnotherTable));
    assert_eq!(table.aside.len(), 3);
}

#[test]
fn a_printed_total_that_differs_is_known() {
    let tally = Tally::of(&roll("Total,,3850,4700,110.5\n"));
    let differs: Vec<_> = tally.printed.iter().filter(|printed| !printed.agrees()).collect();
    assert_eq!(differs.len(), 1);
    assert_eq!(
        (differs[0].column, differs[0].value, differs[0].sum),
        (3, 4700.0, 4600.0)
    );
}

#[test]
fn a_header_repeated_over_a_section_is_a_heading() {
    let table = table(
        "Account,Actual,Budget\nRental Income,1000,1100\nExpenses,Actual,Budget\nUtilities,200,150\nInsurance,50,60\n",
    );
    assert_eq!(table.sections, ["Expenses"]);
    assert!(table.rows.iter().all(|row| row.role == Role::Data) && table.rows.len() == 3);
}

#[test]
fn a_sum_that_repeats_the_name_of_a_building_is_a_total() {
    for (behind, data) in [
        (
            "Hill Rd,,,1025\nMill Ln,1,Cal,495\nMill Ln,2,,510\nMill Ln,,,1005\nTotal,,,2030\n",
            4,
        ),
        ("Hill Rd,,,1025\nMill Ln,1,Cal,495\nMill Ln,,,495\n", 3),
        ("Hill Rd,3,,1025\n", 3),
        ("Hill Rd,,Dee,1025\n", 3),
        ("Hill Rd,,,1000\n", 3),
    ] {
        let table = table(&format!(
            "Property,Room,Tenant,Rent\nHill Rd,1,Ann,500\nHill Rd,2,Ben,525\n{behind}"
        ));
        assert_eq!(Tally::of(&table).data, data, "{behind}");
    }
}

#[test]
fn shares_of_the_total_above_are_print() {
    let aged = |behind: &str| {
        table(&format!(
            "Tenant,Unit,0-30,31-60,61-90,Total\nAdams,101,500,0,0,500\nBarnes,102,950,950,0,1900\n\
             Cline,103,0,0,1600,1600\nTotal,,1450,950,1600,4000\n{behind}"
        ))
    };
    for behind in [
        "%,,36.3,23.8,40,100\n",
        ",,36.25%,23.75%,40.00%,100.00%\n",
        "Share,,0.3625,0.2375,0.4,1\n",
    ] {
        let tally = Tally::of(&aged(behind));
        assert_eq!((tally.data, tally.print), (3, 1), "{behind}");
        assert!(
            tally.printed.iter().all(tables::tally::Printed::agrees),
            "{behind}"
        );
    }
    assert_eq!(Tally::of(&aged("Dobbs,104,30,30,40,100\n")).data, 4);
}

#[test]
fn statistics_behind_the_sales_and_their_subject_are_print() {
    let sales = "Comp,Address,Sale Date,Price,Units\n1,10 First Ave,Jan-24,1850000,16\n\
                 2,22 Second St,Oct-23,2400000,20\n\
                 3,35 Third Blvd,Jun-23,990000,9\n4,48 Fourth Ct,Mar-23,3120000,26\n";
    for (behind, print) in [
        ("Avg,,,2090000,17.75\nLow,,,990000,9\nHigh,,,3120000,26\n", 2),
        ("Min,,,990000,9\nMax,,,3120000,26\nMedian,,,2125000,18\n", 2),
        ("Niedrigster,,,990000,9\n,,,3120000,26\n", 2),
        ("Subject,9 Oak Ave,TBD,2500000,22\n", 1),
        ("Subject,9 Oak Ave,,,22\nLow,,,990000,9\n", 2),
    ] {
        let tally = Tally::of(&table(&format!("{sales}{behind}")));
        assert_eq!((tally.data, tally.print), (4, print), "{behind}");
        assert!(tally.printed.is_empty(), "{behind}");
    }
    for behind in [
        "5,9 Oak Ave,Jan-24,990000,9\n",
        "Low,9 Oak Ave,Jan-24,880000,9\n",
        "5,,,870000,8\n",
    ] {
        assert_eq!(Tally::of(&table(&format!("{sales}{behind}"))).data, 5, "{behind}");
    }
    let short = table("Comp,Price,Units\nA,1850000,16\nB,2400000,20\nLow,1850000,16\nHigh,2400000,20\n");
    assert_eq!(Tally::of(&short).data, 2);
}

#[test]
fn a_row_that_counts_and_adds_up_the_rows_above_is_a_total() {
    let table = table(
        "Unit,Type,Sq Ft,Resident,Status,Market Rent,Rent\n\
         101,A,700,,V,1600,\n\
         102,A,700,Max Jarvis,C,1600,1550\n\
         103,B,900,Ana Eng,C,1900,1850\n\
         3 Units,,2300,,,5100,3400\n",
    );
    assert_eq!(table.data().count(), 3);
    assert_eq!(table.rows.last().map(|row| row.role), Some(Role::Total));
}
