//! `financials`: the ledger by month and account.

use crate::portfolio::semantic::model::{
    Dimension, Formula, Kind, Model, OverTime, Segment, Unit, base, dimension, measure, of_no_building,
    segment, sql,
};

const NOI: &str = "CASE WHEN t.included_in_noi AND t.category = 'revenue' THEN t.amount \
                   WHEN t.included_in_noi AND t.category = 'operating_expense' THEN -t.amount ELSE 0 END";
const BUDGET_NOI: &str = "CASE WHEN t.included_in_noi AND t.category = 'revenue' THEN t.budget_amount \
                          WHEN t.included_in_noi AND t.category = 'operating_expense' THEN -t.budget_amount ELSE 0 END";
const NOI_VARIANCE: &str = "CASE WHEN t.included_in_noi AND t.category = 'revenue' THEN t.amount - t.budget_amount \
                            WHEN t.included_in_noi AND t.category = 'operating_expense' \
                            THEN t.budget_amount - t.amount ELSE 0 END";
const EGI: &str = "CASE WHEN t.included_in_noi AND t.category = 'revenue' THEN t.amount ELSE 0 END";
const OPEX: &str =
    "CASE WHEN t.included_in_noi AND t.category = 'operating_expense' THEN t.amount ELSE 0 END";
const GPR: &str = "CASE WHEN t.account_code = '4000' THEN t.amount ELSE 0 END";
/// Gross potential rent less loss to lease, vacancy, non-revenue units, concessions and bad debt.
const NET_RENT: &str = "CASE WHEN t.account_code IN ('4000', '4010', '4020', '4025', '4030', '4040') \
                        THEN t.amount ELSE 0 END";
const CAPITAL: &str = "CASE WHEN t.category = 'capital' THEN t.amount ELSE 0 END";
const DEBT_SERVICE: &str = "CASE WHEN t.category = 'debt_service' THEN t.amount ELSE 0 END";
const CASH_FLOW: &str = "CASE WHEN t.included_in_noi AND t.category = 'revenue' THEN t.amount \
                         WHEN t.included_in_noi AND t.category = 'operating_expense' THEN -t.amount \
                         WHEN t.category IN ('capital', 'debt_service') THEN -t.amount ELSE 0 END";

pub static MODEL: Model = Model {
    name: "financials",
    title: "Monthly financials",
    description: "Income, expenses, capital and debt service by month and account, with the budget. NOI is before \
                  capital and debt service.",
    grain: "one account of one building in one month",
    rows: &[
        sql(
            "(SELECT f.building_id, f.month, f.account_code, f.amount, f.budget_amount, f.currency, \
             a.name AS account_name, a.category, a.included_in_noi FROM ",
        ),
        base("monthly_financials", "f"),
        sql(" LEFT JOIN "),
        of_no_building("accounts", "a"),
        sql(" ON a.code = f.account_code) AS t"),
    ],
    joins_buildings: true,
    over_time: OverTime::Adds,
    default_time: Some("month"),
    currency: "t.currency",
    measures: &[
        measure(
            "noi",
            "NOI",
            Unit::Money,
            Formula::Sum(NOI),
            "Net operating income: revenue accounts - operating expense accounts; no capital, no debt service.",
        ),
        measure(
            "egi",
            "Effective gross income",
            Unit::Money,
            Formula::Sum(EGI),
            "Sum of revenue accounts, deductions such as vacancy being negative.",
        ),
        measure(
            "operating_expenses",
            "Operating expenses",
            Unit::Money,
            Formula::Sum(OPEX),
            "Sum of operating expense accounts.",
        ),
        measure(
            "gross_potential_rent",
            "Gross potential rent",
            Unit::Money,
            Formula::Sum(GPR),
            "Account 4000: market rent of all units.",
        ),
        measure(
            "net_rental_income",
            "Net rental income",
            Unit::Money,
            Formula::Sum(NET_RENT),
            "Gross potential rent less loss to lease, vacancy, non-revenue units, concessions and bad debt \
             (accounts 4000 to 4040).",
        ),
        measure(
            "economic_occupancy",
            "Economic occupancy",
            Unit::Share,
            Formula::Ratio(NET_RENT, GPR),
            "Net rental income / gross potential rent over the period.",
        ),
        measure(
            "opex_ratio",
            "Operating expense ratio",
            Unit::Share,
            Formula::Ratio(OPEX, EGI),
            "Operating expenses / effective gross income.",
        ),
        measure(
            "noi_margin",
            "NOI margin",
            Unit::Share,
            Formula::Ratio(NOI, EGI),
            "NOI / effective gross income.",
        ),
        measure(
            "capital_expenditures",
            "Capital expenditures",
            Unit::Money,
            Formula::Sum(CAPITAL),
            "Capital accounts: works, tenant improvements, commissions.",
        ),
        measure(
            "debt_service",
            "Debt service",
            Unit::Money,
            Formula::Sum(DEBT_SERVICE),
            "Debt service accounts: interest and principal.",
        ),
        measure(
            "cash_flow_after_debt",
            "Cash flow after debt service",
            Unit::Money,
            Formula::Sum(CASH_FLOW),
            "NOI - capital accounts - debt service.",
        ),
        measure(
            "budget_noi",
            "Budgeted NOI",
            Unit::Money,
            Formula::Sum(BUDGET_NOI),
            "NOI by the budget amounts.",
        ),
        measure(
            "noi_variance",
            "NOI against budget",
            Unit::Money,
            Formula::Sum(NOI_VARIANCE),
            "NOI - budgeted NOI over accounts with a budget; positive is better than planned.",
        ),
        measure(
            "amount",
            "Amount",
            Unit::Money,
            Formula::Sum("t.amount"),
            "Sum of amounts as booked: expenses, capital and debt service positive, deductions from revenue negative. \
             Meaningful within one account or category only.",
        ),
        measure(
            "budget_amount",
            "Budget",
            Unit::Money,
            Formula::Sum("t.budget_amount"),
            "Sum of budget amounts, signed as amounts are. Meaningful within one account or category only.",
        ),
        measure(
            "budget_variance",
            "Amount against budget",
            Unit::Money,
            Formula::Sum("t.amount - t.budget_amount"),
            "Amount - budget over rows with a budget; of an expense, positive is worse than planned. Meaningful within \
             one account or category only.",
        ),
    ],
    dimensions: &DIMENSIONS,
    segments: &SEGMENTS,
};

static DIMENSIONS: [Dimension; 5] = [
    dimension("month", "Month", Kind::Month, "t.month", "The month booked."),
    dimension(
        "account_code",
        "Account",
        Kind::Text,
        "t.account_code",
        "Code in the chart of accounts.",
    ),
    dimension(
        "account_name",
        "Account name",
        Kind::Text,
        "t.account_name",
        "Name in the chart of accounts.",
    ),
    dimension(
        "category",
        "Category",
        Kind::Text,
        "t.category",
        "revenue, operating_expense, capital or debt_service.",
    ),
    dimension(
        "included_in_noi",
        "In NOI",
        Kind::Boolean,
        "t.included_in_noi",
        "Whether the account counts towards NOI.",
    ),
];

static SEGMENTS: [Segment; 2] = [
    segment(
        "operating",
        "Operating accounts",
        "t.included_in_noi",
        "Accounts that count towards NOI.",
    ),
    segment(
        "below_the_line",
        "Below the line",
        "t.category IN ('capital', 'debt_service')",
        "Capital and debt service.",
    ),
];
