//! The key workspace: a person's project keys, and for administrators everyone's. The secret of a key is shown once, on
//! the page after it is created.
//!
//! A key acts as its owner, so an administrator may revoke the keys of others, but not rotate them.

use std::collections::BTreeMap;

use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use chrono::{DateTime, Datelike as _, Utc};
use serde::Deserialize;

use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{KeyId, UserId};
use crate::base::secret::Secret;
use crate::edge::form::Posted;
use crate::edge::view::{Fault, Frame, Moment, page, see_other};
use crate::edge::visitor::Visitor;
use crate::keys::model::{Environment, NewKey, Overlap, ProjectKey, Which};
use crate::keys::service::in_days;
use crate::services::Services;
use crate::usage::model::Day;

/// Lifetimes to choose from, in days; the first is the default.
const LIFETIMES: [u32; 3] = [365, 90, 30];

pub fn router() -> Router<Services> {
    Router::new()
        .route("/console/keys", get(show).post(create))
        .route("/console/keys/{id}/rotate", get(ask_rotate).post(rotate))
        .route("/console/keys/{id}/revoke", get(ask_revoke).post(revoke))
}

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    frame: Frame,
    csrf: String,
    org_name: String,
    admin: bool,
    everyone: bool,
    ended: bool,
    further: bool,
    done: Option<&'static str>,
    keys: Vec<Line>,
    /// URLs of the first and the next page of this list.
    here: String,
    more: Option<String>,
    environments: Vec<Offer>,
    form: Form,
    base_url: String,
}

/// One key as the page shows it.
struct Line {
    id: KeyId,
    name: String,
    environment: Environment,
    owner: String,
    created: Moment,
    used: Option<Moment>,
    until: Option<Moment>,
    revoked: Option<Moment>,
    overlap: Option<Moment>,
    answered: i64,
    failed: i64,
    /// Trial runs used and included, of a sandbox key.
    trial: Option<(i64, i64)>,
    own: bool,
    live: bool,
}

/// An environment and what it means.
struct Offer {
    environment: Environment,
    note: String,
    chosen: bool,
    open: bool,
}

/// The submitted name and the error to show.
#[derive(Default)]
struct Form {
    name: String,
    wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "key_shown.html")]
struct ShownPage {
    frame: Frame,
    name: String,
    environment: Environment,
    text: Secret,
    /// The secret replaces an earlier one.
    rotated: bool,
    /// When the earlier secret expires.
    overlap: Option<Moment>,
    base_url: String,
}

#[derive(Template)]
#[template(path = "key_rotate.html")]
struct RotatePage {
    frame: Frame,
    csrf: String,
    id: KeyId,
    name: String,
    overlap: Option<Moment>,
}

#[derive(Template)]
#[template(path = "key_revoke.html")]
struct RevokePage {
    frame: Frame,
    csrf: String,
    id: KeyId,
    name: String,
    owner: String,
    own: bool,
    used: Option<Moment>,
}

#[derive(Default, Deserialize)]
struct Params {
    #[serde(default)]
    done: String,
    #[serde(default)]
    of: String,
    #[serde(default)]
    which: String,
    after: Option<KeyId>,
}

async fn show(
    State(services): State<Services>,
    visitor: Visitor,
    Query(params): Query<Params>,
) -> Result<Response, Fault> {
    list(
        &services,
        &visitor,
        &params,
        StatusCode::OK,
        Form::default(),
        None,
    )
    .await
}

