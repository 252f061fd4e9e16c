//! The rows of the lists that admins see: conversations, failed deliveries, feedback, people.
//!
//! They contain ids, times, people and codes, but no questions and no answers.

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use crate::assistants::model::{ConversationState, DeliveryKind, PlaceKind, PlatformKind, Sender};
use crate::base::ids::{DeliveryId, FeedbackId, InstallationId, LinkId, MessageId, OrgId, UserId};

/// A shared conversation that someone asked in or an admin decided on.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Conversation {
    pub installation_id: InstallationId,
    /// The platform's id of the conversation.
    pub conversation: String,
    pub state: ConversationState,
    /// Its title on the platform. Empty if unknown.
    pub title: String,
    /// Why it is suspended.
    pub reason: Option<String>,
    /// The platform's id of the person who asked there first.
    pub requested_by: Option<String>,
    pub requested_at: Option<DateTime<Utc>>,
    /// The buildings whose data answers may use, within what the asker may use. None: all buildings.
    pub buildings: Option<Json<Vec<String>>>,
    /// None if the system or the operator decided.
    pub decided_by: Option<UserId>,
    pub decided_at: Option<DateTime<Utc>>,
}

/// A delivery that was given up.
#[derive(Clone, Debug)]
pub struct FailedDelivery {
    pub id: DeliveryId,
    pub installation: InstallationId,
    pub platform: PlatformKind,
    pub kind: DeliveryKind,
    pub place: PlaceKind,
    pub sender: Sender,
    /// The error code of the platform or of this service.
    pub failure: String,
    pub created_at: DateTime<Utc>,
    pub failed_at: Option<DateTime<Utc>>,
}

/// The feedback of one person on one answer.
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
    /// The session message that is answered.
    pub message_id: Option<MessageId>,
}

/// A platform identity that is linked to an account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct LinkedIdentity {
    pub id: LinkId,
    pub installation_id: InstallationId,
    pub platform: PlatformKind,
    pub platform_team: String,
    pub platform_user: String,
    pub user_id: UserId,
    pub created_at: DateTime<Utc>,
    /// The person's name on the platform when the link was offered.
    pub shown_user: Option<String>,
}

/// A platform identity that was offered a link and has none.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct UnlinkedIdentity {
    pub platform: PlatformKind,
    pub platform_team: String,
    pub platform_user: String,
    pub shown_user: String,
    pub shown_team: String,
    /// When the last offer expires or expired.
    pub expires_at: DateTime<Utc>,
}

/// An offer to link a platform identity to an account, as shown on the connection page.
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
