//! Another figure than the one that is asked for: a ratio's complement, a month's part of a year's figure, a share of an
//! amount, the start of what was worked out to its end. Right as it may be, it is no answer.
//!
//! Looks at the words of the question and at the first figure, whoever worked it out.

use crate::contract::draft::Figure;
use crate::read::vocabulary::matches;
use crate::words::scan::{Number, Per, Shape, Token};

/// A phrase that asks for something else than these figures.
struct Other {
    says: &'static [&'static str],
    /// Names of the first figure.
    of: &'static [&'static str],
    ask: &'static str,
}

const RENTS: &[&str] = &["rent_psf", "annual_rent", "monthly_rent"];
const PAYMENTS: &[&str] = &["payment", "io_payment"];
#[rustfmt::skip]
const LOANS: &[&str] = &[
    "payment", "io_payment", "debt_service", "mortgage_constant", "balloon", "interest_paid", "principal_paid", "dscr", "max_loan", "loan_amount",
];
const GRIDS: &[&str] = &["value_min", "value_mid", "value_max", "value_spread"];

#[rustfmt::skip]
const OTHERS: &[Other] = &[
    Other {
        says: &["breakeven vacancy", "break even vacancy", "breakeven vacancy rate", "vacancy can we take", "vacancy we can take", "vacancy could we absorb", "vacancy can we absorb", "vacancy we can absorb"],
        of: &["breakeven_occupancy"],
        ask: "You ask for a vacancy, and what I work out is the break-even occupancy: the vacancy is what is left to 100%. Should I give the break-even occupancy?",
    },
    Other {
        says: &["equity percentage", "equity percent", "equity share", "equity ratio", "equity %", "equity as a percentage", "equity in percent", "percent equity", "percentage equity", "percentage of equity", "% equity", "share of equity", "equity to value", "how much equity in percent"],
        of: &["equity", "loan_amount"],
        ask: "You ask for the equity as a share, and what I work out is its amount: the share of equity is what the loan to value leaves to 100%. Should I give the loan to value?",
    },
    Other {
        says: &["is lost", "loss percentage", "loss percent", "loss share", "percentage lost", "percent lost", "share lost", "do we lose", "are we losing", "isn't collected", "is not collected", "is uncollected", "goes uncollected"],
        of: &["economic_occupancy"],
        ask: "You ask for what is lost, and what I work out is the economic occupancy: the loss is what is left to 100%. Should I give the economic occupancy?",
    },
    Other {
        says: &["monthly grm", "monthly gross rent multiplier", "grm on monthly", "grm on the monthly", "grm by the month", "grm per month", "grm monthly", "gross rent multiplier on monthly", "monthly rent multiplier", "gross monthly rent multiplier", "monthly basis"],
        of: &["grm"],
        ask: "I measure the gross rent multiplier on the annual rent; on the monthly rent it is twelve times as high. Should I give the annual one?",
    },
    Other {
        says: &["constant per month", "monthly constant", "monthly loan constant", "monthly mortgage constant", "constant a month"],
        of: &["mortgage_constant"],
        ask: "I work out the constant of a year: twelve monthly payments on the loan. Should I give that?",
    },
    Other {
        says: &["noi per month", "noi a month", "monthly noi", "noi each month", "noi per quarter", "quarterly noi", "noi a quarter"],
        of: &["noi"],
        ask: "I work out the NOI for a year. Should I give it for the year?",
    },
    Other {
        says: &["spread between", "difference between", "gap between", "spread over", "spread to"],
        of: &["going_in_cap_rate"],
        ask: "You ask for a difference, and I would give the cap rate alone. Should I?",
    },
    Other {
        says: &["per month", "a month", "each month", "monthly depreciation", "by month", "per quarter", "each quarter", "quarterly depreciation"],
        of: &["depreciation"],
        ask: "I work out the depreciation of a year. Should I give it for the year?",
    },
    Other {
        says: &["margin", "profit percentage", "profit percent", "profit %", "profit ratio", "profit on cost", "profit as a percentage", "percentage profit", "percent profit", "% profit", "return on cost"],
        of: &["development_profit"],
        ask: "Do you mean the profit as a share of the cost, as a share of the completed value, or as an amount? I would give the amount.",
    },
    Other {
        says: &["the corner", "corners", "left corner", "right corner", "upper corner", "lower corner", "top corner", "bottom corner", "corner cell", "corner value", "which corner", "opposite corner", "average", "mean", "median", "lowest cap", "highest cap", "lowest noi", "highest noi", "top left", "top right", "bottom left", "bottom right", "second best", "second worst"],
        of: GRIDS,
        ask: "You ask for one value of the grid, or for a summary of it, that I do not pick out. Please ask for the value at one NOI and one cap rate, or for the whole grid.",
    },
    Other {
        says: &["second tightest", "second most binding", "second lowest", "second smallest", "next tightest", "next lowest", "next smallest", "loosest", "least binding", "least tight", "not the tightest", "third tightest", "most generous"],
        of: &["max_loan", "loan_amount"],
        ask: "I would give the smallest of the loans that the limits allow. Which limit's loan do you want: please ask with that limit alone.",
    },
    Other {
        says: &["level principal", "constant principal", "equal principal", "fixed principal", "even principal", "straight line principal", "straight line amortization", "straight line amortisation", "linear amortization", "linear amortisation", "level principal payments", "equal installments of principal", "equal instalments of principal", "declining payment", "declining payments"],
        of: LOANS,
        ask: "The principal is repaid in equal parts there, and I work out loans with level payments only. Should I do so?",
    },
    Other {
        says: &["total of all payments", "total of all the payments", "sum of all payments", "sum of all the payments", "sum of the payments", "total of the payments", "total of payments", "total payments", "all payments", "all the payments", "total paid", "total repaid", "total repayment", "total amount paid", "total amount repaid", "pay in total", "paid in total", "pay altogether", "paid altogether", "pay back in total", "payments in total", "payments add up", "payments together", "payments for the whole year", "payments for the full year", "payments for the entire year", "payments for the year", "payments over the year", "payments of a whole year", "payments of a year", "year's payments", "year of payments"],
        of: PAYMENTS,
        ask: "You ask for several payments together, and I would give one. Should I give the monthly payment, the annual debt service, or the total interest?",
    },
    Other {
        says: &["payment per year", "payment a year", "payment each year", "payment every year", "payment per annum", "payment per quarter", "payment a quarter", "payment each quarter", "payment every quarter", "interest per year", "interest a year", "interest each year", "interest every year", "interest per annum", "interest per quarter", "interest a quarter", "interest each quarter", "interest every quarter", "interest only per year", "interest only a year", "interest only each year", "interest only every year", "interest only per annum", "interest only per quarter", "interest only a quarter", "interest only each quarter", "interest only every quarter", "pay per year", "pay a year", "pay each year", "pay every year", "pay per annum", "pay per quarter", "pay a quarter", "pay each quarter", "pay every quarter", "cost per year", "cost a year", "cost each year", "cost every year", "cost per annum", "cost per quarter", "cost a quarter", "cost each quarter", "cost every quarter", "debt service per year", "debt service a year", "debt service each year", "debt service every year", "debt service per annum", "debt service per quarter", "debt service a quarter", "debt service each quarter", "debt service every quarter", "annual interest only", "yearly interest only", "annual payment", "yearly payment", "quarterly payment", "quarterly interest", "for the year", "for the quarter", "for a year", "for a quarter", "for one year", "for one quarter"],
        of: &["io_payment"],
        ask: "I would give the interest of one month. Should I, or do you want it for another period?",
    },
    Other {
        says: &["capital plus", "capital and pref", "capital and preferred", "capital with pref", "capital back", "capital included", "including capital", "including the capital", "plus capital", "plus his capital", "plus her capital", "plus its capital", "plus their capital", "plus the capital", "plus our capital", "and his capital", "and its capital", "and their capital", "and the capital", "and capital", "with the capital", "principal and accrued", "principal plus", "principal and pref", "principal and preferred", "what total", "get back", "gets back", "total owed", "total payoff", "redeem", "redemption", "buy out", "buy them out", "pay off"],
        of: &["accrued_pref"],
        ask: "I would give the preferred return alone, without the capital. Should I, or do you want both together?",
    },
    Other {
        says: &["average", "mean", "on average", "averaged"],
        of: &["rent_psf"],
        ask: "You ask for an average, and I would give the rent of one year. Over which years should the rent be averaged, or which year do you want?",
    },
    Other {
        says: &["by how much", "how much higher", "how much more", "how much lower", "how much less", "difference between", "increase from", "the increase", "dollar increase", "rise from", "change from", "goes up from", "go up from", "cumulative increase", "total increase"],
        of: RENTS,
        ask: "You ask for a difference, and I would give the rent itself. Should I give the rent, and of which year?",
    },
    Other {
        says: &["ner per month", "ner a month", "monthly ner", "net effective rent per month", "net effective rent a month", "net effective per month", "effective rent per month", "monthly net effective rent", "net effective monthly rent", "monthly effective rent", "per month not per year", "not per year"],
        of: &["net_effective_rent"],
        ask: "I would give the net effective rent per square foot and year. Should I, or do you want an amount of money per month? Please say so with the area.",
    },
    Other {
        says: &["before the first", "before the second", "before the third", "before the fourth", "before the fifth", "prior to the first", "prior to the second", "prior to the third", "just before", "right before"],
        of: &["rent_psf", "annual_rent", "monthly_rent"],
        ask: "You ask for the rent before a change, and I would give it after one. After which of the changes, counted from the start, is it wanted?",
    },
    Other {
        says: &["option year", "option period", "option years", "option term", "renewal year", "renewal term", "renewal period", "extension year", "extension term", "extension period", "of the option", "of the renewal", "of the extension"],
        of: RENTS,
        ask: "Is that a year of the option? Please count the year from the start of the lease.",
    },
];

