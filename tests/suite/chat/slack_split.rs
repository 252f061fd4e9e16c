//! Long answers split into several messages: within Slack's limits, nothing lost, and only at sensible places.

use corbel::assistants::model::{Part, Say};
use corbel::chat::core::platform::Pages;
use corbel::chat::slack::blocks::{message, text_only};
use corbel::chat::slack::split::pages;
use proptest::prelude::*;
use serde_json::Value;

use crate::harness::slack::message_limits;

/// Words that carry their position: `w12`.
fn words(text: &str) -> Vec<String> {
    let split = text.split(|sign: char| !sign.is_ascii_alphanumeric());
    let numbered = |word: &&str| {
        word.strip_prefix('w')
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|sign| sign.is_ascii_digit()))
    };
    split.filter(numbered).map(str::to_owned).collect()
}

fn shown(page: &Say) -> String {
    let mut found = Vec::new();
    message(page)
        .blocks
        .iter()
        .for_each(|block| texts(block, &mut found));
    found.join("\n")
}

fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| match value {
            Value::String(text) if key == "text" => found.push(text.clone()),
            nested => texts(nested, found),
        }),
        Value::Array(list) => list.iter().for_each(|value| texts(value, found)),
        _ => {}
    }
}

/// Checks that every message is within the limits, none is truncated, and code blocks are closed.
fn assert_intact(pages: &Pages) {
    for page in &pages.messages {
        let message = message(page);
        message_limits::check(&message.text, &message.blocks)
            .unwrap_or_else(|word| panic!("{word}: {page:?}"));
        let blocks = Value::Array(message.blocks.clone()).to_string();
        assert!(!blocks.contains("was cut here"), "{blocks}");
        for block in &message.blocks {
            let text = block["text"].as_str().unwrap_or_default();
            let fences = text.lines().filter(|line| line.trim_start().starts_with("```"));
            assert_eq!(fences.count() % 2, 0, "a code block is left open: {text}");
        }
    }
}

#[test]
fn the_plain_text_contains_all_that_fits() {
    let say = |body: &str| Say {
        text: "The rate is 6 %.".to_owned(),
        parts: vec![
            Part::Markdown(body.to_owned()),
            Part::Markdown("**Files**\n- `rent.csv`: not taken".to_owned()),
            Part::Note("Used 1 organization note · Sources: “Marlow”".to_owned()),
        ],
    };
    let short = text_only(&say("NOI / value, see [this](https://evil.example/x) <!channel>")).text;
    for said in [
        "NOI / value",
        "`https://evil.example/x`",
        "&lt;!channel&gt;",
        "rent.csv",
        "Sources: “Marlow”",
    ] {
        assert!(short.contains(said), "{said}: {short}");
    }
    assert!(!short.contains("cut here"));
    let long = text_only(&say(&"A paragraph of words.\n\n".repeat(900))).text;
    assert!(long.chars().count() <= 4_000 && long.chars().count() > 3_000);
    assert!(long.contains("was cut here") && long.contains("Sources: “Marlow”"));
}

#[derive(Clone, Debug)]
enum Block {
    Paragraph(usize),
    Line(usize),
    List(usize),
    Code(usize, usize),
    Table(usize, usize),
    Heading,
    Quote(usize),
    Links(usize),
}

fn block() -> impl Strategy<Value = Block> {
    prop_oneof![
        (1_usize..120).prop_map(Block::Paragraph),
        (500_usize..4_000).prop_map(Block::Line),
        (1_usize..80).prop_map(Block::List),
        ((1_usize..300), (1_usize..8)).prop_map(|(lines, width)| Block::Code(lines, width)),
        ((1_usize..130), (1_usize..8)).prop_map(|(rows, columns)| Block::Table(rows, columns)),
        Just(Block::Heading),
        (1_usize..60).prop_map(Block::Quote),
        (1_usize..80).prop_map(Block::Links),
    ]
}

