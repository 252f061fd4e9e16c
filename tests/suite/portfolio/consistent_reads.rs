//! Consistent reads: an answer uses the data of one import, and cites it.

use corbel::audit::store::Actor;
use corbel::base::ids::OrgId;
use corbel::portfolio::import::run::ImportOptions;
use corbel::portfolio::import::sheet::InputFile;
use corbel::portfolio::metrics::service::View;
use corbel::portfolio::model::Buildings;
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Query, Time};
use serde_json::json;

use crate::api::runs::{api, run};
use crate::harness::app::{Running, on_each};

/// A rent roll of two units, one or both of them let, each for this rent.
fn roll(rent: u32, second: bool) -> String {
    let (name, paid) = if second {
        ("Bo Berg", rent.to_string())
    } else {
        ("VACANT", String::new())
    };
    format!(
        "Birch Court (b1)\nAs of: 10/31/2026\n\
         Unit,Unit Type,Sqft,Tenant,Market Rent,Rent,Lease From,Lease To\n\
         101,1/1.00,700,Ana Abt,1500.00,{rent},01/15/2026,01/14/2027\n\
         102,2/1.00,900,{name},1900.00,{paid},{},{}\n",
        if second { "02/01/2026" } else { "" },
        if second { "01/31/2027" } else { "" },
    )
}

async fn import(app: &Running, org: OrgId, text: String) {
    let files = vec![InputFile {
        name: "roll.csv".to_owned(),
        bytes: text.into_bytes(),
    }];
    let imports = &app.services().imports;
    let done = imports
        .import(Actor::OPERATOR, org, files, ImportOptions::default())
        .await;
    let done = done.expect("an outcome");
    assert!(done.number.is_some(), "{:?}", done.findings);
}

async fn of(view: &mut View, metric: Metric) -> Option<f64> {
    let day = chrono::NaiveDate::from_ymd_opt(2026, 10, 31).expect("a day");
    let measured = view.measure(&Query::of(metric, Time::Day(day))).await;
    measured.expect("a measure").whole.map(|point| point.value)
}

#[tokio::test]
async fn an_import_between_two_reads_does_not_affect_an_answer() {
    on_each("one moment", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await.id;
        import(&app, org, roll(1_400, false)).await;
        let view = || app.services().metrics.view(org, Buildings::All);
        let mut before = view().await.expect("a view");
        assert_eq!(of(&mut before, Metric::MonthlyRent).await, Some(1_400.0));
        // Two imports: the first one's rows are removed once the second is complete.
        import(&app, org, roll(1_500, true)).await;
        import(&app, org, roll(1_600, true)).await;
        assert_eq!(of(&mut before, Metric::MonthlyRent).await, Some(1_400.0));
        assert_eq!(of(&mut before, Metric::Occupancy).await, Some(0.5));
        let overview = before.overview().await.expect("an overview");
        assert_eq!(overview.all.rent, Some(1_400.0));
        before.end().await.expect("its end");
        let mut after = view().await.expect("a view");
        assert_eq!(of(&mut after, Metric::MonthlyRent).await, Some(3_200.0));
        assert_eq!(of(&mut after, Metric::Occupancy).await, Some(1.0));
        after.end().await.expect("its end");
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_answer_cites_its_data() {
    on_each("data models as sources", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        import(&app, org.id, roll(1_400, false)).await;
        let granted = app.services().portfolio.grant(Actor::OPERATOR, org.id, org.mara.user, Buildings::All);
        granted.await.expect("a grant");
        let mara = api(&app, &org.mara).await;
        let question = json!({ "question": "What is the occupancy of my portfolio?", "wait": true });
        let done = run(&mara, question).await.expect(200);
        assert_eq!(done["figures"][0]["value"], 0.5, "{done}");
        let source = json!({
            "kind": "data_model", "name": "occupancy", "title": "Occupancy by month", "asOf": "2026-10-31T00:00:00Z",
        });
        assert_eq!(done["sources"], json!([source]), "{done}");
        // A calculation without portfolio data cites none.
        let plain = json!({ "question": "DSCR with NOI of 2 m and debt service of 1 m?", "wait": true });
        let plain = run(&mara, plain).await.expect(200);
        assert_eq!(plain["sources"], json!([]), "{plain}");
        app.stop().await;
    })
    .await;
}
