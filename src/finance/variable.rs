//! The variables of the calculator graph: word, label and unit of each.
//!
//! A variable's word is the metric name of figures. Synonyms belong to the reader of questions, not
//! here; nothing here knows a value.

use serde::{Deserialize, Serialize};

/// What a value is measured in. Rates and shares are fractions: 0.0625 is 6.25 percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Unit {
    /// United States dollars, major units.
    Money,
    Percent,
    Ratio,
    Multiple,
    Years,
    Months,
    Days,
    Count,
    /// A fact that holds (1) or not; never reported.
    Mark,
}

impl Unit {
    /// The unit's word in figures.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Money => "USD",
            Self::Percent => "percent",
            Self::Ratio => "ratio",
            Self::Multiple => "multiple",
            Self::Years => "years",
            Self::Months => "months",
            Self::Days => "days",
            Self::Count | Self::Mark => "count",
        }
    }
}

macro_rules! variables {
    ($($name:ident $word:literal $label:literal $unit:ident $askable:literal,)*) => {
        /// One quantity that relations connect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Variable { $(#[serde(rename = $word)] $name,)* }

        impl Variable {
            /// Every variable.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The metric's word, for instance `going_in_cap_rate`.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// How a person calls it.
            #[must_use]
            pub fn label(self) -> &'static str {
                match self { $(Self::$name => $label,)* }
            }

            #[must_use]
            pub fn unit(self) -> Unit {
                match self { $(Self::$name => Unit::$unit,)* }
            }

            /// True for what a person is likely to know, so that it can be asked for.
            #[must_use]
            pub fn askable(self) -> bool {
                match self { $(Self::$name => $askable,)* }
            }
        }
    };
}

variables! {
    Price "price" "purchase price" Money true,
    Value "value" "property value" Money true,
    Noi "noi" "net operating income (annual)" Money true,
    CapRate "going_in_cap_rate" "cap rate" Percent true,
    DebtService "debt_service" "annual debt service" Money true,
    Payment "payment" "monthly payment" Money true,
    IoPayment "io_payment" "monthly interest-only payment" Money false,
    Loan "loan_amount" "loan amount" Money true,
    Rate "annual_rate" "annual interest rate" Percent true,
    AmortizationYears "amortization_years" "amortization period" Years true,
    Payments "number_of_payments" "number of monthly payments" Months false,
    IoYears "interest_only_years" "interest-only period" Years false,
    InterestOnly "interest_only" "interest-only loan" Mark false,
    HeldYears "years_elapsed" "years of payments made" Years true,
    Paid "payments_made" "number of amortizing payments made" Months false,
    Balance "balloon" "loan balance" Money false,
    WindowFirst "first_payment" "period (which year, or which payments)" Months true,
    WindowLast "last_payment" "last payment of the window" Months true,
    InterestPaid "interest_paid" "interest paid in that period" Money false,
    PrincipalPaid "principal_paid" "principal repaid in that period" Money false,
    Days "days" "number of days" Days true,
    DayYear "day_count_year" "day count (actual/360, 30/360 or actual/365)" Days true,
    Interest "interest" "interest for the period" Money false,
    Constant "mortgage_constant" "mortgage constant" Percent false,
    Dscr "dscr" "debt service coverage ratio" Ratio true,
    DebtYield "debt_yield" "debt yield" Percent true,
    Ltv "ltv" "loan to value" Percent true,
    Ltc "ltc" "loan to cost" Percent true,
    TotalCost "total_cost" "total project cost" Money true,
    LandCost "land_cost" "land cost" Money false,
    HardCost "hard_cost" "hard costs" Money false,
    SoftCost "soft_cost" "soft costs" Money false,
    FinancingCost "financing_cost" "financing costs" Money false,
    Equity "equity" "equity invested" Money true,
    CashFlow "cash_flow" "cash flow after debt service" Money true,
    Reserves "reserves" "annual reserves" Money true,
    CashOnCash "cash_on_cash" "cash-on-cash return" Percent false,
    Distributions "distributions" "total distributions" Money true,
    EquityMultiple "equity_multiple" "equity multiple" Multiple false,
    Opex "operating_expenses" "annual operating expenses" Money true,
    Pgi "potential_gross_income" "potential gross income (annual)" Money true,
    Egi "egi" "effective gross income (annual)" Money true,
    OpexRatio "opex_ratio" "operating expense ratio" Percent false,
    Breakeven "breakeven_occupancy" "break-even occupancy" Percent false,
    GrossRent "gross_rent" "gross rent (annual)" Money true,
    Grm "grm" "gross rent multiplier" Multiple true,
    Gpr "gpr" "gross potential rent" Money true,
    Collections "collections" "rent collected" Money true,
    EconomicOccupancy "economic_occupancy" "economic occupancy" Percent false,
    OccupiedUnits "occupied_units" "occupied units" Count true,
    TotalUnits "total_units" "total units" Count true,
    PhysicalOccupancy "physical_occupancy" "physical occupancy" Percent false,
    ExitNoi "exit_noi" "NOI of the year after the sale" Money true,
    ExitCap "exit_cap_rate" "exit cap rate" Percent true,
    SaleCostShare "sale_cost_share" "sale costs as a share of the price" Percent true,
    GrossSale "exit_value" "gross sale price" Money false,
    NetSale "net_sale_proceeds" "net sale proceeds before debt" Money false,
    LtvProceeds "ltv_proceeds" "loan by loan to value" Money false,
    LtcProceeds "ltc_proceeds" "loan by loan to cost" Money false,
    DscrProceeds "dscr_proceeds" "loan by coverage" Money false,
    DebtYieldProceeds "debt_yield_proceeds" "loan by debt yield" Money false,
    MaxLoan "max_loan" "largest loan" Money false,
    Irr "irr" "internal rate of return" Percent false,
    IrrRoots "irr_roots" "internal rates of return" Percent false,
    Npv "npv" "net present value" Money false,
    Mirr "mirr" "modified internal rate of return" Percent false,
    PresentValue "present_value" "present value" Money false,
    DiscountRate "discount_rate" "discount rate" Percent true,
    FinanceRate "finance_rate" "finance rate" Percent true,
    ReinvestRate "reinvestment_rate" "reinvestment rate" Percent true,
    Flows "cash_flows" "cash flows" Money true,
    Initial "investment" "initial investment" Money true,
    NominalRate "nominal_rate" "nominal annual rate" Percent true,
    Compounding "compounding_periods" "number of compounding periods per year" Count true,
    PeriodicRate "periodic_rate" "rate per period" Percent true,
    EffectiveRate "effective_rate" "effective annual rate" Percent false,
}

impl Variable {
    /// The variable with this metric word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variable| variable.word() == word)
    }
}
