//! Which buildings an answer may use: in a shared conversation those that it was approved for and the asker
//! may use, whoever asks and whichever way.

use corbel::audit::store::Actor;
use corbel::portfolio::model::Buildings;
use serde_json::{Value, json};

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::requests::press;
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM};

const ASKED: &str = "NOI 1.285m, annual debt service 968k. DSCR?";

/// The buildings that the run of the latest question may use; null: what is granted when it runs.
async fn latest(stage: &Stage) -> Value {
    let rows: Vec<(sqlx::types::Json<Value>,)> = stage
        .running
        .services()
        .db
        .query(
            "SELECT payload FROM jobs WHERE org_id = $1 AND kind = 'analysis.run' ORDER BY id DESC LIMIT 1",
        )
        .bind(stage.org.id)
        .all()
        .await
        .expect("jobs");
    rows.first().expect("a run").0.0["selection"]["buildings"].clone()
}

#[tokio::test]
async fn a_shared_conversation_has_its_own_set_and_nobody_gets_more_than_their_own() {
    on_each("chat_buildings", |place| async move {
        let stage = Stage::set(&place).await;
        let (org, at) = (stage.org.id, stage.at.slack.id);
        let services = stage.running.services();
        for id in ["B1", "B2", "B3"] {
            services
                .portfolio
                .put_building(Actor::SYSTEM, org, id, id)
                .await
                .expect("a building");
        }
        // Alice is a member with two buildings, Bob an administrator with all.
        stage.link(ALICE, stage.org.mara.user).await;
        stage.link(BOB, stage.org.noel.user).await;
        stage.promote(stage.org.noel.user).await;
        let hers = Buildings::Only(["B1".to_owned(), "B2".to_owned()].into());
        services
            .portfolio
            .grant(Actor::OPERATOR, org, stage.org.mara.user, hers)
            .await
            .expect("granted");
        stage.approve(CHANNEL).await;
        let choose = async |ids: &[&str]| {
            let set = ids.iter().map(|id| (*id).to_owned()).collect();
            services
                .assistants
                .set_buildings(Actor::SYSTEM, org, at, CHANNEL, Some(set))
                .await
                .expect("chosen");
        };
        let mention = async |user: &str| {
            let said = stage.slack.says(CHANNEL, user, &format!("<@U0BOT> {ASKED}"));
            stage.post(&said.mention()).await;
            stage.running.settle().await;
            latest(&stage).await
        };
        assert_eq!(
            mention(ALICE).await,
            json!(null),
            "all of the conversation's: what she has then"
        );

        choose(&["B2", "B3"]).await;
        assert_eq!(mention(ALICE).await, json!({ "only": ["B2"] }));
        assert_eq!(mention(BOB).await, json!({ "only": ["B2", "B3"] }));
        choose(&["B3", "no such"]).await;
        assert_eq!(mention(ALICE).await, json!({ "only": [] }), "none, never all");

        // Direct messages are not narrowed; what is shared from there is.
        let said = stage.slack.says(DM, ALICE, ASKED);
        stage.post(&said.message()).await;
        stage.running.settle().await;
        assert_eq!(latest(&stage).await, json!(null));
        let answers = stage.slack.final_answers(said.thread());
        let answer = answers.last().expect("an answer");
        choose(&["B1"]).await;
        let mut action = answer.action("Share to a channel…").expect("the choice");
        action["selected_conversation"] = json!(CHANNEL);
        assert_eq!(stage.interact(&press(answer, ALICE, &action)).await, 200);
        stage.running.settle().await;
        assert_eq!(latest(&stage).await, json!({ "only": ["B1"] }));
        stage.running.stop().await;
    })
    .await;
}
