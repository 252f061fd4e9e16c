//! Builds workbooks and archives for tests, with full control over each cell.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A cell of a workbook.
#[derive(Clone, Debug)]
pub enum Cell {
    Empty,
    /// One of the workbook's shared strings.
    Text(&'static str),
    Number(f64),
    /// A number with one of the number formats of [`STYLES`].
    Styled(f64, usize),
}

pub const PERCENT: usize = 1;
pub const PERCENT_PLACES: usize = 2;
pub const PERCENT_OWN: usize = 3;
pub const DATE: usize = 4;
pub const DATE_OWN: usize = 5;
/// A format in which the percent sign is only literal text.
pub const PERCENT_QUOTED: usize = 6;

const STYLES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
<numFmts count="3"><numFmt numFmtId="164" formatCode="0.000%;[Red]-0.000%"/>
<numFmt numFmtId="165" formatCode="dd\-mmm\-yyyy"/><numFmt numFmtId="166" formatCode="0.00&quot; %&quot;"/></numFmts>
<fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs>
<cellXfs count="7"><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="10"/><xf numFmtId="164"/>
<xf numFmtId="14"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs>
</styleSheet>"#;

/// A date as a workbook's serial number.
pub fn serial(day: &str) -> f64 {
    let day: chrono::NaiveDate = day.parse().expect("a day");
    let first = chrono::NaiveDate::from_ymd_opt(1899, 12, 30).expect("a day");
    f64::from(i32::try_from((day - first).num_days()).expect("few days"))
}

/// An archive of these files.
pub fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default())
            .expect("an entry");
        zip.write_all(bytes).expect("its bytes");
    }
    zip.finish().expect("an archive").into_inner()
}

/// A workbook with one sheet.
pub fn workbook(rows: &[Vec<Cell>]) -> Vec<u8> {
    let mut texts: Vec<&str> = Vec::new();
    let mut sheet = String::from(concat!(
        r#"<?xml version="1.0" encoding="UTF-8"?>"#,
        r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>"#
    ));
    for (row, cells) in rows.iter().enumerate() {
        sheet.push_str(&format!(r#"<row r="{}">"#, row + 1));
        for (column, cell) in cells.iter().enumerate() {
            let letter = char::from(b'A' + u8::try_from(column).expect("few columns"));
            let place = format!("{letter}{}", row + 1);
            match cell {
                Cell::Empty => {}
                Cell::Text(text) => {
                    let at = texts.iter().position(|known| known == text).unwrap_or_else(|| {
                        texts.push(text);
                        texts.len() - 1
                    });
                    sheet.push_str(&format!(r#"<c r="{place}" t="s"><v>{at}</v></c>"#));
                }
                Cell::Number(number) => sheet.push_str(&format!(r#"<c r="{place}"><v>{number}</v></c>"#)),
                Cell::Styled(number, style) => {
                    sheet.push_str(&format!(r#"<c r="{place}" s="{style}"><v>{number}</v></c>"#));
                }
            }
        }
        sheet.push_str("</row>");
    }
    sheet.push_str("</sheetData></worksheet>");
    of_sheet(&sheet, &texts)
}

/// A workbook with this raw sheet XML and these shared strings.
pub fn of_sheet(sheet: &str, texts: &[&str]) -> Vec<u8> {
    let shared: String = texts
        .iter()
        .map(|text| format!("<si><t xml:space=\"preserve\">{text}</t></si>"))
        .collect();
    let shared = format!(
        concat!(
            r#"<?xml version="1.0" encoding="UTF-8"?>"#,
            r#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{shared}</sst>"#
        ),
        shared = shared
    );
    of_parts(1, &shared, STYLES, sheet)
}

/// A workbook of these raw parts, which names its sheet so many times.
pub fn of_parts(sheets: usize, shared: &str, styles: &str, sheet: &str) -> Vec<u8> {
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let named: String = (1..=sheets)
        .map(|n| format!(r#"<sheet name="Export {n}" sheetId="{n}" r:id="rId1"/>"#))
        .collect();
    let book = format!(
        concat!(
            r#"<?xml version="1.0" encoding="UTF-8"?>"#,
            r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{office}">"#,
            r#"<sheets>{named}</sheets></workbook>"#
        ),
        office = office,
        named = named
    );
    let parts = format!(
        concat!(
            r#"<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="{package}">"#,
            r#"<Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>"#,
            r#"<Relationship Id="rId2" Type="{office}/sharedStrings" Target="sharedStrings.xml"/>"#,
            r#"<Relationship Id="rId3" Type="{office}/styles" Target="styles.xml"/></Relationships>"#
        ),
        package = package,
        office = office
    );
    let root = format!(
        concat!(
            r#"<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="{package}">"#,
            r#"<Relationship Id="rId1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
        ),
        package = package,
        office = office
    );
    archive(&[
        ("[Content_Types].xml", CONTENT_TYPES.as_bytes()),
        ("_rels/.rels", root.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", parts.as_bytes()),
        ("xl/styles.xml", styles.as_bytes()),
        ("xl/sharedStrings.xml", shared.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

const CONTENT_TYPES: &str = concat!(
    r#"<?xml version="1.0" encoding="UTF-8"?>"#,
    r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#,
    r#"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#,
    r#"<Default Extension="xml" ContentType="application/xml"/>"#,
    r#"<Override PartName="/xl/workbook.xml""#,
    r#" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>"#,
    r#"<Override PartName="/xl/worksheets/sheet1.xml""#,
    r#" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>"#,
    r#"</Types>"#
);
