//! Message text without emoji and struck-out parts: their digits are not what a person says.
//!
//! Code is shown as it is written, so nothing in it is removed. Does not decode escapes.

/// Longest name of an emoji, in characters.
const LONGEST_NAME: usize = 100;

/// Text in Slack's markup without emoji codes and struck-out parts. Control sequences such as `<@U…>` are kept whole.
pub fn unmarked(text: &str) -> String {
    let mut pieces = Pieces::default();
    pieces.scan(text, true);
    pieces.text
}

/// A text in which parts were left out. The words before and after such a part are neither joined nor separated by two
/// blanks, which could be columns of a table.
#[derive(Default)]
pub(super) struct Pieces {
    pub(super) text: String,
    /// A part was left out at the end.
    left_out: bool,
}

impl Pieces {
    /// Adds a text as it is.
    pub(super) fn push(&mut self, text: &str) {
        let apart = self.text.is_empty() || self.text.ends_with(char::is_whitespace);
        let text = if self.left_out && apart {
            text.trim_start_matches(' ')
        } else {
            text
        };
        let Some(first) = text.chars().next() else {
            return;
        };
        if self.left_out && first.is_alphanumeric() && self.text.ends_with(char::is_alphanumeric) {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.left_out = false;
    }

    /// Adds a text that has no markup, without its emoji codes and struck-out parts.
    pub(super) fn push_plain(&mut self, text: &str) {
        self.scan(text, false);
    }

    /// Leaves out a part.
    pub(super) fn leave_out(&mut self) {
        self.left_out = true;
    }

    /// Starts a new line, unless this is one.
    pub(super) fn start_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.push("\n");
        }
    }

    fn scan(&mut self, text: &str, markup: bool) {
        let before = self.text.chars().next_back().filter(|_| !self.left_out);
        let mut scan = Scan {
            rest: text,
            before,
            struck: None,
            no_control: !markup,
            no_fence: !markup,
            markup,
        };
        while let Some(sign) = scan.rest.chars().next() {
            if let Some(length) = scan.kept_whole() {
                self.push(scan.take(length));
            } else if let Some(length) = scan.emoji() {
                scan.take(length);
                self.leave_out();
            } else if sign == '~' {
                self.tilde(&mut scan);
            } else {
                if sign == '\n' {
                    scan.struck = None;
                }
                self.push(scan.take(sign.len_utf8()));
            }
        }
    }

    /// One or two tildes open or close a struck-out part, which has none inside; otherwise they mean "about".
    fn tilde(&mut self, scan: &mut Scan<'_>) {
        let width = scan.rest.len() - scan.rest.trim_start_matches('~').len();
        let before = scan.before;
        let tildes = scan.take(width);
        let after = scan.rest.chars().next();
        if let Some(open) = scan.struck.take()
            && open.width == width
            && may_close(before, after)
        {
            self.text.truncate(open.start);
            return self.leave_out();
        }
        if width <= 2 && may_open(before, after) {
            let start = self.text.len();
            scan.struck = Some(Struck { width, start });
        }
        self.push(tildes);
    }
}

/// The start of a part that may be struck out.
struct Struck {
    /// The number of tildes.
    width: usize,
    /// Where they start in the result.
    start: usize,
}

/// The text that is still to be read.
struct Scan<'a> {
    rest: &'a str,
    /// The character before.
    before: Option<char>,
    struck: Option<Struck>,
    /// No control sequence, and no block of code, ends in the rest: it is not searched again.
    no_control: bool,
    no_fence: bool,
    markup: bool,
}

impl<'a> Scan<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.before = taken.chars().next_back();
        self.rest = rest;
        taken
    }

    /// The length of the control sequence or code that starts here.
    fn kept_whole(&mut self) -> Option<usize> {
        let rest = self.rest;
        if rest.starts_with('<') && !self.no_control {
            let end = rest.find('>').map(|end| end + 1);
            self.no_control = end.is_none();
            return end;
        }
        if rest.starts_with("```") && !self.no_fence {
            let end = rest.get(3..)?.find("```").map(|end| end + 6);
            self.no_fence = end.is_none();
            return end;
        }
        let code = rest.strip_prefix('`').filter(|_| self.markup)?;
        let end = code.find(['`', '\n'])?;
        code.get(end..)?.starts_with('`').then_some(end + 2)
    }

    /// The length of the emoji that starts here: a code such as `:one:`, or a digit in a keycap.
    fn emoji(&self) -> Option<usize> {
        let mut signs = self.rest.chars();
        let first = signs.next()?;
        if first == ':' && !self.before.is_some_and(char::is_alphanumeric) {
            let in_name = |sign: &char| {
                (sign.is_alphanumeric() && !sign.is_uppercase()) || matches!(sign, '_' | '-' | '+' | '\'')
            };
            let name: String = signs.take(LONGEST_NAME).take_while(in_name).collect();
            let end = 1 + name.len();
            let ends = self.rest.get(end..).is_some_and(|rest| rest.starts_with(':'));
            // ":---:" is a line of a table.
            return (ends && name.contains(char::is_alphanumeric)).then_some(end + 1);
        }
        if first.is_ascii_digit() || matches!(first, '#' | '*') {
            let key = self.rest.get(1..)?;
            let cap = key.strip_prefix('\u{fe0f}').unwrap_or(key);
            let after = cap.strip_prefix('\u{20e3}')?;
            return Some(self.rest.len() - after.len());
        }
        None
    }
}

fn may_open(before: Option<char>, after: Option<char>) -> bool {
    !before.is_some_and(char::is_alphanumeric) && after.is_some_and(|sign| !sign.is_whitespace())
}

/// Not in "~$5m–~$7m", where both mean "about".
fn may_close(before: Option<char>, after: Option<char>) -> bool {
    let ends = before.is_some_and(|sign| {
        !sign.is_whitespace() && !matches!(sign, '-' | '\u{2010}'..='\u{2015}' | '/' | '(' | '[' | '=')
    });
    let apart = after.is_none_or(|sign| {
        !sign.is_alphanumeric() && !matches!(sign, '$' | '€' | '£' | '¥' | '(' | '[' | '#' | '+')
    });
    ends && apart
}
