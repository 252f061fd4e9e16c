//! What tables print next to their lines and rows: totals, sums across, recoveries, credits, units. It is read right, and
//! where it differs from what the rows make, the first sentence says so.

use super::uncertain::{OF_RENTS, assert_asks, assert_value, roll, talk};

#[test]
fn round_amounts_with_dashes_are_positive() {
    assert_value(
        &roll(&["1'300.-", "1'200.–", "900.--"], None),
        &[OF_RENTS[0]],
        3_400.0,
    );
    assert_value(&roll(&["1,300.-", "900.-"], None), &[OF_RENTS[0]], 2_200.0);
}

/// A statement of these lines.
fn statement(lines: &[(&str, f64)]) -> String {
    let lines = lines.iter().map(|(label, amount)| format!("{label},{amount}\n"));
    format!("Account,Amount\n{}", lines.collect::<String>())
}

const COSTS: [(&str, f64); 2] = [("Repairs", 20_000.0), ("Property Taxes", 15_000.0)];

#[test]
fn total_income_is_all_income_and_no_cost() {
    for income in [
        vec![
            ("Rental Income", 100_000.0),
            ("Late Fees", 2_000.0),
            ("Parking Income", 3_000.0),
        ],
        vec![("Rental Income", 100_000.0), ("Late Fees", 2_000.0)],
        vec![("Rent", 100_000.0), ("Parking", 3_000.0)],
    ] {
        let total = income.iter().map(|(_, amount)| amount).sum();
        let plain = [income.clone(), COSTS.to_vec()].concat();
        let printed = [
            income,
            vec![("Total Income", total)],
            COSTS.to_vec(),
            vec![("Total Expenses", 35_000.0)],
        ];
        for table in [statement(&plain), statement(&printed.concat())] {
            for question in [
                "total income",
                "What is the total income?",
                "total revenue",
                "What was total revenue?",
            ] {
                assert_value(&table, &[question], total);
            }
        }
    }
}

#[test]
fn recovered_losses_are_income() {
    for (loss, recovery) in [
        ("Bad Debt", "Bad Debt Recovery"),
        ("Bad Debt Expense", "Recovered Bad Debt"),
        ("Write-offs", "Write-off Recoveries"),
    ] {
        for sign in [1.0, -1.0] {
            let lines = [
                ("Rental Income", 100_000.0),
                (loss, sign * 2_000.0),
                (recovery, 500.0),
            ];
            assert_value(
                &statement(&[lines.to_vec(), COSTS.to_vec()].concat()),
                &["What is the NOI?"],
                63_500.0,
            );
        }
    }
}

#[test]
fn credits_may_be_negative() {
    let income = [
        ("Rental Income", -100_000.0),
        ("Vacancy Loss", 5_000.0),
        ("Parking Income", -3_000.0),
    ];
    let table = statement(&[income.to_vec(), COSTS.to_vec()].concat());
    assert_value(&table, &["What is the NOI?"], 63_000.0);
    assert_value(&table, &["What is the total income?"], 98_000.0);
    assert_value(&table, &["What is the rental income?"], 100_000.0);
    assert_value(&table, &["What were the total expenses?"], 35_000.0);
    let printed = statement(
        &[
            income.to_vec(),
            COSTS.to_vec(),
            vec![("Net Operating Income", -63_000.0)],
        ]
        .concat(),
    );
    let draft = assert_value(&printed, &["What is the NOI?"], 63_000.0);
    assert!(!draft.quick_reply.contains("prints"), "{}", draft.quick_reply);
}

#[test]
fn a_line_that_stands_twice_is_both_together() {
    let lines = [
        ("Rental Income", 100_000.0),
        ("Repairs", 20_000.0),
        ("Insurance", 3_000.0),
        ("Repairs", 7_000.0),
    ];
    for question in ["What were repairs?", "How much did we spend on repairs?"] {
        assert_value(&statement(&lines), &[question], 27_000.0);
    }
    assert_value(&statement(&lines), &["What was insurance?"], 3_000.0);
}

#[test]
fn a_printed_column_of_totals_that_differs_is_said_first() {
    let table = |total: u32| {
        format!(
            "Account,Jan 2025,Feb 2025,Mar 2025,Total\nRental Income,1000,1000,1000,{total}\nRepairs,200,200,200,600\n\
             Property Taxes,100,100,100,300\nInsurance,50,50,50,150\n"
        )
    };
    for (question, value, printed) in [
        ("What is the NOI?", 1_950.0, "$2,450"),
        ("What is the rental income?", 3_000.0, "$3,500"),
        ("total income", 3_000.0, "$3,500"),
    ] {
        let draft = assert_value(&table(3_500), &[question], value);
        let first = draft.quick_reply.split(". ").next().unwrap();
        assert!(first.contains(printed), "{question} {}", draft.quick_reply);
        let draft = assert_value(&table(3_000), &[question], value);
        assert!(
            !draft.quick_reply.contains("prints"),
            "{question} {}",
            draft.quick_reply
        );
    }
    for question in ["What were repairs?", "What is the NOI in January 2025?"] {
        let draft = talk(&table(3_500), &[question]);
        assert!(
            draft.success && !draft.quick_reply.contains("prints"),
            "{question} {}",
            draft.quick_reply
        );
    }
}

#[test]
fn income_and_costs_have_no_total() {
    let income = [("Rental Income", 100_000.0), ("Parking Income", 3_000.0)];
    let table = statement(&[income.to_vec(), COSTS.to_vec()].concat());
    for question in [
        "What is the total amount?",
        "total?",
        "What is the sum of the amounts?",
    ] {
        assert_asks(&table, &[question], "");
    }
}

