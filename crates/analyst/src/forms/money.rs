//! Money in time: what payments or a sum are worth today or later, and rates between periods.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::read::goals::asked_before;
use crate::words::scan::{Per, Shape};
use finance::variable::Variable::*;

/// Words that ask for a value of today.
#[rustfmt::skip]
const TODAY: &[&str] = &["value it today", "value it now", "value that today", "value this today", "sum today", "single sum today", "lump sum", "single sum", "present value", "worth today", "worth now", "value today", "pv", "today's value", "worth", "worth in today's dollars", "worth in today's money", "worth in today's terms", "worth in current dollars", "worth in present value", "worth in present value terms", "value now", "today's dollars", "worth right now", "worth at present", "be worth today", "be worth now", "be worth at present", "be worth right now", "present worth", "value at present", "in today's money", "discounted value", "pay today", "pay now", "pay today for", "pay now for"];
/// Words that ask for a value of later.
#[rustfmt::skip]
const LATER: &[&str] = &["future value", "fv", "grow to", "grows to", "grown to", "accumulate", "accumulates", "accumulated", "be worth", "worth in", "have", "will it be", "would it be", "it be in", "it be after", "become", "becomes", "turn into", "turns into", "amount to", "amounts to", "end up with", "end up at", "compound to", "compounds to", "build up to"];

#[rustfmt::skip]
pub(crate) static PERPETUITY: Form = Form {
    name: "perpetuity",
    is: |words| {
        words.says(&["perpetuity", "forever", "perpetual", "perpetually", "in perpetuity", "without end", "indefinitely"]) && !words.has(&["noi", "cap", "npv", "irr", "exit", "sale", "sell", "loan"]) && amounts(words) == 1
    },
    goals: &[(PresentValue, TODAY)],
    inputs: &[
        (LevelAmount, &["payment", "payments", "rent", "ground rent", "income", "amount", "pays", "annuity", "cash flow", "stream"]),
        (DiscountRate, &["rate", "discount rate", "interest", "return", "yield", "discount", "interest rate", "required return"]),
        (GrowthRate, &["growth", "growth rate", "increases", "annual increases", "bumps"]),
    ],
    leads: &[
        (DiscountRate, &["at", "discounted at", "using", "yielding", "discount at"]),
        (GrowthRate, &["growing", "growing at", "growing by", "grows", "grows at", "grows by", "rising", "rising by", "rises", "increasing at", "increasing by"]),
        (DiscountRate, &["at a", "at an", "need", "we need"]),
    ],
    bare: &[LevelAmount, DiscountRate],
    sums: &[],
    settle: |words, sheet| {
        sheet.put(Perpetual, 1.0);
        let every = frequency(words).unwrap_or(1.0);
        if every > 1.0 && sheet.has(GrowthRate) {
            sheet.doubt("Please give the amount per year: I let a perpetuity grow once a year.");
        }
        let next = words.says(&["next year", "first payment", "in a year", "in one year", "one year from now", "a year from now", "starting next", "in year 1", "first year"]);
        if sheet.has(GrowthRate) && !next {
            sheet.doubt("Is the amount the next payment, or today's, from which the next one grows?");
        }
        if words.says(&["in advance", "beginning of", "start of"]) {
            sheet.doubt("I take a perpetuity's first payment at the end of the first period; should I?");
        }
        sheet.assume(GrowthRate, 0.0, "No growth is given, so the payments are taken as level.");
        match sheet.value(DiscountRate) {
            Some(rate) => sheet.put(PeriodicRate, rate / every),
            None => sheet.deal.missing.push(DiscountRate),
        }
        sheet.remark("The first payment falls at the end of the first period.");
    },
};

