//! Loans beyond one monthly mortgage: other payment intervals, and stacks of several loans or cost items.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::read::terms::rank;
use crate::words::pattern::Pattern;
use crate::words::scan::Shape;
use finance::variable::Variable::*;

/// Payments of a year, where the question says an interval other than a month.
fn interval(words: &Words) -> Option<f64> {
    let paid = |interval: &str| {
        [
            "payment",
            "payments",
            "installment",
            "installments",
            "instalment",
            "instalments",
            "debt service",
        ]
        .iter()
        .any(|noun| {
            words.says(&[
                &format!("{interval} {noun}"),
                &format!("{interval} mortgage {noun}"),
                &format!("{interval} loan {noun}"),
                &format!("{interval} level {noun}"),
            ])
        })
    };
    // "payments made half-yearly", "paid once a year".
    let made = |often: &[&str]| {
        often.iter().any(|often| {
            [
                "paid",
                "payable",
                "repaid",
                "payments made",
                "payments due",
                "instalments",
                "installments",
                "pays",
            ]
            .iter()
            .any(|lead| words.says(&[&format!("{lead} {often}")]))
        })
    };
    if made(&[
        "half yearly",
        "semiannually",
        "semi annually",
        "twice a year",
        "every six months",
    ]) {
        return Some(2.0);
    }
    if made(&["quarterly", "every quarter", "every three months", "each quarter"]) {
        return Some(4.0);
    }
    if ["semiannual", "semi annual", "half yearly"].into_iter().any(paid) {
        return Some(2.0);
    }
    // An annual payment may be twelve monthly ones; annual instalments are not.
    let yearly = made(&[
        "once a year",
        "once per year",
        "once yearly",
        "annually",
        "yearly",
        "every year",
        "at year end",
        "each year",
    ]) || words.says(&[
        "annual instalment",
        "annual instalments",
        "annual installment",
        "annual installments",
        "yearly instalment",
        "yearly instalments",
        "yearly installment",
        "yearly installments",
        "one payment a year",
        "one payment per year",
        "one instalment a year",
        "one installment a year",
    ]) || (words.says(&["annual payments"])
        && words.says(&["yearly payment", "annual payment", "each payment", "the payment"])
        && !words.has(&["monthly"]));
    if yearly {
        return Some(1.0);
    }
    [
        ("quarterly", 4.0),
        ("semiannual", 2.0),
        ("semi annual", 2.0),
        ("half yearly", 2.0),
        ("biweekly", 26.0),
        ("weekly", 52.0),
    ]
    .iter()
    .find(|(name, _)| paid(name))
    .map(|(_, count)| *count)
}

