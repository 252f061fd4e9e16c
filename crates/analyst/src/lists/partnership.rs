//! Distribution waterfalls in prose: capital, preferred return, catch-up, tiers by rate of return or multiple, one
//! or several distributions.
//!
//! Every number of the question has its place in the agreement, or the question is left to others.

use serde_json::json;

use crate::contract::draft::Input;
use crate::forms::words::Words;
use crate::lists::agreement::{Agreement, PARTNERS, SPONSOR, Step, capital, collect, pair, rest_of};
use crate::plan::outcome::Ask;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use finance::flows::irr_roots;
use finance::waterfall::{Accrual, CatchUp, Hurdle, Order, Period, Shares, Style, Terms, Tier, run};

pub(crate) fn read(words: &Words) -> Read {
    let sides = words.has(PARTNERS) || words.has(SPONSOR);
    let topic = words.has(&[
        "pref",
        "preferred",
        "promote",
        "split",
        "waterfall",
        "carry",
        "carried",
        "hurdle",
        "tiers",
        "tier",
        "catchup",
        "irr",
    ]) || words.says(&["catch up", "pro rata", "two tier"])
        || (0..words.tokens.len()).any(|at| pair(words, at).is_some());
    let strange = words.has(&[
        "half",
        "third",
        "monthly",
        "quarterly",
        "daily",
        "semiannually",
        "clawback",
        "attached",
        "file",
        "fee",
        "fees",
        "tax",
        "taxes",
        "loan",
        "debt",
        "noi",
        "mezz",
        "or",
        "waived",
        "deferred",
    ]);
    if !sides || !topic || strange {
        return None;
    }
    let agreement = collect(words)?;
    settle(words, agreement)
}

/// The tiers above capital and preferred return, and the preferred return.
fn tiers(words: &Words, found: &Agreement, share: f64) -> Option<(f64, Option<CatchUp>, Vec<Tier>, bool)> {
    let mut preferred = 0.0;
    let mut by_rate = false;
    let mut catch_up = None;
    let mut tiers: Vec<Tier> = Vec::new();
    let mut open: Option<(usize, f64)> = None;
    let mut hurdle: Option<Hurdle> = None;
    for (index, (at, step)) in found.steps.iter().enumerate() {
        match step {
            Step::Preferred(rate) if preferred == 0.0 && tiers.is_empty() && open.is_none() => {
                preferred = *rate;
            }
            Step::Preferred(_) => return None,
            Step::CatchUp(sponsor, target) => {
                let last = found.steps.iter().skip(index).find_map(|(_, step)| match step {
                    Step::Split(part) => Some(1.0 - part),
                    Step::Promote(part) => Some(*part),
                    _ => None,
                });
                catch_up = Some(CatchUp {
                    to_sponsor: sponsor.unwrap_or(1.0),
                    target: target.or(last)?,
                });
            }
            Step::Hurdle(next) => match open.take() {
                // "80/20 until the LP reaches a 14% IRR".
                Some((from, part)) => {
                    let until = (from..*at).any(|at| {
                        matches!(
                            words.word(at),
                            "until" | "to" | "up" | "till" | "reaches" | "through" | "reach"
                        )
                    });
                    if !until {
                        return None;
                    }
                    tiers.push(Tier {
                        until: Some(*next),
                        to_partners: part,
                    });
                }
                None if tiers.is_empty() && preferred == 0.0 && hurdle.is_none() => match next {
                    Hurdle::Rate(rate) => {
                        preferred = *rate;
                        by_rate = true;
                    }
                    Hurdle::Multiple(multiple) if *multiple > 1.0 => tiers.push(Tier {
                        until: Some(*next),
                        to_partners: share,
                    }),
                    // The capital itself comes back first anyway.
                    Hurdle::Multiple(_) => hurdle = None,
                },
                None if hurdle.is_none() => hurdle = Some(*next),
                None => return None,
            },
            Step::Split(_) | Step::Promote(_) => {
                let part = match step {
                    Step::Split(part) => *part,
                    Step::Promote(part) => (1.0 - part) * share,
                    _ => return None,
                };
                match (hurdle.take(), open) {
                    (Some(until), None) => tiers.push(Tier {
                        until: Some(until),
                        to_partners: part,
                    }),
                    // "full catch-up, 20% carry" and "80/20" say one thing twice.
                    (None, Some((_, known))) if (known - part).abs() < 1e-9 => {}
                    // "25% promote with the rest split 90/10", as the capital is shared.
                    (None, Some(_)) if rest_of(found, index, part, share) => {}
                    (None, None) => open = Some((*at, part)),
                    _ => return None,
                }
            }
        }
    }
    if hurdle.is_some() {
        return None;
    }
    let said = words.says(&[
        "full catch up",
        "full gp catch up",
        "full catchup",
        "full sponsor catch up",
    ]);
    if let Some((_, part)) = open {
        tiers.push(Tier {
            until: None,
            to_partners: part,
        });
    } else if let Some(up) = catch_up.filter(|_| tiers.is_empty()) {
        tiers.push(Tier {
            until: None,
            to_partners: 1.0 - up.target,
        });
    } else if !tiers.is_empty() {
        return None;
    }
    if said && catch_up.is_none() {
        let part = tiers.last()?.to_partners;
        catch_up = Some(CatchUp {
            to_sponsor: 1.0,
            target: 1.0 - part / share.max(1e-9),
        });
    }
    let named = words.says(&["catch up", "catchup"])
        && !words.says(&[
            "no catch up",
            "without catch up",
            "no catchup",
            "without a catch up",
        ]);
    if named != catch_up.is_some() {
        return None;
    }
    Some((preferred, catch_up, tiers, by_rate))
}

