//! A form that a signed-in person sent from a page of ours, as a handler's argument.
//!
//! Checks origin and token before the handler sees a field. Knows no form's fields.

use axum::RequestExt as _;
use axum::extract::{Form, FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::base::error::Error;
use crate::edge::csrf;
use crate::edge::view::Fault;
use crate::edge::visitor::Visitor;
use crate::services::Services;

/// Both together: nobody can take the fields without the check.
#[derive(Clone, Debug)]
pub struct Posted<T> {
    pub visitor: Visitor,
    pub form: T,
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
                StatusCode::PAYLOAD_TOO_LARGE => Fault::from(Error::TooLarge {
                    limit: 2 * 1024 * 1024,
                }),
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
