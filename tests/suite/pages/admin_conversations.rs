//! The paginated list of shared conversations, and the check with Slack before an approval.

use corbel::assistants::model::ConversationState;
use corbel::audit::store::Actor;

use crate::harness::app::on_each;
use crate::harness::browser::Page;
use crate::harness::slack::{ALICE, CHANNEL, EXTERNAL, Fault, ORG_WIDE, PENDING};
use crate::pages::admin_brand::{csrf, field};
use crate::pages::admin_queue::set;

/// The ids of the conversations on a page, in order.
fn listed(page: &Page) -> Vec<String> {
    let lines = page.text.split("<h3>").skip(1);
    let ids = lines.map(|line| {
        let id = line.split_once("<code>").expect("an id").1;
        id.split_once("</code>").expect("its end").0.to_owned()
    });
    ids.collect()
}

/// The link to the next page.
fn next(page: &Page) -> Option<String> {
    let before = page.text.split_once("\">Next page</a>")?.0;
    let path = before.rsplit_once("href=\"").expect("an address").1;
    Some(path.replace("&#38;", "&"))
}

#[tokio::test]
async fn every_conversation_is_on_one_page_of_the_list() {
    on_each("pages of conversations", |place| async move {
        let (stage, mut ada, base) = set(&place).await;
        let (org, at) = (stage.org.id, stage.at.slack.id);
        let conversations = &stage.running.services().conversations;
        let names: Vec<String> = (10..70).map(|n| format!("C0LIST{n}")).collect();
        for (n, name) in names.iter().enumerate() {
            let asked = conversations.request(org, at, name, "", ALICE).await;
            asked.expect("asked for");
            let state = match n % 3 {
                0 => continue,
                1 => ConversationState::Approved,
                _ => ConversationState::Revoked,
            };
            let decided = conversations.decide(Actor::OPERATOR, org, at, name, state).await;
            decided.expect("decided");
        }
        let address = format!("{base}/conversations");
        let (mut found, mut pages) = (Vec::new(), Vec::new());
        let mut path = Some(address.clone());
        while let Some(here) = path {
            let page = ada.get(&here).await;
            assert_eq!(page.status, 200, "{}", page.text);
            path = next(&page);
            found.extend(listed(&page));
            pages.push((here, page));
        }
        assert_eq!(pages.len(), 3);
        // Pending conversations first, then approved ones, then the rest; the latest first in each group.
        let of = |rest: usize| names.iter().enumerate().rev().filter(move |(n, _)| n % 3 == rest);
        let wanted: Vec<&String> = of(0).chain(of(1)).chain(of(2)).map(|(_, name)| name).collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), wanted);

        // A form on a later page returns to that page, with the error or the confirmation.
        let (here, page) = &pages[1];
        let one = listed(page).last().expect("a conversation").clone();
        let mut form = page.form(&format!("value=\"{one}\""));
        form.push(field("act", "revoke"));
        assert!(form.iter().any(|(name, _)| name == "after"));
        let token = csrf(page);
        let after = form
            .iter()
            .find(|(name, _)| name == "after")
            .expect("a cursor")
            .clone();
        let named = |which: &str| {
            vec![
                token.clone(),
                after.clone(),
                field("conversation", &one),
                field("which", which),
            ]
        };
        let refused = ada.post(&format!("{address}/buildings"), &named("some")).await;
        assert!(
            refused.status == 422 && refused.text.contains("must name at least one building"),
            "{}",
            refused.text
        );
        let saved = ada.post(&format!("{address}/buildings"), &named("all")).await;
        assert!(saved.path.contains("?done=buildings&after="), "{}", saved.path);
        assert_eq!(listed(&saved), listed(page), "{here}");
        let wrong = ada.get(&format!("{address}?after=wrong")).await;
        assert_eq!(wrong.status, 400, "{}", wrong.text);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_conversation_with_outsiders_cannot_be_approved() {
    on_each("outsiders asked", |place| async move {
        let (stage, mut ada, base) = set(&place).await;
        let (org, at) = (stage.org.id, stage.at.slack.id);
        let conversations = &stage.running.services().conversations;
        let state = async |id: &str| conversations.state(org, at, id).await.expect("state");
        let address = format!("{base}/conversations");
        let token = csrf(&ada.get(&address).await);
        let approve = |id: &str| vec![token.clone(), field("conversation", id), field("act", "approve")];
        for channel in [EXTERNAL, PENDING] {
            let page = ada.post(&address, &approve(channel)).await;
            assert!(
                page.status == 422 && page.text.contains("people from outside Acme"),
                "{channel}: {}",
                page.text
            );
            assert_eq!(state(channel).await, None);
        }
        let page = ada.post(&address, &approve(ORG_WIDE)).await;
        assert!(
            page.status == 422
                && page.text.contains("shared with other workspaces of Acme")
                && !page.text.contains("people from outside Acme"),
            "{}",
            page.text
        );
        // The request is still pending, and an earlier approval is suspended.
        let asked = conversations.request(org, at, EXTERNAL, "", ALICE).await;
        asked.expect("asked for");
        ada.post(&address, &approve(EXTERNAL)).await;
        assert_eq!(state(EXTERNAL).await, Some(ConversationState::Requested));
        stage.approve(EXTERNAL).await;
        let page = ada.post(&address, &approve(EXTERNAL)).await;
        assert_eq!(
            (page.status, state(EXTERNAL).await),
            (422, Some(ConversationState::Suspended))
        );
        // Slack cannot say whether there are outsiders: it is checked again at every turn.
        stage.slack.fail_next("conversations.info", Fault::ServerError, 9);
        let page = ada.post(&address, &approve(CHANNEL)).await;
        assert!(page.path.ends_with("?done=approved-unseen"), "{}", page.text);
        stage.slack.behave();
        let page = ada.post(&address, &approve(CHANNEL)).await;
        assert!(page.path.ends_with("?done=approved"), "{}", page.text);
        assert_eq!(state(CHANNEL).await, Some(ConversationState::Approved));
        stage.running.stop().await;
    })
    .await;
}
