//! What an amount has to be for a ratio that is told: the rent collected at an economic occupancy, the distributions
//! for a multiple, the exit cap that a net price implies.
//!
//! Each question has one wording here, with its numbers in one order; how people ask it, the examples know.

use serde_json::json;

use crate::contract::brief::Tone;
use crate::contract::draft::Draft;
use crate::forms::words::Words;
use crate::plan::outcome::Ask;
use crate::say::compose;
use crate::say::format;
use crate::say::written::{Written, draft, figure, input};
use crate::words::scan::{Number, Per, Shape, Token};
use finance::fault::Fault;
use finance::targets;

/// What a number of such a question is.
#[derive(Clone, Copy, PartialEq)]
enum Is {
    Money,
    Share,
    Multiple,
    Years,
    Months,
    Days,
    Area,
    PerArea,
    Units,
    /// Which lease year.
    Year,
}

struct Target {
    /// How the question begins.
    says: &'static str,
    figure: &'static str,
    label: &'static str,
    unit: Is,
    definition: &'static str,
    inputs: &'static [(&'static str, Is)],
    work: fn(&[f64]) -> Result<f64, Fault>,
}

/// The values of a question by their places.
macro_rules! of {
    ($values:ident, [$($name:ident),+] => $result:expr) => {
        match $values {
            &[$($name),+] => $result,
            _ => Err(Fault::NoFlows),
        }
    };
}

