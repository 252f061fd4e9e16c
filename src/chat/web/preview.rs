//! The preview page: a chat with an assistant in the browser, through the same chat core as other platforms.
//!
//! Everyone has a personal conversation. The shared one is visible to the whole organization, and the assistant must
//! be addressed by name there. The page applies no chat rules of its own: it stores messages and passes them on.

use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

use crate::assistants::model::{
    Assistant, Installation, InstallationState, Place, PlaceKind, PlatformKind, Say, Sender, Turn,
};
use crate::assistants::service::SHARED_PREVIEW;
use crate::base::error::Error;
use crate::base::ids::{AssistantId, PostId};
use crate::base::text;
use crate::chat::web::naming::addressed;
use crate::chat::web::platform::{personal, storage_key};
use crate::chat::web::store::{self, Author, Body, NewPost};
use crate::chat::web::suggestions::{self, Suggestion};
use crate::chat::web::thread::{self, Moment, ShownPost, View, Working};
use crate::edge::assets::accent_href;
use crate::edge::avatar::Avatar;
use crate::edge::form::Posted;
use crate::edge::view::{Fault, Frame, initial, page, see_other};
use crate::edge::visitor::Visitor;
use crate::services::Services;

/// Maximum characters of a message.
const MAX_MESSAGE_CHARS: usize = 8000;
/// Maximum number of earlier conversations listed.
const MAX_EARLIER: i64 = 12;
/// Value of the `thread` parameter for a new conversation.
const NEW: &str = "new";

pub fn router() -> Router<Services> {
    Router::new()
        .route("/preview", get(show).post(send))
        .route("/preview/posts", get(posts))
}

#[derive(Template)]
#[template(path = "preview.html")]
struct PreviewPage {
    frame: Frame,
    org_name: String,
    csrf: String,
    assistant: Branding,
    tabs: Vec<Tab>,
    /// Value of the `mode` parameter.
    mode: &'static str,
    shared: bool,
    /// Why no message can be sent, if that is the case.
    closed: Option<&'static str>,
    /// The thread's id, or `new`.
    thread: String,
    /// ID of the next post, so that a form that is sent twice creates one post.
    once: String,
    posts: Vec<ShownPost>,
    working: Option<Working>,
    earlier: Vec<Earlier>,
    suggestions: Vec<Suggestion>,
    longest: usize,
}

#[derive(Template)]
#[template(path = "posts.html")]
struct Fragment {
    assistant: Branding,
    posts: Vec<ShownPost>,
    working: Option<Working>,
}

#[derive(Template)]
#[template(path = "preview_empty.html")]
struct NoAssistant {
    frame: Frame,
    org_name: String,
    is_admin: bool,
}

/// The assistant's details shown on the page.
struct Branding {
    id: String,
    name: String,
    avatar: Avatar,
    greeting: String,
}

struct Tab {
    id: String,
    name: String,
    initial: String,
    current: bool,
}

struct Earlier {
    thread: String,
    title: String,
    last: Moment,
    current: bool,
}

#[derive(Default, Deserialize)]
struct PreviewQuery {
    #[serde(default)]
    assistant: String,
    #[serde(default)]
    mode: String,
    #[serde(default)]
    thread: String,
    #[serde(default)]
    after: String,
}

/// One conversation with one assistant.
struct Room {
    assistant: Assistant,
    at: Installation,
    shared: bool,
    /// Its name in the chat core.
    conversation: String,
    /// The name under which its posts are stored.
    storage_key: String,
}

