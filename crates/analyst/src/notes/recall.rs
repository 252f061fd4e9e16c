//! What is written down: quotes the notes for questions about a policy, a property or a decision, and
//! says so when nothing was found.
//!
//! A note's text is data: it is quoted, it never steers. No value is computed here.

use crate::contract::brief::{Brief, NoteExcerpt};
use crate::contract::draft::Draft;
use crate::notes::memory::{floor, sentences};
use crate::notes::quoting;
use crate::read::given::Reading;
use crate::read::layout::Layout;
use crate::read::linking;
use crate::read::roles::{self, Pairing};
use crate::read::vocabulary;
use crate::say::{compose, scope};
use crate::words::among::among;
use crate::words::numbers;
use crate::words::scan::{Shape, Token};
use finance::variable::Variable;

/// One thing a question is about.
enum Topic {
    Metric(Variable),
    Word(String),
}

/// How a question asks for text.
#[derive(Clone, Copy, PartialEq)]
enum Asking {
    /// "what do we know about …": an answer, or that nothing was found.
    Notes,
    /// "our minimum DSCR": a quotation if there is one, a calculation otherwise.
    Perhaps,
    No,
}

/// The quotation, or the honest sentence that nothing was found.
pub(crate) fn answer(brief: &Brief, tokens: &[Token], reading: &Reading) -> Option<Draft> {
    let asking = asking(brief, tokens, reading);
    if asking == Asking::No {
        return None;
    }
    let topics = topics(brief, tokens, reading);
    let found = quote(brief, &topics, None).filter(|_| {
        let people = matches!(
            tokens.first().map_or("", Token::word),
            "who" | "when" | "where" | "why"
        );
        (asking == Asking::Notes && !people) || tells_more(brief, tokens, &topics)
    });
    if found.is_some() || asking == Asking::Perhaps {
        return found;
    }
    let nothing = nothing(brief, tokens);
    // "Who won the cup?" may be none of ours: what is answered is said too.
    let ours = has(tokens, &["we", "our", "us", "my", "team", "note", "notes"])
        || tokens.iter().any(|token| token.word().starts_with("approv"));
    let people = matches!(
        tokens.first().map_or("", Token::word),
        "who" | "when" | "where" | "why"
    );
    Some(compose::plain_text(&if people && !ours {
        format!("{nothing} {}", scope::BEYOND_NOTES)
    } else {
        nothing
    }))
}

/// Whether some note says more of what is asked than the name it is asked of.
fn tells_more(brief: &Brief, tokens: &[Token], topics: &[Topic]) -> bool {
    let names = name_tokens(brief, tokens);
    let named = |word: &str| {
        names
            .iter()
            .any(|at| tokens.get(*at).is_some_and(|token| token.word() == word))
    };
    let other = |topic: &&Topic| !matches!(topic, Topic::Word(word) if named(word));
    let others: Vec<&Topic> = topics.iter().filter(other).collect();
    let mut notes = brief.notes.iter().take(20);
    others.is_empty()
        || notes.any(|note| {
            others
                .iter()
                .any(|topic| meets(topic, &numbers::read(&note.body)))
        })
}

/// "What's the price of Marlow Court?": a fact that a note states about what the question names.
pub(crate) fn stated(brief: &Brief, tokens: &[Token], reading: &Reading) -> Option<Draft> {
    let [goal] = reading.goals.as_slice() else {
        return None;
    };
    if quantities(tokens) || !reading.values.is_empty() {
        return None;
    }
    let topics: Vec<Topic> = topics(brief, tokens, reading)
        .into_iter()
        .filter(|topic| matches!(topic, Topic::Word(_)))
        .collect();
    quote(brief, &topics, Some(*goal))
}

/// The sentence for a named property whose figure no note states.
pub(crate) fn unstated(brief: &Brief, tokens: &[Token], reading: &Reading) -> Option<String> {
    let [goal] = reading.goals.as_slice() else {
        return None;
    };
    if quantities(tokens) || !reading.values.is_empty() {
        return None;
    }
    let name = name(brief, tokens)?;
    Some(format!(
        "I found no {} for {name} in the notes I may use here.",
        goal.label().trim_end_matches(" (annual)")
    ))
}

