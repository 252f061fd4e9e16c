//! Detects whether a message addresses an assistant by name, and removes the name.
//!
//! In a shared conversation an assistant answers only when it is addressed. Independent of the chat platform.

use tables::letters::composed;

/// The message to `name` without the name, if it contains `@Name`, or starts with `Name,` or `Name:`. Ignores case.
pub fn addressed(text: &str, name: &str) -> Option<String> {
    let (text, name) = (composed(text), composed(name));
    let (text, name) = (text.trim(), name.trim());
    if name.is_empty() {
        return None;
    }
    starts_with_name(text, name).or_else(|| mentioned(text, name))
}

fn starts_with_name(text: &str, name: &str) -> Option<String> {
    let rest = after(text, name)?.trim_start();
    let message = rest.strip_prefix([',', ':'])?;
    Some(message.trim().to_owned())
}

fn mentioned(text: &str, name: &str) -> Option<String> {
    text.match_indices('@').find_map(|(at, _)| {
        let (before, mention) = text.split_at_checked(at)?;
        // `someone@name.example` is not a mention.
        let free = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let rest = after(mention.strip_prefix('@')?, name).filter(|_| free)?;
        let ends = rest
            .chars()
            .next()
            .is_none_or(|c| !c.is_alphanumeric() && !"-_".contains(c));
        let rest = rest.trim_start_matches([',', ':']);
        ends.then(|| format!("{} {}", before.trim(), rest.trim()).trim().to_owned())
    })
}

/// The rest of `text` after `name`, if it starts with it.
fn after<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    for wanted in name.chars() {
        let c = rest.next()?;
        if !c.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    Some(rest.as_str())
}
