//! The shared header of an assistant's pages: tabs, icon, warnings, and the message after a form.
//!
//! An assistant of another organization is reported as not found.

use askama::Template;

use crate::assistants::model::{Assistant, Installation, InstallationState, PlatformKind};
use crate::base::error::{Error, Result};
use crate::base::ids::AssistantId;
use crate::chat::core::analyst::{BoundAnalyst, analyst_deleted, bound_analyst};
use crate::chat::slack::failure::fix;
use crate::chat::slack::manifest::missing_scopes;
use crate::edge::assets::accent_href;
use crate::edge::avatar::Avatar;
use crate::edge::view::Frame;
use crate::edge::visitor::Visitor;
use crate::services::Services;

/// The pages of an assistant, in the order of setup.
const TABS: [(&str, &str); 8] = [
    ("", "Brand"),
    ("/analyst", "Analyst"),
    ("/install", "Install"),
    ("/doctor", "Doctor"),
    ("/conversations", "Conversations"),
    ("/people", "People"),
    ("/deliveries", "Deliveries"),
    ("/feedback", "Feedback"),
];

/// An assistant loaded for its pages, with their frame and header.
pub struct OpenAssistant {
    pub frame: Frame,
    pub nav: Nav,
    pub assistant: Assistant,
    /// Its installation on a chat platform. The browser preview does not count.
    pub at: Option<Installation>,
}

/// Field `nav` of every template that includes `assistant_nav.html`.
#[derive(Clone, Debug)]
pub struct Nav {
    /// Base path of the assistant's pages.
    pub base: String,
    pub name: String,
    pub avatar: Avatar,
    pub tabs: Vec<Tab>,
    /// It is only in the browser preview. Always false on the Install page, which has the next step.
    pub preview_only: bool,
    /// Problems that stop it from answering, or from showing its current name.
    pub banners: Vec<String>,
    /// The message for administrators if its custom analyst was deleted.
    pub lost_analyst: Option<String>,
    /// What the platform refuses until an administrator fixes it. The doctor page has the details.
    pub barred: Option<String>,
    /// Confirms the form that was just submitted.
    pub done: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub struct Tab {
    pub href: String,
    pub label: &'static str,
    pub current: bool,
}

/// Asks for confirmation before an action that is hard to undo.
#[derive(Template)]
#[template(path = "assistant_confirm.html")]
pub struct ConfirmPage {
    pub frame: Frame,
    pub nav: Nav,
    pub csrf: String,
    pub heading: String,
    pub what: String,
    pub action: String,
    /// Hidden fields.
    pub fields: Vec<(&'static str, String)>,
    pub button: String,
    pub back: String,
}

/// The label of the tab that a route belongs to.
pub fn label_of(route: &str) -> &'static str {
    let end = route.split("/{id}").nth(1).unwrap_or_default();
    let within = |(path, _): &&(&str, &str)| !path.is_empty() && end.starts_with(path);
    TABS.iter().find(within).map_or(TABS[0].1, |(_, label)| label)
}

/// Loads an assistant of the visitor's organization for the page with this label. `done` is the query parameter
/// that the redirect after a form carries.
pub async fn open(
    services: &Services,
    visitor: &Visitor,
    id: &str,
    label: &'static str,
    done: Option<&str>,
) -> Result<OpenAssistant> {
    let id: AssistantId = id.parse().map_err(|_| Error::NotFound("assistant"))?;
    let org = visitor.principal.org;
    let assistant = services.assistants.assistant(org, id).await?;
    let installations = services.installations.of_assistant(org, id).await?;
    let at = installations
        .into_iter()
        .find(|at| at.kind() != PlatformKind::Web);
    let title = format!("{label} · {}", assistant.name);
    let mut frame = visitor.frame(&services.site, title).at("assistants");
    frame.accent = accent_href(&assistant.colour);
    let mut nav = Nav::of(&assistant, at.as_ref(), label, done);
    if let Some(at) = at.as_ref().filter(|_| label != "Doctor") {
        let alerts = services
            .installations
            .alerts(org, at.id, services.clock.now())
            .await?;
        nav.barred = alerts.first().map(|alert| {
            format!(
                "{} does not let it post everywhere ({}). {}",
                platform(at.kind()),
                alert.code,
                fix(&alert.code)
            )
        });
    }
    if let BoundAnalyst::Deleted(name) = bound_analyst(services, org, &assistant).await? {
        nav.lost_analyst = Some(analyst_deleted(&assistant.name, &name));
    }
    Ok(OpenAssistant {
        frame,
        nav,
        assistant,
        at,
    })
}

impl Nav {
    fn of(assistant: &Assistant, at: Option<&Installation>, label: &str, done: Option<&str>) -> Self {
        let base = base(assistant.id);
        Self {
            name: assistant.name.clone(),
            avatar: Avatar::of(assistant),
            tabs: TABS
                .iter()
                .map(|(path, tab)| Tab {
                    href: format!("{base}{path}"),
                    label: tab,
                    current: *tab == label,
                })
                .collect(),
            banners: at.map(banners).unwrap_or_default(),
            lost_analyst: None,
            barred: None,
            done: done.and_then(confirmation),
            preview_only: at.is_none() && label != "Install",
            base,
        }
    }
}

pub fn base(id: AssistantId) -> String {
    format!("/console/assistants/{id}")
}

/// Problems of an installation that an administrator has to fix.
pub fn banners(at: &Installation) -> Vec<String> {
    let platform = platform(at.kind());
    let mut banners = Vec::new();
    if at.state == InstallationState::Disabled {
        let because = at.disabled_because.as_deref().unwrap_or("no reason given");
        banners.push(format!(
            "{platform} revoked {}’s access ({because}). It cannot answer until the app is reinstalled.",
            at.assistant_name
        ));
        return banners;
    }
    let missing = at.slack().scopes.as_ref().map(missing_scopes).unwrap_or_default();
    if at.kind() == PlatformKind::Slack && !missing.is_empty() {
        banners.push(format!(
            "Slack did not grant {}. Reinstall the app with the permissions of the manifest.",
            missing.join(", ")
        ));
    } else if let Some(scope) = &at.slack().missing_scope {
        banners.push(format!(
            "{platform} refused a call because the permission {scope} is missing. Reinstall the app to grant it."
        ));
    }
    if let Some(known) = &at.registered_name
        && *known != at.assistant_name
    {
        banners.push(format!(
            "The app is still called “{known}” in {platform}. Rename and reinstall it to show “{}”.",
            at.assistant_name
        ));
    }
    banners
}

pub fn platform(kind: PlatformKind) -> &'static str {
    match kind {
        PlatformKind::Slack => "Slack",
        PlatformKind::Teams => "Microsoft Teams",
        PlatformKind::Web => "Browser preview",
    }
}

