//! Makes Markdown safe to show on every face: answers quote foreign text, and a reader should see where an address
//! leads before going there. Links, images, HTML and mentions are found as readers find them, by parsing, and are
//! rewritten until nothing is found any more. Everything else stays the same, byte for byte. Does not depend on a
//! platform.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::base::safe_markdown::addresses::{Scope, address_in, bare, code, full};
use crate::base::safe_markdown::hosts::LinkHosts;
use crate::base::text::is_invisible;

/// Replacing one link may uncover another.
const ROUNDS: usize = 6;

/// The text without images, HTML and mentions. Links to the allowed hosts are shown in full, other addresses as code.
pub fn clean(markdown: &str, hosts: &LinkHosts) -> String {
    let text = rounds(visible(markdown), hosts, Scope::All);
    if is_clean(&text, hosts) {
        return text;
    }
    let text = rounds(replace_link_marks(&text), hosts, Scope::All);
    if is_clean(&text, hosts) {
        return text;
    }
    // As a last resort the whole text becomes a code block.
    format!("~~~\n{}\n~~~", text.replace(['~', '`'], "'"))
}

/// Whether the text has no link except to the allowed hosts, no image, no HTML and no mention.
pub fn is_clean(text: &str, hosts: &LinkHosts) -> bool {
    let bad = |event: &Event<'_>| match event {
        Event::Start(Tag::Link { dest_url, .. }) => !hosts.allow(dest_url),
        Event::Start(Tag::Image { .. } | Tag::HtmlBlock) | Event::Html(_) | Event::InlineHtml(_) => true,
        _ => false,
    };
    let is_bare = |section: Range<usize>| {
        let section = text.get(section).unwrap_or_default();
        let allowed = |found| hosts.allow(section.get(found).unwrap_or_default());
        control_marks(section).next().is_some() || !bare(section, Scope::All).all(allowed)
    };
    let is_live = |options| parsed(text, options).any(|(event, _)| bad(&event));
    let has_bare = |options| sections(text, options, hosts).any(is_bare);
    let with_extensions = std::iter::once(EXTENSIONS);
    !BOTH.iter().copied().chain(with_extensions).any(is_live) && !BOTH.iter().copied().any(has_bare)
}

/// Replaces links by their text and the whole address as code, which no program makes a link of, and images by
/// their description. `as_sent` is how the platform writes the text: that must contain no link either.
pub fn remove_links(markdown: &str, as_sent: impl Fn(&str) -> String) -> String {
    let text = visible(markdown);
    if !text.contains(['[', '<']) && address_in(&text).is_none() {
        return text;
    }
    let text = rounds(text, &LinkHosts::default(), Scope::Addresses);
    if has_links(&text) || has_links(&as_sent(&text)) {
        replace_link_marks(&text)
    } else {
        text
    }
}

/// Whether the text contains a link or an image.
pub fn has_links(text: &str) -> bool {
    parsed(text, OPTIONS)
        .any(|(event, _)| matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. })))
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

fn rounds(mut text: String, hosts: &LinkHosts, scope: Scope) -> String {
    for _ in 0..ROUNDS {
        let mut next = text.clone();
        for options in readers(scope).iter().copied() {
            if scope == Scope::All {
                next = apply(&next, entity_edits(&next, options));
                next = apply(&next, html_edits(&next, options));
            }
            next = apply(&next, link_edits(&next, options, hosts));
            next = apply(&next, text_edits(&next, options, hosts, scope));
        }
        let unchanged = next == text;
        text = next;
        if unchanged {
            break;
        }
    }
    text
}

/// What readers know of Markdown. Those with tables do not see the cells that a row has too many.
const fn readers(scope: Scope) -> &'static [Options] {
    match scope {
        Scope::Addresses => TABLES,
        Scope::All => BOTH,
    }
}

const TABLES: &[Options] = &[OPTIONS];
const BOTH: &[Options] = &[OPTIONS, Options::empty()];
/// A reader with all extensions that make links.
const EXTENSIONS: Options = OPTIONS
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_WIKILINKS)
    .union(Options::ENABLE_GFM);
const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

fn parsed(text: &str, options: Options) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, options).into_offset_iter()
}

/// Removes invisible characters, which make different texts look the same.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for sign in text.chars() {
        let hidden = match sign {
            // These join letters and emoji, but no ASCII characters.
            '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' => visible
                .ends_with(|before: char| before.is_ascii_alphabetic() || before.is_ascii_punctuation()),
            _ => is_invisible(sign),
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

/// Entities and escapes of ASCII characters as what they stand for, so that they hide no address from the next steps.
fn entity_edits(text: &str, options: Options) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut in_code = false;
    for (event, range) in parsed(text, options) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(decoded) if !in_code => {
                let source = text.get(range.clone()).unwrap_or_default();
                let mut signs = decoded.chars();
                if let (true, Some(sign), None) = (source.starts_with('&'), signs.next(), signs.next())
                    && source.len() > 1
                    && sign.is_ascii()
                    && sign != '&'
                {
                    edits.push((range, inert(sign).to_string()));
                }
            }
            _ => {}
        }
    }
    // A backslash before a character that only addresses and tags need.
    for (at, _) in text.match_indices('\\') {
        let mut behind = text.get(at + 1..).unwrap_or_default().chars();
        let (sign, next) = (behind.next(), behind.next());
        let of_word = next.is_some_and(char::is_alphanumeric);
        match sign {
            Some(':' | '/' | '@') => edits.push((at..at + 1, String::new())),
            Some('.') if of_word => edits.push((at..at + 1, String::new())),
            Some('<') => edits.push((at..at + 2, inert('<').to_string())),
            _ => {}
        }
    }
    edits
}

