//! A saying that is longer than one message as several, cut where a reader would: at paragraphs, at
//! items, at lines, with code blocks closed and opened again and no row of a table cut. Small print and
//! buttons stay where they stand, after the last of the text. Nothing is lost.

use crate::assistants::model::{Part, Say};
use crate::chat::core::platform::{OutgoingFile, Pages};
use crate::chat::slack::blocks::{Line, lines, sober};
use crate::chat::slack::mrkdwn::{cost, within, without_links};
use crate::chat::slack::table::{Stretch, Table, stretches};

/// What text and tables of one message may take; the rest of Slack's 12,000 is for small print, buttons
/// and what making text harmless adds.
const PAGE: usize = 9_500;
/// Less room than this is not begun with.
const LEAST: usize = 1_500;
/// A code block is opened again with its language, unless that is no word.
const OPENING: usize = 80;
/// No beginning is made shorter than this to make up for what making it harmless adds.
const SHORTEST: usize = 320;
/// What is shown of a table that could not be attached.
const EXCERPT: usize = 8_000;

/// What is said as messages, in order, and the tables that are too large for any.
pub fn pages(say: &Say) -> Pages {
    let mut book = Book::default();
    for part in &say.parts {
        let Part::Markdown(text) = part else {
            book.page.push(part.clone());
            continue;
        };
        for stretch in stretches(text) {
            match stretch {
                Stretch::Text(text) => book.text(text),
                Stretch::Table(source, table) => book.table(source, &table),
            }
        }
    }
    book.bound(say)
}

#[derive(Default)]
struct Book {
    pages: Vec<Vec<Part>>,
    page: Vec<Part>,
    used: usize,
    /// The page has its table: Slack takes one in a message.
    has_table: bool,
    files: Vec<OutgoingFile>,
}

impl Book {
    fn turn(&mut self) {
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
            if rendered(&rest) <= left {
                return self.put(rest);
            }
            if left < LEAST {
                self.turn();
                continue;
            }
            let (head, tail) = split(&rest, left);
            self.put(head);
            self.turn();
            rest = tail;
        }
    }

    fn table(&mut self, source: &str, table: &Table) {
        let Some(block) = table.block() else {
            return self.attach(table);
        };
        let size = block.to_string().chars().count();
        if self.has_table || self.used + size > PAGE {
            self.turn();
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

    fn bound(mut self, say: &Say) -> Pages {
        self.turn();
        let messages: Vec<Say> = self
            .pages
            .into_iter()
            .enumerate()
            .map(|(number, parts)| Say {
                text: if number == 0 {
                    say.text.clone()
                } else {
                    spoken(&parts)
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

/// The words of a later page: where blocks cannot be, they are all there is.
fn spoken(parts: &[Part]) -> String {
    let words = parts.iter().filter_map(|part| match part {
        Part::Markdown(text) => Some(text.as_str()),
        _ => None,
    });
    words.collect::<Vec<_>>().join("\n\n")
}

/// The beginning of a table whose file could not be attached.
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

/// What a text takes once it is made harmless.
fn rendered(text: &str) -> usize {
    without_links(&sober(text.trim())).chars().map(cost).sum()
}

/// The beginning that fits into `budget`, cut well, and the rest, which is shorter than the whole: so
/// paging ends.
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
        // Making it harmless made it longer. A boundary may be the same for a little less room, so it
        // is reduced by an eighth at least.
        raw = (raw * budget / size).min(raw - raw / 8).max(SHORTEST);
    }
}

/// As [`split`], by what the text itself takes.
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
        // A boundary is before this line.
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
        // Not right behind the opening of a code block: nothing would be said.
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
        // One line longer than all there is room for.
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
