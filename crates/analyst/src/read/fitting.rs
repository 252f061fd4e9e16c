//! Which numbers a variable can stand for at all, by unit and size alone.
//!
//! Knows no words and no places in a question.

use crate::words::scan::{Number, Per, Shape, Sign};
use finance::variable::{Unit, Variable};

/// Variables that questions ask for and never give.
fn result_only(variable: Variable) -> bool {
    use Variable::{
        Balance, Breakeven, CashOnCash, EconomicOccupancy, EffectiveRate, EquityMultiple, GrossSale,
        Interest, InterestPaid, IoPayment, Irr, MaxLoan, Mirr, NetSale, Npv, OpexRatio, PhysicalOccupancy,
        PresentValue, PrincipalPaid,
    };
    matches!(
        variable,
        Balance
            | Breakeven
            | CashOnCash
            | EconomicOccupancy
            | EffectiveRate
            | EquityMultiple
            | GrossSale
            | Interest
            | InterestPaid
            | IoPayment
            | Irr
            | MaxLoan
            | Mirr
            | NetSale
            | Npv
            | OpexRatio
            | PhysicalOccupancy
            | PresentValue
            | PrincipalPaid
    )
}

/// Whether the number's unit and size allow it to be the variable.
pub(crate) fn fits(variable: Variable, number: &Number) -> bool {
    let shape = number.shape;
    let plain = shape == Shape::Plain;
    if result_only(variable) {
        return false;
    }
    match variable.unit() {
        Unit::Money => {
            let period = match number.per {
                None => true,
                Some(Per::Other) => false,
                Some(_) => flow(variable),
            };
            period && (shape == Shape::Money || (plain && (number.value >= 1000.0 || number.value == 0.0)))
        }
        Unit::Percent => {
            (matches!(shape, Shape::Percent | Shape::BasisPoints)
                || (plain && share(variable, number).is_some()))
                && number.per != Some(Per::Other)
        }
        Unit::Ratio => {
            shape == Shape::Multiple
                || (plain && (0.0..=20.0).contains(&number.value))
                || (shape == Shape::Percent && (50.0..=1000.0).contains(&number.value))
        }
        Unit::Multiple => shape == Shape::Multiple || (plain && (0.0..=100.0).contains(&number.value)),
        Unit::Years => plain && number.short && (1.0..=50.0).contains(&number.value),
        // Read by the forms, which know what stands for a month or a square foot there.
        Unit::Months | Unit::Days | Unit::Mark | Unit::MoneyPerArea | Unit::Area | Unit::BasisPoints => false,
        Unit::Count => shape == Shape::Units || (plain && number.value.fract() == 0.0 && !number.dollars),
    }
}

/// Money that recurs, so that "a month" has a meaning.
pub(crate) fn flow(variable: Variable) -> bool {
    use Variable::{
        CashFlow, Collections, DebtService, Egi, ExitNoi, Gpr, GrossRent, IoPayment, Noi, Opex, Payment, Pgi,
        Reserves,
    };
    matches!(
        variable,
        Noi | DebtService
            | Payment
            | IoPayment
            | CashFlow
            | Reserves
            | Opex
            | Pgi
            | Egi
            | GrossRent
            | Gpr
            | Collections
            | ExitNoi
    )
}

/// The fraction a number stands for as this rate or share; `None` when it has two readings.
pub(crate) fn share(variable: Variable, number: &Number) -> Option<f64> {
    let value = number.value;
    if !matches!(number.sign, Sign::None | Sign::Plus | Sign::Brackets) {
        return None;
    }
    let fraction = match number.shape {
        Shape::Percent => return Some(value / 100.0),
        Shape::BasisPoints => return Some(value / 10_000.0),
        Shape::Plain => value,
        _ => return None,
    };
    let leverage = matches!(variable, Variable::Ltv | Variable::Ltc);
    match fraction {
        0.0 => Some(0.0),
        v if leverage && (0.2..1.0).contains(&v) => Some(v),
        v if leverage && (10.0..=150.0).contains(&v) => Some(v / 100.0),
        v if !leverage && v < 0.3 => Some(v),
        v if !leverage && (1.0..=40.0).contains(&v) => Some(v / 100.0),
        _ => None,
    }
}
