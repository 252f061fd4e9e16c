//! Tables that people attach or paste: calculated over, cited, and available to later questions of the thread. Names
//! in tables and portfolios never become markup or mentions.

use std::sync::Arc;

use corbel::audit::store::Actor;
use corbel::portfolio::import::run::ImportOptions;
use corbel::portfolio::import::sheet::InputFile;
use corbel::portfolio::model::Buildings;

use crate::chat::slack_flow::Stage;
use crate::harness::app::{Place, on_each};
use crate::harness::slack::{ALICE, DM, StoredFile};

const ROLL: &str = "unit,status,sqft,market_rent,contract_rent\n1,occupied,700,1500,1450\n2,vacant,700,1500,\n\
                    3,occupied,900,1900,1850\n4,occupied,900,1900,1900\n";

async fn set(place: &Arc<Place>) -> Stage {
    let stage = Stage::set(place).await;
    stage.link(ALICE, stage.org.mara.user).await;
    stage
}

#[tokio::test]
async fn an_attached_table_is_calculated_over_and_available_in_the_thread() {
    on_each("tables in Slack", async |place| {
        let stage = set(&place).await;
        let file = StoredFile::new("roll.csv", "text/csv", ROLL.as_bytes());
        let first = stage.slack.shares_files(
            DM,
            ALICE,
            "How full is the building in the attached rent roll?",
            vec![file],
        );
        assert_eq!(stage.post(&first.message()).await, 200);
        stage.running.settle().await;
        let said = stage.said(first.thread()).join("\n");
        assert!(said.contains("75%") && said.contains("roll.csv"), "{said}");
        let next = "And the monthly loss to lease on that rent roll?";
        let next = stage.slack.replies(DM, ALICE, first.thread(), next);
        assert_eq!(stage.post(&next.message()).await, 200);
        stage.running.settle().await;
        let said = stage.said(first.thread());
        let last = said.last().expect("an answer");
        assert!(last.contains("100") && last.contains("roll.csv"), "{said:?}");
        // Pasted instead of attached.
        let pasted = format!("What is the occupancy in this rent roll?\n```\n{ROLL}```");
        let pasted = stage.slack.says(DM, ALICE, &pasted);
        assert_eq!(stage.post(&pasted.message()).await, 200);
        stage.running.settle().await;
        let said = stage.said(pasted.thread()).join("\n");
        assert!(said.contains("75%"), "{said}");
    })
    .await;
}

/// A building, a tenant and a unit type whose names look like markup, a link and a mention of everybody.
const HOSTILE: &str = "building_id,name,city,currency\n\
    B1,\"<!channel> *Bold* | [Court](https://evil.example)\",\"<@U0ALL>_x_\",USD\nB2,Plain House,Austin,USD\n";

#[tokio::test]
async fn names_from_files_are_never_markup_nor_mentions() {
    on_each("hostile names", async |place| {
        let stage = set(&place).await;
        let file = |name: &str, text: &str| InputFile {
            name: name.to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let files = vec![
            file("buildings.csv", HOSTILE),
            file(
                "tenants.csv",
                "tenant_id,tenant_name\nT1,\"=HYPERLINK(\"\"https://evil.example\"\")<!here>\"\nT2,Bo\n",
            ),
            file(
                "units.csv",
                "unit_id,building_id,unit_number,area_sqft\nU1,B1,1,500\nU2,B2,1,500\n",
            ),
            file(
                "leases.csv",
                "lease_id,building_id,unit_id,tenant_id,start_date,end_date,monthly_rent\n\
                 L1,B1,U1,T1,2020-01-01,2030-12-31,900\nL2,B2,U2,T2,2020-01-01,2030-12-31,800\n",
            ),
        ];
        let imports = &stage.running.services().imports;
        let done = imports
            .import(Actor::OPERATOR, stage.org.id, files, ImportOptions::default())
            .await;
        let done = done.expect("an outcome");
        assert!(done.number.is_some(), "{:?}", done.findings);
        let portfolio = &stage.running.services().portfolio;
        let granted = portfolio.grant(Actor::OPERATOR, stage.org.id, stage.org.mara.user, Buildings::All);
        granted.await.expect("a grant");
        for question in [
            "Occupancy by property",
            "Occupancy by city",
            "Who are my largest tenants?",
        ] {
            let asked = stage.slack.says(DM, ALICE, question);
            assert_eq!(stage.post(&asked.message()).await, 200);
            stage.running.settle().await;
            let raw = stage.slack.answers(asked.thread());
            let raw = raw.last().expect("an answer");
            let shown = raw.shown();
            assert!(
                shown.contains("100.00%") || shown.contains("$10,800"),
                "{question}: {shown}"
            );
            for mention in ["<!channel", "<!here", "<@U0ALL", "](https://evil"] {
                assert!(!shown.contains(mention), "{question}: {mention} in {shown}");
            }
        }
    })
    .await;
}
