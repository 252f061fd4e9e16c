//! The words of a question about a table: words, numbers and dates, each with whether it has been understood. What
//! narrows a question and was not understood keeps it from being answered.
//!
//! Knows no table.

use std::collections::VecDeque;

use chrono::NaiveDate;

use crate::words::among::among;
use tables::dates::{self, Dated, Order};
use tables::numbers::{self, Decimal, Number};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Plain,
    Number(Number),
    Date(Dated),
}

/// A word in lower case, without plural and possessive endings in `stem`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) stem: String,
    pub(crate) kind: Kind,
    /// Something was made of it.
    pub(crate) used: bool,
    /// A mark stands before it that ends a clause.
    pub(crate) begins: bool,
    /// Written like a name, within a sentence.
    pub(crate) named: bool,
    /// Rows are chosen by it.
    pub(crate) chooses: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    pub(crate) all: Vec<Word>,
}

/// A word without the ending of a plural.
pub(crate) fn stem(word: &str) -> String {
    let bare = word
        .strip_suffix("'s")
        .or(word.strip_suffix('\''))
        .unwrap_or(word);
    if bare.len() > 4 && bare.ends_with("ies") {
        return format!("{}y", bare.get(..bare.len() - 3).unwrap_or(bare));
    }
    if bare.len() > 4
        && ["xes", "ches", "shes"]
            .iter()
            .any(|ending| bare.ends_with(ending))
    {
        return bare.get(..bare.len() - 2).unwrap_or(bare).to_owned();
    }
    let plural = bare.len() > 3 && bare.ends_with('s') && !bare.ends_with("ss") && !bare.ends_with("us");
    if plural {
        bare.get(..bare.len() - 1).unwrap_or(bare).to_owned()
    } else {
        bare.to_owned()
    }
}

/// What a file is called.
const FILES: &str = "summary statement total totals spread figure figures p&l pnl column columns data report sheet series \
     breakdown financial financials number numbers table file export ledger budget account accounts tab roll schedule list stack \
     tape workbook t12 extract printout";

/// Takes out what only describes the file: "the monthly summary" asks for nothing by the month, "per the loan list" for
/// nothing of each loan, and "by unit count" says how units count.
fn describes(all: &mut Vec<Word>) {
    let mut rest = VecDeque::from(std::mem::take(all));
    while !rest.is_empty() {
        let text = |at: usize| rest.get(at).map_or("", |word| word.text.as_str());
        let begins = |at: usize| rest.get(at).is_none_or(|word| word.begins);
        let file = |at: usize| among(FILES, text(at)) || (text(at) == "p" && text(at + 1) == "l");
        let (one, two) = (file(1) && !begins(1), file(2) && !begins(1) && !begins(2));
        let paced = matches!(text(0), "monthly" | "quarterly");
        let operating = matches!(text(1), "operating" | "income" | "financial" | "cash" | "profit");
        if paced && (one || (two && operating)) {
            rest.pop_front();
            continue;
        }
        let each = matches!(text(1), "a" | "per" | "each" | "every") && text(2) == "month";
        if each && matches!(text(0), "column" | "row" | "line" | "columns" | "rows" | "lines") {
            rest.drain(1..3);
            continue;
        }
        let pointed = matches!(text(1), "the" | "this" | "that" | "attached" | "my" | "our");
        if text(0) == "per"
            && pointed
            && ((2..=4).any(|ahead| file(ahead) && (2..=ahead).all(|n| !begins(n))))
        {
            rest.pop_front();
            continue;
        }
        if text(0) == "by" && matches!(text(1), "unit" | "units") && matches!(text(2), "count" | "counts") {
            rest.remove(1);
            continue;
        }
        all.extend(rest.pop_front());
    }
}

/// "Incl." ends no sentence.
fn shortened(chunk: &str) -> bool {
    matches!(
        chunk.to_lowercase().as_str(),
        "incl." | "excl." | "approx." | "avg." | "sq." | "vs." | "est."
    )
}

