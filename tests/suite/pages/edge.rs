//! Cookies, form tokens, origins, return paths and problem details: the pure parts shared by all pages.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use corbel::base::error::Error;
use corbel::base::secret::Secret;
use corbel::edge::accent::{Colour, style_sheet};
use corbel::edge::cookie::{Cookies, Kind};
use corbel::edge::visitor::{local_path, sign_in_path};
use corbel::edge::{csrf, problem};
use proptest::prelude::*;

const PUBLIC: &str = "https://corbel.example";

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let pair = |(name, value): &(&'static str, &str)| {
        (
            HeaderName::from_static(name),
            HeaderValue::from_str(value).unwrap(),
        )
    };
    pairs.iter().map(pair).collect()
}

#[test]
fn a_cookie_is_host_only_and_secure() {
    let set = Cookies::of(PUBLIC)
        .set(Kind::Session, &Secret::new("abc"), 60)
        .unwrap();
    assert_eq!(
        set,
        "__Host-corbel=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure"
    );
    assert!(set.is_sensitive(), "must not be logged");
    let clear = Cookies::of(PUBLIC).clear(Kind::Form).unwrap();
    assert_eq!(
        clear,
        "__Host-corbel-form=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure"
    );
}

#[test]
fn only_plain_http_on_loopback_omits_secure() {
    for plain in [
        "http://127.0.0.1:8080",
        "http://localhost:1",
        "http://[::1]:8080",
        "http://a.localhost",
    ] {
        assert_eq!(Cookies::of(plain).name(Kind::Session), "corbel", "{plain}");
        let set = Cookies::of(plain)
            .set(Kind::Session, &Secret::new("abc"), 60)
            .unwrap();
        assert_eq!(set, "corbel=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60");
    }
    for secure in [
        "https://127.0.0.1",
        "http://10.0.0.1",
        "http://corbel.example",
        "http://localhost.example",
        "?",
    ] {
        assert_eq!(
            Cookies::of(secure).name(Kind::Session),
            "__Host-corbel",
            "{secure}"
        );
    }
}

#[test]
fn a_cookie_is_found_by_its_exact_name() {
    let cookies = Cookies::of(PUBLIC);
    let read = |line: &str| {
        let found = cookies.read(Kind::Session, &headers(&[("cookie", line)]));
        found.map(|token| token.expose().to_owned())
    };
    assert_eq!(read("a=b; __Host-corbel=token; c=d").as_deref(), Some("token"));
    assert_eq!(read("corbel=token; __Host-corbel-form=x; x__Host-corbel=y"), None);
    assert_eq!(read("__Host-corbel="), None);
    assert_eq!(read(&format!("__Host-corbel={}", "x".repeat(200))), None);
}

#[test]
fn a_form_token_is_bound_to_its_session() {
    let (one, two) = (Secret::new("one"), Secret::new("two"));
    let token = csrf::token(&one);
    assert!(csrf::matches(&one, &token));
    assert!(!csrf::matches(&two, &token));
    assert!(!csrf::matches(&one, ""));
    assert_ne!(
        token,
        hex::encode(one.digest()),
        "the stored digest must not serve as a form token"
    );
}

