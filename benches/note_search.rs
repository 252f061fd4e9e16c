//! The time of a search among 100,000 notes: `Context::search` as used by runs and the API, on SQLite and, if
//! `CORBEL_BENCH_POSTGRES_URL` is set, on a temporary database of that PostgreSQL server. Both get the same
//! notes and questions, and must return results in the same order.
//!
//! Run with `cargo bench --bench note_search`. Invented words with a Zipf distribution, notes of about 1.1
//! kB, and questions of five words from one note, half of them with different endings. CORBEL_BENCH_NOTES,
//! CORBEL_BENCH_TENANTS and CORBEL_BENCH_REQUESTS (questions) set the size.

#![expect(clippy::indexing_slicing, reason = "places are drawn below the lengths")]

#[expect(dead_code, reason = "the benches that compare contenders use more of it")]
mod support;

/// Temporary databases.
mod load {
    #[expect(dead_code, reason = "the benches that compare contenders use more of it")]
    pub mod database;
}

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use corbel::accounts::model::Plan;
use corbel::accounts::service::NewPerson;
use corbel::app::build::build;
use corbel::app::config::Config;
use corbel::audit::store::Actor;
use corbel::base::clock::Clock;
use corbel::base::ids::OrgId;
use corbel::base::principal::Role;
use corbel::context::model::{NoteKind, Scope};
use corbel::services::Services;

use crate::load::database::TempDatabase;
use crate::support::{Outcome, Scratch, env_var, machine, ms, number, quantile, say};

/// Number of different words.
const WORDS: usize = 30_000;
/// Number of words in a note's body.
const LENGTH: usize = 150;
/// Number of slowest questions to repeat.
const WORST: usize = 10;
/// Maximum number of notes that a search returns.
const MOST: usize = 10;

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

/// A simple generator, so that each database gets the same notes and questions.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() * most as f64) as usize
    }

    /// The rank of a random word, with a Zipf distribution.
    fn rank(&mut self) -> usize {
        ((self.next() * (WORDS as f64).ln()).exp() as usize).min(WORDS - 1)
    }
}

/// The word of this rank, in one of its forms.
fn word(rank: usize, form: usize) -> String {
    const PARTS: [&str; 20] = [
        "bar", "col", "den", "fir", "gol", "han", "jor", "kel", "lum", "mar", "nor", "pel", "qua", "ror",
        "sil", "tam", "ulm", "vor", "wex", "zan",
    ];
    const FORMS: [&str; 4] = ["", "s", "ed", "ing"];
    let mut text = String::new();
    let mut left = rank + PARTS.len();
    while left > 0 {
        text.push_str(PARTS[left % PARTS.len()]);
        left /= PARTS.len();
    }
    text + FORMS[form % FORMS.len()]
}

struct Note {
    title: String,
    body: String,
    ranks: Vec<usize>,
}

fn note(tenant: usize, number: usize) -> Note {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ ((tenant as u64) << 32) ^ (number as u64 + 1));
    for _ in 0..8 {
        dice.next();
    }
    let length = LENGTH / 2 + dice.below(LENGTH);
    let ranks: Vec<usize> = (0..length).map(|_| dice.rank()).collect();
    let body: Vec<String> = ranks.iter().map(|rank| word(*rank, dice.below(8))).collect();
    let title: Vec<String> = ranks.iter().take(4).map(|rank| word(*rank, 0)).collect();
    Note {
        title: format!("{} {number}", title.join(" ")),
        body: body.join(" "),
        ranks,
    }
}

/// Five words of a note, in other forms for every other question.
fn question(tenant: usize, number: usize, n: usize) -> String {
    let note = note(tenant, number);
    let mut dice = Dice(n as u64 + 77);
    dice.next();
    let words: Vec<String> = (0..5)
        .map(|_| {
            word(
                note.ranks[dice.below(note.ranks.len())],
                if n.is_multiple_of(2) { 0 } else { 3 },
            )
        })
        .collect();
    words.join(" ")
}

async fn measure() -> Outcome {
    let notes = number("CORBEL_BENCH_NOTES", 100_000)?;
    let tenants = number("CORBEL_BENCH_TENANTS", 200)?;
    let questions = number("CORBEL_BENCH_REQUESTS", 2_000)?;
    say(machine())?;
    say(format!(
        "{notes} notes of {tenants} organizations, {questions} questions, one at a time"
    ))?;
    let Some(server) = env_var("CORBEL_BENCH_POSTGRES_URL") else {
        Filled::with(None, notes, tenants).await?.ask(questions).await?;
        return say("PostgreSQL is absent: CORBEL_BENCH_POSTGRES_URL is not set");
    };
    let own = TempDatabase::create(&server).await?;
    let compared = compare(&own, notes, tenants, questions).await;
    own.remove().await?;
    compared
}

async fn compare(own: &TempDatabase, notes: usize, tenants: usize, questions: usize) -> Outcome {
    let url = own.url()?;
    let (sqlite, postgres) = tokio::try_join!(
        Filled::with(None, notes, tenants),
        Filled::with(Some(&url), notes, tenants)
    )?;
    // Autovacuum does this on a server that was filled over time.
    own.vacuum().await?;
    let (sqlite, postgres) = (sqlite.ask(questions).await?, postgres.ask(questions).await?);
    let same = sqlite
        .iter()
        .zip(&postgres)
        .filter(|(one, other)| one == other)
        .count();
    say(format!("same order on both: {same} of {} answers", sqlite.len()))?;
    if same == sqlite.len() {
        Ok(())
    } else {
        Err("the databases order differently".into())
    }
}

