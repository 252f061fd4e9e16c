//! Cleaned answers have no links, images, HTML or mentions, as three independent readers see them; honest text stays.

use corbel::base::safe_markdown::clean::{clean, is_clean};
use corbel::base::safe_markdown::hosts::LinkHosts;
use corbel::chat::slack::mrkdwn::escaped;
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};

fn hosts() -> LinkHosts {
    LinkHosts::new(["reports.example.com", "corbel.example.com:8443"]).expect("hosts")
}

/// What a reader of Markdown would open, load or render as HTML.
fn live(text: &str, options: Options) -> Vec<String> {
    let found = Parser::new_ext(text, options).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            let own = ["https://reports.example.com", "https://corbel.example.com:8443"];
            let is_own = own.iter().any(|own| {
                dest_url
                    .strip_prefix(own)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
            (!is_own).then(|| format!("link {dest_url}"))
        }
        Event::Start(Tag::Image { dest_url, .. }) => Some(format!("image {dest_url}")),
        Event::Html(html) | Event::InlineHtml(html) => Some(format!("html {html}")),
        _ => None,
    });
    found.collect()
}

/// Without code: what programs scan for addresses and mentions.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut in_code = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(pulldown_cmark::TagEnd::CodeBlock) => in_code = false,
            Event::Text(text) if !in_code => prose.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::Code(_) | Event::Start(_) | Event::End(_) => {
                prose.push('\n');
            }
            _ => {}
        }
    }
    prose
}

fn check(hostile: &str) {
    let cleaned = clean(hostile, &hosts());
    let most = Options::all() - Options::ENABLE_OLD_FOOTNOTES;
    for options in [
        Options::empty(),
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES,
        most,
    ] {
        assert_eq!(
            live(&cleaned, options),
            Vec::<String>::new(),
            "{hostile:?} became {cleaned:?}"
        );
        let sent = escaped(&cleaned);
        let shown: Vec<String> = live(&sent, options)
            .into_iter()
            .filter(|one| !one.starts_with("html"))
            .collect();
        assert_eq!(shown, Vec::<String>::new(), "{hostile:?} is sent as {sent:?}");
    }
    let prose = prose(&cleaned).to_lowercase();
    for address in [
        "evil.io",
        "evil.example",
        "//ev",
        "@channel",
        "@here",
        "@everyone",
        "<@",
        "<!",
        "<#",
        "<at>",
    ] {
        // "evil.io5" is the name of no host.
        let ends = |at: usize| !prose[at + address.len()..].starts_with(|sign: char| sign.is_alphanumeric());
        // "a@here" is no mention.
        let begins = |at: usize| {
            !address.starts_with('@') || !prose[..at].ends_with(|sign: char| sign.is_alphanumeric())
        };
        let found = prose
            .match_indices(address)
            .any(|(at, _)| (address.ends_with(['v', '@', '!', '#', '>', ' ']) || ends(at)) && begins(at));
        assert!(!found, "{address} of {hostile:?} in {cleaned:?}");
    }
    assert!(is_clean(&cleaned, &hosts()), "{hostile:?} became {cleaned:?}");
    assert_eq!(clean(&cleaned, &hosts()), cleaned, "once is enough: {hostile:?}");
}

