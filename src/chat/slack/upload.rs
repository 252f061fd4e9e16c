//! Uploads files to Slack: asks for an upload URL, sends the bytes there, and shares the file in a thread. Nobody
//! sees it before the last step, so only that one must not be repeated.

use std::borrow::Cow;
use std::time::Duration;

use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::assistants::model::{Installation, Target};
use crate::chat::core::effect::{Effect, wait_after};
use crate::chat::core::platform::{Failure, OutgoingFile, Result};
use crate::chat::slack::api::Call;
use crate::chat::slack::client::SlackPlatform;
use crate::net::client::{NoReply, send};

/// Longest that sending the bytes may take.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Largest response to them, whose content does not matter.
const MAX_RESPONSE: usize = 64 << 10;

/// `files.getUploadURLExternal`.
#[derive(Deserialize)]
struct Slot {
    upload_url: String,
    file_id: String,
}

/// `files.completeUploadExternal`, whose content does not matter.
#[derive(Deserialize)]
struct Completed {}

/// `files.info`.
#[derive(Deserialize)]
struct Info {
    #[serde(default)]
    file: Value,
}

impl SlackPlatform {
    /// Uploads a file without showing it to anyone. Returns Slack's id of it.
    pub(super) async fn upload(&self, at: &Installation, file: &OutgoingFile) -> Result<String> {
        let length = file.bytes.len().to_string();
        let call = || {
            Call::new("files.getUploadURLExternal", Effect::Repeatable, "")
                .with("filename", file.name.as_str())
                .with("length", Cow::Borrowed(length.as_str()))
        };
        let slot: Slot = self.read(at, call).await?;
        let fits = url::Url::parse(&slot.upload_url).is_ok_and(|url| self.hosts.allow(&url));
        if !fits {
            return Err(Failure::Rejected(
                "the upload URL is not on a host of Slack's".to_owned(),
            ));
        }
        // The URL itself is the permission: no token is sent.
        let unavailable = |error: NoReply| match error {
            NoReply::NotSent(why) | NoReply::Unknown(why) | NoReply::TimedOut(why) => {
                Failure::Unavailable(why)
            }
        };
        let request = self.outbound.post(&slot.upload_url).map_err(unavailable)?;
        let request = request
            .header("content-type", "application/octet-stream")
            .timeout(TIMEOUT)
            .body(file.bytes.clone());
        let reply = send(request, MAX_RESPONSE).await.map_err(unavailable)?;
        match reply.status {
            status if status.is_success() => Ok(slot.file_id),
            StatusCode::TOO_MANY_REQUESTS => Err(Failure::Wait(wait_after(reply.retry_after))),
            status if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT => {
                Err(Failure::Unavailable(format!("HTTP {}", status.as_u16())))
            }
            status => Err(Failure::Rejected(format!("HTTP {}", status.as_u16()))),
        }
    }

    /// Shares an uploaded file in the thread.
    pub(super) async fn share_upload(
        &self,
        at: &Installation,
        target: &Target,
        id: &str,
        name: &str,
    ) -> Result<()> {
        let place = &target.place;
        let files = json!([{ "id": id, "title": name }]).to_string();
        let mut call = Call::new("files.completeUploadExternal", Effect::Post, &place.conversation)
            .with("files", files)
            .with("channel_id", place.conversation.as_str());
        if !place.thread.is_empty() {
            call = call.with("thread_ts", place.thread.as_str());
        }
        self.api.call::<Completed>(at, call).await.map(drop)
    }

    /// Whether an uploaded file is shared somewhere.
    pub(super) async fn is_upload_shared(&self, at: &Installation, id: &str) -> Result<bool> {
        let call = || Call::new("files.info", Effect::Repeatable, "").with("file", id);
        let info: Info = self.read(at, call).await?;
        let listed = |path: &str| match info.file.pointer(path) {
            Some(Value::Array(list)) => !list.is_empty(),
            Some(Value::Object(map)) => !map.is_empty(),
            _ => false,
        };
        let lists = [
            "/channels",
            "/groups",
            "/ims",
            "/shares/public",
            "/shares/private",
        ];
        Ok(lists.into_iter().any(listed))
    }
}
