//! The offline analyst: reads a question without any language model and answers it exactly, or asks
//! for what is missing.
//!
//! The entry of this engine. Knows no database and no network; notes and the earlier turn come with
//! the brief.

use futures_core::future::BoxFuture;

use crate::analysis::engine::{Brief, Draft, Engine, FileFrom};
use crate::analysis::engines::offline::flows::{reversion, series};
use crate::analysis::engines::offline::forms::answer as forms;
use crate::analysis::engines::offline::lists::answer as lists;
use crate::analysis::engines::offline::notes::{memory, offers, plain, recall};
use crate::analysis::engines::offline::plan::continuing::{adds, follows, leans, other_figure};
use crate::analysis::engines::offline::plan::frame::Frame;
use crate::analysis::engines::offline::plan::outcome::Ask;
use crate::analysis::engines::offline::plan::{
    calculate, conditions, deal, plainly, rates, settling, stated, steps, stress, waived, withheld,
};
use crate::analysis::engines::offline::portfolio::answer::{self as portfolio, Outcome};
use crate::analysis::engines::offline::read::given::{Given, Reading};
use crate::analysis::engines::offline::read::{changes, goals, reading, vocabulary};
use crate::analysis::engines::offline::retold::wordings;
use crate::analysis::engines::offline::say::compose;
use crate::analysis::engines::offline::say::glossary;
use crate::analysis::engines::offline::say::recast;
use crate::analysis::engines::offline::say::scope;
use crate::analysis::engines::offline::say::unused;
use crate::analysis::engines::offline::sheets::answer::{self as sheets, Income};
use crate::analysis::engines::offline::words::scan::Token;
use crate::analysis::engines::offline::words::{asides, numbers};
use crate::analysis::tools::kit::Tools;
use crate::base::error::{Error, Result};
use crate::base::ids::NoteId;
use crate::finance::variable::Variable;

/// The built-in engine: deterministic, and silent where it is not sure.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfflineAnalyst;

impl Engine for OfflineAnalyst {
    fn model(&self) -> &'static str {
        "svc-local"
    }

    fn leans_on(&self, earlier: &serde_json::Value) -> Vec<NoteId> {
        let frame = Frame::read(Some(earlier));
        frame.map_or_else(Vec::new, |frame| {
            frame.offers.iter().map(|offer| offer.note).collect()
        })
    }

    fn answer<'a>(&'a self, brief: &'a Brief, tools: &'a Tools) -> BoxFuture<'a, Result<Draft>> {
        Box::pin(async move {
            // Who sends a file along asks about it; of an earlier one the question decides.
            let sent = brief.files.iter().any(|file| file.from == FileFrom::Question);
            // A bare "DSCR?" in a calculation is of its numbers, not of the portfolio.
            if brief.files.is_empty() && continues_calculation(brief) {
                let own = draft(brief);
                // "And the vacancy?" leans on the numbers before it: nothing else may answer.
                let leans = [
                    "and ",
                    "so ",
                    "then ",
                    "how many are ",
                    "what about ",
                    "how about ",
                ];
                let asked = brief.question.trim_start().to_lowercase();
                if own.success || leans.iter().any(|lead| asked.starts_with(lead)) {
                    return Ok(own);
                }
            }
            let of_files = match brief.files.is_empty() {
                true => None,
                false => Some(aside(brief).await?),
            };
            let outcome = match (of_files, &tools.portfolio) {
                (Some(draft), _) if sent || draft.success => Outcome::Answered(draft),
                (_, Some(tool)) => portfolio::answer(brief, tool).await?,
                (_, None) => Outcome::NotMine,
            };
            let stays = matches!(outcome, Outcome::Stays(_));
            let mut draft = match outcome {
                Outcome::Answered(draft) | Outcome::Stays(draft) => draft,
                Outcome::NotMine => aside(brief).await?,
                // It may be anybody's: whoever has an answer, or asks for what is missing, comes first.
                Outcome::Perhaps(said) => Some(aside(brief).await?)
                    .filter(|other| other.success || !other.missing.is_empty())
                    .unwrap_or(said),
                // Where the portfolio has no answer, notes or a calculation may have one.
                Outcome::Say(said) => Some(aside(brief).await?)
                    .filter(|other| other.success)
                    .unwrap_or(said),
            };
            // What nothing else answers, a note may say.
            if !draft.success
                && !stays
                && brief.files.is_empty()
                && !of_own_numbers(&brief.question)
                && let Some(quoted) = plain::answer(brief)
            {
                draft = Draft {
                    frame: draft.frame.take(),
                    ..quoted
                };
            }
            // Small talk between two questions about the portfolio does not end what they are about.
            if draft.frame.is_none() {
                draft.frame.clone_from(&brief.earlier);
            }
            Ok(draft)
        })
    }
}

/// The draft for a brief, on a thread for such work: reading long tables must not hold up other requests.
async fn aside(brief: &Brief) -> Result<Draft> {
    if brief.files.is_empty() && brief.question.len() < SHORT {
        return Ok(draft(brief));
    }
    let brief = brief.clone();
    let drafting = tokio::task::spawn_blocking(move || draft(&brief));
    drafting.await.map_err(Error::internal)
}

/// A question of fewer bytes is read in a moment.
const SHORT: usize = 1000;

/// A short question that names nothing but figures, in a thread whose last turn calculated.
fn continues_calculation(brief: &Brief) -> bool {
    let held = Frame::read(brief.earlier.as_ref())
        .is_some_and(|frame| !frame.values.is_empty() || frame.series.is_some());
    held && brief.question.len() < SHORT && vocabulary::figures_alone(&numbers::read(&brief.question))
}

