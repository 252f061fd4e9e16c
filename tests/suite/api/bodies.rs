//! The body parser: what bodies mean in either format, and what is refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use corbel::files::spool::{Purpose, UPLOAD_MAX_FILE_BYTES};
use serde_json::{Value, json};

use crate::harness::bodies::{
    Analyst, BOUNDARY, Fields, User, bytes, form_body, json_body, names, part, read, refused,
};

#[tokio::test]
async fn files_in_base64_are_spooled_under_either_name_of_each_field() {
    let (fields, files) = json_body(&json!({
        "question": "q",
        "files": [
            { "filename": "a.txt", "contentBase64": "aGVsbG8=", "contentType": "text/plain" },
            { "name": "C:\\x\\..\\b.csv", "dataBase64": "aGVs\r\n bG8", "mimeType": "text/csv", "more": [1, {}] },
            { "name": "same", "filename": "same", "dataBase64": "aGk=", "contentBase64": "aG k" },
            { "name": "..", "dataBase64": "" },
            { "name": "a\u{202e}fdp.exe\u{7}", "dataBase64": "AA==", "mimeType": null },
        ],
    }))
    .await
    .expect("read");
    assert_eq!(fields.question.as_deref(), Some("q"));
    assert_eq!(names(&files), ["a.txt", "b.csv", "same", "file", "afdp.exe"]);
    let contents: Vec<Vec<u8>> = files.iter().map(bytes).collect();
    assert_eq!(contents, [b"hello".as_slice(), b"hello", b"hi", b"", b"\0"]);
    assert_eq!(files[1].declared_type.as_deref(), Some("text/csv"));
    assert_eq!(files[4].declared_type, None);
}

