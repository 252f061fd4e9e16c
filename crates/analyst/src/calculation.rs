//! Questions that are about no table and no property of the asker: calculations, meanings, house rules.
//!
//! The readers are asked one after the other; what none of them answers is read by the learned model, which also holds
//! their answers to account. Knows no database and no network.

use crate::by_example::reader::Read;
use crate::by_example::reading as examples;
use crate::contract::brief::Brief;
use crate::contract::draft::Draft;
use crate::flows::{reversion, series};
use crate::forms::answer as forms;
use crate::handed::pointing;
use crate::lists::answer as lists;
use crate::notes::{memory, offers, recall};
use crate::plan::continuing::{adds, follows, leans, other_figure};
use crate::plan::frame::Frame;
use crate::plan::outcome::Ask;
use crate::plan::{
    calculate, conditions, deal, manner, plainly, rates, settling, steps, stress, waived, withheld,
};
use crate::read::given::{Given, Reading};
use crate::read::{changes, goals, reading};
use crate::say::compose;
use crate::say::glossary;
use crate::say::recast;
use crate::say::scope;
use crate::sheets::answer::{self as sheets, Income};
use crate::targets;
use crate::words::scan::Token;
use crate::words::{asides, numbers};
use finance::variable::Variable;

/// A question of fewer bytes is read in a moment.
pub(crate) const SHORT: usize = 1000;

/// Longer questions are no questions of this kind; reading stays fast.
pub(crate) const MOST_TOKENS: usize = 1200;
/// Families that a question only belongs to while no file is there.
const OF_FILES: &[&str] = &["attached files"];

/// Families whose words also name flows: where the flows are all told, nothing else is meant.
const OF_FLOWS: &[&str] = &["cash flows that grow", "taxes", "irregular payments"];

const WATERFALLS: &str = "distribution waterfalls and preferred returns";
#[rustfmt::skip]
const AGREED: &[&str] = &[
    "pref", "preferred", "promote", "waterfall", "catchup", "clawback", "split", "hurdle", "carry", "tier", "tiers",
];

/// A figure is asked for with the numbers of a deal beside it: no rule of the house is the answer.
pub(crate) fn gives_numbers(tokens: &[Token], reading: &Reading) -> bool {
    let numbers = tokens.iter().filter(|token| token.number().is_some()).count();
    !reading.values.is_empty()
        && numbers >= 2
        && !reading.goals.is_empty()
        && !tokens.iter().any(|token| HOUSE.contains(&token.word()))
}

/// Words that ask what is written down.
#[rustfmt::skip]
const HOUSE: &[&str] = &[
    "house", "policy", "minimum", "maximum", "standard", "standards", "note", "notes", "guideline",
    "guidelines", "require", "required", "requirement", "target", "limit", "allowed", "usual", "criteria",
];

/// A calculation that needs the net operating income takes it from the one statement that is there.
fn from_statement(brief: &Brief, reading: &mut Reading) -> Option<Income> {
    let goals = !reading.goals.is_empty() && !reading.goals.contains(&Variable::Noi);
    if brief.files.is_empty() || !goals || reading.values.contains_key(&Variable::Noi) {
        return None;
    }
    let part = asides::of_a_year(&brief.question) || pointing::narrows(&brief.question, &[], false);
    let income = sheets::income(brief).filter(|_| !part)?;
    let given = Given {
        value: income.noi,
        origin: income.name.clone(),
        conversion: None,
        period: None,
    };
    reading.values.insert(Variable::Noi, given);
    Some(income)
}

/// How often a question may be told anew, each telling of the one before. A telling that leads back to where it came
/// from would otherwise never end.
#[derive(Clone, Copy)]
struct Tellings(u8);

impl Tellings {
    const MOST: Self = Self(5);

    fn next(self) -> Option<Self> {
        self.0.checked_sub(1).map(Self)
    }
}

/// The draft for a question that asks for no table, in the asker's own currency.
pub(crate) fn answer(brief: &Brief) -> Draft {
    recast::in_own_notation(brief, understood)
}