#[rustfmt::skip]
pub(crate) static TIME_VALUE: Form = Form {
    name: "time_value",
    is: |words| {
        let asks = words.says(&["present value", "worth today", "worth now", "worth right now", "value it today", "value it now", "value that today", "value this today", "value today", "future value", "grow to", "grows to", "accumulate", "accumulated", "sinking fund", "pv of", "fv of", "worth in", "be worth", "value now", "set aside", "would i have", "will i have", "would we have", "will we have", "do i have after", "compound annual growth", "cagr", "today's value", "today's dollars", "pv", "fv", "worth at present", "present worth", "value at present", "discounted value", "become", "becomes", "turn into", "turns into", "amount to", "amounts to", "end up with", "end up at", "it be in", "it be after", "will it be", "would it be", "compound to", "compounds to", "build up to", "sum today", "single sum", "lump sum to take", "lump sum today", "do we have in", "do i have in", "do we have after", "pay today for", "pay now for", "need to deposit", "need to save", "need to put away", "need to set aside", "need to put aside", "have to save", "deposit each", "save each", "save every", "deposit every"]) || puts_by(words);
        let other = words.says(&["internal rate of return", "net present value", "npv", "irr", "noi", "cap", "exit", "mortgage", "loan", "waterfall", "expenses", "building"]) || words.has(&["growing", "grows", "perpetuity", "forever", "flows", "loan", "property", "sell", "selling", "sale"]);
        asks && !other
            && amounts(words)
                <= if words.says(&["cagr", "compound annual growth"]) {
                    2
                } else {
                    1
                }
    },
    goals: &[
        (PresentValue, TODAY),
        (FutureValue, LATER),
        (LevelAmount, &["set aside", "deposit", "deposited", "saved", "monthly deposit", "annual deposit", "save", "sinking fund", "put away", "put aside", "sinking fund payment", "need to deposit", "need to save", "need to put away", "need to set aside"]),
        (GrowthRate, &["cagr", "compound annual growth", "compound annual growth rate", "growth rate"]),
    ],
    inputs: &[
        (LevelAmount, &["payment", "payments", "deposit", "deposits", "rent", "ground rent", "annuity", "income"]),
        (DiscountRate, &["rate", "discount rate", "interest", "return", "yield", "discount", "annual rate", "interest rate", "earning", "earns"]),
        (SumToday, &["initial"]),
        (HoldYears, &["years", "term", "lease"]),
    ],
    leads: &[
        (DiscountRate, &["at", "discounted at", "earning", "earns", "using", "yielding", "we need", "you need", "i need", "need", "we want", "you require", "require"]),
        (LevelAmount, &["pays", "paying", "receive", "receives", "receiving", "brings", "bringing", "brings in", "throws off", "kicks off", "spins off", "generates", "produces", "yields"]),
        (SumToday, &["from"]),
        (LaterSum, &["to", "reach", "accumulate", "grew to", "have", "build", "build a", "build up", "pay today for", "pay now for", "fund a", "to have", "today for"]),
    ],
    bare: &[LevelAmount, HoldYears, DiscountRate, PeriodCount],
    sums: &[],
    settle: settle_value,
};

fn amounts(words: &Words) -> usize {
    words
        .numbers()
        .filter(|at| {
            words.number(*at).is_some_and(|number| {
                number.shape == Shape::Money || (number.shape == Shape::Plain && number.value >= 100.0)
            })
        })
        .count()
}

/// "EAR 7%, nominal monthly?": the one rate is the effective one, and another is named beside it.
fn gives_effective(words: &Words) -> bool {
    let mut rates = words.numbers().filter(|at| {
        words
            .number(*at)
            .is_some_and(|number| number.shape == Shape::Percent)
    });
    let (Some(at), None) = (rates.next(), rates.next()) else {
        return false;
    };
    let label = |word: &str| match word {
        "effective" | "ear" | "apy" => Some(true),
        "nominal" | "apr" | "stated" | "compounded" => Some(false),
        _ => None,
    };
    let ahead = (1..=6)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| !words.mark(*at, '.') && !words.mark(*at, '?'))
        .find_map(|at| label(words.word(at)));
    let behind = || (1..=2).find_map(|next| label(words.word(at + next)));
    // "EAR for 7.2% nominal": the name right behind the number is its own.
    let own = label(words.word(at + 1));
    let other = words.has(&["nominal", "apr"]) || words.says(&["monthly rate", "quarterly rate"]);
    other && own.or(ahead).or_else(behind) == Some(true)
}

