//! Bases and conventions that a question states and that its figures do not follow: "before land", "on a trailing
//! cap", "non-compounding". Such an answer is withheld, and what it would rest on is asked.
//!
//! Looks at the words of the question and at the figures with their inputs, whoever worked them out.

use std::sync::LazyLock;

use crate::contract::draft::Figure;
use crate::words::pattern::Pattern;
use crate::words::scan::{Per, Shape, Token};

/// A convention that these figures never follow.
struct Stated {
    says: &'static [&'static str],
    /// Names of figures.
    of: &'static [&'static str],
    /// One of these inputs has to be there: without it the convention changes nothing.
    with: &'static [&'static str],
    ask: &'static str,
}

#[rustfmt::skip]
const STATED: &[Stated] = &[
    Stated {
        says: &["excluding|exclude|without|before|ignoring|ignore|omitting|disregarding the|any|all|our? principal|amortization|amortisation|repayment", "w / o principal|amortization|amortisation", "not counting|including the|any? principal|amortization", "apart|aside from the|any? principal|amortization", "on|using|assuming|taking a|an|the? interest only|io basis|payments|terms|footing|debt", "interest only|io basis|dscr|dcr|coverage"],
        of: &["dscr", "cash_on_cash", "cash_flow", "breakeven_occupancy"],
        with: &["number_of_payments"],
        ask: "The debt service as I would compute it has principal in it. Should it be interest only, or the payment that amortizes the loan?",
    },
    Stated {
        says: &["interest only|io"],
        of: &["interest"],
        with: &["debt_service"],
        ask: "I would take an amount for the annual debt service. Is it the loan? Please name the loan amount as such.",
    },
    Stated {
        says: &["falls|fell|drops|dropped|declines|decreases|shrinks|down by? #$"],
        of: &["recognized_gain"],
        with: &["old_debt"],
        ask: "I would take the change of the debt for the debt itself. Please give the debt before and after the exchange, and the cash paid in or taken out.",
    },
    Stated {
        says: &["then #$ out"],
        of: &["equity_multiple", "irr", "npv", "mirr"],
        with: &["cash_flows"],
        ask: "Does the last amount come in, or is it paid? Please write what is paid with a minus sign.",
    },
    Stated {
        says: &["on|against|over|of|to the|our|its? gross? potential gross? income|rent|rents|revenue", "on|against|over|of|to the|our|its? gross potential", "on|against|over|of|to the|our|its? gpi|pgi|gpr", "including|incl|with|plus|and|counting the|our? debt service|debt|mortgage|capex|depreciation", "of|to|on|including|with|plus total costs|cost"],
        of: &["opex_ratio"],
        with: &["egi"],
        ask: "I measure operating expenses, without debt service, against effective gross income. You seem to mean another basis: please give the two amounts whose ratio you want.",
    },
    Stated {
        says: &["ignoring|ignore|excluding|exclude|dropping|drop|without|except|discarding|discard|disregarding|disregard|omitting|omit|removing|remove|leaving|leave|throwing|throw|tossing|toss for|out|aside? the|our|that? single|one|two|very? highest|lowest|top|bottom|outlier|outliers|first|second|third|last|best|worst|high|low|priciest|cheapest|dearest|largest|smallest|most|least", "highest|lowest|outlier|outliers|first|last|high|low .. ignored|excluded|dropped|discarded|omitted|removed|aside|out"],
        of: &["value", "avg_psf"],
        with: &["sale_1"],
        ask: "One of the sales seems to be left out. Please list only those that count.",
    },
    Stated {
        says: &["on|off|of|using|use|with|capping|capitalizing|capitalising|to the|its|our|a? trailing|backward", "on|off|using|use|capping|capitalizing|capitalising the|its|our? in place", "not|no|instead|rather|than of|on|the|a? forward|following|next year's?", "not|instead|rather of|than? the? year after", "on|off|of|using|use|capping|capitalizing|capitalising that|the same|final|last|sale|exit year|year's noi|income", "noi|income in|of the? year of the? sale|exit"],
        of: &["net_sale_proceeds", "exit_value", "net_sale_price", "gross_sale_price", "reversion", "present_value", "npv", "irr", "value"],
        with: &["noi_growth"],
        ask: "I capitalize the NOI of the year after the sale. You seem to name that of another year: please give the NOI that is capitalized.",
    },
    Stated {
        says: &["free|abated|abatement|abatements|concession|concessions|holiday month|months|rent? is|are|comes|falls? at|in|toward|towards|until the? end|back|tail", "at|in|toward|towards the? end rather|instead|and|not", "back ended|end|loaded|loading", "last|final #m|months of? free|abated|rent?"],
        of: &["net_effective_rent", "net_effective_monthly_rent", "net_effective_annual_rent"],
        with: &["rent_growth", "discount_rate"],
        ask: "I take the free months at the start of the lease. With them at the end other rents fall away: please ask with the free rent at the start, or give the amount that is waived.",
    },
    Stated {
        says: &["cumulative|cumulatively|aggregate|altogether", "in total", "overall cap|maximum|limit|ceiling"],
        of: &["annual_rent", "monthly_rent", "rent_psf"],
        with: &["cap", "ceiling"],
        ask: "I hold each change of the index below the cap on its own. Yours seems to hold for all changes together: how does it work?",
    },
    Stated {
        says: &["cpi|rpi|hicp|index|indexation|inflation rate? plus|+|minus|less #%", "#% over|above|plus|below|on cpi|rpi|hicp|inflation"],
        of: &["annual_rent", "monthly_rent", "rent_psf"],
        with: &["index_change"],
        ask: "A percentage comes on top of the index, or off it. Please list each change of the rent with it counted in.",
    },
    Stated {
        says: &["non|not|no|without|un compounding|compounded|compound|cumulative", "noncompounding|uncompounded", "on|of|off the|its|year? original|initial|starting|opening|first base|rent|year|year's|rate"],
        of: &["rent_psf", "annual_rent", "monthly_rent", "total_rent", "total_rent_psf", "net_effective_rent", "net_effective_monthly_rent", "net_effective_annual_rent"],
        with: &["rent_growth"],
        ask: "I let each step compound on the rent before it. Yours seems to be taken of the first rent: please give the step as an amount.",
    },
    Stated {
        says: &["discount|discounted|discounting|discounts|compound|compounded|compounding annually|yearly|quarterly|semiannually|semi", "annual|annually|yearly|quarterly|semiannual discount|discounting|compounding", "bond equivalent"],
        of: &["yield_maintenance"],
        with: &[],
        ask: "I discount yield maintenance month by month. You seem to want another interval, which I do not work out: should I discount monthly?",
    },
    Stated {
        says: &["mid|middle of? the? year|years|period", "midyear|midperiod", "half a year earlier"],
        of: &["present_value", "npv", "value", "irr"],
        with: &["holding_period"],
        ask: "I discount the income of each year from the year's end, not from its middle. Should I?",
    },
    Stated {
        says: &["compounding|compounded|compounds semi|semiannually|annually|yearly|quarterly|daily|weekly|continuously|twice", "semi|annual|semiannual|yearly|quarterly|daily|weekly|continuous compounding|compounded", "accelerated", "effective rate|annual|interest"],
        of: &["payment", "debt_service", "mortgage_constant", "balance", "interest", "loan_amount", "number_of_payments"],
        with: &[],
        ask: "I compute loans at a nominal rate that is compounded with each payment. Yours is compounded or paid otherwise: please give the rate of one period and the number of payments, or ask without it.",
    },
    Stated {
        says: &["paid|payable|due|made|payments annually|yearly", "annual|yearly payments|installments|instalments", "#n payment|installment|instalment per|a|each|every year|annum", "once|one a|per|each|every year|annum"],
        of: &["payment", "debt_service", "mortgage_constant"],
        with: &["number_of_payments"],
        ask: "I compute loans with monthly payments only. Should I do so?",
    },
    Stated {
        says: &["counting|including|count|include|with the|a? smaller|partial? last|final|partial", "rounded|rounding|round up", "whole|full|complete payments|installments|instalments|months"],
        of: &["number_of_payments"],
        with: &[],
        ask: "I work out the number of payments exactly, with a fraction where the last one is smaller. Yours seems to be counted in whole payments: should I give the exact number?",
    },
    Stated {
        says: &["prepay|prepaying|prepayment|prepaid|payoff|defease|defeasance", "falling|declining|stepping|dropping|decreasing|reducing|sliding|stepdown"],
        of: &["loan_fee"],
        with: &["fee_points"],
        ask: "Points seem to change with time here, as in a prepayment penalty. Please give the penalty of each year, and the balance that is prepaid.",
    },
    Stated {
        says: &["ignoring|ignore|excluding|exclude|without|before|disregarding|omitting|leaving out? the|any|our? initial|upfront|original|first|opening|purchase outlay|outlays|investment|equity|flow|payment|cost|price|cash|amount?", "apart|aside from the? initial|upfront|original|first outlay|investment|equity|flow|payment", "not|isn't|aren't counted|included|considered|counting"],
        of: &["irr", "npv", "mirr", "equity_multiple", "xirr"],
        with: &["cash_flows"],
        ask: "Something seems to be left out of the flows. Please list only those that count, each with its year.",
    },
    Stated {
        says: &["of|on|off|from|to the|all? what left|remains|remaining", "of|on|off|from the|all? remaining|remainder|collected|rest|leftover"],
        of: &["egi", "noi", "going_in_cap_rate", "value", "dscr", "debt_yield", "net_rental_income"],
        with: &["bad_debt_share"],
        ask: "One loss seems to be a share of what another leaves. Please give it as an amount, or as a share of the gross potential rent.",
    },
];

