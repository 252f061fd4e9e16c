//! Dismissing failed deliveries.

use corbel::audit::store as audit;

use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, DM};
use crate::pages::admin_queue::{QUESTION, set};

#[tokio::test]
async fn a_failed_delivery_can_be_dismissed() {
    on_each("dismiss", |place| async move {
        let (stage, mut ada, base) = set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.slack.refuse_posts(DM, Some("user_disabled"));
        let said = stage.slack.says(DM, ALICE, QUESTION);
        assert_eq!(stage.post(&said.message()).await, 200);
        stage.running.settle().await;
        let doctor = format!("{base}/doctor");
        let failed = "1 failed in the last seven days";
        assert!(ada.get(&doctor).await.text.contains(failed));

        let address = format!("{base}/deliveries");
        let page = ada.get(&address).await;
        let form = page.form("name=\"delivery\"");
        let gone = ada.post(&format!("{address}/dismiss"), &form).await;
        assert!(gone.path.ends_with("?done=dismissed"), "{}", gone.text);
        assert!(gone.text.contains("No failed deliveries"), "{}", gone.text);
        let again = ada.post(&format!("{address}/dismiss"), &form).await;
        assert!(again.path.ends_with("?done=dismissed-before"), "{}", again.text);
        assert!(!ada.get(&doctor).await.text.contains(failed));
        let services = stage.running.services();
        let counted = services.deliveries.count_failed(stage.org.id).await;
        assert_eq!(counted.expect("count"), 0);
        let lines = audit::list(&services.db, stage.org.id, 100).await.expect("audit");
        let dismissed = lines.iter().filter(|line| line.action == "delivery.dismissed");
        assert_eq!(dismissed.count(), 1);
        stage.running.stop().await;
    })
    .await;
}