/// What the readers do not know, the examples may.
fn understood(brief: &Brief) -> Draft {
    let mut draft = calculated(brief, Tellings::MOST);
    if brief.question.len() >= SHORT || !brief.files.is_empty() {
        return draft;
    }
    // Readers restate parts of a question: what that may have lost is looked for in the question as it was put.
    if draft.success
        && let Some(question) = manner::lost(&numbers::read(&brief.question), &draft.figures)
    {
        draft = compose::ask(&Ask::because(question), &[], &[]);
    }
    if draft.success {
        return doubted(brief, &draft).unwrap_or(draft);
    }
    by_example(brief).unwrap_or(draft)
}

/// The question to ask where the learned model is certain of another result than the readers have. A check only: it
/// gives no figure.
fn doubted(brief: &Brief, draft: &Draft) -> Option<Draft> {
    draft.figures.first()?;
    // A change to an earlier question is read with that one, which the model does not see.
    if brief.earlier.is_some() {
        return None;
    }
    let read = examples::calculations(&brief.question).into_iter().next()?;
    if !examples::certain(&read) {
        return None;
    }
    let other = asked(brief, &read)?;
    (!agree(draft, &other)).then(|| compose::plain_text(&scope::two_readings(&read.question)))
}

/// Whether what the examples lead to is among the figures.
fn agree(draft: &Draft, other: &Draft) -> bool {
    let near = |one: &serde_json::Value, two: &serde_json::Value| match (one.as_f64(), two.as_f64()) {
        (Some(one), Some(two)) => (one - two).abs() <= 1e-6 * one.abs().max(two.abs()).max(1e-6),
        _ => one == two,
    };
    other
        .figures
        .first()
        .is_none_or(|first| draft.figures.iter().any(|own| near(&own.value, &first.value)))
}

/// The answer to the question that the examples take it for, if it is the figure that they ask for. Readings that lead
/// to one figure leave no doubt among them.
fn by_example(brief: &Brief) -> Option<Draft> {
    const LIKELY: f32 = 0.5;
    let tokens = numbers::read(&brief.question);
    if scope::greeting(&tokens).is_some() || scope::forecast(&tokens).is_some() {
        return None;
    }
    let mut readings = examples::calculations(&brief.question).into_iter();
    let mut read = readings
        .next()
        .filter(|read| read.sure >= LIKELY && examples::plausible(read))?;
    let draft = asked(brief, &read)?;
    if !examples::believed(&read) {
        let alike = readings.filter(|other| asked(brief, other).is_some_and(|other| agree(&draft, &other)));
        read.sure += alike.map(|other| other.sure).sum::<f32>();
    }
    let other = manner::missed(&tokens, &draft.figures).is_some();
    (examples::believed(&read) && !other).then_some(draft)
}

/// The answer to a reading, if it begins with the figure of its intent.
fn asked(brief: &Brief, read: &Read) -> Option<Draft> {
    let draft = as_told(brief, read.question.clone(), Tellings::MOST);
    // Flows may have several rates of return, all of which are told.
    let named = draft.figures.first().is_some_and(|figure| {
        figure.name == read.figure || (read.figure == "irr" && figure.name == "irr_roots")
    });
    (draft.success && named).then_some(draft)
}

/// What does not ask for a table, by the readers.
fn calculate_or_recall(brief: &Brief, left: Tellings) -> Draft {
    match left.next() {
        Some(left) => recast::in_own_notation(brief, |brief| calculated(brief, left)),
        None => compose::plain_text(scope::WHAT_TO_COMPUTE),
    }
}

/// Calculations, notes, meanings; a figure that words of the question would change is asked about instead.
fn calculated(brief: &Brief, left: Tellings) -> Draft {
    let tokens = numbers::read(&brief.question);
    if tokens.len() > MOST_TOKENS {
        return compose::plain_text(scope::TOO_LONG);
    }
    if let Some((question, why)) = plainly::told(&brief.question, &tokens) {
        let mut draft = told_anew(brief, question, left);
        if draft.success {
            draft.result.push_str(&format!("\n{why}\n"));
            return draft;
        }
    }
    withheld::judged(&tokens, worked_out(brief, &tokens, left))
}

/// The draft for another question in the place of the brief's.
fn told_anew(brief: &Brief, question: String, left: Tellings) -> Draft {
    let told = Brief {
        question,
        ..brief.clone()
    };
    calculate_or_recall(&told, left)
}

/// The draft for the question in other words.
fn as_told(brief: &Brief, question: String, left: Tellings) -> Draft {
    let mut draft = told_anew(brief, question.clone(), left);
    if draft.success {
        draft.result.push_str(&format!("\nRead as: “{question}”\n"));
    }
    draft
}

