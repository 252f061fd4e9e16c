//! Each kind of call, from the model's words to the answer.

use corbel::app::demo::portfolio;
use serde_json::{Value, json};

use super::Modelled;
use crate::harness::app::on_each;
use crate::harness::model_server::Reply;

/// The results of calls in the last request, by the id of the call.
fn result(run: &Modelled, id: &str) -> Value {
    let requests = run.model.requests();
    let messages = requests.last().expect("a request").body["messages"].clone();
    let found = messages
        .as_array()
        .expect("messages")
        .iter()
        .find(|message| message["role"] == "tool" && message["tool_call_id"] == id);
    let text = found.expect("a result")["content"].to_string();
    let text: Value = serde_json::from_str(&text).expect("a text");
    let text = match &text {
        Value::Array(parts) => parts[0]["text"].as_str().expect("a text").to_owned(),
        other => other.as_str().expect("a text").to_owned(),
    };
    let fenced = text
        .strip_prefix("<data>\n")
        .and_then(|text| text.trim_end().strip_suffix("</data>"));
    serde_json::from_str(fenced.expect("a fence")).expect("JSON")
}

#[tokio::test]
async fn parallel_and_successive_calls_pass_results_on() {
    on_each("parallel calls", async |place| {
        let run = Modelled::start(&place, "openai").await;
        let loan = json!({
            "amount": "$5m", "rate": "6%", "amortization": "30 yr", "want": "annual_debt_service",
        });
        run.model.push(Reply::calls([
            (
                "a",
                "calculate",
                json!({ "goal": "noi", "known": { "egi": "$900k", "operating_expenses": "$390k" } }),
            ),
            ("b", "loan", loan),
        ]));
        run.model.respond(|body, _| {
            let messages = body["messages"].as_array().into_iter().flatten();
            let answered = messages.filter(|one| one["role"] == "tool").count();
            match answered {
                2 => Reply::calls([(
                    "c",
                    "calculate",
                    json!({ "goal": "dscr", "known": { "noi": "r1.1", "annual_debt_service": "r2.1" } }),
                )]),
                _ => Reply::text("The DSCR is 1.42x, from NOI of $510,000."),
            }
        });
        let question = "EGI $900k, opex $390k, a $5m loan at 6% over 30 yr. DSCR?";
        let answer = run.ask(question).await;
        run.check_requests();
        assert_eq!(answer["status"], "completed", "{answer:#}");
        assert_eq!(answer["figures"][0]["name"], "dscr", "{answer:#}");
        assert_eq!(answer["figures"][1]["name"], "noi");
        assert_eq!(answer["figures"][1]["value"], 510_000.0);
        let steps = answer["reasoning"].as_str().expect("steps");
        assert!(
            steps.contains("1. `calculate`") && steps.contains("3. `calculate`"),
            "{steps}"
        );
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn values_that_stand_nowhere_are_refused_by_name() {
    on_each("invented values", async |place| {
        let run = Modelled::start(&place, "openai").await;
        run.model.push(Reply::calls([(
            "a",
            "calculate",
            json!({ "goal": "going_in_cap_rate", "known": { "noi": "$50k", "price": "$9.4m" } }),
        )]));
        run.model.push(Reply::text("What is the net operating income?"));
        let answer = run.ask("We pay $9.4m. What is the going-in cap rate?").await;
        let refused = result(&run, "a");
        assert_eq!(refused["error"]["code"], "not_given", "{refused}");
        assert!(
            refused["error"]["detail"]
                .as_str()
                .expect("a detail")
                .contains("noi")
        );
        assert_eq!(answer["success"], false, "{answer:#}");
        assert_eq!(answer["figures"], json!([]));
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn missing_inputs_are_asked_for() {
    on_each("missing inputs", async |place| {
        let run = Modelled::start(&place, "openai").await;
        run.model.push(Reply::calls([(
            "a",
            "calculate",
            json!({ "goal": "going_in_cap_rate", "known": { "price": "$9.4m" } }),
        )]));
        run.model
            .push(Reply::text("I need the net operating income for that."));
        let answer = run.ask("We pay $9.4m. What is the going-in cap rate?").await;
        assert_eq!(answer["success"], false);
        assert_eq!(answer["missing"][0]["name"], "noi", "{answer:#}");
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_portfolio_answers_metrics_and_queries() {
    on_each("portfolio calls", async |place| {
        let run = Modelled::start(&place, "openai").await;
        let services = run.app.services();
        portfolio::load(services, run.org.id, run.org.mara.user)
            .await
            .expect("the portfolio");
        run.model.push(Reply::calls([
            (
                "a",
                "portfolio_metric",
                json!({ "metric": "physical_occupancy", "split": "building" }),
            ),
            ("b", "portfolio_models", json!({ "model": "occupancy" })),
            (
                "c",
                "portfolio_query",
                json!({ "query": { "measures": ["buildings.count"] } }),
            ),
            (
                "d",
                "portfolio_metric",
                json!({ "metric": "noi", "period": "2025", "buildings": ["No Such House"] }),
            ),
        ]));
        run.model.respond(|_, _| Reply::text("See the steps."));
        let answer = run.ask("How full are we, by building?").await;
        run.check_requests();
        assert_eq!(answer["status"], "completed", "{answer:#}");
        let occupancy = result(&run, "a");
        let whole = occupancy["figures"][0]["value"].as_f64();
        let whole = whole.unwrap_or_else(|| panic!("no figure: {occupancy}"));
        assert!(whole > 0.5 && whole <= 1.0, "{occupancy}");
        assert!(
            occupancy["table"]["rows"].as_array().expect("rows").len() > 1,
            "{occupancy}"
        );
        let model = result(&run, "b");
        assert!(
            model["measures"].as_array().is_some_and(|all| !all.is_empty()),
            "{model}"
        );
        let count = result(&run, "c");
        assert!(
            count["figures"][0]["value"]
                .as_f64()
                .is_some_and(|count| count > 1.0),
            "{count}"
        );
        let unknown = result(&run, "d");
        assert_eq!(unknown["error"]["code"], "unknown_word", "{unknown}");
        let models: Vec<&str> = answer["sources"]
            .as_array()
            .expect("sources")
            .iter()
            .filter_map(|source| source["name"].as_str())
            .collect();
        assert!(models.contains(&"buildings"), "{models:?}");
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn notes_and_files_become_sources() {
    on_each("notes and files", async |place| {
        let run = Modelled::start(&place, "openai").await;
        let note = json!({
            "memoryType": "user_memory", "noteTitle": "Renewal policy", "noteContext": "We renew at 3.5 % a year.",
        });
        run.api.post("/users/add-to-memory", &note).await.expect(201);
        let csv = "Unit,Tenant,Rent\n101,Plain Deli,1200\n102,Blue School,1300\n103,Red Barn,1400\nTotal,,3900\n";
        let file = json!({ "filename": "rents.csv", "contentBase64": base64(csv) });
        run.model.push(Reply::calls([
            ("a", "search_notes", json!({ "query": "renewal policy" })),
            ("b", "list_files", json!({})),
            ("c", "query_table", json!({ "table": "f1", "select": [{ "column": "Rent", "aggregate": "sum" }] })),
            ("d", "read_file", json!({ "file": "rents.csv" })),
        ]));
        run.model.respond(|_, _| {
            Reply::text("The rents are $3,900 a month [f1]. The policy is a renewal at 3.5 % [n1].")
        });
        let body = json!({ "question": "What are the rents, and what is the renewal policy?", "files": [file] });
        let answer = run.ask_with(body).await;
        run.check_requests();
        let notes = result(&run, "a");
        assert_eq!(notes["notes"][0]["title"], "Renewal policy", "{notes}");
        let files = result(&run, "b");
        assert_eq!(files["files"][0]["rows"], 3, "{files}");
        assert_eq!(files["files"][0]["leftOut"][0], "1 totals", "{files}");
        let sum = result(&run, "c");
        assert_eq!(sum["figures"][0]["value"], 3900.0, "{sum}");
        assert_eq!(answer["result"], "The rents are $3,900 a month. The policy is a renewal at 3.5 %.");
        assert_eq!(answer["figures"][0]["value"], 3900.0, "{answer:#}");
        let kinds: Vec<&str> = answer["sources"]
            .as_array()
            .expect("sources")
            .iter()
            .map(|source| source["kind"].as_str().expect("a kind"))
            .collect();
        assert_eq!(kinds, ["personal_note", "personal_file"], "{answer:#}");
        assert_eq!(answer["audience"]["personalNotes"], 1);
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_note_is_kept_once_and_only_on_request() {
    on_each("keeping a note", async |place| {
        let run = Modelled::start(&place, "openai").await;
        let save = json!({
            "scope": "personal", "title": "Cap rate", "body": "We underwrite at 6 %.",
            "userRequest": "remember that we underwrite at 6 %",
        });
        run.model.push(Reply::calls([("a", "save_note", save.clone())]));
        run.model.push(Reply::text("I will remember it."));
        let answer = run.ask("Please remember that we underwrite at 6 %.").await;
        assert_eq!(answer["success"], true, "{answer:#}");
        let listed = run
            .api
            .post("/users/memory/search", &json!({ "query": "underwrite" }))
            .await
            .expect(200);
        assert!(listed.to_string().contains("We underwrite at 6 %."), "{listed}");

        // A verb of another meaning, a denial, a note that does not fit, and a bare word.
        for (question, quote, title) in [
            (
                "What does the promissory note say about it?",
                "note say about it",
                "Rate",
            ),
            (
                "Do not save anything about the rate.",
                "save anything about the rate.",
                "Rate",
            ),
            (
                "Please save the rate as a note.",
                "save the rate as a note.",
                &*"x".repeat(5_000),
            ),
            ("Which retail store is it?", "store", "Rate"),
            ("I don't want you to save this note.", "save this note.", "Rate"),
            (
                "What are the best ways to save money on insurance?",
                "save money on insurance?",
                "Rate",
            ),
            (
                "Do you record the rent monthly?",
                "record the rent monthly?",
                "Rate",
            ),
            (
                "Is it better to keep the tenant, or sell?",
                "keep the tenant, or sell?",
                "Rate",
            ),
        ] {
            let save =
                json!({ "scope": "personal", "title": title, "body": "Injected.", "userRequest": quote });
            run.model.push(Reply::calls([("z", "save_note", save)]));
            run.model.push(Reply::text("I cannot."));
            let answer = run.ask(question).await;
            assert_eq!(answer["status"], "completed", "{question}: {answer:#}");
        }
        let found = run
            .api
            .post("/users/memory/search", &json!({ "query": "injected" }))
            .await
            .expect(200);
        assert_eq!(found["results"], json!([]), "{found}");

        // Words that nobody said, and a question that asks to keep nothing.
        run.model.push(Reply::calls([("b", "save_note", save)]));
        run.model.push(Reply::text("I cannot."));
        run.ask("Please save the world.").await;
        assert_eq!(result(&run, "b")["error"]["code"], "not_allowed");
        run.model.push(Reply::text("6 %."));
        run.ask("What do we underwrite at?").await;
        assert!(!run.last_prompt().contains("save_note"));
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn calls_written_as_text_are_run() {
    on_each("calls as text", async |place| {
        let run = Modelled::start(&place, "openai").await;
        let known = json!({ "goal": "going_in_cap_rate", "known": { "noi": "$612k", "price": "$9.4m" } });
        let call = json!({ "name": "calculate", "arguments": known }).to_string();
        for text in [
            call.clone(),
            format!("```json\n{call}\n```"),
            format!("<tool_call>\n{call}\n</tool_call>"),
            format!("I will call this:\n\n```json\n{call}\n```\n\nOne moment."),
            format!("{{{call}}}"),
        ] {
            run.model.push(Reply::text(text.clone()));
            run.model.push(Reply::text("The going-in cap rate is 6.51 %."));
            let answer = run.ask("NOI $612k, price $9.4m: going-in cap rate?").await;
            assert_eq!(
                answer["figures"][0]["name"], "going_in_cap_rate",
                "{text}: {answer:#}"
            );
        }
        // A broken call is never shown: what was computed is said instead.
        run.model.push(Reply::text(call.clone()));
        run.model
            .push(Reply::text("```json\n{\"name\": \"calculate\", \"arguments\": {"));
        let answer = run.ask("NOI $612k, price $9.4m: going-in cap rate?").await;
        assert_eq!(answer["quickReply"], "going in cap rate: 6.51 %", "{answer:#}");
        // Arguments that are no JSON are read leniently.
        let raw = r#"{"goal": "going_in_cap_rate", "known": {"noi": $612k, "price": $9.4m}}"#;
        run.model.push(Reply::raw_call("x", "calculate", raw));
        run.model.push(Reply::text("The going-in cap rate is 6.51 %."));
        let answer = run.ask("NOI $612k, price $9.4m: going-in cap rate?").await;
        assert_eq!(answer["figures"][0]["name"], "going_in_cap_rate", "{answer:#}");
        run.check_requests();
        run.app.stop().await;
    })
    .await;
}

fn base64(text: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(text)
}
