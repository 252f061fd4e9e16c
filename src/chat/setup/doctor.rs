//! The doctor of one assistant as a page: each step checked, each failure with its mend.

use askama::Template;
use axum::extract::{Extension, Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::assistants::model::PlatformKind;
use crate::audit::store::Actor;
use crate::base::error::Error;
use crate::chat::setup::nav::{Moment, Nav, open};
use crate::chat::slack::access::SlackAccess;
use crate::chat::slack::doctor::{BARRED, Check, State as Found, examine};
use crate::edge::form::AdminPosted;
use crate::edge::view::{Fault, Frame, page, see_other};
use crate::edge::visitor::OrgAdmin;
use crate::services::Services;

#[derive(Template)]
#[template(path = "assistant_doctor.html")]
struct DoctorPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
    /// The check that an administrator can say to have mended.
    barred: &'static str,
    checks: Vec<Check>,
    bad: usize,
    waiting: usize,
    looked: Moment,
}

#[derive(Deserialize)]
pub struct Asked {
    done: Option<String>,
}

pub async fn show(
    State(services): State<Services>,
    Extension(slack): Extension<SlackAccess>,
    OrgAdmin(visitor): OrgAdmin,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let opened = open(&services, &visitor, &id, "Doctor", asked.done.as_deref()).await?;
    if opened
        .at
        .as_ref()
        .is_none_or(|at| at.platform != PlatformKind::Slack)
    {
        // There the way into Slack begins.
        return Ok(see_other(&format!("{}/install", opened.nav.base)));
    }
    let assistant = &opened.assistant;
    let checks = examine(&services, &slack, assistant.org_id, assistant.id).await?;
    let count = |state: Found| checks.iter().filter(|check| check.state == state).count();
    let template = DoctorPage {
        frame: opened.frame,
        nav: opened.nav,
        csrf: visitor.csrf(),
        barred: BARRED,
        bad: count(Found::Bad),
        waiting: count(Found::Waiting) + count(Found::Unknown),
        looked: Moment::of(services.clock.now()),
        checks,
    };
    Ok(page(StatusCode::OK, &template))
}

/// Nothing but the visitor's token.
#[derive(Deserialize)]
pub struct Mended {}

pub async fn mended(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: AdminPosted<Mended>,
) -> Result<Response, Fault> {
    let opened = open(&services, &posted.visitor, &id, "Doctor", None).await?;
    let principal = &posted.visitor.principal;
    let at = opened.at.ok_or(Error::NotFound("installation"))?;
    services
        .assistants
        .clear_alerts(Actor::from(principal), principal.org, at.id)
        .await?;
    Ok(see_other(&format!("{}/doctor?done=mended", opened.nav.base)))
}
