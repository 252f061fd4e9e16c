//! The completed response of the interface specification: identifiers, status and answer of an ended turn. HTTP and
//! the command line render the same.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::analysis::answer::Answer;
use crate::base::error::{Error, Result};
use crate::sessions::model::{Message, Status};

/// What an ended turn says. A failed one has `success` false, its failure's word, and a sentence for people in
/// `quickReply`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Completed {
    pub message_id: Uuid,
    pub session_id: Uuid,
    pub run_id: Uuid,
    /// `completed` or `failed`.
    pub status: Status,
    /// Why it failed: a stable word, for instance `run_expired`. Only with status `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    #[serde(flatten)]
    pub answer: Answer,
}

impl Completed {
    /// From an ended turn and its stored answer; a failed turn has none and gets a sentence instead.
    pub fn of(message: &Message, stored: Option<Value>) -> Result<Self> {
        let answer = match stored {
            Some(stored) => serde_json::from_value(stored).map_err(Error::internal)?,
            None => Answer {
                quick_reply: failure_text(message.failure.as_deref()).to_owned(),
                ..Answer::default()
            },
        };
        Ok(Self {
            message_id: message.id.uuid(),
            session_id: message.session_id.uuid(),
            run_id: message.run_id.uuid(),
            status: message.status,
            failure: message.failure.clone(),
            answer,
        })
    }
}

/// The sentence that a person reads about a failed run.
pub fn failure_text(code: Option<&str>) -> &'static str {
    match code {
        Some("run_stopped") => "Stopped. Nothing was charged.",
        Some("run_withdrawn") => "Stopped, because the question was deleted. Nothing was charged.",
        Some("run_expired") => {
            "This took longer than allowed and was stopped. Nothing was charged; please ask again."
        }
        Some("model_unavailable") => {
            "The language model could not be reached, and the built-in analyst is not certain of an answer. Nothing \
             was charged; please ask again later."
        }
        _ => "Something went wrong on our side while answering. Nothing was charged; please ask again.",
    }
}