/// How often in a year the amount is paid, if it recurs at all.
fn frequency(words: &Words) -> Option<f64> {
    let of = |per: Per| match per {
        Per::Month => Some(12.0),
        Per::Quarter => Some(4.0),
        Per::Year => Some(1.0),
        Per::Other => None,
    };
    let paid = words.numbers().find_map(|at| {
        let number = words.number(at)?;
        (number.shape == Shape::Money)
            .then_some(number.per)
            .flatten()
            .and_then(of)
    });
    paid.or_else(|| {
        let every = |noun: &str| {
            ["each", "every", "per", "a"]
                .iter()
                .any(|link| words.says(&[&format!("{link} {noun}")]))
                || words.says(&[
                    &format!("{noun} end"),
                    &format!("end of the {noun}"),
                    &format!("end of {noun}"),
                ])
        };
        let compounded = words.says(&[
            "compounded monthly",
            "compounding monthly",
            "compounded quarterly",
            "compounded annually",
            "compounds monthly",
            "monthly compounding",
            "annual compounding",
            "quarterly compounding",
        ]) || (discounted(words).is_some() && !paid_often(words));
        if every("month") || (words.has(&["monthly"]) && !compounded) {
            Some(12.0)
        } else if every("quarter") || (words.has(&["quarterly"]) && !compounded) {
            Some(4.0)
        } else if every("year")
            && words.says(&[
                "payments",
                "payment",
                "deposits",
                "annuity",
                "each year",
                "every year",
            ])
            || words.says(&["annual payments", "yearly payments", "annual deposits"])
            || (words.has(&["rent", "rents", "payments", "annuity"])
                && !words.has(&["interest"])
                && words.says(&[
                    "due annually",
                    "paid annually",
                    "payable annually",
                    "due yearly",
                    "paid yearly",
                    "payable yearly",
                    "annually in advance",
                    "annually in arrears",
                    "yearly in advance",
                    "yearly in arrears",
                ]))
        {
            Some(1.0)
        } else {
            None
        }
    })
}

/// "8% discounted monthly": how often, where one sum is discounted and nothing is paid as often.
fn discounted(words: &Words) -> Option<f64> {
    OFTEN
        .iter()
        .find(|(word, _)| {
            words.says(&[
                &format!("discounted {word}"),
                &format!("discounting {word}"),
                &format!("{word} discounting"),
            ])
        })
        .map(|(_, count)| *count)
}

fn paid_often(words: &Words) -> bool {
    words.has(&[
        "payment", "payments", "deposit", "deposits", "annuity", "rent", "rents", "paid", "pays", "receive",
        "stream",
    ])
}

#[rustfmt::skip]
const OFTEN: &[(&str, f64)] = &[
    ("semiannually", 2.0), ("semiannual", 2.0), ("semi annually", 2.0), ("semi annual", 2.0), ("half yearly", 2.0),
    ("monthly", 12.0), ("quarterly", 4.0), ("daily", 365.0), ("annually", 1.0), ("yearly", 1.0), ("annual", 1.0),
];

fn compounding(words: &Words) -> Option<f64> {
    // "at 5%, semiannual": half-years are no payments where one sum grows.
    let half = words.has(&["semiannual", "semiannually"]) && !paid_often(words);
    compounded(words)
        .or_else(|| discounted(words).filter(|_| !paid_often(words)))
        .or_else(|| half.then_some(2.0))
}

fn compounded(words: &Words) -> Option<f64> {
    [
        ("semiannual", 2.0),
        ("semi annual", 2.0),
        ("semi annually", 2.0),
        ("monthly", 12.0),
        ("quarterly", 4.0),
        ("annually", 1.0),
        ("yearly", 1.0),
        ("daily", 365.0),
        ("semiannually", 2.0),
        ("annual", 1.0),
    ]
    .iter()
    .find(|(word, _)| {
        words.says(&[
            &format!("compounded {word}"),
            &format!("compounding {word}"),
            &format!("compounds {word}"),
            &format!("{word} compounding"),
            &format!("compound {word}"),
        ])
    })
    .map(|(_, count)| *count)
}

