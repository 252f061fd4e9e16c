//! Words that change a figure and that its engine did not take in: such an answer is withheld, and what was not
//! understood is asked.
//!
//! Looks at the question and at the figures with their inputs, whoever worked them out. What an engine does take in
//! shows in its inputs or is no longer in the question that it was told.

use crate::contract::draft::Draft;
use crate::contract::draft::Figure;
use crate::plan::conditions;
use crate::plan::guards::modifies;
use crate::plan::headline;
use crate::plan::manner;
use crate::plan::nearby;
use crate::plan::outcome::Ask;
use crate::plan::outside;
use crate::plan::spans;
use crate::plan::stated;
use crate::plan::waived;
use crate::read::vocabulary::{matches, mentions};
use crate::say::compose;
use crate::words::scan::{Shape, Token};
use finance::variable::Variable;

/// A phrase that these figures do not take in.
struct Phrase {
    says: &'static [&'static str],
    /// Names of figures.
    of: &'static [&'static str],
    /// An input that shows that it was taken in.
    unless: &'static [&'static str],
    ask: &'static str,
}

const SHARED: &[&str] = &[
    "lp_distribution",
    "gp_distribution",
    "gp_promote",
    "accrued_pref",
    "lp_irr",
];
const RETURNS: &[&str] = &[
    "irr",
    "irr_roots",
    "npv",
    "mirr",
    "equity_multiple",
    "xirr",
    "levered_irr",
];
const RENTS: &[&str] = &[
    "rent_psf",
    "annual_rent",
    "monthly_rent",
    "total_rent",
    "net_effective_rent",
    "net_effective_monthly_rent",
    "net_effective_annual_rent",
];

#[rustfmt::skip]
const PHRASES: &[Phrase] = &[
    Phrase {
        says: &["subordinate", "subordinated", "subordinates", "subordination", "lp capital only", "lp equity only", "lp only", "lps only", "only the lp earns", "only lps earn", "only the lps earn", "only to the lp", "only to lps", "lp's capital only", "lp first", "gp gets no pref", "gp earns no pref", "no pref for the gp", "no pref to the gp", "ahead of the gp", "behind the lp"],
        of: SHARED,
        unless: &[],
        ask: "I share capital and preferred return pro rata between both sides. Here one side seems to come first, or to earn alone: please give the capital on which the preferred return accrues, and who is paid in which order.",
    },
    Phrase {
        says: &["biennial", "biennially", "triennial", "triennially", "quinquennial", "every other year", "every second year", "every third year", "every fifth year", "every two years", "every three years", "every five years"],
        of: RENTS,
        unless: &["years_per_step"],
        ask: "The rent steps up after several years, which I did not take in. Please give the rent of the first year, each step, and after how many years it comes.",
    },
    Phrase {
        says: &["penny back", "cent back", "dime back", "nothing back", "nothing has come back", "haven't had anything back", "not had anything back", "no money back"],
        of: RETURNS,
        unless: &[],
        ask: "Nothing has come back yet, so there is no return to work out: it needs what came in, and when.",
    },
    Phrase {
        says: &["not now but", "not today but", "due not now", "not at once but"],
        of: RETURNS,
        unless: &[],
        ask: "Something falls due later instead of now. Please give each payment with its year, counted from today.",
    },
    Phrase {
        says: &["recallable", "recycled", "reinvested distributions"],
        of: RETURNS,
        unless: &["reinvestment_rate"],
        ask: "Are those distributions paid in again? Please give each payment with its year.",
    },
];

/// Shares that are never more than the whole.
const SHARES: &[&str] = &[
    "vacancy_share",
    "bad_debt_share",
    "pro_rata_share",
    "lp_share",
    "gp_share",
    "lp_residual_share",
    "promote_share",
    "land_share",
    "sale_cost_share",
    "ltv",
    "physical_occupancy",
    "occupied_share",
    "vacant_share",
    "actual_occupancy",
];

