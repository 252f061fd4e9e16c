//! The relations between variables: for each what it means and how it computes in each direction.
//!
//! The first relation that yields a variable is the usual definition. A relation marked as an
//! assumption is used only where nothing else leads on, and is named in the steps.

use crate::finance::fault::{Fault, finite, ratio};
use crate::finance::loan;
use crate::finance::variable::Variable::{self, *};

/// One direction of a relation.
#[derive(Debug)]
pub struct Form {
    pub output: Variable,
    pub inputs: &'static [Variable],
    /// The right-hand side as people write it.
    pub formula: &'static str,
    /// Gets the inputs in their order.
    pub compute: fn(&[f64]) -> Result<f64, Fault>,
}

/// What connects some variables.
#[derive(Debug)]
pub struct Relation {
    /// One sentence: definition and convention.
    pub definition: &'static str,
    /// True when this is a choice and not a definition.
    pub assumption: bool,
    pub forms: &'static [Form],
}

type Computed = Result<f64, Fault>;

fn one(v: &[f64], f: impl Fn(f64) -> Computed) -> Computed {
    if let &[a] = v { f(a) } else { Err(Fault::NotFinite) }
}
fn two(v: &[f64], f: impl Fn(f64, f64) -> Computed) -> Computed {
    if let &[a, b] = v {
        f(a, b)
    } else {
        Err(Fault::NotFinite)
    }
}
fn three(v: &[f64], f: impl Fn(f64, f64, f64) -> Computed) -> Computed {
    if let &[a, b, c] = v {
        f(a, b, c)
    } else {
        Err(Fault::NotFinite)
    }
}
fn four(v: &[f64], f: impl Fn(f64, f64, f64, f64) -> Computed) -> Computed {
    if let &[a, b, c, d] = v {
        f(a, b, c, d)
    } else {
        Err(Fault::NotFinite)
    }
}
fn sum(v: &[f64]) -> Computed {
    finite(v.iter().sum())
}

macro_rules! form {
    ($output:ident = $formula:literal; $($input:ident),+; $compute:expr) => {
        Form { output: $output, inputs: &[$($input),+], formula: $formula, compute: $compute }
    };
}

