//! The picture of an assistant: its icon, or the first letter of its name on its colour.

use crate::assistants::brand::DEFAULT_COLOUR;
use crate::assistants::model::Assistant;
use crate::base::secret::digest_of;
use crate::edge::accent::Colour;
use crate::edge::view::initial;

#[derive(Clone, Debug)]
pub struct Avatar {
    pub initial: String,
    /// The URL of the icon. It changes with the icon, so browsers may cache it.
    pub icon: Option<String>,
    /// The colour and a readable text colour on it, six hexadecimal digits each.
    pub fill: String,
    pub ink: String,
}

impl Avatar {
    pub fn of(assistant: &Assistant) -> Self {
        let version = |key: &String| {
            let digest = hex::encode(digest_of(key));
            digest.get(..12).unwrap_or_default().to_owned()
        };
        let key = assistant.icon_key.as_ref();
        Self {
            icon: key.map(|key| format!("/console/assistants/{}/icon?{}", assistant.id, version(key))),
            ..Self::lettered(&assistant.name, &assistant.colour)
        }
    }

    /// Without an icon; uses the default colour if `colour` is not valid.
    pub fn lettered(name: &str, colour: &str) -> Self {
        let colour = Colour::parse(colour).or_else(|| Colour::parse(DEFAULT_COLOUR));
        Self {
            initial: initial(name),
            icon: None,
            fill: colour.map(Colour::hex).unwrap_or_default(),
            ink: colour.map(|colour| colour.ink().hex()).unwrap_or_default(),
        }
    }
}
