//! Labels and numbers in turn: whether each number belongs to the label before it ("price 8m NOI 500k")
//! or to the one behind it ("8m price 500k NOI").
//!
//! Decides for a whole run at once, so that no number leaps over a complete pair. Undecided runs are left
//! to the weighing of distances.

use crate::read::fitting;
use crate::read::goals;
use crate::read::vocabulary::Mention;
use crate::words::scan::{Shape, Token};
use finance::variable::{Unit, Variable};

/// What runs of labels and numbers settle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// A number and the mention it belongs to; `None` for a label without a variable.
    pub(crate) bound: Vec<(usize, Option<usize>)>,
    /// Mentions that stand in such a run without a number of their own.
    pub(crate) open: Vec<usize>,
}

impl Layout {
    /// The mention a number is bound to, if a run settled it.
    pub(crate) fn of(&self, token: usize) -> Option<Option<usize>> {
        self.bound
            .iter()
            .find(|(number, _)| *number == token)
            .map(|(_, slot)| *slot)
    }

    pub(crate) fn taken(&self, slot: usize) -> bool {
        self.bound.iter().any(|(_, own)| *own == Some(slot))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    /// A mention by its place in the list; `None` is a noun that names some amount.
    Label(Option<usize>),
    Number(usize),
}

/// What stands between two neighbours of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gap {
    Tight,
    /// "of", "is", ":", "=": what is before names what follows.
    Binds,
    /// "at": a number follows, of whatever is named.
    At,
    /// "of" or "in" after a number: what follows names what is before.
    Names,
    /// A comma, a line break, "and".
    Loose,
}

/// Reads all runs of `text`.
pub(crate) fn read(text: &str, tokens: &[Token], mentions: &[Mention]) -> Layout {
    let mut layout = Layout::default();
    for (number, goal, own) in worth_of(tokens, mentions) {
        layout.bound.push((number, Some(own)));
        layout.open.push(goal);
    }
    let mut run: Vec<Item> = Vec::new();
    let mut gaps: Vec<Gap> = Vec::new();
    let mut end = 0;
    let mut at = 0;
    while at < tokens.len() {
        if layout.of(at).is_some() {
            settle(tokens, mentions, &run, &gaps, end, &mut layout);
            run.clear();
            gaps.clear();
            at += 1;
            continue;
        }
        let Some((item, next)) = item(tokens, mentions, at) else {
            at += 1;
            continue;
        };
        let gap = gap(text, tokens, end, at, matches!(item, Item::Label(_)));
        let turns = match (run.last(), item) {
            (Some(Item::Label(_)), Item::Number(_)) => true,
            (Some(Item::Number(_)), Item::Label(slot)) => slot.is_some(),
            _ => false,
        };
        match gap {
            Some(gap) if turns => gaps.push(gap),
            _ => {
                settle(tokens, mentions, &run, &gaps, end, &mut layout);
                run.clear();
                gaps.clear();
            }
        }
        run.push(item);
        end = next;
        at = next;
    }
    settle(tokens, mentions, &run, &gaps, end, &mut layout);
    layout
}

/// "Value of 600k NOI?": the number is the income's, and the value is what is asked. Number, value, income.
fn worth_of(tokens: &[Token], mentions: &[Mention]) -> Vec<(usize, usize, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let mut found = Vec::new();
    for (goal, value) in mentions.iter().enumerate() {
        let number = value.to + 1 + usize::from(matches!(word(value.to + 1), "a" | "an" | "the"));
        let named = value.variable == Some(Variable::Value) && !value.verb && word(value.to) == "of";
        let amount = tokens.get(number).is_some_and(|token| token.number().is_some());
        if !named || !amount {
            continue;
        }
        let noun = number + 1 + usize::from(matches!(word(number + 1), "of" | "in"));
        let own = mentions
            .iter()
            .position(|own| own.from == noun && own.variable == Some(Variable::Noi));
        if let Some(own) = own
            && let Some(income) = mentions.get(own)
            && tokens.get(income.to).is_none_or(|next| {
                next.number().is_none() && !matches!(next.word(), "of" | "is") && !next.is_mark(':')
            })
        {
            found.push((number, goal, own));
        }
    }
    found
}

/// The label or number at a token, and the token after it.
fn item(tokens: &[Token], mentions: &[Mention], at: usize) -> Option<(Item, usize)> {
    if let Some(slot) = mentions.iter().position(|mention| mention.from == at) {
        return mentions
            .get(slot)
            .map(|mention| (Item::Label(Some(slot)), mention.to));
    }
    let token = tokens.get(at)?;
    if let Some(number) = token.number() {
        let label = matches!(
            number.shape,
            Shape::YearLabel | Shape::MonthLabel | Shape::PaymentLabel | Shape::Calendar
        );
        return (!label).then_some((Item::Number(at), at + 1));
    }
    let noun = matches!(
        token.word(),
        "cost"
            | "costs"
            | "building"
            | "property"
            | "deal"
            | "asset"
            | "purchase"
            | "acquisition"
            | "project"
    );
    let valued = tokens.get(at + 1).is_some_and(|next| next.number().is_some());
    (noun && valued).then_some((Item::Label(None), at + 1))
}

