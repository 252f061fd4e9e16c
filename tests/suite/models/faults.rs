//! Every fault at the model: what the run becomes, how often it is tried, and what it costs.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Modelled, WIRES};
use crate::harness::app::on_each;
use crate::harness::model_server::{Quirk, Reply};

/// A question that the offline analyst answers exactly.
const EXACT: &str = "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?";

#[tokio::test]
async fn faults_that_pass_are_tried_again() {
    on_each("passing faults of a model", async |place| {
        for wire in WIRES {
            for fault in [
                Reply::status(429).retry_after(1),
                Reply::status(500),
                Reply::status(503),
                Reply::status(529),
                Reply::text("half of it").cut(),
                Reply::hang_up(),
                Reply::garbage(),
            ] {
                let what = format!("{wire}: {fault:?}");
                let run = Modelled::start(&place, wire).await;
                run.model.push(fault);
                run.model
                    .push(Reply::text("Nothing was asked that needs a number."));
                let answer = run.ask("Hello there, how do you do?").await;
                assert_eq!(answer["status"], "completed", "{what}: {answer:#}");
                assert_eq!(answer["model"], "svc-pro", "{what}: {answer:#}");
                assert_eq!(run.model.calls(), 2, "{what}");
                run.app.stop().await;
            }
        }
    })
    .await;
}