impl Words {
    pub(crate) fn of(question: &str) -> Self {
        // "NPV@8%" is "NPV at 8%".
        let question = question.replace('@', " at ");
        let chunks: Vec<&str> = question.split_whitespace().collect();
        let mut all: Vec<Word> = Vec::new();
        let mut begins = true;
        let mut opens = true;
        let mut at = 0;
        while at < chunks.len() {
            if let Some((length, dated)) = date_at(&chunks, at) {
                all.push(word(String::new(), Kind::Date(dated), begins));
                let last = chunks.get(at + length - 1).copied().unwrap_or("");
                begins = last.ends_with([',', ';', '.', '?', '!', ':', ')']);
                opens = false;
                at += length;
                continue;
            }
            let chunk = chunks.get(at).copied().unwrap_or("");
            begins |= chunk.starts_with(['(', '"', '“', '–', '—']);
            let inner = chunk.trim_matches(|sign: char| {
                !(sign.is_alphanumeric() || matches!(sign, '$' | '%' | '-' | '.' | '€'))
            });
            let inner = inner
                .trim_end_matches(['.', '-'])
                .trim_start_matches(|sign: char| sign == '.' && !inner.starts_with(".5"));
            let capital = inner.starts_with(char::is_uppercase);
            // "17.9 million" is one number.
            let next = chunks.get(at + 1).map_or("", |next| {
                next.trim_end_matches([',', ';', '.', '?', '!', ':', ')'])
            });
            let scale = match next.to_lowercase().as_str() {
                "million" | "mil" | "mm" => "m",
                "thousand" => "k",
                _ => "",
            };
            let scaled = (!scale.is_empty() && inner.ends_with(|sign: char| sign.is_ascii_digit()))
                .then(|| numbers::number(&format!("{inner}{scale}"), Decimal::Point))
                .flatten();
            if let Some(number) = scaled {
                all.push(word(
                    format!("{inner}{scale}").to_lowercase(),
                    Kind::Number(number),
                    begins,
                ));
                let last = chunks.get(at + 1).copied().unwrap_or("");
                begins = last.ends_with([',', ';', '.', '?', '!', ':', ')']);
                opens = last.ends_with(['.', '?', '!', ':']);
                at += 2;
                continue;
            }
            if let Some(number) = numbers::number(inner, Decimal::Point) {
                all.push(word(inner.to_lowercase(), Kind::Number(number), begins));
            } else {
                for part in parts(inner) {
                    // "Per cent" is one word.
                    if part == "cent"
                        && let Some(last) = all.last_mut().filter(|last| last.text == "per")
                    {
                        "percent".clone_into(&mut last.text);
                        "percent".clone_into(&mut last.stem);
                        continue;
                    }
                    let kind = numbers::number(&part, Decimal::Point).map_or(Kind::Plain, Kind::Number);
                    all.push(Word {
                        named: capital && !opens,
                        ..word(part, kind, begins)
                    });
                    begins = false;
                }
            }
            begins = chunk.ends_with([',', ';', '.', '?', '!', ':', ')']) && !shortened(chunk);
            opens = chunk.ends_with(['.', '?', '!', ':']) && !shortened(chunk);
            at += 1;
        }
        describes(&mut all);
        Self { all }
    }

    fn plain(&self, at: usize) -> Option<&Word> {
        self.all.get(at)
    }

    /// Where a phrase begins from `from` on, in unused words or also in used ones.
    fn find(&self, phrase: &str, from: usize, free: bool) -> Option<(usize, usize)> {
        let parts: Vec<String> = phrase.split(' ').map(stem).collect();
        (from..self.all.len()).find_map(|start| {
            let fits = parts.iter().enumerate().all(|(n, part)| {
                self.plain(start + n)
                    .is_some_and(|word| word.stem == *part && !(free && word.used))
            });
            fits.then_some((start, parts.len()))
        })
    }

