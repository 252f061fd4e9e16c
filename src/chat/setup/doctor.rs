//! The doctor page of an assistant: every setup check, with the fix for each that fails.

use askama::Template;
use axum::extract::Extension;
use axum::http::StatusCode;
use axum::response::Response;

use crate::assistants::model::PlatformKind;
use crate::base::error::Error;
use crate::chat::core::doctor::{Check, State};
use crate::chat::setup::nav::Nav;
use crate::chat::setup::opening::{FormRequest, NoFields, PageRequest};
use crate::chat::slack::access::SlackAccess;
use crate::chat::slack::doctor::{BARRED, examine};
use crate::edge::view::{Fault, Frame, Moment, page, see_other};

#[derive(Template)]
#[template(path = "assistant_doctor.html")]
struct DoctorPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
    /// Name of the check that an administrator can mark as fixed.
    barred: &'static str,
    checks: Vec<Check>,
    bad: usize,
    waiting: usize,
    checked_at: Moment,
}

pub async fn show(Extension(slack): Extension<SlackAccess>, request: PageRequest) -> Result<Response, Fault> {
    let PageRequest {
        services,
        visitor,
        opened,
    } = request;
    if opened
        .at
        .as_ref()
        .is_none_or(|at| at.kind() != PlatformKind::Slack)
    {
        // Not set up in Slack yet: the Install page has the first step.
        return Ok(see_other(&format!("{}/install", opened.nav.base)));
    }
    let assistant = &opened.assistant;
    let report = examine(&services, &slack, assistant.org_id, assistant.id).await?;
    let template = DoctorPage {
        frame: opened.frame,
        nav: opened.nav,
        csrf: visitor.csrf(),
        barred: BARRED,
        bad: report.count(State::Bad),
        waiting: report.count(State::Waiting) + report.count(State::Unknown),
        checked_at: Moment::of(services.clock.now()),
        checks: report.checks,
    };
    Ok(page(StatusCode::OK, &template))
}

pub async fn mark_fixed(request: FormRequest<NoFields>) -> Result<Response, Fault> {
    let at = request
        .opened
        .at
        .as_ref()
        .ok_or(Error::NotFound("installation"))?;
    let installations = &request.services.installations;
    installations
        .clear_alerts(request.actor(), request.org(), at.id)
        .await?;
    Ok(request.back("doctor", "fixed"))
}
