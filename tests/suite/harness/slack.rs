//! A stateful fake of Slack on loopback. It checks what Slack checks, stores what it receives, and fails on request.
//! The app's real client calls it. The only Corbel detail it knows is the metadata of a delivery.

mod app_home;
mod arguments;
mod call_rates;
mod faults;
pub mod files;
pub mod message_limits;
mod methods;
pub mod oauth;
pub mod requests;
mod workspace;

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

pub use self::call_rates::CallRates;
pub use self::faults::{Fault, Rates};
pub use self::files::{Download, StoredFile, Uploaded};
pub use self::requests::Said;
use self::workspace::Workspace;
pub use self::workspace::{
    ALICE, ANNEX, APP, ARCHIVE, BOB, BOT, CHANNEL, DM, EXTERNAL, Ephemeral, GONE, GUEST, LOBBY, Message,
    ORG_WIDE, PENDING, PRIVATE, ROBOT, SECRET, STRANGER, Status, TEAM, TEAM_NAME, TOKEN, ULTRA, User,
};

/// A call that was received.
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

/// A running fake. Clones share its state; it stops with the test's runtime.
#[derive(Clone)]
pub struct FakeSlack {
    workspace: Arc<Mutex<Workspace>>,
    base: String,
}

impl FakeSlack {
    /// Starts a workspace with people and channels of every kind; see the constants.
    pub async fn start() -> Self {
        let workspace = Arc::new(Mutex::new(Workspace::new()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        lock(&workspace).files.base.clone_from(&base);
        let router = Router::new()
            .route("/api/{method}", post(answer).get(answer))
            .route("/files/{id}", get(files::download))
            .route("/files/{id}/{hop}", get(files::hop))
            .route("/signin", get(files::sign_in))
            .route("/oauth/v2/authorize", get(oauth::page))
            .route("/upload/{id}", post(files::upload))
            .layer(DefaultBodyLimit::max(64 << 20))
            .with_state(Arc::clone(&workspace));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { workspace, base }
    }

    /// The value of `CORBEL_SLACK_API_URL` for this fake.
    pub fn api_base(&self) -> String {
        format!("{}/api/", self.base)
    }

    /// An active installation of the fake's app in its workspace.
    pub fn installation(&self) -> Installation {
        Self::installation_of(TEAM)
    }

    /// The same for any workspace, even without a running fake.
    pub fn installation_of(team: &str) -> Installation {
        Installation {
            org: OrgId::new(),
            id: InstallationId::new(),
            assistant: AssistantId::new(),
            assistant_name: "Corbel".to_owned(),
            platform: Platform::Slack(Box::new(SlackApp {
                app_id: Some(APP.to_owned()),
                signing_secret: Some(Secret::new(SECRET)),
                bot_token: Some(Secret::new(TOKEN)),
                bot_user_id: Some(BOT.to_owned()),
                team_id: Some(team.to_owned()),
                team_name: Some(TEAM_NAME.to_owned()),
                ..SlackApp::default()
            })),
            state: InstallationState::Active,
            disabled_because: None,
            address: Secret::new("address-of-the-fake"),
            installed_at: None,
            registered_name: None,
            last_call_at: None,
            last_refused_at: None,
        }
    }

    /// A person posts a message to a channel.
    pub fn says(&self, channel: &str, user: &str, text: &str) -> Said {
        self.receive(channel, user, text, None, Vec::new())
    }

    /// A person posts a reply to a thread.
    pub fn replies(&self, channel: &str, user: &str, thread: &str, text: &str) -> Said {
        self.receive(channel, user, text, Some(thread), Vec::new())
    }

    /// Gives a message blocks, as a pasted table has them.
    pub fn add_blocks(&self, said: &Said, blocks: Vec<Value>) {
        let mut workspace = self.workspace();
        let message = workspace
            .messages
            .iter_mut()
            .find(|message| message.ts == said.ts);
        message.expect("a message").blocks = blocks;
    }

    /// A person shares files of these names and sizes, filled with zeros.
    pub fn shares(&self, channel: &str, user: &str, text: &str, files: &[(&str, u64)]) -> Said {
        let kept = files.iter().map(|(name, size)| {
            let zeros = vec![0; usize::try_from(*size).expect("a size")];
            StoredFile::new(name, "application/octet-stream", &zeros)
        });
        self.shares_files(channel, user, text, kept.collect())
    }

    /// A person shares these files.
    pub fn shares_files(&self, channel: &str, user: &str, text: &str, files: Vec<StoredFile>) -> Said {
        let base = self.base.clone();
        let mut workspace = self.workspace();
        let announced = files
            .into_iter()
            .map(|kept| workspace.files.store(&base, kept))
            .collect();
        drop(workspace);
        self.receive(channel, user, text, None, announced)
    }

    /// The value of `CORBEL_SLACK_HOSTS` for this fake.
    pub fn host(&self) -> String {
        self.base.trim_start_matches("http://").to_owned()
    }

    /// The file downloads that were requested, each with whether the token was sent.
    pub fn downloads(&self) -> Vec<(String, bool)> {
        self.workspace().files.asked.clone()
    }

    /// The files that were uploaded and shared, in order: name, bytes, channel and thread.
    pub fn uploaded(&self) -> Vec<Uploaded> {
        self.workspace().files.shared.clone()
    }

    /// From now on, upload URLs point to another fake.
    pub fn send_uploads_to(&self, other: &Self) {
        self.workspace().files.uploads_at = Some(other.base.clone());
    }

    /// The next `looks` calls of `files.info` do not report yet where a file was shared: Slack does so with a delay.
    pub fn hide_shares(&self, looks: usize) {
        self.workspace().files.hidden = looks;
    }

    fn receive(
        &self,
        channel: &str,
        user: &str,
        text: &str,
        thread: Option<&str>,
        files: Vec<Value>,
    ) -> Said {
        let mut workspace = self.workspace();
        let ts = workspace.next_ts();
        let team = workspace
            .users
            .get(user)
            .map_or(TEAM, |user| user.team)
            .to_owned();
        let ext_shared = workspace
            .channels
            .get(channel)
            .is_some_and(|channel| channel.ext_shared);
        workspace
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

    /// All messages of a channel, including those by people, oldest first.
    pub fn messages(&self, channel: &str) -> Vec<Message> {
        self.workspace()
            .messages
            .iter()
            .filter(|message| message.channel == channel)
            .cloned()
            .collect()
    }

    /// What the bot posted in a thread.
    pub fn answers(&self, thread: &str) -> Vec<Message> {
        let in_thread = |message: &&Message| message.by_bot && message.thread.as_deref() == Some(thread);
        self.workspace()
            .messages
            .iter()
            .filter(in_thread)
            .cloned()
            .collect()
    }

    /// Those answers whose placeholder has been replaced.
    pub fn final_answers(&self, thread: &str) -> Vec<Message> {
        let is_final = |message: &Message| message.updates > 0 && message.delivery().is_some();
        self.answers(thread).into_iter().filter(is_final).collect()
    }

    pub fn ephemerals_for(&self, user: &str) -> Vec<Ephemeral> {
        self.workspace()
            .ephemerals
            .iter()
            .filter(|one| one.user == user)
            .cloned()
            .collect()
    }

    /// What the bot posted in its direct conversation with a person.
    pub fn direct_messages_to(&self, user: &str) -> Vec<Message> {
        let workspace = self.workspace();
        let Some(dm) = workspace.dm_of(user) else {
            return Vec::new();
        };
        workspace
            .messages
            .iter()
            .filter(|message| message.by_bot && message.channel == dm)
            .cloned()
            .collect()
    }

    /// Every status that was set, in order.
    pub fn statuses(&self) -> Vec<Status> {
        self.workspace().statuses.clone()
    }

    pub fn calls(&self, method: &str) -> Vec<Logged> {
        self.workspace()
            .calls
            .iter()
            .filter(|call| call.method == method)
            .cloned()
            .collect()
    }

    /// The number of calls received.
    pub fn all_calls(&self) -> usize {
        self.workspace().calls.len()
    }

    /// The next `times` calls of a method fail, after the faults that were requested before.
    pub fn fail_next(&self, method: &str, fault: Fault, times: usize) {
        self.workspace()
            .faults
            .entry(method.to_owned())
            .or_default()
            .extend(std::iter::repeat_n(fault, times));
    }

    /// From now on calls fail at random, in the same way for the same seed.
    pub fn misbehave(&self, seed: u64, rates: Rates) {
        self.workspace().chance = Some((seed.max(1), rates));
    }

    pub fn behave(&self) {
        let mut workspace = self.workspace();
        workspace.chance = None;
        workspace.faults.clear();
    }

    /// The workspace uninstalls the app: its token is invalid from now on.
    pub fn revoke(&self) {
        self.workspace().revoked = true;
    }

    pub fn drop_scope(&self, scope: &str) {
        self.workspace().scopes.retain(|held| *held != scope);
    }

    pub fn grant_scope(&self, scope: &'static str) {
        self.workspace().scopes.push(scope);
    }

    /// Changes a person.
    pub fn change_user(&self, id: &str, change: impl FnOnce(&mut User)) {
        change(self.workspace().users.get_mut(id).expect("a person of the fake"));
    }

    /// The channel becomes shared with outsiders.
    pub fn share_channel(&self, id: &str) {
        self.workspace()
            .channels
            .get_mut(id)
            .expect("a channel of the fake")
            .ext_shared = true;
    }

    pub fn archive_channel(&self, id: &str) {
        self.workspace()
            .channels
            .get_mut(id)
            .expect("a channel of the fake")
            .archived = true;
    }

    /// From now on every post there is refused with this error, or with none.
    pub fn refuse_posts(&self, id: &str, word: Option<&'static str>) {
        self.workspace()
            .channels
            .get_mut(id)
            .expect("a channel of the fake")
            .refuses = word;
    }

    /// Removes the bot from a channel.
    pub fn remove_bot(&self, id: &str) {
        self.workspace()
            .channels
            .get_mut(id)
            .expect("a channel of the fake")
            .members
            .retain(|member| *member != BOT);
    }

    /// Somebody deletes a message.
    pub fn delete(&self, ts: &str) {
        self.workspace().messages.retain(|message| message.ts != ts);
    }

    /// The App Home of a person, as if it were a message.
    pub fn home_of(&self, user: &str) -> Option<Message> {
        let blocks = self.workspace().homes.get(user).cloned()?;
        let mut page = Message::by_person("", user, "", "", None);
        page.blocks = blocks;
        Some(page)
    }

    /// The prompts that were suggested, in order.
    pub fn prompts(&self) -> Vec<(String, Vec<Value>)> {
        self.workspace().prompts.clone()
    }

    /// A person leaves a channel.
    pub fn leave(&self, id: &str, user: &str) {
        self.workspace()
            .channels
            .get_mut(id)
            .expect("a channel of the fake")
            .members
            .remove(user);
    }

    /// Direct conversations are not agent sessions.
    pub fn without_agent_view(&self) {
        self.workspace().agent_view = false;
    }

    /// Adds a channel with the bot and everybody in it.
    pub fn open_channel(&self, id: &str) {
        let mut workspace = self.workspace();
        let like = workspace
            .channels
            .get(CHANNEL)
            .cloned()
            .expect("a channel of the fake");
        workspace.channels.insert(id.to_owned(), like);
    }

    /// Reads the recorded call rates.
    pub fn call_rates<T>(&self, look: impl FnOnce(&CallRates) -> T) -> T {
        look(&self.workspace().call_rates)
    }

    fn workspace(&self) -> MutexGuard<'_, Workspace> {
        lock(&self.workspace)
    }
}

/// A failed assertion in one test thread must not poison the state.
fn lock(workspace: &Mutex<Workspace>) -> MutexGuard<'_, Workspace> {
    workspace.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(
    State(workspace): State<Arc<Mutex<Workspace>>>,
    Path(method): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let form = arguments::of(&method, query.as_deref(), &headers, body).await;
    let call = Logged { method, form };
    let fault = {
        let mut workspace = lock(&workspace);
        workspace.calls.push(call.clone());
        workspace.call_rates.called(&call);
        let fault = workspace.next_fault(&call.method);
        if let Some(Fault::RateLimited(seconds)) = fault {
            workspace.call_rates.rate_limited(&call, seconds);
        }
        fault
    };
    if let Some(instead) = fault.and_then(Fault::instead) {
        return instead;
    }
    match fault {
        Some(Fault::Slow(by)) => tokio::time::sleep(by).await,
        Some(Fault::Late(by)) => {
            let workspace = Arc::clone(&workspace);
            tokio::spawn(async move {
                tokio::time::sleep(by).await;
                methods::perform(&mut lock(&workspace), &headers, &call);
            });
            return std::future::pending().await;
        }
        _ => {}
    }
    let outcome = methods::perform(&mut lock(&workspace), &headers, &call);
    let scopes = lock(&workspace).scopes.join(",");
    let answer = ([("x-oauth-scopes", scopes)], Json(outcome)).into_response();
    match fault {
        Some(fault) => fault.after(answer),
        None => answer,
    }
}
