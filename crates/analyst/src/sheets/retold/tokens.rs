//! A question as its chunks, with the marks around each: for wordings that are left out or put otherwise before a
//! table is asked.
//!
//! Knows no table.

use crate::words::among::among;

/// A chunk between spaces: its word in lower case, and the marks before and behind it.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) before: String,
    /// As it was written.
    pub(crate) raw: String,
    /// In lower case, with straight apostrophes.
    pub(crate) word: String,
    pub(crate) after: String,
}

impl Token {
    /// A word of our own.
    pub(crate) fn plain(word: &str) -> Self {
        Self {
            before: String::new(),
            raw: word.to_owned(),
            word: word.to_owned(),
            after: String::new(),
        }
    }

    /// A sentence ends behind it.
    pub(crate) fn ends(&self) -> bool {
        self.after.contains(['.', '?', '!', ';'])
    }

    /// Anything ends behind it.
    pub(crate) fn pauses(&self) -> bool {
        !self.after.trim_matches(['"', '”']).is_empty()
    }
}

fn inner(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '$' | '%' | '€' | '£' | '#' | '&' | '=' | '+')
}

/// The chunks of a question; a dash that stands alone is a mark behind the word before it.
pub(crate) fn of(question: &str) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::new();
    for chunk in question.split_whitespace() {
        if !chunk.contains(inner) {
            match all.last_mut() {
                Some(last) if matches!(chunk, "-" | "–" | "—") => last.after.push_str(" -"),
                Some(last) => last.after.push_str(chunk),
                None => {}
            }
            continue;
        }
        let start = chunk
            .find(|sign| inner(sign) || sign == '-' || sign == '.')
            .unwrap_or(0);
        let end = chunk
            .char_indices()
            .rev()
            .find(|(_, sign)| inner(*sign))
            .map_or(chunk.len(), |(at, sign)| at + sign.len_utf8());
        let raw = chunk.get(start..end).unwrap_or(chunk);
        all.push(Token {
            before: chunk.get(..start).unwrap_or("").to_owned(),
            raw: raw.to_owned(),
            word: raw.to_lowercase().replace('’', "'"),
            after: chunk.get(end..).unwrap_or("").to_owned(),
        });
    }
    all
}

/// The question of chunks.
pub(crate) fn text(all: &[Token]) -> String {
    let mut out = String::new();
    for token in all {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&token.before);
        out.push_str(&token.raw);
        out.push_str(&token.after);
    }
    out
}

/// Takes chunks out; a mark that ended a sentence stays behind what is before them.
pub(crate) fn remove(all: &mut Vec<Token>, start: usize, length: usize) {
    let end = (start + length).min(all.len());
    if start >= end {
        return;
    }
    let gone: Vec<Token> = all.drain(start..end).collect();
    let opened = gone.iter().filter(|token| token.before.contains('(')).count();
    let closed = gone.iter().filter(|token| token.after.contains(')')).count();
    let mark = gone.last().and_then(|token| {
        token
            .after
            .chars()
            .rfind(|sign| matches!(sign, '.' | '?' | '!' | ';' | ':' | ',' | '-'))
    });
    if let Some(before) = start.checked_sub(1).and_then(|at| all.get_mut(at)) {
        if closed > opened && !before.after.contains(')') {
            before.after.push(')');
        }
        if let Some(mark) = mark.filter(|_| !before.pauses() || before.after == ",") {
            before.after = before.after.replace(',', "");
            if mark == '-' {
                before.after.push(' ');
            }
            before.after.push(mark);
        }
    }
    if opened > closed
        && let Some(next) = all.get_mut(start)
    {
        next.before.push('(');
    }
}

/// The words of a stretch.
pub(crate) fn words(all: &[Token], start: usize, end: usize) -> Vec<&str> {
    all.get(start..end)
        .unwrap_or_default()
        .iter()
        .map(|token| token.word.as_str())
        .collect()
}

/// Whether the question has a word of a list.
pub(crate) fn says(all: &[Token], list: &str) -> bool {
    all.iter().any(|token| among(list, &token.word))
}

