//! What is borrowed against what stands behind it: the loan of each unit or square foot, what is paid down.

use crate::forms::form::{Form, Sheet};
use finance::variable::Variable::*;

#[rustfmt::skip]
const LOAN: &[&str] = &["loan", "debt", "mortgage", "loan amount", "loan balance", "borrowed", "borrow", "senior loan", "senior debt", "loan of", "debt of"];

#[rustfmt::skip]
pub(crate) static LOAN_EACH: Form = Form {
    name: "loan_each",
    is: |words| {
        (words.says(UNIT) || words.says(FOOT)) && words.numbers().count() == 2 && !words.has(&["price", "noi", "value", "cost", "ltv", "dscr", "our", "portfolio", "max", "maximum"])
    },
    goals: &[(LoanPerUnit, UNIT), (LoanPsf, FOOT)],
    inputs: &[(Loan, LOAN), (TotalUnits, &["units", "apartments", "doors", "keys", "unit property"]), (Area, &["area", "square feet"])],
    leads: &[],
    bare: &[Loan, TotalUnits, Area],
    sums: &[],
    settle: |words, sheet: &mut Sheet| {
        sheet.goals = vec![if words.says(UNIT) { LoanPerUnit } else { LoanPsf }];
    },
};

#[rustfmt::skip]
const UNIT: &[&str] = &["loan per unit", "debt per unit", "mortgage per unit", "loan per door", "debt per door", "loan per apartment", "debt per apartment", "loan per key", "debt per key", "loan a unit", "loan balance per unit", "loan amount per unit", "loan for each unit"];
#[rustfmt::skip]
const FOOT: &[&str] = &["loan per square foot", "debt per square foot", "loan per sf", "debt per sf", "loan psf", "debt psf", "loan per foot", "debt per foot", "loan a square foot", "mortgage per square foot", "mortgage per sf", "loan amount per sf", "loan amount per square foot", "loan balance per sf", "loan balance per square foot", "loan per sqft", "debt per sqft"];

#[rustfmt::skip]
pub(crate) static DOWN_PAYMENT: Form = Form {
    name: "down_payment",
    is: |words| {
        let asked = words.says(&["down payment", "percent down", "percentage down", "put down", "putting down"]);
        asked && words.numbers().count() == 2 && !words.has(&["closing", "costs", "acquisition", "noi", "irr", "multiple", "cash", "monthly", "payment on", "rate", "interest", "years", "income", "affordable"])
    },
    goals: &[(DownPayment, &["down payment"]), (DownShare, SHARE)],
    inputs: &[
        (Price, &["price", "purchase price", "asking price", "house", "cost", "home", "building"]),
        (Loan, LOAN),
        (DownPayment, &["down payment", "down", "put down", "putting down", "down payment of"]),
        (Ltv, &["ltv", "loan to value", "leverage"]),
    ],
    leads: &[(Price, &["on", "for"])],
    bare: &[Price],
    sums: &[],
    settle: |words, sheet: &mut Sheet| {
        let share = words.says(SHARE) || words.has(&["percent", "percentage", "share"]) || words.tokens.iter().any(|token| token.is_mark('%'));
        sheet.goals = vec![if share { DownShare } else { DownPayment }];
    },
};

#[rustfmt::skip]
const SHARE: &[&str] = &["down payment percent", "down payment percentage", "percent down", "percentage down", "percent down payment", "down payment in percent", "down payment as a percentage", "down payment as a percent", "down payment share", "down payment as a share"];
