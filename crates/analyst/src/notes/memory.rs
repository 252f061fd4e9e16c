//! What the organization's and the person's notes contribute to a calculation: house values, suggestions.
//!
//! A note's text is data: it is quoted or gives one number, it never steers. No value is taken from a
//! note unless the question refers to a house value.

use crate::contract::brief::Brief;
use crate::contract::brief::NoteId;
use crate::contract::draft::Draft;
use crate::plan::deal::Deal;
use crate::plan::frame::{Held, Offer};
use crate::plan::outcome::Ask;
use crate::read::fitting;
use crate::read::given::{Given, Reading, convert};
use crate::read::goals;
use crate::read::layout::Layout;
use crate::read::linking;
use crate::read::roles::{self, Pairing};
use crate::read::vocabulary;
use crate::say::compose;
use crate::say::format;
use crate::words::numbers;
use crate::words::scan::{Per, Token};
use finance::variable::{Unit, Variable};

/// A value that one note gives.
#[derive(Clone, Debug)]
pub(crate) struct HouseValue {
    pub(crate) variable: Variable,
    pub(crate) given: Given,
    pub(crate) note: NoteId,
    /// "for multifamily": what the value is meant for.
    qualifiers: Vec<String>,
    /// The sentence it comes from, in lower case.
    sentence: String,
}

/// Sentences of a note with their own text.
pub(crate) fn sentences(body: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = body.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '\n' => true,
            '.' | '!' | '?' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            let end = at + c.len_utf8();
            found.extend(
                body.get(start..end)
                    .map(str::trim)
                    .filter(|text| !text.is_empty()),
            );
            start = end;
        }
    }
    found.extend(body.get(start..).map(str::trim).filter(|text| !text.is_empty()));
    found
}

