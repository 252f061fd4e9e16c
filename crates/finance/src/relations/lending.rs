//! Relations of the cost of a loan in addition to its payments: fees, floating rates, extra payments,
//! refinancing and blended rates.

use crate::annuity::{self, Timing};
use crate::fault::{Fault, finite, ratio};
use crate::loan;
use crate::relations::relation::{Form, Relation, form, four, one, three, two};
use crate::roots;
use crate::variable::Variable::*;

pub(crate) static LENDING: &[Relation] = &[
    Relation {
        definition: "A point is one percent of the loan.",
        assumption: false,
        forms: &[
            form!(LoanFee = "points × loan"; FeePoints, Loan; |v| two(v, |points, loan| finite(points * loan))),
        ],
    },
    Relation {
        definition: "Net loan proceeds = loan − fee − other costs of the loan.",
        assumption: false,
        forms: &[
            form!(NetFunding = "loan − fee − other costs"; Loan, LoanFee, FeeOther;
                |v| three(v, |loan, fee, other| finite(loan - fee - other))),
        ],
    },
    Relation {
        definition: "Effective rate of a loan = 12 × the monthly rate at which the payments and what is \
                     repaid at the end are worth the loan less its fee.",
        assumption: false,
        forms: &[
            form!(TrueRate = "12 × the monthly rate at which payments and balloon equal loan − fee";
                Loan, LoanFee, Rate, Payments, Paid; true_rate),
        ],
    },
    Relation {
        definition: "Effective rate of an interest-only loan = m × the rate of a period at which its \
                     interest and the loan at the end are worth the loan less its fee, m periods in a year.",
        assumption: false,
        forms: &[
            form!(TrueRate = "m × the rate of a period at which interest and loan equal loan − fee";
                Loan, LoanFee, Rate, Compounding, HoldYears; true_rate_of_interest),
        ],
    },
    Relation {
        definition: "All-in rate = index + spread.",
        assumption: false,
        forms: &[form!(AllInRate = "index + spread"; IndexRate, MarginRate;
                |v| two(v, |index, margin| finite(index + margin)))],
    },
    Relation {
        definition: "Interest of a year = loan × all-in rate.",
        assumption: false,
        forms: &[
            form!(YearInterest = "loan × all-in rate"; Loan, AllInRate; |v| two(v, |loan, rate| finite(loan * rate))),
        ],
    },
    Relation {
        definition: "Interest of a month with equal months (30/360) = interest of a year ÷ 12.",
        assumption: false,
        forms: &[form!(MonthInterest = "interest of a year ÷ 12"; YearInterest;
                |v| one(v, |interest| finite(interest / 12.0)))],
    },
    Relation {
        definition: "Months until a loan is repaid with a larger payment: −ln(1 − loan·i ÷ (payment + \
                     extra)) ÷ ln(1+i), i = rate ÷ 12; the last payment is smaller.",
        assumption: false,
        forms: &[
            form!(QuickMonths = "−ln(1 − loan·i ÷ (payment + extra)) ÷ ln(1+i), i = rate ÷ 12";
                Loan, Rate, Payment, ExtraPayment;
                |v| four(v, |loan, rate, payment, extra| loan::payments_needed(loan, rate, payment + extra))),
        ],
    },
    Relation {
        definition: "Years = months ÷ 12.",
        assumption: false,
        forms: &[form!(QuickYears = "months ÷ 12"; QuickMonths; |v| one(v, |months| finite(months / 12.0)))],
    },
    Relation {
        definition: "Months saved = scheduled payments − payments with the extra amount, rounded up.",
        assumption: false,
        forms: &[
            form!(MonthsSaved = "scheduled payments − payments needed (rounded up)"; Payments, QuickMonths;
                |v| two(v, |planned, needed| finite(planned - (needed - 1e-9).ceil()))),
        ],
    },
    Relation {
        definition: "Interest saved = interest of the scheduled payments − interest with the extra payment each month.",
        assumption: false,
        forms: &[
            form!(InterestSaved = "interest as scheduled − interest with the extra payment";
                Loan, Rate, Payments, Payment, ExtraPayment; saved),
        ],
    },
    Relation {
        definition: "Balance right after a payment, whatever its interval = present value of the payments still due.",
        assumption: false,
        forms: &[
            form!(Balance = "payment × (1 − (1+i)^−(n−k)) ÷ i, i = rate of a period";
                SumToday, PeriodicRate, PeriodCount, PeriodsPaid;
                |v| four(v, |sum, rate, count, paid| loan::balance(sum, rate * 12.0, count, paid))),
        ],
    },
    Relation {
        definition: "Loan that level payments repay, whatever their interval = payment × (1 − (1+i)^−n) ÷ i, \
                     i = rate of a period.",
        assumption: false,
        forms: &[form!(Loan = "payment × (1 − (1+i)^−n) ÷ i, i = rate of a period";
                LevelAmount, PeriodicRate, PeriodCount;
                |v| three(v, |pay, rate, n| finite(pay * annuity::present_factor(rate, n, Timing::End)?)))],
    },
    Relation {
        definition: "Loan per unit = loan ÷ units, per square foot = loan ÷ area.",
        assumption: false,
        forms: &[
            form!(LoanPerUnit = "loan ÷ units"; Loan, TotalUnits;
                |v| two(v, |loan, units| ratio(loan, units, "number of units"))),
            form!(LoanPsf = "loan ÷ area"; Loan, Area; |v| two(v, |loan, area| ratio(loan, area, "area"))),
        ],
    },
    Relation {
        definition: "Down payment = price − loan, as a share ÷ price.",
        assumption: false,
        forms: &[
            form!(DownPayment = "price − loan"; Price, Loan; |v| two(v, |price, loan| finite(price - loan))),
            form!(DownShare = "down payment ÷ price"; DownPayment, Price;
                |v| two(v, |down, price| ratio(down, price, "purchase price"))),
        ],
    },
    Relation {
        definition: "Interest coverage = NOI (or EBIT) ÷ interest of the same year, without principal.",
        assumption: false,
        forms: &[
            form!(InterestCoverage = "NOI ÷ interest of the year"; Noi, YearInterestPaid;
                |v| two(v, |noi, interest| if interest == 0.0 { Err(Fault::NoDebt) } else { finite(noi / interest) })),
        ],
    },
    Relation {
        definition: "Interest of a year on an interest-only loan = loan × rate.",
        assumption: false,
        forms: &[form!(YearInterestPaid = "loan × rate"; Loan, Rate, InterestOnly;
                |v| three(v, |loan, rate, _| finite(loan * rate)))],
    },
    Relation {
        definition: "An interest-only loan is owed in full at the sale.",
        assumption: false,
        forms: &[form!(Balance = "loan"; Loan, InterestOnly; |v| two(v, |loan, _| finite(loan)))],
    },
    Relation {
        definition: "Simple interest = principal × annual rate × years.",
        assumption: false,
        forms: &[
            form!(SimpleInterest = "principal × rate × years"; SumToday, DiscountRate, HoldYears;
                |v| three(v, |sum, rate, years| finite(sum * rate * years))),
        ],
    },
    Relation {
        definition: "Cash out = new loan − old balance − prepayment penalty − costs of refinancing.",
        assumption: false,
        forms: &[form!(CashOut = "new loan − old balance × (1 + penalty) − costs";
                RefinancedLoan, Payoff, RefinancingPenalty, RefinancingCosts;
                |v| four(v, |new, old, penalty, costs| finite(new - old * (1.0 + penalty) - costs)))],
    },
    Relation {
        definition: "New loan = LTV × value.",
        assumption: false,
        forms: &[
            form!(RefinancedLoan = "LTV × value"; Ltv, Value; |v| two(v, |share, value| finite(share * value))),
        ],
    },
    Relation {
        definition: "Blended rate = interest of all loans for a year ÷ all loans together.",
        assumption: false,
        forms: &[
            form!(BlendedRate = "Σ(loan × rate) ÷ Σ loan"; BlendedInterest, BlendedDebt;
                |v| two(v, |interest, debt| ratio(interest, debt, "sum of the loans"))),
        ],
    },
    Relation {
        definition: "Room for the NOI to fall = NOI − smallest DSCR × annual debt service.",
        assumption: false,
        forms: &[
            form!(NoiCushion = "NOI − smallest DSCR × debt service"; Noi, DebtServiceLimit, DebtService;
                |v| three(v, |noi, least, service| finite(noi - least * service))),
        ],
    },
    Relation {
        definition: "As a share = room ÷ NOI.",
        assumption: false,
        forms: &[
            form!(NoiCushionShare = "room ÷ NOI"; NoiCushion, Noi; |v| two(v, |room, noi| ratio(room, noi, "NOI"))),
        ],
    },
];

