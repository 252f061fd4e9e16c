//! The cells of a row. The texts of all rows of a grid lie behind one another in one place, so that a row takes a few
//! bytes and a copy of a table takes no texts. That place may be the text that was given.
//!
//! Independent of what the cells mean.

use std::fmt;
use std::sync::Arc;

/// The texts of many cells, one behind the other.
struct Texts {
    all: All,
    /// Where each text starts, and where the last one ends.
    bounds: Vec<u32>,
}

/// Where the texts of cells are.
enum All {
    Own(String),
    /// The text as it was given, with a delimiter or a line break behind each cell. Cells are trimmed when read.
    Given {
        text: Arc<str>,
        delimiter: u8,
    },
}

impl Default for Texts {
    fn default() -> Self {
        Self::with_capacity(0, 0)
    }
}

impl Texts {
    fn with_capacity(bytes: usize, cells: usize) -> Self {
        Self::of(All::Own(String::with_capacity(bytes)), cells)
    }

    fn of(all: All, cells: usize) -> Self {
        let mut bounds = Vec::with_capacity(cells + 1);
        bounds.push(0);
        Self { all, bounds }
    }

    fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Adds a text behind the others. None is added to a text that was given.
    fn push(&mut self, text: &str) {
        if let All::Own(all) = &mut self.all {
            all.push_str(text);
            self.bounds.push(narrow(all.len()));
        }
    }

    /// The text from one bound to the next.
    fn cell(&self, start: u32, end: u32) -> Option<&str> {
        let span = start as usize..end as usize;
        match &self.all {
            All::Own(all) => all.get(span),
            All::Given { text, delimiter } => {
                let behind = span.end.saturating_sub(1);
                let ended = text.as_bytes().get(behind) == Some(delimiter);
                let end = if ended { behind } else { span.end };
                Some(trimmed(text.get(span.start..end)?))
            }
        }
    }

    /// The texts from one place up to another.
    fn between(
        &self,
        from: u32,
        to: u32,
    ) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator + Clone {
        let bounds = self.bounds.get(from as usize..=to as usize).unwrap_or_default();
        let cells = bounds.array_windows();
        cells.map(|[start, end]| self.cell(*start, *end).unwrap_or_default())
    }

    fn get(&self, at: usize) -> Option<&str> {
        self.cell(*self.bounds.get(at)?, *self.bounds.get(at + 1)?)
    }
}

/// A cell without the white space around it, and without the marks that spreadsheets add.
pub(crate) fn trimmed(cell: &str) -> &str {
    let bare = |sign: Option<&u8>| sign.is_some_and(u8::is_ascii_graphic);
    if bare(cell.as_bytes().first()) && bare(cell.as_bytes().last()) {
        return cell;
    }
    cell.trim_matches(|sign: char| sign.is_whitespace() || sign == '\u{feff}')
}

/// Texts of 4 GiB are above all limits on files and rows.
pub(crate) fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The cells of a row, trimmed.
#[derive(Clone, Default)]
pub struct Cells {
    texts: Arc<Texts>,
    from: u32,
    to: u32,
}

