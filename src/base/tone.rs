//! How an answer is phrased. The values are those of the public API.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    #[default]
    Professional,
    Friendly,
    Authoritative,
    Consultative,
    Funny,
}

crate::text_enum!(Tone {
    Professional => "professional", Friendly => "friendly", Authoritative => "authoritative",
    Consultative => "consultative", Funny => "funny",
});