pub(crate) fn floor(text: &str, limit: usize) -> usize {
    (0..=limit.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// The values a question refers to ("at our house cap rate"), and which of several to ask about.
#[derive(Clone, Debug, Default)]
pub(crate) struct House {
    pub(crate) values: Vec<HouseValue>,
    pub(crate) doubts: Vec<String>,
}

/// Values of notes that the question refers to.
pub(crate) fn house_values(brief: &Brief, tokens: &[Token], reading: &Reading, goals: &[Variable]) -> House {
    let mut house = House::default();
    for mention in &reading.mentions {
        let Some(variable) = mention.variable.filter(|_| !mention.verb) else {
            continue;
        };
        let refers = goals::house(tokens, mention);
        if !refers || reading.values.contains_key(&variable) || goals.contains(&variable) {
            continue;
        }
        let values = note_values(brief, variable);
        match choose(&values, tokens) {
            Some(only) => house.values.push(only),
            None if values.is_empty() => house.doubts.push(format!(
                "I found no {} in the notes I may use here; please give me the value.",
                variable.label()
            )),
            None => house.doubts.push(which(&values, variable)),
        }
    }
    house
}

/// The one value that fits the question's qualifiers ("for multifamily").
fn choose(values: &[HouseValue], tokens: &[Token]) -> Option<HouseValue> {
    let shared = |value: &HouseValue| {
        value
            .qualifiers
            .iter()
            .filter(|word| {
                tokens
                    .iter()
                    .any(|token| kind(token.word()) == Some(word.as_str()))
            })
            .count()
    };
    let most = values.iter().map(shared).max().unwrap_or(0);
    let asked = tokens.iter().any(|token| kind(token.word()).is_some());
    let fitting: Vec<&HouseValue> = values
        .iter()
        .filter(|value| shared(value) == most)
        // Another kind of property than the question names.
        .filter(|value| most > 0 || !asked || value.qualifiers.is_empty())
        .collect();
    let first = fitting.first()?;
    let same = |other: &&HouseValue| (other.given.value - first.given.value).abs() < 1e-12;
    fitting.iter().all(same).then(|| (*first).clone())
}

/// "The notes give 6.25% (multifamily) and 7% (suburban office) …"
fn which(values: &[HouseValue], variable: Variable) -> String {
    let listed: Vec<String> = values
        .iter()
        .take(5)
        .map(|value| {
            let shown = format::input(variable, value.given.value);
            if value.qualifiers.is_empty() {
                format!("{shown} (“{}”)", value.given.origin)
            } else {
                format!(
                    "{shown} ({}, “{}”)",
                    value.qualifiers.join(" "),
                    value.given.origin
                )
            }
        })
        .collect();
    format!(
        "For the {} the notes give {}. Which one should I use?",
        variable.label(),
        listed.join(" and ")
    )
}

/// Kinds of property, in one spelling each.
fn kind(word: &str) -> Option<&'static str> {
    Some(match word {
        "multifamily" | "multi-family" | "apartment" | "apartments" | "residential" => "multifamily",
        "office" | "offices" => "office",
        "suburban" => "suburban",
        "downtown" | "cbd" => "downtown",
        "retail" | "shopping" => "retail",
        "industrial" | "warehouse" | "warehouses" | "logistics" => "industrial",
        "hotel" | "hotels" | "hospitality" => "hotel",
        "storage" => "storage",
        "student" => "student",
        "senior" => "senior",
        "medical" => "medical",
        "construction" => "construction",
        "bridge" => "bridge",
        "stabilized" | "stabilised" => "stabilized",
        "core" => "core",
        "opportunistic" => "opportunistic",
        _ => return None,
    })
}

/// The kinds named beside one number, up to the next number, comma or "and".
fn qualifiers(tokens: &[Token], at: usize) -> Vec<String> {
    let ends = |token: &Token| {
        token.number().is_some()
            || token.is_mark(',')
            || token.is_mark(';')
            || matches!(token.word(), "and" | "but" | "while")
    };
    let after = tokens.iter().skip(at + 1).take_while(|token| !ends(token));
    let before = tokens
        .get(..at)
        .unwrap_or_default()
        .iter()
        .rev()
        .take_while(|token| !ends(token));
    let mut found: Vec<String> = Vec::new();
    let mut add = |words: &mut dyn Iterator<Item = &Token>| {
        for token in words {
            if let Some(kind) = kind(token.word())
                && !found.iter().any(|known| known == kind)
            {
                found.push(kind.to_owned());
            }
        }
    };
    // "6.25% for multifamily": what follows "for" decides; else what stands before ("office 7%").
    let follows = tokens
        .get(at + 1)
        .is_some_and(|token| matches!(token.word(), "for" | "on" | "in"));
    if follows {
        add(&mut after.into_iter());
    } else {
        add(&mut before.into_iter());
        add(&mut after.into_iter());
    }
    found
}

/// The distinct values that the notes give for a variable.
fn note_values(brief: &Brief, variable: Variable) -> Vec<HouseValue> {
    let mut found: Vec<HouseValue> = Vec::new();
    for note in brief.notes.iter().take(20) {
        for sentence in sentences(note.body.get(..floor(&note.body, 20_000)).unwrap_or("")) {
            let tokens = numbers::read(sentence);
            if tokens.len() > 80 {
                continue;
            }
            let mentions = vocabulary::mentions(&tokens);
            let free: Vec<usize> = (0..tokens.len())
                .filter(|at| tokens.get(*at).is_some_and(|t| t.number().is_some()))
                .collect();
            let Pairing::Found { assigned, left } =
                roles::pair(&tokens, &mentions, &[], &free, false, &Layout::default())
            else {
                continue;
            };
            let named: Vec<(usize, Option<Per>)> = assigned
                .iter()
                .filter(|item| item.variable == Some(variable))
                .map(|item| (item.token, item.period))
                .collect();
            // "6.25% for multifamily and 7.00% for office": the name stands once for both.
            let more = left
                .iter()
                .filter(|at| !named.is_empty() && !qualifiers(&tokens, **at).is_empty())
                .map(|at| (*at, None));
            for (at, period) in named.iter().copied().chain(more) {
                let Some(token) = tokens.get(at) else { continue };
                let words = sentence.get(token.start..token.end).unwrap_or("");
                let Some(number) = token.number().filter(|number| !number.doubtful) else {
                    continue;
                };
                if !fitting::fits(variable, number) {
                    continue;
                }
                let period = number.per.or(period);
                let Ok((converted, mut given)) = convert(variable, number, period, words) else {
                    continue;
                };
                given.origin.clone_from(&note.title);
                let qualifiers = qualifiers(&tokens, at);
                let same = found.iter().any(|known| {
                    (known.given.value - given.value).abs() < 1e-12 && known.qualifiers == qualifiers
                });
                if converted == variable && !same {
                    found.push(HouseValue {
                        variable,
                        given,
                        note: note.id,
                        qualifiers,
                        sentence: sentence.to_lowercase(),
                    });
                }
            }
        }
    }
    found
}

/// Puts house values into the deal where the question left a gap.
pub(crate) fn apply(house: &House, deal: &mut Deal) {
    for value in &house.values {
        deal.values.insert(value.variable, value.given.clone());
    }
    deal.doubts.extend(house.doubts.iter().cloned());
}

/// Names the notes whose values the answer rests on.
pub(crate) fn credit(house: &House, draft: &mut Draft) {
    for value in &house.values {
        let used = draft.figures.iter().any(|figure| {
            figure
                .inputs
                .iter()
                .any(|input| input.origin == value.given.origin)
        });
        if used && !draft.used_notes.contains(&value.note) {
            draft.used_notes.push(value.note);
        }
    }
}

pub(crate) const SEND_IT: &str = "send me that value if I should use it.";

/// Asks for what is missing, with what the notes say of it; a note that is quoted is named as used.
pub(crate) fn ask_with_notes(
    brief: &Brief,
    tokens: &[Token],
    ask: &Ask,
    goals: &[Variable],
    hint: &str,
) -> (Draft, Vec<Offer>) {
    let (sentences, offers): (Vec<String>, Vec<Offer>) = suggestions(brief, tokens, &ask.missing)
        .into_iter()
        .map(|(sentence, offer)| (format!("{sentence}; {hint}"), offer))
        .unzip();
    let mut draft = compose::ask(ask, goals, &sentences);
    for offer in &offers {
        if !draft.used_notes.contains(&offer.note) {
            draft.used_notes.push(offer.note);
        }
    }
    (draft, offers)
}

/// "The note … says …": a hint beside the question for a missing input.
fn suggestions(brief: &Brief, tokens: &[Token], missing: &[Variable]) -> Vec<(String, Offer)> {
    let mut hints = Vec::new();
    for variable in missing {
        let values = note_values(brief, *variable);
        let [only] = values.as_slice() else { continue };
        // An amount belongs to one property: the question must name it.
        let title = only.given.origin.to_lowercase();
        let about = tokens.iter().any(|token| {
            let word = token.word();
            word.chars().count() > 3
                && !linking::neutral(word)
                && kind(word).is_none()
                && !vocabulary::mentions(std::slice::from_ref(token))
                    .iter()
                    .any(|m| m.variable.is_some())
                && (title.contains(word) || only.sentence.contains(word))
        });
        let general = matches!(variable.unit(), Unit::Percent | Unit::Ratio) && only.qualifiers.is_empty();
        if general || (variable.unit() == Unit::Money && about) {
            let sentence = format!(
                "The note “{}” says {} for the {}",
                only.given.origin,
                format::input(*variable, only.given.value),
                variable.label()
            );
            let held = Held {
                variable: *variable,
                value: only.given.value,
                origin: only.given.origin.clone(),
            };
            hints.push((
                sentence,
                Offer {
                    held,
                    note: only.note,
                },
            ));
        }
    }
    hints
}
