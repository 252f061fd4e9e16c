//! The app manifest from which an administrator creates the Slack app of an assistant: the template in
//! `manifests/slack.json` with names, colour and URLs filled in. Settings that an installation changed are kept.
//! Makes no call.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::assistants::brand::{MAX_PROMPT_MESSAGE, MAX_PROMPT_TITLE, MAX_PROMPTS};
use crate::assistants::model::{Assistant, Installation, Prompt};
use crate::assistants::slack::app::Scopes;
use crate::base::text::{on_one_line, shortened};
use crate::chat::core::platform::Package;
use crate::services::Site;

const TEMPLATE: &str = include_str!("../../../manifests/slack.json");

const NAME: usize = 35;
const DESCRIPTION: usize = 140;
const GREETING: usize = 300;
/// Shortest and longest.
const LONG_DESCRIPTION: (usize, usize) = (175, 4000);

/// The URLs that Slack calls for one installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlackAddresses {
    pub events: String,
    pub interactivity: String,
    pub commands: String,
    pub oauth_callback: String,
}

impl SlackAddresses {
    /// `public_url` is ours; `address_token` is the unguessable part.
    pub fn of(public_url: &str, address_token: &str) -> Self {
        let base = format!("{}/chat/slack/{address_token}", public_url.trim_end_matches('/'));
        Self {
            events: format!("{base}/events"),
            interactivity: format!("{base}/interactivity"),
            commands: format!("{base}/commands"),
            oauth_callback: format!("{base}/oauth/callback"),
        }
    }
}

/// Events of an app that is installed for a whole organization.
const ORGANIZATION_EVENTS: [&str; 2] = ["team_access_granted", "team_access_revoked"];

/// The manifest as the file that an administrator creates the app from.
pub fn package(at: &Installation, assistant: &Assistant, site: &Site) -> Package {
    let manifest = manifest_for(at, assistant, &site.public_url, &site.service_name);
    Package {
        content_type: "application/json",
        create_url: Some(create_link(&manifest)),
        bytes: format!("{manifest:#}\n").into_bytes(),
    }
}

/// The manifest for the app of an installation. Settings that the app got at Slack later stay on: a manifest without
/// them would turn them off.
pub fn manifest_for(at: &Installation, assistant: &Assistant, public_url: &str, service_name: &str) -> Value {
    let addresses = SlackAddresses::of(public_url, at.address.expose());
    let mut manifest = manifest(assistant, &addresses, service_name);
    let switches = [
        ("/settings/token_rotation_enabled", at.slack().rotates()),
        ("/settings/org_deploy_enabled", at.slack().is_enterprise),
    ];
    for (pointer, on) in switches {
        if let Some(switch) = manifest.pointer_mut(pointer) {
            *switch = on.into();
        }
    }
    if at.slack().is_enterprise
        && let Some(Value::Array(events)) = manifest.pointer_mut("/settings/event_subscriptions/bot_events")
    {
        events.extend(ORGANIZATION_EVENTS.map(Value::from));
    }
    manifest
}

/// The manifest of a new app, within Slack's limits for any assistant.
pub fn manifest(assistant: &Assistant, addresses: &SlackAddresses, service_name: &str) -> Value {
    let name = some_line(&assistant.name, NAME).unwrap_or_else(|| "Assistant".to_owned());
    let usual = format!("Answers real-estate and finance questions exactly. Powered by {service_name}.");
    let description = some_line(&assistant.description, DESCRIPTION)
        .or_else(|| some_line(&usual, DESCRIPTION))
        .unwrap_or_default();
    let greeting = some_line(&assistant.greeting, GREETING).unwrap_or_else(|| description.clone());
    let template = serde_json::from_str(TEMPLATE).unwrap_or_default();
    let fill = |place: &str| match place {
        "{{name}}" => Fill::With(name.clone()),
        "{{description}}" => Fill::With(description.clone()),
        "{{greeting}}" => Fill::With(greeting.clone()),
        "{{colour}}" if is_colour(&assistant.colour) => Fill::With(assistant.colour.clone()),
        // Slack has a default colour and accepts no other form.
        "{{colour}}" => Fill::LeaveOut,
        "{{events}}" => Fill::With(addresses.events.clone()),
        "{{interactivity}}" => Fill::With(addresses.interactivity.clone()),
        "{{oauth_callback}}" => Fill::With(addresses.oauth_callback.clone()),
        "{{about}}" => long_description(&assistant.about).map_or(Fill::LeaveOut, Fill::With),
        _ => Fill::Keep,
    };
    let mut manifest = filled(template, &fill).unwrap_or_default();
    let own = prompts(assistant);
    if !own.is_empty()
        && let Some(shown) = manifest.pointer_mut("/features/agent_view/suggested_prompts")
    {
        *shown = Value::Array(own);
    }
    manifest
}

