//! Income statements in words: "GPR 1.2m, 5% vacancy, other income 40k, expenses 420k".
//!
//! What is never in NOI is read and left out, and the answer says so.

use crate::forms::adjusting::{
    EXPENSE_LINES, collected_rent, each_unit, included, incomplete, of_all_income, one_period, shares,
    with_reserves,
};
use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::{Base, Per, Shape};
use finance::variable::Variable::{self, *};

#[rustfmt::skip]
const LOSSES: &[&str] = &["vacancy", "vacancy loss", "vacancy and credit loss", "vacancy allowance", "concessions", "bad debt", "credit loss", "collection loss", "loss to lease", "model units"];
#[rustfmt::skip]
const LINES: &[&str] = &["taxes", "property taxes", "real estate taxes", "insurance", "utilities", "repairs", "maintenance", "repairs and maintenance", "payroll", "management fee", "management fees", "marketing", "admin", "g and a", "other income", "recoveries", "reimbursements", "parking", "laundry", "reserves", "replacement reserves"];

#[rustfmt::skip]
const NON_REVENUE: &[&str] = &["admin apartment", "admin apartments", "admin flat", "admin unit", "admin units", "caretaker apartment", "caretaker apartments", "caretaker flat", "caretaker unit", "caretaker units", "clubhouse apartment", "clubhouse apartments", "clubhouse flat", "clubhouse unit", "clubhouse units", "concierge apartment", "concierge apartments", "concierge flat", "concierge unit", "concierge units", "courtesy apartment", "courtesy apartments", "courtesy flat", "courtesy unit", "courtesy units", "down apartment", "down apartments", "down flat", "down unit", "down units", "employee apartment", "employee apartments", "employee flat", "employee unit", "employee units", "janitor apartment", "janitor apartments", "janitor flat", "janitor own apartment", "janitor own apartments", "janitor own flat", "janitor own unit", "janitor own units", "janitor unit", "janitor units", "leasing office apartment", "leasing office apartments", "leasing office flat", "leasing office unit", "leasing office units", "maintenance apartment", "maintenance apartments", "maintenance flat", "maintenance unit", "maintenance units", "manager apartment", "manager apartments", "manager flat", "manager own apartment", "manager own apartments", "manager own flat", "manager own unit", "manager own units", "manager unit", "manager units", "manager's own apartment", "manager's own apartments", "manager's own flat", "manager's own unit", "manager's own units", "model apartment", "model apartments", "model flat", "model unit", "model units", "non revenue apartment", "non revenue apartments", "non revenue flat", "non revenue unit", "non revenue units", "office apartment", "office apartments", "office flat", "office unit", "office units", "owner's apartment", "owner's apartments", "owner's flat", "owner's unit", "owner's units", "staff apartment", "staff apartments", "staff flat", "staff unit", "staff units", "super apartment", "super apartments", "super flat", "super unit", "super units", "superintendent apartment", "superintendent apartments", "superintendent flat", "superintendent unit", "superintendent units", "leasing office", "employee housing", "staff housing"];

#[rustfmt::skip]
const RATIOS: &[&str] = &["expense ratio", "opex ratio", "operating expense ratio", "expenses", "operating expenses", "opex", "operating costs", "costs"];

/// What is named only because it stays out of NOI.
#[rustfmt::skip]
const BELOW: &[&str] = &["debt service", "depreciation", "capex", "capital expenditures", "income tax", "income taxes", "mortgage interest", "interest on the loan", "loan interest", "mortgage payments", "leasing commissions", "tenant improvements"];

/// "10 units at $1,500 a month".
fn rented(words: &Words) -> bool {
    let monthly = words.numbers().any(|at| {
        words
            .number(at)
            .is_some_and(|number| number.per == Some(Per::Month) && number.shape == Shape::Money)
    });
    monthly
        && words.counts_units()
        && words.says(&[
            "vacancy",
            "expenses",
            "opex",
            "operating costs",
            "operating expenses",
        ])
}

fn amounts(words: &Words) -> usize {
    words
        .numbers()
        .filter(|at| {
            words.number(*at).is_some_and(|number| {
                number.shape == Shape::Money || (number.shape == Shape::Plain && number.value >= 1000.0)
            })
        })
        .count()
}