#[rustfmt::skip]
pub(crate) static INSTALLMENTS: Form = Form {
    name: "installments",
    is: |words| {
        let covers = words.has(&["noi", "dscr"]) && !(words.has(&["noi"]) && words.has(&["dscr", "coverage"]) && !words.has(&["max", "maximum", "min", "minimum", "size", "proceeds", "cap", "value", "ltv", "price", "mezz", "required", "yield"]));
        let other = covers || words.has(&["monthly", "irr", "npv", "principal", "no", "not", "annuity", "worth", "rent", "rents", "lease", "receive", "receives", "deposit", "save", "invest", "pv", "effective", "pref"]) || words.says(&["interest only", "total interest", "interest paid", "present value", "future value", "interest reserve", "net present value"]);
        interval(words).is_some() && !other
    },
    goals: &[(Dscr, &["dscr", "coverage", "debt service coverage", "debt service coverage ratio"]), (DebtService, SERVICE), (LevelAmount, &["payment", "annual payment", "yearly payment", "quarterly debt service", "semiannual debt service", "annual instalment", "annual installment", "semi annual payment", "half yearly payment", "biweekly payment", "payments", "installment", "instalment", "quarterly payment", "semiannual payment", "quarterly installment", "level payment"]), (Balance, OWED)],
    inputs: &[
        (Noi, &["noi", "net operating income"]),
        (HeldYears, &["elapsed", "years in", "into the loan"]),
        (PeriodsPaid, &["payments made", "instalments made", "installments made", "payments paid"]),
        (SumToday, &["loan", "mortgage", "note", "principal", "borrowed", "loan amount"]),
        (DiscountRate, &["rate", "coupon"]),
        (HoldYears, &["term", "years", "amortization", "am"]),
    ],
    leads: &[(DiscountRate, &["at"]), (SumToday, &["borrow", "borrowing", "loan of", "on"]), (HoldYears, &["over", "for"]), (HeldYears, &["after", "at the end of"]), (PeriodsPaid, &["after"])],
    bare: &[SumToday, DiscountRate, HoldYears, PeriodCount],
    sums: &[],
    settle: |words, sheet| {
        let count = interval(words).unwrap_or(12.0);
        // "Annual debt service with quarterly payments": what is paid in a year, not each time.
        let each = words.says(&["quarterly debt service", "semiannual debt service", "half yearly debt service", "debt service each quarter", "debt service per quarter", "debt service a quarter", "debt service every quarter", "debt service each time", "the size of"]) || words.has(&["payment"]);
        let both = words.has(&["and"]) && sheet.wants(DebtService) && sheet.wants(LevelAmount);
        if words.has(&["dscr", "coverage"]) && sheet.has(Noi) {
            sheet.goals = vec![Dscr];
        } else if both {
            sheet.goals = vec![LevelAmount, DebtService];
        } else if words.says(SERVICE) && !each && !sheet.wants(Balance) {
            sheet.goals = vec![DebtService];
        } else {
            sheet.replace_goal(DebtService, LevelAmount);
        }
        sheet.put(Compounding, count);
        // "(26 a year)" repeats the interval.
        for at in sheet.left.clone() {
            if words.number(at).is_some_and(|number| number.value == count && !number.dollars) {
                sheet.take(at);
            }
        }
        if let Some(years) = sheet.value(HoldYears) {
            sheet.put(PeriodCount, years * count);
        }
        // "What loan does a quarterly payment of 90,000 support?": the amount is what is paid each time.
        if words.says(CARRIED) && !sheet.has(LevelAmount) {
            sheet.rename(SumToday, LevelAmount);
            sheet.goals = vec![Loan];
        }
        if sheet.wants(Balance) {
            sheet.goals = vec![Balance];
            paid(words, sheet, count);
        } else if words.says(OWED) {
            sheet.doubt("Do you want the payment, or what is still owed after some of them?");
        }
        match sheet.value(DiscountRate) {
            Some(rate) => sheet.put(PeriodicRate, rate / count),
            None => sheet.deal.missing.push(Rate),
        }
        sheet.names.push((LevelAmount, Payment.word()));
        sheet.remark("The rate of a period is the annual rate ÷ the number of payments of a year.");
    },
};

/// What asks for the loan that payments carry.
#[rustfmt::skip]
const CARRIED: &[&str] = &["what loan", "which loan", "what mortgage", "how large a loan", "how big a loan", "how much of a loan", "how much loan", "what size loan", "what size of loan", "how large a mortgage", "how big a mortgage", "how large is the loan", "how big is the loan", "loan supported", "loan amount supported", "loan amount is", "loan is that", "what can we borrow", "can we borrow", "can i borrow", "loan that can be"];

/// What is paid in a year, however often.
#[rustfmt::skip]
const SERVICE: &[&str] = &["annual debt service", "yearly debt service", "debt service", "debt service per year", "debt service a year", "debt service per annum", "total debt service", "paid in a year", "payments of a year", "pay in a year", "payments per year in total"];

#[rustfmt::skip]
const OWED: &[&str] = &["balance", "remaining balance", "owed", "still owed", "still owe", "outstanding", "balloon", "left to pay", "remaining principal", "outstanding balance", "balance left", "balance outstanding", "loan balance"];