/// The question that such a figure leads to.
pub(super) fn other(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    let name = first.name.as_str();
    let input = |name: &str| first.inputs.iter().any(|input| input.name == name);
    // A rent that is no row of steps may be an average or a difference.
    let grown = !RENTS.contains(&name)
        || [
            "base_rent_psf",
            "base_annual_rent",
            "annual_rent",
            "starting_rent",
        ]
        .iter()
        .any(|base| input(base));
    // "The worst corner" is the lowest value, wherever it stands.
    let corner = ["worst corner", "best corner", "lowest corner", "highest corner"]
        .iter()
        .any(|says| stands(tokens, says));
    if let Some(other) = OTHERS.iter().find(|other| {
        let says = |says: &&&str| stands(tokens, says) && !(corner && **says == "corner");
        // An amount of money is the rent of a month already.
        let paid = name == "net_effective_rent" && first.unit == "USD";
        let says = |own: &&&str| says(own) && !(own.starts_with("before the") && of_an_amount(tokens, own));
        grown && !paid && other.of.contains(&name) && other.says.iter().any(|own| says(&own))
    }) {
        return Some(other.ask.to_owned());
    }
    let ratios = ["percent", "ratio", "multiple", "share"];
    let none = figures
        .iter()
        .all(|figure| !ratios.contains(&figure.unit.as_str()));
    if none && part_of_whole(tokens) {
        return Some("You ask for a share, and I would give an amount. Please name the ratio that you want, or ask for the amount.".to_owned());
    }
    if name == "rent_psf" && for_area(tokens) {
        return Some("An area and a month are named, and I would give the annual rent per square foot. Should I, or do you want the rent of a month for that area?".to_owned());
    }
    if name == "max_loan" && first.inputs.len() > 1 && by_one_limit(tokens) {
        return Some("You name one of the limits, and I would give the smallest of the loans that all of them allow. Should I, or do you want that limit's loan? Then please ask with it alone.".to_owned());
    }
    let value = |name: &str| first.input(name).and_then(serde_json::Value::as_f64);
    let bases = ["base_rent_psf", "base_annual_rent", "first_year_noi"];
    let later = value("lease_year")
        .filter(|year| *year > 1.0)
        .zip(bases.iter().find_map(|base| value(base)))
        .is_some_and(|(year, base)| of_later_year(tokens, year, base));
    if later {
        return Some("Is the amount that you give that of the later year? I only work such amounts out forwards, from the first year: please give the first one.".to_owned());
    }
    let start = (RENTS.contains(&name) && (input("base_rent_psf") || input("base_annual_rent")))
        || (name == "noi" && input("first_year_noi"));
    if start && from_the_end(tokens) {
        return Some("You give an amount of a later year and ask for that of the start. I only work such amounts out forwards: please give the first one.".to_owned());
    }
    if name == "noi" && input("first_year_noi") && trailing(tokens) {
        return Some("Is the amount that you give that of year 1, or of the year before it? I grow it from year 1 on: please name its year.".to_owned());
    }
    unmet(tokens, figures)
}

