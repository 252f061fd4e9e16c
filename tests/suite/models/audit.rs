//! Numbers of an answer: traced, put to the model once, then marked; and the figure that was asked.

use serde_json::{Value, json};

use super::{Modelled, WIRES};
use crate::harness::app::on_each;
use crate::harness::model_server::Reply;

const QUESTION: &str = "We pay $9.4m for NOI of $612k, debt service $420k. Cap rate and DSCR?";

/// Calls for the cap rate and the DSCR.
fn calls() -> Reply {
    Reply::calls([
        (
            "a",
            "calculate",
            json!({ "goal": "going_in_cap_rate", "known": { "noi": "$612k", "price": "$9.4m" } }),
        ),
        (
            "b",
            "calculate",
            json!({ "goal": "dscr", "known": { "noi": "$612k", "debt_service": "$420k" } }),
        ),
    ])
}

/// Asks, and gives the answer and how many requests the model got.
async fn answered(run: &Modelled, replies: &[&str]) -> (Value, usize) {
    let before = run.model.calls();
    run.model.push(calls());
    for text in replies {
        run.model.push(Reply::text(*text));
    }
    let answer = run.ask(QUESTION).await;
    assert_eq!(answer["status"], "completed", "{answer:#}");
    (answer, run.model.calls() - before)
}

#[tokio::test]
async fn a_number_without_a_source_is_corrected_once_and_then_marked() {
    on_each("untraced numbers", async |place| {
        for wire in WIRES {
            let run = Modelled::start(&place, wire).await;
            let wrong = "The cap rate is **6.51 %** and the DSCR 1.46x. Comparable deals trade at 5.35 %.";
            let right = "The cap rate is **6.51 %** and the DSCR 1.46x.";
            let (answer, calls) = answered(&run, &[wrong, right]).await;
            assert_eq!((answer["result"].as_str(), calls), (Some(right), 3), "{answer:#}");
            assert_eq!(answer["warnings"], json!([]), "{answer:#}");
            let asked = run.last_prompt();
            assert!(
                asked.contains("in nothing that you were given: 5.35 %"),
                "{asked}"
            );

            let (answer, calls) = answered(&run, &[wrong, wrong]).await;
            let text = answer["result"].as_str().expect("a text");
            assert!(text.ends_with("trade at 5.35 % (unverified)."), "{text}");
            assert!(text.contains("**6.51 %** and the DSCR 1.46x."), "{text}");
            assert_eq!(calls, 3);
            assert!(
                answer["warnings"][0]
                    .as_str()
                    .is_some_and(|text| text.contains("5.35 %")),
                "{answer:#}"
            );
            run.check_requests();
            run.app.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_number_does_not_become_known_by_being_said() {
    on_each("untraced numbers said before", async |place| {
        let run = Modelled::start(&place, "openai").await;
        let wrong = "Comparable deals trade at 5.35 %.";
        let (first, _) = answered(&run, &[wrong, wrong]).await;
        assert!(first["result"].to_string().contains("(unverified)"), "{first:#}");
        // In the next turn, and as the argument of a call that computes nothing.
        let search = json!({ "query": "deals at 5.35 %" });
        run.model.push(Reply::calls([("s", "search_notes", search)]));
        run.model.push(Reply::text(wrong));
        run.model.push(Reply::text(wrong));
        let body = json!({ "question": "And the comparable deals?", "sessionId": first["sessionId"] });
        let second = run.ask_with(body).await;
        assert!(
            second["result"].to_string().contains("5.35 % (unverified)"),
            "{second:#}"
        );
        // A note keeps no such number either.
        let save = json!({
            "scope": "personal", "title": "Deals", "body": "Deals trade at 5.35 %.",
            "userRequest": "remember what deals trade at",
        });
        run.model.push(Reply::calls([("n", "save_note", save)]));
        run.model.push(Reply::text("I cannot."));
        run.ask("Please remember what deals trade at.").await;
        let found = run
            .api
            .post("/users/memory/search", &json!({ "query": "deals" }))
            .await
            .expect(200);
        assert_eq!(found["results"], json!([]), "{found}");
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_figure_that_was_asked_is_the_headline() {
    on_each("headline figures", async |place| {
        let run = Modelled::start(&place, "openai").await;
        // Not stated: put to the model, then named.
        let (answer, calls) = answered(&run, &["The NOI is $612k.", "The NOI is $612k."]).await;
        assert_eq!(calls, 3);
        assert!(
            answer["warnings"]
                .to_string()
                .contains("does not state what was asked: dscr: 1.4571"),
            "{answer:#}"
        );
        // Under another name.
        let swapped = "The DSCR is 6.51 %. The cap rate is 1.46.";
        let (answer, _) = answered(&run, &[swapped, swapped]).await;
        let warnings = answer["warnings"].to_string();
        assert!(
            warnings.contains("next to the dscr") && warnings.contains("next to the going in cap rate"),
            "{answer:#}"
        );
        // An intermediate result comes first in the text; the quick reply has what was asked.
        run.model.push(Reply::calls([(
            "a",
            "calculate",
            json!({ "goal": "noi", "known": { "egi": "$900k", "operating_expenses": "$288k" } }),
        )]));
        run.model.push(Reply::calls([(
            "b",
            "calculate",
            json!({ "goal": "going_in_cap_rate", "known": { "noi": "r1.1", "price": "$9.4m" } }),
        )]));
        run.model.push(Reply::text(
            "The NOI comes to $612,000.\n\nThis has two steps.\n\nThe going-in cap rate is 6.51 %.",
        ));
        let answer = run.ask("EGI $900k, expenses $288k, price $9.4m: cap rate?").await;
        assert_eq!(
            answer["quickReply"], "The going-in cap rate is 6.51 %.",
            "{answer:#}"
        );
        assert_eq!(answer["warnings"], json!([]), "{answer:#}");
        run.app.stop().await;
    })
    .await;
}
