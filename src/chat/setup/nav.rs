//! What the pages of one assistant share: the way between them, what is wrong with it, what was just
//! done, and its icon.
//!
//! An assistant of another organization is absent here, like one that never was.

use askama::Template;

use crate::assistants::model::{Assistant, Installation, InstallationState, PlatformKind};
use crate::base::error::{Error, Result};
use crate::base::ids::AssistantId;
use crate::chat::core::analyst::{Standing, lost, standing};
use crate::chat::slack::failure::mend;
use crate::chat::slack::manifest::missing_scopes;
use crate::edge::assets::accent_href;
use crate::edge::avatar::Avatar;
use crate::edge::view::Frame;
use crate::edge::visitor::Visitor;
use crate::services::Services;

/// The pages of an assistant, in the order in which they are needed.
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

/// One assistant, opened for an administrator.
pub struct Opened {
    pub frame: Frame,
    pub nav: Nav,
    pub assistant: Assistant,
    /// Its installation where a team talks: not the preview.
    pub at: Option<Installation>,
}

/// Field `nav` of every template that includes `assistant_nav.html`.
#[derive(Clone, Debug)]
pub struct Nav {
    /// Base of the assistant's addresses.
    pub base: String,
    pub name: String,
    pub avatar: Avatar,
    pub tabs: Vec<Tab>,
    /// It is in the preview alone, and this is not the page that changes it.
    pub preview_only: bool,
    /// What keeps it from answering, or from appearing as it should.
    pub banners: Vec<String>,
    /// The custom analyst that it answered with was deleted.
    pub lost_analyst: Option<String>,
    /// What the platform refuses until an administrator mends it; the doctor says the rest.
    pub barred: Option<String>,
    /// What was just done.
    pub done: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub struct Tab {
    pub href: String,
    pub label: &'static str,
    pub current: bool,
}

/// Asks before something that cannot simply be undone.
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

/// The page to which an address of an assistant belongs, by its route.
pub fn label_of(route: &str) -> &'static str {
    let end = route.split("/{id}").nth(1).unwrap_or_default();
    let within = |(path, _): &&(&str, &str)| !path.is_empty() && end.starts_with(path);
    TABS.iter().find(within).map_or(TABS[0].1, |(_, label)| label)
}

/// Opens an assistant of the visitor's organization for the page with this label. `done` is the word
/// that a redirect after a form carried.
pub async fn open(
    services: &Services,
    visitor: &Visitor,
    id: &str,
    label: &'static str,
    done: Option<&str>,
) -> Result<Opened> {
    let id: AssistantId = id.parse().map_err(|_| Error::NotFound("assistant"))?;
    let org = visitor.principal.org;
    let assistant = services.assistants.assistant(org, id).await?;
    let installations = services.assistants.installations(org, id).await?;
    let at = installations
        .into_iter()
        .find(|at| at.kind() != PlatformKind::Web);
    let title = format!("{label} · {}", assistant.name);
    let mut frame = visitor.frame(&services.site, title).at("assistants");
    frame.accent = accent_href(&assistant.colour);
    let mut nav = Nav::of(&assistant, at.as_ref(), label, done);
    if let Some(at) = at.as_ref().filter(|_| label != "Doctor") {
        let alerts = services
            .assistants
            .alerts(org, at.id, services.clock.now())
            .await?;
        nav.barred = alerts.first().map(|alert| {
            format!(
                "{} does not let it speak everywhere ({}). {}",
                platform(at.kind()),
                alert.word,
                mend(&alert.word)
            )
        });
    }
    if let Standing::Lost(name) = standing(services, org, &assistant).await? {
        nav.lost_analyst = Some(lost(&assistant.name, &name));
    }
    Ok(Opened {
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
            done: done.and_then(said),
            preview_only: at.is_none() && label != "Install",
            base,
        }
    }
}

pub fn base(id: AssistantId) -> String {
    format!("/console/assistants/{id}")
}

/// What an administrator has to do about an installation before all is well.
pub fn banners(at: &Installation) -> Vec<String> {
    let platform = platform(at.kind());
    let mut banners = Vec::new();
    if at.state == InstallationState::Disabled {
        let because = at.disabled_because.as_deref().unwrap_or("no reason given");
        banners.push(format!(
            "{platform} took the rights of {} away ({because}). It answers nobody until it is installed again.",
            at.assistant_name
        ));
        return banners;
    }
    let missing = at.slack().scopes.as_ref().map(missing_scopes).unwrap_or_default();
    if at.kind() == PlatformKind::Slack && !missing.is_empty() {
        banners.push(format!(
            "Slack did not grant {}. Install it again with the rights of the manifest.",
            missing.join(", ")
        ));
    } else if let Some(scope) = &at.slack().missing_scope {
        banners.push(format!(
            "{platform} refused a call because the right {scope} is missing. Reinstall the app to grant it."
        ));
    }
    if let Some(known) = &at.registered_name
        && *known != at.assistant_name
    {
        banners.push(format!(
            "In {platform} it is still called “{known}”. Rename and reinstall the app to show “{}” there.",
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

/// Sentences for the words that redirects carry; other words say nothing.
fn said(word: &str) -> Option<&'static str> {
    Some(match word {
        "created" => "The app is made at Slack. Next, install it.",
        "updated" => {
            "The app at Slack is updated. Install it again, so that new rights and the name take effect."
        }
        "created-plain" => {
            "The app is made at Slack, but Slack did not take the icon: upload it by hand, as step 1 says. Next, install it."
        }
        "updated-plain" => {
            "The app at Slack is updated, but Slack did not take the icon: upload it by hand, as step 1 says."
        }
        "app" => "Ids and secrets are saved.",
        "token" => "The token is kept. Fill in the signing secret, and it is installed.",
        "installed" => "Installed. Write to it in Slack, or let the doctor look it over.",
        "mended" => "Taken off the list. It appears again if Slack refuses again.",
        "looked" => "Looked at: name and rights are shown as Slack has them now.",
        "retired" => "Retired. Only the current signing secret is accepted now.",
        "made" => "The assistant is made. Next, install it.",
        "saved" => "Saved.",
        "bound" => "Saved. From now on it answers with this analyst.",
        "loosed" => "Saved. From now on it answers with the service’s own model.",
        "icon" => "The icon is saved.",
        "icon-removed" => "The icon is removed.",
        "shared-on" => "Shared replies are on. It answers in the conversations you approve.",
        "shared-off" => "Shared replies are off. It answers in direct messages only.",
        "approved" => "Approved. It answers there when it is mentioned.",
        "approved-unseen" => {
            "Approved. The platform could not say yet who is in it: that is asked again before each answer."
        }
        "suspended" => "Suspended. It does not answer there until you approve it again.",
        "revoked" => "Revoked. It does not answer there any more.",
        "buildings" => "Saved. Answers there use these buildings from the next question on.",
        "unlinked" => "Unlinked. The person gets a new connection link when they write again.",
        "resent" => "On its way. It disappears from this list once it is delivered.",
        "dismissed" => "Dismissed. It is not shown any more.",
        "dismissed-before" => "This one is not on the list any more.",
        "resent-before" => "This one is already on its way, or delivered.",
        _ => return None,
    })
}