/// How many payments are made: "after 5 years", "after the 4th payment", "at the end of year 5".
fn paid(words: &Words, sheet: &mut Sheet, count: f64) {
    for at in sheet.left.clone() {
        let Some(number) = words.number(at) else { continue };
        let made = match number.shape {
            Shape::PaymentLabel => number.value,
            Shape::YearLabel => number.value * count,
            _ => continue,
        };
        if !sheet.has(PeriodsPaid) {
            sheet.put(PeriodsPaid, made);
            sheet.take(at);
        }
    }
    // "after the 4th payment".
    let ranked = (0..words.tokens.len()).find_map(|at| {
        let noun = matches!(words.word(at + 1), "payment" | "instalment" | "installment");
        rank(words.word(at)).filter(|_| noun)
    });
    if let Some(made) = ranked.filter(|_| !sheet.has(PeriodsPaid)) {
        sheet.put(PeriodsPaid, made);
    }
    if let Some(years) = sheet.value(HeldYears)
        && !sheet.has(PeriodsPaid)
    {
        sheet.put(PeriodsPaid, years * count);
        sheet.deal.values.remove(&HeldYears);
    }
    if !sheet.has(PeriodsPaid) {
        sheet.deal.missing.push(HeldYears);
    }
}

#[rustfmt::skip]
const LOANS: &[&str] = &["loan", "senior", "senior loan", "senior debt", "first mortgage", "mezz", "mezzanine", "mezz loan", "mezzanine loan", "mezz debt", "mezzanine debt", "second mortgage", "second lien", "first lien", "junior loan", "junior debt", "subordinate debt", "subordinate loan", "b note", "a note", "construction loan", "mortgage", "bridge loan", "second loan", "first loan", "preferred equity loan", "seller note"];

#[rustfmt::skip]
pub(crate) static STACK: Form = Form {
    name: "capital_stack",
    is: |words| {
        let ratio = words.says(&["ltv", "loan to value", "ltc", "loan to cost", "combined ltv", "cltv", "debt yield"]);
        // A second mortgage alone leaves open whether it is to be counted.
        let junior = words.has(&["mezz", "mezzanine", "junior", "subordinate"]);
        let several = junior || (words.has(&["second"]) && words.has(&["combined", "total", "plus", "together", "cltv"]));
        let items = words.says(&["ltc", "loan to cost"]) && words.has(&["contingency", "contingencies", "permits"]) && words.says(&["hard", "hard cost", "hard costs"]);
        ratio && (several || items) && !words.has(&["max", "maximum", "proceeds", "size", "dscr", "waterfall", "irr", "constraint", "binding"])
    },
    goals: &[
        (Ltv, &["ltv", "loan to value", "combined ltv", "cltv", "combined loan to value", "total ltv", "leverage", "loan to value ratio"]),
        (Ltc, &["ltc", "loan to cost", "combined ltc"]),
        (DebtYield, &["debt yield"]),
    ],
    inputs: &[
        (Loan, LOANS),
        (Value, &["value", "valued at", "appraisal", "appraised at", "worth", "appraised value", "market value", "property worth", "property value"]),
        (TotalCost, &["total cost", "total project cost", "all in cost", "project cost"]),
        (LandCost, &["land", "land cost", "site", "dirt", "acquisition"]),
        (HardCost, &["hard", "hard costs", "hard cost", "hards", "contingency", "hard contingency", "contingencies", "construction costs", "building"]),
        (SoftCost, &["soft", "soft costs", "soft cost", "softs", "fees", "permits", "developer fee", "marketing", "soft contingency"]),
        (FinancingCost, &["financing", "financing costs", "interest reserve", "interest carry", "carry", "reserve", "loan fees", "financing fees"]),
        (Noi, &["noi", "net operating income"]),
    ],
    leads: &[(Value, &["valued at", "worth", "appraised at"]), (Loan, &["borrow", "borrowing", "we borrow"])],
    bare: &[],
    sums: &[Loan, LandCost, HardCost, SoftCost, FinancingCost],
    settle: settle_stack,
};

