//! Addresses in running text, which readers turn into links, and mentions, which notify people.

use std::ops::Range;

use url::Url;

/// What is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Links, images and addresses with a scheme.
    Addresses,
    /// Also HTML, mentions, e-mail addresses and names of hosts.
    All,
}

/// The whole address with its host in ASCII, so that it cannot look like another one.
pub(super) fn full(address: &str) -> String {
    let address = address.trim();
    Url::parse(address).map_or_else(|_| address.to_owned(), String::from)
}

/// The address as a code span, without characters that would end it or a table cell.
pub(super) fn code(address: &str) -> String {
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

/// What a program would turn into a link or a mention.
pub(super) fn bare(text: &str, scope: Scope) -> impl Iterator<Item = Range<usize>> {
    let ends = |sign: char| {
        sign.is_whitespace()
            || matches!(
                sign,
                '<' | '>' | '‹' | '›' | '"' | '`' | '|' | '(' | ')' | '[' | ']'
            )
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
            let start = address_in(word).unwrap_or(word.len());
            let name = (scope == Scope::All)
                .then(|| name_in(word.get(..start)?))
                .flatten();
            let found = match name {
                Some(name) => {
                    at = begin + name.end;
                    name
                }
                None if start < word.len() => start..word.len(),
                None => continue,
            };
            let address = word.get(found.clone())?;
            let kept =
                address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~', '”', '’', '\\']);
            if !kept.is_empty() {
                return Some(begin + found.start..begin + found.start + kept.len());
            }
        }
    })
}

/// Where an address with a scheme begins, or one that readers complete.
pub(super) fn address_in(word: &str) -> Option<usize> {
    let lower = word.to_ascii_lowercase();
    let scheme = lower.find("://").map(|at| {
        let before = lower.get(..at).unwrap_or_default();
        at - before.bytes().rev().take_while(u8::is_ascii_alphanumeric).count()
    });
    let named = ["www.", "mailto:"].iter().filter_map(|name| lower.find(name));
    named.chain(scheme).min()
}

/// The name of a host with its path, an e-mail address, or a mention: "evil.io/x", "a@evil.io", "@channel".
fn name_in(word: &str) -> Option<Range<usize>> {
    let of_name =
        |sign: char| sign.is_alphanumeric() || matches!(sign, '.' | '-' | '@' | '_' | '+' | '。' | '．');
    let mut at = 0;
    while let Some(begin) = word.get(at..)?.find(of_name).map(|first| at + first) {
        let rest = word.get(begin..)?;
        let length = rest.find(|sign| !of_name(sign)).unwrap_or(rest.len());
        let name = rest.get(..length)?;
        let path = rest.get(length..)?.starts_with(['/', ':', '?', '#']);
        let is_live = |(place, _): (usize, &str)| {
            let before = name.get(..place).unwrap_or_default();
            // Up to the next sign only: a text of them must not be searched to its end for each.
            let behind = name.get(place + 1..).unwrap_or_default();
            let behind = behind.split('@').next().unwrap_or_default();
            let at_start = !before.ends_with(char::is_alphanumeric);
            at_start && behind.starts_with(char::is_alphabetic)
                || is_host(behind.trim_end_matches(['.', '-', '_', '+']))
        };
        if name.match_indices('@').any(is_live) {
            return Some(begin..begin + length);
        }
        let trimmed = name.trim_start_matches(['.', '-', '_']);
        let start = begin + name.len() - trimmed.len();
        if trimmed
            .split(['@', '_', '+'])
            .any(|part| is_host(part.trim_matches(['.', '-'])))
        {
            let end = if path { word.len() } else { begin + length };
            return Some(start..end);
        }
        at = begin + length;
    }
    None
}

/// Labels with points between them, of which the last one has letters only: "evil.io", not "1.2m", "e.g." or "U.S.".
fn is_host(name: &str) -> bool {
    let labels: Vec<&str> = name.split(['.', '。', '．']).collect();
    let last = labels.last().copied().unwrap_or_default();
    labels.len() >= 2
        && labels.iter().all(|label| !label.is_empty())
        && last.chars().count() >= 2
        && (last.chars().all(char::is_alphabetic) || last.starts_with("xn--"))
}