const HOSTILE: &[&str] = &[
    // Links.
    "[here](https://evil.io/x)",
    "[here](https://evil.io/x \"title\")",
    "[here](<https://evil.io/a b>)",
    "[here][1]\n\n[1]: https://evil.io",
    "[here][]\n\n[here]: https://evil.io/x 'title'",
    "[here]\n\n[here]: <https://evil.io>",
    "[a[b](https://evil.io)c](https://evil.io/2)",
    "[`code`](https://evil.io)",
    "[**bold**](https://evil.io)",
    "[](https://evil.io)",
    "[ ](https://evil.io)",
    "[x](//evil.io/x)",
    "[x](/\\evil.io)",
    "[x](https:\\\\evil.io)",
    "[x](https:///evil.io)",
    "[x](HTTPS://EVIL.IO)",
    "[x](hTTp://evil.io)",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "[x](mailto:a@evil.io)",
    "[x](tel:+15550100)",
    "[x](slack://channel?id=1)",
    "[x](msteams://evil.io)",
    "[x](ftp://evil.io)",
    "[x](https://reports.example.com@evil.io/)",
    "[x](https://reports.example.com.evil.io/)",
    "[x](https://evil.io/reports.example.com)",
    "[x](https://evil.io#https://reports.example.com)",
    "[x](http://reports.example.com/)",
    "[x](https://reports.example.com:444/)",
    "[x](https://user:pass@reports.example.com/)",
    "[x](https://reports.example.com\\@evil.io/)",
    "[x](https://rep\u{43e}rts.example.com/)",
    "[x](https://evil\u{3002}io/)",
    "[x](https://0x7f000001/)",
    "[x](https://2130706433/)",
    "[x](https://[::1]/)",
    "[x](https://evil.io./)",
    "[x](https://%65vil.io/)",
    "[x](ht\ttps://evil.io)",
    "[x](&#104;ttps://evil.io)",
    "[x](&#x68;ttps&colon;//evil.io)",
    "[x](https&colon;&sol;&sol;evil.io)",
    "[https://reports.example.com](https://evil.io)",
    "| a | b |\n|---|---|\n| [x](https://evil.io) | https://evil.io |",
    "# [x](https://evil.io)",
    "> [x](https://evil.io)",
    "- [x](https://evil.io)",
    "1. [x][r]\n\n[r]: https://evil.io",
    "~~[x](https://evil.io)~~",
    "[x](https://evil.io)[y](https://evil.io)",
    "[x] (https://evil.io)",
    "[x]( https://evil.io )",
    "[x](\nhttps://evil.io\n)",
    "[x\n](https://evil.io)",
    "[x]\\(https://evil.io)",
    "\\[x](https://evil.io)",
    "[x\\](https://evil.io)",
    "[[x](https://evil.io)]",
    "![[evil.io]]",
    "[[evil.io]]",
    "[[https://evil.io|x]]",
    "[^1]\n\n[^1]: https://evil.io",
    "[^1]\n\n[^1]: ![x](https://evil.io/p.png)",
    "[x]<https://evil.io>",
    "[x]:https://evil.io",
    "[x]: https://evil.io\n[x]",
    "[x]:\n  https://evil.io\n\n[x]",
    // Autolinks and bare addresses.
    "<https://evil.io>",
    "<HTTPS://evil.io/x?y=1>",
    "<mailto:a@evil.io>",
    "<a@evil.io>",
    "https://evil.io",
    "See https://evil.io/x.",
    "(https://evil.io)",
    "**https://evil.io**",
    "_https://evil.io_",
    "x:https://evil.io",
    "http://evil.io",
    "hxxp://evil.io",
    "www.evil.io",
    "WWW.EVIL.IO/x",
    "evil.io",
    "evil.io/x?y=1",
    "a.b.evil.io:8080/x",
    "go to evil.io, now",
    "a@evil.io",
    "mailto:a@evil.io",
    "//evil.io/x",
    "ht\u{200b}tps://ev\u{200b}il.io",
    "evil\u{ad}.io",
    "e\u{202e}vil.io",
    "ev\u{e0041}il.io/x",
    "&#101;vil.io",
    "evil&period;io",
    "evil&#46;io",
    "http&#58;//evil.io",
    "http\\://evil.io",
    "evil\\.io",
    "https:\\/\\/evil.io",
    "`x` https://evil.io `y`",
    "` https://evil.io",
    "a ` b https://evil.io c",
    "``https://evil.io`",
    "\\`https://evil.io`",
    "https://evil.io`x`",
    "```\nx\n```\nhttps://evil.io",
    "~~~\nx\n~~~\n[x](https://evil.io)",
    "xn--80ak6aa92e.evil.io",
    "evil\u{ff0e}io",
    "<https://evil.io|click>",
    "<http://evil.io|reports.example.com>",
    // Images.
    "![x](https://evil.io/p.png)",
    "![](https://evil.io/p.png)",
    "![x][1]\n\n[1]: https://evil.io/p.png",
    "![x]\n\n[x]: https://evil.io/p.png",
    "[![x](https://evil.io/p.png)](https://evil.io)",
    "![a](data:image/png;base64,AAAA)",
    "![x](https://reports.example.com/p.png)",
    "![x](//evil.io/p.png)",
    "! [x](https://evil.io)",
    "!\\[x](https://evil.io)",
    "![x ![y](https://evil.io/2)](https://evil.io/1)",
    // HTML.
    "<img src=https://evil.io/p.png>",
    "<img src=\"x\" onerror=\"alert(1)\">",
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.io></SCRIPT>",
    "<a href=\"https://evil.io\">x</a>",
    "<iframe src='//evil.io'>",
    "<svg/onload=alert(1)>",
    "<!-- x --><b>x</b>",
    "<![CDATA[x]]>",
    "<?php x ?>",
    "<!DOCTYPE html>",
    "<style>@import '//evil.io'</style>",
    "<b>bold</b>",
    "<div>\n\n[x](https://evil.io)\n\n</div>",
    "<br><br/><BR />",
    "<scr<b></b>ipt>x</script>",
    "a <b",
    "<table><tr><td>https://evil.io</td></tr></table>",
    "<details><summary>x</summary>y</details>",
    "&lt;img src=x&gt;",
    "&#60;script&#62;x&#60;/script&#62;",
    "\\<img src=x>",
    "<a\nhref=https://evil.io\n>x</a>",
    "| <img src=x> |\n|---|\n| <b> |",
    "<input type=image src=//evil.io>",
    "<base href=//evil.io>",
    "<meta http-equiv=refresh content=0>",
    // Mentions.
    "<!channel> look",
    "<!here>",
    "<!everyone>",
    "<!here|here>",
    "<@U123456>",
    "<@U123456|mara>",
    "<#C123456|general>",
    "<!subteam^S123>",
    "<!date^1392734382^{date}^https://evil.io|x>",
    "<at>Mara</at>",
    "<at id=\"1\">Mara</at>",
    "@channel",
    "@here please",
    "hello @everyone!",
    "(@channel)",
    "**@here**",
    "> @everyone",
    "@mara look",
    "&lt;!channel&gt;",
    "&#64;channel",
    "&commat;here",
    "\\@channel",
    "@\u{200b}channel",
    "<\u{200b}!channel>",
    "<!\u{ad}channel>",
    // Code that does not end as it seems.
    "```\n[x](https://evil.io)",
    "`` ` [x](https://evil.io) ``x",
    "    [x](https://evil.io)\n\n[x](https://evil.io)",
    "``` x\n```\n<https://evil.io>",
    "`a\n\nb` https://evil.io",
    "~~~ `\nhttps://evil.io\n~~~\nevil.io",
];