/// "How much must be deposited each month to have 500,000": what is put by again and again is asked, the sum is its aim.
fn puts_by(words: &Words) -> bool {
    let verb = |at: usize| {
        matches!(
            words.word(at),
            "deposit" | "deposited" | "save" | "saved" | "deposits"
        ) || (matches!(words.word(at), "set" | "put")
            && matches!(words.word(at + 1), "aside" | "away" | "by"))
    };
    let asked = (0..words.tokens.len()).any(|at| {
        verb(at)
            && (1..=7)
                .map_while(|back| at.checked_sub(back))
                .take_while(|at| words.number(*at).is_none() && !words.mark(*at, '.'))
                .any(|at| matches!(words.word(at), "how" | "what" | "which"))
    });
    let fund = words.says(&["sinking fund"])
        && (0..words.tokens.len())
            .any(|at| verb(at) && !words.number(at + 1).is_some_and(|next| next.value >= 100.0));
    let aim = words.says(&[
        "to have",
        "to reach",
        "reach",
        "to accumulate",
        "accumulates",
        "to build",
        "to fund",
        "to get to",
        "to end up with",
        "grow to",
        "grows to",
        "needed",
        "so that",
        "to replace",
        "to collect",
        "to pay off",
    ]);
    // "What must I deposit today": once, and nothing again.
    let once = words.has(&["today", "now", "once"]) && frequency(words).is_none();
    (asked || fund) && aim && !once
}

fn settle_value(words: &Words, sheet: &mut Sheet) {
    let recurring = frequency(words);
    if puts_by(words) {
        // What the amount of each period has been taken for is the sum that it is to reach.
        sheet.goals = vec![LevelAmount];
        for sum in [LevelAmount, SumToday] {
            sheet.rename(sum, LaterSum);
            sheet.deal.values.remove(&sum);
        }
        if recurring.is_none() {
            sheet.doubt("How often is it deposited: every month, quarter or year?");
        }
    }
    // "Worth in today's dollars" is no worth in some years.
    let now = words
        .find("worth in")
        .is_some_and(|(_, to)| words.word(to).starts_with("today"));
    if now {
        sheet.replace_goal(FutureValue, PresentValue);
    }
    // A value of today and one of later are opposites: which is meant has to be said.
    if sheet.wants(PresentValue) && !now && !words.says(TODAY) {
        if words.says(LATER) {
            sheet.replace_goal(PresentValue, FutureValue);
        } else {
            sheet.doubt("Do you want the value today or the value at the end?");
        }
    }
    // "What would you pay today for 28,000 a year?": what recurs is the payment.
    if sheet.wants(PresentValue) && recurring.is_some() && !sheet.wants(LevelAmount) {
        sheet.rename(LaterSum, LevelAmount);
    }
    if !sheet.wants(GrowthRate) && recurring.is_none() {
        let sum = if sheet.wants(PresentValue) {
            LaterSum
        } else {
            SumToday
        };
        if !sheet.wants(LevelAmount) {
            sheet.rename(LevelAmount, sum);
        }
    }
    if sheet.wants(PresentValue) && recurring.is_none() {
        sheet.rename(SumToday, LaterSum);
    }
    if sheet.wants(LevelAmount) {
        sheet.rename(SumToday, LaterSum);
    }
    let every = recurring.unwrap_or_else(|| {
        compounding(words)
            .filter(|_| !sheet.wants(LevelAmount))
            .unwrap_or(1.0)
    });
    if let Some(years) = sheet.value(HoldYears) {
        sheet.put(PeriodCount, years * every);
    }
    let times = compounding(words).unwrap_or(every);
    if let Some(rate) = sheet.value(DiscountRate) {
        let effective = words.says(&[
            "effective annual",
            "annual effective",
            "effective rate",
            "effective yield",
            "effective return",
            "ear",
        ]) && every > 1.0;
        let periodic = if effective {
            sheet
                .remark("The rate of a period follows from the effective annual rate: (1 + rate)^(1/m) − 1.");
            (1.0 + rate).powf(1.0 / every) - 1.0
        } else if (times - every).abs() < 1e-9 {
            rate / every
        } else {
            (1.0 + rate / times).powf(times / every) - 1.0
        };
        sheet.put(PeriodicRate, periodic);
        if every > 1.0 && !effective {
            sheet.remark(if compounding(words).is_some() {
                "The rate of a period follows from the annual rate as it is compounded."
            } else {
                "The annual rate is nominal and compounded as often as the payments fall."
            });
        }
    } else if !sheet.wants(GrowthRate) {
        sheet.deal.missing.push(DiscountRate);
    }
    if !sheet.has(HoldYears) && !sheet.has(PeriodCount) {
        sheet.deal.missing.push(PeriodCount);
    }
    let early = words.says(&["in advance", "beginning of", "start of", "annuity due"]);
    if recurring.is_some() && early && words.says(&["in arrears", "arrears", "end of each", "end of every"]) {
        // Both are named: what one is worth more than the other is asked, or which of them counts.
        if sheet.wants(PresentValue) && words.has(&["difference", "differ", "gain", "more", "extra"]) {
            sheet.goals = vec![TimingGain];
        } else {
            sheet.doubt("Do the payments fall at the start of each period, or at its end?");
        }
        return;
    }
    if recurring.is_some() {
        if words.says(&["in advance", "beginning of", "start of", "annuity due"]) {
            sheet.put(InAdvance, 1.0);
        } else {
            sheet.remark("The payments fall at the end of each period.");
        }
    }
}