async fn list(
    services: &Services,
    visitor: &Visitor,
    params: &Params,
    status: StatusCode,
    form: Form,
    chosen: Option<Environment>,
) -> Result<Response, Fault> {
    let principal = &visitor.principal;
    let admin = principal.role.is_admin();
    let everyone = admin && params.of == "everyone";
    let ended = params.which == "ended";
    let owner = (!everyone).then_some(principal.user);
    let which = if ended { Which::Ended } else { Which::Live };
    let found = services
        .keys
        .list(principal.org, owner, which, params.after)
        .await?;
    let users: Vec<UserId> = found.keys.iter().map(|key| key.owner_id).collect();
    let names = services.accounts.names(principal.org, &users).await?;
    let now = services.clock.now();
    let month = now.date_naive().with_day(1).unwrap_or(now.date_naive());
    let runs = by_key(&services.usage.days(principal, month).await?);
    let trial = services.usage.trial_runs(principal).await?;
    let included = services.usage.prices().sandbox_runs;
    let line = |key: ProjectKey| {
        let (answered, failed) = runs.get(&key.id).copied().unwrap_or_default();
        let used = trial.get(&key.id).copied().unwrap_or_default();
        Line {
            own: key.owner_id == principal.user,
            owner: names
                .get(&key.owner_id)
                .map_or_else(|| "A former member".to_owned(), |(name, _)| name.clone()),
            trial: (key.environment == Environment::Sandbox).then_some((used, included)),
            live: is_valid(&key, now),
            overlap: key.previous_until.filter(|until| now < *until).map(Moment::of),
            created: Moment::of(key.created_at),
            used: key.last_used_at.map(Moment::of),
            until: key.expires_at.map(Moment::of),
            revoked: key.revoked_at.map(Moment::of),
            id: key.id,
            name: key.name,
            environment: key.environment,
            answered,
            failed,
        }
    };
    let here = format!(
        "/console/keys?of={}&which={}",
        if everyone { "everyone" } else { "own" },
        if ended { "ended" } else { "live" }
    );
    let template = KeysPage {
        frame: visitor.frame(&services.site, "Project keys").at("keys"),
        csrf: visitor.csrf(),
        org_name: visitor.org_name.clone(),
        admin,
        everyone,
        ended,
        further: params.after.is_some(),
        done: (params.done == "revoked").then_some("Revoked. The key is no longer accepted."),
        keys: found.keys.into_iter().map(line).collect(),
        more: found.next.map(|after| format!("{here}&after={after}")),
        here,
        environments: offers(services, visitor, chosen).await?,
        form,
        base_url: services.site.public_url.clone(),
    };
    Ok(page(status, &template))
}

fn is_valid(key: &ProjectKey, now: DateTime<Utc>) -> bool {
    key.revoked_at.is_none() && key.expires_at.is_none_or(|end| now < end)
}

/// Answered and failed runs of each key.
fn by_key(days: &[Day]) -> BTreeMap<KeyId, (i64, i64)> {
    let mut sums: BTreeMap<KeyId, (i64, i64)> = BTreeMap::new();
    for day in days {
        if let Some(key) = day.key {
            let sum = sums.entry(key).or_default();
            *sum = (sum.0 + day.completed, sum.1 + day.failed);
        }
    }
    sums
}

async fn offers(services: &Services, visitor: &Visitor, chosen: Option<Environment>) -> Result<Vec<Offer>> {
    let trial = services.keys.is_trial(&visitor.principal).await?;
    let rates = services.keys.rates();
    let chosen = chosen.unwrap_or(Environment::Sandbox);
    let offer = |environment| {
        let rate = rates.of(environment);
        let open = environment == Environment::Sandbox || !trial;
        let note = match environment {
            Environment::Sandbox => format!(
                "{rate} requests a minute, {} runs a month, spends no credit",
                services.usage.prices().sandbox_runs
            ),
            _ if trial => "not included in a trial".to_owned(),
            _ => format!("{rate} requests a minute, spends your organization's usage"),
        };
        Offer {
            environment,
            note,
            chosen: environment == chosen,
            open,
        }
    };
    let all = [
        Environment::Sandbox,
        Environment::Development,
        Environment::Production,
    ];
    Ok(all.map(offer).into())
}

#[derive(Clone, Debug, Deserialize)]
struct Creating {
    #[serde(default)]
    name: String,
    #[serde(default)]
    environment: String,
    /// Empty: until it is revoked.
    #[serde(default)]
    days: String,
}

async fn create(State(services): State<Services>, posted: Posted<Creating>) -> Result<Response, Fault> {
    let (visitor, form) = (posted.visitor, posted.form);
    let principal = &visitor.principal;
    let environment = form.environment.parse::<Environment>();
    let created = async {
        let wrong = |why: String| Error::invalid("environment", why);
        let environment = environment.clone().map_err(wrong)?;
        let expires_at = match form.days.as_str() {
            "" => None,
            days => {
                let days = days.parse().unwrap_or_default();
                Some(in_days(services.clock.now(), days)?)
            }
        };
        let new = NewKey {
            org: principal.org,
            owner: principal.user,
            name: form.name.clone(),
            environment,
            expires_at,
        };
        let (id, text) = services.keys.create(Actor::from(principal), new).await?;
        let key = services.keys.get(principal.org, Some(principal.user), id).await?;
        Ok((key, text))
    };
    match created.await {
        Ok((key, text)) => Ok(shown(&services, &visitor, key, text, false)),
        // Errors that the person can fix are shown on the form.
        Err(error @ (Error::Invalid { .. } | Error::Forbidden { .. })) => {
            let status = match error {
                Error::Invalid { .. } => StatusCode::BAD_REQUEST,
                _ => StatusCode::FORBIDDEN,
            };
            let form = Form {
                name: form.name.clone(),
                wrong: Some(sentence(&error)),
            };
            list(
                &services,
                &visitor,
                &Params::default(),
                status,
                form,
                environment.ok(),
            )
            .await
        }
        Err(error) => Err(error.into()),
    }
}

