//! Detection of file types by content, whatever the name.

mod limits;

use std::path::PathBuf;

use corbel::files::content_type::{self, Found};
use corbel::files::model::{Kind, Refusal};
use corbel::files::spool::Content;

use crate::harness::external;

fn sniff(name: &str, declared: Option<&str>, bytes: &[u8]) -> Result<Found, Refusal> {
    content_type::detect(name, declared, &Content::from(bytes.to_vec())).expect("memory is read")
}

#[test]
fn content_decides_and_name_and_type_have_to_match() {
    let mismatch = |claimed, found| Err(Refusal::Mismatch { claimed, found });
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    for (name, declared, bytes, outcome) in [
        ("a.pdf", None, b"%PDF-1.7\n".as_slice(), Ok(Kind::Pdf)),
        ("offer", None, b"%PDF-1.7\n", Ok(Kind::Pdf)),
        ("a.pdf", None, b"hello", mismatch(Kind::Pdf, Kind::Text)),
        ("a.xls", None, b"<html><table>", mismatch(Kind::Excel, Kind::Text)),
        ("a.csv", None, b"%PDF-1.7\n", mismatch(Kind::Csv, Kind::Pdf)),
        ("a.csv", None, b"unit,rent\n1,2\n", Ok(Kind::Csv)),
        ("A.CSV", None, b"Stra\xdfe,1\n", Ok(Kind::Csv)),
        ("a.tsv", None, b"a\tb\n", Ok(Kind::Tsv)),
        ("a.md", None, b"# Title\n", Ok(Kind::Markdown)),
        ("a.txt", Some("text/plain"), b"\xff\xfeh\0i\0", Ok(Kind::Text)),
        ("a.json", None, b"{\"a\": [1]}", Ok(Kind::Json)),
        ("a.json", None, b"{\"a\": ", Ok(Kind::Text)),
        ("a.png", None, png, Ok(Kind::Image)),
        ("a.jpg", None, png, Ok(Kind::Image)),
        ("a.png", None, b"%PDF-1.7", mismatch(Kind::Image, Kind::Pdf)),
        ("Untitled", Some("text/plain"), b"hello", Ok(Kind::Text)),
        ("rentroll", None, b"unit,rent\n1,2\n", Ok(Kind::Text)),
        (
            "rentroll",
            Some("application/octet-stream"),
            b"{\"units\": 2}",
            Ok(Kind::Json),
        ),
        ("..", None, b"hello", Ok(Kind::Text)),
        ("rentroll", Some("text/html"), b"<html>", Err(Refusal::Kind)),
        ("run.sh", Some("text/x-sh"), b"#!/bin/sh\n", Err(Refusal::Kind)),
        ("page.html", Some("text/html"), b"<html>", Err(Refusal::Kind)),
        (
            "drawing.svg",
            Some("image/svg+xml"),
            b"<svg/>",
            Err(Refusal::Kind),
        ),
        ("invoice.pdf.exe", None, b"MZ\x90\0\x03\0\0\0", Err(Refusal::Kind)),
        ("a.pdf", None, b"MZ\x90\0\x03\0\0\0", Err(Refusal::Kind)),
        ("a.txt", None, b"a\0b", Err(Refusal::Kind)),
        ("a.zip", None, b"PK\x03\x04rest", Err(Refusal::Kind)),
        ("a.docx", None, b"PK\x03\x04rest", Err(Refusal::Kind)),
        ("a.txt", None, b"", Err(Refusal::Empty)),
    ] {
        let found = sniff(name, declared, bytes).map(|found| found.kind);
        assert_eq!(found, outcome, "{name} {declared:?}");
    }
}

#[test]
fn a_damaged_package_is_refused_without_a_panic() {
    let mut bytes = b"PK\x03\x04".to_vec();
    bytes.extend(vec![0; 40]);
    for end in [[0xff; 18], [0; 18], [1; 18]] {
        let mut package = bytes.clone();
        package.extend(b"PK\x05\x06");
        package.extend(end);
        assert_eq!(sniff("a.xlsx", None, &package), Err(Refusal::Kind));
    }
}

#[test]
fn a_marker_across_two_windows_is_detected() {
    for place in [65_500_usize, 65_530, 65_535, 131_040, 200_000] {
        let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
        bytes.resize(place, 0);
        bytes.extend("WordDocument".encode_utf16().flat_map(u16::to_le_bytes));
        bytes.resize(place + 100_000, 0);
        let found = sniff("a.doc", None, &bytes).expect("a Word document");
        assert_eq!(found.kind, Kind::Word, "at {place}");
        let mut text = vec![b'x'; place + 3];
        assert!(sniff("a.txt", None, &text).is_ok());
        text[place] = 0;
        assert_eq!(sniff("a.txt", None, &text), Err(Refusal::Kind), "at {place}");
    }
}

#[test]
fn a_directory_past_the_end_of_its_file_is_invalid() {
    let mut bytes = b"PK\x03\x04".to_vec();
    bytes.extend(b"PK\x05\x06");
    bytes.extend([0; 15]);
    bytes.push(1);
    bytes.extend([0; 16]);
    assert_eq!(sniff("a.pdf", None, &bytes), Err(Refusal::Kind));
}

proptest::proptest! {
    #[test]
    fn any_bytes_get_a_verdict(start in 0_usize..4, rest: Vec<u8>, name in "[a-z]{1,3}\\.(pdf|xlsx|doc|csv|json)") {
        let starts: [&[u8]; 4] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"%PDF-", b""];
        let mut bytes = starts[start].to_vec();
        bytes.extend(&rest);
        bytes.extend(b"PK\x05\x06");
        bytes.extend(&rest);
        let _ = sniff(&name, None, &bytes);
    }
}

/// Typical documents of every kind, and hostile ones: the type is detected without opening them.
#[test]
fn the_corpus_is_recognized() {
    let Some(shared) = external::named("CORBEL_TEST_SHARED", "the corpus is not tested") else {
        return;
    };
    let folder = PathBuf::from(shared).join("data/corpus");
    let expected = std::fs::read_to_string(folder.join("expected.json")).expect("expected.json");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("JSON");
    let files = expected["files"].as_array().expect("files");
    let mut seen = 0;
    for file in files {
        let name = file["file"].as_str().expect("a name");
        let kind = match file["true_type"].as_str().expect("a type") {
            "pdf" => Kind::Pdf,
            "xlsx" | "xlsm" | "xlsb" | "xls" => Kind::Excel,
            "docx" | "docm" | "doc" => Kind::Word,
            "pptx" | "pptm" | "ppt" => Kind::PowerPoint,
            "csv" => Kind::Csv,
            "tsv" => Kind::Tsv,
            "webp" | "png" | "jpeg" | "jpg" => Kind::Image,
            other => panic!("a type that this test does not know: {other}"),
        };
        let bytes = std::fs::read(folder.join(name)).expect(name);
        let found = sniff(name, None, &bytes).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        assert_eq!(found.kind, kind, "{name}");
        if file["has_vba"] == true {
            assert!(found.macros, "{name} has macros");
        }
        seen += 1;
    }
    assert!(seen >= 20, "{seen} files");
}
