//! Database access for posts of the browser preview.
//!
//! Posts of a personal conversation are `only_for` their person. Queries for a viewer return only posts that are
//! for everyone or for that viewer.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;

use crate::assistants::model::Say;
use crate::base::error::Result;
use crate::base::ids::{DeliveryId, OrgId, PostId, UserId};
use crate::base::principal::Principal;
use crate::db::pool::Db;
use crate::db::tx::Tx;

/// A thread ends after this time without a new post.
const IDLE_HOURS: i64 = 12;
/// Maximum number of posts shown of a thread; older ones are left out.
const SHOWN: i64 = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    Person,
    Assistant,
}

crate::text_enum!(Author { Person => "person", Assistant => "assistant" });

/// The content of a post.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Body {
    pub say: Say,
    /// For a person's post: the assistant was asked and will answer.
    #[serde(default)]
    pub awaits: bool,
    /// For an assistant's post: a placeholder for an answer in progress.
    #[serde(default)]
    pub pending: bool,
    /// For a placeholder: what the answer waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doing: Option<String>,
    /// For an assistant's post: the post it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
    /// For an assistant's post in a shared conversation: only one person sees it.
    #[serde(default)]
    pub whispered: bool,
}

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Post {
    pub id: PostId,
    pub author: Author,
    pub user_id: Option<UserId>,
    pub body: Json<Body>,
    pub created_at: DateTime<Utc>,
}

/// A post to be added.
#[derive(Clone, Debug)]
pub struct NewPost {
    pub id: PostId,
    pub conversation: String,
    pub thread: String,
    pub author: Author,
    pub user: Option<UserId>,
    pub only_for: Option<UserId>,
    pub delivery: Option<DeliveryId>,
    pub body: Body,
}

/// A thread in the list of earlier conversations.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Thread {
    pub thread: String,
    pub last_at: DateTime<Utc>,
}

/// Adds a post. Returns false if it, or a post for the same delivery, already exists.
pub async fn add(tx: &mut Tx, org: OrgId, post: &NewPost) -> Result<bool> {
    let at = tx.now().await?;
    let added = tx
        .query(
            "INSERT INTO preview_posts
                 (org_id, id, conversation, thread, author, user_id, only_for, delivery_id, body, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT DO NOTHING",
        )
        .bind(org)
        .bind(post.id)
        .bind(post.conversation.as_str())
        .bind(post.thread.as_str())
        .bind(post.author)
        .bind(post.user)
        .bind(post.only_for)
        .bind(post.delivery)
        .bind(Json(&post.body))
        .bind(at)
        .execute()
        .await?;
    Ok(added == 1)
}

/// Replaces the content of an assistant's post; `pending` if it is still a placeholder. Returns false if there is no
/// such post.
pub async fn replace(tx: &mut Tx, org: OrgId, id: PostId, say: &Say, pending: bool) -> Result<bool> {
    let found = tx
        .query("SELECT body FROM preview_posts WHERE org_id = $1 AND id = $2 AND author = $3")
        .bind(org)
        .bind(id)
        .bind(Author::Assistant)
        .optional::<(Json<Body>,)>()
        .await?;
    let Some((Json(body),)) = found else {
        return Ok(false);
    };
    let body = Body {
        say: say.clone(),
        pending,
        doing: None,
        ..body
    };
    set_body(tx, org, id, body).await?;
    Ok(true)
}

async fn set_body(tx: &mut Tx, org: OrgId, id: PostId, body: Body) -> Result<()> {
    tx.query("UPDATE preview_posts SET body = $1 WHERE org_id = $2 AND id = $3")
        .bind(Json(body))
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Says in the placeholders of a thread what their answers wait for.
pub async fn set_doing(tx: &mut Tx, org: OrgId, thread: &str, words: &str) -> Result<()> {
    let latest = tx
        .query(
            "SELECT id, body FROM preview_posts WHERE org_id = $1 AND thread = $2 AND author = $3
             ORDER BY created_at DESC, id DESC LIMIT 5",
        )
        .bind(org)
        .bind(thread)
        .bind(Author::Assistant)
        .all::<(PostId, Json<Body>)>()
        .await?;
    for (id, Json(body)) in latest.into_iter().filter(|(_, body)| body.pending) {
        let body = Body {
            doing: Some(words.to_owned()),
            ..body
        };
        set_body(tx, org, id, body).await?;
    }
    Ok(())
}

/// The post that was added for a delivery.
pub async fn of_delivery(db: &Db, org: OrgId, delivery: DeliveryId) -> Result<Option<PostId>> {
    let found = db
        .query("SELECT id FROM preview_posts WHERE org_id = $1 AND delivery_id = $2")
        .bind(org)
        .bind(delivery)
        .optional::<(PostId,)>()
        .await?;
    Ok(found.map(|(id,)| id))
}

/// The posts of a thread that the viewer can see, oldest first.
pub async fn posts(db: &Db, viewer: &Principal, conversation: &str, thread: &str) -> Result<Vec<Post>> {
    let mut posts = db
        .query(
            "SELECT id, author, user_id, body, created_at FROM preview_posts
             WHERE org_id = $1 AND conversation = $2 AND thread = $3 AND (only_for IS NULL OR only_for = $4)
             ORDER BY created_at DESC, id DESC LIMIT $5",
        )
        .bind(viewer.org)
        .bind(conversation)
        .bind(thread)
        .bind(viewer.user)
        .bind(SHOWN)
        .all::<Post>()
        .await?;
    posts.reverse();
    Ok(posts)
}

/// The latest threads of a conversation that the viewer can see, newest first.
pub async fn threads(db: &Db, viewer: &Principal, conversation: &str, limit: i64) -> Result<Vec<Thread>> {
    let threads = db
        .query(
            "SELECT thread, MAX(created_at) AS last_at FROM preview_posts
             WHERE org_id = $1 AND conversation = $2 AND (only_for IS NULL OR only_for = $3)
             GROUP BY thread ORDER BY MAX(created_at) DESC, thread DESC LIMIT $4",
        )
        .bind(viewer.org)
        .bind(conversation)
        .bind(viewer.user)
        .bind(limit)
        .all::<Thread>()
        .await?;
    Ok(threads)
}

/// The latest thread, if it is not idle at `now`.
pub async fn current_thread(
    db: &Db,
    viewer: &Principal,
    conversation: &str,
    now: DateTime<Utc>,
) -> Result<Option<String>> {
    let latest = threads(db, viewer, conversation, 1).await?.into_iter().next();
    Ok(latest
        .filter(|latest| !is_idle(latest.last_at, now))
        .map(|latest| latest.thread))
}

/// Whether a thread with its last post at `last` has ended at `now`.
pub fn is_idle(last: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - last > TimeDelta::hours(IDLE_HOURS)
}

/// The first posts of these threads. A thread has the ID of its first post.
pub async fn openings(db: &Db, viewer: &Principal, conversation: &str, ids: &[PostId]) -> Result<Vec<Post>> {
    let posts = db
        .build("SELECT id, author, user_id, body, created_at FROM preview_posts WHERE org_id = ")
        .bind(viewer.org)
        .push(" AND conversation = ")
        .bind(conversation)
        .push(" AND (only_for IS NULL OR only_for = ")
        .bind(viewer.user)
        .push(") AND id IN ")
        .list(ids.iter().copied())
        .done()
        .all::<Post>()
        .await?;
    Ok(posts)
}