    /// Whether the question has one of these phrases, understood or not.
    pub(crate) fn says(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.find(phrase, 0, false).is_some())
    }

    /// Whether the words that are not yet understood have one of these phrases.
    pub(crate) fn has(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.find(phrase, 0, true).is_some())
    }

    /// Takes words as understood that choose rows.
    pub(crate) fn choose(&mut self, start: usize, length: usize) {
        self.mark(start, length);
        for word in self.all.iter_mut().skip(start).take(length) {
            word.chooses = true;
        }
    }

    /// Where one of these phrases begins, understood or not.
    pub(crate) fn position(&self, phrases: &[&str]) -> Option<usize> {
        phrases
            .iter()
            .filter_map(|phrase| self.find(phrase, 0, false))
            .map(|(at, _)| at)
            .min()
    }

    /// Takes every occurrence of these phrases as understood; true if there was one.
    pub(crate) fn take(&mut self, phrases: &[&str]) -> bool {
        let mut any = false;
        for phrase in phrases {
            let mut from = 0;
            while let Some((start, length)) = self.find(phrase, from, true) {
                self.mark(start, length);
                from = start + length;
                any = true;
            }
        }
        any
    }

    pub(crate) fn mark(&mut self, start: usize, length: usize) {
        for word in self.all.iter_mut().skip(start).take(length) {
            word.used = true;
        }
    }

    /// Unused numbers with their places.
    pub(crate) fn numbers(&self) -> Vec<(usize, Number)> {
        let number = |(at, word): (usize, &Word)| match word.kind {
            Kind::Number(number) if !word.used => Some((at, number)),
            _ => None,
        };
        self.all.iter().enumerate().filter_map(number).collect()
    }

    /// Unused dates with their places.
    pub(crate) fn dates(&self) -> Vec<(usize, Dated)> {
        let date = |(at, word): (usize, &Word)| match word.kind {
            Kind::Date(dated) if !word.used => Some((at, dated)),
            _ => None,
        };
        self.all.iter().enumerate().filter_map(date).collect()
    }

    /// The stem at a place; empty outside.
    pub(crate) fn stem_at(&self, at: usize) -> &str {
        self.all.get(at).map_or("", |word| word.stem.as_str())
    }

    /// Stems of all plain words, for naming columns.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.all.iter().map(|word| word.text.clone()).collect()
    }

    /// Words that narrow the question and were not understood.
    pub(crate) fn not_understood(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (at, word) in self.all.iter().enumerate() {
            if word.used {
                continue;
            }
            match &word.kind {
                Kind::Number(_) => found.push(word.text.clone()),
                Kind::Date(dated) => found.push(dated.date.to_string()),
                Kind::Plain if self.narrows(at) => found.push(word.text.clone()),
                Kind::Plain => {}
            }
        }
        found
    }

    /// Whether an unknown word restricts what is asked: it follows "of", "in", "without", or describes a noun of the
    /// table.
    fn narrows(&self, at: usize) -> bool {
        let Some(word) = self.all.get(at) else {
            return false;
        };
        if among(FILLERS, &word.stem) || among(RESTRICTS, &word.stem) || word.text.len() < 2 {
            // "not", "without" and their like always matter.
            return among(NEGATES, &word.stem);
        }
        // "Anchor's share" is of somebody.
        if word.text.ends_with("'s") {
            return true;
        }
        let described = self
            .all
            .get(at + 1)
            .is_some_and(|next| !next.begins && among(NOUNS, &next.stem));
        if described {
            return true;
        }
        let mut back = at;
        for _ in 0..4 {
            if self.all.get(back).is_none_or(|word| word.begins) || back == 0 {
                return false;
            }
            back -= 1;
            let before = self.stem_at(back);
            if among(RESTRICTS, before) {
                return true;
            }
            let passes = [
                "the", "a", "an", "our", "my", "their", "all", "this", "that", "these", "those",
            ]
            .contains(&before)
                || self
                    .all
                    .get(back)
                    .is_some_and(|word| !word.used && !among(FILLERS, &word.stem));
            if !passes {
                return false;
            }
        }
        false
    }
}

fn word(text: String, kind: Kind, begins: bool) -> Word {
    Word {
        stem: stem(&text),
        text,
        kind,
        used: false,
        begins,
        named: false,
        chooses: false,
    }
}

