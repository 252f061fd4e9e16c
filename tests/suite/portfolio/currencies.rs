//! Currencies whose minor unit is not a hundredth: every kind of question gets the amounts of the file.

use corbel::audit::store::Actor;
use corbel::portfolio::import::run::ImportOptions;
use corbel::portfolio::import::sheet::InputFile;
use corbel::portfolio::model::Buildings;
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Only, Query, Time};
use serde_json::json;

use crate::harness::app::on_each;

#[tokio::test]
async fn amounts_match_the_file_in_every_currency() {
    on_each("minor units", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        for (currency, rent) in [("USD", "1500.25"), ("JPY", "150025"), ("KWD", "1500.125")] {
            let org = app.organization(currency).await.id;
            let file = |name: &str, text: String| InputFile {
                name: name.to_owned(),
                bytes: text.into_bytes(),
            };
            let files = vec![
                file("buildings.csv", format!("building_id,name,currency\nB1,House,{currency}\n")),
                file("tenants.csv", "tenant_id,tenant_name\nT1,Ana\n".to_owned()),
                file(
                    "units.csv",
                    "unit_id,building_id,unit_number,area_sqft\nU1,B1,1,500\n".to_owned(),
                ),
                file(
                    "leases.csv",
                    format!(
                        "lease_id,building_id,unit_id,tenant_id,start_date,end_date,monthly_rent\n\
                         L1,B1,U1,T1,2020-01-01,2030-12-31,{rent}\n"
                    ),
                ),
                file(
                    "accounts.csv",
                    "account_code,account_name,category,statement_sign,included_in_noi\n4000,Rent,revenue,+,true\n"
                        .to_owned(),
                ),
                file(
                    "monthly_financials.csv",
                    format!("building_id,month,account_code,amount\nB1,2026-10-01,4000,{rent}\n"),
                ),
            ];
            let imports = &app.services().imports;
            let done = imports.import(Actor::OPERATOR, org, files, ImportOptions::default()).await;
            let done = done.expect("an outcome");
            assert!(done.number.is_some(), "{currency}: {:?}", done.findings);
            let day = chrono::NaiveDate::from_ymd_opt(2026, 10, 31).expect("a day");
            let said: f64 = rent.parse().expect("a number");
            let mut view = app.services().metrics.view(org, Buildings::All).await.expect("a view");
            let measured = view.measure(&Query::of(Metric::MonthlyRent, Time::Day(day))).await;
            let point = measured.expect("a measure").whole.expect("a value");
            assert!((point.value - said).abs() < 1e-6, "{currency}: {point:?}");
            assert_eq!(point.unit, currency);
            let tenants = view.tenants(None, (None, &Only::default()), day).await.expect("tenants");
            assert!((tenants[0].annual_rent - said * 12.0).abs() < 1e-6, "{currency}: {tenants:?}");
            view.end().await.expect("its end");
            let query = json!({ "measures": ["financials.egi"] });
            let semantic = &app.services().semantic;
            let answer = semantic.query(org, &Buildings::All, &query).await.expect("an answer");
            let value = answer.data[0]["financials.egi"].as_f64().expect("a number");
            assert!((value - said).abs() < 1e-6, "{currency}: {value}");
        }
        app.stop().await;
    })
    .await;
}
