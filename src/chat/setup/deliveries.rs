//! The page of failed deliveries, which can be resent or dismissed. It never shows a question or an answer.

use askama::Template;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::assistants::model::{DeliveryKind, InstallationState, PlaceKind, Sender};
use crate::assistants::records::FailedDelivery;
use crate::base::error::{Error, Result};
use crate::base::ids::{DeliveryId, InstallationId, OrgId};
use crate::chat::setup::nav::{Nav, platform};
use crate::chat::setup::opening::{FormRequest, PageRequest};
use crate::edge::view::{Fault, Frame, Moment, page};
use crate::services::Services;

#[derive(Template)]
#[template(path = "assistant_deliveries.html")]
struct DeliveriesPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
    /// At least one delivery cannot be resent now.
    stuck: bool,
    lines: Vec<Line>,
    next: Option<String>,
    further: bool,
}

struct Line {
    id: DeliveryId,
    /// The installation is active, so the delivery can be resent.
    ready: bool,
    what: &'static str,
    place: String,
    person: String,
    why: &'static str,
    code: String,
    asked: Moment,
    failed: Option<Moment>,
}

#[derive(Deserialize)]
pub struct ListQuery {
    after: Option<String>,
}

pub async fn show(request: PageRequest, Query(query): Query<ListQuery>) -> Result<Response, Fault> {
    let org = request.org();
    let PageRequest {
        services,
        visitor,
        opened,
    } = request;
    let found = services
        .deliveries
        .failed(org, opened.assistant.id, query.after.as_deref())
        .await?;
    let all = services
        .installations
        .of_assistant(org, opened.assistant.id)
        .await?;
    let active: Vec<InstallationId> = all
        .iter()
        .filter(|at| at.state == InstallationState::Active)
        .map(|at| at.id)
        .collect();
    let mut lines = Vec::new();
    for one in found.items {
        let person = person(&services, org, &one).await?;
        let ready = active.contains(&one.installation);
        lines.push(line(one, person, ready));
    }
    let template = DeliveriesPage {
        frame: opened.frame,
        nav: opened.nav,
        csrf: visitor.csrf(),
        stuck: lines.iter().any(|line| !line.ready),
        lines,
        next: found.next,
        further: query.after.is_some(),
    };
    Ok(page(StatusCode::OK, &template))
}

#[derive(Deserialize)]
pub struct DeliveryForm {
    #[serde(default)]
    delivery: String,
}

pub async fn resend(request: FormRequest<DeliveryForm>) -> Result<Response, Fault> {
    let delivery = selected(&request).await?;
    let deliveries = &request.services.deliveries;
    let resent = deliveries
        .resend(request.actor(), request.org(), delivery)
        .await?;
    Ok(request.back("deliveries", if resent { "resent" } else { "resent-before" }))
}

pub async fn dismiss(request: FormRequest<DeliveryForm>) -> Result<Response, Fault> {
    let delivery = selected(&request).await?;
    let deliveries = &request.services.deliveries;
    let dismissed = deliveries
        .dismiss(request.actor(), request.org(), delivery)
        .await?;
    let word = if dismissed {
        "dismissed"
    } else {
        "dismissed-before"
    };
    Ok(request.back("deliveries", word))
}

/// The delivery of the form. It must belong to the assistant of the page, not only to the organization.
async fn selected(request: &FormRequest<DeliveryForm>) -> Result<DeliveryId> {
    let wanted = request.form.delivery.parse();
    let delivery: DeliveryId = wanted.map_err(|_| Error::NotFound("delivery"))?;
    let (deliveries, installations) = (&request.services.deliveries, &request.services.installations);
    let org = request.org();
    let found = deliveries.get(org, delivery).await?;
    let all = installations
        .of_assistant(org, request.opened.assistant.id)
        .await?;
    if all.iter().any(|at| at.id == found.installation) {
        Ok(delivery)
    } else {
        Err(Error::NotFound("delivery"))
    }
}

/// The name of the linked account, or the platform's user ID.
async fn person(services: &Services, org: OrgId, one: &FailedDelivery) -> Result<String> {
    let Sender { user, account, .. } = &one.sender;
    let account = match account {
        Some(account) => Some(*account),
        None => {
            let link = services.links.find(org, one.installation, &one.sender).await?;
            link.map(|link| link.user_id)
        }
    };
    let Some(account) = account else {
        return Ok(user.clone());
    };
    let names = services.accounts.names(org, &[account]).await?;
    Ok(names
        .get(&account)
        .map_or_else(|| user.clone(), |(name, _)| name.clone()))
}

fn line(one: FailedDelivery, person: String, ready: bool) -> Line {
    let place = match one.place {
        PlaceKind::Direct => "direct message",
        PlaceKind::Shared => "shared conversation",
    };
    Line {
        id: one.id,
        ready,
        what: match one.kind {
            DeliveryKind::Answer => "Answer",
            DeliveryKind::Reply => "Reply",
            DeliveryKind::Private => "Private reply",
            DeliveryKind::LinkPrompt => "Connection link",
            DeliveryKind::Replace | DeliveryKind::Direct => "Direct message",
        },
        place: format!("{}, {place}", platform(one.platform)),
        person,
        why: why(&one.failure),
        code: one.failure,
        asked: Moment::of(one.created_at),
        failed: one.failed_at.map(Moment::of),
    }
}

/// Explains common error codes, and what to do before resending.
fn why(code: &str) -> &'static str {
    match code {
        "installation_disabled" => "The assistant was not installed at the time. Install it, then resend.",
        "run_expired" => "The platform could not be reached for three days.",
        "run_poisoned" | "run_failed" => {
            "An internal error. Resending may help; see the server log for details."
        }
        "not_in_channel" | "channel_not_found" => {
            "The assistant is not in the conversation. Invite it, then resend."
        }
        "is_archived" => "The channel is archived.",
        "token_revoked" | "invalid_auth" | "account_inactive" | "not_authed" => {
            "The platform rejected the assistant's token. Reinstall the app, then resend."
        }
        "missing_scope" => "The app lacks a permission. Reinstall it, then resend.",
        "user_disabled" | "user_not_found" | "user_not_visible" => {
            "The person's account at the platform is deactivated or not visible."
        }
        "restricted_action"
        | "restricted_action_read_only_channel"
        | "restricted_action_thread_only_channel" => {
            "A workspace rule prevents the assistant from posting there. Have it allowed, then resend."
        }
        "msg_blocks_too_long" | "msg_too_long" | "invalid_blocks" | "invalid_arguments" => {
            "The platform rejected the message format. Resend it, or ask the question again in smaller parts."
        }
        _ => "The platform refused it permanently with the error code below. See its documentation.",
    }
}