/// Parts that are never more than their whole.
#[rustfmt::skip]
const PARTS: &[(&str, &str, &str)] = &[
    ("vacancy_loss", "gross_potential_rent", "The vacancy loss exceeds the potential rent."),
    ("vacancy_loss", "gpr", "The vacancy loss exceeds the potential rent."),
    ("bad_debt", "gpr", "The bad debt exceeds the potential rent."),
    ("concessions", "gpr", "The concessions exceed the potential rent."),
    ("non_revenue", "gpr", "The non-revenue units exceed the potential rent."),
    ("occupied_units", "total_units", "More units are occupied than there are."),
    ("vacant_units", "total_units", "More units are vacant than there are."),
    ("tenant_area", "pool_area", "The tenant's area exceeds the area that shares the costs."),
    ("land_cost", "price", "The land exceeds the price."),
    ("lp_capital", "capital", "The limited partners' capital exceeds the whole."),
    ("gp_capital", "capital", "The sponsor's capital exceeds the whole."),
];

/// The draft, or the question in its place.
pub(crate) fn judged(tokens: &[Token], draft: Draft) -> Draft {
    if !draft.success || draft.figures.is_empty() {
        return draft;
    }
    let figures = &draft.figures;
    let found = share(tokens, figures)
        .or_else(|| reason(tokens, figures))
        .or_else(|| spans::missed(tokens, figures))
        .or_else(|| outside::counted(tokens, figures))
        .or_else(|| nearby::missed(tokens, figures))
        .or_else(|| headline::other(tokens, figures))
        .or_else(|| manner::missed(tokens, figures))
        .or_else(|| stated::unheeded(tokens, figures));
    match found {
        Some(reason) => Draft {
            frame: draft.frame,
            ..compose::ask(&Ask::because(reason), &[], &[])
        },
        None => draft,
    }
}

/// "Opex as a percentage of EGI" is no amount of money.
fn share(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let asked = (0..tokens.len()).any(|at| {
        let word = |at: usize| tokens.get(at).map_or("", Token::word);
        let sign = tokens.get(at).is_some_and(|token| token.is_mark('%'))
            || matches!(word(at), "percentage" | "percent");
        let as_share = at
            .checked_sub(2)
            .is_some_and(|back| word(back) == "as" && word(at - 1) == "a")
            || at.checked_sub(1).is_some_and(|back| word(back) == "as");
        sign && as_share && word(at + 1) == "of"
    });
    let ratios = ["percent", "ratio", "multiple", "share"];
    let none = figures
        .iter()
        .all(|figure| !ratios.contains(&figure.unit.as_str()));
    (asked && none).then(|| "You ask for a share, and I am not sure of what. Please name the ratio, for instance the operating expense ratio.".to_owned())
}

