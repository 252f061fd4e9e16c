//! The way back from Slack's consent page: the state is used up, then the code is exchanged.
//!
//! Whoever comes must be the admin who pressed the button, in the same sign-in. Nothing of what the
//! address carries is shown.

use axum::extract::{Extension, Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::assistants::model::{Installation, PlatformKind};
use crate::assistants::slack::grants::ANOTHER_APP;
use crate::audit::store::Actor;
use crate::base::error::Error;
use crate::base::secret::Secret;
use crate::chat::setup::nav::base;
use crate::chat::setup::token::{first_look, misfit};
use crate::chat::slack::access::{Client, SlackAccess};
use crate::chat::slack::manifest::SlackAddresses;
use crate::chat::slack::rotation::Rotation;
use crate::edge::view::{Action, Fault, Notice, page, see_other};
use crate::edge::visitor::{MaybeVisitor, Visitor};
use crate::services::Services;

/// Longer ones are not Slack's.
const LONGEST: usize = 512;

#[derive(Deserialize)]
pub struct Brought {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

/// A page that says what went wrong, and leads back to where it can be begun again.
struct Refusal {
    code: &'static str,
    heading: &'static str,
    what: String,
    advice: &'static str,
}

pub async fn callback(
    State(services): State<Services>,
    Extension(slack): Extension<SlackAccess>,
    Extension(rotation): Extension<Rotation>,
    MaybeVisitor(visitor): MaybeVisitor,
    Path(address): Path<String>,
    Query(brought): Query<Brought>,
) -> Result<Response, Fault> {
    let found = services
        .assistants
        .by_address(PlatformKind::Slack, &address)
        .await?;
    let at = found.ok_or(Error::NotFound("page"))?;
    // Who is not signed in learns no more than who may not.
    let Some(visitor) = visitor else {
        return Err(Error::Unauthenticated.into());
    };
    if visitor.principal.org != at.org {
        return Err(Error::NotFound("page").into());
    }
    match installed(&services, &slack, &rotation, &visitor, &at, brought).await? {
        Ok(()) => Ok(see_other(&format!(
            "{}/install?done=installed",
            base(at.assistant)
        ))),
        Err(refusal) => Ok(refused(&services, &visitor, &at, refusal)),
    }
}

async fn installed(
    services: &Services,
    slack: &SlackAccess,
    rotation: &Rotation,
    visitor: &Visitor,
    at: &Installation,
    brought: Brought,
) -> Result<Result<(), Refusal>, Error> {
    let fits = |text: &String| !text.is_empty() && text.len() <= LONGEST;
    let Some(state) = brought.state.filter(fits) else {
        return Ok(Err(not_begun()));
    };
    // First of all, so that whatever comes after happens once.
    let used = services
        .assistants
        .use_install_state(&visitor.principal, at.id, &visitor.token, &Secret::new(state))
        .await;
    match used {
        Ok(()) => {}
        Err(Error::Forbidden {
            code: "install_state_invalid",
            ..
        }) => return Ok(Err(not_begun())),
        Err(error) => return Err(error),
    }
    if let Some(error) = brought.error {
        tracing::info!(installation = %at.id, denied = error == "access_denied", "an installation was not consented to");
        return Ok(Err(Refusal {
            code: "access_denied",
            heading: "Slack did not install it",
            what: "The request was declined in Slack, or you may not install apps in that workspace."
                .to_owned(),
            advice: "Press Install to Slack again and choose Allow. Where your workspace wants apps approved, ask one of its administrators first.",
        }));
    }
    let Some(code) = brought.code.filter(fits) else {
        return Ok(Err(not_begun()));
    };
    // Secrets may have been saved since the address was looked up last.
    let at = services.assistants.installation_by_id(at.org, at.id).await?;
    let (Some(id), Some(secret)) = (at.slack().client_id.as_deref(), &at.slack().client_secret) else {
        return Ok(Err(not_begun()));
    };
    let back = SlackAddresses::of(&services.site.public_url, at.address.expose()).oauth_callback;
    let exchanged = slack
        .exchange(Client { id, secret }, &Secret::new(code), &back)
        .await;
    let grant = match exchanged {
        Ok(grant) => grant,
        Err(problem) => {
            return Ok(Err(Refusal {
                code: "install_failed",
                heading: "Not installed yet",
                what: problem.sentence(),
                advice: "Go back and press Install to Slack again: each consent can be used once.",
            }));
        }
    };
    let actor = Actor::from(&visitor.principal);
    let (assistants, asked) = (&services.assistants, grant.clone());
    match assistants.complete_install(actor, at.org, at.id, asked).await {
        Ok(at) => {
            first_look(services, rotation, actor, &at).await;
            Ok(Ok(()))
        }
        Err(error) => match misfit(&error, &at, &grant) {
            Some(why) => Ok(Err(elsewhere(&error, &why))),
            None => Err(error),
        },
    }
}

fn not_begun() -> Refusal {
    Refusal {
        code: "install_state_invalid",
        heading: "This installation cannot be finished",
        what: "It was not begun here, was begun in another sign-in, has been finished, or took longer than ten minutes.".to_owned(),
        advice: "Go back and press Install to Slack again.",
    }
}

fn elsewhere(error: &Error, why: &str) -> Refusal {
    let what = format!("Slack gave its permission. {why} Nothing was taken over.");
    match error {
        Error::Conflict(ANOTHER_APP) => Refusal {
            code: "wrong_app",
            heading: "Another app was installed",
            what,
            advice: "Check App ID and Client ID on the Install page: both must be of the same app.",
        },
        _ => Refusal {
            code: "wrong_workspace",
            heading: "It was installed elsewhere",
            what,
            advice: "Press Install to Slack again and choose the assistant's own workspace, at the top of Slack's page. For another workspace, make another assistant.",
        },
    }
}

fn refused(services: &Services, visitor: &Visitor, at: &Installation, refusal: Refusal) -> Response {
    let notice = Notice {
        frame: visitor.frame(&services.site, refusal.heading).at("assistants"),
        good: false,
        heading: refusal.heading.to_owned(),
        what: refusal.what,
        advice: refusal.advice.to_owned(),
        action: Some(if visitor.principal.role.is_admin() {
            Action {
                label: "Back to Install".to_owned(),
                href: format!("{}/install", base(at.assistant)),
            }
        } else {
            Action {
                label: "Go to the overview".to_owned(),
                href: "/console".to_owned(),
            }
        }),
        code: Some(refusal.code),
        request_id: None,
    };
    page(StatusCode::BAD_REQUEST, &notice)
}
