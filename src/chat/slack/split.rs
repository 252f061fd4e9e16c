//! Splits a text that is longer than one message, where a reader would: at paragraphs, items or lines. Code blocks
//! are closed and opened again, and no table row is cut. Notes and buttons stay after the last of the text. Nothing
//! is lost.

use crate::assistants::model::{Part, Say};
use crate::chat::core::platform::{OutgoingFile, Pages};
use crate::chat::slack::blocks::{Line, lines, plain_headings};
use crate::chat::slack::mrkdwn::{cost, within, without_links};
use crate::chat::slack::table::{Section, Table, sections};

/// The room for text and tables in one message; the rest of Slack's 12,000 is for notes, buttons, and what removing
/// links adds.
const PAGE: usize = 9_500;
/// More bytes than this are more than one message, without a look at their length after links are removed.
const FAR: usize = 8 * PAGE;
/// A text is not started with less room than this.
const LEAST: usize = 1_500;
/// A code block is opened again with its language, unless that is longer than a word.
const OPENING: usize = 80;
/// A page is not made shorter than this to make up for what removing links adds.
const SHORTEST: usize = 320;
/// The shown part of a table that could not be attached.
const EXCERPT: usize = 8_000;

/// The text as messages, in order, and the tables that are too large for a message.
pub fn pages(say: &Say) -> Pages {
    let mut book = Book::default();
    for part in &say.parts {
        let Part::Markdown(text) = part else {
            book.page.push(part.clone());
            continue;
        };
        for section in sections(text) {
            match section {
                Section::Text(text) => book.text(text),
                Section::Table(source, table) => book.table(source, &table),
            }
        }
    }
    book.into_pages(say)
}

#[derive(Default)]
struct Book {
    pages: Vec<Vec<Part>>,
    page: Vec<Part>,
    used: usize,
    /// Whether the page has a table: Slack accepts one per message.
    has_table: bool,
    files: Vec<OutgoingFile>,
}

impl Book {
    fn next_page(&mut self) {
        let page = std::mem::take(&mut self.page);
        if !page.is_empty() {
            self.pages.push(page);
        }
        (self.used, self.has_table) = (0, false);
    }

    fn put(&mut self, text: String) {
        self.used += rendered(&text);
        self.page.push(Part::Markdown(text));
    }

    fn text(&mut self, text: &str) {
        let mut rest = text.trim_matches('\n').trim_end().to_owned();
        while !rest.is_empty() {
            let left = PAGE.saturating_sub(self.used);
            // To find the length of a long text for each of its pages would take the square of the time.
            if rest.len() <= FAR && rendered(&rest) <= left {
                return self.put(rest);
            }
            if left < LEAST {
                self.next_page();
                continue;
            }
            let (head, tail) = split(&rest, left);
            self.put(head);
            self.next_page();
            rest = tail;
        }
    }

    fn table(&mut self, source: &str, table: &Table) {
        let Some(block) = table.block() else {
            return self.attach(table);
        };
        let size = block.to_string().chars().count();
        if self.has_table || self.used + size > PAGE {
            self.next_page();
        }
        self.used += size;
        self.has_table = true;
        self.page.push(Part::Markdown(source.trim().to_owned()));
    }

    fn attach(&mut self, table: &Table) {
        let name = format!("table-{}.csv", self.files.len() + 1);
        let rows = table.rows.len().saturating_sub(1);
        self.text(&format!(
            "_The table ({rows} rows, {} columns) is too large to show here: it is attached as_ `{name}`_._",
            table.columns()
        ));
        let csv = table.csv();
        self.files.push(OutgoingFile {
            fallback: excerpt(&name, &csv, rows),
            name,
            bytes: csv.into_bytes(),
        });
    }

    fn into_pages(mut self, say: &Say) -> Pages {
        self.next_page();
        let messages: Vec<Say> = self
            .pages
            .into_iter()
            .enumerate()
            .map(|(number, parts)| Say {
                text: if number == 0 {
                    say.text.clone()
                } else {
                    text_of(&parts)
                },
                parts,
            })
            .collect();
        let messages = if messages.is_empty() {
            vec![say.clone()]
        } else {
            messages
        };
        Pages {
            messages,
            files: self.files,
        }
    }
}

/// The text of a later page, for where blocks are not possible.
fn text_of(parts: &[Part]) -> String {
    let words = parts.iter().filter_map(|part| match part {
        Part::Markdown(text) => Some(text.as_str()),
        _ => None,
    });
    words.collect::<Vec<_>>().join("\n\n")
}