/// A database filled with the notes.
struct Filled {
    name: &'static str,
    services: Services,
    orgs: Vec<OrgId>,
    /// Notes of each organization.
    each: usize,
    _scratch: Scratch,
}

impl Filled {
    async fn with(url: Option<&str>, notes: usize, tenants: usize) -> Outcome<Self> {
        let name = if url.is_some() { "PostgreSQL" } else { "SQLite" };
        let scratch = Scratch::new(&format!("note-search-{name}"))?;
        let data = scratch.path().display().to_string();
        let mut values = BTreeMap::from([("CORBEL_DATA_DIR".to_owned(), data)]);
        values.extend(url.map(|url| ("CORBEL_DATABASE_URL".to_owned(), url.to_owned())));
        let config = Config::from_values(values, Vec::new())?;
        let app = build(&config, Clock::system(), "http://127.0.0.1".to_owned()).await?;
        let each = notes / tenants;
        let filling = Instant::now();
        let orgs = fill(&app.services, tenants, each).await?;
        say(format!(
            "{name}: filled in {:.0} s",
            filling.elapsed().as_secs_f64()
        ))?;
        Ok(Self {
            name,
            services: app.services,
            orgs,
            each,
            _scratch: scratch,
        })
    }

    /// Organization, number of the note, and text of a question.
    fn question(&self, n: usize) -> (usize, usize, String) {
        let (tenant, number) = (n * 7 % self.orgs.len(), n * 13 % self.each);
        (tenant, number, question(tenant, number, n))
    }

    /// Repeats the slowest questions: those that are slow again are slow by themselves, not because of other
    /// load on the machine.
    async fn slowest(&self, slowest: impl Iterator<Item = &(Duration, usize)>) -> Outcome {
        for (took, n) in slowest {
            let (tenant, _, text) = self.question(*n);
            let scope = Scope::organization(self.orgs[tenant]);
            let mut again = Duration::MAX;
            for _ in 0..5 {
                let start = Instant::now();
                self.services.context.search(scope, &text, MOST).await?;
                again = again.min(start.elapsed());
            }
            say(format!(
                "    {:>8.2} ms, asked again {:>6.2} ms: {text}",
                ms(*took),
                ms(again)
            ))?;
        }
        Ok(())
    }

    /// Prints how long the searches took, and returns the titles found.
    async fn ask(self, questions: usize) -> Outcome<Vec<Vec<String>>> {
        let mut times: Vec<(Duration, usize)> = Vec::with_capacity(questions);
        let mut answers = Vec::with_capacity(questions);
        let (mut first, mut among) = (0, 0);
        for n in 0..questions {
            let (tenant, number, text) = self.question(n);
            let scope = Scope::organization(self.orgs[tenant]);
            let start = Instant::now();
            let found = self.services.context.search(scope, &text, MOST).await?;
            times.push((start.elapsed(), n));
            let known = note(tenant, number).title;
            first += usize::from(found.first().is_some_and(|one| one.note.title == known));
            among += usize::from(found.iter().any(|one| one.note.title == known));
            answers.push(found.into_iter().map(|one| one.note.title).collect());
        }
        times.sort_unstable();
        let at = |q| ms(quantile(&times, q).0);
        let share = |count: usize| count as f64 * 100.0 / questions as f64;
        say(format!(
            "{}: p50 {:.2} ms, p99 {:.2} ms, slowest {:.2} ms; the note asked for came first in {:.1} %, among {MOST} \
             in {:.1} %",
            self.name,
            at(0.5),
            at(0.99),
            at(1.0),
            share(first),
            share(among),
        ))?;
        self.slowest(times.iter().rev().take(WORST)).await?;
        say(machine())?;
        self.services.db.close().await;
        Ok(answers)
    }
}

/// Adds each organization's notes in sequence, so that their ids have the same order everywhere.
async fn fill(services: &Services, tenants: usize, each: usize) -> Outcome<Vec<OrgId>> {
    let mut orgs = Vec::with_capacity(tenants);
    for tenant in 0..tenants {
        let accounts = &services.accounts;
        let name = format!("Tenant {tenant}");
        let org = accounts
            .create_org(Actor::SYSTEM, &name, Plan::Pro, None)
            .await?
            .id;
        let person = NewPerson {
            email: format!("one@tenant-{tenant}.example"),
            name: "One".to_owned(),
            role: Role::Member,
            password: None,
        };
        orgs.push((org, accounts.create_member(Actor::SYSTEM, org, person).await?));
    }
    let places = Arc::new(tokio::sync::Semaphore::new(32));
    let mut filling = tokio::task::JoinSet::new();
    for (tenant, (org, owner)) in orgs.iter().copied().enumerate() {
        let (context, places) = (services.context.clone(), Arc::clone(&places));
        filling.spawn(async move {
            let _place = places.acquire().await?;
            for number in 0..each {
                let note = note(tenant, number);
                let kind = NoteKind::Organization;
                context
                    .create(Actor::SYSTEM, org, owner, kind, &note.title, &note.body)
                    .await?;
            }
            Outcome::Ok(())
        });
    }
    while let Some(filled) = filling.join_next().await {
        filled??;
    }
    Ok(orgs.into_iter().map(|(org, _)| org).collect())
}
