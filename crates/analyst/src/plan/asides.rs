//! What a question tells of the property and no figure needs: named beside the answer, and left out of it.
//!
//! Knows shapes of numbers, no values.

use crate::plan::deal::Deal;
use crate::read::given::said;
use crate::words::scan::{Shape, Token};
use finance::variable::Variable;

/// "It has 214 units and NOI of 2.9m": a count that no figure asked for needs, named and left out.
pub(crate) fn counts(
    text: &str,
    tokens: &[Token],
    goals: &[Variable],
    left: &mut Vec<usize>,
    deal: &mut Deal,
) {
    let each = tokens
        .iter()
        .filter_map(Token::number)
        .any(|number| number.base.is_some());
    let counted = goals.iter().any(|goal| {
        matches!(
            goal,
            Variable::PricePerUnit
                | Variable::PhysicalOccupancy
                | Variable::EconomicOccupancy
                | Variable::OccupiedUnits
                | Variable::Grm
                | Variable::Price
                | Variable::Value
        )
    });
    let sums = goals == [Variable::EconomicOccupancy]
        && deal.values.contains_key(&Variable::Gpr)
        && deal.values.contains_key(&Variable::Collections);
    if each || (counted && !sums) {
        return;
    }
    left.retain(|at| {
        let units = tokens.get(*at).and_then(Token::number).is_some_and(|number| {
            let let_out = (1..=2).any(|ahead| {
                tokens.get(at + ahead).is_some_and(|next| {
                    matches!(
                        next.word(),
                        "let" | "leased" | "occupied" | "rented" | "vacant" | "empty"
                    )
                })
            });
            number.shape == Shape::Units || (sums && number.shape == Shape::Plain && let_out)
        });
        if units {
            deal.remarks.push(format!(
                "Given, but not needed for this: {}.",
                said(text, tokens, *at)
            ));
        }
        !units
    });
}
