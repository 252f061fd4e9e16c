//! Buttons and feedback as Slack's blocks, and the acts that Slack sends back when they are pressed.
//!
//! Does not decide who may press a button.

use serde_json::{Value, json};

use crate::assistants::model::{Act, Button, Style};
use crate::base::ids::DeliveryId;
use crate::chat::slack::mrkdwn::fitted;

const LABEL: usize = 75;
const VALUE: usize = 2_000;
/// Elements of one block; Slack takes 25.
const PER_BLOCK: usize = 25;

/// Prefix of the `action_id` of buttons with an act. A number follows, because the ids of one block must differ.
const ACT: &str = "act/";
/// Prefix of the `action_id` of the conversation selector, which has no value; the delivery follows.
const SHARE: &str = "share/";
/// The `action_id` of the feedback buttons.
const FEEDBACK: &str = "feedback";

/// The blocks of a row of buttons.
pub(super) fn actions(buttons: &[Button]) -> Vec<Value> {
    let elements: Vec<Value> = buttons
        .iter()
        .enumerate()
        .filter_map(|(n, button)| element(n, button))
        .collect();
    elements
        .chunks(PER_BLOCK)
        .map(|elements| json!({ "type": "actions", "elements": elements }))
        .collect()
}

fn element(n: usize, button: &Button) -> Option<Value> {
    let label = fitted(button.label.trim(), LABEL);
    let label = plain(if label.trim().is_empty() { "OK" } else { &label });
    if let Act::Share { delivery } = &button.act {
        return Some(json!({
            "type": "conversations_select",
            "placeholder": label,
            "action_id": format!("{SHARE}{delivery}"),
            // The selection takes effect at once, and everyone in the conversation sees it.
            "confirm": {
                "title": plain("Ask this question there?"),
                "text": plain("Your question, not the answer, will be posted there."),
                "confirm": plain("Ask there"),
                "deny": plain("Cancel"),
            },
            "filter": {
                "include": ["public", "private"],
                "exclude_external_shared_channels": true,
                "exclude_bot_users": true,
            },
        }));
    }
    let value = serde_json::to_string(&button.act).ok()?;
    // A truncated value would be invalid.
    if value.chars().count() > VALUE {
        return None;
    }
    let mut element = json!({
        "type": "button", "text": label, "action_id": format!("{ACT}{n}"), "value": value,
    });
    let style = match button.style {
        Style::Plain => None,
        Style::Primary => Some("primary"),
        Style::Danger => Some("danger"),
    };
    if let (Some(style), Some(fields)) = (style, element.as_object_mut()) {
        fields.insert("style".to_owned(), json!(style));
    }
    Some(element)
}

/// The feedback buttons of an answer.
pub(super) fn feedback(delivery: DeliveryId) -> Value {
    let thumb = |label: &str, helpful: bool| {
        let act = Act::Feedback { delivery, helpful };
        json!({ "text": plain(label), "value": serde_json::to_string(&act).unwrap_or_default() })
    };
    json!({
        "type": "context_actions",
        "elements": [{
            "type": "feedback_buttons",
            "action_id": FEEDBACK,
            "positive_button": thumb("Helpful", true),
            "negative_button": thumb("Not helpful", false),
        }],
    })
}

/// The act of a pressed element. None if it is not one of ours.
pub(super) fn act(action_id: &str, value: Option<&str>) -> Option<Act> {
    if let Some(delivery) = action_id.strip_prefix(SHARE) {
        let delivery = delivery.parse().ok()?;
        return Some(Act::Share { delivery });
    }
    if action_id == FEEDBACK || action_id.starts_with(ACT) {
        return serde_json::from_str(value?).ok();
    }
    None
}

fn plain(text: &str) -> Value {
    json!({ "type": "plain_text", "text": text, "emoji": false })
}
