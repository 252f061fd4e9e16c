//! `corbel admin delivery`: lists, resends and dismisses failed deliveries for operators.

use serde_json::{Value, json};

use crate::app::cli::args::Delivery;
use crate::app::cli::lookup::{ME, assistant_of};
use crate::app::cli::report::Report;
use crate::assistants::records::FailedDelivery;
use crate::base::error::{Error, Result};
use crate::base::ids::{DeliveryId, OrgId};
use crate::services::Services;

pub async fn delivery(services: &Services, command: Delivery) -> Result<Report> {
    match command {
        Delivery::List { assistant, after } => {
            let (org, id) = assistant_of(services, &assistant).await?;
            let page = services.deliveries.failed(org, id, after.as_deref()).await?;
            let mut lines: Vec<String> = page.items.iter().map(delivery_line).collect();
            if lines.is_empty() {
                lines.push("No failed deliveries.".to_owned());
            }
            if let Some(next) = &page.next {
                lines.push(format!("More: --after {next}"));
            }
            let body: Vec<Value> = page.items.iter().map(delivery_json).collect();
            Ok(Report::new(
                json!({ "assistantId": id, "deliveries": body, "next": page.next }),
                lines.join("\n"),
            ))
        }
        Delivery::Resend { assistant, delivery } => {
            let (org, delivery_id) = delivery_of(services, &assistant, &delivery).await?;
            let resent = services.deliveries.resend(ME, org, delivery_id).await?;
            let text = if resent {
                "Queued again: a running server will deliver it."
            } else {
                "It is already queued or delivered; nothing was changed."
            };
            Ok(Report::new(
                json!({ "deliveryId": delivery_id, "resent": resent }),
                text,
            ))
        }
        Delivery::Dismiss { assistant, delivery } => {
            let (org, delivery_id) = delivery_of(services, &assistant, &delivery).await?;
            let dismissed = services.deliveries.dismiss(ME, org, delivery_id).await?;
            let text = if dismissed {
                "Removed from the list."
            } else {
                "It is not on the list; nothing was changed."
            };
            Ok(Report::new(
                json!({ "deliveryId": delivery_id, "dismissed": dismissed }),
                text,
            ))
        }
    }
}

/// A delivery of this assistant.
async fn delivery_of(services: &Services, assistant: &str, delivery: &str) -> Result<(OrgId, DeliveryId)> {
    let (org, id) = assistant_of(services, assistant).await?;
    let delivery_id: DeliveryId = delivery.parse().map_err(|_| Error::NotFound("delivery"))?;
    let of = services.deliveries.get(org, delivery_id).await?;
    let all = services.installations.of_assistant(org, id).await?;
    if all.iter().any(|at| at.id == of.installation) {
        Ok((org, delivery_id))
    } else {
        Err(Error::NotFound("delivery"))
    }
}

fn delivery_line(one: &FailedDelivery) -> String {
    format!(
        "{}  {}  {:<11} for {}: {}",
        one.id,
        one.created_at.format("%Y-%m-%d %H:%M"),
        one.kind.as_str(),
        one.sender.user,
        one.failure
    )
}

fn delivery_json(one: &FailedDelivery) -> Value {
    json!({
        "deliveryId": one.id,
        "kind": one.kind.as_str(),
        "platform": one.platform.as_str(),
        "place": one.place,
        "platformTeam": one.sender.team,
        "platformUser": one.sender.user,
        "failure": one.failure,
        "createdAt": one.created_at,
        "failedAt": one.failed_at,
    })
}
