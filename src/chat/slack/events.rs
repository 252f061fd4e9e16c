//! Reads verified event callbacks of Slack as turns and interactions that do not depend on a platform.
//!
//! Does not decide who may ask: it says what was written, by whom and where, and drops what is not a person's new
//! message.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::assistants::inbox::interaction::{Interaction, Page, deletion_key};
use crate::assistants::model::{Installation, Place, PlaceKind, Sender, Target, Turn};
use crate::chat::slack::content::{self, Content};
use crate::chat::slack::file_stub::File;
use crate::chat::slack::lifecycle::{self, Report};
use crate::chat::slack::mrkdwn;
use crate::chat::slack::wire::{Count, Flag, List, Presence, Word};

/// What a callback means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// Slack checks the address; the challenge is sent back.
    UrlVerification { challenge: String },
    /// A person addressed the assistant.
    Turn {
        /// The same for every delivery of this event.
        event_key: String,
        /// The same for every event about this message: a mention comes as `app_mention` and may
        /// come as `message` too, in either order.
        message_key: String,
        turn: Box<Turn>,
    },
    /// Something happened to the installation itself.
    Lifecycle(Report),
    /// A person did something other than write.
    Interaction {
        /// The same for every delivery of this event.
        key: String,
        interaction: Box<Interaction>,
    },
    /// Nothing to do, and why.
    Ignored(&'static str),
    /// The event is of another app.
    WrongApp,
    /// The event is of a workspace where this is not installed.
    WrongTeam,
}

/// The body is not JSON of Slack's, or an id in it is not one of Slack's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the body is not a Slack event")]
pub struct Malformed;

/// Longest id or timestamp, in bytes. Slack's have about twenty; a database key must not have thousands.
const ID: usize = 255;

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Word<'a>,
    #[serde(borrow, default)]
    challenge: Word<'a>,
    #[serde(borrow, default)]
    api_app_id: Word<'a>,
    #[serde(borrow, default)]
    team_id: Word<'a>,
    #[serde(borrow, default)]
    context_team_id: Word<'a>,
    #[serde(borrow, default)]
    enterprise_id: Word<'a>,
    #[serde(borrow, default)]
    context_enterprise_id: Word<'a>,
    #[serde(borrow, default)]
    event_id: Word<'a>,
    #[serde(default)]
    event_time: Count,
    #[serde(default)]
    is_ext_shared_channel: Flag,
    #[serde(borrow, default)]
    authorizations: List<Authorization<'a>>,
    #[serde(borrow, default)]
    event: Option<Event<'a>>,
}

/// The installation that the event was sent for.
#[derive(Deserialize)]
struct Authorization<'a> {
    #[serde(borrow, default)]
    enterprise_id: Word<'a>,
    #[serde(borrow, default)]
    team_id: Word<'a>,
    #[serde(borrow, default)]
    user_id: Word<'a>,
    #[serde(default)]
    is_bot: Flag,
    #[serde(default)]
    is_enterprise_install: Flag,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Word<'a>,
    #[serde(borrow, default)]
    subtype: Word<'a>,
    #[serde(borrow, default)]
    user: Word<'a>,
    #[serde(borrow, default)]
    bot_id: Word<'a>,
    #[serde(borrow, default)]
    app_id: Word<'a>,
    #[serde(default)]
    bot_profile: Presence,
    #[serde(borrow, default)]
    text: Word<'a>,
    /// Parts of the message, and what came with it, which are read where they are needed.
    #[serde(borrow, default)]
    blocks: Option<&'a RawValue>,
    #[serde(borrow, default)]
    attachments: Option<&'a RawValue>,
    #[serde(borrow, default)]
    channel: Word<'a>,
    #[serde(borrow, default)]
    channel_type: Word<'a>,
    #[serde(borrow, default)]
    ts: Word<'a>,
    #[serde(borrow, default)]
    event_ts: Word<'a>,
    #[serde(borrow, default)]
    thread_ts: Word<'a>,
    #[serde(borrow, default)]
    user_team: Word<'a>,
    #[serde(borrow, default)]
    source_team: Word<'a>,
    #[serde(borrow, default)]
    team: Word<'a>,
    /// In a deletion: the deleted message.
    #[serde(borrow, default)]
    deleted_ts: Word<'a>,
    #[serde(borrow, default)]
    previous_message: Option<Previous<'a>>,
    /// In a change of access: the workspaces.
    #[serde(borrow, default)]
    team_ids: List<Word<'a>>,
    /// In an opened home: which tab was opened.
    #[serde(borrow, default)]
    tab: Word<'a>,
    #[serde(default)]
    edited: Presence,
    #[serde(default)]
    hidden: Flag,
    #[serde(borrow, default)]
    files: List<File<'a>>,
}

/// A message before it changed.
#[derive(Default, Deserialize)]
struct Previous<'a> {
    #[serde(borrow, default)]
    thread_ts: Word<'a>,
}

