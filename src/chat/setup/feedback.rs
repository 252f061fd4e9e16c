//! The page of feedback on an assistant's answers. Questions are shown only from shared conversations, where
//! everyone could read them.

use askama::Template;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::base::ids::{MessageId, UserId};
use crate::base::text::shortened;
use crate::chat::setup::nav::{Nav, platform};
use crate::chat::setup::opening::PageRequest;
use crate::edge::view::{Fault, Frame, Moment, page};

/// Maximum characters shown of a question.
const QUESTION_CHARS: usize = 120;

#[derive(Template)]
#[template(path = "assistant_feedback.html")]
struct FeedbackPage {
    frame: Frame,
    nav: Nav,
    helpful: i64,
    unhelpful: i64,
    lines: Vec<Line>,
    next: Option<String>,
    further: bool,
}

struct Line {
    helpful: bool,
    person: String,
    platform: &'static str,
    given: Moment,
    /// `None` if it was asked in a private conversation.
    question: Option<String>,
}

#[derive(Deserialize)]
pub struct ListQuery {
    after: Option<String>,
}

pub async fn show(request: PageRequest, Query(query): Query<ListQuery>) -> Result<Response, Fault> {
    let (org, assistant) = (request.org(), request.opened.assistant.id);
    let PageRequest { services, opened, .. } = request;
    let (helpful, unhelpful) = services.deliveries.feedback_counts(org, assistant).await?;
    let found = services
        .deliveries
        .feedback(org, assistant, query.after.as_deref())
        .await?;
    let users: Vec<UserId> = found.items.iter().filter_map(|one| one.user_id).collect();
    let names = services.accounts.names(org, &users).await?;
    let asked_in: Vec<MessageId> = found.items.iter().filter_map(|one| one.message_id).collect();
    let questions = services.sessions.shared_questions(org, &asked_in).await?;
    let lines = found.items.into_iter().map(|one| {
        let name = one.user_id.and_then(|user| names.get(&user));
        Line {
            helpful: one.helpful,
            person: name.map_or(one.platform_user, |(name, _)| name.clone()),
            platform: platform(one.platform),
            given: Moment::of(one.given_at),
            question: one
                .message_id
                .and_then(|id| questions.get(&id))
                .map(|question| shortened(question, QUESTION_CHARS)),
        }
    });
    let template = FeedbackPage {
        frame: opened.frame,
        nav: opened.nav,
        helpful,
        unhelpful,
        lines: lines.collect(),
        next: found.next,
        further: query.after.is_some(),
    };
    Ok(page(StatusCode::OK, &template))
}
