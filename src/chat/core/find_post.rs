//! Finding our posts again in a conversation's history, which platforms return page by page. A post of ours
//! carries an identifier that follows from its delivery ([`post_ids`](crate::chat::core::post_ids)); how a message
//! carries it is the platform's.

use crate::base::ids::DeliveryId;
use crate::chat::core::platform::{Failure, LookupResult, Post, Result};

/// Most pages of a history that are read.
pub const HISTORY_PAGES: usize = 10;

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Where the next page begins; empty on the last page.
    pub next: String,
}

/// How reading a list ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan<B> {
    /// The visitor stopped it with this.
    Found(B),
    /// After the last page.
    End,
    /// After the most pages that may be read.
    TooLong,
}

impl<T> Page<T> {
    pub fn filter_map<U>(self, keep: impl FnMut(T) -> Option<U>) -> Page<U> {
        Page {
            items: self.items.into_iter().filter_map(keep).collect(),
            next: self.next,
        }
    }
}

/// Reads page after page, the first with an empty cursor, until `visit` returns something.
pub async fn scan<T, B, F>(
    max_pages: usize,
    read: impl Fn(String) -> F,
    mut visit: impl FnMut(T) -> Option<B>,
) -> Result<Scan<B>>
where
    F: Future<Output = Result<Page<T>>>,
{
    let mut cursor = String::new();
    for _ in 0..max_pages {
        let page = read(cursor).await?;
        if let Some(found) = page.items.into_iter().find_map(&mut visit) {
            return Ok(Scan::Found(found));
        }
        if page.next.is_empty() {
            return Ok(Scan::End);
        }
        cursor = page.next;
    }
    Ok(Scan::TooLong)
}

/// Looks for the post that carries `id`. `read` returns our own posts only.
pub async fn find_post<F>(read: impl Fn(String) -> F, id: DeliveryId) -> Result<LookupResult>
where
    F: Future<Output = Result<Page<Post>>>,
{
    let matching = |post: Post| (post.id == id).then_some(post.receipt);
    match scan(HISTORY_PAGES, read, matching).await {
        Ok(Scan::Found(receipt)) => Ok(LookupResult::Found(receipt)),
        Ok(Scan::End) => Ok(LookupResult::Absent),
        // Reading a conversation is an optional right.
        Ok(Scan::TooLong) | Err(Failure::MissingPermission(_)) => Ok(LookupResult::Unreadable),
        Err(failure) => Err(failure),
    }
}

/// All our posts, oldest first; none where we may not read the history.
pub async fn our_posts<F>(read: impl Fn(String) -> F) -> Result<Vec<Post>>
where
    F: Future<Output = Result<Page<Post>>>,
{
    let mut posts = Vec::new();
    let collect = |post| {
        posts.push(post);
        None::<()>
    };
    match scan(HISTORY_PAGES, read, collect).await {
        Ok(_) => {}
        Err(Failure::MissingPermission(_)) => return Ok(Vec::new()),
        Err(failure) => return Err(failure),
    }
    posts.sort_by(|one, other| one.receipt.cmp(&other.receipt));
    Ok(posts)
}
