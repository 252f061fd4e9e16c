//! The fake's OAuth: the consent page, single-use codes and refresh tokens, expiring tokens, and apps created from a
//! manifest with a configuration token.

use std::collections::HashMap;

use axum::extract::RawQuery;
use axum::http::{HeaderMap, header};
use axum::response::Html;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use url::Url;

use super::workspace::{APP, BOT, TEAM, TEAM_NAME, Workspace};
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
    /// The size of its icon in bytes; zero without an icon.
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

/// The credentials that the fake has issued.
#[derive(Debug)]
pub struct Access {
    pub apps: Vec<FakeApp>,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Token>,
    /// Single-use refresh tokens, removed when used.
    refreshes: HashMap<String, String>,
    pub rotates: bool,
    pub for_organization: bool,
    /// Where the app is installed: by default our workspace, without an organization.
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

    /// Whether a token that the fake issued is still valid.
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
    /// The value of `CORBEL_SLACK_OAUTH_URL` for this fake.
    pub fn authorize_url(&self) -> String {
        format!("{}/oauth/v2/authorize", self.base)
    }

    /// An admin allows what a consent page requests. Returns the redirect's target.
    pub fn consent(&self, url: &str) -> String {
        assert!(url.starts_with(&self.authorize_url()), "{url}");
        grant_consent(&mut self.workspace(), url).expect("a page that asks for consent")
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

    /// From now on tokens expire and come with a refresh token.
    pub fn rotate(&self) {
        self.workspace().access.rotates = true;
    }

    /// From now on installations are organization-wide.
    pub fn install_for_organization(&self) {
        let mut workspace = self.workspace();
        workspace.access.for_organization = true;
        workspace.access.enterprise = Some(ENTERPRISE);
    }

    /// From now on installations are in this workspace, with an organization or without.
    pub fn install_in(&self, team: &'static str, enterprise: Option<&'static str>) {
        let mut workspace = self.workspace();
        workspace.access.for_organization = false;
        (workspace.access.team, workspace.access.enterprise) = (team, enterprise);
    }

    /// Renames the app in its settings.
    pub fn rename_app(&self, id: &str, name: &str) {
        let mut workspace = self.workspace();
        let app = workspace.access.apps.iter_mut().find(|app| app.id == id);
        name.clone_into(&mut app.expect("an app").name);
    }

    /// Every token issued so far expires now.
    pub fn expire_tokens(&self) {
        let mut workspace = self.workspace();
        workspace
            .access
            .tokens
            .values_mut()
            .for_each(|token| token.expired = true);
    }

    pub fn apps(&self) -> Vec<FakeApp> {
        self.workspace().access.apps.clone()
    }

    /// Adds another app to the workspace, with a bot token of its own.
    pub fn another_app(&self, id: &str) -> String {
        let mut workspace = self.workspace();
        let number = workspace.access.next();
        workspace.access.apps.push(FakeApp {
            id: id.to_owned(),
            client_id: format!("9.{number}"),
            client_secret: CLIENT_SECRET.to_owned(),
            signing_secret: "f".repeat(32),
            name: "Another".to_owned(),
            manifest: None,
            icon: 0,
        });
        workspace.access.pair(id).0
    }

    /// From now on `oauth.v2.access` returns tokens of another app.
    pub fn confuse_apps(&self, id: &str) {
        let mut workspace = self.workspace();
        for app in &mut workspace.access.apps {
            id.clone_into(&mut app.id);
        }
    }
}

fn arguments(url: &str) -> HashMap<String, String> {
    let url = Url::parse(url).expect("an address");
    url.query_pairs().into_owned().collect()
}

fn grant_consent(workspace: &mut Workspace, url: &str) -> Option<String> {
    let asked = arguments(url);
    let app = workspace
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
        .filter(|scope| workspace.scopes.contains(scope))
        .collect();
    let code = Code {
        client_id: asked["client_id"].clone(),
        redirect_uri: redirect_uri.clone(),
        scope: granted.join(","),
    };
    let name = format!("code-{}", workspace.access.next());
    workspace.access.codes.insert(name.clone(), code);
    let mut back = Url::parse(&redirect_uri).ok()?;
    back.query_pairs_mut()
        .append_pair("code", &name)
        .append_pair("state", &asked["state"]);
    Some(back.into())
}

/// The consent page for browsers.
pub async fn page(
    axum::extract::State(workspace): axum::extract::State<std::sync::Arc<std::sync::Mutex<Workspace>>>,
    RawQuery(query): RawQuery,
) -> Html<String> {
    let url = format!(
        "http://slack.test/oauth/v2/authorize?{}",
        query.unwrap_or_default()
    );
    let allowed = grant_consent(&mut super::lock(&workspace), &url);
    Html(match allowed {
        Some(back) => format!(
            "<h1>{TEAM_NAME}</h1><p>An app asks for permission.</p><a id=\"allow\" href=\"{}\">Allow</a>",
            back.replace('&', "&amp;")
        ),
        None => "<h1>Something is wrong</h1>".to_owned(),
    })
}

/// Performs the methods that need no bot token; none for other methods.
pub fn perform_without_token(workspace: &mut Workspace, headers: &HeaderMap, call: &Logged) -> Option<Value> {
    let refused = |word: &str| json!({ "ok": false, "error": word });
    let authorization = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    match call.method.as_str() {
        "oauth.v2.access" => Some(exchange(workspace, authorization, call).unwrap_or_else(refused)),
        "apps.manifest.create" | "apps.manifest.update" | "apps.manifest.validate" | "apps.icon.set" => {
            let answer = match authorization.strip_prefix("Bearer ") {
                None => refused("not_authed"),
                Some(token) if token.starts_with("xoxe.xoxp-expired") => refused("token_expired"),
                Some(token) if token.starts_with("xoxe.xoxp-") && call.method == "apps.icon.set" => {
                    set_icon(workspace, call).map_or_else(refused, |()| json!({ "ok": true }))
                }
                Some(token) if token.starts_with("xoxe.xoxp-") => manifest(workspace, call),
                Some(token) if token.starts_with("xox") => refused("not_allowed_token_type"),
                Some(_) => refused("invalid_auth"),
            };
            Some(answer)
        }
        _ => None,
    }
}

fn exchange(workspace: &mut Workspace, authorization: &str, call: &Logged) -> Result<Value, &'static str> {
    // In the header or among the arguments.
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
    let access = &mut workspace.access;
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
        workspace.scopes.join(",")
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
    let access = &mut workspace.access;
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

fn manifest(workspace: &mut Workspace, call: &Logged) -> Value {
    let Some(manifest) = call
        .arg("manifest")
        .and_then(|text| serde_json::from_str::<Value>(text).ok())
    else {
        return json!({
            "ok": false,
            "error": "invalid_manifest",
            "errors": [{ "message": "is no JSON", "pointer": "/" }],
        });
    };
    let errors = faults(&manifest);
    if !errors.is_empty() {
        return json!({ "ok": false, "error": "invalid_manifest", "errors": errors });
    }
    let name = manifest["display_information"]["name"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let access = &mut workspace.access;
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

/// Validates by Slack's own schema where it is available, and by further rules that Slack checks.
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
    // Words that Slack reserves.
    if name.to_lowercase().contains("slackbot") {
        faults.push(fault(
            "uses a reserved word".to_owned(),
            "/display_information/name".to_owned(),
        ));
    }
    faults
}

/// Slack validates the dimensions of the image.
fn set_icon(workspace: &mut Workspace, call: &Logged) -> Result<(), &'static str> {
    let id = call.arg("app_id").ok_or("missing_arguments")?;
    let app = workspace.access.apps.iter_mut().find(|app| app.id == id);
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
