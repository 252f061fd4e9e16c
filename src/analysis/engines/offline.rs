//! The offline analyst as an engine: gives `crates/analyst` the brief and the portfolio of a run and takes its draft.
//!
//! Only translates between the two contracts.

use std::collections::BTreeSet;

use analyst::contract::{brief as input, draft as output, portfolio as source};
use chrono::NaiveDate;
use finance::portfolio::query::{
    Catalog, DataModel, Letting, Listed, Loan, Measure, Only, Query, Rollover, Space, Tenant,
};
use futures_core::future::BoxFuture;
use tables::work::Ended;

use crate::analysis::answer::{Figure, Input, Missing};
use crate::analysis::engine::{
    Brief, Draft, Engine, FileContent, FileExcerpt, FileFrom, GeneratedFile, NoteExcerpt, Outcome, Remark,
    Speaker, Tone, UsedModel,
};
use crate::analysis::tools::kit::Tools;
use crate::analysis::tools::portfolio::{PortfolioTool, View};
use crate::base::blocking;
use crate::base::error::{Error, Result};
use crate::base::ids::{FileId, NoteId};

/// See [`OfflineAnalyst::most_work`]. About ten seconds of a release build: a unit takes some 20 ns.
const MOST_WORK: u64 = 500_000_000;
/// Most bytes of an answer's text.
const MOST_TEXT: usize = 512 << 10;

/// The built-in engine: deterministic; asks a clarifying question if it is not sure.
#[derive(Clone, Copy, Debug)]
pub struct OfflineAnalyst {
    /// Most work for one answer, in units of [`tables::work`].
    pub most_work: u64,
}

impl Default for OfflineAnalyst {
    fn default() -> Self {
        Self { most_work: MOST_WORK }
    }
}

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

    fn notes_of_frame(&self, earlier: &serde_json::Value) -> Vec<NoteId> {
        let notes = analyst::answer::leans_on(earlier).into_iter();
        notes.map(|note| NoteId::from_uuid(note.0)).collect()
    }

    fn answer<'a>(&'a self, brief: &'a Brief, tools: &'a Tools) -> BoxFuture<'a, Result<Outcome>> {
        Box::pin(async move {
            let input = brief_of(brief);
            let portfolio = tools.portfolio.clone().map(Portfolio::new);
            let permit = brief.permit.clone();
            let reading = async move {
                let _until_the_thread_ends = permit;
                answer(&input, portfolio).await
            };
            match blocking::read(self.most_work, reading).await? {
                Ok(answered) => answered.map(|draft| within_size(draft_of(draft), brief).into()),
                Err(Ended::TooMuch) => Ok(too_much(brief).into()),
                Err(Ended::Stopped) => Err(Error::Stale),
            }
        })
    }
}

/// An answer that repeats what a large file says is too long to be read, stored and posted.
fn within_size(draft: Draft, brief: &Brief) -> Draft {
    let warnings = draft.warnings.iter().map(String::len).sum::<usize>();
    let bytes = draft.summary.len() + draft.result.len() + draft.reasoning.len() + warnings;
    if bytes <= MOST_TEXT {
        return draft;
    }
    plain(
        "The answer would be too long to read. Please ask about fewer rows, or for one figure.".to_owned(),
        brief,
    )
}

/// The answer to a brief that takes more work than one answer may.
fn too_much(brief: &Brief) -> Draft {
    let files = if brief.files.is_empty() {
        ""
    } else {
        " with its files"
    };
    let text = format!(
        "This is too much to read: the question{files} takes more work than I do for one answer. \
         Nothing was calculated. Please ask about one table at a time, and leave out what the question does not need."
    );
    plain(text, brief)
}

/// An answer without a figure. The next question goes on from where this one did.
fn plain(text: String, brief: &Brief) -> Draft {
    Draft {
        quick_reply: text.clone(),
        summary: text.clone(),
        result: text,
        frame: brief.earlier.clone(),
        ..Draft::default()
    }
}

async fn answer(brief: &input::Brief, portfolio: Option<Portfolio>) -> Result<output::Draft> {
    let mut portfolio = portfolio;
    let source = portfolio.as_mut().map(|own| own as &mut dyn source::Portfolio);
    analyst::answer::answer(brief, source).await.map_err(fault)
}

/// An error of this service that passed through the analyst keeps its code.
fn fault(fault: source::Fault) -> Error {
    match fault.downcast::<Error>() {
        Ok(own) => *own,
        Err(other) => Error::internal(other),
    }
}

/// The portfolio as of the first call.
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

