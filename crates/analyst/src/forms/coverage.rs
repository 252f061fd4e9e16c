//! How often income covers what is owed each year: the interest alone, or the payments on several loans.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::say::format;
use crate::words::scan::{Number, Shape};
use finance::loan;
use finance::variable::Variable::*;

#[rustfmt::skip]
const COVER: &[&str] = &["interest coverage", "interest coverage ratio", "interest cover", "interest cover ratio", "icr", "times interest earned", "tie ratio"];

#[rustfmt::skip]
pub(crate) static INTEREST_COVER: Form = Form {
    name: "interest_coverage",
    is: |words| words.says(COVER) && words.numbers().count() >= 2 && !words.has(&["max", "maximum", "minimum", "min", "size", "sized", "borrow", "covenant", "required", "mezz", "mezzanine", "senior"]),
    goals: &[(InterestCoverage, COVER)],
    inputs: &[
        (Noi, &["noi", "net operating income", "ebit", "operating income", "operating profit", "net income before interest"]),
        (YearInterestPaid, &["interest", "interest expense", "annual interest", "interest cost", "interest costs", "interest bill", "loan interest", "interest charge", "interest charges", "interest payments", "yearly interest"]),
        (Loan, &["loan", "debt", "mortgage", "loan amount"]),
        (Rate, &["rate", "interest rate", "coupon"]),
    ],
    leads: &[(Rate, &["at"])],
    bare: &[],
    sums: &[],
    settle: |words, sheet: &mut Sheet| {
        sheet.goals = vec![InterestCoverage];
        if words.has(&["monthly", "quarterly"]) {
            sheet.doubt("Please give the income and the interest for the same year.");
        }
        if words.says(&["ebit"]) {
            sheet.remark("EBIT stands in the place of the NOI.");
        }
        if !sheet.has(YearInterestPaid) && sheet.has(Loan) {
            if words.says(&["interest only", "io"]) {
                sheet.put(InterestOnly, 1.0);
            } else {
                sheet.doubt("What is the interest of the year? On a loan that is repaid it is less than loan × rate.");
            }
        }
    },
};

/// One loan as it is told.
struct Told {
    amount: f64,
    rate: f64,
    /// Years over which it is repaid; none while it only bears interest.
    years: Option<f64>,
}

/// "Senior 12m at 5.5% interest-only, mezz 3m at 10% interest-only": both with their own terms.
#[rustfmt::skip]
pub(crate) static SEVERAL_LOANS: Form = Form {
    name: "several_loans",
    is: |words| {
        let ratio = words.says(&["dscr", "dcr", "debt service coverage", "debt service coverage ratio", "coverage"]);
        let both = words.has(JUNIOR) && words.has(FIRST);
        ratio && both && !words.says(COVER) && !words.has(&["max", "maximum", "size", "proceeds", "if", "grid", "waterfall"]) && loans(words).is_some()
    },
    goals: &[(Dscr, &["dscr"])],
    inputs: &[(Noi, &["noi", "net operating income"])],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: |words, sheet: &mut Sheet| {
        sheet.goals = vec![Dscr];
        let Some(found) = loans(words) else { return };
        // Every number but the income's is one of the loans'.
        sheet.left.clear();
        sheet.deal.doubts.clear();
        if words.says(&["senior only", "only the senior", "senior dscr", "senior debt only", "senior loan only", "without the mezz", "senior coverage", "mezz dscr"]) {
            return sheet.doubt("Should both loans count, or one of them alone?");
        }
        let mut service = 0.0;
        for told in &found {
            let each = match told.years {
                None => Ok(told.amount * told.rate),
                Some(years) => loan::payment(told.amount, told.rate, years * 12.0).map(|pay| pay * 12.0),
            };
            match each {
                Ok(each) => {
                    service += each;
                    let how = told.years.map_or("interest-only".to_owned(), |years| format!("over {years} years"));
                    sheet.remark(&format!("{} {how}: {} a year.", format::money(told.amount), format::money(each)));
                }
                Err(fault) => return sheet.doubt(fault.sentence()),
            }
        }
        sheet.deal.set(DebtService, service, "computed");
        sheet.remark("The debt service of both loans together.");
    },
};

const FIRST: &[&str] = &["senior", "first"];
const JUNIOR: &[&str] = &["mezz", "mezzanine", "junior", "second"];

/// Both loans, each with its own amount, rate and terms; none where anything is missing or left over.
fn loans(words: &Words) -> Option<Vec<Told>> {
    let named = |at: usize| FIRST.contains(&words.word(at)) || JUNIOR.contains(&words.word(at));
    let money = |number: &Number| {
        number.per.is_none()
            && number.base.is_none()
            && (number.shape == Shape::Money || number.shape == Shape::Plain && number.value >= 10_000.0)
    };
    let sum = |at: usize| words.number(at).is_some_and(money);
    // "12m senior at 5.5%": the amount right before the name begins it.
    let begins: Vec<usize> = (0..words.tokens.len())
        .filter(|at| named(*at) && !at.checked_sub(1).is_some_and(named))
        .filter_map(|at| {
            let before = at.checked_sub(1).filter(|before| sum(*before));
            let behind = (at + 1..at + 5).take_while(|at| !words.mark(*at, '.')).any(sum);
            before.or(behind.then_some(at))
        })
        .collect();
    let [first, second] = begins.as_slice() else {
        return None;
    };
    let noi = words
        .find("noi")
        .or_else(|| words.find("net operating income"))?
        .0;
    // The income stands before both loans or behind them.
    if (*first..*second).contains(&noi) {
        return None;
    }
    let end = if noi > *second { noi } else { words.tokens.len() };
    let both = words.says(&[
        "both interest only",
        "both io",
        "both are interest only",
        "each interest only",
        "all interest only",
    ]);
    let mut found = Vec::new();
    for (from, to) in [(*first, *second), (*second, end)] {
        let mut told = (None, None, None, both);
        for at in from..to {
            if let Some(number) = words.number(at) {
                match number.shape {
                    Shape::Percent if told.1.is_none() => told.1 = Some(number.value / 100.0),
                    Shape::Years if told.2.is_none() => told.2 = Some(number.value),
                    _ if money(number) && told.0.is_none() => told.0 = Some(number.value),
                    // "Over 30 years. NOI on 2m …": a number more is another question.
                    _ => return None,
                }
            }
            told.3 |= words.word(at) == "io"
                || (words.word(at) == "interest" && (at + 1..at + 3).any(|at| words.word(at) == "only"))
                || words.word(at) == "interest-only";
        }
        let (Some(amount), Some(rate)) = (told.0, told.1) else {
            return None;
        };
        let amortizes = (from..to).any(|at| {
            words.word(at).starts_with("amort") || matches!(words.word(at), "am" | "over" | "schedule")
        });
        found.push(match (told.2, told.3) {
            (Some(years), false) if amortizes => Told {
                amount,
                rate,
                years: Some(years),
            },
            (None, true) => Told {
                amount,
                rate,
                years: None,
            },
            _ => return None,
        });
    }
    let others = words.numbers().filter(|at| !(*first..end).contains(at)).count();
    (others == 1 || (noi > *second && others <= 1)).then_some(found)
}
