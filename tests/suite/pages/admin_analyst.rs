//! The choice of the answering analyst: an administrator's own analysts, and one bound by the operator.

use corbel::analysts::model::{Memory, Profile};
use corbel::audit::store::Actor;
use corbel::base::ids::AnalystId;
use corbel::base::model::Model;
use corbel::base::principal::Role;
use corbel::base::tone::Tone;

use crate::harness::app::{Person, Running, on_each};
use crate::harness::browser::Browser;
use crate::pages::admin_brand::{csrf, field};

async fn analyst(running: &Running, owner: &Person, name: &str) -> AnalystId {
    let profile = Profile {
        name: name.to_owned(),
        base: Model::Local,
        tone: Tone::Friendly,
        emoji: None,
        description: None,
    };
    let analysts = &running.services().analysts;
    let made = analysts
        .create(&owner.principal(), profile, Memory::default())
        .await;
    made.expect("an analyst").analyst.analyst.id
}

#[tokio::test]
async fn an_administrator_chooses_from_their_own_analysts() {
    on_each("choose an analyst", |place| async move {
        let running = place.start(&[]).await;
        let org = running.organization("Brand").await;
        let ada = running.member(&org, "Ada", Role::Admin).await;
        let installed = running.slack_assistant(&org).await;
        let services = running.services();
        let own = analyst(&running, &ada, "Lease <reader>").await;
        let others = analyst(&running, &org.mara, "Private reader").await;
        let bound = async || {
            let assistant = services.assistants.assistant(org.id, installed.assistant).await;
            assistant.expect("an assistant").analyst_id
        };
        let path = format!("/console/assistants/{}/analyst", installed.assistant);
        let mut ada = Browser::of(&running, &ada).await;
        let page = ada.get(&path).await;
        assert!(page.text.contains("Lease &#60;reader&#62;"), "{}", page.text);
        assert!(
            !page.text.contains("Private reader"),
            "a colleague's analyst cannot be chosen"
        );
        let form = |id: &str| vec![csrf(&page), field("analyst", id)];
        assert_eq!(ada.post(&path, &form(&others.to_string())).await.status, 404);
        assert_eq!(ada.post(&path, &form("nothing")).await.status, 404);
        assert_eq!(bound().await, None);
        let saved = ada.post(&path, &form(&own.to_string())).await;
        assert!(saved.text.contains("answers with this analyst"), "{}", saved.text);
        assert_eq!(bound().await, Some(own));

        // An analyst bound by the operator is shown and can be kept.
        services
            .assistants
            .bind_analyst(Actor::OPERATOR, org.id, installed.assistant, Some(others))
            .await
            .expect("bound");
        assert!(ada.get(&path).await.text.contains("Private reader"));
        assert_eq!(ada.post(&path, &form(&others.to_string())).await.status, 200);
        assert_eq!(bound().await, Some(others));

        // Deleted by its author: every page of the assistant has a notice until another choice is made.
        services
            .analysts
            .delete(&org.mara.principal(), others)
            .await
            .expect("deleted");
        let page = ada.get(&path.replace("/analyst", "")).await;
        assert!(
            page.text.contains("“Private reader”") && page.text.contains("was deleted"),
            "{}",
            page.text
        );
        let loosed = ada.post(&path, &form("")).await;
        assert!(
            loosed.text.contains("own model") && !loosed.text.contains("was deleted"),
            "{}",
            loosed.text
        );
        assert_eq!(bound().await, None);

        let mut mara = Browser::of(&running, &org.mara).await;
        assert_ne!(mara.get(&path).await.status, 200, "members cannot choose");
        running.stop().await;
    })
    .await;
}
