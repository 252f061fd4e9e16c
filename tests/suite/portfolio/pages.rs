//! The import and portfolio pages as people use them, without scripts.

use std::collections::BTreeSet;

use corbel::audit::store::Actor;
use corbel::base::principal::Role;
use corbel::portfolio::model::Buildings;

use crate::harness::app::on_each;
use crate::harness::browser::{Browser, Page};
use crate::harness::chromium::Window;

const ROLL: &str = "Birch Court (b1)\nAs of: 10/31/2026\n\
    Unit,Unit Type,Sqft,Tenant,Market Rent,Rent,Lease From,Lease To\n\
    101,1/1.00,700,Ana Abt,\"1,500.00\",\"1,400.00\",01/15/2026,01/14/2027\n\
    102,2/1.00,900,VACANT,\"1,900.00\",,,\n\
    Total,,\"1,600\",,\"3,400.00\",\"1,400.00\",,\n";

fn csrf(page: &Page) -> (String, String) {
    let form = page.form("name=\"csrf\"");
    form.into_iter()
        .find(|(name, _)| name == "csrf")
        .expect("a token")
}

fn field(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[tokio::test]
async fn an_administrator_reviews_files_and_imports_them() {
    on_each("import pages", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Page House").await;
        let admin = app.member(&org, "Ada", Role::Admin).await;
        let mut ada = Browser::of(&app, &admin).await;
        let empty = ada.get("/console/portfolio").await;
        assert!(empty.text.contains("Nothing is imported yet"), "{}", empty.text);
        let ask = ada.get("/console/portfolio/import").await;
        // Invalid rows are listed, and the import is not offered.
        let broken = "tenant_id,tenant_name\nT1,Ann\nT1,Bob\n,Cid\n";
        let seen = ada
            .upload("/console/portfolio/import", &[csrf(&ask)], broken.as_bytes())
            .await;
        assert_eq!(seen.status, 200);
        assert!(seen.text.contains("2 errors, 0 warnings"), "{}", seen.text);
        assert!(seen.text.contains("is already on row 2") && seen.text.contains("required_missing"));
        assert!(
            !seen.text.contains("/confirm\""),
            "an import with errors may be confirmed"
        );
        let discarded = ada.post(&format!("{}/discard", seen.path), &[csrf(&seen)]).await;
        assert_eq!(discarded.path, "/console/portfolio/import");
        assert_eq!(ada.get(&seen.path).await.status, 404);
        // A rent roll is parsed, shown, and imported after confirmation.
        let seen = ada
            .upload("/console/portfolio/import", &[csrf(&ask)], ROLL.as_bytes())
            .await;
        assert!(seen.text.contains("Ready to import"), "{}", seen.text);
        assert!(
            seen.text.contains("occupied 1") && seen.text.contains("units 2"),
            "{}",
            seen.text
        );
        assert!(
            ada.get("/console/portfolio")
                .await
                .text
                .contains("Nothing is imported yet")
        );
        let done = ada.post(&format!("{}/confirm", seen.path), &[csrf(&seen)]).await;
        assert!(done.text.contains("Import 1 of"), "{}", done.text);
        // Confirming again has no effect.
        ada.post(&format!("{}/confirm", seen.path), &[csrf(&seen)]).await;
        let page = ada.get("/console/portfolio").await;
        assert!(
            page.text.contains("Birch Court") && page.text.contains("50.0 %"),
            "{}",
            page.text
        );
        let one = ada.get("/console/portfolio/buildings/B1").await;
        assert_eq!(one.status, 200);
        assert!(one.text.contains("1 of 2 rentable units"), "{}", one.text);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn columns_with_other_names_are_mapped_on_the_page() {
    on_each("mapping page", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Page House").await;
        let admin = app.member(&org, "Ada", Role::Owner).await;
        let mut ada = Browser::of(&app, &admin).await;
        let ask = ada.get("/console/portfolio/import").await;
        let roll = "Haus Alpha\nNummer,Wer,Miete\n1,Ana Abt,900\n2,Vacant,0\n";
        let seen = ada
            .upload("/console/portfolio/import", &[csrf(&ask)], roll.as_bytes())
            .await;
        assert!(seen.text.contains("Columns of"), "{}", seen.text);
        let said = [
            csrf(&seen),
            field("kind", "rent_roll"),
            field("as.nummer", "unit_number"),
            field("as.wer", "tenant"),
            field("as.miete", "monthly_rent"),
        ];
        let seen = ada.post(&format!("{}/read", seen.path), &said).await;
        assert!(seen.text.contains("Ready to import"), "{}", seen.text);
        assert!(seen.text.contains("monthly rent 900"), "{}", seen.text);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn only_administrators_import_and_members_see_their_buildings() {
    on_each("portfolio rights", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Page House").await;
        let admin = app.member(&org, "Ada", Role::Admin).await;
        let mut ada = Browser::of(&app, &admin).await;
        let ask = ada.get("/console/portfolio/import").await;
        let seen = ada
            .upload("/console/portfolio/import", &[csrf(&ask)], ROLL.as_bytes())
            .await;
        ada.post(&format!("{}/confirm", seen.path), &[csrf(&seen)]).await;
        let mut mara = Browser::of(&app, &org.mara).await;
        assert_eq!(mara.get("/console/portfolio/import").await.status, 403);
        assert_eq!(mara.get(&seen.path).await.status, 403);
        let own = mara.get("/console/portfolio").await;
        assert!(
            own.text.contains("Nothing to see yet") && !own.text.contains("Birch"),
            "{}",
            own.text
        );
        assert_eq!(mara.get("/console/portfolio/buildings/B1").await.status, 404);
        let only = Buildings::Only(BTreeSet::from(["B1".to_owned()]));
        let granted = app
            .services()
            .portfolio
            .grant(Actor::OPERATOR, org.id, org.mara.user, only)
            .await;
        granted.expect("a grant");
        assert!(mara.get("/console/portfolio").await.text.contains("Birch Court"));
        // An administrator of another organization finds neither the upload nor the building.
        let other = app.organization("Other House").await;
        let admin = app.member(&other, "Otto", Role::Admin).await;
        let mut otto = Browser::of(&app, &admin).await;
        assert_eq!(otto.get(&seen.path).await.status, 404);
        assert_eq!(otto.get("/console/portfolio/buildings/B1").await.status, 404);
        // Without the form token nothing is accepted.
        let forged = ada
            .upload(
                "/console/portfolio/import",
                &[field("csrf", "no")],
                ROLL.as_bytes(),
            )
            .await;
        assert_eq!(forged.status, 403);
        app.stop().await;
    })
    .await;
}

/// In a real browser, if there is one: no page is wider than the window, not even with names of one long word.
#[tokio::test(flavor = "multi_thread")]
async fn the_pages_fit_phone_and_desktop() {
    on_each("portfolio widths", async |place| {
        let Some(mut window) = Window::open() else { return };
        let app = place.start(&[]).await;
        let org = app.organization("Page House").await;
        let admin = app.member(&org, "Ada", Role::Admin).await;
        let mut ada = Browser::of(&app, &admin).await;
        let ask = ada.get("/console/portfolio/import").await;
        let broken = format!(
            "tenant_id,tenant_name\nT1,{}\nT1,Bob\n,Cid\n",
            "Longname".repeat(30)
        );
        let refused = ada
            .upload("/console/portfolio/import", &[csrf(&ask)], broken.as_bytes())
            .await;
        let long = ROLL.replace("Birch Court", &"Birchcourt".repeat(12));
        let seen = ada
            .upload("/console/portfolio/import", &[csrf(&ask)], long.as_bytes())
            .await;
        ada.post(&format!("{}/confirm", seen.path), &[csrf(&seen)]).await;
        window.take_cookies(&app.url, &ada);
        for path in [
            "/console/portfolio",
            "/console/portfolio/buildings/B1",
            "/console/portfolio/import",
            &refused.path,
        ] {
            let shown = window.go(&format!("{}{path}", app.url));
            assert_eq!(shown.errors, Vec::<String>::new(), "{path}");
            for width in [320, 390, 1280] {
                let fit = window.at_width(width, None);
                assert!(fit.over <= 0 && fit.cut.is_empty(), "{path} at {width}: {fit:?}");
            }
        }
        app.stop().await;
    })
    .await;
}
