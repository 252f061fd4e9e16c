//! The browser preview as a chat platform: posts are database rows that the page reads.
//!
//! Visitors are signed in, so identities come from their accounts. Does not render pages.

use std::sync::Arc;
use std::time::Duration;

use futures_core::future::BoxFuture;

use crate::assistants::model::{Installation, Place, PlaceKind, PlatformKind, Say, Sender, Target};
use crate::base::error::Error;
use crate::base::ids::{DeliveryId, PostId, UserId};
use crate::base::principal::{Face, Principal, Role};
use crate::chat::core::platform::{
    Audience, Failure, Identity, LookupResult, Platform, Result, SenderStatus,
};
use crate::chat::core::say::placeholder;
use crate::chat::web::store::{self, Author, Body, NewPost};
use crate::services::Services;

#[derive(Clone)]
pub struct WebPlatform {
    services: Services,
}

/// Name of a person's one-to-one conversation.
pub fn personal(user: UserId) -> String {
    format!("personal:{user}")
}

/// The name under which posts of a conversation are stored. It contains the installation, so that assistants do not
/// share posts.
pub fn storage_key(at: &Installation, conversation: &str) -> String {
    format!("{}/{conversation}", at.id)
}

impl WebPlatform {
    pub fn new(services: Services) -> Self {
        Self { services }
    }

    /// Adds a post of the assistant and returns its ID.
    async fn add(
        &self,
        at: &Installation,
        target: &Target,
        options: PostOptions,
        say: &Say,
    ) -> Result<PostId> {
        let user = user_of(&target.sender)?;
        let private = options.whispered || target.place.kind == PlaceKind::Direct;
        let post = NewPost {
            id: PostId::new(),
            conversation: storage_key(at, &target.place.conversation),
            thread: target.place.thread.clone(),
            author: Author::Assistant,
            user: None,
            only_for: private.then_some(user),
            delivery: options.delivery,
            body: Body {
                doing: None,
                say: say.clone(),
                awaits: false,
                pending: is_placeholder(say),
                answers: Some(target.place.message.clone()),
                whispered: options.whispered && target.place.kind == PlaceKind::Shared,
            },
        };
        let (org, id) = (at.org, post.id);
        let added = self.services.db.write(move |tx| {
            let post = post.clone();
            Box::pin(async move { store::add(tx, org, &post).await })
        });
        match (added.await.map_err(failure)?, options.delivery) {
            (true, _) | (false, None) => Ok(id),
            // An earlier attempt added it.
            (false, Some(delivery)) => {
                let earlier = store::of_delivery(&self.services.db, org, delivery)
                    .await
                    .map_err(failure)?;
                earlier.ok_or_else(|| Failure::Ambiguous("cannot find the post".into()))
            }
        }
    }
}

/// Options of a new post.
#[derive(Clone, Copy)]
struct PostOptions {
    delivery: Option<DeliveryId>,
    whispered: bool,
}

impl Platform for WebPlatform {
    fn kind(&self) -> PlatformKind {
        PlatformKind::Web
    }

