//! Whether an answer about a generated table is right, asks back, or is wrong.

use analyst::contract::draft::Draft;
use chrono::{Datelike, NaiveDate};

use super::tables::{Period, Question, Scale};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Right,
    Asked,
    Wrong,
}

/// Wrong is a figure that is not the true one; an answer without a figure is not. A true value counts only with the
/// period of the table, and where a month is missing, only if the answer says so.
pub fn verdict(question: &Question, period: Option<&Period>, draft: &Draft) -> Verdict {
    let sentence = first_sentence(&draft.quick_reply);
    if draft.figures.is_empty() && numbers(sentence).is_empty() {
        let asks = !draft.success || draft.quick_reply.contains('?');
        return if question.open && asks {
            Verdict::Right
        } else {
            Verdict::Asked
        };
    }
    let first = draft.figures.first().and_then(|figure| figure.value.as_f64());
    let mut values = vec![(question.value, question.scale)];
    values.extend(question.instead);
    let told = values.into_iter().any(|(value, scale)| {
        let said = numbers(sentence);
        first.is_some_and(|figure| near(figure, value, scale))
            || said.into_iter().any(|number| near(number, value, scale))
    });
    if told && period.is_none_or(|period| dated(sentence, period)) && tells(question, draft) {
        Verdict::Right
    } else {
        Verdict::Wrong
    }
}

fn near(figure: f64, value: f64, scale: Scale) -> bool {
    let within = match scale {
        Scale::Amount => 0.006,
        Scale::Count => 1e-9,
        Scale::Share => 6e-5,
    };
    (figure - value).abs() <= within
}

fn tells(question: &Question, draft: &Draft) -> bool {
    let text = format!("{} {}", draft.quick_reply, draft.warnings.join(" "));
    question.says.is_empty() || question.says.iter().any(|word| text.contains(word))
}

/// Up to a full stop that ends a word and not a number.
fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..end])
}

/// Amounts and shares as answers write them: `$1,234.50`, `-$20`, `85.71%`. Bare numbers may be years or counts of
/// something else.
fn numbers(sentence: &str) -> Vec<f64> {
    let mut found = Vec::new();
    for word in sentence.split_whitespace() {
        let word = word
            .trim_end_matches([',', ':', ';', ')'])
            .trim_start_matches(['(', '~']);
        let unsigned = word.trim_start_matches(['-', '−']);
        let (sign, word) = (if unsigned == word { 1.0 } else { -1.0 }, unsigned);
        let (digits, scale) = match (word.strip_prefix('$'), word.strip_suffix('%')) {
            (Some(amount), _) => (amount, 1.0),
            (None, Some(share)) => (share, 100.0),
            (None, None) if word.contains(',') => (word, 1.0),
            (None, None) => continue,
        };
        if let Ok(number) = digits.replace(',', "").parse::<f64>() {
            found.push(sign * number / scale);
        }
    }
    found
}

/// The months that the sentence names are the first and the last of the period, and it counts no others.
fn dated(sentence: &str, period: &Period) -> bool {
    let count = period.months.len();
    let twelve = ["twelve months", "12 months", "trailing twelve", "T-12"];
    if count != 12 && twelve.iter().any(|words| sentence.contains(words)) {
        return false;
    }
    // Months that are missing come behind the period.
    let named = months(sentence.split(" without ").next().unwrap_or(sentence));
    let (first, last) = (period.months[0], period.months[count - 1]);
    match named.as_slice() {
        [] => true,
        [one] => count == 1 && *one == first,
        [from, .., to] => *from == first && *to == last,
    }
}

/// Months with their years, such as "November 2025", "Nov 2025" or "2025-11".
fn months(sentence: &str) -> Vec<NaiveDate> {
    let words: Vec<&str> = sentence
        .split(|sign: char| !sign.is_alphanumeric() && sign != '-')
        .filter(|word| !word.is_empty())
        .collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if let Ok(date) = NaiveDate::parse_from_str(&format!("{word}-01"), "%Y-%m-%d") {
            found.push(date);
        } else if let Some(year) = words.get(at + 1).filter(|year| year.len() == 4) {
            let text = format!("1 {word} {year}");
            let date = NaiveDate::parse_from_str(&text, "%d %B %Y");
            found.extend(date.ok().filter(|date| date.year() > 1999));
        }
    }
    found
}
