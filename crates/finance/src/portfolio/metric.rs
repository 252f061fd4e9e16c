//! The metrics of a portfolio: the word of each, how people call it, its unit, what it is computed from, and its
//! definition. The one table of them; knows no data.

use serde::{Deserialize, Serialize};

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    Occupancy,
    OccupancyByArea,
    OccupancyOfAllUnits,
    Vacancy,
    VacancyByArea,
    Buildings,
    Units,
    RentableUnits,
    OccupiedUnits,
    VacantUnits,
    NonRevenueUnits,
    RentableArea,
    /// Model and down units among them.
    TotalArea,
    LeasedArea,
    VacantArea,
    Leases,
    MonthToMonth,
    FutureLeases,
    OverlappingUnits,
    Expirations,
    WaltByRent,
    WaltByArea,
    RolloverShareOfRent,
    RolloverShareOfArea,
    RolloverRent,
    RolloverArea,
    RenewalRate,
    MonthlyRent,
    AnnualRent,
    AverageRent,
    RentPerArea,
    AnnualRentPerArea,
    MarketRent,
    VacantMarketRent,
    AverageMarketRent,
    LossToLease,
    AnnualLossToLease,
    LossToLeaseShare,
    TopTenantShare,
    Noi,
    Egi,
    Opex,
    OpexRatio,
    NoiMargin,
    OpexPerUnit,
    OpexPerArea,
    NoiPerUnit,
    NoiPerArea,
    GrossPotentialRent,
    EconomicOccupancy,
    EconomicVacancy,
    BadDebt,
    BadDebtShare,
    Concessions,
    ConcessionShare,
    Capex,
    DebtService,
    CashFlowBeforeDebt,
    CashFlowAfterDebt,
    BreakevenOccupancy,
    NoiBudget,
    EgiBudget,
    OpexBudget,
    AccountBudget,
    NoiVsBudget,
    NoiVsBudgetShare,
    EgiVsBudget,
    OpexVsBudget,
    /// One account of the ledger, by its code.
    Account,
    AccountVsBudget,
    Dscr,
    SeniorDscr,
    Ltv,
    SeniorLtv,
    DebtYield,
    TotalDebt,
    AverageRate,
    Loans,
    Value,
    ImpliedCapRate,
    PurchasePrice,
    /// Value less debt.
    Equity,
    Deposits,
    /// Average time to maturity.
    DebtTerm,
}

/// What a value is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A fraction: 0.95 is 95 %.
    Percent,
    /// A multiple such as 1.25x.
    Ratio,
    Years,
    Count,
    Area,
    Money,
    MoneyPerUnit,
    MoneyPerArea,
}

impl Unit {
    pub const fn is_money(self) -> bool {
        matches!(self, Self::Money | Self::MoneyPerUnit | Self::MoneyPerArea)
    }

    /// The word of the unit, with the currency where it is money.
    pub fn word(self, currency: &str) -> String {
        match self {
            Self::Percent => "percent".to_owned(),
            Self::Ratio => "ratio".to_owned(),
            Self::Years => "years".to_owned(),
            Self::Count => "count".to_owned(),
            Self::Area => "sqft".to_owned(),
            Self::Money => currency.to_owned(),
            Self::MoneyPerUnit => format!("{currency}/unit"),
            Self::MoneyPerArea => format!("{currency}/sqft"),
        }
    }
}

/// What a metric is about: a day, or a span of months.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tense {
    /// The rent roll or the debt as they stand on a day.
    Day,
    /// The ledger over months.
    Span,
    /// The ledger over months against what stands on its last day.
    Both,
}

/// Which data a metric is computed from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    pub roll: bool,
    pub ends: bool,
    pub ledger: bool,
    pub loans: bool,
    pub payments: bool,
    pub values: bool,
    pub counts: bool,
    pub prices: bool,
}

/// The fixed facts of a metric.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its stable word.
    pub word: &'static str,
    /// As it reads inside a sentence.
    pub label: &'static str,
    pub unit: Unit,
    pub tense: Tense,
    pub definition: &'static str,
}

const IN_FORCE: &str = "A lease counts on a day if it is signed, has started, and has not ended: the end is the \
     move-out date if there is one, none if month-to-month, else the end date, that day included. Of several on one unit \
     the latest start counts. Only rentable units count.";