fn reason(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let of = |names: &[&str]| {
        figures
            .first()
            .is_some_and(|figure| names.contains(&figure.name.as_str()))
    };
    let input = |name: &str| {
        figures
            .iter()
            .flat_map(|figure| &figure.inputs)
            .find(|input| input.name == name)
            .and_then(|input| input.value.as_f64())
    };
    let phrase = PHRASES.iter().find(|phrase| {
        of(phrase.of)
            && phrase.says.iter().any(|says| stands(tokens, says))
            && phrase
                .unless
                .iter()
                .all(|name| input(name).is_none_or(|value| value == 1.0))
    });
    if let Some(phrase) = phrase {
        return Some(phrase.ask.to_owned());
    }
    if let Some(name) = SHARES
        .iter()
        .find(|name| input(name).is_some_and(|share| share > 1.0 + 1e-9))
    {
        let name = name.replace('_', " ");
        return Some(format!("A {name} of more than 100% cannot be. Please check it."));
    }
    let parts = PARTS.iter().find(|(part, whole, _)| {
        input(part)
            .zip(input(whole))
            .is_some_and(|(part, whole)| part > whole * (1.0 + 1e-9))
    });
    if let Some((_, _, fact)) = parts {
        return Some(format!("{fact} Please check the numbers."));
    }
    if let Some(fact) = larger_part(tokens) {
        return Some(fact);
    }
    let limit = waived::named(tokens)
        .into_iter()
        .find(|limit| input(limit.word()).is_some());
    if let Some(limit) = limit {
        return Some(format!(
            "You set the {} aside, but the figure as I would compute it uses it. Should it be left out altogether?",
            limit.label()
        ));
    }
    if let Some(name) = excluded(tokens, &|name| input(name).is_some_and(|value| value != 0.0)) {
        return Some(format!(
            "You say that the {name} is left out, but the figure as I would compute it uses it. Should it enter?"
        ));
    }
    if of(&["interest", "interest_paid", "per_diem"]) && day_counts(tokens) > 1 {
        return Some("Two day counts are named. Which of them should I use?".to_owned());
    }
    let flows = figures
        .iter()
        .flat_map(|figure| &figure.inputs)
        .any(|input| input.name == Variable::Flows.word());
    if of(RETURNS) && flows {
        if let Some(part) = conditions::part_of_amount(tokens) {
            return Some(conditions::ask(part));
        }
        if let Some(reason) = taken_off(tokens).or_else(|| unpriced_sale(tokens)) {
            return Some(reason);
        }
    }
    None
}

/// "25,000 sf of a 20,000 sf building", "5m of which 6m is land".
fn larger_part(tokens: &[Token]) -> Option<String> {
    let number = |at: usize| tokens.get(at).and_then(Token::number);
    (0..tokens.len())
        .find_map(|at| {
            let part = number(at).filter(|number| matches!(number.shape, Shape::Area | Shape::Units))?;
            let of = (at + 1..at + 3).find(|at| matches!(word(tokens, *at), "of" | "in" | "out"))?;
            let whole = (of + 1..of + 5)
                .take_while(|at| {
                    *at == of + 1
                        || matches!(
                            word(tokens, at - 1),
                            "a" | "an" | "the" | "of" | "our" | "its" | "total"
                        )
                })
                .find_map(number)?;
            (part.shape == whole.shape && part.value > whole.value)
                .then(|| "The part named is larger than its whole. Please check the numbers.".to_owned())
        })
        .or_else(|| {
            let at = (0..tokens.len()).find(|at| stands_at(tokens, *at, "of which").is_some())?;
            let whole = (1..=3).filter_map(|back| at.checked_sub(back)).find_map(number)?;
            let part = (at + 2..at + 6).find_map(number)?;
            let money = |shape: Shape| matches!(shape, Shape::Money | Shape::Plain);
            (money(part.shape) && money(whole.shape) && part.value > whole.value).then(|| {
                "The part named is larger than the amount before it. Please check the numbers.".to_owned()
            })
        })
}

/// "Ignoring TI": an input that the question leaves out and the figure has.
fn excluded(tokens: &[Token], has: &dyn Fn(&str) -> bool) -> Option<&'static str> {
    const LEADS: &[&str] = &[
        "ignoring",
        "ignore",
        "excluding",
        "exclude",
        "disregarding",
        "disregard",
        "omitting",
        "leaving out",
        "leave out",
        "not counting",
    ];
    let named = mentions(tokens);
    (0..tokens.len()).find_map(|at| {
        let to = LEADS
            .iter()
            .filter_map(|lead| stands_at(tokens, at, lead))
            .max()?;
        let start = (to..to + 3).find(|at| !matches!(word(tokens, *at), "the" | "any" | "all" | "our"))?;
        let mention = named.iter().find(|mention| mention.from == start)?;
        let variable = mention.variable.filter(|variable| modifies(*variable))?;
        has(variable.word()).then(|| variable.label())
    })
}