/// "186,000 a year before the first reset": the words say when the amount before them holds, and ask for nothing.
fn of_an_amount(tokens: &[Token], says: &str) -> bool {
    let words: Vec<&str> = says.split(' ').collect();
    (0..tokens.len())
        .filter(|at| {
            words
                .iter()
                .enumerate()
                .all(|(nth, own)| word(tokens, at + nth) == *own)
        })
        .all(|at| {
            (1..=4)
                .filter_map(|back| at.checked_sub(back).and_then(|at| tokens.get(at)))
                .take_while(|token| !token.is_mark('.') && !token.is_mark('?') && !token.is_mark(','))
                .any(|token| token.number().is_some_and(|number| number.value >= 5.0))
        })
}

/// "What share of the PV is from the sale": no amount of money.
fn part_of_whole(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        let what = matches!(word(tokens, at), "what" | "which");
        let share = matches!(
            word(tokens, at + 1),
            "share" | "percent" | "percentage" | "portion" | "proportion" | "fraction"
        ) || tokens.get(at + 1).is_some_and(|token| token.is_mark('%'));
        what && share && word(tokens, at + 2) == "of"
    })
}

/// "Monthly for 2,000 sf" where no rent is given by the month.
fn for_area(tokens: &[Token]) -> bool {
    let numbers = || tokens.iter().filter_map(Token::number);
    let area = numbers().any(|number| number.shape == Shape::Area);
    let given = numbers().any(|number| number.per == Some(Per::Month) || number.every == Some(Per::Month));
    let wanted = ["monthly", "per month", "a month", "each month"];
    area && !given && wanted.iter().any(|says| stands(tokens, says))
}

