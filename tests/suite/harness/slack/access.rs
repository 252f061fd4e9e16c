//! How the fake gives rights: its consent page, codes and refresh tokens good once, tokens that end,
//! apps made from a manifest with a configuration token.

use std::collections::HashMap;

use axum::extract::RawQuery;
use axum::http::{HeaderMap, header};
use axum::response::Html;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use url::Url;

use super::world::{APP, BOT, TEAM, TEAM_NAME, World};
use super::{FakeSlack, Logged};

pub const CLIENT_ID: &str = "1.2";
pub const CLIENT_SECRET: &str = "0123456789abcdef0123456789abcdef";
pub const ENTERPRISE: &str = "E0ORG";

#[derive(Clone, Debug)]
pub struct FakeApp {
    pub id: String,
    pub client_id: String,
    pub client_secret: String,
    pub signing_secret: String,
    pub name: String,
    pub manifest: Option<Value>,
    /// Bytes of its icon; none yet.
    pub icon: usize,
}

#[derive(Clone, Debug)]
struct Code {
    client_id: String,
    redirect_uri: String,
    scope: String,
}

#[derive(Clone, Debug)]
struct Token {
    app: String,
    expired: bool,
}

/// What the fake has given out.
#[derive(Debug)]
pub struct Access {
    pub apps: Vec<FakeApp>,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Token>,
    /// Each good once: then it is gone.
    refreshes: HashMap<String, String>,
    pub rotates: bool,
    pub for_organization: bool,
    /// Where it is installed: usually our workspace, of no organization.
    pub team: &'static str,
    pub enterprise: Option<&'static str>,
    number: u64,
}

impl Access {
    pub fn new() -> Self {
        let app = FakeApp {
            id: APP.to_owned(),
            client_id: CLIENT_ID.to_owned(),
            client_secret: CLIENT_SECRET.to_owned(),
            signing_secret: super::SECRET.to_owned(),
            name: "Corbel".to_owned(),
            manifest: None,
            icon: 0,
        };
        Self {
            apps: vec![app],
            codes: HashMap::new(),
            tokens: HashMap::new(),
            refreshes: HashMap::new(),
            rotates: false,
            for_organization: false,
            team: TEAM,
            enterprise: None,
            number: 0,
        }
    }

    fn next(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    /// Whether a token that the fake gave out is still good.
    pub fn check(&self, token: &str) -> Result<(), &'static str> {
        match self.tokens.get(token) {
            None => Err("invalid_auth"),
            Some(token) if token.expired => Err("token_expired"),
            Some(_) => Ok(()),
        }
    }

    /// The app that a token belongs to.
    pub fn app_of(&self, token: &str) -> (String, String) {
        let id = self.tokens.get(token).map_or(APP, |token| token.app.as_str());
        let app = self.apps.iter().find(|app| app.id == id).expect("an app");
        (app.id.clone(), app.name.clone())
    }

    fn pair(&mut self, app: &str) -> (String, Option<String>) {
        let number = self.next();
        let token = Token {
            app: app.to_owned(),
            expired: false,
        };
        if !self.rotates {
            let text = format!("xoxb-fake-{number}");
            self.tokens.insert(text.clone(), token);
            return (text, None);
        }
        let (text, refresh) = (format!("xoxe.xoxb-fake-{number}"), format!("xoxe-fake-{number}"));
        self.tokens.insert(text.clone(), token);
        self.refreshes.insert(refresh.clone(), app.to_owned());
        (text, Some(refresh))
    }
}

impl FakeSlack {
    /// For `CORBEL_SLACK_OAUTH_URL`.
    pub fn authorize_url(&self) -> String {
        format!("{}/oauth/v2/authorize", self.base)
    }

    /// An admin allows what a consent page asks for: where the browser is sent then.
    pub fn consent(&self, url: &str) -> String {
        assert!(url.starts_with(&self.authorize_url()), "{url}");
        consented(&mut self.world(), url).expect("a page that asks for consent")
    }