/// Distributions by period; the capital goes in at t = 0.
fn periods(found: &Agreement, capital: f64, timeless: bool) -> Option<Vec<Period>> {
    let count = found.cash.len();
    let years: Vec<usize> = match found.years.as_slice() {
        [] if timeless && count == 1 => vec![1],
        [] => return None,
        [only] if count == 1 => vec![*only],
        [last] if *last == count => (1..=count).collect(),
        [first, last] if found.ranged && last - first + 1 == count => (*first..=*last).collect(),
        many if many.len() == count && many.windows(2).all(|two| matches!(two, [a, b] if a < b)) => {
            many.to_vec()
        }
        [one, two] if one == two && count == 1 => vec![*one],
        _ => return None,
    };
    let last = *years.last()?;
    if !(1..=100).contains(&last) || years.contains(&0) {
        return None;
    }
    let mut periods = vec![Period::default(); last + 1];
    periods.first_mut()?.contribution = capital;
    for (year, (_, cash)) in years.iter().zip(&found.cash) {
        periods.get_mut(*year)?.distribution += cash;
    }
    Some(periods)
}

fn settle(words: &Words, found: Agreement) -> Read {
    if found.capital.is_none() && found.partners.is_none() {
        return above(words, &found);
    }
    let (capital, share) = capital(&found)?;
    let (preferred, catch_up, tiers, by_rate) = tiers(words, &found, share)?;
    let current = words.says(&["american", "current pref", "deal by deal"]);
    if current {
        return of_year(words, &found, capital, share, preferred, &tiers);
    }
    let timeless = preferred == 0.0
        && tiers
            .iter()
            .all(|tier| !matches!(tier.until, Some(Hurdle::Rate(_))));
    let periods = periods(&found, capital, timeless)?;
    let simple = words.has(&["simple", "noncompounding"])
        || words.says(&["non compounding", "not compounding", "not compounded"]);
    let compound =
        words.has(&["compounded", "compounding", "compound", "compounds", "cumulative"]) && !simple;
    if preferred > 0.0 && !simple && !compound && !by_rate && periods.len() > 2 {
        return Some(Err(Ask::because(
            "Is the preferred return simple, or does it compound annually?",
        )));
    }
    let terms = Terms {
        partners_share: share,
        preferred,
        accrual: if simple {
            Accrual::Simple
        } else {
            Accrual::Compounding
        },
        order: if words.says(&["capital first", "capital back first", "capital is returned first"]) {
            Order::CapitalFirst
        } else {
            Order::PreferredFirst
        },
        style: Style::European,
        catch_up,
        tiers,
    };
    let shares = match run(&terms, &periods) {
        Ok(shares) => shares,
        Err(fault) => return Some(Err(Ask::because(fault.sentence()))),
    };
    Some(say(words, &terms, &periods, &shares))
}