static RULES: LazyLock<Vec<(Vec<Pattern>, &'static Stated)>> = LazyLock::new(|| {
    STATED
        .iter()
        .map(|stated| {
            let patterns = stated.says.iter().map(|says| Pattern::read(says)).collect();
            (patterns, stated)
        })
        .collect()
});

/// Words that leave out what follows them.
#[rustfmt::skip]
const LEAVE_OUT: &[&str] = &[
    "ignoring|ignore|ignores|excluding|exclude|excludes|excl|disregarding|disregard|omitting|omit|forget|forgetting|without|except|minus",
    "w / o", "wo", "apart|aside from", "other than", "leaving|leave out|aside", "not counting|including", "setting|set aside",
    "exclusive of",
];

/// What may be left out, and the inputs that show that it is not.
#[rustfmt::skip]
const PARTS: &[(&str, &[&str])] = &[
    ("land|site cost|costs|value|price?", &["land_cost"]),
    ("financing|finance|carry|interest costs|cost|carry|reserve?", &["financing_cost"]),
    ("soft costs|cost?", &["soft_cost"]),
    ("hard costs|cost?", &["hard_cost"]),
    ("developer|developer's|entrepreneurial? profit|margin|incentive", &["profit_share"]),
    ("other|ancillary|miscellaneous|misc|extra|additional income|revenue", &["other_income"]),
    ("parking|laundry|storage|vending|garage income|revenue|fees?", &["other_income"]),
    ("recoveries|recovery|reimbursements|reimbursement income?", &["recoveries"]),
    ("vacancy|vacancies loss?", &["vacancy_share", "vacancy_loss"]),
    ("bad|credit|collection debt|debts|loss|losses", &["bad_debt", "bad_debt_share"]),
    ("concessions|concession", &["concessions"]),
    ("selling|sale|sales|disposal costs|cost|fees", &["sale_cost_share", "selling_costs"]),
    ("costs of sale", &["sale_cost_share", "selling_costs"]),
    ("closing|acquisition|transaction costs|cost|fees", &["closing_costs"]),
];