#[test]
fn posts_started_by_other_sites_are_recognized() {
    let own = |pairs: &[(&'static str, &str)]| csrf::is_own(&headers(pairs), PUBLIC);
    assert!(
        own(&[("sec-fetch-site", "same-origin"), ("origin", "null")]),
        "a no-referrer page sends null"
    );
    assert!(!own(&[("sec-fetch-site", "cross-site"), ("origin", PUBLIC)]));
    assert!(
        !own(&[("sec-fetch-site", "same-site")]),
        "a sibling domain is another site"
    );
    assert!(own(&[("origin", PUBLIC)]));
    assert!(own(&[("origin", "http://localhost:80"), ("host", "localhost")]));
    assert!(!own(&[
        ("origin", "https://evil.example"),
        ("host", "corbel.example")
    ]));
    assert!(!own(&[("origin", "https://corbel.example.evil.example")]));
    assert!(own(&[]));
    assert!(!csrf::is_from_browser(&HeaderMap::new()));
    assert!(csrf::is_from_browser(&headers(&[("origin", "null")])));
}

#[test]
fn return_paths_are_paths_of_this_site() {
    for fine in [
        "/",
        "/preview?mode=shared&thread=new",
        "/connect/abc",
        "/a//b",
        "/console#x",
    ] {
        assert_eq!(local_path(fine), Some(fine));
    }
    let refused = [
        "",
        "preview",
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "\\/evil.example",
        "///x",
        "/\t/evil.example",
        "/\n/evil.example",
        " /x",
        "/ x",
        "javascript:alert(1)",
        "/é",
        "/sign-in",
        "/sign-in?next=/x",
        "/sign-out",
        "/a\\b",
    ];
    for refused in refused {
        assert_eq!(local_path(refused), None, "{refused:?}");
    }
    assert_eq!(
        sign_in_path("/connect/a?b=c&d"),
        "/sign-in?next=%2Fconnect%2Fa%3Fb%3Dc%26d"
    );
    assert_eq!(sign_in_path("//evil.example"), "/sign-in");
}

proptest! {
    /// Every accepted path remains on this site when a browser resolves it.
    #[test]
    fn no_return_path_leaves_the_site(next in "[/\\\\a-z:.@?#\\t\\n% ]{0,24}") {
        if let Some(path) = local_path(&next) {
            let base = url::Url::parse("https://corbel.example/sign-in").unwrap();
            prop_assert_eq!(base.join(path).unwrap().origin(), base.origin());
        }
    }

    #[test]
    fn every_colour_gives_readable_text(red: u8, green: u8, blue: u8) {
        let colour = Colour::parse(&hex::encode([red, green, blue])).unwrap();
        prop_assert!(colour.ink().contrast(colour) >= 4.3);
        for ground in ["ffffff", "1b1d21"] {
            let ground = Colour::parse(ground).unwrap();
            prop_assert!(colour.readable_on(ground).contrast(ground) >= 4.5);
        }
    }
}

#[test]
fn a_colour_has_exactly_six_digits() {
    assert_eq!(
        Colour::parse("#1F5c9e").map(Colour::hex).as_deref(),
        Some("1f5c9e")
    );
    for wrong in ["", "#fff", "red", "1f5c9e}body{", "#1f5c9g", "1f5c9e1"] {
        assert!(Colour::parse(wrong).is_none(), "{wrong}");
    }
    let sheet = style_sheet(Colour::parse("#f2c230").unwrap());
    assert!(
        sheet.starts_with(":root{--accent:#f2c230;--on-accent:#101214;"),
        "{sheet}"
    );
}

#[test]
fn every_error_has_its_status() {
    let second = Duration::from_secs(1);
    let cases = [
        (Error::Unauthenticated, 401),
        (Error::forbidden("no", "no"), 403),
        (Error::NotFound("x"), 404),
        (Error::invalid("x", "y"), 400),
        (Error::TooLarge { limit: 1 }, 413),
        (Error::Conflict("x"), 409),
        (Error::Exhausted, 402),
        (
            Error::Limited {
                retry_after: Duration::from_millis(1500),
            },
            429,
        ),
        (
            Error::Busy {
                retry_after: second,
                source: None,
            },
            503,
        ),
        (Error::upstream("x"), 502),
        (Error::internal("x"), 500),
    ];
    for (error, status) in cases {
        let response = problem::of(&error, Some("r1"));
        assert_eq!(response.status().as_u16(), status);
        assert_eq!(
            response.headers()[header::CONTENT_TYPE],
            "application/problem+json"
        );
        let wait = response
            .headers()
            .get(header::RETRY_AFTER)
            .map(|wait| wait.to_str().unwrap().to_owned());
        let expected = match status {
            429 => Some("2".to_owned()),
            503 => Some("1".to_owned()),
            _ => None,
        };
        assert_eq!(wait, expected);
    }
}

#[tokio::test]
async fn a_problem_has_code_and_id_but_no_cause() {
    let response = problem::of(&Error::internal("the disk is on fire"), Some("r1"));
    let body = axum::body::to_bytes(response.into_body(), 4096).await.unwrap();
    let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let expected = serde_json::json!({
        "type": "/docs/errors#internal", "title": "Internal Server Error", "status": 500,
        "detail": "internal error", "code": "internal", "requestId": "r1",
    });
    assert_eq!(body, expected);
    let response = problem::problem(StatusCode::NOT_FOUND, "not_found", "Nothing.");
    let body = axum::body::to_bytes(response.into_body(), 4096).await.unwrap();
    assert!(!String::from_utf8_lossy(&body).contains("requestId"));
}