#[rustfmt::skip]
static TARGETS: &[Target] = &[
    Target {
        says: "total distributions for a target multiple of",
        figure: "total_distributions", label: "total distributions", unit: Is::Money,
        definition: "Total distributions = equity multiple × equity.",
        inputs: &[("equity_multiple", Is::Multiple), ("equity", Is::Money)],
        work: |v| of!(v, [multiple, equity] => targets::distributions(multiple, equity)),
    },
    Target {
        says: "noi for a target cash on cash of",
        figure: "noi", label: "net operating income", unit: Is::Money,
        definition: "NOI = cash-on-cash × equity + debt service + reserves.",
        inputs: &[("cash_on_cash", Is::Share), ("equity", Is::Money), ("debt_service", Is::Money), ("reserves", Is::Money)],
        work: |v| match *v {
            [rate, equity, service] => targets::noi_for_cash_on_cash(rate, equity, service, 0.0),
            [rate, equity, service, reserves] => targets::noi_for_cash_on_cash(rate, equity, service, reserves),
            _ => Err(Fault::NoFlows),
        },
    },
    Target {
        says: "equity for a target cash on cash of",
        figure: "equity", label: "equity invested", unit: Is::Money,
        definition: "Equity = cash flow after debt service ÷ cash-on-cash.",
        inputs: &[("cash_on_cash", Is::Share), ("cash_flow", Is::Money)],
        work: |v| of!(v, [rate, cash] => targets::equity_for_cash_on_cash(rate, cash)),
    },
    Target {
        says: "debt service for a break even occupancy of",
        figure: "debt_service", label: "annual debt service", unit: Is::Money,
        definition: "Debt service = break-even occupancy × potential gross income − operating expenses.",
        inputs: &[("breakeven_occupancy", Is::Share), ("potential_gross_income", Is::Money), ("operating_expenses", Is::Money)],
        work: |v| of!(v, [share, income, costs] => targets::debt_service_for_breakeven(share, income, costs)),
    },
    Target {
        says: "potential gross income for a break even occupancy of",
        figure: "potential_gross_income", label: "potential gross income", unit: Is::Money,
        definition: "Potential gross income = (operating expenses + debt service) ÷ break-even occupancy.",
        inputs: &[("breakeven_occupancy", Is::Share), ("operating_expenses", Is::Money), ("debt_service", Is::Money)],
        work: |v| of!(v, [share, costs, service] => targets::income_for_breakeven(share, costs, service)),
    },
    Target {
        says: "net rental income for an economic occupancy of",
        figure: "net_rental_income", label: "net rental income", unit: Is::Money,
        definition: "Net rental income = economic occupancy × gross potential rent, over the same period.",
        inputs: &[("economic_occupancy", Is::Share), ("gpr", Is::Money)],
        work: |v| of!(v, [share, rent] => targets::rent_for_economic_occupancy(share, rent)),
    },
    Target {
        says: "gross potential rent for an economic occupancy of",
        figure: "gpr", label: "gross potential rent", unit: Is::Money,
        definition: "Gross potential rent = net rental income ÷ economic occupancy, over the same period.",
        inputs: &[("economic_occupancy", Is::Share), ("net_rental_income", Is::Money)],
        work: |v| of!(v, [share, rent] => targets::potential_for_economic_occupancy(share, rent)),
    },
    Target {
        says: "egi for an expense ratio of",
        figure: "egi", label: "effective gross income", unit: Is::Money,
        definition: "EGI = operating expenses ÷ operating expense ratio.",
        inputs: &[("opex_ratio", Is::Share), ("operating_expenses", Is::Money)],
        work: |v| of!(v, [share, costs] => targets::income_for_expense_ratio(share, costs)),
    },
    Target {
        says: "depreciable basis for a yearly depreciation of",
        figure: "depreciable_basis", label: "depreciable basis", unit: Is::Money,
        definition: "Depreciable basis = depreciation of a full year × recovery period.",
        inputs: &[("depreciation", Is::Money), ("recovery_years", Is::Years)],
        work: |v| of!(v, [yearly, years] => targets::basis(yearly, years)),
    },
    Target {
        says: "annual rate by the money market convention for interest of",
        figure: "annual_rate", label: "annual interest rate", unit: Is::Share,
        definition: "Actual/360: annual rate = interest × 360 ÷ (principal × days).",
        inputs: &[("interest", Is::Money), ("days", Is::Days), ("principal", Is::Money)],
        work: |v| of!(v, [interest, days, principal] => targets::rate_of_interest(interest, days, principal, 360.0)),
    },
    Target {
        says: "annual rate by the calendar year convention for interest of",
        figure: "annual_rate", label: "annual interest rate", unit: Is::Share,
        definition: "Actual/365: annual rate = interest × 365 ÷ (principal × days).",
        inputs: &[("interest", Is::Money), ("days", Is::Days), ("principal", Is::Money)],
        work: |v| of!(v, [interest, days, principal] => targets::rate_of_interest(interest, days, principal, 365.0)),
    },
    Target {
        says: "annual escalation from a rent of",
        figure: "escalation_rate", label: "annual escalation", unit: Is::Share,
        definition: "Annual escalation = (later rent ÷ earlier rent)^(1 ÷ years between) − 1.",
        inputs: &[("starting_rent", Is::Money), ("first_lease_year", Is::Year), ("later_rent", Is::Money), ("lease_year", Is::Year)],
        work: |v| of!(v, [from, first, to, last] => targets::escalation(from, first, to, last)),
    },
    Target {
        says: "exit cap for net sale proceeds of",
        figure: "exit_cap_rate", label: "exit cap rate", unit: Is::Share,
        definition: "Exit cap rate = NOI of the buyer's first year × (1 − selling costs) ÷ net sale proceeds.",
        inputs: &[("net_sale_proceeds", Is::Money), ("sale_cost_share", Is::Share), ("exit_noi", Is::Money)],
        work: |v| of!(v, [net, costs, noi] => targets::exit_cap(net, costs, noi)),
    },
    Target {
        says: "gross sale price for net sale proceeds of",
        figure: "exit_value", label: "gross sale price", unit: Is::Money,
        definition: "Gross sale price = net sale proceeds ÷ (1 − selling costs).",
        inputs: &[("net_sale_proceeds", Is::Money), ("sale_cost_share", Is::Share)],
        work: |v| of!(v, [net, costs] => targets::gross_price(net, costs)),
    },
    Target {
        says: "going in cap rate at a price of each unit of",
        figure: "going_in_cap_rate", label: "going-in cap rate", unit: Is::Share,
        definition: "Going-in cap rate = annual NOI ÷ (price per unit × units).",
        inputs: &[("price_per_unit", Is::Money), ("total_units", Is::Units), ("noi", Is::Money)],
        work: |v| of!(v, [each, units, noi] => targets::cap_by_unit_price(each, units, noi)),
    },
    Target {
        says: "noi for a development spread of",
        figure: "noi", label: "stabilized NOI", unit: Is::Money,
        definition: "NOI = (market cap rate + development spread) × total cost.",
        inputs: &[("development_spread", Is::Share), ("market_cap_rate", Is::Share), ("total_cost", Is::Money)],
        work: |v| of!(v, [spread, cap, cost] => targets::noi_for_spread(spread, cap, cost)),
    },
    Target {
        says: "monthly rent for an annual gross rent multiplier of",
        figure: "monthly_rent", label: "monthly gross rent", unit: Is::Money,
        definition: "Monthly gross rent = price ÷ GRM ÷ 12.",
        inputs: &[("grm", Is::Multiple), ("price", Is::Money)],
        work: |v| of!(v, [multiplier, price] => targets::monthly_rent_for_multiplier(multiplier, price)),
    },
    Target {
        says: "simple preferred rate for an accrued return of",
        figure: "pref_rate", label: "preferred return", unit: Is::Share,
        definition: "Simple preferred return: rate = accrued ÷ (capital × years).",
        inputs: &[("accrued_pref", Is::Money), ("capital", Is::Money), ("years", Is::Years)],
        work: |v| of!(v, [accrued, capital, years] => targets::simple_pref_rate(accrued, capital, years)),
    },
    Target {
        says: "compounded preferred rate for an accrued return of",
        figure: "pref_rate", label: "preferred return", unit: Is::Share,
        definition: "Preferred return compounded annually: rate = (1 + accrued ÷ capital)^(1 ÷ years) − 1.",
        inputs: &[("accrued_pref", Is::Money), ("capital", Is::Money), ("years", Is::Years)],
        work: |v| of!(v, [accrued, capital, years] => targets::compounded_pref_rate(accrued, capital, years)),
    },
    Target {
        says: "land value for an all in replacement cost of",
        figure: "land_value", label: "land value", unit: Is::Money,
        definition: "Land = all-in cost ÷ (1 + developer profit) − hard costs × (1 + soft costs).",
        inputs: &[("replacement_cost", Is::Money), ("developer_profit", Is::Share), ("hard_cost", Is::Money), ("soft_share", Is::Share)],
        work: |v| of!(v, [total, profit, hard, soft] => targets::land_for_replacement(total, profit, hard, soft)),
    },
    Target {
        says: "land value by area for an all in replacement cost of",
        figure: "land_value", label: "land value", unit: Is::Money,
        definition: "Land = all-in cost ÷ (1 + developer profit) − area × hard costs per area × (1 + soft costs).",
        inputs: &[("replacement_cost", Is::Money), ("developer_profit", Is::Share), ("area", Is::Area), ("hard_cost_psf", Is::PerArea), ("soft_share", Is::Share)],
        work: |v| of!(v, [total, profit, area, each, soft] => targets::land_for_replacement(total, profit, area * each, soft)),
    },
    Target {
        says: "face rent for a net effective rent of",
        figure: "rent_psf", label: "flat face rent per square foot and year", unit: Is::PerArea,
        definition: "Flat face rent = (net effective rent × years + improvements + commissions) ÷ (years − free years), undiscounted.",
        inputs: &[("net_effective_rent", Is::PerArea), ("lease_term", Is::Years), ("free_rent_months", Is::Months), ("ti_allowance_psf", Is::PerArea), ("commission_psf", Is::PerArea)],
        work: |v| of!(v, [net, years, free, works, fees] => targets::face_rent(net, years, free, works, fees)),
    },
    Target {
        says: "net sale proceeds for a target irr of",
        figure: "net_sale_proceeds", label: "net sale proceeds", unit: Is::Money,
        definition: "The sum at the end of the last year that makes the NPV at the wanted rate zero.",
        inputs: &[("irr", Is::Share), ("investment", Is::Money), ("annual_cash_flow", Is::Money), ("years", Is::Years)],
        work: |v| of!(v, [rate, paid, yearly, years] => targets::sale_for_irr(rate, paid, yearly, years)),
    },
    Target {
        says: "lease term for a target wale of",
        figure: "lease_term", label: "lease term", unit: Is::Years,
        definition: "Term of the new lease = (wanted WALE × all area − area in place × its remaining term) ÷ new area.",
        inputs: &[("wale_by_area", Is::Years), ("area", Is::Area), ("remaining_term", Is::Years), ("new_area", Is::Area)],
        work: |v| of!(v, [wanted, area, term, new] => targets::lease_term(wanted, area, term, new)),
    },
];