fn settle_stack(words: &Words, sheet: &mut Sheet) {
    // "A mezz piece behind it": a loan without its amount.
    let lumps = words
        .numbers()
        .filter(|at| {
            words.number(*at).is_some_and(|number| {
                matches!(number.shape, Shape::Money | Shape::Plain) && number.value >= 1000.0
            })
        })
        .count();
    let both = words.has(&["senior", "first"]) && words.has(&["mezz", "mezzanine", "second", "junior"]);
    let summed = words.has(&["total", "together", "including", "sum", "plus", "and"])
        && !words.has(&["behind", "below"]);
    if both && lumps == 2 && sheet.has(Loan) && sheet.has(Value) && !summed {
        sheet.doubt("What is the amount of each loan?");
    }
    if words.says(&["equity"]) && !words.says(&["preferred equity", "pref equity"]) && sheet.wants(Ltc) {
        sheet.doubt("Equity is no loan: what is lent by whom?");
    }
    let parts = [LandCost, HardCost, SoftCost, FinancingCost];
    let named = parts.iter().filter(|part| sheet.has(**part)).count();
    if !sheet.has(TotalCost) && named >= 2 {
        for part in parts {
            let remark = format!("No {} are given, so none are counted.", part.label());
            sheet.assume(part, 0.0, &remark);
        }
        sheet.remark("A contingency is counted with the costs it stands for.");
    }
    if senior_alone(words) {
        return match senior(words) {
            Some(amount) => {
                sheet.put(Loan, amount);
                sheet.remark("Only the senior loan counts, as you say.");
            }
            None => sheet.doubt("Which of the loans should count?"),
        };
    }
    sheet.remark("All loans named are added up.");
}

/// "Senior LTV only", "forget the 3M mezz": what stands behind the senior loan is left out.
fn senior_alone(words: &Words) -> bool {
    let patterns = [
        "senior|first loan|debt|mortgage? ltv|leverage|only|alone",
        "senior|first loan|debt|mortgage? debt yield",
        "senior|first loan|debt|mortgage? loan to value",
        "only|just the? senior|first",
        "excluding|exclude|excl|ignoring|ignore|disregarding|disregard|forget|forgetting|without|omitting|omit|before|except|skip about|for? the|any|our|that|a? #$? junior|second? mezz|mezzanine|junior|second",
        "w / o the|any|our? #$? mezz|mezzanine|junior|second",
        "apart|aside from the|any|our? #$? mezz|mezzanine|junior|second",
        "not|leaving|leave counting|including|out the|any|our? #$? mezz|mezzanine|junior|second",
        "mezz|mezzanine|junior|second .. ignored|excluded|disregarded|omitted",
    ];
    patterns.iter().any(|says| {
        let pattern = Pattern::read(says);
        (0..words.tokens.len()).any(|at| pattern.at(words.tokens, at).is_some())
    })
}

/// The one amount that stands beside the senior loan's name.
fn senior(words: &Words) -> Option<f64> {
    if words.has(&["combined", "total", "cltv", "both", "versus", "vs"]) {
        return None;
    }
    let name = |at: usize| matches!(words.word(at), "senior" | "first");
    let found: Vec<f64> = words
        .numbers()
        .filter(|at| {
            let before = (1..=4)
                .map_while(|back| at.checked_sub(back))
                .take_while(|at| {
                    name(*at)
                        || matches!(
                            words.word(*at),
                            "loan" | "debt" | "mortgage" | "is" | "of" | "note" | "at"
                        )
                })
                .any(name);
            before || name(at + 1)
        })
        .filter_map(|at| words.number(at))
        .filter(|number| matches!(number.shape, Shape::Money | Shape::Plain) && number.value >= 1000.0)
        .map(|number| number.value)
        .collect();
    match found.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}
