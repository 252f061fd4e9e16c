//! Writes texts as Slack's `text` and `blocks`, within Slack's limits and with foreign content made inert. Does not
//! depend on calls or conversations.

use serde_json::{Value, json};
use url::Url;

use crate::assistants::model::{Part, Say};
use crate::base::safe_markdown::clean::replace_link_marks;
use crate::chat::slack::buttons;
use crate::chat::slack::mrkdwn::{cost, escaped, fitted, has_links, within, without_links};
use crate::chat::slack::table::alone;

/// All Markdown of one message; Slack accepts 12,000 characters.
const MARKDOWN: usize = 11_000;
/// All blocks of one message as JSON; Slack refuses more than about 13,000 characters.
const PAYLOAD: usize = 12_500;
/// What buttons may use of that before text does.
const BUTTONS: usize = PAYLOAD / 2;
/// What a block or element uses in addition to its text.
const FRAME: usize = 60;
/// All notes of one message.
const NOTES: usize = 1_200;
/// The plain text with blocks or alone.
const TEXT: usize = 4_000;
const BLOCKS: usize = 50;
/// Elements of one context block.
const NOTES_PER_BLOCK: usize = 10;
const LABEL: usize = 75;
const URL: usize = 3_000;
/// Slack turns headings and rules into blocks, which count against its limit of 50. Where there are more, they are
/// written as bold text and blank lines.
const LANDMARKS: usize = 12;
/// A longer row of backticks counts as text.
const FENCE: usize = 16;

/// The `action_id` of buttons that only open an address.
pub const OPEN_LINK: &str = "open_link";

const CUT: &str = "The answer is longer than one Slack message may be and was cut here. Ask for a part of it to see \
 the rest.";

/// One message for Slack.
#[derive(Clone, Debug, PartialEq)]
pub struct SlackMessage {
    /// Shown in notifications, and where blocks are not possible.
    pub text: String,
    /// Empty for a message of only text.
    pub blocks: Vec<Value>,
}

/// One message. [`split`](crate::chat::slack::split) has made it fit; what does not fit is cut at a good boundary,
/// with a note.
pub fn message(say: &Say) -> SlackMessage {
    SlackMessage {
        text: fallback(say),
        blocks: blocks(&say.parts),
    }
}

/// The same without blocks, for when Slack refuses them: everything that a reader would have seen, as far as it fits.
/// The URLs of buttons are in the text.
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
                // A truncated URL would not work.
                if links.len() + line.len() <= TEXT / 2 {
                    links.push_str(&line);
                }
            }
            Part::Buttons(_) | Part::Feedback(_) => {}
        }
    }
    let taken = notes.chars().count() + links.chars().count() + CUT.len() + 4;
    let budget = TEXT.saturating_sub(taken);
    let (mut kept, complete) = inert(&words.join("\n\n"), budget);
    if kept.is_empty() && notes.is_empty() {
        kept = inert(first_text(say), budget).0;
    }
    let mut text = if kept.is_empty() && notes.is_empty() {
        "(no text)".to_owned()
    } else {
        escaped(&kept)
    };
    if !complete {
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
    fitted(first_text(say), TEXT)
}