/// Debt that a figure before debt leaves out.
const DEBT: (&str, &[&str]) = ("debt|mortgage|financing service|payments?", &["debt_service"]);

/// What the question states and the figures do not follow.
pub(crate) fn unheeded(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    let input = |name: &str| {
        figures
            .iter()
            .flat_map(|figure| &figure.inputs)
            .filter(|input| input.name == name)
            .any(|input| input.value.as_f64() != Some(0.0))
    };
    let stated = RULES.iter().find(|(patterns, stated)| {
        stated.of.contains(&first.name.as_str())
            && (stated.with.is_empty() || stated.with.iter().any(|name| input(name)))
            && patterns.iter().any(|pattern| pattern.stands(tokens))
    });
    if let Some((_, stated)) = stated {
        return Some(stated.ask.to_owned());
    }
    if first.name.starts_with("depreci") {
        return None;
    }
    if let Some(part) = left_out(tokens, &first.name, &input) {
        return Some(format!(
            "You say that “{part}” is left out, but the figure as I would compute it has it in. Should it enter?"
        ));
    }
    if matches!(first.name.as_str(), "debt_service" | "payment") && yearly(tokens) {
        return Some("I compute loans with monthly payments only. Should I do so?".to_owned());
    }
    if first.name == "irr" && sale_left_out(tokens) {
        return Some("Should the sale enter the flows, or not?".to_owned());
    }
    year_taken(tokens, figures).or_else(|| level(tokens, first))
}

