//! Questions about tables: which table is meant, what is asked of it, and the answer; or what has to be asked.
//!
//! A word that narrows the question and was not understood leads to a question, never to a figure. Knows no database.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::contract::brief::{Brief, FileFrom};
use crate::contract::draft::Draft;
use crate::say::compose;
use crate::say::scope;
use crate::sheets::account;
use crate::sheets::asked::Measure;
use crate::sheets::attempt::{self, Attempt};
use crate::sheets::finding::{self, Open};
use crate::sheets::fitting_columns;
use crate::sheets::periods;
use crate::sheets::retold;
use crate::sheets::sources::{self, Place, Sheet, Sheets};
use crate::sheets::status_words::Meanings;
use crate::sheets::unmet;
use crate::sheets::views;
use crate::sheets::words::Words;
use tables::kind::Kind;
use tables::statement;

/// What a turn about a table leaves for the next one.
struct Earlier {
    /// The question, for a follow-up that only adds to it.
    asked: String,
    /// The questions that belong together, the last one last.
    chain: Vec<String>,
    /// It was answered with a question.
    open: bool,
    /// What the status words of the table mean.
    meanings: Meanings,
}

const KEY: &str = "sheet";
const MEANINGS: &str = "meanings";

fn earlier(frame: Option<&Value>) -> Option<Earlier> {
    let own = frame?.get(KEY)?;
    // A frame is read no further than it is written.
    let kept = |asked: &str| asked.chars().take(KEPT).collect::<String>();
    Some(Earlier {
        asked: kept(own.get("asked")?.as_str()?),
        chain: own
            .get("chain")
            .and_then(Value::as_array)
            .map(|chain| chain.iter().filter_map(Value::as_str).map(kept).collect())
            .unwrap_or_default(),
        open: own.get("open")?.as_bool()?,
        meanings: own.get(MEANINGS).map(Meanings::of_frame).unwrap_or_default(),
    })
}

/// An answer, and whether it stands: otherwise it is said where nothing else answers.
pub(crate) struct Answered {
    pub(crate) draft: Draft,
    pub(crate) stands: bool,
}

impl Answered {
    fn stands(draft: Draft) -> Self {
        Self { draft, stands: true }
    }
}

/// The answer, if the question is about a table or a file.
pub(crate) fn answer(brief: &Brief) -> Option<Answered> {
    let mut found = sources::find(brief);
    let before = earlier(brief.earlier.as_ref());
    let mut meanings = before
        .as_ref()
        .map(|before| before.meanings.clone())
        .unwrap_or_default();
    let question = meanings.take(&found.question, &found.sheets);
    let only_meant = question != found.question && Words::of(&question).all.is_empty();
    found.question = question;
    // Nothing but what words mean: the question before is asked again.
    if let Some(before) = before.as_ref().filter(|before| only_meant && before.open) {
        found.question.clone_from(&before.asked);
    }
    found.sheets = found
        .sheets
        .into_iter()
        .map(|sheet| meanings.applied(sheet))
        .collect();
    let mut answered = on_tables(brief, &found, before)?;
    if meanings != Meanings::default()
        && let Some(own) = answered
            .draft
            .frame
            .as_mut()
            .and_then(|frame| frame.get_mut(KEY)?.as_object_mut())
    {
        own.insert(MEANINGS.to_owned(), meanings.to_frame());
    }
    Some(answered)
}

