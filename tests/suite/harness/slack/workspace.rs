//! The state of the fake workspace: its people, channels and messages. Does not depend on the calls.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Value, json};

use super::files::FileStore;
use super::oauth::Access;
use super::{CallRates, Fault, Logged, Rates};

pub const TEAM: &str = "T0HOME";
pub const TEAM_NAME: &str = "Acme Estates";
pub const OTHER_TEAM: &str = "T0EXT";
pub const APP: &str = "A0APP";
pub const TOKEN: &str = "xoxb-fake-home";
pub const SECRET: &str = "8f742231b10e8888abcd99yyyzzz85a5";
pub const BOT: &str = "U0BOT";
pub const BOT_ID: &str = "B0BOT";

/// Members.
pub const ALICE: &str = "U0ALICE";
pub const BOB: &str = "U0BOB";
/// People who may not ask questions.
pub const GUEST: &str = "U0GUEST";
pub const ULTRA: &str = "U0ULTRA";
pub const ROBOT: &str = "U0ROBOT";
pub const GONE: &str = "U0GONE";
pub const STRANGER: &str = "U0EXT";

/// A public channel, a private one, and Alice's direct conversation with the bot.
pub const CHANNEL: &str = "C0CHAN";
pub const PRIVATE: &str = "C0PRIV";
pub const DM: &str = "D0DM";
/// Channels with outsiders: joined, invited, or from another workspace of the organization.
pub const EXTERNAL: &str = "C0EXT";
pub const PENDING: &str = "C0PEND";
pub const ORG_WIDE: &str = "C0ORG";
/// Channels in which the bot cannot post: archived; public and private ones without the bot.
pub const ARCHIVE: &str = "C0ARCH";
pub const LOBBY: &str = "C0LOBBY";
pub const ANNEX: &str = "C0ANNEX";

#[derive(Clone, Copy, Debug)]
pub struct User {
    pub team: &'static str,
    pub name: &'static str,
    pub deleted: bool,
    pub bot: bool,
    pub restricted: bool,
    pub ultra_restricted: bool,
    pub stranger: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Channel {
    pub name: &'static str,
    pub im: bool,
    pub private: bool,
    pub archived: bool,
    pub ext_shared: bool,
    pub pending_ext_shared: bool,
    pub org_shared: bool,
    /// The error code with which every post is refused.
    pub refuses: Option<&'static str>,
    pub members: HashSet<String>,
}

#[derive(Clone, Debug)]
pub struct Message {
    pub channel: String,
    pub user: String,
    pub by_bot: bool,
    pub ts: String,
    pub thread: Option<String>,
    pub text: String,
    pub blocks: Vec<Value>,
    pub metadata: Option<Value>,
    /// How often `chat.update` replaced it.
    pub updates: usize,
    /// Ids of the files shared in it.
    pub files: Vec<String>,
}

impl Message {
    pub fn by_person(channel: &str, user: &str, text: &str, ts: &str, thread: Option<&str>) -> Self {
        Self {
            channel: channel.to_owned(),
            user: user.to_owned(),
            by_bot: false,
            ts: ts.to_owned(),
            thread: thread.map(str::to_owned),
            text: text.to_owned(),
            blocks: Vec::new(),
            metadata: None,
            updates: 0,
            files: Vec::new(),
        }
    }

    /// The delivery in its metadata.
    pub fn delivery(&self) -> Option<&str> {
        self.metadata
            .as_ref()?
            .pointer("/event_payload/delivery_id")?
            .as_str()
    }

    /// The text that a reader sees: of the blocks, or the plain text where there are none.
    pub fn shown(&self) -> String {
        shown(&self.text, &self.blocks)
    }
}

#[derive(Clone, Debug)]
pub struct Ephemeral {
    pub channel: String,
    pub user: String,
    pub thread: Option<String>,
    pub text: String,
    pub blocks: Vec<Value>,
}

impl Ephemeral {
    pub fn shown(&self) -> String {
        shown(&self.text, &self.blocks)
    }

    /// The URL of its button.
    pub fn link(&self) -> Option<String> {
        link(&self.blocks)
    }
}

impl Message {
    /// The URL of its button.
    pub fn link(&self) -> Option<String> {
        link(&self.blocks)
    }