/// Brackets of tags, and backticks, which would end code, as characters that look alike and do nothing.
const fn inert(sign: char) -> char {
    match sign {
        '<' => '‹',
        '>' => '›',
        '`' => '\'',
        sign => sign,
    }
}

/// Tags as text; line breaks as spaces.
fn html_edits(text: &str, options: Options) -> Vec<Edit> {
    let html =
        parsed(text, options).filter(|(event, _)| matches!(event, Event::Html(_) | Event::InlineHtml(_)));
    html.map(|(_, range)| {
        let source = text.get(range.clone()).unwrap_or_default();
        let tag: String = source.chars().filter(char::is_ascii_alphabetic).collect();
        let shown = match tag.eq_ignore_ascii_case("br") {
            true => " ".to_owned(),
            false => source.chars().map(inert).collect(),
        };
        (range, shown)
    })
    .collect()
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

fn link_edits(text: &str, options: Options, hosts: &LinkHosts) -> Vec<Edit> {
    let (mut edits, mut open) = (Vec::new(), Vec::<OpenLink>::new());
    for (event, range) in parsed(text, options) {
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
                    closed.edit(text, hosts, &mut edits);
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
    fn edit(self, text: &str, hosts: &LinkHosts, edits: &mut Vec<Edit>) {
        let Range { start, end } = self.range;
        let address = self.address.as_deref();
        let shown_as = |address: &str| match hosts.allow(address) {
            true => format!("<{address}>"),
            false => code(address),
        };
        if self.automatic {
            let whole = address.map(shown_as).unwrap_or_default();
            if text.get(start..end) != Some(whole.as_str()) {
                edits.push((start..end, whole));
            }
            return;
        }
        let inner = start + if address.is_some() { 1 } else { 2 };
        let shown = text.get(inner..self.shown).unwrap_or_default().trim();
        let behind = match address {
            Some(address) if full(shown) == address => {
                edits.push((start..end, shown_as(address)));
                return;
            }
            Some(address) if shown.is_empty() => shown_as(address),
            Some(address) => format!(" ({})", shown_as(address)),
            None => String::new(),
        };
        edits.push((start..inner, String::new()));
        edits.push((self.shown..end, behind));
    }
}

/// Where control sequences of chat platforms begin: `<@U1>`, `<!channel>`, `<#C1>`.
fn control_marks(text: &str) -> impl Iterator<Item = usize> {
    let begins = |at: &usize| {
        let rest = text.get(at + 1..).unwrap_or_default();
        rest.trim_start_matches('\\').starts_with(['@', '!', '#'])
    };
    text.match_indices('<').map(|(at, _)| at).filter(begins)
}

/// The parts of a text outside of code and of links to allowed hosts.
fn sections(text: &str, options: Options, hosts: &LinkHosts) -> impl Iterator<Item = Range<usize>> {
    let mut skipped: Vec<Range<usize>> = parsed(text, options)
        .filter(|(event, _)| match event {
            Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => true,
            Event::Start(Tag::Link { dest_url, .. }) => hosts.allow(dest_url),
            _ => false,
        })
        .map(|(_, range)| range)
        .collect();
    skipped.push(text.len()..text.len());
    let mut from = 0;
    skipped.into_iter().map(move |skip| {
        let section = from..skip.start.max(from);
        from = from.max(skip.end);
        section
    })
}

/// Outside of code: a space where brackets would make a link in some Markdown dialect, and bare addresses as code.
fn text_edits(text: &str, options: Options, hosts: &LinkHosts, scope: Scope) -> Vec<Edit> {
    let (mut edits, mut stray) = (Vec::new(), Vec::new());
    let mut has_code = false;
    for range in sections(text, options, hosts) {
        let section = text.get(range.clone()).unwrap_or_default();
        let from = range.start;
        let joints: &[&str] = match scope {
            Scope::Addresses => &["](", "][", "]:"],
            Scope::All => &["](", "][", "]:", "[["],
        };
        for joint in joints {
            let found = section.match_indices(joint).map(|(at, _)| from + at + 1);
            edits.extend(found.map(|at| (at..at, " ".to_owned())));
        }
        for found in bare(section, scope) {
            let address = section.get(found.clone()).unwrap_or_default();
            if hosts.allow(address) {
                continue;
            }
            let shown = if address.contains("://") {
                full(address)
            } else {
                address.to_owned()
            };
            has_code = true;
            edits.push((from + found.start..from + found.end, code(&shown)));
        }
        if scope == Scope::All {
            stray.extend(section.match_indices('`').map(|(at, _)| from + at));
            let controls =
                control_marks(section).map(|at| (from + at..from + at + 1, inert('<').to_string()));
            edits.extend(controls);
        }
    }
    // A stray backtick would pair with one of ours.
    if has_code {
        edits.extend(stray.into_iter().map(|at| (at..at + 1, inert('`').to_string())));
    }
    edits
}