/// "What's the proceeds by LTV?" at the end of a clause: one limit's loan.
fn by_one_limit(tokens: &[Token]) -> bool {
    const LIMITS: &[&str] = &[
        "ltv",
        "ltc",
        "dscr",
        "dcr",
        "debt yield",
        "coverage",
        "dy",
        "loan to value",
        "loan to cost",
    ];
    (0..tokens.len()).any(|at| {
        let size = matches!(
            word(tokens, at),
            "proceeds" | "loan" | "amount" | "sizing" | "size" | "borrow" | "get"
        );
        let led = at + 1;
        let by = matches!(word(tokens, led), "by" | "under" | "from" | "on" | "per" | "at");
        let the = led + 1 + usize::from(matches!(word(tokens, led + 1), "the" | "our"));
        let to = LIMITS
            .iter()
            .filter_map(|limit| at_phrase(tokens, the, limit))
            .max();
        size && by
            && to.is_some_and(|to| {
                let to = to
                    + usize::from(matches!(
                        word(tokens, to),
                        "test" | "limit" | "constraint" | "covenant" | "criterion" | "alone" | "only"
                    ));
                let ends = |at: usize| {
                    tokens
                        .get(at)
                        .is_none_or(|token| token.is_mark('.') || token.is_mark('?') || token.is_mark(':'))
                };
                ends(to)
            })
    })
}

