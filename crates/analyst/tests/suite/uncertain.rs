//! Tables that leave open what a figure of them would be: it is asked back, and what is certain is answered.

use analyst::answer::draft;
use analyst::contract::brief::{Brief, FileFrom};
use analyst::contract::draft::Draft;

use super::asking::{self, brief};
use super::sheets::file;

/// A conversation about a table: the last draft.
pub fn talk(table: &str, turns: &[&str]) -> Draft {
    let mut last = Draft::default();
    for (n, turn) in turns.iter().enumerate() {
        let from = if n == 0 {
            FileFrom::Question
        } else {
            FileFrom::Earlier
        };
        let name = if table.starts_with(['{', '[']) {
            "table.json"
        } else {
            "table.csv"
        };
        last = draft(&Brief {
            files: vec![file(name, table, from)],
            earlier: last.frame,
            ..brief(turn)
        });
    }
    last
}

pub fn assert_asks(table: &str, turns: &[&str], says: &str) -> Draft {
    let draft = talk(table, turns);
    asking::assert_asks(&draft, &format!("{table}{turns:?}"));
    assert!(
        draft.quick_reply.contains(says),
        "{table}{turns:?}: no “{says}” in {}",
        draft.quick_reply
    );
    draft
}

pub fn assert_value(table: &str, turns: &[&str], value: f64) -> Draft {
    let draft = talk(table, turns);
    let got = draft.figures.first().and_then(|figure| figure.value.as_f64());
    assert!(
        got.is_some_and(|got| (got - value).abs() < 0.005),
        "{table}{turns:?}: {got:?} is not {value}: {}",
        draft.quick_reply
    );
    draft
}

/// A rent roll with these rents, and another column next to them.
pub fn roll(rents: &[&str], other: Option<(&str, &[&str])>) -> String {
    let mut text = format!(
        "Unit,Tenant,Rent{}\n",
        other.map_or(String::new(), |(name, _)| format!(",{name}"))
    );
    for (at, rent) in rents.iter().enumerate() {
        let more = other.map_or(String::new(), |(_, cells)| format!(",{}", cells[at]));
        text += &format!("10{at},Tenant {at},\"{rent}\"{more}\n");
    }
    text
}

pub const OF_RENTS: [&str; 4] = [
    "What is the total rent?",
    "What is the average rent?",
    "Which tenant pays the highest rent?",
    "In-place rent?",
];

#[test]
fn amounts_of_several_currencies_are_not_added() {
    for rents in [
        ["$1000", "€1200", "£900"],
        ["1000 USD", "1200 EUR", "900 USD"],
        ["CHF 1000", "$1200", "CHF 900"],
    ] {
        for question in OF_RENTS {
            assert_asks(&roll(&rents, None), &[question], "currencies");
        }
    }
    for name in ["Currency", "Ccy", "Whrg"] {
        let table = roll(&["1000", "1200", "900"], Some((name, &["USD", "EUR", "USD"])));
        for question in OF_RENTS {
            assert_asks(&table, &[question], name);
        }
    }
    assert_value(&roll(&["€1000", "€1200", "900"], None), &[OF_RENTS[0]], 3_100.0);
    assert_value(
        &roll(&["1", "2", "3"], Some(("Currency", &["EUR", "EUR", "EUR"]))),
        &[OF_RENTS[0]],
        6.0,
    );
}