impl source::Portfolio for Portfolio {
    fn catalog(&mut self) -> BoxFuture<'_, source::Result<Catalog>> {
        Box::pin(async move { Ok(self.view().await?.catalog().await?) })
    }

    fn used(&self) -> Vec<DataModel> {
        self.view.as_ref().map(View::used).unwrap_or_default()
    }

    fn measure<'a>(&'a mut self, query: &'a Query) -> BoxFuture<'a, source::Result<Measure>> {
        Box::pin(async move { Ok(self.view().await?.measure(query).await?) })
    }

    fn rollover<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        space: Option<Space>,
        day: NaiveDate,
    ) -> BoxFuture<'a, source::Result<Vec<Rollover>>> {
        Box::pin(async move { Ok(self.view().await?.rollover(buildings, space, day).await?) })
    }

    fn tenants<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        which: (Option<Space>, &'a Only),
        day: NaiveDate,
    ) -> BoxFuture<'a, source::Result<Vec<Tenant>>> {
        Box::pin(async move { Ok(self.view().await?.tenants(buildings, which, day).await?) })
    }

    fn lettings<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        which: (Option<Space>, &'a Only),
        day: NaiveDate,
        listed: Listed,
    ) -> BoxFuture<'a, source::Result<Vec<Letting>>> {
        Box::pin(async move {
            let view = self.view().await?;
            Ok(view.lettings(buildings, which, day, listed).await?)
        })
    }

    fn tenants_named<'a>(
        &'a mut self,
        name: &'a str,
    ) -> BoxFuture<'a, source::Result<Vec<(String, String)>>> {
        Box::pin(async move { Ok(self.view().await?.tenants_named(name).await?) })
    }

    fn loans<'a>(
        &'a mut self,
        buildings: Option<&'a BTreeSet<String>>,
        day: NaiveDate,
    ) -> BoxFuture<'a, source::Result<Vec<Loan>>> {
        Box::pin(async move { Ok(self.view().await?.loans(buildings, day).await?) })
    }

    fn close(&mut self) -> BoxFuture<'_, source::Result<()>> {
        Box::pin(async move {
            match self.view.take() {
                Some(view) => Ok(view.end().await?),
                None => Ok(()),
            }
        })
    }
}

fn brief_of(brief: &Brief) -> input::Brief {
    input::Brief {
        question: brief.question.clone(),
        tone: match brief.tone {
            Tone::Professional => input::Tone::Professional,
            Tone::Friendly => input::Tone::Friendly,
            Tone::Authoritative => input::Tone::Authoritative,
            Tone::Consultative => input::Tone::Consultative,
            Tone::Funny => input::Tone::Funny,
        },
        today: brief.today,
        earlier: brief.earlier.clone(),
        notes: brief.notes.iter().map(note_of).collect(),
        files: brief.files.iter().map(file_of).collect(),
        refused: brief.refused.clone(),
        thread: brief.thread.iter().map(remark_of).collect(),
    }
}

fn note_of(note: &NoteExcerpt) -> input::NoteExcerpt {
    input::NoteExcerpt {
        id: input::NoteId(note.id.uuid()),
        title: note.title.clone(),
        body: note.body.clone(),
        updated_at: note.updated_at,
    }
}

fn file_of(file: &FileExcerpt) -> input::FileExcerpt {
    input::FileExcerpt {
        id: input::FileId(file.id.uuid()),
        name: file.name.clone(),
        from: match file.from {
            FileFrom::Question => input::FileFrom::Question,
            FileFrom::Note(note) => input::FileFrom::Note(input::NoteId(note.uuid())),
            FileFrom::Earlier => input::FileFrom::Earlier,
        },
        content: match &file.content {
            FileContent::Text { media, text } => input::FileContent::Text {
                media: media.clone(),
                text: text.clone(),
            },
            FileContent::Unreadable(why) => input::FileContent::Unreadable(why.clone()),
        },
    }
}

fn remark_of(remark: &Remark) -> input::Remark {
    input::Remark {
        by: match remark.by {
            Speaker::Person(_) => input::Speaker::Person,
            Speaker::Assistant => input::Speaker::Assistant,
        },
        text: remark.text.clone(),
    }
}

fn draft_of(draft: output::Draft) -> Draft {
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
            .map(|output::UsedModel { name, title, as_of }| UsedModel { name, title, as_of })
            .collect(),
        warnings: draft.warnings,
        missing: draft
            .missing
            .into_iter()
            .map(|output::Missing { name, label }| Missing { name, label })
            .collect(),
        frame: draft.frame,
        files: draft
            .files
            .into_iter()
            .map(|file| GeneratedFile {
                filename: file.filename,
                content_type: file.content_type,
                bytes: file.bytes,
            })
            .collect(),
        ..Draft::default()
    }
}

fn figure_of(figure: output::Figure) -> Figure {
    let input_of = |input: output::Input| Input {
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
        inputs: figure.inputs.into_iter().map(input_of).collect(),
        subject: figure.subject,
    }
}
