//! The preview's safe HTML, and addressing an assistant by name.

use corbel::chat::web::markdown::{is_safe_address, to_html};
use corbel::chat::web::naming::addressed;
use proptest::prelude::*;

const TAGS: &[&str] = &[
    "p",
    "p class=\"typed\"",
    "h3",
    "h4",
    "ul",
    "ol",
    "li",
    "em",
    "strong",
    "del",
    "blockquote",
    "pre",
    "code",
    "br /",
    "hr /",
    "div class=\"table\" tabindex=\"0\"",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "th class=\"number\"",
    "td class=\"number\"",
    "th class=\"middle\"",
    "td class=\"middle\"",
    "div",
    "a",
];

/// Checks that every `<` of safe HTML opens an allowed tag, and that links point to http(s) or to a path of this site.
fn check(html: &str) -> Result<(), String> {
    for piece in html.split('<').skip(1) {
        let tag = piece.split('>').next().unwrap_or_default();
        let name = tag.strip_prefix('/').unwrap_or(tag);
        let link = tag
            .strip_prefix("a href=\"")
            .and_then(|rest| rest.strip_suffix("\" rel=\"noopener nofollow\""));
        let list = tag
            .strip_prefix("ol start=\"")
            .and_then(|rest| rest.strip_suffix('"'));
        let fine = TAGS.contains(&name)
            || link.is_some_and(|href| !href.contains('"') && is_safe_address(href))
            || list.is_some_and(|start| start.bytes().all(|sign| sign.is_ascii_digit()));
        if !fine {
            return Err(format!("<{tag}> in {html}"));
        }
    }
    Ok(())
}

#[test]
fn hostile_markdown_becomes_text() {
    let cases = [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "![x](javascript:alert(1))",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,x)",
        "[x](//evil.example)",
        "[x](/\\evil.example)",
        "<javascript:alert(1)>",
        "[x](vbscript:x)",
        "[x]: javascript:alert(1)\n\n[x]",
        "[x](https://a.example/\"onmouseover=\"alert(1))",
        "```\"><script>\nx\n```",
        "[x](&#106;avascript:alert(1))",
        "<svg/onload=alert(1)>",
        "| a |\n|--|\n| <b onclick=x> |",
        "[![a](https://x.example/y.png)](https://z.example)",
    ];
    for case in cases {
        let html = to_html(case);
        check(&html).unwrap();
        for never in [
            "<script",
            "<img",
            "<svg",
            "href=\"javascript",
            "href=\"data",
            "href=\"//",
        ] {
            assert!(!html.to_lowercase().contains(never), "{case} gave {html}");
        }
    }
}

#[test]
fn answers_keep_their_formatting() {
    let html =
        to_html("# A\n\n| n | v |\n|---|---:|\n| NOI | 1,000 |\n\n[d](https://x.example) and [h](/console)");
    assert!(html.contains("<h3>A</h3>"), "{html}");
    assert!(html.contains("<th>n</th><th class=\"number\">v</th>"), "{html}");
    assert!(
        html.contains("<td>NOI</td><td class=\"number\">1,000</td>"),
        "{html}"
    );
    assert!(
        html.contains("<a href=\"https://x.example\" rel=\"noopener nofollow\">d</a>"),
        "{html}"
    );
    assert!(
        html.contains("<a href=\"/console\" rel=\"noopener nofollow\">h</a>"),
        "{html}"
    );
    check(&html).unwrap();
}

#[test]
fn an_external_link_shows_its_host() {
    for (markdown, shown) in [
        (
            "[Sign in](https://evil.example/x)",
            "Sign in</a> (https://evil.example/x)",
        ),
        (
            "[https://corbel.example](https://evil.example)",
            "</a> (https://evil.example/)",
        ),
        (
            "[a][b]\n\n[b]: https://evil.example",
            "a</a> (https://evil.example/)",
        ),
        (
            "<https://\u{430}cme.example>",
            "</a> (https://xn--cme-5cd.example/)",
        ),
        (
            "[a](https://x.example/?a=1&b=<2>)",
            "(https://x.example/?a=1&amp;b=%3C2%3E)",
        ),
    ] {
        let html = to_html(markdown);
        assert!(html.contains(shown), "{markdown} gave {html}");
        check(&html).unwrap();
    }
    for same in [
        "<https://x.example>",
        "[https://x.example/a](https://x.example/a)",
        "[h](/console)",
    ] {
        assert!(
            to_html(same).trim_end().ends_with("</a></p>"),
            "{}",
            to_html(same)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_markdown_breaks_out(pieces in proptest::collection::vec(prop_oneof![
        Just("<script>"), Just("</script>"), Just("<img src=x onerror=alert(1)>"), Just("javascript:alert(1)"),
        Just("["), Just("]("), Just(")"), Just("!["), Just("<"), Just(">"), Just("\""), Just("'"), Just("`"),
        Just("```"), Just("\n"), Just("\n\n"), Just("| a | b |\n|---|:-:|\n| "), Just("> "), Just("1. "), Just("- "),
        Just("https://x.example/"), Just("data:text/html,"), Just("<!--"), Just("-->"), Just("<a href="), Just("&#60;"),
        Just("&lt;"), Just("\\"), Just("# "), Just("*"), Just("~~"), Just("<?php"), Just("<![CDATA["), Just(" x "),
    ], 0..24)) {
        let html = to_html(&pieces.concat());
        prop_assert!(check(&html).is_ok(), "{:?}", check(&html));
    }

    #[test]
    fn any_text_is_shown_safely(text in "\\PC{0,80}") {
        prop_assert!(check(&to_html(&text)).is_ok());
    }
}

#[test]
fn an_assistant_is_addressed_by_name() {
    let said = |text: &str| addressed(text, "Ask Finley");
    for called in [
        "@Ask Finley what is NOI?",
        "ask finley, what is NOI?",
        "Ask Finley: what is NOI?",
        "@ASK FINLEY: what is NOI?",
    ] {
        assert_eq!(said(called).as_deref(), Some("what is NOI?"), "{called}");
    }
    assert_eq!(
        said("Hello @Ask Finley, what is NOI?").as_deref(),
        Some("Hello what is NOI?")
    );
    assert_eq!(said("@Ask Finley").as_deref(), Some(""));
    for not in [
        "what is NOI?",
        "Ask Finley what is NOI?",
        "@Ask Finleys x",
        "mail@Ask Finley.example",
        "@Ask",
        "",
    ] {
        assert_eq!(said(not), None, "{not}");
    }
    assert_eq!(addressed("@ x", " "), None);
    assert_eq!(addressed("@Zoë: hi", "ZOË").as_deref(), Some("hi"));
    assert_eq!(addressed("@Zoe\u{308}: hi", "Zoë").as_deref(), Some("hi"));
}