/// The word at a place; empty outside.
pub(crate) fn word_at(all: &[Token], at: usize) -> &str {
    all.get(at).map_or("", |token| token.word.as_str())
}

/// Where the words of a list end that stand from a place on, nothing ending between them.
pub(crate) fn run(all: &[Token], start: usize, list: &str) -> usize {
    let mut end = start;
    while among(list, word_at(all, end)) && (end == start || !all.get(end - 1).is_some_and(Token::pauses)) {
        end += 1;
    }
    end
}

/// Takes out the stretches that a rule allows; `last` tells the last chunk of the stretch that begins at a place. The
/// rule is given the whole question and where the stretch begins and ends.
pub(crate) fn leave_out(
    all: &mut Vec<Token>,
    last: impl Fn(&[Token], usize) -> usize,
    spare: impl Fn(&[Token], usize, usize) -> bool,
) {
    let mut start = 0;
    while start < all.len() {
        let end = last(all, start) + 1;
        if spare(all, start, end) {
            remove(all, start, end - start);
        } else {
            start = end;
        }
    }
}

/// Where the stretch that begins at a place is closed; at the last chunk, if by none.
pub(crate) fn stretch_end(all: &[Token], start: usize, closes: impl Fn(&Token) -> bool) -> usize {
    (start..all.len())
        .find(|at| all.get(*at).is_some_and(&closes))
        .unwrap_or(all.len().saturating_sub(1))
}

/// Where the sentence that begins at a place ends.
pub(crate) fn sentence_end(all: &[Token], start: usize) -> usize {
    stretch_end(all, start, Token::ends)
}

/// Where the clause that begins at a place ends: at a mark, or before a parenthesis.
pub(crate) fn clause_end(all: &[Token], start: usize) -> usize {
    (start..all.len())
        .find(|at| {
            all.get(*at).is_some_and(Token::pauses)
                || all.get(at + 1).is_some_and(|token| token.before.contains('('))
        })
        .unwrap_or(all.len().saturating_sub(1))
}

/// Where a phrase stands from a place on, nothing ending within it.
pub(crate) fn find(all: &[Token], phrase: &str, from: usize) -> Option<(usize, usize)> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    (from..all.len()).find_map(|start| {
        let fits = parts.iter().enumerate().all(|(n, part)| {
            all.get(start + n).is_some_and(|token| {
                token.word == *part
                    && (n + 1 == parts.len() || !token.pauses())
                    && (n == 0 || token.before.is_empty())
            })
        });
        fits.then_some((start, parts.len()))
    })
}

/// Puts other words for a stretch, with the marks around it; tells how many chunks they are.
pub(crate) fn put(all: &mut Vec<Token>, start: usize, length: usize, by: &str) -> usize {
    if by.is_empty() {
        remove(all, start, length);
        return 0;
    }
    let before = all
        .get(start)
        .map(|token| token.before.clone())
        .unwrap_or_default();
    let after = all
        .get(start + length - 1)
        .map(|token| token.after.clone())
        .unwrap_or_default();
    let mut own: Vec<Token> = by.split(' ').map(Token::plain).collect();
    if let Some(first) = own.first_mut() {
        first.before = before;
    }
    if let Some(last) = own.last_mut() {
        last.after = after;
    }
    let count = own.len();
    all.splice(start..start + length, own);
    count
}

/// Puts other words for a phrase, wherever it stands.
pub(crate) fn replace(all: &mut Vec<Token>, phrase: &str, by: &str) -> bool {
    let mut any = false;
    let mut from = 0;
    while let Some((start, length)) = find(all, phrase, from) {
        any = true;
        from = start + put(all, start, length, by);
    }
    any
}

/// Puts other words for each of these phrases, in their order: those that say more stand first.
pub(crate) fn replace_each(all: &mut Vec<Token>, phrases: &[&str], by: &str) -> bool {
    let mut any = false;
    for phrase in phrases {
        any |= replace(all, phrase, by);
    }
    any
}

/// Takes out each of these phrases.
pub(crate) fn strike(all: &mut Vec<Token>, phrases: &[&str]) -> bool {
    replace_each(all, phrases, "")
}
