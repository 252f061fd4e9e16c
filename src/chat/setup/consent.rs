//! The OAuth callback from Slack's consent page: consumes the state, then exchanges the code for a token.
//!
//! Only the administrator who started the installation can finish it, in the same session. Query parameters
//! are never shown on a page.

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
use crate::chat::setup::token::{inspect_grant, mismatch};
use crate::chat::slack::access::{Client, SlackAccess};
use crate::chat::slack::manifest::SlackAddresses;
use crate::chat::slack::rotation::Rotation;
use crate::edge::view::{Action, Fault, Notice, page, see_other};
use crate::edge::visitor::{MaybeVisitor, Visitor};
use crate::services::Services;

/// Query parameters longer than this are not from Slack.
const MAX_PARAMETER_LENGTH: usize = 512;

#[derive(Deserialize)]
pub struct CallbackQuery {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

/// An error page with a link back to the Install page.
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
    Query(query): Query<CallbackQuery>,
) -> Result<Response, Fault> {
    let found = services
        .installations
        .by_address(PlatformKind::Slack, &address)
        .await?;
    let at = found.ok_or(Error::NotFound("page"))?;
    // Visitors who are not signed in must not learn whether they would have access.
    let Some(visitor) = visitor else {
        return Err(Error::Unauthenticated.into());
    };
    if visitor.principal.org != at.org {
        return Err(Error::NotFound("page").into());
    }
    match complete(&services, &slack, &rotation, &visitor, &at, query).await? {
        Ok(()) => Ok(see_other(&format!(
            "{}/install?done=installed",
            base(at.assistant)
        ))),
        Err(refusal) => Ok(refusal_page(&services, &visitor, &at, refusal)),
    }
}

async fn complete(
    services: &Services,
    slack: &SlackAccess,
    rotation: &Rotation,
    visitor: &Visitor,
    at: &Installation,
    query: CallbackQuery,
) -> Result<Result<(), Refusal>, Error> {
    let fits = |text: &String| !text.is_empty() && text.len() <= MAX_PARAMETER_LENGTH;
    let Some(state) = query.state.filter(fits) else {
        return Ok(Err(invalid_state()));
    };
    // Consumed before anything else, so that each consent is processed only once.
    let used = services
        .installations
        .use_install_state(&visitor.principal, at.id, &visitor.token, &Secret::new(state))
        .await;
    match used {
        Ok(()) => {}
        Err(Error::Forbidden {
            code: "install_state_invalid",
            ..
        }) => return Ok(Err(invalid_state())),
        Err(error) => return Err(error),
    }
    if let Some(error) = query.error {
        tracing::info!(
            installation = %at.id,
            denied = error == "access_denied",
            "the installation was declined in Slack"
        );
        return Ok(Err(Refusal {
            code: "access_denied",
            heading: "The app was not installed",
            what: "The request was declined in Slack, or you may not install apps in that workspace."
                .to_owned(),
            advice: "Click Install to Slack again and choose Allow. If your workspace requires approval for apps, \
                     ask one of its administrators first.",
        }));
    }
    let Some(code) = query.code.filter(fits) else {
        return Ok(Err(invalid_state()));
    };
    // Loaded again: its secrets may have changed since the first lookup.
    let at = services.installations.by_id(at.org, at.id).await?;
    let (Some(id), Some(secret)) = (at.slack().client_id.as_deref(), &at.slack().client_secret) else {
        return Ok(Err(invalid_state()));
    };
    let redirect_uri = SlackAddresses::of(&services.site.public_url, at.address.expose()).oauth_callback;
    let exchanged = slack
        .exchange(Client { id, secret }, &Secret::new(code), &redirect_uri)
        .await;
    let grant = match exchanged {
        Ok(grant) => grant,
        Err(problem) => {
            return Ok(Err(Refusal {
                code: "install_failed",
                heading: "Not installed yet",
                what: problem.sentence(),
                advice: "Go back and click Install to Slack again: each consent can be used only once.",
            }));
        }
    };
    let actor = Actor::from(&visitor.principal);
    let installations = &services.installations;
    match installations
        .complete_install(actor, at.org, at.id, grant.clone())
        .await
    {
        Ok(at) => {
            inspect_grant(services, rotation, actor, &at).await;
            Ok(Ok(()))
        }
        Err(error) => match mismatch(&error, &at, &grant) {
            Some(why) => Ok(Err(wrong_target(&error, &why))),
            None => Err(error),
        },
    }
}

fn invalid_state() -> Refusal {
    Refusal {
        code: "install_state_invalid",
        heading: "This installation cannot be completed",
        what: "It was not started here, was started in another session, is already complete, or took longer than ten \
               minutes."
            .to_owned(),
        advice: "Go back and click Install to Slack again.",
    }
}

fn wrong_target(error: &Error, why: &str) -> Refusal {
    let what = format!("Slack granted access. {why} Nothing was changed here.");
    match error {
        Error::Conflict(ANOTHER_APP) => Refusal {
            code: "wrong_app",
            heading: "Another app was installed",
            what,
            advice: "Check App ID and Client ID on the Install page: both must belong to the same app.",
        },
        _ => Refusal {
            code: "wrong_workspace",
            heading: "The app was installed in another workspace",
            what,
            advice: "Click Install to Slack again and choose the assistant's workspace at the top of \
                     Slack's page. For another workspace, create another assistant.",
        },
    }
}

fn refusal_page(services: &Services, visitor: &Visitor, at: &Installation, refusal: Refusal) -> Response {
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
