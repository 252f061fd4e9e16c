//! A question as queries over a table, from its clauses and from the turns before it; and their answer.
//!
//! A clause takes from its neighbours what it does not say itself. Where two readings differ, it is asked.

use chrono::NaiveDate;

use crate::sheets::finding::{Open, Outcome, merged};
use crate::sheets::meaning::nouns;
use crate::sheets::query::asks::{asks, with};
use crate::sheets::query::computing;
use crate::sheets::query::cues::{self, Wish};
use crate::sheets::query::filters::Filter;
use crate::sheets::query::part::Part;
use crate::sheets::query::reading;
use crate::sheets::query::view::View;
use crate::sheets::query::wanted::Chosen;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::kind::Kind;

/// What came of it.
pub(crate) struct Read {
    pub(crate) result: Result<Outcome, Open>,
    /// Things asked for: more than one, or one that an older reading would have made less of.
    pub(crate) several: bool,
    /// Something of the table was named.
    pub(crate) named: bool,
    /// Words that nothing was made of.
    pub(crate) left: usize,
}

/// The questions of a thread that belong together, the last one last.
pub(crate) fn read(sheet: &Sheet, questions: &[&str], today: NaiveDate) -> Option<Read> {
    if sheet.kind == Kind::Statement && sheet.table.months().len() >= 2 {
        return None;
    }
    let view = View::of(sheet);
    view.rows().next()?;
    let mut parts: Vec<Part> = Vec::new();
    let mut followed = false;
    for (n, question) in questions.iter().enumerate() {
        let mut words = Words::of(question);
        nouns(&mut words);
        // "The average rate, weighted by balance" is one thing.
        for at in 1..words.all.len() {
            let one = words.stem_at(at) == "weighted" && words.stem_at(at + 1) == "by";
            if let Some(word) = words.all.get_mut(at).filter(|_| one) {
                word.begins = false;
            }
        }
        let own: Vec<Part> = cues::clauses(&words)
            .into_iter()
            .map(|clause| reading::clause(clause, &view, today))
            .collect();
        if n == 0 {
            parts = own;
        } else {
            followed = true;
            parts = follow(parts, own)?;
        }
    }
    let named = parts.iter().any(|part| {
        !part.understood.is_empty()
            || !part.filters.is_empty()
            || !part.measures.is_empty()
            || part.counts.is_some()
    });
    if questions
        .last()
        .is_some_and(|question| supposes(&Words::of(question)))
    {
        return Some(Read {
            result: Err(Open::because(
                "I answer of the table as it stands. Please ask without the supposition, or send the table as it would be.",
            )),
            several: false,
            named,
            left: 0,
        });
    }
    let left: Vec<String> = parts.iter().flat_map(|part| part.left.clone()).collect();
    let fail = |open: Open, several: bool| {
        Some(Read {
            result: Err(open),
            several,
            named,
            left: left.len(),
        })
    };
    let asking = parts.iter().filter(|part| part.asks).count();
    if !left.is_empty() {
        return fail(unclear(&view, &parts, &left), asking > 1);
    }
    if let Some(why) = parts.iter().find_map(|part| part.unsure.clone()) {
        return fail(Open::because(why), asking > 1);
    }
    let asks = match asks(&parts, &view) {
        Ok(asks) if asks.is_empty() => return None,
        Ok(asks) => asks,
        Err(open) => return fail(open, asking > 1),
    };
    let several = followed
        || asks.len() > 1
        || asks
            .iter()
            .any(|ask| ask.rank.is_some() || ask.group.is_some() || ask.wish == Wish::Weighted);
    let mut chosen = Chosen::default();
    let results: Vec<Result<Outcome, Open>> = asks
        .iter()
        .map(|ask| computing::compute(ask, &view, &mut chosen))
        .collect();
    let mut result = merged(apart(results).into_iter());
    if let Ok(outcome) = &mut result {
        // A sentence for one of two answers must not hide the other.
        let figures = outcome.findings.iter().filter(|finding| !finding.aside).count();
        if asks.len() > 1
            && figures > 0
            && let Some(sentence) = outcome.sentence.take()
        {
            let rest: Vec<String> = outcome
                .findings
                .iter()
                .filter(|finding| {
                    !finding.aside && finding.subject.is_none() && !sentence.contains(&finding.shown)
                })
                .map(|finding| format!("{}: {}", finding.label, finding.shown))
                .collect();
            outcome.sentence = Some(
                std::iter::once(sentence)
                    .chain(rest)
                    .collect::<Vec<_>>()
                    .join(". "),
            );
        }
    }
    Some(Read {
        result,
        several,
        named,
        left: 0,
    })
}