    /// The labels of its buttons.
    pub fn buttons(&self) -> Vec<String> {
        let elements = self.blocks.iter().filter(|block| block["type"] == "actions");
        let elements = elements
            .filter_map(|block| block["elements"].as_array())
            .flatten();
        elements
            .filter_map(|element| {
                element
                    .pointer("/text/text")
                    .or(element.pointer("/placeholder/text"))
            })
            .filter_map(|text| text.as_str().map(str::to_owned))
            .collect()
    }

    /// The action that Slack sends for the button with this label; the feedback buttons are `up` and `down`.
    pub fn action(&self, label: &str) -> Option<Value> {
        let elements = self
            .blocks
            .iter()
            .filter_map(|block| block["elements"].as_array());
        elements.flatten().find_map(|element| {
            let mut action = json!({
                "type": element["type"], "action_id": element["action_id"], "block_id": "b0CK",
                "action_ts": "1795000010.000100",
            });
            let thumb = match label {
                "up" => &element["positive_button"],
                "down" => &element["negative_button"],
                _ => &Value::Null,
            };
            let named = |path| element.pointer(path).and_then(Value::as_str) == Some(label);
            if thumb.is_object() {
                action["value"] = thumb["value"].clone();
                action["text"] = thumb["text"].clone();
            } else if named("/text/text") {
                action["value"] = element["value"].clone();
                action["text"] = element["text"].clone();
            } else if !named("/placeholder/text") {
                return None;
            }
            Some(action)
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    pub channel: String,
    pub thread: String,
    /// Empty where it was cleared.
    pub status: String,
}

fn shown(text: &str, blocks: &[Value]) -> String {
    if blocks.is_empty() {
        return text.to_owned();
    }
    let mut found = Vec::new();
    blocks.iter().for_each(|block| texts(block, &mut found));
    found.join("\n")
}

fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| match value {
            Value::String(text) if key == "text" => found.push(text.clone()),
            nested => texts(nested, found),
        }),
        Value::Array(list) => list.iter().for_each(|value| texts(value, found)),
        _ => {}
    }
}

fn link(blocks: &[Value]) -> Option<String> {
    let elements = blocks
        .iter()
        .filter_map(|block| block.get("elements")?.as_array())
        .flatten();
    elements
        .filter_map(|element| element.get("url")?.as_str())
        .map(str::to_owned)
        .next()
}

pub struct Workspace {
    pub users: HashMap<String, User>,
    pub channels: HashMap<String, Channel>,
    pub messages: Vec<Message>,
    pub ephemerals: Vec<Ephemeral>,
    pub statuses: Vec<Status>,
    pub calls: Vec<Logged>,
    pub faults: HashMap<String, VecDeque<Fault>>,
    pub chance: Option<(u64, Rates)>,
    pub call_rates: CallRates,
    pub revoked: bool,
    /// Direct conversations are agent sessions.
    pub agent_view: bool,
    /// Each person's App Home.
    pub homes: HashMap<String, Vec<Value>>,
    pub prompts: Vec<(String, Vec<Value>)>,
    pub scopes: Vec<&'static str>,
    pub files: FileStore,
    pub access: Access,
    last_ts: u64,
}

impl Workspace {
    pub fn new() -> Self {
        let plain = |name| User {
            team: TEAM,
            name,
            deleted: false,
            bot: false,
            restricted: false,
            ultra_restricted: false,
            stranger: false,
        };
        let users = [
            (ALICE, plain("Alice Archer")),
            (BOB, plain("Bob Baker")),
            (
                BOT,
                User {
                    bot: true,
                    ..plain("Corbel")
                },
            ),
            (
                GUEST,
                User {
                    restricted: true,
                    ..plain("Greta Guest")
                },
            ),
            (
                ULTRA,
                User {
                    restricted: true,
                    ultra_restricted: true,
                    ..plain("Uma Ultra")
                },
            ),
            (
                ROBOT,
                User {
                    bot: true,
                    ..plain("Robot")
                },
            ),
            (
                GONE,
                User {
                    deleted: true,
                    ..plain("Gus Gone")
                },
            ),
            (
                STRANGER,
                User {
                    team: OTHER_TEAM,
                    stranger: true,
                    ..plain("Sam Stranger")
                },
            ),
        ];
        let people: HashSet<String> = users.iter().map(|(id, _)| (*id).to_owned()).collect();
        let of = |change: fn(&mut Channel)| {
            let mut channel = Channel {
                members: people.clone(),
                ..Channel::default()
            };
            change(&mut channel);
            channel
        };
        let leave = |channel: &mut Channel| {
            channel.members.remove(BOT);
        };
        let channels = [
            (CHANNEL, of(|channel| channel.name = "deals")),
            (
                PRIVATE,
                of(|channel| {
                    channel.name = "committee";
                    channel.private = true;
                }),
            ),
            (
                DM,
                Channel {
                    im: true,
                    members: [ALICE, BOT].map(str::to_owned).into(),
                    ..Channel::default()
                },
            ),
            (EXTERNAL, of(|channel| channel.ext_shared = true)),
            (PENDING, of(|channel| channel.pending_ext_shared = true)),
            (ORG_WIDE, of(|channel| channel.org_shared = true)),
            (ARCHIVE, of(|channel| channel.archived = true)),
            (LOBBY, of(leave)),
            (ANNEX, {
                let mut annex = of(leave);
                annex.private = true;
                annex
            }),
        ];
        Self {
            users: users.map(|(id, user)| (id.to_owned(), user)).into(),
            channels: channels.map(|(id, channel)| (id.to_owned(), channel)).into(),
            messages: Vec::new(),
            ephemerals: Vec::new(),
            statuses: Vec::new(),
            calls: Vec::new(),
            faults: HashMap::new(),
            chance: None,
            call_rates: CallRates::default(),
            revoked: false,
            agent_view: true,
            homes: HashMap::new(),
            prompts: Vec::new(),
            scopes: vec![
                "app_mentions:read",
                "chat:write",
                "users:read",
                "channels:read",
                "groups:read",
                "im:read",
                "im:write",
                "im:history",
                "channels:history",
                "groups:history",
                "assistant:write",
                "files:read",
                "files:write",
            ],
            access: Access::new(),
            files: FileStore::default(),
            last_ts: 0,
        }
    }