impl Metric {
    pub const fn word(self) -> &'static str {
        self.info().word
    }

    pub const fn label(self) -> &'static str {
        self.info().label
    }

    pub const fn unit(self) -> Unit {
        self.info().unit
    }

    pub const fn tense(self) -> Tense {
        self.info().tense
    }

    /// Amounts and counts that may be added up, so that a part has a share of the whole.
    pub const fn adds_up(self) -> bool {
        matches!(self.unit(), Unit::Money | Unit::Count | Unit::Area)
    }

    /// True where more of it is worse: "the worst" is then the highest.
    pub const fn is_burden(self) -> bool {
        matches!(
            self,
            Self::Vacancy
                | Self::EconomicVacancy
                | Self::VacancyByArea
                | Self::VacantUnits
                | Self::VacantArea
                | Self::NonRevenueUnits
                | Self::MonthToMonth
                | Self::OverlappingUnits
                | Self::Expirations
                | Self::RolloverShareOfRent
                | Self::RolloverShareOfArea
                | Self::RolloverRent
                | Self::RolloverArea
                | Self::LossToLease
                | Self::AnnualLossToLease
                | Self::LossToLeaseShare
                | Self::TopTenantShare
                | Self::Opex
                | Self::OpexRatio
                | Self::OpexPerUnit
                | Self::OpexPerArea
                | Self::BadDebt
                | Self::BadDebtShare
                | Self::Concessions
                | Self::ConcessionShare
                | Self::BreakevenOccupancy
                | Self::OpexVsBudget
                | Self::Ltv
                | Self::SeniorLtv
                | Self::TotalDebt
                | Self::AverageRate
        )
    }

    /// The definition, with the rule of leases in force where it rests on it.
    pub fn definition(self) -> String {
        let own = self.info().definition;
        let rests = matches!(
            self,
            Self::Occupancy | Self::OccupancyByArea | Self::Vacancy | Self::VacancyByArea | Self::VacantUnits
        );
        if rests {
            format!("{own} {IN_FORCE}")
        } else {
            own.to_owned()
        }
    }

    pub const fn needs(self) -> Needs {
        let mut needs = Needs {
            roll: false,
            ends: false,
            ledger: false,
            loans: false,
            payments: false,
            values: false,
            counts: false,
            prices: false,
        };
        match self {
            Self::Buildings => {}
            Self::WaltByRent
            | Self::WaltByArea
            | Self::RolloverShareOfRent
            | Self::RolloverShareOfArea
            | Self::RolloverRent
            | Self::RolloverArea
            | Self::Leases
            | Self::MonthToMonth
            | Self::Expirations => needs.ends = true,
            Self::FutureLeases | Self::OverlappingUnits | Self::RenewalRate | Self::Deposits => {
                needs.counts = true;
            }
            Self::PurchasePrice => needs.prices = true,
            Self::OpexPerUnit | Self::OpexPerArea | Self::NoiPerUnit | Self::NoiPerArea => {
                needs.ledger = true;
                needs.roll = true;
            }
            Self::Ltv | Self::SeniorLtv | Self::Equity => {
                needs.loans = true;
                needs.values = true;
            }
            Self::SeniorDscr => {
                needs.ledger = true;
                needs.payments = true;
                needs.loans = true;
            }
            Self::DebtYield => {
                needs.ledger = true;
                needs.loans = true;
            }
            Self::TotalDebt | Self::AverageRate | Self::Loans | Self::DebtTerm => needs.loans = true,
            Self::Value => needs.values = true,
            Self::ImpliedCapRate => {
                needs.ledger = true;
                needs.values = true;
            }
            _ => match self.tense() {
                Tense::Day => needs.roll = true,
                Tense::Span | Tense::Both => needs.ledger = true,
            },
        }
        needs
    }

    /// True where the metric's word carries the period ("noi_t12").
    pub const fn names_its_period(self) -> bool {
        matches!(
            self,
            Self::Noi
                | Self::Egi
                | Self::Opex
                | Self::Concessions
                | Self::Capex
                | Self::CashFlowBeforeDebt
                | Self::CashFlowAfterDebt
                | Self::DebtService
                | Self::GrossPotentialRent
                | Self::BadDebt
        )
    }

    /// A metric of leases, which may be asked of residential or of commercial space alone.
    pub const fn is_of_leases(self) -> bool {
        let needs = self.needs();
        (needs.roll || needs.ends || needs.counts) && !needs.ledger
    }

    /// What is of leases in force alone, not of empty space beside them.
    pub const fn is_of_lets(self) -> bool {
        matches!(
            self,
            Self::OccupiedUnits
                | Self::LeasedArea
                | Self::Leases
                | Self::MonthToMonth
                | Self::Expirations
                | Self::WaltByRent
                | Self::WaltByArea
                | Self::RolloverShareOfRent
                | Self::RolloverShareOfArea
                | Self::RolloverRent
                | Self::RolloverArea
                | Self::MonthlyRent
                | Self::AnnualRent
                | Self::AverageRent
                | Self::RentPerArea
                | Self::AnnualRentPerArea
                | Self::LossToLease
                | Self::AnnualLossToLease
                | Self::LossToLeaseShare
                | Self::Deposits
        )
    }

    #[rustfmt::skip]
    pub const fn info(self) -> Info {
        use Tense::{Both, Day, Span};
        use Unit::{Area, Count, Money, MoneyPerArea, MoneyPerUnit, Percent, Ratio, Years};
        let (word, label, unit, tense, definition) = match self {
            Self::Occupancy => ("physical_occupancy", "physical occupancy", Percent, Day,
                "Physical occupancy = rentable units with a lease in force ÷ rentable units; model and down units are in neither."),
            Self::OccupancyByArea => ("physical_occupancy_by_area", "physical occupancy by area", Percent, Day,
                "Leased area ÷ rentable area; model and down units are in neither."),
            Self::OccupancyOfAllUnits => ("physical_occupancy_total_units", "physical occupancy of all units", Percent, Day,
                "Rentable units with a lease in force ÷ all units, model and down units among them."),
            Self::Vacancy => ("vacancy", "physical vacancy", Percent, Day, "1 − physical occupancy, by rentable units."),
            Self::VacancyByArea => ("vacancy_by_area", "physical vacancy by area", Percent, Day, "1 − leased area ÷ rentable area."),
            Self::Buildings => ("buildings", "number of properties", Count, Day, "Properties you can see."),
            Self::Units => ("units", "number of units", Count, Day, "All units, model and down units among them."),
            Self::RentableUnits => ("rentable_units", "number of rentable units", Count, Day, "Units that are neither model nor down nor otherwise out of use."),
            Self::OccupiedUnits => ("occupied_units", "number of occupied units", Count, Day, "Rentable units with a lease in force."),
            Self::VacantUnits => ("vacant_rentable_units", "number of vacant rentable units", Count, Day, "Rentable units without a lease in force."),
            Self::NonRevenueUnits => ("non_revenue_units", "number of non-revenue units", Count, Day, "Units that cannot be rented: model, down, office, employee."),
            Self::RentableArea => ("rentable_area", "rentable area", Area, Day, "Area of the rentable units."),
            Self::TotalArea => ("total_area", "area of all units", Area, Day, "Area of all units, model and down units among them."),
            Self::LeasedArea => ("leased_area", "leased area", Area, Day, "Area of the rentable units with a lease in force."),
            Self::VacantArea => ("vacant_area", "vacant area", Area, Day, "Area of the rentable units without a lease in force."),
            Self::Leases => ("leases_in_force", "number of leases in force", Count, Day, "Leases in force, one for each occupied unit."),
            Self::MonthToMonth => ("month_to_month_leases", "number of month-to-month leases", Count, Day, "Leases in force whose end date has passed (holdover)."),
            Self::FutureLeases => ("future_leases", "number of leases signed but not started", Count, Day, "Signed leases that start after the day; drafts do not count."),
            Self::OverlappingUnits => ("overlapping_units", "number of units with overlapping leases", Count, Day, "Units with more than one signed lease in force on the day, mostly early renewals; everywhere else the latest start counts alone."),
            Self::Expirations => ("lease_expirations", "number of expiring leases", Count, Day, "Leases in force whose end date lies in the window; renewals that were signed but have not started do not change that."),
            Self::WaltByRent => ("walt_by_rent", "WALT by rent", Years, Day, "Σ(monthly rent × remaining years) ÷ Σ monthly rent over leases in force; remaining = days to the end date ÷ 365, 0 for holdover. Vacant space and renewals not started are left out."),
            Self::WaltByArea => ("walt_by_area", "WALE by area", Years, Day, "Σ(area × remaining years) ÷ Σ area over leases in force; remaining = days to the end date ÷ 365, 0 for holdover. Vacant space and renewals not started are left out."),
            Self::RolloverShareOfRent => ("rollover_pct_of_rent", "share of rent that expires", Percent, Day, "Rent of leases in force whose end date lies in the window ÷ rent of all leases in force."),
            Self::RolloverShareOfArea => ("rollover_pct_of_area", "share of leased area that expires", Percent, Day, "Area of leases in force whose end date lies in the window ÷ area of all leases in force."),
            Self::RolloverRent => ("rollover_annual_rent", "annual rent that expires", Money, Day, "Monthly rent in effect × 12 of leases in force whose end date lies in the window."),
            Self::RolloverArea => ("rollover_area", "leased area that expires", Area, Day, "Area of leases in force whose end date lies in the window."),
            Self::RenewalRate => ("renewal_rate", "renewal rate", Percent, Span, "Leases with an end date in the period, without an early move-out and not month-to-month: the share that another signed lease renews."),
            Self::MonthlyRent => ("monthly_inplace_rent", "in-place base rent per month", Money, Day, "Monthly rent in effect over all leases in force."),
            Self::AnnualRent => ("annual_inplace_rent", "annualized in-place base rent", Money, Day, "Monthly rent in effect × 12 over all leases in force; overlapping leases of a unit count once."),
            Self::AverageRent => ("avg_rent_per_unit", "average in-place rent per occupied unit and month", MoneyPerUnit, Day, "Monthly rent in effect ÷ occupied units."),
            Self::RentPerArea => ("avg_rent_psf", "in-place rent per square foot and month", MoneyPerArea, Day, "Monthly rent in effect ÷ leased area."),
            Self::AnnualRentPerArea => ("annual_rent_psf", "in-place rent per square foot and year", MoneyPerArea, Day, "Monthly rent in effect × 12 ÷ leased area."),
            Self::MarketRent => ("market_rent", "market rent of all rentable units per month", Money, Day, "Market rent of the rentable units as known for the day."),
            Self::VacantMarketRent => ("vacant_market_rent", "market rent of the vacant units per month", Money, Day, "Market rent of the rentable units without a lease in force, as known for the day."),
            Self::AverageMarketRent => ("avg_market_rent_per_unit", "average market rent per rentable unit and month", MoneyPerUnit, Day, "Market rent of the rentable units ÷ those units."),
            Self::LossToLease => ("loss_to_lease_monthly", "loss to lease per month", Money, Day, "Market rent − rent in effect over occupied units, net of units above market."),
            Self::AnnualLossToLease => ("loss_to_lease_annual", "loss to lease per year", Money, Day, "(Market rent − rent in effect) × 12 over occupied units, net of units above market."),
            Self::LossToLeaseShare => ("loss_to_lease_pct", "loss to lease as a share of market rent", Percent, Day, "Loss to lease ÷ market rent of the occupied units."),
            Self::TopTenantShare => ("top_tenant_share", "largest tenant's share of rent", Percent, Day, "Rent in effect of the largest tenant ÷ rent in effect of all leases counted."),
            Self::Noi => ("noi", "NOI", Money, Span, "Revenue − operating expenses; capital works, leasing costs and debt service are below the line."),
            Self::Egi => ("egi", "effective gross income", Money, Span, "The sum of all revenue accounts, deductions included."),
            Self::Opex => ("opex", "operating expenses", Money, Span, "The sum of all operating expense accounts."),
            Self::OpexRatio => ("opex_ratio", "operating expense ratio", Percent, Span, "Operating expenses ÷ effective gross income."),
            Self::NoiMargin => ("noi_margin", "NOI margin", Percent, Span, "NOI ÷ effective gross income."),
            Self::OpexPerUnit => ("opex_per_unit", "operating expenses per unit", MoneyPerUnit, Both, "Operating expenses of the period ÷ all units, model and down units among them."),
            Self::OpexPerArea => ("opex_per_sqft", "operating expenses per square foot", MoneyPerArea, Both, "Operating expenses of the period ÷ the area of all units."),
            Self::NoiPerUnit => ("noi_per_unit", "NOI per unit", MoneyPerUnit, Both, "NOI of the period ÷ all units, model and down units among them."),
            Self::NoiPerArea => ("noi_per_sqft", "NOI per square foot", MoneyPerArea, Both, "NOI of the period ÷ the area of all units."),
            Self::GrossPotentialRent => ("gross_potential_rent", "gross potential rent", Money, Span, "The gross potential rent account."),
            Self::EconomicOccupancy => ("economic_occupancy", "economic occupancy", Percent, Span, "Net rental income ÷ gross potential rent, where net rental income is gross potential rent less loss to lease, vacancy, non-revenue units, concessions and bad debt."),
            Self::BadDebt => ("bad_debt", "bad debt", Money, Span, "The bad debt account, as a positive amount."),
            Self::BadDebtShare => ("bad_debt_pct_gpr", "bad debt as a share of gross potential rent", Percent, Span, "Bad debt ÷ gross potential rent."),
            Self::Concessions => ("concessions", "concessions", Money, Span, "The concessions account, as a positive amount."),
            Self::ConcessionShare => ("concessions_pct_gpr", "concessions as a share of gross potential rent", Percent, Span, "Concessions ÷ gross potential rent."),
            Self::Capex => ("capex", "capital spend", Money, Span, "All capital accounts: capital expenditures, tenant improvements, leasing commissions."),
            Self::DebtService => ("debt_service", "debt service", Money, Span, "Interest and principal paid, all loans."),
            Self::EconomicVacancy => ("economic_vacancy", "economic vacancy", Percent, Span, "1 − economic occupancy: loss to lease, vacancy, non-revenue units, concessions and bad debt ÷ gross potential rent."),
            Self::CashFlowBeforeDebt => ("cash_flow_before_debt", "NOI after capital spend", Money, Span, "NOI − capital accounts, before debt service."),
            Self::CashFlowAfterDebt => ("cash_flow_after_debt", "cash flow after capital and debt service", Money, Span, "NOI − capital accounts − debt service."),
            Self::BreakevenOccupancy => ("breakeven_occupancy", "break-even occupancy", Percent, Span, "(Operating expenses + debt service) ÷ (gross potential rent + recoveries + other income)."),
            Self::NoiBudget => ("noi_budget", "budgeted NOI", Money, Span, "Budgeted revenue − budgeted operating expenses."),
            Self::EgiBudget => ("egi_budget", "budgeted effective gross income", Money, Span, "Budgeted revenue, deductions included."),
            Self::OpexBudget => ("opex_budget", "budgeted operating expenses", Money, Span, "The sum of the budgets of all operating expense accounts."),
            Self::AccountBudget => ("account_budget", "budget of the account", Money, Span, "The budget of the account"),
            Self::NoiVsBudget => ("noi_vs_budget", "NOI against budget", Money, Span, "NOI − budgeted NOI, same accounts and months; positive is better than budget."),
            Self::NoiVsBudgetShare => ("noi_vs_budget_pct", "NOI against budget in percent", Percent, Span, "(NOI − budgeted NOI) ÷ budgeted NOI; positive is better than budget."),
            Self::EgiVsBudget => ("egi_vs_budget", "effective gross income against budget", Money, Span, "Effective gross income − budget; positive is better than budget."),
            Self::OpexVsBudget => ("opex_vs_budget", "operating expenses against budget", Money, Span, "Operating expenses − budget; positive is over budget."),
            Self::Account => ("account", "account", Money, Span, "The sum of the account. What is lost of the rent is told as the amount lost; loss or gain to lease is negative for a loss."),
            Self::AccountVsBudget => ("account_vs_budget", "account against budget", Money, Span, "The account − its budget; positive is above budget."),
            Self::Dscr => ("dscr", "DSCR (all loans)", Ratio, Span, "NOI ÷ debt service (interest and principal of all loans) over the same months. Buildings without debt service are left out of NOI."),
            Self::SeniorDscr => ("dscr_senior", "DSCR (senior loans only)", Ratio, Span, "NOI ÷ interest and principal of senior loans over the same months. Buildings without a senior loan are left out of NOI."),
            Self::Ltv => ("ltv", "loan to value", Percent, Day, "Balance of all loans ÷ latest market value. Over several buildings the value includes those without debt."),
            Self::SeniorLtv => ("ltv_senior", "loan to value (senior loans only)", Percent, Day, "Balance of senior loans ÷ latest market value."),
            Self::DebtYield => ("debt_yield", "debt yield", Percent, Both, "NOI ÷ balance of all loans. Buildings without debt are left out of NOI."),
            Self::TotalDebt => ("total_debt", "debt outstanding", Money, Day, "The sum of all loan balances."),
            Self::AverageRate => ("weighted_avg_interest_rate", "average interest rate", Percent, Day, "Interest rates weighted by balance."),
            Self::Loans => ("loans", "number of loans", Count, Day, "Loans outstanding."),
            Self::Value => ("portfolio_value", "market value", Money, Day, "The sum of each building's latest market value."),
            Self::ImpliedCapRate => ("implied_cap_rate", "implied cap rate", Percent, Both, "NOI ÷ latest market value."),
            Self::PurchasePrice => ("purchase_price", "purchase price", Money, Day, "What was paid for the properties, without closing costs."),
            Self::Equity => ("equity_value", "equity (value less debt)", Money, Day, "Latest market value − balance of all loans; properties without debt count with their value."),
            Self::Deposits => ("security_deposits", "security deposits", Money, Day, "Security deposits of the leases in force."),
            Self::DebtTerm => ("weighted_avg_debt_term", "average time to maturity of the debt", Years, Day, "Σ(balance × days to maturity ÷ 365) ÷ Σ balance, over all loans."),
        };
        Info {
            word,
            label,
            unit,
            tense,
            definition,
        }
    }
}