/// All relations of the graph.
pub static RELATIONS: &[Relation] = &[
    Relation {
        definition: "NOI = effective gross income − operating expenses.",
        assumption: false,
        forms: &[
            form!(Noi = "EGI − operating expenses"; Egi, Opex; |v| two(v, |egi, opex| finite(egi - opex))),
            form!(Opex = "EGI − NOI"; Egi, Noi; |v| two(v, |egi, noi| finite(egi - noi))),
            form!(Egi = "NOI + operating expenses"; Noi, Opex; |v| two(v, |noi, opex| finite(noi + opex))),
        ],
    },
    Relation {
        definition: "Going-in cap rate = annual NOI ÷ purchase price.",
        assumption: false,
        forms: &[
            form!(CapRate = "NOI ÷ price"; Noi, Price; |v| two(v, |noi, price| ratio(noi, price, "purchase price"))),
        ],
    },
    Relation {
        definition: "Direct capitalization: value = annual NOI ÷ cap rate.",
        assumption: false,
        forms: &[
            form!(Value = "NOI ÷ cap rate"; Noi, CapRate; |v| two(v, |noi, cap| ratio(noi, cap, "cap rate"))),
            form!(Noi = "value × cap rate"; Value, CapRate; |v| two(v, |value, cap| finite(value * cap))),
            form!(CapRate = "NOI ÷ value"; Noi, Value; |v| two(v, |noi, value| ratio(noi, value, "property value"))),
        ],
    },
    Relation {
        definition: "The purchase price is taken as the value.",
        assumption: true,
        forms: &[form!(Value = "price"; Price; |v| one(v, finite))],
    },
    Relation {
        definition: "DSCR = annual NOI ÷ annual debt service (interest and principal).",
        assumption: false,
        forms: &[
            form!(Dscr = "NOI ÷ debt service"; Noi, DebtService; |v| two(v, |noi, service| {
                if service == 0.0 { Err(Fault::NoDebt) } else { finite(noi / service) }
            })),
            form!(Noi = "DSCR × debt service"; Dscr, DebtService; |v| two(v, |dscr, service| finite(dscr * service))),
            form!(DebtService = "NOI ÷ DSCR"; Noi, Dscr; |v| two(v, |noi, dscr| ratio(noi, dscr, "DSCR"))),
        ],
    },
    Relation {
        definition: "Annual debt service = 12 monthly payments.",
        assumption: false,
        forms: &[
            form!(DebtService = "12 × monthly payment"; Payment; |v| one(v, |pay| finite(12.0 * pay))),
            form!(Payment = "annual debt service ÷ 12"; DebtService; |v| one(v, |service| finite(service / 12.0))),
        ],
    },
    Relation {
        definition: "While interest-only, annual debt service = 12 interest-only payments.",
        assumption: false,
        forms: &[
            form!(DebtService = "12 × interest-only payment"; IoPayment, InterestOnly;
            |v| two(v, |pay, _| finite(12.0 * pay))),
        ],
    },
    Relation {
        definition: "Interest-only payment = loan × annual rate ÷ 12.",
        assumption: false,
        forms: &[
            form!(IoPayment = "loan × rate ÷ 12"; Loan, Rate; |v| two(v, |loan, rate| finite(loan * rate / 12.0))),
        ],
    },
    Relation {
        definition: "Level payment at the end of each month: P·i ÷ (1 − (1+i)^−n), i = annual rate ÷ 12.",
        assumption: false,
        forms: &[
            form!(Payment = "loan × i ÷ (1 − (1+i)^−n), i = rate ÷ 12"; Loan, Rate, Payments;
                |v| three(v, loan::payment)),
            form!(Loan = "payment × (1 − (1+i)^−n) ÷ i, i = rate ÷ 12"; Payment, Rate, Payments;
                |v| three(v, loan::loan_from_payment)),
            form!(Rate = "12 × the monthly rate at which n payments repay the loan"; Loan, Payment, Payments;
                |v| three(v, loan::annual_rate)),
            form!(Payments = "−ln(1 − loan·i ÷ payment) ÷ ln(1+i), i = rate ÷ 12"; Loan, Rate, Payment;
                |v| three(v, loan::payments_needed)),
        ],
    },
    Relation {
        definition: "Monthly payments: 12 per year of amortization.",
        assumption: false,
        forms: &[
            form!(Payments = "12 × amortization years"; AmortizationYears; |v| one(v, |years| finite(12.0 * years))),
            form!(AmortizationYears = "payments ÷ 12"; Payments; |v| one(v, |count| finite(count / 12.0))),
        ],
    },
    Relation {
        definition: "The balance does not change during the interest-only years.",
        assumption: false,
        forms: &[
            form!(Paid = "12 × (years elapsed − interest-only years), at least 0"; HeldYears, IoYears;
            |v| two(v, |held, io| finite((12.0 * (held - io)).max(0.0)))),
        ],
    },
    Relation {
        definition: "Payments made: 12 per year elapsed.",
        assumption: false,
        forms: &[form!(Paid = "12 × years elapsed"; HeldYears; |v| one(v, |years| finite(12.0 * years)))],
    },
    Relation {
        definition: "Balance right after a payment = present value of the payments still due at the loan's rate.",
        assumption: false,
        forms: &[
            form!(Balance = "payment × (1 − (1+i)^−(n−k)) ÷ i, i = rate ÷ 12"; Loan, Rate, Payments, Paid;
            |v| four(v, loan::balance)),
        ],
    },
    Relation {
        definition: "Interest paid in a window = payments made − principal repaid.",
        assumption: false,
        forms: &[form!(InterestPaid = "payments made − reduction of the balance";
            Loan, Rate, Payments, WindowFirst, WindowLast;
            |v| if let &[a, b, c, d, e] = v { loan::interest_paid(a, b, c, d, e) } else { Err(Fault::NotFinite) })],
    },
    Relation {
        definition: "Principal repaid in a window = reduction of the balance.",
        assumption: false,
        forms: &[form!(PrincipalPaid = "balance before − balance after";
            Loan, Rate, Payments, WindowFirst, WindowLast;
            |v| if let &[a, b, c, d, e] = v { loan::principal_paid(a, b, c, d, e) } else { Err(Fault::NotFinite) })],
    },
    Relation {
        definition: "Simple interest for days = balance × annual rate × days ÷ days of the year in the day count.",
        assumption: false,
        forms: &[
            form!(Interest = "balance × rate × days ÷ day-count year"; Loan, Rate, Days, DayYear;
            |v| four(v, |loan, rate, days, year| ratio(loan * rate * days, year, "day-count year"))),
        ],
    },
    Relation {
        definition: "Mortgage constant = 12 monthly payments ÷ loan.",
        assumption: false,
        forms: &[
            form!(Constant = "12 × i ÷ (1 − (1+i)^−n), i = rate ÷ 12"; Rate, Payments;
                |v| two(v, |rate, count| finite(12.0 * loan::payment(1.0, rate, count)?))),
            form!(Constant = "annual debt service ÷ loan"; DebtService, Loan;
                |v| two(v, |service, loan| ratio(service, loan, "loan amount"))),
            form!(DebtService = "constant × loan"; Constant, Loan; |v| two(v, |constant, loan| finite(constant * loan))),
            form!(Loan = "annual debt service ÷ constant"; DebtService, Constant;
                |v| two(v, |service, constant| ratio(service, constant, "mortgage constant"))),
        ],
    },
    Relation {
        definition: "Debt yield = annual NOI ÷ loan.",
        assumption: false,
        forms: &[
            form!(DebtYield = "NOI ÷ loan"; Noi, Loan; |v| two(v, |noi, loan| ratio(noi, loan, "loan amount"))),
            form!(Noi = "debt yield × loan"; DebtYield, Loan; |v| two(v, |yielded, loan| finite(yielded * loan))),
            form!(Loan = "NOI ÷ debt yield"; Noi, DebtYield; |v| two(v, |noi, yielded| ratio(noi, yielded, "debt yield"))),
        ],
    },
    Relation {
        definition: "LTV = loan ÷ value.",
        assumption: false,
        forms: &[
            form!(Ltv = "loan ÷ value"; Loan, Value; |v| two(v, |loan, value| ratio(loan, value, "property value"))),
            form!(Loan = "LTV × value"; Ltv, Value; |v| two(v, |ltv, value| finite(ltv * value))),
            form!(Value = "loan ÷ LTV"; Loan, Ltv; |v| two(v, |loan, ltv| ratio(loan, ltv, "LTV"))),
        ],
    },
    Relation {
        definition: "LTC = loan ÷ total project cost.",
        assumption: false,
        forms: &[
            form!(Ltc = "loan ÷ total cost"; Loan, TotalCost; |v| two(v, |loan, cost| ratio(loan, cost, "total project cost"))),
            form!(Loan = "LTC × total cost"; Ltc, TotalCost; |v| two(v, |ltc, cost| finite(ltc * cost))),
            form!(TotalCost = "loan ÷ LTC"; Loan, Ltc; |v| two(v, |loan, ltc| ratio(loan, ltc, "LTC"))),
        ],
    },
    Relation {
        definition: "Total project cost = land + hard + soft + financing costs.",
        assumption: false,
        forms: &[
            form!(TotalCost = "land + hard + soft + financing"; LandCost, HardCost, SoftCost, FinancingCost; sum),
        ],
    },
    Relation {
        definition: "Cash-on-cash = annual cash flow after debt service ÷ equity invested.",
        assumption: false,
        forms: &[form!(CashOnCash = "cash flow ÷ equity"; CashFlow, Equity;
                |v| two(v, |cash, equity| ratio(cash, equity, "equity invested")))],
    },
    Relation {
        definition: "Cash flow = NOI − debt service − reserves.",
        assumption: false,
        forms: &[
            form!(CashFlow = "NOI − debt service − reserves"; Noi, DebtService, Reserves;
            |v| three(v, |noi, service, reserves| finite(noi - service - reserves))),
        ],
    },
    Relation {
        definition: "Cash flow after debt service = NOI − debt service.",
        assumption: false,
        forms: &[
            form!(CashFlow = "NOI − debt service"; Noi, DebtService; |v| two(v, |noi, service| finite(noi - service))),
        ],
    },
    Relation {
        definition: "Equity multiple = total distributions ÷ total contributions.",
        assumption: false,
        forms: &[
            form!(EquityMultiple = "distributions ÷ equity"; Distributions, Equity;
            |v| two(v, |out, paid| ratio(out, paid, "equity invested"))),
        ],
    },
    Relation {
        definition: "Break-even occupancy = (operating expenses + debt service) ÷ potential gross income.",
        assumption: false,
        forms: &[
            form!(Breakeven = "(opex + debt service) ÷ potential gross income"; Opex, DebtService, Pgi;
            |v| three(v, |opex, service, income| ratio(opex + service, income, "potential gross income"))),
        ],
    },
    Relation {
        definition: "Gross potential rent is taken as the potential gross income.",
        assumption: true,
        forms: &[form!(Pgi = "gross potential rent"; Gpr; |v| one(v, finite))],
    },
    Relation {
        definition: "Operating expense ratio = operating expenses ÷ effective gross income.",
        assumption: false,
        forms: &[form!(OpexRatio = "operating expenses ÷ EGI"; Opex, Egi;
            |v| two(v, |opex, egi| ratio(opex, egi, "effective gross income")))],
    },
    Relation {
        definition: "GRM = price ÷ annual gross rent.",
        assumption: false,
        forms: &[
            form!(Grm = "price ÷ annual gross rent"; Price, GrossRent; |v| two(v, |price, rent| ratio(price, rent, "gross rent"))),
            form!(GrossRent = "price ÷ GRM"; Price, Grm; |v| two(v, |price, grm| ratio(price, grm, "GRM"))),
        ],
    },
    Relation {
        definition: "Value by gross rent = GRM × annual gross rent.",
        assumption: false,
        forms: &[
            form!(Value = "GRM × annual gross rent"; Grm, GrossRent; |v| two(v, |grm, rent| finite(grm * rent))),
        ],
    },
    Relation {
        definition: "Economic occupancy = rent collected ÷ gross potential rent, over the same period.",
        assumption: false,
        forms: &[
            form!(EconomicOccupancy = "rent collected ÷ gross potential rent"; Collections, Gpr;
            |v| two(v, |got, rent| ratio(got, rent, "gross potential rent"))),
        ],
    },
    Relation {
        definition: "Physical occupancy = occupied units ÷ rentable units.",
        assumption: false,
        forms: &[
            form!(PhysicalOccupancy = "occupied units ÷ total units"; OccupiedUnits, TotalUnits;
            |v| two(v, |occupied, all| ratio(occupied, all, "number of units"))),
        ],
    },
    Relation {
        definition: "Exit value = NOI of the year after the sale ÷ exit cap rate.",
        assumption: false,
        forms: &[
            form!(GrossSale = "NOI of the next year ÷ exit cap"; ExitNoi, ExitCap;
            |v| two(v, |noi, cap| ratio(noi, cap, "exit cap rate"))),
        ],
    },
    Relation {
        definition: "Net sale proceeds before debt = exit value × (1 − sale costs).",
        assumption: false,
        forms: &[
            form!(NetSale = "exit value × (1 − sale costs)"; GrossSale, SaleCostShare;
            |v| two(v, |sale, cost| finite(sale * (1.0 - cost)))),
        ],
    },
    Relation {
        definition: "Loan by LTV = largest LTV × value.",
        assumption: false,
        forms: &[
            form!(LtvProceeds = "LTV × value"; Ltv, Value; |v| two(v, |ltv, value| finite(ltv * value))),
        ],
    },
    Relation {
        definition: "Loan by LTC = largest LTC × total cost.",
        assumption: false,
        forms: &[
            form!(LtcProceeds = "LTC × total cost"; Ltc, TotalCost; |v| two(v, |ltc, cost| finite(ltc * cost))),
        ],
    },
    Relation {
        definition: "Loan by coverage = NOI ÷ (DSCR × mortgage constant).",
        assumption: false,
        forms: &[
            form!(DscrProceeds = "NOI ÷ (DSCR × constant)"; Noi, Dscr, Constant;
            |v| three(v, |noi, dscr, constant| ratio(noi, dscr * constant, "DSCR times the constant"))),
        ],
    },
    Relation {
        definition: "Loan by debt yield = NOI ÷ smallest debt yield.",
        assumption: false,
        forms: &[form!(DebtYieldProceeds = "NOI ÷ debt yield"; Noi, DebtYield;
            |v| two(v, |noi, yielded| ratio(noi, yielded, "debt yield")))],
    },
    Relation {
        definition: "Effective annual rate = (1 + nominal rate ÷ m)^m − 1.",
        assumption: false,
        forms: &[
            form!(EffectiveRate = "(1 + nominal ÷ m)^m − 1"; NominalRate, Compounding;
                |v| two(v, |nominal, m| finite((1.0 + ratio(nominal, m, "number of periods")?).powf(m) - 1.0))),
        ],
    },
    Relation {
        definition: "Effective annual rate = (1 + rate per period)^periods − 1.",
        assumption: false,
        forms: &[
            form!(EffectiveRate = "(1 + periodic rate)^m − 1"; PeriodicRate, Compounding;
            |v| two(v, |rate, m| finite((1.0 + rate).powf(m) - 1.0))),
        ],
    },
];
