//! The icon of an assistant, stored as a blob. The type, the size in pixels and the end marker are checked; the image
//! is never decoded.

use serde_json::json;

use crate::assistants::assistant_store;
use crate::assistants::service::Assistants;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, OrgId};
use crate::blobs::store::{BlobKey, Blobs};

/// Maximum size in bytes.
pub const MAX_BYTES: usize = 1024 * 1024;
/// Minimum and maximum number of pixels on each side. Slack accepts these.
pub const SIDE_PIXELS: (usize, usize) = (512, 2000);

/// A checked icon.
#[derive(Clone, Debug)]
pub struct Icon {
    pub bytes: Vec<u8>,
    /// The media type.
    pub kind: &'static str,
}

impl Assistants {
    /// Checks and stores an icon, and deletes the previous one.
    pub async fn set_icon(
        &self,
        blobs: &Blobs,
        actor: Actor,
        org: OrgId,
        id: AssistantId,
        bytes: Vec<u8>,
    ) -> Result<()> {
        let before = self.assistant(org, id).await?.icon_key;
        let kind = image_type(&bytes)?;
        let key = BlobKey::random()?;
        blobs.put(org, &key, bytes).await?;
        self.put_icon(actor, org, id, Some((key, kind))).await?;
        delete_blob(blobs, org, before).await;
        Ok(())
    }

    /// Removes the icon, if there is one.
    pub async fn remove_icon(&self, blobs: &Blobs, actor: Actor, org: OrgId, id: AssistantId) -> Result<()> {
        let before = self.assistant(org, id).await?.icon_key;
        if before.is_some() {
            self.put_icon(actor, org, id, None).await?;
            delete_blob(blobs, org, before).await;
        }
        Ok(())
    }

    /// The icon, if there is one.
    pub async fn icon(&self, blobs: &Blobs, org: OrgId, id: AssistantId) -> Result<Option<Icon>> {
        let Some(key) = self.assistant(org, id).await?.icon_key else {
            return Ok(None);
        };
        let bytes = blobs.get(org, &BlobKey::stored(&key)?, MAX_BYTES as u64).await?;
        // Check again, so that nothing but an image is ever served as one.
        let kind = image_type(&bytes)?;
        Ok(Some(Icon { bytes, kind }))
    }

    /// Returns those of the blob keys that belong to icons. The sweep deletes the others.
    pub async fn used_keys(&self, org: OrgId, keys: &[BlobKey]) -> Result<Vec<String>> {
        let used: Vec<(String,)> = self
            .db
            .build("SELECT icon_key FROM assistants WHERE org_id = ")
            .bind(org)
            .push(" AND icon_key IN ")
            .list(keys.iter().map(|key| key.as_str().to_owned()))
            .done()
            .all()
            .await?;
        Ok(used.into_iter().map(|(key,)| key).collect())
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

/// Deletes the blob of an old icon. A failure is only logged: the blob wastes space but does no harm.
async fn delete_blob(blobs: &Blobs, org: OrgId, key: Option<String>) {
    let Some(Ok(key)) = key.map(|key| BlobKey::stored(&key)) else {
        return;
    };
    if let Err(error) = blobs.delete(org, &key).await {
        tracing::warn!(error = error.chain(), "could not delete the blob of an old icon");
    }
}

/// Checks that the bytes are an image that may be an icon, and returns its media type.
fn image_type(bytes: &[u8]) -> Result<&'static str> {
    if bytes.is_empty() {
        return Err(Error::invalid("icon", "was not chosen"));
    }
    if bytes.len() > MAX_BYTES {
        return Err(Error::invalid("icon", "is larger than 1 MiB"));
    }
    let kind = match infer::get(bytes).map(|found| found.mime_type()) {
        Some("image/png") => "image/png",
        Some("image/jpeg") => "image/jpeg",
        _ => return Err(Error::invalid("icon", "must be a PNG or JPEG picture")),
    };
    let size = imagesize::blob_size(bytes)
        .map_err(|_| Error::invalid("icon", "is damaged: its size cannot be read"))?;
    if !has_end_marker(kind, bytes) {
        return Err(Error::invalid("icon", "is cut off: its end is missing"));
    }
    let (min, max) = SIDE_PIXELS;
    if size.width != size.height || size.width < min || size.width > max {
        return Err(Error::invalid(
            "icon",
            format!(
                "is {} × {} pixels; it must be square, with {min} to {max} pixels on each side",
                size.width, size.height
            ),
        ));
    }
    Ok(kind)
}

/// Whether the image has its end marker, so that it was not cut off.
fn has_end_marker(kind: &str, bytes: &[u8]) -> bool {
    match kind {
        "image/png" => bytes.windows(8).any(|end| end == b"IEND\xAE\x42\x60\x82"),
        // The marker may be followed by data that cameras append.
        _ => bytes.windows(2).skip(2).any(|end| end == [0xFF, 0xD9]),
    }
}
