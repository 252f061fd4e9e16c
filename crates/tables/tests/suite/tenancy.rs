//! Rent rolls: states of spaces, paid and asking rents, charges.

use tables::tenancy::{self, About, Space, State, Tenancy};
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
    let rents: Vec<Option<f64>> = read.spaces.iter().map(Space::rent).collect();
    assert_eq!(rents, [Some(1295.0), None, Some(1550.0)]);
}

#[test]
fn a_bed_of_an_apartment_is_a_space() {
    let read = read(
        "Building,Apartment,Bed,Resident,Status,Rent\nNorth,101,A,Ann,Leased,799\nNorth,101,B,Ben,Leased,789\n\
         North,101,C,,Vacant,\nNorth,102,A,Cy,Leased,789\nNorth,102,B,Fay,Pending,\nSouth,102,A,Dee,Leased,750\n\
         South,102,B,Eve,Leased,755\n",
    );
    assert_eq!(read.spaces.len(), 7);
    assert!(read.doubts.is_empty(), "{:?}", read.doubts);
    assert_eq!(read.spaces.iter().filter_map(Space::rent).sum::<f64>(), 3882.0);
}

#[test]
fn a_unit_that_is_listed_twice_counts_once() {
    for (header, one, other) in [("Beds", "2", "2"), ("Type", "A", "B"), ("Bed", "A", "A")] {
        let read = read(&format!(
            "Unit,{header},Tenant,Rent\n101,{one},Ann,1000\n101,{other},Ben,900\n102,{one},Cy,800\n"
        ));
        assert_eq!((read.spaces.len(), read.doubts.len()), (2, 1), "{header}");
    }
}

#[test]
fn a_section_of_another_building_has_units_of_its_own() {
    let roll = |one: &str, other: &str| {
        read(&format!(
            "Apt,Tenant,Rent\n{one},,\n1,Adams,900\n2,Brown,925\n{other},,\n1,Clark,1150\n2,Davis,1175\n3,Evans,950\n"
        ))
    };
    let places = roll("OAK MANOR", "PINE MANOR");
    assert_eq!((places.spaces.len(), places.doubts.len()), (5, 0));
    let people = roll("Current Residents", "Residents on Notice");
    assert_eq!((people.spaces.len(), people.doubts.len()), (3, 1));
    let future = roll("Current Residents", "Future Residents");
    assert_eq!((future.spaces.len(), future.doubts.len()), (3, 0));
}
