//! Portfolio import pages: an administrator uploads files, reviews the check and confirms the import. Errors and
//! warnings are listed by row. A column that matches no field is ignored. If a required column is missing, this is
//! reported and the columns can be assigned by hand.
//!
//! Works without scripts. The rules of an import are in `portfolio::import`.

use std::collections::BTreeMap;

use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;

use crate::audit::store::Actor;
use crate::base::error::Error;
use crate::base::ids::UploadId;
use crate::edge::form::{AdminFiles, AdminPosted, LARGEST};
use crate::edge::view::{Fault, Frame, page, see_other};
use crate::edge::visitor::{OrgAdmin, Visitor};
use crate::portfolio::import::finding::{Finding, Severity};
use crate::portfolio::import::kinds::{KINDS, Kind};
use crate::portfolio::import::listing::UnrecognizedSheet;
use crate::portfolio::import::run::Outcome;
use crate::portfolio::import::sheet::InputFile;
use crate::portfolio::uploads::{Reading, State as Progress, Upload};
use crate::services::Services;
use tables::headers::normalized;

/// Seconds after which the page of a running import reloads.
const RELOAD: u32 = 2;

pub fn router() -> Router<Services> {
    Router::new()
        .route(
            "/console/portfolio/import",
            get(show).post(upload).layer(DefaultBodyLimit::max(
                usize::try_from(LARGEST).unwrap_or(usize::MAX),
            )),
        )
        .route("/console/portfolio/import/{id}", get(review))
        .route("/console/portfolio/import/{id}/read", post(read_as))
        .route("/console/portfolio/import/{id}/confirm", post(confirm))
        .route("/console/portfolio/import/{id}/discard", post(discard))
}

#[derive(Template)]
#[template(path = "portfolio_import.html")]
struct FormPage {
    frame: Frame,
    csrf: String,
    wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "portfolio_upload.html")]
struct UploadPage {
    frame: Frame,
    csrf: String,
    id: UploadId,
    names: Vec<String>,
    reading: Reading,
    files: Vec<FileLine>,
    counts: Vec<CountLine>,
    acceptable: bool,
    errors: usize,
    warnings: usize,
    codes: Vec<(String, usize)>,
    findings: Vec<FindingLine>,
    unrecognized: Vec<UnrecognizedForm>,
    why: Option<String>,
}

#[derive(Template)]
#[template(path = "portfolio_running.html")]
struct RunningPage {
    frame: Frame,
    org_name: String,
    /// The number of the import, once it is done.
    number: Option<i64>,
    reload: u32,
}

struct FileLine {
    name: String,
    kind: &'static str,
    rows: usize,
    read: String,
    account: String,
}

struct CountLine {
    table: String,
    added: usize,
    changed: usize,
    ended: usize,
    unchanged: usize,
}

struct FindingLine {
    error: bool,
    file: String,
    row: String,
    column: String,
    value: String,
    detail: String,
    code: &'static str,
}

/// The form that assigns the columns of a file in which required columns were not found.
struct UnrecognizedForm {
    file: String,
    kind: Kind,
    kinds: Vec<(Kind, bool)>,
    missing: Vec<&'static str>,
    columns: Vec<ColumnForm>,
}

