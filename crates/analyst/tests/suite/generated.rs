//! Questions about generated tables: rent rolls, statements, lists of arrears, budgets and unit mixes as many makers
//! print them, with a mutation in most. True values are known, so answers are right, ask back, or are wrong.
//!
//! `CORBEL_TEST_TABLES=2000` judges as many tables and prints counts by kind and mutation, and every wrong answer with
//! the seed of its table. `CORBEL_TEST_TABLE=17` prints the table of that seed with its questions and answers.

mod arrears;
mod bounds;
mod budget;
mod building;
mod ledger;
mod makers;
mod mix;
mod random;
mod roll;
mod statement;
mod style;
mod tables;
mod verdict;

use std::collections::BTreeMap;

use analyst::answer::draft;
use analyst::contract::brief::{Brief, FileFrom};
use analyst::contract::draft::Draft;
use chrono::NaiveDate;

use self::bounds::{BOUNDS, Bound, SAMPLE, SAMPLE_BOUNDS};
use self::tables::{Kind, Mutation, Period, Question, Table, table};
use self::verdict::{Verdict, verdict};
use super::asking::brief;
use super::sheets::file;

fn ask(table: &Table, question: &Question) -> Draft {
    draft(&Brief {
        files: vec![file(&table.name, &table.text, FileFrom::Question)],
        ..brief(&question.text)
    })
}

#[derive(Default)]
struct Counts {
    right: usize,
    asked: usize,
    wrong: usize,
}

impl Counts {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Right => self.right += 1,
            Verdict::Asked => self.asked += 1,
            Verdict::Wrong => self.wrong += 1,
        }
    }

    fn all(&self) -> usize {
        self.right + self.asked + self.wrong
    }

    fn within(&self, bound: &Bound) -> bool {
        let all = self.all() as f64;
        self.wrong as f64 <= bound.wrong / 100.0 * all && self.right as f64 >= bound.right / 100.0 * all
    }
}

/// Asks about the tables of the first seeds, prints what was counted, and returns the kinds out of bounds.
fn judged(count: u64, bounds: &[Bound]) -> Vec<String> {
    let mut counts: BTreeMap<(Kind, Mutation), Counts> = BTreeMap::new();
    let mut kinds: BTreeMap<Kind, Counts> = BTreeMap::new();
    for seed in 0..count {
        let table = table(seed);
        for question in &table.questions {
            let draft = ask(&table, question);
            let verdict = verdict(question, table.period.as_ref(), &draft);
            counts
                .entry((table.kind, table.mutation))
                .or_default()
                .add(verdict);
            kinds.entry(table.kind).or_default().add(verdict);
            if verdict != Verdict::Right {
                println!(
                    "{verdict:?} {:?} {:?} seed {} ({}): {} want {} -> {}",
                    table.kind,
                    table.mutation,
                    table.seed,
                    table.maker,
                    question.text,
                    question.value,
                    draft.quick_reply
                );
            }
        }
    }
    println!(
        "\n{:<12} {:<16} {:>6} {:>6} {:>6}",
        "kind", "mutation", "right", "asked", "wrong"
    );
    for ((kind, mutation), own) in &counts {
        let (kind, mutation) = (format!("{kind:?}"), format!("{mutation:?}"));
        println!(
            "{kind:<12} {mutation:<16} {:>6} {:>6} {:>6}",
            own.right, own.asked, own.wrong
        );
    }
    let mut out = Vec::new();
    for (kind, own) in &kinds {
        let share = |part: usize| 100.0 * part as f64 / own.all() as f64;
        let line = format!(
            "{kind:?}: {:.1} % right, {:.1} % asked, {:.1} % wrong of {}",
            share(own.right),
            share(own.asked),
            share(own.wrong),
            own.all()
        );
        println!("{line}");
        let bound = bounds.iter().find(|bound| bound.kind == *kind).unwrap();
        if !own.within(bound) {
            out.push(format!(
                "{line}; at most {} wrong, at least {} right",
                bound.wrong, bound.right
            ));
        }
    }
    out
}

#[test]
fn a_sample_of_generated_tables_is_read_within_bounds() {
    let out = judged(SAMPLE, SAMPLE_BOUNDS);
    assert!(out.is_empty(), "{}", out.join("\n"));
}

#[test]
fn many_generated_tables_are_read_within_bounds() {
    let Some(count) = std::env::var("CORBEL_TEST_TABLES").ok() else {
        println!("CORBEL_TEST_TABLES is not set: only the sample is judged");
        return;
    };
    let out = judged(count.parse().unwrap(), BOUNDS);
    assert!(out.is_empty(), "{}", out.join("\n"));
}

#[test]
fn a_table_is_printed_by_its_seed() {
    let seed = std::env::var("CORBEL_TEST_TABLE").ok();
    let table = table(seed.map_or(0, |seed| seed.parse().unwrap()));
    println!(
        "{:?} {:?} ({})\n{}",
        table.kind, table.mutation, table.maker, table.text
    );
    for question in &table.questions {
        let draft = ask(&table, question);
        let verdict = verdict(question, table.period.as_ref(), &draft);
        println!(
            "{} want {}: {verdict:?}\n  {}\n  warnings: {:?}",
            question.text, question.value, draft.quick_reply, draft.warnings
        );
    }
    assert_eq!(table.questions.len(), tables::QUESTIONS);
}

#[test]
fn answers_are_judged_by_their_figure_period_and_what_they_leave_open() {
    let month = |at: u32| NaiveDate::from_ymd_opt(2026, at, 1).unwrap();
    let period = Period {
        months: vec![month(1), month(2), month(4)],
    };
    let question = Question {
        says: vec!["Mar 2026".to_owned()],
        ..Question::money("What is the NOI?", 123_450)
    };
    let says = |said: &str| {
        let answer = Draft {
            quick_reply: said.to_owned(),
            success: !said.ends_with('?'),
            ..Draft::default()
        };
        verdict(&question, Some(&period), &answer)
    };
    for (said, wanted) in [
        (
            "The NOI is $1,234.50 (January 2026 to April 2026). Mar 2026 is missing.",
            Verdict::Right,
        ),
        (
            "The NOI is $1,234.50 (January 2026 to April 2026). From a.csv.",
            Verdict::Wrong,
        ),
        (
            "The NOI is $1,234.50 (January 2026 to March 2026), Mar 2026.",
            Verdict::Wrong,
        ),
        (
            "The NOI is $1,234.50 for twelve months. Mar 2026 is missing.",
            Verdict::Wrong,
        ),
        ("The NOI is -$1,234.50. Mar 2026 is missing.", Verdict::Wrong),
        ("The NOI is $1,235. Mar 2026 is missing.", Verdict::Wrong),
        ("Which months do you mean?", Verdict::Asked),
        ("The NOI is what is left after expenses.", Verdict::Asked),
    ] {
        assert_eq!(says(said), wanted, "{said}");
    }
}

#[test]
fn a_seed_makes_the_same_table_again() {
    for seed in 0..50 {
        assert_eq!(table(seed).text, table(seed).text);
    }
    assert_ne!(table(0).text, table(5).text);
}
