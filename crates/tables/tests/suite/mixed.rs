//! Columns whose numbers are of one kind, and those whose are not.

use tables::grid;
use tables::layout;
use tables::mixed::mixed;
use tables::table::Table;

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