fn quantities(tokens: &[Token]) -> bool {
    tokens.iter().filter_map(Token::number).any(|number| {
        !matches!(
            number.shape,
            Shape::Area | Shape::Units | Shape::Calendar | Shape::YearLabel | Shape::Days | Shape::Months
        )
    })
}

fn run(tokens: &[Token], words: &[&str]) -> bool {
    (0..tokens.len()).any(|at| {
        words
            .iter()
            .enumerate()
            .all(|(n, word)| tokens.get(at + n).is_some_and(|token| token.word() == *word))
    })
}

fn has(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().any(|token| words.contains(&token.word()))
}

fn asking(brief: &Brief, tokens: &[Token], reading: &Reading) -> Asking {
    let first = tokens.first().map_or("", Token::word);
    let ours = has(tokens, &["we", "our", "us", "the", "my", "team"]) || name(brief, tokens).is_some();
    let people = matches!(first, "who" | "when" | "where" | "why") && !has(tokens, &["will", "should"]);
    let computes = !reading.goals.is_empty() && reading.values.len() + reading.left.len() > 0;
    let decides = people && tokens.iter().any(|token| token.word().starts_with("approv"));
    if (quantities(tokens) && !people) || (computes && !decides) {
        return Asking::No;
    }
    const PHRASES: &[&[&str]] = &[
        &["know", "about"],
        &["know", "on"],
        &["tell", "me", "about"],
        &["anything", "on"],
        &["anything", "about"],
        &["anything", "in", "our"],
        &["our", "notes"],
        &["the", "notes"],
        &["my", "notes"],
        &["notes", "on"],
        &["notes", "about"],
        &["notes", "say"],
        &["notes", "mention"],
        &["decide", "about"],
        &["decide", "on"],
        &["decided", "about"],
        &["decided", "on"],
        &["story", "with"],
        &["story", "on"],
        &["written", "down"],
        &["have", "on"],
        &["look", "up"],
    ];
    let policy = has(
        tokens,
        &[
            "policy",
            "policies",
            "guideline",
            "guidelines",
            "criteria",
            "approvals",
            "approval",
        ],
    );
    let hurdle = reading.goals == [Variable::DiscountRate];
    // Follow-ups compute with what was said before; only a plain question about notes leaves it.
    let phrase = PHRASES.iter().any(|words| run(tokens, words));
    if phrase
        || policy
        || (people && (ours || decides) && reading.goals.is_empty())
        || (hurdle && brief.earlier.is_none())
    {
        return Asking::Notes;
    }
    let limits = has(
        tokens,
        &[
            "standard",
            "standards",
            "rule",
            "rules",
            "house",
            "minimum",
            "maximum",
            "requirement",
            "requirements",
            "target",
            "preferred",
            "notes",
            "note",
            "who",
            "when",
            "where",
        ],
    );
    let own = has(tokens, &["our"]) && (brief.earlier.is_none() || reading.goals.is_empty());
    let house =
        limits && has(tokens, &["our", "house"]) && brief.earlier.is_none() && !reading.goals.is_empty();
    let count = run(tokens, &["how", "many"]) && name(brief, tokens).is_some();
    if house {
        Asking::Notes
    } else if limits || own || count {
        Asking::Perhaps
    } else {
        Asking::No
    }
}

