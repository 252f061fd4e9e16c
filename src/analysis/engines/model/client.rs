//! The client of language models: one prompt in, one reply out, in any wire form, whole or streamed.

use std::sync::Arc;

use serde_json::Value;

use crate::analysis::engines::model::message::{Fault, Mode, Prompt, Reply};
use crate::analysis::engines::model::settings::{ModelSettings, Price};
use crate::analysis::engines::model::wire::anthropic::Anthropic;
use crate::analysis::engines::model::wire::events::Events;
use crate::analysis::engines::model::wire::form::{Form, ReplyDraft};
use crate::analysis::engines::model::wire::openai::OpenAi;
use crate::base::error::{Error, Result};
use crate::base::model::Model;
use crate::base::secret::Secret;
use crate::net::model_transport::{Cut, ModelResponse, ModelTransport};

/// The public addresses of the providers.
const OPENAI: &str = "https://api.openai.com/v1";
const ANTHROPIC: &str = "https://api.anthropic.com/v1";

/// One model of a provider. Cheap to clone.
#[derive(Clone)]
pub struct ModelClient {
    /// The built-in name, for metrics.
    pub name: &'static str,
    pub price: Price,
    transport: ModelTransport,
    form: Arc<dyn Form>,
    url: String,
    key: Secret,
    /// The provider's name of the model.
    model: String,
}

impl ModelClient {
    /// The client of a built-in model.
    pub fn new(settings: &ModelSettings, model: Model, transport: ModelTransport) -> Result<Self> {
        let (name, price) = settings.of(model);
        let (form, url): (Arc<dyn Form>, &str) = match (settings.provider.as_str(), settings.url.as_deref()) {
            ("openai", url) => (Arc::new(OpenAi::at(url.unwrap_or(OPENAI))), url.unwrap_or(OPENAI)),
            ("anthropic", url) => (Arc::new(Anthropic), url.unwrap_or(ANTHROPIC)),
            (other, _) => {
                let why = format!("{other:?} must be openai (also for any compatible server) or anthropic");
                return Err(Error::invalid("CORBEL_MODEL_PROVIDER", why));
            }
        };
        Ok(Self {
            name: model.as_str(),
            price,
            transport,
            url: format!("{}/{}", url.trim_end_matches('/'), form.path()),
            form,
            key: settings.key.clone(),
            model: name.to_owned(),
        })
    }

    /// Asks once.
    pub async fn ask(&self, prompt: &Prompt<'_>, mode: Mode) -> std::result::Result<Reply, Fault> {
        let headers = self.form.headers(self.key.expose()).ok_or(Fault::Unsent)?;
        let body = self
            .form
            .body(&self.model, prompt, mode == Mode::Streamed)
            .to_string();
        let response = self.transport.post(&self.url, headers, body.into_bytes()).await?;
        if response.status >= 300 {
            return Err(Fault::of_status(response.status, response.retry_after));
        }
        if response.is_stream {
            self.streamed(response).await
        } else {
            let body = response.whole().await?;
            let body: Value = serde_json::from_slice(&body).map_err(|_| Fault::Unreadable)?;
            self.form.whole(&body)
        }
    }

    async fn streamed(&self, mut response: ModelResponse) -> std::result::Result<Reply, Fault> {
        let (mut events, mut draft, mut marked) = (Events::default(), ReplyDraft::default(), false);
        'reading: loop {
            let piece = match response.chunk().await {
                Ok(Some(piece)) => piece,
                Ok(None) => break,
                // It said how it ended: only counts or the end mark are missing.
                Err(_) if draft.end.is_some() => break,
                Err(cut) => return Err(cut.into()),
            };
            for data in events.take(&piece).map_err(|_| Fault::Cut(Cut::TooLarge))? {
                if self.take(&data, &mut draft)? {
                    marked = true;
                    break 'reading;
                }
            }
        }
        if !marked && let Some(data) = events.end() {
            marked = self.take(&data, &mut draft)?;
        }
        draft.done(marked).ok_or(Fault::Cut(Cut::Ended))
    }

    /// Reads the data of an event. True at the end of the reply.
    fn take(&self, data: &str, draft: &mut ReplyDraft) -> std::result::Result<bool, Fault> {
        if data == "[DONE]" {
            return Ok(true);
        }
        let event: Value = serde_json::from_str(data).map_err(|_| Fault::Unreadable)?;
        self.form.event(&event, draft)
    }
}

impl std::fmt::Debug for ModelClient {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ModelClient")
            .field("name", &self.name)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