fn on_tables(brief: &Brief, found: &Sheets, before: Option<Earlier>) -> Option<Answered> {
    let words = Words::of(&found.question);
    if found.sheets.is_empty() {
        return without_table(brief, found, &words).map(Answered::stands);
    }
    if words.all.len() > MOST_WORDS {
        return Some(Answered::stands(compose::plain_text(scope::TOO_LONG)));
    }
    let near = found.sheets.iter().any(|sheet| sheet.place < Place::Earlier);
    // Files of earlier turns are only meant where the question says so, or goes on.
    if !near && before.is_none() && !points(&words) {
        return None;
    }
    if let Some(before) = before.as_ref().filter(|before| before.open)
        && let Some((sheets, bare)) = fitting_columns::settled(&found.sheets, &found.question)
    {
        let settled = Sheets {
            sheets,
            question: before.asked.clone(),
            unread: Vec::new(),
        };
        let answered = attempted(brief, &settled, &before.asked);
        if let Some(answered) = answered.filter(|answered| bare || answered.draft.success) {
            return Some(answered);
        }
    }
    // "Both rows count" replies to a question and asks for no number of rows.
    let replies = before.as_ref().is_some_and(|before| before.open) && !asks(&found.question);
    let fits = |answered: &Answered| !(replies && counts(&answered.draft));
    if let Some(before) = &before
        && leans(&words)
        && let Some(answered) = continued(brief, found, before).filter(fits)
    {
        return Some(answered);
    }
    if let Some(answered) = attempted(brief, found, &found.question).filter(fits) {
        return Some(answered);
    }
    // "As of 1 January 2026." after the question for the date.
    if let Some(before) = before
        && words.all.len() <= 12
        && (before.open
            || words.says(&["and", "what about", "how about", "same", "instead", "now"])
            || words.stem_at(0) == "by")
        && let Some(draft) = attempted(brief, found, &format!("{}. {}", before.asked, found.question))
    {
        return Some(draft);
    }
    let sheet = found.sheets.iter().find(|sheet| sheet.place < Place::Earlier)?;
    // Otherwise a calculation would take the number of the year for the amount.
    let of_year = unmet::of_year(&words);
    let open = Open::because(if of_year {
        unmet::OF_YEAR.to_owned()
    } else {
        unmet::not_found(sheet)
    });
    Some(Answered {
        draft: finished(open.draft(), brief, sheet, &found.question, true),
        stands: of_year,
    })
}

fn asks(text: &str) -> bool {
    text.contains('?') || matches!(Words::of(text).stem_at(0), "how" | "count" | "number")
}

/// Whether an answer is a number of rows.
fn counts(draft: &Draft) -> bool {
    draft
        .figures
        .first()
        .is_some_and(|figure| figure.unit == "count" && figure.name.starts_with("number"))
}

/// A short question that goes on from the one before: "only the floating ones?", "and per year?", "by vendor?".
fn leans(words: &Words) -> bool {
    let first = words.stem_at(0);
    words.all.len() <= 10
        && (matches!(
            first,
            "and"
                | "only"
                | "just"
                | "same"
                | "now"
                | "but"
                | "by"
                | "per"
                | "excluding"
                | "without"
                | "ok"
                | "then"
                | "for"
                | "in"
                | "at"
                | "of"
                | "instead"
                | "split"
                | "break"
                | "group"
        ) || words.says(&[
            "what about",
            "how about",
            "of those",
            "of them",
            "of these",
            "instead",
        ]) || words.all.len() <= 4)
}

/// Longer questions are none about a table: each word is looked for in each of its columns and values.
const MOST_WORDS: usize = 300;

/// Characters of a question that are kept for the next one.
const KEPT: usize = 600;

/// Questions of a thread that are kept for the next one.
const CHAIN: usize = 6;

/// The question read together with those before it, on the table that they were about.
fn continued(brief: &Brief, found: &Sheets, before: &Earlier) -> Option<Answered> {
    let mut chain: Vec<&str> = before.chain.iter().map(String::as_str).collect();
    chain.push(&found.question);
    if chain.len() < 2 || chain.len() > CHAIN {
        return None;
    }
    let place = found.sheets.iter().map(|sheet| sheet.place).min()?;
    let mut answers = found
        .sheets
        .iter()
        .filter(|sheet| sheet.place == place)
        .filter_map(|sheet| Some((sheet, attempt::following(sheet, &chain, brief.today)?)));
    let (sheet, outcome) = answers.next()?;
    if answers.next().is_some() && place != Place::Earlier {
        return None;
    }
    if unmet::missed(sheet, &found.question, &outcome).is_some()
        || account::open(sheet, &outcome, &chain.join(" ")).is_some()
    {
        return None;
    }
    let mut outcome = outcome;
    account::close(sheet, &mut outcome);
    let draft = finding::write(&outcome, &sheet.name);
    let asked = format!("{}. {}", before.asked, found.question);
    let mut draft = finished(draft, brief, sheet, &asked, false);
    keep_chain(&mut draft, &chain);
    Some(Answered::stands(draft))
}

