//! Imports whose process dies, and concurrent imports of one organization.

use std::fmt::Write as _;
use std::time::Duration;

use corbel::app::sweep::sweep;
use corbel::audit::store::Actor;
use corbel::base::ids::OrgId;
use corbel::portfolio::import::run::{ImportOptions, Outcome};
use corbel::portfolio::import::sheet::InputFile;
use corbel::portfolio::uploads::{Reading, State};

use crate::harness::app::{Running, on_each};

fn input_file(name: &str, text: String) -> InputFile {
    InputFile {
        name: name.to_owned(),
        bytes: text.into_bytes(),
    }
}

/// A building with this many units, each let for this rent.
fn building(units: u32, rent: u32) -> Vec<InputFile> {
    let mut of_units = String::from("unit_id,building_id,unit_number,area_sqft\n");
    let mut leases =
        String::from("lease_id,building_id,unit_id,tenant_id,start_date,end_date,monthly_rent\n");
    for n in 0..units {
        let _ = writeln!(of_units, "U{n},B1,{n},500");
        let _ = writeln!(leases, "L{n},B1,U{n},T1,2026-01-01,2026-12-31,{rent}");
    }
    vec![
        input_file(
            "buildings.csv",
            "building_id,name,currency\nB1,Birch Court,USD\n".to_owned(),
        ),
        input_file("tenants.csv", "tenant_id,tenant_name\nT1,Ana Abt\n".to_owned()),
        input_file("units.csv", of_units),
        input_file("leases.csv", leases),
    ]
}

async fn count(app: &Running, org: OrgId, text: &'static str) -> i64 {
    let found = app.services().db.query(text).bind(org).scalar().await;
    found.expect("a count")
}

async fn import(app: &Running, org: OrgId, files: Vec<InputFile>) -> Outcome {
    let imports = &app.services().imports;
    let done = imports
        .import(Actor::OPERATOR, org, files, ImportOptions::default())
        .await;
    done.expect("an outcome")
}

const STAGED: &str =
    "SELECT CAST(COUNT(*) AS BIGINT) FROM portfolio_imports WHERE org_id = $1 AND state = 'staging'";
const WRITTEN: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM unit_versions WHERE org_id = $1";
/// The table that is written first.
const BEGUN: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM unit_month_versions WHERE org_id = $1";
const SEEN: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM leases WHERE org_id = $1";

#[tokio::test]
async fn an_import_whose_process_dies_is_reported_and_can_be_repeated() {
    on_each("an import dies", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let uploads = &app.services().uploads;
        let kept = uploads.keep(org.id, org.mara.user, building(1_500, 900), Reading::default());
        let id = kept.await.expect("an upload");
        let die_in_its_midst = async || {
            let own = uploads.clone();
            let org = org.id;
            let importing = tokio::spawn(async move { own.confirm(Actor::OPERATOR, org, id).await });
            // Some rows are written, but the import is not complete.
            app.until("rows are being written", async || {
                count(&app, org, BEGUN).await > 0 && count(&app, org, STAGED).await == 1
            })
            .await;
            importing.abort();
            let _ = importing.await;
        };
        die_in_its_midst().await;
        assert_eq!(count(&app, org.id, SEEN).await, 0);
        // Its death is not detected at once; a little later it is reported, with instructions.
        assert_eq!(uploads.open(org.id, id).await.expect("it").state, State::Running);
        uploads
            .confirm(Actor::OPERATOR, org.id, id)
            .await
            .expect("nothing happens");
        assert_eq!(uploads.open(org.id, id).await.expect("it").state, State::Running);
        app.services().clock.advance(Duration::from_secs(60));
        let died = uploads.open(org.id, id).await.expect("it");
        assert_eq!(died.state, State::Failed);
        let why = died.why.expect("a reason");
        assert!(
            why.contains("was interrupted") && why.contains("import it again"),
            "{why}"
        );
        uploads
            .confirm(Actor::OPERATOR, org.id, id)
            .await
            .expect("it is imported");
        let done = uploads.open(org.id, id).await.expect("it");
        assert_eq!((done.state, done.why), (State::Done, None));
        assert_eq!(count(&app, org.id, SEEN).await, 1_500);
        assert_eq!(count(&app, org.id, WRITTEN).await, 1_500);
        // An abandoned import leaves no rows either.
        let other = uploads.keep(org.id, org.mara.user, building(1_500, 950), Reading::default());
        let other = other.await.expect("an upload");
        let own = uploads.clone();
        let own_org = org.id;
        let importing = tokio::spawn(async move { own.confirm(Actor::OPERATOR, own_org, other).await });
        app.until("rows are being written", async || {
            count(&app, own_org, STAGED).await == 1
        })
        .await;
        importing.abort();
        let _ = importing.await;
        app.services().clock.advance(Duration::from_secs(25 * 3600));
        let swept = sweep(app.services()).await.expect("it is swept");
        assert_eq!(swept.imports, 1);
        assert_eq!(count(&app, own_org, STAGED).await, 0);
        let rents =
            "SELECT CAST(COUNT(*) AS BIGINT) FROM lease_versions WHERE org_id = $1 AND monthly_rent <> 90000";
        assert_eq!(count(&app, own_org, rents).await, 0);
        let open = "SELECT CAST(COUNT(*) AS BIGINT) FROM lease_versions WHERE org_id = $1 \
                    AND until_import = 9223372036854775807";
        assert_eq!(
            count(&app, own_org, open).await,
            1_500,
            "the rows that it ended are current again"
        );
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn concurrent_imports_of_the_same_files_are_stored_once() {
    on_each("the same at once", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await.id;
        let other = app.organization("Other House").await.id;
        import(&app, org, building(120, 800)).await;
        import(&app, other, building(40, 700)).await;
        let mut tasks = tokio::task::JoinSet::new();
        for n in 0..6 {
            let imports = app.services().imports.clone();
            // Imports of another organization do not interfere.
            let (whose, files) = if n % 3 == 2 {
                (other, building(40, 700))
            } else {
                (org, building(120, 900))
            };
            tasks.spawn(async move {
                (
                    whose,
                    imports
                        .import(Actor::OPERATOR, whose, files, ImportOptions::default())
                        .await,
                )
            });
        }
        while let Some(ended) = tasks.join_next().await {
            let (whose, ended) = ended.expect("no panic");
            match ended {
                Ok(done) => assert!(done.number.is_some(), "{:?}", done.findings),
                Err(error) => assert_eq!(error.code(), "conflict", "{whose}: {error}"),
            }
        }
        for (whose, units, rent) in [(org, 120, 900), (other, 40, 700)] {
            let again = import(&app, whose, building(units, rent)).await;
            let leases = again.counts["leases"];
            assert_eq!(leases.added, 0, "{leases:?}");
            let again = import(&app, whose, building(units, rent)).await;
            let leases = again.counts["leases"];
            assert_eq!(
                (leases.added, leases.changed, leases.ended),
                (0, 0, 0),
                "{leases:?}"
            );
            assert_eq!(count(&app, whose, SEEN).await, i64::from(units));
            let open = "SELECT CAST(COUNT(*) AS BIGINT) FROM lease_versions WHERE org_id = $1 \
                        AND until_import = 9223372036854775807";
            assert_eq!(count(&app, whose, open).await, i64::from(units));
            assert_eq!(count(&app, whose, STAGED).await, 0);
        }
        app.stop().await;
    })
    .await;
}
