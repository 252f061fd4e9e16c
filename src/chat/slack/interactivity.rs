//! Reads verified interactivity requests of Slack as button presses.
//!
//! A request says who pressed what and where. It grants no right, and nothing is decided here.

use serde::Deserialize;

use crate::assistants::inbox::interaction::Press;
use crate::assistants::model::{Act, Installation, Place, PlaceKind, Sender};
use crate::chat::slack::buttons;
use crate::chat::slack::wire::{Flag, List, Word};

/// Longest id or timestamp, in bytes.
const ID: usize = 255;

/// What a request means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// Slack checks the certificate.
    CertificateCheck,
    /// A person pressed a button with an act.
    Press {
        /// The same for every delivery of this button press.
        key: String,
        press: Box<Press>,
    },
    /// Nothing to do, and why.
    Ignored(&'static str),
    WrongApp,
    WrongTeam,
}

/// The body is not a form with a payload of Slack's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the body is not a Slack interaction")]
pub struct Malformed;

#[derive(Deserialize)]
struct Payload<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Word<'a>,
    #[serde(borrow, default)]
    api_app_id: Word<'a>,
    #[serde(borrow, default)]
    team: Option<Id<'a>>,
    #[serde(borrow, default)]
    enterprise: Option<Id<'a>>,
    #[serde(default)]
    is_enterprise_install: Flag,
    #[serde(borrow, default)]
    user: Option<Id<'a>>,
    #[serde(borrow, default)]
    channel: Option<Id<'a>>,
    #[serde(borrow, default)]
    container: Option<Container<'a>>,
    #[serde(borrow, default)]
    actions: List<Action<'a>>,
}

#[derive(Default, Deserialize)]
struct Id<'a> {
    #[serde(borrow, default)]
    id: Word<'a>,
    /// Only of a person.
    #[serde(borrow, default)]
    team_id: Word<'a>,
}

#[derive(Default, Deserialize)]
struct Container<'a> {
    #[serde(borrow, default)]
    message_ts: Word<'a>,
    #[serde(borrow, default)]
    channel_id: Word<'a>,
    #[serde(borrow, default)]
    thread_ts: Word<'a>,
    #[serde(default)]
    is_ephemeral: Flag,
}

#[derive(Deserialize)]
struct Action<'a> {
    #[serde(borrow, default)]
    action_id: Word<'a>,
    #[serde(borrow, default)]
    value: Word<'a>,
    #[serde(borrow, default)]
    action_ts: Word<'a>,
    #[serde(borrow, default)]
    selected_conversation: Word<'a>,
}

impl Action<'_> {
    fn act(&self) -> Option<Act> {
        buttons::act(self.action_id.get()?, self.value.get())
    }
}

/// Reads a verified body for the installation whose address it came to.
pub fn read(body: &[u8], at: &Installation) -> Result<Received, Malformed> {
    let mut json = None;
    for (name, value) in url::form_urlencoded::parse(body) {
        match name.as_ref() {
            "payload" => json = Some(value.into_owned()),
            "ssl_check" if value == "1" => return Ok(Received::CertificateCheck),
            _ => {}
        }
    }
    let json = json.ok_or(Malformed)?;
    // Only of an object: serde would read an array as one too, by position.
    if !json.trim_start().starts_with('{') {
        return Err(Malformed);
    }
    let payload: Payload<'_> = serde_json::from_str(&json).map_err(|_| Malformed)?;
    if at
        .slack()
        .app_id
        .as_deref()
        .is_none_or(|app| !payload.api_app_id.is(app))
    {
        return Ok(Received::WrongApp);
    }
    if !payload.is_for(at) {
        return Ok(Received::WrongTeam);
    }
    if !payload.has_sane_ids() {
        return Err(Malformed);
    }
    if !payload.kind.is("block_actions") {
        return Ok(Received::Ignored("an ignored interaction"));
    }
    Ok(payload.press(at))
}

impl Payload<'_> {
    /// Whether the request is of the workspace where this is installed, or of its organization.
    fn is_for(&self, at: &Installation) -> bool {
        let named = |id: &Option<Id<'_>>, own: Option<&str>| {
            own.is_some_and(|own| id.as_ref().is_some_and(|id| id.id.is(own)))
        };
        if at.slack().is_enterprise {
            let enterprise = at
                .slack()
                .enterprise_id
                .as_deref()
                .or(at.slack().team_id.as_deref());
            return self.is_enterprise_install.is_set() && named(&self.enterprise, enterprise);
        }
        named(&self.team, at.slack().team_id.as_deref())
    }

    fn has_sane_ids(&self) -> bool {
        let ids = [&self.team, &self.enterprise, &self.user, &self.channel];
        let ids = ids.into_iter().flatten().flat_map(|id| [&id.id, &id.team_id]);
        let places = self.container.iter();
        let places = places.flat_map(|at| [&at.message_ts, &at.channel_id, &at.thread_ts]);
        let actions = self.actions.0.iter();
        let actions = actions.flat_map(|one| [&one.action_id, &one.action_ts, &one.selected_conversation]);
        let mut all = ids.chain(places).chain(actions).filter_map(Word::get);
        let is_sane = |id: &str| id.len() <= ID && !id.contains('\0');
        let mut acts = self.actions.0.iter().filter_map(Action::act);
        all.all(is_sane)
            && acts.all(|act| match act {
                Act::Approve { conversation } | Act::Decline { conversation } => is_sane(&conversation),
                _ => true,
            })
    }

    fn press(&self, at: &Installation) -> Received {
        let mut acts = self.actions.0.iter();
        let Some((action, act)) = acts.find_map(|action| Some((action, action.act()?))) else {
            return Received::Ignored("a button without an act");
        };
        let Some(user) = self.user.as_ref().and_then(|user| user.id.get()) else {
            return Received::Ignored("a button press without a person");
        };
        let named = |id: &Option<Id<'_>>| id.as_ref().and_then(|id| id.id.get().map(str::to_owned));
        let team = self.user.as_ref().and_then(|user| user.team_id.get());
        let team = team.map(str::to_owned).or_else(|| named(&self.team));
        let container = self.container.as_ref();
        let word = |of: fn(&Container<'_>) -> Option<String>| container.and_then(of).unwrap_or_default();
        let message = word(|at| at.message_ts.get().map(str::to_owned));
        let thread = word(|at| at.thread_ts.get().map(str::to_owned));
        let conversation = named(&self.channel)
            .unwrap_or_else(|| word(|container| container.channel_id.get().map(str::to_owned)));
        // On the home page there is no conversation and nobody else.
        let direct = conversation.is_empty() || conversation.starts_with('D');
        let time = action.action_ts.get().unwrap_or(&message);
        let key = format!(
            "{time}/{user}/{}/{conversation}/{message}",
            action.action_id.get().unwrap_or_default()
        );
        let press = Press {
            act,
            sender: Sender {
                team: team.or_else(|| at.slack().team_id.clone()).unwrap_or_default(),
                user: user.to_owned(),
                account: None,
            },
            place: Place {
                kind: if direct {
                    PlaceKind::Direct
                } else {
                    PlaceKind::Shared
                },
                thread: if thread.is_empty() {
                    message.clone()
                } else {
                    thread
                },
                conversation,
                message,
                outsiders: false,
            },
            ephemeral: container.is_some_and(|at| at.is_ephemeral.is_set()),
            conversation: action.selected_conversation.get().map(str::to_owned),
        };
        Received::Press {
            key: format!("press/{key}"),
            press: Box::new(press),
        }
    }
}