#[test]
fn nothing_hostile_is_left() {
    assert!(HOSTILE.len() >= 180, "{}", HOSTILE.len());
    for hostile in HOSTILE {
        check(hostile);
    }
    // Next to one another, too.
    for pair in HOSTILE.windows(2) {
        check(&pair.join(" "));
        check(&pair.join("\n"));
    }
}

const HONEST: &[&str] = &[
    "The DSCR is **1.27x** for 2025.",
    "DSCR < 1.2 and LTV > 65 %.",
    "R&D, M&A and AT&T",
    "NOI of $612,000 at a 6.5% cap rate",
    "- first\n- second\n  - third",
    "1. one\n2. two",
    "| Unit | Rent |\n|---|---:|\n| 1A | $1,200 |\n| 2B | $1,310.50 |",
    "# Heading\n\n## Another",
    "> A quote of a note.",
    "Use `calculate` with `noi`.",
    "```\nhttps://example.com\n```",
    "12 units @ $1,200 each",
    "e.g. the rent, i.e. what is paid",
    "4.5% p.a.",
    "the U.S. market",
    "No.5 on the list",
    "at 10 a.m.",
    "$1.2m and 3.5x",
    "1.5-2.0x",
    "(see note 1)",
    "a * b * c",
    "_emphasis_ and **bold**",
    "Rent: 1,200/mo",
    "T-12 and 10-K",
    "[n1] is a mark",
    "[Note] without a link",
    "3 x 4 = 12",
    "50/50 split",
    "Wait... no.",
    "100 %",
    "“Quoted” text — with dashes",
    "Größe: 45 m²",
    "emoji 👍🏽 and 👩\u{200d}👧",
    "a ` single backtick",
    "snake_case_word",
    "Suite #400",
    "C# and F#",
    "~10%",
    "x ~~deleted~~ y",
    "Q1/Q2 2025",
    "$5.00/sq ft",
    "rent&nbsp;roll",
    "NOI is **$505,000** (`t12.xlsx`), the price **$7,200,000**.",
    "Rent $1,200 in `rents.xlsx`, **$1,400** in `evil.io`.",
    "---\nA line\n---\n\n# Head {#one}\n\n`rents.xlsx`",
];

#[test]
fn honest_text_stays() {
    assert!(HONEST.len() >= 40, "{}", HONEST.len());
    for honest in HONEST {
        assert_eq!(clean(honest, &hosts()), *honest);
        check(honest);
    }
}

#[test]
fn allowed_hosts_are_shown_in_full() {
    for (written, shown) in [
        (
            "[the report](https://reports.example.com/a?b=1)",
            "the report (<https://reports.example.com/a?b=1>)",
        ),
        (
            "<https://reports.example.com/a>",
            "<https://reports.example.com/a>",
        ),
        (
            "[https://reports.example.com/a](https://reports.example.com/a)",
            "<https://reports.example.com/a>",
        ),
        (
            "See https://reports.example.com/a.",
            "See https://reports.example.com/a.",
        ),
        (
            "[x](https://corbel.example.com:8443/p)",
            "x (<https://corbel.example.com:8443/p>)",
        ),
        (
            "[x](https://corbel.example.com/p)",
            "x (`https://corbel.example.com/p`)",
        ),
    ] {
        assert_eq!(clean(written, &hosts()), shown);
        assert_eq!(clean(shown, &hosts()), shown);
    }
    for wrong in ["https://a.example", "a.example/x", "a b", "user@a.example", ""] {
        assert!(LinkHosts::new([wrong]).is_err(), "{wrong}");
    }
}

/// Pieces of hostile and honest text, and signs that change what is around them.
fn pieces() -> Vec<&'static str> {
    let signs = [
        "`", "\\", "[", "](", ")", "<", ">", "!", "\n", "\n\n", "|", "&", ";", "*", "~~~\n", "    ",
    ];
    HOSTILE.iter().chain(HONEST).copied().chain(signs).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_mix_of_pieces_is_clean(pieces in prop::collection::vec(prop::sample::select(pieces()), 1..8)) {
        check(&pieces.concat());
    }

    #[test]
    fn any_text_is_clean(text in "[a-z.@:/\\\\<>\\[\\]()!`&;#|* \n~_-]{0,60}") {
        check(&text);
    }
}