#[rustfmt::skip]
pub(crate) static NOMINAL: Form = Form {
    name: "nominal_rate",
    is: |words| {
        let asked = |phrase: &str| {
            words
                .find(phrase)
                .is_some_and(|(from, _)| asked_before(words.tokens, from))
        };
        let shares = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Percent)).count();
        let near = |at: usize| words.number(at).is_some_and(|number| number.shape == Shape::Percent);
        let valued = |phrases: &[&str]| phrases.iter().any(|phrase| words.find(phrase).is_some_and(|(from, to)| {
            let link = matches!(words.word(to), "is" | "of" | "at") || words.mark(to, ':') || words.mark(to, '=');
            near(to) || (link && near(to + 1)) || from.checked_sub(1).is_some_and(near)
        }));
        // "EAR 7%, nominal monthly?": the number beside the one name leaves the other to be asked for.
        let given = shares == 1
            && valued(&["effective annual rate", "effective rate", "ear", "apy", "annual effective", "effective", "effective annual", "effective yield", "effective annual yield", "effective annual return"])
            && !valued(&["nominal", "apr", "stated", "nominal rate"])
            && words.says(&["nominal", "apr", "stated", "monthly rate", "quarterly rate"]);
        given || words.says(&["effective", "ear", "apy"])
            && (gives_effective(words)
                || asked("nominal")
                || asked("apr")
                || asked("stated")
                || asked("monthly rate")
                || asked("quarterly rate")
                || asked("equivalent monthly"))
    },
    goals: &[
        (NominalRate, &["nominal rate", "nominal annual rate", "nominal", "stated rate", "apr", "nominal apr"]),
        (PeriodicRate, &["monthly rate", "quarterly rate", "equivalent monthly rate", "monthly equivalent"]),
    ],
    inputs: &[(EffectiveRate, &["effective", "effective rate", "effective annual rate", "ear", "apy", "effective annual", "effective yield", "effective annual yield", "annual effective"])],
    leads: &[],
    bare: &[EffectiveRate],
    sums: &[],
    settle: |words, sheet: &mut Sheet| {
        if words.has(&["nominal", "apr"]) && !words.says(&["monthly rate", "quarterly rate", "equivalent monthly"]) {
            sheet.goals = vec![NominalRate];
        }
        let count = if words.has(&["monthly", "month"]) {
            12.0
        } else if words.has(&["quarterly", "quarter"]) {
            4.0
        } else if words.has(&["semiannually", "semiannual"]) {
            2.0
        } else if words.has(&["daily"]) {
            365.0
        } else {
            return sheet.deal.missing.push(Compounding);
        };
        sheet.put(Compounding, count);
    },
};