fn gap(text: &str, tokens: &[Token], from: usize, to: usize, label: bool) -> Option<Gap> {
    let between = tokens.get(from..to)?;
    let start = from
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .map_or(0, |token| token.end);
    let line = tokens
        .get(to)
        .and_then(|token| text.get(start..token.start))
        .is_some_and(|space| space.contains('\n'));
    let mut gap = Gap::Tight;
    for piece in between {
        let next = if piece.is_mark(':') || piece.is_mark('=') {
            Gap::Binds
        } else if piece.is_mark(',') || piece.is_mark(';') {
            Gap::Loose
        } else {
            match piece.word() {
                "of" | "in" if label => Gap::Names,
                "of" | "is" | "are" | "was" | "equals" => Gap::Binds,
                "at" => Gap::At,
                "and" | "with" | "plus" => Gap::Loose,
                // "8m, an NOI of …", "annual debt service".
                "a" | "an" | "the" | "our" | "its" | "monthly" | "annual" | "yearly" => gap,
                _ => return None,
            }
        };
        gap = match (gap, next) {
            (Gap::Loose, _) => Gap::Loose,
            (_, next) => next,
        };
    }
    Some(if line && gap != Gap::Binds {
        Gap::Loose
    } else {
        gap
    })
}

fn settle(
    tokens: &[Token],
    mentions: &[Mention],
    run: &[Item],
    gaps: &[Gap],
    end: usize,
    layout: &mut Layout,
) {
    if run.len() < 3 {
        return;
    }
    let before = pairs(tokens, mentions, run, gaps, true);
    let behind = pairs(tokens, mentions, run, gaps, false);
    let chosen = match (before, behind) {
        (Some(before), Some(behind)) => match choose(tokens, mentions, run, gaps, end) {
            Some(true) => before,
            Some(false) => behind,
            None => return,
        },
        (Some(only), None) => only,
        // "NOI 600k price 10 cap rate": what stands before its number is not simply passed over.
        (None, Some(only)) => match run {
            [Item::Label(label), Item::Number(number), ..]
                if possible(tokens, mentions, *label, *number, true) =>
            {
                return;
            }
            _ => only,
        },
        (None, None) => return,
    };
    for item in run {
        if let Item::Label(Some(slot)) = item
            && !chosen.iter().any(|(_, own)| own == &Some(*slot))
            && mentions.get(*slot).is_some_and(|mention| {
                !mention.verb && (mention.to != end || goals::ends_question(tokens, mention.to))
            })
        {
            layout.open.push(*slot);
        }
    }
    layout.bound.extend(chosen);
}

/// The pairs of one direction, if every one of them is possible.
fn pairs(
    tokens: &[Token],
    mentions: &[Mention],
    run: &[Item],
    gaps: &[Gap],
    before: bool,
) -> Option<Vec<(usize, Option<usize>)>> {
    let mut found = Vec::new();
    for (pair, gap) in run.windows(2).zip(gaps) {
        let (label, number) = match (pair, before) {
            ([Item::Label(label), Item::Number(number)], true)
            | ([Item::Number(number), Item::Label(label)], false) => (*label, *number),
            _ => continue,
        };
        let parted = match gap {
            Gap::Loose => true,
            Gap::Names => before,
            Gap::Binds | Gap::At => !before,
            Gap::Tight => false,
        };
        if parted || !possible(tokens, mentions, label, number, before) {
            return None;
        }
        found.push((number, label));
    }
    (!found.is_empty()).then_some(found)
}

fn possible(
    tokens: &[Token],
    mentions: &[Mention],
    label: Option<usize>,
    number: usize,
    before: bool,
) -> bool {
    let Some(number) = tokens.get(number).and_then(Token::number) else {
        return false;
    };
    let Some(mention) = label.and_then(|slot| mentions.get(slot)) else {
        return before;
    };
    if mention.verb && !before {
        return false;
    }
    // A bare zero is an amount; a rate of zero has its percent sign.
    let zero = number.value == 0.0 && number.shape == Shape::Plain;
    match (mention.variable, number.shape) {
        (Some(variable), _) if zero => variable.unit() == Unit::Money,
        (Some(Variable::AmortizationYears | Variable::HeldYears), Shape::Years | Shape::Months) => true,
        (_, Shape::Years | Shape::Months | Shape::Days | Shape::Payments) => false,
        (Some(variable), _) => fitting::fits(variable, number),
        (None, _) => true,
    }
}

/// Both directions are possible: what stands at the ends decides.
fn choose(tokens: &[Token], mentions: &[Mention], run: &[Item], gaps: &[Gap], end: usize) -> Option<bool> {
    let inner = |wanted: Gap| run.windows(2).zip(gaps).skip(1).any(|(_, gap)| *gap == wanted);
    match (run.first()?, run.last()?) {
        (Item::Label(_), Item::Number(_)) => Some(true),
        (Item::Number(_), Item::Label(_)) => Some(false),
        (Item::Label(first), Item::Label(_)) => {
            if inner(Gap::Binds) || inner(Gap::At) {
                return Some(true);
            }
            let asked = first
                .and_then(|slot| mentions.get(slot))
                .is_some_and(|mention| goals::asked_before(tokens, mention.from));
            let ends = tokens.get(end).is_none_or(|next| next.is_mark('?'));
            match (asked, ends) {
                (true, false) => Some(false),
                (false, true) => Some(true),
                (true, true) => None,
                (false, false) => first.is_none().then_some(false),
            }
        }
        (Item::Number(_), Item::Number(_)) => gaps.contains(&Gap::Binds).then_some(true),
    }
}
