//! The entry point for reading a body in any format. Small bodies are parsed in place, large ones on a blocking thread
//! while they arrive. Does not depend on routes or their types.

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use futures_util::StreamExt as _;
use tokio::runtime::Handle;

use crate::api::failure::Failure;
use crate::api::upload::form::Fields;
use crate::api::upload::gathering::Gathering;
use crate::api::upload::json::Json;
use crate::api::upload::multipart;
use crate::api::upload::source::{Place, Source};
use crate::base::error::Error;
use crate::edge::problem::FieldError;
use crate::files::spool::{Spool, Upload};

/// Largest body that is parsed in place.
const SMALL: usize = 64 << 10;

/// The format of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Json,
    Multipart { boundary: String },
}

/// Reads a body to its end, or up to the first error.
pub async fn read(headers: &HeaderMap, body: Body, spool: &Spool) -> Result<(Fields, Vec<Upload>), Failure> {
    let form = form(headers)?;
    let most = spool.most_body();
    let declared = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|bytes| bytes > most) {
        return Err(Error::TooLarge { limit: most }.into());
    }
    let mut rest = body.into_data_stream();
    let mut head: Vec<u8> = Vec::new();
    let mut ended = false;
    while head.len() <= SMALL && !ended {
        match rest.next().await {
            Some(Ok(piece)) => head.extend_from_slice(&piece),
            Some(Err(_)) => {
                return Err(Failure::field(
                    "body",
                    "incomplete",
                    "broke off before its end; nothing was done",
                ));
            }
            None => ended = true,
        }
    }
    let head = Bytes::from(head);
    if ended {
        // Polling an ended body again is allowed.
        let source = Source::new(head, rest, Place::Here, most);
        return parse(source, form, Gathering::new(spool.begin()));
    }
    let turn = spool.turn().await?;
    let gathering = Gathering::new(spool.begin());
    let place = Place::Thread(Handle::current());
    let source = Source::new(head, rest, place, most);
    let parsing = tokio::task::spawn_blocking(move || {
        let parsed = parse(source, form, gathering);
        drop(turn);
        parsed
    });
    parsing
        .await
        .map_err(|error| Failure::Of(Error::internal(error)))?
}

fn parse(source: Source, form: Form, mut gathering: Gathering) -> Result<(Fields, Vec<Upload>), Failure> {
    match form {
        Form::Json if source.is_blank() => {}
        Form::Json => {
            let meter = source.meter();
            Json::new(source, meter, &mut gathering).body()?;
        }
        Form::Multipart { boundary } => multipart::read(source, boundary, &mut gathering)?,
    }
    let (fields, files) = gathering.end()?;
    Ok((Fields(fields), files))
}

fn form(headers: &HeaderMap) -> Result<Form, Failure> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if text(CONTENT_ENCODING).is_some_and(|encoding| !encoding.trim().eq_ignore_ascii_case("identity")) {
        let detail = "must be left out: bodies are taken as they are, not compressed";
        return Err(unsupported("Content-Encoding", detail));
    }
    let Some(kind) = text(CONTENT_TYPE) else {
        return Ok(Form::Json);
    };
    let plain = kind
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    match plain.as_str() {
        "" | "application/json" => Ok(Form::Json),
        "multipart/form-data" => match multer::parse_boundary(kind) {
            Ok(boundary) => Ok(Form::Multipart { boundary }),
            Err(_) => Err(Failure::field(
                "Content-Type",
                "malformed",
                "has no boundary; let the HTTP library make this header",
            )),
        },
        _ => Err(unsupported(
            "Content-Type",
            "must be application/json or multipart/form-data",
        )),
    }
}

fn unsupported(header: &str, detail: &str) -> Failure {
    Failure::MediaType(FieldError {
        field: header.to_owned(),
        code: "unsupported",
        detail: detail.to_owned(),
    })
}