/// "If Vista leaves", "if suite 4 were let": something else than the table says.
fn supposes(words: &Words) -> bool {
    (0..words.all.len()).any(|at| {
        let verb = (at + 1..at + 7).any(|other| {
            matches!(
                words.stem_at(other),
                "leave"
                    | "left"
                    | "move"
                    | "moved"
                    | "were"
                    | "had"
                    | "goe"
                    | "renew"
                    | "renewed"
                    | "vacate"
                    | "vacated"
            )
        });
        words.stem_at(at) == "if" && verb
    })
}

/// Two figures of one name that are not the same keep both: "how many, and how many of them are vacant".
fn apart(results: Vec<Result<Outcome, Open>>) -> Vec<Result<Outcome, Open>> {
    let mut seen: Vec<(String, Option<String>, String)> = Vec::new();
    let mut all = results;
    for (n, outcome) in all.iter_mut().enumerate() {
        let Ok(outcome) = outcome else { continue };
        for finding in &mut outcome.findings {
            let twin = seen.iter().any(|(name, subject, label)| {
                *name == finding.name && *subject == finding.subject && *label != finding.label
            });
            if twin {
                finding.name = format!("{}_{}", finding.name, n + 1);
            }
            seen.push((
                finding.name.clone(),
                finding.subject.clone(),
                finding.label.clone(),
            ));
        }
    }
    all
}

/// The answer that asks back: what was understood, what was not, and what the table has.
fn unclear(view: &View<'_>, parts: &[Part], left: &[String]) -> Open {
    let understood: Vec<String> = parts
        .iter()
        .flat_map(|part| part.understood.iter())
        .filter(|words| !words.is_empty())
        .map(|words| format!("“{words}”"))
        .collect();
    let known = if understood.is_empty() {
        String::new()
    } else {
        format!(" I understood {}.", understood.join(", "))
    };
    let left: Vec<String> = left.iter().map(|word| format!("“{word}”")).collect();
    Open {
        unclear: true,
        ..Open::because(format!(
            "I am not sure what {} means for {}.{known} Its columns are {}. Please ask without it, or name it as the table does.",
            left.join(", "),
            view.sheet.name,
            reading::listed(view)
        ))
    }
}

/// A follow-up keeps what it does not replace: "only the floating ones?", "and per year?", "by vendor?".
fn follow(before: Vec<Part>, own: Vec<Part>) -> Option<Vec<Part>> {
    let whole = own.iter().any(|part| {
        !part.measures.is_empty()
            || part.share
            || part.counts.is_some()
            || part
                .wishes
                .iter()
                .any(|wish| matches!(wish, Wish::Count | Wish::Distinct))
    });
    if whole {
        // A question of its own, of the same rows where it names none.
        let filters: Vec<Filter> = last_filters(&before);
        let mut own = own;
        for part in &mut own {
            if part.asks && !part.that && !part.filters.is_empty() {
                part.filters = with(&filters, &part.filters);
            } else if part.asks && part.filters.is_empty() {
                part.filters.clone_from(&filters);
            }
        }
        return Some(own);
    }
    let mut kept = before;
    for part in kept.iter_mut().filter(|part| part.asks) {
        for new in &own {
            part.filters = with(&part.filters, &new.filters);
            part.left.extend(new.left.iter().cloned());
            part.pace = new.pace.or(part.pace);
            part.group = new.group.or(part.group);
            part.weight = new.weight.or(part.weight);
            part.rank = new.rank.or(part.rank);
            if part.unsure.is_none() {
                part.unsure.clone_from(&new.unsure);
            }
            if !new.wishes.is_empty() && part.wishes != new.wishes {
                part.wishes.clone_from(&new.wishes);
            }
        }
    }
    Some(kept)
}

fn last_filters(parts: &[Part]) -> Vec<Filter> {
    parts
        .iter()
        .rev()
        .find(|part| !part.filters.is_empty())
        .map(|part| part.filters.clone())
        .unwrap_or_default()
}
