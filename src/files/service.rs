//! Files taken in: bytes to the storage first, then the rows in the caller's transaction. What is done
//! again after a crash overwrites the same bytes and adds no second row.

use crate::base::error::Result;
use crate::base::ids::{FileId, MessageId, OrgId, UserId};
use crate::base::text::shortened;
use crate::blobs::store::{BlobKey, Blobs};
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::files::model::{Audience, File, Refusal, Verdict};
use crate::files::{sniff, store};

/// Longest name that is kept, in characters.
const NAME: usize = 255;

/// A file on its way in.
#[derive(Debug)]
pub struct Arrival {
    /// What it came with, and its place there.
    pub origin: String,
    pub position: usize,
    pub owner: UserId,
    pub audience: Audience,
    pub name: String,
    pub declared_type: Option<String>,
    /// Its bytes, or why there are none.
    pub content: Result<Vec<u8>, Refusal>,
}

impl Arrival {
    /// The same file without its bytes, for when these cannot be kept.
    #[must_use]
    pub fn refused(&self, refusal: Refusal) -> Self {
        Self {
            origin: self.origin.clone(),
            position: self.position,
            owner: self.owner,
            audience: self.audience,
            name: self.name.clone(),
            declared_type: self.declared_type.clone(),
            content: Err(refusal),
        }
    }
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Files {
    db: Db,
    blobs: Blobs,
}

impl Files {
    pub fn new(db: Db, blobs: Blobs) -> Self {
        Self { db, blobs }
    }

    /// Looks at the content and keeps the bytes of what is taken. The row is the caller's to
    /// [`add`](Self::add), in the transaction in which it matters.
    pub async fn receive(&self, org: OrgId, arrival: Arrival) -> Result<File> {
        let Arrival {
            origin,
            position,
            owner,
            audience,
            name,
            declared_type,
            content,
        } = arrival;
        let mut file = File {
            id: FileId::new(),
            position: i64::try_from(position).unwrap_or(i64::MAX),
            owner,
            audience,
            name: shortened(&plain(&name), NAME),
            declared_type: declared_type.map(|kind| shortened(&plain(&kind), NAME)),
            kind: None,
            macros: false,
            bytes: None,
            sha256: None,
            blob: None,
            verdict: Verdict::Refused,
            refusal: None,
            origin,
        };
        let sniffed = content.and_then(|bytes| {
            let found = sniff::sniff(&file.name, file.declared_type.as_deref(), &bytes)?;
            Ok((bytes, found))
        });
        match sniffed {
            Ok((bytes, found)) => {
                let key = BlobKey::derived(&[&file.origin, &position.to_string()]);
                file.kind = Some(found.kind);
                file.macros = found.macros;
                file.bytes = i64::try_from(bytes.len()).ok();
                file.sha256 = Some(sha256(&bytes));
                self.blobs.put(org, &key, bytes).await?;
                file.blob = Some(key);
                file.verdict = Verdict::NotYetReadable;
            }
            Err(refusal) => file.refusal = Some(refusal),
        }
        Ok(file)
    }

    /// Adds the rows in the caller's transaction, and names the question they came with, if there is one.
    pub async fn add(
        &self,
        tx: &mut Tx,
        org: OrgId,
        files: &[File],
        message: Option<MessageId>,
    ) -> Result<()> {
        for file in files {
            let added = store::add(tx, org, file).await?;
            if let Some(message) = message.filter(|_| added) {
                store::attach(tx, org, message, file.position, file.id).await?;
            }
        }
        Ok(())
    }

    /// What came with one thing, in order.
    pub async fn of_origin(&self, org: OrgId, origin: &str) -> Result<Vec<File>> {
        store::of_origin(self.db.read(), org, origin).await
    }

    /// What came with one question, in order.
    pub async fn of_message(&self, org: OrgId, message: MessageId) -> Result<Vec<File>> {
        store::of_message(self.db.read(), org, message).await
    }
}

/// In one line, without what PostgreSQL or a reader could stumble on.
fn plain(text: &str) -> String {
    let one_line = |sign: char| if sign.is_control() { ' ' } else { sign };
    text.chars().map(one_line).collect::<String>().trim().to_owned()
}

fn sha256(bytes: &[u8]) -> Vec<u8> {
    use sha2::Digest as _;
    sha2::Sha256::digest(bytes).to_vec()
}
