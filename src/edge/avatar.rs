//! How an assistant is pictured: its icon, or the letter of its name on its colour.

use crate::assistants::model::Assistant;
use crate::base::secret::digest_of;
use crate::edge::view::initial;

#[derive(Clone, Debug)]
pub struct Avatar {
    pub initial: String,
    /// Address of the icon. It changes with the icon, so browsers may keep what they got.
    pub icon: Option<String>,
}

impl Avatar {
    pub fn of(assistant: &Assistant) -> Self {
        let version = |key: &String| {
            let digest = hex::encode(digest_of(key));
            digest.get(..12).unwrap_or_default().to_owned()
        };
        let key = assistant.icon_key.as_ref();
        Self {
            initial: initial(&assistant.name),
            icon: key.map(|key| format!("/console/assistants/{}/icon?{}", assistant.id, version(key))),
        }
    }
}