/// "On NOI 2025", "NOI for 2025": a year that was taken for an amount.
fn year_taken(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let small = tokens.iter().filter_map(Token::number).any(|number| {
        matches!(number.shape, Shape::Plain | Shape::Money)
            && (100.0..100_000.0).contains(&number.value)
            && !(1990.0..2050.0).contains(&number.value)
    });
    let year = (1..tokens.len()).find_map(|at| {
        let number = tokens.get(at).and_then(Token::number)?;
        let bare = number.shape == Shape::Plain
            && number.short
            && !number.dollars
            && number.per.is_none()
            && number.value.fract() == 0.0
            && (1990.0..2050.0).contains(&number.value);
        let named = matches!(
            word(tokens, at - 1),
            "noi"
                | "egi"
                | "opex"
                | "ebitda"
                | "income"
                | "revenue"
                | "expenses"
                | "for"
                | "loan"
                | "mortgage"
        );
        let taken = || {
            figures
                .iter()
                .flat_map(|figure| &figure.inputs)
                .any(|input| input.value.as_f64() == Some(number.value))
        };
        (bare && named && !small && taken()).then_some(number.value)
    })?;
    Some(format!(
        "I would take {year} for an amount, and it looks like a year. Please give the amount of that year."
    ))
}

/// "Total cost excluding land", "replacement cost before profit": what the figure has in all the same.
fn left_out(tokens: &[Token], figure: &str, input: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut parts: Vec<(Pattern, &[&str])> = PARTS
        .iter()
        .filter(|(_, inputs)| inputs.iter().any(|name| input(name)))
        .map(|(says, inputs)| (Pattern::read(says), *inputs))
        .collect();
    if figure == "breakeven_occupancy" && DEBT.1.iter().any(|name| input(name)) {
        parts.push((Pattern::read(DEBT.0), DEBT.1));
    }
    if parts.is_empty() {
        return None;
    }
    let leads: Vec<Pattern> = LEAVE_OUT.iter().map(|says| Pattern::read(says)).collect();
    let before = Pattern::read("before|pre");
    (0..tokens.len()).find_map(|at| {
        let led = leads
            .iter()
            .filter_map(|lead| lead.at(tokens, at))
            .map(|found| found.to)
            .max();
        // "600k excluding parking" says what an amount is.
        let of_amount = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|token| token.number().is_some());
        let imperative = matches!(
            word(tokens, at),
            "ignore" | "disregard" | "exclude" | "omit" | "leave" | "forget" | "ignoring" | "disregarding"
        );
        let goal = || {
            before
                .at(tokens, at)
                .filter(|_| opens(tokens, at))
                .map(|found| found.to)
        };
        let (to, early) = match led.filter(|_| !of_amount || imperative) {
            Some(to) => (to, false),
            None => (goal()?, true),
        };
        let start = (to..to + 4).find(|at| {
            !matches!(
                word(tokens, *at),
                "the" | "any" | "all" | "our" | "its" | "of" | "about"
            ) && tokens.get(*at).is_some_and(|token| token.number().is_none())
        })?;
        let end = parts
            .iter()
            .filter_map(|(pattern, _)| pattern.at(tokens, start))
            .map(|found| found.to)
            .max()?;
        // "before land 4.5m" tells an amount that is there.
        if early && tokens.get(end).is_some_and(|token| token.number().is_some()) {
            return None;
        }
        let words: Vec<&str> = (start..end).map(|at| word(tokens, at)).collect();
        Some(words.join(" "))
    })
}

