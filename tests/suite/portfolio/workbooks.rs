//! Importing workbooks and archives: the same result as from delimited text, and hostile files within limits.

use corbel::audit::store::Actor;
use corbel::base::ids::OrgId;
use corbel::portfolio::import::run::{ImportOptions, Outcome};
use corbel::portfolio::import::sheet::InputFile;

use super::workbook_builder::{
    Cell, DATE, DATE_OWN, PERCENT, PERCENT_OWN, PERCENT_PLACES, PERCENT_QUOTED, archive, of_sheet, serial,
    workbook,
};
use crate::harness::app::{Running, on_each};

fn input_file(name: &str, bytes: impl Into<Vec<u8>>) -> InputFile {
    InputFile {
        name: name.to_owned(),
        bytes: bytes.into(),
    }
}

async fn import(app: &Running, org: OrgId, files: Vec<InputFile>) -> Outcome {
    let imports = &app.services().imports;
    let done = imports
        .import(Actor::OPERATOR, org, files, ImportOptions::default())
        .await;
    done.expect("an outcome")
}

type Rate = (String, chrono::NaiveDate, i64, Option<i64>);

async fn valuations(app: &Running, org: OrgId) -> Vec<Rate> {
    let found = app.services().db.query(
        "SELECT building_id, valuation_date, market_value, cap_rate FROM valuations WHERE org_id = $1 ORDER BY 1",
    );
    found.bind(org).all().await.expect("valuations")
}

const BUILDINGS: &str =
    "building_id,name,currency\nB1,Birch Court,USD\nB2,Cedar Walk,USD\nB3,Elm Row,USD\nB4,Fir Hall,USD\n";

#[tokio::test]
async fn percentages_and_dates_of_a_workbook_are_read_as_displayed() {
    on_each("formats of cells", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let text = app.organization("By text").await.id;
        let csv = "building_id,valuation_date,market_value,cap_rate_pct\n\
                   B1,2026-06-30,1000000,5.5%\nB2,2026-06-30,1000000,6\nB3,30-Jun-2026,1000000,4.125\n\
                   B4,2026-06-30,1000000,5.5\n";
        let files = vec![
            input_file("buildings.csv", BUILDINGS),
            input_file("valuations.csv", csv),
        ];
        let done = import(&app, text, files).await;
        assert!(done.number.is_some(), "{:?}", done.findings);
        let day = serial("2026-06-30");
        let row = |building, day, rate| vec![Cell::Text(building), day, Cell::Number(1e6), rate];
        let book = workbook(&[
            ["building_id", "valuation_date", "market_value", "cap_rate_pct"]
                .map(Cell::Text)
                .to_vec(),
            row("B1", Cell::Styled(day, DATE), Cell::Styled(0.055, PERCENT_PLACES)),
            row("B2", Cell::Styled(day, DATE_OWN), Cell::Styled(0.06, PERCENT)),
            row(
                "B3",
                Cell::Text("2026-06-30"),
                Cell::Styled(0.041_25, PERCENT_OWN),
            ),
            // Already in percent, with a literal percent sign.
            row("B4", Cell::Styled(day, DATE), Cell::Styled(5.5, PERCENT_QUOTED)),
        ]);
        let org = app.organization("By workbook").await.id;
        let packed = archive(&[
            ("export/buildings.csv", BUILDINGS.as_bytes()),
            ("export/valuations.xlsx", &book),
            ("__MACOSX/export/._buildings.csv", b"\0\x05\x16"),
            ("export/read me.pdf", b"%PDF-1.7"),
        ]);
        let done = import(&app, org, vec![input_file("export.zip", packed)]).await;
        assert!(done.number.is_some(), "{:?}", done.findings);
        assert_eq!(done.files.len(), 2, "{:?}", done.files);
        let held = valuations(&app, org).await;
        assert_eq!(held, valuations(&app, text).await);
        let rates: Vec<_> = held.iter().map(|row| row.3).collect();
        assert_eq!(rates, [Some(55_000), Some(60_000), Some(41_250), Some(55_000)]);
        app.stop().await;
    })
    .await;
}

const CHARGES: [[&str; 9]; 9] = [
    [
        "Unit",
        "Unit Type",
        "Unit Sq Ft",
        "Resident",
        "Market Rent",
        "Charge Code",
        "Amount",
        "Lease From",
        "Lease To",
    ],
    [
        "101",
        "1/1.00",
        "700",
        "Ana Abt",
        "1500",
        "rent",
        "1400",
        "2026-01-15",
        "2027-01-14",
    ],
    ["", "", "", "", "", "parking", "50", "", ""],
    ["", "", "", "", "", "Total", "1450", "", ""],
    ["102", "2/1.00", "900", "VACANT", "1900", "", "", "", ""],
    [
        "103",
        "2/1.00",
        "900",
        "Bo Berg",
        "1900",
        "rent",
        "1100",
        "2026-02-01",
        "2027-01-31",
    ],
    ["", "", "", "", "", "hap", "650", "", ""],
    ["", "", "", "", "", "petrent", "35", "", ""],
    ["Total", "", "2500", "", "5300", "", "3235", "", ""],
];

/// The same rent roll with the unit repeated on every row, as some systems print it.
fn repeated() -> Vec<[&'static str; 9]> {
    let mut last = [""; 4];
    let mut rows = Vec::new();
    for mut row in CHARGES {
        if row[5] == "Total" {
            continue;
        }
        if row[0].is_empty() {
            row[..4].copy_from_slice(&last);
        } else {
            last.copy_from_slice(&row[..4]);
        }
        rows.push(row);
    }
    rows
}

