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
