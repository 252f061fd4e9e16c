//! Lines of the lists that admins look after: conversations, failed deliveries, feedback, people.
//!
//! Ids, times, persons and codes: no question, no answer.

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use crate::assistants::model::{ConversationState, DeliveryKind, PlaceKind, PlatformKind, Sender};
use crate::base::ids::{DeliveryId, FeedbackId, InstallationId, LinkId, MessageId, OrgId, UserId};

/// A shared conversation that somebody asked in or decided on.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Conversation {
    pub installation_id: InstallationId,
    /// The platform's id of it.
    pub conversation: String,
    pub state: ConversationState,
    /// As the platform calls it; empty where that is not known.
    pub title: String,
    /// Why it is suspended.
    pub reason: Option<String>,
    /// The platform's id of whoever asked there first.
    pub requested_by: Option<String>,
    pub requested_at: Option<DateTime<Utc>>,
    /// What its answers may use of the portfolio, beside what the asker may; nothing: all buildings.
    pub buildings: Option<Json<Vec<String>>>,
    /// Nobody where the system or the operator decided.
    pub decided_by: Option<UserId>,
    pub decided_at: Option<DateTime<Utc>>,
}

/// A delivery that was given up.
#[derive(Clone, Debug)]
pub struct Undelivered {
    pub id: DeliveryId,
    pub installation: InstallationId,
    pub platform: PlatformKind,
    pub kind: DeliveryKind,
    pub place: PlaceKind,
    pub sender: Sender,
    /// The platform's word, or ours.
    pub failure: String,
    pub created_at: DateTime<Utc>,
    pub failed_at: Option<DateTime<Utc>>,
}

/// One person's word on one answer.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Feedback {
    pub id: FeedbackId,
    pub delivery_id: DeliveryId,
    pub platform: PlatformKind,
    pub platform_team: String,
    pub platform_user: String,
    /// The account that the person was linked to.
    pub user_id: Option<UserId>,
    pub helpful: bool,
    pub given_at: DateTime<Utc>,
    /// The turn that was answered.
    pub message_id: Option<MessageId>,
}

/// A linked platform identity.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Linked {
    pub id: LinkId,
    pub installation_id: InstallationId,
    pub platform: PlatformKind,
    pub platform_team: String,
    pub platform_user: String,
    pub user_id: UserId,
    pub created_at: DateTime<Utc>,
    /// As the platform named the person when the link was offered.
    pub shown_user: Option<String>,
}

/// An identity that was offered a link, and has none.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Unlinked {
    pub platform: PlatformKind,
    pub platform_team: String,
    pub platform_user: String,
    pub shown_user: String,
    pub shown_team: String,
    /// When the last offer ran out, or will.
    pub expires_at: DateTime<Utc>,
}

/// What the connection page shows.
#[derive(Clone, Debug)]
pub struct LinkOffer {
    pub org: OrgId,
    pub installation: InstallationId,
    pub assistant_name: String,
    pub platform: PlatformKind,
    pub platform_team: String,
    pub platform_user: String,
    pub shown_user: String,
    pub shown_team: String,
    pub expires_at: DateTime<Utc>,
}
