//! Which buildings an answer may use. In a shared conversation: those that it is approved for and that the asker
//! may use.

use corbel::audit::store::Actor;
use corbel::portfolio::model::Buildings;
use serde_json::{Value, json};

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::requests::interaction;
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM};

const ASKED: &str = "NOI 1.285m, annual debt service 968k. DSCR?";

/// The buildings that the run of the latest question may use. Null means all that are granted when it runs.
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
async fn a_shared_conversation_is_limited_to_its_own_buildings_and_the_asker_s() {
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
                .conversations
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
            "all of the conversation's buildings, so those granted to her at run time"
        );

        choose(&["B2", "B3"]).await;
        assert_eq!(mention(ALICE).await, json!({ "only": ["B2"] }));
        assert_eq!(mention(BOB).await, json!({ "only": ["B2", "B3"] }));
        choose(&["B3", "no such"]).await;
        assert_eq!(mention(ALICE).await, json!({ "only": [] }), "none, never all");

        // A direct message is not limited, but sharing its answer to the channel is.
        let said = stage.slack.says(DM, ALICE, ASKED);
        stage.post(&said.message()).await;
        stage.running.settle().await;
        assert_eq!(latest(&stage).await, json!(null));
        let answers = stage.slack.final_answers(said.thread());
        let answer = answers.last().expect("an answer");
        choose(&["B1"]).await;
        let mut action = answer.action("Share to a channel…").expect("the choice");
        action["selected_conversation"] = json!(CHANNEL);
        assert_eq!(stage.interact(&interaction(answer, ALICE, &action)).await, 200);
        stage.running.settle().await;
        assert_eq!(latest(&stage).await, json!({ "only": ["B1"] }));
        stage.running.stop().await;
    })
    .await;
}
