//! Statements whose groups are printed with their lines, without them, or with another sum.

use tables::income::Statement;
use tables::{grid, layout, statement};

fn read(lines: &str) -> Statement {
    let text = format!("Account,Amount\nGross Potential Rent,10000\nVacancy Loss,-500\n{lines}");
    statement::read(
        &layout::table(grid::delimited(&text, None).expect("a grid")).expect("a table"),
        &[],
    )
}

const PAYROLL: &str = "Manager Salary,700\nOffice Salaries,300\nTotal Payroll,1000\n";

#[test]
fn a_group_printed_only_as_a_total_is_a_line() {
    for taxes in [
        "Total Taxes & Insurance,2000\n",
        "Taxes and Insurance\nTotal Taxes & Insurance,2000\n",
    ] {
        for order in [format!("{PAYROLL}{taxes}"), format!("{taxes}{PAYROLL}")] {
            let read = read(&format!(
                "{order}Total Operating Expenses,3000\nNet Operating Income,6500\n"
            ));
            assert!(read.doubts.is_empty(), "{:?}", read.doubts);
            assert_eq!(read.totals(&[]).net_operating_income(), 6500.0, "{order}");
            assert!(read.disagreements(&[]).is_empty(), "{order}");
        }
    }
}

#[test]
fn a_group_with_its_lines_counts_once_and_can_be_named() {
    let read = read(&format!(
        "{PAYROLL}Water,400\nElectricity,600\nTotal Utilities,1000\nTotal Controllable,2000\nInsurance,500\n\
         Total Operating Expenses,2500\nNet Operating Income,7000\n"
    ));
    assert_eq!(read.totals(&[]).net_operating_income(), 7000.0);
    let named: Vec<&str> = read.groups.iter().map(|group| group.label.as_str()).collect();
    assert_eq!(named, ["Total Payroll", "Total Utilities", "Total Controllable"]);
}

#[test]
fn a_printed_sum_that_differs_is_said() {
    let read =
        read("Manager Salary,700\nOffice Salaries,300\nTotal Payroll,1100\nNet Operating Income,8400\n");
    assert_eq!(read.totals(&[]).net_operating_income(), 8500.0);
    let said = read.disagreements(&[]).join(" ");
    assert!(
        said.contains("Total Payroll") && said.contains("1100.00") && said.contains("1000.00"),
        "{said}"
    );
    let printed = read.printed_otherwise(tables::accounts::Printed::NetOperatingIncome, &[]);
    assert_eq!(printed, Some(8400.0));
}

#[test]
fn what_stands_below_the_net_operating_income_is_no_income_and_no_expense() {
    for (sign, lines) in [
        (
            1.0,
            "Cash Flow before Tax,6000\nIncome Tax,1000\nCash Flow after Tax,5000\n",
        ),
        (
            1.0,
            "Available to Partners,6000\nAsset Fee,1000\nLeft for Owners,5000\n",
        ),
        (
            -1.0,
            "Cash Flow before Tax,6000\nIncome Tax,-1000\nCash Flow after Tax,5000\n",
        ),
        (-1.0, "Sundry Management,-700\nPartner Interest Income,100\n"),
    ] {
        let read = read(&format!(
            "Water,{}\nProperty Taxes,{}\nTotal Operating Expenses,{}\nNet Operating Income,7500\n\
             Debt Service,{}\n{lines}",
            sign * 500.0,
            sign * 1_500.0,
            sign * 2_000.0,
            sign * 1_500.0,
        ));
        let totals = read.totals(&[]);
        assert_eq!(
            (totals.net_operating_income(), totals.expenses, totals.debt),
            (7500.0, 2000.0, 1500.0),
            "{lines}"
        );
        assert!(read.doubts.is_empty(), "{lines}{:?}", read.doubts);
        assert!(read.disagreements(&[]).is_empty(), "{lines}");
    }
}

#[test]
fn a_statement_that_begins_with_its_sums_or_has_another_behind_it_is_read_whole() {
    let text = "Account,Amount\nNet Operating Income,8000\nGross Potential Rent,10000\nWater,2000\n";
    let table = layout::table(grid::delimited(text, None).expect("a grid")).expect("a table");
    assert_eq!(
        statement::read(&table, &[]).totals(&[]).net_operating_income(),
        8000.0
    );
    let read = read(
        "Water,500\nNet Operating Income,9000\nRental Income,4000\nInsurance,300\nNet Operating Income,3700\n",
    );
    assert_eq!(read.totals(&[]).net_operating_income(), 12_700.0);
}
