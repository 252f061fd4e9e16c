//! A text as the signs that people see: digits of all scripts, dashes, spaces and commas as one of each kind, without
//! what is invisible. Each sign has its place in the original text. What is looked at ahead is bounded.

use std::ops::Range;

/// The zeros of the scripts whose digits are read; the other nine digits follow each.
const ZEROS: &[u32] = &[
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0xF20,
    0x1040, 0x17E0, 0x1810, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1FBF0,
];
/// Fractions with a sign of their own.
const FRACTIONS: &[(char, f64)] = &[
    ('½', 1.0 / 2.0),
    ('⅓', 1.0 / 3.0),
    ('⅔', 2.0 / 3.0),
    ('¼', 0.25),
    ('¾', 0.75),
    ('⅕', 0.2),
    ('⅖', 0.4),
    ('⅗', 0.6),
    ('⅘', 0.8),
    ('⅙', 1.0 / 6.0),
    ('⅚', 5.0 / 6.0),
    ('⅛', 0.125),
    ('⅜', 0.375),
    ('⅝', 0.625),
    ('⅞', 0.875),
];
/// Longer words are not looked up.
const WORD: usize = 16;
/// Most signs of a link's address, a mark of emphasis or a character reference.
const ADDRESS: usize = 2_000;
const EMPHASIS: usize = 4;
const REFERENCE: usize = 10;

/// The visible signs of a text.
pub struct Signs {
    signs: Vec<(usize, char)>,
    bytes: usize,
}

/// A word in lower case. It is empty if it is too long or has other than English letters.
pub struct Word {
    letters: [u8; WORD],
    length: usize,
    pub start: usize,
    pub end: usize,
}

impl Word {
    pub fn lower(&self) -> &str {
        let letters = self.letters.get(..self.length).unwrap_or_default();
        std::str::from_utf8(letters).unwrap_or_default()
    }
}

/// The value of a fraction with a sign of its own.
pub fn fraction(sign: char) -> Option<f64> {
    FRACTIONS
        .iter()
        .find(|(own, _)| *own == sign)
        .map(|(_, value)| *value)
}

/// Whether a sign is a raised or lowered digit.
pub fn is_superscript(sign: char) -> bool {
    matches!(sign, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹' | '₀'..='₉')
}

/// The sign that stands for all of its kind, or none if it is invisible.
fn seen(sign: char) -> Option<char> {
    if sign.is_ascii() {
        return Some(sign);
    }
    let code = u32::from(sign);
    Some(match sign {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{66c}' => '\u{a0}',
        '\u{3000}' => ' ',
        '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{fe63}' => '-',
        '‘' | '’' | 'ʼ' | '′' => '\'',
        '\u{66b}' => '.',
        '٪' | '﹪' => '%',
        '⁄' | '∕' => '/',
        '✕' | '✖' => '×',
        '∼' | '≃' | '≅' => '≈',
        '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{61c}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' => {
            return None;
        }
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{20d0}'..='\u{20ff}' => {
            return None;
        }
        '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{feff}' => {
            return None;
        }
        '\u{e0000}'..='\u{e0fff}' => return None,
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(code - 0xFEE0).unwrap_or(sign),
        _ => {
            let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code));
            zero.and_then(|zero| char::from_digit(code - zero, 10))
                .unwrap_or(sign)
        }
    })
}

/// The sign of an HTML character reference at the start of a text, and its length: "&nbsp;", "&#8239;".
fn reference(text: &str) -> Option<(char, usize)> {
    let name = text.get(1..)?;
    let end = name.bytes().take(REFERENCE).position(|byte| byte == b';')?;
    let name = name.get(..end)?;
    let code = match name.strip_prefix('#') {
        Some(hex) if hex.starts_with(['x', 'X']) => u32::from_str_radix(hex.get(1..)?, 16).ok()?,
        Some(decimal) => decimal.parse().ok()?,
        None => match name {
            "nbsp" | "thinsp" => 0xA0,
            "ndash" | "minus" => u32::from('-'),
            _ => return None,
        },
    };
    Some((char::from_u32(code)?, end + 2))
}

impl Signs {
    pub fn of(text: &str) -> Self {
        let mut signs = Vec::with_capacity(text.len());
        let mut rest = text.char_indices().peekable();
        while let Some((at, mut sign)) = rest.next() {
            // A backslash belongs to the sign that it protects.
            if sign == '\\'
                && let Some((_, next)) = rest.next_if(|(_, next)| next.is_ascii_punctuation())
            {
                sign = next;
            } else if sign == '&'
                && let Some((shown, length)) = text.get(at..).and_then(reference)
            {
                sign = shown;
                while rest.next_if(|(next, _)| *next < at + length).is_some() {}
            }
            signs.extend(seen(sign).map(|sign| (at, sign)));
        }
        Self {
            signs,
            bytes: text.len(),
        }
    }

