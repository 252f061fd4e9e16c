//! `list_files`, `read_file`, and the tables of files for `query_table`.

use calls::result::{Refusal, Table};
use calls::words::nearest;
use serde::Deserialize;
use serde_json::{Value, json};
use tables::columns::numeric_columns;
use tables::grid::delimited;
use tables::layout;
use tables::tally::Tally;

use crate::analysis::engine::{FileContent, FileExcerpt};
use crate::analysis::tools::typed::figures::arguments_of;
use crate::base::ids::FileId;

/// Most characters of one part of a file.
const PART: usize = 8_000;

/// The files of a run by their refs, `f1` first.
pub(super) struct Shelf {
    files: Vec<Held>,
}

struct Held {
    id: FileId,
    name: String,
    /// Parts of the text, or why there is none.
    text: Result<Vec<String>, String>,
    table: Option<HeldTable>,
}

/// A table of a file, under the file's ref.
pub(super) struct HeldTable {
    pub(super) name: String,
    pub(super) table: Table,
    /// Rows that are no data: "4 totals".
    left_out: Vec<String>,
}

/// A part of a file that was read.
pub(super) struct Part {
    pub(super) id: FileId,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) json: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    file: String,
    part: Option<usize>,
}

impl Shelf {
    /// The files, with their tables or without.
    pub(super) fn of(files: &[FileExcerpt], with_tables: bool) -> Self {
        let held = files.iter().enumerate().map(|(at, file)| {
            let name = format!("f{}", at + 1);
            let (text, table) = match &file.content {
                FileContent::Text { text, .. } => {
                    let table = with_tables.then(|| table(&name, text)).flatten();
                    (Ok(parts(text)), table)
                }
                FileContent::Unreadable(why) => (Err(why.clone()), None),
            };
            Held {
                id: file.id,
                name: file.name.clone(),
                text,
                table,
            }
        });
        Self {
            files: held.collect(),
        }
    }

    pub(super) fn id(&self, at: usize) -> Option<FileId> {
        self.files.get(at).map(|file| file.id)
    }

    /// A table by the ref or name of its file.
    pub(super) fn table(&self, name: &str) -> Option<(FileId, &HeldTable)> {
        let (_, file) = self.find(name)?;
        Some((file.id, file.table.as_ref()?))
    }

    fn find(&self, name: &str) -> Option<(usize, &Held)> {
        let name = name.trim();
        // A ref wins over a file of that name.
        let of = |is_it: &dyn Fn(usize, &Held) -> bool| {
            self.files.iter().enumerate().find(|(at, file)| is_it(*at, file))
        };
        of(&|at, _| format!("f{}", at + 1) == name).or_else(|| of(&|_, file| file.name == name))
    }
}

/// A file in one line, for the beginning of a prompt.
#[derive(Clone, Debug)]
pub struct Listed {
    pub reference: String,
    pub name: String,
    pub about: String,
}

/// The files in one line each.
pub(super) fn listed(shelf: &Shelf) -> Vec<Listed> {
    let line = |(at, file): (usize, &Held)| Listed {
        reference: format!("f{}", at + 1),
        name: file.name.clone(),
        about: match (&file.text, &file.table) {
            (Err(why), _) => format!("could not be read: {why}"),
            (Ok(parts), None) => format!("text in {} parts", parts.len()),
            (Ok(_), Some(held)) => format!(
                "table \"{}\" with {} rows; columns {}",
                held.name,
                held.table.rows.len(),
                held.table.columns.join(", ")
            ),
        },
    };
    shelf.files.iter().enumerate().map(line).collect()
}

