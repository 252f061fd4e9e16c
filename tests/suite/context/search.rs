//! The search index: the same notes in the same order on both databases, kept up to date, never across scopes.

use std::sync::{Arc, Mutex};

use corbel::audit::store::Actor;
use corbel::base::ids::UserId;
use corbel::context::model::{NoteKind, Scope};

use crate::harness::app::{Running, on_each};

/// A deterministic generator: the same texts in every run, so that a difference can be reproduced.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % most
    }

    /// Words early in the list are frequent, as in a natural language.
    fn word<'w>(&mut self, words: &[&'w str]) -> &'w str {
        let (one, other) = (self.below(words.len()), self.below(words.len()));
        words[one * other / words.len()]
    }

    fn text(&mut self, words: &[&str], length: usize) -> String {
        let mut text = String::new();
        for _ in 0..length {
            text.push_str(self.word(words));
            text.push_str([" ", ", ", ". ", "-", "/", "' "][self.below(6)]);
        }
        text
    }
}

/// Includes words that the databases' own stemmers, stop words and tokenizers treat differently.
const WORDS: &[&str] = &[
    "lease",
    "leases",
    "leased",
    "leasing",
    "under",
    "between",
    "same",
    "own",
    "reserve",
    "reserves",
    "reserved",
    "policy",
    "policies",
    "Café",
    "cafe",
    "naïve",
    "skies",
    "sky",
    "dying",
    "die",
    "generously",
    "general",
    "DSCR",
    "NOI",
    "1,200,000",
    "1e5",
    "12e34",
    "0x1f",
    "3d",
    "5.25%",
    "Straße",
    "strasse",
    "日本",
    "договор",
    "договора",
    "tenant's",
    "user@example.com",
    "https://corbel.example/a?b=c",
    "/usr/bin",
    "a_b",
    "co-op",
    "e.g.",
    "R&D",
    "x²",
    "½",
    "🏠",
    "İstanbul",
    "ﬁnance",
    "finance",
    "financing",
    "news",
    "new",
    "is",
    "it",
    "the",
    "not",
    "and",
    "or",
    "near",
    "NOT",
    "\"quoted\"",
    "(paren)",
    "col:on",
    "star*",
    "caret^",
    "back\\slash",
    "pipe|",
    "amp&",
    "rents",
    "renting",
    "rented",
    "rent",
    "vacancy",
    "vacancies",
    "vacant",
    "occupied",
    "occupancy",
    "harbour",
];

async fn write(running: &Running, owner: UserId, org: corbel::base::ids::OrgId, title: &str, body: &str) {
    let context = &running.services().context;
    context
        .create(Actor::OPERATOR, org, owner, NoteKind::Organization, title, body)
        .await
        .expect("note");
}

#[tokio::test]
async fn both_databases_find_the_same_notes_in_the_same_order() {
    let answers: Arc<Mutex<Vec<Vec<String>>>> = Arc::default();
    let kept = Arc::clone(&answers);
    on_each("order", move |place| {
        let kept = Arc::clone(&kept);
        async move {
            let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
            let org = running.organization("Acme").await;
            let mut dice = Dice(20_261_122);
            // More notes than are ranked in full, so that the selection of candidates is tested too.
            for n in 0..320 {
                let title = format!("{n} {}", dice.text(WORDS, 2));
                let length = 4 + dice.below(40);
                let body = dice.text(WORDS, length);
                write(&running, org.mara.user, org.id, &title, &body).await;
            }
            let mut said = Vec::new();
            for _ in 0..60 {
                let length = 1 + dice.below(9);
                let question = dice.text(WORDS, length);
                let found = running
                    .services()
                    .context
                    .search(Scope::organization(org.id), &question, 100)
                    .await;
                for found in found.expect("found") {
                    said.push(format!(
                        "{question}: {} {:x}",
                        found.note.title,
                        found.score.to_bits()
                    ));
                }
            }
            assert!(said.len() > 1000, "something was found");
            kept.lock().expect("kept").push(said);
            running.stop().await;
        }
    })
    .await;
    let answers = answers.lock().expect("kept");
    for other in &answers[1..] {
        for (one, other) in answers[0].iter().zip(other) {
            assert_eq!(one, other);
        }
        assert_eq!(answers[0].len(), other.len());
    }
}

