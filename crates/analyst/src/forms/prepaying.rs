//! Repaying a loan early: yield maintenance, and a flat percentage.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::read::terms::rank;
use crate::words::scan::Shape;
use finance::variable::Variable::*;

#[rustfmt::skip]
pub(crate) static MAINTENANCE: Form = Form {
    name: "yield_maintenance",
    is: |words| words.says(&["yield maintenance", "yield maint", "ym"]),
    goals: &[(YieldMaintenance, &["yield maintenance", "premium", "penalty", "prepayment premium", "prepayment penalty", "yield maintenance premium", "prepayment cost", "ym", "ym premium", "yield maint"])],
    inputs: &[
        (Loan, &["loan", "loan amount", "original loan", "mortgage", "note", "original balance", "balance", "principal", "original principal"]),
        (Rate, &["rate", "interest", "interest rate", "coupon", "note rate", "loan rate"]),
        (AmortizationYears, &["am", "amortization", "amortizing", "amort", "amortization schedule", "amortized over", "schedule"]),
        (TermMonths, &["term", "maturity", "loan term", "loan"]),
        (Paid, &["payment", "payments made", "payments", "into the loan", "in", "years in", "elapsed"]),
        (RemainingMonths, &["remaining", "left", "remaining term", "to go", "until maturity", "to maturity", "payments left", "payments remaining", "still to go"]),
        (Treasury, &["treasury", "treasury yield", "treasury rate", "treasuries", "ust", "discount rate", "reinvestment rate", "comparable treasury", "discount yield", "treasury note", "discount", "t", "tsy", "t note", "strips", "treasury is"]),
        (SpreadOver, &["spread", "over treasuries", "over the treasury", "over treasury"]),
        (FloorShare, &["minimum", "min", "floor", "of balance", "of the balance", "minimum premium", "at least", "minimum of"]),
    ],
    leads: &[
        (Rate, &["at", "bearing"]),
        (Loan, &["prepaying", "prepay", "repaying", "paying off", "pay off"]),
        (Paid, &["after", "after payment", "following payment"]),
        (Treasury, &["discount at", "discounted at", "discounting at", "treasury at", "treasury of", "treasury is"]),
        (SpreadOver, &["plus"]),
        (FloorShare, &["never less than", "but at least", "minimum", "floor of", "minimum of", "not less than", "no less than"]),
    ],
    bare: &[Loan, Paid, Rate],
    sums: &[],
    settle: settle_maintenance,
};

fn settle_maintenance(words: &Words, sheet: &mut Sheet) {
    if let (Some(spread), Some(yielded)) = (sheet.value(SpreadOver), sheet.value(Treasury)) {
        sheet.put(Treasury, yielded + spread);
        sheet.deal.values.remove(&SpreadOver);
        sheet.remark("The discount yield is the Treasury yield plus the spread.");
    }
    // "just after the 60th payment".
    let ranked = (0..words.tokens.len())
        .find_map(|at| rank(words.word(at)).filter(|_| words.word(at + 1) == "payment"));
    match (ranked, sheet.value(Paid)) {
        (Some(count), None) => sheet.put(Paid, count),
        (Some(count), Some(other)) if (count - other).abs() > 1e-9 => {
            // "After the 60th payment, so 24 payments remain": the rest of the term is told as well.
            let rest = sheet.value(TermMonths).map(|term| term - count);
            sheet.put(Paid, count);
            if rest.is_none_or(|rest| (rest - other).abs() > 1e-9) {
                sheet.doubt("How many payments were made when the loan is repaid, and how many are left?");
            }
        }
        (None, Some(other)) if !sheet.has(RemainingMonths) && remain(words, other) => {
            sheet.rename(Paid, RemainingMonths);
        }
        _ => {}
    }
    // "seven-year term" is how long the loan runs, wherever it stands.
    for at in sheet.left.clone() {
        let term = words
            .number(at)
            .filter(|number| number.shape == Shape::Years)
            .filter(|_| {
                (1..=2).any(|ahead| matches!(words.word(at + ahead), "term" | "balloon" | "maturity"))
            });
        if let Some(number) = term.filter(|_| !sheet.has(TermMonths) && !sheet.has(RemainingMonths)) {
            sheet.put(TermMonths, number.value * 12.0);
            sheet.take(at);
        }
    }
    // "On a 10-year, $7.5M loan with 30-year amortization": the one other time is how long it runs.
    let other: Vec<(usize, f64)> = sheet
        .left
        .iter()
        .filter_map(|at| {
            let number = words.number(*at)?;
            (number.shape == Shape::Years).then_some((*at, number.value))
        })
        .collect();
    if let ([(at, years)], true) = (
        other.as_slice(),
        sheet.has(AmortizationYears) && !sheet.has(TermMonths) && !sheet.has(RemainingMonths),
    ) {
        sheet.put(TermMonths, years * 12.0);
        sheet.take(*at);
    }
    sheet.assume(
        FloorShare,
        0.0,
        "No minimum premium is given, so none is applied.",
    );
    if !sheet.has(AmortizationYears) && words.says(&["interest only", "io", "i o"]) {
        sheet.put(InterestOnly, 1.0);
    }
    sheet.remark("Discounted monthly; the wording of the loan decides.");
}