    /// A unique, increasing `ts`, which is also the message's id.
    pub fn next_ts(&mut self) -> String {
        self.last_ts += 1;
        format!(
            "{}.{:06}",
            1_795_000_000 + self.last_ts / 100,
            self.last_ts % 100 * 100 + 7
        )
    }

    pub fn dm_of(&self, user: &str) -> Option<String> {
        let with = |channel: &Channel| channel.im && channel.members.contains(user);
        self.channels
            .iter()
            .find(|(_, channel)| with(channel))
            .map(|(id, _)| id.clone())
    }

    pub fn find(&mut self, channel: &str, ts: &str) -> Option<&mut Message> {
        self.messages
            .iter_mut()
            .find(|message| message.channel == channel && message.ts == ts)
    }

    /// The next requested fault, or a random one.
    pub fn next_fault(&mut self, method: &str) -> Option<Fault> {
        if let Some(fault) = self.faults.get_mut(method).and_then(VecDeque::pop_front) {
            return Some(fault);
        }
        let (state, rates) = self.chance.as_mut()?;
        // xorshift64: any seed except zero gives a long sequence.
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        let mut drawn = *state % 1000;
        for (rate, fault) in [
            (rates.limited, Fault::RateLimited(1)),
            (rates.before, Fault::ServerError),
            (rates.lost_reply, Fault::LostReply),
            (rates.cut, Fault::Cut),
        ] {
            if drawn < rate {
                return Some(fault);
            }
            drawn -= rate;
        }
        None
    }

    /// The response of `users.info`: deactivated users lack most keys.
    pub fn profile(&self, id: &str) -> Option<Value> {
        let user = self.users.get(id)?;
        let profile = json!({ "display_name": user.name, "real_name": user.name });
        let mut shown = json!({
            "id": id, "team_id": user.team, "name": user.name.to_lowercase().replace(' ', "."),
            "deleted": user.deleted, "is_bot": user.bot, "profile": profile,
        });
        if !user.deleted {
            shown["real_name"] = json!(user.name);
            shown["is_restricted"] = json!(user.restricted);
            shown["is_ultra_restricted"] = json!(user.ultra_restricted);
        }
        if user.stranger {
            shown["is_stranger"] = json!(true);
        }
        Some(shown)
    }
}