#[tokio::test]
async fn unindexed_notes_are_indexed_later() {
    on_each("reindex", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await;
        for n in 0..120 {
            write(&running, org.mara.user, org.id, &format!("Harbour {n}"), "lease").await;
        }
        let (services, id) = (running.services(), org.id);
        let scope = Scope::organization(id);
        let found = async |words: &str| {
            services
                .context
                .search(scope, words, 200)
                .await
                .expect("found")
                .len()
        };
        assert_eq!(found("harbours").await, 120);
        assert_eq!(services.context.bring_index_up_to_date().await.expect("done"), 0);
        // As an earlier version left it: some notes without terms, some with different terms.
        let spoil = services.db.write(move |tx| {
            Box::pin(async move {
                tx.query(
                    "DELETE FROM note_terms
                     WHERE note_id IN (SELECT note_id FROM note_terms ORDER BY note_id LIMIT 60)",
                )
                .execute()
                .await?;
                tx.query("UPDATE note_terms SET version = 0").execute().await?;
                Ok(())
            })
        });
        spoil.await.expect("spoilt");
        assert_eq!(found("harbours").await, 60);
        assert_eq!(
            services.context.bring_index_up_to_date().await.expect("done"),
            120
        );
        assert_eq!(found("harbours").await, 120);
        assert_eq!(services.context.bring_index_up_to_date().await.expect("done"), 0);
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_deleted_note_is_removed_from_all_tables() {
    on_each("deleted", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await;
        let context = &running.services().context;
        let (mara, noel) = (org.mara.principal(), org.noel.principal());
        let note = context
            .create(
                Actor::OPERATOR,
                org.id,
                org.mara.user,
                NoteKind::Organization,
                "Harbour",
                "???",
            )
            .await
            .expect("note");
        let silent = context
            .create(
                Actor::OPERATOR,
                org.id,
                org.mara.user,
                NoteKind::Personal,
                "!!!",
                "...",
            )
            .await
            .expect("a note without words");
        let scope = Scope::person(org.id, org.mara.user);
        assert_eq!(context.search(scope, "harbour", 5).await.expect("found").len(), 1);
        assert!(context.delete(&noel, note, None).await.is_err(), "another's");
        for id in [note, silent] {
            context.delete(&mara, id, None).await.expect("deleted");
            assert!(context.delete(&mara, id, None).await.is_err(), "twice");
            assert!(context.get(scope, id).await.is_err());
        }
        assert!(
            context
                .search(scope, "harbour", 5)
                .await
                .expect("found")
                .is_empty()
        );
        let left: i64 = running
            .services()
            .db
            .query(
                "SELECT CAST((SELECT COUNT(*) FROM note_terms) + (SELECT COUNT(*) FROM note_counts) AS BIGINT)",
            )
            .scalar()
            .await
            .expect("a count");
        assert_eq!(left, 0);
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn accents_and_the_form_of_letters_do_not_matter() {
    on_each("accents", async |place| {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await;
        let owner = org.mara.user;
        write(
            &running,
            owner,
            org.id,
            "Office",
            "The lease in Zürich ends in May.",
        )
        .await;
        write(
            &running,
            owner,
            org.id,
            "Shop",
            "Ours in Zu\u{308}rich is let to Cafe\u{301} Zoe\u{308}.",
        )
        .await;
        write(
            &running,
            owner,
            org.id,
            "Depot",
            "The one in Łódź is let to Søren.",
        )
        .await;
        write(
            &running,
            owner,
            org.id,
            "Other",
            "Nothing about that place: cafeteria, rich, u.",
        )
        .await;
        let context = &running.services().context;
        for (asked, titles) in [
            ("Zurich", vec!["Office", "Shop"]),
            ("zürich", vec!["Office", "Shop"]),
            ("zu\u{308}rich", vec!["Office", "Shop"]),
            ("ZÜRICH", vec!["Office", "Shop"]),
            ("cafe zoe", vec!["Shop"]),
            ("Café Zoë", vec!["Shop"]),
            ("lodz", vec!["Depot"]),
            ("SØREN", vec!["Depot"]),
        ] {
            let found = context
                .relevant(Scope::organization(org.id), asked, 10)
                .await
                .expect("notes");
            let mut found: Vec<&str> = found.iter().map(|note| note.title.as_str()).collect();
            found.sort_unstable();
            assert_eq!(found, titles, "{asked}");
        }
        running.stop().await;
    })
    .await;
}