/// The effective rate of a loan with monthly payments, including the fee: the rate at which the present value
/// of the payments equals the amount paid out.
fn true_rate(v: &[f64]) -> Result<f64, Fault> {
    let &[amount, fee, rate, payments, paid] = v else {
        return Err(Fault::NotFinite);
    };
    let each = loan::payment(amount, rate, payments)?;
    let due = loan::balance(amount, rate, payments, paid)?;
    met_by(12.0, each, paid, due, amount - fee)
}

/// The same for an interest-only loan with `every` payments a year and repayment at the end.
fn true_rate_of_interest(v: &[f64]) -> Result<f64, Fault> {
    let &[amount, fee, rate, every, years] = v else {
        return Err(Fault::NotFinite);
    };
    let count = every * years;
    let each = amount * rate / every;
    met_by(every, each, count, amount, amount - fee)
}

/// The nominal rate at which `count` payments of `each`, `every` a year, plus `due` with the last one have
/// the present value `paid_out`.
fn met_by(every: f64, each: f64, count: f64, due: f64, paid_out: f64) -> Result<f64, Fault> {
    let gap = |rate: f64| {
        let period = rate / every;
        let worth = if period.abs() < 1e-12 {
            each * count + due
        } else {
            let last = (-count * period.ln_1p()).exp();
            each * (1.0 - last) / period + due * last
        };
        worth - paid_out
    };
    roots::brent(gap, 1e-9, 2.0).ok_or(Fault::OutOfRange {
        what: "effective rate",
        rule: "between 0 and 200% a year",
    })
}

fn saved(v: &[f64]) -> Result<f64, Fault> {
    let &[amount, rate, payments, payment, extra] = v else {
        return Err(Fault::NotFinite);
    };
    // Computed month by month with a smaller last payment, as in practice.
    let needed = loan::payments_needed(amount, rate, payment + extra)?.floor();
    let month = rate / 12.0;
    let grown = (1.0 + month).powf(needed);
    let left = if month == 0.0 {
        amount - (payment + extra) * needed
    } else {
        amount * grown - (payment + extra) * (grown - 1.0) / month
    };
    let quick = (payment + extra) * needed + left.max(0.0) * (1.0 + month) - amount;
    finite(payment * payments - amount - quick)
}
