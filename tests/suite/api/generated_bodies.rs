//! Generated bodies: JSON and form have the same meaning, and no body causes an error.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde_json::json;

use crate::harness::bodies::{BOUNDARY, bytes, form_body, names, part, read};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime")
}

/// A text that a form part can contain unchanged.
fn words() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9äß€😀 .,:;{}\\[\\]\"-]{0,40}"
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn both_formats_have_the_same_meaning(
        question in words(),
        fast: bool,
        count: i64,
        tagged in prop::collection::vec("[a-z0-9]{1,8}", 1..4),
        model in "[a-z-]{1,9}",
        files in prop::collection::vec(("[a-z ]{1,9}\\.[a-z]{3}", prop::collection::vec(any::<u8>(), 0..3000)), 0..5),
        padding in prop::sample::select(vec![0_usize, 90_000]),
        piece in 1_usize..5000,
    ) {
        let json = json!({
            "question": question, "fastMode": fast, "count": count, "tagged": tagged, "padding": "x".repeat(padding),
            "user": { "modelType": model },
            "filesBase64": files.iter().map(|(name, bytes)| {
                json!({ "filename": name, "contentBase64": STANDARD.encode(bytes), "mimeType": "a/b" })
            }).collect::<Vec<_>>(),
        });
        let mut form = Vec::new();
        part(&mut form, "question", None, None, question.as_bytes());
        for (name, bytes) in &files {
            part(&mut form, "files", Some(name), Some("a/b"), bytes);
        }
        part(&mut form, "fastMode", None, None, fast.to_string().as_bytes());
        part(&mut form, "padding", None, None, "x".repeat(padding).as_bytes());
        part(&mut form, "count", None, Some("text/plain"), count.to_string().as_bytes());
        for one in &tagged {
            part(&mut form, "tagged", None, None, one.as_bytes());
        }
        part(&mut form, "user.modelType", None, None, model.as_bytes());
        let (as_json, as_form) = runtime().block_on(async {
            (read("application/json", json.to_string().as_bytes(), piece).await.expect("JSON"),
             form_body(form, piece).await.expect("a form"))
        });
        prop_assert_eq!(&as_json.0, &as_form.0);
        prop_assert_eq!(as_json.0.question.as_deref(), Some(question.as_str()));
        prop_assert_eq!(names(&as_json.1), names(&as_form.1));
        for ((one, other), (_, sent)) in as_json.1.iter().zip(&as_form.1).zip(&files) {
            prop_assert_eq!(&bytes(one), sent);
            prop_assert_eq!(&bytes(other), sent);
            prop_assert_eq!(&one.declared_type, &other.declared_type);
        }
    }

    #[test]
    fn any_body_is_parsed_or_refused(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"files\"", "\"filesBase64\"", "\"name\"", "\"dataBase64\"", "\"aGk=\"",
            "\"user.modelType\"", "\"user\"", "null", "true", "1", "-1.5e3", "\"\\u00e9\"", " ",
            "\"organisationMemory\"",
            "--X-corbel-test-boundary\r\n", "--X-corbel-test-boundary--", "\r\n\r\n", "\r\n",
            "Content-Disposition: form-data; name=\"files\"; filename=\"a\"",
            "Content-Disposition: form-data; name=\"user\"",
            "Content-Type: application/json",
        ]), 0..40),
        noise in prop::collection::vec(any::<u8>(), 0..30),
        form: bool,
        piece in 1_usize..60,
    ) {
        let mut body = pieces.concat().into_bytes();
        body.extend(noise);
        let kind = if form {
            format!("multipart/form-data; boundary={BOUNDARY}")
        } else {
            "application/json".to_owned()
        };
        let read = runtime().block_on(read(&kind, &body, piece));
        if let Err((status, ..)) = read {
            prop_assert!((400..500).contains(&status), "{status}");
        }
    }
}