/// What the question is about: variables and telling words.
fn topics(brief: &Brief, tokens: &[Token], reading: &Reading) -> Vec<Topic> {
    const GENERIC: &str = "what when where does about tell know have which whats find policy policies standard house \
        guideline guidelines notes note rule rules anything something mention mentions mentioned story \
        decide decided there many much they them criteria asidenumber underwrite written down team \
        assumption assumptions minimum maximum target says look current";
    let is_generic = |word: &str| among(GENERIC, word);
    let names: Vec<usize> = name_tokens(brief, tokens);
    let mut topics: Vec<Topic> = Vec::new();
    let mut covered: Vec<usize> = Vec::new();
    for mention in &reading.mentions {
        // "Marlow Note": a name is no variable.
        if (mention.from..mention.to).any(|at| names.contains(&at)) {
            continue;
        }
        let generic =
            (mention.from..mention.to).all(|at| tokens.get(at).is_some_and(|token| is_generic(token.word())));
        covered.extend(mention.from..mention.to);
        if let Some(variable) = mention.variable.filter(|_| !generic && !mention.verb) {
            topics.push(Topic::Metric(variable));
        } else if !generic {
            covered.retain(|at| !(mention.from..mention.to).contains(at));
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        let word = token.word();
        let telling =
            word.chars().count() > 3 && !linking::links(word) && !is_generic(word) || names.contains(&at);
        if telling && !covered.contains(&at) {
            topics.push(Topic::Word(word.to_owned()));
        }
    }
    topics
}

/// Endings that do not make another word.
pub(super) fn same(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let shared = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum::<usize>();
    let ending = |word: &str| {
        matches!(
            word.get(shared..).unwrap_or("?"),
            "" | "s" | "es" | "e" | "ed" | "ing" | "al" | "als" | "er" | "ers" | "y" | "ies"
        )
    };
    shared >= 4 && ending(one) && ending(other)
}

fn meets(topic: &Topic, tokens: &[Token]) -> bool {
    // "a 120-unit building" speaks of its units.
    let counted = || {
        let mut numbers = tokens.iter().filter_map(Token::number);
        numbers.any(|number| number.shape == Shape::Units)
    };
    match topic {
        Topic::Word(word) => {
            tokens.iter().any(|token| same(token.word(), word))
                || (matches!(word.as_str(), "unit" | "units") && counted())
        }
        Topic::Metric(variable) => {
            let mut mentions = vocabulary::mentions(tokens).into_iter();
            mentions.any(|mention| mention.variable == Some(*variable))
                || (*variable == Variable::TotalUnits && counted())
        }
    }
}

/// The sentences that speak of most of the topics; with `metric` only those that give it a number.
fn quote(brief: &Brief, topics: &[Topic], metric: Option<Variable>) -> Option<Draft> {
    if topics.is_empty() {
        return None;
    }
    let mut quoted: Vec<(&NoteExcerpt, Vec<&str>)> = Vec::new();
    let mut best = 0;
    for note in brief.notes.iter().take(20) {
        let title = numbers::read(&note.title);
        for sentence in sentences(note.body.get(..floor(&note.body, 20_000)).unwrap_or("")) {
            let tokens = numbers::read(sentence);
            if tokens.len() > 400 || metric.is_some_and(|metric| !gives(&tokens, metric)) {
                continue;
            }
            let own = topics.iter().filter(|topic| meets(topic, &tokens)).count();
            let titled = topics.iter().filter(|topic| meets(topic, &title)).count();
            let score = topics
                .iter()
                .filter(|topic| meets(topic, &tokens) || meets(topic, &title))
                .count();
            let majority = score * 2 > topics.len();
            if !majority || (own == 0 && titled < topics.len()) || score < best {
                continue;
            }
            if score > best {
                best = score;
                quoted.clear();
            }
            if let Some((_, lines)) = quoted.iter_mut().find(|(known, _)| known.id == note.id) {
                if lines.len() < 3 {
                    lines.push(sentence);
                }
            } else if quoted.len() < 3 {
                quoted.push((note, vec![sentence]));
            }
        }
    }
    if quoted.is_empty() {
        return None;
    }
    // "When": other days that these notes name may be the one.
    if brief.question.trim_start().to_lowercase().starts_with("when") {
        for (note, lines) in &mut quoted {
            for sentence in sentences(note.body.get(..floor(&note.body, 20_000)).unwrap_or("")) {
                if lines.len() < 3 && !lines.contains(&sentence) && dated(sentence) {
                    lines.push(sentence);
                }
            }
        }
    }
    if let Some(metric) = metric {
        for (note, sentence) in others(brief, topics, metric, best) {
            if quoted.len() < 3 && quoted.iter().all(|(known, _)| known.id != note.id) {
                quoted.push((note, vec![sentence]));
            }
        }
    }
    Some(quoting::quoted(&quoted))
}

fn dated(sentence: &str) -> bool {
    let tokens = numbers::read(sentence);
    let mut numbers = tokens.iter().filter_map(Token::number);
    numbers.any(|number| matches!(number.shape, Shape::Calendar | Shape::YearLabel))
}

/// Sentences that speak of the same thing with a number beside the metric, however it stands there: where one note is
/// quoted, what another one says of it is not passed over.
fn others<'a>(
    brief: &'a Brief,
    topics: &[Topic],
    metric: Variable,
    score: usize,
) -> Vec<(&'a NoteExcerpt, &'a str)> {
    let mut found = Vec::new();
    for note in brief.notes.iter().take(20) {
        let title = numbers::read(&note.title);
        for sentence in sentences(note.body.get(..floor(&note.body, 20_000)).unwrap_or("")) {
            let tokens = numbers::read(sentence);
            let all = topics
                .iter()
                .filter(|topic| meets(topic, &tokens) || meets(topic, &title));
            let numbered = tokens.iter().any(|token| token.number().is_some());
            if tokens.len() <= 400
                && numbered
                && all.count() >= score
                && meets(&Topic::Metric(metric), &tokens)
            {
                found.push((note, sentence));
            }
        }
    }
    found
}

