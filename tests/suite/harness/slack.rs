//! A stateful Slack on loopback: checks what the true one checks, keeps what it is told, and
//! misbehaves on order. Our true client code is what talks to it. Knows nothing of Corbel but the
//! shape of its deliveries.

pub mod access;
mod arguments;
mod faults;
pub mod files;
pub mod limits;
mod methods;
mod pace;
pub mod requests;
mod surface;
mod world;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use corbel::assistants::model::{Installation, InstallationState, Platform};
use corbel::assistants::slack::app::SlackApp;
use corbel::base::ids::{AssistantId, InstallationId, OrgId};
use corbel::base::secret::Secret;
use serde_json::Value;

pub use self::faults::{Fault, Rates};
pub use self::files::{Door, Kept, Uploaded};
pub use self::pace::Pace;
pub use self::requests::Said;
use self::world::World;
pub use self::world::{
    ALICE, ANNEX, APP, ARCHIVE, BOB, BOT, CHANNEL, DM, EXTERNAL, Ephemeral, GONE, GUEST, LOBBY, Message,
    ORG_WIDE, PENDING, PRIVATE, ROBOT, SECRET, STRANGER, Status, TEAM, TEAM_NAME, TOKEN, ULTRA, User,
};

/// One call that came in.
#[derive(Clone, Debug)]
pub struct Logged {
    pub method: String,
    pub form: Vec<(String, String)>,
}

