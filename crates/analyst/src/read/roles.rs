//! Which number belongs to which variable: weighs every plausible pairing of the numbers and the
//! named variables and takes the cheapest, if it is clearly the cheapest.
//!
//! Knows distances, links between words and units. A number is never given a meaning its unit excludes.

use crate::read::fitting::fits;
use crate::read::layout::Layout;
use crate::read::linking::links;
use crate::read::vocabulary::Mention;
use crate::words::scan::{Number, Per, Shape, Token};
use finance::variable::Variable;

/// One number with its meaning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assigned {
    pub(crate) token: usize,
    /// `None`: a known quantity that is not computed with.
    pub(crate) variable: Option<Variable>,
    pub(crate) period: Option<Per>,
}

/// The pairing, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pairing {
    Found {
        assigned: Vec<Assigned>,
        left: Vec<usize>,
    },
    /// Two readings are about equally good for these tokens.
    Ambiguous(Vec<usize>),
    TooMany,
}

const UNASSIGNED: f64 = 4.0;
/// Readings closer than this are both plausible.
const MARGIN: f64 = 0.35;

struct Edge {
    number: usize,
    slot: usize,
    variable: Option<Variable>,
    cost: f64,
}

/// "2% of the loan".
fn of_loan(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    word(at + 1) == "of" && (at + 2..at + 5).any(|at| matches!(word(at), "loan" | "debt" | "mortgage"))
}

/// Pairs the numbers at `free` with the mentions. `asked` are mentions that want a value, not have one.
/// `loan_context` lets a bare percentage be the loan's rate and the amount before it the loan.
pub(crate) fn pair(
    tokens: &[Token],
    mentions: &[Mention],
    asked: &[usize],
    free: &[usize],
    loan_context: bool,
    layout: &Layout,
) -> Pairing {
    if free.len() > 14 {
        return Pairing::TooMany;
    }
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    for (index, &token) in free.iter().enumerate() {
        let Some(number) = tokens.get(token).and_then(Token::number) else {
            continue;
        };
        let mut own = Vec::new();
        for (slot, mention) in mentions.iter().enumerate() {
            // A run of labels and numbers has settled it.
            match layout.of(token) {
                Some(own) if own != Some(slot) => continue,
                None if layout.taken(slot) => continue,
                _ => {}
            }
            // "What should I pay for 543,750 of NOI": the amount is none of the price.
            let buys = mention.variable == Some(Variable::Value)
                && token >= mention.to
                && tokens
                    .get(mention.to - 1)
                    .is_some_and(|last| matches!(last.word(), "for" | "pay"));
            if buys {
                continue;
            }
            let Some(cost) = distance(tokens, mention, token, asked.contains(&slot)) else {
                continue;
            };
            let variable = match mention.variable {
                Some(Variable::Price) if mention.verb && number.per == Some(Per::Month) => {
                    Some(Variable::Payment)
                }
                // "The mortgage takes 21,450 a month" is what is paid on it.
                Some(Variable::Loan) if number.per == Some(Per::Month) && number.shape == Shape::Money => {
                    Some(Variable::Payment)
                }
                Some(Variable::Loan)
                    if number.per == Some(Per::Year) && number.shape == Shape::Money && !number.loose_per =>
                {
                    Some(Variable::DebtService)
                }
                // "Closing costs 2% of price": in percent they are a share of the price, unless of the loan.
                Some(Variable::ClosingCosts) if number.shape == Shape::Percent && !of_loan(tokens, token) => {
                    Some(Variable::ClosingShare)
                }
                other => other,
            };
            // "9% debt yield at 6.25%": the number right before the name is the better one.
            let taken = token >= mention.to
                && mention.from.checked_sub(1).is_some_and(|before| {
                    free.contains(&before)
                        && tokens
                            .get(before)
                            .and_then(Token::number)
                            .is_some_and(|other| variable.is_some_and(|variable| fits(variable, other)))
                });
            let cost = if taken { cost + 1.0 } else { cost };
            if variable.is_none_or(|variable| fits(variable, number)) {
                own.push(Edge {
                    number: index,
                    slot,
                    variable,
                    cost,
                });
            }
        }
        let covers = mentions
            .iter()
            .any(|mention| mention.variable == Some(Variable::DebtService))
            && mentions
                .iter()
                .any(|mention| mention.variable == Some(Variable::Noi));
        if covers
            && !loan_context
            && number.shape == Shape::Multiple
            && (1.0..=3.0).contains(&number.value)
            && layout.of(token).is_none()
        {
            own.push(Edge {
                number: index,
                slot: usize::MAX / 2 + 3,
                variable: Some(Variable::Dscr),
                cost: 1.8,
            });
        }
        if loan_context && layout.of(token).is_none() {
            bare_loan(tokens, token, number, index, &mut own);
        }
        own.retain(|edge| edge.cost < UNASSIGNED);
        edges.push(own);
    }
    let mut search = Search {
        edges: &edges,
        found: Vec::new(),
        best: f64::INFINITY,
        visits: 0,
    };
    search.step(0, 0.0, &mut Vec::new());
    if search.visits > Search::LIMIT {
        return Pairing::TooMany;
    }
    let best = search.best;
    search.found.retain(|(cost, _)| *cost <= best + MARGIN);
    search.found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let Some((_, first)) = search.found.first() else {
        return Pairing::Found {
            assigned: Vec::new(),
            left: free.to_vec(),
        };
    };
    for (_, other) in search.found.iter().skip(1) {
        let differs: Vec<usize> = (0..free.len())
            .filter(|index| meaning(first, *index) != meaning(other, *index))
            .filter_map(|index| free.get(index).copied())
            .collect();
        if !differs.is_empty() {
            return Pairing::Ambiguous(differs);
        }
    }
    let mut assigned = Vec::new();
    let mut left = Vec::new();
    for (index, &token) in free.iter().enumerate() {
        match first.iter().find(|choice| choice.number == index) {
            Some(choice) => assigned.push(Assigned {
                token,
                variable: choice.variable,
                period: mentions.get(choice.slot).and_then(|mention| mention.period),
            }),
            None => left.push(token),
        }
    }
    Pairing::Found { assigned, left }
}