    fn identify<'a>(&'a self, at: &'a Installation, sender: &'a Sender) -> BoxFuture<'a, Result<Identity>> {
        Box::pin(async move {
            match self.services.accounts.membership(at.org, user_of(sender)?).await {
                Ok(member) => Ok(Identity {
                    status: if member.active {
                        SenderStatus::Member
                    } else {
                        SenderStatus::Deactivated
                    },
                    name: member.name,
                    team_name: member.org_name,
                }),
                Err(Error::NotFound(_)) => Ok(Identity {
                    status: SenderStatus::Outsider,
                    name: String::new(),
                    team_name: String::new(),
                }),
                Err(error) => Err(failure(error)),
            }
        })
    }

    fn audience<'a>(&'a self, _: &'a Installation, _: &'a Place) -> BoxFuture<'a, Result<Audience>> {
        // Only members of the organization can open the page.
        Box::pin(async { Ok(Audience::Own) })
    }

    fn show_status<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        status: Option<&'a str>,
    ) -> BoxFuture<'a, Result<()>> {
        // The page shows by itself that an answer is pending; the status says what it waits for.
        Box::pin(async move {
            let Some(status) = status else { return Ok(()) };
            let words: Arc<str> = status.strip_prefix("is ").unwrap_or(status).into();
            let (org, thread): (_, Arc<str>) = (at.org, target.place.thread.as_str().into());
            let written = self.services.db.write(move |tx| {
                let (words, thread) = (Arc::clone(&words), Arc::clone(&thread));
                Box::pin(async move { store::set_doing(tx, org, &thread, &words).await })
            });
            written.await.map_err(failure)
        })
    }

    fn post<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        id: DeliveryId,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<String>> {
        Box::pin(async move {
            let options = PostOptions {
                delivery: Some(id),
                whispered: false,
            };
            Ok(self.add(at, target, options, say).await?.to_string())
        })
    }

    fn find_post<'a>(
        &'a self,
        at: &'a Installation,
        _: &'a Target,
        id: DeliveryId,
    ) -> BoxFuture<'a, Result<LookupResult>> {
        Box::pin(async move {
            let found = store::of_delivery(&self.services.db, at.org, id)
                .await
                .map_err(failure)?;
            Ok(found.map_or(LookupResult::Absent, |post| LookupResult::Found(post.to_string())))
        })
    }

    fn update<'a>(
        &'a self,
        at: &'a Installation,
        _: &'a Target,
        receipt: &'a str,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let id: PostId = receipt
                .parse()
                .map_err(|_| Failure::Rejected("not a post's id".into()))?;
            let (org, say, pending) = (at.org, say.clone(), is_placeholder(say));
            let replaced = self.services.db.write(move |tx| {
                let say = say.clone();
                Box::pin(async move { store::replace(tx, org, id, &say, pending).await })
            });
            match replaced.await.map_err(failure)? {
                true => Ok(()),
                false => Err(Failure::Gone("no such post".into())),
            }
        })
    }

    fn post_ephemeral<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let options = PostOptions {
                delivery: None,
                whispered: true,
            };
            self.add(at, target, options, say).await.map(|_| ())
        })
    }

    fn open_direct<'a>(&'a self, at: &'a Installation, target: &'a Target) -> BoxFuture<'a, Result<Target>> {
        Box::pin(async move {
            let user = user_of(&target.sender)?;
            let conversation = personal(user);
            // Reads as this person. Role and face make no difference here.
            let viewer = Principal {
                org: at.org,
                user,
                role: Role::Member,
                face: Face::System,
            };
            let now = self.services.clock.now();
            let storage_key = storage_key(at, &conversation);
            let current = store::current_thread(&self.services.db, &viewer, &storage_key, now);
            // A message without a turn, such as “You are connected”, may start a new thread.
            let new_thread = || PostId::new().to_string();
            let thread = current.await.map_err(failure)?.unwrap_or_else(new_thread);
            let place = Place {
                kind: PlaceKind::Direct,
                conversation,
                thread,
                message: target.place.message.clone(),
                outsiders: false,
            };
            Ok(Target {
                sender: target.sender.clone(),
                place,
            })
        })
    }
}

/// Whether this is the placeholder that the core posts until there is an answer. The page shows it as “Working”.
fn is_placeholder(say: &Say) -> bool {
    say.text == placeholder().text
}

fn user_of(sender: &Sender) -> Result<UserId> {
    let parsed = || {
        sender
            .user
            .parse()
            .map_err(|_| Failure::Rejected("not a person's id".into()))
    };
    sender.account.map_or_else(parsed, Ok)
}

#[expect(clippy::needless_pass_by_value, reason = "the signature that `map_err` needs")]
fn failure(error: Error) -> Failure {
    match &error {
        Error::Limited { retry_after } => Failure::Wait((*retry_after).max(Duration::from_secs(1))),
        Error::Busy { .. } => Failure::Unavailable(error.chain()),
        Error::NotFound(_) => Failure::Gone(error.to_string()),
        // It may have been written before the error; `find` checks that.
        _ => Failure::Ambiguous(error.chain()),
    }
}
