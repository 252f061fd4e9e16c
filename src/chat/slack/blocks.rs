//! Neutral sayings into Slack's `text` and `blocks`, inside Slack's limits and with everything
//! foreign made inert. Knows no call and no conversation.

use serde_json::{Value, json};
use url::Url;

use crate::assistants::model::{Part, Say};
use crate::chat::core::link_removal::replace_link_marks;
use crate::chat::slack::buttons;
use crate::chat::slack::mrkdwn::{cost, escaped, fitted, has_links, within, without_links};
use crate::chat::slack::table::alone;

/// All markdown of one message; Slack takes 12,000 characters.
const MARKDOWN: usize = 11_000;
/// All blocks of one message, as JSON; from about 13,000 characters on Slack refuses it.
const PAYLOAD: usize = 12_500;
/// Of these, what buttons may take before text does.
const BUTTONS: usize = PAYLOAD / 2;
/// What a block or element takes beside its text.
const FRAME: usize = 60;
/// All small print of one message.
const NOTES: usize = 1_200;
/// The plain text beside blocks, or alone.
const TEXT: usize = 4_000;
const BLOCKS: usize = 50;
/// Elements of one context block.
const NOTES_PER_BLOCK: usize = 10;
const LABEL: usize = 75;
const URL: usize = 3_000;
/// Slack makes blocks of its own from headings and rules, which count against its 50; beyond this
/// many they are written as bold and blank lines.
const LANDMARKS: usize = 12;
/// A longer row of backticks is taken for text.
const FENCE: usize = 16;

/// The `action_id` of buttons that only open an address.
pub const OPEN_LINK: &str = "open_link";

const CUT: &str = "The answer is longer than one Slack message may be and was cut here. Ask for a part of it to see the rest.";

/// One message, as Slack takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct SlackMessage {
    /// Shown in notifications, and where blocks cannot be.
    pub text: String,
    /// Empty for a message of text alone.
    pub blocks: Vec<Value>,
}

/// What is said as one message, which [`split`](crate::chat::slack::split) has made fit; what does not
/// is cut at a good boundary, with a note.
pub fn message(say: &Say) -> SlackMessage {
    SlackMessage {
        text: fallback(say),
        blocks: blocks(&say.parts),
    }
}

/// The same without blocks, for a place or a moment in which Slack refuses them: all that a reader would
/// have seen, as far as it fits. Addresses of buttons stand in the text.
pub fn text_only(say: &Say) -> SlackMessage {
    let (mut words, mut notes, mut links) = (Vec::new(), String::new(), String::new());
    let mut left = NOTES;
    for part in &say.parts {
        match part {
            Part::Markdown(text) => words.push(text.trim()),
            Part::Note(text) => {
                let note = fitted(&without_links(text.trim()), left);
                if left > 0 && !note.trim().is_empty() {
                    left = left.saturating_sub(note.chars().map(cost).sum::<usize>() + 2);
                    notes.push_str(&format!("\n{note}"));
                }
            }
            Part::Link { label, url } => {
                let line = format!("\n{}: {}", fitted(label, LABEL), escaped(url));
                // Half an address leads nowhere.
                if links.len() + line.len() <= TEXT / 2 {
                    links.push_str(&line);
                }
            }
            Part::Buttons(_) | Part::Feedback(_) => {}
        }
    }
    let taken = notes.chars().count() + links.chars().count() + CUT.len() + 4;
    let budget = TEXT.saturating_sub(taken);
    let (mut kept, whole) = harmless(&words.join("\n\n"), budget);
    if kept.is_empty() && notes.is_empty() {
        kept = harmless(spoken(say), budget).0;
    }
    let mut text = if kept.is_empty() && notes.is_empty() {
        "(no text)".to_owned()
    } else {
        escaped(&kept)
    };
    if !whole {
        text.push_str(&format!("\n\n{CUT}"));
    }
    if !notes.is_empty() {
        text.push_str(&format!("\n{notes}"));
    }
    text.push_str(&links);
    SlackMessage {
        text: text.trim_start().to_owned(),
        blocks: Vec::new(),
    }
}

fn fallback(say: &Say) -> String {
    fitted(spoken(say), TEXT)
}

/// Slack refuses a message without text.
fn spoken(say: &Say) -> &str {
    let parts = say.parts.iter().map(|part| match part {
        Part::Markdown(text) | Part::Note(text) => text.as_str(),
        Part::Link { label, .. } => label.as_str(),
        Part::Buttons(_) | Part::Feedback(_) => "",
    });
    let shown = |text: &&str| !is_blank(text);
    std::iter::once(say.text.as_str())
        .chain(parts)
        .find(shown)
        .map_or("(no text)", str::trim)
}

/// What is left of a message's limits.
struct Room {
    markdown: usize,
    notes: usize,
    buttons: usize,
    /// Of the whole, what text may take.
    text: usize,
    /// There is none yet.
    table: bool,
}