/// The assistant's own suggested prompts.
fn prompts(assistant: &Assistant) -> Vec<Value> {
    let one = |prompt: &Prompt| {
        let title = some_line(&prompt.title, MAX_PROMPT_TITLE)?;
        let message = some_line(&prompt.message, MAX_PROMPT_MESSAGE)?;
        Some(json!({ "title": title, "message": message }))
    };
    assistant
        .prompts
        .iter()
        .filter_map(one)
        .take(MAX_PROMPTS)
        .collect()
}

/// The organization's own text, if it has the length that Slack requires.
fn long_description(about: &str) -> Option<String> {
    let plain: String = about
        .trim()
        .chars()
        .filter(|sign| !sign.is_control() || *sign == '\n')
        .collect();
    let (least, most) = LONG_DESCRIPTION;
    let long = shortened(plain.trim(), most);
    (long.chars().count() >= least).then_some(long)
}

/// The URL of Slack's page for a new app with the manifest in it. A long manifest may not fit into a URL everywhere,
/// so the JSON is always offered too.
pub fn create_link(manifest: &Value) -> String {
    let json = manifest.to_string();
    format!(
        "https://api.slack.com/apps?new_app=1&manifest_json={}",
        utf8_percent_encode(&json, NON_ALPHANUMERIC)
    )
}

/// All requested scopes, with the optional ones.
pub fn asked_scopes() -> Scopes {
    scopes_at("/oauth_config/scopes/bot")
}

/// The scopes that the assistant cannot work without.
pub fn needed_scopes() -> Scopes {
    let (mut needed, optional) = (asked_scopes(), scopes_at("/oauth_config/scopes/bot_optional"));
    needed.0.retain(|scope| !optional.has(scope));
    needed
}

/// The required scopes that were not granted, as far as is known.
pub fn missing_scopes(granted: &Scopes) -> Vec<String> {
    let needed = needed_scopes().0.into_iter();
    needed.filter(|scope| !granted.has(scope)).collect()
}

fn scopes_at(pointer: &str) -> Scopes {
    let template: Value = serde_json::from_str(TEMPLATE).unwrap_or_default();
    let list = template.pointer(pointer).and_then(Value::as_array);
    let names = list.into_iter().flatten().filter_map(Value::as_str);
    Scopes(names.map(str::to_owned).collect())
}

enum Fill {
    With(String),
    LeaveOut,
    Keep,
}

/// The template with each placeholder string replaced.
fn filled(value: Value, fill: &impl Fn(&str) -> Fill) -> Option<Value> {
    Some(match value {
        Value::String(text) => match fill(&text) {
            Fill::With(text) => Value::String(text),
            Fill::LeaveOut => return None,
            Fill::Keep => Value::String(text),
        },
        Value::Array(list) => list.into_iter().filter_map(|value| filled(value, fill)).collect(),
        Value::Object(map) => map
            .into_iter()
            .filter_map(|(key, value)| Some((key, filled(value, fill)?)))
            .collect(),
        other => other,
    })
}

/// One line of at most `most` characters, if it is not blank.
fn some_line(text: &str, most: usize) -> Option<String> {
    let plain: String = text
        .chars()
        .map(|sign| if sign.is_control() { ' ' } else { sign })
        .collect();
    let line = on_one_line(&plain);
    (!line.is_empty()).then(|| shortened(&line, most))
}

/// `#rgb` or `#rrggbb`. Slack's schema has this rule only in a description.
fn is_colour(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| {
        matches!(digits.len(), 3 | 6) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    })
}