fn worked_out(brief: &Brief, tokens: &[Token], left: Tellings) -> Draft {
    if let Some(text) = scope::greeting(tokens) {
        return compose::plain_text(text);
    }
    if let Some(text) = scope::forecast(tokens) {
        return compose::plain_text(text);
    }
    let earlier = Frame::read(brief.earlier.as_ref());
    if let Some(question) = steps::restated(&brief.question, tokens, earlier.as_ref()) {
        let mut draft = told_anew(brief, question.clone(), left);
        if draft.success {
            draft.result.push_str(&format!(
                "\nYour change, applied to the value of before: “{question}”\n"
            ));
            return draft;
        }
    }
    if let Some(draft) = offers::answer(brief, tokens, earlier.as_ref()) {
        return draft;
    }
    let mut reading = reading::read(&brief.question, tokens);
    if let Some(meaning) = glossary::answer(brief, tokens) {
        // The house's own words for a metric come before ours.
        return recall::answer(brief, tokens, &reading)
            .filter(|draft| draft.success)
            .unwrap_or(meaning);
    }
    if let Some(draft) = targets::answer(&brief.question, tokens, brief.tone) {
        return draft;
    }
    if let Some(draft) = lists::answer(brief, tokens) {
        return draft;
    }
    if let Some((question, working)) = reversion::told(tokens, &reading.goals) {
        let mut draft = told_anew(brief, question, left);
        if draft.success {
            draft.reasoning.push_str(&format!("\n{working}\n"));
            return draft;
        }
    }
    let of_form = forms::answer(brief, tokens, &reading, earlier.as_ref());
    if of_form.as_ref().is_none_or(|draft| !draft.success)
        && let Some(draft) = lists::waterfall(brief, tokens)
    {
        return draft;
    }
    if let Some(draft) = of_form {
        return draft;
    }
    if let Some((deal, name)) = rates::read(tokens, &reading) {
        return conversion(brief, tokens, deal, name);
    }
    let recalled = recall::answer(brief, tokens, &reading);
    // A file that is here is no reason to refuse.
    let whole = series::tells(tokens, &reading);
    // An investor is no waterfall where no agreement is spoken of.
    let agreed = tokens.iter().any(|token| AGREED.contains(&token.word()));
    let here = |family: &&str| {
        (brief.files.is_empty() || !OF_FILES.contains(family))
            && !(whole && (OF_FLOWS.contains(family) || (*family == WATERFALLS && !agreed)))
    };
    if let Some(family) = goals::unsupported(tokens).filter(here) {
        if let Some(quoted) = recalled.filter(|draft| draft.success) {
            return quoted;
        }
        return compose::plain_text(&scope::not_yet(family));
    }
    let recalled = recalled.filter(|_| !gives_numbers(tokens, &reading));
    if let Some(quoted) = recalled.or_else(|| recall::stated(brief, tokens, &reading)) {
        return quoted;
    }
    if !two_sums(&reading)
        && let Some(draft) = series::answer(brief, tokens, &reading, earlier.as_ref())
    {
        return draft;
    }
    let income = from_statement(brief, &mut reading);
    let mut draft = graph(brief, tokens, &mut reading, earlier.as_ref(), left);
    if let Some(income) = income
        && draft
            .figures
            .iter()
            .flat_map(|figure| &figure.inputs)
            .any(|input| input.origin == income.name)
    {
        draft.used_files.extend(income.file);
    }
    draft
}

/// A multiple of two named sums needs no flows.
fn two_sums(reading: &Reading) -> bool {
    let given = |sum| reading.values.contains_key(&sum);
    reading.goals == [Variable::EquityMultiple]
        && given(Variable::Distributions)
        && given(Variable::Equity)
        && reading.left.is_empty()
}

/// The answer to a rate conversion.
fn conversion(brief: &Brief, tokens: &[Token], mut deal: deal::Deal, name: &'static str) -> Draft {
    let goals = [if name == rates::NOMINAL {
        Variable::NominalRate
    } else {
        Variable::EffectiveRate
    }];
    match calculate::calculate(tokens, &goals, &mut deal) {
        Ok(mut computed) => {
            for headline in &mut computed.headlines {
                headline.name = name;
            }
            compose::answer(&computed, &deal, brief.tone)
        }
        Err(ask) => compose::ask(&ask, &goals, &[]),
    }
}

