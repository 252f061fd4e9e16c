//! Context over HTTP: who may write, see and change which note, by kind, partition and folder.

use corbel::base::principal::Role;
use corbel::keys::model::Environment;
use serde_json::{Value, json};

use crate::harness::api::Api;
use crate::harness::app::{Org, Person, Running, on_each};

const LIST: &str = "/users/get-user-memory";
const SEARCH: &str = "/users/memory/search";
const FOLDERS: &str = "/users/memory/folders";
const ADD: &str = "/users/add-to-memory";
const UPDATE: &str = "/users/update-memory";

async fn with_org(name: &str, check: impl AsyncFn(&Running, &Org)) {
    on_each(name, async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await;
        check(&app, &org).await;
        app.stop().await;
    })
    .await;
}

async fn api(app: &Running, person: &Person) -> Api {
    app.api(&app.key(person, Environment::Production).await).await
}

async fn add(api: &Api, kind: &str, title: &str, body: &str) -> String {
    let note = json!({ "memoryType": kind, "noteTitle": title, "noteContext": body });
    id(&api.post(ADD, &note).await.expect(201))
}

fn id(note: &Value) -> String {
    note["memoryId"].as_str().expect("an id").to_owned()
}

fn titles(list: &Value) -> Vec<&str> {
    let notes = list["memories"].as_array().expect("a list").iter();
    notes
        .map(|note| note["noteTitle"].as_str().expect("a title"))
        .collect()
}

fn found(answer: &Value) -> Vec<&str> {
    let notes = answer["results"].as_array().expect("results").iter();
    notes
        .map(|one| one["memory"]["noteTitle"].as_str().expect("a title"))
        .collect()
}

#[tokio::test]
async fn personal_notes_are_private_and_organization_notes_are_shared() {
    with_org("kinds", async |app, org| {
        let stranger = app.organization("Elsewhere").await;
        let (mara, noel) = (api(app, &org.mara).await, api(app, &org.noel).await);
        let admin = api(app, &app.member(org, "Ada", Role::Admin).await).await;
        let other = api(app, &stranger.mara).await;
        // Writing with the legacy kind, or without one, creates a personal note.
        let personal = add(&mara, "memory", "Personal one", "harbour lease of mara").await;
        let unnamed = mara
            .post(
                ADD,
                &json!({ "noteTitle": "Personal two", "noteContext": "harbour lease again" }),
            )
            .await
            .expect(201);
        assert_eq!(
            (&unnamed["memoryType"], &unnamed["partial"], &unnamed["warnings"]),
            (&json!("user_memory"), &json!(false), &json!([]))
        );
        let shared = add(
            &mara,
            "organisation_memory",
            "Shared",
            "harbour lease of everyone",
        )
        .await;

        let all = ["Shared", "Personal two", "Personal one"];
        for (kind, expected) in [
            (json!(null), &all[..]),
            (json!("memory"), &all[..]),
            (json!("user_memory"), &all[1..]),
            (json!("organisation_memory"), &all[..1]),
        ] {
            let body = json!({ "memoryType": kind, "query": "harbour" });
            assert_eq!(
                titles(&mara.post(LIST, &body).await.expect(200)),
                expected,
                "{kind}"
            );
            let results = mara.post(SEARCH, &body).await.expect(200);
            let mut results = found(&results);
            results.sort_unstable();
            let mut expected = expected.to_vec();
            expected.sort_unstable();
            assert_eq!(results, expected, "{kind}");
        }
        for colleague in [&noel, &admin] {
            assert_eq!(
                titles(&colleague.post(LIST, &json!({})).await.expect(200)),
                ["Shared"]
            );
            let searched = colleague
                .post(SEARCH, &json!({ "query": "harbour" }))
                .await
                .expect(200);
            assert_eq!(found(&searched), ["Shared"]);
        }
        assert!(titles(&other.post(LIST, &json!({})).await.expect(200)).is_empty());
        assert!(
            found(
                &other
                    .post(SEARCH, &json!({ "query": "harbour" }))
                    .await
                    .expect(200)
            )
            .is_empty()
        );
        mara.post(LIST, &json!({ "memoryType": "notes" }))
            .await
            .refused(400, "invalid_request");

        // A user who may see but not change it gets 403; to everyone else the note is absent.
        let change = |id: &str| json!({ "memoryId": id, "noteContext": "changed" });
        noel.post(UPDATE, &change(&shared))
            .await
            .refused(403, "forbidden");
        for (api, id) in [
            (&noel, &personal),
            (&admin, &personal),
            (&other, &personal),
            (&other, &shared),
        ] {
            let refused = api.post(UPDATE, &change(id)).await.refused(404, "not_found");
            let random = "0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11";
            let absent = api.post(UPDATE, &change(random)).await.refused(404, "not_found");
            assert_eq!(refused["detail"], absent["detail"]);
        }
        let by_admin = admin.post(UPDATE, &change(&shared)).await.expect(200);
        assert_eq!(
            (&by_admin["noteContext"], &by_admin["owned"]),
            (&json!("changed"), &json!(false))
        );
        let by_owner = mara
            .post(UPDATE, &json!({ "noteId": personal, "noteTitle": "Mine" }))
            .await
            .expect(200);
        assert_eq!(
            (&by_owner["noteTitle"], &by_owner["noteContext"]),
            (&json!("Mine"), &json!("harbour lease of mara"))
        );
        let one = mara
            .post(LIST, &json!({ "memoryId": personal }))
            .await
            .expect(200);
        assert_eq!(titles(&one), ["Mine"]);
        assert!(
            titles(
                &noel
                    .post(LIST, &json!({ "memoryId": personal }))
                    .await
                    .expect(200)
            )
            .is_empty()
        );
    })
    .await;
}