/// The date that begins with a chunk, of up to four.
fn date_at(chunks: &[&str], at: usize) -> Option<(usize, Dated)> {
    let first = chunks.get(at)?.trim_start_matches(['(', '"', '“']);
    let month = first.get(..3).is_some_and(|start| {
        [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        .contains(&start.to_lowercase().as_str())
    });
    if !month && !first.starts_with(|sign: char| sign.is_ascii_digit()) {
        return None;
    }
    (1..=4).rev().find_map(|length| {
        let window = chunks.get(at..at + length)?;
        let joined = window.join(" ");
        let text = joined
            .trim_start_matches(['(', '"', '“'])
            .trim_end_matches([',', ';', '.', '?', '!', ':', ')', '"', '”']);
        let text = text.strip_suffix("'s").unwrap_or(text);
        // "of" in "the 1st of May 2026" says nothing.
        let text = text.replace(" of ", " ");
        // Eight digits in a question are an amount.
        if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        dates::date(&text, Order::MonthFirst).map(|dated| (length, dated))
    })
}

/// Words in a chunk: "rent-weighted" is two, "T-12" one.
fn parts(chunk: &str) -> Vec<String> {
    let lower = chunk.to_lowercase().replace('’', "'");
    // "As a % of rent".
    if lower == "%" {
        return vec!["percent".to_owned()];
    }
    if matches!(lower.as_str(), "t-12" | "t12" | "ttm" | "t-3" | "t3") {
        return vec![lower.replace('-', "")];
    }
    // "$/sf" is a price for each square foot.
    if let Some(each) = lower.strip_prefix("$/").filter(|each| !each.is_empty()) {
        return std::iter::once("per".to_owned()).chain(parts(each)).collect();
    }
    lower
        .split(|sign: char| !(sign.is_alphanumeric() || sign == '\''))
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The first day of a year, and its last.
pub(crate) fn year(number: &Number) -> Option<(NaiveDate, NaiveDate)> {
    if number.places > 0 || number.money || number.percent || !(1990..2120).contains(&number.digits) {
        return None;
    }
    let year = i32::try_from(number.digits).ok()?;
    Some((
        NaiveDate::from_ymd_opt(year, 1, 1)?,
        NaiveDate::from_ymd_opt(year, 12, 31)?,
    ))
}

/// After these a word narrows what is asked.
const RESTRICTS: &str = "of in on at with without excluding exclude except only just where whose among within under \
     below above over before after between since until by per non not no other than besides minus \
     less plus including include assuming if when ignoring ignore omitting first second third top \
     for from during through adjusted versus vs net";

/// These turn a meaning round; unused they are never passed over.
const NEGATES: &str = "without excluding exclude except not non ignoring ignore omitting besides minus assuming unless \
     before after above below under between versus vs if";

/// What tables have rows of: an unknown word before one describes it.
const NOUNS: &str = "unit lease tenant rent expense income space flow suite apartment resident loan comp sale roll \
     building property occupancy noi year month quarter";

/// Words that change nothing.
const FILLERS: &str = "a an the is are was were be been do does did what whats what's which how who give me us my our \
     we i you your please pls plz can could would tell calculate compute find show get need want \
     know it its this that thi these those there here and or to as file attached attachment attach \
     csv spreadsheet sheet table data document export list upload uploaded enclosed doc number \
     figure value total overall all entire whole current currently now right today asset place deal \
     community complex center centre project portfolio site house have has had using use used based \
     see look like so hi hello hey thank just quick quickly exactly exact actual actually many much \
     kind sort same out up will should shall then also too again one result answer question help \
     check work pull run say let row column following shown pasted below above provided sent send \
     given any some each every their they per rate percent percentage share series sery account doe \
     come came amount im i'm ive i've about off being looking t12 ttm trailing twelve rent roll \
     lease unit statement tenant income schedule building property comp loan tape flow cash expense \
     year annual month monthly yearly of in on at with for from by into across within think believe \
     ask asked wondering wonder";
