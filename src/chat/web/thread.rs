//! A thread of the preview as one person sees it: posts with names and safe HTML, and answers in progress.
//!
//! Independent of requests: the page and the polled fragment are built from the same view.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};

use crate::accounts::service::Accounts;
use crate::assistants::model::{Part, Say};
use crate::base::error::{Error, Result};
use crate::base::ids::UserId;
use crate::chat::web::markdown;
use crate::chat::web::store::{Author, Body, Post};
use crate::edge::view::initial;
use crate::edge::visitor::Visitor;

/// Every run has ended after this time, so the page stops waiting for an answer.
const LONGEST_RUN_MINUTES: i64 = 30;

/// A post as the page shows it.
#[derive(Clone, Debug)]
pub struct ShownPost {
    pub id: String,
    pub mine: bool,
    pub by_assistant: bool,
    pub name: String,
    pub initial: String,
    pub time: Moment,
    /// Safe HTML.
    pub html: String,
    /// Footnotes, such as sources and audience.
    pub notes: Vec<String>,
    pub links: Vec<Link>,
    /// Visible only to the viewer, in a shared conversation.
    pub whispered: bool,
    /// The viewer's own message that does not address the assistant, in a shared conversation.
    pub unaddressed: bool,
    /// Set while the assistant works on the answer.
    pub working: Option<Working>,
}

#[derive(Clone, Debug)]
pub struct Link {
    pub label: String,
    pub url: String,
}

/// An answer in progress.
#[derive(Clone, Debug)]
pub struct Working {
    /// What it waits for: "Computing DSCR…".
    pub words: String,
    pub since: String,
    pub seconds: i64,
}

/// A time in machine-readable form and as shown.
#[derive(Clone, Debug)]
pub struct Moment {
    pub iso: String,
    pub shown: String,
}

/// The posts of a thread and what it waits for.
#[derive(Clone, Debug, Default)]
pub struct View {
    pub posts: Vec<ShownPost>,
    /// Set while a question of the viewer has no answer and no placeholder yet.
    pub working: Option<Working>,
}

impl View {
    pub fn is_pending(&self) -> bool {
        self.working.is_some() || self.posts.iter().any(|post| post.working.is_some())
    }

    /// Only the posts after the one with this ID; all if there is no such post.
    #[must_use]
    pub fn after(mut self, id: &str) -> Self {
        if let Some(at) = self.posts.iter().position(|post| post.id == id) {
            self.posts.drain(..=at);
        }
        self
    }
}

/// Builds the view of `posts`, oldest first, for `visitor`.
pub async fn view(
    accounts: &Accounts,
    visitor: &Visitor,
    assistant_name: &str,
    posts: &[Post],
    now: DateTime<Utc>,
) -> Result<View> {
    let mut names = HashMap::from([(visitor.principal.user, visitor.name.clone())]);
    let mut shown = Vec::with_capacity(posts.len());
    for post in posts {
        let name = match (post.author, post.user_id) {
            (Author::Person, Some(user)) => name_of(accounts, visitor, &mut names, user).await?,
            (Author::Person, None) => "Someone".to_owned(),
            (Author::Assistant, _) => assistant_name.to_owned(),
        };
        shown.push(show(post, name, visitor.principal.user, now));
    }
    Ok(View {
        posts: shown,
        working: unanswered(posts, visitor.principal.user, now),
    })
}

/// The time of day, with the date unless it is today.
pub fn moment(at: DateTime<Utc>, now: DateTime<Utc>) -> Moment {
    let format = if at.date_naive() == now.date_naive() {
        "%H:%M UTC"
    } else {
        "%-d %b %Y, %H:%M UTC"
    };
    Moment {
        iso: at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        shown: at.format(format).to_string(),
    }
}

async fn name_of(
    accounts: &Accounts,
    visitor: &Visitor,
    names: &mut HashMap<UserId, String>,
    user: UserId,
) -> Result<String> {
    if let Some(name) = names.get(&user) {
        return Ok(name.clone());
    }
    let name = match accounts.membership(visitor.principal.org, user).await {
        Ok(member) => member.name,
        Err(Error::NotFound(_)) => "Former member".to_owned(),
        Err(error) => return Err(error),
    };
    names.insert(user, name.clone());
    Ok(name)
}

fn show(post: &Post, name: String, viewer: UserId, now: DateTime<Utc>) -> ShownPost {
    let Body {
        say,
        awaits,
        pending,
        doing,
        whispered,
        ..
    } = &post.body.0;
    let by_assistant = post.author == Author::Assistant;
    let mine = !by_assistant && post.user_id == Some(viewer);
    let parts = if by_assistant { say.parts.as_slice() } else { &[] };
    ShownPost {
        id: post.id.to_string(),
        mine,
        by_assistant,
        initial: initial(&name),
        name,
        time: moment(post.created_at, now),
        html: body_html(say, parts),
        notes: parts.iter().filter_map(note).collect(),
        links: parts.iter().filter_map(link).collect(),
        whispered: *whispered,
        unaddressed: mine && !awaits,
        working: if *pending {
            working(doing.as_deref(), post.created_at, now)
        } else {
            None
        },
    }
}

/// The message as HTML: an assistant's rendered Markdown, or plain text.
fn body_html(say: &Say, parts: &[Part]) -> String {
    let html = parts.iter().filter_map(|part| match part {
        Part::Markdown(text) => Some(markdown::to_html(text)),
        Part::Note(_) | Part::Link { .. } | Part::Buttons(_) | Part::Feedback(_) => None,
    });
    if parts.is_empty() {
        format!("<p class=\"typed\">{}</p>", markdown::escaped(&say.text))
    } else {
        html.collect()
    }
}

fn note(part: &Part) -> Option<String> {
    match part {
        Part::Note(text) => Some(text.clone()),
        Part::Markdown(_) | Part::Link { .. } | Part::Buttons(_) | Part::Feedback(_) => None,
    }
}

fn link(part: &Part) -> Option<Link> {
    match part {
        Part::Link { label, url } if markdown::is_safe_address(url) => Some(Link {
            label: label.clone(),
            url: url.clone(),
        }),
        _ => None,
    }
}

/// The viewer's earliest question without an answer. Questions of other people are skipped, because their answers may
/// be invisible to the viewer.
fn unanswered(posts: &[Post], viewer: UserId, now: DateTime<Utc>) -> Option<Working> {
    let answered = |id: String| {
        posts
            .iter()
            .any(|post| post.body.answers.as_deref() == Some(id.as_str()))
    };
    let mut asked = posts
        .iter()
        .filter(|post| post.user_id == Some(viewer) && post.body.awaits);
    asked.find_map(|post| working(None, post.created_at, now).filter(|_| !answered(post.id.to_string())))
}

fn working(doing: Option<&str>, since: DateTime<Utc>, now: DateTime<Utc>) -> Option<Working> {
    let past = now - since;
    (past < TimeDelta::minutes(LONGEST_RUN_MINUTES)).then(|| Working {
        words: doing.map_or_else(|| "Working…".to_owned(), capitalized),
        since: since.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        seconds: past.num_seconds().max(0),
    })
}

fn capitalized(words: &str) -> String {
    let mut signs = words.chars();
    let first = signs.next().into_iter().flat_map(char::to_uppercase);
    first.chain(signs).collect()
}