impl Room {
    /// The requested room, or `None` if the organization has no assistant.
    async fn find(
        services: &Services,
        visitor: &Visitor,
        assistants: &[Assistant],
        query: &PreviewQuery,
    ) -> Result<Option<Self>, Error> {
        let shared = query.mode == "shared";
        let conversation = if shared {
            SHARED_PREVIEW.to_owned()
        } else {
            personal(visitor.principal.user)
        };
        let wanted = match query.assistant.as_str() {
            "" => None,
            id => Some(
                id.parse::<AssistantId>()
                    .map_err(|_| Error::NotFound("assistant"))?,
            ),
        };
        for assistant in assistants
            .iter()
            .filter(|one| wanted.is_none_or(|wanted| one.id == wanted))
        {
            let found = services
                .installations
                .get(visitor.principal.org, assistant.id, PlatformKind::Web);
            match found.await {
                Ok(at) => {
                    let storage_key = storage_key(&at, &conversation);
                    return Ok(Some(Self {
                        assistant: assistant.clone(),
                        at,
                        shared,
                        conversation,
                        storage_key,
                    }));
                }
                Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if wanted.is_some() {
            Err(Error::NotFound("assistant"))
        } else {
            Ok(None)
        }
    }

    fn mode(&self) -> &'static str {
        if self.shared { "shared" } else { "personal" }
    }

    fn path(&self, thread: &str) -> String {
        format!(
            "/preview?assistant={}&mode={}&thread={thread}",
            self.assistant.id,
            self.mode()
        )
    }

    /// The thread selected by a URL or a form. `None` is a new, empty one.
    async fn thread(
        &self,
        services: &Services,
        visitor: &Visitor,
        requested: &str,
    ) -> Result<Option<String>, Error> {
        match requested {
            NEW => Ok(None),
            "" => {
                let now = services.clock.now();
                store::current_thread(&services.db, &visitor.principal, &self.storage_key, now).await
            }
            // Only a thread that the visitor can see in this conversation.
            thread => {
                let posts = store::posts(&services.db, &visitor.principal, &self.storage_key, thread).await?;
                Ok((!posts.is_empty()).then(|| thread.to_owned()))
            }
        }
    }

    async fn view(
        &self,
        services: &Services,
        visitor: &Visitor,
        thread: Option<&str>,
    ) -> Result<View, Error> {
        let Some(thread) = thread else {
            return Ok(View::default());
        };
        let posts = store::posts(&services.db, &visitor.principal, &self.storage_key, thread).await?;
        thread::view(
            &services.accounts,
            visitor,
            &self.assistant.name,
            &posts,
            services.clock.now(),
        )
        .await
    }

    /// Earlier conversations, titled by their first message.
    async fn earlier(
        &self,
        services: &Services,
        visitor: &Visitor,
        current: Option<&str>,
    ) -> Result<Vec<Earlier>, Error> {
        let threads =
            store::threads(&services.db, &visitor.principal, &self.storage_key, MAX_EARLIER).await?;
        let ids: Vec<PostId> = threads.iter().filter_map(|one| one.thread.parse().ok()).collect();
        let openings = store::openings(&services.db, &visitor.principal, &self.storage_key, &ids).await?;
        let title = |thread: &str| {
            let opening = openings.iter().find(|post| post.id.to_string() == thread);
            let words = opening.map_or("A message for you", |post| post.body.say.text.as_str());
            text::shortened(&text::on_one_line(words), 64)
        };
        let now = services.clock.now();
        let earlier = threads.into_iter().map(|one| Earlier {
            title: title(&one.thread),
            last: thread::moment(one.last_at, now),
            current: current == Some(one.thread.as_str()),
            thread: one.thread,
        });
        Ok(earlier.collect())
    }

    fn branding(&self) -> Branding {
        Branding {
            id: self.assistant.id.to_string(),
            name: self.assistant.name.clone(),
            avatar: Avatar::of(&self.assistant),
            greeting: self.assistant.greeting.clone(),
        }
    }

    fn closed(&self) -> Option<&'static str> {
        match self.at.state {
            InstallationState::Active => None,
            InstallationState::Pending => Some("This assistant is not set up for the preview yet."),
            InstallationState::Disabled => Some("This assistant is turned off here. Ask an administrator."),
        }
    }
}

async fn show(
    State(services): State<Services>,
    visitor: Visitor,
    Query(query): Query<PreviewQuery>,
) -> Result<Response, Fault> {
    let assistants = services.assistants.list(&visitor.principal).await?;
    let Some(room) = Room::find(&services, &visitor, &assistants, &query).await? else {
        let template = NoAssistant {
            frame: visitor.frame(&services.site, "Preview").at("preview"),
            org_name: visitor.org_name.clone(),
            is_admin: visitor.principal.role.is_admin(),
        };
        return Ok(page(StatusCode::OK, &template));
    };
    let thread = room.thread(&services, &visitor, &query.thread).await?;
    let view = room.view(&services, &visitor, thread.as_deref()).await?;
    let tabs = assistants.iter().map(|one| Tab {
        id: one.id.to_string(),
        name: one.name.clone(),
        initial: initial(&one.name),
        current: one.id == room.assistant.id,
    });
    let template = PreviewPage {
        frame: Frame {
            accent: accent_href(&room.assistant.colour),
            scripted: true,
            refresh: view.is_pending().then_some(3),
            ..visitor
                .frame(&services.site, room.assistant.name.as_str())
                .at("preview")
        },
        org_name: visitor.org_name.clone(),
        csrf: visitor.csrf(),
        assistant: room.branding(),
        tabs: tabs.collect(),
        mode: room.mode(),
        shared: room.shared,
        closed: room.closed(),
        earlier: room.earlier(&services, &visitor, thread.as_deref()).await?,
        thread: thread.unwrap_or_else(|| NEW.to_owned()),
        once: PostId::new().to_string(),
        posts: view.posts,
        working: view.working,
        suggestions: suggestions::of(&room.assistant),
        longest: MAX_MESSAGE_CHARS,
    };
    Ok(page(StatusCode::OK, &template))
}

