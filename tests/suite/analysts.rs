//! Custom analysts: private to each user, with two identifiers, and absent once deleted.

use corbel::analysts::model::{Memory, Profile};
use corbel::base::error::Error;
use corbel::base::model::Model;
use corbel::base::tone::Tone;
use uuid::Uuid;

use crate::harness::app::on_each;

fn profile(name: &str) -> Profile {
    Profile {
        name: name.to_owned(),
        base: Model::Local,
        tone: Tone::Friendly,
        emoji: Some("🏗️".to_owned()),
        description: None,
    }
}

#[tokio::test]
async fn an_analyst_is_private_to_its_owner() {
    on_each("an_analyst_is_private_to_its_owner", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await;
        let (mara, noel) = (org.mara.principal(), org.noel.principal());
        let analysts = &running.services().analysts;
        let made = analysts
            .create(&mara, profile("Rent roll reader"), Memory::default())
            .await
            .expect("made")
            .analyst
            .analyst;
        for id in [made.id.uuid(), made.model_id.uuid()] {
            let selected = analysts.select(&mara, id).await.expect("hers");
            assert_eq!(selected.analyst.id, made.id);
            assert_eq!(
                (selected.analyst.base, selected.analyst.tone),
                (Model::Local, Tone::Friendly)
            );
            assert!(matches!(
                analysts.select(&noel, id).await,
                Err(Error::NotFound(_))
            ));
        }
        assert!(matches!(
            analysts.select(&mara, Uuid::nil()).await,
            Err(Error::NotFound(_))
        ));
        let second = analysts
            .create(&mara, profile("Second"), Memory::default())
            .await
            .expect("made")
            .analyst
            .analyst;
        let ids = |list: Vec<corbel::analysts::model::Selected>| -> Vec<_> {
            list.into_iter().map(|one| one.analyst.id).collect()
        };
        assert_eq!(
            ids(analysts.list(&mara, None, 10).await.expect("list")),
            [second.id, made.id]
        );
        assert_eq!(
            ids(analysts.list(&mara, Some(second.id), 10).await.expect("list")),
            [made.id]
        );
        assert_eq!(ids(analysts.list(&noel, None, 10).await.expect("list")), []);
        assert!(matches!(
            analysts.delete(&noel, made.id).await,
            Err(Error::NotFound(_))
        ));
        analysts.delete(&mara, made.id).await.expect("deleted");
        assert!(matches!(
            analysts.delete(&mara, made.id).await,
            Err(Error::NotFound(_))
        ));
        assert!(matches!(
            analysts.select(&mara, made.id.uuid()).await,
            Err(Error::NotFound(_))
        ));
        assert_eq!(
            ids(analysts.list(&mara, None, 10).await.expect("list")),
            [second.id]
        );
        running.stop().await;
    })
    .await;
}
