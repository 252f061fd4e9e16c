//! The typed calls of one run: through them a language model reaches every number. They are bound to what the asker
//! may see before the first call, and a value that is in nothing the run was given is refused.
//!
//! Does not depend on a model: a call is a name and JSON arguments, and its result is JSON.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use calls::audit::trace::{Known, untraced, without_marked};
use calls::provenance::Givens;
use calls::result::{Computed, Refusal, json_of};
use calls::session::Session;
use serde_json::{Value, json};
use tables::work::Ended;

use crate::analysis::answer::Figure;
use crate::analysis::engine::{Brief, KeptNote, NoteExcerpt, UsedModel};
use crate::analysis::tools::kit::Tools;
use crate::analysis::tools::typed::catalog::{self, Spec};
use crate::analysis::tools::typed::figures;
use crate::analysis::tools::typed::files::{self, Shelf};
use crate::analysis::tools::typed::given::{About, Given};
use crate::analysis::tools::typed::notes;
use crate::analysis::tools::typed::{metric, query};
use crate::base::blocking;
use crate::base::error::{Error, Result};
use crate::base::ids::{FileId, NoteId};

/// Most work of one call, in units of `tables::work`: about two seconds; and of reading all files.
const MOST_WORK: u64 = 100_000_000;
const MOST_READING: u64 = 500_000_000;

/// The calls of one run.
pub struct TypedCalls<'a> {
    brief: &'a Brief,
    tools: &'a Tools,
    /// What this run may call.
    specs: Vec<Spec>,
    /// Shared with the thread that computes.
    session: Arc<Mutex<Session>>,
    shelf: Shelf,
    /// Notes by their refs, `n1` first.
    notes: Vec<NoteExcerpt>,
    origins: Vec<(String, Givens)>,
    made: Vec<MadeCall>,
    used_models: Vec<UsedModel>,
    used_files: BTreeSet<FileId>,
    kept: Vec<KeptNote>,
}

/// A call that was run.
#[derive(Clone, Debug)]
pub struct MadeCall {
    pub name: String,
    pub arguments: Value,
    /// What the caller got.
    pub result: Value,
    /// The figures with their refs.
    pub figures: Vec<(String, Figure)>,
    /// One line for each step, for people.
    pub steps: Vec<String>,
    pub warnings: Vec<String>,
    /// The inputs that are missing: name and label.
    pub missing: Vec<(String, String)>,
    /// Whether the call gave an error.
    pub failed: bool,
}

impl<'a> TypedCalls<'a> {
    /// The calls of a run. `said` has the texts of earlier turns, with the name of their origin. Reads the tables of
    /// the files, on a thread for computing; files that take too much work have no tables.
    pub async fn new(brief: &'a Brief, tools: &'a Tools, said: &[(String, String)]) -> Result<Self> {
        let files = brief.files.clone();
        let reading = async move { Shelf::of(&files, true) };
        let shelf = match blocking::read(MOST_READING, reading).await? {
            Ok(shelf) => shelf,
            Err(Ended::TooMuch) => Shelf::of(&brief.files, false),
            Err(Ended::Stopped) => return Err(Error::Stale),
        };
        let mut all = Givens::default();
        let mut origins = Vec::new();
        let notes = brief
            .notes
            .iter()
            .map(|note| (note.title.clone(), format!("{}\n{}", note.title, note.body)));
        let question = std::iter::once(("question".to_owned(), brief.question.clone()));
        for (origin, text) in question.chain(said.iter().cloned()).chain(notes) {
            let mut own = Givens::default();
            own.add(&text);
            all.add(&text);
            origins.push((origin, own));
        }
        Ok(Self {
            brief,
            tools,
            specs: catalog::of(brief, tools),
            session: Arc::new(Mutex::new(Session::new(all))),
            shelf,
            notes: brief.notes.clone(),
            origins,
            made: Vec::new(),
            used_models: Vec::new(),
            used_files: BTreeSet::new(),
            kept: Vec::new(),
        })
    }

    /// What this run may call.
    pub fn specs(&self) -> &[Spec] {
        &self.specs
    }

    /// Runs one call. The result says what is wrong with the call; an error is a fault of this service.
    pub async fn run(&mut self, name: &str, arguments: &Value) -> Result<&MadeCall> {
        let given = match self.specs.iter().any(|spec| spec.name == name) {
            true => self.given(name, arguments).await?,
            false => Given::Error(catalog::unknown(name, &self.specs)),
        };
        let made = self.numbered(name, arguments, given);
        self.made.push(made);
        self.made
            .last()
            .ok_or_else(|| Error::internal("no call was made"))
    }

    /// The files that were given, in one line each.
    pub fn files(&self) -> Vec<files::Listed> {
        files::listed(&self.shelf)
    }

