//! Removes links and images from Markdown: answers quote foreign text, and a reader should see where an address
//! leads before going there. Everything else stays the same, byte for byte. Does not depend on a platform.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use url::Url;

/// Replacing one link may uncover another.
const ROUNDS: usize = 4;

/// Replaces links by their text and the whole address as code, which no program makes a link of, and images by
/// their description. `as_sent` is how the platform writes the text: that must contain no link either.
pub fn remove_links(markdown: &str, as_sent: impl Fn(&str) -> String) -> String {
    let mut text = visible(markdown);
    if !text.contains(['[', '<']) && address_in(&text).is_none() {
        return text;
    }
    for _ in 0..ROUNDS {
        let next = apply(&text, link_edits(&text));
        let next = apply(&next, bare_address_edits(&next));
        let unchanged = next == text;
        text = next;
        if unchanged {
            break;
        }
    }
    if has_links(&text) || has_links(&as_sent(&text)) {
        replace_link_marks(&text)
    } else {
        text
    }
}

/// Whether the text contains a link or an image.
pub fn has_links(text: &str) -> bool {
    parsed(text).any(|(event, _)| matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. })))
}

/// Replaces the characters that links are made of. Only hostile text needs it.
pub fn replace_link_marks(text: &str) -> String {
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

/// Removes invisible characters, which make different texts look the same.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for sign in text.chars() {
        let hidden = match sign {
            // These join letters and emoji, but no ASCII characters.
            '\u{200c}' | '\u{200d}' => visible.ends_with(|before: char| before.is_ascii()),
            '\u{ad}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => true,
            _ => sign.is_control() && !matches!(sign, '\n' | '\t'),
        };
        if !hidden {
            visible.push(sign);
        }
    }
    visible
}

/// A range and its replacement.
type Edit = (Range<usize>, String);

/// Applies edits in their order; one that overlaps an earlier one is skipped.
fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut edited, mut done) = (String::with_capacity(text.len()), 0);
    for (range, replacement) in edits {
        if range.start >= done {
            edited.push_str(text.get(done..range.start).unwrap_or_default());
            edited.push_str(&replacement);
            done = range.end;
        }
    }
    edited.push_str(text.get(done..).unwrap_or_default());
    edited
}

/// A link or image whose end has not been reached.
struct OpenLink {
    range: Range<usize>,
    /// Where its visible text ends.
    shown: usize,
    /// None for an image.
    address: Option<String>,
    automatic: bool,
}

fn link_edits(text: &str) -> Vec<Edit> {
    let (mut edits, mut open) = (Vec::new(), Vec::<OpenLink>::new());
    for (event, range) in parsed(text) {
        match event {
            Event::Start(Tag::Link {
                link_type, dest_url, ..
            }) => open.push(OpenLink {
                shown: range.start + 1,
                range,
                address: Some(full(&dest_url)),
                automatic: matches!(link_type, LinkType::Autolink | LinkType::Email),
            }),
            Event::Start(Tag::Image { .. }) => open.push(OpenLink {
                shown: range.start + 2,
                range,
                address: None,
                automatic: false,
            }),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some(closed) = open.pop() {
                    closed.edit(text, &mut edits);
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

impl OpenLink {
    fn edit(self, text: &str, edits: &mut Vec<Edit>) {
        let Range { start, end } = self.range;
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

/// The whole address with its host in ASCII, so that it cannot look like another one.
fn full(address: &str) -> String {
    let address = address.trim();
    Url::parse(address).map_or_else(|_| address.to_owned(), String::from)
}

/// The address as a code span, without characters that would end it or a table cell.
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

/// Outside of code: a space where brackets would make a link in some Markdown dialect, and bare addresses as code.
fn bare_address_edits(text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut from = 0;
    let codes =
        parsed(text).filter(|(event, _)| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))));
    let ends = std::iter::once(text.len()..text.len());
    for code in codes.map(|(_, range)| range).chain(ends) {
        let section = text.get(from..code.start).unwrap_or_default();
        for joint in ["](", "][", "]:"] {
            let found = section.match_indices(joint).map(|(at, _)| from + at + 1);
            edits.extend(found.map(|at| (at..at, " ".to_owned())));
        }
        edits.extend(bare_addresses(section).map(|range| {
            let address = section.get(range.clone()).unwrap_or_default();
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

/// Addresses that a program would turn into links.
fn bare_addresses(text: &str) -> impl Iterator<Item = Range<usize>> {
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
