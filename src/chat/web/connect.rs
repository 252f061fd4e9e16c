//! The connection page: a teammate binds their identity on a chat platform to their account.
//!
//! Opening the link only shows both identities and what connecting means; the button consumes it.
//! A link that is unknown, used or expired gets one and the same page.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

use crate::assistants::model::{LinkOffer, PlatformKind};
use crate::base::error::Error;
use crate::base::secret::Secret;
use crate::edge::form::Posted;
use crate::edge::view::{Action, Fault, Frame, Notice, page};
use crate::edge::visitor::Visitor;
use crate::services::Services;

pub fn router() -> Router<Services> {
    Router::new().route("/connect/{token}", get(show).post(confirm))
}

#[derive(Template)]
#[template(path = "connect.html")]
struct ConnectPage {
    frame: Frame,
    visitor: Visitor,
    offer: LinkOffer,
    platform: &'static str,
    minutes: i64,
    /// Where the form goes, and where signing in as someone else comes back to.
    path: String,
    csrf: String,
}

async fn show(
    State(services): State<Services>,
    visitor: Visitor,
    Path(token): Path<String>,
) -> Result<Response, Fault> {
    let path = format!("/connect/{token}");
    let offer = match services.assistants.offer(&Secret::new(token)).await {
        Ok(offer) => offer,
        Err(error) => return refusal(&services, &visitor, error),
    };
    if offer.org != visitor.principal.org {
        return Ok(elsewhere(&services, &visitor));
    }
    let template = ConnectPage {
        frame: visitor.frame(&services.site, format!("Connect {}", offer.assistant_name)),
        platform: platform_name(offer.platform),
        minutes: (offer.expires_at - services.clock.now()).num_minutes().max(1),
        csrf: visitor.csrf(),
        path,
        offer,
        visitor,
    };
    Ok(page(StatusCode::OK, &template))
}

#[derive(Deserialize)]
struct Confirmation {}

async fn confirm(
    State(services): State<Services>,
    Path(token): Path<String>,
    posted: Posted<Confirmation>,
) -> Result<Response, Fault> {
    let visitor = posted.visitor;
    let offer = match services
        .assistants
        .accept_offer(&visitor.principal, &Secret::new(token))
        .await
    {
        Ok(offer) => offer,
        Err(error) => return refusal(&services, &visitor, error),
    };
    let platform = platform_name(offer.platform);
    let frame = visitor.frame(&services.site, "Connected");
    Ok(page(
        StatusCode::OK,
        &Notice {
            frame,
            good: true,
            heading: "You are connected".into(),
            what: format!(
                "{} in {} now acts for {} ({}).",
                offer.shown_user, offer.shown_team, visitor.name, visitor.email
            ),
            advice: format!(
                "Go back to {platform} and ask {} your question again. You can close this page.",
                offer.assistant_name
            ),
            action: None,
            code: None,
            request_id: None,
        },
    ))
}

/// What is said instead of connecting; faults of ours go on as such.
fn refusal(services: &Services, visitor: &Visitor, error: Error) -> Result<Response, Fault> {
    match error {
        Error::NotFound(_) => Ok(spent(services, visitor)),
        Error::Forbidden {
            code: "other_organization",
            ..
        } => Ok(elsewhere(services, visitor)),
        Error::Forbidden {
            code: "plan_not_eligible",
            ..
        } => Ok(notice(
            services,
            visitor,
            StatusCode::FORBIDDEN,
            "plan_not_eligible",
            "Not included in your plan",
            format!("{} is on a plan without chat assistants.", visitor.org_name),
            "Ask an owner of your organization to change the plan; then ask the assistant for a new link.",
        )),
        error => Err(error.into()),
    }
}

fn spent(services: &Services, visitor: &Visitor) -> Response {
    notice(
        services,
        visitor,
        StatusCode::NOT_FOUND,
        "link_not_valid",
        "This link does not work any more",
        "Connection links work once and for a short time only.".into(),
        "Go back to the chat and send the assistant a message: it gives you a new link.",
    )
}

fn elsewhere(services: &Services, visitor: &Visitor) -> Response {
    notice(
        services,
        visitor,
        StatusCode::FORBIDDEN,
        "other_organization",
        "This assistant belongs to another organization",
        format!(
            "You are signed in as {}, a member of {}.",
            visitor.email, visitor.org_name
        ),
        "Sign out, and sign in with your account of the organization that runs the assistant.",
    )
}

fn notice(
    services: &Services,
    visitor: &Visitor,
    status: StatusCode,
    code: &'static str,
    heading: &str,
    what: String,
    advice: &str,
) -> Response {
    let notice = Notice {
        frame: visitor.frame(&services.site, heading),
        good: false,
        heading: heading.to_owned(),
        what,
        advice: advice.to_owned(),
        action: Some(Action {
            label: "Go to the start page".into(),
            href: "/".into(),
        }),
        code: Some(code),
        request_id: None,
    };
    page(status, &notice)
}

fn platform_name(platform: PlatformKind) -> &'static str {
    match platform {
        PlatformKind::Slack => "Slack",
        PlatformKind::Teams => "Microsoft Teams",
        PlatformKind::Web => "the browser preview",
    }
}