/// Profit above the claims alone: "split 3m above the pref, 20% promote, the rest pro rata 90/10".
fn above(words: &Words, found: &Agreement) -> Read {
    let above = words.has(&["above", "excess", "residual", "after", "remaining"])
        && words.has(&["profit", "profits", "excess", "cash", "residual"]);
    let cash = match found.cash.as_slice() {
        [(_, cash)] if above && found.years.is_empty() => *cash,
        _ => return None,
    };
    let share = found.partners_share.unwrap_or(1.0);
    let part = match found.steps.as_slice() {
        [(_, Step::Split(part))] => *part,
        [(_, Step::Promote(part))] => (1.0 - part) * share,
        _ => return None,
    };
    let definition = "What is left above capital and preferred return is split as the agreement says; no earlier claim is counted here.";
    let inputs = inputs(&[("distribution", cash, "USD"), ("lp_part", part, "percent")]);
    let (partners, sponsor) = (cash * part, cash * (1.0 - part));
    Some(Ok(written(
        words,
        &[
            ("lp_distribution", "to the limited partners", partners),
            ("gp_distribution", "to the sponsor", sponsor),
        ],
        definition,
        inputs,
        Vec::new(),
    )))
}

/// A year's operating cash: the current preferred return first, then the split; no capital comes back.
fn of_year(words: &Words, found: &Agreement, capital: f64, share: f64, rate: f64, tiers: &[Tier]) -> Read {
    let (Some((_, cash)), Some(tier), None) = (found.cash.first(), tiers.first(), found.cash.get(1)) else {
        return None;
    };
    if found.years.iter().any(|year| *year != 1) || tiers.len() != 1 || tier.until.is_some() {
        return None;
    }
    let preferred = (capital * rate).min(*cash);
    let excess = cash - preferred;
    let partners = preferred * share + excess * tier.to_partners;
    let inputs = inputs(&[
        ("capital", capital, "USD"),
        ("preferred_return", rate, "percent"),
        ("distribution", *cash, "USD"),
        ("lp_part", tier.to_partners, "percent"),
    ]);
    let definition = "Operating cash of one year: the current preferred return on capital first, pro rata; the excess by the split. No capital is returned from it.";
    let steps = vec![format!(
        "Preferred return of the year {}, excess {}.",
        format::money(preferred),
        format::money(excess)
    )];
    Some(Ok(written(
        words,
        &[
            ("lp_distribution", "to the limited partners", partners),
            ("gp_distribution", "to the sponsor", cash - partners),
        ],
        definition,
        inputs,
        steps,
    )))
}

fn inputs(given: &[(&str, f64, &str)]) -> Vec<Input> {
    given
        .iter()
        .map(|(name, value, unit)| input(*name, *value, unit))
        .collect()
}

fn say(words: &Words, terms: &Terms, periods: &[Period], shares: &Shares) -> Result<Written, Ask> {
    let capital: f64 = periods.iter().map(|period| period.contribution).sum();
    let mut given = vec![
        ("capital", capital, "USD"),
        ("lp_share", terms.partners_share, "percent"),
        ("preferred_return", terms.preferred, "percent"),
    ];
    for period in periods.iter().filter(|period| period.distribution > 0.0) {
        given.push(("distribution", period.distribution, "USD"));
    }
    for tier in &terms.tiers {
        given.push(("tier_lp_part", tier.to_partners, "percent"));
    }
    if let Some(up) = terms.catch_up {
        given.push(("catch_up", up.to_sponsor, "percent"));
        given.push(("catch_up_target", up.target, "percent"));
    }
    let definition = "European waterfall, year by year: preferred return and capital back first, pro rata to capital; then the catch-up, if any; then the tiers in turn.";
    let mut steps = vec![format!(
        "Preferred return paid {}, capital returned {}, catch-up {}.",
        format::money(shares.preferred_paid),
        format::money(shares.capital_returned),
        format::money(shares.catch_up)
    )];
    for (tier, cash) in terms.tiers.iter().zip(&shares.tiers) {
        let until = match tier.until {
            Some(Hurdle::Rate(rate)) => format!(
                " until the limited partners have {}% a year",
                format::plain(rate * 100.0, 2)
            ),
            Some(Hurdle::Multiple(multiple)) => {
                format!(" until the limited partners have {}x", format::plain(multiple, 2))
            }
            None => String::new(),
        };
        steps.push(format!(
            "{} split with {}% to the limited partners{until}.",
            format::money(*cash),
            format::plain(tier.to_partners * 100.0, 2)
        ));
    }
    let inputs = inputs(&given);
    if words.has(&["irr"])
        && words.says(&[
            "lp irr",
            "lps irr",
            "investor irr",
            "investors irr",
            "irr to the lp",
            "irr of the lp",
            "irr for the lp",
        ])
    {
        let flows: Vec<f64> = periods
            .iter()
            .enumerate()
            .map(|(at, period)| {
                shares.partners_by_period.get(at).copied().unwrap_or(0.0)
                    - period.contribution * terms.partners_share
            })
            .collect();
        let roots = irr_roots(&flows).map_err(|fault| Ask::because(fault.sentence()))?;
        let [only] = roots.as_slice() else {
            return Err(Ask::because(
                "The limited partners' flows have more than one IRR.",
            ));
        };
        return Ok(Written {
            figures: vec![figure("lp_irr", json!(only), "percent", definition, inputs)],
            said: format!("The limited partners' IRR is {}%", format::plain(only * 100.0, 2)),
            definition: definition.to_owned(),
            steps,
            ..Written::default()
        });
    }
    let owed = words.says(&["unpaid", "still owed", "outstanding", "still unpaid"]);
    let mut lines = vec![
        ("lp_distribution", "to the limited partners", shares.partners),
        ("gp_distribution", "to the sponsor", shares.sponsor),
        ("gp_promote", "of it promote", shares.promote),
    ];
    if owed {
        lines.insert(
            0,
            (
                "accrued_pref",
                "preferred return still owed",
                shares.preferred_owed,
            ),
        );
    }
    Ok(written(words, &lines, definition, inputs, steps))
}