impl Logged {
    pub fn arg(&self, name: &str) -> Option<&str> {
        self.form
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

/// A running fake. Clones share it; it ends with the test's runtime.
#[derive(Clone)]
pub struct FakeSlack {
    world: Arc<Mutex<World>>,
    base: String,
}

impl FakeSlack {
    /// One workspace with people and channels of every kind; see the constants.
    pub async fn start() -> Self {
        let world = Arc::new(Mutex::new(World::new()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        lock(&world).files.base.clone_from(&base);
        let router = Router::new()
            .route("/api/{method}", post(answer).get(answer))
            .route("/files/{id}", get(files::download))
            .route("/files/{id}/{hop}", get(files::hop))
            .route("/signin", get(files::sign_in))
            .route("/oauth/v2/authorize", get(access::page))
            .route("/upload/{id}", post(files::upload))
            .layer(DefaultBodyLimit::max(64 << 20))
            .with_state(Arc::clone(&world));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { world, base }
    }

    /// For `CORBEL_SLACK_API_URL`.
    pub fn api_base(&self) -> String {
        format!("{}/api/", self.base)
    }

    /// An active installation of the fake's app in its workspace.
    pub fn installation(&self) -> Installation {
        Self::installation_of(TEAM)
    }

    /// The same for any workspace, also without a running fake.
    pub fn installation_of(team: &str) -> Installation {
        Installation {
            org: OrgId::new(),
            id: InstallationId::new(),
            assistant: AssistantId::new(),
            assistant_name: "Corbel".to_owned(),
            platform: Platform::Slack(SlackApp {
                app_id: Some(APP.to_owned()),
                signing_secret: Some(Secret::new(SECRET)),
                bot_token: Some(Secret::new(TOKEN)),
                bot_user_id: Some(BOT.to_owned()),
                team_id: Some(team.to_owned()),
                team_name: Some(TEAM_NAME.to_owned()),
                ..SlackApp::default()
            }),
            state: InstallationState::Active,
            disabled_because: None,
            address: Secret::new("address-of-the-fake"),
            installed_at: None,
            registered_name: None,
            last_call_at: None,
            last_refused_at: None,
        }
    }

    /// A person says something in a channel.
    pub fn says(&self, channel: &str, user: &str, text: &str) -> Said {
        self.hears(channel, user, text, None, Vec::new())
    }

    /// A person answers in a thread.
    pub fn replies(&self, channel: &str, user: &str, thread: &str, text: &str) -> Said {
        self.hears(channel, user, text, Some(thread), Vec::new())
    }

    /// A person shares files, with their names and sizes. They hold zeros.
    pub fn shares(&self, channel: &str, user: &str, text: &str, files: &[(&str, u64)]) -> Said {
        let kept = files.iter().map(|(name, size)| {
            let zeros = vec![0; usize::try_from(*size).expect("a size")];
            Kept::new(name, "application/octet-stream", &zeros)
        });
        self.shares_kept(channel, user, text, kept.collect())
    }

    /// A person shares files as they are kept.
    pub fn shares_kept(&self, channel: &str, user: &str, text: &str, files: Vec<Kept>) -> Said {
        let base = self.base.clone();
        let mut world = self.world();
        let announced = files
            .into_iter()
            .map(|kept| world.files.keep(&base, kept))
            .collect();
        drop(world);
        self.hears(channel, user, text, None, announced)
    }

    /// For `CORBEL_SLACK_HOSTS`.
    pub fn host(&self) -> String {
        self.base.trim_start_matches("http://").to_owned()
    }

    /// How often the bytes of files were asked for, each with whether the token was borne.
    pub fn downloads(&self) -> Vec<(String, bool)> {
        self.world().files.asked.clone()
    }

    /// What was uploaded and shared, in order: name, bytes, channel and thread.
    pub fn uploaded(&self) -> Vec<Uploaded> {
        self.world().files.shared.clone()
    }

    /// Uploads are sent to another's address from now on.
    pub fn send_uploads_to(&self, other: &Self) {
        self.world().files.uploads_at = Some(other.base.clone());
    }

    /// The next so many looks at a file do not show yet where it was shared: Slack shares it by and by.
    pub fn hide_shares(&self, looks: usize) {
        self.world().files.hidden = looks;
    }

    fn hears(&self, channel: &str, user: &str, text: &str, thread: Option<&str>, files: Vec<Value>) -> Said {
        let mut world = self.world();
        let ts = world.next_ts();
        let team = world.users.get(user).map_or(TEAM, |user| user.team).to_owned();
        let ext_shared = world
            .channels
            .get(channel)
            .is_some_and(|channel| channel.ext_shared);
        world
            .messages
            .push(Message::by_person(channel, user, text, &ts, thread));
        Said {
            channel: channel.to_owned(),
            user: user.to_owned(),
            text: text.to_owned(),
            ts,
            thread: thread.map(str::to_owned),
            files,
            team,
            ext_shared,
        }
    }

    /// All messages of a channel, people's too, oldest first.
    pub fn messages(&self, channel: &str) -> Vec<Message> {
        self.world()
            .messages
            .iter()
            .filter(|message| message.channel == channel)
            .cloned()
            .collect()
    }

    /// What the bot said in a thread.
    pub fn answers(&self, thread: &str) -> Vec<Message> {
        let in_thread = |message: &&Message| message.by_bot && message.thread.as_deref() == Some(thread);
        self.world().messages.iter().filter(in_thread).cloned().collect()
    }

    /// Of these, the deliveries whose placeholder has been replaced.
    pub fn final_answers(&self, thread: &str) -> Vec<Message> {
        let is_final = |message: &Message| message.updates > 0 && message.delivery().is_some();
        self.answers(thread).into_iter().filter(is_final).collect()
    }

    pub fn ephemerals_for(&self, user: &str) -> Vec<Ephemeral> {
        self.world()
            .ephemerals
            .iter()
            .filter(|one| one.user == user)
            .cloned()
            .collect()
    }

    /// What the bot said in its conversation with a person, wherever it was opened.
    pub fn direct_messages_to(&self, user: &str) -> Vec<Message> {
        let world = self.world();
        let Some(dm) = world.dm_of(user) else {
            return Vec::new();
        };
        world
            .messages
            .iter()
            .filter(|message| message.by_bot && message.channel == dm)
            .cloned()
            .collect()
    }

    /// Every status that was set, in order.
    pub fn statuses(&self) -> Vec<Status> {
        self.world().statuses.clone()
    }

    pub fn calls(&self, method: &str) -> Vec<Logged> {
        self.world()
            .calls
            .iter()
            .filter(|call| call.method == method)
            .cloned()
            .collect()
    }

    /// How many calls came in.
    pub fn all_calls(&self) -> usize {
        self.world().calls.len()
    }

    /// The next `times` calls of a method go wrong, after those ordered before.
    pub fn fail_next(&self, method: &str, fault: Fault, times: usize) {
        self.world()
            .faults
            .entry(method.to_owned())
            .or_default()
            .extend(std::iter::repeat_n(fault, times));
    }

    /// From now on calls go wrong at random, the same way for the same seed.
    pub fn misbehave(&self, seed: u64, rates: Rates) {
        self.world().chance = Some((seed.max(1), rates));
    }

    pub fn behave(&self) {
        let mut world = self.world();
        world.chance = None;
        world.faults.clear();
    }

    /// The workspace takes the app away: its token is worth nothing from now on.
    pub fn revoke(&self) {
        self.world().revoked = true;
    }

    pub fn drop_scope(&self, scope: &str) {
        self.world().scopes.retain(|held| *held != scope);
    }

    pub fn grant_scope(&self, scope: &'static str) {
        self.world().scopes.push(scope);
    }

    /// Changes a person.
    pub fn change_user(&self, id: &str, change: impl FnOnce(&mut User)) {
        change(self.world().users.get_mut(id).expect("a person of the fake"));
    }

    /// Outsiders are asked into a channel, or join it.
    pub fn share_channel(&self, id: &str) {
        self.world()
            .channels
            .get_mut(id)
            .expect("a channel of the fake")
            .ext_shared = true;
    }

    pub fn archive_channel(&self, id: &str) {
        self.world()
            .channels
            .get_mut(id)
            .expect("a channel of the fake")
            .archived = true;
    }

    /// From now on every post there is refused with this word, or no more.
    pub fn refuse_posts(&self, id: &str, word: Option<&'static str>) {
        self.world()
            .channels
            .get_mut(id)
            .expect("a channel of the fake")
            .refuses = word;
    }

    /// The bot is taken out of a channel.
    pub fn remove_bot(&self, id: &str) {
        self.world()
            .channels
            .get_mut(id)
            .expect("a channel of the fake")
            .members
            .retain(|member| *member != BOT);
    }

    /// Somebody deletes a message.
    pub fn delete(&self, ts: &str) {
        self.world().messages.retain(|message| message.ts != ts);
    }

    /// The assistant's page as a person sees it: as if it were a message there.
    pub fn home_of(&self, user: &str) -> Option<Message> {
        let blocks = self.world().homes.get(user).cloned()?;
        let mut page = Message::by_person("", user, "", "", None);
        page.blocks = blocks;
        Some(page)
    }

    /// What was suggested in conversations, in order.
    pub fn prompts(&self) -> Vec<(String, Vec<Value>)> {
        self.world().prompts.clone()
    }

    /// Somebody leaves a channel.
    pub fn leave(&self, id: &str, user: &str) {
        self.world()
            .channels
            .get_mut(id)
            .expect("a channel of the fake")
            .members
            .remove(user);
    }

    /// Conversations with one person are no sessions of an agent.
    pub fn without_agent_view(&self) {
        self.world().agent_view = false;
    }

    /// A channel like the others, with the bot and everybody in it.
    pub fn open_channel(&self, id: &str) {
        let mut world = self.world();
        let like = world
            .channels
            .get(CHANNEL)
            .cloned()
            .expect("a channel of the fake");
        world.channels.insert(id.to_owned(), like);
    }

    /// Looks at the pace that was kept.
    pub fn pace<T>(&self, look: impl FnOnce(&Pace) -> T) -> T {
        look(&self.world().pace)
    }

    fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.world)
    }
}

/// A failed assertion in one test thread must not hide what the fake knows.
fn lock(world: &Mutex<World>) -> MutexGuard<'_, World> {
    world.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(
    State(world): State<Arc<Mutex<World>>>,
    Path(method): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let form = arguments::of(&method, query.as_deref(), &headers, body).await;
    let call = Logged { method, form };
    let fault = {
        let mut world = lock(&world);
        world.calls.push(call.clone());
        world.pace.called(&call);
        let fault = world.next_fault(&call.method);
        if let Some(Fault::Limited(seconds)) = fault {
            world.pace.told_to_wait(&call, seconds);
        }
        fault
    };
    if let Some(instead) = fault.and_then(Fault::instead) {
        return instead;
    }
    match fault {
        Some(Fault::Slow(by)) => tokio::time::sleep(by).await,
        Some(Fault::Late(by)) => {
            let world = Arc::clone(&world);
            tokio::spawn(async move {
                tokio::time::sleep(by).await;
                methods::perform(&mut lock(&world), &headers, &call);
            });
            return std::future::pending().await;
        }
        _ => {}
    }
    let outcome = methods::perform(&mut lock(&world), &headers, &call);
    let scopes = lock(&world).scopes.join(",");
    let answer = ([("x-oauth-scopes", scopes)], Json(outcome)).into_response();
    match fault {
        Some(fault) => fault.after(answer),
        None => answer,
    }
}