#[tokio::test]
async fn invalid_base64_is_refused_with_its_field() {
    for text in [
        "data:text/plain;base64,aGVsbG8=",
        "aGVsbG8*",
        "aGVs-G8_",
        "aGVsbG9",
        "aGVsbG8==",
        "aGV=sbG8",
        "a",
        "=",
        "aGVsbG8=aGVsbG8=",
        "aGVs\u{a0}bG8=",
    ] {
        let file = json!({ "name": "a", "contentBase64": text });
        let read = json_body(&json!({ "files": [{ "name": "b", "contentBase64": "" }, file] })).await;
        assert_eq!(
            refused(&read),
            (400, "invalid_base64", "files[1].contentBase64"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn missing_or_duplicate_file_fields_are_named() {
    for (file, field) in [
        (json!({ "contentBase64": "" }), "files[0].filename"),
        (json!({ "name": "a" }), "files[0].contentBase64"),
        (json!({ "name": null, "dataBase64": "" }), "files[0].filename"),
        (
            json!({ "name": "a", "dataBase64": null }),
            "files[0].contentBase64",
        ),
        (
            json!({ "name": "a", "filename": "b", "dataBase64": "" }),
            "files[0].name",
        ),
        (
            json!({ "name": "a", "contentBase64": "aGk=", "dataBase64": "aGg=" }),
            "files[0].dataBase64",
        ),
        (
            json!({ "name": "a", "dataBase64": "", "contentType": "a/b", "mimeType": "a/c" }),
            "files[0].mimeType",
        ),
        (json!({ "name": 5, "dataBase64": "" }), "files[0].name"),
        (
            json!({ "name": "a", "dataBase64": ["aGk="] }),
            "files[0].dataBase64",
        ),
        (json!("aGk="), "files[0]"),
    ] {
        let read = json_body(&json!({ "files": [file] })).await;
        assert_eq!(refused(&read), (400, "invalid_request", field), "{file}");
    }
    for (body, field) in [
        (json!({ "files": {} }), "files"),
        (json!({ "filesBase64": "aGk=" }), "filesBase64"),
        (json!([]), "body"),
        (json!({ "user": { "buildingIds": [5] } }), "user.buildingIds[0]"),
        (json!({ "user": "me" }), "user"),
    ] {
        let read = json_body(&body).await;
        assert_eq!(refused(&read), (400, "invalid_request", field), "{body}");
    }
}

#[tokio::test]
async fn files_base64_wins_in_any_position_and_even_if_empty() {
    let files = r#""files": [{"name": "loser", "contentBase64": "not base64!"}]"#;
    let wins = r#""filesBase64": [{"name": "winner", "dataBase64": "aGk="}]"#;
    for body in [format!("{{{files}, {wins}}}"), format!("{{{wins}, {files}}}")] {
        let (_, found) = read("application/json", body.as_bytes(), 7).await.expect("read");
        assert_eq!(names(&found), ["winner"], "{body}");
    }
    let (_, found) = read(
        "application/json",
        format!("{{{files}, \"filesBase64\": []}}").as_bytes(),
        64,
    )
    .await
    .expect("read");
    assert!(found.is_empty());
    let read = read(
        "application/json",
        format!("{{{files}, \"filesBase64\": null}}").as_bytes(),
        64,
    )
    .await;
    assert_eq!(refused(&read).1, "invalid_base64", "null is absent");

    let mut form = Vec::new();
    part(
        &mut form,
        "files",
        Some("part.bin"),
        Some("application/octet-stream"),
        b"\0part",
    );
    part(
        &mut form,
        "files",
        None,
        None,
        br#"[{"name": "loser", "dataBase64": "eA=="}]"#,
    );
    part(
        &mut form,
        "filesBase64",
        None,
        Some("application/json"),
        br#"[{"name": "winner", "dataBase64": "aGk="}]"#,
    );
    let (_, found) = form_body(form, 5).await.expect("read");
    assert_eq!(names(&found), ["winner", "part.bin"], "parts are kept");
    assert_eq!(bytes(&found[1]), b"\0part");
}

#[tokio::test]
async fn organisation_memory_has_its_own_files_in_both_formats() {
    let (fields, files) = json_body(&json!({
        "organisationMemory": { "noteTitle": "t", "files": [{ "name": "m", "dataBase64": "aGk=" }] },
        "files": [{ "name": "r", "dataBase64": "" }],
    }))
    .await
    .expect("read");
    let parts: Vec<_> = files.iter().map(|file| (file.name.as_str(), file.part)).collect();
    assert_eq!(
        parts,
        [("r", Purpose::Request), ("m", Purpose::OrganisationMemory)]
    );
    assert_eq!(
        fields.organisation_memory.expect("there").note_title.as_deref(),
        Some("t")
    );

    let mut form = Vec::new();
    part(
        &mut form,
        "organisationMemoryFiles",
        Some("m.pdf"),
        Some("application/pdf"),
        b"%PDF-",
    );
    part(
        &mut form,
        "organisationMemory",
        None,
        None,
        br#"{"noteTitle": "t"}"#,
    );
    let (fields, files) = form_body(form, 11).await.expect("read");
    assert_eq!(files[0].part, Purpose::OrganisationMemory);
    assert_eq!(
        fields.organisation_memory.expect("there").note_title.as_deref(),
        Some("t")
    );
}

#[tokio::test]
async fn user_may_be_nested_dotted_or_a_part() {
    let wanted = User {
        model_type: Some("svc-pro".into()),
        building_ids: Some(vec!["a".into(), "b".into()]),
    };
    for body in [
        json!({ "user": { "modelType": "svc-pro", "buildingIds": ["a", "b"] } }),
        json!({ "user.modelType": "svc-pro", "user": { "buildingIds": ["a", "b"] } }),
        json!({ "user": { "buildingIds": ["a", "b"] }, "user.modelType": "svc-pro" }),
        json!({ "user.modelType": "svc-pro", "user.buildingIds": ["a", "b"], "user": null }),
        json!({ "user.modelType": "svc-pro", "user.buildingIds": ["a", "b"], "question.x": 1, "a": { "b": null } }),
    ] {
        let (fields, _) = json_body(&body).await.expect("read");
        assert_eq!(fields.user.as_ref(), Some(&wanted), "{body}");
    }
    let twice = json!({ "user.modelType": "a", "user": { "modelType": "b" } });
    assert_eq!(refused(&json_body(&twice).await).0, 400);

    for parts in [
        vec![("user", r#"{"modelType": "svc-pro", "buildingIds": ["a", "b"]}"#)],
        vec![
            ("user.modelType", "svc-pro"),
            ("user.buildingIds", "a"),
            ("user.buildingIds", "b"),
        ],
        vec![
            ("user.buildingIds[]", "a"),
            ("user.modelType", "svc-pro"),
            ("user.buildingIds[]", "b"),
        ],
        vec![
            ("user.modelType", "svc-pro"),
            ("user.buildingIds", r#"["a", "b"]"#),
        ],
    ] {
        for kind in [None, Some("text/plain; charset=utf-8")] {
            let mut form = Vec::new();
            for (name, text) in &parts {
                part(&mut form, name, None, kind, text.as_bytes());
            }
            let (fields, _) = form_body(form, 13).await.expect("read");
            assert_eq!(fields.user.as_ref(), Some(&wanted), "{parts:?}");
        }
    }
    let mut form = Vec::new();
    let whole = br#"{"modelType": "svc-pro", "buildingIds": ["a", "b"]}"#;
    part(&mut form, "user", Some("blob"), Some("application/json"), whole);
    let (fields, _) = form_body(form, 13).await.expect("read");
    assert_eq!(fields.user, Some(wanted), "as browsers send a part with a type");
}

#[tokio::test]
async fn form_texts_are_converted_to_the_types_of_the_route() {
    let mut form = Vec::new();
    for (name, text) in [
        ("question", "[not a list] {5}"),
        ("noteContext", "{\"is\": \"a text\"}"),
        ("fastMode", "true"),
        ("count", " 7 "),
        ("tagged", "one"),
        ("customAnalyst.id", "x"),
        ("unknown", "ignored"),
        ("unknown", "twice"),
    ] {
        part(&mut form, name, None, None, text.as_bytes());
    }
    part(&mut form, "attachment", Some("big.bin"), None, &vec![0; 3 << 20]);
    let (fields, files) = form_body(form, 1 << 16).await.expect("read");
    assert!(files.is_empty(), "a file under an unknown name is ignored");
    let wanted = Fields {
        question: Some("[not a list] {5}".into()),
        note_context: Some("{\"is\": \"a text\"}".into()),
        fast_mode: Some(true),
        count: Some(7),
        tagged: Some(vec!["one".into()]),
        custom_analyst: Some(Analyst { id: "x".into() }),
        ..Fields::default()
    };
    assert_eq!(fields, wanted);
    for (name, text, field) in [
        ("fastMode", "yes", "fastMode"),
        ("count", "", "count"),
        ("user", "[1", "user"),
    ] {
        let mut form = Vec::new();
        part(&mut form, name, None, None, text.as_bytes());
        assert_eq!(
            refused(&form_body(form, 64).await),
            (400, "invalid_request", field)
        );
    }
    let mut form = Vec::new();
    part(&mut form, "question", None, None, b"one");
    part(&mut form, "question", None, None, b"two");
    assert_eq!(
        refused(&form_body(form, 64).await),
        (400, "invalid_request", "question")
    );
}

#[tokio::test]
async fn ambiguous_deep_or_broken_bodies_are_refused() {
    let deep = format!("{{\"a\": {}", "[".repeat(100_000));
    for (body, field) in [
        ("{\"question\": \"a\", \"question\": \"b\"}", "question"),
        (
            "{\"user\": {\"modelType\": \"a\", \"modelType\": \"a\"}}",
            "modelType",
        ),
        ("{\"files\": [], \"files\": []}", "files"),
        (
            "{\"files\": [{\"name\": \"a\", \"name\": \"a\", \"dataBase64\": \"\"}]}",
            "files[0].name",
        ),
        ("{\"a\": 1} {}", "body"),
        ("{\"a\": 1,}", "body"),
        ("{\"a\": 01}", "body"),
        ("{\"a\": 1e9999}", "body"),
        ("{\"a\": \"\\ud800\"}", "body"),
        ("{\"a\": ", "body"),
        ("nonsense", "body"),
        (deep.as_str(), "body"),
    ] {
        let read = read("application/json", body.as_bytes(), 4096).await;
        let start: String = body.chars().take(40).collect();
        assert_eq!(refused(&read), (400, "invalid_request", field), "{start}");
    }
    for body in ["", " \r\n\t "] {
        let (fields, files) = read("application/json", body.as_bytes(), 9).await.expect("read");
        assert!(fields == Fields::default() && files.is_empty());
    }
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/mixed; boundary=x",
    ] {
        assert_eq!(
            refused(&read(kind, b"{}", 9).await),
            (415, "unsupported_media_type", "Content-Type")
        );
    }
    // The right content type with a malformed header.
    assert_eq!(
        refused(&read("multipart/form-data", b"{}", 9).await),
        (400, "invalid_request", "Content-Type")
    );
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    for body in ["", "no boundary", "--X-corbel-test-boundary\r\n\r\nunended"] {
        assert_eq!(
            refused(&read(&kind, body.as_bytes(), 9).await),
            (400, "invalid_request", "body")
        );
    }
}

#[tokio::test]
async fn fields_are_bounded_and_files_are_not_fields() {
    let long = "x".repeat(3 << 20);
    for body in [
        json!({ "question": long }).to_string(),
        format!("{{\"{long}\": 1}}"),
        format!("{{\"a\": [{}0]}}", "0,".repeat(200_000)),
        format!("{{\"a\": {}}}", "1".repeat(3 << 20)),
        format!("{}{{}}", " ".repeat(3 << 20)),
    ] {
        let read = read("application/json", body.as_bytes(), 1 << 16).await;
        assert_eq!(refused(&read).1, "body_too_large");
    }
    let mut form = Vec::new();
    part(&mut form, "question", None, None, long.as_bytes());
    assert_eq!(refused(&form_body(form, 1 << 16).await).1, "body_too_large");
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let no_boundary = vec![b'x'; 4 << 20];
    assert_eq!(
        refused(&read(&kind, &no_boundary, 1 << 16).await).1,
        "body_too_large"
    );
    let mut no_end = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; x=").into_bytes();
    no_end.extend(vec![b'x'; 4 << 20]);
    assert_eq!(refused(&read(&kind, &no_end, 1 << 16).await).1, "body_too_large");

    let many: Vec<Value> = (0..101)
        .map(|_| json!({ "name": "a", "dataBase64": "" }))
        .collect();
    let read = json_body(&json!({ "files": many })).await;
    assert_eq!(refused(&read), (400, "invalid_request", "files"));
}

#[tokio::test]
async fn a_file_may_be_exactly_as_large_as_the_limit() {
    let most = usize::try_from(UPLOAD_MAX_FILE_BYTES).expect("a size");
    for (size, fits) in [(most, true), (most + 1, false)] {
        let content = vec![7_u8; size];
        let text = STANDARD.encode(&content);
        let body = format!(
            "{{\"files\": [{{\"name\": \"a\", \"contentBase64\": \"{text}\"}}], \"question\": \"q\"}}"
        );
        let as_json = read("application/json", body.as_bytes(), 1 << 16).await;
        let mut form = Vec::new();
        part(&mut form, "files", Some("a"), None, &content);
        let as_form = form_body(form, 1 << 16).await;
        if fits {
            for read in [as_json, as_form] {
                assert_eq!(read.expect("read").1[0].bytes, UPLOAD_MAX_FILE_BYTES);
            }
        } else {
            assert_eq!(
                refused(&as_json),
                (413, "file_too_large", "files[0].contentBase64")
            );
            assert_eq!(refused(&as_form), (413, "file_too_large", "files"));
        }
    }
}
