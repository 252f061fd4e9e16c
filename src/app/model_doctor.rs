//! The check of the language models in `corbel doctor`: one small call to each, and how to fix what fails.

use std::time::Instant;

use crate::analysis::engines::model::client::ModelClient;
use crate::analysis::engines::model::message::{Fault, Mode, Prompt, Turn};
use crate::analysis::engines::model::settings::ModelSettings;
use crate::base::error::Result;
use crate::base::model::Model;
use crate::net::guard::Guard;
use crate::net::model_transport::{Cut, ModelTransport};

/// The longest answer of the check, in tokens: models that think before they answer need some.
const MOST_OUTPUT: u64 = 256;

/// What a model said: which one, and a sentence about it, or what is wrong and how to fix it.
pub(super) type Checked = (String, std::result::Result<String, String>);

/// Calls each configured model once.
pub(super) async fn examine(settings: &ModelSettings, guard: Guard) -> Result<Vec<Checked>> {
    let mut models = vec![Model::Pro];
    if settings.fast_name.is_some() {
        models.push(Model::Fast);
    }
    let mut checked = Vec::new();
    for model in models {
        let (name, _) = settings.of(model);
        let title = format!("language model {} ({name})", model.as_str());
        checked.push((title, call(settings, model, guard).await?));
    }
    Ok(checked)
}

async fn call(
    settings: &ModelSettings,
    model: Model,
    guard: Guard,
) -> Result<std::result::Result<String, String>> {
    let transport = ModelTransport::new(guard, settings.limits.silence)?;
    let client = ModelClient::new(settings, model, transport)?;
    let turns = [Turn::Person("Answer with the one word: ready".to_owned())];
    let prompt = Prompt {
        system: "You check that a connection works.",
        turns: &turns,
        tools: &[],
        must_answer: true,
        most_output: MOST_OUTPUT,
    };
    let begun = Instant::now();
    let asked = client.ask(&prompt, Mode::Streamed);
    let reply = match tokio::time::timeout(settings.limits.silence, asked).await {
        Ok(Ok(reply)) => reply,
        Ok(Err(fault)) => return Ok(Err(fix(&fault, settings, guard))),
        Err(_) => return Ok(Err(fix(&Fault::Cut(Cut::Silence), settings, guard))),
    };
    let seconds = begun.elapsed().as_secs_f64();
    let counted = match reply.tokens {
        Some(tokens) => format!("{} tokens read and {} written", tokens.input, tokens.output),
        None => "it gives no counts of tokens, so that costs are estimated from the texts".to_owned(),
    };
    Ok(Ok(format!("answered in {seconds:.1} s; {counted}")))
}

/// What is wrong, and what to do about it.
fn fix(fault: &Fault, settings: &ModelSettings, guard: Guard) -> String {
    let advice = match fault {
        Fault::Refused { status: 401 | 403 } => {
            "The key is refused. Check CORBEL_MODEL_KEY, and that it may use this model.".to_owned()
        }
        Fault::Refused { status: 404 } => format!(
            "There is no such model or address. Check CORBEL_MODEL_NAME ({}) and CORBEL_MODEL_URL, which ends with the \
             version, for instance https://host/v1.",
            settings.name
        ),
        Fault::Refused { .. } => format!(
            "Check CORBEL_MODEL_NAME ({}) and CORBEL_MODEL_PROVIDER ({}).",
            settings.name, settings.provider
        ),
        Fault::Busy { .. } => "The provider is overloaded or limits the rate. Try again later.".to_owned(),
        Fault::Cut(Cut::Address) if !guard.allow_loopback => {
            "CORBEL_MODEL_URL must be https and no private address. For a model on this machine set \
             CORBEL_ALLOW_LOOPBACK=true."
                .to_owned()
        }
        Fault::Cut(Cut::Address) => {
            "CORBEL_MODEL_URL must be https, or http on this machine; private addresses are not called."
                .to_owned()
        }
        Fault::Cut(Cut::Connect) => {
            "Nothing answers at CORBEL_MODEL_URL. Check the address, and that the server \
                                     runs."
                .to_owned()
        }
        Fault::Cut(Cut::Silence) => {
            "The server does not answer in CORBEL_MODEL_CALL_SECONDS. A local model may \
                                     need more."
                .to_owned()
        }
        Fault::Cut(_) | Fault::Unreadable => format!(
            "The server does not speak the form of CORBEL_MODEL_PROVIDER ({}). Check the provider and the URL.",
            settings.provider
        ),
        Fault::Unsent | Fault::TooLittle => {
            "The key has characters that cannot be sent. Check CORBEL_MODEL_KEY.".to_owned()
        }
    };
    format!("{fault}. {advice}")
}
