//! Quoted text in an answer never becomes a link or an image in Slack.

use corbel::assistants::model::{Part, Say};
use corbel::chat::slack::blocks::message;
use corbel::chat::slack::mrkdwn::without_links;
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};

fn links(text: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    Parser::new_ext(text, options)
        .filter(|event| matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. })))
        .map(|event| format!("{event:?}"))
        .collect()
}

#[test]
fn links_show_their_url_and_images_their_description() {
    for (markdown, expected) in [
        (
            "See [Sign in](https://evil.example/x) now.",
            "See Sign in (`https://evil.example/x`) now.",
        ),
        ("![x](https://evil.example/p.png)", "x"),
        (
            "[![logo](https://evil.example/p.png)](https://evil.example/z)",
            "logo (`https://evil.example/z`)",
        ),
        (
            "[**Sign** in](https://evil.example \"Corbel\")",
            "**Sign** in (`https://evil.example/`)",
        ),
        ("<https://evil.example/x>", "`https://evil.example/x`"),
        ("<a@evil.example>", "`a@evil.example`"),
        ("go to https://evil.example/x.", "go to `https://evil.example/x`."),
        ("go to www.evil.example, now", "go to `www.evil.example`, now"),
        ("**https://evil.example/**", "**`https://evil.example/`**"),
        (
            "[https://corbel.example](https://evil.example)",
            "`https://corbel.example/` (`https://evil.example/`)",
        ),
        (
            "[https://a.example/b](https://a.example/b)",
            "`https://a.example/b`",
        ),
        (
            "[x](https://\u{430}cme.example)",
            "x (`https://xn--cme-5cd.example/`)",
        ),
        ("[x](https://%65vil.example/%2e)", "x (`https://evil.example/`)"),
        ("[x](https://e\u{200b}vil.example)", "x (`https://evil.example/`)"),
        ("[x]\u{200b}(https://evil.example)", "x (`https://evil.example/`)"),
        ("[](https://evil.example)", "`https://evil.example/`"),
        ("[x](javascript:alert(1))", "x (`javascript:alert(1)`)"),
        ("[x](https://a.example/`|b)", "x (`https://a.example/%60%7Cb`)"),
        (
            "[x][y]\n\n[y]: https://evil.example",
            "x (`https://evil.example/`)\n\n[y] : `https://evil.example/`",
        ),
        (
            "> [Sign in](https://evil.example)",
            "> Sign in (`https://evil.example/`)",
        ),
    ] {
        assert_eq!(without_links(markdown), expected, "{markdown}");
        assert_eq!(without_links(expected), expected, "once is enough");
    }
}

#[test]
fn ordinary_answers_are_unchanged() {
    for answer in [
        "The cap rate is **6 %**, not *7 %*.\n\n- NOI / value\n- `a[0](1)`\n\n1. one\n2. two\n",
        "| Metric | Value |\n|---|---:|\n| NOI | **1,285,000** |\n| a \\| b | [2] |\n",
        "> Quoted: 5 < 6 & 7 > 2\n\nFrom the note “Marlow”.\n\n---\n\n# Title\n\n~~no~~",
        "```text\n[x](https://a.example) https://a.example\n```\n\nafter",
        "NOI is 1.285m [assumed]; see (b) and array[1] : 3. 👩\u{200d}🌾",
    ] {
        assert_eq!(without_links(answer), answer);
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "[",
        "]",
        "(",
        ")",
        "](",
        "![",
        "][",
        "]:",
        "[a]",
        "[a]: https://evil.example\n",
        "https://evil.example",
        "<",
        ">",
        "<https://evil.example>",
        "<a@b.example>",
        "[x](https://evil.example)",
        "![x](https://evil.example/p.png)",
        "[x](<https://evil.example>)",
        "[x](<b)",
        "\\",
        "`",
        "``",
        "```\n",
        "~~~\n",
        "\n",
        "\n\n",
        "> ",
        "- ",
        "    ",
        "# ",
        "*",
        "**",
        "_",
        "~~",
        "| a | b |\n|---|---|\n| ",
        " | ",
        "&lt;",
        "&gt;",
        "&#91;",
        "&#x5d;",
        "\u{200b}",
        "\u{200d}",
        "\"",
        "'",
        "<a t=\"`\">",
        "<!--",
        "-->",
        "<div>\n",
        "word ",
        " ",
        "www.evil.example",
        "javascript:x",
        "\t",
        "!",
        "^",
        "1. ",
        "\r",
    ]);
    proptest::collection::vec(piece, 0..28).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_link_or_image_remains(
        text in pieces(),
        times in prop_oneof![29 => Just(1_usize), 1 => 100..300_usize],
    ) {
        let text = text.repeat(times);
        prop_assert_eq!(links(&without_links(&text)), Vec::<String>::new());
        let say = Say { text: String::new(), parts: vec![Part::Markdown(text)] };
        for block in message(&say).blocks {
            let Some(text) = block["text"].as_str() else { continue };
            prop_assert_eq!(links(text), Vec::<String>::new());
            let decoded = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            prop_assert_eq!(links(&decoded), Vec::<String>::new(), "{}", decoded);
        }
    }
}

/// In a markdown block an entity is a plain character: a quote has to remain a quote, and nothing in it may be
/// active markup.
#[test]
fn a_quote_remains_a_quote_without_active_markup() {
    for (markdown, expected) in [
        (
            "> Rent > 5 <!channel>\n> > & more\n5 > 4",
            "> Rent &gt; 5 &lt;!channel&gt;\n> > &amp; more\n5 &gt; 4",
        ),
        (
            "```\n> not a quote\n```\n> one",
            "```\n&gt; not a quote\n```\n> one",
        ),
    ] {
        let parts = vec![Part::Markdown(markdown.to_owned())];
        let say = Say {
            text: String::new(),
            parts,
        };
        assert_eq!(message(&say).blocks[0]["text"], expected);
    }
}
