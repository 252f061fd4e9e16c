//! Rent rolls: states of spaces, paid and asking rents, charges.

use tables::tenancy::{self, About, State, Tenancy};
use tables::{grid, headers::Field, layout, rents, table::Table};

fn table(text: &str) -> Table {
    rents::with_charges(layout::table(grid::delimited(text, None).expect("a grid")).expect("a table"))
}

fn read(text: &str) -> Tenancy {
    tenancy::read(&table(text))
}

#[test]
fn a_space_with_an_unknown_status_stays_and_is_asked_about() {
    let read = read(
        "Unit,Tenant,Status,Rent\n1,Ann,Occupied,1000\n2,Ben,Zugeteilt,2000\n3,Cy,Zugeteilt,1500\n4,,Vacant,\n",
    );
    let states: Vec<State> = read.spaces.iter().map(|space| space.state).collect();
    assert_eq!(
        states,
        [State::Occupied, State::Unknown, State::Unknown, State::Vacant]
    );
    assert_eq!(read.unknown, ["Zugeteilt"]);
    assert!(
        read.doubts
            .iter()
            .any(|doubt| doubt.about == About::Status && doubt.sentence.contains("Zugeteilt"))
    );
}

#[test]
fn the_paid_rent_is_the_column_that_is_empty_where_a_space_is_vacant() {
    for (one, other) in [
        ("Rent", "Actual Charges"),
        ("Unit Rent", "Lease Rent"),
        ("Rate", "Rent Collected"),
    ] {
        let text = format!(
            "Unit,Status,Tenant,{one},{other}\nA,Rented,Ann,238,310\nB,Rented,Ben,102,164\nC,Vacant,,85,\n"
        );
        let table = table(&text);
        let paid = table.column(Field::Rent).map(|at| table.header(at));
        assert_eq!(paid, Some(other), "{one}, {other}");
    }
    let table = table(
        "Unit,Status,Tenant,Rent,Parking Charges\nA,Rented,Ann,238,10\nB,Rented,Ben,102,\nC,Vacant,,,\n",
    );
    assert_eq!(table.column(Field::Rent), Some(3));
}

#[test]
fn rent_charges_of_a_unit_are_its_rent() {
    let table = table(
        "Unit,Resident,Market,Charge,Amount\n101,Ann,1350,rrent,1200\n,,,rent,95\n,,,petrent,50\n102,,1350,,\n\
         103,Cy,1400,baserent,1550\n",
    );
    let rent = table.column(Field::Rent).expect("a column of rents");
    assert_eq!(table.header(rent), "Rent (rrent, rent, baserent)");
    let rents: Vec<&str> = table.rows.iter().map(|row| table.text(row, rent)).collect();
    assert_eq!(rents, ["1295.00", "", "", "", "1550.00"]);
    let read = tenancy::read(&table);
    let rents: Vec<Option<f64>> = read.spaces.iter().map(|space| space.rent).collect();
    assert_eq!(rents, [Some(1295.0), None, Some(1550.0)]);
}