impl Room {
    /// A button is short and says where to go on, so text makes way for it.
    fn of(parts: &[Part]) -> Self {
        let pressed = parts.iter().flat_map(|part| match part {
            Part::Link { label, url } => button(label, url).into_iter().collect(),
            part => pressable(part),
        });
        let buttons = pressed.map(|button| size(&button)).sum::<usize>().min(BUTTONS);
        let text = PAYLOAD - buttons - CUT.len() - 2 * FRAME;
        Self {
            markdown: MARKDOWN,
            notes: NOTES,
            buttons: BUTTONS,
            text,
            table: true,
        }
    }

    fn take_button(&mut self, button: &Value) -> bool {
        let left = self.buttons.checked_sub(size(button));
        self.buttons = left.unwrap_or(self.buttons);
        left.is_some()
    }

    fn take_text(&mut self, cost: usize) {
        self.text = self.text.saturating_sub(cost + FRAME);
    }
}

fn size(block: &Value) -> usize {
    block.to_string().chars().count()
}

fn blocks(parts: &[Part]) -> Vec<Value> {
    let (mut blocks, mut notes) = (Vec::new(), Vec::new());
    let mut room = Room::of(parts);
    let mut whole = true;
    for part in parts {
        if !matches!(part, Part::Note(_)) {
            blocks.extend(context(&mut notes));
        }
        // Two places are kept: for small print that waits, and for the note on what was cut.
        if blocks.len() + 2 >= BLOCKS {
            whole = false;
            break;
        }
        match part {
            Part::Markdown(text) => {
                if let Some(table) = table_block(text, &mut room) {
                    blocks.push(table);
                    continue;
                }
                let (kept, all) = markdown_block(text, &mut room);
                blocks.extend(kept);
                whole &= all;
            }
            Part::Note(text) if notes.len() < NOTES_PER_BLOCK => notes.extend(note(text, &mut room)),
            Part::Note(_) => {}
            Part::Link { label, url } => match button(label, url) {
                Some(button) if room.take_button(&button) => blocks.push(button),
                Some(_) => whole = false,
                None => {
                    let (kept, all) = markdown_block(&format!("{label}: {url}"), &mut room);
                    blocks.extend(kept);
                    whole &= all;
                }
            },
            Part::Buttons(_) | Part::Feedback(_) => {
                for block in pressable(part) {
                    if room.take_button(&block) {
                        blocks.push(block);
                    }
                }
            }
        }
    }
    if !whole {
        notes.truncate(NOTES_PER_BLOCK - 1);
        notes.insert(0, json!({ "type": "mrkdwn", "text": CUT, "verbatim": true }));
    }
    blocks.extend(context(&mut notes));
    blocks
}

/// Nothing unless the text is a table for which there is room. Slack takes one in a message.
fn table_block(text: &str, room: &mut Room) -> Option<Value> {
    let table = alone(text).filter(|_| room.table)?.block()?;
    let cost = size(&table);
    if cost > room.text {
        return None;
    }
    room.table = false;
    room.take_text(cost);
    Some(table)
}

/// The block, if there is anything to show, and whether it holds everything.
fn markdown_block(text: &str, room: &mut Room) -> (Option<Value>, bool) {
    let budget = room.markdown.min(room.text.saturating_sub(FRAME));
    let (kept, whole) = harmless(text, budget);
    if kept.is_empty() {
        return (None, whole);
    }
    let cost = kept.chars().map(cost).sum();
    room.markdown = room.markdown.saturating_sub(cost);
    room.take_text(cost);
    (Some(json!({ "type": "markdown", "text": written(&kept) })), whole)
}

/// Escaped but for the signs by which lines are quotes: standard Markdown takes an entity for a mere
/// sign, and with every `<` escaped no `>` makes anything live.
fn written(text: &str) -> String {
    let (mut written, mut in_code) = (String::with_capacity(text.len()), false);
    for line in lines(text) {
        let (marks, rest) = line.text.split_at(if in_code { 0 } else { quoting(line.text) });
        written.push_str(marks);
        written.push_str(&escaped(rest));
        in_code = line.fence.is_some();
    }
    written
}

/// Where the signs end that make a quote of a line.
fn quoting(line: &str) -> usize {
    let rest = line.trim_start_matches([' ', '>']);
    let marks = line.strip_suffix(rest).unwrap_or_default();
    marks.rfind('>').map_or(0, |last| last + 1)
}

/// The text with nothing in it that leads anywhere, cut where it is beyond the budget, and whether it is
/// whole. Empty where there is nothing to show.
fn harmless(text: &str, budget: usize) -> (String, bool) {
    // What is far beyond the budget is not looked at.
    let near = within(text.trim(), budget * 2);
    let all = near.len() == text.trim().len();
    let text = without_links(&sober(near));
    if is_blank(&text) {
        return (String::new(), all);
    }
    let shorter = cut(&text, budget);
    let whole = all && shorter.is_none();
    let mut kept = shorter.unwrap_or(text);
    // A cut may leave open what kept a link from being one.
    if !whole && has_links(&kept) {
        kept = replace_link_marks(&kept);
    }
    if kept.trim().is_empty() {
        kept.clear();
    }
    (kept, whole)
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|sign| sign.is_whitespace() || sign.is_control())
}