/// "What was the starting rent?", "first-year rent if …": the start is not given, it is asked for.
fn from_the_end(tokens: &[Token]) -> bool {
    const STARTS: &[&str] = &[
        "starting",
        "initial",
        "original",
        "opening",
        "beginning",
        "first year",
        "first year's",
        "year one",
        "year 1",
        "entry",
        "base year",
    ];
    const AMOUNTS: &[&str] = &["rent", "rate", "noi", "income", "base", "rental", "lease"];
    (0..tokens.len()).any(|at| {
        let year = word(tokens, at) == "year"
            && number(tokens, at + 1)
                .is_some_and(|number| number.shape == Shape::YearLabel && number.value == 1.0);
        let led = STARTS
            .iter()
            .filter_map(|start| at_phrase(tokens, at, start))
            .max()
            .or(year.then_some(at + 2));
        let Some(to) = led.filter(|to| AMOUNTS.contains(&word(tokens, *to))) else {
            return false;
        };
        let mut to = to;
        while AMOUNTS.contains(&word(tokens, to)) || matches!(word(tokens, to), "per" | "psf" | "sf") {
            to += 1;
        }
        let given = (to..to + 4)
            .take_while(|at| {
                *at == to
                    || tokens.get(*at - 1).is_some_and(|token| {
                        token.is_mark(':')
                            || token.is_mark('=')
                            || matches!(
                                token.word(),
                                "of" | "is" | "was" | "at" | "are" | "a" | "being" | "about" | "the"
                            )
                    })
            })
            .any(|at| number(tokens, at).is_some_and(amount));
        let before = (1..=2)
            .filter_map(|back| at.checked_sub(back))
            .any(|at| number(tokens, at).is_some_and(amount));
        !given && !before
    })
}

/// "What's the NOI today if it is 1m in year 10": the amount that is given is that of the later year.
fn of_later_year(tokens: &[Token], year: f64, base: f64) -> bool {
    let label =
        |at: usize| number(tokens, at).is_some_and(|n| n.shape == Shape::YearLabel && n.value == year);
    (0..tokens.len()).any(|at| {
        if !number(tokens, at).is_some_and(|number| amount(number) && (number.value - base).abs() < 1e-6) {
            return false;
        }
        let behind = matches!(word(tokens, at + 1), "in" | "by" | "for") && label(at + 3);
        let told = at
            .checked_sub(1)
            .is_some_and(|at| matches!(word(tokens, at), "is" | "was" | "were" | "be" | "equals" | "of"));
        let ahead = told
            && (2..=5)
                .map_while(|back| at.checked_sub(back))
                .take_while(|at| !word(tokens, *at).is_empty() || number(tokens, *at).is_some())
                .find(|at| number(tokens, *at).is_some())
                .is_some_and(label);
        behind || ahead
    })
}

/// "Trailing NOI", "the NOI of the last twelve months": that of the year before the first.
fn trailing(tokens: &[Token]) -> bool {
    let says = [
        "trailing",
        "t12",
        "ttm",
        "t 12",
        "last year's",
        "prior year",
        "prior year's",
        "past year",
        "last twelve months",
        "historical",
        "today's",
        "year 0",
        "year zero",
    ];
    says.iter().any(|says| stands(tokens, says))
}