    /// All that the run was given or computed, to trace the numbers of its answer.
    pub fn known(&self) -> Known {
        let brief = self.brief;
        let mut known = Known::default();
        known.add_date(brief.today);
        known.add_text(&brief.question);
        let turns = brief.turns.iter().flat_map(|turn| [&turn.question, &turn.answer]);
        let posts = brief.thread.iter().map(|post| &post.text);
        for text in turns.chain(posts) {
            known.add_text(&without_marked(text));
        }
        let notes = self.notes.iter().flat_map(|note| [&note.title, &note.body]);
        for text in notes.chain(&brief.instructions) {
            known.add_text(text);
        }
        for note in &self.notes {
            known.add_date(note.updated_at.date_naive());
        }
        for file in self.files() {
            known.add_text(&file.name);
            known.add_text(&file.about);
        }
        for made in self.made.iter().filter(|made| !made.failed) {
            known.add_text(&made.result.to_string());
            // The values of other calls were not checked.
            if !made.figures.is_empty() {
                known.add_text(&made.arguments.to_string());
            }
            for (_, figure) in &made.figures {
                for (value, unit) in std::iter::once((&figure.value, &figure.unit))
                    .chain(figure.inputs.iter().map(|input| (&input.value, &input.unit)))
                {
                    let listed = value.as_array().into_iter().flatten();
                    let values = value.as_f64().into_iter().chain(listed.filter_map(Value::as_f64));
                    values.for_each(|value| known.add_figure(value, unit));
                }
            }
            for text in &made.steps {
                known.add_text(text);
            }
        }
        known
    }

    /// The calls so far, in their order.
    pub fn made(&self) -> &[MadeCall] {
        &self.made
    }

    /// Whether a call gave a figure.
    pub fn has_figures(&self) -> bool {
        self.made.iter().any(|made| !made.figures.is_empty())
    }

    pub fn used_models(&self) -> &[UsedModel] {
        &self.used_models
    }

    /// The notes and files of the refs in a text.
    pub fn cited(&self, reference: &str) -> Option<Cited> {
        let number = |prefix| {
            reference
                .strip_prefix(prefix)?
                .parse::<usize>()
                .ok()?
                .checked_sub(1)
        };
        if let Some(note) = number('n').and_then(|at| self.notes.get(at)) {
            return Some(Cited::Note(note.id));
        }
        number('f').and_then(|at| self.shelf.id(at)).map(Cited::File)
    }

    /// Notes that a search found in addition to those of the brief.
    pub fn found_notes(&self) -> &[NoteExcerpt] {
        self.notes.get(self.brief.notes.len()..).unwrap_or_default()
    }

    /// Files whose content was read.
    pub fn used_files(&self) -> &BTreeSet<FileId> {
        &self.used_files
    }

    /// Notes that the person asked to keep. They are written with the answer.
    pub fn kept(&self) -> &[KeptNote] {
        &self.kept
    }

    async fn given(&mut self, name: &str, arguments: &Value) -> Result<Given> {
        let portfolio = self.tools.portfolio.as_ref();
        match (name, portfolio) {
            ("portfolio_metric", Some(tool)) => {
                let found = metric::run(tool, self.brief.today, arguments).await?;
                self.uses(found.models);
                Ok(found.given)
            }
            ("portfolio_models", Some(tool)) => query::models(tool, arguments).await,
            ("portfolio_query", Some(tool)) => {
                let found = query::run(tool, arguments).await?;
                self.uses(found.models);
                Ok(found.given)
            }
            ("search_notes", _) => Ok(match notes::found(self.tools.notes.as_ref(), arguments).await? {
                Ok(found) => Given::Json(notes::listed(&self.add_notes(found))),
                Err(refusal) => Given::Error(refusal),
            }),
            ("save_note", _) => Ok(self.save_note(arguments)),
            ("list_files", _) => Ok(Given::Json(files::list(&self.shelf))),
            ("read_file", _) => Ok(self.read_file(arguments)),
            _ => self.computed(name, arguments).await,
        }
    }

    /// Runs a call of `crates/calls` on a thread for computing, with a limit of work.
    async fn computed(&mut self, name: &str, arguments: &Value) -> Result<Given> {
        if name == "query_table"
            && let Some(name_of_table) = arguments.get("table").and_then(Value::as_str).map(str::trim)
            && let Some((file, table)) = self.shelf.table(name_of_table)
        {
            self.with(|session| session.add_table(name_of_table, table.table.clone()));
            self.used_files.insert(file);
        }
        let (session, name, arguments) = (Arc::clone(&self.session), name.to_owned(), arguments.clone());
        let computing = async move {
            let session = session.lock().unwrap_or_else(PoisonError::into_inner);
            session.computed(&name, &arguments)
        };
        let outcome = match blocking::read(MOST_WORK, computing).await? {
            Ok(outcome) => outcome,
            Err(Ended::TooMuch) => Err(Refusal::failure(
                "too_many",
                "This takes more work than one call may. Ask for fewer rows or values.",
            )),
            Err(Ended::Stopped) => return Err(Error::Stale),
        };
        Ok(Given::Outcome(outcome, About::default()))
    }