/// Reads a verified body for the installation whose address it came to.
pub fn read(body: &[u8], at: &Installation) -> Result<Incoming, Malformed> {
    let envelope = envelope(body).ok_or(Malformed)?;
    if envelope.kind.is("url_verification") {
        return Ok(verification(&envelope));
    }
    // One signing secret belongs to one app, but an administrator may have entered it for two.
    if at
        .slack()
        .app_id
        .as_deref()
        .is_none_or(|app| !envelope.api_app_id.is(app))
    {
        return Ok(Incoming::WrongApp);
    }
    let Some(home) = at.home().filter(|_| envelope.is_for(at)) else {
        return Ok(Incoming::WrongTeam);
    };
    if !envelope.has_sane_ids() {
        return Err(Malformed);
    }
    Ok(match (&envelope.event, envelope.kind.get()) {
        (Some(event), Some("event_callback")) if lifecycle::is_lifecycle(event.kind.get()) => {
            lifecycle::read(body, at).map_or(
                Incoming::Ignored("not about this installation"),
                Incoming::Lifecycle,
            )
        }
        (Some(event), Some("event_callback")) => read_event(&envelope, event, at, home),
        (_, Some("app_rate_limited")) => Incoming::Ignored("app_rate_limited"),
        _ => Incoming::Ignored("not an event callback"),
    })
}

/// The challenge of an address check, if the body is one. Nothing else is read from an unsigned request, and only
/// while there is no signing secret.
pub fn challenge(body: &[u8]) -> Option<String> {
    let envelope = envelope(body)?;
    match verification(&envelope) {
        Incoming::UrlVerification { challenge } if envelope.kind.is("url_verification") => Some(challenge),
        _ => None,
    }
}

/// Only of an object: serde would read an array as one too, by position.
fn envelope(body: &[u8]) -> Option<Envelope<'_>> {
    if body.trim_ascii_start().starts_with(b"{") {
        serde_json::from_slice(body).ok()
    } else {
        None
    }
}

fn verification(envelope: &Envelope<'_>) -> Incoming {
    match envelope.challenge.get() {
        Some(challenge) => Incoming::UrlVerification {
            challenge: challenge.to_owned(),
        },
        None => Incoming::Ignored("an address check without a challenge"),
    }
}

fn read_event(envelope: &Envelope<'_>, event: &Event<'_>, at: &Installation, home: &str) -> Incoming {
    if let Some(interaction) = read_interaction(envelope, event, home) {
        return interaction;
    }
    let bot = at.slack().bot_user_id.as_deref().or_else(|| envelope.bot());
    if let Some(why) = event.why_dropped(bot) {
        return Incoming::Ignored(why);
    }
    let (Some(user), Some(channel), Some(ts)) = (event.user.get(), event.channel.get(), event.ts.get())
    else {
        return Incoming::Ignored("without sender, channel or time");
    };
    let text = event.text.get().unwrap_or_default();
    let direct = event.is_direct(channel);
    let addressed =
        event.kind.is("app_mention") || direct || bot.is_some_and(|bot| mrkdwn::mentions(text, bot));
    if !addressed {
        return Incoming::Ignored("not addressed to the assistant");
    }
    let message_key = message_key(ts, channel, home);
    let files = event.files.0.iter().map(File::stub);
    let content = content::read(text, event.blocks, event.attachments, bot);
    let Content { text, enclosed, .. } = content;
    let turn = Turn {
        sender: sender(envelope, event, user),
        place: Place {
            kind: if direct {
                PlaceKind::Direct
            } else {
                PlaceKind::Shared
            },
            conversation: channel.to_owned(),
            thread: event.thread_ts.get().unwrap_or(ts).to_owned(),
            message: ts.to_owned(),
            outsiders: envelope.is_ext_shared_channel.is_set(),
        },
        text,
        enclosed,
        files: files.chain(content.files).collect(),
    };
    Incoming::Turn {
        event_key: envelope.event_id.get().unwrap_or(&message_key).to_owned(),
        message_key,
        turn: Box::new(turn),
    }
}

/// The timestamp comes first, so that new keys are added at one end of the index.
fn message_key(ts: &str, channel: &str, team: &str) -> String {
    format!("{ts}/{channel}/{team}")
}

fn sender(envelope: &Envelope<'_>, event: &Event<'_>, user: &str) -> Sender {
    let home = [
        &event.user_team,
        &event.source_team,
        &event.team,
        &envelope.context_team_id,
        &envelope.team_id,
    ];
    let team = home.iter().find_map(|word| word.get()).unwrap_or_default();
    Sender {
        team: team.to_owned(),
        user: user.to_owned(),
        account: None,
    }
}

