//! Notes: found by their words, never across users or organizations, in the same order on both databases.

mod search;
mod terms;

use corbel::audit::store::Actor;
use corbel::base::error::Error;
use corbel::context::model::{NoteKind, Scope};

use crate::harness::app::{Org, Running, on_each};

async fn note(running: &Running, org: &Org, of_mara: bool, kind: NoteKind, title: &str, body: &str) {
    let owner = if of_mara { org.mara.user } else { org.noel.user };
    let context = &running.services().context;
    context
        .create(Actor::OPERATOR, org.id, owner, kind, title, body)
        .await
        .expect("note");
}

#[tokio::test]
async fn no_user_finds_notes_of_others() {
    on_each("scopes", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let (acme, other) = (
            running.organization("Acme").await,
            running.organization("Other").await,
        );
        for (org, name) in [(&acme, "acme"), (&other, "other")] {
            let body = |whose: &str| format!("harbour lease of {name} {whose}");
            note(&running, org, true, NoteKind::Personal, "Harbour", &body("mara")).await;
            note(&running, org, false, NoteKind::Personal, "Harbour", &body("noel")).await;
            note(
                &running,
                org,
                true,
                NoteKind::Organization,
                "Harbour",
                &body("everyone"),
            )
            .await;
        }
        let context = &running.services().context;
        for (org, name) in [(&acme, "acme"), (&other, "other")] {
            for (person, whose) in [
                (None, None),
                (Some(&org.mara), Some("mara")),
                (Some(&org.noel), Some("noel")),
            ] {
                let scope = Scope {
                    person: person.map(|person| person.user),
                    ..Scope::organization(org.id)
                };
                let found = context
                    .relevant(scope, "the harbour lease?", 10)
                    .await
                    .expect("found");
                let mut bodies: Vec<String> = found.iter().map(|note| note.body.clone()).collect();
                bodies.sort();
                let mut expected = vec![format!("harbour lease of {name} everyone")];
                expected.extend(whose.map(|whose| format!("harbour lease of {name} {whose}")));
                expected.sort();
                assert_eq!(bodies, expected);
                // By id as well: another user's note is absent, not forbidden.
                for note in &found {
                    let elsewhere = if org.id == acme.id { other.id } else { acme.id };
                    let strange = context
                        .get(
                            Scope {
                                org: elsewhere,
                                ..scope
                            },
                            note.id,
                        )
                        .await;
                    assert!(matches!(strange, Err(Error::NotFound(_))));
                    if note.kind == NoteKind::Personal {
                        let safe = context.get(Scope::organization(org.id), note.id).await;
                        assert!(matches!(safe, Err(Error::NotFound(_))));
                    }
                }
            }
        }
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn any_question_is_a_valid_search() {
    on_each("queries", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await;
        note(
            &running,
            &org,
            true,
            NoteKind::Organization,
            "Reserves",
            "Reserves are USD 300 per unit.",
        )
        .await;
        let scope = Scope::organization(org.id);
        let long = "reserve ".repeat(20_000);
        let hostile = [
            "",
            "\"",
            "' OR 1=1 --",
            "scope : x",
            "a NEAR b",
            "NOT",
            "AND OR",
            "reserves*",
            "{title}: x",
            "(((",
            "col:val",
            "a & b | c ! d",
            "<->",
            "\\",
            "%_",
            "é ü ß 日本 🙂",
            "\u{0}",
            &long,
        ];
        for question in hostile {
            let found = running.services().context.relevant(scope, question, 5).await;
            assert!(found.is_ok(), "{question:.40}: {found:?}");
        }
        let found = running
            .services()
            .context
            .relevant(scope, "what is our reserve?", 5)
            .await
            .expect("found");
        assert_eq!(found.len(), 1, "one reserve, several reserves");
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_best_note_is_first_on_both_databases() {
    on_each("ranking", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await;
        let notes = [
            (
                "Underwriting standards",
                "Minimum DSCR is 1.25x for senior loans.",
            ),
            (
                "Lunch",
                "The loans officer likes soup. DSCR is not discussed over lunch, standards are low.",
            ),
            (
                "DSCR of old loans",
                "DSCR DSCR DSCR: see the minimum in the standards.",
            ),
            ("Calendar", "The committee meets on Tuesday."),
        ];
        for (title, body) in notes {
            note(&running, &org, true, NoteKind::Organization, title, body).await;
        }
        let scope = Scope::organization(org.id);
        let found = running
            .services()
            .context
            .relevant(scope, "minimum DSCR for senior loans?", 3)
            .await
            .expect("found");
        let titles: Vec<_> = found.iter().map(|note| note.title.as_str()).collect();
        assert_eq!(titles, ["Underwriting standards", "DSCR of old loans", "Lunch"]);
        running.stop().await;
    })
    .await;
}