    /// An admin declines.
    pub fn decline(&self, url: &str) -> String {
        let asked = arguments(url);
        let mut back = Url::parse(&asked["redirect_uri"]).expect("an address");
        back.query_pairs_mut()
            .append_pair("error", "access_denied")
            .append_pair("state", &asked["state"]);
        back.into()
    }

    /// Tokens end from now on and come with the means to renew them.
    pub fn rotate(&self) {
        self.world().access.rotates = true;
    }

    /// Installations are for the whole organization from now on.
    pub fn install_for_organization(&self) {
        let mut world = self.world();
        world.access.for_organization = true;
        world.access.enterprise = Some(ENTERPRISE);
    }

    /// Installations are in this workspace from now on, of an organization or of none.
    pub fn install_in(&self, team: &'static str, enterprise: Option<&'static str>) {
        let mut world = self.world();
        world.access.for_organization = false;
        (world.access.team, world.access.enterprise) = (team, enterprise);
    }

    /// Somebody renames the app in its settings.
    pub fn rename_app(&self, id: &str, name: &str) {
        let mut world = self.world();
        let app = world.access.apps.iter_mut().find(|app| app.id == id);
        name.clone_into(&mut app.expect("an app").name);
    }

    /// Every token given out so far ends now.
    pub fn expire_tokens(&self) {
        let mut world = self.world();
        world
            .access
            .tokens
            .values_mut()
            .for_each(|token| token.expired = true);
    }

    pub fn apps(&self) -> Vec<FakeApp> {
        self.world().access.apps.clone()
    }

    /// Another app of the workspace, with a bot token of its own.
    pub fn another_app(&self, id: &str) -> String {
        let mut world = self.world();
        let number = world.access.next();
        world.access.apps.push(FakeApp {
            id: id.to_owned(),
            client_id: format!("9.{number}"),
            client_secret: CLIENT_SECRET.to_owned(),
            signing_secret: "f".repeat(32),
            name: "Another".to_owned(),
            manifest: None,
            icon: 0,
        });
        world.access.pair(id).0
    }

    /// Whose codes `oauth.v2.access` exchanges from now on belong to another app than asked.
    pub fn confuse_apps(&self, id: &str) {
        let mut world = self.world();
        for app in &mut world.access.apps {
            id.clone_into(&mut app.id);
        }
    }
}

fn arguments(url: &str) -> HashMap<String, String> {
    let url = Url::parse(url).expect("an address");
    url.query_pairs().into_owned().collect()
}

fn consented(world: &mut World, url: &str) -> Option<String> {
    let asked = arguments(url);
    let app = world
        .access
        .apps
        .iter()
        .find(|app| app.client_id == asked["client_id"])?;
    let redirect_uri = asked["redirect_uri"].clone();
    let registered = |manifest: &Value| {
        let urls = manifest["oauth_config"]["redirect_urls"]
            .as_array()
            .expect("addresses");
        urls.iter().any(|url| url == &redirect_uri)
    };
    if !app.manifest.as_ref().is_none_or(registered) || asked["state"].len() < 22 {
        return None;
    }
    let granted: Vec<&str> = asked["scope"]
        .split(',')
        .filter(|scope| world.scopes.contains(scope))
        .collect();
    let code = Code {
        client_id: asked["client_id"].clone(),
        redirect_uri: redirect_uri.clone(),
        scope: granted.join(","),
    };
    let name = format!("code-{}", world.access.next());
    world.access.codes.insert(name.clone(), code);
    let mut back = Url::parse(&redirect_uri).ok()?;
    back.query_pairs_mut()
        .append_pair("code", &name)
        .append_pair("state", &asked["state"]);
    Some(back.into())
}

/// The consent page for a browser.
pub async fn page(
    axum::extract::State(world): axum::extract::State<std::sync::Arc<std::sync::Mutex<World>>>,
    RawQuery(query): RawQuery,
) -> Html<String> {
    let url = format!(
        "http://slack.test/oauth/v2/authorize?{}",
        query.unwrap_or_default()
    );
    let allowed = consented(&mut super::lock(&world), &url);
    Html(match allowed {
        Some(back) => format!(
            "<h1>{TEAM_NAME}</h1><p>An app asks for permission.</p><a id=\"allow\" href=\"{}\">Allow</a>",
            back.replace('&', "&amp;")
        ),
        None => "<h1>Something is wrong</h1>".to_owned(),
    })
}