struct ColumnForm {
    header: String,
    plain: String,
    fields: Vec<(&'static str, bool, bool)>,
}

#[derive(Default, Deserialize)]
struct Params {
    /// The kind of the file, as the person chose it.
    #[serde(default)]
    kind: String,
}

async fn show(State(services): State<Services>, OrgAdmin(visitor): OrgAdmin) -> Result<Response, Fault> {
    Ok(form(&services, &visitor, StatusCode::OK, None))
}

fn form(services: &Services, visitor: &Visitor, status: StatusCode, wrong: Option<String>) -> Response {
    let template = FormPage {
        frame: visitor.frame(&services.site, "Import").at("portfolio"),
        csrf: visitor.csrf(),
        wrong,
    };
    page(status, &template)
}

async fn upload(State(services): State<Services>, sent: AdminFiles) -> Result<Response, Fault> {
    let principal = sent.visitor.principal;
    let field = |name: &str| sent.fields.get(name).map(|text| text.trim().to_owned());
    let mut reading = Reading::default();
    if let Some(source) = field("source").filter(|source| !source.is_empty()) {
        reading.source = source;
    }
    reading.building = field("building").filter(|building| !building.is_empty());
    reading.day_first = field("dates").filter(|order| order == "day").map(|_| true);
    let files = sent
        .files
        .into_iter()
        .map(|(name, bytes)| InputFile { name, bytes });
    let kept = services
        .uploads
        .keep(principal.org, principal.user, files.collect(), reading)
        .await;
    match kept {
        Ok(id) => Ok(see_other(&path(id))),
        Err(Error::Invalid { why, .. }) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(form(&services, &sent.visitor, status, Some(why)))
        }
        Err(error) => Err(error.into()),
    }
}

fn path(id: UploadId) -> String {
    format!("/console/portfolio/import/{id}")
}

fn parsed(id: &str) -> Result<UploadId, Error> {
    id.parse().map_err(|_| Error::NotFound("upload"))
}

async fn review(
    State(services): State<Services>,
    OrgAdmin(visitor): OrgAdmin,
    Path(id): Path<String>,
    Query(params): Query<Params>,
) -> Result<Response, Fault> {
    let upload = services.uploads.open(visitor.principal.org, parsed(&id)?).await?;
    if matches!(upload.state, Progress::Running | Progress::Done) {
        let title = if upload.number.is_some() {
            "Imported"
        } else {
            "Importing"
        };
        let template = RunningPage {
            frame: visitor.frame(&services.site, title).at("portfolio"),
            org_name: visitor.org_name.clone(),
            number: upload.number,
            reload: RELOAD,
        };
        return Ok(page(StatusCode::OK, &template));
    }
    let actor = Actor::from(&visitor.principal);
    let outcome = services
        .uploads
        .look(actor, visitor.principal.org, &upload)
        .await?;
    Ok(reviewed(
        &services,
        &visitor,
        upload,
        &outcome,
        Kind::parse(&params.kind),
    ))
}

fn reviewed(
    services: &Services,
    visitor: &Visitor,
    upload: Upload,
    outcome: &Outcome,
    kind: Option<Kind>,
) -> Response {
    let sum = |counts: &BTreeMap<&'static str, usize>| counts.values().sum();
    let codes = outcome.errors.iter().chain(&outcome.warnings);
    let template = UploadPage {
        frame: visitor.frame(&services.site, "Import").at("portfolio"),
        csrf: visitor.csrf(),
        id: upload.id,
        names: upload.names,
        files: outcome.files.iter().map(file).collect(),
        counts: outcome
            .counts
            .iter()
            .map(|(table, count)| CountLine {
                table: table.replace('_', " "),
                added: count.added,
                changed: count.changed,
                ended: count.ended,
                unchanged: count.unchanged,
            })
            .collect(),
        acceptable: outcome.acceptable,
        errors: sum(&outcome.errors),
        warnings: sum(&outcome.warnings),
        codes: codes
            .map(|(code, count)| (code.replace('_', " "), *count))
            .collect(),
        findings: outcome.findings.iter().map(finding).collect(),
        unrecognized: outcome
            .unrecognized
            .iter()
            .map(|sheet| unrecognized_form(sheet, &upload.reading, kind))
            .collect(),
        why: upload.why,
        reading: upload.reading,
    };
    page(StatusCode::OK, &template)
}

fn file(read: &crate::portfolio::import::run::FileRead) -> FileLine {
    let figures = read.read.as_object().into_iter().flatten();
    let figures: Vec<String> = figures
        .map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("{} {value}", spaced(name))
        })
        .collect();
    FileLine {
        name: read.file.clone(),
        kind: Kind::parse(read.kind).map_or(read.kind, Kind::title),
        rows: read.rows,
        read: figures.join(" · "),
        account: read.account.sentence(),
    }
}

