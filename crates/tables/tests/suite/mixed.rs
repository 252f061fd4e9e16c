//! Columns whose numbers are of one kind, and those whose are not.

use tables::grid;
use tables::headers::Field;
use tables::layout;
use tables::mixed::{mixed, other_period};
use tables::table::Table;
use tables::tally::{Across, Tally};

fn table(text: &str) -> Table {
    layout::table(grid::delimited(text, None).unwrap()).unwrap()
}

#[test]
fn numbers_of_several_kinds_are_found() {
    for (header, cells, kinds) in [
        ("Price", ["$5", "€6"], ["EUR", "USD"]),
        ("Price", ["5 USD", "CHF 6"], ["CHF", "USD"]),
        ("Price", ["5/mo", "6 per year"], ["annual", "monthly"]),
        ("Area", ["50 m²", "600 sq ft"], ["m²", "sq ft"]),
        ("Price", ["1.050", "1300"], ["1.050", "1300"]),
        ("Rate", ["5.25", "0.0475"], ["0.0475", "5.25"]),
    ] {
        let [one, other] = cells;
        let found = mixed(
            &table(&format!("Name,{header}\nA,{one}\nB,{other}\n")),
            1,
            header == "Price",
        );
        assert_eq!(
            found.map(|own| own.kinds),
            Some(kinds.map(str::to_owned).to_vec()),
            "{cells:?}"
        );
    }
}

#[test]
fn numbers_of_one_kind_are_not() {
    for (header, cells) in [
        ("Price", ["$5", "6"]),
        ("Price", ["$5,000", "US$6"]),
        ("Price", ["1,050", "1,300.50"]),
        ("DSCR", ["1.250", "1.4"]),
        ("Rate", ["5.25%", "0.0475"]),
        ("Rate", ["5.25", "0.75"]),
        ("Area", ["50", "600 sf"]),
    ] {
        let [one, other] = cells;
        let text = format!("Name;{header}\nA;{one}\nB;{other}\n");
        assert_eq!(mixed(&table(&text), 1, header == "Price"), None, "{cells:?}");
    }
}

#[test]
fn another_column_tells_kinds_apart() {
    let of = |header: &str, cells: [&str; 3]| {
        let [one, two, three] = cells;
        mixed(
            &table(&format!(
                "Name,Rent,{header}\nA,5,{one}\nB,6,{two}\nC,7,{three}\n"
            )),
            1,
            true,
        )
    };
    for (header, cells) in [
        ("Frequency", ["Monthly", "weekly", "Monthly"]),
        ("Ccy", ["USD", "EUR", ""]),
        ("Per", ["month", "year", "month"]),
    ] {
        let found = of(header, cells).unwrap();
        assert_eq!((found.by, found.kinds.len()), (Some(2), 2), "{found:?}");
        assert!(found.sentence.contains(header));
    }
    assert_eq!(of("Frequency", ["Monthly", "monthly", "Monthly"]), None);
    assert_eq!(of("Note", ["Monthly", "Annual", "see lease"]), None);
}

#[test]
fn a_sum_across_that_differs_in_some_rows_is_found() {
    let of = |last: u32| {
        let text = format!("Name,A,B,Total\nX,1,2,3\nY,4,5,9\nZ,7,8,{last}\n");
        Tally::of(&table(&text))
            .across
            .map(|across| (across.column, across.printed, across.made))
    };
    assert_eq!(of(15), None);
    assert_eq!(of(25), Some((3, 37.0, 27.0)));
    let text = "Name,A,B,Total\nX,1,2,30\nY,4,5,90\nZ,7,8,15\n";
    assert_eq!(Tally::of(&table(text)).across, None);
}

#[test]
fn a_column_that_is_the_sum_of_those_before_it_needs_no_name() {
    let holds = |text: &str| {
        let across = Across::of(&table(text));
        across.map(|across| (0..5).filter(|at| across.holds(*at)).collect::<Vec<_>>())
    };
    let vendors = "Name,Qty,Net,VAT,Gross\nA,5,100,19,119\nB,6,200,38,238\nC,7,300,57,357\n";
    assert_eq!(holds(vendors), Some(vec![2, 3, 4]));
    assert_eq!(
        holds("Name,Qty,Net,VAT\nA,5,100,19\nB,6,200,38\nC,7,300,57\n"),
        None
    );
    assert_eq!(holds("Name,A,B,C\nX,0,0,0\nY,0,5,5\nZ,0,6,6\nW,1,2,3\n"), None);
}

#[test]
fn columns_of_one_name_get_numbers() {
    let headers = |text: &str| -> Vec<String> {
        table(text)
            .columns
            .into_iter()
            .map(|column| column.header)
            .collect()
    };
    assert_eq!(
        headers("Unit,Rent,Rent\n1,5,6\n2,7,8\n"),
        ["Unit", "Rent 1", "Rent 2"]
    );
    assert_eq!(
        headers("Unit,Rent,Rent\n1,5,5\n2,7,7\n"),
        ["Unit", "Rent", "Rent"]
    );
    assert_eq!(
        headers("Unit,Note,Note\n1,a,b\n2,c,d\n"),
        ["Unit", "Note", "Note"]
    );
}

#[test]
fn a_header_names_the_period_of_its_amounts() {
    let rents = |header: &str| table(&format!("Unit,Tenant,{header}\n1,Ann,120\n2,Ben,135\n"));
    for header in [
        "Weekly Rent",
        "Rent pw",
        "Rent (per week)",
        "Quarterly Rent",
        "Rent / day",
    ] {
        assert!(other_period(&rents(header), 2, None), "{header}");
    }
    for header in ["Rent", "Monthly Rent", "Rent pcm", "Rent per month"] {
        assert!(!other_period(&rents(header), 2, None), "{header}");
    }
}

#[test]
fn the_number_of_units_of_each_type_is_found_by_name_or_by_its_total() {
    for (text, column) in [
        (
            "Type,Count,Sq Ft,Monthly Rent\nStudio,10,420,$900\n1 Bed,30,610,\"$1,100\"\nTotal,40,,\n",
            Some(1),
        ),
        (
            "Unit Type;Anzahl;Wohnfläche je WE m²;Kaltmiete je WE €\n1-Zi;6;34,0;420,00\n2-Zi;12;52,5;610,00\n",
            Some(1),
        ),
        (
            "Unit Type,# Units,Avg SF,Rent\nStudio,8,450,950\n1BR,24,650,1150\n",
            Some(1),
        ),
        (
            "Unit Type,In House,Avg SF,Rent\nStudio,8,450,950\n1BR,24,650,1150\nTotal,32,,\n",
            Some(1),
        ),
        (
            "Unit Type,In House,Avg SF,Rent\nStudio,8,450,950\n1BR,24,650,1150\n",
            None,
        ),
        ("Unit,Unit Type,Count,Rent\n1,Studio,8,950\n2,1BR,24,1150\n", None),
    ] {
        assert_eq!(table(text).column(Field::Units), column, "{text}");
    }
}