impl Is {
    const fn unit(self) -> &'static str {
        match self {
            Self::Money => "USD",
            Self::Share => "percent",
            Self::Multiple => "multiple",
            Self::Years | Self::Year => "years",
            Self::Months => "months",
            Self::Days => "days",
            Self::Area => "sqft",
            Self::Units => "count",
            Self::PerArea => "USD/sqft",
        }
    }

    /// The value of a number that is of this kind.
    fn value(self, number: &Number) -> Option<f64> {
        let value = number.value;
        let plain = number.shape == Shape::Plain;
        if number.doubtful || number.foreign || value < 0.0 {
            return None;
        }
        Some(match (self, number.shape) {
            (Self::Money, Shape::Money | Shape::Plain) if number.per == Some(Per::Month) => value * 12.0,
            (Self::Money | Self::PerArea, Shape::Money | Shape::Plain) => value,
            (Self::Share, Shape::Percent) => value / 100.0,
            (Self::Share, Shape::BasisPoints) => value / 10_000.0,
            (Self::Units, Shape::Units) => value,
            (Self::Multiple, Shape::Multiple) => value,
            (
                Self::Multiple
                | Self::Year
                | Self::Days
                | Self::Area
                | Self::Years
                | Self::Months
                | Self::Units,
                _,
            ) if plain => value,
            (Self::Year, Shape::YearLabel | Shape::Years)
            | (Self::Days, Shape::Days)
            | (Self::Area, Shape::Area)
            | (Self::Years, Shape::Years)
            | (Self::Months, Shape::Months) => value,
            (Self::Years, Shape::Months) => value / 12.0,
            (Self::Months, Shape::Years) => value * 12.0,
            _ => return None,
        })
    }

    fn said(self, value: f64) -> String {
        match self {
            Self::Money => format::money(value),
            Self::PerArea => format!("{} per sq ft", format::money(value)),
            Self::Share => format!("{}%", format::plain(value * 100.0, 4)),
            Self::Multiple => format!("{}x", format::plain(value, 4)),
            Self::Area => format!("{} sq ft", format::plain(value, 2)),
            Self::Year => format!("year {}", format::plain(value, 0)),
            Self::Units => format!("{} units", format::plain(value, 0)),
            Self::Years | Self::Months | Self::Days => format!("{} {}", format::plain(value, 4), self.unit()),
        }
    }
}