/// Nothing where no small print fits any more.
fn note(text: &str, room: &mut Room) -> Option<Value> {
    let budget = room.notes.min(room.text.saturating_sub(FRAME));
    let text = fitted(text.trim(), budget);
    if budget == 0 || text.trim().is_empty() {
        return None;
    }
    let cost: usize = text.chars().map(cost).sum();
    room.notes = room.notes.saturating_sub(cost);
    room.take_text(cost);
    // `verbatim` keeps Slack from making links of words.
    Some(json!({ "type": "mrkdwn", "text": text, "verbatim": true }))
}

fn context(notes: &mut Vec<Value>) -> Option<Value> {
    let elements = std::mem::take(notes);
    (!elements.is_empty()).then(|| json!({ "type": "context", "elements": elements }))
}

/// What brings an act back.
fn pressable(part: &Part) -> Vec<Value> {
    match part {
        Part::Buttons(row) => buttons::actions(row),
        Part::Feedback(delivery) => vec![buttons::feedback(*delivery)],
        _ => Vec::new(),
    }
}

/// Nothing if Slack would not take the address.
fn button(label: &str, url: &str) -> Option<Value> {
    let parsed = Url::parse(url).ok()?;
    let plain =
        !url.contains(|sign: char| sign.is_whitespace() || sign.is_control() || matches!(sign, '<' | '>'));
    if !matches!(parsed.scheme(), "http" | "https") || url.chars().count() > URL || !plain {
        return None;
    }
    let label = fitted(label.trim(), LABEL);
    let label = if label.trim().is_empty() {
        "Open".to_owned()
    } else {
        label
    };
    Some(json!({
        "type": "actions",
        "elements": [{
            "type": "button",
            "text": { "type": "plain_text", "text": label, "emoji": false },
            "url": url,
            "action_id": OPEN_LINK,
        }],
    }))
}

/// Where one line stands in a text.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    /// Just behind the line and its break.
    pub(super) end: usize,
    /// The marks that close the code block which is open behind the line.
    pub(super) fence: Option<&'a str>,
}

pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let (mut end, mut open) = (0, None);
    text.split_inclusive('\n').map(move |line| {
        end += line.len();
        let marks = fence(line);
        open = match (open, marks) {
            (None, marks) => marks,
            (Some(opened), Some(marks)) if marks.starts_with(opened) && line.trim() == marks => None,
            (still, _) => still,
        };
        Line {
            text: line,
            end,
            fence: open,
        }
    })
}

/// The row of backticks or tildes with which a line opens or closes a code block.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.chars().take_while(|sign| *sign == mark).count();
    if (3..=FENCE).contains(&length) {
        line.get(..length)
    } else {
        None
    }
}

/// Nothing if the text is within the budget; else its longest beginning that is and ends well: at
/// a paragraph if that keeps half, else at a line, else at a word. An open code block is closed.
fn cut(text: &str, budget: usize) -> Option<String> {
    if within(text, budget).len() == text.len() {
        return None;
    }
    // A line break and the marks that may have to close a code block.
    let most = within(text, budget.saturating_sub(FENCE + 2)).len();
    let (mut paragraph, mut line, mut open) = (0, 0, None);
    for current in lines(text).take_while(|line| line.end <= most) {
        if current.text.trim().is_empty() && current.fence.is_none() {
            paragraph = current.end;
        }
        (line, open) = (current.end, current.fence);
    }
    let mut end = line;
    if paragraph > 0 && paragraph * 2 >= most {
        (end, open) = (paragraph, None);
    } else if line * 2 < most {
        let head = text.get(..most).unwrap_or_default();
        end = head
            .rfind(char::is_whitespace)
            .filter(|word| *word * 2 > most)
            .unwrap_or(most);
    }
    let mut kept = text.get(..end).unwrap_or_default().trim_end().to_owned();
    if let Some(marks) = open {
        kept.push('\n');
        kept.push_str(marks);
    }
    Some(kept)
}

/// Headings as bold lines and rules as blank ones, where there are many of them.
pub(super) fn sober(text: &str) -> String {
    let rule = |line: &str| {
        let line = line.trim();
        line.len() >= 3
            && ['-', '*', '_']
                .iter()
                .any(|mark| line.trim_matches(*mark).is_empty())
    };
    let heading = |line: &str| line.starts_with('#') && line.trim_start_matches('#').starts_with([' ', '\t']);
    let landmark = |line: &Line<'_>| line.fence.is_none() && (rule(line.text) || heading(line.text));
    if lines(text).filter(landmark).count() <= LANDMARKS {
        return text.to_owned();
    }
    let mut sober = String::with_capacity(text.len());
    for line in lines(text) {
        if !landmark(&line) {
            sober.push_str(line.text);
        } else if heading(line.text) {
            let words = line
                .text
                .trim_matches(|sign: char| sign == '#' || sign.is_whitespace());
            sober.push_str(&format!("**{words}**\n"));
        } else {
            sober.push('\n');
        }
    }
    sober
}
