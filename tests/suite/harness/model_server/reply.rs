//! What a test scripts: an answer of the model, its quirks, and how the call fails. Independent of the wire form.

use std::time::Duration;

use serde_json::Value;

/// What a server of this wire form may do without being asked, and what a client must tolerate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// OpenAI, streamed: parts of a call without `index`. The call comes in one part unless `ArgumentsIn` splits it.
    NoIndex,
    /// OpenAI, streamed: the same with `index: null`.
    NullIndex,
    /// OpenAI, streamed: the first call has the index 4294967295.
    HugeIndex,
    /// OpenAI: the arguments are an object instead of a string of JSON.
    ObjectArguments,
    /// OpenAI, streamed: the first chunk has no choices, as content filters send it.
    EmptyFirstChunk,
    /// OpenAI, streamed: counts come although nobody asked for them.
    UnaskedUsage,
    /// Streamed: no end event (`[DONE]`, `message_stop`).
    NoDone,
    /// Streamed: neither finish reason, nor counts, nor end event; the response itself ends properly.
    NoFinish,
    /// Streamed: comment lines and ping events between the events.
    KeepAlives,
    /// Streamed: lines end with CR LF.
    CrLf,
    /// Streamed: after half of the events, an error event is the last one.
    ErrorInStream,
    /// Streamed: the arguments of each call come in this many parts.
    ArgumentsIn(usize),
    /// The body comes in TCP chunks of this many bytes: it splits events, lines and letters.
    BytesIn(usize),
    /// Streamed, with `Reply::huge`: one event that does not end, instead of many.
    OneEvent,
}

/// The arguments of a call as the model wrote them.
#[derive(Clone, Debug)]
pub(super) enum Arguments {
    Json(Value),
    Raw(String),
}

impl Arguments {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Json(value) => value.to_string(),
            Self::Raw(text) => text.clone(),
        }
    }

    /// As a value, where the wire form wants one: what is no JSON stays a string.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Json(value) => value.clone(),
            Self::Raw(text) => Value::String(text.clone()),
        }
    }

    /// As text in this many parts of about the same length; at least one.
    pub(super) fn parts(&self, count: usize) -> Vec<String> {
        let letters: Vec<char> = self.text().chars().collect();
        let size = letters.len().div_ceil(count.max(1)).max(1);
        let parts: Vec<String> = letters.chunks(size).map(|part| part.iter().collect()).collect();
        if parts.is_empty() {
            vec![String::new()]
        } else {
            parts
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    pub id: String,
    pub name: String,
    pub arguments: Arguments,
}

/// `cached` is a share of `input`, in both wire forms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usage {
    pub input: u64,
    pub output: u64,
    pub cached: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Answer,
    /// A text of about this many bytes, made while it is sent.
    Huge(u64),
    Status(u16),
    Redirect(u16),
    Garbage,
    Silence,
    HangUp,
}

/// How the body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Whole,
    /// After half of it the connection is closed.
    Cut,
    /// After half of it nothing more comes.
    Stall,
}

/// One scripted reply. Without `usage`, it counts 100 tokens of input and 20 of output.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) kind: Kind,
    pub(super) text: Option<String>,
    pub(super) refusal: Option<String>,
    pub(super) calls: Vec<Call>,
    pub(super) usage: Option<Usage>,
    pub(super) finish: Option<String>,
    pub(super) quirks: Vec<Quirk>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) code: Option<String>,
    pub(super) message: Option<String>,
    pub(super) delay: Duration,
    pub(super) pace: Option<Duration>,
    pub(super) end: End,
}

