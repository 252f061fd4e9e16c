//! The pages that create an assistant and edit its appearance, with a preview rendered by the server.
//!
//! An invalid form is shown again with an error at each field. Validation rules are in `assistants::brand`.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::assistants::brand::{self, Brand, InvalidField};
use crate::assistants::model::Prompt;
use crate::assistants::service::PlatformFields;
use crate::assistants::slack::grants::SlackFields;
use crate::audit::store::Actor;
use crate::base::ids::AssistantId;
use crate::chat::setup::nav::{Nav, OpenAssistant, base};
use crate::chat::setup::opening::{FormRequest, PageRequest};
use crate::edge::assets::accent_href;
use crate::edge::avatar::Avatar;
use crate::edge::form::AdminPosted;
use crate::edge::view::{Fault, Frame, initial, page, see_other};
use crate::edge::visitor::{OrgAdmin, Visitor};
use crate::services::Services;

#[derive(Template)]
#[template(path = "assistant_new.html")]
struct NewPage {
    frame: Frame,
    csrf: String,
    form: BrandForm,
    avatar: Avatar,
}

#[derive(Template)]
#[template(path = "assistant_brand.html")]
struct BrandPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
    form: BrandForm,
    avatar: Avatar,
    id: AssistantId,
    wrong_icon: Option<String>,
}

/// The values of the form, with the errors to show at their fields.
struct BrandForm {
    brand: Brand,
    wrong: Vec<InvalidField>,
    /// The values are displayed but not saved.
    unsaved: bool,
}

impl BrandForm {
    fn wrong(&self, field: &str) -> Option<&str> {
        self.wrong
            .iter()
            .find(|wrong| wrong.field == field)
            .map(|wrong| wrong.why.as_str())
    }

    /// One row for each prompt that is allowed; unused rows are empty.
    fn rows(&self) -> Vec<Row<'_>> {
        let row = |n: usize| {
            let prompt = self.brand.prompts.get(n);
            Row {
                n: n + 1,
                title: prompt.map_or("", |prompt| &prompt.title),
                message: prompt.map_or("", |prompt| &prompt.message),
                wrong: self.wrong(&format!("prompt {}", n + 1)).map(str::to_owned),
            }
        };
        (0..brand::MAX_PROMPTS).map(row).collect()
    }

    fn tones(&self) -> [&'static str; 5] {
        brand::TONES
    }
}

struct Row<'a> {
    n: usize,
    title: &'a str,
    message: &'a str,
    wrong: Option<String>,
}

#[derive(Deserialize)]
pub struct Fields {
    #[serde(default)]
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    colour: String,
    #[serde(default)]
    tone: String,
    #[serde(default)]
    greeting: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    title_1: String,
    #[serde(default)]
    message_1: String,
    #[serde(default)]
    title_2: String,
    #[serde(default)]
    message_2: String,
    #[serde(default)]
    title_3: String,
    #[serde(default)]
    message_3: String,
    #[serde(default)]
    title_4: String,
    #[serde(default)]
    message_4: String,
    /// `preview` renders the values without saving them.
    #[serde(default)]
    act: String,
}

impl Fields {
    fn is_preview(&self) -> bool {
        self.act == "preview"
    }

    fn brand(self) -> Brand {
        let prompts = [
            (self.title_1, self.message_1),
            (self.title_2, self.message_2),
            (self.title_3, self.message_3),
            (self.title_4, self.message_4),
        ];
        let prompt = |(title, message)| Prompt { title, message };
        Brand {
            name: self.name,
            description: self.description,
            colour: self.colour,
            tone: self.tone,
            greeting: self.greeting,
            about: self.about,
            prompts: prompts.into_iter().map(prompt).collect(),
        }
    }
}

pub async fn new(State(services): State<Services>, OrgAdmin(visitor): OrgAdmin) -> Result<Response, Fault> {
    let form = BrandForm {
        brand: Brand::default(),
        wrong: Vec::new(),
        unsaved: false,
    };
    Ok(new_page(&services, &visitor, form))
}

pub async fn create(
    State(services): State<Services>,
    posted: AdminPosted<Fields>,
) -> Result<Response, Fault> {
    let visitor = posted.visitor;
    let (is_preview, brand) = (posted.form.is_preview(), posted.form.brand());
    let checked = brand.checked();
    let (Ok(valid), false) = (&checked, is_preview) else {
        let form = BrandForm {
            brand,
            wrong: checked.err().unwrap_or_default(),
            unsaved: true,
        };
        return Ok(new_page(&services, &visitor, form));
    };
    let platform = Some(PlatformFields::Slack(SlackFields::default()));
    let (created, _) = services
        .assistants
        .create_branded(
            Actor::from(&visitor.principal),
            visitor.principal.org,
            valid.clone(),
            platform,
        )
        .await?;
    Ok(see_other(&format!(
        "{}/install?done=assistant-created",
        base(created.id)
    )))
}

pub async fn show(request: PageRequest) -> Response {
    page(
        StatusCode::OK,
        &saved_page(&request.visitor, request.opened, None),
    )
}

/// The page with the reason why an icon was refused.
pub(super) fn refused_icon(visitor: &Visitor, opened: OpenAssistant, why: String) -> Response {
    let template = saved_page(visitor, opened, Some(why));
    page(StatusCode::UNPROCESSABLE_ENTITY, &template)
}

fn saved_page(visitor: &Visitor, opened: OpenAssistant, wrong_icon: Option<String>) -> BrandPage {
    BrandPage {
        frame: opened.frame,
        csrf: visitor.csrf(),
        form: BrandForm {
            brand: Brand::from(&opened.assistant),
            wrong: Vec::new(),
            unsaved: false,
        },
        avatar: opened.nav.avatar.clone(),
        nav: opened.nav,
        id: opened.assistant.id,
        wrong_icon,
    }
}

pub async fn save(request: FormRequest<Fields>) -> Result<Response, Fault> {
    let (actor, org) = (request.actor(), request.org());
    let FormRequest {
        services,
        visitor,
        mut opened,
        form,
    } = request;
    let (is_preview, brand) = (form.is_preview(), form.brand());
    let checked = brand.checked();
    if let (Ok(valid), false) = (&checked, is_preview) {
        services
            .assistants
            .update_assistant(actor, org, opened.assistant.id, valid.clone())
            .await?;
        return Ok(see_other(&format!("{}?done=saved", opened.nav.base)));
    }
    let wrong = checked.err().unwrap_or_default();
    let status = status(&wrong);
    if let Some(accent) = accent_href(&brand.colour) {
        opened.frame.accent = Some(accent);
    }
    let mut avatar = opened.nav.avatar.clone();
    avatar.initial = initial(&brand.name);
    let template = BrandPage {
        frame: opened.frame,
        nav: opened.nav,
        csrf: visitor.csrf(),
        form: BrandForm {
            brand,
            wrong,
            unsaved: true,
        },
        avatar,
        id: opened.assistant.id,
        wrong_icon: None,
    };
    Ok(page(status, &template))
}

fn new_page(services: &Services, visitor: &Visitor, form: BrandForm) -> Response {
    let mut frame = visitor.frame(&services.site, "New assistant").at("assistants");
    frame.accent = accent_href(&form.brand.colour);
    let status = status(&form.wrong);
    let template = NewPage {
        frame,
        csrf: visitor.csrf(),
        avatar: Avatar::lettered(&form.brand.name, &form.brand.colour),
        form,
    };
    page(status, &template)
}

fn status(wrong: &[InvalidField]) -> StatusCode {
    if wrong.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    }
}