    pub fn len(&self) -> usize {
        self.signs.len()
    }

    /// The sign at a position, or NUL behind the end.
    pub fn at(&self, at: usize) -> char {
        self.signs.get(at).map_or('\0', |(_, sign)| *sign)
    }

    /// Where a sign starts in the text.
    pub fn byte(&self, at: usize) -> usize {
        self.signs.get(at).map_or(self.bytes, |(byte, _)| *byte)
    }

    pub fn digit(&self, at: usize) -> bool {
        self.at(at).is_ascii_digit()
    }

    /// Whether all signs of a range are of a kind.
    pub fn all(&self, range: Range<usize>, kind: impl Fn(char) -> bool) -> bool {
        range.into_iter().all(|at| kind(self.at(at)))
    }

    /// Where a run of signs of a kind ends.
    pub fn run(&self, from: usize, kind: impl Fn(char) -> bool) -> usize {
        let rest = self.signs.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|(_, sign)| kind(*sign)).count()
    }

    pub fn append(&self, range: Range<usize>, text: &mut String) {
        let signs = self.signs.get(range).unwrap_or_default();
        text.extend(signs.iter().map(|(_, sign)| *sign));
    }

    /// The value of up to nine digits.
    pub fn value(&self, range: Range<usize>) -> Option<u32> {
        let signs = self
            .signs
            .get(range)
            .filter(|signs| (1..=9).contains(&signs.len()))?;
        signs
            .iter()
            .try_fold(0, |value, (_, sign)| Some(value * 10 + sign.to_digit(10)?))
    }

    /// The word that starts at a position.
    pub fn word(&self, start: usize) -> Word {
        self.named(
            start,
            self.run(start, |sign| sign.is_alphabetic() && !sign.is_numeric()),
        )
    }

    fn named(&self, start: usize, end: usize) -> Word {
        let mut word = Word {
            letters: [0; WORD],
            length: 0,
            start,
            end,
        };
        if end - start > WORD {
            return word;
        }
        let signs = self.signs.get(start..end).unwrap_or_default();
        for (letter, (_, sign)) in word.letters.iter_mut().zip(signs) {
            let Some(own) = u8::try_from(*sign).ok().filter(u8::is_ascii) else {
                return word;
            };
            *letter = own.to_ascii_lowercase();
        }
        word.length = end - start;
        word
    }

    /// The word before a position, behind which are only spaces, marks of emphasis and stops of abbreviations.
    pub fn word_before(&self, at: usize) -> Word {
        let mut end = self.back_over_gap(at);
        if end > 0 && self.at(end - 1) == '.' {
            end -= 1;
        }
        let rest = self
            .signs
            .get(end.saturating_sub(WORD + 1)..end)
            .unwrap_or_default();
        let letters = rest
            .iter()
            .rev()
            .take_while(|(_, sign)| sign.is_alphabetic())
            .count();
        self.named(end - letters, end)
    }

    /// Goes back over one space and marks of emphasis.
    pub fn back_over_gap(&self, at: usize) -> usize {
        let marks = |at: usize| {
            let rest = self
                .signs
                .get(at.saturating_sub(EMPHASIS)..at)
                .unwrap_or_default();
            at - rest
                .iter()
                .rev()
                .take_while(|(_, sign)| is_emphasis(*sign))
                .count()
        };
        let own = marks(at);
        if own > 0 && matches!(self.at(own - 1), ' ' | '\u{a0}') {
            marks(own - 1)
        } else {
            own
        }
    }

    /// Goes over marks of emphasis.
    pub fn over_emphasis(&self, at: usize) -> usize {
        let rest = self.signs.get(at..).unwrap_or_default();
        at + rest
            .iter()
            .take(EMPHASIS)
            .take_while(|(_, sign)| is_emphasis(*sign))
            .count()
    }

    /// Goes over one space or no-break space, and "of".
    pub fn over_gap(&self, at: usize) -> usize {
        let next = if matches!(self.at(at), ' ' | '\u{a0}') {
            at + 1
        } else {
            at
        };
        let word = self.word(next);
        if next > at && word.lower() == "of" && self.at(word.end) == ' ' {
            word.end + 1
        } else {
            next
        }
    }

    /// The end of the number of a list item or heading at the start of a line.
    pub fn list_mark(&self, line: usize) -> Option<usize> {
        let start = self.run(line, |sign| matches!(sign, ' ' | '\t' | '>'));
        let hashes = self.run(start, |sign| sign == '#');
        let heading = hashes > start;
        let bullet = matches!(self.at(start), '-' | '*' | '+') && self.at(start + 1) == ' ';
        let text = match (heading, bullet) {
            (true, _) => self.run(hashes, |sign| sign == ' '),
            (false, true) => start + 2,
            (false, false) => start,
        };
        let text = self.over_emphasis(text);
        let number = if self.at(text) == '(' { text + 1 } else { text };
        // "3", "3." or, in a heading, "1.2.3".
        let mut end = self.run(number, |sign| sign.is_ascii_digit());
        let mut longest = end - number;
        while heading && self.at(end) == '.' && self.digit(end + 1) {
            let after = self.run(end + 1, |sign| sign.is_ascii_digit());
            longest = longest.max(after - end - 1);
            end = after;
        }
        let closed = matches!(self.at(end), '.' | ')');
        let most = 2;
        let after = self.over_emphasis(if closed { end + 1 } else { end });
        let dotted = end > number + longest;
        let short = (1..=most).contains(&longest) && (closed || dotted);
        (short && self.at(after).is_whitespace()).then_some(after)
    }

    /// The end of the address of a link.
    pub fn address_end(&self, at: usize) -> usize {
        let rest = self.signs.get(at..).unwrap_or_default();
        let ends = |sign: char| sign.is_whitespace() || matches!(sign, ')' | '>' | '|' | '"' | '`');
        at + rest
            .iter()
            .take(ADDRESS)
            .take_while(|(_, sign)| !ends(*sign))
            .count()
    }

    /// The end of a name: letters and digits, also behind stops and underscores.
    pub fn name_end(&self, at: usize) -> usize {
        let mut end = self.run(at, char::is_alphanumeric);
        while matches!(self.at(end), '.' | '_') && self.at(end + 1).is_alphanumeric() {
            end = self.run(end + 1, char::is_alphanumeric);
        }
        end
    }

    /// The end of a time of day: "10:30", "12 pm".
    pub fn time(&self, at: usize) -> Option<usize> {
        let hour = self.run(at, |sign| sign.is_ascii_digit());
        self.value(at..hour)
            .filter(|value| *value <= 24 && hour - at <= 2)?;
        let minute = |at: usize| {
            let own = self.at(at) == ':' && self.value(at + 1..at + 3).is_some_and(|value| value < 60);
            (own && !self.digit(at + 3)).then_some(at + 3)
        };
        if let Some(end) = minute(hour) {
            return Some(minute(end).unwrap_or(end));
        }
        let word = self.word(self.over_gap(hour));
        let dotted =
            matches!(word.lower(), "a" | "p") && self.at(word.end) == '.' && self.at(word.end + 1) == 'm';
        (matches!(word.lower(), "am" | "pm") || dotted).then_some(word.end)
    }

    /// The end of a power or of a multiple that is one: "⁶", "^6", " × 10^6", "e6".
    pub fn power(&self, at: usize) -> Option<usize> {
        let digits = |at: usize| {
            let start = if matches!(self.at(at), '+' | '-') {
                at + 1
            } else {
                at
            };
            let end = self.run(start, |sign| sign.is_ascii_digit());
            (end > start && !self.at(end).is_alphabetic()).then_some(end)
        };
        let raised = |at: usize| match self.at(at) {
            '^' => digits(at + 1),
            _ => Some(self.run(at, is_superscript)).filter(|end| *end > at),
        };
        if matches!(self.at(at), 'e' | 'E') {
            return digits(at + 1);
        }
        let times = self.over_gap(at);
        if matches!(self.at(times), '×' | 'x' | '*' | '·') {
            let ten = self.over_gap(times + 1);
            return raised(ten + 2).filter(|_| self.value(ten..ten + 2) == Some(10));
        }
        raised(at)
    }

    /// The end of " and a half".
    pub fn half(&self, at: usize) -> Option<usize> {
        let mut end = at;
        for wanted in ["and", "a", "half"] {
            let word = self.word(end + 1);
            if !matches!(self.at(end), ' ' | '-') || word.lower() != wanted {
                return None;
            }
            end = word.end;
        }
        Some(end)
    }

    /// A usual fraction of two numbers, such as "1/4", and its end.
    pub fn quotient(&self, at: usize) -> Option<(f64, usize)> {
        let slash = self.run(at, |sign| sign.is_ascii_digit());
        let end = self.run(slash + 1, |sign| sign.is_ascii_digit());
        let (over, under) = (self.value(at..slash)?, self.value(slash + 1..end)?);
        let usual =
            self.at(slash) == '/' && over > 0 && over < under && [2, 3, 4, 8, 16, 32].contains(&under);
        (usual && self.at(end) != '/').then(|| (f64::from(over) / f64::from(under), end))
    }
}

/// Whether a sign can be a mark of emphasis in Markdown.
pub fn is_emphasis(sign: char) -> bool {
    matches!(sign, '*' | '_')
}