/// What people do other than write; nothing for other events.
fn read_interaction(envelope: &Envelope<'_>, event: &Event<'_>, team: &str) -> Option<Incoming> {
    let channel = event.channel.get()?;
    let at = |thread: &str, message: &str| Place {
        kind: if event.is_direct(channel) {
            PlaceKind::Direct
        } else {
            PlaceKind::Shared
        },
        conversation: channel.to_owned(),
        thread: thread.to_owned(),
        message: message.to_owned(),
        outsiders: false,
    };
    let deleted = event.kind.is("message") && event.subtype.is("message_deleted");
    let (key, interaction) = match event.kind.get()? {
        "message" if deleted => {
            let ts = event.deleted_ts.get()?;
            let thread = event.previous_message.as_ref();
            let thread = thread.and_then(|message| message.thread_ts.get()).unwrap_or(ts);
            let message_key = message_key(ts, channel, team);
            let key = deletion_key(&message_key);
            let place = at(thread, ts);
            (key, Interaction::Deleted { message_key, place })
        }
        "agent_session_stopped" => {
            let (user, thread) = (event.user.get()?, event.thread_ts.get()?);
            let target = Target {
                sender: sender(envelope, event, user),
                place: at(thread, thread),
            };
            let key = format!("stopped/{}", envelope.event_id.get()?);
            let before = event.event_ts.get().map(str::to_owned);
            (key, Interaction::Stopped { target, before })
        }
        "app_home_opened" => {
            let user = event.user.get()?;
            let page = match event.tab.get() {
                Some("home") => Page::Home,
                Some("messages") => Page::Conversation,
                _ => return None,
            };
            let target = Target {
                sender: sender(envelope, event, user),
                place: at("", ""),
            };
            // Once a minute is enough, however often a person opens it.
            let minute = envelope.event_time.0.unwrap_or_default() / 60;
            let key = format!("opened/{minute}/{user}/{}", event.tab.get().unwrap_or_default());
            (key, Interaction::Opened { target, page })
        }
        _ => return None,
    };
    let interaction = Box::new(interaction);
    Some(Incoming::Interaction { key, interaction })
}

impl Envelope<'_> {
    /// Whether Slack sent this for the installation. The authorization says so; where it names no workspace, the
    /// workspace through which the app receives the event does. An installation for an organization is recognized by
    /// its enterprise only.
    fn is_for(&self, at: &Installation) -> bool {
        let granted = &self.authorizations.0;
        if at.slack().is_enterprise {
            let Some(enterprise) = at.slack().enterprise_id.as_deref() else {
                return false;
            };
            if granted.is_empty() {
                return self.context_enterprise_id.get().or(self.enterprise_id.get()) == Some(enterprise);
            }
            return granted
                .iter()
                .any(|one| one.is_enterprise_install.is_set() && one.enterprise_id.is(enterprise));
        }
        let Some(team) = at.slack().team_id.as_deref() else {
            return false;
        };
        let mut named = granted.iter().filter_map(|one| one.team_id.get()).peekable();
        if named.peek().is_some() {
            return named.any(|name| name == team);
        }
        self.context_team_id.get().or(self.team_id.get()) == Some(team)
    }

    /// Whether every id has a possible length and no NUL.
    fn has_sane_ids(&self) -> bool {
        let own = [&self.event_id, &self.team_id, &self.context_team_id];
        let of_event = self.event.iter().flat_map(|event| {
            [
                &event.user,
                &event.channel,
                &event.ts,
                &event.event_ts,
                &event.thread_ts,
                &event.user_team,
                &event.source_team,
                &event.team,
                &event.deleted_ts,
            ]
        });
        let before = self.event.iter().flat_map(|event| &event.previous_message);
        let workspaces = self.event.iter().flat_map(|event| &event.team_ids.0);
        own.into_iter()
            .chain(before.map(|message| &message.thread_ts))
            .chain(of_event)
            .chain(workspaces)
            .filter_map(Word::get)
            .all(|id| id.len() <= ID && !id.contains('\0'))
    }

    /// Our bot user, where the installation does not know it yet.
    fn bot(&self) -> Option<&str> {
        self.authorizations
            .0
            .iter()
            .filter(|one| one.is_bot.is_set())
            .find_map(|one| one.user_id.get())
    }
}

impl Event<'_> {
    /// Why this is not a person's new message.
    fn why_dropped(&self, bot: Option<&str>) -> Option<&'static str> {
        match self.kind.get() {
            Some("app_mention" | "message") => {}
            _ => return Some("an ignored event"),
        }
        match self.subtype.get() {
            // A `/me` message is a message too.
            None | Some("file_share" | "thread_broadcast" | "me_message") => {}
            Some("message_changed") => return Some("message_changed"),
            Some("message_deleted") => return Some("message_deleted"),
            Some("bot_message") => return Some("written by a bot"),
            Some(_) => return Some("an ignored subtype"),
        }
        let by_app = self.bot_id.get().is_some() || self.app_id.get().is_some() || self.bot_profile.0;
        let user = self.user.get();
        if by_app || user == Some("USLACKBOT") {
            return Some("written by a bot");
        }
        if user.is_some() && user == bot {
            return Some("written by the assistant itself");
        }
        if self.edited.0 {
            return Some("an edited message");
        }
        self.hidden.is_set().then_some("hidden")
    }

    /// Only a conversation of one person with the assistant; group messages are shared. A mention has no
    /// `channel_type`, but only direct conversations have ids in D. Where the two disagree, the conversation counts
    /// as shared.
    fn is_direct(&self, channel: &str) -> bool {
        channel.starts_with('D') && self.channel_type.get().is_none_or(|kind| kind == "im")
    }
}