/// A figure that is only ever asked for, and that no figure of the answer is.
fn unmet(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    struct Asked {
        says: &'static [&'static str],
        /// First figures that stand on the way to it.
        way: &'static [&'static str],
        met: &'static [&'static str],
        name: &'static str,
    }
    #[rustfmt::skip]
    const ASKED: &[Asked] = &[
        Asked { says: &["cash on cash", "coc"], way: &["equity", "loan_amount", "lp_distribution", "gp_distribution", "cash_flow", "debt_service", "payment"], met: &["cash_on_cash"], name: "cash-on-cash return" },
        Asked { says: &["what price", "which price", "price at a", "price at an", "price for a", "price to hit", "price", "value at a", "what value", "worth at a"], way: &["egi", "effective_gross_income", "net_rental_income", "gpr", "operating_expenses"], met: &["price", "value"], name: "price" },
        Asked { says: &["what price", "which price", "price at a", "price at an", "price for a", "value at a", "value at an", "what value", "worth at a"], way: &["noi"], met: &["price", "value", "gross_sale", "net_sale"], name: "value" },
        Asked { says: &["pv", "present value", "npv", "net present value"], way: &["noi", "rent_psf", "annual_rent", "monthly_rent", "total_rent"], met: &["present_value", "npv"], name: "present value" },
        Asked { says: &["irr", "internal rate of return"], way: &["noi", "equity", "loan_amount", "payment", "value", "debt_service"], met: &["irr", "levered_irr", "xirr", "mirr", "lp_irr"], name: "internal rate of return" },
    ];
    let first = figures.first()?;
    let asked = ASKED.iter().find(|asked| {
        asked.way.contains(&first.name.as_str())
            && !figures
                .iter()
                .any(|figure| asked.met.contains(&figure.name.as_str()))
            && asked.says.iter().any(|says| {
                (0..tokens.len()).any(|at| {
                    at_phrase(tokens, at, says).is_some_and(|to| {
                        // "Cash on cash is 7%", "price 5m": given, and not asked for.
                        let led = says.starts_with("what")
                            || says.starts_with("which")
                            || says.ends_with(" a")
                            || says.ends_with(" an");
                        led || !(to..to + 4).any(|at| {
                            number(tokens, at).is_some()
                                && !(to..at).any(|at| {
                                    tokens.get(at).is_some_and(|token| {
                                        token.is_mark(':')
                                            || token.is_mark('?')
                                            || token.is_mark(',')
                                            || token.is_mark('.')
                                    })
                                })
                        }) && at
                            .checked_sub(1)
                            .is_none_or(|before| number(tokens, before).is_none())
                    })
                })
            })
    })?;
    Some(format!(
        "You ask for the {}, and I would only get as far as another figure. Please name each number that goes into it.",
        asked.name
    ))
}

fn amount(number: &Number) -> bool {
    matches!(number.shape, Shape::Money | Shape::Plain)
}

fn stands(tokens: &[Token], phrase: &str) -> bool {
    (0..tokens.len()).any(|at| at_phrase(tokens, at, phrase).is_some())
}

fn at_phrase(tokens: &[Token], at: usize, phrase: &str) -> Option<usize> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    if parts.iter().any(|part| matches!(*part, "%" | "0" | "1" | "12")) {
        return signed(tokens, at, &parts);
    }
    matches(tokens, at, &parts)
}

/// A phrase with a sign or a number among its words.
fn signed(tokens: &[Token], at: usize, parts: &[&str]) -> Option<usize> {
    let same = |at: usize, part: &str| {
        tokens.get(at).is_some_and(|token| match token.number() {
            Some(number) => part.parse::<f64>().is_ok_and(|value| value == number.value),
            None => token.word() == part || (part == "%" && token.is_mark('%')),
        })
    };
    parts
        .iter()
        .enumerate()
        .all(|(ahead, part)| same(at + ahead, part))
        .then_some(at + parts.len())
}

fn number(tokens: &[Token], at: usize) -> Option<&Number> {
    tokens.get(at).and_then(Token::number)
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}