#[tokio::test]
async fn a_note_of_another_partition_is_reported_as_absent() {
    with_org("partitions", async |app, org| {
        let mara = api(app, &org.mara).await;
        let mut ids = Vec::new();
        for (title, model) in [
            ("Any", json!(null)),
            ("Pro", json!("svc-pro")),
            ("Fast", json!("svc-fast")),
        ] {
            for kind in ["user_memory", "organisation_memory"] {
                let note = json!({
                    "memoryType": kind, "modelType": model, "folder": "Leases",
                    "noteTitle": title, "noteContext": "harbour lease",
                });
                let made = mara.post(ADD, &note).await.expect(201);
                assert_eq!(made["modelType"], model);
                ids.push((title, id(&made)));
            }
        }
        for (model, seen) in [
            (json!(null), &["Any", "Pro", "Fast"][..]),
            (json!("svc-pro"), &["Any", "Pro"]),
            (json!("svc-fast"), &["Any", "Fast"]),
            (json!("svc-local"), &["Any"]),
        ] {
            let body = json!({ "modelType": model, "query": "harbour", "folder": "Leases" });
            let list = mara.post(LIST, &body).await.expect(200);
            let searched = mara.post(SEARCH, &body).await.expect(200);
            assert!(titles(&list).iter().all(|title| seen.contains(title)), "{list}");
            assert_eq!(titles(&list).len(), seen.len() * 2);
            assert!(
                found(&searched).iter().all(|title| seen.contains(title)),
                "{searched}"
            );
            assert_eq!(found(&searched).len(), seen.len() * 2);
            let folders = mara.post(FOLDERS, &body).await.expect(200);
            assert_eq!(
                folders["folders"]
                    .as_array()
                    .expect("folders")
                    .iter()
                    .map(|folder| folder["memoryIds"].as_array().expect("ids").len())
                    .collect::<Vec<_>>(),
                [seen.len(), seen.len()]
            );
            for (title, id) in &ids {
                let change = json!({ "memoryId": id, "modelType": model, "noteContext": "harbour lease" });
                let answer = mara.post(UPDATE, &change).await;
                if seen.contains(title) {
                    answer.expect(200);
                } else {
                    answer.refused(404, "not_found");
                }
            }
        }
        mara.post(LIST, &json!({ "modelType": "svc-huge" }))
            .await
            .refused(400, "invalid_request");
    })
    .await;
}

