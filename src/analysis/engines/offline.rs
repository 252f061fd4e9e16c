//! The offline analyst as an engine: hands `crates/analyst` a run's brief and portfolio, and takes its draft.
//!
//! Translates between the two contracts; decides nothing.

use std::collections::BTreeSet;

use analyst::contract::brief as given;
use analyst::contract::draft as made;
use analyst::contract::portfolio as seen;
use chrono::NaiveDate;
use finance::portfolio::query::{
    Catalog, DataModel, Letting, Listed, Loan, Measure, Only, Query, Rollover, Space, Tenant,
};
use futures_core::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::analysis::answer::{Figure, Input, Missing};
use crate::analysis::engine::{
    Brief, Draft, Engine, FileContent, FileExcerpt, FileFrom, MadeFile, NoteExcerpt, Remark, Speaker, Tone,
    UsedModel,
};
use crate::analysis::tools::kit::Tools;
use crate::analysis::tools::portfolio::{PortfolioTool, View};
use crate::base::error::{Error, Result};
use crate::base::ids::{FileId, NoteId};

/// The built-in engine: deterministic, and asks back where it is not sure.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfflineAnalyst;

impl OfflineAnalyst {
    /// Loads the learned model, so that the first question does not wait for it.
    pub fn prepare() {
        analyst::answer::prepare();
    }
}

impl Engine for OfflineAnalyst {
    fn model(&self) -> &'static str {
        "svc-local"
    }

    fn leans_on(&self, earlier: &serde_json::Value) -> Vec<NoteId> {
        let notes = analyst::answer::leans_on(earlier).into_iter();
        notes.map(|note| NoteId::from_uuid(note.0)).collect()
    }

    fn answer<'a>(&'a self, brief: &'a Brief, tools: &'a Tools) -> BoxFuture<'a, Result<Draft>> {
        Box::pin(async move {
            let given = brief_of(brief);
            let portfolio = tools.portfolio.clone().map(Portfolio::new);
            let answered = if analyst::answer::takes_long(&given) {
                // Long tables are read on a thread for such work, so that other requests are not held up.
                let runtime = Handle::current();
                spawn_blocking(move || runtime.block_on(answer(&given, portfolio)))
                    .await
                    .map_err(Error::internal)?
            } else {
                answer(&given, portfolio).await
            };
            answered.map(draft_of)
        })
    }
}

async fn answer(brief: &given::Brief, portfolio: Option<Portfolio>) -> Result<made::Draft> {
    let mut portfolio = portfolio;
    let seen = portfolio.as_mut().map(|own| own as &mut dyn seen::Portfolio);
    analyst::answer::answer(brief, seen).await.map_err(fault)
}

/// An error of ours that went through the analyst keeps its code.
fn fault(fault: seen::Fault) -> Error {
    match fault.downcast::<Error>() {
        Ok(own) => *own,
        Err(other) => Error::internal(other),
    }
}

/// The portfolio at one moment, which begins with the first call.
struct Portfolio {
    tool: PortfolioTool,
    view: Option<View>,
}

impl Portfolio {
    const fn new(tool: PortfolioTool) -> Self {
        Self { tool, view: None }
    }

    async fn view(&mut self) -> Result<&mut View> {
        let view = match self.view.take() {
            Some(view) => view,
            None => self.tool.view().await?,
        };
        Ok(self.view.insert(view))
    }
}

impl seen::Portfolio for Portfolio {
    fn catalog(&mut self) -> BoxFuture<'_, seen::Result<Catalog>> {
        Box::pin(async move { Ok(self.view().await?.catalog().await?) })
    }

    fn used(&self) -> Vec<DataModel> {
        self.view.as_ref().map(View::used).unwrap_or_default()
    }

    fn measure<'a>(&'a mut self, query: &'a Query) -> BoxFuture<'a, seen::Result<Measure>> {
        Box::pin(async move { Ok(self.view().await?.measure(query).await?) })
    }

    fn rollover<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        space: Option<Space>,
        day: NaiveDate,
    ) -> BoxFuture<'a, seen::Result<Vec<Rollover>>> {
        Box::pin(async move { Ok(self.view().await?.rollover(buildings, space, day).await?) })
    }

    fn tenants<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        which: (Option<Space>, &'a Only),
        day: NaiveDate,
    ) -> BoxFuture<'a, seen::Result<Vec<Tenant>>> {
        Box::pin(async move { Ok(self.view().await?.tenants(buildings, which, day).await?) })
    }

    fn lettings<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        which: (Option<Space>, &'a Only),
        day: NaiveDate,
        listed: Listed,
    ) -> BoxFuture<'a, seen::Result<Vec<Letting>>> {
        Box::pin(async move {
            let view = self.view().await?;
            Ok(view.lettings(buildings, which, day, listed).await?)
        })
    }

    fn tenants_named<'a>(&'a mut self, name: &'a str) -> BoxFuture<'a, seen::Result<Vec<(String, String)>>> {
        Box::pin(async move { Ok(self.view().await?.tenants_named(name).await?) })
    }

    fn loans<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        day: NaiveDate,
    ) -> BoxFuture<'a, seen::Result<Vec<Loan>>> {
        Box::pin(async move { Ok(self.view().await?.loans(buildings, day).await?) })
    }

    fn close(&mut self) -> BoxFuture<'_, seen::Result<()>> {
        Box::pin(async move {
            match self.view.take() {
                Some(view) => Ok(view.end().await?),
                None => Ok(()),
            }
        })
    }
}