/// "24 interest payments and the balloon remain": what is counted is still to come.
fn remain(words: &Words, count: f64) -> bool {
    words.numbers().any(|at| {
        let counts = words
            .number(at)
            .is_some_and(|number| (number.value - count).abs() < 1e-9);
        counts
            && (at + 1..at + 14)
                .take_while(|at| !words.mark(*at, '.') && !words.mark(*at, '?'))
                .any(|at| matches!(words.word(at), "remain" | "remains"))
    })
}

#[rustfmt::skip]
pub(crate) static PENALTY: Form = Form {
    name: "prepayment_penalty",
    is: |words| {
        let early = words.says(&["prepayment penalty", "prepayment premium", "prepayment fee", "prepay penalty", "exit fee", "penalty on a balance", "penalty on the balance", "penalty on balance", "early repayment charge", "erc"]);
        let shares = words
            .numbers()
            .filter(|at| {
                words
                    .number(*at)
                    .is_some_and(|number| number.shape == Shape::Percent)
            })
            .count();
        early && shares == 1 && !words.says(&["yield maintenance", "step down", "stepdown", "defeasance"])
    },
    goals: &[(Premium, &["prepayment penalty", "prepayment premium", "premium", "penalty", "prepayment fee", "exit fee", "cost to prepay", "fee"])],
    inputs: &[
        (PremiumShare, &["prepayment penalty", "prepayment premium", "penalty", "premium", "prepayment fee", "exit fee", "fee", "of the balance", "of balance"]),
        (Loan, &["loan", "balance", "loan balance", "outstanding balance", "mortgage", "payoff", "remaining balance"]),
    ],
    leads: &[],
    bare: &[PremiumShare, Loan],
    sums: &[],
    settle: settle_penalty,
};

/// "A $6,000,000 loan …, $5,480,000 is outstanding": the share counts on what is still owed.
fn settle_penalty(words: &Words, sheet: &mut Sheet) {
    let owed = |at: usize| {
        (1..=4).any(|ahead| {
            matches!(
                words.word(at + ahead),
                "outstanding" | "remaining" | "unpaid" | "owed"
            )
        })
    };
    let amount = |at: &usize| {
        words.number(*at).is_some_and(|number| {
            matches!(number.shape, Shape::Money | Shape::Plain) && number.value >= 1000.0
        })
    };
    if let [at] = sheet
        .left
        .iter()
        .copied()
        .filter(amount)
        .collect::<Vec<_>>()
        .as_slice()
        && let Some(number) = words.number(*at)
        && (!sheet.has(Loan) || owed(*at) && sheet.value(Loan).is_some_and(|loan| loan > number.value))
    {
        sheet.put(Loan, number.value);
        sheet.take(*at);
    }
}