fn graph(
    brief: &Brief,
    tokens: &[Token],
    reading: &mut Reading,
    earlier: Option<&Frame>,
    left: Tellings,
) -> Draft {
    let mut goals = reading.goals.clone();
    let follows = follows(tokens, reading, earlier);
    if goals.is_empty() {
        match earlier {
            Some(frame) if follows && adds(tokens, reading) => {
                match other_figure(tokens, reading, &frame.goals) {
                    Some(other) => goals = other,
                    None => return compose::plain_text(scope::WHAT_NEXT),
                }
            }
            Some(frame) if follows && !frame.missing.is_empty() && tokens.len() <= 6 => {
                let missing = Ask {
                    reasons: Vec::new(),
                    missing: frame.missing.clone(),
                };
                return compose::ask(&missing, &frame.goals, &[]);
            }
            Some(_) if tokens.len() <= 6 && leans(tokens) => return compose::plain_text(scope::WHAT_NEXT),
            _ => return nothing_asked(tokens, reading),
        }
    }
    let corrects = matches!(
        tokens.first().map_or("", Token::word),
        "no" | "oops" | "sorry" | "actually" | "wrong" | "correction"
    );
    if corrects && earlier.is_some() && reading.mentions.is_empty() && !reading.left.is_empty() {
        return compose::plain_text(scope::WHICH_VALUE);
    }
    if changes::told(tokens)
        && let Some(question) = stress::restated(&brief.question, tokens)
    {
        let mut draft = told_anew(brief, question.clone(), left);
        if draft.success {
            draft.result.push_str(&format!(
                "\nThe change, applied to the value given: “{question}”\n"
            ));
            return draft;
        }
    }
    if changes::told(tokens) {
        return compose::ask(&Ask::because(scope::NEW_VALUE), &goals, &[]);
    }
    if let Some(phrase) =
        conditions::part_of_amount(tokens).filter(|phrase| !conditions::placed(phrase, reading))
    {
        return compose::ask(&Ask::because(conditions::ask(phrase)), &goals, &[]);
    }
    let used = memory::house_values(brief, tokens, reading, &goals);
    let mut settled = settling::settle(&brief.question, tokens, reading, &goals, None);
    memory::apply(&used, &mut settled);
    settled.exit_as_cap(&goals);
    waived::lift(tokens, &goals, &mut settled);
    let mut outcome = calculate::calculate(tokens, &goals, &mut settled);
    // Only an incomplete question leans on the earlier turn.
    if follows && outcome.is_err() && earlier.is_some() {
        settled = settling::settle(&brief.question, tokens, reading, &goals, earlier);
        memory::apply(&used, &mut settled);
        settled.exit_as_cap(&goals);
        waived::lift(tokens, &goals, &mut settled);
        outcome = calculate::calculate(tokens, &goals, &mut settled);
    }
    let missing = match &outcome {
        Err(ask) => ask.missing.clone(),
        Ok(_) => Vec::new(),
    };
    if let Err(ask) = &mut outcome
        && let Some(sentence) = recall::unstated(brief, tokens, reading)
    {
        ask.reasons.insert(0, sentence);
    }
    let mut offers = Vec::new();
    let mut draft = match &outcome {
        Ok(computed) => compose::answer(computed, &settled, brief.tone),
        Err(ask) => {
            let hint = "say “use it”, or send me another value.";
            let (draft, offered) = memory::ask_with_notes(brief, tokens, ask, &goals, hint);
            offers = offered;
            draft
        }
    };
    if draft.success {
        memory::credit(&used, &mut draft);
    }
    draft.frame = Frame {
        version: Frame::VERSION,
        goals,
        values: settled.held(),
        series: None,
        missing,
        offers,
        form: None,
    }
    .json();
    draft
}

fn nothing_asked(tokens: &[Token], reading: &Reading) -> Draft {
    let financial = reading.mentions.iter().any(|mention| mention.variable.is_some());
    let numbers = tokens.iter().any(|token| token.number().is_some());
    if financial || (numbers && !reading.values.is_empty()) {
        return compose::plain_text(scope::WHAT_TO_COMPUTE);
    }
    compose::plain_text(scope::OUTSIDE)
}
