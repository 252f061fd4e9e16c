//! Names in a portfolio are found in any form of their letters and in any case, on both databases.

use std::sync::Arc;

use corbel::analysis::engine::Engine as _;
use corbel::analysis::engines::offline::OfflineAnalyst;
use corbel::analysis::tools::kit::Tools;
use corbel::analysis::tools::portfolio::PortfolioTool;
use corbel::audit::store::Actor;
use corbel::portfolio::import::run::ImportOptions;
use corbel::portfolio::import::sheet::InputFile;
use corbel::portfolio::model::Buildings;

use super::analyst_fixture::brief;
use super::workbook_builder::{Cell, workbook};
use crate::harness::app::{Org, Place, Running, on_each};
use crate::harness::engine::draft_of;

/// Some letters of the files are composed, others are not.
const BUILDINGS: &str =
    "building_id,name,city,currency\nB1,Re\u{301}sidence Zoë,Genève,EUR\nB2,U\u{308}belhof,Zürich,EUR\n";
const TENANTS: &str = "tenant_id,tenant_name\nT1,Cafe\u{301} Zoë\nT2,ÉCOLE BLEUE\nT3,Plain Deli\n";
const UNITS: &str = "unit_id,building_id,unit_number,area_sqft\nU1,B1,1,500\nU2,B2,1,500\nU3,B2,2,500\n";
const LEASES: &str = "lease_id,building_id,unit_id,tenant_id,start_date,end_date,monthly_rent\n\
                      L1,B1,U1,T1,2020-01-01,2030-12-31,900\nL2,B2,U2,T2,2020-01-01,2031-12-31,800\n\
                      L3,B2,U3,T3,2020-01-01,2032-12-31,700\n";

struct Stage {
    running: Running,
    org: Org,
}

impl Stage {
    async fn set(place: &Arc<Place>) -> Self {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await;
        let files = [
            ("buildings.csv", BUILDINGS),
            ("tenants.csv", TENANTS),
            ("units.csv", UNITS),
            ("leases.csv", LEASES),
        ];
        let files = files.map(|(name, text)| InputFile {
            name: name.to_owned(),
            bytes: text.as_bytes().to_vec(),
        });
        let imports = &running.services().imports;
        let done = imports
            .import(Actor::OPERATOR, org.id, files.into(), ImportOptions::default())
            .await
            .expect("an outcome");
        assert!(done.number.is_some(), "{:?}", done.findings);
        Self { running, org }
    }

    async fn says(&self, question: &str) -> String {
        let services = self.running.services();
        let (metrics, semantic) = (services.metrics.clone(), services.semantic.clone());
        let tools = Tools {
            portfolio: Some(PortfolioTool::new(metrics, semantic, self.org.id, Buildings::All)),
            ..Tools::default()
        };
        let answered = OfflineAnalyst::default().answer(&brief(question), &tools).await;
        draft_of(answered.expect("an answer")).result
    }

    /// Stores the names as an earlier version did, in the form of the file.
    async fn store_as_in_the_files(&self) {
        let org = self.org.id;
        let stored = self.running.services().db.write(move |tx| {
            Box::pin(async move {
                let tenant = "UPDATE tenant_versions SET name = $1 WHERE org_id = $2 AND id = $3";
                let building = "UPDATE buildings SET name = $1 WHERE org_id = $2 AND id = $3";
                for (update, name, id) in [
                    (tenant, "Cafe\u{301} Zoe\u{308}", "T1"),
                    (tenant, "E\u{301}COLE BLEUE", "T2"),
                    (building, "Re\u{301}sidence Zoe\u{308}", "B1"),
                ] {
                    let changed = tx.query(update).bind(name).bind(org).bind(id).execute().await?;
                    assert_eq!(changed, 1, "{name}");
                }
                Ok(())
            })
        });
        stored.await.expect("stored");
    }
}

#[tokio::test]
async fn names_are_found_in_any_form() {
    on_each("letters of names", |place| async move {
        let stage = Stage::set(&place).await;
        for stored in ["composed", "as in the files"] {
            for (question, answer) in [
                ("What does Café Zoë pay us a month?", "900"),
                ("What does Cafe\u{301} Zoe\u{308} pay us a month?", "900"),
                ("What does CAFÉ ZOË pay us a month?", "900"),
                ("What does École Bleue pay us a month?", "800"),
                ("What does Plain Deli pay us a month?", "700"),
                ("What is the monthly rent at Résidence Zoë?", "900"),
                ("What is the monthly rent at RE\u{301}SIDENCE ZOE\u{308}?", "900"),
                ("What is the monthly rent at Übelhof?", "1,500"),
                ("What is the monthly rent in Zu\u{308}rich?", "1,500"),
            ] {
                let said = stage.says(question).await;
                assert!(said.contains(answer), "{stored}: {question}: {said}");
            }
            stage.store_as_in_the_files().await;
        }
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn names_are_stored_with_composed_letters() {
    on_each("letters of imports", |place| async move {
        let stage = Stage::set(&place).await;
        let rows = [["tenant_id", "tenant_name"], ["T4", "Cafe\u{301} Zwei"]]
            .map(|row| row.map(Cell::Text).to_vec());
        let file = InputFile {
            name: "tenants.xlsx".to_owned(),
            bytes: workbook(&rows),
        };
        let imports = &stage.running.services().imports;
        let done = imports
            .import(
                Actor::OPERATOR,
                stage.org.id,
                vec![file],
                ImportOptions::default(),
            )
            .await
            .expect("an outcome");
        assert!(done.number.is_some(), "{:?}", done.findings);
        let db = stage.running.services().db.clone();
        let names: Vec<(String,)> = db
            .read()
            .query("SELECT name FROM tenants WHERE org_id = $1 ORDER BY id")
            .bind(stage.org.id)
            .all()
            .await
            .expect("names");
        let names: Vec<&str> = names.iter().map(|(name,)| name.as_str()).collect();
        assert!(names.contains(&"Café Zwei"), "{names:?}");
        stage.running.stop().await;
    })
    .await;
}
