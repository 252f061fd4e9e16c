//! A thread of the preview as one person sees it: posts with names, safe HTML, and what is still
//! being worked on.
//!
//! Knows no request: a page and a fragment of it are built from the same list.

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

/// A run has ended after this time, one way or the other: nothing is waited for longer.
const LONGEST_RUN_MINUTES: i64 = 30;

/// A post as the page shows it.
#[derive(Clone, Debug)]
pub struct Shown {
    pub id: String,
    pub mine: bool,
    pub by_assistant: bool,
    pub name: String,
    pub initial: String,
    pub time: Moment,
    /// Safe HTML.
    pub html: String,
    /// Small print: sources, audience.
    pub notes: Vec<String>,
    pub links: Vec<Link>,
    /// Only the viewer sees it, in a conversation that others read.
    pub whispered: bool,
    /// Said in a shared conversation, to nobody.
    pub unaddressed: bool,
    /// An assistant works on it since then.
    pub working: Option<Working>,
}

#[derive(Clone, Debug)]
pub struct Link {
    pub label: String,
    pub url: String,
}

/// Work under way.
#[derive(Clone, Debug)]
pub struct Working {
    pub since: String,
    pub seconds: i64,
}

/// A time, for machines and for people.
#[derive(Clone, Debug)]
pub struct Moment {
    pub iso: String,
    pub shown: String,
}

/// What a thread shows at one moment.
#[derive(Clone, Debug, Default)]
pub struct View {
    pub posts: Vec<Shown>,
    /// The viewer's question that has not even a placeholder yet.
    pub working: Option<Working>,
}

impl View {
    pub fn is_pending(&self) -> bool {
        self.working.is_some() || self.posts.iter().any(|post| post.working.is_some())
    }

    /// Only what comes after the post of this id; all if it is not there.
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
            (Author::Person, None) => "Somebody".to_owned(),
            (Author::Assistant, _) => assistant_name.to_owned(),
        };
        shown.push(show(post, name, visitor.principal.user, now));
    }
    Ok(View {
        posts: shown,
        working: unanswered(posts, visitor.principal.user, now),
    })
}

/// The time of day; with the day where it is not today.
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

fn show(post: &Post, name: String, viewer: UserId, now: DateTime<Utc>) -> Shown {
    let Body {
        say,
        awaits,
        pending,
        whispered,
        ..
    } = &post.body.0;
    let by_assistant = post.author == Author::Assistant;
    let mine = !by_assistant && post.user_id == Some(viewer);
    let parts = if by_assistant { say.parts.as_slice() } else { &[] };
    Shown {
        id: post.id.to_string(),
        mine,
        by_assistant,
        initial: initial(&name),
        name,
        time: moment(post.created_at, now),
        html: words(say, parts),
        notes: parts.iter().filter_map(note).collect(),
        links: parts.iter().filter_map(link).collect(),
        whispered: *whispered,
        unaddressed: mine && !awaits,
        working: if *pending {
            working(post.created_at, now)
        } else {
            None
        },
    }
}

/// What is said, as HTML: an assistant's Markdown, or plain text as it was typed.
fn words(say: &Say, parts: &[Part]) -> String {
    let said = parts.iter().filter_map(|part| match part {
        Part::Markdown(text) => Some(markdown::to_html(text)),
        Part::Note(_) | Part::Link { .. } | Part::Buttons(_) | Part::Feedback(_) => None,
    });
    if parts.is_empty() {
        format!("<p class=\"typed\">{}</p>", markdown::escaped(&say.text))
    } else {
        said.collect()
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

/// The viewer's earliest question without any answer. Others' questions may have been answered to
/// them alone, so they are not waited for.
fn unanswered(posts: &[Post], viewer: UserId, now: DateTime<Utc>) -> Option<Working> {
    let answered = |id: String| {
        posts
            .iter()
            .any(|post| post.body.answers.as_deref() == Some(id.as_str()))
    };
    let mut asked = posts
        .iter()
        .filter(|post| post.user_id == Some(viewer) && post.body.awaits);
    asked.find_map(|post| working(post.created_at, now).filter(|_| !answered(post.id.to_string())))
}

fn working(since: DateTime<Utc>, now: DateTime<Utc>) -> Option<Working> {
    let past = now - since;
    (past < TimeDelta::minutes(LONGEST_RUN_MINUTES)).then(|| Working {
        since: since.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        seconds: past.num_seconds().max(0),
    })
}