#[derive(Clone, Copy)]
struct Choice {
    number: usize,
    slot: usize,
    variable: Option<Variable>,
}

fn meaning(choices: &[Choice], number: usize) -> Option<Option<Variable>> {
    choices
        .iter()
        .find(|choice| choice.number == number)
        .map(|choice| choice.variable)
}

struct Search<'a> {
    edges: &'a [Vec<Edge>],
    found: Vec<(f64, Vec<Choice>)>,
    best: f64,
    visits: usize,
}

impl Search<'_> {
    const LIMIT: usize = 60_000;

    fn step(&mut self, index: usize, cost: f64, chosen: &mut Vec<Choice>) {
        self.visits += 1;
        if self.visits > Self::LIMIT || cost > self.best + MARGIN {
            return;
        }
        let edges = self.edges;
        let Some(own) = edges.get(index) else {
            self.best = self.best.min(cost);
            self.found.push((cost, chosen.clone()));
            return;
        };
        for edge in own {
            if chosen.iter().any(|choice| choice.slot == edge.slot) {
                continue;
            }
            chosen.push(Choice {
                number: edge.number,
                slot: edge.slot,
                variable: edge.variable,
            });
            self.step(index + 1, cost + edge.cost, chosen);
            chosen.pop();
        }
        self.step(index + 1, cost + UNASSIGNED, chosen);
    }
}