#[tokio::test]
async fn a_note_is_changed_completely_or_not_at_all() {
    with_org("changes", async |app, org| {
        let mara = api(app, &org.mara).await;
        let made = mara
            .post(
                ADD,
                &json!({ "noteTitle": "Caps", "noteContext": "Cap rates of offices", "folder": "Rates" }),
            )
            .await
            .expect(201);
        let note = id(&made);
        let long = "x".repeat(100_001);
        for (wrong, code) in [
            (
                json!({ "noteTitle": "", "noteContext": "new" }),
                "invalid_request",
            ),
            (
                json!({ "noteTitle": "two\nlines", "noteContext": "new" }),
                "invalid_request",
            ),
            (
                json!({ "noteTitle": "new", "noteContext": long }),
                "invalid_request",
            ),
            (
                json!({ "noteTitle": "new", "noteContext": "a\u{0}b" }),
                "invalid_request",
            ),
            (
                json!({ "noteTitle": "new", "folder": "x".repeat(101) }),
                "invalid_request",
            ),
            (json!({ "noteTitle": 7 }), "invalid_request"),
            (json!({}), "invalid_request"),
            (
                json!({ "noteTitle": "new", "noteId": "0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11" }),
                "invalid_request",
            ),
        ] {
            let mut wrong = wrong;
            wrong["memoryId"] = json!(note);
            mara.post(UPDATE, &wrong).await.refused(400, code);
        }
        mara.post(UPDATE, &json!({ "noteTitle": "nowhere" }))
            .await
            .refused(400, "invalid_request");
        let kept = mara.post(LIST, &json!({})).await.expect(200);
        assert_eq!(
            (
                &kept["memories"][0]["noteTitle"],
                &kept["memories"][0]["noteContext"],
                &kept["memories"][0]["folder"]
            ),
            (&json!("Caps"), &json!("Cap rates of offices"), &json!("Rates"))
        );
        // Of two concurrent changes to a note, the second is refused.
        let known = made["updatedAt"].clone();
        let change =
            |body: &str| json!({ "memoryId": note, "noteContext": body, "expectedUpdatedAt": known });
        mara.post(UPDATE, &change("Cap rates of warehouses"))
            .await
            .expect(200);
        mara.post(UPDATE, &change("lost")).await.refused(409, "conflict");
        // Search results follow the new text.
        for (query, hits) in [("warehouses", 1), ("offices", 0), ("lost", 0), ("caps", 1)] {
            let searched = mara.post(SEARCH, &json!({ "query": query })).await.expect(200);
            assert_eq!(found(&searched).len(), hits, "{query}");
        }
        let out = mara
            .post(UPDATE, &json!({ "memoryId": note, "folder": "" }))
            .await
            .expect(200);
        assert_eq!(out["folder"], json!(null));
        assert_eq!(
            mara.post(FOLDERS, &json!({})).await.expect(200)["folders"],
            json!([])
        );
        for wrong in [
            json!({}),
            json!({ "noteTitle": "only" }),
            json!({ "noteContext": "only" }),
            json!({ "noteTitle": " ", "noteContext": "x" }),
            json!({ "noteTitle": "x", "noteContext": "x", "memoryType": "org" }),
            json!({ "noteTitle": "x", "noteContext": "x", "modelType": "gpt" }),
        ] {
            mara.post(ADD, &wrong).await.refused(400, "invalid_request");
        }
        assert_eq!(titles(&mara.post(LIST, &json!({})).await.expect(200)).len(), 1);
    })
    .await;
}

#[tokio::test]
async fn lists_and_folders_are_paginated() {
    with_org("pages", async |app, org| {
        let (mara, noel) = (api(app, &org.mara).await, api(app, &org.noel).await);
        for n in 0..7 {
            let kind = ["user_memory", "organisation_memory"][n % 2];
            let folder = format!("Folder {}", n / 3);
            let note = json!({
                "memoryType": kind, "folder": folder, "noteTitle": format!("Note {n}"), "noteContext": "x",
            });
            mara.post(ADD, &note).await.expect(201);
            add(&noel, "user_memory", "Noise", "x").await;
        }
        let mut seen = Vec::new();
        let mut cursor = json!(null);
        loop {
            let page = mara
                .post(LIST, &json!({ "limit": 3, "cursor": cursor }))
                .await
                .expect(200);
            seen.extend(titles(&page).into_iter().map(str::to_owned));
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        let expected: Vec<String> = (0..7).rev().map(|n| format!("Note {n}")).collect();
        assert_eq!(seen, expected);
        let first = mara.post(LIST, &json!({ "limit": 3 })).await.expect(200);
        let elsewhere = json!({ "cursor": first["nextCursor"], "memoryType": "user_memory" });
        mara.post(LIST, &elsewhere).await.refused(400, "invalid_request");

        let in_folder = mara
            .post(LIST, &json!({ "folder": "Folder 1" }))
            .await
            .expect(200);
        assert_eq!(titles(&in_folder), ["Note 5", "Note 4", "Note 3"]);
        let mut folders = Vec::new();
        let mut cursor = json!(null);
        loop {
            let page = mara
                .post(FOLDERS, &json!({ "limit": 2, "cursor": cursor }))
                .await
                .expect(200);
            for folder in page["folders"].as_array().expect("folders") {
                assert_eq!(folder["partial"], false);
                assert_eq!(
                    folder["total"],
                    folder["memoryIds"].as_array().expect("ids").len()
                );
                folders.push((
                    folder["memoryType"].as_str().expect("a kind").to_owned(),
                    folder["folder"].as_str().expect("a name").to_owned(),
                    folder["total"].as_u64().expect("a count"),
                ));
            }
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        let expected = [
            ("organisation_memory", "Folder 0", 1),
            ("organisation_memory", "Folder 1", 2),
            ("user_memory", "Folder 0", 2),
            ("user_memory", "Folder 1", 1),
            ("user_memory", "Folder 2", 1),
        ];
        let expected = expected.map(|(kind, name, total)| (kind.to_owned(), name.to_owned(), total));
        assert_eq!(folders, expected);
        // An empty body lists everything; an empty search finds nothing.
        let empty = |path: &str| mara.call(reqwest::Method::POST, path);
        assert_eq!(titles(&empty(LIST).send().await.expect(200)).len(), 7);
        assert_eq!(found(&empty(SEARCH).send().await.expect(200)).len(), 0);
        assert_eq!(
            empty(FOLDERS).send().await.expect(200)["folders"]
                .as_array()
                .expect("folders")
                .len(),
            5
        );
    })
    .await;
}