#[test]
fn amounts_of_several_periods_are_not_added() {
    for (name, cells) in [
        ("Frequency", ["Monthly", "Weekly", "Annual"]),
        ("Period", ["month", "per week", "month"]),
        ("Billing", ["Quarterly", "Monthly", "Monthly"]),
    ] {
        for question in OF_RENTS {
            assert_asks(
                &roll(&["1000", "300", "12000"], Some((name, &cells))),
                &[question],
                name,
            );
        }
    }
    for question in OF_RENTS {
        assert_asks(
            &roll(&["1000/mo", "14,400/yr", "900/mo"], None),
            &[question],
            "several",
        );
    }
    let table = roll(
        &["1000", "300", "12000"],
        Some(("Frequency", &["Monthly", "Weekly", "Annual"])),
    );
    for (reply, value) in [("monthly", 1_000.0), ("where frequency is weekly", 300.0)] {
        let draft = assert_value(&table, &[OF_RENTS[0], reply], value);
        let month = draft.quick_reply.contains("(month)");
        assert!(!month || value == 1_000.0, "{}", draft.quick_reply);
    }
    let weekly = roll(
        &["1", "2", "3"],
        Some(("Frequency", &["Weekly", "Weekly", "Weekly"])),
    );
    let draft = assert_value(&weekly, &["In-place rent?"], 6.0);
    assert!(!draft.quick_reply.contains("month"), "{}", draft.quick_reply);
    assert_asks(&weekly, &["What is the annual rent?"], "period");
    let monthly = roll(
        &["1", "2", "3"],
        Some(("Frequency", &["Monthly", "Monthly", "Monthly"])),
    );
    assert_value(&monthly, &[OF_RENTS[0]], 6.0);
}

#[test]
fn numbers_that_can_be_read_in_two_ways_are_not_added() {
    for rents in [
        ["1.050", "1,300.50", "900"],
        ["1.050", "1300", "900"],
        ["950.00", "1.200", "875.50"],
    ] {
        for question in OF_RENTS {
            assert_asks(&roll(&rents, None), &[question], "thousands or decimals");
        }
    }
    assert_value(
        &roll(&["1,050.25", "1,300.50", "900"], None),
        &[OF_RENTS[0]],
        3_250.75,
    );
    assert_value(
        "Unit,Tenant,Rent PSF\n1,A,1.125\n2,B,2.250\n",
        &["What is the average rent PSF?"],
        1.6875,
    );
}

#[test]
fn rates_in_percent_and_as_fractions_are_not_averaged() {
    let loans = |rates: [&str; 3]| {
        let [one, other, third] = rates;
        format!(
            "Loan,Lender,Balance,Interest Rate\nL1,A,1000000,{one}\nL2,B,2000000,{other}\nL3,C,1500000,{third}\n"
        )
    };
    for question in [
        "What is the average interest rate?",
        "Weighted average interest rate?",
        "Which loan has the highest rate?",
    ] {
        assert_asks(&loans(["5.25", "0.0475", "6.1"]), &[question], "in percent");
    }
    assert_value(
        &loans(["5.25", "4.75", "6.5"]),
        &["What is the average interest rate?"],
        0.055,
    );
    assert_value(
        &loans(["0.0525", "0.0475", "0.065"]),
        &["What is the average interest rate?"],
        0.055,
    );
    assert_value(
        &loans(["5.25%", "0.0475", "6.5%"]),
        &["What is the average interest rate?"],
        0.055,
    );
}

/// A rent roll with two columns of rents.
fn two_rents(first: &str, second: &str) -> String {
    format!("Unit,Tenant,{first},{second}\n101,Ann,1000,1100\n102,Bob,1200,1300\n103,Cy,900,950\n")
}

#[test]
fn a_column_that_fits_as_well_as_another_is_asked_for() {
    for (first, second, reply) in [
        ("Rent 2024", "Rent 2025", "Rent 2025"),
        ("Rent FY24", "Rent FY25", "2025"),
        ("Rent Jan", "Rent Feb", "the February one"),
        ("Rent", "Rent", "Rent 2"),
        ("Rent", "Rent", "the second one"),
        ("Rent (current)", "Rent (proposed)", "proposed"),
        ("Rent (Old)", "Rent (New)", "Rent (New)"),
    ] {
        let table = two_rents(first, second);
        for (question, value) in [
            ("What is the total rent?", 3_350.0),
            ("What is the average rent?", 3_350.0 / 3.0),
            ("In-place rent?", 3_350.0),
            ("Which tenant pays the highest rent?", 1_300.0),
        ] {
            let asked = assert_asks(&table, &[question], "Which column");
            assert_eq!(asked.quick_reply.matches('“').count(), 2, "{}", asked.quick_reply);
            assert_value(&table, &[question, reply], value);
        }
    }
    assert_value(
        &two_rents("Rent 2024", "Rent 2025"),
        &["What is the total rent 2025?"],
        3_350.0,
    );
    assert_value(
        &two_rents("Rent", "Market Rent"),
        &["What is the total rent?"],
        3_100.0,
    );
    let same = "Unit,Tenant,Rent,Rent\n101,Ann,1000,1000\n102,Bob,1200,1200\n";
    assert_value(same, &["What is the total rent?"], 2_200.0);
}

