//! Downloads files from Slack's hosts only.
//!
//! Without permission, Slack answers with a sign-in page and status 200, and a redirect may lead anywhere. So
//! redirects are followed one by one, the token is sent to Slack's hosts only, and a page is recognized. Does not
//! decide how many bytes a question may have.

use std::time::Duration;

use reqwest::StatusCode;
use serde::Deserialize;
use url::Url;

use crate::assistants::model::{FileAvailability, FileStub, Installation};
use crate::chat::core::effect::{Effect, wait_after};
use crate::chat::core::platform::{Failure, FetchedFile, Result};
use crate::chat::slack::api::Call;
use crate::chat::slack::client::SlackPlatform;
use crate::chat::slack::file_stub::File;
use crate::files::model::Refusal;
use crate::net::client::NoReply;
use crate::net::download::{Download, download};

/// Most redirects that are followed.
const MAX_REDIRECTS: usize = 3;
/// Longest that one attempt may take, and how many there are. The caller bounds the time for all files.
const TIMEOUT: Duration = Duration::from_secs(30);
const MAX_ATTEMPTS: u32 = 3;
/// Longest wait that is spent here; the caller handles longer ones.
const SHORT_WAIT: Duration = Duration::from_secs(3);

/// `files.info`.
#[derive(Deserialize)]
struct Info {
    #[serde(default)]
    file: Option<serde_json::Value>,
}

impl SlackPlatform {
    /// Downloads at most `most` bytes, and one more where the file is longer.
    pub(super) async fn download_file(
        &self,
        at: &Installation,
        stub: &FileStub,
        most: u64,
    ) -> Result<FetchedFile> {
        let mut stub = stub.clone();
        if stub.availability == FileAvailability::NeedsLookup {
            stub = match self.fetch_info(at, &stub).await {
                Ok(found) => found,
                Err(Failure::Rejected(word))
                    if matches!(word.as_str(), "file_deleted" | "file_not_found") =>
                {
                    return Ok(FetchedFile::refused(stub, Refusal::Gone));
                }
                Err(
                    Failure::Rejected(_)
                    | Failure::NotHere(..)
                    | Failure::MissingPermission(_)
                    | Failure::NoRecipient(_),
                ) => {
                    return Ok(FetchedFile::refused(stub, Refusal::NoAccess));
                }
                Err(failure) => return Err(failure),
            };
        }
        match stub.availability {
            FileAvailability::External => return Ok(FetchedFile::refused(stub, Refusal::External)),
            FileAvailability::Gone => return Ok(FetchedFile::refused(stub, Refusal::Gone)),
            FileAvailability::Unreadable => return Ok(FetchedFile::refused(stub, Refusal::NotText)),
            FileAvailability::Available | FileAvailability::NeedsLookup => {}
        }
        let Some(address) = stub.url.clone() else {
            return Ok(FetchedFile::refused(stub, Refusal::NoAccess));
        };
        let content = self.content(at, &stub, &address, most).await?;
        Ok(FetchedFile { stub, content })
    }

    /// Looks up what an event left out: a file shared from another workspace has only an id.
    async fn fetch_info(&self, at: &Installation, stub: &FileStub) -> Result<FileStub> {
        let call = || Call::new("files.info", Effect::Repeatable, "").with("file", stub.id.as_str());
        let info: Info = self.read(at, call).await?;
        let text = info.file.unwrap_or_default().to_string();
        let found = serde_json::from_str::<File<'_>>(&text).map(|file| file.stub());
        Ok(found.unwrap_or_else(|_| stub.clone()))
    }

    async fn content(
        &self,
        at: &Installation,
        stub: &FileStub,
        address: &str,
        most: u64,
    ) -> Result<Result<Vec<u8>, Refusal>> {
        let at = self.api.with_lasting_token(at).await?;
        let mut attempt = 1;
        loop {
            let failure = match self.follow(&at, stub, address, most).await {
                Err(failure) => failure,
                outcome => return outcome,
            };
            let pause = match &failure {
                Failure::Wait(wait) if *wait <= SHORT_WAIT => *wait,
                Failure::Unavailable(_) => Duration::from_millis(200) * attempt,
                _ => return Err(failure),
            };
            if attempt >= MAX_ATTEMPTS {
                return Err(failure);
            }
            attempt += 1;
            tokio::time::sleep(pause).await;
        }
    }

    /// One attempt, from redirect to redirect.
    async fn follow(
        &self,
        at: &Installation,
        stub: &FileStub,
        address: &str,
        most: u64,
    ) -> Result<Result<Vec<u8>, Refusal>> {
        let Ok(mut url) = Url::parse(address) else {
            return Ok(Err(Refusal::NoAccess));
        };
        for _ in 0..=MAX_REDIRECTS {
            if !self.hosts.allow(&url) {
                tracing::warn!(installation = %at.id, file = stub.id, "a file's URL is not on a host of Slack's");
                return Ok(Err(Refusal::ForeignHost));
            }
            let got = self.get(at, &url, most).await?;
            if got.status.is_redirection() {
                let next = got.location.and_then(|location| url.join(&location).ok());
                let Some(next) = next else {
                    return Ok(Err(Refusal::Unreachable));
                };
                url = next;
                continue;
            }
            return read(at, stub, got);
        }
        tracing::warn!(installation = %at.id, file = stub.id, "a file's URL has too many redirects");
        Ok(Err(Refusal::Unreachable))
    }

    async fn get(&self, at: &Installation, url: &Url, most: u64) -> Result<Download> {
        let Some(token) = at.slack().bot_token.as_ref() else {
            return Err(Failure::Disabled("there is no bot token".to_owned()));
        };
        let request = self.outbound.get(url.as_str()).map_err(unavailable)?;
        let request = request.bearer_auth(token.expose()).timeout(TIMEOUT);
        download(request, most).await.map_err(unavailable)
    }
}

fn unavailable(error: NoReply) -> Failure {
    match error {
        NoReply::NotSent(why) | NoReply::Unknown(why) | NoReply::TimedOut(why) => Failure::Unavailable(why),
    }
}

fn read(at: &Installation, stub: &FileStub, got: Download) -> Result<Result<Vec<u8>, Refusal>> {
    match got.status {
        StatusCode::TOO_MANY_REQUESTS => {
            return Err(Failure::Wait(wait_after(got.retry_after)));
        }
        status if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT => {
            return Err(Failure::Unavailable(format!("HTTP {}", status.as_u16())));
        }
        StatusCode::NOT_FOUND | StatusCode::GONE => return Ok(Err(Refusal::Gone)),
        status if !status.is_success() => return Ok(Err(Refusal::NoAccess)),
        _ => {}
    }
    if is_page(stub, &got) {
        tracing::warn!(
            installation = %at.id, file = stub.id, "Slack sent a page instead of a file: files:read may be missing"
        );
        return Ok(Err(Refusal::NoAccess));
    }
    Ok(Ok(got.body))
}

/// Whether an HTML page arrived where none was declared: most likely a sign-in page.
fn is_page(stub: &FileStub, got: &Download) -> bool {
    let is_html = |kind: &Option<String>| {
        let kind = kind.as_deref().unwrap_or_default();
        kind.trim_start().to_ascii_lowercase().starts_with("text/html")
    };
    if is_html(&stub.declared_type) {
        return false;
    }
    let start: Vec<u8> = got.body.iter().take(1_024).copied().collect();
    let start = String::from_utf8_lossy(&start).to_ascii_lowercase();
    let start = start.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    is_html(&got.content_type) || start.starts_with("<!doctype") || start.starts_with("<html")
}
