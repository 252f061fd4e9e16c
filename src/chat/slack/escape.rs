//! Markdown without links and images: answers quote foreign text, and a reader is to see where an
//! address leads before going there. Everything else stays as it was, byte for byte.
//!
//! Knows no limit of Slack's.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use url::Url;

use crate::chat::slack::mrkdwn::escaped;

/// Taking one link apart may bring another to light.
const ROUNDS: usize = 4;

/// Links become their text and the whole address as code, which nothing makes a link of; images
/// become their description.
pub fn inert(markdown: &str) -> String {
    let mut text = visible(markdown);
    if !text.contains(['[', '<']) && address_in(&text).is_none() {
        return text;
    }
    for _ in 0..ROUNDS {
        let next = edited(&text, taken_apart(&text));
        let next = edited(&next, apart_and_bare(&next));
        let settled = next == text;
        text = next;
        if settled {
            break;
        }
    }
    if leads_anywhere(&text) { blunt(&text) } else { text }
}

/// Whether a link or an image is in it, as it stands or with Slack's entities.
pub fn leads_anywhere(text: &str) -> bool {
    let leads = |text: &str| {
        parsed(text).any(|(event, _)| matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. })))
    };
    leads(text) || leads(&escaped(text))
}

/// Without the signs of which links are made. For what comes of no honest answer.
pub fn blunt(text: &str) -> String {
    let other = |sign| match sign {
        '[' => '(',
        ']' => ')',
        '<' => '‹',
        sign => sign,
    };
    text.chars().map(other).collect()
}

fn parsed(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    Parser::new_ext(text, options).into_offset_iter()
}

/// Without signs that nobody sees and that make two texts look alike.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for sign in text.chars() {
        let hidden = match sign {
            // These join letters and pictures, but nothing in ASCII.
            '\u{200c}' | '\u{200d}' => visible.ends_with(|before: char| before.is_ascii()),
            '\u{ad}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => true,
            // Not sent to Slack either.
            _ => sign.is_control() && !matches!(sign, '\n' | '\t'),
        };
        if !hidden {
            visible.push(sign);
        }
    }
    visible
}

/// What is to stand instead of a range.
type Edit = (Range<usize>, String);

fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut edited, mut done) = (String::with_capacity(text.len()), 0);
    for (range, instead) in edits {
        if range.start >= done {
            edited.push_str(text.get(done..range.start).unwrap_or_default());
            edited.push_str(&instead);
            done = range.end;
        }
    }
    edited.push_str(text.get(done..).unwrap_or_default());
    edited
}

/// A link or image whose end is still to come.
struct Open {
    whole: Range<usize>,
    /// Behind the last that it shows.
    shown: usize,
    /// Nothing of an image.
    address: Option<String>,
    automatic: bool,
}

fn taken_apart(text: &str) -> Vec<Edit> {
    let (mut edits, mut open) = (Vec::new(), Vec::<Open>::new());
    for (event, range) in parsed(text) {
        match event {
            Event::Start(Tag::Link {
                link_type, dest_url, ..
            }) => open.push(Open {
                shown: range.start + 1,
                whole: range,
                address: Some(full(&dest_url)),
                automatic: matches!(link_type, LinkType::Autolink | LinkType::Email),
            }),
            Event::Start(Tag::Image { .. }) => open.push(Open {
                shown: range.start + 2,
                whole: range,
                address: None,
                automatic: false,
            }),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some(closed) = open.pop() {
                    closed.take_apart(text, &mut edits);
                }
                if let Some(outer) = open.last_mut() {
                    outer.shown = outer.shown.max(range.end);
                }
            }
            _ => {
                if let Some(outer) = open.last_mut() {
                    outer.shown = outer.shown.max(range.end);
                }
            }
        }
    }
    edits
}

impl Open {
    fn take_apart(self, text: &str, edits: &mut Vec<Edit>) {
        let Range { start, end } = self.whole;
        let address = self.address.as_deref();
        if self.automatic {
            edits.push((start..end, address.map(code).unwrap_or_default()));
            return;
        }
        let inner = start + if address.is_some() { 1 } else { 2 };
        let shown = text.get(inner..self.shown).unwrap_or_default().trim();
        let behind = match address {
            Some(address) if full(shown) == address => {
                edits.push((start..end, code(address)));
                return;
            }
            Some(address) if shown.is_empty() => code(address),
            Some(address) => format!(" ({})", code(address)),
            None => String::new(),
        };
        edits.push((start..inner, String::new()));
        edits.push((self.shown..end, behind));
    }
}

/// The whole address with nothing in it that looks like something else: hosts in their ASCII form.
fn full(address: &str) -> String {
    let address = address.trim();
    Url::parse(address).map_or_else(|_| address.to_owned(), String::from)
}

/// Ends no code span and no cell.
fn code(address: &str) -> String {
    let mut code = String::from("`");
    for sign in address.chars() {
        match sign {
            '`' => code.push_str("%60"),
            '|' => code.push_str("%7C"),
            _ if sign.is_whitespace() => code.push_str("%20"),
            _ if sign.is_control() => {}
            _ => code.push(sign),
        }
    }
    code.push('`');
    code
}

/// Outside code: a blank where brackets would make a link for some reader of Markdown, and bare
/// addresses as code.
fn apart_and_bare(text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut from = 0;
    let codes =
        parsed(text).filter(|(event, _)| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))));
    let ends = std::iter::once(text.len()..text.len());
    for code in codes.map(|(_, range)| range).chain(ends) {
        let stretch = text.get(from..code.start).unwrap_or_default();
        for joint in ["](", "][", "]:"] {
            let found = stretch.match_indices(joint).map(|(at, _)| from + at + 1);
            edits.extend(found.map(|at| (at..at, " ".to_owned())));
        }
        edits.extend(bare(stretch).map(|range| {
            let address = stretch.get(range.clone()).unwrap_or_default();
            let shown = if address.contains("://") {
                full(address)
            } else {
                address.to_owned()
            };
            (from + range.start..from + range.end, self::code(&shown))
        }));
        from = from.max(code.end);
    }
    edits
}

/// Addresses of which a program would make links.
fn bare(text: &str) -> impl Iterator<Item = Range<usize>> {
    let ends = |sign: char| {
        sign.is_whitespace() || matches!(sign, '<' | '>' | '"' | '`' | '|' | '(' | ')' | '[' | ']')
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let begin = at + rest.find(|sign: char| !ends(sign))?;
            let rest = text.get(begin..)?;
            let length = rest.find(ends).unwrap_or(rest.len());
            at = begin + length;
            let word = rest.get(..length)?;
            let Some(start) = address_in(word) else { continue };
            let address = word.get(start..)?;
            let kept =
                address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~', '”', '’']);
            return Some(begin + start..begin + start + kept.len());
        }
    })
}

fn address_in(word: &str) -> Option<usize> {
    let lower = word.to_ascii_lowercase();
    let scheme = lower.find("://").map(|at| {
        let before = lower.get(..at).unwrap_or_default();
        at - before.bytes().rev().take_while(u8::is_ascii_alphanumeric).count()
    });
    let named = ["www.", "mailto:"].iter().filter_map(|name| lower.find(name));
    named.chain(scheme).min()
}