    fn read_file(&mut self, arguments: &Value) -> Given {
        match files::read(&self.shelf, arguments) {
            Ok(part) => {
                self.used_files.insert(part.id);
                self.with(|session| session.add_text(&part.text));
                let mut own = Givens::default();
                own.add(&part.text);
                self.origins.push((part.name.clone(), own));
                Given::Json(part.json)
            }
            Err(refusal) => Given::Error(refusal),
        }
    }

    /// Adds notes that a search found, each under its own ref. Their values are accepted from now on.
    fn add_notes(&mut self, found: Vec<NoteExcerpt>) -> Vec<(String, NoteExcerpt)> {
        let mut listed = Vec::with_capacity(found.len());
        for note in found {
            let at = match self.notes.iter().position(|known| known.id == note.id) {
                Some(at) => at,
                None => {
                    let text = format!("{}\n{}", note.title, note.body);
                    self.with(|session| session.add_text(&text));
                    let mut own = Givens::default();
                    own.add(&text);
                    self.origins.push((note.title.clone(), own));
                    self.notes.push(note.clone());
                    self.notes.len() - 1
                }
            };
            listed.push((format!("n{}", at + 1), note));
        }
        listed
    }

    fn save_note(&mut self, arguments: &Value) -> Given {
        let tool = self.tools.notes.as_ref();
        match notes::kept(tool, &self.brief.question, self.kept.len(), arguments) {
            Ok(note) if !untraced(&note.body, &self.known()).is_empty() => Given::Error(Refusal::failure(
                "not_given",
                "The note has numbers that are in nothing that was given. A note keeps no made-up number.",
            )),
            Ok(note) => {
                let result = json!({ "kept": note.title, "written": "with this answer" });
                self.kept.push(note);
                Given::Json(result)
            }
            Err(refusal) => Given::Error(refusal),
        }
    }

    fn uses(&mut self, models: Vec<UsedModel>) {
        for model in models {
            if !self.used_models.contains(&model) {
                self.used_models.push(model);
            }
        }
    }

    fn numbered(&self, name: &str, arguments: &Value, given: Given) -> MadeCall {
        let mut made = MadeCall {
            name: name.to_owned(),
            arguments: arguments.clone(),
            result: Value::Null,
            figures: Vec::new(),
            steps: Vec::new(),
            warnings: Vec::new(),
            missing: Vec::new(),
            failed: false,
        };
        let (outcome, about) = match given {
            Given::Json(json) => {
                made.result = json;
                return made;
            }
            Given::Outcome(outcome, about) => (outcome, about),
            Given::Error(refusal) => (Err(refusal), About::default()),
        };
        let reference = self.with(|session| session.add_outcome(&outcome));
        made.result = json_of(&outcome, &reference);
        if !about.warnings.is_empty()
            && let Some(result) = made.result.as_object_mut()
        {
            result.insert("warnings".to_owned(), json!(about.warnings));
            made.warnings.clone_from(&about.warnings);
        }
        match outcome {
            Ok(computed) => self.explain(&mut made, &computed, &reference, &about),
            Err(Refusal::Missing(inputs)) => made.missing = inputs,
            Err(Refusal::Failure(_)) => made.failed = true,
        }
        made
    }

    fn explain(&self, made: &mut MadeCall, computed: &Computed, reference: &str, about: &About) {
        let inputs = figures::inputs(computed, &made.arguments, |text| self.origin(text));
        let figures = computed.figures.iter().enumerate().map(|(at, figure)| {
            let inputs = if at == 0 { inputs.clone() } else { Vec::new() };
            (
                format!("{reference}.{}", at + 1),
                figures::of(figure, about, inputs),
            )
        });
        made.figures = figures.collect();
        made.steps = figures::steps(computed);
    }

    /// Where a value comes from, in the words of an answer's inputs.
    fn origin(&self, text: &str) -> String {
        let found = self
            .origins
            .iter()
            .find(|(_, givens)| givens.check(&json!([text])).is_ok());
        found.map_or("question", |(origin, _)| origin.as_str()).to_owned()
    }

    fn with<T>(&self, act: impl FnOnce(&mut Session) -> T) -> T {
        act(&mut self.session.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a ref in a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cited {
    Note(NoteId),
    File(FileId),
}
