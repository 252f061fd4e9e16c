//! Asks a model up to three times. What one more try would not change is not tried again.

use std::time::Duration;

use tokio::time::Instant;

use crate::analysis::engines::model::client::ModelClient;
use crate::analysis::engines::model::message::{End, Fault, Mode, Prompt, Reply};
use crate::net::model_transport::Cut;

/// Most tries of one call.
const TRIES: u32 = 3;
/// Pauses between them, where the provider names none.
const PAUSES: [Duration; 2] = [Duration::from_millis(300), Duration::from_millis(1200)];

/// The reply, or why there is none within the time. A pause that would outlast `until` is not begun.
pub async fn ask(client: &ModelClient, prompt: &Prompt<'_>, until: Instant) -> Result<Reply, Fault> {
    let mut mode = Mode::Streamed;
    let mut pauses = PAUSES.iter();
    for _ in 1..TRIES {
        let fault = match once(client, prompt, mode, until).await {
            Ok(reply) => return Ok(reply),
            Err(fault) => fault,
        };
        let usual = pauses.next().copied().unwrap_or_default();
        let pause = match &fault {
            Fault::Busy { retry_after, .. } => retry_after.unwrap_or(usual),
            Fault::Cut(Cut::Ended | Cut::Silence | Cut::Connect) => usual,
            Fault::Unreadable => {
                // Some servers write streams that nobody can read, and whole answers well.
                mode = Mode::Whole;
                usual
            }
            Fault::Refused { .. } | Fault::Unsent | Fault::TooLittle | Fault::Cut(_) => return Err(fault),
        };
        // A provider may ask for more time than there is.
        if pause >= until.saturating_duration_since(Instant::now()) {
            return Err(fault);
        }
        metrics::counter!("corbel_model_retries_total").increment(1);
        tokio::time::sleep(pause).await;
    }
    once(client, prompt, mode, until).await
}

async fn once(client: &ModelClient, prompt: &Prompt<'_>, mode: Mode, until: Instant) -> Result<Reply, Fault> {
    let outcome = match tokio::time::timeout_at(until, client.ask(prompt, mode)).await {
        // An answer without a word is none.
        Ok(Ok(reply)) if reply.said.is_none() && reply.end == End::Finished => Err(Fault::Unreadable),
        Ok(outcome) => outcome,
        Err(_) => Err(Fault::Cut(Cut::Silence)),
    };
    let word = match &outcome {
        Ok(_) => "answered",
        Err(Fault::Busy { .. }) => "busy",
        Err(Fault::Refused { .. }) => "refused",
        Err(Fault::Cut(_)) => "cut",
        Err(Fault::Unreadable | Fault::Unsent | Fault::TooLittle) => "unreadable",
    };
    metrics::counter!("corbel_model_calls_total", "model" => client.name, "outcome" => word).increment(1);
    outcome
}