/// The fragment that the script polls while an answer is pending: the current posts after a given one.
async fn posts(
    State(services): State<Services>,
    visitor: Visitor,
    Query(query): Query<PreviewQuery>,
) -> Result<Response, Fault> {
    let assistants = services.assistants.list(&visitor.principal).await?;
    let found = Room::find(&services, &visitor, &assistants, &query).await?;
    let room = found.ok_or(Error::NotFound("assistant"))?;
    let thread = room.thread(&services, &visitor, &query.thread).await?;
    let view = room
        .view(&services, &visitor, thread.as_deref())
        .await?
        .after(&query.after);
    let fragment = Fragment {
        assistant: room.branding(),
        posts: view.posts,
        working: view.working,
    };
    Ok(page(StatusCode::OK, &fragment))
}

#[derive(Deserialize)]
struct MessageForm {
    assistant: String,
    #[serde(default)]
    mode: String,
    #[serde(default)]
    thread: String,
    #[serde(default)]
    once: String,
    text: String,
}

async fn send(State(services): State<Services>, posted: Posted<MessageForm>) -> Result<Response, Fault> {
    let Posted { visitor, form } = posted;
    let message = text::required("message", &form.text, MAX_MESSAGE_CHARS)?;
    let query = PreviewQuery {
        assistant: form.assistant,
        mode: form.mode,
        ..PreviewQuery::default()
    };
    let assistants = services.assistants.list(&visitor.principal).await?;
    let found = Room::find(&services, &visitor, &assistants, &query).await?;
    let room = found.ok_or(Error::NotFound("assistant"))?;
    let thread = continued_thread(&services, &visitor, &room, &form.thread).await?;
    let id = form.once.parse().unwrap_or_else(|_| PostId::new());
    let thread = thread.unwrap_or_else(|| id.to_string());

    let name = &room.assistant.name;
    let question = match addressed(&message, name) {
        Some(question) => Some(question),
        // In a personal conversation every message is for the assistant.
        None => (!room.shared).then(|| message.clone()),
    };
    let question = question.filter(|question| !question.is_empty());
    let post = NewPost {
        id,
        conversation: room.storage_key.clone(),
        thread: thread.clone(),
        author: Author::Person,
        user: Some(visitor.principal.user),
        only_for: (!room.shared).then_some(visitor.principal.user),
        delivery: None,
        body: Body {
            say: Say {
                text: message,
                parts: Vec::new(),
            },
            awaits: question.is_some(),
            ..Body::default()
        },
    };
    let turn = question.map(|question| turn(&visitor, &room, &thread, id, question));
    let (org, at, inbox) = (visitor.principal.org, room.at.clone(), services.inbox.clone());
    // In one transaction: a post that the page shows as pending always has a turn that will answer it.
    let written = services.db.write(move |tx| {
        let (post, turn, at, inbox) = (post.clone(), turn.clone(), at.clone(), inbox.clone());
        Box::pin(async move {
            let added = store::add(tx, org, &post).await?;
            let Some(turn) = turn.filter(|_| added) else {
                return Ok(());
            };
            let key = id.to_string();
            if inbox.store_turn_in(tx, &at, &key, &key, &turn).await? {
                Ok(())
            } else {
                Err(Error::Conflict("this message was already sent"))
            }
        })
    });
    written.await?;
    Ok(see_other(&room.path(&thread)))
}

/// The thread that a message continues: the one in the form, unless it has been idle for too long.
async fn continued_thread(
    services: &Services,
    visitor: &Visitor,
    room: &Room,
    requested: &str,
) -> Result<Option<String>, Error> {
    let Some(thread) = room.thread(services, visitor, requested).await? else {
        return Ok(None);
    };
    let posts = store::posts(&services.db, &visitor.principal, &room.storage_key, &thread).await?;
    let now = services.clock.now();
    Ok(posts
        .last()
        .filter(|last| !store::is_idle(last.created_at, now))
        .map(|_| thread))
}

/// A post as a turn for the chat core.
fn turn(visitor: &Visitor, room: &Room, thread: &str, id: PostId, question: String) -> Turn {
    Turn {
        sender: Sender {
            team: visitor.principal.org.to_string(),
            user: visitor.principal.user.to_string(),
            account: Some(visitor.principal.user),
        },
        place: Place {
            kind: if room.shared {
                PlaceKind::Shared
            } else {
                PlaceKind::Direct
            },
            conversation: room.conversation.clone(),
            thread: thread.to_owned(),
            message: id.to_string(),
            outsiders: false,
        },
        text: question,
        enclosed: String::new(),
        files: Vec::new(),
    }
}
