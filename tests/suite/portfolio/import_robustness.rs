//! Interrupted imports, random portfolios and random damage: the data is always that of one complete import.

use std::collections::BTreeSet;
use std::time::Duration;

use corbel::audit::store::Actor;
use corbel::base::ids::OrgId;
use corbel::portfolio::import::run::ImportOptions;
use corbel::portfolio::import::sheet::InputFile;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::harness::app::{Running, on_each};
use crate::harness::command::Dir;
use crate::harness::external;

#[derive(Clone, Debug)]
struct Lease {
    start: i32,
    days: i32,
    rent: i64,
    draft: bool,
    open: bool,
}

#[derive(Clone, Debug)]
struct Unit {
    area: i64,
    rentable: bool,
    leases: Vec<Lease>,
}

fn units() -> impl Strategy<Value = Vec<Unit>> {
    let lease = (
        0..900_i32,
        20..500_i32,
        1..1_000_000_i64,
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.2),
    );
    let lease = lease.prop_map(|(start, days, rent, draft, open)| Lease {
        start,
        days,
        rent,
        draft,
        open,
    });
    let unit = (
        1..900_000_i64,
        prop::bool::weighted(0.9),
        prop::collection::vec(lease, 0..5),
    );
    let unit = unit.prop_map(|(area, rentable, leases)| Unit {
        area,
        rentable,
        leases,
    });
    prop::collection::vec(unit, 1..8)
}

fn day(n: i32) -> chrono::NaiveDate {
    let first = chrono::NaiveDate::from_ymd_opt(2024, 1, 1).expect("a day");
    first + chrono::Duration::days(i64::from(n))
}

