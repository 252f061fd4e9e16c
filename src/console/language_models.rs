//! The page on language models for administrators: what they cost this month by person, model and interface, what is
//! spent of the limits, and the limits that the organization sets for itself.

use std::collections::BTreeMap;

use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

use crate::base::error::{Error, Result};
use crate::base::ids::UserId;
use crate::base::money::MicroUsd;
use crate::console::usage::interface;
use crate::edge::form::Posted;
use crate::edge::view::{Fault, Frame, page, see_other};
use crate::edge::visitor::Visitor;
use crate::services::Services;
use crate::usage::language_models::Budget;
use crate::usage::model_limits::ModelLimits;
use crate::usage::spending::Span;

pub fn router() -> Router<Services> {
    Router::new().route("/console/models", get(show).post(save))
}

#[derive(Template)]
#[template(path = "language_models.html")]
struct ModelsPage {
    frame: Frame,
    csrf: String,
    org_name: String,
    /// A language model is configured on this server.
    available: bool,
    saved: bool,
    wrong: Option<String>,
    month: String,
    costs: Vec<Cost>,
    total: Cost,
    budgets: Vec<Meter>,
    warnings: Vec<String>,
    fields: Vec<Field>,
}

/// One person's runs of a model through one interface.
#[derive(Default)]
struct Cost {
    person: String,
    model: String,
    interface: &'static str,
    runs: i64,
    cost: MicroUsd,
}

/// A budget of the organization.
struct Meter {
    label: &'static str,
    spent: MicroUsd,
    most: Option<MicroUsd>,
    percent: i64,
}

/// A limit as the form shows it.
struct Field {
    name: &'static str,
    label: &'static str,
    value: String,
    /// The operator's limit, which also holds.
    operator: Option<MicroUsd>,
}

#[derive(Deserialize)]
struct Params {
    #[serde(default)]
    saved: String,
}

/// The form: amounts in US dollars; empty: no limit.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Limits {
    run: String,
    person_day: String,
    person_month: String,
    org_day: String,
    org_month: String,
}

impl Limits {
    fn read(&self) -> Result<ModelLimits> {
        let limit = |field: &'static str, text: &str| match text.trim() {
            "" => Ok(None),
            text => text
                .parse()
                .map(Some)
                .map_err(|why: String| Error::invalid(field, why)),
        };
        Ok(ModelLimits {
            run: limit("run", &self.run)?,
            person_day: limit("personDay", &self.person_day)?,
            person_month: limit("personMonth", &self.person_month)?,
            org_day: limit("orgDay", &self.org_day)?,
            org_month: limit("orgMonth", &self.org_month)?,
        })
    }

    fn of(limits: ModelLimits) -> Self {
        let text = |limit: Option<MicroUsd>| limit.map(|limit| limit.to_string()).unwrap_or_default();
        Self {
            run: text(limits.run),
            person_day: text(limits.person_day),
            person_month: text(limits.person_month),
            org_day: text(limits.org_day),
            org_month: text(limits.org_month),
        }
    }
}

async fn show(
    State(services): State<Services>,
    visitor: Visitor,
    Query(params): Query<Params>,
) -> Result<Response, Fault> {
    check_admin(&visitor)?;
    let limits = services.usage.model_limits(&visitor.principal).await?;
    let template = ModelsPage {
        saved: params.saved == "yes",
        ..filled(&services, &visitor, &Limits::of(limits)).await?
    };
    Ok(page(StatusCode::OK, &template))
}

async fn save(State(services): State<Services>, posted: Posted<Limits>) -> Result<Response, Fault> {
    let (visitor, form) = (posted.visitor, posted.form);
    check_admin(&visitor)?;
    let saved = async {
        let limits = form.read()?;
        services.usage.set_model_limits(&visitor.principal, limits).await
    };
    match saved.await {
        Ok(()) => Ok(see_other("/console/models?saved=yes")),
        Err(Error::Invalid { field, why }) => {
            let label = LABELS.iter().find(|(name, _)| *name == field);
            let label = label.map_or("A limit", |(_, label)| *label);
            let template = ModelsPage {
                wrong: Some(format!("{label}: {why}.")),
                ..filled(&services, &visitor, &form).await?
            };
            Ok(page(StatusCode::BAD_REQUEST, &template))
        }
        Err(error) => Err(error.into()),
    }
}