fn day_counts(tokens: &[Token]) -> usize {
    let mut found: Vec<String> = tokens
        .iter()
        .filter_map(|token| match token.word() {
            "actual/360" | "act/360" => Some("actual/360".to_owned()),
            "actual/365" | "act/365" => Some("actual/365".to_owned()),
            "30/360" => Some("30/360".to_owned()),
            _ => None,
        })
        .collect();
    found.sort();
    found.dedup();
    found.len()
}

/// "7m before 500k of promote": an amount that something named still goes off.
fn taken_off(tokens: &[Token]) -> Option<String> {
    let number = |at: usize| tokens.get(at).and_then(Token::number);
    let money = |at: usize| {
        number(at).is_some_and(|number| {
            matches!(number.shape, Shape::Money | Shape::Plain) && number.value >= 1000.0
        })
    };
    let at = (1..tokens.len()).find(|at| {
        let told = matches!(word(tokens, *at), "before" | "less" | "after" | "gross" | "net")
            && (1..=3).filter_map(|back| at.checked_sub(back)).any(money);
        let next = at + 1 + usize::from(word(tokens, at + 1) == "of");
        told && money(next) && !matches!(word(tokens, next + 1), "in" | "at" | "a" | "per" | "each")
    })?;
    Some(format!(
        "You say “{}” beside an amount: is the amount before it the one that is paid, or does that still come off? Please \
         give the amount that counts.",
        word(tokens, at)
    ))
}

/// A sale that is told without its price: it would fall out of the flows.
fn unpriced_sale(tokens: &[Token]) -> Option<String> {
    const SALES: &[&str] = &[
        "sell",
        "sells",
        "sold",
        "selling",
        "sale",
        "resale",
        "resell",
        "reversion",
        "exit",
        "exits",
        "exited",
        "exiting",
        "dispose",
        "disposal",
    ];
    let number = |at: usize| tokens.get(at).and_then(Token::number);
    let lump = |at: usize| {
        number(at).is_some_and(|number| {
            matches!(number.shape, Shape::Money | Shape::Plain)
                && (number.value >= 100.0 || number.scaled || number.dollars)
                && number.per.is_none()
        })
    };
    let ends = |at: usize| {
        tokens
            .get(at)
            .is_none_or(|token| token.is_mark('.') || token.is_mark('?'))
    };
    let bought = |at: usize| {
        (1..=3).filter_map(|back| at.checked_sub(back)).any(|at| {
            matches!(
                word(tokens, at),
                "buy"
                    | "buying"
                    | "bought"
                    | "pay"
                    | "paying"
                    | "paid"
                    | "price"
                    | "invest"
                    | "invested"
                    | "put"
                    | "purchase"
                    | "purchased"
                    | "acquire"
                    | "acquired"
                    | "cost"
                    | "equity"
            )
        })
    };
    let sales: Vec<usize> = (0..tokens.len())
        .filter(|at| SALES.contains(&word(tokens, *at)))
        .collect();
    let denied = sales.iter().any(|at| {
        (1..=3).filter_map(|back| at.checked_sub(back)).any(|at| {
            matches!(
                word(tokens, at),
                "no" | "without" | "never" | "not" | "before" | "don't" | "if"
            )
        })
    });
    let priced = sales.iter().any(|at| {
        (at + 1..at + 14).take_while(|at| !ends(*at)).any(lump)
            || (1..=8)
                .map_while(|back| at.checked_sub(back))
                .take_while(|at| !ends(*at))
                .any(|at| lump(at) && !bought(at))
    });
    (!sales.is_empty() && !denied && !priced).then(|| {
        "A sale is named, and I do not see its price. For how much is it sold, and in which year?".to_owned()
    })
}

fn stands(tokens: &[Token], phrase: &str) -> bool {
    (0..tokens.len()).any(|at| stands_at(tokens, at, phrase).is_some())
}

fn stands_at(tokens: &[Token], at: usize, phrase: &str) -> Option<usize> {
    if !phrase.starts_with(word(tokens, at).chars().next()?) {
        return None;
    }
    let parts: Vec<&str> = phrase.split(' ').collect();
    matches(tokens, at, &parts)
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}
