//! Relations of loans: payments, balances, interest, coverage, leverage, sizing.

use crate::fault::{Fault, finite, ratio};
use crate::loan;
use crate::relations::relation::{Form, Relation, form, four, one, three, two};
use crate::variable::Variable::*;

pub(crate) static DEBT: &[Relation] = &[
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
        definition: "Annual debt service = payment of a period × payments of a year.",
        assumption: false,
        forms: &[
            form!(DebtService = "payment of a period × payments of a year"; LevelAmount, Compounding;
                |v| two(v, |pay, count| finite(pay * count))),
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
            form!(Constant = "annual rate, while interest-only"; Rate, InterestOnly;
                |v| two(v, |rate, _| finite(rate))),
            form!(Constant = "annual debt service ÷ loan"; DebtService, Loan;
                |v| two(v, |service, loan| ratio(service, loan, "loan amount"))),
            form!(DebtService = "constant × loan"; Constant, Loan;
                |v| two(v, |constant, loan| finite(constant * loan))),
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
            form!(Loan = "NOI ÷ debt yield"; Noi, DebtYield;
                |v| two(v, |noi, yielded| ratio(noi, yielded, "debt yield"))),
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
            form!(Ltc = "loan ÷ total cost"; Loan, TotalCost;
                |v| two(v, |loan, cost| ratio(loan, cost, "total project cost"))),
            form!(Loan = "LTC × total cost"; Ltc, TotalCost; |v| two(v, |ltc, cost| finite(ltc * cost))),
            form!(TotalCost = "loan ÷ LTC"; Loan, Ltc; |v| two(v, |loan, ltc| ratio(loan, ltc, "LTC"))),
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
];