/// The message for the `done` parameter of a redirect, if it is a known one.
fn confirmation(word: &str) -> Option<&'static str> {
    Some(match word {
        "created" => "The app is created in Slack. Next, install it.",
        "updated" => {
            "The app is updated in Slack. Reinstall it so that new permissions and the name take effect."
        }
        "created-plain" => {
            "The app is created in Slack, but Slack did not accept the icon: upload it by hand as described in step 1. \
             Next, install it."
        }
        "updated-plain" => {
            "The app is updated in Slack, but Slack did not accept the icon: upload it by hand as described in step 1."
        }
        "app" => "IDs and secrets saved.",
        "token" => "Token saved. Enter the signing secret to complete the installation.",
        "installed" => "Installed. Send it a message in Slack, or run the doctor to check the setup.",
        "fixed" => "Marked as fixed. It is listed again if Slack refuses again.",
        "refreshed" => "Refreshed. Name and permissions are current.",
        "retired" => "Retired. Only the current signing secret is accepted now.",
        "assistant-created" => "Assistant created. Next, install it.",
        "saved" => "Saved.",
        "bound" => "Saved. From now on it answers with this analyst.",
        "unbound" => "Saved. From now on it answers with the service’s own model.",
        "icon" => "Icon saved.",
        "icon-removed" => "Icon removed.",
        "shared-on" => "Shared replies are on. It answers in the conversations you approve.",
        "shared-off" => "Shared replies are off. It answers in direct messages only.",
        "approved" => "Approved. It answers there when it is mentioned.",
        "approved-unseen" => {
            "Approved. The platform could not yet say who is in it. This is checked again before each answer."
        }
        "suspended" => "Suspended. It does not answer there until you approve it again.",
        "revoked" => "Revoked. It no longer answers there.",
        "buildings" => "Saved. Answers there use these buildings from the next question on.",
        "unlinked" => "Unlinked. The person gets a new connection link when they write again.",
        "resent" => "Resending. It disappears from this list once it is delivered.",
        "dismissed" => "Dismissed. It is no longer listed.",
        "dismissed-before" => "This delivery is no longer on the list.",
        "resent-before" => "This delivery is already being sent, or was delivered.",
        _ => return None,
    })
}