impl Cells {
    #[must_use]
    pub fn len(&self) -> usize {
        (self.to - self.from) as usize
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[must_use]
    pub fn get(&self, at: usize) -> Option<&str> {
        let at = (self.from as usize).checked_add(at)?;
        if at >= self.to as usize {
            return None;
        }
        self.texts.get(at)
    }

    #[must_use]
    pub fn first(&self) -> Option<&str> {
        self.get(0)
    }

    /// Two cells by themselves; an empty text where there is none.
    pub(crate) fn two(&self, one: Option<usize>, other: Option<usize>) -> Two {
        let place = |at: Option<usize>| {
            let at = at.filter(|at| self.get(*at).is_some())?;
            Some(self.from + narrow(at))
        };
        Two {
            texts: Arc::clone(&self.texts),
            // Of no text.
            one: place(one).unwrap_or(u32::MAX),
            other: place(other).unwrap_or(u32::MAX),
        }
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator + Clone {
        self.texts.between(self.from, self.to)
    }

    /// Puts a text in place of a cell. A row that is too short gets empty cells before it.
    pub fn set(&mut self, at: usize, text: &str) {
        let width = self.len().max(at + 1);
        *self = (0..width)
            .map(|own| {
                if own == at {
                    text
                } else {
                    self.get(own).unwrap_or_default()
                }
            })
            .collect();
    }
}

impl<S: AsRef<str>> FromIterator<S> for Cells {
    fn from_iter<I: IntoIterator<Item = S>>(cells: I) -> Self {
        let mut texts = Texts::default();
        cells.into_iter().for_each(|cell| texts.push(cell.as_ref()));
        Self {
            from: 0,
            to: narrow(texts.len()),
            texts: Arc::new(texts),
        }
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Cells {}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The texts of two cells of a row, without a copy of them.
#[derive(Clone)]
pub(crate) struct Two {
    texts: Arc<Texts>,
    one: u32,
    other: u32,
}

impl Two {
    pub(crate) fn one(&self) -> &str {
        self.texts.get(self.one as usize).unwrap_or_default()
    }

    pub(crate) fn other(&self) -> &str {
        self.texts.get(self.other as usize).unwrap_or_default()
    }
}

impl PartialEq for Two {
    fn eq(&self, other: &Self) -> bool {
        self.one() == other.one() && self.other() == other.other()
    }
}

impl fmt::Debug for Two {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&(self.one(), self.other()), f)
    }
}

/// Collects the cells of many rows.
#[derive(Default)]
pub(crate) struct Rows {
    texts: Texts,
    /// From which cell up to which.
    rows: Vec<(u32, u32)>,
}

impl Rows {
    /// For texts of about so many bytes and cells.
    pub(crate) fn with_capacity(bytes: usize, cells: usize) -> Self {
        Self {
            texts: Texts::with_capacity(bytes, cells),
            rows: Vec::new(),
        }
    }

    /// For the cells of a text, about so many.
    pub(crate) fn within(text: Arc<str>, delimiter: u8, cells: usize) -> Self {
        Self {
            texts: Texts::of(All::Given { text, delimiter }, cells),
            rows: Vec::new(),
        }
    }

    /// Adds a row, unless all of its cells are empty. Whether it was added.
    pub(crate) fn push<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>) -> bool {
        let from = narrow(self.texts.len());
        let mut filled = false;
        for cell in cells {
            filled |= !cell.as_ref().is_empty();
            self.texts.push(cell.as_ref());
        }
        if !filled {
            self.texts.bounds.truncate(from as usize + 1);
        }
        self.add(from, filled)
    }

    /// Adds the next row of the text that was given: where it begins, and its cells with the white space around them.
    pub(crate) fn cut<'a>(&mut self, begin: usize, cells: impl IntoIterator<Item = &'a str>) -> bool {
        let All::Given { text, .. } = &self.texts.all else {
            return false;
        };
        let from = narrow(self.texts.len());
        let (mut filled, mut end) = (false, begin);
        for cell in cells {
            filled |= !trimmed(cell).is_empty();
            // Behind the last cell the text may end.
            end = (end + cell.len() + 1).min(text.len());
            self.texts.bounds.push(narrow(end));
        }
        self.add(from, filled)
    }

    fn add(&mut self, from: u32, filled: bool) -> bool {
        if filled {
            self.rows.push((from, narrow(self.texts.len())));
        }
        filled
    }

    pub(crate) fn done(self) -> impl Iterator<Item = Cells> {
        let texts = Arc::new(self.texts);
        self.rows.into_iter().map(move |(from, to)| Cells {
            texts: Arc::clone(&texts),
            from,
            to,
        })
    }
}