fn sentence(error: &Error) -> String {
    match error {
        Error::Invalid { field: "name", why } => format!("The name {why}."),
        Error::Invalid {
            field: "environment",
            why,
        } => format!("The environment {why}."),
        Error::Invalid { why, .. } => format!("The lifetime {why}."),
        other => other.to_string(),
    }
}

fn shown(services: &Services, visitor: &Visitor, key: ProjectKey, text: Secret, rotated: bool) -> Response {
    let now = services.clock.now();
    let template = ShownPage {
        frame: visitor.frame(&services.site, "Your new key").at("keys"),
        overlap: key.previous_until.filter(|until| now < *until).map(Moment::of),
        name: key.name,
        environment: key.environment,
        text,
        rotated,
        base_url: services.site.public_url.clone(),
    };
    page(StatusCode::OK, &template)
}

async fn ask_rotate(
    State(services): State<Services>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let key = live(&services, &visitor, &id, false).await?;
    let now = services.clock.now();
    let template = RotatePage {
        frame: visitor.frame(&services.site, "Rotate a key").at("keys"),
        csrf: visitor.csrf(),
        id: key.id,
        name: key.name,
        overlap: key.previous_until.filter(|until| now < *until).map(Moment::of),
    };
    Ok(page(StatusCode::OK, &template))
}

#[derive(Clone, Debug, Deserialize)]
struct Rotating {
    #[serde(default)]
    overlap: String,
}

async fn rotate(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: Posted<Rotating>,
) -> Result<Response, Fault> {
    let visitor = posted.visitor;
    let principal = &visitor.principal;
    let key = live(&services, &visitor, &id, false).await?;
    let overlap: Overlap = posted
        .form
        .overlap
        .parse()
        .map_err(|why: String| Error::invalid("overlap", why))?;
    let (actor, owner) = (Actor::from(principal), Some(principal.user));
    let text = services
        .keys
        .rotate(actor, principal.org, owner, key.id, overlap)
        .await?;
    let key = services.keys.get(principal.org, owner, key.id).await?;
    Ok(shown(&services, &visitor, key, text, true))
}

async fn ask_revoke(
    State(services): State<Services>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let key = live(&services, &visitor, &id, true).await?;
    let names = services
        .accounts
        .names(visitor.principal.org, &[key.owner_id])
        .await?;
    let template = RevokePage {
        frame: visitor.frame(&services.site, "Revoke a key").at("keys"),
        csrf: visitor.csrf(),
        id: key.id,
        own: key.owner_id == visitor.principal.user,
        owner: names
            .get(&key.owner_id)
            .map_or_else(|| "a former member".to_owned(), |(name, _)| name.clone()),
        used: key.last_used_at.map(Moment::of),
        name: key.name,
    };
    Ok(page(StatusCode::OK, &template))
}

#[derive(Clone, Debug, Deserialize)]
struct Revoking {}

async fn revoke(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: Posted<Revoking>,
) -> Result<Response, Fault> {
    let Revoking {} = posted.form;
    let visitor = posted.visitor;
    let principal = &visitor.principal;
    let key = live(&services, &visitor, &id, true).await?;
    let owner = (!principal.role.is_admin()).then_some(principal.user);
    services
        .keys
        .revoke(Actor::from(principal), principal.org, owner, key.id)
        .await?;
    let of = if key.owner_id == principal.user {
        ""
    } else {
        "&of=everyone"
    };
    Ok(see_other(&format!("/console/keys?done=revoked{of}")))
}

/// A valid key of this person or, with `admins`, any valid key for an administrator. Other keys are not found.
async fn live(services: &Services, visitor: &Visitor, id: &str, admins: bool) -> Result<ProjectKey> {
    let id: KeyId = id.parse().map_err(|_| Error::NotFound("key"))?;
    let principal = &visitor.principal;
    let any = admins && principal.role.is_admin();
    let owner = (!any).then_some(principal.user);
    let key = services.keys.get(principal.org, owner, id).await?;
    if is_valid(&key, services.clock.now()) {
        Ok(key)
    } else {
        Err(Error::NotFound("key"))
    }
}

impl KeysPage {
    fn lifetimes(&self) -> [u32; 3] {
        LIFETIMES
    }
}