impl Reply {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            text: None,
            refusal: None,
            calls: Vec::new(),
            usage: Some(Usage {
                input: 100,
                output: 20,
                cached: 0,
            }),
            finish: None,
            quirks: Vec::new(),
            headers: Vec::new(),
            code: None,
            message: None,
            delay: Duration::ZERO,
            pace: None,
            end: End::Whole,
        }
    }

    /// An answer in words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Kind::Answer).and_text(text)
    }

    /// Calls of tools: id, name and arguments of each.
    pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, &'a str, Value)>) -> Self {
        let mut reply = Self::new(Kind::Answer);
        for (id, name, arguments) in calls {
            reply.add_call(id, name, Arguments::Json(arguments));
        }
        reply
    }

    /// One call whose arguments are this text, JSON or not.
    pub fn raw_call(id: &str, name: &str, arguments: &str) -> Self {
        Self::new(Kind::Answer).and_raw_call(id, name, arguments)
    }

    /// The model declines: a `refusal` with empty content, or the stop reason `refusal`.
    pub fn refusal(text: impl Into<String>) -> Self {
        let mut reply = Self::new(Kind::Answer);
        reply.refusal = Some(text.into());
        reply
    }

    /// A valid text of about this many bytes. It takes no memory here.
    pub fn huge(bytes: u64) -> Self {
        Self::new(Kind::Huge(bytes))
    }

    /// An error with the provider's own body for this status.
    pub fn status(status: u16) -> Self {
        Self::new(Kind::Status(status))
    }

    /// A redirect with this status to another port; see `ModelServer::followed`.
    pub fn redirect(status: u16) -> Self {
        Self::new(Kind::Redirect(status))
    }

    /// 200 with a page of HTML.
    pub fn garbage() -> Self {
        Self::new(Kind::Garbage)
    }

    /// Not even headers, until the client leaves.
    pub fn silence() -> Self {
        Self::new(Kind::Silence)
    }

    /// The request is read, and the connection is closed without an answer.
    pub fn hang_up() -> Self {
        Self::new(Kind::HangUp)
    }

    /// Text before the calls.
    pub fn and_text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// One more call whose arguments are this text, JSON or not.
    pub fn and_raw_call(mut self, id: &str, name: &str, arguments: &str) -> Self {
        self.add_call(id, name, Arguments::Raw(arguments.to_owned()));
        self
    }

    /// All tokens read, and those written.
    pub fn usage(mut self, input: u64, output: u64) -> Self {
        self.usage = Some(Usage {
            input,
            output,
            cached: 0,
        });
        self
    }

    /// This share of the tokens read came from the provider's cache.
    pub fn cached(mut self, tokens: u64) -> Self {
        let usage = self.usage.as_mut().expect("a reply with usage");
        assert!(tokens <= usage.input, "more tokens from the cache than read");
        usage.cached = tokens;
        self
    }

    pub fn without_usage(mut self) -> Self {
        self.usage = None;
        self
    }

    /// In OpenAI's words (`stop`, `length`, `tool_calls`, `content_filter`); Anthropic's are made of them.
    pub fn finish(mut self, reason: &str) -> Self {
        self.finish = Some(reason.to_owned());
        self
    }

    pub fn quirk(mut self, quirk: Quirk) -> Self {
        self.quirks.push(quirk);
        self
    }

    pub fn retry_after(self, seconds: u64) -> Self {
        self.header("retry-after", &seconds.to_string())
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The code of an error: `insufficient_quota`, `context_length_exceeded`. For Anthropic it is the error's type.
    pub fn code(mut self, code: &str) -> Self {
        self.code = Some(code.to_owned());
        self
    }

    /// The message of an error, also of the one within a stream.
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The answer starts after this time.
    pub fn delay(mut self, by: Duration) -> Self {
        self.delay = by;
        self
    }

    /// So long between two events, or between two eighths of a whole answer.
    pub fn slow(mut self, pause: Duration) -> Self {
        self.pace = Some(pause);
        self
    }

    /// After half of the body the connection is closed.
    pub fn cut(mut self) -> Self {
        self.end = End::Cut;
        self
    }

    /// After half of the body nothing more comes, until the client leaves.
    pub fn stall(mut self) -> Self {
        self.end = End::Stall;
        self
    }

    fn add_call(&mut self, id: &str, name: &str, arguments: Arguments) {
        self.calls.push(Call {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments,
        });
    }

    pub(super) fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// In how many parts the arguments of a call come, if the test said so.
    pub(super) fn argument_parts(&self) -> Option<usize> {
        self.quirks.iter().find_map(|quirk| match quirk {
            Quirk::ArgumentsIn(parts) => Some(*parts),
            _ => None,
        })
    }

    pub(super) fn chunk_size(&self) -> Option<usize> {
        self.quirks.iter().find_map(|quirk| match quirk {
            Quirk::BytesIn(bytes) => Some((*bytes).max(1)),
            _ => None,
        })
    }
}

/// An error as a provider states it.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub status: u16,
    pub kind: String,
    pub code: Option<String>,
    pub param: Option<String>,
    pub message: String,
}

impl Failure {
    pub(super) fn new(status: u16, kind: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            kind: kind.to_owned(),
            code: None,
            param: None,
            message: message.into(),
        }
    }
}
