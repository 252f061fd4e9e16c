//! The client of language models: one prompt in, one reply out, in any wire form. The only module that names the client
//! library, which it calls through the transport of `net`.

use std::time::Duration;

use rig_core::completion::message::{
    AssistantContent, ToolCall, ToolChoice, ToolName, ToolResultContent, UserContent,
};
use rig_core::completion::{CompletionRequest, CompletionResponse, FinishReason, Message, ToolDefinition};
use rig_core::error::ErrorKind;
use rig_core::http_client::{DynHttpClient, Error as TransportError};
use rig_core::operation::Completion;
use rig_core::providers::openai::Route;
use rig_core::providers::registry::{ProviderConfig, ProviderId, ProviderRef};
use rig_core::{DynModel, ProviderError};
use serde_json::Value;

use crate::analysis::engines::model::settings::{ModelSettings, Price, Tokens};
use crate::analysis::tools::typed::catalog::Spec;
use crate::base::error::{Error, Result};
use crate::base::model::Model;
use crate::net::model_transport::{Cut, ModelTransport};

/// One model of a provider.
#[derive(Clone)]
pub struct ModelClient {
    /// The built-in name, for metrics.
    pub name: &'static str,
    model: DynModel<Completion>,
    /// Whether a prompt with results of calls must list the tools, as Anthropic wants it.
    keeps_tools: bool,
    pub price: Price,
}

/// What is sent.
#[derive(Debug)]
pub struct Prompt<'a> {
    pub system: &'a str,
    pub turns: &'a [Turn],
    pub tools: &'a [Spec],
    /// Whether the model must answer now, without another call.
    pub must_answer: bool,
    pub most_output: u64,
}

/// One part of a conversation.
#[derive(Clone, Debug)]
pub enum Turn {
    /// What a person, or this service on their behalf, says.
    Person(String),
    Model(Said),
    /// One result for each call of the turn before, in their order.
    Results(Vec<CallResult>),
}

/// What the model said, in the form in which its provider wants it back.
#[derive(Clone, Debug)]
pub struct Said {
    message: Message,
    bytes: usize,
}

impl Said {
    /// An earlier answer.
    pub fn text(text: String) -> Self {
        Self {
            bytes: text.len(),
            message: Message::assistant(text),
        }
    }

    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The result of a call.
#[derive(Clone, Debug)]
pub struct CallResult {
    call: ToolCall,
    pub text: String,
    pub failed: bool,
}

/// A call that the model wants.
#[derive(Clone, Debug)]
pub struct WantedCall {
    call: ToolCall,
}

impl WantedCall {
    pub fn name(&self) -> &str {
        &self.call.function.name
    }

    /// The arguments, or the text that is no JSON object.
    pub fn arguments(&self) -> std::result::Result<Value, &str> {
        match &self.call.function.invalid_arguments {
            Some(text) => Err(text),
            None => Ok(self.call.function.arguments_value()),
        }
    }

    pub fn answered(self, text: String, failed: bool) -> CallResult {
        CallResult {
            call: self.call,
            text,
            failed,
        }
    }
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<WantedCall>,
    /// Absent if the provider did not say.
    pub tokens: Option<Tokens>,
    pub end: End,
    /// None if nothing was said.
    pub said: Option<Said>,
}

/// How a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Finished,
    /// At the most output.
    Cut,
    /// The model or its provider refused to answer.
    Refused,
}

/// Why there is no reply. The text is safe to log and to show: it has nothing that the provider wrote.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Fault {
    /// Too many requests, overload, or a fault of the provider.
    #[error("the provider answered with status {status}")]
    Busy {
        status: u16,
        retry_after: Option<Duration>,
    },
    /// The provider refused the request; another try would be refused as well.
    #[error("the provider refused the request with status {status}")]
    Refused { status: u16 },
    /// Nothing came, or not to its end.
    #[error("{0}")]
    Cut(Cut),
    #[error("the answer could not be read")]
    Unreadable,
    #[error("the request could not be written")]
    Unsent,
}

/// Whether an answer comes at once or in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Streamed,
    Whole,
}

impl ModelClient {
    /// The client of a built-in model.
    pub fn new(settings: &ModelSettings, model: Model, transport: ModelTransport) -> Result<Self> {
        let (name, price) = settings.of(model);
        let invalid = |error: String| Error::invalid("CORBEL_MODEL_PROVIDER", error);
        let id = ProviderId::resolve(&settings.provider).map_err(|error| invalid(error.to_string()))?;
        let config = id
            .config(settings.key.expose())
            .ok_or_else(|| invalid(format!("{} cannot be called", settings.provider)))?;
        let config = match &settings.url {
            Some(url) => config.with_base_url(url.trim_end_matches('/')),
            None => config,
        };
        let config = match config {
            // Servers that speak this form have no other route.
            ProviderConfig::OpenAi(config) => ProviderConfig::OpenAi(config.with_route(Route::Chat)),
            other => other,
        };
        let keeps_tools = matches!(config, ProviderConfig::Anthropic(_));
        let of = ProviderRef::configured(config, name)
            .map_err(|error| Error::invalid("CORBEL_MODEL_NAME", error.to_string()))?;
        let client = of.completion_model_with(settings.key.expose(), DynHttpClient::new(transport));
        Ok(Self {
            name: model.as_str(),
            model: client,
            keeps_tools,
            price,
        })
    }