fn keep_chain(draft: &mut Draft, chain: &[&str]) {
    if let Some(own) = draft.frame.as_mut().and_then(|frame| frame.get_mut(KEY)) {
        let short: Vec<String> = chain
            .iter()
            .map(|question| question.chars().take(400).collect())
            .collect();
        if let Some(fields) = own.as_object_mut() {
            fields.insert("chain".to_owned(), json!(short));
        }
    }
}

/// Words that point to a file.
fn points(words: &Words) -> bool {
    words.says(&[
        "rent roll",
        "t12",
        "trailing twelve",
        "trailing 12",
        "file",
        "spreadsheet",
        "statement",
        "table",
        "csv",
        "attachment",
        "sheet",
        "leases",
        "comp",
        "flows",
        "list",
        "tape",
        "upload",
    ])
}

/// The question tried on each table; none if no table has what is asked.
fn attempted(brief: &Brief, found: &Sheets, question: &str) -> Option<Answered> {
    let mut best: Vec<(&Sheet, Attempt)> = Vec::new();
    let told = retold::presenting::in_words(question);
    let question = told.as_str();
    for sheet in &found.sheets {
        // Several columns of amounts: it is a statement through those that are meant.
        let attempt = retold::answer::first(sheet, question, brief.today)
            .map(Attempt::Answer)
            .or_else(|| views::answer(sheet, question, brief.today))
            .unwrap_or_else(|| attempt::of(sheet, question, brief.today));
        let attempt = match attempt {
            Attempt::Answer(outcome) => Attempt::Answer(outcome),
            open => retold::answer::answer(sheet, question, brief.today).map_or(open, Attempt::Answer),
        };
        let attempt = match attempt {
            Attempt::Answer(outcome) => {
                match unmet::missed(sheet, question, &outcome)
                    .or_else(|| account::open(sheet, &outcome, question))
                {
                    Some(open) => Attempt::Open(open),
                    None => Attempt::Answer(outcome),
                }
            }
            other => other,
        };
        let rank = |attempt: &Attempt| match attempt {
            Attempt::Answer(_) => 0,
            Attempt::Open(_) => 1,
            Attempt::NotAsked => 2,
        };
        // What earlier files only half fit is no question about them.
        let half = matches!(&attempt, Attempt::Open(open) if open.unclear) && sheet.place == Place::Earlier;
        if matches!(attempt, Attempt::NotAsked) || (half && !points(&Words::of(question))) {
            continue;
        }
        let own = (rank(&attempt), sheet.place);
        let known = best.first().map(|(sheet, attempt)| (rank(attempt), sheet.place));
        match known {
            Some(known) if own > known => {}
            Some(known) if own == known => best.push((sheet, attempt)),
            _ => best = vec![(sheet, attempt)],
        }
    }
    // The newest of earlier files is meant, unless the question names another kind.
    if best
        .first()
        .is_some_and(|(sheet, _)| sheet.place == Place::Earlier)
    {
        best.truncate(1);
    }
    let several = best.len() > 1;
    let (sheet, attempt) = best.into_iter().next()?;
    if several {
        let mut all: BTreeMap<&str, usize> = BTreeMap::new();
        for other in found.sheets.iter().filter(|other| other.place == sheet.place) {
            *all.entry(&other.name).or_default() += 1;
        }
        let counted = |(name, count): (&str, usize)| match count {
            1 => name.to_owned(),
            _ => format!("one of the {count} in {name}"),
        };
        let names: Vec<String> = all.into_iter().map(counted).collect();
        let open = Open::because(format!("Which of the tables do you mean: {}?", names.join(", ")));
        return Some(Answered::stands(finished(
            open.draft(),
            brief,
            sheet,
            question,
            true,
        )));
    }
    match attempt {
        Attempt::Answer(mut outcome) => {
            account::close(sheet, &mut outcome);
            let draft = finding::write(&outcome, &sheet.name);
            Some(Answered::stands(finished(draft, brief, sheet, question, false)))
        }
        // Numbers of the question beside a statement: a calculation may want both.
        Attempt::Open(open) => Some(Answered {
            stands: !(open.unclear && sheet.kind == Kind::Statement) || unmet::of_year(&Words::of(question)),
            draft: finished(open.draft(), brief, sheet, question, true),
        }),
        Attempt::NotAsked => None,
    }
}

