//! The connection page: a teammate links their identity on a chat platform to their account.
//!
//! Opening the link only shows both identities and what connecting means; the button uses the link up. Unknown,
//! used and expired links all get the same page.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

use crate::assistants::model::PlatformKind;
use crate::assistants::records::LinkOffer;
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
    /// The organization that runs the assistant.
    org_name: String,
    offer: LinkOffer,
    platform: &'static str,
    minutes: i64,
    /// Target of the form, and of the redirect after signing in with another account.
    path: String,
    csrf: String,
}

async fn show(
    State(services): State<Services>,
    visitor: Visitor,
    Path(token): Path<String>,
) -> Result<Response, Fault> {
    let path = format!("/connect/{token}");
    let (offer, org_name) = match offered(&services, &visitor, &Secret::new(token)).await? {
        Ok(offered) => offered,
        Err(refused) => return Ok(refused),
    };
    let template = ConnectPage {
        frame: visitor.frame(&services.site, format!("Connect {}", offer.assistant_name)),
        platform: platform_name(offer.platform),
        minutes: (offer.expires_at - services.clock.now()).num_minutes().max(1),
        csrf: visitor.csrf(),
        path,
        org_name,
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
    let (visitor, token) = (posted.visitor, Secret::new(token));
    let org_name = match offered(&services, &visitor, &token).await? {
        Ok((_, org_name)) => org_name,
        Err(refused) => return Ok(refused),
    };
    let accepted = services.links.accept_offer(&visitor.principal, &token).await;
    let offer = match accepted {
        Ok(offer) => offer,
        Err(error) => return refusal(&services, &visitor, &org_name, error),
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

/// The offer behind a link and the name of its organization, or the page that says why there is none. The visitor
/// must be an active member of that organization, but may be signed in to another one.
async fn offered(
    services: &Services,
    visitor: &Visitor,
    token: &Secret,
) -> Result<Result<(LinkOffer, String), Response>, Fault> {
    let offer = match services.links.find_offer(token).await {
        Ok(offer) => offer,
        Err(error) => return refusal(services, visitor, &visitor.org_name, error).map(Err),
    };
    let found = services.accounts.membership(offer.org, visitor.principal.user);
    match found.await {
        Ok(member) if member.active => Ok(Ok((offer, member.org_name))),
        Ok(_) | Err(Error::NotFound(_)) => Ok(Err(other_organization(services, visitor))),
        Err(error) => Err(error.into()),
    }
}

/// The page that says why connecting is not possible. Other errors are passed on.
fn refusal(services: &Services, visitor: &Visitor, org_name: &str, error: Error) -> Result<Response, Fault> {
    match error {
        Error::NotFound(_) => Ok(invalid_link(services, visitor)),
        Error::Forbidden {
            code: "other_organization",
            ..
        } => Ok(other_organization(services, visitor)),
        Error::Forbidden {
            code: "plan_not_eligible",
            ..
        } => Ok(notice(
            services,
            visitor,
            StatusCode::FORBIDDEN,
            "plan_not_eligible",
            "Not included in your plan",
            format!("{org_name} is on a plan without chat assistants."),
            "Ask an owner of your organization to change the plan, then ask the assistant for a new link.",
        )),
        error => Err(error.into()),
    }
}

fn invalid_link(services: &Services, visitor: &Visitor) -> Response {
    notice(
        services,
        visitor,
        StatusCode::NOT_FOUND,
        "link_not_valid",
        "This link is no longer valid",
        "Connection links work only once and for a short time.".into(),
        "Go back to the chat and send the assistant a message to get a new link.",
    )
}

fn other_organization(services: &Services, visitor: &Visitor) -> Response {
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
        "Sign out, then sign in with your account in the organization that runs the assistant.",
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