#[test]
fn a_sum_across_a_row_that_differs_is_said_first() {
    let table = |total: u32| {
        format!(
            "Tenant,0-30 days,31-60 days,Over 60 days,Total\nAnn,100,50,20,170\nBob,120,50,20,{total}\nCy,90,0,20,110\n"
        )
    };
    for (total, differs) in [(190, false), (290, true)] {
        let draft = talk(&table(total), &["What is the total past due?"]);
        let first = draft.quick_reply.split(". ").next().unwrap();
        assert!(draft.success && first.contains("$470"), "{}", draft.quick_reply);
        assert_eq!(first.contains("$570"), differs, "{}", draft.quick_reply);
    }
}

#[test]
fn a_total_next_to_a_list_is_compared() {
    let list = r#""units":[{"unit":101,"tenant":"Ann","rent":1000},{"unit":102,"tenant":"Bob","rent":1200}]"#;
    for (total, differs) in [
        (r#""total":9999"#, true),
        (r#""total_rent":9999"#, true),
        (r#""rentTotal":9999.5"#, true),
        (r#""total":2200"#, false),
        (r#""total_rent":2200"#, false),
        (r#""total":2"#, false),
        (r#""total":57,"page":1"#, false),
        (r#""total_units":2"#, false),
    ] {
        let table = format!("{{\"property\":\"Oak\",{total},{list}}}");
        let draft = assert_value(&table, &["What is the total rent?"], 2_200.0);
        let first = draft.quick_reply.split(". ").next().unwrap();
        assert_eq!(
            first.contains("the file prints"),
            differs,
            "{table}: {}",
            draft.quick_reply
        );
        assert!(!draft.reasoning.contains("of 4 rows"), "{}", draft.reasoning);
    }
}

#[test]
fn amounts_for_an_area_have_the_unit_of_the_table() {
    for (rent, area, unit) in [
        ("Rent", "Area m²", "USD/sqm"),
        ("Rent EUR", "Area sqm", "EUR/sqm"),
        ("Rent", "Sq Ft", "USD/sqft"),
        ("Rent EUR", "Sq Ft", "EUR/sqft"),
    ] {
        let table = format!("Unit,Tenant,{area},{rent}\n101,Ann,50,1000\n102,Bob,60,1200\n");
        let of = if unit.ends_with("sqm") {
            "square meter"
        } else {
            "square foot"
        };
        let draft = assert_value(&table, &[&format!("What is the rent per {of}?")], 20.0);
        assert_eq!(draft.figures[0].unit, unit, "{}", draft.quick_reply);
        assert_eq!(
            draft.quick_reply.contains('$'),
            unit.starts_with("USD"),
            "{}",
            draft.quick_reply
        );
    }
    let per = "Unit,Tenant,Area m²,Rent per m²\n101,Ann,50,20\n102,Bob,60,22\n";
    assert_value(per, &["What is the average rent per m²?"], 21.0);
}

#[test]
fn rows_without_an_amount_are_told_from_those_not_asked_about() {
    let table = "Vendor,City,Cost\nA,Bern,100\nB,Bern,\nC,Basel,300\nD,Basel,200\nE,Bern,50\n";
    let draft = assert_value(table, &["What is the total cost in Bern?"], 150.0);
    assert!(
        draft
            .reasoning
            .contains("2 that are not asked about, 1 without an amount"),
        "{}",
        draft.reasoning
    );
    let draft = assert_value(table, &["What is the total cost?"], 650.0);
    assert!(
        draft.reasoning.contains("Left out: 1 without an amount"),
        "{}",
        draft.reasoning
    );
}

const LEDGER: &str = "Account,Amount\nIncome,\n4000 · Rental Income,\n4010 · Rent - Bldg A,24450\n\
    4020 · Rent - Bldg B,17950\nTotal 4000 · Rental Income,42400\n4100 · Late Fees,175\nTotal Income,42575\nExpense,\n\
    6100 · Repairs,\n6110 · Plumbing,1730\n6120 · HVAC,285\n6100 · Repairs - Other,300\nTotal 6100 · Repairs,2315\n\
    6200 · Insurance,1830\nTotal Expense,4145\nNet Ordinary Income,38430\n";

#[test]
fn a_sum_is_not_added_to_a_line_of_its_own() {
    assert_asks(LEDGER, &["What is the rental income and rent bldg b?"], "part of");
    assert_value(LEDGER, &["What are total repairs?"], 2_315.0);
    assert_value(LEDGER, &["What is rent bldg b?"], 17_950.0);
    assert_value(LEDGER, &["What is the NOI?"], 38_430.0);
}

#[test]
fn units_of_a_mix_weigh_its_rents() {
    let plain = "Type,Count,Sq Ft,Monthly Rent\nStudio,10,420,$900\n1 Bed,30,610,\"$1,100\"\n\
        2 Bed,20,880,\"$1,400\"\nTotal,60,,\n";
    assert_value(plain, &["What is the total monthly rent?"], 70_000.0);
    assert_value(plain, &["What is the average rent?"], 70_000.0 / 60.0);
    assert_value(plain, &["How many units?"], 60.0);
    let per_foot = "Unit Type,# Units,Avg SF,Total SF,In-Place Rent,Rent/SF\nStudio,8,450,3600,$950,$2.11\n\
        1BR,24,650,15600,$1150,$1.77\nTotal/Avg,32,600,19200,$1100,$1.83\n";
    assert_value(per_foot, &["What is the average in-place rent?"], 1_100.0);
    let german = "Unit Type;Anzahl;Wohnfläche je WE m²;Kaltmiete je WE €\n1-Zimmer;6;34,0;420,00\n\
        2-Zimmer;12;52,5;610,00\nSumme;18;;\n";
    assert_value(german, &["How many units?"], 18.0);
}
