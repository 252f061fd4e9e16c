//! What is below a printed net operating income: it is no income and no expense, and the sums in it are what is
//! left.
//!
//! Independent of labels.

use crate::accounts::{Below, Line, Printed};
use crate::income::agree;

/// How far a statement has been read.
#[derive(Default)]
pub(crate) struct Bottom {
    earns: bool,
    costs: bool,
    /// What is left below the printed net operating income, if costs are positive and if they are negative.
    left: Option<[Vec<f64>; 2]>,
    /// Whether there is a line below the last sum.
    further: bool,
}

impl Bottom {
    /// The kind of the next line, and of the printed sum that it is. `begins`: it is under a heading of income.
    pub(crate) fn next(
        &mut self,
        line: Line,
        printed: Option<Printed>,
        amounts: &[f64],
        begins: bool,
    ) -> (Line, Option<Printed>) {
        match printed {
            Some(Printed::NetOperatingIncome) => self.reach(amounts),
            Some(Printed::Other) => {
                if self.is_left(amounts) {
                    self.remain(amounts);
                }
            }
            // The sums of another statement.
            Some(_) if self.left.is_some() => *self = Self::default(),
            Some(_) => {}
            None => return self.line(line, amounts, begins),
        }
        (line, printed)
    }

    /// Only a sum of lines on both sides is the bottom of a statement; at its top it is a summary.
    fn reach(&mut self, amounts: &[f64]) {
        if self.earns && self.costs {
            self.remain(amounts);
        }
    }

    fn remain(&mut self, amounts: &[f64]) {
        self.left = Some([amounts.to_vec(), amounts.to_vec()]);
        self.further = false;
    }

    fn line(&mut self, line: Line, amounts: &[f64], begins: bool) -> (Line, Option<Printed>) {
        if begins || matches!(line, Line::Potential | Line::Rent) {
            // The statement of another building, or another part of it.
            self.left = None;
        }
        if self.is_left(amounts) {
            self.remain(amounts);
            return (Line::Printed(Printed::Other), Some(Printed::Other));
        }
        let Some([positive, negative]) = &mut self.left else {
            self.costs |= line == Line::Expense;
            self.earns |= matches!(line, Line::Potential | Line::Rent | Line::Other);
            return (line, None);
        };
        self.further = true;
        for (at, amount) in amounts.iter().enumerate() {
            for (left, sign) in [(&mut *positive, -1.0), (&mut *negative, 1.0)] {
                if let Some(left) = left.get_mut(at) {
                    *left += sign * amount;
                }
            }
        }
        match line {
            Line::Expense | Line::Other | Line::Unknown => (Line::Below(Below::Other), None),
            own => (own, None),
        }
    }

    /// Whether these amounts are what the lines below leave.
    fn is_left(&self, amounts: &[f64]) -> bool {
        let same = |left: &Vec<f64>| {
            left.len() == amounts.len()
                && left
                    .iter()
                    .zip(amounts)
                    .all(|(one, other)| agree(*one, *other, 2))
        };
        let some = amounts.iter().any(|amount| *amount != 0.0);
        some && self.further && self.left.iter().flatten().any(same)
    }
}