/// "8.5 million at 5.85%": without another name the percentage is the rate, the amount the loan.
fn bare_loan(tokens: &[Token], token: usize, number: &Number, index: usize, own: &mut Vec<Edge>) {
    // Slots of their own, one per variable, beyond those of any mention.
    const SLOT: usize = usize::MAX / 2;
    let mut add = |variable: Variable, slot: usize, cost: f64| {
        own.push(Edge {
            number: index,
            slot: SLOT + slot,
            variable: Some(variable),
            cost,
        });
    };
    if number.shape == Shape::Percent && number.value <= 30.0 && fits(Variable::Rate, number) {
        add(Variable::Rate, 0, 1.6);
    }
    if number.per == Some(Per::Month) && number.shape == Shape::Money {
        add(Variable::Payment, 1, 1.7);
    }
    if number.shape == Shape::Multiple && (1.0..=3.0).contains(&number.value) {
        add(Variable::Dscr, 3, 1.8);
    }
    let at_rate = (1..=4).any(|ahead| {
        tokens
            .get(token + ahead)
            .and_then(Token::number)
            .is_some_and(|next| next.shape == Shape::Percent && next.value <= 30.0)
            && (1..ahead).all(|n| {
                tokens.get(token + n).is_some_and(|between| {
                    matches!(
                        between.word(),
                        "at" | "with" | "a" | "an" | "borrowed" | "financed" | "lent"
                    ) || between.is_mark(',')
                        || between.is_mark('@')
                })
            })
    });
    if at_rate && number.per.is_none() && fits(Variable::Loan, number) {
        add(Variable::Loan, 2, 1.8);
    }
}

/// What it costs to read the number as the mentioned variable; `None` when something stands between.
pub(crate) fn distance(tokens: &[Token], mention: &Mention, token: usize, asked: bool) -> Option<f64> {
    let after = token >= mention.to;
    if !after && token >= mention.from {
        return None;
    }
    let between = if after {
        tokens.get(mention.to..token)?
    } else {
        tokens.get(token + 1..mention.from)?
    };
    if between.len() > 9 {
        return None;
    }
    let mut cost = 0.0;
    for (position, piece) in between.iter().enumerate() {
        let word = piece.word();
        cost += if let Some(other) = piece.number() {
            // A label such as "year 1" may stand between, another quantity may not.
            match other.shape {
                Shape::YearLabel | Shape::Calendar => 0.1,
                Shape::Years | Shape::Months if between.len() <= 3 => 0.3,
                _ => return None,
            }
        } else if word.is_empty() {
            match () {
                () if piece.is_mark(':')
                    || piece.is_mark('=')
                    || piece.is_mark('~')
                    || piece.is_mark('@') =>
                {
                    0.0
                }
                () if piece.is_mark('-') || piece.is_mark('/') => 0.1,
                () if piece.is_mark('(') && after => 0.2,
                () if piece.is_mark('(') => 1.4,
                () if piece.is_mark(')') => 1.2,
                () if piece.is_mark(',') => {
                    if after {
                        1.2
                    } else {
                        2.0
                    }
                }
                () if piece.is_mark('\u{2014}') && after => 0.3,
                () => 2.6,
            }
        } else if word == "of" {
            0.0
        } else if word == "and" {
            1.6
        } else if matches!(
            word,
            "for" | "on" | "with" | "if" | "from" | "given" | "then" | "but" | "against" | "over"
        ) {
            if after { 1.1 } else { 1.0 }
        } else if matches!(word, "is" | "are" | "was" | "equals" | "at" | "to" | "be") {
            if after { 0.05 } else { 1.2 }
        } else if links(word) {
            if after || position > 0 { 0.15 } else { 0.3 }
        } else {
            0.7
        };
    }
    if mention.verb {
        // A verb takes the amount that follows it.
        if !after {
            return None;
        }
        cost += 0.1;
    }
    let coverage = mention.variable == Some(Variable::Dscr)
        && tokens
            .get(token)
            .and_then(Token::number)
            .is_some_and(|number| number.shape == Shape::Multiple);
    if asked
        && !coverage
        && !(after
            && between
                .iter()
                .all(|piece| matches!(piece.word(), "of" | "is") || piece.is_mark('=') || piece.is_mark(':')))
    {
        // What is asked for has no number; only "DSCR: 1.25x" or "65% LTV" says otherwise.
        let adjacent = !after
            && between
                .iter()
                .all(|piece| piece.is_mark('-') || piece.word() == "of");
        if !adjacent {
            return None;
        }
    }
    Some(if asked { cost + 0.5 } else { cost })
}
