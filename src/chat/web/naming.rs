//! Whether a message speaks to an assistant by name, and what is left without the name.
//!
//! In a shared conversation an assistant answers only when addressed. Knows no platform.

/// What is said to `name`: `@Name …` anywhere, or `Name, …` and `Name: …` at the start. Nothing if
/// the name is not called. Upper and lower case are the same.
pub fn addressed(text: &str, name: &str) -> Option<String> {
    let name = name.trim();
    if name.is_empty() {
        return None;
    }
    let text = text.trim();
    called_first(text, name).or_else(|| mentioned(text, name))
}

fn called_first(text: &str, name: &str) -> Option<String> {
    let rest = after(text, name)?.trim_start();
    let said = rest.strip_prefix([',', ':'])?;
    Some(said.trim().to_owned())
}

fn mentioned(text: &str, name: &str) -> Option<String> {
    text.match_indices('@').find_map(|(at, _)| {
        let (before, mention) = text.split_at_checked(at)?;
        // `someone@name.example` is no mention.
        let free = before
            .chars()
            .next_back()
            .is_none_or(|sign| !sign.is_alphanumeric());
        let rest = after(mention.strip_prefix('@')?, name).filter(|_| free)?;
        let ends = rest
            .chars()
            .next()
            .is_none_or(|sign| !sign.is_alphanumeric() && !"-_".contains(sign));
        let rest = rest.trim_start_matches([',', ':']);
        ends.then(|| format!("{} {}", before.trim(), rest.trim()).trim().to_owned())
    })
}

/// What follows `name`, if `text` begins with it.
fn after<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    for wanted in name.chars() {
        let sign = rest.next()?;
        if !sign.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    Some(rest.as_str())
}