#[rustfmt::skip]
pub(crate) static STATEMENT: Form = Form {
    name: "statement",
    is: |words| {
        let asks = words.says(&["cap rate", "going in cap", "going in yield", "initial cap"]) && words.has(&["rent", "rents", "gpr", "pgi", "gpi"]) && words.says(&["expenses", "opex"]) || words.says(&["noi", "net operating income", "egi", "effective gross income", "share of egi", "percent of egi", "percentage of egi", "proportion of egi", "share of effective gross income", "percentage of effective gross income", "opex ratio", "expense ratio", "operating expense ratio", "noi margin", "operating margin", "economic occupancy", "econ occ", "ncf", "net cash flow", "net rental income"]) || (words.says(&["value", "worth"]) && words.has(&["cap", "caps"]) && words.says(&["vacancy"]) && words.says(&["expenses", "opex", "operating expenses"])) || (words.has(&["margin"]) && words.has(&["egi"]) && words.has(&["noi"]));
        let top = words.says(&["gpr", "pgr", "gross potential", "gross potential rent", "potential gross", "pgi", "gpi", "potential rent", "egi", "effective gross income", "gross rent", "gross scheduled", "potential gross income", "gross scheduled income", "collected", "scheduled rent", "gross income", "revenue", "total revenue", "gross revenue", "rent roll income", "total income", "effective income", "revenues"])
            || (words.has(&["noi"]) && words.says(&["ncf", "net cash flow"]));
        let other = words.has(&["growing", "grows", "growth", "hold", "exit", "irr", "attached", "file", "discount", "break", "breakeven", "dscr", "budget", "dcf", "irr", "amortization", "coverage"]);
        // What a loan takes stays below the line; its size, rate or terms are another question.
        let trailing = words.has(&["t12"]) && amounts(words) < 2;
        let borrows = words.has(&["loan"]) && !words.says(&["interest on the loan", "loan interest", "loan payments", "payments on the loan", "loan service"]);
        let top = top || (words.says(&["base rent", "base rents", "rental income"]) && words.says(LOSSES) && words.says(LINES)) || rented(words) || (words.says(&["noi", "cap", "net operating income"]) && words.has(&["rent", "rents", "income"]) && words.says(&["expenses", "opex", "costs", "operating expenses"]) && !words.has(&["egi"]) && amounts(words) >= 2);
        let share = words.says(RATIOS) && words.numbers().any(|at| words.number(at).is_some_and(|number| number.shape == Shape::Percent));
        let each = words.says(RATIOS) && words.numbers().any(|at| words.number(at).is_some_and(|number| number.base == Some(Base::Unit)));
        // An income and the expenses, and nothing else.
        let both = words.says(&["total revenue", "revenue", "revenues", "total income", "egi", "effective gross income", "net rental income"]) && words.says(&["operating expenses", "operating costs", "opex", "expenses", "on operations"]) && amounts(words) == 2;
        let lines = both || words.says(&["net rental income"]) || share || each || rented(words) || words.says(&["no vacancy", "fully occupied", "fully leased", "fully let"]) || words.says(LOSSES) || words.says(LINES) || words.says(&["noi margin", "operating margin", "margin", "ncf", "net cash flow", "underwritten ncf", "running costs", "reserve", "capital reserve", "share of egi", "percent of egi", "percentage of egi", "proportion of egi", "share of effective gross income", "percentage of effective gross income"]) || words.says(BELOW);
        // The lines of the expenses alone make their total.
        let costs = words.says(&["total opex", "total operating expenses", "total expenses", "total operating costs"]) && words.says(LINES) && amounts(words) >= 2;
        (asks && top && lines || costs) && !other && !borrows && !trailing && words.numbers().next().is_some()
    },
    goals: &[
        (Noi, &["noi", "net operating income"]),
        (Egi, &["egi", "effective gross income"]),
        (Opex, &["total opex", "total operating expenses", "total expenses", "total operating costs"]),
        (OpexRatio, &["opex ratio", "expense ratio", "operating expense ratio", "oer", "share of egi", "percent of egi", "percentage of egi", "proportion of egi", "share of effective gross income", "percentage of effective gross income"]),
        (NoiMargin, &["noi margin", "operating margin", "net operating margin", "margin"]),
        (EconomicOccupancy, &["economic occupancy", "econ occ", "economic occ"]),
        (NetRentalIncome, &["net rental income"]),
        (NetCashFlow, &["ncf", "net cash flow", "lender ncf", "underwritten ncf"]),
        (Value, &["value", "worth"]),
        (CapRate, &["cap rate", "going in cap rate", "going in cap", "cap"]),
    ],
    inputs: &[
        (Gpr, &["gpr", "gross potential rent", "gross potential", "potential rent", "gross potential income", "pgi", "gpi", "potential gross income", "gross scheduled rent", "gross scheduled income", "potential gross rent", "scheduled rent", "gross rent", "gross rents", "rent", "rents", "rental income", "base rent", "base rents", "rent roll", "rental revenue", "apartment rent", "apartment rents", "gross income", "rent roll income", "gross potential revenue", "pgr", "gross rental income"]),
        (TotalUnits, &["units", "apartments"]),
        (AverageRent, &["average rent"]),
        (Price, &["price", "purchase price", "asking price", "asking", "ask", "list price", "guide price", "offer price", "listed"]),
        (Egi, &["egi", "effective gross income", "revenue", "total revenue", "gross revenue", "total income", "net revenue", "revenue after vacancy", "income after vacancy", "rent after vacancy", "revenue net of vacancy", "income net of vacancy", "revenue after vacancy and credit loss", "income after vacancy and credit loss", "revenues", "total revenues", "effective income"]),
        (Noi, &["noi", "net operating income", "income after expenses", "income after all expenses", "income after operating expenses"]),
        (VacancyShare, &["vac", "vacancy and collection", "vacancy and collections", "vacancy and collection loss", "vacancy", "vacancy loss", "vacancy and credit loss", "vacancy allowance", "vacancy factor", "vacancy rate", "vacant", "physical vacancy", "general vacancy"]),
        (VacancyLoss, &["vac", "vacancy and collection", "vacancy and collection loss", "vacancy", "vacancy loss", "vacancy and credit loss", "vacancy allowance", "lost to vacancy", "general vacancy"]),
        (LeaseLoss, &["loss to lease", "ltl"]),
        (NonRevenue, NON_REVENUE),
        (Concessions, &["concessions", "concession", "free rent", "rent concessions"]),
        (BadDebtShare, &["bad debt", "credit loss", "collection loss", "bad debts", "delinquency"]),
        (BadDebt, &["bad debt", "credit loss", "collection loss", "bad debts", "delinquency", "write offs"]),
        (Recoveries, &["recoveries", "reimbursements", "expense recoveries", "cam recoveries", "recovered", "tenant reimbursements", "rubs", "rubs income", "rubs reimbursements", "utility reimbursements", "utility recoveries", "expense reimbursements", "cam reimbursements", "tax reimbursements", "service charge recoveries", "service charge income", "tenant recoveries", "recovery income"]),
        (OtherIncome, &["other inc", "other income", "parking", "laundry", "parking and laundry", "laundry and parking", "late fees", "fees", "application fees", "pet rent", "pet fees", "pet income", "amenity fees", "amenity income", "billboard income", "billboard", "cell tower", "cell tower income", "antenna income", "vending income", "sundry income", "storage", "storage income", "vending", "garage", "garages", "garage income", "antenna", "ancillary income", "parking revenue", "laundry revenue", "storage revenue", "other revenue", "ancillary revenue", "misc revenue", "fee revenue", "roof rent", "roof rental", "roof rental income", "roof income", "rooftop income", "roof lease", "solar income", "non rental revenue", "service revenue", "late fee revenue", "misc income", "miscellaneous income", "fee income", "parking income", "laundry income", "ancillary"]),
        (Opex, &["on operations", "spent on operations", "spent on opex", "running costs", "operating cost", "opex", "operating expenses", "expenses", "operating costs", "total expenses", "total opex", "operating expense"]),
        (OpexShare, &["opex", "operating expenses", "expenses", "operating costs", "total expenses", "expense ratio", "opex ratio", "operating expense ratio"]),
        (PropertyTaxes, &["rates", "business rates", "council tax", "taxes", "property taxes", "real estate taxes", "property tax", "re taxes"]),
        (Insurance, &["insurance"]),
        (Utilities, &["utilities", "utility costs", "water", "electricity", "gas", "sewer", "trash", "water and sewer", "heating"]),
        (Repairs, &["repairs", "maintenance", "repairs and maintenance", "r and m", "r m"]),
        (Payroll, &["payroll", "salaries", "staff"]),
        (Management, &["management", "management fee", "management fees", "property management", "mgmt fee", "mgmt"]),
        (ManagementShare, &["letting agent", "managing agent", "agent", "agents", "management", "management fee", "management fees", "property management", "mgmt fee", "mgmt"]),
        (Administration, &["admin", "administration", "g and a", "general and administrative", "administrative"]),
        (Marketing, &["marketing", "advertising", "leasing and marketing"]),
        (OtherExpenses, &["ground rent", "ground lease", "cleaning", "pest control", "legal", "cam", "cam expenses", "cam expense", "cam costs", "common area expenses", "common area costs", "common area maintenance", "common area", "professional fees", "turnover costs", "make ready", "telephone", "elevator", "grounds", "janitorial", "trash removal", "service contracts", "contracts", "lawn care", "supplies", "snow removal", "other expenses", "landscaping", "security", "contract services", "other operating expenses"]),
        (Reserves, &["reserves", "replacement reserves", "capex reserve", "capital reserves", "reserve", "replacement reserve", "capital reserve"]),
        (BelowTheLine, &["debt service", "interest on the loan", "interest on the mortgage", "loan interest", "mortgage interest", "mortgage", "mortgage payments", "interest", "depreciation", "capex", "capital expenditures", "income tax", "income taxes", "amortization", "ti", "tis", "tenant improvements", "leasing commissions", "leasing commission", "ti lc", "tis and lcs", "leasing costs", "new roof", "roof", "roof replacement", "renovation", "renovations", "capital works", "mortgage principal", "loan payments", "debt payments", "principal"]),
        (Collections, &["collected", "collections", "collect", "net rental income"]),
        (CapRate, &["cap", "cap rate"]),
    ],
    leads: &[(Noi, &["noi of", "noi is"]), (OpexShare, &["expenses run at", "expenses at", "costs run at"]), (Price, &["asking", "ask is", "listed at", "listed for", "offered at", "price of", "priced at", "buy at", "buying at", "pay"])],
    bare: &[TotalUnits, AverageRent],
    sums: &[NonRevenue, OtherIncome, Recoveries, Insurance, Utilities, Repairs, Payroll, Administration, Marketing, OtherExpenses, Concessions, BelowTheLine],
    settle,
};