    /// Asks once.
    pub async fn ask(&self, prompt: &Prompt<'_>, mode: Mode) -> std::result::Result<Reply, Fault> {
        let request = request(prompt, self.keeps_tools).ok_or(Fault::Unsent)?;
        let answered = match mode {
            Mode::Whole => self.model.call(request).await,
            Mode::Streamed => match self.model.stream(request) {
                Ok(stream) => stream.finish().await,
                Err(error) => Err(error),
            },
        };
        answered.map(reply).map_err(|error| fault(&error))
    }
}

fn request(prompt: &Prompt<'_>, keeps_tools: bool) -> Option<CompletionRequest> {
    let messages: Vec<Message> = prompt.turns.iter().map(message).collect();
    let (last, before) = messages.split_last()?;
    let listed = if prompt.must_answer && !keeps_tools {
        &[]
    } else {
        prompt.tools
    };
    let tools = listed.iter().map(|spec| {
        let tool = ToolDefinition::new(
            ToolName::new(spec.name).ok()?,
            spec.description.clone(),
            spec.schema.clone(),
        );
        Some(tool)
    });
    let tools: Vec<ToolDefinition> = tools.collect::<Option<_>>()?;
    let mut request = CompletionRequest::new(last.clone());
    request.chat_history.splice(0..0, before.iter().cloned());
    if prompt.must_answer && !tools.is_empty() {
        request = request.tool_choice(ToolChoice::None);
    }
    Some(
        request
            .preamble(prompt.system)
            .tools(tools)
            .max_tokens(prompt.most_output)
            .accept_unknown_finish_reasons(true),
    )
}

fn message(turn: &Turn) -> Message {
    match turn {
        Turn::Person(text) => Message::user(text.clone()),
        Turn::Model(said) => said.message.clone(),
        Turn::Results(results) => {
            let results = results.iter().map(|result| {
                let content = vec![ToolResultContent::text(result.text.clone())];
                UserContent::ToolResult(if result.failed {
                    result.call.error_result(content)
                } else {
                    result.call.result(content)
                })
            });
            Message::from(results.collect::<Vec<_>>())
        }
    }
}

fn reply(response: CompletionResponse) -> Reply {
    let usage = &response.usage;
    let tokens = usage
        .input_tokens
        .zip(usage.output_tokens)
        .map(|(input, output)| Tokens {
            input,
            output,
            cached: usage.cached_input_tokens.unwrap_or(0),
        });
    let refused = response.error.is_some()
        || matches!(response.finish_reason(), Some(FinishReason::ContentFilter))
        || has_refusal(&response.raw);
    let end = match response.finish_reason() {
        _ if refused => End::Refused,
        Some(FinishReason::Length) => End::Cut,
        _ => End::Finished,
    };
    let calls: Vec<WantedCall> = response
        .tool_calls()
        .map(|call| WantedCall { call: call.clone() })
        .collect();
    let text = response.text();
    let bytes = text.len()
        + calls
            .iter()
            .map(|wanted| wanted.call.function.arguments_value().to_string().len() + 64)
            .sum::<usize>();
    Reply {
        said: response.message().map(|message| Said {
            message: repaired(message),
            bytes,
        }),
        text,
        calls,
        tokens,
        end,
    }
}

/// Arguments that are no JSON object are left out of what is sent back: servers answer them with an error. The result
/// of the call says what was wrong.
fn repaired(mut message: Message) -> Message {
    if let Message::Assistant(said) = &mut message {
        for part in &mut said.content {
            if let AssistantContent::ToolCall(call) = part
                && call.function.invalid_arguments.take().is_some()
            {
                call.native = None;
            }
        }
    }
    message
}

/// Whether an answer in the form of OpenAI has the text of a refusal in its own field.
fn has_refusal(raw: &Value) -> bool {
    let refusal = raw.pointer("/choices/0/message/refusal");
    refusal
        .and_then(Value::as_str)
        .is_some_and(|text| !text.is_empty())
}

fn fault(error: &ProviderError) -> Fault {
    if let Some(response) = error.provider_response()
        && let Some(status) = response.status.map(|status| status.as_u16())
    {
        if (300..500).contains(&status) && ![408, 409, 425, 429].contains(&status) {
            return Fault::Refused { status };
        }
        if status >= 400 {
            let retry_after = response
                .headers
                .as_ref()
                .and_then(|headers| headers.get("retry-after"))
                .and_then(|value| value.to_str().ok()?.trim().parse().ok())
                .map(Duration::from_secs);
            return Fault::Busy { status, retry_after };
        }
        return Fault::Unreadable;
    }
    match error {
        ProviderError::Http(error) => match error.as_ref() {
            TransportError::Instance(cause) => cause
                .downcast_ref::<Cut>()
                .copied()
                .map_or(Fault::Unreadable, Fault::Cut),
            _ => Fault::Cut(Cut::Ended),
        },
        ProviderError::Truncated => Fault::Cut(Cut::Ended),
        _ if matches!(error.kind(), ErrorKind::Request | ErrorKind::Url) => Fault::Unsent,
        _ => Fault::Unreadable,
    }
}

impl std::fmt::Debug for ModelClient {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ModelClient")
            .field("price", &self.price)
            .finish_non_exhaustive()
    }
}