fn csv(rows: &[[&str; 9]]) -> Vec<u8> {
    let mut text = String::from("Rent Roll with Lease Charges\nCedar Walk (c1)\nAs Of = 10/31/2026\n");
    for row in rows {
        text.push_str(&row.join(","));
        text.push('\n');
    }
    text.into_bytes()
}

fn xlsx(rows: &[[&'static str; 9]]) -> Vec<u8> {
    let title = [
        "Rent Roll with Lease Charges",
        "Cedar Walk (c1)",
        "As Of = 10/31/2026",
    ];
    let mut all: Vec<Vec<Cell>> = title.map(|line| vec![Cell::Text(line)]).to_vec();
    for row in rows {
        let cells = row.map(|text| {
            if text.is_empty() {
                Cell::Empty
            } else if let Ok(number) = text.parse() {
                Cell::Number(number)
            } else if text.len() == 10 && text.starts_with("202") {
                Cell::Styled(serial(text), DATE)
            } else {
                Cell::Text(text)
            }
        });
        all.push(cells.to_vec());
    }
    workbook(&all)
}

#[tokio::test]
async fn several_charges_of_a_unit_are_one_lease() {
    on_each("charge rows", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let again = repeated();
        for (name, bytes) in [
            ("roll.csv", csv(&CHARGES)),
            ("roll.xlsx", xlsx(&CHARGES)),
            ("repeated.csv", csv(&again)),
            ("repeated.xlsx", xlsx(&again)),
        ] {
            let org = app.organization(name).await.id;
            let done = import(&app, org, vec![input_file(name, bytes)]).await;
            assert!(done.number.is_some(), "{name}: {:?}", done.findings);
            assert!(done.findings.is_empty(), "{name}: {:?}", done.findings);
            let read = &done.files[0].read;
            assert_eq!(read["units"], 3, "{name}: {read}");
            assert_eq!(read["occupied"], 2, "{name}");
            // Rent and the housing payment, but neither parking nor pets.
            assert_eq!(read["monthlyRent"], 3_150.0, "{name}");
            let rents = app
                .services()
                .db
                .query("SELECT unit_id, monthly_rent FROM leases WHERE org_id = $1 ORDER BY unit_id");
            let rents: Vec<(String, i64)> = rents.bind(org).all().await.expect("leases");
            let rents: Vec<i64> = rents.into_iter().map(|(_, rent)| rent).collect();
            assert_eq!(rents, [140_000, 175_000], "{name}");
        }
        app.stop().await;
    })
    .await;
}

/// Marks every entry of an archive as encrypted.
fn mark_encrypted(mut bytes: Vec<u8>) -> Vec<u8> {
    for (mark, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let places: Vec<usize> = (0..bytes.len() - 4)
            .filter(|at| &bytes[*at..*at + 4] == mark)
            .collect();
        for at in places {
            bytes[at + flags] |= 1;
        }
    }
    bytes
}

#[tokio::test]
async fn hostile_workbooks_and_archives_are_refused_within_limits() {
    on_each("hostile workbooks", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await.id;
        let good = xlsx(&CHARGES);
        let zeros = vec![b'0'; 300 * 1024 * 1024];
        let long: String = "x".repeat(30_000);
        let cells = "<row><c t=\"s\"><v>0</v></c></row>".repeat(20_000);
        let sheet = format!(
            "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">\
             <sheetData>{cells}</sheetData></worksheet>"
        );
        let mut old = vec![0_u8; 4096];
        old[..8].copy_from_slice(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
        let inner = archive(&[("roll.csv", CHARGES[0].join(",").as_bytes())]);
        let hostile = [
            ("bomb.zip", archive(&[("a.csv", &zeros)]), "file_too_large"),
            // One text of thirty thousand letters, used twenty thousand times.
            ("shared.xlsx", of_sheet(&sheet, &[&long]), "file_too_large"),
            ("locked.xlsx", old, "encoding"),
            ("locked.zip", mark_encrypted(inner.clone()), "encoding"),
            ("cut.xlsx", good[..good.len() / 2].to_vec(), "encoding"),
            (
                "torn.xlsx",
                of_sheet("<worksheet><sheetData><row><c", &[]),
                "encoding",
            ),
            ("nested.zip", archive(&[("inner.xlsx", &inner)]), "encoding"),
        ];
        drop(zeros);
        for (name, bytes, code) in hostile {
            let since = std::time::Instant::now();
            let refused = import(&app, org, vec![input_file(name, bytes)]).await;
            assert!(refused.number.is_none(), "{name}");
            assert!(
                refused.errors.contains_key(code),
                "{name}: {:?}",
                refused.findings
            );
            assert!(
                since.elapsed().as_secs() < 60,
                "{name} took {:?}",
                since.elapsed()
            );
        }
        let said = import(&app, org, vec![input_file("locked.zip", mark_encrypted(inner))]).await;
        assert!(
            said.findings[0].detail.contains("password"),
            "{:?}",
            said.findings
        );
        // Each tested byte of a workbook is changed: the file is refused or imported, never with a panic and never
        // partially.
        for at in (0..good.len()).step_by(good.len() / 60) {
            let mut hurt = good.clone();
            hurt[at] ^= 0x5a;
            let wish = ImportOptions {
                dry_run: true,
                ..ImportOptions::default()
            };
            let imports = &app.services().imports;
            imports
                .import(Actor::OPERATOR, org, vec![input_file("hurt.xlsx", hurt)], wish)
                .await
                .expect("an outcome");
        }
        app.stop().await;
    })
    .await;
}