/// The methods that need no bot token; nothing for others.
pub fn performed(world: &mut World, headers: &HeaderMap, call: &Logged) -> Option<Value> {
    let refused = |word: &str| json!({ "ok": false, "error": word });
    let authorization = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    match call.method.as_str() {
        "oauth.v2.access" => Some(exchanged(world, authorization, call).unwrap_or_else(refused)),
        "apps.manifest.create" | "apps.manifest.update" | "apps.manifest.validate" | "apps.icon.set" => {
            let answer = match authorization.strip_prefix("Bearer ") {
                None => refused("not_authed"),
                Some(token) if token.starts_with("xoxe.xoxp-expired") => refused("token_expired"),
                Some(token) if token.starts_with("xoxe.xoxp-") && call.method == "apps.icon.set" => {
                    iconed(world, call).map_or_else(refused, |()| json!({ "ok": true }))
                }
                Some(token) if token.starts_with("xoxe.xoxp-") => manifest(world, call),
                Some(token) if token.starts_with("xox") => refused("not_allowed_token_type"),
                Some(_) => refused("invalid_auth"),
            };
            Some(answer)
        }
        _ => None,
    }
}

fn exchanged(world: &mut World, authorization: &str, call: &Logged) -> Result<Value, &'static str> {
    // In the header, or among the arguments.
    let pair = match authorization.strip_prefix("Basic ") {
        Some(basic) => {
            let pair = STANDARD.decode(basic).map_err(|_| "invalid_client_id")?;
            String::from_utf8(pair).map_err(|_| "invalid_client_id")?
        }
        None => {
            let (id, secret) = (call.arg("client_id"), call.arg("client_secret"));
            format!(
                "{}:{}",
                id.ok_or("invalid_client_id")?,
                secret.unwrap_or_default()
            )
        }
    };
    let (id, secret) = pair.split_once(':').ok_or("invalid_client_id")?;
    let access = &mut world.access;
    let app = access.apps.iter().find(|app| app.client_id == id).cloned();
    let app = app.ok_or("invalid_client_id")?;
    if app.client_secret != secret {
        return Err("bad_client_secret");
    }
    let scope = if call.arg("grant_type") == Some("refresh_token") {
        let token = call.arg("refresh_token").ok_or("invalid_refresh_token")?;
        let of = access.refreshes.remove(token).ok_or("invalid_refresh_token")?;
        if of != app.id {
            return Err("invalid_refresh_token");
        }
        let earlier = access.tokens.values_mut().filter(|token| token.app == app.id);
        earlier.for_each(|token| token.expired = true);
        world.scopes.join(",")
    } else {
        let code = call.arg("code").ok_or("invalid_code")?;
        let code = access.codes.remove(code).ok_or("invalid_code")?;
        if code.client_id != id {
            return Err("invalid_code");
        }
        if call.arg("redirect_uri") != Some(&code.redirect_uri) {
            return Err("bad_redirect_uri");
        }
        code.scope
    };
    let access = &mut world.access;
    let (token, refresh) = access.pair(&app.id);
    let team = json!({ "id": access.team, "name": TEAM_NAME });
    let enterprise = access
        .enterprise
        .map(|id| json!({ "id": id, "name": "Acme Group" }));
    let wide = access.for_organization;
    let mut answer = json!({
        "ok": true, "access_token": token, "token_type": "bot", "scope": scope, "bot_user_id": BOT,
        "app_id": app.id, "team": if wide { Value::Null } else { team },
        "enterprise": enterprise, "is_enterprise_install": wide,
        "authed_user": { "id": "U0ADMIN" },
    });
    if let Some(refresh) = refresh {
        answer["refresh_token"] = json!(refresh);
        answer["expires_in"] = json!(43_200);
    }
    Ok(answer)
}