/// Longer questions are no questions of this kind; reading stays fast.
const MOST_TOKENS: usize = 1200;
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
fn gives_numbers(tokens: &[Token], reading: &Reading) -> bool {
    let numbers = tokens.iter().filter(|token| token.number().is_some()).count();
    !reading.values.is_empty()
        && numbers >= 2
        && !reading.goals.is_empty()
        && !tokens.iter().any(|token| HOUSE.contains(&token.word()))
}

fn of_own_numbers(question: &str) -> bool {
    let tokens = numbers::read(question);
    tokens.len() <= MOST_TOKENS && gives_numbers(&tokens, &reading::read(question, &tokens))
}

/// Words that ask what is written down.
#[rustfmt::skip]
const HOUSE: &[&str] = &[
    "house", "policy", "minimum", "maximum", "standard", "standards", "note", "notes", "guideline",
    "guidelines", "require", "required", "requirement", "target", "limit", "allowed", "usual", "criteria",
];

/// The draft for a brief, at once.
#[must_use]
pub fn draft(brief: &Brief) -> Draft {
    let mut draft = read(brief);
    // Small talk and quotations do not end a calculation.
    if draft.frame.is_none() {
        draft.frame = Frame::read(brief.earlier.as_ref()).and_then(|frame| frame.json());
    }
    draft.warnings.extend(unused::unread_files(brief, &draft));
    // Which of several people's numbers is meant, only the asker knows: asking beats guessing.
    let asks_back = !draft.success && !draft.missing.is_empty();
    if asks_back && brief.thread.iter().any(unused::holds_numbers) {
        draft.warnings.push(unused::THREAD.to_owned());
    }
    draft
}

/// A calculation that needs the net operating income takes it from the one statement that is there.
fn from_statement(brief: &Brief, reading: &mut Reading) -> Option<Income> {
    let goals = !reading.goals.is_empty() && !reading.goals.contains(&Variable::Noi);
    if brief.files.is_empty() || !goals || reading.values.contains_key(&Variable::Noi) {
        return None;
    }
    let income = sheets::income(brief).filter(|_| !asides::of_a_year(&brief.question))?;
    let given = Given {
        value: income.noi,
        origin: income.name.clone(),
        conversion: None,
        period: None,
    };
    reading.values.insert(Variable::Noi, given);
    Some(income)
}

fn read(brief: &Brief) -> Draft {
    match sheets::answer(brief) {
        Some(answered) if answered.stands => answered.draft,
        Some(answered) => Some(calculate_or_recall(brief))
            .filter(|draft| draft.success)
            .unwrap_or(answered.draft),
        None => calculate_or_recall(brief),
    }
}

/// What does not ask for a table, in the asker's own currency.
fn calculate_or_recall(brief: &Brief) -> Draft {
    recast::in_own_notation(brief, calculated)
}

/// Calculations, notes, meanings; a figure that words of the question would change is asked about instead.
fn calculated(brief: &Brief) -> Draft {
    let tokens = numbers::read(&brief.question);
    if tokens.len() > MOST_TOKENS {
        return compose::plain_text(scope::TOO_LONG);
    }
    if let Some((question, why)) = plainly::told(&brief.question, &tokens) {
        let told = Brief {
            question,
            ..brief.clone()
        };
        let mut draft = calculate_or_recall(&told);
        if draft.success {
            draft.result.push_str(&format!("\n{why}\n"));
            return draft;
        }
    }
    if let Some(question) = wordings::corrected(&brief.question) {
        // What is put right may be in everyday words besides.
        let draft = retold(brief, question.clone());
        return in_other_words(brief, &question, draft);
    }
    let draft = withheld::judged(&tokens, worked_out(brief, &tokens));
    in_other_words(brief, &brief.question, draft)
}

/// What is asked about may be plain in other words.
fn in_other_words(brief: &Brief, question: &str, draft: Draft) -> Draft {
    if draft.success || question.len() >= SHORT || stated::cost_left_out(&numbers::read(question)) {
        return draft;
    }
    wordings::tellings(question)
        .map(|question| retold(brief, question))
        .find(|other| other.success)
        .unwrap_or(draft)
}

/// The draft for the question in other words.
fn retold(brief: &Brief, question: String) -> Draft {
    let mut draft = calculate_or_recall(&Brief {
        question: question.clone(),
        ..brief.clone()
    });
    if draft.success {
        draft.result.push_str(&format!("\nRead as: “{question}”\n"));
    }
    draft
}

fn worked_out(brief: &Brief, tokens: &[Token]) -> Draft {
    if let Some(text) = scope::greeting(tokens) {
        return compose::plain_text(text);
    }
    if let Some(text) = scope::forecast(tokens) {
        return compose::plain_text(text);
    }
    let earlier = Frame::read(brief.earlier.as_ref());
    if let Some(question) = steps::restated(&brief.question, tokens, earlier.as_ref()) {
        let told = Brief {
            question: question.clone(),
            ..brief.clone()
        };
        let mut draft = calculate_or_recall(&told);
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
    if let Some(draft) = lists::answer(brief, tokens) {
        return draft;
    }
    if let Some((question, working)) = reversion::told(tokens, &reading.goals) {
        let told = Brief {
            question,
            ..brief.clone()
        };
        let mut draft = calculate_or_recall(&told);
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
    let mut draft = graph(brief, tokens, &mut reading, earlier.as_ref());
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

fn graph(brief: &Brief, tokens: &[Token], reading: &mut Reading, earlier: Option<&Frame>) -> Draft {
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
        let told = Brief {
            question: question.clone(),
            ..brief.clone()
        };
        let mut draft = calculate_or_recall(&told);
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
