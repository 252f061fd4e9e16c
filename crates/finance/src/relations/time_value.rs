//! Relations of the time value of money: rates between periods, level payments, single sums.

use crate::annuity::{self, Timing};
use crate::fault::{finite, ratio};
use crate::relations::relation::{Form, Relation, form, four, three, two};
use crate::variable::Variable::*;

pub(crate) static TIME_VALUE: &[Relation] = &[
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
    Relation {
        definition: "Present value of n level payments at the end of each period, at the rate i of a period.",
        assumption: false,
        forms: &[
            form!(PresentValue = "payment × (1 − (1+i)^−n) ÷ i"; LevelAmount, PeriodicRate, PeriodCount;
                |v| three(v, |pay, rate, n| finite(pay * annuity::present_factor(rate, n, Timing::End)?))),
        ],
    },
    Relation {
        definition: "Present value of n level payments at the start of each period, at the rate i of a period.",
        assumption: false,
        forms: &[form!(PresentValue = "payment × (1 − (1+i)^−n) ÷ i × (1+i)";
                LevelAmount, PeriodicRate, PeriodCount, InAdvance;
                |v| four(v, |pay, rate, n, _| finite(pay * annuity::present_factor(rate, n, Timing::Start)?)))],
    },
    Relation {
        definition: "Difference between payments in advance and in arrears = present value in arrears × i: \
                     each payment comes one period earlier.",
        assumption: false,
        forms: &[
            form!(TimingGain = "payment × (1 − (1+i)^−n) ÷ i × i"; LevelAmount, PeriodicRate, PeriodCount;
                |v| three(v, |pay, rate, n| finite(pay * annuity::present_factor(rate, n, Timing::End)? * rate))),
        ],
    },
    Relation {
        definition: "Present value of payments without end, the first after one period = payment ÷ (rate − growth).",
        assumption: false,
        forms: &[
            form!(PresentValue = "payment ÷ (rate − growth)"; LevelAmount, PeriodicRate, GrowthRate, Perpetual;
            |v| four(v, |pay, rate, rise, _| annuity::perpetuity(pay, rise, rate))),
        ],
    },
    Relation {
        definition: "Level payment at the end of each period that repays a sum: sum × i ÷ (1 − (1+i)^−n).",
        assumption: false,
        forms: &[
            form!(LevelAmount = "sum × i ÷ (1 − (1+i)^−n)"; SumToday, PeriodicRate, PeriodCount;
                |v| three(v, |sum, rate, n|
                    ratio(sum, annuity::present_factor(rate, n, Timing::End)?, "number of periods"))),
        ],
    },
    Relation {
        definition: "Future value of n level payments at the end of each period, at the rate i of a period.",
        assumption: false,
        forms: &[
            form!(FutureValue = "payment × ((1+i)^n − 1) ÷ i"; LevelAmount, PeriodicRate, PeriodCount;
                |v| three(v, |pay, rate, n| finite(pay * annuity::future_factor(rate, n, Timing::End)?))),
        ],
    },
    Relation {
        definition: "Future value of n level payments at the start of each period, at the rate i of a period.",
        assumption: false,
        forms: &[form!(FutureValue = "payment × ((1+i)^n − 1) ÷ i × (1+i)";
                LevelAmount, PeriodicRate, PeriodCount, InAdvance;
                |v| four(v, |pay, rate, n, _| finite(pay * annuity::future_factor(rate, n, Timing::Start)?)))],
    },
    Relation {
        definition: "Present value of a later sum = sum ÷ (1 + i)^n.",
        assumption: false,
        forms: &[
            form!(PresentValue = "sum ÷ (1 + i)^n"; LaterSum, PeriodicRate, PeriodCount;
                |v| three(v, annuity::present_value)),
        ],
    },
    Relation {
        definition: "Future value of a sum = sum × (1 + i)^n.",
        assumption: false,
        forms: &[
            form!(FutureValue = "sum × (1 + i)^n"; SumToday, PeriodicRate, PeriodCount;
                |v| three(v, annuity::future_value)),
        ],
    },
    Relation {
        definition: "Level payment that grows to a sum = sum × i ÷ ((1+i)^n − 1).",
        assumption: false,
        forms: &[
            form!(LevelAmount = "sum × i ÷ ((1+i)^n − 1)"; LaterSum, PeriodicRate, PeriodCount;
                |v| three(v, |sum, rate, n|
                    ratio(sum, annuity::future_factor(rate, n, Timing::End)?, "number of periods"))),
        ],
    },
    Relation {
        definition: "Level payment at the start of each period: as at its end, one period's interest less.",
        assumption: false,
        forms: &[
            form!(LevelAmount = "sum × i ÷ ((1+i)^n − 1) ÷ (1+i)";
                LaterSum, PeriodicRate, PeriodCount, InAdvance;
                |v| four(v, |sum, rate, n, _|
                    ratio(sum, annuity::future_factor(rate, n, Timing::Start)?, "number of periods"))),
            form!(LevelAmount = "sum × i ÷ (1 − (1+i)^−n) ÷ (1+i)";
                SumToday, PeriodicRate, PeriodCount, InAdvance;
                |v| four(v, |sum, rate, n, _|
                    ratio(sum, annuity::present_factor(rate, n, Timing::Start)?, "number of periods"))),
        ],
    },
    Relation {
        definition: "Compound annual growth rate = (last ÷ first)^(1/years) − 1.",
        assumption: false,
        forms: &[
            form!(GrowthRate = "(last ÷ first)^(1/n) − 1"; SumToday, LaterSum, PeriodCount;
                |v| three(v, annuity::growth_rate)),
        ],
    },
    Relation {
        definition: "Nominal annual rate = m × ((1 + effective rate)^(1/m) − 1).",
        assumption: false,
        forms: &[
            form!(NominalRate = "m × ((1 + effective)^(1/m) − 1)"; EffectiveRate, Compounding;
                |v| two(v, annuity::nominal)),
        ],
    },
    Relation {
        definition: "Nominal annual rate = rate per period × periods of the year, without compounding.",
        assumption: false,
        forms: &[
            form!(NominalRate = "rate per period × m"; PeriodicRate, Compounding;
                |v| two(v, |rate, m| finite(rate * m))),
        ],
    },
    Relation {
        definition: "Rate per period = (1 + effective annual rate)^(1/m) − 1.",
        assumption: false,
        forms: &[
            form!(PeriodicRate = "(1 + effective)^(1/m) − 1"; EffectiveRate, Compounding;
            |v| two(v, |rate, m| finite(annuity::nominal(rate, m)? / m))),
        ],
    },
];
