//! Parses a stream of JSON: files are decoded into the spool while they arrive, everything else becomes a value of
//! bounded size. Duplicate names in an object are refused, because parsers differ in which one they use.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::Arc;

use serde_json::{Map, Number, Value};
use struson::reader::{
    JsonReader as _, JsonReaderPosition, JsonStreamReader, JsonSyntaxError, ReaderError, ReaderSettings,
    SyntaxErrorKind, ValueType,
};

use crate::api::failure::Failure;
use crate::api::upload::base64::{self, Fault};
use crate::api::upload::form::Field;
use crate::api::upload::gathering::{Entry, Gathering, List, spool_failed, too_large, twice};
use crate::api::upload::source::Meter;
use crate::base::error::Error;
use crate::edge::problem::FieldError;

/// Deepest nesting.
const DEPTH: u32 = 64;

/// Parses JSON from a source whose bytes the meter counts.
pub(super) struct Json<'a, R: Read> {
    reader: JsonStreamReader<R>,
    meter: Arc<Meter>,
    gathering: &'a mut Gathering,
}

impl<'a, R: Read> Json<'a, R> {
    pub(super) fn new(source: R, meter: Arc<Meter>, gathering: &'a mut Gathering) -> Self {
        let settings = ReaderSettings {
            max_nesting_depth: Some(DEPTH),
            track_path: false,
            ..ReaderSettings::default()
        };
        Self {
            reader: JsonStreamReader::new_custom(source, settings),
            meter,
            gathering,
        }
    }

    /// A whole body: an object whose members are the fields.
    pub(super) fn body(mut self) -> Result<(), Failure> {
        if self.peek()? != ValueType::Object {
            return Err(Failure::field("body", "wrong_type", "must be a JSON object"));
        }
        self.members("", |json, name| match name {
            "files" => json.list(List::Files),
            "filesBase64" => json.list(List::FilesBase64),
            "organisationMemory" => json.memory(),
            _ => {
                let value = json.value()?;
                json.gathering.field(name, Field::Json(value))
            }
        })?;
        self.finish()
    }

    /// A part of a form that is one list of files.
    pub(super) fn whole_list(mut self, list: List) -> Result<(), Failure> {
        self.list(list)?;
        self.finish()
    }

    /// A part of a form that is the organization memory of an analyst.
    pub(super) fn whole_memory(mut self) -> Result<(), Failure> {
        self.memory()?;
        self.finish()
    }

    /// A part of a form that is JSON.
    pub(super) fn whole_value(mut self) -> Result<Value, Failure> {
        let value = self.value()?;
        self.finish()?;
        Ok(value)
    }

    fn finish(self) -> Result<(), Failure> {
        let Self { reader, meter, .. } = self;
        meter.step();
        reader
            .consume_trailing_whitespace()
            .map_err(|error| refusal(&meter, &error))
    }

    /// `organisationMemory`: an object with its own lists of files.
    fn memory(&mut self) -> Result<(), Failure> {
        if self.peek()? != ValueType::Object {
            let value = self.value()?;
            return self.gathering.field("organisationMemory", Field::Json(value));
        }
        let mut members = Map::new();
        self.members("organisationMemory.", |json, name| {
            match name {
                "files" => json.list(List::MemoryFiles)?,
                "filesBase64" => json.list(List::MemoryFilesBase64)?,
                _ => {
                    let value = json.value()?;
                    members.insert(name.to_owned(), value);
                }
            }
            Ok(())
        })?;
        self.gathering
            .field("organisationMemory", Field::Json(Value::Object(members)))
    }

    fn list(&mut self, list: List) -> Result<(), Failure> {
        match self.peek()? {
            ValueType::Null => return self.skip(),
            ValueType::Array => {}
            _ => {
                return Err(Failure::field(
                    list.path(),
                    "wrong_type",
                    "must be a list of files",
                ));
            }
        }
        self.gathering.open(list)?;
        self.step(JsonStreamReader::begin_array)?;
        while self.step(JsonStreamReader::has_next)? {
            let path = self.gathering.next(list)?;
            let entry = self.entry(&path)?;
            self.gathering.add(list, entry);
        }
        self.step(JsonStreamReader::end_array)
    }