/// The files with their verdicts and tables.
pub(super) fn list(shelf: &Shelf) -> Value {
    let files = shelf.files.iter().enumerate().map(|(at, file)| {
        let mut json = json!({"ref": format!("f{}", at + 1), "name": file.name});
        let own = match (&file.text, &file.table) {
            (Err(why), _) => json!({ "unreadable": why }),
            (Ok(parts), None) => json!({ "parts": parts.len() }),
            (Ok(parts), Some(held)) => json!({
                "parts": parts.len(),
                "table": held.name,
                "columns": held.table.columns,
                "rows": held.table.rows.len(),
                "leftOut": held.left_out,
            }),
        };
        if let (Some(json), Value::Object(own)) = (json.as_object_mut(), own) {
            json.extend(own);
        }
        json
    });
    json!({ "files": files.collect::<Vec<_>>() })
}

/// One part of the text of a file.
pub(super) fn read(shelf: &Shelf, arguments: &Value) -> Result<Part, Refusal> {
    let wanted: Read = arguments_of("read_file", arguments)?;
    let Some((at, file)) = shelf.find(&wanted.file) else {
        let names = shelf
            .files
            .iter()
            .map(|file| (file.name.as_str(), file.name.as_str()));
        let what = format!("There is no file \"{}\".", wanted.file);
        return Err(Refusal::near("unknown_ref", what, nearest(&wanted.file, names)));
    };
    let parts = match &file.text {
        Ok(parts) => parts,
        Err(why) => {
            let what = format!("{} {why}", file.name);
            return Err(Refusal::failure("unreadable", what));
        }
    };
    let part = wanted.part.unwrap_or(1);
    let Some(text) = part.checked_sub(1).and_then(|part| parts.get(part)) else {
        let what = format!("{} has {} parts.", file.name, parts.len());
        return Err(Refusal::failure("bad_arguments", what));
    };
    Ok(Part {
        id: file.id,
        name: file.name.clone(),
        text: text.clone(),
        json: json!({
            "ref": format!("f{}", at + 1),
            "name": file.name,
            "part": part,
            "parts": parts.len(),
            "text": text,
        }),
    })
}

/// A text in parts that end at line ends where they can.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        let line_length = line.chars().count();
        if length > 0 && length + line_length > PART {
            parts.push(String::new());
            length = 0;
        }
        for piece in pieces(line) {
            if length + piece.chars().count() > PART {
                parts.push(String::new());
                length = 0;
            }
            length += piece.chars().count();
            if let Some(last) = parts.last_mut() {
                last.push_str(piece);
            }
        }
    }
    parts
}

/// A line in pieces of at most one part.
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((end, _)) = rest.char_indices().nth(PART) {
        let (piece, left) = rest.split_at(end);
        pieces.push(piece);
        rest = left;
    }
    pieces.push(rest);
    pieces
}

/// The table of a text: data rows only, numbers in the file's own notation as numbers.
fn table(name: &str, text: &str) -> Option<HeldTable> {
    let table = layout::table(delimited(text, None).ok()?)?;
    let numeric = numeric_columns(&table);
    let mut columns: Vec<String> = Vec::new();
    for (at, column) in table.columns.iter().enumerate() {
        let header = column.header.trim();
        let wanted = if header.is_empty() {
            format!("column {}", at + 1)
        } else {
            header.to_owned()
        };
        let taken = columns.iter().filter(|known| **known == wanted).count();
        columns.push(if taken > 0 {
            format!("{wanted} ({})", taken + 1)
        } else {
            wanted
        });
    }
    let rows = table.data().map(|row| {
        (0..table.columns.len())
            .map(|column| {
                let number = numeric
                    .contains(&column)
                    .then(|| table.number(row, column))
                    .flatten();
                match number {
                    Some(number) => json!(number.value()),
                    None => json!(table.text(row, column)),
                }
            })
            .collect()
    });
    let rows: Vec<Vec<Value>> = rows.collect();
    let tally = Tally::of(&table);
    let left_out = [
        (tally.totals, "totals"),
        (tally.print, "lines of print"),
        (tally.another, "lines of another table"),
    ];
    let left_out = left_out
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    Some(HeldTable {
        name: name.to_owned(),
        table: Table { columns, rows },
        left_out,
    })
}
