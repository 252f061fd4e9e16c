//! What a model's calls and texts become: figures, sources, costs.

use serde_json::json;

use super::{Modelled, WIRES};
use crate::harness::app::on_each;
use crate::harness::model_server::Reply;

const TEXT: &str =
    "The going-in cap rate is **6.51 %** [r1.1].\n\nIt is NOI of $612k over the price of $9.4m.";
const CAP_RATE: &str = "We pay $9.4m for NOI of $612k. What is the going-in cap rate?";

#[tokio::test]
async fn a_call_and_its_answer_in_both_wire_forms() {
    on_each("a call of a model", async |place| {
        for wire in WIRES {
            let run = Modelled::start(&place, wire).await;
            let known = json!({ "goal": "going_in_cap_rate", "known": { "noi": "$612k", "price": "$9.4m" } });
            run.model.push(
                Reply::calls([("call_1", "calculate", known)])
                    .usage(2_000, 60)
                    .cached(500),
            );
            run.model.push(Reply::text(TEXT).usage(2_400, 40));
            let answer = run.ask(CAP_RATE).await;
            run.check_requests();
            assert_eq!(answer["status"], "completed", "{wire}: {answer:#}");
            assert_eq!(answer["success"], true);
            assert_eq!(answer["model"], "svc-pro");
            assert_eq!(answer["quickReply"], "The going-in cap rate is 6.51 %.");
            assert!(!answer["result"].as_str().unwrap().contains("r1.1"));
            let figure = &answer["figures"][0];
            assert_eq!(figure["name"], "going_in_cap_rate");
            assert!(
                (figure["value"].as_f64().unwrap() - 612.0 / 9400.0).abs() < 1e-12,
                "{figure:#}"
            );
            assert_eq!(figure["unit"], "percent");
            let inputs = figure["inputs"].as_array().unwrap();
            assert!(
                inputs
                    .iter()
                    .any(|input| input["name"] == "noi" && input["origin"] == "question"),
                "{figure:#}"
            );
            let reasoning = answer["reasoning"].as_str().unwrap();
            assert!(
                reasoning.contains("calculate") && reasoning.contains("612k"),
                "{reasoning}"
            );
            // 1,000 for the run; (2,000 − 500 + 2,400) × 3 + 500 × 0.30 + 100 × 15 for its tokens.
            assert_eq!(
                run.charged(&answer).await,
                1_000 + 3_900 * 3 + 150 + 100 * 15,
                "{wire}"
            );
            let requests = run.model.requests();
            assert_eq!(requests.len(), 2);
            let path = if wire == "openai" {
                "/v1/chat/completions"
            } else {
                "/v1/messages"
            };
            assert_eq!(requests[0].path, path);
            assert_eq!(requests[0].headers["content-type"], "application/json");
            assert_eq!(requests[0].body["model"], "scripted-large");
            assert_eq!(requests[0].body["stream"], true);
            run.app.stop().await;
        }
    })
    .await;
}
