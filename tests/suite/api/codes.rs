//! Every error code that can be returned is in the list of codes and on the page generated from it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use axum::response::IntoResponse as _;
use corbel::analysis::service::Stop;
use corbel::api::failure::Failure;
use corbel::base::error::Error;
use corbel::edge::codes::{ENTRIES, RUNS, entry_of};
use corbel::edge::problem::{self, FieldError};
use corbel::queue::job::GaveUp;

use crate::harness::app::{http, on_each};

fn every_error() -> Vec<Error> {
    let wait = Duration::from_secs(1);
    let all = vec![
        Error::Unauthenticated,
        Error::forbidden("forbidden", "No."),
        Error::NotFound("thing"),
        Error::invalid("field", "is wrong"),
        Error::TooLarge { limit: 1 },
        Error::Conflict("It exists."),
        Error::Exhausted,
        Error::Limited { retry_after: wait },
        Error::QuotaExhausted { retry_after: wait },
        Error::Stale,
        Error::busy("away"),
        Error::upstream("away"),
        Error::internal("fault"),
    ];
    // Fails to compile when a variant is added, which then belongs in the list above.
    for error in &all {
        match error {
            Error::Unauthenticated
            | Error::Forbidden { .. }
            | Error::NotFound(_)
            | Error::Invalid { .. }
            | Error::TooLarge { .. }
            | Error::Conflict(_)
            | Error::Exhausted
            | Error::Limited { .. }
            | Error::QuotaExhausted { .. }
            | Error::Stale
            | Error::Busy { .. }
            | Error::Upstream(_)
            | Error::Internal(_) => {}
        }
    }
    all
}

fn every_failure() -> Vec<Failure> {
    let field = FieldError {
        field: "files[0]".to_owned(),
        code: "invalid",
        detail: "is wrong".to_owned(),
    };
    let mut all = vec![
        Failure::KeyMissing,
        Failure::KeyInvalid,
        Failure::KeyInQuery,
        Failure::field("field", "missing", "is missing"),
        Failure::ContextPolicy,
        Failure::MediaType(field.clone()),
        Failure::Base64(field.clone()),
        Failure::FileTooLarge(field),
    ];
    all.extend(every_error().into_iter().map(Failure::Of));
    for failure in &all {
        match failure {
            Failure::KeyMissing
            | Failure::KeyInvalid
            | Failure::KeyInQuery
            | Failure::Fields(_)
            | Failure::ContextPolicy
            | Failure::MediaType(_)
            | Failure::Base64(_)
            | Failure::FileTooLarge(_)
            | Failure::Of(_) => {}
        }
    }
    all
}

#[test]
fn every_error_has_a_listed_code_and_its_status() {
    let mut answers: Vec<_> = every_failure().into_iter().map(Failure::into_response).collect();
    answers.extend(every_error().iter().map(|error| problem::of(error, None)));
    for answer in answers {
        let code = problem::code(&answer).expect("a code");
        let entry = entry_of(code).unwrap_or_else(|| panic!("{code} is not in src/edge/codes.rs"));
        assert_eq!(entry.status, answer.status(), "{code}");
    }
}

/// Codes in string literals: in refusals by role, and in responses that are not based on an error.
#[test]
fn every_code_in_the_source_is_listed() {
    let mut files = Vec::new();
    walk(Path::new("src"), &mut files);
    let mut seen = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("source");
        let openings = [
            "forbidden(",
            "Forbidden {",
            "problem::problem(",
            "problem(StatusCode::",
            "of_field(",
            "unauthorized(",
        ];
        for opening in openings {
            for (at, _) in text.match_indices(opening) {
                let call = text[at + opening.len()..]
                    .split([';', '}'])
                    .next()
                    .unwrap_or_default();
                let code = call.split('"').nth(1).unwrap_or_default();
                if is_word(code) && code.contains('_') {
                    assert!(
                        entry_of(code).is_some(),
                        "{}: {code} is not in src/edge/codes.rs",
                        file.display()
                    );
                    seen.insert(code.to_owned());
                }
            }
        }
    }
    for code in [
        "plan_not_eligible",
        "form_expired",
        "method_not_allowed",
        "api_key_missing",
    ] {
        assert!(seen.contains(code), "the search does not find {code}: {seen:?}");
    }
}

fn is_word(code: &str) -> bool {
    let fits = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_';
    code.starts_with(|sign: char| sign.is_ascii_lowercase()) && code.chars().all(fits)
}

fn walk(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn codes_are_well_formed_and_unique() {
    let runs = [
        GaveUp::Poisoned.code(),
        GaveUp::Expired.code(),
        GaveUp::Failed.code(),
        Stop::Asked.code(),
        Stop::Withdrawn.code(),
    ];
    let listed: BTreeSet<&str> = RUNS.iter().map(|(code, ..)| *code).collect();
    assert_eq!(listed, BTreeSet::from(runs));
    let mut seen = BTreeSet::new();
    let texts = ENTRIES.iter().map(|entry| (entry.code, entry.cause, entry.fix));
    for (code, cause, fix) in texts.chain(RUNS.iter().copied()) {
        assert!(seen.insert(code), "{code} is listed twice");
        assert!(is_word(code), "{code}");
        assert!(cause.ends_with('.') && fix.ends_with('.'), "{code}");
    }
}

#[tokio::test]
async fn the_page_of_errors_has_an_entry_for_each_code() {
    on_each("page_of_errors", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let page = http()
            .get(format!("{}/docs/errors", app.url))
            .send()
            .await
            .expect("a page");
        assert_eq!(page.status(), 200);
        let page = page.text().await.expect("text");
        for code in ENTRIES
            .iter()
            .map(|entry| entry.code)
            .chain(RUNS.iter().map(|(code, ..)| *code))
        {
            assert!(page.contains(&format!("id=\"{code}\"")), "{code}");
        }
        app.stop().await;
    })
    .await;
}
