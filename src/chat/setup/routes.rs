//! The routes of the setup pages. All are for owners and administrators only.

use axum::Router;
use axum::extract::Extension;
use axum::routing::{get, post};

use crate::chat::core::chat::Chat;
use crate::chat::setup::{
    analyst, app, brand, buildings, consent, conversations, deliveries, doctor, feedback, icon, install,
    list, people, start, token,
};
use crate::chat::slack::access::SlackAccess;
use crate::chat::slack::rotation::Rotation;
use crate::services::Services;

pub fn router(slack: SlackAccess, rotation: Rotation, chat: Chat) -> Router<Services> {
    Router::new()
        .route("/console/assistants/{id}/install", get(install::show))
        .route("/console/assistants/{id}/install/start", post(start::start))
        .route("/console/assistants/{id}/install/app", post(app::save))
        .route("/console/assistants/{id}/install/token", post(token::save))
        .route("/console/assistants/{id}/install/create", post(app::create))
        .route("/console/assistants/{id}/install/update", post(app::update))
        .route("/console/assistants/{id}/install/begin", post(token::begin))
        .route("/console/assistants/{id}/install/retire", post(app::retire))
        .route("/console/assistants/{id}/install/look", post(token::refresh))
        .route("/console/assistants/{id}/doctor", get(doctor::show))
        .route("/console/assistants/{id}/doctor/fixed", post(doctor::mark_fixed))
        // Listed in the manifest with the URLs that Slack calls, but visited by the administrator's browser.
        .route("/chat/slack/{address}/oauth/callback", get(consent::callback))
        .layer(Extension(slack))
        .layer(Extension(rotation))
        .route("/console/assistants", get(list::show))
        .route("/console/assistants/new", get(brand::new).post(brand::create))
        .route("/console/assistants/{id}", get(brand::show).post(brand::save))
        .route(
            "/console/assistants/{id}/analyst",
            get(analyst::show).post(analyst::save),
        )
        .route(
            "/console/assistants/{id}/icon",
            get(icon::show).post(icon::upload),
        )
        .route("/console/assistants/{id}/icon/remove", post(icon::remove))
        .route("/console/assistants/{id}/shared", post(conversations::set_shared))
        .route(
            "/console/assistants/{id}/conversations",
            get(conversations::show).post(conversations::decide),
        )
        .layer(Extension(chat))
        .route(
            "/console/assistants/{id}/conversations/revoke",
            get(conversations::confirm_revoke),
        )
        .route(
            "/console/assistants/{id}/conversations/buildings",
            get(buildings::show).post(buildings::save),
        )
        .route("/console/assistants/{id}/people", get(people::show))
        .route(
            "/console/assistants/{id}/people/unlink",
            get(people::confirm).post(people::unlink),
        )
        .route("/console/assistants/{id}/deliveries", get(deliveries::show))
        .route(
            "/console/assistants/{id}/deliveries/resend",
            post(deliveries::resend),
        )
        .route(
            "/console/assistants/{id}/deliveries/dismiss",
            post(deliveries::dismiss),
        )
        .route("/console/assistants/{id}/feedback", get(feedback::show))
}
