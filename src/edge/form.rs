//! A form that a signed-in person sent from a page of ours, as a handler's argument.
//!
//! Checks origin and token before the handler sees a field. Knows no form's fields.

use std::collections::BTreeMap;

use axum::RequestExt as _;
use axum::extract::{Form, FromRequest, Multipart, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::base::error::Error;
use crate::edge::csrf;
use crate::edge::view::Fault;
use crate::edge::visitor::{OrgAdmin, Visitor};
use crate::services::Services;

/// Largest body of a form: what the server's extractors read.
const LONGEST: u64 = 2 * 1024 * 1024;
/// Largest body with several files.
pub const LARGEST: u64 = 48 * 1024 * 1024;

/// Both together: nobody can take the fields without the check.
#[derive(Clone, Debug)]
pub struct Posted<T> {
    pub visitor: Visitor,
    pub form: T,
}

/// As [`Posted`], by an owner or administrator.
#[derive(Clone, Debug)]
pub struct AdminPosted<T> {
    pub visitor: Visitor,
    pub form: T,
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Services> for AdminPosted<T> {
    type Rejection = Response;

    async fn from_request(mut request: Request, services: &Services) -> Result<Self, Response> {
        let OrgAdmin(_) = request.extract_parts_with_state::<OrgAdmin, _>(services).await?;
        let Posted { visitor, form } = Posted::from_request(request, services).await?;
        Ok(Self { visitor, form })
    }
}

/// A file that an owner or administrator sent from a page of ours. Fields `csrf` and, after it, `file`.
#[derive(Clone, Debug)]
pub struct AdminUpload {
    pub visitor: Visitor,
    /// Empty where none was chosen.
    pub file: Vec<u8>,
}

impl FromRequest<Services> for AdminUpload {
    type Rejection = Response;

    async fn from_request(mut request: Request, services: &Services) -> Result<Self, Response> {
        let OrgAdmin(visitor) = request.extract_parts_with_state::<OrgAdmin, _>(services).await?;
        if !csrf::is_own(request.headers(), &services.site.public_url) {
            return Err(refused().into_response());
        }
        let file = file(request, &visitor)
            .await
            .map_err(IntoResponse::into_response)?;
        Ok(Self { visitor, file })
    }
}

/// The file, if the token came before it.
async fn file(request: Request, visitor: &Visitor) -> Result<Vec<u8>, Fault> {
    let unreadable = |status: StatusCode, why: String| match status {
        StatusCode::PAYLOAD_TOO_LARGE => Fault::from(Error::TooLarge { limit: LONGEST }),
        _ => Fault::from(Error::invalid("form", why)),
    };
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|rejection| unreadable(rejection.status(), rejection.body_text()))?;
    let mut ours = false;
    while let Some(field) = form
        .next_field()
        .await
        .map_err(|error| unreadable(error.status(), error.body_text()))?
    {
        let name = field.name().unwrap_or_default().to_owned();
        if name == "file" && !ours {
            return Err(refused());
        }
        let bytes = field
            .bytes()
            .await
            .map_err(|error| unreadable(error.status(), error.body_text()))?;
        match name.as_str() {
            "csrf" => ours = csrf::matches(&visitor.token, &String::from_utf8_lossy(&bytes)),
            "file" => return Ok(bytes.to_vec()),
            _ => {}
        }
    }
    if ours { Ok(Vec::new()) } else { Err(refused()) }
}

/// Files with fields beside them, that an owner or administrator sent from a page of ours. Field `csrf` comes first,
/// then fields and any number of `file`. How large it may be, its route says.
#[derive(Clone, Debug)]
pub struct AdminFiles {
    pub visitor: Visitor,
    pub fields: BTreeMap<String, String>,
    /// Names and bytes; those without a name were not chosen.
    pub files: Vec<(String, Vec<u8>)>,
}

impl FromRequest<Services> for AdminFiles {
    type Rejection = Response;

    async fn from_request(mut request: Request, services: &Services) -> Result<Self, Response> {
        let OrgAdmin(visitor) = request.extract_parts_with_state::<OrgAdmin, _>(services).await?;
        if !csrf::is_own(request.headers(), &services.site.public_url) {
            return Err(refused().into_response());
        }
        let sent = several(request, &visitor).await;
        let (fields, files) = sent.map_err(IntoResponse::into_response)?;
        Ok(Self {
            visitor,
            fields,
            files,
        })
    }
}

type Several = (BTreeMap<String, String>, Vec<(String, Vec<u8>)>);

async fn several(request: Request, visitor: &Visitor) -> Result<Several, Fault> {
    let unreadable = |status: StatusCode, why: String| match status {
        StatusCode::PAYLOAD_TOO_LARGE => Fault::from(Error::TooLarge { limit: LARGEST }),
        _ => Fault::from(Error::invalid("form", why)),
    };
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|rejection| unreadable(rejection.status(), rejection.body_text()))?;
    let (mut fields, mut files) = (BTreeMap::new(), Vec::new());
    let mut ours = false;
    while let Some(field) = form
        .next_field()
        .await
        .map_err(|error| unreadable(error.status(), error.body_text()))?
    {
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field.file_name().unwrap_or_default().to_owned();
        // Before the token nothing is taken in.
        if name != "csrf" && !ours {
            return Err(refused());
        }
        let bytes = field
            .bytes()
            .await
            .map_err(|error| unreadable(error.status(), error.body_text()))?;
        match name.as_str() {
            "csrf" => ours = csrf::matches(&visitor.token, &String::from_utf8_lossy(&bytes)),
            "file" if !file_name.is_empty() => files.push((file_name, bytes.to_vec())),
            "file" => {}
            _ => {
                fields.insert(name, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    if ours { Ok((fields, files)) } else { Err(refused()) }
}

#[derive(Deserialize)]
struct Fields<T> {
    #[serde(default)]
    csrf: String,
    #[serde(flatten)]
    form: T,
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Services> for Posted<T> {
    type Rejection = Response;

    async fn from_request(mut request: Request, services: &Services) -> Result<Self, Response> {
        let visitor = request.extract_parts_with_state::<Visitor, _>(services).await?;
        let own = csrf::is_own(request.headers(), &services.site.public_url);
        let fields: Fields<T> = read(request).await.map_err(IntoResponse::into_response)?;
        if own && csrf::matches(&visitor.token, &fields.csrf) {
            Ok(Self {
                visitor,
                form: fields.form,
            })
        } else {
            Err(refused().into_response())
        }
    }
}

/// The fields of a form, whoever sent it.
pub async fn read<T: DeserializeOwned + 'static>(request: Request) -> Result<T, Fault> {
    let Form(fields) =
        request
            .extract::<Form<T>, _>()
            .await
            .map_err(|rejection| match rejection.status() {
                StatusCode::PAYLOAD_TOO_LARGE => Fault::from(Error::TooLarge { limit: LONGEST }),
                _ => Fault::from(Error::invalid("form", rejection.body_text())),
            })?;
    Ok(fields)
}

pub fn refused() -> Fault {
    Fault::from(Error::forbidden(
        "form_expired",
        "the form was not sent from a current page; go back, load the page again, and repeat it",
    ))
}