/// "How much is a 3% management fee on an EGI of 1.74M": the fee itself, where no income is asked for.
fn asked_for_fee(words: &Words, sheet: &mut Sheet) {
    let income = words.says(&[
        "noi",
        "net operating income",
        "ncf",
        "net cash flow",
        "margin",
        "ratio",
        "opex",
        "expenses",
    ]);
    let fee = sheet.has(ManagementShare) && sheet.has(Egi);
    if sheet.goals == [Noi] && fee && sheet.deal.values.len() == 2 && !income {
        sheet.goals = vec![Management];
    }
}

fn settle(words: &Words, sheet: &mut Sheet) {
    asked_for_fee(words, sheet);
    incomplete(words, sheet, STATEMENT.inputs);
    collected_rent(words, sheet);
    with_reserves(words, sheet);
    one_period(words, sheet);
    each_unit(words, sheet);
    shares(words, sheet);
    of_all_income(words, sheet);
    included(words, sheet);
    if sheet.has(TotalUnits) && sheet.has(AverageRent) && !sheet.has(Gpr) {
        sheet.remark("The potential rent is units × monthly rent × 12.");
    } else if sheet.has(AverageRent) && !sheet.has(Gpr) {
        sheet.doubt("How many units pay that rent?");
    }
    let potential = words.says(&[
        "gpr",
        "gross potential",
        "potential",
        "pgi",
        "gpi",
        "scheduled",
        "gross rent",
        "gross rents",
    ]);
    let full = words.says(&[
        "no vacancy",
        "fully occupied",
        "fully leased",
        "fully let",
        "full occupancy",
        "100% occupied",
    ]);
    let collected = sheet.has(Gpr) && !potential;
    if (full || collected) && !sheet.has(VacancyShare) && !sheet.has(VacancyLoss) {
        let remark = if full {
            "No vacancy, as you say."
        } else {
            "The rent is taken as what is collected: no vacancy is given."
        };
        sheet.assume(VacancyLoss, 0.0, remark);
    }
    let named = |variables: &[Variable], sheet: &Sheet| variables.iter().any(|variable| sheet.has(*variable));
    let plain = !words.says(&["egi", "effective gross", "effective gross income"]);
    if sheet.has(Egi) && plain && (sheet.has(Gpr) || sheet.has(OtherIncome)) {
        sheet.doubt("Is the revenue named the whole effective gross income, or one kind of income?");
    }
    if sheet.has(Egi) && (sheet.has(Gpr) || sheet.has(VacancyLoss)) && sheet.wants(Noi) {
        sheet.deal.values.retain(|variable, _| {
            !matches!(
                variable,
                Gpr | VacancyLoss
                    | VacancyShare
                    | Concessions
                    | BadDebt
                    | BadDebtShare
                    | OtherIncome
                    | Recoveries
            )
        });
        sheet.remark("The EGI is taken as given.");
    }
    // Losses that are not named are none; without any, potential rent alone is not income.
    if !sheet.has(Egi)
        && !sheet.has(NetRentalIncome)
        && (sheet.has(Gpr) || (sheet.has(TotalUnits) && sheet.has(AverageRent)))
    {
        let losses = [
            VacancyShare,
            VacancyLoss,
            Concessions,
            BadDebt,
            BadDebtShare,
            LeaseLoss,
            NonRevenue,
        ];
        if !named(&losses, sheet) && !sheet.has(OtherIncome) && !sheet.has(VacancyLoss) {
            sheet.deal.missing.push(VacancyLoss);
        }
        for (line, share) in [
            (LeaseLoss, LeaseLoss),
            (VacancyLoss, VacancyShare),
            (NonRevenue, NonRevenue),
            (Concessions, Concessions),
            (BadDebt, BadDebtShare),
            (Recoveries, Recoveries),
            (OtherIncome, OtherIncome),
        ] {
            if !sheet.has(share) {
                sheet.assume(line, 0.0, "");
            }
        }
    }
    let lines: Vec<Variable> = EXPENSE_LINES.into_iter().chain([OtherExpenses]).collect();
    let fees = [Management, ManagementShare];
    let apart = named(&fees, sheet)
        && !lines.iter().any(|line| !fees.contains(line) && sheet.has(*line))
        && sheet.has(Opex)
        && !words.has(&["incl", "including", "included", "includes", "inclusive"]);
    if apart {
        // A fee told beside the expenses comes on top of them.
        sheet.rename(Opex, OtherExpenses);
        sheet.remark("The management fee is added to the operating expenses.");
    }
    // "CAM" among the income is what tenants pay; among the expenses, what it costs.
    if let Some((at, _)) = words.find("cam")
        && !words.says(&[
            "cam recoveries",
            "cam reimbursements",
            "cam income",
            "cam expenses",
            "cam expense",
            "cam costs",
        ])
        && !(0..at).any(|at| matches!(words.word(at), "expenses" | "expense" | "opex" | "costs" | "less"))
        && sheet.has(OtherExpenses)
    {
        sheet.doubt("Is the CAM an expense, or what tenants pay towards it?");
    }
    if named(&lines, sheet) {
        if named(&[Opex, OpexShare], sheet) {
            sheet.doubt("Do the total operating expenses include the single lines you name?");
        } else {
            for line in lines {
                if line != ManagementShare && !(line == Management && sheet.has(ManagementShare)) {
                    sheet.assume(line, 0.0, "");
                }
            }
        }
    }
    let of_income = (0..words.tokens.len()).any(|at| {
        // The vacancy is a share of potential rent anyway.
        let expense = |value: f64| {
            [OpexShare, ManagementShare].iter().any(|own| {
                sheet
                    .value(*own)
                    .is_some_and(|own| (own - value / 100.0).abs() < 1e-9)
            }) && !sheet
                .value(VacancyShare)
                .is_some_and(|own| (own - value / 100.0).abs() < 1e-9)
        };
        let share = words
            .number(at)
            .is_some_and(|number| number.shape == Shape::Percent && expense(number.value));
        let of = words.word(at + 1) == "of";
        share
            && of
            && (2..=3).any(|ahead| {
                matches!(
                    words.word(at + ahead),
                    "gpr" | "pgi" | "gpi" | "gross" | "potential" | "rent" | "rents" | "collections"
                )
            })
    });
    if of_income && (sheet.has(OpexShare) || sheet.has(ManagementShare)) {
        sheet.doubt("I take expenses in percent of effective gross income; please give their amount.");
    } else if sheet.has(OpexShare) || sheet.has(ManagementShare) {
        sheet.remark("Expenses in percent are taken of effective gross income.");
    }
    if sheet.has(Reserves) && !sheet.wants(NetCashFlow) {
        sheet.remark("Reserves stay below the line; lenders deduct them for net cash flow.");
        sheet.deal.values.remove(&Reserves);
    }
    if sheet.deal.values.remove(&BelowTheLine).is_some() {
        sheet.remark("Debt service, depreciation, income tax and capital works are never part of NOI.");
    }
    if sheet.wants(EconomicOccupancy) && sheet.has(Collections) {
        sheet
            .deal
            .values
            .retain(|variable, _| matches!(variable, Gpr | Collections));
    }
    if words.says(&["cap rate on noi", "cap rate on the noi", "cap on noi"]) && sheet.has(Price) {
        sheet.goals = vec![CapRate];
    }
    // "What is the NOI, and what would it be worth at a 7% cap?" asks two things.
    let both = sheet.has(CapRate) && words.says(&["worth", "value at", "the value", "it valued"]);
    if sheet.goals == [Noi] && both && !sheet.has(Price) {
        sheet.goals.push(Value);
    }
    if sheet.wants(Value) && !sheet.has(CapRate) {
        sheet.deal.missing.push(CapRate);
    }
}
