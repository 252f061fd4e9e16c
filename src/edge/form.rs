//! Extractors for forms that a signed-in person sends from one of our pages.
//!
//! They check origin and token before the handler sees a field. Do not depend on the fields of any form.

use std::collections::BTreeMap;

use axum::RequestExt as _;
use axum::extract::{DefaultBodyLimit, Form, FromRequest, Multipart, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::base::error::Error;
use crate::edge::csrf;
use crate::edge::view::Fault;
use crate::edge::visitor::{OrgAdmin, Visitor};
use crate::services::Services;

/// Largest body of a signed-in person's form: the limit of axum's extractors.
const LONGEST: u64 = 2 * 1024 * 1024;
/// Largest body with several files.
pub const LARGEST: u64 = 48 * 1024 * 1024;

/// The person and the checked form: there is no way to get the fields without the check.
#[derive(Clone, Debug)]
pub struct Posted<T> {
    pub visitor: Visitor,
    pub form: T,
}

/// Like [`Posted`], from an owner or administrator.
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

/// A file that an owner or administrator uploaded. Fields: `csrf`, then `file`.
#[derive(Clone, Debug)]
pub struct AdminUpload {
    pub visitor: Visitor,
    /// Empty if none was chosen.
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
    let mut verified = false;
    while let Some(field) = form
        .next_field()
        .await
        .map_err(|error| unreadable(error.status(), error.body_text()))?
    {
        let name = field.name().unwrap_or_default().to_owned();
        if name == "file" && !verified {
            return Err(refused());
        }
        let bytes = field
            .bytes()
            .await
            .map_err(|error| unreadable(error.status(), error.body_text()))?;
        match name.as_str() {
            "csrf" => verified = csrf::matches(&visitor.token, &String::from_utf8_lossy(&bytes)),
            "file" => return Ok(bytes.to_vec()),
            _ => {}
        }
    }
    if verified { Ok(Vec::new()) } else { Err(refused()) }
}

/// Files and fields that an owner or administrator sent. The field `csrf` comes first, then other fields and any number
/// of `file`. The route sets the size limit.
#[derive(Clone, Debug)]
pub struct AdminFiles {
    pub visitor: Visitor,
    pub fields: BTreeMap<String, String>,
    /// Names and bytes.
    pub files: Vec<(String, Vec<u8>)>,
}

impl FromRequest<Services> for AdminFiles {
    type Rejection = Response;

    async fn from_request(mut request: Request, services: &Services) -> Result<Self, Response> {
        let OrgAdmin(visitor) = request.extract_parts_with_state::<OrgAdmin, _>(services).await?;
        if !csrf::is_own(request.headers(), &services.site.public_url) {
            return Err(refused().into_response());
        }
        let contents = files_and_fields(request, &visitor).await;
        let (fields, files) = contents.map_err(IntoResponse::into_response)?;
        Ok(Self {
            visitor,
            fields,
            files,
        })
    }
}

type FieldsAndFiles = (BTreeMap<String, String>, Vec<(String, Vec<u8>)>);

async fn files_and_fields(request: Request, visitor: &Visitor) -> Result<FieldsAndFiles, Fault> {
    let unreadable = |status: StatusCode, why: String| match status {
        StatusCode::PAYLOAD_TOO_LARGE => Fault::from(Error::TooLarge { limit: LARGEST }),
        _ => Fault::from(Error::invalid("form", why)),
    };
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|rejection| unreadable(rejection.status(), rejection.body_text()))?;
    let (mut fields, mut files) = (BTreeMap::new(), Vec::new());
    let mut verified = false;
    while let Some(field) = form
        .next_field()
        .await
        .map_err(|error| unreadable(error.status(), error.body_text()))?
    {
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field.file_name().unwrap_or_default().to_owned();
        // Nothing is accepted before the token.
        if name != "csrf" && !verified {
            return Err(refused());
        }
        let bytes = field
            .bytes()
            .await
            .map_err(|error| unreadable(error.status(), error.body_text()))?;
        match name.as_str() {
            "csrf" => verified = csrf::matches(&visitor.token, &String::from_utf8_lossy(&bytes)),
            "file" if !file_name.is_empty() => files.push((file_name, bytes.to_vec())),
            // The browser sends an unnamed part if no file was chosen.
            "file" => {}
            _ => {
                fields.insert(name, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    if verified {
        Ok((fields, files))
    } else {
        Err(refused())
    }
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
        let fields: Fields<T> = read(request, LONGEST)
            .await
            .map_err(IntoResponse::into_response)?;
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

/// The fields of a form with a body of at most `limit` bytes, without any check of the sender.
pub async fn read<T: DeserializeOwned + 'static>(mut request: Request, limit: u64) -> Result<T, Fault> {
    DefaultBodyLimit::max(usize::try_from(limit).unwrap_or(usize::MAX)).apply(&mut request);
    let Form(fields) =
        request
            .extract::<Form<T>, _>()
            .await
            .map_err(|rejection| match rejection.status() {
                StatusCode::PAYLOAD_TOO_LARGE => Fault::from(Error::TooLarge { limit }),
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