/// Of any plan, other than for pages that set up assistants.
fn check_admin(visitor: &Visitor) -> Result<()> {
    if visitor.principal.role.is_admin() {
        return Ok(());
    }
    Err(Error::forbidden(
        "forbidden",
        "Only owners and administrators see what language models cost.",
    ))
}

/// The fields of the form in their order.
const LABELS: [(&str, &str); 5] = [
    ("run", "One question"),
    ("personDay", "A person in a day"),
    ("personMonth", "A person in a month"),
    ("orgDay", "The organization in a day"),
    ("orgMonth", "The organization in a month"),
];

async fn filled(services: &Services, visitor: &Visitor, form: &Limits) -> Result<ModelsPage, Fault> {
    let principal = &visitor.principal;
    let costs = services.usage.model_costs(principal).await?;
    let budgets = services.usage.model_budgets(principal).await?;
    let of_costs = costs.iter().map(|cost| cost.user);
    let mut users: Vec<UserId> = of_costs
        .chain(budgets.iter().filter_map(|one| one.user))
        .collect();
    users.sort_unstable();
    users.dedup();
    let names = services.accounts.names(principal.org, &users).await?;
    let costs: Vec<Cost> = costs
        .into_iter()
        .map(|cost| Cost {
            person: name(&names, cost.user),
            model: cost.model,
            interface: interface(cost.face),
            runs: cost.runs,
            cost: cost.cost,
        })
        .collect();
    let operator = services.usage.prices().model_limits;
    let values = [
        (&form.run, operator.run),
        (&form.person_day, operator.person_day),
        (&form.person_month, operator.person_month),
        (&form.org_day, operator.org_day),
        (&form.org_month, operator.org_month),
    ];
    let fields = LABELS
        .iter()
        .zip(values)
        .map(|((name, label), (value, operator))| Field {
            name,
            label,
            value: value.clone(),
            operator,
        });
    Ok(ModelsPage {
        frame: visitor.frame(&services.site, "Language models").at("usage"),
        csrf: visitor.csrf(),
        org_name: visitor.org_name.clone(),
        available: services.analysis.has_model(),
        saved: false,
        wrong: None,
        month: services.clock.now().format("%B %Y").to_string(),
        total: Cost {
            runs: costs.iter().map(|cost| cost.runs).sum(),
            cost: MicroUsd(costs.iter().map(|cost| cost.cost.0).sum()),
            ..Cost::default()
        },
        costs,
        warnings: budgets
            .iter()
            .filter(|budget| budget.is_near())
            .map(|budget| warning(budget, &names))
            .collect(),
        budgets: budgets
            .iter()
            .filter(|budget| budget.user.is_none())
            .map(meter)
            .collect(),
        fields: fields.collect(),
    })
}

fn name(names: &BTreeMap<UserId, (String, String)>, user: UserId) -> String {
    names
        .get(&user)
        .map_or_else(|| "Someone who left".to_owned(), |(name, _)| name.clone())
}

const fn span(span: Span) -> &'static str {
    match span {
        Span::Day => "Today",
        Span::Month => "This month",
    }
}

fn meter(budget: &Budget) -> Meter {
    Meter {
        label: span(budget.span),
        spent: budget.spent,
        most: budget.most,
        percent: budget.percent().unwrap_or_default().min(100),
    }
}

/// "Mara Quist has spent 4.10 of 5.00 USD today."
fn warning(budget: &Budget, names: &BTreeMap<UserId, (String, String)>) -> String {
    let whose = budget
        .user
        .map_or_else(|| "The organization".to_owned(), |user| name(names, user));
    let most = budget.most.unwrap_or_default();
    let when = span(budget.span).to_lowercase();
    format!("{whose} has spent {} of {most} USD {when}.", budget.spent)
}