/// The answer, if the question asks for an amount in one of these wordings.
pub(crate) fn answer(text: &str, tokens: &[Token], tone: Tone) -> Option<Draft> {
    let words = Words { text, tokens };
    let (target, from) = TARGETS
        .iter()
        .filter_map(|target| Some((target, words.find(target.says)?)))
        .find_map(|(target, (from, to))| (from <= 2).then_some((target, to)))?;
    Some(match work(target, &words, from) {
        Ok(written) => draft(&written, tone),
        Err(ask) => compose::ask(&ask, &[], &[]),
    })
}

fn work(target: &Target, words: &Words<'_>, from: usize) -> Result<Written, Ask> {
    let places: Vec<usize> = words.numbers().filter(|at| *at >= from).collect();
    let unclear = || {
        let names: Vec<String> = target
            .inputs
            .iter()
            .map(|(name, _)| name.replace('_', " "))
            .collect();
        Ask::because(format!(
            "For the {} please tell me: {}.",
            target.label,
            names.join(", ")
        ))
    };
    if places.len() > target.inputs.len() {
        return Err(unclear());
    }
    let values = places
        .iter()
        .zip(target.inputs)
        .map(|(at, (_, is))| words.number(*at).and_then(|number| is.value(number)))
        .collect::<Option<Vec<f64>>>()
        .ok_or_else(unclear)?;
    let value = (target.work)(&values).map_err(|fault| match fault {
        Fault::NoFlows => unclear(),
        fault => Ask::because(fault.sentence()),
    })?;
    let given = || target.inputs.iter().zip(&values);
    let inputs = given()
        .map(|((name, is), value)| input(*name, *value, is.unit()))
        .collect();
    Ok(Written {
        figures: vec![figure(
            target.figure,
            json!(value),
            target.unit.unit(),
            target.definition,
            inputs,
        )],
        said: format!("{}: {}", target.label, target.unit.said(value)),
        definition: target.definition.to_owned(),
        head: vec!["Input", "Value"],
        rows: given()
            .map(|((name, is), value)| vec![name.replace('_', " "), is.said(*value)])
            .collect(),
        steps: Vec::new(),
        remarks: Vec::new(),
    })
}