fn brief_of(brief: &Brief) -> given::Brief {
    given::Brief {
        question: brief.question.clone(),
        tone: match brief.tone {
            Tone::Professional => given::Tone::Professional,
            Tone::Friendly => given::Tone::Friendly,
            Tone::Authoritative => given::Tone::Authoritative,
            Tone::Consultative => given::Tone::Consultative,
            Tone::Funny => given::Tone::Funny,
        },
        today: brief.today,
        earlier: brief.earlier.clone(),
        notes: brief.notes.iter().map(note_of).collect(),
        files: brief.files.iter().map(file_of).collect(),
        thread: brief.thread.iter().map(remark_of).collect(),
    }
}

fn note_of(note: &NoteExcerpt) -> given::NoteExcerpt {
    given::NoteExcerpt {
        id: given::NoteId(note.id.uuid()),
        title: note.title.clone(),
        body: note.body.clone(),
        updated_at: note.updated_at,
    }
}

fn file_of(file: &FileExcerpt) -> given::FileExcerpt {
    given::FileExcerpt {
        id: given::FileId(file.id.uuid()),
        name: file.name.clone(),
        from: match file.from {
            FileFrom::Question => given::FileFrom::Question,
            FileFrom::Note(note) => given::FileFrom::Note(given::NoteId(note.uuid())),
            FileFrom::Earlier => given::FileFrom::Earlier,
        },
        content: match &file.content {
            FileContent::Text { media, text } => given::FileContent::Text {
                media: media.clone(),
                text: text.clone(),
            },
            FileContent::Unreadable(why) => given::FileContent::Unreadable(why.clone()),
        },
    }
}

fn remark_of(remark: &Remark) -> given::Remark {
    given::Remark {
        by: match remark.by {
            Speaker::Person(_) => given::Speaker::Person,
            Speaker::Assistant => given::Speaker::Assistant,
        },
        text: remark.text.clone(),
    }
}

fn draft_of(draft: made::Draft) -> Draft {
    Draft {
        quick_reply: draft.quick_reply,
        summary: draft.summary,
        result: draft.result,
        reasoning: draft.reasoning,
        success: draft.success,
        figures: draft.figures.into_iter().map(figure_of).collect(),
        used_notes: draft
            .used_notes
            .into_iter()
            .map(|note| NoteId::from_uuid(note.0))
            .collect(),
        used_files: draft
            .used_files
            .into_iter()
            .map(|file| FileId::from_uuid(file.0))
            .collect(),
        used_models: draft
            .used_models
            .into_iter()
            .map(|made::UsedModel { name, title, as_of }| UsedModel { name, title, as_of })
            .collect(),
        warnings: draft.warnings,
        missing: draft
            .missing
            .into_iter()
            .map(|made::Missing { name, label }| Missing { name, label })
            .collect(),
        frame: draft.frame,
        files: draft
            .files
            .into_iter()
            .map(|file| MadeFile {
                filename: file.filename,
                content_type: file.content_type,
                bytes: file.bytes,
            })
            .collect(),
    }
}

fn figure_of(figure: made::Figure) -> Figure {
    let input = |input: made::Input| Input {
        name: input.name,
        value: input.value,
        unit: input.unit,
        origin: input.origin,
    };
    Figure {
        name: figure.name,
        value: figure.value,
        unit: figure.unit,
        period: figure.period,
        as_of: figure.as_of,
        definition: figure.definition,
        inputs: figure.inputs.into_iter().map(input).collect(),
        subject: figure.subject,
    }
}
