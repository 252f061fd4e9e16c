//! Slack's text escapes, in both directions: what people write becomes plain text, and what we write can never
//! ping, mention or link. Does not depend on events or blocks.

use crate::base::safe_markdown::clean as safe_markdown;

/// A message's text as plain text: people, channels, groups and URLs as a reader sees them, without the bot's own
/// mention, with entities decoded once.
pub fn plain(text: &str, bot: Option<&str>) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, control, after)) = next_control(rest) {
        entities(before, &mut plain);
        if names(control, bot) {
            // "ask <@BOT> now" leaves one space, not two.
            // Line breaks and tabs stay: a table may begin there.
            rest = if plain.is_empty() || plain.ends_with(char::is_whitespace) {
                after.trim_start_matches([' ', '\u{a0}'])
            } else {
                after
            };
        } else {
            shown(control, &mut plain);
            rest = after;
        }
    }
    entities(rest, &mut plain);
    plain.trim().to_owned()
}

/// Whether the text addresses this bot.
pub fn mentions(text: &str, bot: &str) -> bool {
    let mut rest = text;
    while let Some((_, control, after)) = next_control(rest) {
        if names(control, Some(bot)) {
            return true;
        }
        rest = after;
    }
    false
}

/// The text with `&`, `<` and `>` as entities: after this no `<!channel>`, `<@U…>` or `<url|text>` is live. Control
/// characters, which Slack may refuse, are removed.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 16);
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            _ if sign.is_control() && !matches!(sign, '\n' | '\t') => {}
            _ => escaped.push(sign),
        }
    }
    escaped
}

/// Markdown without links and images.
pub fn without_links(markdown: &str) -> String {
    safe_markdown::remove_links(markdown, escaped)
}

/// Whether the text contains a link or an image, before or after it is escaped.
pub fn has_links(text: &str) -> bool {
    safe_markdown::has_links(text) || safe_markdown::has_links(&escaped(text))
}

/// What a character counts towards a limit: its escaped length, and one more where JSON escapes it, so that the limit
/// is kept whichever of the two Slack counts.
pub fn cost(sign: char) -> usize {
    match sign {
        '&' => 5,
        '<' | '>' => 4,
        '\n' | '\t' | '"' | '\\' => 2,
        _ => 1,
    }
}

/// The longest prefix that costs at most `budget`.
pub fn within(text: &str, budget: usize) -> &str {
    let mut spent = 0;
    for (at, sign) in text.char_indices() {
        spent += cost(sign);
        if spent > budget {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// Escaped, and shortened with an ellipsis where it would cost more than `budget`.
pub fn fitted(text: &str, budget: usize) -> String {
    let kept = within(text, budget);
    if kept.len() == text.len() {
        return escaped(text);
    }
    escaped(within(text, budget.saturating_sub(1)).trim_end()) + "…"
}

/// The text before the next `<…>`, in it, and after it. A `<` that a person writes arrives as an entity, so each `<`
/// starts a control sequence; one without an end is left as it is.
fn next_control(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('<')?;
    let (control, after) = rest.split_once('>')?;
    Some((before, control, after))
}

fn names(control: &str, bot: Option<&str>) -> bool {
    let user = control
        .strip_prefix('@')
        .map(|rest| rest.split_once('|').map_or(rest, |(id, _)| id));
    user.is_some() && user == bot
}

/// A control sequence as a reader sees it: its label, or the best there is without one.
fn shown(control: &str, into: &mut String) {
    let (target, label) = match control.split_once('|') {
        Some((target, label)) => (target, label),
        None => (control, ""),
    };
    let (sign, absent) = match target.chars().next() {
        Some('@') => ("@", "someone"),
        Some('#') => ("#", "channel"),
        Some('!') if target.starts_with("!date") => ("", "a date"),
        Some('!') if target.starts_with("!subteam") => ("@", "group"),
        Some('!') => ("@", target.get(1..).unwrap_or_default()),
        _ => (
            "",
            target
                .strip_prefix("mailto:")
                .or_else(|| target.strip_prefix("tel:"))
                .unwrap_or(target),
        ),
    };
    let name = if label.is_empty() { absent } else { label };
    if !name.starts_with(sign) {
        into.push_str(sign);
    }
    entities(name, into);
}

/// Decodes the three characters that Slack escapes.
fn entities(text: &str, into: &mut String) {
    let mut rest = text;
    while let Some((before, entity)) = rest.split_once('&') {
        into.push_str(before);
        let known = [("amp;", '&'), ("lt;", '<'), ("gt;", '>')];
        let read = known
            .iter()
            .find_map(|(name, sign)| Some((entity.strip_prefix(name)?, *sign)));
        let (after, sign) = read.unwrap_or((entity, '&'));
        into.push(sign);
        rest = after;
    }
    into.push_str(rest);
}