/// The beginning of a table that could not be attached.
fn excerpt(name: &str, csv: &str, rows: usize) -> Say {
    let kept = within(csv, EXCERPT);
    let kept = kept.rfind('\n').and_then(|end| kept.get(..end)).unwrap_or(kept);
    let shown = kept.lines().count().saturating_sub(1);
    let plain = kept.replace('\r', "").replace("```", "'''");
    let what = if shown < rows {
        format!("These are {shown} of its {rows} rows; ask me for a part of the table to see others.")
    } else {
        "This is all of it.".to_owned()
    };
    let why = format!("I could not attach `{name}` here: I may lack the right to. {what}");
    Say {
        parts: vec![Part::Markdown(format!("{why}\n\n```\n{plain}\n```"))],
        text: why,
    }
}

/// The length of a text after links are removed.
fn rendered(text: &str) -> usize {
    without_links(&plain_headings(text.trim()))
        .chars()
        .map(cost)
        .sum()
}

/// The beginning that fits into `budget`, cut well, and the rest, which is always shorter than the whole.
fn split(text: &str, budget: usize) -> (String, String) {
    let mut raw = budget;
    loop {
        let (head, tail) = cut(text, raw);
        if tail.len() >= text.len() {
            let end = within(text, raw.max(OPENING)).len();
            let (head, tail) = text.split_at_checked(end).unwrap_or((text, ""));
            return (head.to_owned(), tail.to_owned());
        }
        let size = rendered(&head);
        if size <= budget || raw <= SHORTEST {
            return (head, tail);
        }
        // Removing links made it longer. A boundary may be the same for a little less room, so reduce it by an eighth
        // at least.
        raw = (raw * budget / size).min(raw - raw / 8).max(SHORTEST);
    }
}

/// As [`split`], by the length of the text itself.
fn cut(text: &str, budget: usize) -> (String, String) {
    let most = within(text, budget.saturating_sub(OPENING)).len();
    let (mut paragraph, mut item, mut line) = (0, 0, None);
    let mut opening = "";
    let mut opened = "";
    let mut just_opened = false;
    let mut before: Option<Line<'_>> = None;
    for current in lines(text) {
        let was_open = before.as_ref().is_some_and(|before| before.fence.is_some());
        let begin = current.end - current.text.len();
        if begin > most {
            break;
        }
        // There is a boundary before this line.
        if begin > 0 && !was_open {
            if before
                .as_ref()
                .is_some_and(|before| before.text.trim().is_empty())
            {
                paragraph = begin;
            }
            if is_item(current.text) {
                item = begin;
            }
        }
        // Not right after the start of a code block: the page would show nothing of it.
        if begin > 0 && !just_opened {
            let open = before.as_ref().and_then(|before| before.fence);
            line = Some((begin, open.map(|marks| (marks, opening))));
        }
        just_opened = current.fence.is_some() && !was_open;
        if just_opened {
            opened = current.text.trim_end();
        }
        if current.fence.is_some() {
            opening = opened;
        }
        before = Some(current);
    }
    let half = most / 2;
    let (end, open) = if paragraph > half {
        (paragraph, None)
    } else if item > half {
        (item, None)
    } else if let Some((end, open)) = line.filter(|(end, _)| *end > most / 4) {
        (end, open)
    } else {
        // One line is longer than the page.
        let open = lines(text)
            .take_while(|line| line.end <= most)
            .last()
            .and_then(|line| line.fence)
            .map(|marks| (marks, opening));
        let head = text.get(..most).unwrap_or_default();
        let word = head.rfind(char::is_whitespace).map(|at| {
            at + head
                .get(at..)
                .and_then(|rest| rest.chars().next())
                .map_or(1, char::len_utf8)
        });
        (word.filter(|at| *at > half).unwrap_or(most), open)
    };
    let (mut head, rest) = (
        text.get(..end).unwrap_or_default().trim_end().to_owned(),
        text.get(end..).unwrap_or_default(),
    );
    let Some((marks, opening)) = open else {
        return (head, rest.trim_matches('\n').trim_end().to_owned());
    };
    head.push('\n');
    head.push_str(marks);
    let opening = if opening.len() <= OPENING / 2 {
        opening
    } else {
        marks
    };
    (head, format!("{}\n{}", opening.trim_start(), rest.trim_end()))
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let numbered = line.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let ordered = numbered.len() < line.len() && numbered.starts_with([')', '.']);
    ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark)) || ordered || line.starts_with('#')
}
