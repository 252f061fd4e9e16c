//! Extractors for the assistant pages: they check that the visitor is an owner or administrator, load the assistant
//! from the visitor's organization, and read the form.

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
use crate::chat::setup::nav::{OpenAssistant, label_of, open};
use crate::edge::form::AdminPosted;
use crate::edge::view::{Fault, see_other};
use crate::edge::visitor::{OrgAdmin, Visitor};
use crate::services::Services;

/// A request for a page.
pub struct PageRequest {
    pub services: Services,
    pub visitor: Visitor,
    pub opened: OpenAssistant,
}

/// A form submitted from a page.
pub struct FormRequest<T> {
    pub services: Services,
    pub visitor: Visitor,
    pub opened: OpenAssistant,
    pub form: T,
}

/// A form without fields, only a button.
#[derive(Deserialize)]
pub struct NoFields {}

#[derive(Deserialize)]
struct DoneQuery {
    /// What was just done; set by the redirect after a form.
    done: Option<String>,
}

impl FromRequestParts<Services> for PageRequest {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Response> {
        let OrgAdmin(visitor) = OrgAdmin::from_request_parts(parts, services).await?;
        let Path(id): Path<String> = parts.extract().await.map_err(IntoResponse::into_response)?;
        let Query(query): Query<DoneQuery> = parts.extract().await.map_err(IntoResponse::into_response)?;
        let label = label(&parts.extensions);
        let opened = open(services, &visitor, &id, label, query.done.as_deref()).await;
        Ok(Self {
            services: services.clone(),
            visitor,
            opened: opened.map_err(rejection)?,
        })
    }
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Services> for FormRequest<T> {
    type Rejection = Response;

    async fn from_request(mut request: Request, services: &Services) -> Result<Self, Response> {
        let path = request.extract_parts().await;
        let Path(id): Path<String> = path.map_err(IntoResponse::into_response)?;
        let label = label(request.extensions());
        let AdminPosted { visitor, form } = AdminPosted::from_request(request, services).await?;
        let opened = open(services, &visitor, &id, label, None).await;
        Ok(Self {
            services: services.clone(),
            opened: opened.map_err(rejection)?,
            visitor,
            form,
        })
    }
}

fn label(extensions: &Extensions) -> &'static str {
    let route = extensions.get::<MatchedPath>();
    label_of(route.map(MatchedPath::as_str).unwrap_or_default())
}

fn rejection(error: Error) -> Response {
    Fault::from(error).into_response()
}

impl PageRequest {
    pub fn org(&self) -> OrgId {
        self.visitor.principal.org
    }
}

impl<T> FormRequest<T> {
    pub fn org(&self) -> OrgId {
        self.visitor.principal.org
    }

    pub fn actor(&self) -> Actor {
        Actor::from(&self.visitor.principal)
    }

    /// Redirects to a page of the assistant with the word for what was done. An empty `page` is the first tab.
    pub fn back(&self, page: &str, done: &str) -> Response {
        let slash = if page.is_empty() { "" } else { "/" };
        see_other(&format!("{}{slash}{page}?done={done}", self.opened.nav.base))
    }
}