    fn entry(&mut self, path: &str) -> Result<Entry, Failure> {
        let mut entry = Entry::default();
        if self.peek()? != ValueType::Object {
            self.skip()?;
            entry.fail(Failure::field(path, "wrong_type", "must be a file object"));
            return Ok(entry);
        }
        self.members(&format!("{path}."), |json, name| {
            let path = format!("{path}.{name}");
            match name {
                "filename" | "name" => json.word(&path, &mut entry, |entry| &mut entry.name),
                "contentType" | "mimeType" => json.word(&path, &mut entry, |entry| &mut entry.declared_type),
                "contentBase64" | "dataBase64" => json.content(&path, &mut entry),
                _ => json.skip(),
            }
        })?;
        if entry.name.is_none() {
            let path = format!("{path}.filename");
            entry.fail(Failure::field(&path, "required", "is missing"));
        }
        if entry.span.is_none() {
            let path = format!("{path}.contentBase64");
            entry.fail(Failure::field(&path, "required", "is missing"));
        }
        Ok(entry)
    }

    /// A text field of a file that has two names. If both are given, they have to be equal.
    fn word(
        &mut self,
        path: &str,
        entry: &mut Entry,
        place: fn(&mut Entry) -> &mut Option<String>,
    ) -> Result<(), Failure> {
        match self.peek()? {
            ValueType::Null => return self.skip(),
            ValueType::String => {}
            _ => {
                entry.fail(Failure::field(path, "wrong_type", "must be a text"));
                return self.skip();
            }
        }
        let word = self.text()?;
        match place(entry) {
            Some(known) if *known != word => entry.fail(contradiction(path)),
            known => *known = Some(word),
        }
        Ok(())
    }

    fn content(&mut self, path: &str, entry: &mut Entry) -> Result<(), Failure> {
        match self.peek()? {
            ValueType::Null => return self.skip(),
            ValueType::String => {}
            _ => {
                entry.fail(Failure::field(path, "wrong_type", "must be a text in base64"));
                return self.skip();
            }
        }
        self.meter.step();
        let (mut file, buffer) = self.gathering.file();
        let text = self.reader.next_string_reader();
        let text = text.map_err(|error| refusal(&self.meter, &error))?;
        match base64::decode(text, &mut file, &self.meter, buffer) {
            Ok(()) => {
                let span = file.end();
                let same = |known: &crate::files::spool::Span| {
                    (known.bytes, known.sha256) == (span.bytes, span.sha256)
                };
                match &entry.span {
                    Some(known) if !same(known) => entry.fail(contradiction(path)),
                    Some(_) => {}
                    None => entry.span = Some(span),
                }
                Ok(())
            }
            Err(Fault::Text(why)) => {
                entry.fail(Failure::Base64(FieldError {
                    field: path.to_owned(),
                    code: "invalid_base64",
                    detail: why.to_owned(),
                }));
                Ok(())
            }
            Err(Fault::TooLarge) => Err(too_large(path)),
            Err(Fault::Spool(error)) => Err(spool_failed(error)),
            Err(Fault::Source(error)) => Err(self.broken(&error)),
        }
    }

    fn value(&mut self) -> Result<Value, Failure> {
        Ok(match self.peek()? {
            ValueType::Null => {
                self.gathering.take(0)?;
                self.step(JsonStreamReader::next_null)?;
                Value::Null
            }
            ValueType::Boolean => {
                self.gathering.take(0)?;
                Value::Bool(self.step(JsonStreamReader::next_bool)?)
            }
            ValueType::Number => {
                let text = self.step(JsonStreamReader::next_number_as_string)?;
                self.gathering.take(text.len())?;
                let number: Number = text
                    .parse()
                    .map_err(|_| malformed("it has a number that is out of range"))?;
                Value::Number(number)
            }
            ValueType::String => Value::String(self.text()?),
            ValueType::Array => {
                self.gathering.take(0)?;
                let mut values = Vec::new();
                self.step(JsonStreamReader::begin_array)?;
                while self.step(JsonStreamReader::has_next)? {
                    values.push(self.value()?);
                }
                self.step(JsonStreamReader::end_array)?;
                Value::Array(values)
            }
            ValueType::Object => {
                self.gathering.take(0)?;
                let mut members = Map::new();
                self.members("", |json, name| {
                    let value = json.value()?;
                    members.insert(name.to_owned(), value);
                    Ok(())
                })?;
                Value::Object(members)
            }
        })
    }

