//! Reserves that a question leaves out, or takes off the income first.
//!
//! Where it says neither, others ask.

use crate::plan::deal::Deal;
use crate::say::format;
use crate::words::scan::Token;
use finance::variable::Variable;

/// "before reserves": they are named to be left out.
pub(crate) fn before_reserves(tokens: &[Token], deal: &mut Deal) {
    let named =
        |token: &Token| token.word().starts_with("reserve") || matches!(token.word(), "capex" | "capital");
    let out = tokens.windows(2).any(|pair| {
        matches!(pair, [a, b] if matches!(a.word(), "before" | "excluding" | "without" | "ignoring" | "ignore" | "disregard" | "disregarding" | "exclude" | "omit") && named(b))
    });
    // "NOI 500k after deducting 40k of reserves": before them it is more.
    let deducted = tokens
        .iter()
        .any(|token| matches!(token.word(), "deducting" | "deducted" | "subtracting"))
        || tokens.windows(2).any(
            |pair| matches!(pair, [a, b] if matches!(a.word(), "after" | "less") && b.number().is_some()),
        );
    // "NOI is 900k before reserves of 45k", and the ratio after them: they are told to be taken off.
    if out && !deducted && net(tokens) {
        return;
    }
    if out
        && deducted
        && let (Some(noi), Some(reserves)) = (
            deal.values.get(&Variable::Noi).cloned(),
            deal.values.get(&Variable::Reserves).cloned(),
        )
    {
        deal.set(Variable::Noi, noi.value + reserves.value, &noi.origin);
        deal.values.remove(&Variable::Reserves);
        deal.remarks
            .push("The reserves are added back to the NOI.".to_owned());
    } else if out && deal.values.remove(&Variable::Reserves).is_some() {
        deal.remarks.push("Reserves are left out, as you say.".to_owned());
    }
}

/// "on NCF", "after reserves": a ratio on the net cash flow takes the reserves off first.
pub(crate) fn after_reserves(tokens: &[Token], goals: &[Variable], deal: &mut Deal) {
    let after = net(tokens)
        || (goals == [Variable::Breakeven]
            && tokens.windows(2).any(|pair| {
                matches!(pair, [a, b] if matches!(a.word(), "with" | "incl" | "plus") && b.word().starts_with("reserve"))
            }));
    let rests = goals.iter().all(|goal| {
        matches!(
            goal,
            Variable::Dscr | Variable::DebtYield | Variable::MaxLoan | Variable::Loan | Variable::Breakeven
        )
    });
    let Some(reserves) = deal
        .known()
        .get(&Variable::Reserves)
        .copied()
        .filter(|_| after && rests)
    else {
        return;
    };
    let (variable, sign) = if goals.contains(&Variable::Breakeven) {
        (Variable::Opex, 1.0)
    } else {
        (Variable::Noi, -1.0)
    };
    if let Some(given) = deal.values.get_mut(&variable) {
        given.value += sign * reserves;
        deal.values.remove(&Variable::Reserves);
        deal.remarks.push(if sign < 0.0 {
            format!(
                "Reserves of {} are taken off the NOI first (net cash flow), as you say.",
                format::money(reserves)
            )
        } else {
            format!(
                "Reserves of {} are counted with the expenses, as you say.",
                format::money(reserves)
            )
        });
    }
}

/// "on NCF", "after reserves".
fn net(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .any(|token| matches!(token.word(), "ncf" | "ncfs"))
        || tokens.windows(3).any(|three| {
            matches!(three, [a, b, c] if a.word() == "net" && b.word() == "cash" && c.word() == "flow")
        })
        || tokens.windows(2).any(|pair| {
            matches!(pair, [a, b] if matches!(a.word(), "after" | "including") && b.word().starts_with("reserve"))
        })
}