#[test]
fn a_statement_of_several_years_is_asked_for_its_column() {
    let table = "Account,Actual 2025,Actual 2024,Budget 2025\nRental Income,100000,90000,110000\n\
                 Parking Income,3000,2500,3500\nRepairs,20000,18000,15000\nProperty Taxes,15000,14000,16000\n";
    for (question, value) in [
        ("What is the NOI?", 68_000.0),
        ("total rental income", 100_000.0),
        ("What is the total income?", 103_000.0),
    ] {
        assert_asks(table, &[question], "“Actual 2025”, “Actual 2024”");
        assert_value(table, &[question, "Actual 2025"], value);
    }
}

#[test]
fn the_one_who_owes_most_is_not_named_by_month() {
    let table = "Tenant,Month,Balance\nAnn,2025-01,100\nBob,2025-01,200\nAnn,2025-02,150\nBob,2025-02,50\nCy,2025-02,400\n";
    for question in [
        "Who owes the most and what is the total balance by month?",
        "Which tenant has the highest balance, and what is the total balance by month?",
    ] {
        let draft = talk(table, &[question]);
        let values: Vec<f64> = draft
            .figures
            .iter()
            .filter_map(|figure| figure.value.as_f64())
            .collect();
        assert!(
            values.starts_with(&[400.0, 300.0, 600.0]) || !draft.success,
            "{question} {values:?} {}",
            draft.quick_reply
        );
    }
}

#[test]
fn a_reply_that_settles_nothing_is_no_question() {
    let table = "Unit,Tenant,Rent\n101,Ann,1000\n102,Bob,1200\n102,Bill,1250\n103,Cy,900\n";
    for reply in ["both rows count", "all of them", "both of the rows count"] {
        assert_asks(table, &["What is the total rent?", reply], "102");
    }
    assert_value(table, &["What is the total rent?", "how many units?"], 3.0);
}

#[test]
fn many_tables_of_one_file_are_named_once() {
    let table = "\n\n| Unit | Tenant | Rent |\n|---|---|---|\n| 1 | A | 100 |\n| 2 | B | 200 |\n\nNext";
    let text = file("rolls.txt", &table.repeat(5), FileFrom::Question);
    let draft = draft(&Brief {
        files: vec![text],
        ..brief("What is the total rent?")
    });
    asking::assert_asks(&draft, "five tables");
    assert_eq!(
        draft.quick_reply.matches("rolls.txt").count(),
        1,
        "{}",
        draft.quick_reply
    );
    assert!(draft.quick_reply.contains('5'), "{}", draft.quick_reply);
}

#[test]
fn a_part_of_a_sum_is_not_the_only_amount() {
    let table = "Vendor,Net,VAT,Gross\nA,100,19,119\nB,200,38,238\nC,300,57,357\n";
    for question in ["total spend", "What is the total?", "What is the average cost?"] {
        assert_asks(table, &[question], "column");
    }
    assert_value(table, &["What is the total of net?"], 600.0);
    assert_value(table, &["What is the total gross?"], 714.0);
}

#[test]
fn a_name_of_two_lines_of_different_kinds_is_asked_for() {
    let table =
        "Account,Amount\nINCOME,\nWater,500\nRental Income,100000\nEXPENSES,\nWater,2000\nRepairs,3000\n";
    for question in [
        "What was water?",
        "How much did we spend on water?",
        "water and repairs?",
    ] {
        assert_asks(table, &[question], "$500 and $2,000");
    }
    assert_value(table, &["What were repairs?"], 3_000.0);
    assert_value(table, &["What is the NOI?"], 95_500.0);
}