    /// A text, within the memory for fields.
    fn text(&mut self) -> Result<String, Failure> {
        self.meter.step();
        let room = self.gathering.room();
        let most = u64::try_from(room).unwrap_or(u64::MAX);
        let mut text = Vec::new();
        let read = match self.reader.next_string_reader() {
            Ok(reader) => reader.take(most.saturating_add(1)).read_to_end(&mut text),
            Err(error) => return Err(refusal(&self.meter, &error)),
        };
        if let Err(error) = read {
            return Err(self.broken(&error));
        }
        self.gathering.take(text.len())?;
        String::from_utf8(text).map_err(|_| malformed("it is not UTF-8"))
    }

    /// Calls `member` for every member of an object. Refuses duplicate names.
    fn members(
        &mut self,
        prefix: &str,
        mut member: impl FnMut(&mut Self, &str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut names = BTreeSet::new();
        self.step(JsonStreamReader::begin_object)?;
        while self.step(JsonStreamReader::has_next)? {
            let name = self.step(JsonStreamReader::next_name_owned)?;
            self.gathering.take(name.len())?;
            if names.contains(&name) {
                return Err(twice(&format!("{prefix}{name}")));
            }
            member(self, &name)?;
            names.insert(name);
        }
        self.step(JsonStreamReader::end_object)
    }

    /// Why a text could not be read to its end: the body stopped, or it is not JSON.
    fn broken(&self, error: &std::io::Error) -> Failure {
        let stopped = self.meter.stopped();
        stopped.unwrap_or_else(|| malformed(&error.to_string()))
    }

    fn peek(&mut self) -> Result<ValueType, Failure> {
        self.step(JsonStreamReader::peek)
    }

    fn skip(&mut self) -> Result<(), Failure> {
        self.step(JsonStreamReader::skip_value)
    }

    fn step<T>(
        &mut self,
        read: impl FnOnce(&mut JsonStreamReader<R>) -> Result<T, ReaderError>,
    ) -> Result<T, Failure> {
        self.meter.step();
        read(&mut self.reader).map_err(|error| refusal(&self.meter, &error))
    }
}

fn contradiction(path: &str) -> Failure {
    Failure::field(
        path,
        "contradiction",
        "is given under both of its names, with different values",
    )
}

fn malformed(why: &str) -> Failure {
    Failure::field("body", "malformed", format!("is not JSON: {why}"))
}

/// The syntax error with its line and column, counted from 1.
fn syntax(kind: SyntaxErrorKind, location: &JsonReaderPosition) -> String {
    use SyntaxErrorKind as Kind;
    let what = match kind {
        Kind::IncompleteDocument => "it ends before it is whole",
        Kind::TrailingData | Kind::TrailingDataAfterLiteral | Kind::TrailingDataAfterNumber => {
            "something follows after its end"
        }
        Kind::MissingComma | Kind::UnexpectedComma | Kind::TrailingCommaNotEnabled => {
            "a comma is missing or too many"
        }
        Kind::MissingColon | Kind::UnexpectedColon => "a colon is missing or too many",
        Kind::ExpectingMemberNameOrObjectEnd => "a name in quotes should stand here",
        Kind::UnexpectedClosingBracket => "a bracket is closed that is not open",
        Kind::CommentsNotEnabled | Kind::IncompleteComment | Kind::BlockCommentNotClosed => {
            "comments are no part of JSON"
        }
        Kind::InvalidLiteral => "a word without quotes is none of true, false and null",
        Kind::MalformedNumber => "a number is not written as JSON writes them",
        Kind::NotEscapedControlCharacter => "a control character has to be escaped",
        Kind::UnknownEscapeSequence
        | Kind::MalformedEscapeSequence
        | Kind::UnpairedSurrogatePairEscapeSequence => "an escape is none of JSON's",
        _ => "a sign stands where none may",
    };
    match &location.line_pos {
        Some(place) => format!("{what}, in line {}, column {}", place.line + 1, place.column + 1),
        None => what.to_owned(),
    }
}

fn refusal(meter: &Meter, error: &ReaderError) -> Failure {
    if let Some(stopped) = meter.stopped() {
        return stopped;
    }
    match error {
        ReaderError::SyntaxError(JsonSyntaxError { kind, location }) => malformed(&syntax(*kind, location)),
        ReaderError::MaxNestingDepthExceeded { .. } => {
            malformed(&format!("it is nested deeper than {DEPTH} levels"))
        }
        ReaderError::UnsupportedNumberValue { .. } => malformed("it has a number that is out of range"),
        ReaderError::IoError { .. } => malformed("it is not UTF-8"),
        other => Failure::Of(Error::internal(other.to_string())),
    }
}