fn manifest(world: &mut World, call: &Logged) -> Value {
    let Some(manifest) = call
        .arg("manifest")
        .and_then(|text| serde_json::from_str::<Value>(text).ok())
    else {
        return json!({ "ok": false, "error": "invalid_manifest", "errors": [{ "message": "is no JSON", "pointer": "/" }] });
    };
    let errors = faults(&manifest);
    if !errors.is_empty() {
        return json!({ "ok": false, "error": "invalid_manifest", "errors": errors });
    }
    let name = manifest["display_information"]["name"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let access = &mut world.access;
    match call.method.as_str() {
        "apps.manifest.create" => {
            let number = access.next();
            let app = FakeApp {
                id: format!("A0MADE{number}"),
                client_id: format!("77.{number}"),
                client_secret: format!("{number:032x}"),
                signing_secret: format!("{:032x}", number + 1_000),
                name,
                manifest: Some(manifest),
                icon: 0,
            };
            access.apps.push(app.clone());
            json!({
                "ok": true, "app_id": app.id,
                "credentials": {
                    "client_id": app.client_id, "client_secret": app.client_secret,
                    "verification_token": "legacy", "signing_secret": app.signing_secret,
                },
                "oauth_authorize_url": "https://slack.test/oauth/v2/authorize",
            })
        }
        "apps.manifest.update" => {
            let found = access
                .apps
                .iter_mut()
                .find(|app| Some(app.id.as_str()) == call.arg("app_id"));
            let Some(app) = found else {
                return json!({ "ok": false, "error": "app_not_found" });
            };
            app.name = name;
            app.manifest = Some(manifest);
            json!({ "ok": true, "app_id": app.id, "permissions_updated": false })
        }
        _ => json!({ "ok": true }),
    }
}

/// By Slack's own schema where it is there, and what the true one checks beyond it.
fn faults(manifest: &Value) -> Vec<Value> {
    let fault = |message: String, pointer: String| json!({ "message": message, "pointer": pointer });
    let mut faults = Vec::new();
    if let Ok(shared) = std::env::var("CORBEL_TEST_SHARED") {
        let path = format!("{shared}/data/slack/manifest-schema.json");
        let schema = std::fs::read_to_string(path).expect("the schema");
        let schema: Value = serde_json::from_str(&schema).expect("JSON");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let wrong = validator.iter_errors(manifest);
        faults.extend(wrong.map(|error| fault(error.to_string(), error.instance_path().to_string())));
    }
    let name = manifest["display_information"]["name"]
        .as_str()
        .unwrap_or_default();
    if name.is_empty() || name.chars().count() > 35 {
        faults.push(fault(
            "has no name".to_owned(),
            "/display_information/name".to_owned(),
        ));
    }
    // Words that Slack keeps for itself.
    if name.to_lowercase().contains("slackbot") {
        faults.push(fault(
            "uses a reserved word".to_owned(),
            "/display_information/name".to_owned(),
        ));
    }
    faults
}

/// A picture's size is what Slack looks at.
fn iconed(world: &mut World, call: &Logged) -> Result<(), &'static str> {
    let id = call.arg("app_id").ok_or("missing_arguments")?;
    let app = world.access.apps.iter_mut().find(|app| app.id == id);
    let app = app.ok_or("invalid_app")?;
    let file = call.arg("file").ok_or("missing_arguments")?;
    let bytes = STANDARD.decode(file).expect("base64 of ours");
    let side = |at: usize| {
        let digits = bytes.get(at..at + 4).map(|four| four.try_into().expect("four"));
        digits.map(u32::from_be_bytes).ok_or("error_bad_format")
    };
    if !bytes.starts_with(b"\x89PNG") {
        return Err("error_bad_format");
    }
    let (width, height) = (side(16)?, side(20)?);
    if width != height || !(512..=2000).contains(&width) {
        return Err("invalid_icon_size");
    }
    app.icon = bytes.len();
    Ok(())
}
