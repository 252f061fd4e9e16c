//! How every page of an assistant begins: an owner or administrator, and an assistant of the own
//! organization; for a form also what was sent.

use axum::extract::{FromRequest, FromRequestParts, MatchedPath, Path, Query, Request};
use axum::http::Extensions;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::{RequestExt as _, RequestPartsExt as _};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::audit::store::Actor;
use crate::base::error::Error;
use crate::base::ids::OrgId;
use crate::chat::setup::nav::{Opened, label_of, open};
use crate::edge::form::AdminPosted;
use crate::edge::view::{Fault, see_other};
use crate::edge::visitor::{OrgAdmin, Visitor};
use crate::services::Services;

/// A page that is looked at.
pub struct Looked {
    pub services: Services,
    pub visitor: Visitor,
    pub opened: Opened,
}

/// A form that was sent from a page.
pub struct Sent<T> {
    pub services: Services,
    pub visitor: Visitor,
    pub opened: Opened,
    pub form: T,
}

/// A form of a button alone.
#[derive(Deserialize)]
pub struct Nothing {}

#[derive(Deserialize)]
struct Asked {
    /// What was just done, as a redirect after a form says it.
    done: Option<String>,
}

impl FromRequestParts<Services> for Looked {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Response> {
        let OrgAdmin(visitor) = OrgAdmin::from_request_parts(parts, services).await?;
        let Path(id): Path<String> = parts.extract().await.map_err(IntoResponse::into_response)?;
        let Query(asked): Query<Asked> = parts.extract().await.map_err(IntoResponse::into_response)?;
        let label = label(&parts.extensions);
        let opened = open(services, &visitor, &id, label, asked.done.as_deref()).await;
        Ok(Self {
            services: services.clone(),
            visitor,
            opened: opened.map_err(refused)?,
        })
    }
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Services> for Sent<T> {
    type Rejection = Response;

    async fn from_request(mut request: Request, services: &Services) -> Result<Self, Response> {
        let path = request.extract_parts().await;
        let Path(id): Path<String> = path.map_err(IntoResponse::into_response)?;
        let label = label(request.extensions());
        let AdminPosted { visitor, form } = AdminPosted::from_request(request, services).await?;
        let opened = open(services, &visitor, &id, label, None).await;
        Ok(Self {
            services: services.clone(),
            opened: opened.map_err(refused)?,
            visitor,
            form,
        })
    }
}

fn label(extensions: &Extensions) -> &'static str {
    let route = extensions.get::<MatchedPath>();
    label_of(route.map(MatchedPath::as_str).unwrap_or_default())
}

fn refused(error: Error) -> Response {
    Fault::from(error).into_response()
}

impl Looked {
    pub fn org(&self) -> OrgId {
        self.visitor.principal.org
    }
}

impl<T> Sent<T> {
    pub fn org(&self) -> OrgId {
        self.visitor.principal.org
    }

    pub fn actor(&self) -> Actor {
        Actor::from(&self.visitor.principal)
    }

    /// Back to a page of the assistant, the first where it is not named, with the word for what was done.
    pub fn back(&self, page: &str, done: &str) -> Response {
        let slash = if page.is_empty() { "" } else { "/" };
        see_other(&format!("{}{slash}{page}?done={done}", self.opened.nav.base))
    }
}
