//! Rents count of those who live there; balances of everybody who owes them, also of those who have left.

use super::uncertain::talk;

/// The first figure of an answer, and who it is about.
fn figure(file: &str, question: &str) -> (f64, String) {
    let draft = talk(file, &[question]);
    assert!(draft.success, "{question}: {}", draft.quick_reply);
    let value = draft.figures[0].value.as_f64().expect("a number");
    (value, draft.quick_reply)
}

#[test]
fn balances_of_people_who_left_are_counted_in_a_rent_roll() {
    let roll = "Unit,Tenant,Status,Rent,Balance\n\
        1,Ann,Current,1000,50\n\
        2,Ben,Current,1100,0\n\
        3,Cal,Past,0,2400\n\
        4,,Vacant,0,0\n";
    assert_eq!(figure(roll, "What is the total balance?").0, 2450.0);
    let (most, reply) = figure(roll, "Who owes the most?");
    assert_eq!(most, 2400.0);
    assert!(reply.contains("Cal"), "{reply}");
}

#[test]
fn every_row_of_a_list_of_balances_is_counted() {
    let list = "Status,Name,Unit,Balance,Days\n\
        Current,Ivy Long,1,250,12\n\
        Current,Jay Moss,2,1800,65\n\
        Past,Kim Nash,3,3100,180\n\
        Evicted,Lee Ott,4,5400,240\n";
    assert_eq!(figure(list, "What is the total balance?").0, 10550.0);
    let aged = "Resident,Unit,Status,Charge Code,0-30,31-60,61-90,Over 90,Balance\n\
        Ames,1,Current,rent,900,0,0,0,900\n\
        Ames,1,Current,late,50,50,0,0,100\n\
        Bell,2,Past,rent,0,0,700,800,1500\n\
        Bell,2,Past,late,0,0,0,75,75\n";
    assert_eq!(figure(aged, "How much is owed over 60 days?").0, 1575.0);
    assert_eq!(figure(aged, "What is the total balance?").0, 2575.0);
}

#[test]
fn rents_next_to_units_without_a_tenant_are_left_out() {
    let roll = "unit,tenant,status,sf,rent,lease_end\n\
        101,\"Bell, Dia\",Occupied,647,1635.37,07/19/2027\n\
        102,,Vacant,455,1485.00,\n\
        103,,Down,455,1485.00,\n\
        104,\"Hale, Ray\",Occupied,647,1620.77,05/16/2027\n\
        105,,Model,455,1485.00,\n";
    let (total, reply) = figure(roll, "What is the total monthly rent?");
    assert!((total - 3256.14).abs() < 0.005, "{reply}");
}