fn finished(mut draft: Draft, brief: &Brief, sheet: &Sheet, question: &str, open: bool) -> Draft {
    if draft.success {
        draft.used_files.extend(sheet.file);
    }
    let mut frame = brief
        .earlier
        .clone()
        .filter(Value::is_object)
        .unwrap_or_else(|| json!({ "version": 1, "goals": [], "values": [] }));
    if let Some(fields) = frame.as_object_mut() {
        let asked: String = question.chars().take(KEPT).collect();
        fields.insert(
            KEY.to_owned(),
            json!({ "asked": asked, "chain": [asked], "open": open }),
        );
    }
    draft.frame = Some(frame);
    draft
}

/// What is said where a file is spoken of and no table is there.
fn without_table(brief: &Brief, found: &Sheets, words: &Words) -> Option<Draft> {
    let attached = brief.files.iter().any(|file| file.from == FileFrom::Question);
    let spoken = words.says(&[
        "attached",
        "attachment",
        "enclosed",
        "uploaded",
        "the csv",
        "this csv",
        "in the file",
        "the file",
        "this file",
        "the spreadsheet",
        "this spreadsheet",
        "attaching",
        "this rent roll",
        "this trailing twelve",
        "this t12",
        "this statement",
        "that file",
        "the table below",
        "pasted below",
        "below table",
        "from the file",
        "my file",
        "i sent",
        "i uploaded",
    ]);
    if attached
        && !found.unread.is_empty()
        && (spoken
            || !words
                .all
                .iter()
                .any(|word| matches!(word.kind, super::words::Kind::Number(_))))
    {
        let text = format!(
            "I could not read a table from what you sent. {}",
            found.unread.join(" ")
        );
        return Some(compose::plain_text(&text));
    }
    if let Some(refused) = brief.refused.as_deref().filter(|_| !attached && spoken) {
        return Some(compose::plain_text(refused));
    }
    if !attached && spoken && !noted(brief) {
        return Some(compose::plain_text(
            "No file came with your message. Please attach it (CSV, TSV, text or JSON), or paste the table into the question.",
        ));
    }
    None
}

/// A note may be what "the file" is about.
fn noted(brief: &Brief) -> bool {
    brief
        .files
        .iter()
        .any(|file| matches!(file.from, FileFrom::Note(_) | FileFrom::Earlier))
}

/// The net operating income of the one statement that came with the question, for a calculation that needs it: the
/// value, where it came from, and the file.
pub(crate) fn income(brief: &Brief) -> Option<Income> {
    let found = sources::find(brief);
    let words = Words::of(&found.question);
    let statements: Vec<&Sheet> = found
        .sheets
        .iter()
        .filter(|sheet| sheet.kind == Kind::Statement)
        .filter(|sheet| sheet.table.months().len() >= 2 || periods::yearly(sheet))
        .filter(|sheet| sheet.place < Place::Earlier || points(&words))
        .collect();
    let [sheet] = statements.as_slice() else {
        return None;
    };
    let mut asked = periods::statement(&Words::default());
    asked.twelve = true;
    let read = statement::read(&sheet.table, &[]);
    let outcome = periods::statement_measure(Measure::NetOperatingIncome, &read, &asked, &sheet.name).ok()?;
    let noi = outcome.findings.first()?.value.as_f64()?;
    Some(Income {
        noi,
        name: sheet.name.clone(),
        file: sheet.file,
    })
}

/// A value of a file for a calculation.
pub(crate) struct Income {
    pub(crate) noi: f64,
    pub(crate) name: String,
    pub(crate) file: Option<crate::contract::brief::FileId>,
}