/// All amounts, the one asked for first.
fn written(
    words: &Words,
    lines: &[(&'static str, &'static str, f64)],
    definition: &str,
    inputs: Vec<Input>,
    mut steps: Vec<String>,
) -> Written {
    // What is asked stands in the last sentence, or in the one with the question mark.
    let end = (0..words.tokens.len())
        .rfind(|at| words.mark(*at, '?'))
        .unwrap_or(words.tokens.len());
    let from = (0..end)
        .rfind(|at| words.mark(*at, '.') || words.mark(*at, '?'))
        .map_or(0, |at| at + 1);
    let asks = |names: &[&str]| (from..end).any(|at| names.contains(&words.word(at)));
    // "How much goes to the GP: 8m from LPs …": what is asked ends where the facts begin.
    let own = (from..end)
        .find(|at| matches!(words.word(*at), "much" | "what"))
        .map(|start| {
            let to = (start..end)
                .find(|at| {
                    words.mark(*at, ':')
                        || words.mark(*at, ',')
                        || words.mark(*at, ';')
                        || words.word(*at) == "if"
                })
                .unwrap_or(end);
            let says = |names: &[&str]| (start..to).any(|at| names.contains(&words.word(at)));
            (
                says(PARTNERS),
                says(SPONSOR),
                says(&["promote", "carry", "carried"]),
            )
        });
    let first = if lines.iter().any(|(name, _, _)| *name == "accrued_pref") {
        "accrued_pref"
    } else if let Some((true, false, false)) = own {
        "lp_distribution"
    } else if let Some((false, true, false)) = own {
        "gp_distribution"
    } else if asks(&["promote", "carry", "carried"]) && !asks(&["incl", "including", "total"]) {
        "gp_promote"
    } else if asks(SPONSOR) && !asks(PARTNERS) {
        "gp_distribution"
    } else {
        "lp_distribution"
    };
    let mut ordered: Vec<&(&'static str, &'static str, f64)> = lines.iter().collect();
    ordered.sort_by_key(|(name, _, _)| *name != first);
    let figures = ordered
        .iter()
        .map(|(name, _, value)| figure(name, json!(value), "USD", definition, inputs.clone()))
        .collect();
    let said: Vec<String> = ordered
        .iter()
        .map(|(_, label, value)| format!("{} {label}", format::money(*value)))
        .collect();
    let rows = ordered
        .iter()
        .map(|(_, label, value)| vec![(*label).to_owned(), format::money(*value)])
        .collect();
    steps.push(definition.to_owned());
    Written {
        figures,
        said: said.join(", "),
        definition: definition.to_owned(),
        head: vec!["Share", "Amount"],
        rows,
        steps,
        remarks: Vec::new(),
    }
}