/// The words up to here only name what is asked: no number, and few.
fn opens(tokens: &[Token], at: usize) -> bool {
    let clause = (0..at)
        .rev()
        .take_while(|at| {
            tokens
                .get(*at)
                .is_some_and(|token| ![',', '.', ';', ':', '?'].iter().any(|mark| token.is_mark(*mark)))
        })
        .collect::<Vec<_>>();
    let asked = clause.last() == Some(&0)
        || clause.iter().any(|at| {
            matches!(
                word(tokens, *at),
                "what" | "whats" | "calculate" | "compute" | "find"
            )
        });
    asked
        && (1..=6).contains(&clause.len())
        && clause
            .iter()
            .all(|at| tokens.get(*at).is_some_and(|token| token.number().is_none()))
}

/// "one per year".
fn yearly(tokens: &[Token]) -> bool {
    tokens.iter().filter_map(Token::number).any(|number| {
        number.value == 1.0 && number.per == Some(Per::Year) && !number.dollars && !number.scaled
    })
}

/// "Without the sale", where one is told.
fn sale_left_out(tokens: &[Token]) -> bool {
    let lead = Pattern::read(
        "without|excluding|ignoring|disregarding|before|apart from? the|a|any? sale|exit|reversion|resale",
    );
    let told = tokens
        .iter()
        .filter(|token| {
            matches!(
                token.word(),
                "sale" | "exit" | "reversion" | "resale" | "sold" | "sell"
            )
        })
        .count();
    told > 1 && lead.stands(tokens)
}

/// "3% annual bumps": rents that are all the same do not have them.
fn level(tokens: &[Token], figure: &Figure) -> Option<String> {
    let rents: Vec<f64> = figure
        .inputs
        .iter()
        .filter(|input| input.name.starts_with("rent_year_"))
        .filter_map(|input| input.value.as_f64())
        .collect();
    let same = rents.len() > 1 && rents.windows(2).all(|pair| matches!(pair, [a, b] if a == b));
    let steps = tokens
        .iter()
        .filter_map(Token::number)
        .any(|number| matches!(number.shape, Shape::Percent | Shape::BasisPoints) && number.value != 0.0)
        && tokens.iter().any(|token| {
            let word = token.word();
            [
                "bump", "increas", "escalat", "step", "grow", "ris", "uplift", "rais",
            ]
            .iter()
            .any(|stem| word.starts_with(stem))
        });
    (same && steps).then(|| {
        "The rent steps up, which I did not take in. Please give the rent of the first year, each step, and over how \
         many years it runs."
            .to_owned()
    })
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}