/// Markdown in which every word contains its number.
fn to_markdown(blocks: &[Block]) -> String {
    let mut next = 0;
    let mut word = || {
        next += 1;
        format!("w{next}")
    };
    let mut text = String::new();
    for block in blocks {
        match block {
            Block::Paragraph(count) => {
                for number in 0..*count {
                    text.push_str(&word());
                    text.push(if number % 9 == 8 { '\n' } else { ' ' });
                }
            }
            Block::Line(count) => (0..*count).for_each(|_| text.push_str(&(word() + " & "))),
            Block::List(count) => (0..*count).for_each(|_| {
                text.push_str(&format!("- {} {}\n  {}\n", word(), word(), word()));
            }),
            Block::Code(lines, width) => {
                text.push_str("```rust\n");
                for _ in 0..*lines {
                    let line: Vec<String> = (0..*width).map(|_| word()).collect();
                    text.push_str(&format!("    \"{}\" <\n", line.join("_")));
                }
                text.push_str("```\n");
            }
            Block::Table(rows, columns) => {
                for row in 0..=*rows {
                    let cells: Vec<String> = (0..*columns).map(|_| word()).collect();
                    text.push_str(&format!("| {} |\n", cells.join(" | ")));
                    if row == 0 {
                        text.push_str(&format!("|{}\n", "---|".repeat(*columns)));
                    }
                }
            }
            Block::Heading => text.push_str(&format!("## {}\n", word())),
            Block::Quote(count) => (0..*count).for_each(|_| text.push_str(&format!("> {}\n", word()))),
            Block::Links(count) => (0..*count).for_each(|_| {
                text.push_str(&format!("[{}](https://a.example/ä?{}) \n", word(), word()));
            }),
        }
        text.push_str("\n\n");
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_and_every_page_fits(blocks in proptest::collection::vec(block(), 1..14)) {
        let text = to_markdown(&blocks);
        let say = Say { text: "Short".to_owned(), parts: vec![Part::Markdown(text.clone())] }
            .with(Part::Note("Small print".to_owned()));
        let pages = pages(&say);
        assert_intact(&pages);
        let mut found: Vec<String> = pages.messages.iter().flat_map(|page| words(&shown(page))).collect();
        for file in &pages.files {
            found.extend(words(&String::from_utf8_lossy(&file.bytes)));
            assert_intact(&Pages { messages: vec![file.fallback.clone()], files: Vec::new() });
        }
        let all = words(&text);
        if pages.files.is_empty() {
            prop_assert_eq!(&found, &all, "in order, each once");
        } else {
            let (mut found, mut all) = (found, all);
            found.sort();
            all.sort();
            prop_assert_eq!(found, all, "each once");
        }
        // A row is in one message or in one file.
        let mut places: Vec<Vec<String>> = pages.messages.iter().map(|page| words(&shown(page))).collect();
        places.extend(pages.files.iter().map(|file| words(&String::from_utf8_lossy(&file.bytes))));
        for row in text.lines().filter(|line| line.starts_with("| ")) {
            let row = words(row);
            prop_assert!(places.iter().any(|place| row.iter().all(|word| place.contains(word))), "{:?}", row);
        }
        let noted = |page: &Say| page.parts.iter().any(|part| matches!(part, Part::Note(_)));
        let (last, before) = pages.messages.split_last().expect("a page");
        prop_assert!(noted(last) && !before.iter().any(noted), "the footer is in the last message");
    }

    #[test]
    fn any_text_can_be_split(text in "[a-z`~|#>\\-\\[\\]()<& \n]{0,4000}", times in 1_usize..12) {
        assert_within_limits(&pages(&Say::plain(text.repeat(times))));
    }
}

#[test]
fn splitting_terminates_wherever_the_boundaries_are() {
    // Links grow when their URLs are spelled out, so the size that fits has to be found by trying.
    let (done, ended) = std::sync::mpsc::channel();
    let paging = std::thread::spawn(move || {
        for before in (0..8_000).step_by(97) {
            let links = "[w1](https://a.example/ä?w2) \n".repeat(420);
            let code = format!("```{}\n{}```", "&".repeat(before % 60), "&<>\"\n".repeat(900));
            let text = format!("{}\n\n{links}\n\n{code}", "w".repeat(before));
            assert_within_limits(&pages(&Say::plain(text)));
            let _ = done.send(());
        }
    });
    loop {
        match ended.recv_timeout(std::time::Duration::from_secs(30)) {
            Ok(()) => {}
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("paging does not end"),
        }
    }
    paging.join().expect("every page is taken");
}

/// Such hostile text may be truncated, but is never refused.
fn assert_within_limits(pages: &Pages) {
    for page in &pages.messages {
        let message = message(page);
        message_limits::check(&message.text, &message.blocks)
            .unwrap_or_else(|word| panic!("{word}: {page:?}"));
    }
}

#[test]
fn a_short_answer_is_one_unchanged_message() {
    let say = Say::plain("DSCR is 1.33").with(Part::Note("Used 1 organization note".to_owned()));
    let pages = pages(&say);
    assert_eq!((pages.messages, pages.files.len()), (vec![say], 0));
}

#[test]
fn a_word_longer_than_a_message_and_unbroken_code_are_posted() {
    for text in ["x".repeat(30_000), format!("```\n{}\n```", "y".repeat(30_000))] {
        let pages = pages(&Say::plain(text.clone()));
        assert_intact(&pages);
        let count = |text: &str, sign: char| text.matches(sign).count();
        let sign = if text.starts_with('x') { 'x' } else { 'y' };
        let there: usize = pages
            .messages
            .iter()
            .flat_map(|page| message(page).blocks)
            .map(|block| count(block["text"].as_str().unwrap_or_default(), sign))
            .sum();
        assert_eq!(there, 30_000);
    }
}

#[test]
fn tables_are_one_block_per_message_and_files_where_too_large() {
    let table = |rows: usize| format!("| Unit | Rent |\n|---|--:|\n{}", "| 1 | 2,400 |\n".repeat(rows));
    let text = format!(
        "Two:\n\n{}\n\nand\n\n{}\n\nlarge:\n\n{}\n\nend",
        table(3),
        table(4),
        table(200)
    );
    let pages = pages(&Say::plain(text));
    assert_intact(&pages);
    let tables = |page: &Say| {
        let blocks = message(page).blocks;
        blocks.iter().filter(|block| block["type"] == "table").count()
    };
    assert_eq!(pages.messages.iter().map(tables).collect::<Vec<_>>(), [1, 1]);
    let last = shown(&pages.messages[1]);
    assert!(last.contains("200 rows") && last.contains("table-1.csv") && last.contains("end"));
    let [file] = pages.files.as_slice() else {
        panic!("a file")
    };
    let csv = String::from_utf8(file.bytes.clone()).expect("text");
    assert_eq!((file.name.as_str(), csv.lines().count()), ("table-1.csv", 201));
    assert!(csv.starts_with("Unit,Rent\r\n1,\"2,400\"\r\n"));
}
