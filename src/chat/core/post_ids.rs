//! The identifiers that our posts carry. Each follows from a delivery or an interaction, so that every attempt
//! looks for the same post; they differ from it in the lowest bits only.

use uuid::Uuid;

use crate::base::ids::{DeliveryId, InteractionId};

/// Identifiers that follow from a delivery's differ from it in these lowest bits.
const DERIVED: u128 = 1 << 32;

/// The post of an answer that could not replace its placeholder.
pub fn answer_id(delivery: DeliveryId) -> DeliveryId {
    derived(delivery.uuid(), 1)
}

/// A later part of an answer. The lowest bit belongs to [`answer_id`].
pub fn part_id(delivery: DeliveryId, number: i64) -> DeliveryId {
    derived(delivery.uuid(), u128::from(number.unsigned_abs()) << 1)
}

/// The question that a person's interaction posts in a shared conversation.
pub fn shared_question_id(interaction: InteractionId) -> DeliveryId {
    derived(interaction.uuid(), 2)
}

/// Whether an identifier is a delivery's own or follows from it.
pub fn belongs_to(delivery: DeliveryId, other: DeliveryId) -> bool {
    delivery.uuid().as_u128() ^ other.uuid().as_u128() < DERIVED
}

fn derived(id: Uuid, bits: u128) -> DeliveryId {
    DeliveryId::from_uuid(Uuid::from_u128(id.as_u128() ^ bits))
}