/// `monthlyRent` becomes `monthly rent`.
fn spaced(name: &str) -> String {
    let mut text = String::new();
    for sign in name.chars() {
        if sign.is_uppercase() {
            text.push(' ');
        }
        text.extend(sign.to_lowercase());
    }
    text
}

fn finding(found: &Finding) -> FindingLine {
    FindingLine {
        error: found.severity == Severity::Error,
        file: found.file.clone(),
        row: found.row.map(|row| row.to_string()).unwrap_or_default(),
        column: found.column.clone().unwrap_or_default(),
        value: found.value.clone().unwrap_or_default(),
        detail: found.detail.clone(),
        code: found.code.as_str(),
    }
}

fn unrecognized_form(sheet: &UnrecognizedSheet, reading: &Reading, kind: Option<Kind>) -> UnrecognizedForm {
    let kind = kind.unwrap_or(sheet.kind);
    let assigned = reading.columns.get(kind.as_str());
    let column = |header: &String| {
        let plain = normalized(header);
        let fields = kind.fields().iter().map(|field| {
            let chosen = match assigned.and_then(|assigned| assigned.get(&plain)) {
                Some(name) => name == field.name,
                None => normalized(field.name) == plain || field.names().any(|name| name == plain),
            };
            (field.name, field.required, chosen)
        });
        ColumnForm {
            header: header.clone(),
            fields: fields.collect(),
            plain,
        }
    };
    UnrecognizedForm {
        file: sheet.name.clone(),
        kind,
        kinds: KINDS.into_iter().map(|one| (one, one == kind)).collect(),
        missing: if kind == sheet.kind {
            sheet.missing.clone()
        } else {
            Vec::new()
        },
        columns: sheet
            .headers
            .iter()
            .filter(|header| !normalized(header).is_empty())
            .map(column)
            .collect(),
    }
}

async fn read_as(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: AdminPosted<BTreeMap<String, String>>,
) -> Result<Response, Fault> {
    let (org, id) = (posted.visitor.principal.org, parsed(&id)?);
    let mut reading = services.uploads.open(org, id).await?.reading;
    let form = posted.form;
    let kind = form.get("kind").and_then(|kind| Kind::parse(kind));
    if let Some(kind) = kind {
        let columns = reading.columns.entry(kind.as_str().to_owned()).or_default();
        for (name, field) in &form {
            let Some(header) = name.strip_prefix("as.") else {
                continue;
            };
            match kind.field(field) {
                Some(field) => {
                    columns.insert(header.to_owned(), field.name.to_owned());
                }
                None => {
                    columns.remove(header);
                }
            }
        }
    } else {
        reading.building = form
            .get("building")
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty());
        reading.day_first = form.get("dates").filter(|order| *order == "day").map(|_| true);
    }
    services.uploads.read_as(org, id, reading).await?;
    Ok(see_other(&path(id)))
}

async fn confirm(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: AdminPosted<BTreeMap<String, String>>,
) -> Result<Response, Fault> {
    let (org, id) = (posted.visitor.principal.org, parsed(&id)?);
    services.uploads.open(org, id).await?;
    let actor = Actor::from(&posted.visitor.principal);
    let uploads = services.uploads.clone();
    // In its own task: closing the page does not stop the import, and the result is stored with the upload.
    let importing = tokio::spawn(async move {
        if let Err(error) = uploads.confirm(actor, org, id).await {
            tracing::warn!(error = error.chain(), "an import failed");
        }
    });
    // Most imports are done at once; for the others, a progress page follows.
    let patience = std::time::Duration::from_secs(u64::from(RELOAD));
    let _ = tokio::time::timeout(patience, importing).await;
    Ok(see_other(&path(id)))
}

async fn discard(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: AdminPosted<BTreeMap<String, String>>,
) -> Result<Response, Fault> {
    services
        .uploads
        .remove(posted.visitor.principal.org, parsed(&id)?)
        .await?;
    Ok(see_other("/console/portfolio/import"))
}
