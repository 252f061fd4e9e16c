//! The icon of an assistant: checked by its first bytes and its size in pixels, never decoded; kept with
//! the files.

use serde_json::json;

use crate::assistants::assistant_store;
use crate::assistants::service::Assistants;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, OrgId};
use crate::blobs::store::{BlobKey, Blobs};

/// Most bytes.
pub const MOST: usize = 1024 * 1024;
/// Fewest and most pixels on each side: what Slack takes.
pub const PIXELS: (usize, usize) = (512, 2000);

/// An icon's bytes, and their type.
#[derive(Clone, Debug)]
pub struct Icon {
    pub bytes: Vec<u8>,
    pub kind: &'static str,
}

impl Assistants {
    /// Takes over an icon; the one before goes.
    pub async fn set_icon(
        &self,
        blobs: &Blobs,
        actor: Actor,
        org: OrgId,
        id: AssistantId,
        bytes: Vec<u8>,
    ) -> Result<()> {
        let before = self.assistant(org, id).await?.icon_key;
        let kind = checked(&bytes)?;
        let key = BlobKey::random()?;
        blobs.put(org, &key, bytes).await?;
        self.put_icon(actor, org, id, Some((key, kind))).await?;
        forget(blobs, org, before).await;
        Ok(())
    }

    pub async fn remove_icon(&self, blobs: &Blobs, actor: Actor, org: OrgId, id: AssistantId) -> Result<()> {
        let before = self.assistant(org, id).await?.icon_key;
        if before.is_some() {
            self.put_icon(actor, org, id, None).await?;
            forget(blobs, org, before).await;
        }
        Ok(())
    }

    /// The icon, where there is one.
    pub async fn icon(&self, blobs: &Blobs, org: OrgId, id: AssistantId) -> Result<Option<Icon>> {
        let Some(key) = self.assistant(org, id).await?.icon_key else {
            return Ok(None);
        };
        let bytes = blobs.get(org, &BlobKey::stored(&key)?, MOST as u64).await?;
        // Looked at again: what is served as a picture is one.
        let kind = checked(&bytes)?;
        Ok(Some(Icon { bytes, kind }))
    }

    /// Those of the keys whose bytes are an assistant's icon.
    pub async fn keeps(&self, org: OrgId, keys: &[BlobKey]) -> Result<Vec<String>> {
        let kept: Vec<(String,)> = self
            .db
            .build("SELECT icon_key FROM assistants WHERE org_id = ")
            .bind(org)
            .push(" AND icon_key IN ")
            .list(keys.iter().map(|key| key.as_str().to_owned()))
            .done()
            .all()
            .await?;
        Ok(kept.into_iter().map(|(key,)| key).collect())
    }

    async fn put_icon(
        &self,
        actor: Actor,
        org: OrgId,
        id: AssistantId,
        icon: Option<(BlobKey, &'static str)>,
    ) -> Result<()> {
        let put = self.db.write(move |tx| {
            let icon = icon.clone();
            Box::pin(async move {
                let (key, kind) = icon.as_ref().map(|(key, kind)| (key.as_str(), *kind)).unzip();
                if !assistant_store::set_icon(tx, org, id, key, kind).await? {
                    return Err(Error::NotFound("assistant"));
                }
                let details = json!({ "type": kind });
                audit::add(tx, org, actor, "assistant.icon", &id.to_string(), details).await
            })
        });
        put.await
    }
}

/// What is left behind costs space and nothing else.
async fn forget(blobs: &Blobs, org: OrgId, key: Option<String>) {
    let Some(Ok(key)) = key.map(|key| BlobKey::stored(&key)) else {
        return;
    };
    if let Err(error) = blobs.delete(org, &key).await {
        tracing::warn!(error = error.chain(), "an old icon could not be removed");
    }
}

/// The type of a picture that may be an icon.
fn checked(bytes: &[u8]) -> Result<&'static str> {
    if bytes.is_empty() {
        return Err(Error::invalid("icon", "was not chosen"));
    }
    if bytes.len() > MOST {
        return Err(Error::invalid("icon", "is larger than 1 MiB"));
    }
    let kind = match infer::get(bytes).map(|found| found.mime_type()) {
        Some("image/png") => "image/png",
        Some("image/jpeg") => "image/jpeg",
        _ => return Err(Error::invalid("icon", "must be a PNG or JPEG picture")),
    };
    let size = imagesize::blob_size(bytes)
        .map_err(|_| Error::invalid("icon", "is damaged: its size cannot be read"))?;
    if !is_whole(kind, bytes) {
        return Err(Error::invalid("icon", "is cut off: its end is missing"));
    }
    let (least, most) = PIXELS;
    if size.width != size.height || size.width < least || size.width > most {
        return Err(Error::invalid(
            "icon",
            format!(
                "is {} × {} pixels; it must be square, with {least} to {most} pixels on each side",
                size.width, size.height
            ),
        ));
    }
    Ok(kind)
}

/// The picture's end mark is there.
fn is_whole(kind: &str, bytes: &[u8]) -> bool {
    match kind {
        "image/png" => bytes.windows(8).any(|end| end == b"IEND\xAE\x42\x60\x82"),
        // What cameras append comes after it.
        _ => bytes.windows(2).skip(2).any(|end| end == [0xFF, 0xD9]),
    }
}