/// Formats hundredths as a decimal, as in a file.
fn decimal(hundredths: i64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

fn to_files(units: &[Unit]) -> Vec<InputFile> {
    let mut unit_rows = "unit_id,building_id,unit_number,area_sqft,is_rentable\n".to_owned();
    let mut leases =
        "lease_id,building_id,unit_id,tenant_id,status,start_date,end_date,month_to_month,monthly_rent\n"
            .to_owned();
    for (n, unit) in units.iter().enumerate() {
        unit_rows += &format!("U{n},B1,{n},{},{}\n", decimal(unit.area), unit.rentable);
        for (k, lease) in unit.leases.iter().enumerate() {
            let (start, end) = (day(lease.start), day(lease.start + lease.days));
            let status = if lease.draft { "draft" } else { "active" };
            let rent = decimal(lease.rent);
            leases += &format!(
                "L{n}-{k},B1,U{n},T1,{status},{start},{end},{},{rent}\n",
                lease.open
            );
        }
    }
    // A ledger of three years defines the months.
    let mut ledger = "building_id,month,account_code,category,amount\n".to_owned();
    for month in 0..36 {
        ledger += &format!(
            "B1,{}-{:02}-01,4000,revenue,100.00\n",
            2024 + month / 12,
            month % 12 + 1
        );
    }
    let given = |name: &str, text: String| InputFile {
        name: name.to_owned(),
        bytes: text.into_bytes(),
    };
    vec![
        given("buildings.csv", "building_id,building_name\nB1,Hall\n".to_owned()),
        given("units.csv", unit_rows),
        given(
            "tenants.csv",
            "tenant_id,tenant_name\nT1,\"Ada, \"\"Tenant\"\"\"\n".to_owned(),
        ),
        given("leases.csv", leases),
        given("monthly_financials.csv", ledger),
    ]
}

/// Who is in each unit on a month's last day, computed day by day from the definition.
fn expected(units: &[Unit]) -> BTreeSet<(String, String, i64)> {
    let mut expected = BTreeSet::new();
    for month in 0..36_u32 {
        let (year, own) = (2024 + i32::try_from(month / 12).expect("small"), month % 12 + 1);
        let first = chrono::NaiveDate::from_ymd_opt(year, own, 1).expect("a month");
        let last = first + chrono::Months::new(1) - chrono::Duration::days(1);
        for (n, unit) in units.iter().enumerate().filter(|(_, unit)| unit.rentable) {
            let mut there: Option<(chrono::NaiveDate, String, i64)> = None;
            for (k, lease) in unit.leases.iter().enumerate().filter(|(_, lease)| !lease.draft) {
                let (start, end) = (day(lease.start), day(lease.start + lease.days));
                let in_force = start <= last && (lease.open || last <= end);
                let own = (start, format!("L{n}-{k}"), lease.rent);
                if in_force
                    && there
                        .as_ref()
                        .is_none_or(|other| (&other.0, &other.1) < (&own.0, &own.1))
                {
                    there = Some(own);
                }
            }
            if let Some((_, lease, rent)) = there {
                expected.insert((format!("{first}"), lease, rent));
            }
        }
    }
    expected
}

async fn held(running: &Running, org: OrgId) -> BTreeSet<(String, String, i64)> {
    let rows: Vec<(String, String, i64)> = running
        .services()
        .db
        .query("SELECT CAST(month AS TEXT), lease_id, rent_in_effect FROM unit_month WHERE org_id = $1 AND occupied")
        .bind(org)
        .all()
        .await
        .expect("unit months");
    rows.into_iter().collect()
}

/// Whether the data equals these files: importing them would change nothing.
async fn is_current(running: &Running, org: OrgId, files: Vec<InputFile>) -> bool {
    let wish = ImportOptions {
        dry_run: true,
        ..ImportOptions::default()
    };
    let looked = running
        .services()
        .imports
        .import(Actor::OPERATOR, org, files, wish)
        .await;
    let looked = looked.expect("an outcome");
    looked.acceptable
        && looked
            .counts
            .values()
            .all(|count| count.added + count.changed + count.ended == 0)
}

#[tokio::test]
async fn random_portfolios_round_trip_and_damage_never_leaves_a_partial_import() {
    on_each("random portfolios", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let imports = &running.services().imports;
        let mut runner = TestRunner::default();
        for case in 0..12 {
            let org = running.organization(&format!("Case {case}")).await.id;
            let units = units().new_tree(&mut runner).expect("units").current();
            let files = to_files(&units);
            let done = imports
                .import(Actor::OPERATOR, org, files.clone(), ImportOptions::default())
                .await;
            assert!(done.expect("an outcome").number.is_some(), "{units:?}");
            let before = held(&running, org).await;
            assert_eq!(before, expected(&units), "{units:?}");
            // Bytes inserted, removed and changed at random: the file is refused or imported completely.
            for _ in 0..6 {
                let mut damaged = files.clone();
                let which = (0..damaged.len())
                    .new_tree(&mut runner)
                    .expect("a file")
                    .current();
                let bytes = &mut damaged[which].bytes;
                let at = (0..bytes.len()).new_tree(&mut runner).expect("a place").current();
                match (0..4_u8).new_tree(&mut runner).expect("a way").current() {
                    0 => bytes.truncate(at),
                    1 => bytes[at] = any::<u8>().new_tree(&mut runner).expect("a byte").current(),
                    2 => bytes.insert(at, b'"'),
                    _ => {
                        bytes.remove(at);
                    }
                }
                let outcome = imports
                    .import(Actor::OPERATOR, org, damaged, ImportOptions::default())
                    .await;
                if outcome.expect("an outcome").number.is_some() {
                    // It was accepted with different content: the original files restore their rows.
                    let again = imports
                        .import(Actor::OPERATOR, org, files.clone(), ImportOptions::default())
                        .await;
                    assert!(again.expect("an outcome").number.is_some());
                    assert!(is_current(&running, org, files.clone()).await);
                    break;
                }
                assert_eq!(
                    held(&running, org).await,
                    before,
                    "a refused import changed something"
                );
                assert!(
                    is_current(&running, org, files.clone()).await,
                    "a refused import changed something"
                );
            }
        }
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn two_concurrent_imports_end_as_one_or_the_other() {
    on_each("two imports", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await.id;
        let mut runner = TestRunner::default();
        let sets = [0, 1].map(|_| units().new_tree(&mut runner).expect("units").current());
        let mut tasks = tokio::task::JoinSet::new();
        for units in &sets {
            let (imports, files) = (running.services().imports.clone(), to_files(units));
            tasks.spawn(async move {
                imports
                    .import(Actor::OPERATOR, org, files, ImportOptions::default())
                    .await
            });
        }
        while let Some(ended) = tasks.join_next().await {
            if let Err(error) = ended.expect("no panic") {
                assert_eq!(error.code(), "conflict");
            }
        }
        // Whatever the outcome of the two, the next import has exactly its own rows.
        let last = to_files(&sets[0]);
        let done = running
            .services()
            .imports
            .import(Actor::OPERATOR, org, last, ImportOptions::default())
            .await;
        assert!(done.expect("an outcome").number.is_some());
        let left: i64 = running
            .services()
            .db
            .query(
                "SELECT CAST(COUNT(*) AS BIGINT) FROM portfolio_imports \
                 WHERE org_id = $1 AND state IN ('staging', 'abandoned')",
            )
            .bind(org)
            .scalar()
            .await
            .expect("imports");
        assert_eq!(left, 0);
        assert!(is_current(&running, org, to_files(&sets[0])).await);
        running.stop().await;
    })
    .await;
}

/// The real binary is killed during an import, again and again. It leaves either the old data or all of the new, and
/// the next import works.
#[test]
fn a_killed_import_leaves_the_data_intact() {
    let Some(shared) = external::named("CORBEL_TEST_SHARED", "no import is killed") else {
        return;
    };
    let folder = format!("{shared}/data/portfolio");
    let dir = Dir::new();
    dir.json(&["admin", "org", "create", "--name", "Acme"]);
    let count = |dir: &Dir| {
        let again = dir.json(&[
            "admin",
            "portfolio",
            "import",
            "--org",
            "Acme",
            "--dry-run",
            &folder,
        ]);
        again["counts"]["leases"]["unchanged"].as_u64().expect("a count")
    };
    let whole = 1_532;
    let mut cut = 0;
    for after in [150, 350, 500, 650, 800, 950, 1_100] {
        let mut child = dir
            .command(&["admin", "portfolio", "import", "--org", "Acme", &folder])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(after));
        child.kill().expect("it is killed");
        let ended = child.wait().expect("it ends");
        let held = count(&dir);
        if ended.success() {
            assert_eq!(held, whole);
            break;
        }
        cut += 1;
        assert!(held == 0 || held == whole, "{held} leases after {after} ms");
    }
    assert!(cut > 0, "no import was cut off");
    dir.json(&["admin", "portfolio", "import", "--org", "Acme", &folder]);
    assert_eq!(count(&dir), whole);
}
