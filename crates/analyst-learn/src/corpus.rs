//! Example questions with their numbers named: what the model is learned from.
//!
//! A file of examples declares slots with their kinds, and intents: the figure that is asked, one telling in words that
//! the calculations know, and examples. `{noi|731,600}` in an example says what the number is; `{flow+|1.4m}` is added
//! to the flow before it, `{flow-|60,000}` goes out. Numbers without a name are no input. What stands under `none` is
//! not answered.

use std::collections::HashMap;

use analyst::by_example::model::{Intent, Kind, Part, Role};
use analyst::by_example::telling::{self, Piece};

#[derive(Debug)]
pub struct Mark {
    pub start: usize,
    pub end: usize,
    pub role: Role,
}

#[derive(Debug)]
pub struct Example {
    /// `None`: it is not answered.
    pub intent: Option<usize>,
    pub text: String,
    pub marks: Vec<Mark>,
}

#[derive(Debug, Default)]
pub struct Corpus {
    pub slots: Vec<(String, Kind)>,
    pub intents: Vec<Intent>,
    pub examples: Vec<Example>,
    /// Lines that are none of the above.
    pub faults: Vec<String>,
}

impl Corpus {
    pub fn read(files: &[String]) -> Self {
        let mut corpus = Self::default();
        let mut slots = HashMap::new();
        for file in files {
            corpus.add(file, &mut slots);
        }
        corpus
    }

    fn add(&mut self, file: &str, slots: &mut HashMap<String, usize>) {
        let (mut id, mut figure) = (String::new(), String::new());
        // Examples of an intent whose telling cannot be used teach nothing.
        let mut intent: Option<Option<usize>> = None;
        for line in file.lines().map(str::trim_end) {
            if let Some(declared) = line.strip_prefix("slot ") {
                let mut words = declared.split_whitespace();
                let (name, kind) = (words.next().unwrap_or(""), words.next().and_then(kind));
                let known = slots
                    .get(name)
                    .and_then(|slot| self.slots.get(*slot))
                    .map(|(_, kind)| *kind);
                match (kind, known) {
                    (Some(kind), None) => {
                        slots.insert(name.to_owned(), self.slots.len());
                        self.slots.push((name.to_owned(), kind));
                    }
                    // A slot means the same in every file.
                    (Some(kind), Some(known)) if kind == known => {}
                    _ => self.faults.push(line.to_owned()),
                }
            } else if let Some(named) = line.strip_prefix("== ") {
                id = named.trim().to_owned();
                intent = (id == "none").then_some(None);
            } else if let Some(named) = line.strip_prefix("figure:") {
                figure = named.trim().to_owned();
            } else if let Some(told) = line.strip_prefix("tell:") {
                intent = self.intent(&figure, told.trim(), slots).map(Some);
                if intent.is_none() {
                    self.faults.push(format!("{id}: {line}"));
                }
            } else if line.starts_with("unable:") {
                // The calculations have no such figure yet.
                intent = Some(None);
            } else if let Some(text) = line.strip_prefix("- ") {
                let Some(intent) = intent else { continue };
                match example(intent, text, slots) {
                    Some(example) => self.examples.push(example),
                    None => self.faults.push(line.to_owned()),
                }
            }
        }
    }

    fn intent(&mut self, figure: &str, tell: &str, slots: &HashMap<String, usize>) -> Option<usize> {
        let asked = self.intents.iter().find(|own| own.figure == figure).map_or_else(
            || self.intents.iter().map(|own| own.asked + 1).max().unwrap_or(0),
            |own| own.asked,
        );
        let mut intent = Intent {
            figure: figure.to_owned(),
            tell: tell.to_owned(),
            asked,
            ..Intent::default()
        };
        for (pieces, optional) in telling::stretches(tell)? {
            for piece in pieces {
                let Piece::Slot(named) = piece else { continue };
                let slot = *slots.get(named.name)?;
                if !optional {
                    intent.required.push(slot);
                }
                if named.list {
                    intent.lists.push(slot);
                }
            }
        }
        self.intents.push(intent);
        Some(self.intents.len() - 1)
    }
}

fn kind(word: &str) -> Option<Kind> {
    Some(match word {
        "money" => Kind::Money,
        "percent" => Kind::Percent,
        "years" => Kind::Years,
        "months" => Kind::Months,
        "count" => Kind::Count,
        "times" => Kind::Times,
        "area" => Kind::Area,
        "psf" => Kind::Psf,
        "date" => Kind::Date,
        "label" => Kind::Label,
        _ => return None,
    })
}

/// The text without its marks, and where they were.
fn example(intent: Option<usize>, marked: &str, slots: &HashMap<String, usize>) -> Option<Example> {
    let mut text = String::with_capacity(marked.len());
    let mut marks = Vec::new();
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (inside, behind) = after.split_once('}')?;
        let (name, number) = inside.split_once('|')?;
        let (name, part) = match (name.strip_suffix('+'), name.strip_suffix('-')) {
            (Some(name), _) => (name, Part::Added),
            (_, Some(name)) => (name, Part::Outflow),
            _ => (name, Part::Whole),
        };
        let slot = *slots.get(name.trim())?;
        let start = text.len();
        text.push_str(number);
        let role = Role { slot, part };
        marks.push(Mark {
            start,
            end: text.len(),
            role,
        });
        rest = behind;
    }
    text.push_str(rest);
    Some(Example { intent, text, marks })
}