/// Slack refuses a message without text.
fn first_text(say: &Say) -> &str {
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

/// The remaining room of a message.
struct Room {
    markdown: usize,
    notes: usize,
    buttons: usize,
    /// The part of all blocks that text may use.
    text: usize,
    /// Whether a table may still be added.
    table: bool,
}

impl Room {
    /// Buttons are short and say how to continue, so text makes room for them.
    fn of(parts: &[Part]) -> Self {
        let pressed = parts.iter().flat_map(|part| match part {
            Part::Link { label, url } => button(label, url).into_iter().collect(),
            part => act_blocks(part),
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
    let mut complete = true;
    for part in parts {
        if !matches!(part, Part::Note(_)) {
            blocks.extend(context(&mut notes));
        }
        // Two blocks are reserved: for pending notes, and for the note about what was cut.
        if blocks.len() + 2 >= BLOCKS {
            complete = false;
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
                complete &= all;
            }
            Part::Note(text) if notes.len() < NOTES_PER_BLOCK => notes.extend(note(text, &mut room)),
            Part::Note(_) => {}
            Part::Link { label, url } => match button(label, url) {
                Some(button) if room.take_button(&button) => blocks.push(button),
                Some(_) => complete = false,
                None => {
                    let (kept, all) = markdown_block(&format!("{label}: {url}"), &mut room);
                    blocks.extend(kept);
                    complete &= all;
                }
            },
            Part::Buttons(_) | Part::Feedback(_) => {
                for block in act_blocks(part) {
                    if room.take_button(&block) {
                        blocks.push(block);
                    }
                }
            }
        }
    }
    if !complete {
        notes.truncate(NOTES_PER_BLOCK - 1);
        notes.insert(0, json!({ "type": "mrkdwn", "text": CUT, "verbatim": true }));
    }
    blocks.extend(context(&mut notes));
    blocks
}

/// A table block, if the text is a table and there is room. Slack accepts one per message.
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

/// The block, if there is anything to show, and whether it contains everything.
fn markdown_block(text: &str, room: &mut Room) -> (Option<Value>, bool) {
    let budget = room.markdown.min(room.text.saturating_sub(FRAME));
    let (kept, complete) = inert(text, budget);
    if kept.is_empty() {
        return (None, complete);
    }
    let cost = kept.chars().map(cost).sum();
    room.markdown = room.markdown.saturating_sub(cost);
    room.take_text(cost);
    (
        Some(json!({ "type": "markdown", "text": escape_markdown(&kept) })),
        complete,
    )
}

/// Escaped except for the characters that mark quotes: standard Markdown does not read an entity as a mark, and with
/// every `<` escaped a `>` makes nothing live.
fn escape_markdown(text: &str) -> String {
    let (mut written, mut in_code) = (String::with_capacity(text.len()), false);
    for line in lines(text) {
        let (marks, rest) = line
            .text
            .split_at(if in_code { 0 } else { quote_marks(line.text) });
        written.push_str(marks);
        written.push_str(&escaped(rest));
        in_code = line.fence.is_some();
    }
    written
}

/// The length of a line's quote marks.
fn quote_marks(line: &str) -> usize {
    let rest = line.trim_start_matches([' ', '>']);
    let marks = line.strip_suffix(rest).unwrap_or_default();
    marks.rfind('>').map_or(0, |last| last + 1)
}

/// The text without links, cut where it exceeds the budget, and whether it is complete. Empty where there is nothing
/// to show.
fn inert(text: &str, budget: usize) -> (String, bool) {
    // Text far beyond the budget is not processed.
    let near = within(text.trim(), budget * 2);
    let all = near.len() == text.trim().len();
    let text = without_links(&plain_headings(near));
    if is_blank(&text) {
        return (String::new(), all);
    }
    let shorter = cut(&text, budget);
    let complete = all && shorter.is_none();
    let mut kept = shorter.unwrap_or(text);
    // A cut may remove what kept text from being a link.
    if !complete && has_links(&kept) {
        kept = replace_link_marks(&kept);
    }
    if kept.trim().is_empty() {
        kept.clear();
    }
    (kept, complete)
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|sign| sign.is_whitespace() || sign.is_control())
}

/// A note, if there is room.
fn note(text: &str, room: &mut Room) -> Option<Value> {
    let budget = room.notes.min(room.text.saturating_sub(FRAME));
    let text = fitted(text.trim(), budget);
    if budget == 0 || text.trim().is_empty() {
        return None;
    }
    let cost: usize = text.chars().map(cost).sum();
    room.notes = room.notes.saturating_sub(cost);
    room.take_text(cost);
    // `verbatim` keeps Slack from turning words into links.
    Some(json!({ "type": "mrkdwn", "text": text, "verbatim": true }))
}

fn context(notes: &mut Vec<Value>) -> Option<Value> {
    let elements = std::mem::take(notes);
    (!elements.is_empty()).then(|| json!({ "type": "context", "elements": elements }))
}

/// The blocks of buttons with an act.
fn act_blocks(part: &Part) -> Vec<Value> {
    match part {
        Part::Buttons(row) => buttons::actions(row),
        Part::Feedback(delivery) => vec![buttons::feedback(*delivery)],
        _ => Vec::new(),
    }
}

/// A link button, unless Slack would not accept the URL.
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

/// One line of a text.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    /// The offset after the line and its break.
    pub(super) end: usize,
    /// The marks that close the code block that is open after the line.
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

/// The row of backticks or tildes that opens or closes a code block.
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

/// Nothing if the text is within the budget; else its longest beginning within it that ends well: at a paragraph if
/// that keeps half, else at a line, else at a word. An open code block is closed.
fn cut(text: &str, budget: usize) -> Option<String> {
    if within(text, budget).len() == text.len() {
        return None;
    }
    // Room for a line break and the marks that close a code block.
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

/// Writes headings as bold lines and rules as blank ones where there are many of them.
pub(super) fn plain_headings(text: &str) -> String {
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
    let mut plain_headings = String::with_capacity(text.len());
    for line in lines(text) {
        if !landmark(&line) {
            plain_headings.push_str(line.text);
        } else if heading(line.text) {
            let words = line
                .text
                .trim_matches(|sign: char| sign == '#' || sign.is_whitespace());
            plain_headings.push_str(&format!("**{words}**\n"));
        } else {
            plain_headings.push('\n');
        }
    }
    plain_headings
}