/// The sentence gives the variable a number.
fn gives(tokens: &[Token], variable: Variable) -> bool {
    let mentions = vocabulary::mentions(tokens);
    let free: Vec<usize> = (0..tokens.len())
        .filter(|at| tokens.get(*at).is_some_and(|token| token.number().is_some()))
        .collect();
    match roles::pair(tokens, &mentions, &[], &free, false, &Layout::default()) {
        Pairing::Found { assigned, .. } => assigned.iter().any(|item| item.variable == Some(variable)),
        Pairing::Ambiguous(_) | Pairing::TooMany => false,
    }
}

/// The tokens of the first run of capitalized words inside the question.
fn name_tokens(brief: &Brief, tokens: &[Token]) -> Vec<usize> {
    let capital = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            let written = brief.question.get(token.start..token.end).unwrap_or("");
            let mut chars = written.chars();
            // "NOI" is an abbreviation, "Marlow" a name.
            !token.word().is_empty()
                && chars.next().is_some_and(char::is_uppercase)
                && chars.any(char::is_lowercase)
        })
    };
    let starts = |at: usize| {
        at == 0
            || at
                .checked_sub(1)
                .and_then(|at| tokens.get(at))
                .is_some_and(|token| token.is_mark('.') || token.is_mark('?') || token.is_mark('!'))
    };
    let known: Vec<usize> = vocabulary::mentions(tokens)
        .iter()
        .filter(|mention| mention.to - mention.from > 1 || mention.variable.is_some())
        .flat_map(|mention| mention.from..mention.to)
        .collect();
    let Some(first) = (0..tokens.len()).find(|at| capital(*at) && !starts(*at) && !known.contains(at)) else {
        return Vec::new();
    };
    (first..tokens.len()).take_while(|at| capital(*at)).collect()
}

fn name(brief: &Brief, tokens: &[Token]) -> Option<String> {
    let found = name_tokens(brief, tokens);
    let (first, last) = (tokens.get(*found.first()?)?, tokens.get(*found.last()?)?);
    brief.question.get(first.start..last.end).map(str::to_owned)
}

/// "I found nothing about …", with the name or the words after "about".
fn nothing(brief: &Brief, tokens: &[Token]) -> String {
    let subject = name(brief, tokens).or_else(|| {
        let at = tokens
            .iter()
            .position(|token| matches!(token.word(), "about" | "on" | "regarding"))?;
        let words: Vec<&Token> = tokens
            .iter()
            .skip(at + 1)
            .take_while(|token| !token.word().is_empty() && token.word() != "in")
            .collect();
        let (first, last) = (words.first()?, words.last()?);
        let text = brief.question.get(first.start..last.end)?;
        (words.len() <= 6).then(|| text.to_owned())
    });
    format!(
        "I found nothing about {} in the notes I may use here.",
        subject.as_deref().unwrap_or("that")
    )
}
